"""Which signs may follow the one that an expression begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.frontends.driver.shapes import Head, any_of, head_of
from mosslite.frontends.driver.signs import ANYTHING, bit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.frontends.driver.shapes import Node

__all__ = ["followers"]

_LINE_END: Final = bit_of("\n")


def followers(tree: Sequence[Node], sign: int, *, begins_line: bool) -> int:
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


def _rest(nodes: Sequence[Node], sign: int, *, begins_line: bool) -> Head:
    """Tell what may come behind a sign that a sequence takes first."""
    begins = passes = 0
    for index, node in enumerate(nodes):
        head = node.at_line if begins_line else node.inside
        if head.begins & sign:
            rest = _rest_of(node, head, sign, begins_line=begins_line)
            if rest.passes:
                then = head_of(nodes[index + 1 :], begins_line=sign == _LINE_END)
                rest = Head(rest.begins | rest.passes & then.begins, rest.passes & then.passes)
            begins, passes = begins | rest.begins, passes | rest.passes
        if not head.passes & sign:
            break
    return Head(begins, passes)


def _rest_of(node: Node, head: Head, sign: int, *, begins_line: bool) -> Head:
    if not node.ways:
        return Head(ANYTHING if head.passes else 0, ANYTHING)
    begins, passes = any_of(_rest(way, sign, begins_line=begins_line) for way in node.ways)
    if passes and node.repeats:
        begins |= (node.at_line if sign == _LINE_END else node.inside).begins
    return Head(begins, passes)
