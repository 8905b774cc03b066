import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import InputError
from mosslite.options import Mark, Options
from mosslite.records import Pair, Report, TokenizedSubmission
from mosslite.report.html import ReportMetadata, write_html
from mosslite.report.recording import to_json
from mosslite.report.review import (
    marks_by_key,
    pair_code,
    pair_key,
    read_marks,
    report_id,
    review_script,
)
from tests.builders import LAW, document_of, stream_of_text, submission_of
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files
from tests.reports import pair_of, report_of

PROGRAM = "if a : return b else : return c"
MARK = Mark(
    left="ada",
    right="ben",
    code="",
    state="dismissed",
    reason="common idiom",
    note="told me",
    at="2026-11-21T09:30:00.000Z",
)


def submission(name: str, text: str = PROGRAM) -> TokenizedSubmission:
    return submission_of(document_of(stream_of_text(text), text=text), name=name)


def pair(left: TokenizedSubmission, right: TokenizedSubmission) -> Pair:
    return pair_of(left, right, 0.996)


def report_on(found: Pair, *marks: Mark) -> Report:
    listed = report_of([found.left, found.right], [found])
    return replace(listed, options=Options(review=marks))


def report(*marks: Mark) -> Report:
    return report_on(pair(submission("ada"), submission("ben")), *marks)


def review_file(folder: Path, content: object) -> Path:
    path = folder / "review.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def content_of(**changes: object) -> dict[str, object]:
    mark = {
        "left": "ada",
        "right": "ben",
        "code": "00",
        "state": "dismissed",
        "reason": "common idiom",
        "note": "told me",
        "at": "2026-11-21T09:30:00.000Z",
    }
    return {"format": 1, "marks": [mark | changes]}


# --- what a pair is known by ---------------------------------------------------------------------


def test_a_pair_has_the_same_key_whichever_side_its_submissions_are_on() -> None:
    assert pair_key("ben", "ada") == pair_key("ada", "ben") == "ada\nben"


def test_a_pair_has_the_same_code_whichever_side_its_submissions_are_on() -> None:
    one, other = submission("ada"), submission("ben", "while x : y")

    assert pair_code(pair(one, other)) == pair_code(pair(other, one))


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_code_changes_with_the_tokens_of_either_side(side: str) -> None:
    before = pair(submission("ada"), submission("ben"))

    after = replace(before, **{side: submission("eve", PROGRAM.replace("b", "d"))})  # type: ignore[arg-type]

    assert pair_code(after) != pair_code(before)


def test_the_code_does_not_depend_on_names() -> None:
    assert pair_code(pair(submission("ada"), submission("ben"))) == pair_code(
        pair(submission("x"), submission("y"))
    )


def test_a_report_is_known_by_its_names_and_code() -> None:
    ada, ben = submission("ada"), submission("ben")

    first = report_id(report_on(pair(ada, ben)))

    assert first == report_id(report_on(pair(ada, submission("ben"))))
    assert first != report_id(report_on(pair(ada, submission("eve"))))
    assert first != report_id(report_on(pair(ada, submission("ben", "while x : y"))))


# --- reading a review ----------------------------------------------------------------------------


def test_a_review_is_read_mark_by_mark(tmp_path: Path) -> None:
    (mark,) = read_marks(review_file(tmp_path, content_of()))

    assert mark == replace(MARK, code="00")


def test_what_a_later_version_adds_to_a_mark_is_skipped(tmp_path: Path) -> None:
    (mark,) = read_marks(review_file(tmp_path, content_of(colour="red")))

    assert mark == replace(MARK, code="00")


def test_half_a_character_in_a_note_does_no_harm(tmp_path: Path) -> None:
    (mark,) = read_marks(review_file(tmp_path, content_of(note="a\ud800b")))

    assert mark.note == "a?b"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ([], "it is [], but must be an object"),
        ({"format": 1, "marks": {}}, "'marks' is {}: it must be a list"),
        ({"marks": []}, "'format' is missing"),
        ({"format": 2, "marks": []}, "it was written by another version of mosslite"),
        ({"format": 1, "marks": [None]}, "'marks[0]' is null: it must be an object"),
        (content_of(note=None), "'marks[0].note' is null: it must be text"),
        (
            content_of(state="guilty"),
            "'marks[0].state' is \"guilty\": it must be text that matches "
            "^(todo|dismissed|confirmed)$",
        ),
    ],
)
def test_what_is_not_a_review_is_refused_with_what_is_wrong(
    tmp_path: Path, content: object, complaint: str
) -> None:
    path = review_file(tmp_path, content)

    with pytest.raises(
        InputError, match=f"^{re.escape(f'{str(path)!r} is not a review: {complaint}')}$"
    ):
        read_marks(path)


# --- carrying it over ----------------------------------------------------------------------------


@given(st.permutations(["09:30:00Z", "09:30:00.500Z", "10:00:00Z"]))
@LAW
def test_of_marks_on_one_pair_the_latest_holds(times: list[str]) -> None:
    marks = [replace(MARK, at=f"2026-11-21T{time}") for time in times]

    assert [each.at for each in marks_by_key(marks).values()] == ["2026-11-21T10:00:00Z"]


def test_the_results_tell_a_pairs_mark() -> None:
    what = report()
    mark = replace(MARK, left="ben", right="ada", code=pair_code(what.pairs[0]))
    told = json.loads(to_json(report(mark), created="2026-11-21", version="0.1.0"))

    assert told["pairs"][0]["review"] == {
        "state": "dismissed",
        "reason": "common idiom",
        "note": "told me",
        "at": "2026-11-21T09:30:00.000Z",
        "changed": False,
    }


def test_a_pair_whose_code_is_another_now_is_flagged() -> None:
    told = json.loads(to_json(report(MARK), created="2026-11-21", version="0.1.0"))

    assert told["pairs"][0]["review"]["changed"] is True


def test_a_pair_without_a_mark_has_no_review_in_the_results() -> None:
    told = json.loads(to_json(report(), created="2026-11-21", version="0.1.0"))

    assert "review" not in told["pairs"][0]


def test_the_script_of_marks_has_names_pairs_and_marks() -> None:
    what = report(MARK)
    script = review_script(what)

    content = json.loads(script.partition("REVIEW = ")[2].rstrip(";\n"))

    assert content["names"] == ["ada", "ben"]
    assert content["pairs"] == [[0, 1, pair_code(what.pairs[0]), int(what.pairs[0].score >= 0.5)]]
    assert content["marks"][0]["note"] == "told me"


def test_no_note_can_end_the_script_of_marks() -> None:
    evil = "</script><!-- & \u2028 \u202e ü"

    script = review_script(report(replace(MARK, note=evil)))

    assert script.isascii()
    assert not set("<>&") & set(script)
    assert json.loads(script.partition("REVIEW = ")[2].rstrip(";\n"))["marks"][0]["note"] == evil


def test_the_report_has_the_marks_and_says_which_report_it_is(tmp_path: Path) -> None:
    what = report(MARK)

    page = write_html(what, tmp_path / "report", ReportMetadata("2026-11-21", "0.1.0"))

    script = (page.parent / "review-data.js").read_text(encoding="utf-8")
    assert script == review_script(what)
    assert f'"report":"{report_id(what)}"' in script


# --- on the command line -------------------------------------------------------------------------


def test_marks_are_carried_into_the_next_run(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"ada.py": QUEUE, "ben.py": QUEUE, "eve.py": PRIMES})
    review_file(tmp_path, content_of(left="ben.py", right="ada.py"))

    outcome = run("ada.py", "ben.py", "eve.py", "--review", "review.json", "--json", "new.json")

    (told,) = json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))["pairs"]
    assert outcome.code == 0
    assert told["review"]["reason"] == "common idiom"
    assert "told me" in (tmp_path / "mosslite-report/review-data.js").read_text(encoding="utf-8")


def test_a_wrong_review_ends_the_run_with_one_line(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"ada.py": QUEUE, "ben.py": QUEUE, "review.json": "{}"})

    outcome = run("ada.py", "ben.py", "--review", "review.json")

    assert outcome.code == 2
    message = "'review.json' is not a review: 'format' is missing"
    assert outcome.err == f"mosslite: {message}\n"
    assert not (tmp_path / "mosslite-report").exists()


# --- marks of an earlier report in the same folder, and of several reviewers ---------------------


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
