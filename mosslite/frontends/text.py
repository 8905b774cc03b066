"""Text normalized for lexers, the mapping back to the original, and concatenated texts."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mosslite.lookalikes import HIDDEN, ODD, unmasked
from mosslite.records import Colours, TokenStream, Traces

# Lexers search ahead from each blank: their time is quadratic in the length of a run of blanks.
# Indentation is rarely deeper than this, and in blank lines the number does not matter.
_MOST_BLANKS: Final = 200
_BLANKS: Final = re.compile(rf"(?<![ \t\n\f\v])[ \t\n\f\v]{{{_MOST_BLANKS + 1},}}")
# Longer runs are found by looking at every 20th character; few others match.
_STEP: Final = 20
_SPLICE: Final = re.compile(r"\\[ \t]*(?:\r\n?|\n)")
_MET: Final = re.compile(rf"[ \t\n\f\v]{{{_MOST_BLANKS // _STEP}}}")


_Characters: TypeAlias = "NDArray[np.uint8] | NDArray[np.uint32]"
"""Code points in a column, a byte each where that is enough."""

Found = TypeVar("Found", TokenStream, Traces)


@dataclass(frozen=True, eq=False)
class Source:
    r"""A text, and its normalized form for lexers.

    Attributes:
        original: The text before normalization.
        text: With ``\n`` for every line end, without hidden characters and most of very long runs
            of blanks, and with ASCII letters in place of look-alikes and escapes.
        origin: Position in the original of each character of ``text``; None if these are
            equal.
        is_odd: It contains look-alikes, hidden characters or escapes.
    """

    original: str
    text: str
    origin: NDArray[np.int64] | None
    is_odd: bool

    def ranges(
        self, starts: NDArray[np.int32], stops: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Convert ranges of ``text``, not at its start if empty, to ranges of ``original``."""
        if self.origin is None or not len(starts):
            return starts, stops
        return self.origin[starts].astype(np.int32), self.origin[stops - 1].astype(np.int32) + 1

    def placed(self, found: Found) -> Found:
        """Return tokens or features of ``text`` with their ranges in ``original``."""
        starts, stops = self.ranges(found.starts, found.stops)
        return replace(found, starts=np.minimum(starts, stops), stops=stops)  # of an empty range

    @cached_property
    def line_starts(self) -> NDArray[np.int64]:
        """The first character of every line of ``text``."""
        return np.append(0, np.flatnonzero(self.characters == ord("\n")) + 1)

    @cached_property
    def characters(self) -> _Characters:
        """The characters of ``text``."""
        if self.text.isascii():
            return np.frombuffer(self.text.encode("ascii"), np.uint8)
        return np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)


def source_of(original: str, *, takes_escapes: bool = False, joins_lines: bool = False) -> Source:
    """Normalize a text for lexers and undo disguises.

    Args:
        original: The decoded text.
        takes_escapes: Its language allows escapes for any character.
        joins_lines: A backslash at the end of a line joins it with the next, even amid a word.
    """
    text, cuts = without_escapes(original) if takes_escapes else (original, [])
    has_splices = joins_lines and _SPLICE.search(text) is not None
    is_odd = bool(cuts) or (not text.isascii() and ODD.search(text) is not None)
    has_returns = "\r" in text
    has_blanks = _MET.search(text[::_STEP]) is not None
    if not (has_returns or is_odd or has_blanks or has_splices):
        return Source(original, original, None, is_odd)  # the usual case
    origin = np.arange(len(original))
    if cuts:
        text, origin = _without(text, origin, cuts)
    if has_returns:
        second = [found.start() + 1 for found in re.finditer("\r\n", text)]
        text, origin = text.replace("\r\n", "\n").replace("\r", "\n"), np.delete(origin, second)
    if has_splices:
        text, origin = _without(text, origin, (found.span() for found in _SPLICE.finditer(text)))
    if is_odd:
        text, origin = _without(text, origin, (found.span() for found in HIDDEN.finditer(text)))
        text = unmasked(text)
    if _MET.search(text[::_STEP]):
        text, origin = _without(text, origin, _needless_blanks(text))
    return Source(original, text, None if len(text) == len(original) else origin, is_odd)


def characters_where(characters: _Characters, is_so: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Mark the characters that satisfy a predicate, which is called once per distinct character."""
    of_ascii = _in_ascii(is_so)
    if characters.itemsize == 1:
        return np.frombuffer(characters.tobytes().translate(of_ascii), np.bool_)
    found: NDArray[np.bool_] = np.frombuffer(of_ascii, np.bool_)[np.minimum(characters, 127)]
    others = np.flatnonzero(characters > 127)
    alphabet, letters = np.unique(characters[others], return_inverse=True)
    holds = [is_so(chr(character)) for character in alphabet.tolist()]
    found[others] = np.array(holds, np.bool_)[letters]
    return found


@cache
def _in_ascii(is_so: Callable[[str], bool]) -> bytes:
    """Return the predicate's value for each byte; only those below 128 represent characters."""
    return bytes(is_so(chr(byte)) for byte in range(256))


def _without(
    text: str, origin: NDArray[np.int64], ranges: Iterable[tuple[int, int]]
) -> tuple[str, NDArray[np.int64]]:
    """Cut ranges out of a text and of the positions of its characters."""
    is_kept = np.ones(len(text), np.bool_)
    pieces, stop = [], 0
    for start, end in (each for each in ranges if each[0] < each[1]):
        is_kept[start:end] = False
        pieces.append(text[stop:start])
        stop = end
    return "".join([*pieces, text[stop:]]), origin[is_kept]


def _needless_blanks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the removable part of long blanks: the first, a line end and indentation are kept."""
    for found in _BLANKS.finditer(text):
        start, stop = found.span()
        first_end, last_end = text.find("\n", start, stop), text.rfind("\n", start, stop)
        if first_end >= 0:
            yield start + 1, first_end
            yield first_end + 1, last_end
            start = last_end + 1
        yield start + _MOST_BLANKS, stop


Record = TypeVar("Record", TokenStream, Traces, Colours)

# Separator between texts: as many symbols as any pattern examines, so that no pattern spans two
# texts; and line ends, so that a construct ending with its line ends with its text.
END_OF_TEXT: Final = "\n" * 4


class Concatenation(NamedTuple):
    """Concatenated texts, each followed by a separator.

    Attributes:
        sources: The ``m`` texts.
        whole: All of them as one text.
        starts: ``(m + 1,) int64``, start of each text in ``whole.text``, and of the next one.
        places: ``(m + 1,) int64``, likewise in ``whole.original``.
    """

    sources: Sequence[Source]
    whole: Source
    starts: NDArray[np.int64]
    places: NDArray[np.int64]

    @property
    def stops(self) -> NDArray[np.int64]:
        """One past the last character of each text in ``whole.text``, ``(m,) int64``."""
        return self.starts[1:] - len(END_OF_TEXT)

    def split(self, record: Record, starts: NDArray[np.integer]) -> list[Record]:
        """Split the columns of all texts into those of each text.

        Args:
            record: ``n`` rows in order, with positions in ``whole.original``.
            starts: ``(n,)``, start of each row in ``whole.text``.
        """
        bounds = np.searchsorted(starts, self.starts)
        places = self.places[:-1].astype(np.int32)
        shifts = np.repeat(places, np.diff(bounds))
        columns = [
            column - shifts if name in {"starts", "stops"} else column
            for name, column in ((each.name, getattr(record, each.name)) for each in fields(record))
        ]
        kind = type(record)
        return [
            kind(*(column[first:stop] for column in columns))
            for first, stop in pairwise(bounds.tolist())
        ]


def concatenated(sources: Sequence[Source]) -> Concatenation:
    """Concatenate texts."""
    text = "".join(each.text + END_OF_TEXT for each in sources)
    is_same = all(each.text is each.original for each in sources)
    original = text if is_same else "".join(each.original + END_OF_TEXT for each in sources)
    starts = _firsts(each.text for each in sources)
    places = _firsts(each.original for each in sources)
    has_places = all(each.origin is None for each in sources)
    origin = None if has_places else _origin(sources, places)
    whole = Source(original, text, origin, is_odd=any(each.is_odd for each in sources))
    return Concatenation(sources, whole, starts, places)


def _firsts(texts: Iterable[str]) -> NDArray[np.int64]:
    return np.cumsum([0, *(len(text) + len(END_OF_TEXT) for text in texts)])


def _origin(sources: Sequence[Source], places: NDArray[np.int64]) -> NDArray[np.int64]:
    columns = []
    for source, place in zip(sources, places.tolist(), strict=False):
        own = np.arange(len(source.text)) if source.origin is None else source.origin
        end = len(source.original) + np.arange(len(END_OF_TEXT))
        columns.append(np.append(own, end) + place)
    return np.concatenate(columns)


# A backslash after a backslash starts no escape. Lone surrogates are left unchanged.
_ESCAPE: Final = re.compile(r"\\(?:\\|u+((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4}))")


_MARK: Final = "\\u"


def escapes_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start and end of escapes, and the characters they denote."""
    for found in _ESCAPE.finditer(text) if _MARK in text else ():
        if found[1]:
            yield *found.span(), chr(int(found[1], 16))


def without_escapes(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Put the characters that escapes denote in place of their last digits.

    Returns:
        A text of the same length, and the ranges to be cut out of it.
    """
    pieces, cuts, behind = [], list[tuple[int, int]](), 0
    for start, stop, character in escapes_in(text):
        pieces += [text[behind : stop - 1], character]
        cuts.append((start, stop - 1))
        behind = stop
    return "".join([*pieces, text[behind:]]), cuts
