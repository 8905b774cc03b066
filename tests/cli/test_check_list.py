from pathlib import Path

import pytest

from mosslite.cli.check import listing_lines
from mosslite.options import Options
from mosslite.records import Batch, Role, Skipped, SourceFile, Submission, SubmissionMetadata
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, WORDS, write_files
from tests.tables import table


def test_a_listing_shows_what_would_be_read_and_compares_and_writes_nothing(
    run: Run, tmp_path: Path
) -> None:
    files = {"hw/ann/Queue.py": QUEUE, "hw/ann/deep/x.py": WORDS, "hw/bob.py": PRIMES}
    write_files(tmp_path, files | {"hw/empty.py": "", "old/zoe.py": QUEUE, "base.py": WORDS})
    before = sorted(tmp_path.rglob("*"))
    outcome = run("hw", "--prior", "old", "-b", "base.py", "--list")
    first, *lines = outcome.out.splitlines()
    assert first.endswith(" in hw/")
    assert lines == [
        "",
        "base base.py: python, utf-8",
        "current ann",
        "  Queue.py: python, utf-8",
        "  deep/x.py: python, utf-8",
        "current bob.py: python, utf-8",
        "prior zoe.py: python, utf-8",
        "skipped: hw/empty.py is empty",
        "",
        "3 submissions with 4 files would be compared, 1 skipped, 0 ignored",
    ]
    assert (outcome.code, outcome.err) == (0, "")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_listing_needs_no_two_submissions_and_is_not_silenced(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": QUEUE})
    listed = run("a.py", "--list")
    assert listed.code == 0
    assert listed.out.endswith("1 submission with 1 file would be compared, 0 skipped, 0 ignored\n")
    assert run("a.py", "--list", "-q", "--json", "-", "-o", "a.py") == listed


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--json", "x.json"], "--json has no effect"),
        (
            ["-o", "x", "--csv", "x.csv", "--fail-above", "80"],
            "--output, --csv and --fail-above have no effect",
        ),
    ],
)
def test_a_listing_says_which_options_it_has_no_use_for(
    run: Run, tmp_path: Path, options: list[str], told: str
) -> None:
    write_files(tmp_path, {"a.py": QUEUE, "mosslite.toml": 'sarif = "x.sarif"\nshow = 9'})
    listed = run("a.py", "--list")

    outcome = run("a.py", "--list", *options)

    assert listed.err == ""
    assert outcome.err == f"mosslite: nothing is compared, so {told}\n"
    assert outcome.code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.py", "mosslite.toml"]


def test_all_that_is_left_out_is_listed_with_its_reason(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"hw/a.py": QUEUE, "hw/b.py": QUEUE, "hw/.git/x": "", "hw/c.log": "x"})
    write_files(tmp_path, {f"hw/blank{number:02}.py": "" for number in range(23)})
    lines = run("hw", "--list", "--exclude", "*.log").out.splitlines()
    assert [line for line in lines if line.startswith("skipped: ")] == [
        f"skipped: hw/blank{number:02}.py is empty" for number in range(23)
    ]
    assert [line.split()[1] for line in lines if line.startswith("ignored: ")] == [
        "hw/.git/",
        "hw/c.log",
    ]
    assert lines[-1].endswith(", 23 skipped, 2 ignored")


def test_the_summary_counts_what_is_ignored_only_where_something_is(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"hw/a.py": QUEUE, "hw/b.py": QUEUE})
    last = run("hw", "--no-html").out.splitlines()[-1]
    assert last.startswith("2 submissions compared, 0 skipped, 1 pair shares code; ")
    write_files(tmp_path, {"hw/.git/x": ""})
    last = run("hw", "--no-html").out.splitlines()[-1]
    assert last.startswith(
        "2 submissions compared, 0 skipped, 1 ignored (--list shows them), 1 pair shares code; "
    )


@table("told", "shown")
def test_a_listing_says_how_an_encoding_was_told(told: str, shown: str) -> None:
    file = SourceFile("x.py", QUEUE, "cp1252", told)
    batch = Batch((Submission("x.py", Role.CURRENT, (file,)),), (), (), "one file")
    assert list(listing_lines(batch, Options()))[2] == f"current x.py: python, {shown}"


def test_a_listing_tells_what_a_platform_knows_of_a_submission() -> None:
    hand_in = SubmissionMetadata(
        "7", ("Ann", "Bob"), "2026-11-02T10:00:00", "group 3", is_late=True
    )
    submission = Submission("team", Role.CURRENT, (SourceFile("x.py", QUEUE),), hand_in)
    lines = list(listing_lines(Batch((submission,), (), (), "one per team"), Options()))
    assert lines[2:4] == [
        "current team (by Ann and Bob, submitted 2026-11-02T10:00:00, late, label group 3)",
        "  x.py: python, utf-8",
    ]


def test_hostile_names_do_nothing_in_a_listing() -> None:
    name = "\x1b[2J\u202e\n.py"
    file = SourceFile(name, QUEUE)
    batch = Batch(
        submissions=(
            Submission(f"dir{name}", Role.CURRENT, (file, file), SubmissionMetadata(label=name)),
        ),
        base=(file,),
        skipped=(Skipped(name, "is \x1b[0m wrong"),),
        description=name,
        ignored=(Skipped(name, "is hidden"),),
    )
    lines = list(listing_lines(batch, Options()))
    assert all(line.isprintable() for line in lines)
    assert lines[-1] == "1 submission with 2 files would be compared, 1 skipped, 1 ignored"
