"""Submissions shorter than the noise threshold: equal ones are found, and nothing else of them."""

import json
from pathlib import Path

import pytest

import mosslite
from mosslite import Options
from mosslite.records import Report
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, program, write_files

TINY = "print(2 + 3)\n"
OTHER = "x = [1]\n"


def report_on(tmp_path: Path, files: dict[str, str], **options: object) -> Report:
    write_files(tmp_path, {f"hw/{name}": text for name, text in files.items()})
    chosen = Options(uses_workers=False, **options)  # type: ignore[arg-type]
    return mosslite.check(str(tmp_path / "hw"), options=chosen)


def scores_in(report: Report) -> dict[tuple[str, str], float]:
    return {(each.left.name, each.right.name): each.score for each in report.pairs}


@pytest.mark.parametrize("text", ["x\n", "import x\nx()\n", TINY, "def f():\n    return 1\n"])
def test_identical_submissions_are_found_whatever_their_length(tmp_path: Path, text: str) -> None:
    report = report_on(tmp_path, {"a.py": text, "b.py": f"# mine\n{text}", "c.py": QUEUE})

    assert scores_in(report) == {("a.py", "b.py"): 1.0}
    (pair,) = report.pairs
    assert (pair.similarity, pair.left_similarity, pair.right_similarity) == (1.0, 1.0, 1.0)
    assert pair.left.is_tiny
    assert pair.right.is_tiny


def test_a_tiny_submission_is_not_found_inside_another(tmp_path: Path) -> None:
    files = {"a.py": TINY, "b.py": f"{TINY}{OTHER}", "c.py": f"{TINY}{QUEUE}", "d.py": OTHER}

    assert scores_in(report_on(tmp_path, files)) == {}


def test_short_files_beside_a_long_one_are_left_out_as_ever(tmp_path: Path) -> None:
    files = {"a/x.py": TINY, "a/long.py": QUEUE, "b/x.py": TINY, "b/long.py": PRIMES}

    assert scores_in(report_on(tmp_path, files)) == {}


def test_a_submission_of_tiny_files_matches_file_by_file(tmp_path: Path) -> None:
    files = {"a/1.py": TINY, "a/2.py": OTHER, "b/1.py": TINY, "b/2.py": OTHER, "c/1.py": QUEUE}

    assert scores_in(report_on(tmp_path, files)) == {("a", "b"): 1.0}


def test_tiny_submissions_are_flagged(run: Run, tmp_path: Path) -> None:
    files = {"a.py": TINY, "b.py": TINY, "c.py": QUEUE, "d.py": QUEUE}
    write_files(tmp_path, {f"hw/{name}": text for name, text in files.items()})

    done = run("hw", "--json", "r.json")

    pairs = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["pairs"]
    flags = {(each["left"], each["right"]): each.get("tiny") for each in pairs}
    assert flags == {("a.py", "b.py"): True, ("c.py", "d.py"): None}
    assert [line for line in done.out.splitlines() if line.endswith("  tiny")]
    warning = (
        "shorter than the noise threshold, so only identical submissions are found: a.py, b.py"
    )
    assert f"warning: {warning}\n" in done.out
    page = (tmp_path / "mosslite-report" / "index.html").read_text(encoding="utf-8")
    assert page.count('<span class="role">tiny</span>') >= 1


def test_many_equal_ones_make_few_pairs_and_leave_the_threshold_alone(tmp_path: Path) -> None:
    honest = {f"{n:02}.py": program(n) for n in range(30)}
    copy = {"copy.py": f"{program(0)}\n\n{program(99, functions=1)}"}
    tiny = {f"tiny{n:03}.py": TINY for n in range(200)}

    nothing = dict.fromkeys(tiny, "# nothing yet\n")
    without = report_on(tmp_path / "without", honest | copy | nothing)
    report = report_on(tmp_path / "with", honest | copy | tiny)

    assert report.threshold is not None
    assert without.threshold is not None
    assert abs(report.threshold.score - without.threshold.score) <= 0.02
    assert ("00.py", "copy.py") in scores_in(report)
    equal = [pair for pair in report.pairs if pair.left.is_tiny]
    assert 199 <= len(equal) + len(report.unlisted) <= 200 * 8
    assert report.threshold.groups == without.threshold.groups + 1


def test_tiny_base_code_is_excluded_where_it_is_all_of_a_file(tmp_path: Path) -> None:
    write_files(tmp_path, {"base.py": TINY})
    files = {"a.py": TINY, "b.py": TINY, "c.py": OTHER, "d.py": OTHER, "e.py": QUEUE}
    write_files(tmp_path, {f"hw/{name}": text for name, text in files.items()})

    report = mosslite.check(
        tmp_path / "hw", base=tmp_path / "base.py", options=Options(uses_workers=False)
    )

    assert scores_in(report) == {("c.py", "d.py"): 1.0}


def test_earlier_terms_are_found_but_not_compared_among_themselves(tmp_path: Path) -> None:
    write_files(tmp_path, {"hw/a.py": TINY, "hw/b.py": QUEUE, "old/c.py": TINY, "old/d.py": TINY})

    report = mosslite.check(
        tmp_path / "hw", prior=tmp_path / "old", options=Options(uses_workers=False)
    )

    assert scores_in(report) == {("a.py", "c.py"): 1.0, ("a.py", "d.py"): 1.0}
