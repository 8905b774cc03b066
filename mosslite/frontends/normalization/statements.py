"""Finds lines and blocks, and the imports that a copier can change freely."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends import symbols
from mosslite.frontends.normalization.program import (
    CONTINUATION,
    END,
    IMPORT,
    NAME,
    NUMBER,
    STEP,
    STRING,
    Program,
    program_of,
)
from mosslite.frontends.symbols import symbol_id_of, symbol_set
from mosslite.frontends.token_properties import GatheredProperties

# Words that start an import, for lexers that do not distinguish these from other keywords.
_IMPORT_WORDS = {
    "cpp": "using",
    "csharp": "using",
    "d": "import",
    "dart": "import",
    "delphi": "uses",
    "fortran": "use",
    "fortranfixed": "use",
    "fsharp": "open",
    "haskell": "import",
    "javascript": "import",
    "julia": "import using",
    "kotlin": "import package",
    "modula2": "FROM IMPORT",
    "ocaml": "open",
    "php": "use",
    "rust": "use",
    "scala": "import",
    "sml": "open",
    "swift": "import",
    "vb.net": "imports",
    "vhdl": "library use",
}

_OPEN, _CLOSE, _BEFORE_STATEMENT = map(symbol_set, ("( [ {", ") ] }", "; : { }"))
_EQUALS, _LESS, _MINUS, _SEMICOLON = map(symbol_id_of, "=<-;")
_STEPS = symbol_set("+ -")
_WITH_ARROWS = frozenset(
    ["elixir", "erlang", "fsharp", "go", "haskell", "ocaml", "purescript", "scala", "splus"]
)
# A line is continued if it ends with one of the first, or the next starts with one of the others.
_BEFORE_REST = symbol_set(
    ". , : FROM IMPORT import imports library namespace open package static use uses using",
    symbols.IMPORT,
)
_BEGIN_OF_REST = symbol_set(". , : IMPORT")
# After the word, these show that it is not an import.
_NO_IMPORT = [[symbol_id_of("(")], [symbol_id_of(":")]]


class _Tokens(NamedTuple):
    """Symbol ids of files, nesting depth of each, and whether it ends the previous line."""

    words: list[int]
    depths: list[int]
    ends_line: list[bool]


def free_in(program: Program, indents: NDArray[np.int64], language: str) -> NDArray[np.bool_]:
    """Mark what can be added, dropped or changed freely.

    These are import statements and, in Python, strings as statements.

    Args:
        program: ``n`` symbols.
        indents: ``(n,)``, indentation of the line that a symbol starts, else -1, also for
            continuation lines.
        language: Its canonical name.

    Returns:
        ``(n,) bool``.
    """
    words, begins_line = program.words, indents >= 0
    imports = _imports_at(words, begins_line, language)
    is_python = language == "python"
    if not len(imports) and not is_python:
        return np.zeros(len(words), np.bool_)
    depths = depths_of(words)
    ends_line = begins_line & ~_CLOSE[words]  # ``)`` belongs to the line of its ``(``
    tokens = _Tokens(words.tolist(), depths.tolist(), ends_line.tolist())
    is_free = _imports(tokens, imports, goes_on=not is_python)
    if is_python:
        is_free |= _lone_strings(words, begins_line, depths == 0)
    return is_free


def _imports_at(
    words: NDArray[np.int64], begins_line: NDArray[np.bool_], language: str
) -> NDArray[np.int64]:
    """Return the positions of statements that start with a word of imports."""
    at = np.flatnonzero(_import_words(language)[words])
    return at[begins_line[at] | _BEFORE_STATEMENT[words[at - 1]]]


@cache
def _import_words(language: str) -> NDArray[np.bool_]:
    return symbol_set(_IMPORT_WORDS.get(language, ""), symbols.IMPORT)


def _imports(tokens: _Tokens, imports: NDArray[np.int64], *, goes_on: bool) -> NDArray[np.bool_]:
    """Mark import statements: up to a semicolon, or to the end of a line outside brackets.

    Python's are continued in brackets only, in other languages by symbols that continue a line.
    """
    is_import, stop = np.zeros(len(tokens.words), np.bool_), 0
    for first in imports.tolist():
        if first >= stop:
            stop = _end(tokens, first, _SEMICOLON)
            while goes_on and _goes_on(tokens, first, stop):
                stop = _end(tokens, stop, _SEMICOLON)
            stop += tokens.words[stop : stop + 1] == [_SEMICOLON]
            is_import[first:stop] = _is_import(tokens, first, stop)
    return is_import


def _goes_on(tokens: _Tokens, first: int, at: int) -> bool:
    """Return whether a line continues an import."""
    if at == len(tokens.words):
        return False
    is_on = _BEFORE_REST[tokens.words[at - 1]] or _BEGIN_OF_REST[tokens.words[at]]
    return bool(is_on) and tokens.ends_line[at] and tokens.depths[at] == tokens.depths[first]


def _lone_strings(
    words: NDArray[np.int64], begins_line: NDArray[np.bool_], is_outside: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mark strings that are a whole line outside brackets, as docstrings in Python are."""
    is_lone: NDArray[np.bool_] = begins_line & (words == STRING) & is_outside
    is_lone[:-1] &= begins_line[1:]
    return is_lone


def _is_import(tokens: _Tokens, first: int, stop: int) -> bool:
    """Return whether this is an import, not ``using (a)``, ``using a = b`` or ``{import: 1}``."""
    words, depths = tokens.words, tokens.depths
    is_given = any(
        words[index] == _EQUALS and depths[index] == depths[first] for index in range(first, stop)
    )
    is_list = words[first] == IMPORT  # as in Go's ``import ("fmt")``
    return not is_given and (is_list or words[first + 1 : first + 2] not in _NO_IMPORT)


def _end(tokens: _Tokens, start: int, sign: int) -> int:
    """Find the first ``sign``, semicolon or new line outside of brackets after ``start``."""
    words, depths, ends_line = tokens
    for index in range(start + 1, len(words)):
        is_outside = depths[index] == depths[start] and (words[index] == sign or ends_line[index])
        if is_outside or depths[index] < depths[start] or words[index] == _SEMICOLON:
            return index
    return len(words)


def depths_of(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the brackets open around each token; unmatched brackets are ignored."""
    is_open, is_close, is_end = _OPEN[words], _CLOSE[words], words == END
    levels = np.cumsum(is_open.astype(np.int64) - is_close)
    if (levels < 0).any() or levels[is_end].any() or levels[-1:].any():
        return _depths_of_partners(is_open, is_close, is_end)
    depths: NDArray[np.int64] = levels - is_open
    return depths


def begins_lines(words: NDArray[np.int64], indents: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the first symbols of lines outside of brackets; ``)`` belongs to the line of its ``(``.

    Args:
        words: ``(n,)``, symbol ids.
        indents: ``(n,)``, indentation of the line that a symbol starts, else -1.
    """
    begins: NDArray[np.bool_] = (indents >= 0) & (depths_of(words) == 0) & ~_CLOSE[words]
    return begins


def _depths_of_partners(
    is_open: NDArray[np.bool_], is_close: NDArray[np.bool_], is_end: NDArray[np.bool_]
) -> NDArray[np.int64]:
    opened: list[int] = []
    steps = np.zeros(len(is_open) + 1, np.int64)
    for index in np.flatnonzero(is_open | is_close | is_end).tolist():
        if is_open[index]:
            opened.append(index)
        elif is_end[index]:
            opened.clear()
        elif opened:
            steps[opened.pop() + 1] += 1
            steps[index] -= 1
    return np.cumsum(steps[:-1])


class PositionedSymbols(NamedTuple):
    """Symbols with their positions; all columns are ``(n,) int64``.

    Attributes:
        program: ``n`` symbols, in their original order.
        starts: First character of each.
        stops: One past the last character of each.
        indents: Indentation of the line that a symbol starts, -1 for symbols that start none; 0
            for ``END``.
    """

    program: Program
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    indents: NDArray[np.int64]


# Strings next to each other are one, also on the next line or in brackets there, and on one line.
_JOINS_LINES = frozenset({"arduino", "awk", "c", "cpp", "cuda", "d", "objective-c"})
_JOINS_IN_BRACKETS = frozenset({"cython", "python", "python2"})
# Their lexers read names by letters and digits.
_LETTER_BY_LETTER = frozenset({"fan", "foxpro", "idl", "praat", "rsl", "stata", "x10"})
_JOINS_ON_LINE = _JOINS_LINES | _JOINS_IN_BRACKETS | {"ruby"}


def positioned(
    pieces: GatheredProperties, line_starts: NDArray[np.int64], language: str
) -> PositionedSymbols:
    """Assemble positioned symbols from pieces.

    Line ends that end no line are removed. The quotes, text and escapes of a string become one
    symbol, and so do strings that the language joins.

    Args:
        pieces: Symbols of a text.
        line_starts: ``(m,) int64``, first character of each line.
        language: Its canonical name.
    """
    program, line_starts = _whole_lines(program_of(pieces), pieces, line_starts)
    goes_on = np.append(_joined(program, pieces, line_starts, language), False)
    firsts, lasts = program.places[~goes_on[:-1]], program.places[~goes_on[1:]]
    starts = pieces.starts[firsts]
    stops = pieces.starts[lasts] + pieces.rows["length"][lasts]
    program = program.joined(goes_on[:-1])._replace(places=np.arange(len(firsts)))
    program = program._replace(words=_with_steps(program.words, starts, stops, language))
    return PositionedSymbols(
        program=program,
        starts=starts,
        stops=stops,
        indents=np.where(program.words == END, 0, _indents(starts, line_starts)),
    )


def _joined(
    program: Program, pieces: GatheredProperties, line_starts: NDArray[np.int64], language: str
) -> NDArray[np.bool_]:
    """Mark strings, and parts of strings or names, that are one with what is before them."""
    words, places = program.words, program.places
    is_string, is_name = words == STRING, words == NAME
    if language in _LETTER_BY_LETTER:
        is_name |= words == NUMBER
    goes_on = np.zeros(len(words), np.bool_)
    goes_on[1:] = (is_string[1:] & is_string[:-1]) | (is_name[1:] & is_name[:-1])
    rows = np.flatnonzero(goes_on)
    starts = pieces.starts[places]
    stops = pieces.starts[places[rows - 1]] + pieces.rows["length"][places[rows - 1]]
    goes_on[rows] = starts[rows] == stops
    rows = rows[~goes_on[rows] & is_string[rows]]
    if language in _JOINS_ON_LINE and len(rows):
        begins = _indents(starts, line_starts)[rows] >= 0
        is_within = depths_of(words)[rows] > 0
        is_joined = language in _JOINS_LINES or (is_within & (language in _JOINS_IN_BRACKETS))
        goes_on[rows] = ~begins | is_joined
    return goes_on


def _with_steps(
    words: NDArray[np.int64], starts: NDArray[np.int64], stops: NDArray[np.int64], language: str
) -> NDArray[np.int64]:
    """Replace every second sign of ``++`` and ``--``, from the left as in ``a+++b``.

    Likewise that of an arrow: ``a<-b`` is not ``a < -b``.
    """
    touches = np.zeros(len(words), np.bool_)
    touches[1:] = starts[1:] == stops[:-1]
    goes_on = touches & _STEPS[words]
    goes_on[1:] &= words[1:] == words[:-1]
    places = np.arange(len(words))
    run_starts = np.maximum.accumulate(np.where(goes_on, 0, places))
    is_step = (places - run_starts) % 2 == 1
    if language in _WITH_ARROWS:
        is_step[1:] |= touches[1:] & (words[:-1] == _LESS) & (words[1:] == _MINUS)
    return np.where(is_step, STEP, words)


def _whole_lines(
    program: Program, pieces: GatheredProperties, line_starts: NDArray[np.int64]
) -> tuple[Program, NDArray[np.int64]]:
    """Remove line ends that end no line, together with the line starts after them."""
    goes_on = program.words == CONTINUATION
    if not goes_on.any():
        return program, line_starts
    no_begins = pieces.starts[goes_on] + len("\\\n")
    return program.where(~goes_on), np.setdiff1d(line_starts, no_begins)


def _indents(starts: NDArray[np.int64], line_starts: NDArray[np.int64]) -> NDArray[np.int64]:
    indents = np.full(len(starts) + 1, -1)
    firsts = np.searchsorted(starts, line_starts)
    # Empty lines above a symbol have the same first symbol: the last of these lines counts.
    indents[firsts] = np.append(starts, 0)[firsts] - line_starts
    return indents[:-1]
