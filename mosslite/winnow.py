"""Pure array work: symbol codes to k-gram hashes to selected positions (SIGMOD 2003)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["kgram_hashes", "robust_winnow", "winnow"]

# The base b of the rolling hash. Any odd number has an inverse modulo 2^64; a large one with
# mixed bits carries every symbol into the high bits, which decide what is a minimum.
_BASE = 0x9E3779B97F4A7C15
_MODULUS = 2**64


def kgram_hashes(codes: NDArray[np.uint64], k: int) -> NDArray[np.uint64]:
    """Hash every k-gram by the improved rolling hash H' of section 2.2, modulo 2^64.

    ``H'(c_1 ... c_k) = c_1 b^k + ... + c_k b``. Instead of rolling from one k-gram to the next,
    differences of the running sum of ``c_i b^-i`` give them all in a few passes, whatever k.

    Args:
        codes: ``(n,) uint64`` symbol codes.
        k: Length of a k-gram, at least 1.

    Returns:
        ``(max(n - k + 1, 0),) uint64``; element i belongs to ``codes[i : i + k]``.
    """
    count = len(codes) - k + 1
    if count < 1:
        return np.empty(0, np.uint64)
    sums = np.zeros(len(codes) + 1, np.uint64)
    np.cumsum(codes * _powers(pow(_BASE, -1, _MODULUS), len(codes)), out=sums[1:])
    return (sums[k:] - sums[:-k]) * _powers(_BASE, count) * np.uint64(pow(_BASE, k, _MODULUS))


def winnow(hashes: NDArray[np.uint64], w: int) -> NDArray[np.int64]:
    """Select the minimum of every ``w`` consecutive hashes, the rightmost on ties (Definition 1).

    Args:
        hashes: ``(n,) uint64``; fewer than ``w`` of them count as one window.
        w: Window length in k-grams, at least 1.

    Returns:
        ``(m,) int64`` strictly increasing indices into ``hashes``.
    """
    if not len(hashes):
        return np.empty(0, np.int64)
    w = min(w, len(hashes))
    minima = _window_minima(hashes, w)
    entered = np.flatnonzero(hashes[w - 1 :] == minima) + w - 1
    expired = _rightmost_minima(hashes, w, _rises(minima))
    return np.unique(np.concatenate([entered, expired]))


def robust_winnow(hashes: NDArray[np.uint64], w: int) -> NDArray[np.int64]:
    """Select a minimum of every window, keeping the previous choice while it can (Definition 3).

    Where the minimum is tied, the hash the window one position to the left selected stays
    selected as long as it is in the window; only then the rightmost minimum is taken.

    Args:
        hashes: ``(n,) uint64``; fewer than ``w`` of them count as one window.
        w: Window length in k-grams, at least 1.

    Returns:
        ``(m,) int64`` strictly increasing indices into ``hashes``.
    """
    if not len(hashes):
        return np.empty(0, np.int64)
    w = min(w, len(hashes))
    minima = _window_minima(hashes, w)
    first_windows = np.concatenate([[0], np.flatnonzero(minima[1:] != minima[:-1]) + 1])
    end_windows = np.append(first_windows[1:], len(minima))
    selected = []
    # All windows of one run share a minimum. Its choice lasts until it leaves the window, which
    # inside a run happens only where the minimum is tied: the loop repeats for those runs alone.
    while len(first_windows):
        choices = _rightmost_minima(hashes, w, first_windows)
        selected.append(choices)
        left_early = choices + 1 < end_windows
        first_windows, end_windows = choices[left_early] + 1, end_windows[left_early]
    return np.sort(np.concatenate(selected))


def _powers(base: int, count: int) -> NDArray[np.uint64]:
    """Give base^0 ... base^(count - 1) modulo 2^64."""
    powers = np.full(count, base, np.uint64)
    powers[0] = 1
    return np.cumprod(powers, dtype=np.uint64)


def _window_minima(hashes: NDArray[np.uint64], w: int) -> NDArray[np.uint64]:
    """Give the minimum of every window; doubles the width, so log2(w) passes."""
    minima, width = hashes, 1
    while width < w:
        step = min(width, w - width)
        minima = np.minimum(minima[:-step], minima[step:])
        width += step
    return minima


def _rises(minima: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Give the windows whose minimum exceeds the previous window's, and the first window."""
    return np.concatenate([[0], np.flatnonzero(minima[1:] > minima[:-1]) + 1])


def _rightmost_minima(
    hashes: NDArray[np.uint64], w: int, windows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Find the rightmost minimum of the given windows: about w steps for each of them."""
    from_the_right: NDArray[np.int64] = sliding_window_view(hashes, w)[windows, ::-1].argmin(axis=1)
    return windows + (w - 1) - from_the_right
