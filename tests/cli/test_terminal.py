import os
import sys
import unicodedata
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.cli.terminal import (
    asked_locale,
    link_to,
    open_in_browser,
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
