import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexers import get_all_lexers

from mosslite.frontends import tokenize
from mosslite.frontends.symbols import CONTINUATION, pieces_of
from mosslite.frontends.text import source_of
from mosslite.frontends.tokens import lex
from mosslite.languages import Language, lexer_of
from tests.builders import LAW, check_stream, stream_of_code, tries
from tests.tables import texts_of

# MCSchema loops forever at a line that begins with '<!--'.
HANGING = {"mcschema"}
# XQuery keeps a stack, and raises where it is empty.
FAILING = {"xquery"}
# R's console drops a prompt with nothing behind it.
LOSSY = {"rconsole"}
# Two lexers without a name cannot be asked for.
LEXERS = sorted(aliases[0] for _, aliases, _, _ in get_all_lexers(plugins=False) if aliases)
# Half of what students write in, and lexers that combine others or are known to lose their place.
SAMPLE = (
    *("ada", "bash", "c", "cpp", "csharp", "common-lisp", "delphi", "fortran", "fortranfixed"),
    *("gas", "go", "haskell", "html", "java", "javascript", "kotlin", "mips", "ocaml", "octave"),
    *("perl", "php", "plpgsql", "prolog", "python", "r", "ruby", "rust", "scala", "scheme", "sql"),
    *("swift", "tasm", "typescript", "vb.net", "verilog", "vhdl"),
    *("console", "cr", "html+php", "matlabsession", "mime", "pycon", "robotframework", "terraform"),
)
GROUPS = 12  # of lexers, each of which is one test
QUICK = ("c", "html", "html+php", "java", "javascript", "python")

SNIPPET = texts_of("programs")["SNIPPET"]
TEXTS = {
    "empty": "",
    "snippet": SNIPPET,
    "tabs": SNIPPET.replace(" ", "\t"),
    "crlf": SNIPPET.replace("\n", "\r\n"),
    "lone cr": SNIPPET.replace("\n", "\r"),
    "mixed line ends": SNIPPET.replace("\n", "\r\n", 5).replace("\n", "\r\r\n\n", 9),
    "bom": "\ufeff" + SNIPPET,
    "no final newline": SNIPPET.rstrip("\n"),
    "one line": SNIPPET.replace("\n", " "),
    "backwards": SNIPPET[::-1],
    "astral": "é\U0001f600 = '\U0001f600\U00020000' // \U0001f600\nint \U0001d4b3 = \"\U0001f600\"",
    "control characters": "a\x00b\x01 = \x0b\x0c'\x1c'\x85 x\u2028y\u2029z\xa0\x7f \ud800\n",
    "open string": "x = \"a\\\n b = 'c\n",
}

ALPHABET = (
    *"\"'`\\{}[]()<>#$%&@;:,.-+*/=|!?~^_01aAé\u00df\u0130\u0301\U0001f600\x00\x0b\x0c\x1c\x85\u2028\ufeff",
    *("\t", " ", "\n", "\r", "\r\n", "\\\n", "/*", "*/", "//", "--", "<!--", "-->", "<?php", "?>"),
    *(
        "{{",
        "}}",
        '"""',
        "'''",
        "${",
        "#{",
        "$(",
        "<<EOF\n",
        "EOF",
        "begin ",
        "end ",
        "if ",
        "def f",
    ),
    *("class ", "import ", "from ", "0x1F", "1.5e3", "\\n", "<script>", "</script>", ">>> ", "$ "),
    *("\n\n", '@"', 'r"', 'f"', "=begin", "=cut", "%(", "(*", "*)", "{-", "-}", "#if 0\n", "\n#"),
)
NASTY = st.lists(st.sampled_from(ALPHABET), max_size=30).map("".join)


def language(alias: str) -> Language:
    return Language(alias, alias, is_prose=False, is_caseless=False)


def check_tokens(alias: str, source: str) -> None:
    """Check that a lexer's tokens stand where they say, and lose nothing but white space."""
    stop, texts = 0, []
    for start, _, value in lex(lexer_of(language(alias)), source):
        assert start >= stop
        assert source[start : start + len(value)] == value
        stop = start + len(value)
        texts.append(value)
    if alias not in LOSSY:
        assert "".join("".join(texts).split()) == "".join(source.split())


def check_slices(alias: str, text: str) -> None:
    """Check that tokens are the lexer's, whatever is hidden in the original."""
    source = source_of(text).text
    pieces = [
        (start + piece.offset, start + piece.offset + piece.length)
        for start, kind, value in lex(lexer_of(language(alias)), source)
        for piece in pieces_of(kind, value, language(alias))
        if piece.code != CONTINUATION
    ]
    original, normal = (stream_of_code(each, language(alias)) for each in (text, source))

    assert original.codes.tolist() == normal.codes.tolist()
    assert original.lexemes.tolist() == normal.lexemes.tolist()
    has_text = normal.starts < normal.stops
    assert set(normal.starts[has_text].tolist()) <= {start for start, _ in pieces}
    assert set(normal.stops.tolist()) <= {stop for _, stop in pieces}
    for ranges in zip(original.starts, original.stops, normal.starts, normal.stops, strict=True):
        start, stop, normal_start, normal_stop = map(int, ranges)
        assert source_of(text[start:stop]).text == source[normal_start:normal_stop]


def check(alias: str, text: str) -> None:
    check_tokens(alias, source_of(text).text)
    check_slices(alias, text)
    stream, _, is_degraded, *_ = tokenize(text, language(alias))
    check_stream(text, stream)
    assert not is_degraded


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("nth", range(GROUPS))
def test_the_offsets_of_every_lexer_are_exact(nth: int) -> None:
    for alias in sorted(set(LEXERS) - HANGING)[nth::GROUPS]:
        rng = Random(alias)  # noqa: S311 - any texts will do
        hostile = ["".join(rng.choices(ALPHABET, k=rng.randrange(31))) for _ in range(10)]
        usual = ["", SNIPPET.replace("\n", "\r\n"), TEXTS["control characters"]]
        for text in usual + hostile * (alias not in FAILING):
            try:
                check(alias, text)
            except AssertionError as error:
                error.add_note(f"{alias}: {text!r}")
                raise


@pytest.mark.slow
@pytest.mark.parametrize("alias", SAMPLE)
def test_offsets_are_exact_in_every_kind_of_text(alias: str) -> None:
    for text in TEXTS.values():
        check(alias, text)


@pytest.mark.parametrize("alias", QUICK)
@tries(30)
@given(NASTY | st.text(max_size=30))
def test_offsets_are_exact_in_hostile_text(alias: str, text: str) -> None:
    check(alias, text)


@LAW
@given(st.text() | NASTY)
def test_line_ends_are_normalized_and_every_character_has_its_origin(text: str) -> None:
    source = source_of(text)

    places = range(len(source.text)) if source.origin is None else source.origin.tolist()
    assert source.original == text
    assert len(places) == len(source.text)
    assert list(places) == sorted(set(places))
    assert all(
        text[place] == character or (text[place] == "\r" and character == "\n")
        for place, character in zip(places, source.text, strict=True)
        if character.isascii() == text[place].isascii()
    )


@pytest.mark.parametrize(
    ("alias", "text", "expected"),
    [
        # Each line is lexed by itself, with offsets of its own.
        ("fortranfixed", "      X = Y\n      Z = X\n", ["X", "=", "Y", "Z", "=", "X"]),
        # The code between the prompts is lexed as a whole, and the prompts put into it.
        ("pycon", ">>> a = 1\n1\n>>> b = a\n", [">>>", "a", "=", "1", "1", ">>>", "b", "=", "a"]),
        # The end of an open here-document is given twice.
        ("cr", "<<A\nb\nc = 1\n", ["<", "<", "A", "b", "c", "=", "1"]),
        # Some of the characters that end no line are turned into line ends.
        ("robotframework", "a\x0bb\x85c\n", ["a", "b", "c"]),
    ],
)
def test_a_lexer_that_loses_its_place_is_put_right(
    alias: str, text: str, expected: list[str]
) -> None:
    words = [
        word
        for start, _, value in lex(lexer_of(language(alias)), text)
        for word in re.findall(r"[<>]{3}|\w+|[^\w\s]", text[start : start + len(value)])
    ]

    assert words == expected


@pytest.mark.parametrize(
    ("alias", "before", "text"),
    [
        ("xquery", "}</a>(", "<b/>let $x := 1let $x := 1}</a>{}}"),
        ("haxe", "(#end\n#else\n)#if x\n", " a = 1;#else\nclass A {"),
        ("csound", "opcode foo, i, i\nendop\nfoo 1\n", "instr 1\nfoo 1\n"),
    ],
)
def test_a_lexer_that_collects_what_it_sees_knows_nothing_of_other_texts(
    alias: str, before: str, text: str
) -> None:
    first = tokenize(text, language(alias))
    tokenize(before, language(alias))
    again = tokenize(text, language(alias))
    assert again.is_degraded == first.is_degraded
    assert again.stream.codes.tolist() == first.stream.codes.tolist()
    assert again.stream.lexemes.tolist() == first.stream.lexemes.tolist()


@pytest.mark.parametrize("blanks", [200, 201, 250])
def test_long_blanks_are_found_wherever_they_stand(blanks: int) -> None:
    for before in range(45):
        text = "x" * before + " " * blanks + "y"
        assert source_of(text).text == "x" * before + " " * min(blanks, 200) + "y"
