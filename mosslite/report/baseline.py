"""Baselines of known, reviewed pairs, and the gate that fails on new pairs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from msgspec import Meta

from mosslite.errors import InputError
from mosslite.messages import M_
from mosslite.records import NotCompared, Pair, Report, Skipped, TokenizedSubmission
from mosslite.report.json_files import Record, read
from mosslite.report.results import CODE, SKETCH, Share, read_results
from mosslite.report.review import pair_key, reaches, submission_code
from mosslite.winnowing.fingerprints import resemblance_of_sketches, sketch_of

_NEW: Final = "new"
# Maximum increase of a known pair's score; small edits are not news.
_MOST_RISE: Final = 0.05
# Edited versions of a program resemble each other far more, programs for different tasks far less.
_LEAST_RESEMBLANCE: Final = 0.25
# Scores are sums of many terms, so the last digits of two runs can differ.
_HAIR: Final = 1e-9


class KnownSubmission(Record, frozen=True, kw_only=True):
    """A known submission: its code as an exact digest, and as a sketch."""

    name: str
    code: Annotated[str, Meta(pattern=CODE)]
    sketch: Annotated[str, Meta(pattern=SKETCH)]


class KnownPair(Record, frozen=True, kw_only=True):
    """A known pair: the names of both sides, and its score."""

    left: str
    right: str
    score: Share


class Baseline(Record, frozen=True, kw_only=True):
    """Known pairs and their submissions, as baseline update writes them; names are unique."""

    kind: Literal["mosslite baseline"]
    format: Literal[1]
    submissions: tuple[KnownSubmission, ...]
    pairs: tuple[KnownPair, ...]

    @classmethod
    def of(cls, submissions: Iterable[KnownSubmission], pairs: Iterable[KnownPair]) -> Self:
        """Return the baseline of some pairs, sorted, so that a change of one changes its lines."""
        return cls(
            kind="mosslite baseline",
            format=1,
            submissions=tuple(sorted(submissions, key=lambda each: each.name)),
            pairs=tuple(sorted(pairs, key=lambda each: (each.left, each.right))),
        )

    def __post_init__(self) -> None:
        names = [each.name for each in self.submissions]
        keys = [pair_key(each.left, each.right) for each in self.pairs]
        if len(names) > len(set(names)):
            raise ValueError("two submissions have the same name")
        if len(keys) > len(set(keys)):
            raise ValueError("a pair is listed twice")
        if not {name for each in self.pairs for name in (each.left, each.right)} <= {*names}:
            raise ValueError("a pair names a submission that is not listed")


def read_baseline(path: Path) -> Baseline:
    """Read a baseline.

    Raises:
        InputError: It cannot be read, or is not a baseline.
    """
    return read(path, Baseline, M_("baseline"))[0]


def baseline_of_results(path: Path, *, above: float = 0.0) -> Baseline:
    """Return a baseline of the pairs in JSON results that score at least ``above``.

    Raises:
        InputError: It cannot be read, is not a result of ``--json``, or has no names.
    """
    results, _ = read_results(path)
    if results.anonymous:
        raise InputError("%(path)r is anonymous: use results written without --anonymize", path)
    if results.program:
        raise InputError("%(path)r has no scores: it was imported", path)
    pairs = [each for each in results.pairs if (each.score or 0.0) >= above]
    names = {name for pair in pairs for name in (pair.left, pair.right)}
    return Baseline.of(
        (
            KnownSubmission(name=each.name, code=each.code or "", sketch=each.sketch or "")
            for each in results.submissions
            if each.name in names
        ),
        (KnownPair(left=each.left, right=each.right, score=each.score or 0.0) for each in pairs),
    )


def with_baseline(report: Report, baseline: Baseline) -> Report:
    """Return the report whose pairs have a state: ``new``, or what the baseline knows of them.

    It finds them by names, so this comes before names are replaced.
    """
    submissions = {each.name: each for each in baseline.submissions}
    scores = {pair_key(each.left, each.right): each.score for each in baseline.pairs}
    pairs = (each.changed(baseline=_state(each, submissions, scores)) for each in report.pairs)
    return replace(report, pairs=tuple(pairs), has_baseline=True)


def _state(
    pair: Pair, submissions: Mapping[str, KnownSubmission], scores: Mapping[str, float]
) -> str:
    score = scores.get(pair_key(pair.left.name, pair.right.name))
    if score is None or pair.score > score + _MOST_RISE + _HAIR:
        return _NEW
    sides = [(submission, submissions[submission.name]) for submission in (pair.left, pair.right)]
    if all(submission_code(submission) == known.code for submission, known in sides):
        return "unchanged"
    return "updated" if all(_is_edition(*side) for side in sides) else _NEW


def _is_edition(submission: TokenizedSubmission, known: KnownSubmission) -> bool:
    """Return whether code is an edited version of known code; a few equal tokens suffice."""
    if submission_code(submission) == known.code:
        return True
    sketch = sketch_of(submission)
    return bool(sketch) and resemblance_of_sketches(sketch, known.sketch) >= _LEAST_RESEMBLANCE


@dataclass(frozen=True, slots=True)
class Gate:
    """The condition for failing a job: a new pair that reaches a score.

    Files that a limit excluded from comparison fail it too, and submissions of which nothing was
    compared, as such a pair could be among them.

    Attributes:
        fail_above: The score, in percent; None never fails.
    """

    fail_above: float | None = None

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
        return self.reaches(pair) and not pair.is_known

    def reaches(self, pair: Pair) -> bool:
        """Return whether a pair's score is at or above the percentage, whether known or new."""
        return self.fail_above is not None and reaches(pair.score, self.fail_above)
