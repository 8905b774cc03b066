"""The options of ``check`` that are for CI jobs and for scripts written for MOSS."""

import json
import shlex
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.conftest import Run
from tests.programs import JAVA, PRIMES, QUEUE, QUEUE_RENAMED, write_files
from tests.tables import table

ALL = ("check", "hw", "--no-html", "-q")


@pytest.fixture(autouse=True)
def batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that share a queue, and one of its own; no CI service."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    files = {"hw/ann/queue.py": QUEUE, "hw/bob/line.py": QUEUE_RENAMED, "hw/cy/a.py": PRIMES}
    write_files(tmp_path, files)


def test_sarif_goes_to_standard_output_with_paths_as_given(run: Run) -> None:
    outcome = run("check", "./hw/", "--no-html", "--sarif", "-", "--fail-above", "50")
    (result,) = json.loads(outcome.out)["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert (outcome.code, result["level"], place) == (1, "error", "hw/ann/queue.py")


def test_a_junit_file_fails_what_the_exit_code_does(run: Run) -> None:
    assert run(*ALL, "--junit", "x.xml", "--fail-above", "50").code == 1
    suites = ET.parse("x.xml").getroot()  # noqa: S314 - our own
    assert suites.attrib["failures"] == "2"
    assert run(*ALL, "--junit", "x.xml").code == 0
    assert 'failures="0"' in Path("x.xml").read_text(encoding="utf-8")


def test_a_markdown_summary_is_added_to_the_page_of_the_job(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    run(*ALL)
    assert page.read_text(encoding="utf-8") == "before\n"
    run(*ALL, "--markdown", "x.md")
    text = Path("x.md").read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8") == f"before\n{text}\n"
    run(*ALL, "--markdown", str(page))
    assert page.read_text(encoding="utf-8") == f"before\n{text}\n{text}\n"


def test_only_a_markdown_summary_is_added_to_the_page_of_the_job(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    page.write_text("before\n", encoding="utf-8")
    assert "exists and is not a result of --json" in run(*ALL, "--json", str(page)).err
    page.write_text("", encoding="utf-8")
    assert run(*ALL, "--json", str(page)).code == 0
    assert json.loads(page.read_text(encoding="utf-8"))["format"] == 1


def test_a_baseline_lets_only_new_pairs_fail(run: Run, tmp_path: Path) -> None:
    assert run(*ALL, "--json", "x.json", "--fail-above", "50").code == 1
    assert run("baseline", "update", "known.json", "x.json").out.splitlines() == [
        "added: ann and bob",
        "1 known pair, 1 added, 0 removed",
    ]
    known = ("check", "hw", "--no-html", "--fail-above", "50", "--baseline", "known.json")
    outcome = run(*known)
    assert outcome.code == 0
    assert "baseline: 1 known pair not counted" in outcome.out.splitlines()
    assert [line.split()[:2] for line in outcome.out.splitlines() if line.endswith("  known")] == [
        ["ann", "bob"]
    ]
    write_files(tmp_path, {"hw/dan/Node.java": JAVA, "hw/eve/Tree.java": JAVA})
    assert run(*known).code == 1


def test_known_pairs_crowd_no_new_one_out(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"hw/dan/Node.java": JAVA, "hw/eve/Tree.java": JAVA})
    run(*ALL, "-n", "1", "--json", "x.json")
    assert run("baseline", "update", "known.json", "x.json").out.startswith("added: dan and eve\n")
    known = ("check", "hw", "--no-html", "--fail-above", "50", "--baseline", "known.json")
    outcome = run(*known, "-n", "1", "--json", "again.json")
    assert outcome.code == 1
    told = json.loads(Path("again.json").read_text(encoding="utf-8"))
    assert told["options"]["show"] == 1
    assert [each["baseline"] for each in told["pairs"]] == ["unchanged", "new"]
    assert "baseline" not in json.loads(Path("x.json").read_text(encoding="utf-8"))["pairs"][0]
    assert run("baseline", "update", "known.json", "again.json").out.startswith("added: ann and")
    names = [line.split()[:2] for line in outcome.out.splitlines()]
    assert names.index(["ann", "bob"]) < names.index(["dan", "eve"])


def test_a_baseline_holds_for_a_report_without_names(run: Run) -> None:
    run(*ALL, "--json", "x.json")
    run("baseline", "update", "known.json", "x.json")
    options = ("--fail-above", "50", "--baseline", "known.json", "--anonymize", "key.csv")
    outcome = run(*ALL, *options, "--sarif", "x.sarif")
    text = Path("x.sarif").read_text(encoding="utf-8")
    assert outcome.code == 0
    assert '"baselineState": "unchanged"' in text
    assert "ann" not in text
    assert "hw/" not in text


def test_pages_in_the_layout_of_moss_can_be_imported(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1574499900")
    assert run(*ALL, "--moss-html", "moss").code == 0
    content = json.loads(run("import-moss", "moss").out)
    (pair,) = content["pairs"]
    assert (pair["left"], pair["right"]) == ("ann", "bob")
    assert content["source"] == {"program": "moss", "date": "Sat Nov 23 09:05:00 UTC 2019"}


@table("options", "message")
def test_what_cannot_be_is_refused_before_any_work(run: Run, options: str, message: str) -> None:
    Path("bad.json").write_text("{}", encoding="utf-8")
    Path("notes.md").write_text("## my notes\n", encoding="utf-8")
    outcome = run(*ALL, *shlex.split(options))
    assert (outcome.code, outcome.err) == (2, f"mosslite: {message}\n")


def test_one_report_does_not_replace_the_other(run: Run) -> None:
    outcome = run("check", "hw", "-o", "out/report", "--moss-html", "out")
    assert outcome.err == (
        "mosslite: --moss-html would replace the report 'out/report': give another folder\n"
    )
