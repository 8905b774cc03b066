"""Results of several assignments in one report."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mosslite
from mosslite.report import ReportMetadata
from mosslite.report.course import CourseFile, roll_up, tail, to_csv, to_json, to_page
from mosslite.report.students import Assignment, Given, Joined, Outcome, joined, read_identities
from tests.conftest import Run
from tests.exports import STUDENTS, blackboard_export, gradescope_export
from tests.programs import JAVA, PRIMES, QUEUE, WORDS, write_files
from tests.reports import THRESHOLD, results, results_in

METADATA = ReportMetadata("2026-09-01T09:00:00+00:00", mosslite.__version__)


def course_of(folder: Path, *texts: str, students: str = "") -> CourseFile:
    paths = []
    for number, text in enumerate(texts, 1):
        path = folder / f"hw{number}.json"
        path.write_text(text, encoding="utf-8")
        paths.append(Given(path, results_in(text.encode()), sha256(text.encode()).hexdigest()))
    if not students:
        return roll_up(joined(paths), METADATA)
    (folder / "who.csv").write_text(students, encoding="utf-8")
    return roll_up(joined(paths, read_identities(folder / "who.csv")), METADATA)


def times_of(found: CourseFile) -> dict[tuple[str, str], tuple[int, int]]:
    """Return how often each pair stood out, of how many assignments."""
    return {
        (each.left.lower(), each.right.lower()): (each.stood_out, each.together)
        for each in found.pairs
    }


CLASS = [f"{name}.py" for name in ("ann", "bob", "cleo", "dan", "eve", "fay", "gus", "hal")]
BOTH = {("ann.py", "bob.py"): 0.9}


def test_a_pair_that_stands_out_again_comes_first_and_its_series_is_rarer(tmp_path: Path) -> None:
    found = course_of(
        tmp_path,
        results(CLASS, BOTH | {("cleo.py", "dan.py"): 0.95}, title="one"),
        results(CLASS, BOTH, title="two"),
    )

    first, second = found.pairs
    assert (first.left, first.right, first.stood_out, first.together) == ("ann", "bob", 2, 2)
    assert (second.left, second.right, second.stood_out) == ("cleo", "dan", 1)
    assert first.chance < second.chance


def test_students_are_joined_though_their_files_have_other_endings(tmp_path: Path) -> None:
    java = [name.replace(".py", ".java") for name in CLASS]

    again = results(java, {("ann.java", "bob.java"): 0.8})
    found = course_of(tmp_path, results(CLASS, BOTH), again)

    assert [each.stood_out for each in found.pairs] == [2]


def test_an_assignment_is_called_as_the_folder_of_its_report(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"hw/ann.py": QUEUE, "hw/bob.py": QUEUE, "hw/cy.py": PRIMES})
    write_files(tmp_path, {"lab/ann.py": WORDS, "lab/bob.py": WORDS, "lab/cy.py": PRIMES})
    for batch in ("hw", "lab"):
        assert run("check", batch, "-q", "-o", f"{batch}-report").code == 0

    done = run("course", "hw-report", "lab-report/results.json", "--json", "c.json")

    assert (done.code, done.err) == (0, "")
    assignments = json.loads((tmp_path / "c.json").read_text())["assignments"]
    assert {each["title"] for each in assignments} == {"hw-report", "lab-report"}


def test_a_folder_without_a_report_is_not_a_file_of_results(run: Run, tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    done = run("course", "report", "report")

    said = "'report' is a folder without a report: give results, or a report's folder"
    assert (done.code, done.err) == (2, f"mosslite: {said}\n")


def test_two_of_one_name_in_an_assignment_stay_two_and_are_listed(tmp_path: Path) -> None:
    found = course_of(tmp_path, results(["monday/ann", "tuesday/ann", "tuesday/bob"], {}))

    assert [each.name for each in found.students] == ["bob", "monday/ann", "tuesday/ann"]
    assert found.not_joined == (
        "hw1: monday/ann and tuesday/ann are taken for different students",
    )  # fmt: skip


def test_a_pair_of_teams_counts_for_each_of_one_with_each_of_the_other(tmp_path: Path) -> None:
    teams = {"team 1": ["Ann", "Bob"], "team 2": ["Cleo"]}

    found = course_of(
        tmp_path,
        results(teams, {("team 1", "team 2"): 0.9}, told={"members": teams}),
        results(["ann", "bob", "cleo"], {("ann", "cleo"): 0.9, ("ann", "bob"): 0.7}),
    )

    assert times_of(found) == {
        ("ann", "cleo"): (2, 2),
        ("bob", "cleo"): (1, 2),
        ("ann", "bob"): (1, 1),
    }


def test_a_table_of_names_joins_students_whose_names_differ(tmp_path: Path) -> None:
    texts = (
        results(["ann", "bob"], {("ann", "bob"): 0.9}),
        results(["s1234", "bob"], {("s1234", "bob"): 0.9}),
    )

    apart = course_of(tmp_path, *texts)
    found = course_of(tmp_path, *texts, students="name,student\ns1234,ann\n")

    assert [each.stood_out for each in apart.pairs] == [1, 1]
    assert apart.not_joined == (
        "hw1: in no other assignment: ann",
        "hw2: in no other assignment: s1234",
    )
    assert [(each.left, each.stood_out) for each in found.pairs] == [("ann", 2)]


def test_one_id_is_one_student_whatever_the_name(tmp_path: Path) -> None:
    found = course_of(
        tmp_path,
        results(["ann", "bob"], {("ann", "bob"): 0.9}, told={"ids": {"ann": ["ann-login"]}}),
        results(
            ["Ann Lee", "bob"], {("Ann Lee", "bob"): 0.9}, told={"ids": {"Ann Lee": ["Ann-Login"]}}
        ),
    )

    assert [each.stood_out for each in found.pairs] == [2]
    assert found.not_joined == ()


@pytest.mark.parametrize(("other", "times"), [("Lee, Ann", 2), ("Zoe Moss", 1)])
def test_one_number_is_one_student_only_if_the_names_share_a_word(
    other: str, times: int, tmp_path: Path
) -> None:
    found = course_of(
        tmp_path,
        results(["Ann Lee", "bob"], {("Ann Lee", "bob"): 0.9}, told={"ids": {"Ann Lee": ["123"]}}),
        results([other, "bob"], {(other, "bob"): 0.9}, told={"ids": {other: ["123"]}}),
    )

    assert max(each.stood_out for each in found.pairs) == times


def test_one_address_is_one_student_in_teams_too(tmp_path: Path) -> None:
    teams = {"team 1": ["Ann", "Bob"], "team 2": ["Cleo", "Dan"]}
    emails = {"team 1": ["ann@x.edu", "bob@x.edu"], "team 2": ["cleo@x.edu", ""]}
    alone = {"x1": ["BOB@x.edu"], "x2": ["cleo@x.edu"]}

    found = course_of(
        tmp_path,
        results(teams, {("team 1", "team 2"): 0.9}, told={"members": teams, "emails": emails}),
        results(alone, {("x1", "x2"): 0.8}, told={"emails": alone}),
    )

    assert max(times_of(found).items(), key=lambda each: each[1]) == (("bob", "cleo"), (2, 2))
    assert found.not_joined == (
        "hw1: in no other assignment: Ann, Dan",
    )  # fmt: skip


def test_partners_who_change_are_distinguished(tmp_path: Path) -> None:
    first = {"t1": ["Ann", "Bob"], "t2": ["Cleo", "Dan"]}
    second = {"t1": ["Ann", "Cleo"], "t2": ["Bob", "Dan"]}

    found = course_of(
        tmp_path,
        results(first, {("t1", "t2"): 0.9}, told={"members": first}),
        results(second, {("t1", "t2"): 0.9}, told={"members": second}),
    )

    assert times_of(found) == {
        ("ann", "dan"): (2, 2),
        ("bob", "cleo"): (2, 2),
        ("ann", "cleo"): (1, 1),
        ("bob", "dan"): (1, 1),
        ("ann", "bob"): (1, 1),
        ("cleo", "dan"): (1, 1),
    }


def test_a_student_in_two_sections_is_one_by_the_id_and_never_a_pair(tmp_path: Path) -> None:
    names = ["monday/ann", "tuesday/ann", "tuesday/bob"]
    high = {("monday/ann", "tuesday/ann"): 1.0, ("tuesday/ann", "tuesday/bob"): 0.9}
    ids = {"monday/ann": ["lee"], "tuesday/ann": ["lee"]}

    found = course_of(
        tmp_path, results(names, high, told={"ids": ids}), results(["ann", "bob"], {})
    )

    assert [(each.left, each.right, each.stood_out) for each in found.pairs] == [("ann", "bob", 1)]
    assert found.students[0].parts[0].submissions == ("monday/ann", "tuesday/ann")
    assert found.not_joined == ()


def test_two_of_one_name_are_distinguished_by_their_ids_over_the_course(tmp_path: Path) -> None:
    ids = {"monday/ann": ["lee"], "tuesday/ann": ["ray"]}
    names = ["monday/ann", "tuesday/ann", "tuesday/bob"]
    second = ["ann", "bob"]

    found = course_of(
        tmp_path,
        results(names, {("tuesday/ann", "tuesday/bob"): 0.9}, told={"ids": ids}),
        results(second, {("ann", "bob"): 0.9}, told={"ids": {"ann": ["ray"]}}),
    )

    assert [each.stood_out for each in found.pairs] == [2]
    assert len(found.students) == 3


def test_students_of_two_platforms_are_joined_by_what_the_exports_tell(
    run: Run, tmp_path: Path
) -> None:
    students = [
        replace(each, files={"main.py": text})
        for each, text in zip(STUDENTS, (QUEUE, PRIMES, WORDS), strict=True)
    ]
    later = zip(students, (JAVA, QUEUE, PRIMES), strict=True)
    one_each = [[replace(each, files={"main.py": text})] for each, text in later]
    write_files(tmp_path / "assignment_1_export", gradescope_export([students[:2], students[2:]]))
    write_files(tmp_path / "assignment_2_export", gradescope_export(one_each))
    for number in (1, 2):
        run("check", f"assignment_{number}_export", "--no-html", "--json", f"{number}.json")

    content = json.loads((tmp_path / "1.json").read_text())
    done = run("course", "1.json", "2.json", "--no-html")

    team = next(each for each in content["submissions"] if "members" in each)
    assert team["ids"] == ["340934", "340935"]
    assert team["emails"] == ["340934@example.edu", "340935@example.edu"]
    assert "2 assignments, 3 students" in done.out
    assert "not joined" not in done.out


def test_numbers_that_stand_for_names_join_nobody_without_their_keys(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path / "one", {"ann.py": QUEUE, "bob.py": QUEUE, "cy.py": PRIMES})
    write_files(tmp_path / "two", {"bob.java": JAVA, "ann.java": f"// {JAVA}", "cy.py": WORDS})
    for name in ("one", "two"):
        run("check", name, "--no-html", "--json", f"{name}.json", "--anonymize", f"{name}.csv")

    apart = run("course", "one.json", "two.json", "--no-html")
    both = run(
        "course", "one.json", "two.json", "--no-html", "--key", "one.csv", "--key", "two.csv"
    )
    wrong = run("course", "one.json", "two.json", "--no-html", "--key", "one.csv")

    assert "2 assignments, 6 students" in apart.out
    assert apart.out.count("numbers stand for names") == 2
    assert "2 assignments, 3 students" in both.out
    assert "numbers stand for names" not in both.out
    assert wrong.code == 2
    assert "--key is given 1 time, and there are 2 anonymous results" in wrong.err


def test_names_that_a_key_escapes_for_spreadsheets_are_those_of_the_students(
    run: Run, tmp_path: Path
) -> None:
    names = ("@ann", "-b;=ob", "\u0645\u06cc\u200c\u0631", "\N{DNA DOUBLE HELIX}\U000e0041")
    for folder, text in (("one", QUEUE), ("two", PRIMES)):
        write_files(tmp_path, {f"{folder}/{name}/a.py": text for name in names})
    run("check", "one", "--no-html", "--json", "one.json")
    run("check", "two", "--no-html", "--json", "two.json", "--anonymize", "two.csv")

    done = run("course", "one.json", "two.json", "--no-html", "--key", "two.csv")

    assert "2 assignments, 4 students" in done.out
    assert "not joined" not in done.out


@pytest.mark.parametrize("is_anonymous", [False, True])
def test_attempts_of_a_student_are_one_student(
    run: Run, tmp_path: Path, is_anonymous: bool
) -> None:
    bob, ann, cy = (
        replace(each, files={"main.py": text})
        for each, text in zip(STUDENTS, (QUEUE, QUEUE, WORDS), strict=True)
    )
    earlier = replace(ann, files={"main.py": PRIMES}, time="2024-01-10 10:00:00")
    files = blackboard_export([ann, bob, cy]) | blackboard_export([earlier])
    write_files(tmp_path / "one", files)
    key = ["--anonymize", "one.csv"] if is_anonymous else []
    run("check", "one", "--attempts", "all", "--no-html", "--json", "one.json", *key)

    given = ["--key", "one.csv"] if is_anonymous else []
    done = run("course", "one.json", *given, "--json", "c.json", "--no-html", "-c", "x")

    assert "1 assignment, 3 students" in done.out
    content = json.loads((tmp_path / "c.json").read_text())
    assert content["assignments"][0]["submissions"] == 3
    assert [each["name"] for each in content["students"]] == ["Ann Doe", "Bob Smith", "Cy O'Hara"]
    assert len(content["students"][0]["parts"][0]["submissions"]) == 2


def test_who_handed_in_first_is_counted_over_the_course(tmp_path: Path) -> None:
    texts = []
    for number, first in enumerate(("left", "left", "right", "both")):
        content = json.loads(results(CLASS, BOTH, title=str(number)))
        content["pairs"][0]["handed_in"] = {"first": first, "seconds_between": 60}
        texts.append(json.dumps(content))

    found = course_of(tmp_path, *texts)

    (pair,) = json.loads(to_json(found))["pairs"]
    firsts = [each.get("handed_in_first") for each in pair["assignments"]]
    assert firsts == ["ann", "ann", "bob", None]
    page = " ".join(re.sub("<[^>]*>", "", to_page(found, METADATA, "CS 101")).split())
    assert "Handed in first: ann (2 assignments), bob (1 assignment)." in page


def test_a_table_of_names_can_have_ids(tmp_path: Path) -> None:
    found = course_of(
        tmp_path,
        results(["ann", "bob"], {("ann", "bob"): 0.9}),
        results(["x", "bob"], {("x", "bob"): 0.9}, told={"ids": {"x": ["s1234"]}}),
        students="name,student\ns1234,ann\n",
    )

    assert [(each.left, each.stood_out) for each in found.pairs] == [("ann", 2)]


def test_results_on_the_same_submissions_count_once_and_are_reported(tmp_path: Path) -> None:
    one, two = ({"code": {name: f"{code} {name}" for name in CLASS}} for code in "ab")
    first, again = (results(CLASS, BOTH, title=t, told=one) for t in ("first", "again"))
    other = results(CLASS, BOTH, title="other", told=two)

    found = course_of(tmp_path, first, again, other)

    assert [(each.stood_out, each.together) for each in found.pairs] == [(2, 2)]
    assert len(found.warnings) == 1
    assert "about the same submissions" in found.warnings[0]


def test_that_moss_lists_only_submissions_in_pairs_is_reported(tmp_path: Path) -> None:
    content = json.loads(results(CLASS[:2], BOTH, has_threshold=False))
    content["source"] = {"program": "moss"}

    found = course_of(tmp_path, results(CLASS, BOTH), json.dumps(content))

    assert "MOSS lists only submissions that are in a pair" in found.warnings[0]


def test_an_assignment_without_a_threshold_is_listed_and_counts_nothing(tmp_path: Path) -> None:
    found = course_of(tmp_path, results(CLASS, BOTH), results(CLASS, BOTH, has_threshold=False))

    assert [(each.stood_out, each.together) for each in found.pairs] == [(1, 1)]
    assert [each.threshold for each in found.assignments] == [THRESHOLD, None]


def test_of_an_imported_result_the_highest_pairs_stand_out_by_their_number(tmp_path: Path) -> None:
    content = json.loads(results(CLASS, BOTH | {("dan.py", "eve.py"): 0.3}, has_threshold=False))
    content["source"] = {"program": "moss"}
    for pair in content["pairs"]:
        pair["left_similarity"] = pair["right_similarity"] = pair.pop("score")

    found = course_of(tmp_path, results(CLASS, BOTH), json.dumps(content))

    assert [(each.left, each.right, each.stood_out) for each in found.pairs] == [("ann", "bob", 2)]


def test_where_many_stand_out_once_to_stand_out_again_is_less_surprising(tmp_path: Path) -> None:
    once = {(left, right): 0.6 for left in CLASS[2:5] for right in CLASS[5:]}
    few = course_of(tmp_path, *[results(CLASS, BOTH, title=str(n)) for n in range(3)])
    many = course_of(
        tmp_path,
        *[results(CLASS, BOTH | (once if n == 0 else {}), title=str(n)) for n in range(3)],
    )

    assert chance_of("ann", "bob", many) > 5 * chance_of("ann", "bob", few)


def test_a_student_who_is_alike_to_many_makes_a_series_less_surprising(tmp_path: Path) -> None:
    alone = course_of(tmp_path, *[results(CLASS, BOTH, title=str(n)) for n in range(3)])
    among = course_of(
        tmp_path,
        *[
            results(CLASS, BOTH | {("ann.py", name): 0.8 for name in others}, title=str(n))
            for n, others in enumerate((CLASS[2:4], CLASS[4:6], CLASS[6:]))
        ],
    )

    assert chance_of("ann", "bob", among) > 10 * chance_of("ann", "bob", alone)


def chance_of(left: str, right: str, course: CourseFile) -> float:
    return next(each.chance for each in course.pairs if (each.left, each.right) == (left, right))


def test_groups_are_of_pairs_that_stood_out_more_than_once(tmp_path: Path) -> None:
    ring = {("ann.py", "bob.py"): 0.9, ("bob.py", "cleo.py"): 0.9}

    found = course_of(
        tmp_path,
        results(CLASS, ring | {("dan.py", "eve.py"): 0.9}, title="one"),
        results(CLASS, ring, title="two"),
    )

    assert found.groups == (("ann", "bob", "cleo"),)


def test_of_many_assignments_is_said_that_it_is_rarer_than_once_in_a_million_courses(
    run: Run, tmp_path: Path
) -> None:
    names = [f"{number:03}.py" for number in range(150)]
    titles = [f"sheet {number}" for number in range(90)]
    texts = [results(names, {("000.py", "001.py"): 0.9}, title=each) for each in titles]
    write_files(tmp_path, {f"hw{n}.json": text for n, text in enumerate(texts)})

    outcome = run("course", *sorted(tmp_path.glob("hw*.json")), "--comment", "CS 101")

    assert "90 of 90  once in over a million courses\n" in outcome.out
    assert "about once in more than a million courses of this size" in outcome.out


# --- how surprising a series is ------------------------------------------------------------------


@given(st.lists(st.floats(0, 1), max_size=6), st.integers(0, 6))
def test_the_tail_is_that_of_all_outcomes_counted_one_by_one(
    chances: list[float], least: int
) -> None:
    expected = 0.0
    for outcome in range(1 << len(chances)):
        hits = [bool(outcome >> number & 1) for number in range(len(chances))]
        if sum(hits) >= least:
            expected += float(
                np.prod([c if hit else 1 - c for c, hit in zip(chances, hits, strict=True)])
            )

    assert tail(chances, min(least, len(chances) + 1)) == pytest.approx(expected, abs=1e-9)


SIZE, ASSIGNMENTS, COURSES = 40, 6, 150


def simulated(
    rng: Random,
    tendency: Mapping[str, float],
    copies: Iterable[int] = (),
    sizes: Sequence[int] = (SIZE,) * ASSIGNMENTS,
    expected: float = 1.0,
) -> CourseFile:
    """Simulate a course whose students work independently, but for a pair that copies.

    In an assignment as many of them take part as ``sizes`` says, and ``expected`` of their pairs
    stand out by chance.
    """
    keys = [f"s{number:02}" for number in range(max(sizes))]
    assignments = []
    for number, size in enumerate(sizes):
        took = sorted(rng.sample(keys, size))
        pairs = [(left, right) for left in took for right in took if left < right]
        outcomes = {
            pair: Outcome(0.8, stands_out=True)
            for pair in pairs
            if rng.random()
            < expected / len(pairs) * tendency.get(pair[0], 1) * tendency.get(pair[1], 1)
        }
        if number in copies:
            outcomes["s00", "s01"] = Outcome(0.9, stands_out=True)
        own = {key: frozenset((key,)) for key in took}
        assignments.append(Assignment(str(number), "", size, THRESHOLD, expected, own, outcomes))
    return roll_up(Joined(tuple(assignments), {key: key for key in keys}, ()), METADATA)


@pytest.mark.parametrize("tendency", [{}, {f"s{n:02}": 4.0 for n in range(6)}])
def test_courses_of_independent_work_have_surprising_pairs_no_more_often_than_is_said(
    tendency: Mapping[str, float],
) -> None:
    rng = Random(1)  # noqa: S311
    courses = [simulated(rng, tendency) for _ in range(COURSES)]

    for expected in (0.3, 0.03):
        surprising = Counter(
            any(each.expected_in_course <= expected for each in course.pairs) for course in courses
        )
        # So many at the most, with three standard errors.
        most = COURSES * expected + 3 * (COURSES * expected) ** 0.5
        assert surprising[True] <= most


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((SIZE,) * ASSIGNMENTS, 2.0),
        ((SIZE,) * ASSIGNMENTS, 6.0),
        ((60, 12, 30, 60, 15, 45), 3.0),
        ((10, 12, 10, 11), 1.0),
    ],
)
def test_pairs_of_independent_work_stand_out_twice_about_as_often_as_is_said(
    sizes: tuple[int, ...], expected: float
) -> None:
    rng = Random(2)  # noqa: S311
    courses = [simulated(rng, {}, sizes=sizes, expected=expected) for _ in range(COURSES)]

    twice = [[each for each in course.pairs if each.stood_out > 1] for course in courses]
    found = sum(map(len, twice)) / COURSES
    # The likeliest of them says how many pairs there are to be expected that stand out as often.
    said = np.median([max(each.expected_in_course for each in own) for own in twice if own])
    assert found / 3 <= said <= 10 * found


def test_two_who_copy_again_and_again_are_more_surprising_than_any_by_chance() -> None:
    course = simulated(Random(2), {}, copies=range(4))  # noqa: S311

    first = course.pairs[0]
    assert (first.left, first.right, first.stood_out) == ("s00", "s01", 4)
    assert first.expected_in_course < 1e-6


@pytest.mark.parametrize("size", [3, 6])
def test_a_group_that_copies_again_and_again_is_as_surprising_however_large(
    size: int, tmp_path: Path
) -> None:
    names = [f"s{number:02}.py" for number in range(SIZE)]
    ring = {(left, right): 0.9 for left in names[:size] for right in names[:size] if left < right}

    found = course_of(tmp_path, *[results(names, ring, title=str(n)) for n in range(5)])

    assert all(each.expected_in_course < 1e-6 for each in found.pairs)


# --- outputs -------------------------------------------------------------------------------------

HOSTILE = ['=HYPERLINK("x")', "<script>alert(1)</script>", "a\x1b[31m\u202eb"]


def test_json_has_assignments_students_and_pairs(tmp_path: Path) -> None:
    found = course_of(
        tmp_path, results(CLASS, BOTH, title="one"), results(CLASS, BOTH, title="two")
    )

    content = json.loads(to_json(found))

    assert content["format"] == 1
    assert [each["title"] for each in content["assignments"]] == ["one", "two"]
    assert content["pairs"][0] | {"chance": 0, "expected_in_course": 0} == {
        "left": "ann",
        "right": "bob",
        "assignments": [
            {"title": "one", "score": 0.9, "stands_out": True},
            {"title": "two", "score": 0.9, "stands_out": True},
        ],
        "stood_out": 2,
        "together": 2,
        "chance": 0,
        "expected_in_course": 0,
    }
    assert content["students"][0] == {
        "name": "ann",
        "assignments": ["one", "two"],
        "partners": [{"name": "bob", "stood_out": 2}],
        "parts": [
            {
                "title": title,
                "submissions": ["ann.py"],
                "highest_score": 0.9,
                "stood_out_with": [{"name": "bob", "score": 0.9}],
            }
            for title in ("one", "two")
        ],
    }


def test_hostile_names_are_text_wherever_they_stand(tmp_path: Path) -> None:
    high = {(HOSTILE[0], HOSTILE[1]): 0.9, (HOSTILE[1], HOSTILE[2]): 0.9}
    texts = [results(HOSTILE, high, title=f"<b>{number}") for number in range(2)]
    found = course_of(tmp_path, *texts)

    page = to_page(found, METADATA, "<i>course")
    rows = list(csv.reader(io.StringIO(to_csv(found))))

    assert "<script>alert" not in page
    assert "<b>" not in page
    assert "<i>course" not in page
    assert "\u202e" not in page
    assert all(not cell.startswith("=") for row in rows for cell in row)


def test_the_page_of_a_large_course_weighs_little_and_says_what_it_leaves_out(
    tmp_path: Path,
) -> None:
    names = [f"student-{number:04}" for number in range(600)]
    chain = dict.fromkeys(pairwise(names), 0.9) | {("student-0590", "student-0599"): 1.0}
    texts = [results(names, chain, title=f"week {week}") for week in range(8)]
    texts.append(results(names, {("student-0590", "student-0599"): 1.0}, title="exam"))
    found = course_of(tmp_path, *texts)

    page = to_page(found, METADATA, "large")
    students = page[page.index('id="students"') : page.index('id="assignments"')]
    left_out = [int(count) for count in re.findall(r"(\d+) more are in the JSON", page)]
    left_out_students = left_out[-1]

    assert len(re.findall(r"<[a-z]", page)) < 20_000
    assert left_out[1] + page.count('<td class="numeric">8 of 9</td>') + 1 == len(found.pairs)
    assert left_out_students + students.count("<details") == len(names)
    assert "student-0590" in students  # who stands out most, though late in the alphabet


def test_the_command_writes_a_page_json_and_csv(run: Run, tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"hw{number}.json").write_text(results(CLASS, BOTH, title=f"hw{number}"))

    done = run("course", "hw1.json", "hw2.json", "--json", "c.json", "--csv", "c.csv")

    assert done.code == 0
    assert "2 assignments, 8 students" in done.out
    assert "1 pair stood out more than once; similarity is evidence, not a verdict" in done.out
    assert (tmp_path / "mosslite-course" / "index.html").is_file()
    assert json.loads((tmp_path / "c.json").read_text())["pairs"][0]["left"] == "ann"
    assert (tmp_path / "c.csv").read_text().startswith("left,right,stood_out,together,chance,")


@pytest.mark.parametrize("content", ["{}", "[1"])
def test_what_is_not_a_result_is_an_error_of_one_line(
    content: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "good.json").write_text(results(CLASS, BOTH))
    (tmp_path / "other.json").write_text(content)

    done = run("course", "good.json", "other.json")

    assert done.code == 2
    assert "is not a file of results" in done.err
    assert done.err.count("\n") == 1


def test_the_terminal_names_a_few_of_many_students_of_one_assignment(
    run: Run, tmp_path: Path
) -> None:
    for title, names in (("hw1", "abcdefg"), ("hw2", "vwxyz")):
        write_files(tmp_path / title, {f"{name}.py": WORDS for name in names})
        run("check", title, "-c", title, "--no-html", "--json", f"{title}.json")

    done = run("course", "hw1.json", "hw2.json", "--json", "course.json")

    listed = json.loads((tmp_path / "course.json").read_text())["not_joined"]
    assert "not joined: hw1: in no other assignment: a, b, c, d, e and 2 more\n" in done.out
    assert "not joined: hw2: in no other assignment: v, w, x, y, z\n" in done.out
    assert "hw1: in no other assignment: a, b, c, d, e, f, g" in listed


def test_students_are_the_folders_of_a_file_that_all_are_named_after(
    run: Run, tmp_path: Path
) -> None:
    for title in ("hw1", "hw2"):
        rows = (
            f'<TR><TD><A HREF="http://x/match{n}.html">{left}/src/{title}.c (70%)</A>'
            f'<TD><A HREF="http://x/match{n}.html">{right}/src/{title}.c (65%)</A><TD>43'
            for n, (left, right) in enumerate((("x/ann", "x/bob"), ("x/ann", "x/cy")))
        )
        table = f"<TABLE><TR><TH>File 1<TH>File 2<TH>Lines Matched{''.join(rows)}</TABLE>"
        write_files(tmp_path, {f"{title}/index.html": f"<TITLE>Moss Results</TITLE>{table}"})
        assert run("import-moss", title, "-o", f"{title}.json").code == 0

    done = run("course", "hw1.json", "hw2.json", "--json", "course.json")

    content = json.loads((tmp_path / "course.json").read_text())
    assert [each["name"] for each in content["students"]] == ["ann", "bob", "cy"]
    assert "not joined" not in done.out


def test_of_many_students_who_may_be_one_a_few_are_named(run: Run, tmp_path: Path) -> None:
    names = [f"section-{number:02}/ann.py" for number in range(20)]
    write_files(tmp_path, {f"hw/{name}": WORDS for name in names} | {"hw/one/bob.py": WORDS})
    run("check", "hw", "--each", "-c", "x", "--no-html", "--json", "hw.json")

    lines = run("course", "hw.json", "--no-html").out.splitlines()

    (line,) = (each for each in lines if each.startswith("not joined: "))
    assert line.endswith("and 17 more are taken for different students")


def test_commas_in_names_and_titles_do_not_count_as_students(run: Run, tmp_path: Path) -> None:
    for title, names in (("hw, 1", "abcdefg"), ("hw, 2", "vwxyz")):
        write_files(tmp_path / title, {f"Li, {name}/a.py": WORDS for name in names})
        run("check", title, "-c", title, "--no-html", "--json", f"{title}.json")

    done = run("course", "hw, 1.json", "hw, 2.json")

    shown = "Li, a, Li, b, Li, c, Li, d, Li, e"
    assert f"not joined: hw, 1: in no other assignment: {shown} and 2 more\n" in done.out


def test_a_file_given_twice_counts_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "hw.json").write_text(results(CLASS, BOTH))

    done = run("course", "hw.json", "hw.json", "--no-html")

    assert done.code == 0
    assert "1 assignment, 8 students" in done.out
    assert "warning: 'hw.json' is about the same submissions as 'hw.json': left out" in done.out
