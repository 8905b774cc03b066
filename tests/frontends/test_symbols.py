import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.token import (
    Comment,
    Error,
    Escape,
    Generic,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    Other,
    Punctuation,
    String,
    Text,
    Token,
    Whitespace,
    _TokenType,
)

from mosslite.frontends.symbols import (
    CONTINUATION,
    NAME,
    NUMBER,
    STRING,
    code_of,
    kinds_of,
    pieces_of,
)
from mosslite.languages import find_language
from mosslite.records import TokenKind
from tests.builders import LAW, codes_of

KINDS = (
    Comment, Comment.Preproc, Error, Escape, Generic.Output, Keyword, Keyword.Namespace, Literal,
    Literal.Date, Name, Name.Decorator, Name.Tag, Number, Operator, Operator.Word, Other,
    Punctuation, String, String.Doc, String.Escape, Text, Token, Whitespace,
)  # fmt: skip
# White space of many kinds, signs, and what has another length in lower case.
TEXTS = st.text(
    st.sampled_from('ab_1$+-."\\\t\n\x0b\x1c\x85\u2028 é\u0301İ\u1fafß\U0001f600\ud800')
)


def codes(kind: _TokenType, value: str, language: str = "java") -> list[int]:
    return [piece.code for piece in pieces_of(kind, value, find_language(language))]


def own(*symbols: str) -> list[int]:
    return [code_of(symbol) for symbol in symbols]


def test_a_code_is_the_same_on_every_machine() -> None:
    assert code_of("while") == 0x8E5A4599FF261C3D
    assert code_of("\ud800") == 0x680D7D923E780842
    assert (NAME, NUMBER) == (0x68A6663886CB4251, 0xADB75097D1E0D8AA)
    assert STRING == 0xB03F093BFE7163C9


@LAW
@given(st.sets(st.text()))
def test_codes_of_different_symbols_differ(symbols: set[str]) -> None:
    assert len({code_of(symbol) for symbol in symbols}) == len(symbols)


@LAW
@given(st.sampled_from(KINDS), TEXTS, st.sampled_from(("java", "sql", "mips")))
def test_symbols_lie_in_order_inside_their_token(
    kind: _TokenType, value: str, language: str
) -> None:
    stop = 0
    for piece in pieces_of(kind, value, find_language(language)):
        text = value[piece.offset : piece.offset + piece.length]
        assert piece.offset >= stop
        assert len(text) == piece.length
        assert text
        assert text == text.strip() or piece.code == STRING
        stop = piece.offset + piece.length


@LAW
@given(st.sampled_from((Keyword, Operator, Punctuation, Text, Error, Name.Tag)), TEXTS)
def test_what_is_kept_as_it_is_loses_nothing_but_white_space(kind: _TokenType, value: str) -> None:
    pieces = pieces_of(kind, value, find_language("java"))

    kept = "".join(value[piece.offset : piece.offset + piece.length] for piece in pieces)
    assert kept == "".join(value.split())


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_of_white_space_has_no_symbol(kind: _TokenType) -> None:
    # Blanks are the content of a string: two that do not touch are no single one.
    is_string = (String in kind.split() and kind is not String.Doc) or kind is Literal
    assert codes(kind, " \t\n\x0b\x0c\x1c\x85\u2028") == [STRING] * is_string
    assert codes(kind, "") == []


@pytest.mark.parametrize(
    ("kind", "value", "symbols"),
    [
        (Keyword, "while", ["while"]),
        (Keyword, "ELSE IF", ["ELSE", "IF"]),
        (Keyword.Constant, "null", ["null"]),
        (Keyword.Reserved, "define-syntax", ["define-syntax"]),
        (Keyword.Namespace, "import  static", ["import", "static"]),
        (Operator.Word, "instanceof", ["instanceof"]),
        (Operator, "is", ["is"]),
        (Operator, "+=", ["+", "="]),
        (Operator, "=-", ["=", "-"]),
        (Operator, ":- ", [":", "-"]),
        (Punctuation, "([{", ["(", "[", "{"]),
        (Name.Tag, "</div>", ["<", "/", "div", ">"]),
        (Text, "two words, é", ["two", "words", ",", "é"]),
        (Error, "'", ["'"]),
        (Name.Function, "+.", ["+", "."]),
        (Name.Function, "\\", ["\\"]),
    ],
)
def test_keywords_signs_and_text_stand_for_themselves(
    kind: _TokenType, value: str, symbols: list[str]
) -> None:
    assert codes(kind, value) == own(*symbols)


def test_the_sign_of_a_number_is_an_operator() -> None:
    assert codes(Number, "-1") == [code_of("-"), NUMBER]
    assert codes(Number, " +1.5e-3") == [code_of("+"), NUMBER]


def test_a_backslash_that_goes_on_a_line_is_apart_from_others() -> None:
    assert codes(Text, "\\\n") == [CONTINUATION]
    assert codes(Whitespace, "  \\\n  ") == [CONTINUATION]
    assert codes(String, "\\\n") == [STRING]
    assert codes(Operator, "\\") == own("\\")


@pytest.mark.parametrize(
    ("language", "is_caseless"),
    [
        ("delphi", True),
        ("sql", True),
        ("fortran", True),
        ("vhdl", True),
        ("html", True),
        ("php", True),
        ("java", False),
    ],
)
def test_case_counts_where_the_language_says_so(language: str, is_caseless: bool) -> None:
    assert (codes(Keyword, "BEGIN", language) == codes(Keyword, "begin", language)) is is_caseless


def test_a_word_that_grows_in_lower_case_keeps_its_length() -> None:
    pieces = pieces_of(Text, "İİ ab", find_language("sql"))

    assert [(piece.offset, piece.length) for piece in pieces] == [(0, 2), (3, 2)]


@pytest.mark.parametrize(
    ("language", "kind", "value", "expected"),
    [
        ("gas", Name.Function, "movl", own("movl")),
        ("scheme", Name.Builtin, "car", [NAME]),
        ("scheme", Name.Builtin, "<=", own("<", "=")),
        ("common-lisp", Name.Builtin, "cond", own("cond")),
        ("clojure", Name.Builtin, "count", [NAME]),
        ("clojure", Name.Builtin, "when-let", own("when-let")),
        ("octave", Text, "x, y", [NAME, code_of(","), NAME]),
        ("delphi", Keyword, "Index", [NAME]),
        ("fortranfixed", Keyword, "RESULT", [NAME]),
        ("javascript", Keyword.Reserved, "char", [NAME]),
        ("javascript", Keyword.Reserved, "static", own("static")),
        ("prolog", String.Atom, "member", [NAME]),
        ("prolog", String.Atom, "'Two words'", [NAME]),
        ("prolog", String.Atom, "\\+", own("\\", "+")),
        ("haskell", Keyword.Type, "Tree", [NAME]),
        ("vb.net", Text, "_", []),
        ("fortranfixed", Generic.Strong, "&", []),
    ],
)
def test_what_some_lexers_mistake_is_set_right(
    language: str, kind: _TokenType, value: str, expected: list[int]
) -> None:
    assert codes(kind, value, language) == expected


def test_lexemes_tell_apart_what_codes_do_not() -> None:
    java = find_language("java")
    (left,), (same,), (right,) = (pieces_of(Name, name, java) for name in ("a", "a", "b"))

    assert left.wording == same.wording
    assert left.code == right.code
    assert left.wording != right.wording


def test_a_wording_ignores_case_where_the_language_does() -> None:
    (upper,), (lower,) = (pieces_of(Name, name, find_language("sql")) for name in ("A", "a"))

    assert upper.wording == lower.wording


def test_kinds_tell_names_and_the_frame_of_code_from_its_content() -> None:
    kinds = kinds_of(codes_of([NAME, code_of("("), code_of("static"), code_of("while"), NUMBER]))

    assert kinds.dtype == np.uint8
    assert kinds.tolist() == [
        TokenKind.NAME,
        TokenKind.FRAME,
        TokenKind.FRAME,
        TokenKind.CONTENT,
        TokenKind.CONTENT,
    ]
    assert len(kinds_of(codes_of([]))) == 0
