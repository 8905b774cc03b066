import re
from pathlib import Path

import pytest

import mosslite
from mosslite import Options, Report

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
BATCHES = sorted(path.parent.name for path in SAMPLES.glob("*/README.md"))

_ROW = re.compile(r"^\|([^|]+)\|([^|]+)\|([^|]+)\|$", re.MULTILINE)


def planted_pairs(batch: str) -> set[tuple[str, str]]:
    """Read the table of left, right and disguise in the batch's README."""
    text = (SAMPLES / batch / "README.md").read_text(encoding="utf-8")
    header, line, *rows = [[cell.strip() for cell in row] for row in _ROW.findall(text)]
    assert header == ["left", "right", "disguise"]
    assert {cell.strip("-") for cell in line} == {""}
    return {(left, right) if left < right else (right, left) for left, right, _ in rows}


@pytest.fixture(scope="module", params=BATCHES)
def batch(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def report(batch: str) -> Report:
    folder = SAMPLES / batch
    return mosslite.check(
        [folder / "submissions"], base=[folder / "template"], options=Options(show=0)
    )


def test_there_is_a_batch_for_each_kind_of_work() -> None:
    assert BATCHES == ["c", "java", "prose", "python"]


def test_a_batch_has_planted_and_honest_submissions(batch: str, report: Report) -> None:
    names = {submission.name for submission in report.submissions}
    planted = {name for pair in planted_pairs(batch) for name in pair}
    assert planted <= names
    assert len(planted) >= 5
    assert len(names) >= 8
    assert report.base


def test_a_batch_is_read_without_a_loss(report: Report) -> None:
    assert report.skipped == ()


def test_planted_pairs_rank_above_all_honest_ones_and_stand_apart_by_their_score(
    batch: str, report: Report
) -> None:
    planted = planted_pairs(batch)
    ranking = [(pair.left.name, pair.right.name) for pair in report.pairs]
    assert set(ranking[: len(planted)]) == planted
    scores = [pair.score for pair in report.pairs] + [0.0]
    assert scores[len(planted) - 1] > scores[len(planted)]


def test_the_command_of_a_batch_is_in_its_readme(batch: str) -> None:
    text = (SAMPLES / batch / "README.md").read_text(encoding="utf-8")
    assert f"mosslite check samples/{batch}/submissions -b samples/{batch}/template\n" in text
