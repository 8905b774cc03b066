"""The front-ends: for code, for prose, for text that no lexer can read, and plug-ins."""

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pygments.lexer import Lexer

from mosslite.frontends.confusables import disguises_in
from mosslite.frontends.deadline import TooSlowError, within
from mosslite.frontends.normalization import normalized
from mosslite.frontends.stylistic_features import traces_of_code, traces_of_lines, traces_of_prose
from mosslite.frontends.symbols import code_of, kinds_of
from mosslite.frontends.text import END_OF_TEXT, Concatenation, Source, concatenated, source_of
from mosslite.frontends.token_properties import colours_of, vocabulary_of
from mosslite.frontends.tokens import Tokens, lex_all
from mosslite.languages import Language, lexer_class_of, plug_ins
from mosslite.languages.rows import row_of
from mosslite.ranges import covered
from mosslite.records import SYNTAX_CLASSES, Disguise, Reading, TokenKind, TokenStream, Traces

# The symbol of names, as in ``symbols``.
A_NAME: Final = "a name"
A_NUMBER: Final = "a number"
A_STRING: Final = "a string"


class Token(NamedTuple):
    """The range ``[start, stop)`` of a text, and its symbol.

    Attributes:
        symbol: Tokens with the same symbol are equal, such as all names; empty means their text.
    """

    start: int
    stop: int
    symbol: str = ""


def reading_of(text: str, tokens: Iterable[Token]) -> Reading:
    """Build a reading from tokens in text order; text outside of tokens is not compared."""
    source = Source(text, text, None, False)
    stream = _stream_of(source, tokens)
    none = np.zeros(0, np.int32)
    traces = Traces(none.astype(np.uint8), none.astype(np.uint64), none, none)
    return Reading(stream, traces, is_degraded=False)


def _stream_of(source: Source, tokens: Iterable[tuple[int, int, str]]) -> TokenStream:
    codes, lexemes, places = array("Q"), array("Q"), array("i")
    for start, stop, symbol in tokens:
        lexeme = code_of(source.text[start:stop])
        codes.append(code_of(symbol) if symbol else lexeme)
        lexemes.append(lexeme)
        places.extend((start, stop))
    starts, stops = np.array(places, np.int32).reshape(-1, 2).T
    column = np.array(codes, np.uint64)
    kinds = kinds_of(column)
    return source.placed(TokenStream(column, np.array(lexemes, np.uint64), kinds, starts, stops))


def read_code(
    texts: Sequence[str], language: Language, seconds: float | None = None
) -> list[Reading]:
    """Tokenize texts with the language's lexer; ``symbols`` defines which tokens are equal.

    The result for a text does not depend on the others.

    Raises:
        Exception: Whatever the lexer raises; ``TooSlowError`` if it takes longer than ``seconds``.
    """
    row = row_of(language.name)
    options = {"takes_escapes": row.has_escapes, "joins_lines": row.joins_lines}
    concatenation = concatenated([source_of(text, **options) for text in texts])
    lexers = ((_new_lexer(language), source.text) for source in concatenation.sources)
    with vocabulary_of(language) as vocabulary:
        tokens = lex_all(lexers, vocabulary.numbers, end=END_OF_TEXT, seconds=seconds)
        classes, of_string, of_code = vocabulary.learn().T
        is_string, is_code = (of_string == 1)[tokens.numbers], (of_code == 1)[tokens.numbers]
        is_comment = (classes == SYNTAX_CLASSES.index("comment"))[tokens.numbers]
        symbols = normalized(concatenation, tokens, vocabulary.pieces, language)
        traces = traces_of_code(concatenation, tokens, vocabulary.items, is_string, is_comment)
    streams = concatenation.split(concatenation.whole.placed(symbols), symbols.starts)
    disguises = _disguises(concatenation, tokens, is_code)
    colours = colours_of(concatenation, tokens, classes)
    return [
        Reading(stream, features, is_degraded=False, disguises=disguised, colours=colour)
        for stream, features, disguised, colour in zip(
            streams, traces, disguises, colours, strict=True
        )
    ]


def _new_lexer(language: Language) -> Lexer:
    """Return a new lexer, as some lexers keep state of earlier texts in their class."""
    kind = lexer_class_of(language)
    lexer = kind()
    for name, container in _memory_of(kind):
        setattr(lexer, name, container())
    return lexer


@cache  # computed before the class has read a text
def _memory_of(kind: type[Lexer]) -> list[tuple[str, type]]:
    members = [member for each in reversed(kind.__mro__) for member in vars(each).items()]
    return [(name, type(v)) for name, v in members if isinstance(v, (dict, list, set)) and not v]


def _disguises(
    concatenation: Concatenation, tokens: Tokens, is_code: NDArray[np.bool_]
) -> Iterator[tuple[Disguise, ...]]:
    size = len(concatenation.whole.text) if concatenation.whole.is_odd else 0
    code = covered(tokens.starts[is_code], tokens.stops[is_code], size) if size else is_code[:0]
    bounds = pairwise(concatenation.starts.tolist())
    for source, (first, stop) in zip(concatenation.sources, bounds, strict=True):
        yield disguises_in(source, code[first:stop])


def _read_plugged_in(text: str, language: Language) -> Reading:
    """Read a text with a plug-in.

    Raises:
        TypeError: The result is not a reading.
        ValueError: It does not fit the text.
        Exception: Whatever the front-end raises.
    """
    reading = plug_ins()[language.name].read(text)
    if not isinstance(reading, Reading):
        raise TypeError(f"a front-end returned {type(reading).__name__}, not a Reading")
    stream, traces = reading.stream, reading.traces
    _require_ranges(len(text), stream.starts, stream.stops)
    _require_ranges(len(text), traces.starts, traces.stops)
    sizes = {len(each) for each in (stream.starts, stream.lexemes, stream.kinds)}
    of_traces = {len(each) for each in (traces.starts, traces.kinds)}
    if sizes != {len(stream)} or of_traces != {len(traces)}:
        raise ValueError("a front-end returned columns of different lengths")
    return reading


def _require_ranges(size: int, starts: NDArray[np.int32], stops: NDArray[np.int32]) -> None:
    is_right = len(starts) == len(stops) and bool(
        np.all((starts >= 0) & (starts <= stops) & (stops <= size)) and np.all(np.diff(starts) >= 0)
    )
    if not is_right:
        raise ValueError("a front-end returned positions that are unsorted or outside the text")


def tokenize(text: str, language: Language, seconds: float | None = None) -> Reading:
    """Read a text as its language; a lexer that takes too long is replaced by the plain tokenizer.

    A lexer that hangs within one token is interrupted only in the main thread, on Unix.

    Args:
        text: The decoded text.
        language: The language to read it as.
        seconds: Limit of CPU time; None means no limit.
    """
    try:
        return tokenize_all([(text, language)], seconds)[0]
    except TooSlowError:
        return degraded(text)


def tokenize_all(
    sources: Sequence[tuple[str, Language]], seconds: float | None = None
) -> list[Reading]:
    """Read texts like ``tokenize``, consecutive ones of a language together, which is faster.

    Args:
        sources: Texts and their languages.
        seconds: Time limit for consecutive texts of a language, as for one text.

    Raises:
        TooSlowError: It takes longer.
    """
    readings: list[Reading] = []
    for language, some in groupby(sources, key=itemgetter(1)):
        readings += _read([text for text, _ in some], language, seconds)
    return readings


def _read(texts: Sequence[str], language: Language, seconds: float | None) -> list[Reading]:
    if language.is_prose:
        return [
            _without_lexer(text, read_prose, traces_of_prose, is_degraded=False) for text in texts
        ]
    try:
        if language.is_plugged_in:
            return within(lambda: [_read_plugged_in(text, language) for text in texts], seconds)
        return within(lambda: read_code(texts, language, seconds), seconds)
    except TooSlowError:
        raise
    except Exception:  # noqa: BLE001 - lexers and plug-ins are third-party code on hostile text
        if len(texts) == 1:
            return list(map(degraded, texts))
        return [reading for text in texts for reading in _read([text], language, seconds)]


# Strings are within one line.
_TOKEN: Final = re.compile(
    r"""(?P<string>"[^"\n]*+"|'[^'\n]*+') | (?P<number>\d\w*+) | (?P<name>\w++) | \S""", re.VERBOSE
)
_SYMBOLS: Final = {"string": A_STRING, "number": A_NUMBER, "name": A_NAME}


def read_plain(source: Source) -> TokenStream:
    """Split any text into tokens of the same kinds as code, independent of its language."""
    found = _TOKEN.finditer(source.text)
    return _stream_of(
        source, ((*each.span(), _SYMBOLS.get(each.lastgroup or "", "")) for each in found)
    )


def read_prose(source: Source) -> TokenStream:
    """Return a token for each letter and digit; a ligature yields one for each of its letters."""
    characters = np.frombuffer(source.text.encode("utf-32-le", "surrogatepass"), np.uint32)
    alphabet, letters = np.unique(characters, return_inverse=True)
    codes = [_codes_of_character(chr(character)) for character in alphabet.tolist()]
    counts = np.array([len(folded) for folded in codes], np.int64)
    firsts = np.cumsum(counts) - counts
    starts = np.repeat(np.arange(len(characters)), counts[letters])
    ends = np.cumsum(counts[letters])
    within = np.arange(len(starts)) - np.repeat(ends - counts[letters], counts[letters])
    flat = np.array([code for folded in codes for code in folded], np.uint64)
    column = flat[firsts[letters[starts]] + within]
    kinds = np.full(len(column), TokenKind.CONTENT, np.uint8)
    places = starts.astype(np.int32)
    return source.placed(TokenStream(column, column, kinds, places, places + 1))


@cache
def _codes_of_character(character: str) -> tuple[int, ...]:
    # Upper-casing first, as otherwise the Turkish dotless i would differ from its own capital.
    folded = unicodedata.normalize("NFKD", character).upper().casefold()
    letters = [letter for letter in folded if letter.isalnum()]
    # A phrase can be one character of 18 letters: no file has more letters than bytes.
    most = len(character.encode("utf-8", "surrogatepass"))
    return tuple(code_of("letter " + letter) for letter in letters[:most])


def degraded(text: str) -> Reading:
    """Read a text with the plain tokenizer, for a lexer that failed or took too long."""
    return _without_lexer(text, read_plain, traces_of_lines, is_degraded=True)


def _without_lexer(
    text: str,
    read: Callable[[Source], TokenStream],
    traces_of: Callable[[Source], Traces],
    *,
    is_degraded: bool,
) -> Reading:
    source = source_of(text)
    disguises = disguises_in(source, None)
    return Reading(read(source), traces_of(source), is_degraded=is_degraded, disguises=disguises)
