"""Serialization of readings, their cache keys, and validation against a text."""

import json
import struct
import sys
import unicodedata
import zlib
from dataclasses import fields
from functools import cache
from hashlib import sha256
from typing import Any, Final

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
    Document,
    Reading,
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
NOT_PACKED: Final = (struct.error, IndexError, RecursionError, TypeError, ValueError)

# Limits of what bytes are inflated to: a constant, and a multiple of their number. Source code and
# readings deflate to a third or a tenth; what deflates further is stored as it is.
_FREE: Final = 64 << 10
_RATIO: Final = 32


def deflate(content: bytes, level: int = zlib.Z_DEFAULT_COMPRESSION) -> bytes:
    """Compress bytes; ``inflate`` restores them."""
    packed = zlib.compress(content, level)
    return packed if len(content) <= _most(packed) else zlib.compress(content, 0)


def inflate(packed: bytes) -> bytes:
    """Restore bytes from the output of ``deflate``.

    Raises:
        ValueError: It is something else, which could be of any size.
    """
    inflater = zlib.decompressobj()
    try:
        content = inflater.decompress(packed, _most(packed) + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not inflater.eof or inflater.unused_data:
        msg = "the content is truncated or too large"
        raise ValueError(msg)
    return content


def _most(packed: bytes) -> int:
    return max(_FREE, _RATIO * len(packed))


# The columns of all parts, and what a column is stored relative to: another column of its row, or
# for ``STEPS`` the row before. So most bytes are zeros, which deflate well.
_STEPS: Final = "steps"
_COLUMNS: Final[dict[str, tuple[str, str | None]]] = {
    "codes": ("<u8", None),
    "lexemes": ("<u8", None),
    "kinds": ("<u1", None),
    "classes": ("<u1", None),
    "starts": ("<i4", _STEPS),
    "stops": ("<i4", "starts"),
    "lines": ("<i4", _STEPS),
    "last_lines": ("<i4", "lines"),
}

# Numbers of tokens, traces, and runs of colours; every text that has colours has at least one run.
_COUNTS: Final = struct.Struct("<III")


def pack(reading: Reading | Document) -> bytes:
    """Serialize a reading to bytes, but for ``is_degraded``; ``unpack`` restores it."""
    parts = [each for each in (reading.stream, reading.traces, reading.colours) if each is not None]
    runs = 0 if reading.colours is None else len(reading.colours.starts)
    packed = [_COUNTS.pack(len(reading.stream), len(reading.traces), runs)]
    for part in parts:
        for field in fields(part):
            column, (kind, base) = getattr(part, field.name), _COLUMNS[field.name]
            if base == _STEPS:
                column = np.diff(column, prepend=column.dtype.type(0))
            elif base:
                column = column - getattr(part, base)
            packed.append(column.astype(kind, copy=False).tobytes())
    rows = [[each.kind, each.characters, each.lines, each.count] for each in reading.disguises]
    packed.append(json.dumps(rows).encode("ascii"))
    return deflate(b"".join(packed), zlib.Z_BEST_SPEED)


def unpack(packed: bytes) -> Reading:
    """Restore a reading from the output of ``pack``.

    Raises:
        NOT_PACKED: The bytes are something else; this is not always detected.
    """
    content, at = inflate(packed), _COUNTS.size
    counts = _COUNTS.unpack_from(content)
    parts = list[dict[str, NDArray[Any]]]()
    for part, count in zip((TokenStream, Traces, Colours), counts, strict=True):
        columns = dict[str, NDArray[Any]]()
        for field in fields(part):
            kind, base = _COLUMNS[field.name]
            column = np.frombuffer(content, kind, count, at)
            at += column.nbytes
            if base == _STEPS:
                column = column.cumsum(dtype=np.int32)
            elif base:
                column = column + columns[base]
            # A copy, as a view would keep all of the content in memory.
            columns[field.name] = column.astype(column.dtype.newbyteorder("="))
        parts.append(columns)
    stream, traces, colours = parts
    disguises = tuple(
        Disguise(kind, characters, tuple(lines), count)
        for kind, characters, lines, count in json.loads(content[at:])
    )
    return Reading(
        stream=TokenStream(**stream),
        traces=Traces(**traces),
        is_degraded=False,
        disguises=disguises,
        colours=Colours(**colours) if counts[2] else None,
    )


def is_of(reading: Reading, text: str) -> bool:
    """Return whether an unpacked reading has only kinds that exist, and places inside the text."""
    stream, traces, _, disguises, colours = reading
    size, lines = len(text), len(line_starts(text))
    are_known = (stream.kinds < len(TokenKind)).all() and (traces.kinds < len(TraceKind)).all()
    return bool(
        are_known
        and _are_within(0, stream.starts, stream.stops, size)
        and _are_within(1, stream.lines, stream.last_lines, lines)
        and _are_within(0, traces.starts, traces.stops, size)
        and _are_within(1, traces.lines, traces.lines, lines)
        and all(_is_disguise(each, lines) for each in disguises)
        and (colours is None or _are_colours(colours, size))
    )


def _are_colours(colours: Colours, size: int) -> bool:
    are_known = bool((colours.classes < len(SYNTAX_CLASSES)).all())
    return (
        are_known
        and colours.starts[0] == 0
        and _are_within(0, colours.starts, colours.starts, size)
    )


def _is_disguise(disguise: Disguise, lines: int) -> bool:
    """Return whether a value from JSON has the fields and types of a disguise."""
    texts: tuple[object, ...] = (disguise.kind, disguise.characters)
    numbers: tuple[object, ...] = (disguise.count, *disguise.lines)
    are_typed = all(isinstance(each, str) for each in texts)
    are_typed &= all(isinstance(each, int) for each in numbers)
    return are_typed and all(1 <= line <= lines for line in disguise.lines)


def _are_within(least: int, firsts: NDArray[np.int32], lasts: NDArray[np.int32], most: int) -> bool:
    """Return whether ranges ascend and are all within ``least`` and ``most``."""
    if not len(firsts):
        return True
    ascend = bool((firsts[1:] >= firsts[:-1]).all() and (lasts >= firsts).all())
    return ascend and least <= int(firsts[0]) and int(lasts.max()) <= most
