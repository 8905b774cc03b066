"""Finds functions that are never called, judging by names."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.frontends.normalization.program import NAME
from mosslite.frontends.normalization.statements import JOINED, depths_of
from mosslite.frontends.symbols import symbol_id_of, symbol_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.frontends.normalization.statements import PositionedSymbols
    from mosslite.frontends.text import Concatenation
    from mosslite.languages import Language

__all__ = [
    "Words",
    "reached_of",
    "unreached_in",
]


# With fewer reachable tokens than this, the entry point of the program is unknown.
_ENOUGH = 100


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Symbols between parameters and body: ``const``, ``throws A, B``, ``-> Vec<u8>``, ``(int, error)``.
_MOST_BETWEEN = 16
_DEFINING = _words("fn fun func function")
_OTHER = _words(
    "case catch class def do else elif enum for foreach if impl import in interface let match new "
    "package return struct switch trait until var when while with"
)
_NOT_BETWEEN = _OTHER | _DEFINING | _words("; ) = }")
_NO_DEFINITION_BEHIND = _OTHER | {"."}
_CLOSING = {")": "(", "]": "[", "}": "{"}
_BRACKETS = symbol_set("( [ { ) ] }")
_PAREN = symbol_id_of("(")

# Methods in such a body are called from outside: by a base class, a trait or an interface.
_BASED = _words("extends implements impl new")
_MAY_BE_BASED = symbol_set("extends implements impl new")
_NOT_IN_HEAD = _words("; = } )")
_LONGEST_HEAD = 64

_STARTS = _words("main Main")
# Functions called implicitly by languages, in addition to all names with two leading underscores.
_IMPLICIT = _words(
    "accept add apply call close compare compareTo CompareTo dispose Dispose drop equals Equals "
    "Error finalize get GetHashCode hasNext hashCode init iterator Len Less next run String Swap "
    "toString ToString"
)


@dataclass(frozen=True, eq=False)
class Words:
    """The symbols of concatenated texts, with indices computed once on demand.

    Attributes:
        texts: ``n`` symbols as written.
        written: ``(n,) int64``, symbol ids of the lexemes.
        is_name: ``(n,) bool``.
        indents: Indentation of the first token of each line outside brackets, else -1.
        decorated: Tokens whose line follows one that starts with ``@``.
    """

    texts: Sequence[str]
    written: NDArray[np.int64]
    is_name: NDArray[np.bool_]
    indents: NDArray[np.int64]
    decorated: frozenset[int] = frozenset()

    @cached_property
    def names(self) -> list[int]:
        """Indices of names."""
        return np.flatnonzero(self.is_name).tolist()

    @cached_property
    def brackets(self) -> list[int]:
        """Indices of brackets."""
        return np.flatnonzero(_BRACKETS[self.written]).tolist()

    @cached_property
    def heads(self) -> list[int]:
        """Indices of possible function names, and of symbols that give a class a base."""
        is_named = np.append(self.is_name[:-1] & (self.written[1:] == _PAREN), False)
        return np.flatnonzero(is_named | _MAY_BE_BASED[self.written]).tolist()

    @cached_property
    def lines(self) -> list[int]:
        """Indices of symbols that start a line."""
        return np.flatnonzero(self.indents >= 0).tolist()


class _Function(NamedTuple):
    name: str
    first: int
    stop: int

    @property
    def rows(self) -> slice:
        """Range of all symbols; empty if the text is cut off."""
        return slice(self.first, max(self.stop, self.first))


def _can_tell(text: str, *, is_python: bool) -> bool:
    """Return by a quick test whether any function may be unreachable."""
    return any(word in text for word in ({"def"} if is_python else _STARTS))


def unreached_in(words: Words, rows: slice, *, is_python: bool) -> list[slice]:
    """Find the functions of a text that are not called in it.

    Args:
        words: Symbols of this text, and possibly of others.
        rows: Range of this text's symbols.
        is_python: Blocks end by indentation, not by a brace.

    Returns:
        Ranges of their symbols; empty if the program has no recognizable entry point.
    """
    partners = _partners(words, rows)
    functions = list(
        _python_functions(words, rows) if is_python else _braced_functions(words, rows, partners)
    )
    names = {each.name for each in functions}
    if not functions or (not names & _STARTS and not is_python):
        return []
    uses, outside = _uses(words, rows, functions, partners)
    if not names & _STARTS and not outside:
        return []
    implicit = {name for name in names if name in _IMPLICIT or name.startswith("__")}
    called = _called(functions, uses, outside | implicit | (names & _STARTS))
    dead = [each.rows for each in functions if each.name not in called]
    reached = rows.stop - rows.start - sum(each.stop - each.start for each in dead)
    return dead if reached >= _ENOUGH else []


def _called(functions: Sequence[_Function], uses: Sequence[set[str]], start: set[str]) -> set[str]:
    """Return the functions reachable by name from the start of the program."""
    by_name: dict[str, set[str]] = {}
    for function, used in zip(functions, uses, strict=True):
        by_name.setdefault(function.name, set()).update(used)
    called: set[str] = set()
    waiting = sorted(start)
    while waiting:
        name = waiting.pop()
        if name not in called:
            called.add(name)
            waiting.extend(by_name.get(name, ()))
    return called


def _uses(
    words: Words, rows: slice, functions: Sequence[_Function], partners: dict[int, int]
) -> tuple[list[set[str]], set[str]]:
    """Return the functions named in each function, and those named outside of all functions."""
    texts, names = words.texts, {function.name for function in functions}
    firsts = [function.first for function in functions]
    uses: list[set[str]] = [set() for _ in functions]
    outside, definitions = set[str](), set(firsts)
    named = [index for index in _within(words.names, rows) if texts[index] in names]
    for index in [index for index in named if index not in definitions]:
        nth = bisect_right(firsts, index) - 1
        if nth >= 0 and index < functions[nth].stop:
            uses[nth].add(texts[index])
        elif not _is_prototype(words, partners, index):
            outside.add(texts[index])
    return uses, outside


def _within(places: list[int], rows: slice) -> list[int]:
    """Return those of ascending indices that are in a range."""
    return places[bisect_left(places, rows.start) : bisect_left(places, rows.stop)]


def _is_prototype(words: Words, partners: dict[int, int], index: int) -> bool:
    """Return whether this is ``int name(int x);``, not a call: a type's name precedes it."""
    texts = words.texts
    if index == 0 or texts[index + 1 : index + 2] != ["("] or index + 1 not in partners:
        return False
    behind = partners[index + 1] + 1
    is_typed = bool(words.is_name[index - 1]) or texts[index - 1] in {"*", "&"}
    return is_typed and texts[behind : behind + 1] == [";"]


def _braced_functions(words: Words, rows: slice, partners: dict[int, int]) -> Iterator[_Function]:
    """Find top-level ``name (...) ... {...}``, except in a class that has a base."""
    texts, stop = words.texts, rows.start
    for index in _within(words.heads, rows):
        if index >= stop and texts[index] in _BASED:
            stop = partners.get(_head_end(texts, index), stop)
        before = texts[max(index - 3, rows.start) : index]
        if index >= stop and words.is_name[index] and _can_define(before):
            body = _body(texts, partners, index + 1)
            if body in partners:
                stop = partners[body] + 1
                yield _Function(texts[index], index, stop)


def _can_define(before: Sequence[str]) -> bool:
    """Return by the three symbols before a name whether it may be that of a definition."""
    third, second, last = ["", "", "", *before][-3:]
    if last == ":":
        return second == ":"
    if last == ">":
        return second != "-"
    return last not in _NO_DEFINITION_BEHIND or third == "fun"


def _head_end(texts: Sequence[str], start: int) -> int:
    """Return the opening brace of the body whose head starts here; -1 if there is none."""
    depth = 0
    for index in range(start, min(start + _LONGEST_HEAD, len(texts))):
        depth += (texts[index] == "(") - (texts[index] == ")")
        if texts[index] == "{":
            return index if texts[start] != "impl" or "for" in texts[start:index] else -1
        if texts[index] in _NOT_IN_HEAD and (texts[index] != ")" or depth < 0):
            break
    return -1


def _body(texts: Sequence[str], partners: dict[int, int], paren: int) -> int:
    """Return the start of the body of a function with parameters from here; -1 if there is none."""
    if texts[paren : paren + 1] != ["("] or paren not in partners:
        return -1
    index = behind = partners[paren] + 1
    while index < min(behind + _MOST_BETWEEN, len(texts)):
        if texts[index] == "{":
            return index
        if texts[index] in _NOT_BETWEEN:
            break
        index = partners.get(index, index) + 1
    return -1


def _partners(words: Words, rows: slice) -> dict[int, int]:
    """Return the closing bracket of each opening bracket in a text."""
    texts, partners, opened = words.texts, dict[int, int](), list[int]()
    for index in _within(words.brackets, rows):
        if texts[index] not in _CLOSING:
            opened.append(index)
        elif opened and texts[opened[-1]] == _CLOSING[texts[index]]:
            partners[opened.pop()] = index
    return partners


def _python_functions(words: Words, rows: slice) -> Iterator[_Function]:
    """Find top-level ``def``, except in a class that has a base and below decorators."""
    texts, stop = words.texts, rows.start
    lines = _within(words.lines, rows)
    indents = words.indents[lines].tolist()
    ends = [*lines, rows.stop]
    for line, index in enumerate(lines):
        if index < stop:
            continue
        if texts[index] == "class" and texts[index + 2 : index + 3] == ["("]:
            stop = ends[_end_of_block(indents, line)]
        name = index + 1 + (texts[index] == "async")
        is_definition = name < rows.stop and texts[name - 1] == "def"
        if is_definition and index >= stop and index not in words.decorated:
            stop = ends[_end_of_block(indents, line)]
            yield _Function(texts[name], name, stop)


def _end_of_block(indents: Sequence[int], first: int) -> int:
    """Return the first line that is indented no deeper than this one."""
    behind = range(first + 1, len(indents))
    return next((line for line in behind if indents[line] <= indents[first]), len(indents))


_MAY_DEFINE = symbol_set("def async")


def reached_of(
    concatenation: Concatenation,
    positions: PositionedSymbols,
    names: Sequence[str],
    language: Language,
) -> NDArray[np.bool_]:
    """Mark the symbols outside of functions that are never called, judging by names.

    Args:
        concatenation: The texts, each a program of its own.
        positions: Their ``n`` symbols.
        names: Text of each row in the table of pieces, without qualifiers.
        language: Language of the texts.

    Returns:
        ``(n,) bool``.
    """
    is_python = language.name == "python"
    is_reached = np.ones(len(positions.starts), np.bool_)
    asked = [_can_tell(source.text, is_python=is_python) for source in concatenation.sources]
    if any(asked):
        words = _words_of(concatenation.whole.text, positions, names, is_python=is_python)
        for rows in compress(_rows_of_each(concatenation, positions), asked):
            for unreached in unreached_in(words, rows, is_python=is_python):
                is_reached[unreached] = False
    return is_reached


def _rows_of_each(concatenation: Concatenation, positions: PositionedSymbols) -> Iterator[slice]:
    """Yield the range of each text's symbols, without its ``END``."""
    firsts = np.searchsorted(positions.starts, concatenation.starts[:-1])
    stops = np.searchsorted(positions.starts, concatenation.stops)
    return map(slice, firsts.tolist(), stops.tolist())


def _texts(text: str, positions: PositionedSymbols, of_rows: Sequence[str]) -> list[str]:
    """Return the symbols as written, names without qualifiers."""
    texts = list(map(of_rows.__getitem__, positions.numbers.tolist()))
    for at in np.flatnonzero(positions.numbers == JOINED).tolist():
        texts[at] = text[positions.starts[at] : positions.stops[at]].rpartition("::")[2]
    return texts


def _words_of(
    text: str, positions: PositionedSymbols, names: Sequence[str], *, is_python: bool
) -> Words:
    program, indents, decorated = positions.program, positions.indents, frozenset[int]()
    if is_python:
        may_define = (indents >= 0) & _MAY_DEFINE[program.written]
        begins = np.flatnonzero(may_define).tolist()
        decorated = frozenset(at for at in begins if _is_decorated(text, int(positions.starts[at])))
        indents = np.where(depths_of(program.words) == 0, indents, -1)
    texts = _texts(text, positions, names)
    return Words(texts, program.written, program.words == NAME, indents, decorated)


def _is_decorated(text: str, start: int) -> bool:
    """Return whether the line above that of a token is a decorator."""
    line = text.rfind("\n", 0, start)
    return text[text.rfind("\n", 0, max(line, 0)) + 1 : max(line, 0)].lstrip()[:1] == "@"
