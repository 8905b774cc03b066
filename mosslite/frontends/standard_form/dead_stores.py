"""Finds dead stores: statements that only give values to names that their text never reads.

Put behind each statement of a copy, they change nothing and leave no k-gram whole.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends.standard_form.grammars import GRAMMARS
from mosslite.frontends.standard_form.program import END, NAME, STRING
from mosslite.frontends.standard_form.scopes import are_outside_of_functions
from mosslite.frontends.standard_form.stores import stores_in
from mosslite.spans import positions_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.standard_form.blocks import Brackets
    from mosslite.frontends.standard_form.grammars import Grammar
    from mosslite.frontends.standard_form.laid import Laid
    from mosslite.frontends.standard_form.program import Program

__all__ = ["are_read", "dead_stores_in"]

_WORD: Final = re.compile(r"\w+")
# ``$$x`` reads what ``$x`` names; the lexer may have ``"${x}"`` without its sign.
_BY_NAME: Final = re.compile(r"\$[${](\w+)")

# Most names differ in these bits of their wordings.
_BITS: Final = np.uint64(0xFFFF)
# 2^64 divided by the golden ratio: sets apart equal names of several texts.
_OF_TEXT: Final = np.uint64(0x9E3779B97F4A7C15)


def dead_stores_in(laid: Laid, text: str, language: str, brackets: Brackets) -> NDArray[np.bool_]:
    """Mark dead stores, be they declarations, assignments or steps.

    What is declared outside of functions stays, as other files may read it; stores to it go. What
    is computed from other names stays, too: it was meant to be used once, and two works that have
    it in common have more in common than a zero. What a macro reads is not seen.

    Args:
        laid: ``n`` symbols; each text ends in an end.
        text: All texts.
        language: Its canonical name.
        brackets: Of the program.

    Returns:
        ``(n,) bool``.
    """
    program, indents, grammar = laid.program, laid.indents, GRAMMARS.get(language)
    is_dead = np.zeros(len(program.words), np.bool_)
    if grammar is None:
        return is_dead
    ends = np.flatnonzero(program.words == END)
    stores = stores_in(program, indents, brackets, grammar)
    found, is_read = stores.statements, are_read(program, stores.mentions, ends)
    if grammar.names or grammar.in_strings:
        at = np.flatnonzero(~is_read)
        is_read[at] = _may_be_read_unseen(laid, text, stores.mentions[at], grammar)
    found = found.where(np.bincount(stores.owners, is_read, len(found.firsts)) == 0)
    if len(found.firsts):
        found = found.where(
            ~are_outside_of_functions(program.words, indents, found.firsts, language)
        )
        is_dead[positions_in(found.firsts, found.ends - found.firsts)] = True
    return is_dead


def are_read(
    program: Program, mentions: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell which names have more mentions in their text than these.

    Args:
        program: ``n`` symbols.
        mentions: ``(m,)``, which of them are names to ask for, in any order.
        ends: Where texts end.

    Returns:
        ``(m,) bool``.
    """
    keys = _keys(program, mentions, ends)
    others = _keys(program, _other_mentions(program, mentions), ends)
    known = np.append(np.sort(keys), np.uint64(0))
    places = np.searchsorted(known[:-1], others)
    is_read = np.zeros(len(known), np.bool_)
    is_read[places[known[places] == others]] = True
    return is_read[np.searchsorted(known[:-1], keys)]


def _other_mentions(program: Program, mentions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the other mentions of the names mentioned, and few of other names."""
    may_be = np.zeros(int(_BITS) + 1, np.bool_)
    may_be[program.wordings[mentions] & _BITS] = True
    is_other = program.words == NAME
    is_other[mentions] = False
    names = np.flatnonzero(is_other)
    found: NDArray[np.int64] = names[may_be[program.wordings[names] & _BITS]]
    return found


def _keys(
    program: Program, places: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return for names what is equal for equal ones in a text, as far as 64 bits can tell."""
    return program.wordings[places] ^ (np.searchsorted(ends, places).astype(np.uint64) * _OF_TEXT)


def _may_be_read_unseen(
    laid: Laid, text: str, mentions: NDArray[np.int64], grammar: Grammar
) -> list[bool]:
    """Tell which names strings have in them, or other files may read."""
    if not len(mentions):
        return []
    words = laid.program.words
    texts, of_names = np.cumsum(words == END), re.compile(grammar.names or ".*")
    names = [text[laid.starts[at] : laid.stops[at]] for at in mentions.tolist()]
    in_strings = {
        (texts[at], word)
        for at in (np.flatnonzero(words == STRING).tolist() if grammar.in_strings else ())
        for word in _WORD.findall(text, laid.starts[at], laid.stops[at])
    }
    if grammar.in_strings:
        found = list(_BY_NAME.finditer(text))
        places = np.searchsorted(laid.starts, [each.start() for each in found])
        in_strings.update(zip(texts[places].tolist(), (each[1] for each in found), strict=True))
    return [
        not of_names.fullmatch(name) or (number, name.lstrip("$")) in in_strings
        for name, number in zip(names, texts[mentions].tolist(), strict=True)
    ]
