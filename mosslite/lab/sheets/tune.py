"""Tables and plots of k and t, disguises, treatments of names, and rankings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mosslite.lab.sheets import Cell, Plot, Series, Sheet, Table
from mosslite.lab.tune import Outcome, Setting, Tuning
from mosslite.options import CODE_DEFAULTS

if TYPE_CHECKING:
    from mosslite.lab.rankers import Ranked, Rankings


_CLAIM = "one constant, k + 1"
# Column headings of ``_cells``.
_HEADINGS = ("copies share", "honest share", "precision", "recall", "avg. precision")
_DECIMALS = 3  # of some dozens of pairs, more say nothing


@dataclass(frozen=True, slots=True)
class Tunings:
    """The results of tuning, by language."""

    source: str
    languages: tuple[Tuning, ...]


def sheet_of_tunings(result: Tunings) -> Sheet:
    """Return the tables and plots of all languages."""
    tables = [
        table
        for each in result.languages
        for table in (_setting_table(each), _disguise_table(each), _method_table(each))
    ]
    plots = [
        plot for each in result.languages for plot in (_threshold_plot(each), _disguise_plot(each))
    ]
    advice = tuple(f"{each.language}: {_advice(each)}" for each in result.languages)
    return Sheet("tune", result.source, tuple(tables), tuple(plots), advice)


# With some dozens of copies, differences in average precision up to this are not significant.
_AS_GOOD = 0.01


def _advice(result: Tuning) -> str:
    """Return the recommended k and t: the default unless another setting is better."""
    usual = [each for each in result.settings if _is_default(each)]
    best = max(result.settings, key=lambda each: (each.outcome.average_precision, each.k, each.w))
    here = f"average precision {best.outcome.average_precision:.3f}"
    if not usual:
        return f"use -k {best.k} -t {best.t} ({here}, the best of those tried)"
    there = usual[0].outcome.average_precision
    if best.outcome.average_precision - there <= _AS_GOOD:
        return (
            f"keep the default, -k {usual[0].k} -t {usual[0].t} (average precision {there:.3f}; "
            "no setting is clearly better)"
        )
    return f"use -k {best.k} -t {best.t} ({here} instead of {there:.3f} with the default)"


def _is_default(setting: Setting) -> bool:
    return (setting.k, setting.t) == (CODE_DEFAULTS.noise, CODE_DEFAULTS.guarantee)


def _setting_table(result: Tuning) -> Table:
    rows = tuple(
        (
            str(each.k),
            str(each.t),
            *_cells(each.outcome),
            each.fingerprints,
            each.density,
            each.microseconds,
        )
        for each in result.settings
    )
    steepest = ""
    if result.steepest:
        low, high = result.steepest
        steepest = f" The honest share falls most from k = {low} to {high}."
    headings = ("k", "t", *_HEADINGS, "fingerprints", "density", "us / 1000 tokens")
    return Table(
        f"{result.language}: {result.programs} programs, {result.copies} copied pairs, "
        f"{result.honest} honest",
        headings,
        rows,
        "Share: share of pairs with a fingerprint in common. Recall: share of copies that have "
        f"more in common than 99 of 100 honest pairs.{steepest}",
        words=2,
        decimals=_DECIMALS,
    )


def _cells(outcome: Outcome) -> tuple[float, ...]:
    return (
        outcome.copies_sharing,
        outcome.honest_sharing,
        outcome.precision,
        outcome.recall,
        outcome.average_precision,
    )


def _disguise_table(result: Tuning) -> Table:
    ks = dict.fromkeys(each.k for each in result.robustness)
    found = {(each.disguise, each.k): each for each in result.robustness}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, pairs, *(found[name, k].shared for k in ks), found[name, max(ks)].recall)
        for name, pairs in {each.disguise: each.pairs for each in result.robustness}.items()
    )
    return Table(
        f"{result.language}: fingerprints left after each disguise",
        ("disguise", "pairs", *(f"k = {k}" for k in ks), f"recall, k = {max(ks, default=0)}"),
        rows,
        "Mean share of a copy's fingerprints that are still those of the original.",
        decimals=_DECIMALS,
    )


def _method_table(result: Tuning) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (str(each.k), each.names, *_cells(each.outcome)) for each in result.methods
    )
    return Table(
        f"{result.language}: names as written, as parameters, as one constant",
        ("k", "names are", *_HEADINGS),
        rows,
        f"The paper's claim: '{_CLAIM}' works as well as p-match. {_verdict(result)}",
        words=2,
        decimals=_DECIMALS,
    )


def _verdict(result: Tuning) -> str:
    found = {(each.k, each.names): each.outcome.average_precision for each in result.methods}
    gains = [found[k, _CLAIM] - found[k, "p-match"] for k, names in found if names == _CLAIM]
    mean = sum(gains) / max(len(gains), 1)
    return f"Here its average precision differs by {mean:+.3f} (mean over all k)."


def _threshold_plot(result: Tuning) -> Plot:
    first = result.settings[0].w
    shown = [each for each in result.settings if each.w == first]
    return Plot(
        f"{result.language}: the threshold, at w = {first}",
        "k",
        "share of pairs",
        (
            _series("copies that share", shown, lambda each: each.outcome.copies_sharing),
            _series("honest pairs that share", shown, lambda each: each.outcome.honest_sharing),
            _series("recall", shown, lambda each: each.outcome.recall),
            _series("average precision", shown, lambda each: each.outcome.average_precision),
        ),
    )


def _series(name: str, shown: list[Setting], value: Callable[[Setting], float]) -> Series:
    return Series(name, tuple((float(each.k), value(each)) for each in shown))


def _disguise_plot(result: Tuning) -> Plot:
    names = dict.fromkeys(each.disguise for each in result.robustness)
    series = tuple(
        Series(
            name,
            tuple(
                (float(each.k), each.shared) for each in result.robustness if each.disguise == name
            ),
        )
        for name in names
    )
    return Plot(f"{result.language}: robustness", "k", "share of fingerprints kept", series)


def sheet_of_rankings(result: Rankings) -> Sheet:
    """Return a table of all rankers on all sets."""
    return Sheet(
        "rank",
        f"{result.copies:,} copied pairs, {result.honest:,} honest",
        (
            _ranking_table(
                result,
                "average precision within tasks",
                lambda each: each.within,
                "Mean over the tasks that have both copies and honest pairs.",
            ),
            _ranking_table(
                result,
                "average precision of all pairs",
                lambda each: each.pooled,
                "All tasks in one ranking, as if scores were comparable across tasks.",
            ),
            _ranking_table(
                result,
                "recall at 1 % false alarms",
                lambda each: each.recall,
                "Share of copies that rank above 99 % of the honest pairs.",
            ),
        ),
    )


def _ranking_table(
    result: Rankings, title: str, value: Callable[[Ranked], float | None], note: str
) -> Table:
    found = {(each.ranker, each.set_name): value(each) for each in result.ranked}
    rows = []
    for ranker in dict.fromkeys(each.ranker for each in result.ranked):
        cells = [found[ranker, name] for name in result.sets]
        known = [cell for cell in cells if cell is not None]
        rows.append((ranker, *cells, sum(known) / len(known) if known else None))
    return Table(title, ("ranked by", *result.sets, "mean"), tuple(rows), note)
