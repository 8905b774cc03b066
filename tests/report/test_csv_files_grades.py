"""A row for each student, as grade books take it."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

import mosslite
from mosslite.options import Mark
from mosslite.report.review import pair_code, review_text
from tests.conftest import Run
from tests.exports import EXPORTS, Student, blackboard_export, gradescope_export, moodle_export
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, WORDS, write_files

COLUMNS = ["Student", "ID", "Highest score", "Partner", "Group", "Stands out", "Review"]
COLUMNS += ["Not compared"]
ANN = Student("Ann", "Doe", 340934, {"main.py": QUEUE})
BOB = Student("Bob", "Smith", 340935, {"main.py": QUEUE_RENAMED})
CY = Student("Cy", "Lee", 340936, {"main.py": PRIMES})


def grades(run: Run, *arguments: str | Path) -> list[dict[str, str]]:
    outcome = run("check", *arguments, "--no-html", "-q", "--grades", "-")
    assert outcome.code == 0, outcome.err
    rows = csv.DictReader(io.StringIO(outcome.out))
    assert rows.fieldnames == COLUMNS
    return list(rows)


NUMBERS = ("340934", "340935", "340936")
LOGINS = ("doea", "smithb", "leec")


@pytest.mark.parametrize(
    ("layout", "paths", "ids"),
    [
        ("canvas", "hw --layout canvas", NUMBERS),
        ("moodle", "hw --layout moodle", NUMBERS),
        ("brightspace", "hw --layout brightspace", NUMBERS),
        ("gradescope", "hw", NUMBERS),
        ("blackboard", "hw --layout blackboard", LOGINS),
        ("sakai", "hw --layout sakai", LOGINS),
        ("autolab", "hw --layout autolab", tuple(f"{each}@example.edu" for each in LOGINS)),
        ("github", "hw/hw1-submissions", LOGINS),
        ("submit50", "hw/me50", LOGINS),
        ("nbgrader", "hw/submitted --layout nbgrader", LOGINS),
    ],
)
def test_a_student_has_the_id_of_the_platform(
    run: Run, tmp_path: Path, layout: str, paths: str, ids: tuple[str, str, str]
) -> None:
    write_files(tmp_path / "hw", EXPORTS[layout]([ANN, BOB, CY]))

    rows = grades(run, *paths.split())

    assert sorted(each["ID"] for each in rows) == sorted(ids)
    by_id = {each["ID"]: each for each in rows}
    ann, bob, cy = (by_id[each] for each in ids)
    assert (ann["Partner"], bob["Partner"]) == (bob["Student"], ann["Student"])
    assert ann["Highest score"] == bob["Highest score"]
    assert [each["Stands out"] for each in (ann, bob, cy)] == ["yes", "yes", "no"]
    assert [each["Group"] for each in (ann, bob, cy)] == ["1", "1", ""]


def test_each_member_of_a_team_has_a_row(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", gradescope_export([[ANN, CY], [BOB]]))

    rows = grades(run, "hw")

    assert [(each["Student"], each["ID"], each["Partner"]) for each in rows] == [
        ("Ann Doe", "340934", "Bob Smith"),
        ("Cy Lee", "340936", "Bob Smith"),
        ("Bob Smith", "340935", "Ann Doe, Cy Lee"),
    ]
    assert len({each["Highest score"] for each in rows}) == 1


def test_several_attempts_of_a_student_are_one_row(run: Run, tmp_path: Path) -> None:
    first = {"main.py": WORDS}
    earlier = blackboard_export([replace(BOB, files=first, time="2024-01-10 10:00:00")])
    write_files(tmp_path / "hw", blackboard_export([ANN, BOB, CY]) | earlier)

    rows = grades(run, "hw", "--attempts", "all")

    assert [each["Student"] for each in rows] == ["Ann Doe", "Bob Smith", "Cy Lee"]
    assert rows[0]["Partner"] == "Bob Smith, attempt 2"
    assert rows[1]["Partner"] == "Ann Doe"
    assert rows[1]["Stands out"] == "yes"


def test_several_attempts_are_one_row_without_names_too(run: Run, tmp_path: Path) -> None:
    first = {"main.py": WORDS}
    earlier = blackboard_export([replace(BOB, files=first, time="2024-01-10 10:00:00")])
    write_files(tmp_path / "hw", blackboard_export([ANN, BOB, CY]) | earlier)

    rows = grades(run, "hw", "--attempts", "all", "--anonymize", "key.csv")

    assert len(rows) == 3
    assert len({each["Student"] for each in rows}) == 3
    assert [each["Stands out"] for each in rows].count("yes") == 2


def test_earlier_terms_are_partners_and_have_no_row(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "cy.py": PRIMES})
    write_files(tmp_path / "old", {"zoe.py": QUEUE_RENAMED})

    rows = grades(run, "hw", "--prior", "old")

    assert [each["Student"] for each in rows] == ["ann.py", "cy.py"]
    assert rows[0]["Partner"].endswith("zoe.py")


def test_the_gravest_mark_of_the_pairs_of_a_student_is_reported(run: Run, tmp_path: Path) -> None:
    write_files(
        tmp_path / "hw", {"ann.py": QUEUE, "bob.py": QUEUE, "cy.py": QUEUE_RENAMED, "d.py": PRIMES}
    )
    pairs = {(p.left.name, p.right.name): p for p in mosslite.check(tmp_path / "hw").pairs}
    states = {("ann.py", "bob.py"): "dismissed", ("ann.py", "cy.py"): "confirmed"}
    marks = [
        Mark(*names, pair_code(pairs[names]), state, "", "", "2026-11-21T09:30:00Z")
        for names, state in states.items()
    ]
    (tmp_path / "review.json").write_text(review_text(marks), encoding="utf-8")

    rows = grades(run, "hw", "--review", "review.json")

    assert [each["Review"] for each in rows] == ["confirmed", "dismissed", "confirmed", ""]


def test_without_names_there_are_no_ids(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", moodle_export([ANN, BOB, CY]))

    rows = grades(run, "hw", "--anonymize", "key.csv")

    assert sorted(each["Student"] for each in rows) == [f"Submission 00{n}" for n in (1, 2, 3)]
    assert {each["ID"] for each in rows} == {""}
    assert all(each["Partner"].startswith("Submission") for each in rows if each["Group"])


@pytest.mark.parametrize("name", ["=1+1.py", "@sum(a).py", "-2.py", "a\u202eb.py", "+x\x1b[1m.py"])
def test_no_name_is_a_formula_or_out_of_sight(run: Run, tmp_path: Path, name: str) -> None:
    write_files(tmp_path / "hw", {name: QUEUE, "bob.py": QUEUE})

    rows = grades(run, "hw")

    cells = [text for row in rows for text in row.values()]
    assert not any(text.startswith(("=", "@", "+", "-")) for text in cells)
    assert all(character.isprintable() for text in cells for character in text)


def test_a_table_of_somebody_else_is_not_written_over(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"a.py": QUEUE, "b.py": QUEUE})
    (tmp_path / "g.csv").write_text("Student,ID,Homework 1\n", encoding="utf-8")

    outcome = run("check", "hw", "--no-html", "--grades", "g.csv")

    assert outcome.code == 2
    assert (tmp_path / "g.csv").read_text(encoding="utf-8") == "Student,ID,Homework 1\n"
