import sys
from io import StringIO
from pathlib import Path
from typing import ClassVar

import pytest
from click import Context

from mosslite.cli.commands import CommandsOrCheck
from mosslite.cli.terminal import part_of_run
from tests.conftest import Run
from tests.git_repositories import commit, needs_git, repository
from tests.programs import QUEUE

STAGES = ("reading", "tokenizing", "comparing", "matching", "reading histories", "writing")


@pytest.mark.parametrize("has_pages", [True, False])
def test_a_run_begins_with_nothing_ends_with_all_and_never_goes_back(has_pages: bool) -> None:
    stages = STAGES if has_pages else STAGES[:-1]
    shown = [part_of_run(stage, done, 3)[0] for stage in stages for done in range(4)]
    assert shown[0] == 0
    assert shown == sorted(shown)
    assert not has_pages or part_of_run("writing", 3, 3) == (100, 100)


@needs_git
def test_a_terminal_shows_every_stage_of_a_run_with_histories(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ann", "bob"):
        commit(
            repository(tmp_path / "hw" / name), {"a.py": QUEUE}, "2026-03-01 10:00:00 +0000", "a"
        )
    stderr = Terminal()
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setattr(Terminal, "reconfigure", lambda *_, **__: None, raising=False)
    assert run("hw", "-q").code == 0
    assert "reading" not in stderr.getvalue()
    assert run("hw").code == 0
    assert "reading histories" in stderr.getvalue()


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


class Probes(CommandsOrCheck):
    table: ClassVar = {"probe": ("probe_of_a_command", "Note what is shown.")}


@pytest.mark.parametrize(
    ("arguments", "locale", "shown"),
    [([], "en", "starting ..."), ([], "de", "starten ..."), (["-q"], "en", "")],
)
def test_a_terminal_shows_that_a_command_is_being_imported(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    locale: str,
    shown: str,
) -> None:
    text = "import sys\nprobe = sys.stderr.getvalue()\n"
    (tmp_path / "probe_of_a_command.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "probe_of_a_command", raising=False)
    monkeypatch.setattr(sys, "argv", ["mosslite", "probe", *arguments, "--locale", locale])
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    group = Probes("mosslite")

    found = group.get_command(Context(group), "probe")

    assert str(found).strip() == shown
    assert terminal.getvalue().rpartition("\r")[2] == ""
