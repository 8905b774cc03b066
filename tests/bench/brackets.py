"""Disguises by brackets that mean nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bench.lines import logical_lines
from tests.bench.tokens import (
    OPERANDS,
    Edit,
    Kind,
    edited,
    following,
    is_bare,
    partners,
    preceding,
    read,
    text_at,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from tests.bench.lines import Line
    from tests.bench.tokens import Lexeme

__all__ = ["add_brackets"]

# Where an operand begins that no type can be mistaken for: ``<``, ``*`` and ``&`` are not here.
_BEFORE_OPERAND = frozenset({"=", "return", "&&", "||", "and", "or", "+="})
_BEHIND_OPERAND = frozenset({"+", "/", "%", "<=", ">=", "==", "!="})
_CONTROL = frozenset({"do", "for", "if", "switch", "try", "while"})
_NO_VALUE = frozenset({"yield", "*", ":="})


def add_brackets(text: str, language: str, rng: Random) -> str:
    """Put brackets around operands and returned values, and braces around single statements."""
    lexemes = read(text, language)
    edits = [*_around_operands(lexemes, rng)]
    if language == "python":
        edits += _around_values_of_lines(lexemes)
    else:
        edits += [*_around_values(lexemes), *_around_statements(lexemes)]
    return edited(lexemes, edits)


def _around_operands(lexemes: Sequence[Lexeme], rng: Random) -> Iterator[Edit]:
    for index, lexeme in enumerate(lexemes):
        before = text_at(lexemes, preceding(lexemes, index))
        behind = text_at(lexemes, following(lexemes, index))
        is_operand = lexeme.kind in OPERANDS and "\n" not in lexeme.text
        is_alone = before in _BEFORE_OPERAND and behind in _BEHIND_OPERAND
        if is_operand and is_alone and rng.random() < 0.5:
            yield Edit(index, index + 1, f"({lexeme.text})")


def _around_values_of_lines(lexemes: Sequence[Lexeme]) -> Iterator[Edit]:
    """Bracket what follows ``return``, ``if`` and ``while`` in Python."""
    for line in logical_lines(lexemes):
        is_head = lexemes[line.stop - 1].text == ":"
        start, stop = following(lexemes, line.start), line.stop - is_head
        texts = {lexeme.text for lexeme in lexemes[start:stop]}
        is_known = line.word == "return" or (line.word in {"if", "while"} and is_head)
        if is_known and start < stop and not texts & _NO_VALUE and not _has_comment(lexemes, line):
            yield Edit(start, start, "(")
            yield Edit(stop, stop, ")")


def _has_comment(lexemes: Sequence[Lexeme], line: Line) -> bool:
    return any(lexeme.kind is Kind.COMMENT for lexeme in lexemes[line.start : line.stop])


def _around_values(lexemes: Sequence[Lexeme]) -> Iterator[Edit]:
    """Bracket what follows ``return`` up to its semicolon in the same line."""
    for index, lexeme in enumerate(lexemes):
        if lexeme == (Kind.WORD, "return"):
            start, stop = following(lexemes, index), _semicolon(lexemes, index)
            if start < stop:
                yield Edit(start, start, "(")
                yield Edit(stop, stop, ")")


def _around_statements(lexemes: Sequence[Lexeme]) -> Iterator[Edit]:
    """Put braces around what is not a block behind ``if (..)``, ``for (..)`` and ``else``."""
    closing = partners(lexemes)
    for index, (kind, text) in enumerate(lexemes):
        if kind is Kind.WORD and text in {"else", "for", "if"}:
            opener = following(lexemes, index)
            before = index if text == "else" else closing.get(opener, len(lexemes))
            start = following(lexemes, before)
            stop = _semicolon(lexemes, start)
            is_single = text_at(lexemes, start) not in _CONTROL | {"{", ";"}
            if is_single and start < stop:
                yield Edit(start, start, "{ ")
                yield Edit(stop + 1, stop + 1, " }")


def _semicolon(lexemes: Sequence[Lexeme], start: int) -> int:
    """Find the semicolon of a statement without a block, in its line; -1 if there is none."""
    for index in range(start, len(lexemes)):
        text = lexemes[index].text
        if text == ";":
            return index
        if text in {"{", "}"} or (is_bare(lexemes[index]) and "\n" in text and index > start):
            return -1
    return -1
