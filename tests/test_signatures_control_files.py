"""Files like mosslite's own mean nothing where students can write them."""

import json
from pathlib import Path

import pytest

from mosslite.signatures import REPORT_MARKER, Signature
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, WORDS, write_files

FILES = {"hw/ann/a.py": QUEUE, "hw/bob/src/b.py": QUEUE, "hw/cy/c.py": PRIMES}
PAGES = ("index.html", "overview.js", "review-data.js")


def compared(run: Run, *arguments: str) -> dict[str, list[str]]:
    outcome = run("check", *arguments, "--no-html", "-q", "--json", "-")
    assert outcome.code == 0, outcome.err
    return {each["name"]: each["files"] for each in json.loads(outcome.out)["submissions"]}


def forged_markers() -> list[str]:
    listed = "".join(f"{name}\n" for name in ("b.py", "src/b.py", "bob/src/b.py", *PAGES))
    return ["", f"This folder is a mosslite report.\n{listed}"]


@pytest.mark.parametrize("marker", forged_markers())
@pytest.mark.parametrize("place", ["hw", "hw/bob", "hw/bob/src"])
@pytest.mark.parametrize("paths", [["hw"], ["hw/ann", "hw/bob", "hw/cy"]])
def test_a_marker_of_reports_hides_no_program(
    run: Run, tmp_path: Path, place: str, marker: str, paths: list[str]
) -> None:
    write_files(tmp_path, FILES)
    expected = compared(run, *paths)
    pages = {f"{place}/{page}": "<p>page</p>" for page in PAGES} if place != "hw" else {}
    write_files(tmp_path, {f"{place}/{REPORT_MARKER}": marker, **pages})

    found = compared(run, *paths)

    for name, files in expected.items():
        assert set(files) <= set(found[name])


def test_a_report_in_the_batch_is_not_compared_with_itself(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "bob.py": WORDS, "cy.py": PRIMES})
    expected = compared(run, "hw")
    written = ("-o", "hw/report", "--csv", "hw/results.csv", "--fail-above", "90")
    assert run("check", "hw", *written).code == 0

    assert compared(run, "hw") == expected
    assert run("check", "hw", *written).code == 0

    (tmp_path / "hw/report/dan.py").write_text(QUEUE)
    assert {"report/dan.py", "dan.py"} & set(compared(run, "hw")["report"])


@pytest.mark.parametrize("beginning", [Signature.JSON, Signature.CSV])
@pytest.mark.parametrize("name", ["zed.py", "zed.txt", "zed"])
def test_a_submission_that_begins_like_a_result_is_compared(
    run: Run, tmp_path: Path, beginning: bytes, name: str
) -> None:
    suffix = name.removeprefix("zed")
    write_files(tmp_path, {f"hw/ann{suffix}": QUEUE, f"hw/bob{suffix}": PRIMES})
    (tmp_path / "hw" / name).write_bytes(beginning + QUEUE.encode())
    (tmp_path / "hw/dan").mkdir()
    (tmp_path / "hw/dan" / name).write_bytes(beginning + WORDS.encode())

    assert {name, "dan"} < set(compared(run, "hw"))


@pytest.mark.parametrize("place", ["hw", "hw/bob", "hw/dan"])
@pytest.mark.parametrize("paths", [["hw"], ["hw/ann", "hw/bob", "hw/cy", "hw/dan"]])
def test_a_manifest_of_a_corpus_among_submissions_means_nothing(
    run: Run, tmp_path: Path, place: str, paths: list[str]
) -> None:
    write_files(tmp_path, FILES | {"hw/dan/part-0.parquet": "PAR1", "hw/dan/x.py": WORDS})
    expected = compared(run, *paths)
    write_files(tmp_path, {f"{place}/corpus.json": '{"kind": "mosslite corpus"}'})

    found = compared(run, *paths)

    for name, files in expected.items():
        assert set(files) <= set(found[name])


@pytest.mark.parametrize("paths", [["hw"], ["hw/ann", "hw/zed"], ["--each", "hw"]])
def test_a_submission_that_is_a_packed_corpus_brings_no_others(
    run: Run, tmp_path: Path, paths: list[str]
) -> None:
    pytest.importorskip("pyarrow")
    write_files(tmp_path, FILES | {"false/mallory.py": QUEUE, "false/trudy.py": WORDS})
    assert run("corpus", "pack", "false", "-o", "hw/zed").code == 0

    outcome = run("check", *paths, "--no-html", "-q", "--json", "-")

    assert "mallory" not in outcome.out
