"""The tables and plots of frequencies by rank, and of hash functions side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.lab.sheets import Plot, Series, Sheet, Table

if TYPE_CHECKING:
    from mosslite.lab.frequency import Frequency
    from mosslite.lab.hashes import HashTrial
    from mosslite.lab.spectrum import Line, Spectrum

__all__ = [
    "series_of",
    "sheet_of_frequency",
    "sheet_of_hashes",
]


def sheet_of_hashes(result: HashTrial) -> Sheet:
    """Lay out what was found of each function."""
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
        f"Collisions of different k-grams; 32 good bits have {result.expected_collisions:.1f}. "
        "Nanoseconds are of these implementations, and given with --speed.",
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
        "Symbols: the share of the high 32 bits that change with the last and the first symbol of "
        "a k-gram, at best 0.5. All else: standard errors off, at best within 3 of 0.",
    )


def sheet_of_frequency(result: Frequency) -> Sheet:
    """Lay out Figure 4."""
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
    headings = ("", "in all", "distinct", "once", "twice", "thrice", "most often")
    return Table(
        f"Figure 4 on {title}",
        (*headings, "slope", "cleaned"),
        tuple(rows),
        "Once, twice and thrice are shares of the distinct ones. The slope is of the line through "
        "both ends of every plateau; cleaned, without the aberrant ones.",
    )


def _string_table(result: Frequency) -> Table:
    rows = tuple((each.text, each.frequency, each.selected) for each in result.most_common)
    return Table(
        "The most common strings",
        ("string", "frequency", "as fingerprint"),
        rows,
        "Of those that overlap where they first occur, the most frequent is shown.",
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
        "Ten and more hashes in a row that a power law would not give the same frequency: a "
        "passage of many documents, or one with a long repeating pattern.",
    )


def _slope(line: Line | None) -> float | None:
    return None if line is None else line.slope
