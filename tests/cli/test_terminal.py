import os
import sys
import unicodedata
from io import StringIO
from pathlib import Path
from typing import ClassVar

import pytest
from click import Context
from hypothesis import given
from hypothesis import strategies as st

from mosslite.cli.commands import CommandsOrCheck
from mosslite.cli.terminal import (
    asked_locale,
    link_to,
    open_in_browser,
    part_of_run,
    part_of_stage,
    print_notes,
    printable,
    run_texts,
    table,
    tell,
    writing_to,
)
from mosslite.errors import OutputError
from mosslite.messages import M_
from tests.builders import LAW
from tests.conftest import Run
from tests.git_repositories import commit, needs_git, repository
from tests.programs import QUEUE


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain name.py", "plain name.py"),
        ("naïve-日本語-🦊.py", "naïve-日本語-🦊.py"),
        ("two\nlines\r\n\ttab", r"two\nlines\r\n\ttab"),
        ("\x1b[31mred\x1b]0;title\x07\x9b2J\x7f", r"\x1b[31mred\x1b]0;title\x07\x9b2J\x7f"),
        ("invoice\u202efdp.exe\u2066", r"invoice\u202efdp.exe\u2066"),
        ("a\u200bb\ufeff\u2028\u00ad\u3164", r"a\u200bb\ufeff\u2028\xad\u3164"),
        ("a\N{NO-BREAK SPACE}b", r"a\xa0b"),
        ("\ud800\udcff", r"\ud800\udcff"),
        ("\U000e0041\ue000", r"\U000e0041\ue000"),
    ],
)
def test_what_moves_the_cursor_or_cannot_be_seen_is_shown_as_an_escape(
    text: str, shown: str
) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error file=bob.py::he did it", r"\x3a:error file=bob.py::he did it"),
        ("  ::add-mask::a.py: python", r"  \x3a:add-mask::a.py: python"),
        (
            "ann/##[error]x ##vso[task.complete result=Succeeded]y",
            r"ann/\x23#[error]x \x23#vso[task.complete result=Succeeded]y",
        ),
        ("std::vector # [1] ##1", "std::vector # [1] ##1"),
    ],
)
def test_a_name_in_the_log_of_a_job_is_not_a_command_to_what_runs_the_job(
    text: str, shown: str
) -> None:
    assert printable(text) == shown


@LAW
@given(st.text(st.characters(exclude_categories=())))
def test_printable_text_holds_no_control_and_no_format_character(text: str) -> None:
    kinds = {unicodedata.category(character) for character in printable(text)}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert printable(printable(text)) == printable(text)


def test_words_are_to_the_left_and_numbers_to_the_right() -> None:
    rows = [["ann", "1,000", "5 %"], ["bartholomew", "7", "100 %"]]
    assert table(["name", "tokens", "share"], rows, left=1) == [
        "name         tokens  share",
        "ann           1,000    5 %",
        "bartholomew       7  100 %",
    ]


def test_wide_and_combining_characters_keep_columns_in_line() -> None:
    rows = [
        ["日本", "x"],
        ["abcd", "x"],
        ["e\N{COMBINING ACUTE ACCENT}abc", "x"],
        ["ने123", "x"],
        ["🦊ab", "x"],
        ["\N{FULLWIDTH LATIN SMALL LETTER F}ab", "x"],
    ]
    assert table(["4444", "n"], rows, left=2) == [
        "4444  n",
        "日本  x",
        "abcd  x",
        "e\N{COMBINING ACUTE ACCENT}abc  x",
        "ने123  x",
        "🦊ab  x",
        "\N{FULLWIDTH LATIN SMALL LETTER F}ab  x",
    ]


def test_a_cell_is_as_wide_as_what_is_shown_of_it() -> None:
    assert table(["name", "n"], [["\x1b[2J", "1"], ["a", "2"]], left=1) == [
        "name     n",
        r"\x1b[2J  1",
        "a        2",
    ]


def test_lines_of_a_table_end_without_blanks() -> None:
    assert table(["a", "remark"], [["x", ""]], left=2) == ["a  remark", "x"]


def test_a_path_is_a_link_on_terminals_that_know_links_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "a b.html"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(os, "name", "posix")
    assert link_to(page, StringIO()) == link_to(page, None) == str(page)
    shown = link_to(page, Terminal())
    assert page.as_uri() in shown
    assert str(page) in shown
    monkeypatch.setenv("TERM", "dumb")
    assert link_to(page, Terminal()) == str(page)


def test_a_job_and_a_machine_without_a_display_open_no_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    assert open_in_browser(tmp_path) == "this is a CI job"
    monkeypatch.setenv("CI", "0")
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert open_in_browser(tmp_path) == "there is no display"


@pytest.mark.parametrize(
    ("arguments", "variable", "locale"),
    [
        (["check", "--locale", "de"], "fr", "de"),
        (["--locale=es", "hw"], "", "es"),
        (["hw", "--", "--locale", "de"], "fr", "fr"),
        (["hw", "--locale", "it"], "fr", "en"),
        ([], "tlh", "en"),
    ],
)
def test_errors_are_in_the_language_that_is_asked_for_before_options_are_understood(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], variable: str, locale: str
) -> None:
    monkeypatch.setenv("MOSSLITE_LOCALE", variable)
    assert asked_locale(arguments) == locale


def test_lines_are_told_in_the_language_of_the_command_and_escaped_unless_quiet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["mosslite", "--locale", "de"])
    stream = StringIO()
    tell([M_("%(count)s and more", "\x1b"), "plain"], stream)
    tell(["nothing"], stream, is_quiet=True)
    assert stream.getvalue() == "\\x1b and more\nplain\n"
    print_notes({"config_notes": ("options from a",), "quiet": False})
    assert run_texts().locale == "de"


def test_a_full_disk_is_an_error_with_the_name_of_the_stream() -> None:
    def fail() -> None:
        raise OSError(28, "No space left on device")

    with (
        Path(os.devnull).open("w", encoding="utf-8") as stream,
        pytest.raises(OutputError, match="cannot write to standard output: no space left"),
        writing_to(stream),
    ):
        fail()


def test_steps_are_shown_as_they_are_where_stages_take_as_long_as_each_other() -> None:
    assert part_of_stage("packing", 2, 5) == (2, 5)


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
