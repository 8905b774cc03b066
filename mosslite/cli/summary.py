"""What ``mosslite check`` says on the terminal."""

from __future__ import annotations

from operator import is_not
from typing import TYPE_CHECKING

from mosslite.cli.terminal import printable, table
from mosslite.display import counted, percent, thousandths
from mosslite.report.distinct_names import with_distinct_names
from mosslite.report.high_pairs import worst_pairs
from mosslite.report.words import NO_VERDICT, not_in_full, warnings_on, where_to_begin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from mosslite.cli.found import Found
    from mosslite.records import Pair, Report, Skipped
    from mosslite.report.ci.gate import Gate

__all__ = ["summary_lines"]

# More than these are better read in the report; what is cut is counted.
_MOST_PAIRS, _MOST_SKIPPED = 10, 20


def summary_lines(found: Found, page: Path | None) -> Iterator[str]:
    """Return the summary: how the paths were read, the top pairs, what is amiss, the counts."""
    report, gate = with_distinct_names(found.report), found.gate
    yield printable(report.description)
    if report.pairs:
        yield ""
        ranking = gate.failing_first(report)
        worst = worst_pairs(report, ranking, _MOST_PAIRS)
        yield from _pair_table(worst, gate)
        first = ranking[:_MOST_PAIRS]
        # Not by "==", which would look for the matches of pairs that are not shown.
        if len(worst) < len(first) or any(map(is_not, worst, first)):
            yield "(at most two pairs of each group)"
    yield ""
    if report.pairs:
        yield where_to_begin(report)
    for warning in warnings_on(report, page and page.parent):
        yield f"warning: {printable(warning)}"
    yield from _skipped(report.skipped)
    if gate.known:
        yield f"baseline: {counted(gate.known, 'known pair')} not counted"
    if gate.fail_above is not None:
        yield _failing(found, gate.fail_above)
    if page is not None:
        yield f"report: {printable(str(page))}"
    yield f"{_counts(report)}, {_found(report)}; {NO_VERDICT}"


def _skipped(skipped: Sequence[Skipped]) -> Iterator[str]:
    # What a limit leaves out nobody is to miss among many other files.
    for each in sorted(skipped, key=lambda each: not each.limit)[:_MOST_SKIPPED]:
        yield f"skipped: {printable(each.path)} {printable(each.reason)}"
    if len(skipped) > _MOST_SKIPPED:
        yield f"skipped: {len(skipped) - _MOST_SKIPPED:,} more, listed in the report"


def _failing(found: Found, percentage: float) -> str:
    count = len(found.gate.failing(found.report))
    pairs = counted(count, "pair" if found.gate.states is None else "new pair")
    missing = not_in_full(found.report.skipped)
    return f"--fail-above {percentage:g}: {pairs} at or above score {percentage / 100:g}{missing}"


def _counts(report: Report) -> str:
    compared = f"{counted(len(report.works), 'submission')} compared"
    ignored = f", {len(report.ignored):,} ignored (--list shows them)" if report.ignored else ""
    missing = not_in_full(report.skipped)
    return f"{compared}{missing}, {len(report.skipped):,} skipped{ignored}"


def _found(report: Report) -> str:
    count = len(report.pairs)
    if count < sum(report.histogram):
        return f"{counted(count, 'pair')} listed; -n 0 lists all that share code"
    return "1 pair shares code" if count == 1 else f"{count:,} pairs share code"


def _pair_table(pairs: Sequence[Pair], gate: Gate) -> list[str]:
    headings = ["left", "right", "score", "left", "right", "tokens", "lines", "longest", ""]
    rows = [
        [
            pair.left.name,
            pair.right.name,
            thousandths(pair.score),
            percent(pair.left_similarity),
            percent(pair.right_similarity),
            f"{pair.matched_tokens:,}",
            f"{pair.matched_lines:,}",
            f"{pair.longest_match:,}",
            "known" if gate.knows(pair) else "",
        ]
        for pair in pairs
    ]
    return table(headings, rows, left=2)
