"""Pairs above the threshold, and a reviewer's marks on pairs, read from and saved to files."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields, replace
from hashlib import blake2b
from pathlib import Path
from typing import Final, Literal

from mosslite.display import script_json
from mosslite.errors import InputError
from mosslite.forests import DisjointSets
from mosslite.messages import M_
from mosslite.options import Mark
from mosslite.records import Pair, Report, TokenizedSubmission, UnlistedPair
from mosslite.report.json_files import Record, decoded, read, written

# Maximum number of pairs of a group among the top pairs; the group has a page of its own.
_MOST_OF_GROUP: Final = 2
_NO_GROUP: Final = ""


def is_cut(report: Report, percent: float | None) -> bool:
    """Return whether pairs missing from the report may be at or above the percentage."""
    if percent is None:
        return False
    if any(reaches(each.score, percent) for each in report.unlisted):
        return True
    if report.options.show is None and percent >= 100 * report.highs.highest:
        return False  # all pairs above the threshold are listed
    is_full = 0 < report.options.room <= len(report.pairs)
    return is_full and reaches(report.pairs[-1].score, percent)


def reaches(score: float, percent: float) -> bool:
    """Return whether a score in [0, 1] is at or above a percentage.

    A small tolerance is applied, as 0.29 * 100 is slightly below 29 in binary.
    """
    return score * 100 >= percent or math.isclose(score * 100, percent)


def worst_pairs(report: Report, pairs: Sequence[Pair], most: int) -> list[Pair]:
    """Return the first pairs, at most two per group, as a large group would fill the list.

    Args:
        report: The report, whose pairs above the threshold define the groups.
        pairs: Its pairs, in display order.
        most: Maximum number of pairs.
    """
    highs, sets = report.highs, DisjointSets[str]()
    linked: list[Pair | UnlistedPair] = [*filter(highs.hold, report.pairs), *report.unlisted]
    for each in linked:
        sets.join(each.left.name, each.right.name)
    taken: Counter[str] = Counter()
    chosen: list[Pair] = []
    for pair in pairs:
        group = sets.find(pair.left.name) if highs.hold(pair) else _NO_GROUP
        taken[group] += 1
        if group == _NO_GROUP or taken[group] <= _MOST_OF_GROUP:
            chosen.append(pair)
        if len(chosen) == most:
            break
    return chosen


class ReviewFile(Record, frozen=True, kw_only=True):
    """Review marks, as a report saves them and --review reads them.

    ``left`` and ``right`` are the names of two submissions, in either order; ``code`` says which
    code was judged (``pair_code``), ``reason`` why it was dismissed. Of two marks on a pair, the
    later holds.
    """

    format: Literal[1]
    marks: tuple[Mark, ...]


class _EarlierReview(Record, frozen=True, kw_only=True):
    """What the script of a report has of its review."""

    title: str = ""
    marks: tuple[Mark, ...] = ()
    contradicted: tuple[Mark, ...] = ()


REVIEW_DATA: Final = "review-data.js"
_SCRIPT: Final = '"use strict";\n\nconst REVIEW = '

_FIELDS: Final = tuple(field.name for field in fields(Mark))


def pair_key(left: str, right: str) -> str:
    """Return a pair's key, stable across runs: both names, independent of the sides."""
    return "\n".join(sorted((left, right)))


def pair_code(pair: Pair) -> str:
    """Return a digest of both sides' own code as written, independent of the sides."""
    return code_of_sides(submission_code(pair.left), submission_code(pair.right))


def code_of_sides(*codes: str) -> str:
    """Return the digest of a pair from those of its sides, in any order."""
    return blake2b("".join(sorted(codes)).encode("utf-8"), digest_size=12).hexdigest()


def submission_code(submission: TokenizedSubmission) -> str:
    """Return a digest of a submission's own code as written."""
    lexemes = submission.comparable.lexemes.astype("<u8").tobytes()
    return blake2b(lexemes, digest_size=12).hexdigest()


def text_digest(submission: TokenizedSubmission) -> str:
    """Return a digest of the exact texts of all files; empty if these are not available.

    File names are not included, so that files can be found in another place.
    """
    if not all(document.has_text for document in submission.documents):
        return ""
    texts = [
        document.file.text.encode("utf-8", "surrogatepass") for document in submission.documents
    ]
    lengths = ",".join(str(len(text)) for text in texts)
    return blake2b(b"".join([lengths.encode("ascii"), b";", *texts]), digest_size=16).hexdigest()


def report_id(report: Report) -> str:
    """Return an id of the report, equal for the same submissions with the same code."""
    submissions = [
        [submission.name, submission_code(submission)] for submission in report.submissions
    ]
    return blake2b(json.dumps(submissions).encode("ascii"), digest_size=8).hexdigest()


def review_script(report: Report) -> str:
    """Return a script with the pairs of a report and their marks.

    All pages share one file; a copy in each would be larger than the sources.
    """
    numbers = {submission.name: number for number, submission in enumerate(report.submissions)}
    highs = report.highs
    content = {
        "report": report_id(report),
        "names": [submission.name for submission in report.submissions],
        "pairs": [
            [
                numbers[pair.left.name],
                numbers[pair.right.name],
                pair_code(pair),
                int(highs.hold(pair)),
            ]
            for pair in report.pairs
        ],
        "title": report.options.comment,
        "isAnonymous": report.is_anonymous,
        "marks": [asdict(mark) for mark in marks_by_key(report.options.review).values()],
        "contradicted": [asdict(mark) for mark in contradicted(report.options.review)],
    }
    return f"{_SCRIPT}{script_json(content)};\n"


def with_marks(script: str, marks: Iterable[Mark]) -> str:
    """Replace the marks in the output of ``review_script``.

    Raises:
        ValueError: It is not such a script.
    """
    content = json.loads(script.removeprefix(_SCRIPT).removesuffix(";\n"))
    content["marks"] = [asdict(mark) for mark in marks_by_key(marks).values()]
    return f"{_SCRIPT}{script_json(content)};\n"


def review_text(marks: Iterable[Mark]) -> str:
    """Return a review file's content; of several marks on one pair, only the latest."""
    return written(ReviewFile(format=1, marks=tuple(marks_by_key(marks).values())), indent=2)


def marks_by_key(marks: Iterable[Mark]) -> dict[str, Mark]:
    """Index marks by pair; of several on one pair, the latest counts."""
    return {pair_key(mark.left, mark.right): mark for mark in sorted(marks, key=_age)}


def contradicted(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Return the decisions on the same code that a later one of another reviewer contradicts."""
    decisions = [mark for mark in dict.fromkeys(marks) if mark.state != "todo"]
    latest = marks_by_key(decisions)
    last_ones = [latest[pair_key(mark.left, mark.right)] for mark in decisions]
    return tuple(
        mark
        for mark, last in zip(decisions, last_ones, strict=True)
        if mark.code == last.code and mark.state != last.state
    )


def with_earlier_marks(report: Report, folder: Path | None) -> Report:
    """Add the marks of the report in ``folder``, which will be replaced, if on this assignment.

    That is one of the same title; without a title, one with a mark on the code of a pair. Of a pair
    that a given review has a mark on, only a later mark counts.
    """
    title, given = report.options.comment, marks_by_key(report.options.review)
    there = _review_in(folder)
    marks = (*there.marks, *there.contradicted)
    codes = {pair_code(pair) for pair in report.pairs} if marks else set()
    is_same = bool(title) or any(mark.code in codes for mark in marks)
    if not marks or not is_same or there.title != title:
        return report
    earlier = [
        mark
        for mark in marks
        if (known := given.get(pair_key(mark.left, mark.right))) is None or _age(known) < _age(mark)
    ]
    review = (*earlier, *report.options.review)
    return replace(report, options=replace(report.options, review=review))


def _review_in(folder: Path | None) -> _EarlierReview:
    """Return what a report in a folder knows of its review; nothing if it is none, or damaged."""
    try:
        script = b"" if folder is None else (folder / REVIEW_DATA).read_bytes()
        content = script.removeprefix(_SCRIPT.encode()).removesuffix(b";\n")
        return decoded(content, _EarlierReview)
    except (OSError, InputError):
        return _EarlierReview()


def fitting_count(report: Report) -> tuple[int, int]:
    """Count the marks of a report, and those of them that are on a listed pair as it is."""
    marks = marks_by_key(report.options.review)
    codes = {pair_key(each.left.name, each.right.name): each for each in report.pairs}
    fitting = [key for key in marks.keys() & codes if marks[key].code == pair_code(codes[key])]
    return len(marks), len(fitting)


def read_marks(path: Path) -> tuple[Mark, ...]:
    """Read a review file.

    Raises:
        InputError: It cannot be read, or is not a review.
    """
    review, _ = read(path, ReviewFile, M_("review"))
    return review.marks


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which are possible in JSON but not in a file."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _age(mark: Mark) -> tuple[str, ...]:
    """Return a sort key of marks: by time, then by content.

    Fractions of a second are optional, so the final Z is ignored.
    """
    return (mark.at.rstrip("Z"), *(getattr(mark, name) for name in _FIELDS))
