"""Half-open ranges, masks and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["covered", "line_starts", "ranges_of"]


def covered(
    starts: NDArray[np.integer], stops: NDArray[np.integer], size: int
) -> NDArray[np.bool_]:
    """Mark what any of the ranges ``[start, stop)`` covers in ``size`` positions."""
    steps = np.zeros(size + 1, np.int64)
    np.add.at(steps, starts, 1)
    np.add.at(steps, stops, -1)
    return np.cumsum(steps[:-1]) > 0


def ranges_of(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Give the runs of True in ``mask`` as ``(m, 2)`` half-open ranges, in order."""
    edges = np.flatnonzero(np.diff(mask.astype(np.int8), prepend=0, append=0))
    return edges.reshape(-1, 2)


def line_starts(text: str) -> NDArray[np.int64]:
    r"""Give the first character of every line; lines end in ``\n``, ``\r\n`` or ``\r``."""
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    is_return = characters == ord("\r")
    is_end = (characters == ord("\n")) | is_return
    is_end[:-1] &= ~(is_return[:-1] & (characters[1:] == ord("\n")))
    return np.concatenate([[0], np.flatnonzero(is_end) + 1])
