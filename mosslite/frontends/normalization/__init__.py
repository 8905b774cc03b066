"""Normalization of programs: removes what a copier can add, drop or change freely.

The symbols of a text are put in order; dead code is removed, and equivalent spellings are rewritten
to one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends.normalization.dead_stores import dead_stores_in
from mosslite.frontends.normalization.program import END
from mosslite.frontends.normalization.reachability import reached_of
from mosslite.frontends.normalization.rewrites import rewritten
from mosslite.frontends.normalization.statements import Brackets, free_in, positioned
from mosslite.frontends.text import Symbols

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.normalization.statements import PositionedSymbols
    from mosslite.frontends.text import Concatenation
    from mosslite.frontends.token_properties import TokenProperties
    from mosslite.frontends.tokens import Tokens
    from mosslite.languages import Language

__all__ = ["normalized"]


# If fewer symbols would be left, dead stores are most of the program and are kept.
_ENOUGH: Final = 16


def _dead_stores_in(positions: PositionedSymbols, text: str, language: str) -> NDArray[np.bool_]:
    """Mark dead stores in texts that have more than a few symbols without them.

    Args:
        positions: ``n`` symbols; each text ends in an ``END``.
        text: All texts.
        language: Its canonical name.

    Returns:
        ``(n,) bool``.
    """
    words = positions.program.words
    if not len(words):
        return np.zeros(0, np.bool_)
    is_dead = dead_stores_in(positions, text, language, Brackets(words))
    ends = np.flatnonzero(words == END)
    at = np.flatnonzero(is_dead)
    texts = np.searchsorted(ends, at)
    left = np.diff(ends, prepend=-1) - 1 - np.bincount(texts, minlength=len(ends))
    is_dead[at] = left[texts] >= _ENOUGH
    return is_dead


def normalized(
    concatenation: Concatenation, tokens: Tokens, properties: TokenProperties, language: Language
) -> Symbols:
    """Return the symbols by which submissions are compared.

    Args:
        concatenation: The texts, each a program of its own.
        tokens: Their tokens.
        properties: Properties of the distinct tokens.
        language: Language of the texts.
    """
    positions = positioned(properties.pieces.gathered(tokens), concatenation.whole.line_starts)
    is_reached = reached_of(concatenation, positions, properties.names, language)
    is_free = free_in(positions.program, positions.indents, language.name)
    is_free |= _dead_stores_in(positions, concatenation.whole.text, language.name)
    program = positions.program.where(~is_free)
    program = rewritten(program, language.name, positions.indents >= 0)
    program = program.where(program.words != END)
    return Symbols(
        codes=program.codes,
        lexemes=program.lexemes,
        kinds=program.kinds,
        starts=positions.starts[program.places],
        stops=positions.stops[program.places],
        is_reached=is_reached[program.places],
    )
