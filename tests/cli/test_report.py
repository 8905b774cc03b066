"""``mosslite report`` and ``mosslite check --single-file``: one file to send."""

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from mosslite.report.html import document
from mosslite.report.review import code_of_sides
from tests.conftest import ADD, Outcome, Run
from tests.git_repositories import commit, needs_git, repository
from tests.programs import JAVA, PRIMES, QUEUE, QUEUE_RENAMED, TEMPLATE, WORDS, write_files
from tests.tables import table

HW = {
    "hw/ada/queue.py": QUEUE,
    "hw/ben/line.py": QUEUE_RENAMED,
    "hw/cy/primes.py": PRIMES,
    "hw/dan/primes.py": f"# mine\n{PRIMES}",
}


@pytest.fixture
def results(run: Run) -> Path:
    write_files(Path(), HW)
    done = run("check", "hw", "--no-html", "--json", "r.json", "-c", "CS 101: queues")
    assert done.code == 0
    return Path("r.json")


def text_of(path: Path) -> str:
    """Return the words of a page, without its styles."""
    html = re.sub(r"<style>.*?</style>", "", path.read_text(encoding="utf-8"), flags=re.S)
    words = " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())
    return re.sub(r" (?=[,.;:])", "", words)


@contextmanager
def changed(results: Path) -> Iterator[dict[str, Any]]:
    """Hand out the content of a file of results, to be written back as it was changed."""
    content = json.loads(results.read_text())
    yield content
    results.write_text(json.dumps(content), encoding="utf-8")


def compared(run: Run, files: dict[str, str], *options: str) -> None:
    """Write files, and results on them."""
    write_files(Path(), files)
    assert run("check", *(options or ["hw"]), "--no-html", "--json", "r.json").code == 0


def imported(run: Run, *, similarity: float = 0.5, **files: object) -> None:
    """Write results on two submissions that JPlag has compared."""
    row = {"firstSubmission": "a", "secondSubmission": "b", "similarities": {"AVG": similarity}}
    told = {"topComparisons": [row], **files}
    write_files(Path(), {f"j/{name}.json": json.dumps(each) for name, each in told.items()})
    assert run("import-jplag", "j", "-o", "r.json").code == 0


def case(run: Run, *arguments: str) -> tuple[Outcome, str]:
    """Make a case file of results in the current folder, and return its words."""
    done = run("report", "r.json", *arguments, "-o", "case.html")
    return done, text_of(Path("case.html")) if done.code == 0 else ""


@pytest.mark.usefixtures("results")
@pytest.mark.parametrize("pair", [("ada", "ben"), ("ben", "ada")])
def test_a_pair_is_named_by_both_submissions_in_either_order(
    run: Run, pair: tuple[str, str]
) -> None:
    done, text = case(run, *pair)

    assert done.out == (
        "2 of 2 sources shown, 2 proven to be what was compared; similarity is evidence, not a "
        "verdict\ncase file: case.html\n"
    )
    assert "Case file ada and ben CS 101: queues" in text


@pytest.mark.usefixtures("results")
def test_a_case_on_standard_output_is_no_file_to_name(run: Run) -> None:
    done = run("report", "r.json", "1", "-o", "-")

    assert done.out.startswith("<!doctype html>")
    assert "2 of 2 sources shown" in done.err
    assert "case file" not in done.err


def test_a_pair_is_named_by_its_number(run: Run, results: Path) -> None:
    pairs = json.loads(results.read_text())["pairs"]
    for number, pair in enumerate(pairs, 1):
        _, text = case(run, str(number))
        assert f"Case file {pair['left']} and {pair['right']}" in text


@pytest.mark.usefixtures("results")
@table("names", "message")
def test_what_is_not_a_pair_is_one_line(run: Run, names: str, message: str) -> None:
    done = run("report", "r.json", *shlex.split(names))

    assert (done.code, done.out, done.err) == (2, "", f"mosslite: {message}\n")


def test_a_case_file_says_what_a_board_must_know(run: Run, results: Path) -> None:
    with changed(results) as content:
        content["submissions"][0] |= {
            "members": ["Ada L", "Al"],
            "submitted": "2026-03-01T10:00:00Z",
        }
    _, text = case(run, "ada", "ben")

    assert "Compared 1970-01-01 00:00:00 UTC, mosslite 0.1.0" in text
    assert "code: noise threshold k = 12, guarantee threshold t = 20 tokens" in text
    assert "Submissions 4" in text
    assert "Base code none was given" in text
    assert "Handed in 2026-03-01 10:00:00 UTC" in text
    assert "Place in the list 2 of 2 listed pairs" in text
    assert "Match 1 of 1, 89 tokens" in text
    assert "The reviewer has made no mark on this pair." in text
    assert "Similarity is evidence, not a verdict." in text
    assert "It does not show that anybody copied." in text
    assert "It does not show who wrote a passage first" in text
    for name in ("Ada L", "Al", "ben"):
        assert f"Statement of {name}" in text
    assert text.count("Place and date Signature") == 3
    assert "cy" not in re.findall(r"\w+", text)  # no other student is named


@needs_git
def test_a_case_file_has_the_first_commits_of_each_side_as_rows(run: Run) -> None:
    lines = QUEUE.splitlines(keepends=True)
    ada, ben = (repository(Path("hw") / name) for name in ("ada", "ben"))
    for day in (1, 2, 3):
        part = "".join(lines[: len(lines) * day // 3])
        commit(ada, {"queue.py": part}, f"2026-03-0{day} 10:00:00 +0100", f"<b>step {day}")
    commit(ben, {"queue.py": QUEUE}, "2026-03-08 23:50:00 +0100", "done")
    run("check", "hw", "--no-html", "--json", "r.json")

    _, text = case(run, "ada", "ben")

    assert "6. Who had it first The first commit of each repository" in text
    assert "they can be forged, and prove nothing by themselves" in text
    assert "ada: 3 commits, by 1 author, from 2026-03-01 10:00:00 +01:00 to 2026-03-03" in text
    row = r"1 2026-03-03 10:00:00 \+01:00 grew over 3 commits.* Ann <ann@example.org> "
    assert re.search(row + r"[0-9a-f]{10} <b>step 3 ", text)
    assert "arrived whole in one commit, the oldest that is read" in text


@pytest.mark.usefixtures("results")
def test_a_case_file_says_so_where_nothing_tells_who_was_first(run: Run) -> None:
    _, text = case(run, "ada", "ben")

    assert "nothing in this file says who had a passage first" in text


def test_a_case_file_says_which_side_was_handed_in_first(run: Run, results: Path) -> None:
    with changed(results) as content:
        times = {"left": "2026-03-01T10:00:00Z", "right": "2026-03-01T12:00:00Z"}
        content["pairs"][1]["handed_in"] = {**times, "first": "left", "seconds_between": 7200}

    _, text = case(run, "ada", "ben")

    assert "Handed in first: ada, 2 hours before the other." in text
    assert "According to the learning platform." in text
    assert "can have copied from somebody who handed in later" in text


@pytest.mark.parametrize(
    "wrong",
    [
        {"handed_in": {"first": "nobody"}},
        {"repositories": {"left": {"commits": -1}}},
        {"repositories": 3},
    ],
)
def test_damaged_commits_and_times_are_one_line(
    run: Run, results: Path, wrong: dict[str, object]
) -> None:
    with changed(results) as content:
        content["pairs"][1] |= wrong

    done, _ = case(run, "ada", "ben")

    assert done.code == 2
    assert done.err.count("\n") == 1


@pytest.mark.usefixtures("results")
def test_both_sources_are_whole_with_numbered_lines_and_marked_matches(run: Run) -> None:
    case(run, "ada", "ben")
    html = Path("case.html").read_text()

    _, _, sources = html.partition('class="whole-source"')
    lines = re.findall(r'<div class="line" data-number="(\d+)">(.*?)</div>', sources)
    shown = [
        unescape(re.sub(r'<span class="badge.*?</span>|<[^>]*>', "", line)) for _, line in lines
    ]
    assert shown == [*QUEUE.splitlines(), *QUEUE_RENAMED.splitlines()]
    first = lines[QUEUE.splitlines().index("class Queue:")][1]
    assert '<span class="badge tint-1">1</span><mark class="tint-1">' in first
    assert all("<mark" not in line for _, line in lines if "my own work" in line)


@pytest.mark.usefixtures("results")
def test_marks_of_a_review_file_take_the_place_of_those_in_results(run: Run) -> None:
    mark = {"left": "ben", "right": "ada", "code": "", "state": "confirmed", "reason": ""}
    marks = [
        mark | {"note": "seen by both", "at": "2026-11-21T09:30:00Z"},
        mark | {"note": "first look", "at": "2026-11-20T09:30:00.5Z"},
    ]
    Path("review.json").write_text(json.dumps({"format": 1, "marks": marks}))

    _, text = case(run, "ada", "ben", "--review", "review.json")

    assert "Mark confirmed Note seen by both Made 2026-11-21 09:30:00 UTC" in text
    assert "This mark was made on other code" not in text


def test_a_mark_on_other_code_is_said_to_be(run: Run, results: Path) -> None:
    codes = [each["code"] for each in json.loads(results.read_text())["submissions"][:2]]
    mark = {"left": "ada", "right": "ben", "state": "todo", "reason": "", "note": ""}
    for code, is_outdated in ((code_of_sides(*codes), False), ("00", True)):
        marks = [mark | {"code": code, "at": "2026-11-21T09:30:00Z"}]
        Path("review.json").write_text(json.dumps({"format": 1, "marks": marks}))

        _, text = case(run, "ada", "ben", "--review", "review.json")

        assert ("This mark was made on other code" in text) is is_outdated


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        ("code", "its code is another. It is not shown"),
        ("comment", "its code is the same, but comments, blanks or line ends are not"),
        ("gone", "The text was not found, so it is not shown"),
    ],
)
@pytest.mark.usefixtures("results")
def test_a_source_that_is_not_what_was_compared_is_not_shown(
    run: Run, change: str, remark: str
) -> None:
    source = Path("hw/ben/line.py")
    if change == "gone":
        source.unlink()
        source.parent.rmdir()
    else:
        source.write_text(
            f"SECRET = 1 + 2 * len('')\n{QUEUE}"
            if change == "code"
            else f"\n#SECRET\n{QUEUE_RENAMED}"
        )

    done, text = case(run, "ada", "ben")

    assert done.out.startswith("1 of 2 sources shown, 1 proven to be what was compared")
    assert remark in text
    assert "SECRET" not in text
    assert "ben line.py, lines 2-14 The text is not shown." in text
    assert "B. The whole source of" not in text


def test_where_the_sources_have_moved_the_user_says_so(run: Run, results: Path) -> None:
    Path("hw").rename("moved")

    done, text = case(run, "1")
    assert done.err == (
        "the sources cannot be read ('hw' does not exist): give their current path with --sources\n"
    )
    assert "0 of 2 sources shown" in done.out
    done, text = case(run, "1", "--sources", "moved")
    assert "2 of 2 sources shown, 2 proven" in done.out
    assert "# mine" in text
    done = run("report", results, "1", "--sources", "nowhere")
    assert done.err == "mosslite: 'nowhere' does not exist\n"


def test_results_of_strangers_show_no_other_file(run: Run, results: Path) -> None:
    """The sender of results can name any path in them, without knowing the files there."""
    write_files(Path(), {"private/ada/q.py": "SECRET = 1\n", "private/ben/q.py": "SECRET = 2\n"})
    with changed(results) as content:
        for submission in content["submissions"]:
            submission.pop("text")
            submission.pop("code")
        content["inputs"] = {"current": ["private"]}

    done, text = case(run, "ada", "ben")

    assert done.code == 0
    assert "SECRET" not in text


def test_results_without_a_fingerprint_of_the_text_prove_the_code_alone(
    run: Run, results: Path
) -> None:
    with changed(results) as content:
        for submission in content["submissions"]:
            submission.pop("text")

    done, text = case(run, "ada", "ben")

    assert "2 of 2 sources shown, 0 proven" in done.out
    assert "The code shown is the one that was compared." in text


def test_base_code_is_left_out_and_said_to_be(run: Run) -> None:
    files = {"hw/ada.py": f"{TEMPLATE}{QUEUE}", "hw/ben.py": f"{QUEUE}{TEMPLATE}"}
    compared(run, files | {"base/given.py": TEMPLATE}, "hw", "-b", "base")

    done, text = case(run, "1")

    assert "2 proven" in done.out
    assert re.search(r"Excluded as boilerplate \d+ tokens: \d+ from given.py", text)
    assert 'class="boilerplate"' in Path("case.html").read_text()


@pytest.mark.parametrize(("option", "shown"), [((), 2), (("--no-text",), 1)])
def test_a_source_of_an_earlier_term_is_read_from_the_archive(
    run: Run, option: tuple[str, ...], shown: int
) -> None:
    write_files(Path(), {"old/ada.py": QUEUE, "old/cy.py": WORDS, "hw/ben.py": QUEUE_RENAMED})
    assert run(*ADD, *option, "old").code == 0
    done = run("check", "hw", "--archive", "a.mosslite", "--no-html", "--json", "r.json")
    assert done.code == 0

    done, text = case(run, "1")

    assert f"{shown} of 2 sources shown, {shown} proven" in done.out
    assert ("First come, first served." in text) is (shown == 2)
    assert ("The archive does not keep its text" in text) is (shown == 1)


def test_of_anonymous_results_no_source_is_shown(run: Run) -> None:
    compared(run, HW, "hw", "--anonymize", "key.csv")
    assert "inputs" not in json.loads(Path("r.json").read_text())

    done, text = case(run, "1", "--sources", "hw")

    assert done.err == (
        "the results contain numbers instead of names, so their sources cannot be found\n"
    )
    assert "numbers stand for names" in text
    assert "ada" not in re.findall(r"\w+", text)


def test_common_code_is_left_out_as_it_was(run: Run) -> None:
    files = {f"hw/{n}.py": f"{PRIMES}{WORDS * (n > 2)}" for n in range(1, 5)}
    compared(run, files, "hw", "-m", "2")

    done, text = case(run, "1")

    assert "2 proven" in done.out
    assert "passages in more than 2 submissions are excluded (-m)" in text


@pytest.mark.parametrize(
    "options", [("-k", "5"), ("-t", "30"), ("-k", "6", "-t", "9"), ("-l", "java"), ("-d",)]
)
def test_sources_are_read_with_the_options_of_the_comparison(
    run: Run, options: tuple[str, ...]
) -> None:
    files = {"hw/a/x.java": JAVA, "hw/b/y.java": f"// mine\n{JAVA}"}
    compared(run, files, *options, *files)

    assert "2 of 2 sources shown, 2 proven" in case(run, "1")[0].out


def test_a_notebook_is_shown_with_its_cells(run: Run) -> None:
    cells = [{"cell_type": "code", "source": text, "metadata": {}} for text in (WORDS, QUEUE)]
    book = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    compared(run, {"hw/ada.ipynb": book, "hw/ben.py": QUEUE})

    done, text = case(run, "1")

    assert "2 proven" in done.out
    assert "cell 2" in text


def test_imported_results_make_a_case_file_without_sources(run: Run) -> None:
    imported(run)

    done, text = case(run, "a", "b")

    assert done.err == (
        "the results do not contain the path of the sources: give it with --sources\n"
    )
    assert "Score not recorded" in text
    assert "The imported results have no passages of this pair." in text


def test_imported_results_have_no_groups_as_they_have_no_threshold(run: Run) -> None:
    imported(run, similarity=1.0)

    done, _ = case(run, "--group", "a")

    assert done.err == (
        "mosslite: the results have no threshold, so there are no groups: name a pair\n"
    )


def test_what_another_program_does_not_record_is_not_claimed(run: Run) -> None:
    imported(run)

    _, text = case(run, "a", "b")

    recorded = re.findall(r"(\w[\w ]+?) not recorded", " ".join(text.split()))
    names = ("Language", "Base code", "Common code", "Threshold", "Excluded as boilerplate")
    assert [name for name in names if not any(each.endswith(name) for each in recorded)] == []
    assert "do not suggest one" not in text


def test_where_there_is_no_threshold_no_pair_is_said_to_reach_it(run: Run) -> None:
    compared(run, {f"hw/{name}.py": QUEUE for name in ("ann", "bob", "cy")})

    _, text = case(run, "1")

    assert "none: the scores of this batch do not suggest one" in text
    assert "at or above the threshold" not in text


def test_constants_that_another_program_does_not_have_are_not_named(run: Run) -> None:
    imported(run, options={"minimumTokenMatch": 9})

    _, text = case(run, "a", "b")

    assert "code: noise threshold k = 9, guarantee threshold t = 9 tokens" in text
    assert "prose: " not in text


def test_sources_of_imported_results_are_shown_where_the_user_names_them(run: Run) -> None:
    places = {f"{what}In{side}": {"line": line} for what, line in (("start", 3), ("end", 5))
              for side in ("First", "Second")}  # fmt: skip
    match = {"firstFileName": "ada/queue.py", "secondFileName": "ben/line.py", "tokens": 9} | places
    ids = {"firstSubmissionId": "ada", "secondSubmissionId": "ben", "matches": [match]}
    row = {"firstSubmission": "ada", "secondSubmission": "ben", "similarities": {"AVG": 0.5}}
    names = {"submissionIdsToComparisonFileName": {"ada": {"ben": "x.json"}}}
    files: dict[str, object] = {
        "topComparisons.json": [row],
        "submissionMappings.json": names,
        "comparisons/x.json": ids,
    }
    write_files(Path(), HW | {f"j/{name}": json.dumps(each) for name, each in files.items()})
    assert run("import-jplag", "j", "-o", "r.json").code == 0

    done, text = case(run, "1", "--sources", "hw")

    assert "2 of 2 sources shown, 0 proven" in done.out
    assert "The results have no fingerprint of this submission, so nothing proves" in text
    assert "ada queue.py, lines 3-5" in text


@pytest.mark.parametrize("option", [(), ("--anonymize", "key.csv")])
def test_a_report_in_one_file_has_all_pairs(run: Run, option: tuple[str, ...]) -> None:
    write_files(Path(), HW)

    done = run("check", "hw", "--single-file", "-o", "one.html", *option)

    assert "report: one.html" in done.out
    assert not Path("mosslite-report").exists()
    text = text_of(Path("one.html"))
    assert bool(re.search(r"\bada\b", text)) is not bool(option)
    assert text.count("All pairs") == 2


def test_a_report_from_results_is_that_of_the_run(run: Run, results: Path) -> None:
    run("check", "hw", "-c", "CS 101: queues", "--single-file", "-o", "one.html")

    done = run("report", results, "-o", "two.html")

    assert "4 of 4 sources shown, 4 proven" in done.out
    assert Path("one.html").read_text() == Path("two.html").read_text()


def test_one_file_has_a_usual_name_and_is_not_a_folder(run: Run) -> None:
    write_files(Path(), HW)

    assert run("check", "hw", "--single-file").code == 0
    assert Path("mosslite-report.html").is_file()
    Path("folder").mkdir()
    assert run("check", "hw", "--single-file", "-o", "folder").code == 2
    done = run("check", "hw", "--single-file", "--no-html")
    assert done.err == ("mosslite: --single-file and --no-html are both given: give one of them\n")
    assert run("check", "hw", "-q", "--single-file", "-o", "-").out.startswith("<!doctype html>")


def test_one_file_says_what_it_has_no_room_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(Path(), HW)
    monkeypatch.setattr(document, "MOST_BYTES", 9_800)

    run("check", "hw", "--single-file", "-o", "one.html")

    text = text_of(Path("one.html"))
    assert "The matches of the first 1 of 2 pairs are below. This file has room for" in text


def test_a_group_is_all_pairs_that_connect_a_submission_to_others(run: Run, results: Path) -> None:
    with changed(results) as content:
        content["threshold"] = {"score": 0.5, "low": 0.4, "high": 0.6, "expected": 1.2}

    done, text = case(run, "--group", "ben")

    assert "2 of 2 sources shown" in done.out
    assert "ada" in text
    assert "dan" not in re.findall(r"\w+", text)


def test_a_case_file_is_not_written_over_a_file_of_others(run: Run, results: Path) -> None:
    Path("thesis.html").write_text("<!doctype html>mine")

    assert run("report", results, "1", "-o", "thesis.html").code == 2
    assert Path("thesis.html").read_text() == "<!doctype html>mine"


def test_long_sources_and_lines_are_cut_and_it_is_said(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"{QUEUE}x = '{'y' * 5000}'\n{PRIMES}{WORDS}"
    write_files(Path(), {"hw/ada.py": text, "hw/ben.py": f"{QUEUE}\n{WORDS}"})
    monkeypatch.setattr(document, "_MOST_OF_SOURCE", 20)
    monkeypatch.setattr(document, "_MOST_OF_PAIR", 1)
    monkeypatch.setattr(document, "_MOST_LINES", 4)
    assert run("check", "hw", "--no-html", "--json", "r.json").code == 0

    _, words = case(run, "1")

    count = len(text.splitlines())
    assert f"{count - 20} more lines of this file are not shown" in words
    assert "... 4,006 more characters" in words
    assert "more is not shown here" in words
    assert "12 more lines: see the whole source." in words
