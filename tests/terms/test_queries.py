"""Queries to archives of earlier terms, and the measures they answer with."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mosslite
from mosslite.winnowing.fingerprints import resemblance
from tests.builders import LAW
from tests.conftest import ADD, Run
from tests.programs import JAVA, PRIMES, QUEUE, QUEUE_RENAMED, TEMPLATE, write_files

HASHES = st.sets(st.integers(0, 40))


def column(values: set[int]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array(sorted(values), np.uint64)


# --- resemblance ---------------------------------------------------------------------------------


@LAW
@given(HASHES, HASHES, st.one_of(st.none(), st.integers(1, 50)))
def test_resemblance_is_the_share_of_the_smallest_that_both_have(
    left: set[int], right: set[int], smallest: int | None
) -> None:
    seen = sorted(left | right)[:smallest]
    expected = len(set(seen) & left & right) / len(seen) if seen else 0.0
    assert resemblance(column(left), column(right), smallest) == expected


# --- queries -------------------------------------------------------------------------------------


def fingerprints_in(archive: Path) -> dict[str, set[int]]:
    with mosslite.Archive(str(archive)) as opened:
        return {
            each.name: set(opened.fingerprints_of(each.number).tolist())
            for each in opened.submissions()
        }


def test_containment_is_the_share_of_the_query_that_a_submission_has(
    run: Run, filled: Path, tmp_path: Path
) -> None:
    write_files(tmp_path, {"new/q.py": f"{QUEUE}\n{PRIMES}"})
    run("archive", "add", "b.mosslite", "--term", "2026", "new")
    (asked,), held = fingerprints_in(tmp_path / "b.mosslite").values(), fingerprints_in(filled)

    found = {each.name: each for each in mosslite.query(filled, tmp_path / "new")}

    assert {"ann.py", "bob.py"} <= found.keys()
    for name, origin in found.items():
        assert 0 < origin.containment < 1
        assert origin.containment == len(asked & held[name]) / len(asked)
        assert origin.resemblance == len(asked & held[name]) / len(asked | held[name])


@pytest.mark.usefixtures("filled")
def test_a_query_tells_in_a_line_of_its_own_that_there_is_no_cache(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"q.py": QUEUE_RENAMED, "cache": "a file"})
    monkeypatch.setenv("MOSSLITE_CACHE_DIR", str(tmp_path / "cache"))
    outcome = run("query", "a.mosslite", "q.py")
    assert (outcome.code, len(outcome.out.splitlines())) == (0, 2)
    assert outcome.err.startswith("mosslite: cannot use the cache: ")


@pytest.mark.usefixtures("filled")
def test_a_query_names_where_a_file_comes_from(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"q.py": QUEUE_RENAMED})

    assert run("query", "a.mosslite", "q.py").out == (
        "containment  resemblance  submission\n      100 %        100 %  2025/ann.py\n"
    )


@pytest.mark.usefixtures("filled")
def test_a_larger_query_window_finds_it_too_and_a_smaller_one_is_refused(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"q.py": QUEUE_RENAMED})

    assert "2025/ann.py" in run("query", "a.mosslite", "q.py", "--query-window", "20").out
    assert run("query", "a.mosslite", "q.py", "--query-window", "3").err == (
        "mosslite: query window (--query-window) is 3: it must be at least 9, the archive's\n"
    )


@pytest.mark.usefixtures("filled")
def test_a_query_for_an_archive_is_refused_in_words_that_are_true_for_it(run: Run) -> None:
    assert run("query", "a.mosslite", "a.mosslite").err == (
        "mosslite: nothing to look up in 'a.mosslite': is a mosslite archive: "
        "'mosslite check --archive' reads it\n"
    )


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (("--query-window", "0"), "query window (--query-window) is 0: it must be at least 1"),
        (("--smallest", "0"), "number of fingerprints (--smallest) is 0: it must be at least 1"),
        (("-n", "-1"), "number of submissions (-n) is -1: it must be at least 0"),
    ],
)
@pytest.mark.usefixtures("filled")
def test_a_query_for_nothing_is_refused(run: Run, option: tuple[str, ...], words: str) -> None:
    assert run("query", "a.mosslite", "old/ann.py", *option).err == f"mosslite: {words}\n"


def test_a_query_names_as_many_as_asked_for_and_with_zero_all(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {f"old/{number:02}.py": QUEUE for number in range(12)})
    run(*ADD, "old")

    for option, count in (((), 10), (("-n", "3"), 3), (("-n", "0"), 12)):
        out = run("query", "a.mosslite", "old/00.py", *option).out
        assert [line[-5:] for line in out.splitlines()[1:]] == [f"{n:02}.py" for n in range(count)]


@pytest.mark.usefixtures("filled")
def test_the_smallest_fingerprints_are_an_estimate_that_finds_a_copy_too(run: Run) -> None:
    out = run("query", "a.mosslite", "old/ann.py", "--smallest", "4").out

    assert out.endswith("      100 %        100 %  2025/ann.py\n")


def test_base_code_is_not_looked_up(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"base.py": TEMPLATE, "old/ann.py": TEMPLATE + QUEUE})
    run(*ADD, "-b", "base.py", "old")

    assert " 100 %  2025/ann.py" not in run("query", "a.mosslite", "old/ann.py").out
    assert " 100 %  2025/ann.py" in run("query", "a.mosslite", "old/ann.py", "-b", "base.py").out


@pytest.mark.usefixtures("filled")
def test_a_file_of_ones_own_has_no_origin(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"q.java": JAVA})

    assert run("query", "a.mosslite", "q.java").out == (
        "no submission in the archive shares a fingerprint with it\n"
    )


def test_a_python_program_asks_an_archive(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE, "q.py": QUEUE_RENAMED})
    run(*ADD, "old")

    assert mosslite.query("a.mosslite", tmp_path / "q.py") == (
        mosslite.Origin("2025", "ann.py", 1.0, 1.0, 12),
    )
    with mosslite.Archive("a.mosslite") as archive:
        assert [each.name for each in archive.submissions()] == ["ann.py"]
    report = mosslite.check("q.py", archives="a.mosslite")
    assert [pair.right.name for pair in report.pairs] == ["2025/ann.py"]


def test_less_than_a_tenth_of_a_file_is_little() -> None:
    shares = (0.0999, 0.1, 0.9)

    marks = [mosslite.Origin("2025", "ann.py", each, 0.1, 1).shares_little for each in shares]

    assert marks == [True, False, False]


def test_a_query_is_written_as_json_and_csv(run: Run, filled: Path, tmp_path: Path) -> None:
    write_files(tmp_path, {"mine.py": QUEUE_RENAMED})
    (origin,) = mosslite.query(filled, tmp_path / "mine.py")
    beside = run("query", "a.mosslite", "mine.py", "--json", "-", "--csv", "x.csv")
    assert (beside.code, beside.err) == (0, run("query", "a.mosslite", "mine.py").out)
    result = json.loads(beside.out)
    assert (result["archive"], result["file"]) == ("a.mosslite", "mine.py")
    assert result["origins"] == [
        {
            "term": "2025",
            "name": "ann.py",
            "containment": origin.containment,
            "resemblance": origin.resemblance,
            "shared_fingerprints": origin.shared_fingerprints,
        }
    ]
    (row,) = csv.DictReader((tmp_path / "x.csv").read_text(encoding="utf-8").splitlines())
    assert (row["term"], row["name"]) == ("2025", "ann.py")
    assert float(row["containment"]) == pytest.approx(origin.containment, abs=1e-4)


def test_a_query_replaces_no_other_file_and_writes_no_formula(
    run: Run, filled: Path, tmp_path: Path
) -> None:
    write_files(tmp_path, {"mine.py": QUEUE, "notes.csv": "own", "new/=ann.py": QUEUE})
    refused = run("query", filled, "mine.py", "--csv", "notes.csv")
    assert (refused.code, (tmp_path / "notes.csv").read_text()) == (2, "own")
    assert run("archive", "add", filled, "--term", "=1", "new").code == 0
    written = run("query", filled, "mine.py", "--csv", "-").out
    assert "\n'=1,'=ann.py," in written
