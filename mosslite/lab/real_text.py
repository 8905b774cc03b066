"""The density analysis on real text: its Table 2, and Figures 2 and 3."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mosslite.lab.density import require_k_and_w, tally_all, winnowing_density, winnowing_error
from mosslite.lab.frequency import Spectrum, spectrum_of_kgrams
from mosslite.lab.selectors import HashPiece, Source, Tally, Winnowing
from mosslite.records import Progress, no_progress
from mosslite.winnowing.winnow import minima

Hashes = NDArray[np.uint64]
Positions = NDArray[np.int64]


class TieTally:
    """Counts the windows of w + 1 hashes of a stream, and those whose minimum is tied.

    Two adjacent windows of winnowing together have w + 1 hashes, and the theorem assumes that
    their minimum is unique.
    """

    def __init__(self, w: int) -> None:
        self._length = w + 1
        self._held = np.empty(0, np.uint64)
        self.windows, self.tied = 0, 0

    def feed(self, piece: HashPiece) -> None:
        """Process the next hashes."""
        self._held = np.concatenate([self._held, piece.hashes])
        self.windows += max(len(self._held) - self._length + 1, 0)
        self.tied += tied_windows(self._held, self._length)
        self._held = self._held[max(len(self._held) - self._length + 1, 0) :]

    def finish(self) -> None:
        """Do nothing: less than a window has no tie."""

    @property
    def rate(self) -> float:
        """Share of windows with a tie."""
        return self.tied / max(self.windows, 1)


def tied_windows(hashes: Hashes, length: int) -> int:
    """Count the windows of ``length`` hashes with more than one minimum.

    Among the hashes that are the minimum of some window, two adjacent ones with equal value that
    share a window are tied in all windows that contain both and nothing smaller. A smaller hash
    is adjacent to them among these hashes, or shares no window with them.
    """
    windows = len(hashes) - length + 1
    if windows < 1:
        return 0
    values, places, _ = minima(hashes, length)
    is_tied = (values[1:] == values[:-1]) & (np.diff(places) < length)
    if not is_tied.any():
        return 0
    begin = np.maximum(places[1:] - length + 1, _behind_smaller(values, places, is_tied))
    end = np.minimum(places[:-1], _before_smaller(values, places, is_tied, length))
    begin, end = np.maximum(begin, 0), np.minimum(end, windows - 1)
    # Windows with three equal minima are in two of the ranges; ends ascend within a tie.
    is_continued = np.concatenate([[False], is_tied[:-1]])
    counted_to = np.where(is_continued, np.concatenate([[0], end[:-1]]), -1)
    sizes = end - np.maximum(begin, counted_to + 1) + 1
    return int(np.maximum(sizes[is_tied], 0).sum())


def _behind_smaller(values: Hashes, places: Positions, is_tied: NDArray[np.bool_]) -> Positions:
    """Return for each adjacent pair the first window start after any smaller hash before it."""
    is_smaller = values[:-1] < values[1:]
    bound = np.where(is_smaller, places[:-1] + 1, 0)
    # The bound of a tie is that of its first hash; the preceding pair ends there.
    numbers = np.arange(len(is_tied))
    firsts = np.maximum.accumulate(np.where(is_tied, -1, numbers))
    return np.where(firsts >= 0, bound[np.maximum(firsts, 0)], 0)


def _before_smaller(
    values: Hashes, places: Positions, is_tied: NDArray[np.bool_], length: int
) -> Positions:
    """Return for each adjacent pair the last window before any smaller hash after it."""
    most = np.iinfo(np.int64).max
    is_smaller = values[1:] < values[:-1]
    bound = np.where(is_smaller, places[1:] - length, most)
    numbers = np.arange(len(is_tied))
    lasts = np.minimum.accumulate(np.where(is_tied, len(is_tied), numbers)[::-1])[::-1]
    return np.where(lasts < len(is_tied), bound[np.minimum(lasts, len(is_tied) - 1)], most)


@dataclass(frozen=True, slots=True)
class TextDeviation:
    """The density of a text at one k and w.

    Attributes:
        relative_deviation: (measured - expected) / expected.
        standard_error: Standard error of the relative deviation for independent hashes.
        tied: Share of windows of w + 1 hashes with more than one minimum.
    """

    k: int
    w: int
    measured_density: float
    expected_density: float
    relative_deviation: float
    standard_error: float
    tied: float


@dataclass(frozen=True, slots=True)
class _OfLength:
    """The frequencies of all k-grams of one length."""

    k: int
    spectrum: Spectrum


@dataclass(frozen=True, slots=True)
class RealText:
    """Table 2 and Figures 2 and 3 of the analysis, on any corpus."""

    source: str
    symbols: int
    deviations: tuple[TextDeviation, ...]
    spectra: tuple[_OfLength, ...]


def measure_real_text(
    source: Source, ks: Sequence[int], windows: Sequence[int], *, progress: Progress = no_progress
) -> RealText:
    """Winnow a corpus for every k and w, and count its k-grams and its ties.

    Args:
        source: The corpus.
        ks: Lengths of k-grams.
        windows: Window sizes.
        progress: Called with the number of bytes read, twice for each k.

    Raises:
        OptionError: A k or a window is below 1.
        InputError: The corpus is shorter than some k.
    """
    symbols, deviations, spectra = 0, [], []
    for k in ks:
        symbols, found = _deviations(source, k, windows, progress)
        deviations += found
        spectra.append(_OfLength(k, spectrum_of_kgrams(source, k, progress=progress)))
    return RealText(source.name, symbols, tuple(deviations), tuple(spectra))


def _deviations(
    source: Source, k: int, windows: Sequence[int], progress: Progress
) -> tuple[int, list[TextDeviation]]:
    """Read a corpus once for one k."""
    for w in windows:
        require_k_and_w(k, w)
    tallies = [Tally(Winnowing(w, is_robust=False)) for w in windows]
    ties = [TieTally(w) for w in windows]
    _, symbols, hashes = tally_all(
        source,
        k,
        [*tallies, *ties],
        progress=lambda stage, done, total: progress(f"{stage}, k = {k}", done, total),
    )
    found = [
        _deviation(k, w, tally.fingerprints / hashes, hashes, tie.rate)
        for w, tally, tie in zip(windows, tallies, ties, strict=True)
    ]
    return symbols, found


def _deviation(k: int, w: int, measured: float, hashes: int, tied: float) -> TextDeviation:
    expected = winnowing_density(w)
    return TextDeviation(
        k=k,
        w=w,
        measured_density=measured,
        expected_density=expected,
        relative_deviation=measured / expected - 1,
        standard_error=winnowing_error(w, hashes) / expected,
        tied=tied,
    )
