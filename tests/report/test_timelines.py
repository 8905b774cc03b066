"""Who was first, and how attempts grew, on pages and in results."""

import json
from pathlib import Path

import pytest
from msgspec import UNSET

import mosslite
from mosslite.options import Intake, Options
from mosslite.records import Report
from mosslite.report import ReportMetadata, write_html
from mosslite.report.anonymous import anonymous
from mosslite.report.recording import to_json
from mosslite.report.timelines import AttemptRow, attempts_of, timeline_of
from tests.programs import JAVA, PRIMES, QUEUE, WORDS, program

ALL = Options(uses_workers=False, intake=Intake(all_attempts=True))


def export(folder: Path, *files: tuple[str, str, str]) -> Path:
    """Write an export of Blackboard: who, when, and a program."""
    folder.mkdir()
    for who, time, text in files:
        (folder / f"Hw_{who}_attempt_{time}_main.py").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def grown(tmp_path: Path) -> Report:
    """Zoe works on her own for two attempts, and hands in Ann's work then."""
    own = program(1)
    files = [
        ("ann", "2026-01-10-10-00-00", QUEUE),
        ("bob", "2026-01-10-11-00-00", PRIMES),
        ("zoe", "2026-01-09-10-00-00", own[: len(own) // 2]),
        ("zoe", "2026-01-11-10-00-00", own),
        ("zoe", "2026-01-12-10-00-00", QUEUE),
    ]
    return mosslite.check(export(tmp_path / "hw", *files), options=ALL)


def attempts(report: Report) -> list[AttemptRow]:
    found = attempts_of(report)
    return next(iter(found.values()), [])


def test_attempts_tell_what_was_kept_and_what_is_new(grown: Report) -> None:
    first, second, third = (row.result for row in attempts(grown))
    assert first.kept_from_before is UNSET
    assert second.kept_from_before
    assert second.kept_from_before > 0.8
    assert second.new
    assert 0.2 < second.new < 0.8
    assert third.kept_from_before is not UNSET
    assert third.kept_from_before < 0.2


def test_an_attempt_that_became_anothers_is_reported_and_no_other(grown: Report) -> None:
    rows = attempts(grown)
    assert [row.result.jumps for row in rows] == [False, False, True]
    assert rows[-1].other is not None
    assert rows[-1].other[1].name == "ann"


def test_a_single_attempt_has_no_history(tmp_path: Path) -> None:
    files = [("ann", "2026-01-10-10-00-00", QUEUE), ("bob", "2026-01-10-11-00-00", QUEUE)]
    assert attempts(mosslite.check(export(tmp_path / "hw", *files), options=ALL)) == []


def test_a_group_is_in_the_order_of_its_hand_ins(grown: Report) -> None:
    rows = timeline_of(range(1, len(grown.submissions) + 1), grown.submissions)
    names = [row.submission.name for row in rows]
    assert names[:2] == ["zoe, attempt 1", "ann"]
    assert rows[0].after == 0
    assert rows[1].after == 24 * 60 * 60
    assert [rows[0].place, rows[-1].place] == [0, 1]


def test_results_tell_how_the_work_grew_over_the_attempts(grown: Report) -> None:
    (own,) = json.loads(to_json(grown, created="now", version="0"))["attempts"]
    assert [each["submission"] for each in own] == [f"zoe, attempt {n}" for n in (1, 2, 3)]
    assert "kept_from_before" not in own[0]
    assert own[1]["kept_from_before"] > 0.8
    assert own[2]["most_like"] == "ann"
    assert own[2]["found_there"] > own[2]["found_there_before"]
    assert [each["jumps"] for each in own] == [False, False, True]


def test_without_names_attempts_still_belong_together(grown: Report) -> None:
    nameless, _ = anonymous(grown)
    text = to_json(nameless, created="now", version="0")
    (own,) = json.loads(text)["attempts"]
    assert [each["jumps"] for each in own] == [False, False, True]
    assert "zoe" not in text


def test_results_say_which_side_was_first(grown: Report) -> None:
    pairs = json.loads(to_json(grown, created="now", version="0"))["pairs"]
    assert pairs[0]["handed_in"] == {
        "left": "2026-01-10T10:00:00",
        "right": "2026-01-12T10:00:00",
        "first": "left",
        "seconds_between": 172800,
    }


def test_results_without_times_say_nothing_of_them(tmp_path: Path) -> None:
    for name, text in (("a.py", QUEUE), ("b.py", QUEUE), ("c.java", JAVA), ("d.py", WORDS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    report = mosslite.check(tmp_path, options=Options(uses_workers=False))
    pairs = json.loads(to_json(report, created="now", version="0"))["pairs"]
    assert "handed_in" not in pairs[0]
    assert timeline_of([1, 2], report.submissions) == []


def test_pages_show_the_order_and_the_attempts(grown: Report, tmp_path: Path) -> None:
    write_html(grown, tmp_path / "report", ReportMetadata("now", "0"))
    pair = (tmp_path / "report/pairs/1.html").read_text(encoding="utf-8")
    assert "Handed in first" in pair
    assert "2 days before the other" in pair
    pages = [each.read_text(encoding="utf-8") for each in (tmp_path / "report").glob("*/*.html")]
    assert sum("suddenly has much of" in page for page in pages) == 3
    assert any('id="timeline"' in page for page in pages)
