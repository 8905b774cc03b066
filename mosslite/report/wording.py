"""Sentences about a report that all its forms share, and the terminal with them."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from typing import TYPE_CHECKING, Final

from mosslite.display import counted, seconds_between, with_names
from mosslite.languages import find_language
from mosslite.records import NoThreshold, Role, over_limits
from mosslite.report.review import high_scores, threshold_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from mosslite.records import CommonPassage, Pair, Report, Skipped, SourceFile, Threshold

__all__ = [
    "LIKELY_BOILERPLATE",
    "NO_VERDICT",
    "SHORT_PASSAGES",
    "base_option",
    "compared",
    "first_handed_in",
    "format_lines",
    "moment",
    "not_in_full",
    "not_listed",
    "options_from",
    "place_in_part",
    "sentence",
    "to_review",
    "warnings_on",
    "where_to_begin",
]


def format_lines(file: SourceFile, first_line: int, last_line: int) -> str:
    """Write lines as ``12-15``, and in a file of parts as ``cell 3, lines 2-5``."""
    if not file.parts:
        return _joined(str(first_line), str(last_line), "-")
    first, last = place_in_part(file, first_line), place_in_part(file, last_line)
    (part, _, start), (last_part, _, stop) = first.rpartition(" "), last.rpartition(" ")
    if part == last_part and start != stop:
        return f"{part}s {start}-{stop}"
    return _joined(first, last, " to ")


def place_in_part(file: SourceFile, line: int) -> str:
    """Write a line as ``cell 3, line 2``, and one above all parts as ``line 2``."""
    return file.where(line) or f"line {line}"


def _joined(first: str, last: str, sign: str) -> str:
    return first if first == last else f"{first}{sign}{last}"


_WHY_NONE: Final = {
    NoThreshold.TOO_FEW: "Too few submissions to suggest a threshold",
    NoThreshold.TOO_ALIKE: "No threshold can be suggested, as most scores are high or alike",
    NoThreshold.NO_GAP: "No threshold can be suggested, as thousands of pairs score high and no "
    "gap sets them apart",
}
NO_VERDICT: Final = "similarity is evidence, not a verdict"

_ISO_8601: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(Z|[+-]\d\d(?::?\d\d)?)?"
)


def where_to_begin(report: Report) -> str:
    """Return in one line which pairs reach the threshold, or why none is suggested."""
    threshold = report.threshold
    if threshold is None:
        return (
            f"{_WHY_NONE[report.no_threshold]}: start at the top of the list (groups contain pairs "
            f"with a score of {threshold_of(report):.2f} or higher)."
        )
    unsure = f"(threshold uncertain: {threshold.low:.2f}-{threshold.high:.2f}"
    unsure += f"; {_other_limits(threshold)})" if threshold.languages else ")"
    if not threshold.found:
        return f"No pair scores {threshold.score:.2f} or higher {unsure}."
    one = threshold.found == 1
    return (
        f"{_cases(threshold.found, threshold.submissions, threshold.groups)} "
        f"{'scores' if one else 'score'} {threshold.score:.2f} or higher {unsure}. "
        f"{_by_chance(threshold)}"
    )


def _by_chance(threshold: Threshold) -> str:
    """Return how many pairs are expected to stand out among unrelated submissions."""
    if 2 * threshold.expected > threshold.found > 2:
        return (
            "About as many unrelated pairs would be expected up there by chance: start at the top "
            "of the list."
        )
    expected = counted(round(threshold.expected), "unrelated pair")
    return f"By chance alone, about {expected} would be expected up there."


def options_from(file: str) -> list[str]:
    """Say which file options were read from, if one was, without a full stop."""
    return [f"options from {file}"] if file else []


def _other_limits(threshold: Threshold) -> str:
    """Name the languages of another limit; some have too few pairs to tell one."""
    return ", ".join(
        f"{find_language(each.language).title} {each.score:.2f}"
        f"{'' if each.is_suggested else ' by default'}"
        for each in threshold.languages
    )


def not_listed(report: Report) -> str:
    """Say how many pairs stand out and are not listed, and what lists them; empty for none."""
    if not report.unlisted:
        return ""
    count, highs = len(report.unlisted), high_scores(report)
    everything = count + sum(map(highs.hold, report.pairs))
    reach = "reaches the threshold but is" if count == 1 else "reach the threshold but are"
    return f"{counted(count, 'more pair')} {reach} not listed; -n {everything} lists all"


def compared(report: Report) -> str:
    """Say what was compared with what, without a full stop."""
    roles = Counter(submission.role for submission in report.submissions)
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
    return f", {counted(count, 'submission')} only in part (limit reached)" if count else ""


def to_review(pairs: int, submissions: int, groups: int, *, is_cut: bool = False) -> str:
    """Say how many pairs reach the threshold, or that there may be more, and how many cases."""
    if not pairs:
        return "no pair reaches the threshold"
    return f"{'at least ' * is_cut}{_cases(pairs, submissions, groups)} to review"


def _cases(pairs: int, submissions: int, groups: int) -> str:
    return (
        f"{counted(pairs, 'pair')} of {counted(submissions, 'submission')} in "
        f"{counted(groups, 'group')}"
    )


def warnings_on(report: Report, directory: Path | None = None) -> tuple[str, ...]:
    """Return all warnings, with that of likely boilerplate, which the HTML shows in full instead.

    Args:
        report: What they are about.
        directory: Of the HTML report.
    """
    cut = filter(None, [not_listed(report)])
    return (*report.warnings, *cut, *_likely_boilerplate(report, directory))


def sentence(words: str) -> str:
    """Write words as a sentence."""
    return f"{words[0].upper()}{words[1:]}."


def first_handed_in(pair: Pair) -> tuple[str, int] | None:
    """Return which side of a pair was handed in first, and how many seconds before the other.

    Returns:
        ``left``, ``right`` or, at the same time, nothing; None where the times are not known or
        cannot be compared.
    """
    left, right = pair.left.source.hand_in.submitted, pair.right.source.hand_in.submitted
    seconds = seconds_between(left, right)
    if seconds is None:
        return None
    return "left" if seconds > 0 else "right" if seconds < 0 else "", abs(seconds)


def moment(time: str) -> str:
    """Write a time as ``2026-11-21 09:30 UTC`` if it is one in ISO 8601, else as it stands."""
    found = _ISO_8601.fullmatch(time)
    if not found:
        return time
    day, clock, zone = found.groups("")
    return " ".join(filter(None, (day, clock, "UTC" if zone in ("Z", "+00:00") else zone)))


# Folders of a report.
LIKELY_BOILERPLATE: Final = "likely-boilerplate"
SHORT_PASSAGES: Final = "shared-passages"


def base_option(directory: Path, passages: str = LIKELY_BOILERPLATE) -> str:
    """Return the option that leaves passages out of the next run, ready for a shell."""
    return f"-b {shlex.quote(str(directory / passages))}"


def _likely_boilerplate(report: Report, directory: Path | None = None) -> Iterator[str]:
    """Warn of passages that most submissions share.

    Args:
        report: Where they were found.
        directory: Of the HTML report, which has them as files.
    """
    option = "-b" if directory is None else base_option(directory)
    long, short = (
        [_place_of(each) for each in report.common if each.is_long is is_long]
        for is_long in (True, False)
    )
    yield from with_names(
        "most submissions share these passages; if you handed them out, exclude them with "
        f"{option}",
        long,
    )
    yield from with_names(
        "most submissions share these short passages; the HTML report has each as a file for -b, "
        "if you handed it out",
        short,
    )


def _place_of(passage: CommonPassage) -> str:
    submission, place = passage.submission, passage.place
    file = submission.documents[place.document].file
    where = format_lines(file, place.first_line, place.last_line)
    name = submission.name if file.name == submission.name else f"{submission.name}/{file.name}"
    lines = "line" if place.first_line == place.last_line else "lines"
    return f"{name} ({where if file.parts else f'{lines} {where}'})"
