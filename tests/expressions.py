"""Regular expressions as Hypothesis makes them, of few signs so that they match something."""

import re

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

SMALL = st.sampled_from(
    [
        *(
            "a",
            "b",
            "k",
            "K",
            "1",
            r"\d",
            r"\w",
            r"\W",
            r"\s",
            ".",
            "[ab]",
            "[^a]",
            "[^\\W\\d]",
            "[k-s]",
        ),
        *("^", "$", r"\b", r"\B", r"\A", r"\Z", "", "\u212a", "[^k]", "\n", "é", "[à-ü]"),
    ]
)


def is_repeatable(expression: str) -> bool:
    return expression not in {"^", "$", r"\b", r"\B", r"\A", r"\Z", ""}


def _grow(inner: SearchStrategy[str]) -> SearchStrategy[str]:
    shapes = ["(?:{0}{1})", "(?:{0}|{1})", "(?:{0})*", "(?:{0})+?", "(?:{0})?", "(?:{0}){{2,3}}"]
    shapes += [
        "(?={0}){1}",
        "(?!{0}){1}",
        "({0}){1}",
        "(?i:{0})",
        "(?s:{0})",
        "(?>{0})",
        "(?a:{0})",
        "(?u:{0})",
    ]
    return st.builds(
        lambda shape, *parts: shape.format(*parts), st.sampled_from(shapes), inner, inner
    )


EXPRESSIONS = st.recursive(SMALL, _grow, max_leaves=8)
# Of few parts, as repeats of repeats can take Python for ever.
FLAGS = st.sampled_from([0, re.MULTILINE, re.IGNORECASE, re.MULTILINE | re.DOTALL, re.ASCII])
