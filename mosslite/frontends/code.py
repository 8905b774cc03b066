"""The code front-end: any Pygments lexer, without what a copier can change freely."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.colours import colours_of
from mosslite.frontends.disguises import disguises_in
from mosslite.frontends.facts import facts_of
from mosslite.frontends.laid import JOINED, laid_out
from mosslite.frontends.program import NAME
from mosslite.frontends.reach import Words, can_tell, reached_in
from mosslite.frontends.reading import Reading
from mosslite.frontends.rewrites import rewritten
from mosslite.frontends.statements import depths_of, free_in
from mosslite.frontends.symbols import is_code
from mosslite.frontends.text import Symbols, source_of, token_stream
from mosslite.frontends.tokens import lex
from mosslite.frontends.traces import traces_of_code
from mosslite.frontends.words import table_of
from mosslite.languages import lexer_of
from mosslite.spans import covered

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pygments.lexer import Lexer

    from mosslite.frontends.facts import Table
    from mosslite.frontends.laid import Laid
    from mosslite.frontends.text import Source
    from mosslite.frontends.tokens import Tokens
    from mosslite.languages import Language

__all__ = ["lex", "read_code"]

_MAY_DEFINE = table_of("def async")


def read_code(text: str, language: Language, seconds: float | None = None) -> Reading:
    """Tokenize ``text`` by the language's lexer; ``symbols`` says what counts as equal.

    Raises:
        Exception: Whatever the lexer raises, as lexers promise nothing; ``TooSlowError`` where
            it takes more than so many seconds.
    """
    source = source_of(text)
    tokens = lex(_new_lexer(language), source.text, seconds)
    facts = facts_of(tokens.distinct, language)
    return Reading(
        token_stream(source, _own_symbols(source, tokens, facts.pieces, language)),
        traces_of_code(source, tokens, facts),
        is_degraded=False,
        disguises=disguises_in(source, _code_in(source, tokens, language)) if source.is_odd else (),
        colours=colours_of(source, tokens, facts.classes),
    )


def _new_lexer(language: Language) -> Lexer:
    """Give a lexer that knows nothing of other texts: some collect what they see in their class."""
    kind = _lexer_class(language)
    lexer = kind()
    for name, container in _memory_of(kind):
        setattr(lexer, name, container())
    return lexer


@cache  # to find it by its name takes a while
def _lexer_class(language: Language) -> type[Lexer]:
    return type(lexer_of(language))


@cache  # before it has seen a text
def _memory_of(kind: type[Lexer]) -> list[tuple[str, type]]:
    members = [member for each in reversed(kind.__mro__) for member in vars(each).items()]
    return [(name, type(v)) for name, v in members if isinstance(v, (dict, list, set)) and not v]


def _own_symbols(source: Source, tokens: Tokens, table: Table, language: Language) -> Symbols:
    """Give the symbols that tell works apart, in the form that they are compared in."""
    laid = laid_out(table.spread(tokens), source.line_starts)
    is_reached = np.ones(len(laid.starts), np.bool_)
    if can_tell(source.text, is_python=language.name == "python"):
        texts = _texts(source.text, laid, table.texts(tokens.distinct))
        is_reached = _reached_in(source.text, laid, texts, is_python=language.name == "python")
    is_free = free_in(laid.program, laid.indents, language.name)
    program = rewritten(laid.program.where(~is_free), language.name)
    return Symbols(
        codes=program.codes,
        wordings=program.wordings,
        kinds=program.kinds,
        starts=laid.starts[program.places],
        stops=laid.stops[program.places],
        is_reached=is_reached[program.places],
    )


def _code_in(source: Source, tokens: Tokens, language: Language) -> NDArray[np.bool_]:
    of_code = np.array([is_code(kind, language.name) for kind, _ in tokens.distinct], np.bool_)
    is_part = of_code[tokens.numbers]
    return covered(tokens.starts[is_part], tokens.stops[is_part], len(source.text))


def _texts(text: str, laid: Laid, of_rows: list[str]) -> list[str]:
    """Give the symbols as written, names without what they are qualified by."""
    unqualified = [each.rpartition("::")[2] for each in [*of_rows, ""]]
    texts = list(map(unqualified.__getitem__, laid.numbers.tolist()))
    for at in np.flatnonzero(laid.numbers == JOINED).tolist():
        texts[at] = text[laid.starts[at] : laid.stops[at]].rpartition("::")[2]
    return texts


def _reached_in(text: str, laid: Laid, texts: list[str], *, is_python: bool) -> NDArray[np.bool_]:
    program, indents, decorated = laid.program, laid.indents, frozenset[int]()
    if is_python:
        may_define = (indents >= 0) & _MAY_DEFINE[program.written]
        begins = np.flatnonzero(may_define).tolist()
        decorated = frozenset(at for at in begins if _is_decorated(text, int(laid.starts[at])))
        indents = np.where(depths_of(program.words) == 0, indents, -1)
    words = Words(texts, program.written, program.words == NAME, indents, decorated)
    return reached_in(words, is_python=is_python)


def _is_decorated(text: str, start: int) -> bool:
    """Tell whether the line above the one that a token begins is a decorator."""
    line = text.rfind("\n", 0, start)
    return text[text.rfind("\n", 0, max(line, 0)) + 1 : max(line, 0)].lstrip()[:1] == "@"
