"""Density when hashes are not uniform: tables, t-tests and figures of the density analysis.

Winnowing is applied to independent hashes of several distributions, and to real text.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from operator import ge, le
from statistics import fmean
from typing import Final
from warnings import catch_warnings, simplefilter

import numpy as np

from mosslite.lab.density import errors_off, tally_all, winnowing_density, winnowing_error
from mosslite.lab.frequency import points_of, spectrum_of_kgrams
from mosslite.lab.sheets import Plot, Series, Sheet, Table, Values, pivoted, series_by, table_of
from mosslite.lab.streams import Hashes, HashPiece, Positions, Selector, Source, Tally, Winnowing
from mosslite.records import Progress, no_progress
from mosslite.winnowing.winnow import last_minima

SIGNIFICANCE: Final = 0.05

_CHUNK: Final = 1 << 20
# The analysis needs integer hashes. With this many steps per standard deviation, the extremes of
# 10^12 numbers fit in 64 bits, and equal values are as rare as among floats.
_STEPS: Final = 2.0**58
_MIDDLE: Final = 2.0**63

DISTRIBUTIONS: Final[Mapping[str, Callable[[np.random.Generator, int], Hashes]]] = {
    "uniform": lambda random, count: random.integers(0, 2**64, count, np.uint64),
    "normal": lambda random, count: (random.standard_normal(count) * _STEPS + _MIDDLE).astype(
        np.uint64
    ),
    "exponential": lambda random, count: (random.standard_exponential(count) * _STEPS).astype(
        np.uint64
    ),
}


def measure_distributions(
    hashes: int, runs: int, windows: Sequence[int], seed: int, *, progress: Progress = no_progress
) -> Values:
    """Winnow sequences of independent hashes of several distributions.

    Table 1 has the mean density of the runs, and its relative deviation from 2 / (w + 1) with the
    theoretical standard error of that.

    Args:
        hashes: Number of hashes per run; 10^8 in the analysis.
        runs: Number of runs per distribution, at least 2; 100 in the analysis.
        windows: Window sizes w.
        seed: Seed of all random numbers.
        progress: Called with the number of hashes winnowed.
    """
    total = len(DISTRIBUTIONS) * runs * hashes
    densities: dict[tuple[int, str], tuple[float, ...]] = {}
    for number, name in enumerate(DISTRIBUTIONS):
        rows = []
        for run in range(runs):
            tallies = [Tally(Winnowing(w, is_robust=False)) for w in windows]
            for piece in _drawn(name, (seed, number, run), hashes):
                for tally in tallies:
                    tally.feed(piece)
                progress("winnowing", (number * runs + run) * hashes + piece.first, total)
            rows.append([tally.fingerprints / hashes for tally in tallies])
        densities |= {
            (w, name): column for w, column in zip(windows, zip(*rows, strict=True), strict=True)
        }
    deviations, tests = [], []
    for w in windows:
        for name in DISTRIBUTIONS:
            found = densities[w, name]
            mean = fmean(found)
            deviations.append(
                {
                    "w": w,
                    "distribution": name,
                    "densities": found,
                    "mean_density": mean,
                    **_deviation(w, mean, hashes * runs),
                }
            )
            if name != "uniform":
                tests.append(density_test(w, name, found, densities[w, "uniform"]))
    sizes = {"hashes": hashes, "runs": runs, "seed": seed}
    return sizes | {"deviations": deviations, "tests": tests}


def _deviation(w: int, density: float, hashes: int) -> Values:
    """Return how much a density deviates, relative to that expected of independent hashes."""
    expected = winnowing_density(w)
    return {
        "expected_density": expected,
        "relative_deviation": density / expected - 1,
        "standard_error": winnowing_error(w, hashes) / expected,
    }


def _drawn(name: str, seed: Sequence[int], count: int) -> Iterator[HashPiece]:
    random = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed)))
    for first in range(0, count, _CHUNK):
        yield HashPiece(DISTRIBUTIONS[name](random, min(_CHUNK, count - first)), first)
    yield HashPiece(np.empty(0, np.uint64), count, is_last=True)


def density_test(w: int, name: str, densities: Sequence[float], uniform: Sequence[float]) -> Values:
    """Compare runs of a distribution with those of the uniform one by a paired t-test.

    There are at least two of each; equal ones do not differ. The p-value is the two-sided
    probability of so large a t by chance; from 0.05 on, the densities count as the same.
    """
    from scipy.stats import ttest_rel  # noqa: PLC0415 - an optional extra

    t, p_value = 0.0, 1.0
    if tuple(densities) != tuple(uniform):
        with catch_warnings():
            simplefilter("ignore", RuntimeWarning)  # all differences are equal
            t, p_value = map(float, ttest_rel(densities, uniform))
    return {
        "w": w,
        "distribution": name,
        "t": t,
        "degrees": len(densities) - 1,
        "p_value": p_value,
        "is_same": p_value >= SIGNIFICANCE,
    }


# Real text


def ties(w: int) -> Selector:
    """Select the windows of w + 1 hashes whose minimum is tied, by their start.

    Two adjacent windows of winnowing together have w + 1 hashes, and the theorem assumes that
    their minimum is unique.
    """
    held = np.empty(0, np.uint64)

    def tied(piece: HashPiece) -> Positions:
        nonlocal held
        first, hashes = piece.first - len(held), np.concatenate([held, piece.hashes])
        held = hashes[max(len(hashes) - w, 0) :]
        return tied_windows(hashes, w + 1) + first

    return tied


def tied_windows(hashes: Hashes, length: int) -> Positions:
    """Return the windows of ``length`` hashes whose first and last minimum differ."""
    if len(hashes) < length:
        return np.empty(0, np.int64)
    firsts = len(hashes) - 1 - last_minima(hashes[::-1], length)[::-1]
    return np.flatnonzero(firsts != last_minima(hashes, length))


def measure_real_text(
    source: Source, ks: Sequence[int], windows: Sequence[int], *, progress: Progress = no_progress
) -> Values:
    """Winnow a corpus for every k and w, and count its k-grams and its ties.

    These are Table 2 and Figures 2 and 3; ``tied`` is the share of windows of w + 1 hashes with
    more than one minimum.

    Raises:
        InputError: The corpus is shorter than some k.
    """
    symbols, deviations, spectra = 0, [], []
    for k in ks:
        tallies = [Tally(Winnowing(w, is_robust=False)) for w in windows]
        of_ties = [Tally(ties(w)) for w in windows]
        _, symbols, hashes = tally_all(source, k, [*tallies, *of_ties], progress=progress)
        for w, tally, tie in zip(windows, tallies, of_ties, strict=True):
            measured, tied = tally.fingerprints / hashes, tie.fingerprints / max(hashes - w, 1)
            row = {"k": k, "w": w, "measured_density": measured}
            deviations.append(row | _deviation(w, measured, hashes) | {"tied": tied})
        spectra.append({"k": k, "spectrum": spectrum_of_kgrams(source, k, progress=progress)})
    found = {"source": source.name, "symbols": symbols}
    return found | {"deviations": deviations, "spectra": spectra}


# The claims of the analysis

# Chance exceeds four standard errors once in 16,000 cases; there are a few dozen numbers.
_MOST_ERRORS: Final = 4.0
_LEAST_CHANCE: Final = 0.01
# k-grams at these ranks are compared.
_RANKS: Final = (10, 100, 1000, 10_000)


def analysis_of(artificial: Values, text: Values | None) -> Values:
    """Return the whole analysis, and its claims beside what is measured here."""
    findings = [*findings_on_chance(artificial), *(findings_on_text(text) if text else ())]
    return {"artificial": artificial, "text": text, "findings": findings}


def _finding(claim: str, here: str, agrees: bool) -> Values:
    return {"claim": claim, "here": here, "agrees": agrees}


def _errors_off(result: Values) -> list[float]:
    deviations = result["deviations"]
    return [errors_off(each["relative_deviation"], each["standard_error"]) for each in deviations]


def findings_on_chance(result: Values) -> Iterator[Values]:
    """Check the claims on artificial data."""
    from scipy.stats import binom  # noqa: PLC0415 - an optional extra

    worst = max(map(abs, _errors_off(result)))
    yield _finding(
        "densities deviate little from 2 / (w + 1), whatever the distribution",
        f"the largest deviation is {worst:.1f} standard errors",
        worst < _MOST_ERRORS,
    )
    tests = result["tests"]
    rejected = sum(not each["is_same"] for each in tests)
    chance = float(binom.sf(rejected - 1, len(tests), SIGNIFICANCE))
    yield _finding(
        f"t-tests at {SIGNIFICANCE} see no difference between distributions",
        f"{rejected} of {len(tests)} see one; chance alone makes as many with "
        f"probability {chance:.2f}",
        chance > _LEAST_CHANCE,
    )


def findings_on_text(result: Values) -> Iterator[Values]:
    """Check the claims on real text, except those that need more values of k or w."""
    rms = sqrt(fmean(each**2 for each in _errors_off(result)))
    yield _finding(
        "densities of real text deviate more than those of artificial data",
        f"by {rms:.1f} standard errors (root mean square); independent hashes would deviate by 1",
        rms > 1,
    )
    tied = {(each["k"], each["w"]): each["tied"] for each in result["deviations"]}
    ks, windows = (sorted({key[side] for key in tied}) for side in (0, 1))
    if len(windows) > 1:
        pairs = [(tied[k, low], tied[k, high]) for k in ks for low, high in pairwise(windows)]
        yield _steps("ties are more frequent in larger windows", pairs, le)
    if len(ks) > 1:
        pairs = [(tied[low, w], tied[high, w]) for w in windows for low, high in pairwise(ks)]
        yield _steps("ties are rarer for larger k, in general", pairs, ge)
        spectra = {each["k"]: each["spectrum"] for each in result["spectra"]}
        pairs = [
            (_frequency_at(spectra[low], rank), _frequency_at(spectra[high], rank))
            for low, high in pairwise(ks)
            for rank in _RANKS
        ]
        yield _steps("at the same rank, shorter k-grams are more frequent", pairs, ge)
    if {16, 32, 64} <= set(ks):
        w = windows[-1]
        first, second = tied[16, w] - tied[32, w], tied[32, w] - tied[64, w]
        yield _finding(
            "beyond k = 32 the influence of k on ties is relatively small",
            f"at w = {w} the rate falls by {first:.5f} from k = 16 to 32, by {second:.5f} to 64",
            second < 0.5 * first,
        )


def _frequency_at(spectrum: Values, rank: int) -> int:
    """Return the frequency of the hash at a rank, 0 after the last."""
    plateaus = spectrum["plateaus"]
    return next((each["frequency"] for each in plateaus if each["last_rank"] >= rank), 0)


def _steps(
    claim: str, pairs: Sequence[tuple[float, float]], is_so: Callable[[float, float], bool]
) -> Values:
    kept = sum(is_so(*pair) for pair in pairs)
    return _finding(claim, f"so in {kept} of {len(pairs)} steps", kept > 0.8 * len(pairs))


def sheet_of_analysis(result: Values) -> Sheet:
    """Return Tables 1 and 2, Figures 2 and 3, the t-tests, and the claims."""
    artificial, text = result["artificial"], result["text"]
    deviations = artificial["deviations"]
    title = "{runs} runs of {hashes:,} hashes, seed {seed}".format_map(artificial)
    tables = [
        table_of(
            f"Table 1: {title}",
            deviations,
            "distribution w mean_density expected_density relative_deviation standard_error",
            "Relative deviation of the mean density from 2 / (w + 1), and its standard error.",
        ),
        table_of(
            "Paired t-tests against the uniform distribution",
            artificial["tests"],
            "distribution w t degrees p_value is_same",
            f"Same: no difference at {SIGNIFICANCE}; one in twenty true hypotheses is rejected.",
        ),
    ]
    bounds = [
        Series(
            name,
            tuple((float(each["w"]), sign * each["standard_error"]) for each in deviations),
            "--",
        )
        for sign, name in ((2, "two standard errors above"), (-2, "two below"))
    ]
    measured = series_by(deviations, "distribution", "w", "relative_deviation")
    plots = [Plot("Table 1", "w", "relative deviation", (*measured, *bounds), is_x_log=True)]
    if text is not None:
        title += f", and {text['source']}"
        tables += _text_tables(text)
        plots += _text_plots(text)
    tables.append(table_of("Claims of the analysis", result["findings"], "claim here agrees"))
    return Sheet("distributions", title, tuple(tables), tuple(plots))


def _text_tables(result: Values) -> list[Table]:
    ks, rates = pivoted(result["deviations"], "w", "k", "tied")
    return [
        table_of(
            "Table 2: {source}, {symbols:,} symbols".format_map(result),
            result["deviations"],
            "k w measured_density expected_density relative_deviation standard_error",
            "The standard error of the relative deviation is that of independent hashes.",
        ),
        Table(
            "Figure 3: the share of windows of w + 1 hashes with tied minima",
            ("w", *(f"k = {k}" for k in ks)),
            rates,
        ),
        table_of(
            "Figure 2: frequency by rank",
            result["spectra"],
            "k spectrum.distinct spectrum.once spectrum.cleaned_line.slope",
        ),
    ]


def _text_plots(result: Values) -> list[Plot]:
    deviations, rates = (
        series_by(result["deviations"], "k", "w", y, "k = {}")
        for y in ("relative_deviation", "tied")
    )
    spectra = result["spectra"]
    frequencies = tuple(points_of(f"k = {each['k']}", each["spectrum"]) for each in spectra)
    return [
        Plot("Table 2, on text", "w", "relative deviation", deviations, is_x_log=True),
        Plot("Figure 3: windows with tied minima", "w", "share of windows", rates),
        Plot("Figure 2: frequency by rank", "rank", "frequency", frequencies, True, True),
    ]
