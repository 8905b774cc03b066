from dataclasses import fields
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends import Reading, token_properties, tokenize, tokenize_all
from mosslite.frontends.dispatch import read_code
from mosslite.languages import find_language
from mosslite.records import Colours, TokenStream, Traces
from tests.builders import LAW

# What ends a text in the middle of something, or begins the next one as if something went before.
PARTS = [
    *["(", ")", "{", "}", "[", "]", ",", ".", ":", "=", ";", "1;", "[1]", "x", "import", "self"],
    *["self.", "this.", "long", "long;", "def", "@dec", "/*", "*/", "//"],
    *["import a", "from a import (b", "def f(self", "class A(B):", "x: int", "x = x +", "x += 1"],
    *["++x", "return (x)", "'a'", "'b' +", "'open", '"""', "# c", "int main() { f(); }", "int x"],
    *["void f() {}", "\\", "\n", "\r", "\r\n", "    ", "\t", "\u200b", "\u0430", "\ufeff", "é"],
]
ENDS_AND_BEGINNINGS = [
    *(f"{before}{part}" for before in ("", "x = x\n") for part in PARTS),
    *[
        "class A:\n  def f(s): s.x\n  def",
        "class A:\n  def f(s",
        "f(s, s.x)",
        "s.x = s.y",
        "unsigned",
    ],
    *["x = x", "x = x + 1", "+ 1;", "- 1;", "x +", "= 1;", "x++;", "++x;", "+", "++", "x;", "> x"],
    *["this -", "this", ".x", "return (", "return (x", ") ;", "x);", "import (", "import x as"],
]
TEXTS = st.lists(st.lists(st.sampled_from(PARTS), max_size=12).map(" ".join), max_size=6)
LONG = "int main() { " + "x = y; " * 60 + "}\n"


def columns_of(reading: Reading) -> list[object]:
    """Return all that a reading says in lists that can be compared."""
    records = (reading.stream, reading.traces, reading.colours)
    columns: list[object] = [
        getattr(record, each.name).tolist()
        for record in records
        if isinstance(record, (TokenStream, Traces, Colours))
        for each in fields(record)
    ]
    return [*columns, reading.disguises, reading.is_degraded]


@pytest.mark.slow
@LAW
@given(TEXTS, st.sampled_from(["python", "java", "c", "javascript", "kotlin", "scheme", "text"]))
def test_a_text_is_read_alike_by_itself_and_among_others(texts: list[str], name: str) -> None:
    language = find_language(name)

    together = tokenize_all([(text, language) for text in texts])

    alone = [tokenize(text, language) for text in texts]
    assert list(map(columns_of, together)) == list(map(columns_of, alone))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["python", "java", "javascript", "rust", "haskell", "r"])
def test_the_end_of_a_text_and_the_beginning_of_the_next_are_never_read_together(name: str) -> None:
    language = find_language(name)
    alone = {part: columns_of(tokenize(part, language)) for part in ENDS_AND_BEGINNINGS}
    texts = [text for pair in product(ENDS_AND_BEGINNINGS, repeat=2) for text in pair]

    together = tokenize_all([(text, language) for text in texts])

    assert list(map(columns_of, together)) == [alone[text] for text in texts]


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("python", ["f((", "'alone'\n))"]),
        ("python", ["f" + "(" * 9, "'alone'\n" + ")" * 9 + "\n(x"]),
        ("java", ["return" + "(" * 9 + "x", ")" * 9 + ";"]),
        ("rust", ["use a::{{{{{{", "use b; }}}}}} x"]),
    ],
)
def test_a_bracket_has_no_partner_in_another_text(name: str, texts: list[str]) -> None:
    language = find_language(name)

    together = tokenize_all([(text, language) for text in texts])

    alone = [tokenize(text, language) for text in texts]
    assert list(map(columns_of, together)) == list(map(columns_of, alone))


def test_texts_of_several_languages_are_read_each_as_its_own() -> None:
    sources = [(LONG, find_language(name)) for name in ("java", "text", "c", "java")]

    assert [len(each.stream) for each in tokenize_all(sources)] == [
        len(tokenize(*source).stream) for source in sources
    ]


def test_one_text_that_its_lexer_cannot_read_leaves_the_others_as_they_are() -> None:
    language = find_language("mime")
    hostile = "Content-Type: message/rfc822\n\n" * 1000
    sources = [(text, language) for text in ("a: b\n", hostile, "c: d\n")]

    found = tokenize_all(sources)

    assert [each.is_degraded for each in found] == [False, True, False]
    assert list(map(columns_of, found)) == [columns_of(tokenize(*source)) for source in sources]


def test_nothing_to_read_gives_no_readings() -> None:
    assert tokenize_all([]) == []
    assert read_code([], find_language("c")) == []


@LAW
@given(TEXTS, st.sampled_from(["python", "java", "c", "javascript"]))
def test_a_text_is_read_alike_whatever_was_read_before(texts: list[str], name: str) -> None:
    language = find_language(name)
    after_others = [columns_of(tokenize(text, language)) for text in texts]

    for text, found in zip(texts, after_others, strict=True):
        token_properties._kept.clear()
        assert columns_of(tokenize(text, language)) == found
