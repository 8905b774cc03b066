"""Half-open ranges, masks, windows and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

__all__ = [
    "all_set",
    "between",
    "blocks_of",
    "covered",
    "line_starts",
    "positions_in",
    "ranges_of",
    "window_counts",
    "windows_within",
]

Given = TypeVar("Given", bound=np.generic)
Found = TypeVar("Found", bound=np.generic)


def covered(
    starts: NDArray[np.integer], stops: NDArray[np.integer], size: int
) -> NDArray[np.bool_]:
    """Mark what any of the ranges ``[start, stop)`` covers in ``size`` positions."""
    steps = np.bincount(starts, minlength=size + 1).astype(np.int32)
    steps -= np.bincount(stops, minlength=size + 1)
    return np.cumsum(steps[:-1], dtype=np.int32) > 0


def ranges_of(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the runs of True in ``mask`` as ``(m, 2)`` half-open ranges, in order."""
    padded = np.zeros(len(mask) + 2, np.bool_)
    padded[1:-1] = mask
    return np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2)


def line_starts(text: str) -> NDArray[np.int64]:
    r"""Return the first character of every line; lines end in ``\n``, ``\r\n`` or ``\r``."""
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    is_return = characters == ord("\r")
    is_end = (characters == ord("\n")) | is_return
    is_end[:-1] &= ~(is_return[:-1] & (characters[1:] == ord("\n")))
    return np.concatenate([[0], np.flatnonzero(is_end) + 1])


def positions_in(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return all positions in ranges that begin and are as long as told, range by range."""
    firsts = np.cumsum(sizes) - sizes
    positions: NDArray[np.int64] = np.repeat(starts - firsts, sizes)
    positions += np.arange(len(positions))
    return positions


def blocks_of(costs: NDArray[np.int64], most: int) -> Iterator[slice]:
    """Split items in a row into blocks that cost so much at most, or have one item."""
    totals, start = np.cumsum(costs), 0
    while start < len(costs):
        before = totals[start] - costs[start]
        stop = max(int(np.searchsorted(totals, before + most, side="right")), start + 1)
        yield slice(start, stop)
        start = stop


def window_counts(sizes: NDArray[np.int64], widths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the windows of a width, at least 1, that are in each of texts of these sizes."""
    counts: NDArray[np.int64] = np.maximum(sizes - widths + 1, 0)
    return counts


def windows_within(
    column: NDArray[Given],
    sizes: NDArray[np.int64],
    widths: NDArray[np.int64],
    look: Callable[[NDArray[Given], int], NDArray[Found]],
) -> NDArray[Found]:
    """Look at every window of many texts laid end to end; none runs across two of them.

    Args:
        column: ``(n,)`` elements of all texts.
        sizes: How many each text has; all together n.
        widths: The width of its windows, at least 1.
        look: Gives what is found in every window of a column and a width.

    Returns:
        ``(m,)``, as much of each text as ``window_counts`` says.
    """
    counts = window_counts(sizes, widths)
    starts, firsts = np.cumsum(sizes) - sizes, np.cumsum(counts) - counts
    found = np.empty(int(counts.sum()), look(column[:0], 1).dtype)
    for width in sorted({*widths.tolist()}):
        is_one = widths == width
        if is_one.all():
            return look(column, width)[
                _are_inside(sizes, counts)[: max(len(column) - width + 1, 0)]
            ]
        part = column[positions_in(starts[is_one], sizes[is_one])]
        inside = _are_inside(sizes[is_one], counts[is_one])[: max(len(part) - width + 1, 0)]
        found[positions_in(firsts[is_one], counts[is_one])] = look(part, width)[inside]
    return found


def _are_inside(sizes: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark in texts of these sizes the first so many places of each."""
    by_turns = np.stack([counts, sizes - counts], axis=1).ravel()
    return np.repeat(np.tile([True, False], len(sizes)), by_turns)


def all_set(flags: NDArray[np.bool_], width: int) -> NDArray[np.bool_]:
    """Tell of every window whether all flags in it are set."""
    unset = np.cumsum(np.append(False, ~flags), dtype=np.int32)
    is_set: NDArray[np.bool_] = unset[width:] == unset[:-width]
    return is_set


def between(places: NDArray[np.integer], start: int, stop: int) -> slice:
    """Return which of ascending places are in a range, in log n: none of them is copied."""
    first, last = places.searchsorted(np.array([start, stop], places.dtype)).tolist()
    return slice(first, last)
