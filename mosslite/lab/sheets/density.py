"""The tables and plots of densities, frequencies, algorithms and hash functions."""

from collections.abc import Callable, Mapping
from typing import Final

from mosslite.lab.comparison import Comparison
from mosslite.lab.density import Density, lower_bound, safe_density_at_best, winnowing_density
from mosslite.lab.frequency import Frequency, Line, Spectrum
from mosslite.lab.hashes import HashTrial
from mosslite.lab.sheets import Plot, Series, Sheet, Table


def sheet_of_hashes(result: HashTrial) -> Sheet:
    """Return tables of the results of each function."""
    title = f"{result.source}: {result.kgrams:,} {result.k}-grams, {result.distinct:,} different"
    return Sheet("hashes", title, (_collision_table(result, title), _evenness_table(result)))


def _collision_table(result: HashTrial, title: str) -> Table:
    rows = tuple(
        (each.name, each.collisions, each.high_collisions, each.low_collisions, each.nanoseconds)
        for each in result.functions
    )
    return Table(
        f"Hash functions on {title}",
        ("function", "64 bits", "high 32", "low 32", "ns / hash"),
        rows,
        f"Collisions between different k-grams: {result.expected_collisions:.1f} would be expected "
        "of 32 ideal bits. Nanoseconds are those of these implementations, shown with --speed.",
    )


def _evenness_table(result: HashTrial) -> Table:
    rows = tuple(
        (
            each.name,
            each.last_symbol,
            each.first_symbol,
            each.high_byte,
            each.low_byte,
            each.zero_mod_p,
            each.zero_mod_64,
            each.winnowing,
        )
        for each in result.functions
    )
    headings = ("function", "last symbol", "first symbol", "high byte", "low byte")
    return Table(
        "Evenness",
        (*headings, f"0 mod {result.p}", "0 mod 64", f"winnowing, w = {result.w}"),
        rows,
        "Symbols: share of the high 32 bits that change with the last and the first symbol of a "
        "k-gram (ideal: 0.5). Bytes: deviation in standard errors (ideal: within 3 of 0).",
    )


def sheet_of_frequency(result: Frequency) -> Sheet:
    """Return the tables and plot of Figure 4."""
    title = f"{result.source}: k = {result.k}, w = {result.w}"
    plot = Plot(
        "Frequency by rank",
        "rank",
        "frequency",
        (
            *series_of("all hashes", result.all),
            *series_of("fingerprints", result.selected),
        ),
        is_x_log=True,
        is_y_log=True,
    )
    tables = (_spectrum_table(result, title), _string_table(result), _aberrant_table(result))
    return Sheet("frequency", title, tables, (plot,))


def series_of(name: str, spectrum: Spectrum, *, has_line: bool = True) -> tuple[Series, ...]:
    """Return the end points of plateaus, and the line through the regular ones."""
    points = tuple(
        (float(rank), float(each.frequency))
        for each in spectrum.plateaus
        for rank in (each.first_rank, each.last_rank)
    )
    data = Series(name, points)
    line = spectrum.cleaned_line
    if not has_line or line is None:
        return (data,)
    ends = tuple(
        (rank, 10**line.intercept * rank**line.slope) for rank, _ in points[:: len(points) - 1]
    )
    return data, Series(f"{name}, slope {line.slope:.2f}", ends, has_dots=False)


def _spectrum_table(result: Frequency, title: str) -> Table:
    rows = [
        (
            name,
            each.occurrences,
            each.distinct,
            each.once,
            each.twice,
            each.thrice,
            each.plateaus[0].frequency,
            _slope(each.line),
            _slope(each.cleaned_line),
        )
        for name, each in (("all hashes", result.all), ("fingerprints", result.selected))
    ]
    headings = ("", "total", "distinct", "once", "twice", "thrice", "most often")
    return Table(
        f"Figure 4 on {title}",
        (*headings, "slope", "cleaned"),
        tuple(rows),
        "Once, twice, thrice: share of the distinct k-grams. Slope: that of the line through both "
        "ends of every plateau; cleaned: without aberrant plateaus.",
    )


def _string_table(result: Frequency) -> Table:
    rows = tuple((each.text, each.frequency, each.selected) for each in result.most_common)
    return Table(
        "The most common strings",
        ("string", "frequency", "as fingerprint"),
        rows,
        "Of strings that overlap at their first occurrence, only the most frequent is shown.",
    )


def _aberrant_table(result: Frequency) -> Table:
    rows = tuple(
        (name, plateau.frequency, plateau.first_rank, plateau.last_rank)
        for name, each in (("all hashes", result.all), ("fingerprints", result.selected))
        for plateau in each.aberrant
    )
    return Table(
        "Aberrant plateaus",
        ("", "frequency", "first rank", "last rank"),
        rows,
        "Ten or more consecutive hashes of equal frequency where a power law predicts different "
        "ones: a passage that many documents share, or one with a long repeating pattern.",
    )


def _slope(line: Line | None) -> float | None:
    return None if line is None else line.slope


_THEORY: Final[Mapping[str, Callable[[int], float]]] = {
    "winnowing: 2 / (w + 1)": winnowing_density,
    "at least: 1.5 / (w + 1)": lower_bound,
    "Safe 0 mod p: (1 + ln w) / w": safe_density_at_best,
}


def sheet_of_density(result: Density) -> Sheet:
    """Return the tables and plot of Figure 3, with deviations expected by chance."""
    rows = (
        ("total bytes", result.total_bytes),
        ("text bytes", result.text_bytes),
        ("hashes computed", result.hashes),
        ("winnowing fingerprints", result.winnowing.fingerprints),
        ("measured density", result.winnowing.measured_density),
        ("expected density", result.winnowing.expected_density),
        ("robust winnowing fingerprints", result.robust.fingerprints),
        ("measured density", result.robust.measured_density),
        ("drop", result.winnowing.measured_density - result.robust.measured_density),
        (f"fingerprints for 0 mod {result.p}", result.mod_p.fingerprints),
        ("measured density", result.mod_p.measured_density),
        ("expected density", result.mod_p.expected_density),
        ("longest run with no fingerprint", result.mod_p.longest_run_without_fingerprint),
    )
    title = f"{result.source}: k = {result.k}, w = {result.w}"
    figure = Table(f"Figure 3 on {title}", ("", "value"), rows, "The longest run is in hashes.")
    points = {
        "winnowing, measured": result.winnowing.measured_density,
        "robust winnowing, measured": result.robust.measured_density,
        f"0 mod {result.p}, measured": result.mod_p.measured_density,
    }
    plot = _density_plot(result.w, points)
    return Sheet("density", title, (figure, _chance_table(result)), (plot,))


def _chance_table(result: Density) -> Table:
    rows = [
        (
            name,
            each.measured_density / each.expected_density - 1,
            each.standard_error,
            each.errors_off,
            each.longest_run_without_fingerprint,
            each.expected_longest_run,
        )
        for name, each in (
            ("winnowing", result.winnowing),
            ("robust winnowing", result.robust),
            (f"0 mod {result.p}", result.mod_p),
        )
    ]
    return Table(
        "Measured against independent hashes",
        (
            "algorithm",
            "relative deviation",
            "standard error",
            "deviation in errors",
            "longest run",
            "expected",
        ),
        tuple(rows),
        "Standard error: how much the density of as many independent hashes varies by chance. "
        "Real text repeats itself, so its density varies more.",
    )


def sheet_of_comparison(result: Comparison) -> Sheet:
    """Return tables that compare the algorithms."""
    title = f"{result.source}: {result.hashes:,} hashes, k = {result.k}, w = {result.w}"
    tables = (_algorithm_table(result, title), _guarantee_table(result), _bound_table(result))
    points = {f"{row.algorithm}, measured": row.measured_density for row in result.rows}
    return Sheet("select", title, tables, (_density_plot(result.w, points),))


def _density_plot(w: int, points: Mapping[str, float]) -> Plot:
    """Return a plot of theoretical densities around w, and of measured ones at w."""
    windows = sorted({max(round(w * 2 ** (step / 4)), 2) for step in range(-12, 13)})
    curves = tuple(
        Series(name, tuple((float(each), density(each)) for each in windows), has_dots=False)
        for name, density in _THEORY.items()
    )
    dots = tuple(
        Series(name, ((float(w), value),), is_line=False) for name, value in points.items()
    )
    title = "Density by window: theory and measurement"
    return Plot(title, "w", "density", (*curves, *dots), is_x_log=True, is_y_log=True)


def _algorithm_table(result: Comparison, title: str) -> Table:
    rows = tuple(
        (
            row.algorithm,
            row.fingerprints,
            row.measured_density,
            row.expected_density,
            row.longest_run_without_fingerprint,
            row.missed,
        )
        for row in result.rows
    )
    return Table(
        f"Selection algorithms on {title}",
        ("algorithm", "fingerprints", "density", "expected", "longest run", "missed"),
        rows,
        f"Missed: share of passages of t = {result.w + result.k - 1} symbols that have no "
        "fingerprint in common with their copy in another document.",
    )


def _guarantee_table(result: Comparison) -> Table:
    rows = tuple(
        (row.algorithm, "kept" if row.is_guaranteed else "broken", row.rule) for row in result.rows
    )
    return Table("The guarantee", ("algorithm", "guarantee", "selection rule"), rows, words=3)


def _bound_table(result: Comparison) -> Table:
    bounds = result.bounds
    rows = (
        ("any local algorithm, at least 1.5 / (w + 1)", bounds.lower_bound),
        ("sharper: (1.5 + 1 / 2w) / (w + 1)", bounds.sharper_lower_bound),
        ("winnowing: 2 / (w + 1)", bounds.winnowing),
        ("Safe 0 mod p at best: (1 + ln w) / w", bounds.safe_0_mod_p_at_best),
        ("0 mod p misses a passage: (1 - 1 / p)^w", bounds.chance_that_0_mod_p_misses),
    )
    return Table("Theory", ("", "value"), rows)
