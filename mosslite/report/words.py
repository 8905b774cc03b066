"""Sentences about a report that all its forms share, and the terminal with them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from mosslite.counts import counted, with_names
from mosslite.model import Role, over_limits
from mosslite.report.whereabouts import whereabouts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mosslite.model import CommonPassage, Report, Skipped, Threshold

__all__ = [
    "NOTHING_TO_TELL_BY",
    "NO_VERDICT",
    "compared",
    "moment",
    "need_a_look",
    "not_in_full",
    "options_from",
    "sentence",
    "standing_out",
    "warnings_on",
]

NOTHING_TO_TELL_BY: Final = (
    "no threshold is suggested: the batch is too small, or too much alike, to tell from its scores"
)
_UNDECLARED: Final = (
    "passages that most of the class has (-b leaves them out, if they were given code)"
)
NO_VERDICT: Final = "similarity is evidence, not a verdict"

_ISO_8601: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(Z|[+-]\d\d(?::?\d\d)?)?"
)


def standing_out(threshold: Threshold) -> str:
    """Say where to begin looking, and how sure that is."""
    found = "1 pair stands" if threshold.found == 1 else f"{threshold.found:,} pairs stand"
    return (
        f"{found} out in this batch, from score {threshold.score:.2f} on "
        f"({threshold.low:.2f} to {threshold.high:.2f}), where about {threshold.expected:.0f} "
        "pair of honest work is to be expected by chance"
    )


def options_from(file: str) -> list[str]:
    """Say which file options were read from, if one was, without a full stop."""
    return [f"options from {file}"] if file else []


def compared(report: Report) -> str:
    """Say what was compared with what, without a full stop."""
    roles = Counter(work.role for work in report.works)
    others = [
        counted(roles[role], what)
        for role, what in ((Role.PRIOR, "prior submission"), (Role.REFERENCE, "reference"))
        if roles[role]
    ]
    current = roles[Role.CURRENT]
    among = " with each other and" if current > 1 else ""
    against = f"{among} with {' and '.join(others)}" if others else ""
    skipped = f", {len(report.skipped):,} skipped" if report.skipped else ""
    ignored = f", {len(report.ignored):,} ignored" if report.ignored else ""
    missing = not_in_full(report.skipped)
    return f"{counted(current, 'submission')} compared{against}{missing}{skipped}{ignored}"


def not_in_full(skipped: Iterable[Skipped]) -> str:
    """Say, after a comma, how many submissions a limit leaves out at least a part of."""
    count = len(over_limits(skipped))
    return f", {counted(count, 'submission')} not in full for a limit" if count else ""


def need_a_look(pairs: int, groups: int, *, is_cut: bool = False) -> str:
    """Say how many pairs reach the threshold, or that there may be more, and how many cases."""
    if not pairs:
        return "no pair reaches the threshold"
    needs = "needs" if pairs == 1 else "need"
    least = "at least " * is_cut
    return f"{least}{counted(pairs, 'pair')} in {counted(groups, 'group')} {needs} a look"


def warnings_on(report: Report) -> tuple[str, ...]:
    """Give all warnings: that of likely boilerplate, too, which the HTML shows in full instead."""
    places = [_place_of(passage) for passage in report.common]
    return (*report.warnings, *with_names(_UNDECLARED, places))


def _place_of(passage: CommonPassage) -> str:
    work, place = passage.work, passage.place
    file = work.documents[place.document].file
    where = whereabouts(file, place.first_line, place.last_line)
    name = work.name if file.name == work.name else f"{work.name}/{file.name}"
    return f"{name} ({where if file.parts else f'lines {where}'})"


def sentence(words: str) -> str:
    """Write words as a sentence."""
    return f"{words[0].upper()}{words[1:]}."


def moment(time: str) -> str:
    """Write a time as ``2026-11-21 09:30 UTC`` if it is one in ISO 8601, else as it stands."""
    found = _ISO_8601.fullmatch(time)
    if not found:
        return time
    day, clock, zone = found.groups("")
    return " ".join(filter(None, (day, clock, "UTC" if zone == "Z" else zone)))
