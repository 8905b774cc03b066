"""The tokens of texts in columns."""

import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pygments.lexer import Lexer
from pygments.token import Token as _AnyToken
from pygments.token import _TokenType

from mosslite.frontends.deadline import deadline_in, watched

Token = tuple[int, _TokenType, str]
"""Its offset, its type and its text."""
_Distinct = tuple[_TokenType, str]

GAP: Final = _AnyToken.Gap
"""The type of characters that a lexer makes nothing of."""

END: Final = _AnyToken.End
"""The type of the separator after each text when several are read together."""


class TokenInterner(dict[_TokenType, "_Values"]):
    """Ids of distinct tokens by type and text, in order of appearance.

    Attributes:
        distinct: Types and texts, by id.
        texts: The texts, by id.
        lengths: Their lengths, in 8 bytes each.
        characters: Total length of the texts.
    """

    def __init__(self) -> None:
        super().__init__()
        self.distinct: list[_Distinct] = []
        self.texts: list[str] = []
        self.lengths = array("q")
        self.characters = 0

    def __missing__(self, kind: _TokenType) -> "_Values":
        values = self[kind] = _Values(kind, self)
        return values

    def new(self, kind: _TokenType, value: str) -> int:
        """Return a new id for a token."""
        self.distinct.append((kind, value))
        self.texts.append(value)
        self.lengths.append(len(value))
        self.characters += len(value)
        return len(self.texts) - 1


class _Values(dict[str, int]):
    """The ids of the tokens of one type."""

    def __init__(self, kind: _TokenType, numbers: TokenInterner) -> None:
        super().__init__()
        self._kind = kind
        self._numbers = numbers

    def __missing__(self, value: str) -> int:
        number = self[value] = self._numbers.new(self._kind, value)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens of texts, in order, without gap or overlap.

    Attributes:
        distinct: Distinct types and texts; may include some that do not occur.
        numbers: ``(n,) int64``, index in ``distinct`` of each token.
        starts: ``(n,) int64``, first character of each token.
        lengths: ``(m,) int64``, lengths of the distinct texts.
    """

    distinct: Sequence[_Distinct]
    numbers: NDArray[np.int64]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    def __iter__(self) -> Iterator[Token]:
        """Yield each token as lexers do."""
        for number, start in zip(self.numbers.tolist(), self.starts.tolist(), strict=True):
            kind, value = self.distinct[number]
            if kind is not GAP:
                yield start, kind, value

    @property
    def stops(self) -> NDArray[np.int64]:
        """One past the last character of each token, ``(n,) int64``."""
        return self.starts + self.lengths[self.numbers]


class PackedRows:
    """Any number of packed rows for each of several distinct tokens, added by their ids."""

    def __init__(self, row: np.dtype[np.void]) -> None:
        self._row = row
        self._packed, self._counts = bytearray(), array("q")

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._packed) // self._row.itemsize

    def add(self, packed: Iterable[bytes]) -> None:
        """Add the rows of a token."""
        before = len(self)
        self._packed += b"".join(packed)
        self._counts.append(len(self) - before)

    def gathered(self, tokens: Tokens) -> tuple[NDArray[np.void], NDArray[np.int64]]:
        """Return the rows of all tokens of a text, in order, and where each starts."""
        of_distinct = np.array(self._counts)
        counts = of_distinct[tokens.numbers]
        holders = np.flatnonzero(counts)
        counts = counts[holders]
        firsts = (np.cumsum(of_distinct) - of_distinct)[tokens.numbers[holders]]
        # The rows of a token are adjacent both in the table and in the result.
        shifts = firsts - (np.cumsum(counts) - counts)
        numbers = np.arange(counts.sum()) + np.repeat(shifts, counts)
        table = np.frombuffer(bytes(self._packed), self._row)
        rows = table.take(numbers)  # faster than indexing for rows of several fields
        starts = np.repeat(tokens.starts[holders], counts) + rows["offset"]
        return rows, starts


def lex(lexer: Lexer, source: str) -> Tokens:
    """Return a lexer's tokens with their true offsets.

    Raises:
        Exception: Whatever the lexer raises.
    """
    return lex_all([(lexer, source)], TokenInterner())


def lex_all(
    sources: Iterable[tuple[Lexer, str]],
    numbers: TokenInterner,
    *,
    end: str = "",
    seconds: float | None = None,
) -> Tokens:
    """Return the tokens of texts, concatenated.

    The offsets of lexers that combine others may be wrong, but the texts of their tokens follow
    each other without a gap. A token that starts neither at the end of the previous one nor where
    the lexer says is invented or repeated, and is dropped.

    Args:
        sources: Texts, each with a lexer.
        numbers: Ids of tokens seen before; new ones are added.
        end: The text of a token of type ``END`` after each of them; no such token if empty.
        seconds: Time limit of the lexers for all texts together; None means no limit.

    Raises:
        Exception: Whatever a lexer raises; ``TooSlowError`` if they take longer.
    """
    found, deadline = list[int](), deadline_in(seconds)
    for lexer, source in sources:
        found += _numbers_of(lexer, source, numbers, deadline)
        if end:
            found.append(numbers[END][end])
    column, lengths = np.array(found, np.int64), np.array(numbers.lengths, np.int64)
    of_each = lengths[column]
    return Tokens(numbers.distinct, column, np.cumsum(of_each) - of_each, lengths)


class _KnownLetters(dict[int, str]):
    """Parts of names that few lexers know, by ASCII letters: no script has words of these alone.

    They are marks over letters, letters without case, the middle dot, and emoji.
    """

    def __missing__(self, character: int) -> str:
        kind = unicodedata.category(chr(character))
        is_part = kind in {"Lo", "Mc", "Mn", "Pc"} or character == _MIDDLE_DOT
        is_emoji = character >= _FIRST_EMOJI and kind in {"Sk", "So"}
        is_unknown = character > _LAST_OF_ASCII and (is_part or is_emoji)
        self[character] = letter = "q" if is_unknown else chr(character)
        return letter


_LAST_OF_ASCII: Final = 127
_MIDDLE_DOT: Final = 0xB7
_FIRST_EMOJI: Final = 0x1F000
_KNOWN_LETTERS: Final = _KnownLetters()


def with_known_letters(text: str) -> str:
    """Return a text of the same length in which every part of a name is a letter to regexes."""
    return text if text.isascii() else text.translate(_KNOWN_LETTERS)


def _numbers_of(lexer: Lexer, source: str, numbers: TokenInterner, deadline: float) -> list[int]:
    """Return the token ids of a text.

    Tokens are interned one by one: keeping millions of token objects is slower.
    """
    padded = source + "\n"  # many lexers need a line end after the last line
    known = with_known_letters(padded)
    places, found = list[int](), list[int]()
    for place, kind, value in watched(lexer.get_tokens_unprocessed(known), deadline):
        places.append(place)
        found.append(numbers[kind][value])
    if "".join(map(numbers.texts.__getitem__, found)) == padded:  # the usual case
        # The line end that was appended is the end of the last token.
        last = next(at for at in reversed(range(len(found))) if numbers.texts[found[at]])
        kind, value = numbers.distinct[found[last]]
        found[last] = numbers[kind][value[:-1]]
        return found
    given = (
        (place, *numbers.distinct[number]) for place, number in zip(places, found, strict=True)
    )
    return [numbers[kind][value] for kind, value in _without_gaps(_placed(given, known), source)]


def _placed(given: Iterable[Token], padded: str) -> Iterator[Token]:
    """Return the tokens of a text at their true offsets."""
    stop = 0
    for offset, kind, value in given:
        start = stop if padded.startswith(value, stop) else offset
        if start >= stop and padded.startswith(value, start):
            stop = start + len(value)
            yield start, kind, value


def _without_gaps(placed: Iterable[Token], source: str) -> Iterator[_Distinct]:
    """Yield the tokens of a text, and the text between them, up to the end of the source."""
    stop = 0
    for start, kind, value in chain(placed, [(len(source), GAP, "")]):
        if start > stop:
            yield GAP, source[stop:start]
        yield kind, source[start : start + len(value)]
        stop = start + len(value)
