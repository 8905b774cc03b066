import csv
import json
import os
import shlex
import sys
from pathlib import Path

import pytest

import mosslite
from mosslite.languages import MOSS_LANGUAGES
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS
from tests.commands import BOTH, SUMMARY, refusal, subprocess_run
from tests.conftest import Outcome, Run
from tests.programs import JAVA, PRIMES, QUEUE, WORDS, write_files
from tests.tables import table

HINT = "; see mosslite check --help\n"


# Commands and options


@pytest.mark.usefixtures("copies")
def test_arguments_alone_mean_check(run: Run) -> None:
    expected = Outcome(0, SUMMARY, "")
    assert run(*BOTH) == expected
    assert run("check", *BOTH) == expected
    assert run("--no-html", "a.py", "-n", "5", "b.py") == expected


def test_a_moss_command_line_submissions(run: Run, tmp_path: Path) -> None:
    stub = "class Start { int begin(int[] given) { return given.length > 0 ? given[0] : -1; } }\n"
    files = {f"{who}/{name}.java": JAVA + stub for who in ("ann", "bob") for name in ("A", "B")}
    write_files(tmp_path, files | {"cy/C.java": stub, "base.java": stub})
    outcome = run(
        *shlex.split("-x -l java -m 10 -b base.java -c 'Sheet 1' -d"), *files, "cy/C.java"
    )
    first, *_, last = outcome.out.splitlines()
    assert first == "3 submissions, one per folder of the files given"
    assert "ann   bob    1.000  100 %  100 %     164" in outcome.out
    assert last.startswith("2 submissions compared, 0 skipped, 1 pair shares code; ")
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.usefixtures("copies")
def test_values_may_be_attached_to_their_letters(run: Run) -> None:
    outcome = run("-lcc", "-m10", "-n3", "-cHomework 3", "-k5", "-t9", *BOTH, "--json", "-", "-q")
    options = json.loads(outcome.out)["options"]
    assert (options["language"], options["max_sharing"], options["show"]) == ("cc", 10, 3)
    assert (options["comment"], options["noise"]["code"]) == ("Homework 3", 5)
    assert options["guarantee"]["code"] == 9


def test_names_of_commands_and_of_options_can_be_given_as_paths(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"check": QUEUE, "languages": QUEUE, "-d": QUEUE, "--json": QUEUE})
    outcome = run("--no-html", "-lpython", "--", "check", "languages", "-d", "--json")
    assert outcome.out.splitlines()[3].split()[:2] == ["--json", "-d"]
    assert outcome.out.splitlines()[-1].startswith("4 submissions compared, 0 skipped, 6 pairs")
    assert run("./check", "./languages", "--no-html", "-lpython").code == 0


def test_without_arguments_the_help_is_shown_and_it_counts_as_wrong_use(run: Run) -> None:
    outcome = run()
    assert outcome.out.startswith("Usage: mosslite [OPTIONS] COMMAND [ARGS]...\n")
    assert (outcome.code, outcome.err) == (2, "")
    assert run("-h") == run("--help") == Outcome(0, outcome.out, "")


def test_the_help_takes_defaults_from_the_code_and_keeps_its_examples_apart(run: Run) -> None:
    outcome = run("check", "--help")
    text = " ".join(outcome.out.split())
    assert outcome.code == 0
    assert "comes first. [default: all above the threshold, from 250 to 2,000]" in text
    assert f"[default: {CODE_DEFAULTS.noise} for code, {PROSE_DEFAULTS.noise} for prose]" in text
    assert f"{CODE_DEFAULTS.guarantee} for code, {PROSE_DEFAULTS.guarantee} for prose]" in text
    assert "\n    mosslite check submissions/ -b template.py --open\n" in outcome.out


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version") == Outcome(0, f"mosslite {mosslite.__version__}\n", "")


def test_languages_lists_every_language_of_moss(run: Run) -> None:
    outcome = run("languages")
    listed = [line.split()[0] for line in outcome.out.split("\n\n")[0].splitlines()[1:]]
    assert listed == sorted(MOSS_LANGUAGES)
    assert (outcome.code, outcome.err) == (0, "")


def test_the_module_and_the_package_are_the_same_command(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": QUEUE, "b.py": QUEUE})
    done = subprocess_run(*BOTH, cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, SUMMARY, "")


@pytest.mark.usefixtures("copies")
def test_the_time_of_the_run_can_be_set(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795257000")
    created = json.loads(run(*BOTH, "-q", "--json", "-").out)["created"]
    assert created == "2026-11-21T10:30:00+00:00"
    for value in ("yesterday", "1e9", "9" * 30):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", value)
        assert run(*BOTH) == refusal(
            f"SOURCE_DATE_EPOCH is {value!r}: it must be a number of seconds since 1970"
        )


# Wrong use: one line that says what is wrong


@pytest.mark.usefixtures("copies")
@table("options", "message")
def test_a_wrong_option_is_explained(run: Run, options: str, message: str) -> None:
    assert run(*BOTH, *shlex.split(options)) == refusal(message)


@pytest.mark.usefixtures("copies")
@table("arguments", "named")
def test_what_click_refuses_is_one_line_too(run: Run, arguments: str, named: str) -> None:
    outcome = run(*shlex.split(arguments))
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("mosslite: ")
    assert named in outcome.err
    assert outcome.err.endswith(
        HINT.replace("check", "languages" if "more" in arguments else "check")
    )
    assert outcome.err.count("\n") == 1


@pytest.mark.usefixtures("copies")
def test_too_few_submissions_are_explained_by_what_was_skipped(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    least = "at least 2 are needed"
    assert run("a.py") == refusal(f"nothing to compare: only 1 submission in 'a.py', {least}")
    assert run("a.py", "a.py", "./a.py") == refusal(
        "nothing to compare: only 1 submission in the 3 paths given, "
        f"{least}; 2 skipped: 2 'a.py': given twice"
    )
    assert run("a.py", "gone.py") == refusal(
        "nothing to compare: only 1 submission in the 2 paths given, "
        f"{least}; 1 skipped: 'gone.py' does not exist"
    )
    Path("blank.py").write_text("\n")
    assert run("blank.py", "gone.py") == refusal(
        f"nothing to compare: no submission in the 2 paths given, {least}; "
        "2 skipped: 'blank.py' is empty; 'gone.py' does not exist"
    )
    assert run("empty") == refusal("nothing to compare: no files in 'empty'")


@pytest.mark.usefixtures("copies")
def test_a_bad_file_among_good_ones_is_skipped_in_every_output(run: Run, tmp_path: Path) -> None:
    bad = {"blank.py": b" \n", "core": b"\0", "odd.pdf": b"%PDF-1.7\n\0"}
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "link.py").symlink_to("gone")
    outcome = run("a.py", "b.py", *bad, "link.py", "none.py", "--json", "x.json", "--csv", "x.csv")
    reasons = {
        "blank.py": "is empty",
        "core": "is binary",
        "link.py": "is a symbolic link, which is not followed",
        "none.py": "does not exist",
        "odd.pdf": "is a PDF, which is not supported: submit plain text",
    }
    assert [line for line in outcome.out.splitlines() if line.startswith("skipped: ")] == [
        f"skipped: {path} {reason}" for path, reason in reasons.items()
    ]
    assert ", 5 skipped, " in outcome.out.splitlines()[-1]
    skipped = json.loads((tmp_path / "x.json").read_text())["skipped"]
    assert {each["path"]: each["reason"] for each in skipped} == reasons
    rows = list(csv.DictReader((tmp_path / "x.csv").read_text().splitlines()))
    assert {row["left"]: row["skipped"] for row in rows if row["skipped"]} == reasons
    page = (tmp_path / "mosslite-report" / "index.html").read_text(encoding="utf-8")
    assert all(reason in page for reason in reasons.values())
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use stays on Windows")
def test_a_current_folder_that_is_gone_is_reported_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert run("check", ".") == refusal(
        "cannot access the current folder: no such file or directory: change to another folder"
    )


# Exit codes


@pytest.mark.usefixtures("copies")
def test_a_score_at_or_above_the_limit_exits_with_1(run: Run) -> None:
    *lines, last = SUMMARY.splitlines()
    failing = "--fail-above {}: 1 pair at or above score {}"
    for percent, score in (("100", "1"), ("1.8", "0.018"), ("0", "0")):
        told = "\n".join([*lines, failing.format(percent, score), last, ""])
        assert run(*BOTH, "--fail-above", percent) == Outcome(1, told, "")
    assert run("a.py", "c.py", "--no-html", "--fail-above", "0").code == 0


def test_where_not_all_pairs_are_listed_there_may_be_more_at_the_limit(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {f"{name}.py": QUEUE for name in "abc"})
    files = ("a.py", "b.py", "c.py", "--no-html", "--fail-above", "80")
    assert "--fail-above 80: at least 2 pairs at or above score 0.8\n" in run(*files, "-n", "2").out
    assert "--fail-above 80: 3 pairs at or above score 0.8\n" in run(*files).out


def test_a_limit_that_equals_the_score_counts_and_one_above_does_not(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"a.py": QUEUE + PRIMES, "b.py": QUEUE + WORDS})
    (pair,) = json.loads(run(*BOTH, "-q", "--json", "-").out)["pairs"]
    assert 0 < pair["score"] < 1
    percent = pair["score"] * 100
    assert run(*BOTH, "--fail-above", repr(percent)).code == 1
    assert run(*BOTH, "--fail-above", repr(percent - 0.001)).code == 1
    assert run(*BOTH, "--fail-above", repr(percent + 0.001)).code == 0


# What the terminal shows


def test_the_terminal_shows_two_pairs_of_a_group_and_skipped_files_by_their_reasons(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {f"hw/{number}.py": QUEUE for number in range(1, 7)})
    write_files(tmp_path, {f"hw/blank{number:02}.py": "" for number in range(23)})
    lines = run("hw", "--no-html").out.splitlines()
    assert lines[0] == "6 submissions, one per file in hw/"
    absent = "; ".join(f"blank{number:02}.py is empty" for number in range(20))
    assert lines.pop(1) == f"23 students not compared: {absent}; and 3 more"
    assert lines[1] == ""
    assert " ".join(lines[2].split()) == "left right score left right tokens lines longest"
    assert lines[3:5] == [line for line in lines if " 100 % " in line]
    assert lines[5:7] == ["(at most two pairs of each group)", ""]
    assert lines[7].startswith("Too few submissions to suggest a threshold")
    assert lines[8].startswith("warning: most submissions share these passages")
    assert lines[9:-1] == [
        "skipped: 23 paths: empty, such as hw/blank00.py, hw/blank01.py, hw/blank02.py",
    ]
    assert lines[-1] == (
        "6 submissions compared, 23 skipped, 15 pairs share code; "
        "similarity is evidence, not a verdict"
    )


def test_the_last_line_says_when_there_may_be_more_pairs(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {f"{name}.py": QUEUE for name in "abc"})
    found = [
        run("*.py", "--no-html", "-n", show).out.splitlines()[-1].split(", ")[2].rpartition("; ")[0]
        for show in ("2", "3", "4", "0")
    ]
    cut = "2 pairs listed; -n 0 lists all that share code"
    assert found == [cut, *["3 pairs share code"] * 3]


HOSTILE = (
    "two\nlines.py", "\x1b[2J\x1b]0;owned\x07.py", "\u202eyp.exe.py", "=cmd|' ' !A0.py",
    '"quotes"\'.py', "-rf.py", "zero\u200bwidth.py", "日本語.py", "🦊.py", f"{'long' * 60}.py",
    "tab\tand\rreturn.py", "<script>alert(1)<!--.py", "back\\slash.py", "per%s{0}.py",
)  # fmt: skip


@pytest.mark.parametrize("folder", [False, True])
def test_hostile_names_do_nothing_anywhere(run: Run, tmp_path: Path, folder: bool) -> None:
    files = dict.fromkeys(HOSTILE, QUEUE) | {"zz\nempty\x1b.py": ""}
    write_files(tmp_path / "hw", files)
    raw = os.fsdecode(os.fsencode(tmp_path / "hw") + b"/\xff\xfe.py")
    Path(raw).write_text(QUEUE, encoding="utf-8")
    arguments = ["hw"] if folder else sorted(f"hw/{name}" for name in (*files, Path(raw).name))
    outcome = run(*arguments, "--json", "x.json", "--csv", "x.csv")
    assert (outcome.code, outcome.err) == (0, "")
    assert not [each for each in outcome.out.replace("\n", "") if not each.isprintable()]
    assert outcome.out.splitlines()[-1].startswith("15 submissions compared, 1 skipped, 105 pairs")
    shown = [f"hw/{name}" for name in HOSTILE] if not folder else list(HOSTILE)
    content = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    listed = [each["name"] for each in content["submissions"]]
    assert set(shown) < set(listed)
    assert [name for name in listed if "\\xff\\xfe" in name]
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, strict=True))
    assert {len(row) for row in rows} == {10}
    assert len(rows) == 1 + 105 + 1
    assert not [cell for row in rows for cell in row[:2] if cell[:1] in tuple("=+-@\t\r\n")]
    pages = sorted((tmp_path / "mosslite-report" / "pairs").iterdir())
    assert len(pages) == 105
    assert "<script>alert" not in (tmp_path / "mosslite-report" / "index.html").read_text("utf-8")


@pytest.mark.parametrize("options", [[], ["-d"]])
def test_a_name_that_no_file_can_have_is_not_a_file(run: Run, options: list[str]) -> None:
    outcome = run(*options, "a" * 300)

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("mosslite: ")
    assert outcome.err.count("\n") == 1
