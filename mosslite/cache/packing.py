"""Readings as bytes: small, the same on every machine, and quick to take apart."""

from __future__ import annotations

import json
import struct
from dataclasses import fields
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.columns import TokenStream, Traces
from mosslite.model import Colours, Disguise

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

__all__ = ["Contents", "pack", "unpack"]

# A column is a head, a table and numbers. Without a table the numbers are its values; with one
# they are places in it. No number at all stands for a column of zeros.
_HEAD: Final = struct.Struct("<BII")  # type of the numbers, how many there are, length of the table
_TYPES: Final = tuple(map(np.dtype, ("<u1", "<u2", "<i1", "<i2", "<i4", "<i8")))
_ZEROS: Final = len(_TYPES)
_TABLE: Final = np.dtype("<u8")


class Contents(NamedTuple):
    """What there is to store of a file, apart from how it came about."""

    stream: TokenStream
    traces: Traces
    disguises: tuple[Disguise, ...]
    colours: Colours | None


def pack(contents: Contents) -> bytes:
    """Write contents as bytes, for ``unpack`` to give the same again."""
    stream, traces, colours = contents.stream, contents.traces, contents.colours
    columns = [
        _codes(stream.codes),
        _codes(stream.wordings),
        _numbers(stream.kinds),
        _numbers(stream.is_reached),
        _numbers(_steps(stream.starts)),
        _numbers(stream.stops - stream.starts),
        _numbers(_steps(stream.lines)),
        _numbers(stream.last_lines - stream.lines),
        _numbers(traces.kinds),
        _codes(traces.codes),
        _numbers(_steps(traces.starts)),
        _numbers(traces.stops - traces.starts),
        _numbers(_steps(traces.lines)),
    ]
    if colours is not None:
        columns += [_numbers(_steps(colours.starts)), _numbers(colours.classes)]
    return b"".join([*columns, _disguises_packed(contents.disguises)])


def unpack(packed: bytes) -> Contents:
    """Read what ``pack`` wrote.

    Raises:
        ValueError: These are other bytes, as far as their form tells.
    """
    try:
        return _contents(_Columns(packed))
    except (IndexError, KeyError, TypeError, struct.error) as error:
        msg = "not the bytes of a reading"
        raise ValueError(msg) from error


def _contents(columns: _Columns) -> Contents:
    stream = TokenStream(
        codes=columns.codes(),
        wordings=columns.codes(),
        kinds=columns.numbers(np.uint8),
        is_reached=columns.numbers(np.bool_),
        starts=(starts := columns.places()),
        stops=starts + columns.numbers(np.int32),
        lines=(lines := columns.places()),
        last_lines=lines + columns.numbers(np.int32),
    )
    traces = Traces(
        kinds=columns.numbers(np.uint8),
        codes=columns.codes(),
        starts=(starts := columns.places()),
        stops=starts + columns.numbers(np.int32),
        lines=columns.places(),
    )
    colours = None
    if columns.goes_on():
        colours = Colours(columns.places(), columns.numbers(np.uint8))
    _require_even(stream)
    _require_even(traces)
    return Contents(stream, traces, columns.disguises(), colours)


def _require_even(record: TokenStream | Traces) -> None:
    if len({len(getattr(record, each.name)) for each in fields(record)}) != 1:
        msg = "columns differ in length"
        raise ValueError(msg)
