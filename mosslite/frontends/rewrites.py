"""Brings what can be said in several ways, token by token, to one of them.

==========================================  ==================
what is written                             how it is read
==========================================  ==================
``this.x``, ``this->x``, ``self.x``         ``x``, where ``this`` is a keyword
``x = x + y``                               ``x += y``
``x += 1``, ``++x``                         ``x++``
``unsigned long int``                       one type
``for``, ``foreach``, ``while``, ``until``  one symbol
``var x``, ``auto x`` for ``int x``         a type, that is a name
``let``, ``const``, ``var`` in JavaScript   none
``public``, ``final``, ``const``            none
``"a" + "b"``                               one string
``return (x)``, ``= (x);``, ``if (x):``     without brackets
==========================================  ==================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.symbols import LOOP, NAME, STRING, code_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.text import Symbols

__all__ = ["rewritten"]

_NONE = np.empty(0, np.uint64)
_NAME, _STRING = np.uint64(NAME), np.uint64(STRING)
_DOT, _EQUALS, _PLUS, _MINUS, _GREATER = (np.uint64(code_of(sign)) for sign in ".=+->")
_ONE = np.uint64(code_of("1"))


def _codes(words: str) -> NDArray[np.uint64]:
    return np.array([code_of(word) for word in words.split()], np.uint64)


_SELF = _codes("this self me")
# Where it is a keyword, but names to the lexer.
_SELF_AS_WRITTEN = {
    "delphi": _codes("self"),
    "php": _codes("$this"),
    "rust": _codes("self"),
    "swift": _codes("self"),
    "vb.net": _codes("me"),
}
_OPERATORS = _codes("+ - * / % & | ^")
_DOUBLED = _codes("* / < >")
_SECOND = _codes("* / & | > =")
_MEMBER = _codes(". >")
_TARGET = np.append(_codes("]"), _NAME)
_STEPS = _codes("+ -")
_LOOPS = _codes("for foreach while until repeat loop do")
_SIZES = _codes("unsigned signed long short")
_SIZED = _codes("unsigned signed long short int char double")
_BEFORE_STEP = _codes("; { } (")
_MODIFIERS = _codes(
    "abstract const constexpr explicit extern final inline internal override private protected "
    "public readonly register synchronized virtual volatile"
)
# Words that declare a name without saying more, where a language has several of them.
_DECLARING = {
    **dict.fromkeys(("javascript", "typescript", "jsx", "tsx"), _codes("let var")),
    **dict.fromkeys(("kotlin", "scala", "swift", "groovy"), _codes("let var val")),
}
_INFERRED_TYPES = {"java": _codes("var"), "csharp": _codes("var"), "cpp": _codes("auto")}
_LISPS = frozenset({"clojure", "common-lisp", "emacs-lisp", "racket", "scheme"})
_OPEN, _COMMA, _CLOSE = (np.uint64(code_of(sign)) for sign in "(,)")
_ROUND = _codes("( ) ,")
# A pair of round brackets between these does nothing.
_BEFORE_BRACKETS = frozenset(_codes("return = ( ,").tolist())
_BEHIND_BRACKETS = frozenset(_codes("; ) ,").tolist())
_BEFORE_CONDITION = frozenset(_codes("if elif while").tolist())
_BEHIND_CONDITION = frozenset(_codes(":").tolist())

# No pattern below looks at more symbols than this.
_LONGEST = 4


def rewritten(symbols: Symbols, language: str) -> Symbols:
    """Bring symbols to one of several forms that mean the same; n stays or falls.

    Lisp and its kin have few of these forms, and every bracket counts.
    """
    if language in _LISPS:
        return symbols
    free = np.append(_MODIFIERS, _DECLARING.get(language, _NONE))
    symbols = symbols.where(~np.isin(symbols.codes, free))
    symbols = _without_self(symbols, language)
    symbols = _with_types(symbols, _INFERRED_TYPES.get(language, _NONE))
    for rewrite in _REWRITES:
        symbols = rewrite(symbols) if len(symbols.codes) >= _LONGEST else symbols
    codes = np.where(np.isin(symbols.codes, _LOOPS), np.uint64(LOOP), symbols.codes)
    return symbols._replace(codes=codes)


def _with_types(symbols: Symbols, words: NDArray[np.uint64]) -> Symbols:
    return symbols._replace(codes=np.where(np.isin(symbols.codes, words), _NAME, symbols.codes))


def _with_whole_strings(symbols: Symbols) -> Symbols:
    """Read strings that are put together as one, worded as all of them."""
    codes, wordings = symbols.codes, symbols.wordings.copy()
    is_match = (codes[:-2] == _STRING) & (codes[1:-1] == _PLUS) & (codes[2:] == _STRING)
    is_kept = np.ones(len(codes), np.bool_)
    at = np.flatnonzero(is_match)
    for offset in (1, 2):
        is_kept[at + offset] = False
    wordings[at + 1] = 0
    firsts = np.flatnonzero(is_kept)
    symbols = symbols._replace(wordings=wordings).where(is_kept)
    # A sum modulo 2^64 stands for the wording of all pieces.
    return symbols._replace(wordings=np.add.reduceat(wordings, firsts))


def _without_brackets(symbols: Symbols) -> Symbols:
    codes, opened = symbols.codes.tolist(), []
    is_kept = np.ones(len(codes), np.bool_)
    has_list: set[int] = set()
    for index in np.flatnonzero(np.isin(symbols.codes, _ROUND)).tolist():
        if codes[index] == _OPEN:
            opened.append(index)
        elif codes[index] == _COMMA:
            has_list.update(opened[-1:])
        elif opened:
            first = opened.pop()
            before = codes[first - 1] if first else 0
            behind = codes[index + 1] if index + 1 < len(codes) else 0
            does_nothing = first not in has_list and _does_nothing(before, behind)
            is_kept[[first, index]] = not does_nothing
    return symbols.where(is_kept)


def _does_nothing(before: int, behind: int) -> bool:
    is_operand = before in _BEFORE_BRACKETS and behind in _BEHIND_BRACKETS
    return is_operand or (before in _BEFORE_CONDITION and behind in _BEHIND_CONDITION)


def _without_self(symbols: Symbols, language: str) -> Symbols:
    wordings = symbols.wordings
    is_self = np.isin(symbols.codes, _SELF)
    is_self |= np.isin(wordings, _SELF_AS_WRITTEN.get(language, _NONE))
    begins = np.flatnonzero(is_self[:-2])
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
    """Read ``x = x + y`` as ``x += y``, and ``x = x // y`` as ``x //= y``."""
    codes, wordings = symbols.codes.copy(), symbols.wordings.copy()
    is_match = (codes[:-3] == _NAME) & (codes[1:-2] == _EQUALS) & (wordings[:-3] == wordings[2:-1])
    is_match[1:] &= ~np.isin(codes[:-4], _MEMBER)  # ``p.x = x + y`` is of another x
    follow = np.append(codes[4:], np.uint64(0))
    is_double = (follow == codes[3:]) & np.isin(follow, _DOUBLED)
    is_single = np.isin(codes[3:], _OPERATORS) & ~np.isin(follow, _SECOND)
    at = np.flatnonzero(is_match & (is_single | is_double))
    doubled = np.flatnonzero(is_match & is_double)
    for column in (codes, wordings):
        column[at + 1], column[at + 3] = column[at + 3], _EQUALS
        column[doubled + 3], column[doubled + 4] = column[doubled + 4], _EQUALS
    is_kept = np.ones(len(codes), np.bool_)
    is_kept[at + 2] = False
    return symbols._replace(codes=codes, wordings=wordings).where(is_kept)


def _stepped(symbols: Symbols) -> Symbols:
    """Read ``x += 1`` as ``x++``."""
    codes, wordings = symbols.codes.copy(), symbols.wordings.copy()
    is_match = np.isin(codes[:-3], _TARGET) & np.isin(codes[1:-2], _STEPS)
    is_match &= (codes[2:-1] == _EQUALS) & (wordings[3:] == _ONE)
    is_match[:-1] &= ~np.isin(codes[4:], _OPERATORS)  # ``x += 1 + y``
    at = np.flatnonzero(is_match)
    for column in (codes, wordings):
        column[at + 2] = column[at + 1]
    is_kept = np.ones(len(codes), np.bool_)
    is_kept[at + 3] = False
    return symbols._replace(codes=codes, wordings=wordings).where(is_kept)


def _postfix(symbols: Symbols) -> Symbols:
    """Read ``++x`` as ``x++`` where it is a statement of its own."""
    codes, wordings = symbols.codes.copy(), symbols.wordings.copy()
    # Behind a closing bracket, ``- -x`` is mostly two signs, and ``++x`` what ``if (...)`` does.
    is_begin = np.isin(codes[:-3], _BEFORE_STEP) | ((codes[:-3] == _CLOSE) & (codes[1:-2] == _PLUS))
    is_match = is_begin & np.isin(codes[1:-2], _STEPS)
    at = np.flatnonzero(is_match & (codes[1:-2] == codes[2:-1]) & (codes[3:] == _NAME))
    for column in (codes, wordings):
        column[at + 1], column[at + 3] = column[at + 3], column[at + 1]
    return symbols._replace(codes=codes, wordings=wordings)


_REWRITES = (
    _without_sizes,
    _with_whole_strings,
    _assigned,
    _stepped,
    _postfix,
    _without_brackets,
)
