"""A look ahead of an expression for what it cannot do without.

An expression may take signs of one set up to a sign of another, as a method's head goes on up to
its parenthesis. Where the first sign outside the one set is not in the other it cannot match: to
see that takes one step, and to fail in all ways there are may take hundreds.
"""

from __future__ import annotations

import re
import warnings
from functools import cache
from typing import TYPE_CHECKING, Final

from mosslite.frontends.driver.shapes import MOST, head_of, items_of, nodes_of
from mosslite.frontends.driver.signs import (
    ASCII,
    IGNORECASE,
    LETTERS,
    OTHER,
    bit_of,
    both_cases,
    flags_within,
    is_set,
    signs_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mosslite.frontends.driver.signs import Item

__all__ = ["guarded"]

# So many signs are looked at: in a text without end that could begin anywhere, each look would
# be at all of it.
_FAR: Final = 80

_CHARACTERS: Final = ASCII | OTHER

# What is tried seldom is not worth the time that it takes to know more.
_FREQUENT: Final = LETTERS | bit_of(" ")


@cache
def guarded(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """Return an expression that matches the same, and mostly fails at once where it fails.

    It is the same one where nothing is known to look for, or where there is one way to fail.
    """
    looked_for = _looked_for(items_of(pattern), pattern.flags)
    if looked_for is None:
        return pattern
    before, signs = looked_for
    guard = f"(?=(?-i:{_written(before)}{{0,{_FAR}}}+{_written(before | signs)}))"
    try:
        with warnings.catch_warnings(action="ignore"):  # there has been one
            return re.compile(guard + pattern.pattern, pattern.flags)
    except re.error:  # it begins with flags of its own
        return pattern


def _looked_for(items: Sequence[Item], flags: int) -> tuple[int, int] | None:
    """Return the signs that are taken first, and those of which one follows, as late as known."""
    begins = head_of(nodes_of(items, flags), begins_line=True).begins
    if not begins & _FREQUENT or not any(map(_is_endless, items[:-1])):
        return None
    found, taken, is_endless = None, 0, False
    for index, item in enumerate(items):
        if is_endless and taken:
            head = head_of(nodes_of(items[index:], flags), begins_line=True)
            is_told = head.begins | taken != _CHARACTERS  # else anything would do
            if is_told and not head.passes and not head.begins & taken:
                found = taken, head.begins
        try:
            taken |= _taken([item], flags)
        except ValueError:
            break
        is_endless |= _is_endless(item)
    return found


def _is_endless(item: Item) -> bool:
    """Return whether there is no end of what an item may take."""
    match item[0].name, item[1]:
        case "SUBPATTERN", (_, _, _, part):
            return any(map(_is_endless, part))
        case "BRANCH", (_, parts):
            return any(_is_endless(item) for part in parts for item in part)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT", (_, most, _):
            return bool(most == MOST)
    return False


def _taken(items: Iterable[Item], flags: int) -> int:
    """Return all signs that a sequence may take.

    Raises:
        ValueError: Not all of it is understood.
    """
    taken = 0
    for item in items:
        taken |= _taken_by(item, flags)
    return taken


def _taken_by(item: Item, flags: int) -> int:
    if is_set(item):
        signs = signs_of(item, flags)
        return both_cases(signs) if flags & IGNORECASE else signs
    match item[0].name, item[1]:
        case "SUBPATTERN", (_, int(on), int(off), part):
            return _taken(part, flags_within(flags, on, off))
        case "BRANCH", (_, parts):
            return _taken((item for part in parts for item in part), flags)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT", (_, _, part):
            return _taken(part, flags)
        case "AT" | "ASSERT" | "ASSERT_NOT", _:
            return 0
    msg = f"not understood: {item[0].name}"
    raise ValueError(msg)


def _written(signs: int) -> str:
    """Write a set of signs as an expression."""
    is_open = bool(signs & OTHER)
    named = ASCII & (~signs if is_open else signs)
    codes = "".join(f"\\x{code:02x}" for code in range(128) if named >> code & 1)
    return f"[^{codes}]" if is_open else f"[{codes}]"
