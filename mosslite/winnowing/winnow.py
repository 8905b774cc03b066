"""Winnowing: symbol codes to k-gram hashes to selected positions (SIGMOD 2003).

Long inputs are processed in blocks that fit into the CPU cache, so that memory bandwidth does
not limit the speed.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

# The base b of the rolling hash. Any odd number has an inverse modulo 2^64; a large one with
# mixed bits carries every symbol into the high bits, which decide which hash is the minimum.
_BASE = 0x9E3779B97F4A7C15
_MODULUS = 2**64

# Hashes per block: six columns of them fill a cache of one or two megabytes.
_BLOCK = 24_576


def kgram_hashes(codes: NDArray[np.uint64], k: int) -> Hashes:
    """Hash every k-gram by the improved rolling hash H' of section 2.2, modulo 2^64.

    ``H'(c_1 ... c_k) = c_1 b^k + ... + c_k b``. Instead of rolling from one k-gram to the next,
    differences of the running sum of ``c_i b^-i`` yield all of them in a few passes, for any k.

    Args:
        codes: ``(n,) uint64`` symbol codes.
        k: Length of a k-gram, at least 1.

    Returns:
        ``(max(n - k + 1, 0),) uint64``; element i belongs to ``codes[i : i + k]``.
    """
    hashes = np.empty(max(len(codes) - k + 1, 0), np.uint64)
    step = max(_BLOCK, k)
    for start in range(0, len(hashes), step):
        block = codes[start : min(start + step, len(hashes)) + k - 1]
        down, up = _powers(max(_BLOCK, 1 << len(block).bit_length()), k)
        sums = np.append(np.uint64(0), np.cumsum(block * down[: len(block)]))
        grams = sums[k:] - sums[:-k]
        hashes[start : start + step] = grams * up[: len(grams)]
    return hashes


def winnow(hashes: Hashes, w: int) -> NDArray[np.int64]:
    """Select the minimum of every ``w`` consecutive hashes, the rightmost on ties (Definition 1).

    Args:
        hashes: ``(n,) uint64``; fewer than ``w`` of them are one window.
        w: Window length in k-grams, at least 1.

    Returns:
        ``(m,) int64`` strictly increasing indices into ``hashes``.
    """
    w = max(min(w, len(hashes)), 1)
    found = minima(hashes, w)
    is_selected = np.ones(len(found.positions), np.bool_)
    for tie in _equal_minima(found, w):
        # Any but the last loses to the next if both are in the first window.
        later = found.positions[tie.first + 1 : tie.stop]
        is_selected[tie.first : tie.stop - 1] = later >= tie.window + w
    return found.positions[is_selected]


def robust_winnow(hashes: Hashes, w: int) -> NDArray[np.int64]:
    """Select a minimum of every window, keeping the previous choice while it can (Definition 3).

    If the minimum is tied, the hash selected in the window one position to the left is kept
    as long as it is in the window; otherwise the rightmost minimum is selected.

    Args:
        hashes: ``(n,) uint64``; fewer than ``w`` of them are one window.
        w: Window length in k-grams, at least 1.

    Returns:
        ``(m,) int64`` strictly increasing indices into ``hashes``.
    """
    sizes = np.array([len(hashes)], np.int64)
    return robust_winnow_each(hashes, sizes, max(min(w, len(hashes)), 1))


def robust_winnow_each(hashes: Hashes, sizes: NDArray[np.int64], w: int) -> NDArray[np.int64]:
    """Apply robust winnowing to each of many concatenated texts; no window spans two of them.

    Args:
        hashes: ``(n,) uint64`` of all texts.
        sizes: Number of hashes of each text, at least ``w``; their sum is n.
        w: Window length in k-grams, at least 1.

    Returns:
        ``(m,) int64`` strictly increasing indices into ``hashes``.
    """
    edges = np.append(0, np.cumsum(sizes))
    # Alternating counts: windows inside a text, and those that would extend beyond its end.
    counts = np.column_stack([sizes - w + 1, np.full(len(sizes), w - 1)]).ravel()
    is_window = np.repeat(np.tile([True, False], len(sizes)), counts)
    found = minima(hashes, w, is_window)
    is_kept = np.ones(len(found.positions), np.bool_)
    places = np.searchsorted(found.positions, edges)
    tied = np.flatnonzero((found.hashes[1:] == found.hashes[:-1]) & (np.diff(found.positions) < w))
    for text in sorted({*(np.searchsorted(places, tied, side="right") - 1).tolist()}):
        here = slice(places[text], places[text + 1])
        positions = found.positions[here] - edges[text]
        own = Minima(found.hashes[here], positions, int(sizes[text]) - w + 1)
        is_kept[here] = _kept(own, w)
    return found.positions[is_kept]


class Minima(NamedTuple):
    """Every hash that is the minimum of some window, ties included, in order of position.

    Attributes:
        windows: Number of windows.
    """

    hashes: Hashes
    positions: NDArray[np.int64]
    windows: int


def minima(hashes: Hashes, w: int, is_window: NDArray[np.bool_] | None = None) -> Minima:
    """Find every hash that is the minimum of a window: the greatest minimum of its own windows.

    Args:
        hashes: ``(n,) uint64``.
        w: Window length, at most n.
        is_window: ``(n,)``, marks starts of windows; None means all positions with room for one.
    """
    found, positions = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
    count = len(hashes)
    step = max(_BLOCK, w)
    for start in range(0, count, step):
        stop = min(start + step, count)
        low, high = max(start - w + 1, 0), min(stop + w - 1, count)
        block = hashes[low:high]
        least = _sliding(np.minimum, block, w)
        if is_window is not None:
            least = least * is_window[low : low + len(least)]
        # Windows that would extend beyond either end do not exist.
        least = np.pad(least, (low - (start - w + 1), stop + w - 1 - high))
        own = block[start - low : stop - low]
        chosen = np.flatnonzero(own == _sliding(np.maximum, least, w))
        found.append(own[chosen])
        positions.append(chosen + start)
    return Minima(np.concatenate(found), np.concatenate(positions), count - w + 1)


class _Tie(NamedTuple):
    """Equal minima ``[first, stop)``, each less than a window after the one before it.

    Attributes:
        window: The first window of which they are the minimum.
        end: Start of the first window that has a smaller hash.
    """

    first: int
    stop: int
    window: int
    end: int


@lru_cache(maxsize=16)
def _powers(count: int, k: int) -> tuple[Hashes, Hashes]:
    """Return b^0, b^-1, ... and b^k, b^(k + 1), ... modulo 2^64, ``count`` of each."""
    down, up = (np.full(count, base, np.uint64) for base in (pow(_BASE, -1, _MODULUS), _BASE))
    down[0], up[0] = 1, pow(_BASE, k, _MODULUS)
    return np.cumprod(down, dtype=np.uint64), np.cumprod(up, dtype=np.uint64)


def _sliding(extremum: np.ufunc, values: Hashes, w: int) -> Hashes:
    """Return the extremum of every ``w`` consecutive values, in log2(w) passes."""
    width = 1
    while width < w:
        step = min(width, w - width)
        values = extremum(values[:-step], values[step:])
        width += step
    return values


def _equal_minima(minima: Minima, w: int) -> list[_Tie]:
    hashes, positions, _ = minima
    is_tied = hashes[1:] == hashes[:-1]
    if not is_tied.any():
        return []
    is_tied &= np.diff(positions) < w
    edges = np.flatnonzero(np.diff(is_tied, prepend=False, append=False))
    return [_tie(minima, w, first, last + 1) for first, last in edges.reshape(-1, 2).tolist()]


def _tie(minima: Minima, w: int, first: int, stop: int) -> _Tie:
    """Find the windows whose minimum is tied.

    Of two adjacent minima that share a window, the smaller one is the minimum of that window.
    """
    hashes, positions, end = minima
    window = max(int(positions[first]) - w + 1, 0)
    if first and hashes[first - 1] < hashes[first]:
        window = max(window, int(positions[first - 1]) + 1)
    if stop < len(hashes) and hashes[stop] < hashes[first]:
        end = int(positions[stop]) - w + 1
    return _Tie(first, stop, window, end)


def _kept(minima: Minima, w: int) -> NDArray[np.bool_]:
    """Mark the minima that robust winnowing selects: all untied ones, and few of the tied."""
    is_kept = np.ones(len(minima.positions), np.bool_)
    for tie in _equal_minima(minima, w):
        is_kept[tie.first : tie.stop] = False
        positions = minima.positions[tie.first : tie.stop]
        # After each choice, the rightmost minimum of the window that starts behind it is selected.
        following = (np.searchsorted(positions, positions + w, side="right") - 1).tolist()
        places = positions.tolist()
        choice = int(np.searchsorted(positions, tie.window + w, side="left")) - 1
        while True:
            is_kept[tie.first + choice] = True
            if following[choice] == choice or places[choice] + 1 >= tie.end:
                break
            choice = following[choice]
    return is_kept
