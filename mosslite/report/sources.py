"""Checks whether sources on disk are those that results refer to, and locates matches in them.

Results can come from anywhere and name any path: files found there are shown only if their digest
is the one in the results. Only files named by the user are shown regardless.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from mosslite.messages import N_
from mosslite.options import Limits, Options
from mosslite.records import Document, Location, Match, TokenizedSubmission
from mosslite.report.html.listing import RenderedSource
from mosslite.report.results import PairResult, PlaceResult, Results, SubmissionResult
from mosslite.report.review import submission_code, text_digest

_SAME: Final = N_("The text shown is, to the letter, the one that was compared.")
_SAME_CODE: Final = N_(
    "The code shown is the one that was compared. The results have no fingerprint of the text, so "
    "comments, blanks and line ends can have been others."
)
_UNKNOWN: Final = N_(
    "The results have no fingerprint of this submission, so nothing proves that the text shown is "
    "the one that was compared."
)
_OTHER: Final = N_(
    "What was found is not what was compared: its code is another. It is not shown; line numbers "
    "are those of the results."
)
_OTHER_TEXT: Final = N_(
    "What was found is not what was compared: its code is the same, but comments, blanks or line "
    "ends are not. It is not shown; line numbers are those of the results."
)
_OTHER_FILES: Final = N_(
    "What was found does not have all files and lines that the results tell of. It is not shown."
)
_NOT_KEPT: Final = N_("The archive does not keep its text, so it is not shown.")
_MISSING: Final = N_(
    "The text was not found, so it is not shown; line numbers are those of the results."
)


# Wildcards in a pattern, beyond which it can take long to match.
_MOST_WILDCARDS: Final = 3


def harmless(options: Options) -> Options:
    """Return options from results, which can come from anywhere, with limits of our own.

    What is found is shown only if digests prove it, so options that are left out show less.
    """
    patterns = [each for each in options.intake.patterns if each.count("*") <= _MOST_WILDCARDS]
    intake = replace(
        options.intake,
        name_pattern=None,
        patterns=tuple(patterns),
        limits=Limits(),
    )
    return replace(options, intake=intake, seconds=Options().seconds)


@dataclass(frozen=True, slots=True)
class Source:
    """The sources of a submission.

    Attributes:
        submission: None if nothing may be shown.
        remark: A sentence on whether they are the compared sources.
        is_proven: They are exactly the compared sources.
    """

    submission: TokenizedSubmission | None
    remark: str
    is_proven: bool = False


def source_of(submission: TokenizedSubmission) -> Source:
    """Return the sources of a submission that was just compared."""
    if all(document.has_text for document in submission.documents):
        return Source(submission, _SAME, is_proven=True)
    return Source(None, _NOT_KEPT)


def verified(
    results: Results,
    pairs: Iterable[PairResult],
    found: Mapping[str, TokenizedSubmission],
    *,
    is_named: bool,
) -> dict[str, Source]:
    """Check the sources found for the submissions of some pairs.

    Args:
        results: The results that contain the pairs.
        pairs: The pairs whose submissions are needed.
        found: Submissions found on disk, by name.
        is_named: The user named the location; otherwise it is from the results.
    """
    places: dict[str, list[PlaceResult]] = {}
    for pair in pairs:
        places.setdefault(pair.left, []).extend(match.left for match in pair.matches)
        places.setdefault(pair.right, []).extend(match.right for match in pair.matches)
    return {
        name: _judged(results.by_name[name], found.get(name), places[name], is_named=is_named)
        for name in sorted(places)
    }


def _judged(
    saved: SubmissionResult,
    found: TokenizedSubmission | None,
    places: Iterable[PlaceResult],
    *,
    is_named: bool,
) -> Source:
    if found is None:
        return Source(None, _MISSING)
    if not all(document.has_text for document in found.documents):
        return Source(None, _NOT_KEPT)
    objection = _objection(saved, found, is_named=is_named)
    if not objection and not all(_is_in(found, place) for place in places):
        objection = _OTHER_FILES
    if objection:
        return Source(None, objection)
    if saved.text:
        return source_of(found)
    return Source(found, _SAME_CODE if saved.code else _UNKNOWN)


def _objection(saved: SubmissionResult, found: TokenizedSubmission, *, is_named: bool) -> str:
    """Return why the sources found may differ from those compared; empty if they do not."""
    is_same_code = submission_code(found) == saved.code
    if saved.text:
        is_same = text_digest(found) == saved.text
        return "" if is_same else _OTHER_TEXT if is_same_code else _OTHER
    if saved.code:
        return "" if is_same_code else _OTHER
    return "" if is_named else _MISSING


def _is_in(submission: TokenizedSubmission, place: PlaceResult) -> bool:
    number = _document_of(submission, place.file)
    if number is None:
        return False
    lines = submission.documents[number].file.text.splitlines()
    return place.last_line <= len(lines)


def _document_of(submission: TokenizedSubmission, file: str | None) -> int | None:
    """Return the number of a file; a submission of one file may have any name for it."""
    names = [document.file.name for document in submission.documents]
    if file in names:
        return names.index(file)
    return 0 if len(names) == 1 else None


def locations_of(
    pair: PairResult, left: Source, right: Source, canvas_of: Callable[[Document], RenderedSource]
) -> list[tuple[Location | None, Location | None]]:
    """Return both locations of each match; None for a side whose text is not shown.

    Results contain line numbers only, so a match consists of whole lines.
    """
    return [
        (_lines(left, match.left, canvas_of), _lines(right, match.right, canvas_of))
        for match in pair.matches
    ]


def are_those_of(pair: PairResult, matches: Iterable[Match], left: Source, right: Source) -> bool:
    """Return whether matches found again are those of the results, by lines."""
    if left.submission is None or right.submission is None:
        return False
    sides = (left.submission, right.submission)
    found = [_lines_of(sides[0], each.left) + _lines_of(sides[1], each.right) for each in matches]
    return found == [_saved_lines(each.left) + _saved_lines(each.right) for each in pair.matches]


def _saved_lines(place: PlaceResult) -> tuple[str, int, int]:
    return place.file or "", place.first_line, place.last_line


def _lines_of(submission: TokenizedSubmission, place: Location) -> tuple[str, int, int]:
    file = submission.documents[place.document].file.name
    return file, place.first_line, place.last_line


def _lines(
    source: Source, place: PlaceResult, canvas_of: Callable[[Document], RenderedSource]
) -> Location | None:
    if source.submission is None:
        return None
    number = _document_of(source.submission, place.file)
    if number is None:
        return None
    lines = canvas_of(source.submission.documents[number]).lines
    first, last = place.first_line, min(place.last_line, len(lines))
    if first > last:
        return None
    return Location(number, int(lines[first - 1, 0]), int(lines[last - 1, 1]), first, last)
