"""Sets of signs as integers, and which of them one item of a regular expression stands for.

A set has a bit for each ASCII character, one for all other characters and one for the end of the
text.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "ANYTHING",
    "ASCII",
    "END",
    "IGNORECASE",
    "LETTERS",
    "OTHER",
    "Item",
    "bit_of",
    "both_cases",
    "flags_within",
    "is_set",
    "signs_of",
]


class Name(Protocol):
    """What an item of a parse tree is, by the name that ``re`` has for it."""

    @property
    def name(self) -> str:
        """The name in capitals."""


Item = tuple[Name, Any]  # what an item consists of differs by its name

OTHER: Final = 1 << 128
END: Final = 1 << 129
ASCII: Final = OTHER - 1
ANYTHING: Final = 2 * END - 1

_CHARACTERS: Final = ASCII | OTHER
# As plain integers: operations on flags as such are slow.
IGNORECASE: Final = re.IGNORECASE.value
_ASCII: Final = re.ASCII.value
_UNICODE: Final = re.UNICODE.value
_DOTALL: Final = re.DOTALL.value

_SETS: Final = frozenset({"ANY", "CATEGORY", "IN", "LITERAL", "NOT_LITERAL", "RANGE"})
_CATEGORIES: Final = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_NOT_WORD": r"\W",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_WORD": r"\w",
}
_TO_OTHER_CASE: Final = ord("a") - ord("A")


def flags_within(flags: int, on: int, off: int) -> int:
    """Return the flags inside a group that sets some and takes others back."""
    if on & _UNICODE:
        flags &= ~_ASCII
    return (flags | on) & ~off


def bit_of(sign: str) -> int:
    """Return the bit of a character, or of the end of the text if there is none."""
    return _bit(ord(sign)) if sign else END


def _bit(code: int) -> int:
    return 1 << min(code, 128)


def _span(low: int, high: int) -> int:
    """Return the bits from one character to another."""
    return (_bit(high) << 1) - _bit(low)


_UPPER: Final = _span(ord("A"), ord("Z"))
_LOWER: Final = _span(ord("a"), ord("z"))
LETTERS: Final = _UPPER | _LOWER
# Letters that are, in Unicode, also the other case of what is not ASCII (as the Kelvin sign).
_SHARED: Final = sum(bit_of(letter) for letter in "IKSiks")


def is_set(item: Item) -> bool:
    """Return whether an item always takes one character, and which is known."""
    return item[0].name in _SETS


def signs_of(item: Item, flags: int) -> int:
    """Return the characters of a set, exact in ASCII, as if case did matter.

    Raises:
        ValueError: The item is not a set that is understood.
    """
    name, value = item[0].name, item[1]
    match name, value:
        case "ANY", _:
            return _CHARACTERS if flags & _DOTALL else _CHARACTERS & ~bit_of("\n")
        case "LITERAL", int(code):
            return _bit(code)
        case "NOT_LITERAL", int(code):
            return _all_but(_bit(code))
        case "RANGE", (int(low), int(high)):
            return _span(low, high)
        case "CATEGORY", category:
            return _of_category(str(category), flags & _ASCII)
        case "IN", list(items):
            return _of_items(items, flags)
    msg = f"not a set of characters: {name}"
    raise ValueError(msg)


def both_cases(signs: int) -> int:
    """Return what a set may stand for where case does not matter, or more."""
    signs |= (signs & _UPPER) << _TO_OTHER_CASE | (signs & _LOWER) >> _TO_OTHER_CASE
    if signs & OTHER:
        signs |= _SHARED
    return signs | OTHER if signs & _SHARED else signs


def _all_but(signs: int) -> int:
    return _CHARACTERS & ~(signs & ASCII)


def _of_items(items: Iterable[Item], flags: int) -> int:
    signs, is_negated = 0, False
    for item in items:
        if item[0].name == "NEGATE":
            is_negated = True
        else:
            signs |= signs_of(item, flags)
    return _all_but(signs) if is_negated else signs


@cache
def _of_category(name: str, flags: int) -> int:
    matches = re.compile(_CATEGORIES[name], flags).match
    return OTHER | sum(1 << code for code in range(128) if matches(chr(code)))
