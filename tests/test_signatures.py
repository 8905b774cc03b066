import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mosslite.signatures import is_own_archive, is_own_result
from tests.conftest import ADD, Run
from tests.programs import PRIMES, QUEUE, write_files
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
