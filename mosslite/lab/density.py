"""Density of selected hashes, in theory and on any corpus: Figure 3 (SIGMOD 2003, section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log1p, sqrt
from typing import Final

from mosslite.errors import OptionError
from mosslite.lab.selectors import Count, Source, Tally, Winnowing, ZeroMod, hash_pieces, too_short
from mosslite.options import at_least
from mosslite.records import Progress, no_progress

_EULER = 0.5772156649015329


def winnowing_density(w: int) -> float:
    """Return 2 / (w + 1)."""
    return 2 / (w + 1)


def winnowing_error(w: int, count: int) -> float:
    """Return the standard deviation of winnowing's measured density on ``count`` hashes.

    Exact except for the ends of the sequence. The window at i is charged if the minimum of its w +
    1 hashes, including the one before it, is the first or the last of them. Two windows at distance
    d < w are both charged with probability 4 / ((w + 1)(w + 1 + d)): the minimum of all their
    hashes is at one end of their union, and the other window is charged independently. At d = w the
    shared hash can charge both, which adds 1 / (2w + 1). At larger distances, they are independent.
    """
    charged = winnowing_density(w)
    variance = charged * (1 - charged) + 2 / (2 * w + 1)
    variance -= sum(8 * d / ((w + 1) ** 2 * (w + 1 + d)) for d in range(1, w + 1))
    return sqrt(max(variance, 0.0) / count)


def errors_off(deviation: float, error: float) -> float:
    """Return a deviation in standard errors; 0 if there is no deviation and no error."""
    return deviation / error if error else 0.0


def zero_mod_density(p: int) -> float:
    """Return 1 / p."""
    return 1 / p


def zero_mod_error(p: int, count: int) -> float:
    """Return the standard deviation of the measured density of 0 mod p on ``count`` hashes."""
    return sqrt(1 / p * (1 - 1 / p) / count)


def zero_mod_miss(p: int, w: int) -> float:
    """Return the probability that none of w consecutive hashes is 0 mod p (section 3.1.1)."""
    return (1 - 1 / p) ** w


def expected_longest_run(p: int, count: int) -> float:
    """Estimate the longest run of hashes that are not 0 mod p among ``count``.

    The longest run of failures approximately has a Gumbel distribution, of which this is the mean.
    """
    if p == 1:
        return 0.0
    rate = -log1p(-1 / p)
    return max((log(count / p) + _EULER) / rate - 0.5, 0.0)


def safe_density(p: int, w: int) -> float:
    """Return P + (1 - P)^w, which the paper approximates by P + e^(-wP) (section 3.1.2)."""
    return 1 / p + (1 - 1 / p) ** w


def safe_density_at_best(w: int) -> float:
    """Return (1 + ln w) / w, the minimum density of Safe 0 mod p, at P = (ln w) / w."""
    return (1 + log(w)) / w


def lower_bound(w: int) -> float:
    """Return 1.5 / (w + 1), the lower bound for all local algorithms (Theorem 1)."""
    return 1.5 / (w + 1)


def sharper_lower_bound(w: int) -> float:
    """Return (1.5 + 1 / (2w)) / (w + 1) (Observation 1)."""
    return (1.5 + 1 / (2 * w)) / (w + 1)


# Number of possible hashes.
_HASHES: Final = 2**64


@dataclass(frozen=True, slots=True)
class _Selected:
    """The selection of one algorithm.

    Attributes:
        expected_density: Expected for independent hashes.
        standard_error: Standard error of the measured density of independent hashes.
        errors_off: Difference of measured and expected density, in standard errors.
        longest_run_without_fingerprint: In hashes.
        expected_longest_run: Expected for independent hashes; w - 1 if that is guaranteed.
    """

    fingerprints: int
    measured_density: float
    expected_density: float
    standard_error: float
    errors_off: float
    longest_run_without_fingerprint: int
    expected_longest_run: float


@dataclass(frozen=True, slots=True)
class Density:
    """The table of Figure 3, and the reduction by robust winnowing.

    Attributes:
        text_bytes: Symbols: letters and digits, or tokens.
    """

    source: str
    k: int
    w: int
    p: int
    total_bytes: int
    text_bytes: int
    hashes: int
    winnowing: _Selected
    robust: _Selected
    mod_p: _Selected


def measure_density(
    source: Source, k: int, w: int, *, p: int | None = None, progress: Progress = no_progress
) -> Density:
    """Select from all k-grams of a corpus by winnowing, robust winnowing and 0 mod p.

    Args:
        source: The corpus.
        k: Noise threshold, in symbols.
        w: Window, in k-grams.
        p: Modulus of 0 mod p; None chooses the density of winnowing.
        progress: Called with the number of bytes read.

    Raises:
        OptionError: k, w or p is below 1, or p is greater than any hash.
        InputError: The corpus has no k-gram.
    """
    require_k_and_w(k, w)
    p = same_density(w) if p is None else p
    _require_p(p)
    tallies = [
        Tally(Winnowing(w, is_robust=False)),
        Tally(Winnowing(w, is_robust=True)),
        Tally(ZeroMod(p)),
    ]
    size, symbols, hashes = tally_all(source, k, tallies, progress=progress)
    winnowed = (winnowing_density(w), winnowing_error(w, hashes), w - 1.0)
    modulo = (zero_mod_density(p), zero_mod_error(p, hashes), expected_longest_run(p, hashes))
    found = [
        _selected(tally, hashes, *expected)
        for tally, expected in zip(tallies, (winnowed, winnowed, modulo), strict=True)
    ]
    return Density(source.name, k, w, p, size, symbols, hashes, *found)


def tally_all(
    source: Source, k: int, tallies: Sequence[Count], *, progress: Progress
) -> tuple[int, int, int]:
    """Pass a corpus to several counters at once; return its bytes, symbols and hashes.

    Raises:
        InputError: The corpus has no k-gram.
    """
    size = symbols = hashes = 0
    for piece in hash_pieces(source, k):
        for tally in tallies:
            tally.feed(piece)
        size += piece.size
        symbols += piece.symbols
        hashes += len(piece.hashes)
        progress("hashing", size, source.size)
    if not hashes:
        raise too_short(source, symbols, k)
    for tally in tallies:
        tally.finish()
    return size, symbols, hashes


def require_k_and_w(k: int, w: int) -> None:
    """Check k and the window.

    Raises:
        OptionError: One of them is below 1.
    """
    at_least(1, "noise threshold (-k)", k)
    at_least(1, "window (-w)", w)


def _require_p(p: int) -> None:
    at_least(1, "p of 0 mod p (-p)", p)
    if p >= _HASHES:
        msg = f"p of 0 mod p (-p) is {p}: it must be below {_HASHES}, as hashes are"
        raise OptionError(msg)


def same_density(w: int) -> int:
    """Return the p for which 0 mod p has the density of winnowing: (w + 1) / 2, rounded down."""
    return max((w + 1) // 2, 1)


def _selected(tally: Tally, hashes: int, expected: float, error: float, run: float) -> _Selected:
    measured = tally.fingerprints / hashes
    return _Selected(
        fingerprints=tally.fingerprints,
        measured_density=measured,
        expected_density=expected,
        standard_error=error,
        errors_off=errors_off(measured - expected, error),
        longest_run_without_fingerprint=tally.longest_run,
        expected_longest_run=run,
    )
