"""The logical lines of a Python program and the blocks they are in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tests.bench.tokens import CLOSERS, OPENERS, Kind, following, is_bare, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.bench.tokens import Lexeme

__all__ = ["Line", "logical_lines", "texts_of"]

_INDENT = re.compile(r"(?:\A|\n)([ \t]*)\Z")


class Line(NamedTuple):
    """A logical line: its lexemes ``[start, stop)``, its first word and those of the blocks around.

    A line is in a function if ``def`` is among the words around.
    """

    start: int
    stop: int
    indent: str
    word: str
    around: tuple[str, ...]
    owner: int


def logical_lines(lexemes: Sequence[Lexeme]) -> list[Line]:
    """Return the logical lines of a program; ``owner`` is the start of the line of the block."""
    blocks: list[Line] = []
    found: list[Line] = []
    for start, stop, indent in _raw_lines(lexemes):
        while blocks and len(indent) <= len(blocks[-1].indent):
            blocks.pop()
        words = tuple(block.word for block in blocks)
        owner = blocks[-1].start if blocks else -1
        word = lexemes[start].text
        if word == "async":
            word = text_at(lexemes, following(lexemes, start))
        found.append(Line(start, stop, indent, word, words, owner))
        if lexemes[stop - 1].text == ":":
            blocks.append(found[-1])
    return found


def texts_of(lexemes: Sequence[Lexeme], line: Line) -> list[str]:
    """Return what a line says, without space and comments."""
    return [lexeme.text for lexeme in lexemes[line.start : line.stop] if not is_bare(lexeme)]


def _raw_lines(lexemes: Sequence[Lexeme]) -> Iterator[tuple[int, int, str]]:
    depth, first, last, indent = 0, -1, -1, ""
    for index, lexeme in enumerate(lexemes):
        if not is_bare(lexeme):
            if first < 0:
                first, indent = index, _indent_before(lexemes, index)
            if lexeme.kind is Kind.SIGN:
                depth += (lexeme.text in OPENERS) - (lexeme.text in CLOSERS)
            last = index
        elif depth == 0 and first >= 0 and "\n" in lexeme.text:
            yield first, last + 1, indent
            first = -1
    if first >= 0:
        yield first, last + 1, indent


def _indent_before(lexemes: Sequence[Lexeme], index: int) -> str:
    text = lexemes[index - 1].text if index else ""
    found = _INDENT.search(text)
    return found[1] if found else ""
