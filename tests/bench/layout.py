"""Disguises that a compiler does not see: white space and comments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.bench.tokens import LINE_ENDED, Kind, read
from tests.bench.vocabulary import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from tests.bench.tokens import Lexeme

__all__ = ["change_comments", "relayout", "verbatim"]

_JOINED = frozenset({Kind.NAME, Kind.NUMBER, Kind.SIGN, Kind.TYPE, Kind.BUILTIN})


def verbatim(text: str, _language: str, _rng: Random) -> str:
    """Change nothing."""
    return text


def relayout(text: str, language: str, rng: Random) -> str:
    """Change blanks, blank lines and, except in Python, indentation and the place of braces."""
    lexemes = read(text, language)
    texts = [lexeme.text for lexeme in lexemes]
    for index, (kind, space) in enumerate(lexemes):
        if kind is Kind.SPACE and 0 < index < len(lexemes) - 1:
            texts[index] = _space(lexemes, index, language, rng)
        elif kind is Kind.SIGN and space in {"(", ","} and rng.random() < 0.5:
            texts[index] += " " * (lexemes[index + 1].kind in _JOINED)
    return "".join(texts)


def change_comments(text: str, language: str, rng: Random) -> str:
    """Remove all comments, exchange docstrings and put other comments in."""
    lexemes = read(text, language)
    texts = [_without_comment(lexeme) for lexeme in lexemes]
    sign = "#" if language == "python" else "//"
    for index, (kind, space) in enumerate(lexemes):
        if kind is Kind.DOC:
            texts[index] = f'"""{phrase(rng)}."""'
        elif kind is Kind.SPACE and "\n" in space and index and rng.random() < 0.25:
            can_hold = lexemes[index - 1].kind not in {Kind.DIRECTIVE, Kind.OTHER, Kind.COMMENT}
            texts[index] = f"  {sign} {phrase(rng)}{space}" if can_hold else space
    return "".join(texts)


def _without_comment(lexeme: Lexeme) -> str:
    if lexeme.kind is not Kind.COMMENT:
        return lexeme.text
    return "\n" if "\n" in lexeme.text else " "


def _space(lexemes: Sequence[Lexeme], index: int, language: str, rng: Random) -> str:
    space, before, behind = lexemes[index].text, lexemes[index - 1], lexemes[index + 1]
    is_fixed = before.kind in {Kind.COMMENT, Kind.OTHER, Kind.DIRECTIVE}
    if behind.text == "{" and before.text == ")" and language not in LINE_ENDED | {"python"}:
        return " " if "\n" in space else "\n"
    if "\n" in space:
        return _line_end(space, language, rng)
    is_sign = (before.kind is Kind.SIGN) != (behind.kind is Kind.SIGN)
    is_joinable = is_sign and before.kind in _JOINED and behind.kind in _JOINED
    if is_joinable and not is_fixed and rng.random() < 0.5:
        return ""
    return space + " "


def _line_end(space: str, language: str, rng: Random) -> str:
    """Return another number of blank lines, and another indentation where it means nothing."""
    blank = "\n" * rng.choice((1, 1, 1, 2))
    if language == "python":
        return blank + re.sub(r".*\n", "", space)
    return blank + " " * rng.choice((0, 2, 3, 4, 8))
