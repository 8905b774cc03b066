"""Tells whether a reading can be one of a text, where nobody vouches for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.columns import TokenKind, TraceKind
from mosslite.model import SYNTAX_CLASSES
from mosslite.spans import line_starts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mosslite.cache.packing import Contents
    from mosslite.columns import TokenStream, Traces
    from mosslite.model import Colours, Disguise

__all__ = ["is_of"]


def is_of(contents: Contents, text: str) -> bool:
    """Return whether columns are as long as each other, and lead to no place outside the text."""
    stream, traces, disguises, colours = contents
    size, lines = len(text), len(line_starts(text))
    return (
        _are_tokens(stream, size, lines)
        and _are_traces(traces, size, lines)
        and all(_is_disguise(each, lines) for each in disguises)
        and (colours is None or _are_colours(colours, size))
    )


def _are_tokens(stream: TokenStream, size: int, lines: int) -> bool:
    columns = (stream.codes, stream.wordings, stream.kinds, stream.is_reached)
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


def _is_disguise(told: Disguise, lines: int) -> bool:
    """Look at the types too, as it was in JSON."""
    texts: tuple[object, ...] = (told.kind, told.characters)
    numbers: tuple[object, ...] = (told.count, *told.lines)
    are_typed = all(isinstance(each, str) for each in texts)
    are_typed &= all(isinstance(each, int) for each in numbers)
    return are_typed and all(1 <= line <= lines for line in told.lines)


def _are_alike(*columns: NDArray[np.generic]) -> bool:
    return len({len(column) for column in columns}) == 1


def _are_within(least: int, firsts: NDArray[np.int32], lasts: NDArray[np.int32], most: int) -> bool:
    """Return whether ranges ascend, and none begins before ``least`` or ends behind ``most``."""
    if not len(firsts):
        return True
    ascend = bool((firsts[1:] >= firsts[:-1]).all() and (lasts >= firsts).all())
    return ascend and least <= int(firsts[0]) and int(lasts.max()) <= most
