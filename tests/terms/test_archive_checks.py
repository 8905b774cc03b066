"""Checks against archives of earlier terms."""

import json
from pathlib import Path

import numpy as np
import pytest

import mosslite
from mosslite.terms.archive import Archive
from tests.conftest import ADD, Run
from tests.programs import JAVA, PRIMES, QUEUE, QUEUE_RENAMED, WORDS, write_files

SAMPLES = Path(__file__).parents[2] / "samples/python/submissions"
TERM = ("--term", "2025")


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
    again = run("--no-html", *twice[:2], *twice[:2], "new").out

    assert [each[:2] for each in pairs(out)] == [("c.py", "2025/a.py")]
    (skipped,) = json.loads(out)["skipped"]
    assert (skipped["path"], skipped["reason"]) == (twice[3], "is given twice")
    assert "skipped: a.mosslite is given twice\n" in again


@pytest.mark.usefixtures("filled")
def test_an_archive_among_submissions_is_told_for_what_it_is(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"new/c.py": QUEUE, "new/d.py": PRIMES})

    assert (
        "skipped: a.mosslite is a mosslite archive: 'mosslite check --archive' reads it\n"
        in run("--no-html", "--prior", "a.mosslite", "new").out
    )


def test_a_submission_that_no_archive_knows_is_compared_nevertheless(
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
    assert without["warnings"] == ["text not stored in the archive, shown as dots: 2025/ann.py"]


def test_a_pair_page_says_where_the_text_is_not_kept(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE, "new/zoe.py": QUEUE})
    run(*ADD, "--no-text", "old")
    run("-q", "--archive", "a.mosslite", "new")

    report = tmp_path / "mosslite-report"
    sources = [path.read_text(encoding="utf-8") for path in (report / "sources").iterdir()]
    assert "".join(sources).count(", text not kept in the archive") == 1
    page = (report / "pairs/1.html").read_text(encoding="utf-8")
    assert page.count("The archive does not store names, words, strings and layout") == 1


@pytest.mark.usefixtures("filled")
def test_other_thresholds_are_an_error_that_says_what_helps(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"new/zoe.py": QUEUE_RENAMED})
    check = ("-q", "--no-html", "-k", "8", "--archive", "a.mosslite", "new")

    assert run(*check).err == (
        "mosslite: archive 'a.mosslite' was built with k = 12 and t = 20 (prose: 15 and 20), not "
        "k = 8 and t = 16 (prose: 8 and 13): use its options, or run 'mosslite archive rebuild' "
        "with these\n"
    )
    assert run("archive", "rebuild", "a.mosslite", "-k", "8").out == "rebuilt: 3 submissions\n"
    assert run(*check).code == 0
    assert run("archive", "verify", "a.mosslite").code == 0


@pytest.mark.usefixtures("filled")
def test_an_archive_is_read_again_as_another_language(run: Run, filled: Path) -> None:
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


@pytest.mark.usefixtures("filled")
def test_an_archive_of_other_languages_is_refused_by_what_differs(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"new/zoe.py": QUEUE_RENAMED})

    assert run("-q", "--no-html", "-l", "python", "--archive", "a.mosslite", "new").err == (
        "mosslite: archive 'a.mosslite' was built with no -l, not -l python: use its options, or "
        "run 'mosslite archive rebuild' with these\n"
    )


def test_texts_that_are_not_kept_cannot_be_read_again(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE})
    run(*ADD, "--no-text", "old")

    assert run("archive", "rebuild", "a.mosslite", "-l", "ascii").err == (
        "mosslite: archive 'a.mosslite' cannot be rebuilt, as it does not store the text of "
        "'2025/ann.py': remove and add them again, or reuse their tokens with "
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


@pytest.mark.usefixtures("filled")
def test_of_many_related_submissions_the_nearest_are_taken_and_a_warning_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mosslite.terms.queries._LEAST_TAKEN", 1)
    monkeypatch.setattr("mosslite.terms.queries._TAKEN_PER_SHOWN", 1)
    write_files(tmp_path, {"new/zoe.py": QUEUE + "\n".join(PRIMES.split("\n")[:6])})

    found = json.loads(
        run("-q", "-n1", "--no-html", "--json", "-", "--archive", "a.mosslite", "new").out
    )

    assert [each["name"] for each in found["submissions"]] == ["zoe.py", "2025/ann.py"]
    assert found["warnings"] == [
        "1 of the 2 submissions in 'a.mosslite' that share code with the batch were compared: "
        "those with the most in common (-n 0 compares all)"
    ]
