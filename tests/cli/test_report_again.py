"""``mosslite report FOLDER``: the pages of a report are written again, as in another language."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files

REPORT = "mosslite-report"


@pytest.fixture
def batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two copies of one program, and another."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764150000")
    texts = {"hw/ada.py": QUEUE, "hw/ben.py": QUEUE_RENAMED, "hw/cleo.py": PRIMES}
    write_files(tmp_path, texts)
    return tmp_path / "hw"


def contents(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize(
    "options", [[], ["-k", "10", "-n", "1"], ["-c", "Sheet 3", "--chance", "0.1"]]
)
def test_a_report_is_written_again_as_a_comparison_in_that_language_writes_it(
    run: Run, batch: Path, tmp_path: Path, options: list[str]
) -> None:
    run("check", "hw", *options, "--locale", "de", "-o", "german")
    run("check", "hw", *options)
    english = contents(tmp_path / REPORT)

    outcome = run("report", REPORT, "--locale", "de")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.strip() == f"Bericht: {REPORT}/index.html"
    assert contents(tmp_path / REPORT) == contents(tmp_path / "german") != english
    run("report", REPORT)
    assert contents(tmp_path / REPORT) == english


def test_marks_stay_in_a_report_that_is_written_again(
    run: Run, batch: Path, tmp_path: Path
) -> None:
    mark = dict.fromkeys(("code", "reason", "note"), "same") | {"state": "confirmed"}
    mark |= {"left": "ada.py", "right": "ben.py", "at": "2026-11-21T09:30:00Z"}
    (tmp_path / "marks.json").write_text(json.dumps({"format": 1, "marks": [mark]}))
    run("check", "hw", "--review", "marks.json", "-c", "Sheet 3")
    before = contents(tmp_path / REPORT)["review-data.js"]
    assert b"confirmed" in before

    run("report", REPORT, "--locale", "fr")

    assert contents(tmp_path / REPORT)["review-data.js"] == before


@pytest.mark.parametrize("change", ["text", "submission", "file"])
def test_a_report_on_other_submissions_is_not_written_again(
    run: Run, batch: Path, tmp_path: Path, change: str
) -> None:
    run("check", "hw")
    before = contents(tmp_path / REPORT)
    if change == "text":
        (batch / "cleo.py").write_text(f"{PRIMES}# more\n")
    elif change == "submission":
        (batch / "dan.py").write_text("print(1)\n")
    else:
        (batch / "cleo.py").unlink()

    outcome = run("report", REPORT, "--locale", "de")

    assert (outcome.code, outcome.out) == (2, "")
    assert "'mosslite check'" in outcome.err
    assert contents(tmp_path / REPORT) == before


def test_an_anonymous_report_is_not_written_again(run: Run, batch: Path) -> None:
    run("check", "hw", "--anonymize", "key.csv")
    outcome = run("report", REPORT)
    assert outcome.code == 2
    assert outcome.err == (
        "mosslite: the results in 'mosslite-report' name no path of the sources, so nothing can be "
        "compared again: run 'mosslite check'\n"
    )


def test_a_folder_that_is_no_report_is_refused(run: Run, batch: Path) -> None:
    outcome = run("report", "hw", "--locale", "en")
    assert (outcome.code, outcome.err) == (
        2,
        "mosslite: 'hw' is a folder without a report: give results, or a report's folder\n",
    )


def test_a_pair_of_a_report_is_a_case_file(run: Run, batch: Path, tmp_path: Path) -> None:
    run("check", "hw", "--json", "r.json")
    run("report", "r.json", "ada.py", "ben.py", "-o", "of-results.html")

    assert run("report", REPORT, "1", "-o", "of-report.html").code == 0

    files = [tmp_path / f"{name}.html" for name in ("of-results", "of-report")]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_results_in_a_report_are_those_of_json(run: Run, batch: Path, tmp_path: Path) -> None:
    run("check", "hw", "--json", "r.json")
    assert contents(tmp_path / REPORT)["results.json"] == (tmp_path / "r.json").read_bytes()


def test_results_can_be_written_into_the_report(run: Run, batch: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert run("check", "hw", "--json", f"{REPORT}/results.json").code == 0
    assert json.loads(contents(tmp_path / REPORT)["results.json"])["pairs"]
