"""The density analysis on real text: its Table 2, and Figures 2 and 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mosslite.lab.density import require_k_and_w, tally_all
from mosslite.lab.frequency import spectrum_of_kgrams
from mosslite.lab.selectors import Tally, Winnowing
from mosslite.lab.theory import winnowing_density, winnowing_error
from mosslite.lab.ties import TieTally
from mosslite.records import untold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.lab.spectrum import Spectrum
    from mosslite.lab.stream import Source
    from mosslite.records import Progress

__all__ = ["OfLength", "RealText", "TextDeviation", "measure_real_text"]


@dataclass(frozen=True, slots=True)
class TextDeviation:
    """The density of a text at one k and w.

    Attributes:
        relative_deviation: (measured - expected) / expected.
        standard_error: Of the relative deviation, had the hashes been independent.
        tied: The share of windows of w + 1 hashes that have more than one minimum.
    """

    k: int
    w: int
    measured_density: float
    expected_density: float
    relative_deviation: float
    standard_error: float
    tied: float


@dataclass(frozen=True, slots=True)
class OfLength:
    """The frequencies of all k-grams of one length."""

    k: int
    spectrum: Spectrum


@dataclass(frozen=True, slots=True)
class RealText:
    """Table 2 and Figures 2 and 3 of the analysis, on any corpus."""

    source: str
    symbols: int
    deviations: tuple[TextDeviation, ...]
    spectra: tuple[OfLength, ...]


def measure_real_text(
    source: Source, ks: Sequence[int], windows: Sequence[int], *, progress: Progress = untold
) -> RealText:
    """Winnow a corpus for every k and w, and count its k-grams and its ties.

    Args:
        source: The corpus.
        ks: Lengths of k-grams.
        windows: Window sizes.
        progress: Is told of the bytes read, for each k twice.

    Raises:
        OptionError: A k or a window is below 1.
        InputError: The corpus has no k-gram of some length.
    """
    symbols, deviations, spectra = 0, [], []
    for k in ks:
        symbols, found = _deviations(source, k, windows, progress)
        deviations += found
        spectra.append(OfLength(k, spectrum_of_kgrams(source, k, progress=progress)))
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
