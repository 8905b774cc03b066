"""Finds dead stores: statements that only assign to names that their text never reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.normalization.assignments import GRAMMARS, LITERALS, OPERATORS, targets_in
from mosslite.frontends.normalization.program import END, NAME, STRING
from mosslite.frontends.normalization.statements import depths_of
from mosslite.frontends.symbols import symbol_id_of, symbol_set
from mosslite.ranges import expand_ranges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mosslite.frontends.normalization.assignments import Grammar
    from mosslite.frontends.normalization.program import Program
    from mosslite.frontends.normalization.statements import Brackets, PositionedSymbols

__all__ = [
    "are_outside_of_functions",
    "are_read",
    "dead_stores_in",
    "stores_in",
]


_BEGIN, _END_OF_BLOCK, _SEMICOLON, _OPEN, _CLOSE = map(symbol_id_of, "{};()")
_CLASS, _EXTENDS = map(symbol_id_of, ["class", "extends"])
_FUNCTIONS = symbol_set("def fn fun func function sub")
# Braces, and the keywords that introduce a type.
_ITEMS = symbol_set(
    "{ } actor class def enum extension extern fn fun func function impl interface mixin mod "
    "namespace object protocol struct sub trait union"
)
_DEFINITIONS = symbol_set("async class def")
_INSIDE = symbol_set("( [ { ,")
_CLOSING = symbol_set(") ] }")


def are_outside_of_functions(
    words: NDArray[np.int64], indents: NDArray[np.int64], places: NDArray[np.int64], language: str
) -> NDArray[np.bool_]:
    """Return which positions are outside of functions and could be visible to other files.

    Args:
        words: ``(n,)`` symbol ids.
        indents: ``(n,)``, indentation of the line that a symbol starts, else -1.
        places: ``(m,)``, starts of statements, ascending.
        language: Its canonical name.

    Returns:
        ``(m,) bool``.
    """
    is_python, grammar = language == "python", GRAMMARS[language]
    is_item = _begin_statements(words, indents) if is_python else _ITEMS[words]
    is_item[places] = True
    at = np.flatnonzero(is_item)
    found: list[bool] = []
    for text, own in _texts_of(words, at, places):
        if is_python:
            found.extend(_in_classes(words, indents, text, own))
        else:
            found.extend(_in_bodies(words, text, own, grammar))
    return np.array(found, np.bool_)


def _begin_statements(words: NDArray[np.int64], indents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which symbols start a line that does not continue an open bracket."""
    begins = (indents >= 0) & ~_CLOSING[words]
    begins[1:] &= ~_INSIDE[words[:-1]]
    return begins


def _texts_of(
    words: NDArray[np.int64], items: NDArray[np.int64], places: NDArray[np.int64]
) -> Iterator[tuple[list[int], set[int]]]:
    """Yield for each text with positions its items up to the last of them, and the positions."""
    ends = np.append(-1, np.flatnonzero(words == END))
    texts = np.searchsorted(ends, places)
    lasts = np.flatnonzero(np.append(texts[1:], 0) != texts)
    starts = np.searchsorted(items, ends[texts[lasts] - 1], "right").tolist()
    stops = np.searchsorted(items, places[lasts], "right").tolist()
    own = set(places.tolist())
    for start, stop in zip(starts, stops, strict=True):
        yield items[start:stop].tolist(), own


def _in_classes(
    words: NDArray[np.int64], indents: NDArray[np.int64], items: list[int], places: set[int]
) -> Iterator[bool]:
    """Yield which positions in a Python text are in a class, but not in a function inside it."""
    opened: list[tuple[int, bool]] = []
    of_items = zip(items, words[items].tolist(), indents[items].tolist(), strict=True)
    for index, word, indent in of_items:
        while opened and 0 <= indent <= opened[-1][0]:
            opened.pop()
        if index in places:
            yield bool(opened) and opened[-1][1]
        elif _DEFINITIONS[word]:
            opened.append((indent, word == _CLASS))


def _in_bodies(
    words: NDArray[np.int64], items: list[int], places: set[int], grammar: Grammar
) -> Iterator[bool]:
    """Yield which positions in a text are in a type's braces, or in none unless it is a script."""
    opened, of_type = [not grammar.is_script], -1
    for index, word in zip(items, words[items].tolist(), strict=True):
        if index in places:
            yield opened[-1]
        elif word == _BEGIN:
            opened.append(of_type >= 0 and _is_head(words[of_type:index], grammar))
            of_type = -1
        elif word == _END_OF_BLOCK:
            of_type = -1
            if len(opened) > 1:
                opened.pop()
        else:
            of_type = -1 if _FUNCTIONS[word] else index


def _is_head(words: NDArray[np.int64], grammar: Grammar) -> bool:
    """Return whether the head of a block is that of a type, not of a function."""
    head = words.tolist()
    # Types may have parentheses: ``class A extends f(B)``, ``struct __attribute__((packed))``
    is_of_type = (
        grammar.takes_parameters
        or head[-1] != _CLOSE
        or _EXTENDS in head
        or head[2:4] == [_OPEN, _OPEN]
    )
    return is_of_type and _SEMICOLON not in head


_SIGIL, _UNDERSCORE, _YIELD = map(symbol_id_of, ["$", "_", "yield"])
_BEFORE_STATEMENT = symbol_set("; { }", symbols.END)
_CONDITIONS = symbol_set("if for foreach function while")  # also functions in R
_WITHOUT_CONDITION = symbol_set("else do repeat")
_ENDS_OF_BLOCKS = symbol_set("} catch end else elif elseif elsif ensure finally in rescue when")
_STEPS = symbol_set("+ -")


class _Statements(NamedTuple):
    """Statements of a program, in ``(m,) int64`` columns.

    Attributes:
        firsts: Index of the first symbol.
        stops: End of the statement without its semicolon.
        ends: End of the statement with its semicolon.
    """

    firsts: NDArray[np.int64]
    stops: NDArray[np.int64]
    ends: NDArray[np.int64]

    def where(self, mask: NDArray[np.bool_]) -> _Statements:
        """Return the statements that ``mask`` marks."""
        return _Statements(self.firsts[mask], self.stops[mask], self.ends[mask])


class _Stores(NamedTuple):
    """Stores, and where they mention the names that they store to.

    Attributes:
        statements: ``m`` statements.
        mentions: ``(n,) int64``, indices of symbols.
        owners: ``(n,) int64``, the statement of each mention.
    """

    statements: _Statements
    mentions: NDArray[np.int64]
    owners: NDArray[np.int64]


def stores_in(
    program: Program, indents: NDArray[np.int64], brackets: Brackets, grammar: Grammar
) -> _Stores:
    """Find the statements that store literals.

    Args:
        program: ``n`` symbols, the last of them an ``END``.
        indents: ``(n,)``, indentation of the line that a symbol starts, else -1.
        brackets: Brackets of the program.
        grammar: Syntax of stores.
    """
    words = program.words
    find = _whole_lines if grammar.by_lines else _ended
    found = _that_stand_alone(words, find(program, indents, grammar), brackets, grammar)
    if not len(found.firsts):
        return _Stores(found, found.firsts, found.firsts)
    lengths = found.stops - found.firsts
    rows = expand_ranges(found.firsts, lengths)
    starts = np.cumsum(lengths) - lengths
    part, written, lexemes = words[rows], program.written[rows], program.lexemes[rows]
    part = np.where(written == _SIGIL, _SIGIL, part)  # a name to Perl's lexer
    targets = targets_in(part, starts, grammar)
    is_name = (part == NAME) & ~LITERALS[written]
    is_thrown_away = grammar.discards & (written[targets.names] == _UNDERSCORE)
    is_target = lexemes == lexemes[targets.names]
    is_mention = is_name & (is_thrown_away ^ is_target)
    # A second name after the assignment operator is part of the value.
    is_store = ~is_name | is_mention | (np.arange(len(rows)) < targets.values)
    is_store &= targets.are_stores & is_name[targets.names]
    is_kept = np.logical_and.reduceat(is_store, starts)
    is_mention &= np.repeat(is_kept, lengths)
    owners = np.repeat(np.cumsum(is_kept) - 1, lengths)
    return _Stores(found.where(is_kept), rows[is_mention], owners[is_mention])


def _ended(program: Program, _: NDArray[np.int64], grammar: Grammar) -> _Statements:
    """Find statements that end with a semicolon and consist of the grammar's parts."""
    words = program.words
    # Java's lexer treats ``yield`` as a name, but ``yield x;`` is not a declaration.
    cuts = np.append(-1, np.flatnonzero(~grammar.parts[words] | (program.written == _YIELD)))
    around = words[cuts]  # the wrap-around symbol before the first one is an END
    at = np.flatnonzero(around == _SEMICOLON)
    at = at[_BEFORE_STATEMENT[around[at - 1]]]
    firsts, stops = cuts[at - 1] + 1, cuts[at]
    return _Statements(firsts, stops, stops + 1).where(firsts < stops)


def _whole_lines(program: Program, indents: NDArray[np.int64], grammar: Grammar) -> _Statements:
    """Find statements that end with a line or a semicolon and consist of the grammar's parts."""
    words = program.words
    begins_line = (indents >= 0) & ~grammar.rest[words]
    begins_line[1:] &= ~grammar.before_rest[words[:-1]]  # such as a keyword argument
    cuts = np.append(-1, np.flatnonzero(begins_line | ~grammar.parts[words]))
    around = words[cuts]
    is_part, is_semicolon = grammar.parts[around], around == _SEMICOLON
    firsts, stops = (cuts + ~is_part)[:-1], cuts[1:]
    is_begun = is_part | _BEFORE_STATEMENT[around]
    is_ended = begins_line[cuts] | is_semicolon
    found = _Statements(firsts, stops, stops + is_semicolon[1:])
    found = found.where(is_begun[:-1] & is_ended[1:] & (firsts < stops))
    last, before = words[found.stops - 1], words[found.stops - 2]
    goes_on = OPERATORS[last] & ~(_STEPS[last] & (last == before))  # except ``x++``
    return found.where(~goes_on)


def _that_stand_alone(
    words: NDArray[np.int64], found: _Statements, brackets: Brackets, grammar: Grammar
) -> _Statements:
    """Leave out statements that a condition governs, that are a block's value, or in a list."""
    if grammar.has_values:
        found = found.where(~_ENDS_OF_BLOCKS[words[found.ends]])
    if grammar.has_lists:
        found = found.where(depths_of(words)[found.firsts] == 0)
    if grammar.has_bare_bodies:
        found = found.where(~_are_governed(words, brackets)[found.firsts])
    return found


def _are_governed(words: NDArray[np.int64], brackets: Brackets) -> NDArray[np.bool_]:
    """Return which symbols directly follow a condition or an equivalent keyword."""
    are_governed = np.append(False, _WITHOUT_CONDITION[words[:-1]])
    heads = np.flatnonzero(_CONDITIONS[words[:-1]] & (words[1:] == _OPEN))
    stops = brackets.partners_of(heads + 1) + 1
    are_governed[np.minimum(stops, len(words) - 1)] = True
    are_governed[0] = False
    return are_governed


_WORD: Final = re.compile(r"\w+")
# ``$$x`` reads the variable named by ``$x``; the lexer may drop the sign of ``"${x}"``.
_BY_NAME: Final = re.compile(r"\$[${](\w+)")

# Bits of a lexeme hash that distinguish most names.
_BITS: Final = np.uint64(0xFFFF)
# 2^64 divided by the golden ratio: separates equal names in different texts.
_OF_TEXT: Final = np.uint64(0x9E3779B97F4A7C15)


def dead_stores_in(
    positions: PositionedSymbols, text: str, language: str, brackets: Brackets
) -> NDArray[np.bool_]:
    """Mark dead stores: declarations, assignments and increments.

    Declarations outside of functions are kept, as other files may read them; stores to them are
    not. Values computed from other names are kept, too: they were written for a use, and one that
    two submissions share is stronger evidence than a shared zero. Reads in macros are not detected.

    Args:
        positions: ``n`` symbols; each text ends in an ``END``.
        text: All texts.
        language: Its canonical name.
        brackets: Brackets of the program.

    Returns:
        ``(n,) bool``.
    """
    program, indents, grammar = positions.program, positions.indents, GRAMMARS.get(language)
    is_dead = np.zeros(len(program.words), np.bool_)
    if grammar is None:
        return is_dead
    ends = np.flatnonzero(program.words == END)
    stores = stores_in(program, indents, brackets, grammar)
    found, is_read = stores.statements, are_read(program, stores.mentions, ends)
    if grammar.names or grammar.in_strings:
        at = np.flatnonzero(~is_read)
        is_read[at] = _may_be_read_unseen(positions, text, stores.mentions[at], grammar)
    found = found.where(np.bincount(stores.owners, is_read, len(found.firsts)) == 0)
    if len(found.firsts):
        found = found.where(
            ~are_outside_of_functions(program.words, indents, found.firsts, language)
        )
        is_dead[expand_ranges(found.firsts, found.ends - found.firsts)] = True
    return is_dead


def are_read(
    program: Program, mentions: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which names are mentioned in their text elsewhere than here.

    Args:
        program: ``n`` symbols.
        mentions: ``(m,)`` indices of names, in any order.
        ends: Ends of the texts.

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
    """Return the other mentions of these names, and possibly a few of other names."""
    may_be = np.zeros(int(_BITS) + 1, np.bool_)
    may_be[program.lexemes[mentions] & _BITS] = True
    is_other = program.words == NAME
    is_other[mentions] = False
    names = np.flatnonzero(is_other)
    found: NDArray[np.int64] = names[may_be[program.lexemes[names] & _BITS]]
    return found


def _keys(
    program: Program, places: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Return 64-bit codes, equal for equal names in the same text."""
    return program.lexemes[places] ^ (np.searchsorted(ends, places).astype(np.uint64) * _OF_TEXT)


def _may_be_read_unseen(
    positions: PositionedSymbols, text: str, mentions: NDArray[np.int64], grammar: Grammar
) -> list[bool]:
    """Return which names occur in strings or may be read by other files."""
    if not len(mentions):
        return []
    words = positions.program.words
    texts, of_names = np.cumsum(words == END), re.compile(grammar.names or ".*")
    names = [text[positions.starts[at] : positions.stops[at]] for at in mentions.tolist()]
    in_strings = {
        (texts[at], word)
        for at in (np.flatnonzero(words == STRING).tolist() if grammar.in_strings else ())
        for word in _WORD.findall(text, positions.starts[at], positions.stops[at])
    }
    if grammar.in_strings:
        found = list(_BY_NAME.finditer(text))
        places = np.searchsorted(positions.starts, [each.start() for each in found])
        in_strings.update(zip(texts[places].tolist(), (each[1] for each in found), strict=True))
    return [
        not of_names.fullmatch(name) or (number, name.lstrip("$")) in in_strings
        for name, number in zip(names, texts[mentions].tolist(), strict=True)
    ]
