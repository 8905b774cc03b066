"""Results for readers distinguish known pairs of a baseline from new ones."""

import csv
import io
from pathlib import Path

import pytest

from mosslite.records import Report
from mosslite.report.ci.baseline import States, states_of
from mosslite.report.csv_files import to_csv
from mosslite.report.html import ReportMetadata, write_html
from tests.reports import baseline_of, scored_report

BADGE = '<span class="role">known</span>'


@pytest.fixture
def report() -> Report:
    return scored_report([(1, 2, 0.9), (1, 3, 0.8)], 3)


@pytest.fixture
def states(report: Report) -> States:
    return states_of(report, baseline_of(report, above=0.85))


def pages(folder: Path, report: Report, states: States | None) -> dict[str, str]:
    write_html(report, folder / "report", ReportMetadata("", ""), states=states)
    return {
        path.relative_to(folder / "report").as_posix(): path.read_text(encoding="utf-8")
        for path in (folder / "report").rglob("*.html")
    }


def test_a_csv_says_what_each_pair_is_to_a_baseline(report: Report, states: States) -> None:
    rows = csv.DictReader(io.StringIO(to_csv(report, states=states)))
    assert [row["baseline"] for row in rows] == ["unchanged", "new"]


def test_lists_of_pairs_mark_known_ones(report: Report, states: States, tmp_path: Path) -> None:
    found = pages(tmp_path, report, states)
    assert {name: page.count(BADGE) for name, page in found.items() if BADGE in page} == {
        "index.html": 1,
        "submissions/1.html": 1,
        "submissions/2.html": 1,
        "groups/1.html": 1,
    }
    assert "1 listed pair is known from a baseline." in found["index.html"]


def test_the_page_of_a_pair_says_what_it_is_to_the_baseline(
    report: Report, states: States, tmp_path: Path
) -> None:
    found = pages(tmp_path, report, states)
    assert "<dt>Baseline</dt><dd>known, unchanged</dd>" in found["pairs/1.html"]
    assert "<dt>Baseline</dt><dd>new</dd>" in found["pairs/2.html"]
