"""Brings the tokens of programs to the form that works are compared in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.standard_form.joint_reach import reached_of
from mosslite.frontends.standard_form.junk import junk_in
from mosslite.frontends.standard_form.laid import laid_out
from mosslite.frontends.standard_form.program import END
from mosslite.frontends.standard_form.rewrites import rewritten
from mosslite.frontends.standard_form.statements import free_in
from mosslite.frontends.standard_form.temporaries import without_temporaries
from mosslite.frontends.text import Symbols

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.facts import Facts
    from mosslite.frontends.joint import Joint
    from mosslite.frontends.standard_form.laid import Laid
    from mosslite.frontends.standard_form.program import Program
    from mosslite.frontends.tokens import Tokens
    from mosslite.languages import Language

__all__ = ["in_standard_form"]


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
    is_free |= junk_in(laid, joint.whole.text, language.name)
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
