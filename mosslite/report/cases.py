"""What a case file is about: the pair or group that a user names, and the sources of both sides.

Results can come from anywhere and name any path: files found there are shown only if their digest
is the one in the results. Only files named by the user are shown regardless.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from mosslite.errors import InputError
from mosslite.forests import grouped
from mosslite.messages import M_, N_
from mosslite.options import Limits, Options
from mosslite.records import Document, Location, Match, TokenizedSubmission
from mosslite.report.html.listing import RenderedSource
from mosslite.report.results import PairResult, PlaceResult, Results, SubmissionResult
from mosslite.report.review import submission_code, text_digest


def pair_of(results: Results, names: Sequence[str]) -> PairResult:
    """Return the pair with this number or these names.

    Args:
        results: The results.
        names: Its number in the list, or the names of both submissions, in either order.

    Raises:
        InputError: There is no such pair.
    """
    if len(names) == 1:
        return _numbered(results, names[0])
    if len(names) != 2:
        raise InputError("a pair is a number or two names, not %(names)s of them", len(names))
    wanted = frozenset(names)
    for pair in results.pairs:
        if pair.names == wanted:
            return pair
    for name in names:
        _require_submission(results, name)
    raise InputError(
        "%(names)r and %(names2)r are not among the pairs of the results", names[0], names[1]
    )


def _numbered(results: Results, number: str) -> PairResult:
    count = len(results.pairs)
    if number.isascii() and number.isdecimal() and 1 <= len(number) <= 9:
        if 1 <= int(number) <= count:
            return results.pairs[int(number) - 1]
        raise InputError(
            "there is no pair %(number)d: the results have %(count)d", int(number), count
        )
    hint = "" if number in results.by_name else _hint(results, number)
    raise InputError(
        "%(number)r is not the number of a pair: give a number, or the names "
        "of both submissions%(hint)s",
        number,
        hint,
    )


def _require_submission(results: Results, name: str) -> None:
    if name not in results.by_name:
        hint = _hint(results, name)
        raise InputError("%(name)r is not a submission of the results%(hint)s", name, hint)


def _hint(results: Results, name: str) -> str:
    """Return which submission a name is likely to mean; empty if none is like it."""
    submissions: dict[str, str] = {}
    for each in results.by_name:
        for form in _forms(each):
            submissions.setdefault(form, each)
    close = (get_close_matches(form, submissions, n=1) for form in _forms(name))
    near = next((submissions[each[0]] for each in close if each), "")
    return M_(": did you mean %(near)r?", near) if near else ""


def _forms(name: str) -> list[str]:
    """Return the forms in which a name is remembered: without case, folders, extensions, files."""
    folded = name.casefold().rstrip("/")
    last = folded.rpartition("/")[2]
    return [folded, last, last.partition(".")[0], folded.partition("/")[0]]


def group_of(results: Results, name: str) -> tuple[PairResult, ...]:
    """Return the pairs above the threshold that connect a submission with others.

    Raises:
        InputError: It does not exist, or is in no such pair.
    """
    _require_submission(results, name)
    if results.threshold is None and not results.no_threshold:
        raise InputError("the results have no threshold, so there are no groups: name a pair")
    for members in groups_of(results):
        if name in members:
            return tuple(
                pair for pair in results.pairs if pair.left in members and results.stands_out(pair)
            )
    raise InputError("%(name)r is in no group: no pair of it reaches the threshold", name)


def groups_of(results: Results) -> list[frozenset[str]]:
    """Return the groups connected by pairs above the threshold, ordered by their best pair."""
    high = filter(results.stands_out, results.pairs)
    groups = grouped(high, lambda pair: (pair.left, pair.right))
    return [frozenset(name for pair in group for name in pair.names) for group in groups]


# --- sources -------------------------------------------------------------------------------------

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
