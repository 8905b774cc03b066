"""Parse tree of a regular expression, reduced to the characters that it can start with."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple, Protocol


class Name(Protocol):
    """Type of an item in a parse tree, one of ``re``'s named constants."""

    @property
    def name(self) -> str:
        """The name in capitals."""


Item = tuple[Name, Any]  # the argument's type depends on the name

OTHER: Final = 1 << 128
_END: Final = 1 << 129
ASCII: Final = OTHER - 1
ANYTHING: Final = 2 * _END - 1

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
    """Return the flags inside a group that adds and removes some."""
    if on & _UNICODE:
        flags &= ~_ASCII
    return (flags | on) & ~off


def bit_of(sign: str) -> int:
    """Return the bit of a character, or of the end of the text for an empty string."""
    return _bit(ord(sign)) if sign else _END


def _bit(code: int) -> int:
    return 1 << min(code, 128)


def _span(low: int, high: int) -> int:
    """Return the bits of a range of characters, inclusive."""
    return (_bit(high) << 1) - _bit(low)


_UPPER: Final = _span(ord("A"), ord("Z"))
_LOWER: Final = _span(ord("a"), ord("z"))
LETTERS: Final = _UPPER | _LOWER
# ASCII letters that are also the other case of a non-ASCII letter (such as the Kelvin sign).
_SHARED: Final = sum(bit_of(letter) for letter in "IKSiks")


def is_set(item: Item) -> bool:
    """Return whether an item always consumes one character of a known set."""
    return item[0].name in _SETS


def signs_of(item: Item, flags: int) -> int:
    """Return the characters of a set, exact within ASCII, ignoring case folding.

    Raises:
        ValueError: The item is not a known kind of set.
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
    """Return a superset of the characters that a set matches when case is ignored."""
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


_PARSER: Final = import_module("re._parser")  # the public name is deprecated
MOST: Final = _PARSER.MAXREPEAT  # the upper bound of an unbounded repetition

_AT_BEGINNING: Final = frozenset({"AT_BEGINNING", "AT_BEGINNING_STRING"})
_AT_END: Final = {"AT_END": _END | bit_of("\n"), "AT_END_STRING": _END}
_SIGNS_LOOKED_AT: Final = 2
_AHEAD: Final = 1  # direction of a look-ahead


class _Head(NamedTuple):
    """FIRST set of a position in an expression.

    Attributes:
        begins: Characters that the rest of a part may start with.
        passes: Characters before which the rest may be empty; 0 if it never is.
    """

    begins: int
    passes: int


class _Node(NamedTuple):
    """A part of an expression.

    Attributes:
        inside: FIRST set inside a line.
        at_line: FIRST set at the start of a line, a superset of the former.
        ways: Alternative sequences of parts, one of which matches; empty for a leaf.
        repeats: It may match more than once.
    """

    inside: _Head
    at_line: _Head
    ways: tuple[tuple[_Node, ...], ...] = ()
    repeats: bool = False


class Shape(NamedTuple):
    """Properties of an expression.

    Attributes:
        tree: The sequence of its parts.
        single: ASCII characters each of which it consumes alone, if it is one character set, such
            as ``[xyz]`` or ``[xyz]+``. Letters are left out if case is ignored.
        stops: Characters before which it may end; all of them if it never consumes two.
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
    """Analyze an expression."""
    items, flags = items_of(pattern), pattern.flags
    tree, repeats = nodes_of(items, flags), False
    match [(item[0].name, item[1]) for item in items]:
        case [("MAX_REPEAT", (1, most, part))] if most == MOST:
            items, repeats = tuple(part), True
    if not _is_one_set(items):
        return Shape(tree)
    signs, sure = signs_of(items[0], flags), _sure(flags)
    return Shape(tree, signs & sure, ~signs & sure | _END if repeats else ANYTHING)


@cache  # requested by several callers per expression
def items_of(pattern: re.Pattern[str]) -> tuple[Item, ...]:
    """Return the items of an expression, as parsed by Python."""
    with warnings.catch_warnings(action="ignore"):  # already issued when the lexer compiled it
        return tuple(_PARSER.parse(pattern.pattern, pattern.flags))


def nodes_of(items: Iterable[Item], flags: int) -> tuple[_Node, ...]:
    """Return the parts of a sequence as far as they affect its first two characters."""
    nodes, signs = [], 0
    for item in items:
        node = _node(item, flags)
        nodes.append(node)
        signs += not node.at_line.passes
        if signs == _SIGNS_LOOKED_AT:
            break
    return tuple(nodes)


def head_of(nodes: Iterable[_Node], *, begins_line: bool) -> _Head:
    """Return the FIRST set of a sequence."""
    begins, passes = 0, ANYTHING
    for node in nodes:
        head = node.at_line if begins_line else node.inside
        begins |= head.begins & passes
        passes &= head.passes
        if not passes:
            break
    return _Head(begins, passes)


def _any_of(heads: Iterable[_Head]) -> _Head:
    """Return the union of FIRST sets of alternatives."""
    begins = passes = 0
    for head in heads:
        begins |= head.begins
        passes |= head.passes
    return _Head(begins, passes)


def _is_one_set(items: Sequence[Item]) -> bool:
    return len(items) == 1 and is_set(items[0])


def _sure(flags: int) -> int:
    """Return the characters whose membership in a set is certain under these flags."""
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
    """Return the part for an item of zero width, or of an unknown kind."""
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
    """Return the characters that may follow the first one of a match; 0 if it cannot match.

    Args:
        tree: The expression.
        sign: The first character, as a set.
        begins_line: It is at the start of a line.
    """
    if head_of(tree, begins_line=begins_line).passes & sign:
        return ANYTHING
    begins, passes = _rest(tree, sign, begins_line=begins_line)
    return begins | passes


def _rest(nodes: Sequence[_Node], sign: int, *, begins_line: bool) -> _Head:
    """Return what may follow a character that a sequence consumes first."""
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
