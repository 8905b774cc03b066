"""Numbers for the symbols that front-ends look for, small enough to be places in tables.

All other symbols have the number 0 and are only known by their codes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.symbols import code_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CODES", "symbol_id", "symbol_id_of", "symbol_set"]

_KINDS: Final = (
    *(symbols.NAME, symbols.NUMBER, symbols.STRING),
    *(symbols.IMPORT, symbols.LOOP, symbols.CONTINUATION, symbols.END),
)
_WORDS: Final = """
    ( ) [ ] { } ; : , . = + - * / % & | ^ < > ! ? $ _ 0 1
    FALSE FROM IMPORT NULL False None TRUE True abstract actor and assert async auto begin catch
    char class const constexpr def define do double elif else elseif elsif end ensure enum except
    explicit extends extension extern false final finally fn for foreach fun func function if impl
    implements import imports in inline int interface internal is let library local long loop me
    mixin mod mut my namespace new nil not null nullptr object open or override package pass private
    protected protocol public readonly register repeat rescue return self short signed static struct
    sub synchronized then this $this trait true try undef undefined union unsigned until use uses
    using val var virtual volatile when while yield
"""
_NUMBERS: Final = {
    code: number for number, code in enumerate([*_KINDS, *map(code_of, _WORDS.split())], start=1)
}

CODES: Final = np.array([0, *_NUMBERS], np.uint64)
"""The codes by their numbers."""


def symbol_id(code: int) -> int:
    """Return the number of a code, 0 for one that nobody looks for."""
    return _NUMBERS.get(code, 0)


def symbol_id_of(word: str) -> int:
    """Return the number of a word or sign that is looked for.

    Raises:
        KeyError: It has none.
    """
    return _NUMBERS[code_of(word)]


def symbol_set(words: str, *codes: int) -> NDArray[np.bool_]:
    """Return a table by number that marks some words and codes.

    Raises:
        KeyError: One of them has no number.
    """
    table = np.zeros(len(CODES), np.bool_)
    table[[_NUMBERS[code] for code in (*codes, *map(code_of, words.split()))]] = True
    return table
