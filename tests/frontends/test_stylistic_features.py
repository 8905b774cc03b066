import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends import tokenize
from mosslite.frontends.symbols import code_of
from mosslite.languages import TEXT, Language, find_language
from mosslite.records import TraceKind, Traces
from mosslite.records.submissions import line_starts
from tests.builders import LAW, tries
from tests.tables import table

NAME, COMMENT, STRING = TraceKind.NAME, TraceKind.COMMENT, TraceKind.STRING
NUMBER, LAYOUT, WORD = TraceKind.NUMBER, TraceKind.LAYOUT, TraceKind.WORD

UNKNOWN = Language("no lexer has this name", "None", is_prose=False, is_caseless=False)

# What opens and closes strings and comments, line ends of all kinds, letters of one to four bytes,
# blanks that are no line ends, and letters whose case changes their number.
PARTS = (
    *("a", "bc_1", "größe", "İß", "\U0001f600", "\U00020000x", "1.5", "0x1F", "+", "{", "}", ";"),
    *('"', "'", '"""', "`", "\\", "\\n", "%d", "//", "/*", "*/", "#", "<!--", "-->", "<p>"),
    *(" ", "\t", "\n", "\r\n", "\r", "\f", "\x0b", "\x85", "\u2028", "\ud800"),
)
SOURCES = st.lists(st.sampled_from(PARTS), max_size=40).map("".join)


def traces_in(text: str, language: str | Language) -> Traces:
    known = find_language(language) if isinstance(language, str) else language
    return tokenize(text, known).traces


def parts_of(text: str, traces: Traces) -> list[tuple[TraceKind, str]]:
    columns = (traces.kinds.tolist(), traces.starts.tolist(), traces.stops.tolist())
    return [(TraceKind(kind), text[i:j]) for kind, i, j in zip(*columns, strict=True)]


def found(kind: TraceKind, text: str, language: str) -> list[str]:
    """Return the traces of one kind as they stand in a text."""
    return [part for each, part in parts_of(text, traces_in(text, language)) if each == kind]


def codes(kind: TraceKind, text: str, language: str = "java") -> list[int]:
    traces = traces_in(text, language)
    return [int(code) for code in traces.codes[traces.kinds == kind]]


def literal_code(kind: TraceKind, part: str) -> int:
    """Return the code of an item as the lexer reads it, with case and words as far as they count.

    Line ends are ``\\n``, and blanks before them are not part of a text, except after a backslash.
    """
    text = re.sub(r"(?<![\\ \t\f])[ \t\f]+(?=\n)", "", re.sub(r"\r\n?", "\n", part))
    if kind in {COMMENT, WORD}:
        text = text.casefold()
    if kind == LAYOUT:
        text = re.sub(r"\w+", "w", text)
    return code_of(f"{kind.name} {text}")


def check_places(text: str, traces: Traces) -> None:
    """Check that every item is where it says, and that they are in order."""
    for (kind, part), code, start, line in zip(
        parts_of(text, traces),
        traces.codes.tolist(),
        traces.starts.tolist(),
        np.searchsorted(line_starts(text), traces.starts, side="right").tolist(),
        strict=True,
    ):
        assert part == part.strip() != ""
        assert code == literal_code(kind, part)
        assert line == 1 + len(re.findall(r"\r\n|\r|\n", text[:start]))
    assert traces.starts.tolist() == sorted(traces.starts.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("language", ["java", "python", "c", "javascript", "html", "sql"])
@tries(60)
@given(text=SOURCES)
def test_every_trace_of_code_is_what_stands_at_its_place(language: str, text: str) -> None:
    check_places(text, traces_in(text, language))


@LAW
@given(SOURCES)
def test_every_trace_of_prose_is_what_stands_at_its_place(text: str) -> None:
    check_places(text, traces_in(text, TEXT))


@LAW
@given(st.text(st.sampled_from('ab 1"+\n\U0001f600'), max_size=40))
def test_what_no_lexer_can_read_has_the_layout_of_its_lines(text: str) -> None:
    reading = tokenize(text, UNKNOWN)

    assert reading.is_degraded
    check_places(text, reading.traces)
    layouts = [part for _, part in parts_of(text, reading.traces)]
    assert layouts == [line.strip() for line in text.split("\n") if len(line.strip()) >= 4]


@pytest.mark.parametrize("language", ["java", "python", "c"])
@tries(60)
@given(text=SOURCES)
def test_the_kind_of_line_end_does_not_matter(language: str, text: str) -> None:
    unix = re.sub(r"\r\n?", "\n", text)
    texts = [unix.replace("\n", end) for end in ("\n", "\r\n", "\r")]
    found = [traces_in(each, language) for each in texts]

    columns = [
        (
            traces.kinds.tolist(),
            traces.codes.tolist(),
            np.searchsorted(line_starts(each), traces.starts, side="right").tolist(),
        )
        for each, traces in zip(texts, found, strict=True)
    ]
    assert columns[0] == columns[1] == columns[2]


@pytest.mark.parametrize(
    ("language", "text", "kind", "expected"),
    [
        ("java", "int total = sum(a, value2);", NAME, ["total", "sum", "value2"]),
        ("python", "self.größe = len(x_1)", NAME, ["self", "größe", "len", "x_1"]),
        ("php", "<?php $count = 1;", NAME, ["count"]),
        ("java", "x = 1; // Sums up a list\n", COMMENT, ["Sums", "up", "list"]),
        ("java", "/** Gives it.\n * @return no */", COMMENT, ["Gives", "it", "return", "no"]),
        ("python", 'def f():\n    """Do it."""\n    # by me', COMMENT, ["Do", "it", "by", "me"]),
        ("bash", "#!/bin/sh\nls # by hand", COMMENT, ["bin", "sh", "by", "hand"]),
        ("html", "<!-- by hand --><p>text</p>", COMMENT, ["by", "hand"]),
        ("c", "#include <stdio.h>\n#define MAX 10\n", COMMENT, []),
        ("c", "#include <stdio.h>\n#define MAX 10\n", NAME, ["MAX"]),
        ("java", 's = "two words" + \'c\';', STRING, ["two words", "c"]),
        ("python", 's = " padded "', STRING, ["padded"]),
        ("python", "s = rb'raw'", STRING, ["raw"]),
        ("python", 's = """one\ntwo"""', STRING, ["one\ntwo"]),
        ("python", "s = 'one\\ttwo'", STRING, ["one\\ttwo"]),
        ("c", 'printf("%d items\\n", n);', STRING, ["%d items\\n"]),
        ("java", "s = \"\" + ' ' + '-';", STRING, []),
        ("java", "x = 42 + 0x1F - 1.5e3f + 7;", NUMBER, ["42", "0x1F", "1.5e3f", "7"]),
        ("java", "if (x) {\n  y();\n}\n});\n", LAYOUT, ["if (x) {", "y();"]),
        ("java", "  \t a b \t\n\n", LAYOUT, []),
        ("java", "a = f(b);  // why\n", LAYOUT, ["a = f(b);", "// why"]),
        ("java", "/** why */ a = f(b);", LAYOUT, ["/** why */", "a = f(b);"]),
        ("c", "/* one\n * two */\nint a;", LAYOUT, ["/* one", "* two */", "int a;"]),
        ("python", "# a comment is a line, too", LAYOUT, ["# a comment is a line, too"]),
        ("text", "It was 1 x of TIMES, don't_go.", WORD, ["It", "was", "of", "TIMES", "don", "go"]),
        ("markdown", "# Die Größe\n\n`x = 12`", WORD, ["Die", "Größe"]),
        ("text", "a line of prose has no layout", LAYOUT, []),
    ],
)  # fmt: skip
def test_what_a_writer_leaves(
    language: str, text: str, kind: TraceKind, expected: list[str]
) -> None:
    assert found(kind, text, language) == expected


@pytest.mark.parametrize(
    ("kind", "left", "right", "is_same"),
    [
        (COMMENT, "// The Sum\n", "/* the SUM */", True),
        (COMMENT, "// STRASSE\n", "// straße\n", True),
        (COMMENT, "// the sum\n", "// sum, the\n", False),
        (NAME, "total = 1;", "result = 1;", False),
        (NAME, "total = 1;", "Total = 1;", False),
        (STRING, 's = "a b";', 's = "a b" ;', True),
        (STRING, 's = "ab";', 's = "aB";', False),
        (NUMBER, "x = 1.0;", "y=1.0;", True),
        (NUMBER, "x = 1.0;", "x = 1.00;", False),
        (LAYOUT, "int total = sum(1, x);", "    long y1 = f(22, größe);  ", True),
        (LAYOUT, "if (x) {", "if(x) {", False),
        (LAYOUT, "x = y + 1;", "x = y - 1;", False),
        (LAYOUT, "x =  y;", "x = y;", False),
    ],
)
def test_traces_are_equal_where_they_are_written_alike(
    kind: TraceKind, left: str, right: str, *, is_same: bool
) -> None:
    assert codes(kind, left)
    assert (codes(kind, left) == codes(kind, right)) is is_same


@table("language", "comment")
def test_code_keeps_its_layout_where_comments_are_added(language: str, comment: str) -> None:
    lines = ["alpha = beta + 1", "gamma = alpha * (beta)", "delta = gamma"]
    commented = [f"{line}  {comment % 'the first of these is larger'}" for line in lines]
    assert len(codes(LAYOUT, "\n".join(lines), language)) == len(lines)
    assert codes(LAYOUT, "\n".join(lines), language) == [
        code
        for code in codes(LAYOUT, "\n".join(commented), language)
        if code not in codes(LAYOUT, comment % "the first of these is larger", language)
    ]


def test_traces_of_different_kinds_are_never_equal() -> None:
    traces = traces_in('word = "word"; // word\n', "java")

    assert traces.kinds.tolist() == [NAME, LAYOUT, STRING, LAYOUT, COMMENT]
    assert len(set(traces.codes.tolist())) == 5


@pytest.mark.parametrize("language", ["java", "python", "text", "html"])
@pytest.mark.parametrize("text", ["", "\n", " \t\r\n\r"])
def test_an_empty_file_leaves_nothing(language: str, text: str) -> None:
    traces = traces_in(text, language)

    assert len(traces) == 0
    assert traces.kinds.dtype == np.uint8
    assert traces.codes.dtype == np.uint64
    assert traces.starts.dtype == traces.stops.dtype == np.int32


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        f"/* {'word ' * 200_000}*/",
        f"// {'w' * 1_000_000}",
        f"x{' ' * 1_000_000}",
        f"x{' ' * 1_000_000}y",
        f's = "{"a " * 500_000}"',
        "x\n" * 200_000,
    ],
    ids=["words", "one-word", "blanks", "blanks-between", "string", "lines"],
)
def test_a_megabyte_of_one_thing_is_read_in_linear_time(text: str) -> None:
    assert len(traces_in(text, "javascript")) <= len(text)
