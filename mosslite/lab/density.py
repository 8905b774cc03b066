"""Density of selected hashes, in theory and on any corpus: Figure 3 (SIGMOD 2003, section 5)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, log1p, sqrt
from typing import Final

import numpy as np

from mosslite.errors import OptionError
from mosslite.lab.selectors import Source, Tally, Winnowing, hash_pieces, too_short, zero_mod
from mosslite.lab.sheets import Cell, Plot, Series, Sheet, Table, table_of
from mosslite.options import at_least
from mosslite.records import Progress, no_progress


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


def zero_mod_error(p: int, count: int) -> float:
    """Return the standard deviation of the measured density of 0 mod p on ``count`` hashes."""
    return sqrt(1 / p * (1 - 1 / p) / count)


def zero_mod_miss(p: int, w: int) -> float:
    """Return the probability that none of w consecutive hashes is 0 mod p (section 3.1.1)."""
    return (1 - 1 / p) ** w


def log10_odds_of_run(p: int, hashes: int) -> float | None:
    """Return the logarithm of (1 - 1/p)^hashes, the odds that none of so many is 0 mod p.

    None if they are 0: with p = 1, there is no such run. Of the paper's run of 29,900 characters,
    which has 29,851 50-grams, the odds are 10^-261.9 (section 5.1).
    """
    if p == 1:
        return None if hashes else 0.0
    return hashes * log1p(-1 / p) / log(10)


def expected_longest_run(p: int, count: int) -> float:
    """Estimate the longest run of hashes that are not 0 mod p among ``count``.

    The longest run of failures approximately has a Gumbel distribution, of which this is the mean.
    """
    if p == 1:
        return 0.0
    rate = -log1p(-1 / p)
    return max((log(count / p) + np.euler_gamma) / rate - 0.5, 0.0)


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


@dataclass(frozen=True, slots=True)
class _Selected:
    """The selection of one algorithm.

    Attributes:
        expected_density: Expected for independent hashes.
        standard_error: Standard error of the measured density of independent hashes.
        errors_off: Difference of measured and expected density, in standard errors.
        longest_run_without_fingerprint: In hashes.
        expected_longest_run: Expected for independent hashes; w - 1 if that is guaranteed.
        log10_odds_of_longest_run: Of independent hashes, none of so many in a given place is
            selected with 10 to this probability; None for winnowing, which excludes longer runs.
    """

    fingerprints: int
    measured_density: float
    expected_density: float
    standard_error: float
    errors_off: float
    longest_run_without_fingerprint: int
    expected_longest_run: float
    log10_odds_of_longest_run: float | None


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

    Without p, 0 mod p is as dense as winnowing.

    Raises:
        OptionError: k, w or p is below 1, or p is greater than any hash.
        InputError: The corpus has no k-gram.
    """
    require_k_and_w(k, w)
    p = same_density(w) if p is None else p
    at_least(1, "p of 0 mod p (-p)", p)
    if p >= 2**64:
        msg = f"p of 0 mod p (-p) is {p}: it must be below {2**64}, as hashes are"
        raise OptionError(msg)
    winnowing, robust = (Tally(Winnowing(w, is_robust=each)) for each in (False, True))
    modulo = Tally(zero_mod(p))
    size, symbols, hashes = tally_all(source, k, [winnowing, robust, modulo], progress=progress)

    def selected(
        tally: Tally, expected: float, error: float, run: float, odds: float | None = None
    ) -> _Selected:
        measured = tally.fingerprints / hashes
        off = errors_off(measured - expected, error)
        longest = tally.longest_run
        return _Selected(tally.fingerprints, measured, expected, error, off, longest, run, odds)

    of_windows = winnowing_density(w), winnowing_error(w, hashes), w - 1.0
    of_modulus = 1 / p, zero_mod_error(p, hashes), expected_longest_run(p, hashes)
    return Density(
        source=source.name,
        k=k,
        w=w,
        p=p,
        total_bytes=size,
        text_bytes=symbols,
        hashes=hashes,
        winnowing=selected(winnowing, *of_windows),
        robust=selected(robust, *of_windows),
        mod_p=selected(modulo, *of_modulus, log10_odds_of_run(p, modulo.longest_run)),
    )


def tally_all(
    source: Source, k: int, tallies: Sequence[Tally], *, progress: Progress
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


def same_density(w: int) -> int:
    """Return the p for which 0 mod p has the density of winnowing: (w + 1) / 2, rounded down."""
    return max((w + 1) // 2, 1)


def sheet_of_density(result: Density) -> Sheet:
    """Return the table and plot of Figure 3, with deviations expected by chance."""
    by_name = {
        "winnowing": result.winnowing,
        "robust winnowing": result.robust,
        f"0 mod {result.p}": result.mod_p,
    }
    title = f"{result.source}: k = {result.k}, w = {result.w}"
    drop = result.winnowing.measured_density - result.robust.measured_density
    odds = result.mod_p.log10_odds_of_longest_run
    totals: tuple[tuple[Cell, ...], ...] = (
        ("total bytes", result.total_bytes),
        ("text bytes", result.text_bytes),
        ("hashes computed", result.hashes),
        ("drop by robust winnowing", drop),
        (f"longest run without 0 mod {result.p}", result.mod_p.longest_run_without_fingerprint),
        ("expected longest run", result.mod_p.expected_longest_run),
        ("odds of the longest run", None if odds is None else f"10^{odds:.1f}"),
    )
    figure = table_of(
        "Density, and longest run of hashes without a fingerprint",
        by_name,
        "fingerprints measured_density expected_density standard_error errors_off"
        " longest_run_without_fingerprint",
        "Standard error: how much the density of as many independent hashes varies by "
        "chance; real text repeats itself and varies more. Odds: of so long a run of independent "
        "hashes in a given place.",
    )
    measured = {name: each.measured_density for name, each in by_name.items()}
    plot = density_plot(result.w, measured.items())
    return Sheet(
        "density", title, (Table(f"Figure 3 on {title}", ("", "value"), totals), figure), (plot,)
    )


_THEORY: Final[Mapping[str, Callable[[int], float]]] = {
    "winnowing: 2 / (w + 1)": winnowing_density,
    "at least: (1.5 + 1 / 2w) / (w + 1)": sharper_lower_bound,
    "Safe 0 mod p: (1 + ln w) / w": safe_density_at_best,
}


def density_plot(w: int, measured: Iterable[tuple[str, float]]) -> Plot:
    """Return a plot of theoretical densities around w, and of measured ones at w."""
    windows = sorted({max(round(w * 2 ** (step / 4)), 2) for step in range(-12, 13)})
    curves = tuple(
        Series(name, tuple((float(each), density(each)) for each in windows), "-")
        for name, density in _THEORY.items()
    )
    dots = tuple(Series(f"{name}, measured", ((float(w), value),), "o") for name, value in measured)
    title = "Density by window: theory and measurement"
    return Plot(title, "w", "density", (*curves, *dots), is_x_log=True, is_y_log=True)
