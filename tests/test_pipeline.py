import itertools
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import mosslite
from mosslite import MossliteError, Options, Pair, Report
from mosslite.options import Intake
from mosslite.records import Role
from tests.conftest import Run
from tests.programs import JAVA, PRIMES, QUEUE, QUEUE_RENAMED, TEMPLATE, WORDS, write_files

pytestmark = pytest.mark.usefixtures("in_empty_folder")


CASES = Path(__file__).with_name("cases")
ALL = (JAVA, PRIMES, QUEUE, TEMPLATE, WORDS)

COPY_OF_FUNCTIONS = re.compile(r"(?m)^def (first|second)\(\):\n    pass\n")


def check(
    files: dict[str, str],
    *paths: str,
    base: str = "",
    prior: str = "",
    reference: str = "",
    options: Options | None = None,
) -> Report:
    """Check files; the paths of other roles are separated by blanks, and all others are current."""
    write_files(Path(), files)
    others = [given.split() for given in (base, prior, reference)]
    current = paths or sorted(set(files) - set(itertools.chain(*others)))
    return mosslite.check(
        current, base=others[0], prior=others[1], reference=others[2], options=options
    )


def names(report: Report) -> list[tuple[str, str]]:
    return [(pair.left.name, pair.right.name) for pair in report.pairs]


def only_pair(report: Report) -> Pair:
    (pair,) = report.pairs
    return pair


def message_of(files: dict[str, str], *paths: str, options: Options | None = None) -> str:
    with pytest.raises(MossliteError) as caught:
        check(files, *paths, options=options)
    return str(caught.value)


def shares(pair: Pair) -> tuple[float, float, float, float]:
    return pair.score, pair.similarity, pair.left_similarity, pair.right_similarity


def similarities(pair: Pair) -> tuple[float, float, float]:
    return pair.similarity, pair.left_similarity, pair.right_similarity


def lines_of(pair: Pair) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return [
        (
            (match.left.first_line, match.left.last_line),
            (match.right.first_line, match.right.last_line),
        )
        for match in pair.matches
    ]


def filled_in(first: str, second: str) -> str:
    """Return the template with the bodies of its two functions written."""
    bodies = iter([first, second])
    return COPY_OF_FUNCTIONS.sub(
        lambda found: f"def {found[1]}():\n{indented(next(bodies))}", TEMPLATE
    )


def indented(text: str) -> str:
    return "".join(f"    {line}" if line.strip() else line for line in text.splitlines(True))


# Identical, renamed, and nothing shared


@pytest.mark.parametrize("text", ALL)
def test_identical_files_read_exactly_1(text: str) -> None:
    suffix = ".java" if text == JAVA else ".py"
    pair = only_pair(check({f"a{suffix}": text, f"b{suffix}": text}))
    assert shares(pair) == (1, 1, 1, 1)
    assert pair.matched_tokens == pair.longest_match == len(pair.left.comparable)
    assert pair.matched_tokens == sum(match.tokens for match in pair.matches)


def test_a_renamed_copy_is_similar_by_exactly_1() -> None:
    pair = only_pair(check({"a.py": QUEUE, "b.py": QUEUE_RENAMED}))
    assert similarities(pair) == (1, 1, 1)
    assert len(pair.matches) == 1


def test_a_renamed_copy_scores_below_an_identical_one_and_above_an_honest_pair() -> None:
    files = {
        "copy.py": QUEUE_RENAMED,
        "honest.py": TEMPLATE + PRIMES,
        "other.py": TEMPLATE + WORDS,
        "queue.py": QUEUE,
        "same.py": QUEUE,
    }
    identical, renamed, again, honest = check(files).pairs
    assert (identical.left.name, identical.right.name) == ("queue.py", "same.py")
    assert {pair.left.name for pair in (renamed, again)} == {"copy.py"}
    assert (honest.left.name, honest.right.name) == ("honest.py", "other.py")
    assert identical.score == 1 > renamed.score == again.score > 0.75 > honest.score + 0.2


def test_a_file_among_others_is_compared_with_all_of_them() -> None:
    files = {f"{name}.py": QUEUE for name in "abc"} | {"z.py": PRIMES}
    report = check(files)
    assert names(report) == [("a.py", "b.py"), ("a.py", "c.py"), ("b.py", "c.py")]
    assert {pair.similarity for pair in report.pairs} == {1.0}


def test_prose_is_compared_by_letters_and_digits() -> None:
    essay = "It was the best of times, it was the worst of times; it was the age of wisdom."
    other = "Call me Ishmael. Some years ago, never mind how long precisely, I went to sea."
    shouted = essay.upper().replace(" ", "\n").replace(",", " -- ")
    report = check({"a.txt": essay, "b.txt": shouted, "c.txt": other})
    assert shares(only_pair(report)) == (1, 1, 1, 1)


# Base code


def test_half_template_and_half_copy_reads_as_the_copy_alone() -> None:
    files = {
        "a.py": TEMPLATE + QUEUE,
        "b.py": QUEUE_RENAMED + TEMPLATE,
        "stub.py": TEMPLATE,
    }
    pair = only_pair(check(files, base="stub.py"))
    alone = only_pair(check({"a.py": QUEUE, "b.py": QUEUE_RENAMED}))
    assert similarities(pair) == (1, 1, 1)
    assert pair.score == pytest.approx(alone.score, abs=0.01)
    assert shares(only_pair(check(files | {"b.py": QUEUE + TEMPLATE}, base="stub.py"))) == (
        (1, 1, 1, 1)
    )


def test_files_that_share_only_the_template_are_no_pair() -> None:
    files = {"a.py": TEMPLATE + QUEUE, "b.py": TEMPLATE + WORDS, "stub.py": TEMPLATE}
    assert names(check(files, "a.py", "b.py")) == [("a.py", "b.py")]
    assert check(files, base="stub.py").pairs == ()


def test_short_functions_of_the_template_that_were_filled_in_do_not_count() -> None:
    files = {
        "copy.py": filled_in(PRIMES, WORDS),
        "honest.py": filled_in(QUEUE, "return None\n"),
        "original.py": filled_in(PRIMES, WORDS),
        "stub.py": TEMPLATE,
    }
    pair = only_pair(check(files, base="stub.py"))
    assert (pair.left.name, pair.right.name) == ("copy.py", "original.py")
    assert shares(pair) == (1, 1, 1, 1)
    own = check({"p.py": PRIMES, "w.py": WORDS}).submissions
    # The head of a function that stands apart, and the ends of two blocks, are too short to be
    # distinguished from chance.
    head = 5 + 2
    assert pair.matched_tokens == sum(each.tokens for each in own) + head


def test_code_copied_around_a_piece_of_the_template_reads_exactly_1() -> None:
    middle = QUEUE.index("    def take")
    files = {
        "a.py": QUEUE[:middle] + indented(TEMPLATE) + QUEUE[middle:],
        "b.py": QUEUE,
        "stub.py": TEMPLATE,
    }
    assert shares(only_pair(check(files, base="stub.py"))) == (1, 1, 1, 1)


def test_a_submission_of_nothing_but_template_matches_nothing_and_is_named() -> None:
    files = {"a.py": TEMPLATE, "b.py": TEMPLATE, "c.py": TEMPLATE + QUEUE, "stub.py": TEMPLATE}
    report = check(files, base="stub.py")
    assert report.pairs == ()
    assert report.warnings == (
        "most of 2 of 3 submissions is excluded; check that you handed this out: stub.py",
    )
    assert {each.name: each.reason for each in report.not_compared} == dict.fromkeys(
        ["a.py", "b.py"], "is almost entirely boilerplate"
    )


def test_base_code_given_also_as_a_submission_is_none() -> None:
    report = check(
        {"hw/a.py": TEMPLATE + QUEUE, "hw/b.py": TEMPLATE + QUEUE, "hw/stub.py": TEMPLATE},
        "hw", base="hw/stub.py",
    )  # fmt: skip
    assert [submission.name for submission in report.submissions] == ["a.py", "b.py"]
    assert [(each.path, each.reason) for each in report.skipped] == [
        ("hw/stub.py", "is already part of the base code")
    ]
    assert shares(only_pair(report)) == (1, 1, 1, 1)


def test_a_template_in_several_files_is_left_out_of_every_file() -> None:
    parts = {"given/read.py": TEMPLATE, "given/lib/words.py": WORDS}
    files = {"a.py": TEMPLATE + QUEUE + WORDS, "b.py": WORDS + QUEUE_RENAMED + TEMPLATE}
    pair = only_pair(check(parts | files, "a.py", "b.py", base="given"))
    assert similarities(pair) == (1, 1, 1)
    assert pair.matched_tokens == len(
        check({"a.py": QUEUE, "b.py": PRIMES}).submissions[0].comparable
    )


def test_base_code_shorter_than_the_noise_threshold_is_remarked() -> None:
    report = check({"a.py": QUEUE, "b.py": WORDS, "stub.py": "x = 1\n"}, base="stub.py")
    assert report.warnings == (
        "base code shorter than the noise threshold, so only equal files are excluded: stub.py",
    )


# Submissions of several files


def test_a_helper_file_copied_between_folders_is_found_in_it() -> None:
    files = {
        "hw/ann/main.py": PRIMES,
        "hw/ann/util/queue.py": QUEUE,
        "hw/bob/a_line.py": QUEUE_RENAMED,
        "hw/bob/main.py": WORDS,
    }
    pair = only_pair(check(files, "hw"))
    (match,) = pair.matches
    assert pair.left.documents[match.left.document].file.name == "util/queue.py"
    assert pair.right.documents[match.right.document].file.name == "a_line.py"
    assert lines_of(pair) == [((1, 16), (2, 14))]
    assert pair.left_similarity == match.tokens / len(pair.left.comparable)
    assert pair.right_similarity == match.tokens / len(pair.right.comparable)


def test_files_of_one_submission_are_not_compared_with_each_other() -> None:
    report = check({"hw/ann/1.py": QUEUE, "hw/ann/2.py": QUEUE, "hw/bob/1.py": PRIMES}, "hw")
    assert report.pairs == ()


def test_a_match_does_not_run_across_two_files() -> None:
    files = {"hw/ann/1.py": QUEUE, "hw/ann/2.py": PRIMES, "hw/bob/all.py": QUEUE + PRIMES}
    pair = only_pair(check(files, "hw"))
    assert [match.left.document for match in pair.matches] == [0, 1]
    assert shares(pair)[1:] == (1, 1, 1)


# Lines


def test_line_ranges_are_those_of_the_copied_code() -> None:
    files = {
        "a.py": f"\n\n{PRIMES}# a remark\n{QUEUE}",
        "b.py": f"{QUEUE}{WORDS}\n\n{PRIMES}".replace("\n", "\r\n"),
    }
    pair = only_pair(check(files))
    assert lines_of(pair) == [((3, 10), (26, 33)), ((12, 27), (1, 16))]
    assert pair.matched_lines == 8 + 12


def test_a_match_ends_with_the_last_line_of_a_string_of_several_lines() -> None:
    text = f'{WORDS}note = """one\ntwo\nthree"""\n'
    pair = only_pair(check({"a.py": text, "b.py": text}))
    assert lines_of(pair) == [((1, 10), (1, 10))]


# Roles


def test_prior_and_reference_work_is_compared_with_current_work_alone() -> None:
    files = {
        "hw/ann.py": QUEUE,
        "2024/bob.py": QUEUE,
        "2025/ann.py": QUEUE_RENAMED,
        "2025/eve.py": PRIMES,
        "2024/eve.py": PRIMES,
        "web/answer.py": QUEUE,
        "web/other.py": PRIMES,
    }
    report = check(files, "hw", prior="2024 2025", reference="web", options=Options(show=0))
    assert names(report) == [
        ("ann.py", "answer.py"),
        ("ann.py", "bob.py"),
        ("ann.py", "2025/ann.py"),
    ]
    assert {(pair.left.role, pair.right.role) for pair in report.pairs} == {
        (Role.CURRENT, Role.PRIOR),
        (Role.CURRENT, Role.REFERENCE),
    }


def test_one_current_submission_is_enough_beside_others() -> None:
    files = {"ann.py": QUEUE, "old.py": QUEUE}
    report = check(files, prior="old.py")
    assert names(report) == [("ann.py", "old.py")]
    assert report.description == "1 submission, one per file given, 1 prior"


# How much is shown and what counts


def test_pairs_are_in_order_of_score_and_then_of_names() -> None:
    mixed = QUEUE.replace("    def take", "    def rest(self):\n        return 1\n\n    def take")
    files = {"a.py": mixed, "b.py": PRIMES + WORDS, "c.py": QUEUE, "d.py": QUEUE, "e.py": PRIMES}
    report = check(files, options=Options(show=0))
    order = [(-pair.score, pair.left.name, pair.right.name) for pair in report.pairs]
    assert order == sorted(order)
    assert names(report)[0] == ("c.py", "d.py")
    assert set(names(report)[1:]) == {("a.py", "c.py"), ("a.py", "d.py"), ("b.py", "e.py")}


def test_runs_shorter_than_the_noise_threshold_do_not_match_and_the_guarantee_does() -> None:
    files = {"a.py": QUEUE, "b.py": QUEUE_RENAMED}
    tokens = only_pair(check(files)).matched_tokens
    at_most = check(files, options=Options(noise=tokens, guarantee=tokens))
    assert only_pair(at_most).matched_tokens == tokens
    other = {"b.py": f"{QUEUE_RENAMED}print(1)\n"}
    too_long = check(files | other, options=Options(noise=2 * tokens, guarantee=2 * tokens))
    assert too_long.pairs == ()
    assert too_long.warnings == (
        "shorter than the noise threshold, so only identical submissions are found: a.py, b.py",
    )


def test_code_in_more_than_m_submissions_is_left_out_and_counted() -> None:
    files = {f"{name}.py": TEMPLATE + QUEUE for name in "ab"}
    files |= {f"{name}.py": TEMPLATE + text for name, text in (("c", PRIMES), ("d", WORDS))}
    report = check(files, options=Options(max_sharing=2))
    assert names(report) == [("a.py", "b.py")]
    assert shares(report.pairs[0]) == (1, 1, 1, 1)
    hidden = sum(
        int(doc.is_boilerplate.sum())
        for submission in report.submissions
        for doc in submission.documents
    )
    assert report.warnings == (
        f"{hidden} tokens excluded as base code or as code shared by more than 2 submissions"
        " (-m 2)",
    )
    assert check(files, options=Options(max_sharing=1)).pairs == ()


def test_without_m_a_solution_copied_by_eleven_students_is_shown() -> None:
    files = {f"{number:02}.py": QUEUE for number in range(11)} | {"x.py": PRIMES, "y.py": WORDS}
    report = check(files)
    assert len(report.pairs) == 55
    assert {pair.similarity for pair in report.pairs} == {1}


# Remarks


def test_a_guessed_encoding_is_remarked() -> None:
    Path("latin.py").write_bytes(f"# déjà vu\n{QUEUE}".encode("latin-1"))
    Path("wide.py").write_bytes(f"# déjà vu\n{QUEUE}".encode("utf-16"))
    Path("mark.py").write_bytes(f"# déjà vu\n{QUEUE}".encode("utf-8-sig"))
    report = mosslite.check(["latin.py", "wide.py", "mark.py"])
    assert {shares(pair) for pair in report.pairs} == {(1, 1, 1, 1)}
    assert len(report.pairs) == 3
    assert report.warnings == (
        "decoded as iso8859-1, as no other encoding fits: latin.py",
        "decoded as utf-16-le, because of a byte order mark: wide.py",
    )


def test_a_copy_that_python_runs_from_escapes_is_found_and_remarked() -> None:
    escaped = "".join(f"\\x{ord(each):02x}" for each in PRIMES)
    files = {"a.py": PRIMES, "b.py": f"# coding: unicode_escape\n{escaped}"}
    report = check(files)
    assert report.pairs[0].score == 1
    assert report.warnings == (
        "decoded as unicode-escape, as Python does, although the file looks different in an "
        "editor: b.py",
    )


def test_earlier_attempts_that_are_left_out_are_reported() -> None:
    # What Canvas calls a later upload anybody can hand in beside the first: both are compared.
    canvas = ("ann_11_101_hw.py", "ann_11_103_hw-1.py", "bob_12_102_hw.py")
    write_files(Path(), {f"canvas/{name}": QUEUE for name in canvas})
    times = ("ann_attempt_2025-01-01-10-00-00", "ann_attempt_2025-01-02-10-00-00")
    names = [f"HW_{each}_hw.py" for each in (*times, "bob_attempt_2025-01-01-10-00-00")]
    write_files(Path(), {f"bb/{name}": QUEUE for name in names})
    told = "earlier attempts not compared (--attempts all includes them): "
    report = mosslite.check("canvas")
    assert (report.warnings, len(report.submissions[0].documents)) == ((), 2)
    assert mosslite.check("bb").warnings == (f"{told}bb/{names[0]}",)


def test_a_folder_left_out_as_build_output_is_reported_as_a_copy_could_lie_in_it() -> None:
    submission = {"hw/ann/a.py": QUEUE, "hw/ann/.git/config": "", "hw/bob/b.py": PRIMES}
    write_files(Path(), {**submission, "hw/bob/bin/a.py": QUEUE, "hw/bob/bin/b.o": ""})
    assert mosslite.check("hw").warnings == (
        "not compared in 1 submission, as it contains build output or third-party code "
        "(--no-ignore includes it): hw/bob/bin/",
    )


# What cannot be compared


def test_reasons_of_many_files_take_one_line() -> None:
    tasks = {f"hw/a student of some course of ours/{n}/task{n}.py": "" for n in range(20)}
    message = message_of({**tasks, "hw/b.py": QUEUE}, "hw")
    assert message.endswith(
        "; 20 skipped: 20 paths: empty, such as 'hw/a student of some course of ours/0/task0.py'"
    )
    same = {f"{n}/task{m}.py": "" for n in range(3) for m in range(9)}
    message = message_of(same, *same)
    assert message.endswith(
        "; 27 skipped: 3 'task0.py': empty; 3 'task1.py': empty; 3 'task2.py': empty; "
        "3 'task3.py': empty; ..."
    )


def test_what_a_pattern_left_out_is_reported_where_nothing_is_left() -> None:
    write_files(Path(), {"hw/a.py": QUEUE, "hw/b.py": QUEUE})
    options = Options(intake=Intake(patterns=("!*.java",)))
    with pytest.raises(MossliteError) as error:
        mosslite.check(["hw"], options=options)
    assert str(error.value).endswith(
        " are needed; 2 ignored: 'hw/a.py' does not match any --include; 'hw/b.py' "
        "does not match any --include"
    )


# The face to programs


def test_paths_may_be_path_objects_and_progress_is_reported_in_order() -> None:
    write_files(Path(), {"a.py": QUEUE, "b.py": QUEUE, "c.py": PRIMES})
    told: list[tuple[str, int, int]] = []
    report = mosslite.check(
        [Path("a.py"), Path("b.py"), Path("c.py")], progress=lambda *step: told.append(step)
    )
    assert names(report) == [("a.py", "b.py")]
    stages = {stage: total for stage, _, total in told}
    assert list(stages.items()) == [
        ("reading", 1), ("tokenizing", 3), ("comparing", 9), ("matching", 1)
    ]  # fmt: skip
    for stage, total in stages.items():
        steps = [done for each, done, _ in told if each == stage]
        first = 1 if stage == "tokenizing" else 0
        assert steps == ([0] if stage == "reading" else list(range(first, total + 1)))


# Goldens: each folder in tests/cases holds a batch and what the terminal shows of it


@pytest.mark.parametrize("case", sorted(CASES.iterdir()), ids=lambda case: case.name)
def test_a_case_gives_the_summary_on_record(
    case: Path, run: Run, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(case)
    options = shlex.split((case / "options.txt").read_text(encoding="utf-8"))
    base = ["-b", "template"] if (case / "template").exists() else []
    outcome = run("submissions", "--no-html", *base, *options)
    # Only exact scores are fixed by contract.
    summary = re.sub(r" 0\.\d{3} ", " 0.### ", outcome.out)
    expected = case / "expected.txt"
    if request.config.getoption("update"):
        expected.write_text(summary, encoding="utf-8", newline="\n")
    assert (outcome.code, outcome.err) == (0, "")
    assert summary == expected.read_text(encoding="utf-8")


def test_workers_that_cannot_start_are_an_error_in_one_line(tmp_path: Path) -> None:
    # Under spawn a program without the guard starts itself again in every worker.
    write_files(tmp_path, {f"hw/{name}.py": "x = x + 1\n" * 30_000 for name in "ab"})
    program = (
        "import multiprocessing, mosslite\n"
        "multiprocessing.set_start_method('spawn', force=True)\n"
        "try:\n    mosslite.check('hw', options=mosslite.Options(jobs=2))\n"
        "except mosslite.MossliteError as error:\n    print(error)\n"
    )
    (tmp_path / "program.py").write_text(program)

    done = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.stdout.startswith("a worker process died: in a Python program start")
    assert done.stdout.count("\n") == 1


def test_base_code_that_is_in_no_submission_is_remarked_on() -> None:
    write_files(Path(), {"hw/a.py": QUEUE, "hw/b.py": PRIMES, "stub.txt": WORDS})

    warnings = mosslite.check("hw", base="stub.txt").warnings

    assert warnings == (
        "base code not found in any submission, so nothing is excluded: stub.txt (read as Python)",
    )
