"""What a newcomer meets on the terminal: typing errors, empty batches, and where the report is."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mosslite.display import grouped_reasons
from mosslite.intake.listing import did_you_mean
from mosslite.signatures import REPORT_MARKER
from tests.conftest import Run
from tests.programs import QUEUE, write_files
from tests.tables import table

COPIES = {"hw/ann.py": QUEUE, "hw/bob.py": QUEUE}


@table("arguments", "message")
def test_a_typing_error_is_named_first_with_what_may_be_meant(
    run: Run, tmp_path: Path, arguments: str, message: str
) -> None:
    write_files(tmp_path, COPIES)
    (tmp_path / "empty").mkdir()

    outcome = run(*shlex.split(arguments))

    assert (outcome.code, outcome.out, outcome.err) == (2, "", f"mosslite: {message}\n")


def test_skipped_files_of_one_name_and_reason_are_one_line() -> None:
    stray = [(f"s{n}/README.md", "is not source code") for n in range(24)]
    others = [("a/x.txt", "is not source code"), ("b.c", "is empty")]

    assert list(grouped_reasons([*stray, *others])) == [
        "24 README.md: not source code",
        "a/x.txt is not source code",
        "b.c is empty",
    ]


def test_a_language_that_most_names_contradict_is_a_warning(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, COPIES)

    said = run("hw", "-l", "java", "--no-html").out

    assert (
        "warning: 2 of 2 files read as Java (-l java) but named like Python: ann.py, bob.py\n"
        in said
    )
    assert "named like" not in run("hw", "-l", "python", "--no-html").out


def test_a_sharing_limit_of_one_says_that_it_hides_every_pair(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, COPIES)

    said = run("hw", "-m", "1", "--no-html").out

    assert "warning: -m 1 excludes all that two submissions share: use -m 2 or higher\n" in said
    assert "more than 1 submission (-m 1)\n" in said


@table("options", "note")
def test_an_option_without_effect_is_named(
    run: Run, tmp_path: Path, options: str, note: str
) -> None:
    write_files(tmp_path, COPIES)

    assert run("hw", *shlex.split(options)).err == f"mosslite: {note}\n"
    assert run("hw", *shlex.split(options), "-q").err == ""


def test_replacing_the_report_of_another_batch_is_reported(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {**COPIES, "lib/ann.py": QUEUE, "lib/bob.py": QUEUE})
    told = "replaced the report of another batch: 2 submissions, one per file in hw/"

    assert "replaced" not in run("hw").out
    write_files(tmp_path, {"hw/cleo.py": QUEUE})
    assert "replaced" not in run("hw").out
    (tmp_path / "hw/cleo.py").unlink()
    run("hw")
    assert told in run("lib").out


def test_the_batch_that_was_replaced_is_described_in_the_language_of_the_run(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {**COPIES, "lib/ann.py": QUEUE, "lib/bob.py": QUEUE, "bob.py": QUEUE})

    run("hw")
    assert "2 Abgaben, eine je Datei in hw/" in run("lib", "--locale", "de").out
    assert (
        "2 Abgaben, eine je Datei in lib/" in run("hw", "--prior", "bob.py", "--locale", "de").out
    )
    assert "andere Abgaben" not in run("hw", "--locale", "de").out


@pytest.mark.parametrize("batch", ["", " Batch: 2 submissions", ' Batch: {"id": 1}'])
def test_a_marker_that_describes_no_batch_is_not_compared(
    run: Run, tmp_path: Path, batch: str
) -> None:
    write_files(tmp_path, COPIES)

    run("hw")
    marker = tmp_path / "mosslite-report" / REPORT_MARKER
    first, others = marker.read_text(encoding="utf-8").split("\n", 1)
    marker.write_text(f"{first.partition(' Batch: ')[0]}{batch}\n{others}", encoding="utf-8")
    assert "replaced" not in run("hw").out


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
@pytest.mark.parametrize(("kind", "has_link"), [("xterm", True), ("dumb", False)])
def test_the_report_is_a_link_on_a_terminal_that_can(
    tmp_path: Path, kind: str, has_link: bool
) -> None:
    write_files(tmp_path, COPIES)
    leader, follower = os.openpty()  # type: ignore[attr-defined,unused-ignore]
    command = [sys.executable, "-m", "mosslite", "hw", "-o", "a report"]
    subprocess.run(
        command, cwd=tmp_path, stdout=follower, check=True, env={**os.environ, "TERM": kind}
    )
    os.close(follower)
    said = os.read(leader, 1 << 16).decode()
    os.close(leader)

    target = (tmp_path / "a report/index.html").as_uri()
    link = f"\x1b]8;;{target}\x1b\\a report/index.html\x1b]8;;\x1b\\"
    assert ("%20" in target, f"report: {link}" in said) == (True, has_link)


@pytest.mark.skipif(sys.platform == "win32", reason="the browser is a shell script")
@pytest.mark.parametrize("ci", ["", "true"])
def test_the_report_is_opened_in_a_browser_but_not_in_a_job(tmp_path: Path, ci: str) -> None:
    write_files(tmp_path, {**COPIES, "browser": '#!/bin/sh\necho "$1" > opened\n'})
    (tmp_path / "browser").chmod(0o755)
    command = [sys.executable, "-m", "mosslite", "hw", "--open"]
    environment = {**os.environ, "BROWSER": str(tmp_path / "browser"), "CI": ci}

    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=True, env=environment
    )

    opened = tmp_path / "opened"
    page = (tmp_path / "mosslite-report/index.html").as_uri()
    assert (opened.read_text().strip() if opened.exists() else "") == ("" if ci else page)
    told = "mosslite: cannot open the report: this is a CI job\n"
    assert done.stderr == (told if ci else "")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("mosslite che", ["plain,check", "file,che"]),
        ("mosslite archive ver", ["plain,verify"]),
        ("mosslite check --js", ["plain,--json"]),
        ("mosslite hw --js", ["plain,--json"]),
        ("mosslite check h", ["file,h"]),
        ("mosslite h", ["file,h"]),
        ("mosslite report h", ["file,h"]),
        ("mosslite check --locale d", ["plain,de"]),
        ("mosslite check -l pyth", ["plain,python"]),
    ],
)
def test_a_shell_is_told_commands_options_and_where_paths_go(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: str, answer: list[str]
) -> None:
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    monkeypatch.setenv("_MOSSLITE_COMPLETE", "bash_complete")

    done = run()

    assert (done.code, done.out.splitlines(), done.err) == (0, answer, "")


INSTALLING = Path(__file__).parents[2] / "docs" / "install.md"
# What asks a shell, without a terminal, for the completions of "mosslite check --js".
ASKING = {
    "bash": "COMP_WORDS=(mosslite check --js); COMP_CWORD=2; _mosslite_completion mosslite; "
    'echo "${COMPREPLY[@]}"',
    # Widgets need a terminal; what zsh calls and what it would be given can be seen without one.
    "zsh": "[ $_comps[mosslite] = _mosslite_completion ] && COMP_WORDS='mosslite check --js' "
    "COMP_CWORD=2 _MOSSLITE_COMPLETE=zsh_complete mosslite | sed -n 2p",
    "fish": "complete -C 'mosslite check --js' | cut -f 1",
}


@pytest.mark.parametrize("shell", ASKING)
def test_the_lines_of_the_documentation_complete_an_option_in_each_shell(
    tmp_path: Path, shell: str
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    page = INSTALLING.read_text(encoding="utf-8")
    lines = page.partition(f"```{shell}\n")[2].partition("```")[0]
    assert lines
    (tmp_path / "mosslite").write_text(f'#!/bin/sh\nexec {sys.executable} -m mosslite "$@"\n')
    (tmp_path / "mosslite").chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"

    done = subprocess.run(
        [str(shutil.which(shell)), "-c", lines + ASKING[shell]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": path, "HOME": str(tmp_path)},
    )

    assert (done.stdout, done.stderr) == ("--json\n", "")


def test_a_path_that_is_like_no_other_has_no_suggestion(tmp_path: Path) -> None:
    write_files(tmp_path, {"hw1/a.py": QUEUE, "hw2/a.py": QUEUE})

    assert did_you_mean(str(tmp_path / "zzz")) == ""
    assert did_you_mean(str(tmp_path / "gone" / "a.py")) == ""
