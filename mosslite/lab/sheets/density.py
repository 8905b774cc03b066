"""The tables and plots of densities and of algorithms side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.lab.sheets import Plot, Series, Sheet, Table
from mosslite.lab.theory import lower_bound, safe_density_at_best, winnowing_density

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mosslite.lab.comparison import Comparison
    from mosslite.lab.density import Density

__all__ = ["sheet_of_comparison", "sheet_of_density"]

_THEORY: Final[Mapping[str, Callable[[int], float]]] = {
    "winnowing: 2 / (w + 1)": winnowing_density,
    "at least: 1.5 / (w + 1)": lower_bound,
    "Safe 0 mod p: (1 + ln w) / w": safe_density_at_best,
}


def sheet_of_density(result: Density) -> Sheet:
    """Lay out Figure 3, and beside it how far off chance alone would be."""
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
    figure = Table(f"Figure 3 on {title}", ("", "value"), rows, "Runs are counted in hashes.")
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
            "errors off",
            "longest run",
            "expected",
        ),
        tuple(rows),
        "The standard error is what chance alone does to the density of as many independent "
        "hashes; real text repeats itself, so its density moves by more.",
    )


def sheet_of_comparison(result: Comparison) -> Sheet:
    """Lay out the algorithms side by side."""
    title = f"{result.source}: {result.hashes:,} hashes, k = {result.k}, w = {result.w}"
    tables = (_algorithm_table(result, title), _guarantee_table(result), _bound_table(result))
    points = {f"{row.algorithm}, measured": row.measured_density for row in result.rows}
    return Sheet("select", title, tables, (_density_plot(result.w, points),))


def _density_plot(w: int, points: Mapping[str, float]) -> Plot:
    """Draw what theory says for windows around w, and what was measured at w."""
    windows = sorted({max(round(w * 2 ** (step / 4)), 2) for step in range(-12, 13)})
    curves = tuple(
        Series(name, tuple((float(each), density(each)) for each in windows), has_dots=False)
        for name, density in _THEORY.items()
    )
    dots = tuple(
        Series(name, ((float(w), value),), is_line=False) for name, value in points.items()
    )
    title = "Density by window: theory, and what was measured"
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
        f"Missed: the share of passages of t = {result.w + result.k - 1} symbols that share no "
        "fingerprint with their copy in another document.",
    )


def _guarantee_table(result: Comparison) -> Table:
    rows = tuple(
        (row.algorithm, "kept" if row.is_guaranteed else "broken", row.rule) for row in result.rows
    )
    return Table("The guarantee", ("algorithm", "is", "rule that decides"), rows, words=3)


def _bound_table(result: Comparison) -> Table:
    bounds = result.bounds
    rows = (
        ("any local algorithm, at least 1.5 / (w + 1)", bounds.lower_bound),
        ("sharper: (1.5 + 1 / 2w) / (w + 1)", bounds.sharper_lower_bound),
        ("winnowing: 2 / (w + 1)", bounds.winnowing),
        ("Safe 0 mod p at best: (1 + ln w) / w", bounds.safe_0_mod_p_at_best),
        ("0 mod p misses a passage: (1 - 1 / p)^w", bounds.chance_that_0_mod_p_misses),
    )
    return Table("What theory says", ("", "value"), rows)
