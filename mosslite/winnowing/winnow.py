"""Winnowing: symbol codes to k-gram hashes to selected positions (SIGMOD 2003).

Long inputs are processed in blocks that fit into the CPU cache, so that memory bandwidth does
not limit the speed.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import ranges_of, run_starts

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


def substring_hashes(
    codes: NDArray[np.uint64],
) -> Callable[[NDArray[np.int64], NDArray[np.int64]], Hashes]:
    """Prepare to hash substrings of any length, as ``kgram_hashes`` does.

    Args:
        codes: ``(n,) uint64`` symbol codes.

    Returns:
        A function of ``(m,)`` starts and stops: ``(m,) uint64``, equal for equal substrings.
    """
    down, up = _powers(1 << (len(codes) + 1).bit_length(), 1)
    sums = np.append(np.uint64(0), np.cumsum(codes * down[: len(codes)]))
    return lambda starts, stops: (sums[stops] - sums[starts]) * up[starts]


def last_minima(hashes: Hashes, w: int) -> NDArray[np.int64]:
    """Return the position of the rightmost minimum of every window, in log2(w) passes.

    Args:
        hashes: ``(n,) uint64``.
        w: Window length in k-grams, at least 1.

    Returns:
        ``(max(n - w + 1, 0),) int64``, never decreasing.
    """
    found = np.empty(max(len(hashes) - w + 1, 0), np.int64)
    step = max(_BLOCK, w)
    for start in range(0, len(found), step):
        least = hashes[start : min(start + step, len(found)) + w - 1]
        places = np.arange(len(least), dtype=np.int32)
        width = 1
        while width < w:
            more = min(width, w - width)
            before, behind = least[:-more], least[more:]
            places = np.where(behind <= before, places[more:], places[:-more])
            least = np.minimum(before, behind)
            width += more
        found[start : start + step] = places + start
    return found


def winnow(hashes: Hashes, w: int) -> NDArray[np.int64]:
    """Select the minimum of every ``w`` consecutive hashes, the rightmost on ties (Definition 1).

    Args:
        hashes: ``(n,) uint64``; fewer than ``w`` of them are one window.
        w: Window length in k-grams, at least 1.

    Returns:
        ``(m,) int64`` strictly increasing indices into ``hashes``.
    """
    minima = last_minima(hashes, max(min(w, len(hashes)), 1))
    return minima[run_starts(minima)]


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
    # Alternating counts: windows inside a text, and those that would extend beyond its end.
    counts = np.column_stack([sizes - w + 1, np.full(len(sizes), w - 1)]).ravel()
    is_window = np.append(np.repeat(np.tile([True, False], len(sizes)), counts), False)
    minima = last_minima(hashes, w)
    is_new = run_starts(minima)
    is_new[(np.cumsum(sizes) - sizes)[sizes >= w]] = True
    windows = np.flatnonzero(is_new & is_window[: len(minima)])  # the first one of each minimum
    minima = minima[windows]
    values = hashes[minima]
    is_tied = (values[1:] == values[:-1]) & (windows[1:] <= minima[:-1])
    is_kept = np.append(True, ~is_tied)[: len(minima)]
    if is_tied.any():
        # A choice among tied minima is kept up to the window that starts behind it, if any does.
        following = np.searchsorted(windows, minima + 1, side="right") - 1
        choices = np.where(is_window[minima + 1], following, len(minima)).tolist()
        for first, last in ranges_of(is_tied).tolist():
            choice = first
            while choice <= last:
                is_kept[choice] = True
                choice = choices[choice]
    selected: NDArray[np.int64] = minima[is_kept]
    return selected


@lru_cache(maxsize=16)
def _powers(count: int, k: int) -> tuple[Hashes, Hashes]:
    """Return b^0, b^-1, ... and b^k, b^(k + 1), ... modulo 2^64, ``count`` of each."""
    down, up = (np.full(count, base, np.uint64) for base in (pow(_BASE, -1, _MODULUS), _BASE))
    down[0], up[0] = 1, pow(_BASE, k, _MODULUS)
    return np.cumprod(down, dtype=np.uint64), np.cumprod(up, dtype=np.uint64)
