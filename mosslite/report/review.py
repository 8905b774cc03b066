"""Pairs above the threshold, and a reviewer's marks on pairs, read from and saved to files.

A review file is saved from the report, and read by ``--review``. It is JSON::

    {
      "format": 1,
      "marks": [
        {
          "left": "ada",                      names of the two submissions, in either order
          "right": "ben",
          "code": "6f1ed002ab5595859014ebf0",  which code was judged, as ``pair_code`` gives it
          "state": "dismissed",               or "confirmed", or "todo"
          "reason": "allowed collaboration",  why it was dismissed
          "note": "told me in the lab",
          "at": "2026-11-21T09:30:00.000Z"    when, in UTC; of two marks on a pair the later holds
        }
      ]
    }
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Self, cast

from mosslite.display import script_json
from mosslite.errors import InputError
from mosslite.forests import DisjointSets
from mosslite.options import Mark
from mosslite.records import NoThreshold, Pair, Report, Threshold, TokenizedSubmission, UnlistedPair

# Maximum number of pairs of a group among the top pairs; the group has a page of its own.
_MOST_OF_GROUP: Final = 2
_NO_GROUP: Final = -1


@dataclass(frozen=True, slots=True)
class HighScores:
    """The threshold, which can differ between languages.

    Attributes:
        usual: Threshold of all languages not in ``by_language``.
        by_language: Thresholds of other languages.
    """

    usual: float
    by_language: Mapping[str, float]

    @classmethod
    def by(cls, threshold: Threshold | None, no_threshold: NoThreshold) -> Self:
        """Return the thresholds of a batch, or the limit used without one."""
        if threshold is None:
            return cls(no_threshold.limit, {})
        return cls(threshold.score, {each.language: each.score for each in threshold.languages})

    @property
    def highest(self) -> float:
        """The highest threshold of a language."""
        return max([self.usual, *self.by_language.values()])

    def limit_between(self, left: str, right: str) -> float:
        """Return the threshold for pairs of two languages: the higher one applies."""
        return max(self.by_language.get(each, self.usual) for each in (left, right))

    def limit_of(self, pair: Pair | UnlistedPair) -> float:
        """Return the threshold for a pair."""
        if not self.by_language:
            return self.usual
        return self.limit_between(pair.left.language, pair.right.language)

    def hold(self, pair: Pair | UnlistedPair) -> bool:
        """Return whether a pair is at or above the threshold."""
        return pair.score >= self.limit_of(pair)


def high_scores(report: Report) -> HighScores:
    """Return the thresholds of a report."""
    return HighScores.by(report.threshold, report.no_threshold)


def threshold_of(report: Report) -> float:
    """Return the threshold that applies to most pairs."""
    return high_scores(report).usual


def is_cut(report: Report, percent: float | None) -> bool:
    """Return whether pairs missing from the report may be at or above the percentage."""
    if percent is None:
        return False
    if any(reaches(each.score, percent) for each in report.unlisted):
        return True
    if report.options.show is None and percent >= 100 * high_scores(report).highest:
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
    highs, sets = high_scores(report), DisjointSets()
    numbers = {submission.name: number for number, submission in enumerate(report.submissions)}
    linked: list[Pair | UnlistedPair] = [*filter(highs.hold, report.pairs), *report.unlisted]
    for each in linked:
        sets.join(numbers[each.left.name], numbers[each.right.name])
    taken: Counter[int] = Counter()
    chosen: list[Pair] = []
    for pair in pairs:
        group = sets.find(numbers[pair.left.name]) if highs.hold(pair) else _NO_GROUP
        taken[group] += 1
        if group == _NO_GROUP or taken[group] <= _MOST_OF_GROUP:
            chosen.append(pair)
        if len(chosen) == most:
            break
    return chosen


FORMAT: Final = 1
_STATES: Final = ("todo", "dismissed", "confirmed")

REVIEW_DATA: Final = "review-data.js"
_SCRIPT: Final = '"use strict";\n\nconst REVIEW = '

_FIELDS: Final = tuple(field.name for field in fields(Mark))
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


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
    highs = high_scores(report)
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
    content = {"format": FORMAT, "marks": [asdict(each) for each in marks_by_key(marks).values()]}
    return f"{json.dumps(content, ensure_ascii=False, indent=2)}\n"


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
    content = _review_in(folder)
    marks = (*content["marks"], *content.get("contradicted", ())) if content else ()
    codes = {pair_code(pair) for pair in report.pairs} if marks else set()
    is_same = bool(title) or any(mark["code"] in codes for mark in marks)
    if not marks or not is_same or content.get("title") != title:
        return report
    earlier = [
        mark
        for mark in marks_of({"format": FORMAT, "marks": [*marks]})
        if (known := given.get(pair_key(mark.left, mark.right))) is None or _age(known) < _age(mark)
    ]
    review = (*earlier, *report.options.review)
    return replace(report, options=replace(report.options, review=review))


def _review_in(folder: Path | None) -> dict[str, Any]:
    """Return what a report in a folder knows of its review; empty if it is none, or damaged."""
    try:
        script = "" if folder is None else (folder / REVIEW_DATA).read_text(encoding="utf-8")
        content = json.loads(script.removeprefix(_SCRIPT).removesuffix(";\n"))
    except (OSError, ValueError, RecursionError):
        return {}
    lists = ("marks", "contradicted") if isinstance(content, dict) else ()
    wrong = [_obstacle({"format": FORMAT, "marks": content.get(name, [])}) for name in lists]
    return content if lists and not any(wrong) else {}


def fitting_count(report: Report) -> tuple[int, int]:
    """Count the marks of a report, and those of them that are on a listed pair as it is."""
    marks = marks_by_key(report.options.review)
    codes = {pair_key(each.left.name, each.right.name): each for each in report.pairs}
    fitting = [key for key in marks.keys() & codes if marks[key].code == pair_code(codes[key])]
    return len(marks), len(fitting)


def reviewed(pair: Pair, marks: Mapping[str, Mark]) -> dict[str, object]:
    """Return the fields of a pair's mark for the JSON results; none if it has no mark."""
    mark = marks.get(pair_key(pair.left.name, pair.right.name))
    if mark is None:
        return {}
    fields = {name: getattr(mark, name) for name in ("state", "reason", "note", "at")}
    return {"review": fields | {"changed": mark.code != pair_code(pair)}}


def read_marks(path: Path) -> tuple[Mark, ...]:
    """Read a review file.

    Raises:
        InputError: It cannot be read, or is not a review.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = json.loads(text)
    except OSError as error:
        raise InputError("cannot read the review %(path)r: %(reason)s", path, error) from error
    except (ValueError, RecursionError) as error:
        raise InputError("%(path)r is not a review: it is not JSON", path) from error
    obstacle = _obstacle(content)
    if obstacle:
        raise InputError("%(path)r is not a review: %(obstacle)s", path, obstacle)
    return _marks_in(content)


def marks_of(content: object) -> tuple[Mark, ...]:
    """Extract the marks from the content of a review file.

    Raises:
        InputError: It is not a review.
    """
    obstacle = _obstacle(content)
    if obstacle:
        raise InputError("not a review: %(obstacle)s", obstacle)
    return _marks_in(content)


def _marks_in(content: object) -> tuple[Mark, ...]:
    marks = cast("dict[str, Any]", content)["marks"]
    return tuple(
        Mark(**{name: without_surrogates(each[name]) for name in _FIELDS}) for each in marks
    )


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which are possible in JSON but not in a file."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _age(mark: Mark) -> tuple[str, ...]:
    """Return a sort key of marks: by time, then by content.

    Fractions of a second are optional, so the final Z is ignored.
    """
    return (mark.at.rstrip("Z"), *(getattr(mark, name) for name in _FIELDS))


def _obstacle(content: object) -> str | None:
    """Return why something is not a review; empty if it is one."""
    if not isinstance(content, dict) or not isinstance(content.get("marks"), list):
        return "it has no list of 'marks'"
    if content.get("format") != FORMAT:
        return f"its format is {content.get('format')!r}, not {FORMAT}"
    for number, mark in enumerate(content["marks"], 1):
        wrong = _wrong_in(mark)
        if wrong:
            return f"mark {number} {wrong}"
    return None


def _wrong_in(mark: object) -> str | None:
    if not isinstance(mark, dict):
        return "is not an object"
    for name in _FIELDS:
        if not isinstance(mark.get(name), str):
            return f"has no text {name!r}"
    if mark["state"] not in _STATES:
        return f"has the state {mark['state']!r}, not one of {', '.join(_STATES)}"
    if not _MOMENT.fullmatch(mark["at"]):
        return f"has the time {mark['at']!r}, not one such as 2026-11-21T09:30:00Z"
    return None
