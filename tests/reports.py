"""Small reports for the tests of pages: submissions of words, and pairs with a score."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mosslite.options import Intake, Mark, Options
from mosslite.ranking import WEIGHTS, score_explanation
from mosslite.records import (
    Disguise,
    Match,
    Pair,
    Part,
    PlacedBy,
    Report,
    Role,
    Skipped,
    SubmissionMetadata,
    Surprise,
    Threshold,
    TokenizedSubmission,
)
from mosslite.report.baseline import Baseline, baseline_of_results
from mosslite.report.json_files import decoded
from mosslite.report.recording import to_json
from mosslite.report.results import Results
from tests.builders import submission_of_texts


def results_in(content: bytes) -> Results:
    """Return the results in the content of a file."""
    return decoded(content, Results)


TEXT = "one two three\nfour five six\nseven eight nine\nten eleven twelve\n"


def named(
    name: str, *, role: Role = Role.CURRENT, texts: Sequence[str] = (TEXT,)
) -> TokenizedSubmission:
    """Return a work of this name."""
    submission = submission_of_texts(*texts)
    return replace(submission, source=replace(submission.source, name=name, role=role))


def pair_of(
    left: TokenizedSubmission,
    right: TokenizedSubmission,
    score: float,
    *ranges: tuple[int, int],
    matched_lines: int = 4,
) -> Pair:
    """Return a pair whose matches are ranges of comparable tokens, the same on both sides."""
    matches = tuple(
        Match(
            left.place_of(start, stop - start),
            right.place_of(start, stop - start),
            stop,
            number,
            Surprise(40.0, 0.01),
            Surprise(40.0, 0.01),
        )
        for number, (start, stop) in enumerate(ranges, 1)
    )
    return Pair(left, right, score, PlacedBy.OVERLAP, 0.9, 0.4, 0.6, 12, matched_lines, 7, matches)


def report_of(
    submissions: Sequence[TokenizedSubmission],
    pairs: Iterable[Pair],
    *,
    threshold: float | None = 0.5,
) -> Report:
    """Return a report of these pairs, the highest score first."""
    ordered = tuple(sorted(pairs, key=lambda pair: -pair.score))
    found = threshold and Threshold(threshold, threshold - 0.1, threshold + 0.1, 1.0, len(ordered))
    return Report(
        options=Options(),
        description="3 submissions, one per folder in submissions/",
        submissions=tuple(submissions),
        base=(),
        pairs=ordered,
        skipped=(),
        warnings=(),
        score_explanation=score_explanation(WEIGHTS),
        threshold=found or None,
    )


def scored_report(
    scores: Iterable[tuple[int, int, float]],
    count: int,
    *,
    threshold: float | None = 0.5,
) -> Report:
    """Return a report of ``count`` works and a pair for each left, right (from 1) and score."""
    submissions = [named(f"work {number}") for number in range(1, count + 1)]
    pairs = [
        pair_of(submissions[left - 1], submissions[right - 1], score)
        for left, right, score in scores
    ]
    return report_of(submissions, pairs, threshold=threshold)


def three_pairs() -> Report:
    """Return a report on ada, ben and eve, each two of whom are a pair."""
    submissions = [named(name) for name in ("ada", "ben", "eve")]
    pairs = [pair_of(*both, 0.996, (0, 4), (5, 12)) for both in combinations(submissions, 2)]
    return report_of(submissions, pairs, threshold=None)


def one_pair(left: TokenizedSubmission, right: TokenizedSubmission, **others: Any) -> Report:  # noqa: ANN401 - as its fields are
    """Return a report on two submissions, with other values of its fields."""
    return replace(report_of([left, right], [pair_of(left, right, 0.996, (0, 4))]), **others)


def baseline_of(report: Report, *, above: float = 0.0) -> Baseline:
    """Take the pairs of a report for known, as ``baseline update`` does with its JSON results."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "results.json")
        path.write_text(to_json(report, created="", version="1"), encoding="utf-8")
        return baseline_of_results(path, above=above)


def told_report(name: str) -> Report:
    """Return a report with all metadata that intake can find, and ``name`` wherever one can occur.

    Its two submissions are a notebook of a team and a program with characters in disguise.
    """
    left, right = _notebook(f"{name} one"), _disguised(f"{name} two")
    report = report_of([left, right], [pair_of(left, right, 0.9, (0, 6))])
    mark = Mark(left.name, right.name, "00", "confirmed", name, name, "2026-11-21T09:30:00Z")
    intake = Intake(name_pattern=f"(?P<name>{name})", patterns=(f"{name}*",), all_attempts=True)
    return replace(
        report,
        description=f"2 submissions, one per folder in {name}",
        options=Options(intake=intake, review=(mark,)),
        skipped=(
            Skipped(f"hw/{left.name}/{name}.{name}", "is empty"),
            Skipped(f"hw/{name}.py", f"is the same file as 'hw/{name}'s.py'"),
        ),
        ignored=(
            Skipped(f"hw/{left.name}.zip/.git/", "is hidden"),
            Skipped(f"hw/{name}/old.py", f"is an earlier attempt of {left.name}"),
        ),
        warnings=(f"read as Latin-1: {name}/a.py", f'attempts of "{name}" are not compared'),
    )


def _notebook(name: str) -> TokenizedSubmission:
    told = SubmissionMetadata(
        f"owner {name}",
        members=(f"Ada {name}", f"Ben {name}"),
        submitted=f"2026-11-21T09:30:00Z {name}",
        label=f"Lab {name}",
    )
    submission = named(name)
    (document,) = submission.documents
    file = replace(
        document.file,
        name=f"{name}.ipynb",
        encoding="cp1251",
        encoding_by="guess",
        code=TEXT.replace("seven eight nine", " " * 16),
        parts=(Part(1, 1), Part(4, 2)),
    )
    return replace(
        submission,
        source=replace(submission.source, files=(file,), hand_in=told),
        documents=(replace(document, file=file, is_degraded=True),),
    )


def _disguised(name: str) -> TokenizedSubmission:
    submission = named(name)
    (document,) = submission.documents
    file = replace(document.file, name=f"{name}.html [javascript]")
    found = (
        Disguise("zero-width", "\u200b\u200d", (1, 3), 5),
        Disguise("homoglyph", "\u0430", (2,), 1),
    )
    hand_in = SubmissionMetadata(
        f"owner {name}", submitted="2026-11-22T09:30:00+01:00", is_late=True
    )
    return replace(
        submission,
        source=replace(submission.source, files=(file,), hand_in=hand_in),
        documents=(replace(document, file=file, disguises=found),),
    )


# From which score on pairs stand out in the results below.
THRESHOLD = 0.5


def results(
    names: Iterable[str],
    high: Mapping[tuple[str, str], float],
    *,
    title: str = "",
    told: Mapping[str, Mapping[str, object]] | None = None,
    has_threshold: bool = True,
) -> str:
    """Write results as ``check --json`` does, of pairs with these scores.

    ``told`` has what else is told of submissions, by key and name.
    """
    content = {
        "format": 1,
        "mosslite": "1",
        "created": "2026-01-01T00:00:00+00:00",
        "options": {"comment": title},
        "submissions": [
            {
                "name": name,
                "role": "current",
                **{key: of[name] for key, of in (told or {}).items() if name in of},
                "files": [name],
                "tokens": 100,
                "languages": ["python"],
            }
            for name in names
        ],
        "threshold": {
            "score": THRESHOLD,
            "low": 0.4,
            "high": 0.6,
            "expected": 1.0,
            "found": len(high),
            "submissions": 2,
            "groups": 1,
            "languages": [],
        }
        if has_threshold
        else None,
        "unlisted": 0,
        "pairs": [
            {"left": left, "right": right, "score": score, "matches": [], "rare_evidence": []}
            for (left, right), score in high.items()
        ],
        "skipped": [],
        "warnings": [],
    }
    return json.dumps(content)
