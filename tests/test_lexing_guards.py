"""A guarded expression matches where the expression does, and the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosslite.frontends.lexing.rules import guarded
from tests.expressions import FLAGS, SHALLOW


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(
    parts=st.lists(SHALLOW, min_size=1, max_size=3),
    text=st.text("abkKsS1 \n_-éK\u0130\x1c", max_size=6),
    flags=FLAGS,
)
def test_what_is_guarded_matches_the_same(parts: list[str], text: str, flags: int) -> None:
    # Parts that may match without end, as only these are guarded.
    plain = re.compile("".join(f"((?:{part})+)" for part in parts), flags)
    for place in range(len(text) + 1):
        assert parts_of(guarded(plain).match(text, place)) == parts_of(plain.match(text, place))


def parts_of(match: re.Match[str] | None) -> list[tuple[int, int]]:
    return [match.span(number) for number in range(len(match.groups()) + 1)] if match else []


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (r"(\w+\s+)*\(", "def " * 200 + "("),
        (r"\s*(?:public|private)", " " * 500 + "public"),
        (r"(?i)(\s+)x", "\n  X"),
        (r"(?x) [a]+  b  # then", "aaab"),
        (r"(?:\b)*[^1]", "b"),
    ],
)
def test_it_matches_however_far_what_it_waits_for_is(expression: str, text: str) -> None:
    plain = re.compile(expression)
    assert parts_of(guarded(plain).match(text)) == parts_of(plain.match(text)) != []


@pytest.mark.parametrize(
    "expression",
    ["abc", "a+", r"\s*", r"\s*\s", r"(\w+)\1x", r"a*(?=b)", r"(?i)x+y", "(a)?b", r".*?\n"],
)
def test_what_nothing_is_to_be_looked_for_is_left_as_it_is(expression: str) -> None:
    plain = re.compile(expression)
    assert guarded(plain) is plain


def test_a_method_is_looked_for_where_there_is_a_parenthesis() -> None:
    method = r"((?:\w[\w.<>\[\]]*\s+)+?)(\w+)(\s*)(\()"
    guard = guarded(re.compile(method)).pattern.removesuffix(method)

    assert re.match(guard, "int size(")
    assert re.match(guard, "List<String>[] all (")
    assert not re.match(guard, "int size = 5; f(")


def test_a_group_for_unicode_takes_unicode_blanks() -> None:
    plain = re.compile(r"a*(?u:\s)x", re.ASCII)
    assert parts_of(guarded(plain).match("aa\x1cx")) == [(0, 4)]


def test_what_there_is_to_warn_of_in_an_expression_is_not_said_again() -> None:
    with pytest.warns(FutureWarning):
        plain = re.compile(r"a*[[x]")
    assert guarded(plain) is not plain
