"""What is known of an expression without matching it is never too little."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends.lexing.patterns import bit_of, followers, shape_of
from tests.builders import tries
from tests.expressions import EXPRESSIONS, FLAGS, SMALL, is_repeatable


def behind(expression: str, here: str, *, begins_line: bool = False, flags: int = 0) -> int:
    tree = shape_of(re.compile(expression, flags)).tree
    return followers(tree, bit_of(here), begins_line=begins_line)


@pytest.mark.parametrize(
    ("expression", "here", "there", "elsewhere"),
    [
        ("if", "i", "f", "n"),
        ("a|bc", "b", "c", "d"),
        (r"[a-c]\d", "b", "7", "x"),
        (r"a+b", "a", "b", "c"),
        (r"(?:\s*)x y", "x", " ", "y"),
        (r"ab?$", "a", "\n", "x"),
        (r"(?i:K)e", "k", "e", "E"),
    ],
)
def test_only_what_an_expression_goes_on_with_follows_its_first_sign(
    expression: str, here: str, there: str, elsewhere: str
) -> None:
    signs = behind(expression, here)
    assert signs & bit_of(there)
    assert not signs & bit_of(elsewhere)


@pytest.mark.parametrize("expression", [r"(a|b)\1", r"(a)?(?(1)b|c)", "a(?!b)c|ab"])
def test_what_is_not_looked_into_may_go_on_with_anything(expression: str) -> None:
    assert behind(expression, "a") & bit_of("b")


@pytest.mark.parametrize(
    ("expression", "here"),
    [("if", "x"), (r"\s", "a"), (r"(?!\d)\w", "1"), ("^a", "a"), (r"\Aa", "a"), ("[^a]", "a")],
)
def test_an_expression_is_not_tried_where_it_cannot_begin(expression: str, here: str) -> None:
    assert not behind(expression, here)


def test_a_group_for_unicode_is_tried_at_unicode_blanks() -> None:
    assert behind(r"(?u:\s)x", "\x1c", flags=re.ASCII)


def test_what_must_begin_a_line_is_tried_where_one_begins() -> None:
    assert behind("^a", "a", begins_line=True)


@pytest.mark.slow
@tries(2000)
@given(
    expression=EXPRESSIONS,
    text=st.text("abkKsS1 \n_-éK\u0130\x1c", max_size=4),
    flags=FLAGS,
)
def test_where_an_expression_matches_it_may_begin(expression: str, text: str, flags: int) -> None:
    pattern = re.compile(expression, flags)
    for place in range(len(text) + 1):
        match = pattern.match(text, place)
        if match:
            begins_line = place == 0 or text[place - 1] == "\n"
            signs = behind(
                expression, text[place : place + 1], begins_line=begins_line, flags=flags
            )
            assert signs & bit_of(text[place + 1 : place + 2])


@pytest.mark.slow
@tries(1000)
@given(
    expression=SMALL | SMALL.filter(is_repeatable).map("{}+".format),
    text=st.text("abkKs1 \n_-é\x1c", min_size=1, max_size=3),
    flags=st.sampled_from([0, re.IGNORECASE, re.DOTALL]),
)
def test_what_is_known_to_stand_alone_does(expression: str, text: str, flags: int) -> None:
    shape = shape_of(re.compile(expression, flags))
    if shape.single & bit_of(text[0]) and shape.stops & bit_of(text[1:2]):
        match = re.compile(expression, flags).match(text)
        assert match is not None
        assert match.group() == text[0]
