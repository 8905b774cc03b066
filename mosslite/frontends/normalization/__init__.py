"""Normalization of programs: removes what a copier can add, drop or change freely.

The symbols of a text are put in order, and imports and annotations are left out.
"""

from mosslite.frontends.normalization.boundaries import marks_of
from mosslite.frontends.normalization.imports import imports_in
from mosslite.frontends.normalization.program import END
from mosslite.frontends.normalization.statements import free_in, positioned
from mosslite.frontends.text import Concatenation, Symbols
from mosslite.frontends.token_properties import TokenProperties
from mosslite.frontends.tokens import Tokens
from mosslite.languages import Language


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
    positions = positioned(pieces, concatenation.whole.line_starts, language.name)
    is_free = free_in(positions.program, positions.indents, language.name)
    is_free |= imports_in(concatenation.whole.text, positions.starts, language.name)
    program = positions.program.where(~is_free)
    marks = marks_of(program.words, positions.indents[program.places], language.name)
    is_own = program.words != END
    program, marks = program.where(is_own), marks[is_own]
    return Symbols(
        codes=program.codes + marks,
        lexemes=program.lexemes,
        kinds=program.kinds,
        starts=positions.starts[program.places],
        stops=positions.stops[program.places],
    )
