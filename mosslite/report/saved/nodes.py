"""JSON from anywhere, value by value: each is asked for by its key and the kind it must be of."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Final

from mosslite.report.results import FORMAT
from mosslite.report.review import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["MOST_BYTES", "Node", "WrongError", "parsed"]

# What a file of results may have; 100,000 pairs with all their matches have less.
MOST_BYTES: Final = 1 << 30
# Of what no key is known of, so much is shown.
_MOST_PROPERTIES: Final = 20
_LONGEST: Final = 200
# Beyond this no count is believed.
_MOST: Final = 1 << 53


class WrongError(Exception):
    """What is wrong with a value, in words that follow the name of the file."""


class Node:
    """An object of JSON, and where it stands; asks for a key, and of which type it must be."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise WrongError(f"{where} is not an object")
        self._value, self._where = value, where

    def error(self, key: str, what: str) -> WrongError:
        """Return the error for a value of another kind."""
        return WrongError(f"{key!r} of {self._where} is not {what}")

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text, or the default where there is none."""
        value = self._value.get(key, default)
        value = default if value is None else value
        if not isinstance(value, str):
            raise self.error(key, "a text")
        return without_surrogates(value)

    def count(self, key: str, least: int = 0) -> int | None:
        """Return a whole number, if there is one."""
        value = self._value.get(key)
        if value is None:
            return None
        if type(value) is not int or not least <= value <= _MOST:
            raise self.error(key, f"a whole number from {least}")
        return value

    def required_count(self, key: str, least: int = 0) -> int:
        """Return a whole number that must be there."""
        value = self.count(key, least)
        if value is None:
            raise self.error(key, f"a whole number from {least}")
        return value

    def number(self, key: str, most: float = math.inf) -> float | None:
        """Return a number from 0, if there is one."""
        value = self._value.get(key)
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= most or value > _MOST:
            raise self.error(key, f"a number from 0{'' if math.isinf(most) else f' to {most:g}'}")
        return float(value)

    def flag(self, key: str) -> bool:
        """Return a truth value, false where there is none."""
        value = self._value.get(key, False)
        if not isinstance(value, bool):
            raise self.error(key, "true or false")
        return value

    def node(self, key: str) -> Node:
        """Return an object that must be there."""
        return Node(self._value.get(key), f"{key!r} of {self._where}")

    def optional(self, key: str) -> Node | None:
        """Return an object, if there is one."""
        return None if self._value.get(key) is None else self.node(key)

    def list(self, key: str) -> Sequence[object]:
        """Return a list, empty where there is none."""
        value = self._value.get(key)
        value = [] if value is None else value
        if not isinstance(value, list):
            raise self.error(key, "a list")
        return value

    def nodes(self, key: str) -> Iterator[Node]:
        """Return the objects of a list."""
        for number, each in enumerate(self.list(key), 1):
            yield Node(each, f"{key!r} of {self._where}, number {number}")

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts of a list."""
        values = self.list(key)
        if not all(isinstance(value, str) for value in values):
            raise self.error(key, "a list of texts")
        return tuple(without_surrogates(str(value)) for value in values)

    def others(self, known: frozenset[str]) -> tuple[tuple[str, str], ...]:
        """Return what else the object tells, in words: such as when a passage was committed."""
        others = {key: value for key, value in self._value.items() if key not in known}
        properties = [each for key, value in others.items() for each in _properties(key, value)]
        return tuple(properties[:_MOST_PROPERTIES])

    def counts(self, key: str) -> tuple[int, ...]:
        """Return the line numbers of a list."""
        values = self.list(key)
        found = tuple(v for v in values if type(v) is int and 1 <= v <= _MOST)
        if len(found) < len(values):
            raise self.error(key, "a list of line numbers")
        return found


def _properties(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Return texts and numbers with their keys; of an object those in it, of a list how many."""
    words = without_surrogates(key.replace("_", " "))[:_LONGEST]
    if isinstance(value, bool):
        yield words, "yes" if value else "no"
    elif isinstance(value, str) or (isinstance(value, int | float) and abs(value) <= _MOST):
        yield words, without_surrogates(str(value))[:_LONGEST]
    elif isinstance(value, list):
        yield words, f"{len(value):,}"
    elif isinstance(value, dict):
        for inner, each in value.items():
            if not isinstance(each, dict):
                yield from _properties(f"{key} {inner}", each)


def parsed(content: bytes) -> Node:
    """Return the object that a file of results holds.

    Raises:
        WrongError: It is something else.
    """
    if len(content) > MOST_BYTES:
        raise WrongError(f"it is larger than {MOST_BYTES:,} bytes")
    try:
        value = json.loads(content.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise WrongError("it is not JSON") from error
    node = Node(value, "the file")
    if value.get("format") != FORMAT or not isinstance(value.get("pairs"), list):
        raise WrongError(f"it has no list of 'pairs' in format {FORMAT}")
    return node


def _refuse(constant: str) -> float:
    raise ValueError(constant)
