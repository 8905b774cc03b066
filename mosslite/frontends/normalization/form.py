"""Brings the tokens of programs to the form that submissions are compared in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends.normalization.constant_conditions import constants_in
from mosslite.frontends.normalization.dead_stores import dead_stores_in
from mosslite.frontends.normalization.no_ops import idle_in, macros_in, tries_in
from mosslite.frontends.normalization.positions import Brackets, laid_out
from mosslite.frontends.normalization.program import END
from mosslite.frontends.normalization.reachability import reached_of
from mosslite.frontends.normalization.rewrites import rewritten
from mosslite.frontends.normalization.statements import free_in
from mosslite.frontends.normalization.temporaries import without_temporaries
from mosslite.frontends.text import Symbols

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.concatenation import Joint
    from mosslite.frontends.normalization.positions import Laid
    from mosslite.frontends.normalization.program import Program
    from mosslite.frontends.token_properties import Facts
    from mosslite.frontends.tokens import Tokens
    from mosslite.languages import Language

__all__ = [
    "in_standard_form",
]


# Where fewer symbols would be left, junk is all that there is to compare.
_ENOUGH: Final = 16


def _junk_in(laid: Laid, text: str, language: str) -> NDArray[np.bool_]:
    """Mark junk in texts that are more than a few symbols without it.

    Args:
        laid: ``n`` symbols; each text ends in an end.
        text: All texts.
        language: Its canonical name.

    Returns:
        ``(n,) bool``.
    """
    program, indents = laid.program, laid.indents
    if not len(program.words):
        return np.zeros(0, np.bool_)
    brackets = Brackets(program.words)
    is_junk = dead_stores_in(laid, text, language, brackets)
    is_junk |= constants_in(program, indents, brackets) | tries_in(program, indents, brackets)
    is_junk |= idle_in(program, indents) | macros_in(program, indents, language)
    ends = np.flatnonzero(program.words == END)
    at = np.flatnonzero(is_junk)
    texts = np.searchsorted(ends, at)
    left = np.diff(ends, prepend=-1) - 1 - np.bincount(texts, minlength=len(ends))
    is_junk[at] = left[texts] >= _ENOUGH
    return is_junk


def in_standard_form(joint: Joint, tokens: Tokens, facts: Facts, language: Language) -> Symbols:
    """Return the symbols that tell works apart.

    Args:
        joint: The texts, each by itself a program.
        tokens: What their lexer made of them.
        facts: What is to know of these tokens.
        language: What the texts are written in.
    """
    laid = laid_out(facts.pieces.spread(tokens), joint.whole.line_starts)
    is_reached = reached_of(joint, laid, facts.names, language)
    is_free = free_in(laid.program, laid.indents, language.name)
    is_free |= _junk_in(laid, joint.whole.text, language.name)
    program = laid.program.where(~is_free)
    program = without_temporaries(program, _indents_left(laid, program), language.name)
    program = rewritten(program, language.name, laid.indents >= 0)
    program = program.where(program.words != END)
    return Symbols(
        codes=program.codes,
        wordings=program.wordings,
        kinds=program.kinds,
        starts=laid.starts[program.places],
        stops=laid.stops[program.places],
        is_reached=is_reached[program.places],
    )


def _indents_left(laid: Laid, program: Program) -> NDArray[np.int64]:
    """Return how far the lines are indented that what is left of a program begins, else -1."""
    lines = np.cumsum(laid.indents >= 0)[program.places] - 1
    indents: NDArray[np.int64] = laid.indents[laid.indents >= 0][lines]
    return np.where(np.diff(lines, prepend=-1) > 0, indents, -1)
