"""The parse tree of a regular expression, reduced to the characters it can begin with."""

from __future__ import annotations

import warnings
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.frontends.lexing.characters import (
    ANYTHING,
    ASCII,
    END,
    IGNORECASE,
    LETTERS,
    bit_of,
    both_cases,
    flags_within,
    is_set,
    signs_of,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

    from mosslite.frontends.lexing.characters import Item

__all__ = [
    "MOST",
    "UNKNOWN",
    "Shape",
    "followers",
    "head_of",
    "items_of",
    "nodes_of",
    "shape_of",
]


_PARSER: Final = import_module("re._parser")  # its public name is deprecated
MOST: Final = _PARSER.MAXREPEAT  # how often there is no bound to how often

_AT_BEGINNING: Final = frozenset({"AT_BEGINNING", "AT_BEGINNING_STRING"})
_AT_END: Final = {"AT_END": END | bit_of("\n"), "AT_END_STRING": END}
_SIGNS_LOOKED_AT: Final = 2
_AHEAD: Final = 1  # the direction of a look-ahead


class _Head(NamedTuple):
    """What may come next at a place in an expression.

    Attributes:
        begins: The signs that what is left of a part may begin with.
        passes: The signs before which nothing may be left of it; 0 if something always is.
    """

    begins: int
    passes: int


class _Node(NamedTuple):
    """A part of an expression.

    Attributes:
        inside: What it may begin with inside a line.
        at_line: What it may begin with where a line begins, which is never less.
        ways: The sequences of parts that it stands for, one of which matches; none for a leaf.
        repeats: It may match more than once.
    """

    inside: _Head
    at_line: _Head
    ways: tuple[tuple[_Node, ...], ...] = ()
    repeats: bool = False


class Shape(NamedTuple):
    """What is known of an expression.

    Attributes:
        tree: The parts that it is a sequence of.
        single: ASCII characters each of which it takes alone, if it is one set of characters, as
            ``[xyz]`` and ``[xyz]+`` are. Letters are left out where case does not matter.
        stops: The signs that let it end before them; all of them if it never takes two.
    """

    tree: tuple[_Node, ...]
    single: int = 0
    stops: int = 0


_ANYTHING: Final = _Head(ANYTHING, ANYTHING)
_NOTHING: Final = _Head(0, ANYTHING)
_NEVER: Final = _Head(0, 0)
_UNKNOWN: Final = _Node(_ANYTHING, _ANYTHING)
UNKNOWN: Final = Shape((_UNKNOWN,))


@cache
def shape_of(pattern: re.Pattern[str]) -> Shape:
    """Read an expression."""
    items, flags = items_of(pattern), pattern.flags
    tree, repeats = nodes_of(items, flags), False
    match [(item[0].name, item[1]) for item in items]:
        case [("MAX_REPEAT", (1, most, part))] if most == MOST:
            items, repeats = tuple(part), True
    if not _is_one_set(items):
        return Shape(tree)
    signs, sure = signs_of(items[0], flags), _sure(flags)
    return Shape(tree, signs & sure, ~signs & sure | END if repeats else ANYTHING)


@cache  # asked for by whoever looks at an expression
def items_of(pattern: re.Pattern[str]) -> tuple[Item, ...]:
    """Return what an expression is a sequence of, as Python parses it."""
    with warnings.catch_warnings(action="ignore"):  # there has been one
        return tuple(_PARSER.parse(pattern.pattern, pattern.flags))


def nodes_of(items: Iterable[Item], flags: int) -> tuple[_Node, ...]:
    """Return the parts of a sequence as far as they bear on its first two signs."""
    nodes, signs = [], 0
    for item in items:
        node = _node(item, flags)
        nodes.append(node)
        signs += not node.at_line.passes
        if signs == _SIGNS_LOOKED_AT:
            break
    return tuple(nodes)


def head_of(nodes: Iterable[_Node], *, begins_line: bool) -> _Head:
    """Tell what a sequence may begin with."""
    begins, passes = 0, ANYTHING
    for node in nodes:
        head = node.at_line if begins_line else node.inside
        begins |= head.begins & passes
        passes &= head.passes
        if not passes:
            break
    return _Head(begins, passes)


def _any_of(heads: Iterable[_Head]) -> _Head:
    """Join what may come next in one way or another."""
    begins = passes = 0
    for head in heads:
        begins |= head.begins
        passes |= head.passes
    return _Head(begins, passes)


def _is_one_set(items: Sequence[Item]) -> bool:
    return len(items) == 1 and is_set(items[0])


def _sure(flags: int) -> int:
    """Return the characters of which it is known for sure whether they are in a set."""
    return ASCII & ~LETTERS if flags & IGNORECASE else ASCII


def _node(item: Item, flags: int) -> _Node:
    if is_set(item):
        signs = signs_of(item, flags)
        head = _Head(both_cases(signs) if flags & IGNORECASE else signs, 0)
        return _Node(head, head)
    match item[0].name, item[1]:
        case "SUBPATTERN", (_, int(on), int(off), part):
            return _one_of([part], flags_within(flags, on, off))
        case "BRANCH", (_, parts):
            return _one_of(parts, flags)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT", (int(least), int(most), part):
            return _repeated(_one_of([part], flags), least, most)
    return _condition(item, flags)


def _one_of(parts: Sequence[Iterable[Item]], flags: int) -> _Node:
    ways = tuple(nodes_of(part, flags) for part in parts)
    inside = _any_of(head_of(way, begins_line=False) for way in ways)
    at_line = _any_of(head_of(way, begins_line=True) for way in ways)
    return _Node(inside, at_line, ways)


def _repeated(node: _Node, least: int, most: int) -> _Node:
    if least == 0:
        inside, at_line = (head._replace(passes=ANYTHING) for head in node[:2])
        node = node._replace(inside=inside, at_line=at_line)
    return node._replace(repeats=most > 1)


def _condition(item: Item, flags: int) -> _Node:
    """Return an item that takes nothing, or one that is not understood."""
    match item[0].name, item[1]:
        case "AT", place if str(place) in _AT_BEGINNING:
            return _Node(_NEVER, _NOTHING)
        case "AT", place:
            return _before(_AT_END.get(str(place), ANYTHING))
        case "ASSERT", (direction, part) if direction == _AHEAD:
            head = head_of(nodes_of(part, flags), begins_line=True)
            return _before(head.begins | head.passes)
        case "ASSERT_NOT", (direction, part) if direction == _AHEAD and _is_one_set(part):
            return _before(ANYTHING & ~(signs_of(part[0], flags) & _sure(flags)))
        case "ASSERT" | "ASSERT_NOT", _:
            return _before(ANYTHING)
    return _UNKNOWN


def _before(signs: int) -> _Node:
    return _Node(_Head(0, signs), _Head(0, signs))


_LINE_END: Final = bit_of("\n")


def followers(tree: Sequence[_Node], sign: int, *, begins_line: bool) -> int:
    """Return the signs that may follow one at which an expression matches; 0 if it cannot.

    Args:
        tree: The expression.
        sign: The sign, as a set.
        begins_line: The sign stands at the beginning of a line.
    """
    if head_of(tree, begins_line=begins_line).passes & sign:
        return ANYTHING
    begins, passes = _rest(tree, sign, begins_line=begins_line)
    return begins | passes


def _rest(nodes: Sequence[_Node], sign: int, *, begins_line: bool) -> _Head:
    """Tell what may come behind a sign that a sequence takes first."""
    begins = passes = 0
    for index, node in enumerate(nodes):
        head = node.at_line if begins_line else node.inside
        if head.begins & sign:
            rest = _rest_of(node, head, sign, begins_line=begins_line)
            if rest.passes:
                then = head_of(nodes[index + 1 :], begins_line=sign == _LINE_END)
                rest = _Head(rest.begins | rest.passes & then.begins, rest.passes & then.passes)
            begins, passes = begins | rest.begins, passes | rest.passes
        if not head.passes & sign:
            break
    return _Head(begins, passes)


def _rest_of(node: _Node, head: _Head, sign: int, *, begins_line: bool) -> _Head:
    if not node.ways:
        return _Head(ANYTHING if head.passes else 0, ANYTHING)
    begins, passes = _any_of(_rest(way, sign, begins_line=begins_line) for way in node.ways)
    if passes and node.repeats:
        begins |= (node.at_line if sign == _LINE_END else node.inside).begins
    return _Head(begins, passes)
