"""Baselines of known, reviewed pairs, and the gate that fails on new pairs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, NotRequired, TypedDict, cast

from mosslite.errors import InputError
from mosslite.records import Comparable, NotCompared, Pair, Report, Skipped, TokenizedSubmission
from mosslite.report.review import pair_key, reaches, submission_code, without_surrogates
from mosslite.winnowing.fingerprints import SKETCH_DIGITS, resemblance_of_sketches, sketch_of

_SUBMISSION_KEYS: Final = ("name", "code", "sketch")
_PAIR_KEYS: Final = ("left", "right")
_CODE: Final = re.compile(r"[0-9a-f]{24}")
_SKETCH: Final = re.compile(rf"(?:[0-9a-f]{{{SKETCH_DIGITS}}})*")


class _SubmissionRecord(TypedDict):
    name: str
    code: str
    sketch: str


class _Pair(TypedDict):
    left: str
    right: str
    score: float


class _Content(TypedDict):
    """The JSON of a baseline; JSON results contain the same keys, and more."""

    submissions: list[_SubmissionRecord]
    pairs: list[_Pair]
    anonymous: NotRequired[bool]


def read_baseline(path: Path) -> Baseline:
    """Read a baseline.

    Raises:
        InputError: It cannot be read, or is not a baseline.
    """
    return _baseline(_content(path, "baseline", ("kind", _KIND)))


def baseline_of_results(path: Path, *, above: float = 0.0) -> Baseline:
    """Return a baseline of the pairs in JSON results that score at least ``above``.

    Raises:
        InputError: It cannot be read, is not a result of ``--json``, or has no names.
    """
    content = _content(path, "result of --json", None)
    if content.get("anonymous"):
        raise InputError("%(path)r is anonymous: use results written without --anonymize", path)
    whole = _baseline(content)
    pairs = tuple(pair for pair in whole.pairs if pair.score >= above)
    names = {name for pair in pairs for name in (pair.left, pair.right)}
    return Baseline(
        tuple(submission for submission in whole.submissions if submission.name in names), pairs
    )


def _content(path: Path, what: str, mark: tuple[str, str] | None) -> _Content:
    """Read JSON that contains a baseline, and ``mark`` among its items."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError("cannot read %(path)r: %(reason)s", path, error) from error
    except (ValueError, RecursionError) as error:
        raise InputError("%(path)r is not a %(what)s: it is not JSON", path, what) from error
    obstacle = next(_obstacles(content, mark), None)
    if obstacle:
        raise InputError("%(path)r is not a %(what)s: %(obstacle)s", path, what, obstacle)
    return cast("_Content", content)


def _baseline(content: _Content) -> Baseline:
    return Baseline(
        tuple(
            _KnownSubmission(without_surrogates(each["name"]), each["code"], each["sketch"])
            for each in content["submissions"]
        ),
        tuple(
            _KnownPair(
                without_surrogates(each["left"]),
                without_surrogates(each["right"]),
                float(each["score"]),
            )
            for each in content["pairs"]
        ),
    )


def _obstacles(content: object, mark: tuple[str, str] | None) -> Iterator[str]:
    """Return what is wrong, starting with the first problem."""
    if not isinstance(content, dict):
        yield "it is not an object"
        return
    if mark and content.get(mark[0]) != mark[1]:
        yield f"its {mark[0]} is not {mark[1]!r}"
    if content.get("format") != _FORMAT:
        yield f"its format is {_shown(content.get('format'))}, not {_FORMAT}"
    for key in ("submissions", "pairs"):
        if not isinstance(content.get(key), list):
            yield f"it has no list of {key!r}"
    yield from _wrong_submissions(content["submissions"])
    names = {each["name"] for each in content["submissions"]}
    yield from _wrong_pairs(content["pairs"], names)


def _wrong_submissions(submissions: list[object]) -> Iterator[str]:
    names = set()
    for number, each in enumerate(submissions, 1):
        if not isinstance(each, dict) or not _has_texts(each, _SUBMISSION_KEYS):
            yield f"submission {number} has no strings 'name', 'code' and 'sketch'"
            return
        if not _CODE.fullmatch(each["code"]) or not _SKETCH.fullmatch(each["sketch"]):
            yield f"submission {number} has an invalid 'code' or 'sketch'"
        if each["name"] in names:
            yield f"submission {number} has the same name as another"
        names.add(each["name"])


def _wrong_pairs(pairs: list[object], names: set[str]) -> Iterator[str]:
    keys = set()
    for number, each in enumerate(pairs, 1):
        if not isinstance(each, dict) or not _has_texts(each, _PAIR_KEYS):
            yield f"pair {number} has no strings 'left' and 'right'"
            return
        if not _is_score(each.get("score")):
            yield f"pair {number} has no score from 0 to 1"
        if not names.issuperset((each["left"], each["right"])):
            yield f"pair {number} refers to a submission that is not listed"
        key = pair_key(each["left"], each["right"])
        if key in keys:
            yield f"pair {number} is listed twice"
        keys.add(key)


def _has_texts(each: dict[str, object], keys: tuple[str, ...]) -> bool:
    return all(isinstance(each.get(key), str) for key in keys)


def _is_score(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _shown(value: object) -> str:
    """Return a value on one line, for the end of a message."""
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    return repr(value) if isinstance(value, str) and len(value) < 40 else "something else"


_KIND: Final = "mosslite baseline"
_FORMAT: Final = 1
_NEW: Final = "new"

# Maximum increase of a known pair's score; small edits are not news.
_MOST_RISE: Final = 0.05
# Edited versions of a program resemble each other far more, programs for different tasks far less.
_LEAST_RESEMBLANCE: Final = 0.25
# Scores are sums of many terms, so the last digits of two runs can differ.
_HAIR: Final = 1e-9


@dataclass(frozen=True, slots=True)
class _KnownSubmission:
    """A known submission: its code as an exact digest, and as a sketch."""

    name: str
    code: str
    sketch: str


@dataclass(frozen=True, slots=True)
class _KnownPair:
    """A known pair: the names of both sides, and its score."""

    left: str
    right: str
    score: float


@dataclass(frozen=True, slots=True)
class Baseline:
    """Known pairs and their submissions; names are unique."""

    submissions: tuple[_KnownSubmission, ...]
    pairs: tuple[_KnownPair, ...]


@dataclass(frozen=True, slots=True, eq=False)
class States:
    """The state of each pair of a report: ``new``, ``unchanged`` or ``updated``.

    Pairs are identified by their compared code, so the states also apply to the anonymous version
    of a report.
    """

    by_sides: Mapping[frozenset[Comparable], str]

    @property
    def known(self) -> int:
        """Number of known pairs."""
        return sum(state != _NEW for state in self.by_sides.values())

    def is_known(self, pair: Pair) -> bool:
        """Return whether the baseline knows a pair."""
        return self.of(pair) != _NEW

    def of(self, pair: Pair) -> str:
        """Return the state of a pair; ``updated`` means known, but with changed code."""
        return self.by_sides[_sides(pair)]


def to_baseline(baseline: Baseline) -> str:
    """Return a baseline as sorted JSON, so that changing a pair changes only its lines."""
    content = {
        "kind": _KIND,
        "format": _FORMAT,
        "submissions": [
            asdict(each) for each in sorted(baseline.submissions, key=lambda w: w.name)
        ],
        "pairs": [asdict(each) for each in _ordered(baseline.pairs)],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def states_of(report: Report, baseline: Baseline) -> States:
    """Determine the state of each pair; the report must be the one with names."""
    submissions = {each.name: each for each in baseline.submissions}
    scores = {pair_key(each.left, each.right): each.score for each in baseline.pairs}
    return States({_sides(pair): _state(pair, submissions, scores) for pair in report.pairs})


def _state(
    pair: Pair, submissions: Mapping[str, _KnownSubmission], scores: Mapping[str, float]
) -> str:
    score = scores.get(pair_key(pair.left.name, pair.right.name))
    if score is None or pair.score > score + _MOST_RISE + _HAIR:
        return _NEW
    sides = [(submission, submissions[submission.name]) for submission in (pair.left, pair.right)]
    if all(submission_code(submission) == known.code for submission, known in sides):
        return "unchanged"
    return "updated" if all(_is_edition(*side) for side in sides) else _NEW


def _is_edition(submission: TokenizedSubmission, known: _KnownSubmission) -> bool:
    """Return whether code is an edited version of known code; a few equal tokens suffice."""
    if submission_code(submission) == known.code:
        return True
    sketch = sketch_of(submission)
    return bool(sketch) and resemblance_of_sketches(sketch, known.sketch) >= _LEAST_RESEMBLANCE


def _ordered(pairs: Iterable[_KnownPair]) -> list[_KnownPair]:
    return sorted(pairs, key=lambda pair: (pair.left, pair.right))


def _sides(pair: Pair) -> frozenset[Comparable]:
    return frozenset((pair.left.comparable, pair.right.comparable))


@dataclass(frozen=True, slots=True)
class Gate:
    """The condition for failing a job: a new pair that reaches a score.

    Files that a limit excluded from comparison fail it too, and submissions of which nothing was
    compared, as such a pair could be among them.

    Attributes:
        fail_above: The score, in percent; None never fails.
        states: Pairs known from a baseline; None makes all pairs new.
    """

    fail_above: float | None = None
    states: States | None = None

    def is_failing(self, report: Report) -> bool:
        """Return whether the job fails."""
        is_missed = any(map(self.misses, report.skipped)) or bool(self.missing(report))
        return is_missed or bool(self.failing(report))

    def missing(self, report: Report) -> list[NotCompared]:
        """Return the submissions that fail the job, as nothing of them was compared."""
        if self.fail_above is None:
            return []
        return [each for each in report.not_compared if not each.is_handed_out]

    def misses(self, skipped: Skipped) -> bool:
        """Return whether a skipped file fails the job."""
        return self.fail_above is not None and bool(skipped.limit)

    def failing(self, report: Report) -> tuple[Pair, ...]:
        """Return the pairs that fail, in the order of the report."""
        return tuple(filter(self.fails, report.pairs))

    def failing_first(self, report: Report) -> list[Pair]:
        """Return all pairs, failing ones first."""
        return sorted(report.pairs, key=lambda pair: not self.fails(pair))

    def fails(self, pair: Pair) -> bool:
        """Return whether a pair is new and its score is at or above the percentage."""
        return self.reaches(pair) and not self.knows(pair)

    def reaches(self, pair: Pair) -> bool:
        """Return whether a pair's score is at or above the percentage, whether known or new."""
        return self.fail_above is not None and reaches(pair.score, self.fail_above)

    def knows(self, pair: Pair) -> bool:
        """Return whether a baseline knows a pair."""
        return self.states is not None and self.states.is_known(pair)

    @property
    def known(self) -> int:
        """Number of pairs known from the baseline."""
        return 0 if self.states is None else self.states.known
