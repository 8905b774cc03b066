"""Lexers that try the rules of a state as one expression yield the tokens of Pygments' own."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexer import (
    Lexer,
    RegexLexer,
    combined,
    default,
    include,
    inherit,
    this,
    using,
    words,
)
from pygments.lexers import find_lexer_class_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String

from mosslite.languages.alternations import by_alternations
from mosslite.languages.lexers import by_groups

ROOT = Path(__file__).parents[2]
by_inner = cast("Callable[..., object]", using)(this, state="inner")


class Base(RegexLexer):
    """A state that a subclass extends."""

    name = "base"
    aliases: ClassVar = ["base"]
    tokens: ClassVar = {"names": [(r"[a-z]+", Name), (r"\d+", Number)], "root": []}


class Each(Base):
    """A rule of each kind that Pygments has."""

    name = "each"
    aliases: ClassVar = ["each"]
    flags = re.MULTILINE | re.IGNORECASE
    tokens: ClassVar = {
        "root": [
            (words(("if", "else"), suffix=r"\b"), Keyword),
            (r"(?x) \# .* # a comment", Comment),
            (r"(?s)/.*?/", Comment),
            (r"(['\"]).\1", String),
            (r"(?P<mark>!)(?P=mark)", Operator),
            (r"(=)(>)", by_groups(Operator, Keyword)),
            (r"(<)(.*?)(>)", by_groups(Operator, by_inner, Operator)),
            (r"\(", Operator, combined("inner", "names")),
            (r"\[", Operator, ("inner", "deep")),
            (r"\{", Operator, "#push"),
            (r"\}", Operator, "#pop"),
            (r"(&[]()]\()|(%)(?=\)|[^)])", Number),
            include("names"),
        ],
        "names": [(r"_", Operator), inherit],
        "inner": [
            (r"\)|;", Operator, "#pop"),
            (r"a", Keyword, ("#pop", "deep")),
            (r"b", Keyword),
            (r"c", Keyword, "unused"),
        ],
        "deep": [
            (r"\]", Operator, "#pop:2"),
            (r"\+", Operator, "#push"),
            (r"~", Operator),
            default("#pop"),
        ],
        "unused": [default("inner")],
    }


def tokens(lexer: Lexer, text: str) -> list[object]:
    return [*lexer.get_tokens_unprocessed(text)]


@given(st.text("&%aAbcif else_1#/'\"!=><()[]{}@;+~\n \\é"))
def test_every_kind_of_rule_means_the_same(text: str) -> None:
    faster = by_alternations(Each)

    assert faster is not Each
    assert tokens(faster(), text) == tokens(Each(), text)


def test_a_text_is_read_from_any_state() -> None:
    text = "b;if (a]c)"
    stack = ("root", "inner")

    found = [*by_alternations(Each)().get_tokens_unprocessed(text, stack)]  # type: ignore[call-arg]

    assert found == [*Each().get_tokens_unprocessed(text, stack)]
    assert found != tokens(Each(), text)


@pytest.mark.parametrize(
    "name", ["c", "cpp", "csharp", "go", "java", "javascript", "kotlin", "php", "python", "rust"]
)
def test_common_languages_are_read_as_by_pygments(name: str) -> None:
    own = find_lexer_class_by_name(name)
    faster = by_alternations(own)

    assert faster is not own
    files = [each for each in sorted((ROOT / "samples").rglob("*.*")) if each.is_file()]
    for path in files[::7]:
        text = path.read_text(encoding="utf-8", errors="replace")
        assert tokens(faster(), text) == tokens(own(), text)


@pytest.mark.parametrize("name", ["inform6", "wikitext", "django", "ng2", "perl6"])
def test_lexers_with_ways_of_their_own_stay_as_they_are(name: str) -> None:
    own = find_lexer_class_by_name(name)

    assert tokens(by_alternations(own)(), "{{ a }} {% if b %}\n") == tokens(
        own(), "{{ a }} {% if b %}\n"
    )
