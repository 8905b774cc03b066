import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mosslite.signatures import REPORT_MARKER, Signature, is_own_archive, is_own_result
from tests.conftest import ADD, Run
from tests.programs import PRIMES, QUEUE, WORDS, write_files
from tests.tables import table

OPTIONS = (
    *("--json", "--csv", "--grades"),
    *("--sarif", "--junit", "--markdown", "--anonymize"),
)


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    write_files(tmp_path / "hw", {"a.py": QUEUE, "b.py": f"# my own work\n{QUEUE}", "c.py": PRIMES})
    return tmp_path / "hw"


def test_results_that_lie_in_a_batch_are_no_work(run: Run, batch: Path) -> None:
    results = [batch / f"result{option}.out" for option in OPTIONS]
    first = run(
        "check", "hw", *(each for pair in zip(OPTIONS, results, strict=True) for each in pair)
    )

    again = run("check", "hw", "--no-html", "-q", "--json", "-")

    assert first.code == again.code == 0
    told = json.loads(again.out)
    assert [each["name"] for each in told["submissions"]] == ["a.py", "b.py", "c.py"]
    reason = "is a mosslite result"
    assert [(each["path"], each["reason"]) for each in told["skipped"]] == sorted(
        (f"hw/{each.name}", reason) for each in results
    )


def test_the_key_to_names_is_not_quoted_by_the_next_anonymous_report(
    run: Run, batch: Path, tmp_path: Path
) -> None:
    again = ("check", "hw", "-q", "-o", "report", "--anonymize", batch / "key.csv")
    assert [run(*again).code, run(*again).code] == [0, 0]

    pages = [path.read_text() for path in (tmp_path / "report").rglob("*") if path.is_file()]
    assert not [page for page in pages if "alias,name" in page]


@pytest.mark.usefixtures("batch")
@pytest.mark.parametrize(
    "command",
    [
        ("baseline", "update", "made", "results.json"),
        ("archive", "export", "a.mosslite", "made"),
        ("report", "results.json", "-o", "made"),
        ("report", "results.json", "1", "-o", "made"),
        ("report", "results.json", "1", "--locale", "de", "-o", "made"),
        ("check", "hw", "--single-file", "-o", "made"),
        ("query", "a.mosslite", "hw/a.py", "--json", "made"),
        ("query", "a.mosslite", "hw/a.py", "--csv", "made"),
        ("lab", "density", "hw", "--json", "made"),
        ("lab", "density", "hw", "--csv", "made"),
    ],
)
def test_what_other_commands_write_is_told_from_work(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    assert run("check", "hw", "--no-html", "--json", "results.json").code == 0
    assert run(*ADD, "hw").code == 0

    assert run(*command).code == 0
    assert is_own_result((tmp_path / "made").read_bytes())
    assert run(*command).code == 0  # so it is also written over


@table("content")
def test_files_of_the_same_kinds_are_work(content: str) -> None:
    assert not is_own_result(content.encode())


def test_an_archive_is_known_by_its_application_id(filled: Path, tmp_path: Path) -> None:
    assert is_own_archive(filled.read_bytes())
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE a (b)")
        database.commit()
    assert not is_own_archive(other.read_bytes())


# --- files like mosslite's own mean nothing where students can write them ------------------------


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


LIKE_REPORT = "looks like a mosslite report: move it out of the submissions if it is one"


def compared_beside_pages(run: Run, *arguments: str) -> tuple[int, set[str], dict[str, str]]:
    """Return the exit code of a job, what it compares, and what it does not and why."""
    outcome = run("check", *arguments, "--no-html", "-q", "--json", "-", "--fail-above", "99")
    results = json.loads(outcome.out)
    skipped = {each["path"]: each["reason"] for each in results["skipped"]}
    return outcome.code, {each["name"] for each in results["submissions"]}, skipped


@pytest.mark.parametrize(
    "written",
    [
        ("report", "results.json", "1", "-o", "hw/case.html"),
        ("report", "results.json", "1", "--locale", "de", "-o", "hw/case.html"),
        ("check", "hw", "--single-file", "-o", "hw/case.html"),
    ],
)
def test_a_page_among_submissions_that_looks_like_a_report_is_not_compared_and_fails_a_job(
    run: Run, tmp_path: Path, written: tuple[str, ...]
) -> None:
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "bob.py": WORDS + QUEUE, "cy.py": PRIMES})
    assert run("check", "hw", "--no-html", "--json", "results.json").code == 0
    assert run(*written).code == 0

    own = {"ann.py", "bob.py", "cy.py"}
    assert compared_beside_pages(run, "hw") == (1, own, {"hw/case.html": LIKE_REPORT})


def test_a_report_with_passages_that_most_share_is_not_compared_and_fails_a_job(
    run: Run, tmp_path: Path
) -> None:
    own = [f"def f{n}(x):\n    return x ** {n} - {n} // (x + {n}) * (x % {n})\n" for n in range(6)]
    write_files(tmp_path / "hw", {f"{n}.py": QUEUE + own[n] * n for n in range(6)})
    expected = {f"{n}.py" for n in range(6)}
    assert run("check", "hw", "-o", "hw/report").code == 0
    assert [*(tmp_path / "hw/report").glob("*/*.py")]

    reasons = {"hw/report": LIKE_REPORT}
    assert compared_beside_pages(run, "hw") == (1, expected, reasons)
    (tmp_path / "hw/report/likely-boilerplate/more.py").write_text(QUEUE)
    assert "report" in compared_beside_pages(run, "hw")[1]


@pytest.mark.parametrize("more", [[], ["--single-file"]])
def test_what_the_run_before_wrote_where_this_one_writes_is_no_part_of_the_batch(
    run: Run, batch: Path, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    monkeypatch.chdir(batch)
    assert run("check", ".", *more).code == 0
    written = sorted(each.name for each in batch.iterdir())
    assert len(written) == 4

    for paths in (["."], written):
        done = run("check", *paths, *more, "-q", "--json", "-")
        found = json.loads(done.out)
        assert found["skipped"] == []
        assert [each["reason"] for each in found["ignored"]] == ["is a mosslite report"]
        assert {each["name"] for each in found["submissions"]} == {"a.py", "b.py", "c.py"}


def test_result_pages_in_the_layout_of_moss_are_not_compared(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "bob.py": WORDS + QUEUE, "cy.py": PRIMES})
    assert run("check", "hw", "--no-html", "--moss-html", "hw/pages").code == 0

    own = {"ann.py", "bob.py", "cy.py"}
    assert compared_beside_pages(run, "hw") == (1, own, {"hw/pages": LIKE_REPORT})


def test_a_website_that_says_it_is_a_report_fails_a_job(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "bob.py": WORDS + QUEUE, "cy.py": PRIMES})
    site = {"index.html": "<p>mine</p>", "app.js": "let x = 1;"}
    marker = "".join(f"{name}\n" for name in ("This folder is a mosslite report.", *site))
    write_files(tmp_path / "hw/zed", {**site, REPORT_MARKER: marker})

    own = {"ann.py", "bob.py", "cy.py"}
    assert compared_beside_pages(run, "hw") == (1, own, {"hw/zed": LIKE_REPORT})


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
