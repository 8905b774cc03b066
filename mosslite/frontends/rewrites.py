"""Brings what can be said in several ways, token by token, to one of them.

==========================================  ==================
what is written                             how it is read
==========================================  ==================
``this.x``, ``self.x``, ``this->x``         ``x``
``x = x + y``                               ``x += y``
``x += 1``, ``++x``                         ``x++``
``unsigned long int``                       one type
``for``, ``foreach``, ``while``, ``until``  one symbol
==========================================  ==================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.symbols import LOOP, NAME, code_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.text import Symbols

__all__ = ["rewritten"]

_NAME = np.uint64(NAME)
_DOT, _EQUALS, _PLUS, _MINUS, _GREATER = (np.uint64(code_of(sign)) for sign in ".=+->")
_ONE = np.uint64(code_of("1"))


def _codes(words: str) -> NDArray[np.uint64]:
    return np.array([code_of(word) for word in words.split()], np.uint64)


_SELF = _codes("this self $this me")
_OPERATORS = _codes("+ - * / % & | ^")
_STEPS = _codes("+ -")
_LOOPS = _codes("for foreach while until repeat loop do")
_SIZES = _codes("unsigned signed long short")
_SIZED = _codes("unsigned signed long short int char double")
_BEFORE_STEP = _codes("; { } ( ) ,")


def rewritten(symbols: Symbols) -> Symbols:
    """Bring symbols to one of several forms that mean the same; n stays or falls."""
    for rewrite in (_without_self, _without_sizes, _assigned, _stepped, _postfix):
        symbols = rewrite(symbols) if len(symbols.codes) > _LONGEST else symbols
    codes = np.where(np.isin(symbols.codes, _LOOPS), np.uint64(LOOP), symbols.codes)
    return symbols._replace(codes=codes)


# No pattern below looks at more symbols than this.
_LONGEST = 4


def _without_self(symbols: Symbols) -> Symbols:
    wordings = symbols.wordings
    begins = np.flatnonzero(np.isin(wordings[:-2], _SELF))
    is_dotted = wordings[begins + 1] == _DOT
    is_arrow = (wordings[begins + 1] == _MINUS) & (wordings[begins + 2] == _GREATER)
    is_kept = np.ones(len(wordings), np.bool_)
    for offset in (0, 1, 2):
        is_kept[begins[is_arrow] + offset] = False
    for offset in (0, 1):
        is_kept[begins[is_dotted] + offset] = False
    return symbols.where(is_kept)


def _without_sizes(symbols: Symbols) -> Symbols:
    is_kept = np.ones(len(symbols.codes), np.bool_)
    is_kept[:-1] = ~(np.isin(symbols.wordings[:-1], _SIZES) & np.isin(symbols.wordings[1:], _SIZED))
    return symbols.where(is_kept)


def _assigned(symbols: Symbols) -> Symbols:
    """Read ``x = x + y`` as ``x += y``."""
    codes, wordings = symbols.codes.copy(), symbols.wordings.copy()
    is_match = (codes[:-3] == _NAME) & (codes[1:-2] == _EQUALS) & (wordings[:-3] == wordings[2:-1])
    at = np.flatnonzero(is_match & np.isin(codes[3:], _OPERATORS))
    for column in (codes, wordings):
        column[at + 1], column[at + 3] = column[at + 3], _EQUALS
    is_kept = np.ones(len(codes), np.bool_)
    is_kept[at + 2] = False
    return symbols._replace(codes=codes, wordings=wordings).where(is_kept)


def _stepped(symbols: Symbols) -> Symbols:
    """Read ``x += 1`` as ``x++``."""
    codes, wordings = symbols.codes.copy(), symbols.wordings.copy()
    is_match = (codes[:-3] == _NAME) & np.isin(codes[1:-2], _STEPS) & (codes[2:-1] == _EQUALS)
    at = np.flatnonzero(is_match & (wordings[3:] == _ONE))
    for column in (codes, wordings):
        column[at + 2] = column[at + 1]
    is_kept = np.ones(len(codes), np.bool_)
    is_kept[at + 3] = False
    return symbols._replace(codes=codes, wordings=wordings).where(is_kept)


def _postfix(symbols: Symbols) -> Symbols:
    """Read ``++x`` as ``x++`` where it is a statement of its own."""
    codes, wordings = symbols.codes.copy(), symbols.wordings.copy()
    is_match = np.isin(codes[:-3], _BEFORE_STEP) & np.isin(codes[1:-2], _STEPS)
    at = np.flatnonzero(is_match & (codes[1:-2] == codes[2:-1]) & (codes[3:] == _NAME))
    for column in (codes, wordings):
        column[at + 1], column[at + 3] = column[at + 3], column[at + 1]
    return symbols._replace(codes=codes, wordings=wordings)
