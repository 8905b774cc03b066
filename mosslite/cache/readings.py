"""Serialization of readings, their cache keys, and validation against a text."""

import json
import struct
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple

import numpy as np
import pygments
from numpy.typing import NDArray

from mosslite.errors import OptionError
from mosslite.languages import Language, find_language
from mosslite.languages.known import FRONT_ENDS
from mosslite.ranges import line_starts
from mosslite.records import (
    SYNTAX_CLASSES,
    Colours,
    Disguise,
    TokenKind,
    TokenStream,
    TraceKind,
    Traces,
)


def key_of(text: str, language: Language) -> bytes | None:
    """Return the key of a text's reading, 32 bytes.

    Returns:
        None if equal readings cannot be guaranteed: the lexer is not one of Pygments' own, whose
            version determines the result.
    """
    head = _head_of(language)
    return None if head is None else sha256(head + text.encode("utf-8", "surrogatepass")).digest()


@cache
def _head_of(language: Language) -> bytes | None:
    """Return a digest of everything but the text."""
    try:
        is_own = find_language(language.name) == language and not language.is_plugged_in
    except OptionError:
        return None
    parts = [
        FRONT_ENDS,
        pygments.__version__,
        [sys.implementation.name, *map(str, sys.version_info)],
        unicodedata.unidata_version,
        [language.name, language.title, language.is_prose, language.is_caseless],
    ]
    return sha256(json.dumps(parts).encode("ascii")).digest() if is_own else None


# Exceptions of ``unpack`` on bytes that ``pack`` did not write.
NOT_PACKED: Final = (struct.error, IndexError, TypeError, ValueError)

# Header of a column: type of its numbers, their count, and the length of its table.
_HEAD: Final = struct.Struct("<BII")
_TYPES: Final = tuple(map(np.dtype, ("<u1", "<u2", "<i1", "<i2", "<i4", "<i8")))
_RANGES: Final = tuple((np.iinfo(each).min, np.iinfo(each).max) for each in _TYPES)
# Type of a column of zeros, which consists of the header only.
_ZEROS: Final = len(_TYPES)
_CODE: Final = np.dtype("<u8")
_NO_CODES: Final = np.empty(0, _CODE)


class Contents(NamedTuple):
    """The parts of a reading that are stored."""

    stream: TokenStream
    traces: Traces
    disguises: tuple[Disguise, ...]
    colours: Colours | None


def pack(contents: Contents) -> bytes:
    """Serialize contents to bytes; ``unpack`` restores them.

    Positions are delta-encoded, and codes replaced by indices in a table of distinct ones.
    """
    stream, traces, colours = contents.stream, contents.traces, contents.colours
    columns = [
        _coded(stream.codes),
        _coded(stream.lexemes),
        _Column(stream.kinds),
        _Column(np.zeros(0, np.int32)),  # earlier versions marked functions that are called
        _steps(stream.starts),
        _Column(stream.stops - stream.starts),
        _steps(stream.lines),
        _Column(stream.last_lines - stream.lines),
        _Column(traces.kinds),
        _coded(traces.codes),
        _steps(traces.starts),
        _Column(traces.stops - traces.starts),
        _steps(traces.lines),
    ]
    if colours is None:
        columns.append(_Column(np.zeros(0, np.int32)))
    else:
        columns += [_steps(colours.starts), _Column(colours.classes)]
    return b"".join([*_written(columns), _described(contents.disguises)])


def unpack(packed: bytes) -> Contents:
    """Restore the contents from the output of ``pack``.

    Raises:
        NOT_PACKED: The bytes are something else; this is not always detected.
    """
    columns = _PackedColumns(packed)
    codes, lexemes, kinds, _ = (
        columns.codes(),
        columns.codes(),
        columns.numbers(),
        columns.numbers(),
    )
    stream = TokenStream(
        codes=codes,
        lexemes=lexemes,
        kinds=kinds.astype(np.uint8),
        starts=(starts := columns.places()),
        stops=starts + columns.numbers().astype(np.int32),
        lines=(lines := columns.places()),
        last_lines=lines + columns.numbers().astype(np.int32),
    )
    traces = Traces(
        kinds=columns.numbers().astype(np.uint8),
        codes=columns.codes(),
        starts=(starts := columns.places()),
        stops=starts + columns.numbers().astype(np.int32),
        lines=columns.places(),
    )
    runs = columns.places()  # every text has at least one
    colours = Colours(runs, columns.numbers().astype(np.uint8)) if len(runs) else None
    return Contents(stream, traces, _disguises(columns.rest()), colours)


class _Column(NamedTuple):
    """Numbers, and the table that they index, if any."""

    numbers: NDArray[np.integer]
    table: NDArray[np.uint64] = _NO_CODES


class _PackedColumns:
    """Reads columns from the start of packed bytes, one after the other."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._at = 0

    def numbers(self) -> NDArray[np.integer]:
        """Read a column of numbers, in whatever type they are stored."""
        kind, count, _ = self._head()
        return self._items(kind, count)

    def places(self) -> NDArray[np.int32]:
        """Read a delta-encoded column."""
        return self.numbers().cumsum(dtype=np.int32)

    def codes(self) -> NDArray[np.uint64]:
        """Read a column of codes."""
        kind, count, size = self._head()
        table = np.frombuffer(self._packed, _CODE, size, self._at).astype(np.uint64)
        self._at += table.nbytes
        codes: NDArray[np.uint64] = table[self._items(kind, count)]
        return codes

    def rest(self) -> bytes:
        """Return all remaining bytes."""
        return self._packed[self._at :]

    def _head(self) -> tuple[int, int, int]:
        kind, count, size = _HEAD.unpack_from(self._packed, self._at)
        # A column of zeros takes no space, but each item has a position, which does.
        if count > len(self._packed):
            msg = f"a column of {count} numbers does not fit in {len(self._packed)} bytes"
            raise ValueError(msg)
        self._at += _HEAD.size
        return kind, count, size

    def _items(self, kind: int, count: int) -> NDArray[np.integer]:
        if kind == _ZEROS:
            return np.zeros(count, np.uint8)
        items = np.frombuffer(self._packed, _TYPES[kind], count, self._at)
        self._at += items.nbytes
        return items


def _coded(codes: NDArray[np.uint64]) -> _Column:
    table, places = np.unique(codes, return_inverse=True)
    return _Column(places, table.astype(_CODE, copy=False))


def _steps(places: NDArray[np.int32]) -> _Column:
    steps = places.copy()
    steps[1:] -= places[:-1]
    return _Column(steps)


def _written(columns: Sequence[_Column]) -> Iterator[bytes]:
    """Yield columns in the smallest type for their numbers, converted in one pass."""
    sizes = np.array([len(each.numbers) for each in columns])
    together = np.concatenate([*(each.numbers for each in columns), [0]])
    firsts = np.cumsum(sizes) - sizes
    lows, highs = (each.reduceat(together, firsts) for each in (np.minimum, np.maximum))
    for column, low, high in zip(columns, lows.tolist(), highs.tolist(), strict=True):
        kind = _type_of(low, high) if len(column.numbers) else _ZEROS
        yield _HEAD.pack(kind, len(column.numbers), len(column.table))
        yield column.table.tobytes()
        if kind != _ZEROS:
            yield column.numbers.astype(_TYPES[kind], copy=False).tobytes()


def _type_of(low: int, high: int) -> int:
    if low == high == 0:
        return _ZEROS
    return next(kind for kind, (least, most) in enumerate(_RANGES) if least <= low <= high <= most)


def _described(disguises: tuple[Disguise, ...]) -> bytes:
    if not disguises:
        return b""
    rows = [[each.kind, each.characters, each.lines, each.count] for each in disguises]
    return json.dumps(rows).encode("ascii")


def _disguises(described: bytes) -> tuple[Disguise, ...]:
    if not described:
        return ()
    return tuple(
        Disguise(kind, characters, tuple(lines), count)
        for kind, characters, lines, count in json.loads(described)
    )


def is_of(contents: Contents, text: str) -> bool:
    """Return whether columns have equal lengths, and only positions inside the text."""
    stream, traces, disguises, colours = contents
    size, lines = len(text), len(line_starts(text))
    return (
        _are_tokens(stream, size, lines)
        and _are_traces(traces, size, lines)
        and all(_is_disguise(each, lines) for each in disguises)
        and (colours is None or _are_colours(colours, size))
    )


def _are_tokens(stream: TokenStream, size: int, lines: int) -> bool:
    columns = (stream.codes, stream.lexemes, stream.kinds)
    return (
        _are_alike(*columns, stream.starts, stream.stops, stream.lines, stream.last_lines)
        and _are_within(0, stream.starts, stream.stops, size)
        and _are_within(1, stream.lines, stream.last_lines, lines)
        and bool((stream.kinds < len(TokenKind)).all())
    )


def _are_traces(traces: Traces, size: int, lines: int) -> bool:
    return (
        _are_alike(traces.kinds, traces.codes, traces.starts, traces.stops, traces.lines)
        and _are_within(0, traces.starts, traces.stops, size)
        and _are_within(1, traces.lines, traces.lines, lines)
        and bool((traces.kinds < len(TraceKind)).all())
    )


def _are_colours(colours: Colours, size: int) -> bool:
    return (
        _are_alike(colours.starts, colours.classes)
        and _are_within(0, colours.starts, colours.starts, size)
        and int(colours.starts[0]) == 0
        and bool((colours.classes < len(SYNTAX_CLASSES)).all())
    )


def _is_disguise(disguise: Disguise, lines: int) -> bool:
    """Return whether a value from JSON has the fields and types of a disguise."""
    texts: tuple[object, ...] = (disguise.kind, disguise.characters)
    numbers: tuple[object, ...] = (disguise.count, *disguise.lines)
    are_typed = all(isinstance(each, str) for each in texts)
    are_typed &= all(isinstance(each, int) for each in numbers)
    return are_typed and all(1 <= line <= lines for line in disguise.lines)


def _are_alike(*columns: NDArray[np.generic]) -> bool:
    return len({len(column) for column in columns}) == 1


def _are_within(least: int, firsts: NDArray[np.int32], lasts: NDArray[np.int32], most: int) -> bool:
    """Return whether ranges ascend and are all within ``least`` and ``most``."""
    if not len(firsts):
        return True
    ascend = bool((firsts[1:] >= firsts[:-1]).all() and (lasts >= firsts).all())
    return ascend and least <= int(firsts[0]) and int(lasts.max()) <= most
