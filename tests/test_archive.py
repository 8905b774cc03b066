"""Archives of earlier terms: what goes in comes out, and nothing is lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mosslite
from mosslite.archive import Archive, containment, resemblance
from mosslite.errors import ArchiveError
from mosslite.pipeline import front_ends
from mosslite.winnow import robust_winnow
from tests.builders import LAW
from tests.programs import JAVA, PRIMES, QUEUE, QUEUE_RENAMED, TEMPLATE, WORDS, write_files

if TYPE_CHECKING:
    from tests.conftest import Run

SAMPLES = Path(__file__).parents[1] / "samples/python/submissions"
TERM = ("--term", "2025")
ADD = ("archive", "add", "a.mosslite", *TERM)
HASHES = st.sets(st.integers(0, 40))


@pytest.fixture
def filled(run: Run, tmp_path: Path) -> Path:
    """Give an archive of three submissions."""
    write_files(tmp_path, {"old/ann.py": QUEUE, "old/bob.py": PRIMES, "old/cid/x.py": WORDS})
    assert run(*ADD, "old").out == "added: 3 submissions to 2025\n"
    return tmp_path / "a.mosslite"


def column(values: set[int]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array(sorted(values), np.uint64)


# --- what is kept --------------------------------------------------------------------------------


@pytest.mark.usefixtures("filled")
def test_what_is_added_is_listed_by_term_and_name(run: Run) -> None:
    assert run("archive", "list", "a.mosslite").out == "2025/ann.py\n2025/bob.py\n2025/cid\n"


@pytest.mark.usefixtures("filled")
def test_an_archive_tells_what_shaped_it(run: Run) -> None:
    assert run("archive", "show", "a.mosslite").out == (
        "2025: 3 submissions\n"
        "code: k = 12, t = 20\n"
        "prose: k = 15, t = 20\n"
        "language: by file name\n"
        f"front-ends: {front_ends()}\n"
        "without text: 0 submissions\n"
    )


@pytest.mark.usefixtures("filled")
def test_an_export_holds_every_text(run: Run) -> None:
    exported = json.loads(run("archive", "export", "a.mosslite", "-").out)

    files = [file for each in exported["submissions"] for file in each["files"]]
    assert [file["text"] for file in files] == [QUEUE, PRIMES, WORDS]


def test_without_text_an_archive_holds_no_word_of_it(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": f"# by Ann Example\n{QUEUE}"})
    run(*ADD, "--no-text", "old")

    exported = json.loads(run("archive", "export", "a.mosslite", "-").out)
    assert exported["submissions"][0]["files"][0]["text"] is None
    with Archive(str(tmp_path / "a.mosslite")) as archive:
        (kept,) = archive.files_of(archive.submissions()[0].number)
    assert set(kept.file.text) == {".", " ", "\n"}
    assert kept.file.text.count("\n") == QUEUE.count("\n") + 1


@pytest.mark.usefixtures("filled")
def test_the_same_submission_is_not_added_twice(run: Run, filled: Path) -> None:
    before = filled.read_bytes()

    outcome = run(*ADD, "old")

    assert outcome.code == 2
    assert outcome.err == (
        "mosslite: archive 'a.mosslite' has 'ann.py' of '2025' already: give another --term, "
        "or remove it first\n"
    )
    assert filled.read_bytes() == before


def test_what_is_removed_leaves_no_trace_in_the_file(run: Run, filled: Path) -> None:
    with Archive(str(filled)) as archive:
        number = next(each.number for each in archive.submissions() if each.name == "ann.py")
        print_ = archive.fingerprints_of(number).astype("<u8").tobytes()
    assert print_ in filled.read_bytes() or len(print_) > 4000

    assert run("archive", "remove", "a.mosslite", "--student", "ann.py").code == 0

    assert run("archive", "list", "a.mosslite").out == "2025/bob.py\n2025/cid\n"
    assert b"ann.py" not in filled.read_bytes()
    assert print_ not in filled.read_bytes()
    assert run("archive", "verify", "a.mosslite").out == "in order: 2 submissions\n"


@pytest.mark.parametrize("student", ["a\nb.py", r"a\nb.py", r"2025/a\nb.py"])
@pytest.mark.skipif(sys.platform == "win32", reason="no name has a line feed there")
def test_a_student_is_removed_by_the_name_that_is_listed(
    run: Run, tmp_path: Path, student: str
) -> None:
    write_files(tmp_path, {"old/a\nb.py": QUEUE})
    run(*ADD, "old")

    assert run("archive", "list", "a.mosslite").out == r"2025/a\nb.py" + "\n"
    assert run("archive", "remove", "a.mosslite", "--student", student).code == 0
    assert run("archive", "list", "a.mosslite").out == ""


@pytest.mark.usefixtures("filled")
def test_a_removal_says_what_it_is_of(run: Run) -> None:
    assert run("archive", "remove", "a.mosslite").err.startswith("mosslite: nothing says what")
    assert run("archive", "remove", "a.mosslite", "--term", "1999").err == (
        "mosslite: archive 'a.mosslite' has no such submission: 'mosslite archive list' names "
        "them\n"
    )


# --- what is wrong with a file -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"no database at all" * 100, "is no archive of mosslite, or is damaged"),
        (b"", "holds nothing: 'mosslite archive add' changes that"),
    ],
)
def test_a_foreign_file_is_an_error(run: Run, tmp_path: Path, content: bytes, what: str) -> None:
    (tmp_path / "a.mosslite").write_bytes(content)

    assert run("archive", "verify", "a.mosslite").err == f"mosslite: archive 'a.mosslite' {what}\n"


def test_a_damaged_name_of_a_table_is_an_error(run: Run, filled: Path) -> None:
    whole = filled.read_bytes()
    filled.write_bytes(whole.replace(b"CREATE TABLE terms", b"CREATE TABLE \xf5erms"))

    assert run("archive", "list", "a.mosslite").err == (
        "mosslite: archive 'a.mosslite' is damaged: take a copy of it that is not\n"
    )


def test_another_programs_database_is_left_alone(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE})
    with closing(sqlite3.connect(tmp_path / "a.mosslite")) as base:
        base.execute("CREATE TABLE mine (x)")
        base.commit()
    before = (tmp_path / "a.mosslite").read_bytes()

    outcome = run(*ADD, "old")

    assert outcome.err == (
        "mosslite: archive 'a.mosslite' is no archive of mosslite, but another database\n"
    )
    assert (tmp_path / "a.mosslite").read_bytes() == before


def test_a_missing_archive_is_only_made_to_add_to_it(run: Run, tmp_path: Path) -> None:
    assert "does not exist" in run("archive", "list", "a.mosslite").err
    assert not (tmp_path / "a.mosslite").exists()


def test_an_archive_of_a_newer_version_is_refused(run: Run, filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as base:
        base.execute("PRAGMA user_version = 99")

    assert run("archive", "list", "a.mosslite").err == (
        "mosslite: archive 'a.mosslite' was made by a newer mosslite: update this one\n"
    )


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("UPDATE files SET about = replace(about, 'x.py', 'y.py')", "file 0 of submission 3"),
        ("UPDATE submissions SET name = 'eve' WHERE id = 1", "submission 1 is not"),
        ("DELETE FROM postings WHERE submission = 2", "the index of submission 2"),
        ("UPDATE terms SET name = '2024'", "submission 1 is not"),
        ("UPDATE settings SET value = replace(value, '12', '13')", "the settings are not"),
        ("DELETE FROM files WHERE submission = 1", "submission 1 lacks files"),
        ("INSERT INTO postings VALUES (1, 77)", "the index names submission 77"),
    ],
)
def test_verifying_finds_what_is_not_as_it_was_written(
    run: Run, filled: Path, change: str, problem: str
) -> None:
    with closing(sqlite3.connect(filled)) as base:
        base.execute(change)
        base.commit()

    outcome = run("archive", "verify", "a.mosslite")

    assert outcome.code == 1
    assert outcome.out.startswith(problem)


@pytest.mark.usefixtures("filled")
def test_damaged_bytes_are_an_error_and_never_a_crash(run: Run, filled: Path) -> None:
    whole = filled.read_bytes()
    chance = np.random.default_rng(7)
    exported = run("archive", "export", "a.mosslite", "-").out
    write_files(filled.parent, {"new/zoe.py": QUEUE, "new/yan.py": WORDS})
    for place in chance.integers(0, len(whole), 12).tolist():
        stop = place + 200
        filled.write_bytes(
            whole[:place] + chance.bytes(min(200, len(whole) - place)) + whole[stop:]
        )
        verified = run("archive", "verify", "a.mosslite").code
        # Bytes that no page uses may be anything.
        assert verified or run("archive", "export", "a.mosslite", "-").out == exported
        assert run("-q", "--no-html", "--archive", "a.mosslite", "new").code in {0, 2}
        assert run("query", "a.mosslite", "new/zoe.py").code in {0, 2}


# --- at the same time ----------------------------------------------------------------------------


def test_a_writer_that_waits_in_vain_says_so(
    run: Run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mosslite.archive.opening._PATIENCE", 0.05)
    with closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        outcome = run("archive", "add", "a.mosslite", "--term", "2026", "old")
        listed = run("archive", "list", "a.mosslite")

    assert outcome.err == (
        "mosslite: archive 'a.mosslite' is in use by another process: try again when that is done\n"
    )
    assert listed.code == 0


def test_what_is_read_at_one_moment_is_not_changed_by_others(
    run: Run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mosslite.archive.opening._PATIENCE", 0.05)
    remove = ("archive", "remove", "a.mosslite", "--term", "2025")
    with Archive(str(filled)) as archive, archive.at_one_moment():
        seen = archive.submissions()
        assert "is in use by another process" in run(*remove).err
        assert all(archive.files_of(each.number) for each in seen)
        assert archive.holders(archive.fingerprints_of(1)).submissions.tolist()

    assert run(*remove).code == 0


def test_a_full_disk_leaves_the_archive_as_it_was(
    run: Run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = filled.read_bytes()
    pages = len(before) // 4096
    monkeypatch.setattr(
        "mosslite.archive.opening._SETTINGS",
        f"PRAGMA journal_mode = DELETE; PRAGMA max_page_count = {pages}",
    )
    write_files(filled.parent, {"more/d.py": "\n".join(f"{PRIMES}x{i} = {i}" for i in range(400))})

    outcome = run("archive", "add", "a.mosslite", "--term", "2026", "more")

    assert outcome.err == (
        "mosslite: archive 'a.mosslite' cannot be changed, as the disk is full; it is as it was\n"
    )
    assert filled.read_bytes() == before


def test_what_a_killed_writer_left_half_done_is_undone_by_the_next_reader(
    run: Run, filled: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as writer:
        writer.execute("PRAGMA cache_size = 1")
        writer.execute("BEGIN")
        writer.execute("UPDATE files SET about = hex(zeroblob(9999))")
        shutil.copyfile("a.mosslite", "b.mosslite")
        shutil.copyfile("a.mosslite-journal", "b.mosslite-journal")
        writer.execute("ROLLBACK")
    assert (tmp_path / "b.mosslite").read_bytes() != filled.read_bytes()

    assert run("archive", "verify", "b.mosslite").out == "in order: 3 submissions\n"
    assert not (tmp_path / "b.mosslite-journal").exists()


# --- resemblance and containment -----------------------------------------------------------------


@LAW
@given(HASHES, HASHES)
def test_containment_is_the_share_of_the_query_that_is_found(
    query: set[int], other: set[int]
) -> None:
    expected = len(query & other) / len(query) if query else 0.0
    assert containment(column(query), column(other)) == expected


@LAW
@given(HASHES, HASHES, st.one_of(st.none(), st.integers(1, 50)))
def test_resemblance_is_the_share_of_the_smallest_that_both_have(
    left: set[int], right: set[int], smallest: int | None
) -> None:
    seen = sorted(left | right)[:smallest]
    expected = len(set(seen) & left & right) / len(seen) if seen else 0.0
    assert resemblance(column(left), column(right), smallest) == expected


@LAW
@given(st.lists(st.integers(0, 3), max_size=60), st.integers(1, 9), st.integers(0, 9))
def test_fingerprints_of_a_larger_window_are_all_among_those_of_a_smaller_one(
    symbols: list[int], window: int, more: int
) -> None:
    hashes = np.array(symbols, np.uint64)
    few, many = (
        set(hashes[robust_winnow(hashes, size)].tolist()) for size in (window + more, window)
    )
    assert few <= many


# --- checks against an archive -------------------------------------------------------------------


def pairs(out: str) -> list[tuple[str, str, float]]:
    return [(each["left"], each["right"], each["similarity"]) for each in json.loads(out)["pairs"]]


@pytest.mark.usefixtures("filled")
def test_a_copy_of_an_earlier_term_is_found(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"new/zoe.py": QUEUE_RENAMED})

    out = run("-q", "--no-html", "--json", "-", "--archive", "a.mosslite", "new").out

    ((left, right, similarity),) = pairs(out)
    assert (left, right) == ("zoe.py", "2025/ann.py")
    assert similarity > 0.9


def test_a_check_with_an_archive_finds_what_one_with_the_files_finds(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"new/zoe.py": QUEUE_RENAMED, "new/yan.py": PRIMES + WORDS})
    write_files(tmp_path, {"old/ann.py": QUEUE, "old/cid.py": WORDS})
    run(*ADD, "old")

    results = [
        [
            {**each, "right": each["right"].split("/")[-1]}
            for each in json.loads(run("-q", "--no-html", "--json", "-", *given, "new").out)[
                "pairs"
            ]
        ]
        for given in (("--archive", "a.mosslite"), ("--prior", "old"))
    ]

    assert len(results[0]) == 2
    assert results[0] == results[1]


def test_submissions_of_an_archive_are_never_compared_with_each_other(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"old/a.py": QUEUE, "old/b.py": QUEUE, "new/c.py": QUEUE})
    run(*ADD, "old")

    out = run("-q", "--no-html", "--json", "-", "--archive", "a.mosslite", "new").out

    assert [each[:2] for each in pairs(out)] == [("c.py", "2025/a.py"), ("c.py", "2025/b.py")]


def test_an_archive_that_is_given_twice_counts_once(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/a.py": QUEUE, "new/c.py": QUEUE})
    run(*ADD, "old")
    twice = ("--archive", "a.mosslite", "--archive", str(tmp_path / "new/../a.mosslite"))

    out = run("-q", "--no-html", "--json", "-", *twice, "new").out

    assert [each[:2] for each in pairs(out)] == [("c.py", "2025/a.py")]


@pytest.mark.usefixtures("filled")
def test_an_archive_among_submissions_is_told_for_what_it_is(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"new/c.py": QUEUE, "new/d.py": PRIMES})

    assert (
        "skipped: a.mosslite is an archive of mosslite: give it as --archive\n"
        in run("--no-html", "--prior", "a.mosslite", "new").out
    )


def test_a_submission_that_no_archive_knows_is_compared_all_the_same(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE, "new/zoe.java": JAVA})
    run(*ADD, "old")

    outcome = run("--archive", "a.mosslite", "new")

    assert outcome.code == 0
    assert outcome.out.startswith("1 submission, ")
    assert (tmp_path / "mosslite-report/index.html").exists()


def test_an_archive_without_text_finds_the_same_passages(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE, "new/zoe.py": QUEUE_RENAMED})
    run(*ADD, "old")
    run("archive", "add", "b.mosslite", *TERM, "--no-text", "old")

    with_text, without = (
        json.loads(run("-q", "--json", "-", "--archive", name, "new").out)
        for name in ("a.mosslite", "b.mosslite")
    )

    assert without["pairs"][0]["similarity"] == with_text["pairs"][0]["similarity"]
    assert without["warnings"] == [
        "text not kept in the archive, so dots stand for it: 2025/ann.py"
    ]


def test_a_pair_page_says_where_the_text_is_not_kept(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE, "new/zoe.py": QUEUE})
    run(*ADD, "--no-text", "old")
    run("-q", "--archive", "a.mosslite", "new")

    page = (tmp_path / "mosslite-report/pairs/1.html").read_text(encoding="utf-8")
    assert page.count(", text not kept in the archive") == 1


@pytest.mark.usefixtures("filled")
def test_other_thresholds_are_an_error_that_says_what_helps(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"new/zoe.py": QUEUE_RENAMED})
    check = ("-q", "--no-html", "-k", "8", "--archive", "a.mosslite", "new")

    assert run(*check).err == (
        "mosslite: archive 'a.mosslite' is of k = 12 and t = 20 for code, 15 and 20 for prose, "
        "not of k = 8 and t = 16 for code, 8 and 13 for prose: give the options it was made with, "
        "or make it anew by 'mosslite archive rebuild' with the other options\n"
    )
    assert run("archive", "rebuild", "a.mosslite", "-k", "8").out == "made anew: 3 submissions\n"
    assert run(*check).code == 0
    assert run("archive", "verify", "a.mosslite").code == 0


@pytest.mark.usefixtures("filled")
def test_an_archive_is_read_anew_as_another_language(run: Run, filled: Path) -> None:
    run("archive", "rebuild", "a.mosslite", "-l", "ascii")

    assert "language: text\n" in run("archive", "show", "a.mosslite").out
    run("archive", "add", "b.mosslite", *TERM, "-l", "ascii", "old")
    for name in ("a.mosslite", "b.mosslite"):
        with Archive(str(filled.parent / name)) as archive:
            prints = [archive.fingerprints_of(each.number) for each in archive.submissions()]
        assert len(prints) == 3
    with Archive("a.mosslite") as rebuilt, Archive("b.mosslite") as made:
        for old, new in zip(rebuilt.submissions(), made.submissions(), strict=True):
            assert np.array_equal(
                rebuilt.fingerprints_of(old.number), made.fingerprints_of(new.number)
            )


def test_texts_that_are_not_kept_cannot_be_read_anew(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE})
    run(*ADD, "--no-text", "old")

    assert run("archive", "rebuild", "a.mosslite", "-l", "ascii").err == (
        "mosslite: archive 'a.mosslite' cannot be read anew, as it keeps no text of "
        "'2025/ann.py': remove and add them again, or take their tokens as they are by "
        "--keep-tokens\n"
    )
    assert run("archive", "rebuild", "a.mosslite", "-k", "9").code == 0


def test_what_was_chosen_for_its_likeness_does_not_tell_how_alike_honest_work_is(
    run: Run, tmp_path: Path
) -> None:
    run("archive", "add", "a.mosslite", *TERM, SAMPLES)
    few = [SAMPLES / name for name in ("aldo.py", "corin.py", "imre.py", "osric.py")]

    top = mosslite.Options(show=9, uses_workers=False)

    with_archive = mosslite.check(few, archives=tmp_path / "a.mosslite", options=top)
    with_files = mosslite.check(few, prior=SAMPLES, options=top)

    assert len(with_archive.pairs) >= len(few)
    assert with_archive.threshold is None  # six pairs are too few
    assert with_files.threshold is not None


# --- queries -------------------------------------------------------------------------------------


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


def test_a_query_names_as_many_as_it_is_told_and_with_zero_all(run: Run, tmp_path: Path) -> None:
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
        "no submission of the archive has a fingerprint of it\n"
    )


def test_an_archive_that_is_open_for_reading_is_not_changed(filled: Path) -> None:
    before = filled.read_bytes()

    with Archive(str(filled)) as archive, pytest.raises(ArchiveError, match="open for reading"):
        archive.remove([1])

    assert filled.read_bytes() == before


def test_what_an_archive_does_not_have_is_no_damage(filled: Path) -> None:
    with Archive(str(filled)) as archive:
        for ask in (archive.submission, archive.fingerprints_of):
            with pytest.raises(ArchiveError, match="has no submission of number 99"):
                ask(99)
    with pytest.raises(ArchiveError, match="cannot be used: Cannot operate on a closed database"):
        archive.shape()


def test_an_archive_that_cannot_be_used_is_an_archive_error(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="is no file"):
        Archive(str(tmp_path))


# --- what else there is ---------------------------------------------------------------------------


@pytest.mark.usefixtures("filled")
def test_of_many_related_submissions_the_nearest_are_taken_and_a_warning_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mosslite.pipeline.priors._LEAST_TAKEN", 1)
    monkeypatch.setattr("mosslite.pipeline.priors._TAKEN_PER_SHOWN", 1)
    write_files(tmp_path, {"new/zoe.py": QUEUE + "\n".join(PRIMES.split("\n")[:6])})

    found = json.loads(
        run("-q", "-n1", "--no-html", "--json", "-", "--archive", "a.mosslite", "new").out
    )

    assert [each["name"] for each in found["submissions"]] == ["zoe.py", "2025/ann.py"]
    assert found["warnings"] == [
        "1 of 2 submissions in 'a.mosslite' that share code with the batch were compared, those "
        "that share the most (-n 0 compares all)"
    ]


@pytest.mark.usefixtures("filled")
def test_front_ends_of_another_version_read_an_archive_anew(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"q.py": QUEUE})
    before = front_ends()
    monkeypatch.setattr("mosslite.pipeline.shapes.front_ends", lambda: "others")

    for command in (("query", "a.mosslite", "q.py"), ("--archive", "a.mosslite", "old")):
        assert run(*command).err == (
            f"mosslite: archive 'a.mosslite' was read by front-ends {before}, of another mosslite "
            "or Pygments than this, which has others: 'mosslite archive rebuild' reads it anew\n"
        )
    assert run("archive", "rebuild", "a.mosslite").code == 0
    assert run("query", "a.mosslite", "q.py").code == 0


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


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such right there")
@pytest.mark.usefixtures("filled")
def test_an_archive_without_the_right_to_write_can_be_read(run: Run, filled: Path) -> None:
    filled.chmod(0o444)
    before = filled.read_bytes()

    assert run("archive", "verify", "a.mosslite").code == 0
    assert run("-q", "--no-html", "--archive", "a.mosslite", "old").code == 0
    assert filled.read_bytes() == before
    assert sorted(path.name for path in filled.parent.iterdir()) == ["a.mosslite", "old"]
