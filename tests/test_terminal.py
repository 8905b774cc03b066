import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.cli.terminal import printable, table
from tests.builders import LAW


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
