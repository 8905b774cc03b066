"""What the report says about its own numbers, in words."""

from __future__ import annotations

from typing import Final

__all__ = [
    "COUNTS_EXPLANATION",
    "EVIDENCE",
    "PERCENT_EXPLANATION",
    "SCORE_EXPLANATION",
    "SIMILARITY_EXPLANATION",
]

EVIDENCE: Final = (
    "The same code can have innocent reasons: given material, a common idiom, a shared source, "
    "work that was allowed to be done together. Read both sources before you draw a conclusion."
)
SIMILARITY_EXPLANATION: Final = (
    "The percentage beside a name is the share of that submission's comparable tokens that are "
    "part of a match with the other one. Comparable are all tokens but boilerplate and files "
    "shorter than the noise threshold k. Which name, number or string stands at a place makes no "
    "difference, nor do comments and layout, so renaming or reformatting changes nothing. The two "
    "sides can differ: a short program inside a long one reads 100 % on its own side only."
)
SCORE_EXPLANATION: Final = (
    "The score orders the list: from 0, nothing shared, to 1, the same work. It looks at all short "
    "passages, matched or not, in three views: without brackets and modifiers, without names, and "
    "as written. For each view it takes the geometric mean of two shares: how much of the left "
    "side, and how much of the right side, is found on the other one, where a passage weighs "
    "log((n + 1) / m) if m of the n submissions hold it, so what everybody wrote counts next to "
    "nothing. Structure is the mean of the first two views, and score = 1 - (1 - structure) x "
    "(1 - wording / 2). A pair can therefore rank above one with higher percentages."
)
PERCENT_EXPLANATION: Final = (
    "Percentages are rounded down, but 100 % is only ever everything, and 0 % only nothing."
)
COUNTS_EXPLANATION: Final = (
    "A token is a keyword, a name, a number, a string or a sign of code, or one letter or digit of "
    "prose. Matched lines are counted on the side that has fewer. Long matches are harder to "
    "explain by chance than many short ones that add up to the same percentage."
)
