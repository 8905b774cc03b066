"""Tables and plots of the density analysis, with the claims of the paper."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import Final

from mosslite.lab.density import errors_off
from mosslite.lab.distributions import DISTRIBUTIONS, SIGNIFICANCE, Artificial
from mosslite.lab.frequency import Spectrum
from mosslite.lab.real_text import RealText, TextDeviation
from mosslite.lab.sheets import Cell, Plot, Series, Sheet, Table
from mosslite.lab.sheets.density import series_of

# Chance exceeds four standard errors once in 16,000 cases; there are a few dozen numbers.
_MOST_ERRORS: Final = 4.0
_LEAST_CHANCE: Final = 0.01
# k-grams at these ranks are compared.
_RANKS: Final = (10, 100, 1000, 10_000)


@dataclass(frozen=True, slots=True)
class _Finding:
    """A claim of the paper, the measurement, and whether they agree."""

    claim: str
    here: str
    agrees: bool


def findings_on_chance(result: Artificial) -> tuple[_Finding, ...]:
    """Check the claims on artificial data."""
    worst = max(
        abs(errors_off(each.relative_deviation, each.standard_error)) for each in result.deviations
    )
    rejected = sum(not each.is_same for each in result.tests)
    chance = _at_least(rejected, len(result.tests))
    return (
        _Finding(
            "densities deviate little from 2 / (w + 1), whatever the distribution",
            f"the largest deviation is {worst:.1f} standard errors",
            worst < _MOST_ERRORS,
        ),
        _Finding(
            "t-tests at 0.05 see no difference between distributions",
            f"{rejected} of {len(result.tests)} see one; chance alone makes as many with "
            f"probability {chance:.2f}",
            chance > _LEAST_CHANCE,
        ),
    )


def findings_on_text(result: RealText) -> Iterator[_Finding]:
    """Check the claims on real text, except those that need more values of k or w."""
    yield _larger_deviations(result)
    ks = sorted({each.k for each in result.deviations})
    windows = sorted({each.w for each in result.deviations})
    rates = {(each.k, each.w): each.tied for each in result.deviations}
    if len(windows) > 1:
        pairs = [(rates[k, low], rates[k, high]) for k in ks for low, high in pairwise(windows)]
        yield _steps("ties are more frequent in larger windows", pairs, lambda a, b: a <= b)
    if len(ks) > 1:
        pairs = [(rates[low, w], rates[high, w]) for w in windows for low, high in pairwise(ks)]
        yield _steps("ties are rarer for larger k, in general", pairs, lambda a, b: a >= b)
        yield _more_frequent(result)
    if {16, 32, 64} <= set(ks):
        yield _little_influence(rates, windows)


def _frequency_at(spectrum: Spectrum, rank: int) -> int:
    """Return the frequency of the hash at a rank, 0 after the last."""
    return next((each.frequency for each in spectrum.plateaus if each.last_rank >= rank), 0)


def _larger_deviations(result: RealText) -> _Finding:
    errors = [
        errors_off(each.relative_deviation, each.standard_error) for each in result.deviations
    ]
    mean = (sum(each**2 for each in errors) / len(errors)) ** 0.5
    return _Finding(
        "densities of real text deviate more than those of artificial data",
        f"by {mean:.1f} standard errors (root mean square); independent hashes would deviate by 1",
        mean > 1,
    )


def _steps(
    claim: str, pairs: Sequence[tuple[float, float]], is_so: Callable[[float, float], bool]
) -> _Finding:
    kept = sum(is_so(*pair) for pair in pairs)
    return _Finding(claim, f"so in {kept} of {len(pairs)} steps", kept > 0.8 * len(pairs))


def _more_frequent(result: RealText) -> _Finding:
    by_length = sorted(result.spectra, key=lambda each: each.k)
    pairs = [
        (_frequency_at(short.spectrum, rank), _frequency_at(long.spectrum, rank))
        for short, long in pairwise(by_length)
        for rank in _RANKS
    ]
    claim = "at the same rank, shorter k-grams are more frequent"
    return _steps(claim, pairs, lambda a, b: a >= b)


def _little_influence(rates: dict[tuple[int, int], float], windows: Sequence[int]) -> _Finding:
    """Compare the reductions by k from 16 to 32 and from 32 to 64 at the largest window."""
    w = max(windows)
    first, second = rates[16, w] - rates[32, w], rates[32, w] - rates[64, w]
    return _Finding(
        "beyond k = 32 the influence of k on ties is relatively small",
        f"at w = {w} the rate falls by {first:.5f} from k = 16 to 32, by {second:.5f} to 64",
        second < 0.5 * first,
    )


def _at_least(rejected: int, tests: int) -> float:
    """Return the probability that at least this many tests reject a true hypothesis."""
    return sum(
        comb(tests, many) * SIGNIFICANCE**many * (1 - SIGNIFICANCE) ** (tests - many)
        for many in range(rejected, tests + 1)
    )


@dataclass(frozen=True, slots=True)
class Analysis:
    """The whole analysis; ``text`` is None without a corpus."""

    artificial: Artificial
    text: RealText | None
    findings: tuple[_Finding, ...]


def analysis_of(artificial: Artificial, text: RealText | None) -> Analysis:
    """Compare the measurements with the claims of the paper."""
    on_text = () if text is None else tuple(findings_on_text(text))
    return Analysis(artificial, text, (*findings_on_chance(artificial), *on_text))


def sheet_of_analysis(result: Analysis) -> Sheet:
    """Return Tables 1 and 2, Figures 2 and 3, the t-tests, and the claims."""
    artificial, text = result.artificial, result.text
    title = f"{artificial.runs} runs of {artificial.hashes:,} hashes, seed {artificial.seed}"
    tables = [_table_1(artificial, title), _test_table(artificial)]
    plots = [_plot_1(artificial)]
    if text is not None:
        title += f", and {text.source}"
        tables += [_table_2(text), _tie_table(text), _spectrum_table(text)]
        plots += [_plot_2(text), _tie_plot(text), _spectrum_plot(text)]
    return Sheet("distributions", title, (*tables, _finding_table(result)), tuple(plots))


def _table_1(result: Artificial, title: str) -> Table:
    windows = dict.fromkeys(each.w for each in result.deviations)
    found = {(each.w, each.distribution): each for each in result.deviations}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            str(w),
            *(found[w, name].relative_deviation for name in DISTRIBUTIONS),
            found[w, "uniform"].standard_error,
        )
        for w in windows
    )
    return Table(
        f"Table 1: {title}",
        ("w", *DISTRIBUTIONS, "standard error"),
        rows,
        "Relative deviation of the mean density from 2 / (w + 1), and its standard error.",
    )


def _test_table(result: Artificial) -> Table:
    rows = tuple(
        (str(each.w), each.distribution, each.t, each.degrees, each.p_value, each.is_same)
        for each in result.tests
    )
    return Table(
        "Paired t-tests against the uniform distribution",
        ("w", "distribution", "t", "degrees", "p", "same"),
        rows,
        f"Same: no difference at {SIGNIFICANCE}; one in twenty true hypotheses is rejected.",
        words=2,
    )


def _table_2(result: RealText) -> Table:
    rows = tuple(
        (
            str(each.w),
            str(each.k),
            each.measured_density,
            each.expected_density,
            each.relative_deviation,
            errors_off(each.relative_deviation, each.standard_error),
        )
        for each in result.deviations
    )
    return Table(
        f"Table 2: {result.source}, {result.symbols:,} symbols",
        ("w", "k", "measured", "expected", "relative deviation", "deviation in errors"),
        rows,
        "Errors: the standard errors of independent hashes.",
        words=2,
    )


def _tie_table(result: RealText) -> Table:
    by_k = _by_k(result)
    windows = dict.fromkeys(each.w for each in result.deviations)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (str(w), *(next(each.tied for each in some if each.w == w) for some in by_k.values()))
        for w in windows
    )
    return Table(
        "Figure 3: the share of windows of w + 1 hashes with tied minima",
        ("w", *(f"k = {k}" for k in by_k)),
        rows,
    )


def _spectrum_table(result: RealText) -> Table:
    rows = tuple(
        (
            str(each.k),
            each.spectrum.distinct,
            each.spectrum.once,
            each.spectrum.plateaus[0].frequency,
            each.spectrum.cleaned_line.slope if each.spectrum.cleaned_line else None,
        )
        for each in result.spectra
    )
    return Table(
        "Figure 2: frequency by rank", ("k", "distinct", "once", "most often", "slope"), rows
    )


def _finding_table(result: Analysis) -> Table:
    rows = tuple((each.claim, each.here, each.agrees) for each in result.findings)
    return Table("Claims of the analysis", ("claim", "measured here", "agrees"), rows, words=2)


def _plot_1(result: Artificial) -> Plot:
    series = [
        Series(
            name,
            tuple(
                (float(each.w), each.relative_deviation)
                for each in result.deviations
                if each.distribution == name
            ),
        )
        for name in DISTRIBUTIONS
    ]
    for sign, name in ((2, "two standard errors above"), (-2, "two below")):
        points = tuple(
            (float(each.w), sign * each.standard_error)
            for each in result.deviations
            if each.distribution == "uniform"
        )
        series.append(Series(name, points, has_dots=False))
    return Plot(
        "Table 1: relative deviation by window",
        "w",
        "relative deviation",
        tuple(series),
        is_x_log=True,
    )


def _plot_2(result: RealText) -> Plot:
    series = tuple(
        Series(f"k = {k}", tuple((float(each.w), each.relative_deviation) for each in some))
        for k, some in _by_k(result).items()
    )
    title = "Table 2: relative deviation by window, on text"
    return Plot(title, "w", "relative deviation", series, is_x_log=True)


def _tie_plot(result: RealText) -> Plot:
    series = tuple(
        Series(f"k = {k}", tuple((float(each.w), each.tied) for each in some))
        for k, some in _by_k(result).items()
    )
    return Plot("Figure 3: windows with tied minima", "w", "share of windows", series)


def _spectrum_plot(result: RealText) -> Plot:
    series = tuple(
        one
        for each in result.spectra
        for one in series_of(f"k = {each.k}", each.spectrum, has_line=False)
    )
    title = "Figure 2: frequency by rank"
    return Plot(title, "rank", "frequency", series, is_x_log=True, is_y_log=True)


def _by_k(result: RealText) -> dict[int, list[TextDeviation]]:
    found: dict[int, list[TextDeviation]] = {}
    for each in result.deviations:
        found.setdefault(each.k, []).append(each)
    return found
