import csv
import json
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mosslite
from mosslite.options import Intake, Mark, Options
from mosslite.records import Report, Role, Skipped, SourceFile, SubmissionMetadata
from mosslite.report import ReportMetadata, to_csv, to_json, write_html
from mosslite.report.anonymous import anonymous, nameless_file, nameless_skipped
from tests.builders import LAW
from tests.conftest import Run
from tests.programs import JAVA, PRIMES, QUEUE, QUEUE_RENAMED, TEMPLATE, WORDS, write_files
from tests.reports import told_report
from tests.tables import table

NAMES = ("Zimmermann", "adalovelace", "Łukasz", "王小明", "Quux")
# Works with several files, of a name each, and with all that is remarked on or left out.
CLASS = {
    "class/Zimmermann/zimmermann_queue.py": QUEUE,
    "class/Zimmermann/README.md": "This is by Zimmermann and tells what it does, at some length.",
    "class/adalovelace/adalovelace.py": QUEUE_RENAMED + PRIMES,
    "class/Łukasz/łukasz.java": JAVA,
    "class/essay.Quux": WORDS,
    "class/王小明/empty王小明.py": "",
    "class/王小明/王小明.py": PRIMES + TEMPLATE,
    "old/Quux.py": QUEUE + WORDS,
}
RUN = ("class", "--prior", "old")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("anonymous")
    write_files(folder, CLASS)
    (folder / "class/adalovelace/umlaut.py").write_bytes(b"# Gr\xfc\xdfe\nprint(1)\n")
    return mosslite.check(folder / "class", prior=folder / "old")


def aliases(key: str) -> dict[str, str]:
    """Return the name behind each alias."""
    heading, *rows = csv.reader(key.splitlines())
    assert heading == ["alias", "name"]
    return dict(rows)


# --- what is renamed -----------------------------------------------------------------------------


def test_submissions_are_numbered_and_the_key_tells_who_is_who(report: Report) -> None:
    nameless, key = anonymous(report)

    assert [submission.name for submission in nameless.submissions] == [
        f"Submission {n:03}" for n in range(1, 7)
    ]
    assert list(aliases(key)) == [submission.name for submission in nameless.submissions]
    assert sorted(aliases(key).values()) == sorted(
        submission.name for submission in report.submissions
    )
    roles = [submission.role for submission in nameless.submissions]
    assert roles == [Role.CURRENT] * 5 + [Role.PRIOR]
    assert json.loads(to_json(nameless, created="", version=""))["anonymous"] is True
    assert "anonymous" not in json.loads(to_json(report, created="", version=""))


def test_every_alias_stands_for_the_same_text_as_the_name(report: Report) -> None:
    nameless, key = anonymous(report)
    texts = {
        submission.name: [file.text for file in submission.source.files]
        for submission in report.submissions
    }

    for submission in nameless.submissions:
        name = aliases(key)[submission.name]
        assert [file.text for file in submission.source.files] == texts[name]
        assert [each.file for each in submission.documents] == list(submission.source.files)


def test_files_are_numbered_and_keep_an_ending_that_tells_a_language(report: Report) -> None:
    nameless, key = anonymous(report)

    files = {
        aliases(key)[submission.name]: [file.name for file in submission.source.files]
        for submission in nameless.submissions
    }

    assert files["Łukasz"] == ["file 1.java"]
    assert files["adalovelace"] == ["file 1.py", "file 2.py"]
    assert files["essay.Quux"] == ["file 1"]


def test_numbers_go_by_the_text_and_not_by_the_name(tmp_path: Path) -> None:
    texts = [QUEUE, PRIMES, WORDS, TEMPLATE, JAVA]
    orders = []
    for folder, names in (("one", "abcde"), ("two", "edcba")):
        files = {f"{folder}/{name}.py": text for name, text in zip(names, texts, strict=True)}
        write_files(tmp_path, files)
        nameless, _ = anonymous(mosslite.check(tmp_path / folder))
        orders.append([submission.source.files[0].text for submission in nameless.submissions])

    assert orders[0] == orders[1]


# --- what the pairs tell -------------------------------------------------------------------------


def test_a_pair_keeps_its_numbers_on_the_right_side(report: Report) -> None:
    nameless, key = anonymous(report)
    before = {
        frozenset([(p.left.name, p.left_similarity), (p.right.name, p.right_similarity)])
        for p in report.pairs
    }
    after = {
        frozenset(
            [
                (aliases(key)[p.left.name], p.left_similarity),
                (aliases(key)[p.right.name], p.right_similarity),
            ]
        )
        for p in nameless.pairs
    }

    assert after == before


def test_matches_are_the_same_text_on_the_same_side(report: Report) -> None:
    nameless, key = anonymous(report)
    texts = {submission.name: submission for submission in report.submissions}
    for pair in nameless.pairs:
        for match in pair.matches:
            for submission, place in ((pair.left, match.left), (pair.right, match.right)):
                own = texts[aliases(key)[submission.name]].documents[place.document]
                shown = submission.documents[place.document].file.text
                assert shown == own.file.text
                assert own.file.text[place.start_char : place.stop_char]


def test_the_lower_number_is_on_the_left_by_which_matches_and_blocks_are_ordered(
    report: Report,
) -> None:
    nameless, _ = anonymous(report)

    assert nameless.pairs
    for pair in nameless.pairs:
        assert pair.left.name < pair.right.name
        starts = [(each.left.document, each.left.start_char) for each in pair.matches]
        firsts = list(dict.fromkeys(each.block for each in pair.matches))
        assert starts == sorted(starts)
        assert firsts == list(range(1, len(firsts) + 1))


def test_pairs_of_one_score_are_in_order_of_the_numbers(tmp_path: Path) -> None:
    write_files(tmp_path, {f"class/{name}.py": QUEUE for name in "abcd"})

    nameless, _ = anonymous(mosslite.check(tmp_path / "class"))

    names = [(pair.left.name, pair.right.name) for pair in nameless.pairs]
    assert len(names) == 6
    assert names == sorted(names)


# --- marks ---------------------------------------------------------------------------------------


def mark(left: str, right: str) -> Mark:
    return Mark(left, right, "00", "dismissed", "Ada's group", "by Ada", "2026-11-21T09:30:00Z")


def test_marks_lose_names_and_whatever_was_written_about_them(report: Report) -> None:
    marks = (mark("Zimmermann", "adalovelace"), mark("Zimmermann", "gone"))

    nameless, key = anonymous(replace(report, options=Options(review=marks)))

    (kept,) = nameless.options.review
    assert {aliases(key)[kept.left], aliases(key)[kept.right]} == {"Zimmermann", "adalovelace"}
    assert (kept.state, kept.code, kept.reason, kept.note) == ("dismissed", "00", "", "")


def test_marks_made_on_a_report_without_names_are_carried_over(report: Report) -> None:
    marks = (mark("Submission 001", "Submission 002"),)

    nameless, _ = anonymous(replace(report, options=Options(review=marks)))

    (kept,) = nameless.options.review
    assert (kept.left, kept.right) == ("Submission 001", "Submission 002")


# --- that no name is left ------------------------------------------------------------------------


def test_what_is_said_of_a_batch_stays_but_for_paths_and_names(report: Report) -> None:
    nameless, _ = anonymous(report)

    assert nameless.skipped == (
        Skipped("path 1.py", "is empty"),
        Skipped("path 2.md", "is not source code"),
    )
    alone = "no other submission is in its language, so copies can be missed: (names left out)"
    assert alone in nameless.warnings
    assert len(nameless.warnings) == len(report.warnings)
    assert nameless.description == (
        "5 submissions, 1 prior, names replaced by numbers; the text of the sources may still "
        "contain names"
    )


def test_a_run_leaves_no_name_anywhere_but_in_the_key(run: Run, tmp_path: Path) -> None:
    quiet = {name: text for name, text in CLASS.items() if "README" not in name}
    write_files(tmp_path, quiet)

    outcome = run(*RUN, "--anonymize", "key.csv", "--json", "r.json", "--csv", "r.csv")

    key = (tmp_path / "key.csv").read_text(encoding="utf-8")
    written = [path for path in (tmp_path / "mosslite-report").rglob("*") if path.is_file()]
    texts = [path.read_text(encoding="utf-8") for path in written]
    texts += [str(path.relative_to(tmp_path)) for path in written]
    texts += [(tmp_path / name).read_text(encoding="utf-8") for name in ("r.json", "r.csv")]
    texts += [outcome.out, outcome.err]
    assert outcome.code == 0
    for name in NAMES:
        spellings = {name.casefold(), json.dumps(name).strip('"').casefold()}
        assert [t for t in texts if any(each in t.casefold() for each in spellings)] == []
        assert name in key


# --- what intake was told ------------------------------------------------------------------------


# In every place of a report that can hold a name, and neither in its texts nor in its words.
MARKER = "Zzqmarker"


def written_texts(report: Report, folder: Path) -> list[str]:
    """Return all that is written of a report, and the names of its files."""
    write_html(report, folder, ReportMetadata("2026-11-21", "0.1.0"))
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return [
        *(path.read_text(encoding="utf-8") for path in paths),
        *(path.relative_to(folder).as_posix() for path in paths),
        to_json(report, created="2026-11-21", version="0.1.0"),
        to_csv(report),
    ]


def test_no_name_that_intake_was_told_is_left_in_any_output(tmp_path: Path) -> None:
    report = told_report(MARKER)
    nameless, key = anonymous(report)
    marked, nameless_texts = (
        [text.casefold() for text in written_texts(each, tmp_path / name)]
        for each, name in ((report, "a"), (nameless, "b"))
    )

    assert sum(MARKER.casefold() in text for text in marked) > 6
    assert [text for text in nameless_texts if MARKER.casefold() in text] == []
    assert MARKER in key
    # Nor is anything left of who handed in what and when.
    assert {each.source.hand_in for each in nameless.submissions} == {SubmissionMetadata()}
    assert "2026-11-22" not in "".join(nameless_texts)


def test_what_is_ignored_is_numbered_like_what_is_skipped() -> None:
    nameless, _ = anonymous(told_report(MARKER))

    assert nameless.skipped == (
        Skipped("path 1", "is empty"),
        Skipped("path 2.py", "is the same file as ..."),
    )
    assert nameless.ignored == (
        Skipped("path 1", "is hidden"),
        Skipped("path 2.py", "reason withheld, as it contains a name"),
    )


def test_a_reason_holds_no_name_of_a_file_that_was_left_out_itself() -> None:
    ignored = (
        Skipped("hw/zoe_1_main.py", "is an earlier upload of zoe_1_main-2.py"),
        Skipped("hw/zoe_1_main-2.py", "contains build output or third-party code"),
        Skipped("hw/b/build/64/x1", "is larger than 64 bytes"),
    )
    nameless, _ = anonymous(replace(told_report("ann"), ignored=ignored))

    assert [each.reason for each in nameless.ignored] == [
        "contains build output or third-party code",
        "is larger than 64 bytes",
        "reason withheld, as it contains a name",
    ]


def test_patterns_are_left_out_and_other_options_stay() -> None:
    report = told_report(MARKER)
    nameless, _ = anonymous(report)

    assert nameless.options.intake == Intake(all_attempts=True)
    assert json.loads(to_json(nameless, created="", version=""))["options"]["attempts"] == "all"


def test_parts_of_a_file_keep_their_numbers_and_their_languages() -> None:
    nameless, _ = anonymous(told_report(MARKER))
    files = {
        file.name: file for submission in nameless.submissions for file in submission.source.files
    }

    assert set(files) == {"file 1.ipynb", "file 1.html [javascript]"}
    notebook = files["file 1.ipynb"]
    assert [part.cell for part in notebook.parts] == [1, 2]
    assert (notebook.encoding, notebook.encoding_by) == ("cp1251", "guess")


def test_characters_in_disguise_are_still_told() -> None:
    nameless, _ = anonymous(told_report(MARKER))
    found = [
        document.disguises
        for submission in nameless.submissions
        for document in submission.documents
    ]

    assert sorted(len(each) for each in found) == [0, 2]


@table("name", "alias")
def test_the_end_of_a_file_name_stays_if_it_tells_a_language(name: str, alias: str) -> None:
    assert nameless_file(SourceFile(name, ""), 1) == SourceFile(alias, "")


@table("reason", "kept")
def test_a_reason_is_kept_but_for_names(reason: str, kept: str) -> None:
    (skipped,) = nameless_skipped([Skipped("hw/ann", reason)], {"ann": {"ann", "ann-2.py"}}, {})

    assert skipped == Skipped("path 1", kept)


@pytest.mark.slow
@given(st.text(min_size=1), st.text(), st.text())
@LAW
def test_no_reason_holds_a_quoted_name(name: str, before: str, after: str) -> None:
    marked = f"{MARKER}{name}"
    reason = f"{before.replace(chr(39), '').replace(chr(34), '')} {marked!r} {after}"
    (skipped,) = nameless_skipped([Skipped("hw/ann", reason)], {}, {})

    assert MARKER not in skipped.reason


# --- where the key goes --------------------------------------------------------------------------


@pytest.fixture
def pair_of_files(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": QUEUE, "b.py": QUEUE})


@pytest.mark.usefixtures("pair_of_files")
@pytest.mark.parametrize(
    "place", ["mosslite-report/key.csv", "mosslite-report", "./mosslite-report/x/k"]
)
def test_the_key_is_never_put_inside_the_report(run: Run, tmp_path: Path, place: str) -> None:
    outcome = run("a.py", "b.py", "--anonymize", place)

    assert outcome.code == 2
    assert "would be inside the report 'mosslite-report'" in outcome.err
    assert not (tmp_path / "mosslite-report").exists()


@pytest.mark.usefixtures("pair_of_files")
def test_the_key_is_not_for_standard_output(run: Run) -> None:
    outcome = run("a.py", "b.py", "--no-html", "--anonymize", "-")

    assert (outcome.code, outcome.out) == (2, "")
    assert "the key of --anonymize cannot go to standard output" in outcome.err


@pytest.mark.usefixtures("pair_of_files")
def test_a_file_that_is_not_a_key_is_not_written_over(run: Run, tmp_path: Path) -> None:
    outcome = run("a.py", "b.py", "--no-html", "--anonymize", "a.py")

    assert outcome.code == 2
    assert "'a.py' exists and is not a result of --anonymize" in outcome.err
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == QUEUE


@pytest.mark.usefixtures("pair_of_files")
def test_an_old_key_is_written_over_with_the_same_aliases(run: Run, tmp_path: Path) -> None:
    keys = []
    for _ in range(2):
        assert run("a.py", "b.py", "--no-html", "--anonymize", "key.csv").code == 0
        keys.append((tmp_path / "key.csv").read_text(encoding="utf-8"))

    assert keys[0] == keys[1]
    assert sorted(aliases(keys[0]).values()) == ["a.py", "b.py"]


@pytest.mark.usefixtures("pair_of_files")
@pytest.mark.skipif(sys.platform == "win32", reason="a file has no such permissions there")
@pytest.mark.parametrize("mode", [0o600, 0o400, 0o664])
def test_a_key_keeps_its_permissions(run: Run, tmp_path: Path, mode: int) -> None:
    for _ in range(2):
        assert run("a.py", "b.py", "--no-html", "--anonymize", "key.csv").code == 0
        (tmp_path / "key.csv").chmod(mode)

    assert run("a.py", "b.py", "--no-html", "--anonymize", "key.csv").code == 0
    assert stat.S_IMODE((tmp_path / "key.csv").stat().st_mode) == mode


def test_a_name_that_looks_like_a_formula_is_not_a_formula_in_the_key(tmp_path: Path) -> None:
    write_files(tmp_path, {"class/=1+1.py": QUEUE, "class/b.py": PRIMES})

    _, key = anonymous(mosslite.check(tmp_path / "class"))

    assert "'=1+1.py" in aliases(key).values()
