"""What ``mosslite check --list`` says of a batch that is not compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.cli.terminal import printable
from mosslite.display import counted
from mosslite.frontends.selection import language_to_read
from mosslite.report.distinct_names import distinct_names
from mosslite.report.words import not_in_full

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.options import Options
    from mosslite.records import Batch, HandIn, Skipped, SourceFile, Submission
    from mosslite.report.distinct_names import DistinctNames

__all__ = ["listing_lines"]

# What told an encoding, where it is not the usual one without a mark.
_TOLD_BY: Final = {
    "mark": "told by its byte order mark",
    "declaration": "as the file declares",
    "escapes": "as Python runs it",
    "guess": "guessed",
    "fallback": "as nothing else fits",
    "option": "as --encoding says",
}


def listing_lines(batch: Batch, options: Options) -> Iterator[str]:
    """Return the listing: submissions by role and name, then what is left out, then the counts."""
    names = distinct_names(_paths(batch))
    yield printable(names.in_text(batch.description))
    yield ""
    for file in batch.base:
        yield f"base {_described(file, options, names)}"
    for submission in batch.submissions:
        yield from _submission_lines(submission, options, names)
    yield from _left_out("ignored", batch.ignored, names)
    yield from _left_out("skipped", batch.skipped, names)
    yield ""
    files = sum(len(submission.files) for submission in batch.submissions)
    yield (
        f"{counted(len(batch.submissions), 'submission')} with {counted(files, 'file')} would be "
        f"compared{not_in_full(batch.skipped)}, {len(batch.skipped):,} skipped, "
        f"{len(batch.ignored):,} ignored"
    )


def _paths(batch: Batch) -> Iterator[str]:
    for submission in batch.submissions:
        yield submission.name
        yield from submission.hand_in.members
        yield from (file.name for file in submission.files)
    yield from (file.name for file in batch.base)
    yield from (each.path for each in (*batch.ignored, *batch.skipped))


def _submission_lines(
    submission: Submission, options: Options, names: DistinctNames
) -> Iterator[str]:
    """Return a line for a submission that is a file, else one for it and for each of its files."""
    role, (first, *others) = submission.role.value, submission.files
    facts = ", ".join(_facts(submission.hand_in, names))
    if first.name == submission.name and not others and not facts:
        yield f"{role} {_described(first, options, names)}"
        return
    yield printable(f"{role} {names.shown(submission.name)}" + (f" ({facts})" if facts else ""))
    for file in submission.files:
        yield f"  {_described(file, options, names)}"


def _facts(hand_in: HandIn, names: DistinctNames) -> Iterator[str]:
    """Return what is known of a submission besides its files."""
    if hand_in.members:
        yield f"by {' and '.join(map(names.shown, hand_in.members))}"
    if hand_in.submitted:
        yield f"submitted {hand_in.submitted}"
    if hand_in.is_late:
        yield "late"
    if hand_in.label:
        yield f"label {hand_in.label}"


def _described(file: SourceFile, options: Options, names: DistinctNames) -> str:
    facts = [language_to_read(file, options).name, file.encoding]
    if file.encoding_by in _TOLD_BY:
        facts[-1] += f" {_TOLD_BY[file.encoding_by]}"
    if file.is_plain:
        facts.append("by the plain tokenizer, as the submission is very large")
    return printable(f"{names.shown(file.name)}: {', '.join(facts)}")


def _left_out(what: str, skipped: Sequence[Skipped], names: DistinctNames) -> Iterator[str]:
    for each in skipped:
        yield f"{what}: {printable(names.shown(each.path))} {printable(each.reason)}"
