"""Normalization of programs: removes what a copier can add, drop or change freely.

The symbols of a text are put in order, imports and annotations are left out, and the ends of lines
and blocks become symbols.
"""

import numpy as np

from mosslite.frontends.normalization.annotations import annotations_in, lone_strings_in
from mosslite.frontends.normalization.boundaries import ends_in
from mosslite.frontends.normalization.imports import imports_in
from mosslite.frontends.normalization.program import END, program_of
from mosslite.frontends.text import Concatenation, Symbols
from mosslite.frontends.token_properties import TokenProperties
from mosslite.frontends.tokens import Tokens
from mosslite.languages import Language
from mosslite.records import TokenKind


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
    pieces = properties.pieces.gathered(tokens)
    program = program_of(pieces, concatenation.whole.line_starts, language.name)
    is_free = imports_in(program, language.name)
    if language.name == "python":
        is_free |= annotations_in(program.words, program.indents)
        is_free |= lone_strings_in(program.words, program.indents)
    program = program.where(~is_free)
    rows, ends = ends_in(program.words, program.indents, language.name)
    is_own = program.words != END
    rows = np.cumsum(is_own)[rows - 1]
    program = program.where(is_own)
    before = program.stops[rows - 1]  # an end has no text: it is right behind what it ends
    return Symbols(
        codes=np.insert(program.codes, rows, ends),
        lexemes=np.insert(program.lexemes, rows, ends),
        kinds=np.insert(program.kinds, rows, TokenKind.FRAME),
        starts=np.insert(program.starts, rows, before),
        stops=np.insert(program.stops, rows, before),
    )
