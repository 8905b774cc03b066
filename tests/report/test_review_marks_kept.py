"""Marks of an earlier report in the same folder, and of several reviewers."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files


def mark(state: str, at: str = "2026-11-21T09:30:00Z", **changes: str) -> dict[str, str]:
    told = {"left": "ada.py", "right": "ben.py", "code": "", "state": state, "reason": ""}
    return told | {"note": "", "at": at} | changes


def reviewed(path: Path, *marks: dict[str, str]) -> None:
    path.write_text(json.dumps({"format": 1, "marks": marks}), encoding="utf-8")


def data_of(report: Path) -> dict[str, Any]:
    text = (report / "review-data.js").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text.partition("REVIEW = ")[2].rstrip(";\n"))
    return found


@pytest.fixture
def code(run: Run, tmp_path: Path) -> str:
    """Return the digest of a pair's code, of which there is a class in the folder."""
    write_files(tmp_path, {"ada.py": QUEUE, "ben.py": QUEUE_RENAMED, "eve.py": PRIMES})
    run("ada.py", "ben.py", "eve.py", "-o", "first", "--no-cache")
    return str(data_of(tmp_path / "first")["pairs"][0][2])


@pytest.mark.parametrize("title", [(), ("-c", "Homework 1")])
def test_marks_survive_a_rerun_in_the_same_folder_with_a_student_more(
    run: Run, tmp_path: Path, code: str, title: tuple[str, ...]
) -> None:
    reviewed(tmp_path / "review.json", mark("confirmed", code=code, note="told me"))
    run("ada.py", "ben.py", "eve.py", "-o", "out", "--review", "review.json", *title)
    write_files(tmp_path, {"zoe.py": QUEUE + PRIMES})

    outcome = run("ada.py", "ben.py", "eve.py", "zoe.py", "-o", "out", "--json", "new.json", *title)

    assert "review: 1 mark, 1 on the code of a listed pair" in outcome.out
    assert [each["note"] for each in data_of(tmp_path / "out")["marks"]] == ["told me"]
    pairs = json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))["pairs"]
    assert [each["review"]["note"] for each in pairs if "review" in each] == ["told me"]


def test_marks_of_another_assignment_in_the_folder_are_not_taken(
    run: Run, tmp_path: Path, code: str
) -> None:
    reviewed(tmp_path / "review.json", mark("confirmed", code=code))
    run("ada.py", "ben.py", "eve.py", "-o", "out", "-c", "One", "--review", "review.json")

    outcome = run("ada.py", "ben.py", "eve.py", "-o", "out", "-c", "Two")

    assert data_of(tmp_path / "out")["marks"] == []
    assert "review:" not in outcome.out


def test_other_work_of_the_same_students_takes_no_marks_without_a_title(
    run: Run, tmp_path: Path, code: str
) -> None:
    reviewed(tmp_path / "review.json", mark("confirmed", code=code))
    run("ada.py", "ben.py", "eve.py", "-o", "out", "--review", "review.json")
    write_files(tmp_path, {"ada.py": PRIMES, "ben.py": PRIMES, "eve.py": QUEUE})

    run("ada.py", "ben.py", "eve.py", "-o", "out")

    assert data_of(tmp_path / "out")["marks"] == []


def test_a_review_that_is_given_holds_against_the_report_that_it_replaces(
    run: Run, tmp_path: Path, code: str
) -> None:
    reviewed(tmp_path / "old.json", mark("confirmed", code=code))
    reviewed(tmp_path / "new.json", mark("dismissed", "2026-11-22T09:30:00Z", code=code))
    run("ada.py", "ben.py", "eve.py", "-o", "out", "--review", "old.json")

    outcome = run("ada.py", "ben.py", "eve.py", "-o", "out", "--review", "new.json")

    assert [each["state"] for each in data_of(tmp_path / "out")["marks"]] == ["dismissed"]
    assert "contradict" not in outcome.out


def test_reviews_of_two_assistants_are_merged_and_contradictions_are_shown(
    run: Run, tmp_path: Path, code: str
) -> None:
    later = "2026-11-22T09:30:00Z"
    reviewed(
        tmp_path / "one.json", mark("confirmed", later, code=code), mark("todo", right="eve.py")
    )
    reviewed(tmp_path / "two.json", mark("dismissed", code=code), mark("confirmed", right="x"))

    outcome = run(
        *("ada.py", "ben.py", "eve.py", "-o", "out"),
        *("--review", "one.json", "--review", "two.json"),
    )

    assert "review: 3 marks, 1 on the code of a listed pair" in outcome.out
    told = "review: 1 mark contradicts a later one, which holds: ada.py - ben.py"
    assert told in outcome.out
    assert [each["state"] for each in data_of(tmp_path / "out")["contradicted"]] == ["dismissed"]


def test_no_note_of_an_earlier_report_gets_into_one_without_names(
    run: Run, tmp_path: Path, code: str
) -> None:
    reviewed(tmp_path / "review.json", mark("confirmed", code=code, note="ada told me"))
    run("ada.py", "ben.py", "eve.py", "-o", "out", "--review", "review.json")

    run("ada.py", "ben.py", "eve.py", "-o", "out", "--anonymize", "key.csv")

    text = (tmp_path / "out" / "review-data.js").read_text(encoding="utf-8")
    assert "told me" not in text
    assert "ada" not in text
    assert [each["state"] for each in data_of(tmp_path / "out")["marks"]] == ["confirmed"]


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"marks": 1}', '{"marks": [{}]}', "9" * 5000])
def test_a_damaged_earlier_report_is_replaced(
    run: Run, tmp_path: Path, code: str, damage: str
) -> None:
    run("ada.py", "ben.py", "eve.py", "-o", "out")
    (tmp_path / "out" / "review-data.js").write_text(
        f'"use strict";\n\nconst REVIEW = {damage};\n', encoding="utf-8"
    )

    assert run("ada.py", "ben.py", "eve.py", "-o", "out").code == 0
    assert code in {each[2] for each in data_of(tmp_path / "out")["pairs"]}
