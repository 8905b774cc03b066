"""The commands ``baseline update`` and ``import-moss``."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mosslite.cli.check import baseline
from mosslite.cli.imports import import_moss
from mosslite.errors import InputError, MossliteError, OutputError
from mosslite.records import Report
from mosslite.report.anonymous import anonymous
from mosslite.report.baseline import read_baseline
from mosslite.report.recording import to_json
from tests.reports import named, pair_of, report_of, scored_report

PAGE = "<TABLE><TR><TD>ann/ (5%)<TD>bob/ (6%)<TD>7</TABLE>"


def run(command: click.Command, *arguments: object) -> str:
    """Run a command, and give what it prints; its errors are raised."""
    outcome = CliRunner().invoke(command, [str(each) for each in arguments])
    if isinstance(outcome.exception, MossliteError):
        raise outcome.exception
    assert outcome.exit_code == 0
    return outcome.stdout


def results(folder: Path, report: Report) -> Path:
    path = folder / "results.json"
    path.write_text(to_json(report, created="", version="1"), encoding="utf-8")
    return path


@pytest.fixture
def three_pairs(tmp_path: Path) -> Path:
    return results(tmp_path, scored_report([(1, 2, 0.9), (1, 3, 0.8), (2, 3, 0.3)], 3))


def test_an_update_makes_a_baseline_of_a_checks_results(tmp_path: Path, three_pairs: Path) -> None:
    out = run(baseline, "update", tmp_path / "known.json", three_pairs)
    assert out.splitlines() == [
        "added: work 1 and work 2",
        "added: work 1 and work 3",
        "added: work 2 and work 3",
        "3 known pairs, 3 added, 0 removed",
    ]
    assert len(read_baseline(tmp_path / "known.json").pairs) == 3


def test_an_update_says_what_is_no_longer_known(tmp_path: Path, three_pairs: Path) -> None:
    known = tmp_path / "known.json"
    run(baseline, "update", known, three_pairs)
    out = run(baseline, "update", known, three_pairs, "--above", "80")
    assert out.splitlines() == ["removed: work 2 and work 3", "2 known pairs, 0 added, 1 removed"]


def test_a_name_does_nothing_to_the_terminal(tmp_path: Path) -> None:
    submissions = named("\x1b[2J"), named("bob")
    path = results(tmp_path, report_of(submissions, [pair_of(*submissions, 0.9)]))
    assert "\x1b" not in run(baseline, "update", tmp_path / "known.json", path)


def test_a_file_that_is_not_a_baseline_is_not_written_over(
    tmp_path: Path, three_pairs: Path
) -> None:
    with pytest.raises(OutputError, match=r"exists and is not a baseline: give another"):
        run(baseline, "update", three_pairs, three_pairs)


def test_a_baseline_that_cannot_be_read_stays_as_it_is(tmp_path: Path, three_pairs: Path) -> None:
    known = tmp_path / "known.json"
    known.write_text('{\n "kind": "mosslite baseline",\n "format": 2}')
    with pytest.raises(InputError, match="another version of mosslite"):
        run(baseline, "update", known, three_pairs)
    assert "2}" in known.read_text()


def test_results_that_are_none_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text("{}")
    with pytest.raises(InputError, match="is not a file of results: "):
        run(baseline, "update", tmp_path / "known.json", tmp_path / "results.json")
    assert not (tmp_path / "known.json").exists()


def test_results_without_names_leave_the_baseline_as_it_is(
    tmp_path: Path, three_pairs: Path
) -> None:
    run(baseline, "update", tmp_path / "known.json", three_pairs)
    before = (tmp_path / "known.json").read_bytes()
    nameless, _ = anonymous(scored_report([(1, 2, 0.9)], 3))
    path = results(tmp_path, nameless)
    with pytest.raises(InputError, match=r"results\.json' is anonymous: use results written"):
        run(baseline, "update", tmp_path / "known.json", path)
    assert (tmp_path / "known.json").read_bytes() == before


def test_an_imported_result_of_moss_goes_to_a_file_or_to_standard_output(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    printed = json.loads(run(import_moss, tmp_path))
    assert run(import_moss, tmp_path, "-o", tmp_path / "old.json") == ""
    assert json.loads((tmp_path / "old.json").read_text()) == printed
    assert printed["pairs"][0]["left"] == "ann"


def test_an_import_writes_over_its_own_kind_only(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "old.json").write_text("mine")
    with pytest.raises(OutputError, match=r"exists and is not a result of --json"):
        run(import_moss, tmp_path, "-o", tmp_path / "old.json")
    with pytest.raises(OutputError, match=r"is not a folder$"):
        run(import_moss, tmp_path, "-o", tmp_path / "none" / "old.json")


def test_an_import_of_something_else_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("hello")
    with pytest.raises(InputError, match="is not a MOSS result: it has no table of pairs"):
        run(import_moss, tmp_path)
