"""Several batches of one assignment: exports of sections, folders of them, and --each."""

import contextlib
import json
import os
from pathlib import Path

import pytest

from mosslite.errors import OptionError
from mosslite.intake import collect
from mosslite.options import Intake, Limits, Options
from mosslite.records import Batch, Inputs, Role, over_limits
from tests import exports
from tests.archives import zip_of
from tests.batches import batch_of, hand_in
from tests.conftest import Run
from tests.exports import Student, canvas_export, moodle_export, title_of, within
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, WORDS, program

pytestmark = pytest.mark.usefixtures("in_empty_folder")


def student(first: str, last: str, number: int, text: str) -> Student:
    return Student(first, last, number, {"main.py": text})


MONDAY = (
    student("Ann", "Doe", 1001, QUEUE),
    student("Bob", "Smith", 1002, PRIMES),
    student("Cy", "Jones", 1003, program(1)),
)
TUESDAY = (
    student("Ann", "Doe", 1001, program(2)),
    student("Dan", "Brown", 1005, QUEUE_RENAMED),
    student("Eve", "White", 1006, WORDS),
)
EXPORTS = {
    title_of(kind): export
    for kind, export in exports.EXPORTS.items()
    if kind not in {"nbgrader", "dolos", "plain"} and "," not in kind
}


def sections_of(batch: Batch) -> dict[str, int]:
    counts: dict[str, int] = {}
    for submission in batch.submissions:
        section = submission.name.rpartition("/")[0]
        counts[section] = counts.get(section, 0) + 1
    return counts


def write_export(kind: str, path: str, students: tuple[Student, ...], form: str) -> str:
    """Write an export as a folder or an archive, and give its path."""
    return hand_in(f"{path}.zip" if form == "zip" else path, EXPORTS[kind](students))


# Recognized exports


@pytest.mark.parametrize("others", [["ann.py"], ["ann/x.py"], ["a.py", "b.py", "template.py"]])
def test_a_single_export_beside_other_work_is_work_too(others: list[str]) -> None:
    write_export("Canvas", "hw/mon", MONDAY, "folder")
    hand_in("hw", {name: program(5) for name in others})
    assert len(batch_of("hw").submissions) == 1 + len(others)


@pytest.mark.parametrize("form", ["zip", "folder"])
@pytest.mark.parametrize("kind", [kind for kind in EXPORTS if kind not in {"submit50"}])
def test_two_exports_are_one_batch_with_names_behind_their_sections(kind: str, form: str) -> None:
    paths = [
        write_export(kind, f"{name}-submissions", students, form)
        for name, students in (("mon", MONDAY), ("tue", TUESDAY))
    ]
    batch = batch_of(*paths)

    assert sections_of(batch) == {"mon-submissions": 3, "tue-submissions": 3}
    assert batch.description == f"one per student in {paths[0]} and {paths[1]} ({kind})"


@pytest.mark.parametrize("form", ["zip", "folder"])
@pytest.mark.parametrize("kind", ["Moodle", "Canvas", "Blackboard", "Brightspace"])
def test_a_folder_of_exports_is_one_batch(kind: str, form: str) -> None:
    for name, students in (("mon", MONDAY), ("tue", TUESDAY)):
        write_export(kind, f"autumn/{name}", students, form)
    hand_in("autumn", {"notes.py": WORDS})
    batch = batch_of("autumn")

    assert sections_of(batch) == {"mon": 3, "tue": 3, "": 1}
    assert batch.description.startswith("one per student in autumn/mon")
    assert batch.description.endswith(f"({kind})")


@pytest.mark.parametrize("left", [{}, {"__MACOSX/all/._mon": "x"}])
def test_the_exports_of_a_folder_in_an_archive_are_one_batch(left: dict[str, str]) -> None:
    files = {
        f"all/{name}/{path}": text
        for name, students in (("mon", MONDAY), ("tue", TUESDAY))
        for path, text in moodle_export(students).items()
    }
    hand_in("course.zip", files | left)
    assert sections_of(batch_of("course.zip")) == {"mon": 3, "tue": 3}


def test_exports_of_two_platforms_are_one_batch() -> None:
    batch = batch_of(
        write_export("Moodle", "mon", MONDAY, "zip"), write_export("Canvas", "tue", TUESDAY, "zip")
    )
    assert sections_of(batch) == {"mon": 3, "tue": 3}
    assert batch.description == "one per student in mon.zip and tue.zip (Canvas, Moodle)"


def test_exports_of_one_name_are_distinguished_by_their_folders() -> None:
    paths = [write_export("Moodle", f"{day}/export", MONDAY, "zip") for day in ("mon", "tue")]
    assert sections_of(batch_of(*paths)) == {"mon/export": 3, "tue/export": 3}


def test_one_student_in_two_sections_is_compared_and_attempts_are_not(run: Run) -> None:
    twice = student("Ann", "Doe", 1001, QUEUE_RENAMED)
    paths = [
        write_export("Moodle", "mon", MONDAY, "zip"),
        write_export("Moodle", "tue", (twice, *TUESDAY[1:]), "zip"),
    ]
    lines = run(*paths, "--no-html", "--json", "x.json").out.splitlines()
    assert lines[0] == "6 submissions, one per student in mon.zip and tue.zip (Moodle)"
    results = json.loads(Path("x.json").read_text(encoding="utf-8"))
    pairs = [[pair["left"], pair["right"]] for pair in results["pairs"]]
    assert ["mon/Ann Doe", "tue/Ann Doe"] in pairs
    assert ["mon/Ann Doe", "tue/Dan Brown"] in pairs


def test_merged_exports_go_on_working_with_names_left_out_and_earlier_terms(
    run: Run, tmp_path: Path
) -> None:
    paths = [
        write_export("Moodle", "mon", MONDAY, "zip"),
        write_export("Moodle", "tue", TUESDAY, "zip"),
    ]
    for name, students in (("a", MONDAY[:2]), ("b", TUESDAY[1:])):
        write_export("Canvas", f"spring/{name}", students, "zip")
    outcome = run(*paths, "--prior", "spring", "--anonymize", "key.csv", "--json", "x.json")

    assert outcome.code == 0
    assert outcome.out.startswith("6 submissions, 4 prior, names replaced by numbers")
    for name in ("Doe", "Smith", "mon/", "tue/"):
        assert name not in Path("x.json").read_text(encoding="utf-8")
    key = (tmp_path / "key.csv").read_text(encoding="utf-8")
    assert "mon/Ann Doe" in key
    assert "a/smithbob" in key or "a/Bob Smith" in key or "a/" in key


def test_prior_exports_in_a_folder_are_merged_as_well() -> None:
    for name, students in (("a", MONDAY), ("b", TUESDAY)):
        write_export("Moodle", f"spring/{name}", students, "zip")
    hand_in("hw", {"x.py": QUEUE})
    batch = collect(Inputs(("hw",), prior=("spring",)))
    names = [each.name for each in batch.submissions if each.role is Role.PRIOR]
    assert len(names) == 6
    assert names[0] == "a/Ann Doe"


@pytest.mark.parametrize("attempts", [False, True])
def test_attempts_are_those_of_each_section(attempts: bool) -> None:
    for name, days in (("mon", (1, 2)), ("tue", (3,))):
        files = {
            f"Hw_{login}_attempt_2024-01-0{day}-10-00-00_main.py": f"{text}\nday = {day}\n"
            for day in days
            for login, text in (("ann", QUEUE), ("bob", PRIMES))
        }
        hand_in(f"{name}.zip", files)
    batch = batch_of("mon.zip", "tue.zip", all_attempts=attempts)
    assert sections_of(batch) == {"mon": 4 if attempts else 2, "tue": 2}


# Work that is not an export


def test_archives_whose_names_a_pattern_reads_are_a_submission_each() -> None:
    paths = [f"hw1_{name}.zip" for name in ("ann", "bob", "cy")]
    for path in paths:
        hand_in(Path("hw", path), {"src/main.py": QUEUE, "list.py": PRIMES})
    for given in (["hw"], [f"hw/{path}" for path in paths]):
        batch = batch_of(*given, name_pattern=r"hw1_(?P<name>[a-z]+)\.zip/")
        named = {each.name: {file.name for file in each.files} for each in batch.submissions}
        assert named == {name: {"src/main.py", "list.py"} for name in ("ann", "bob", "cy")}


def test_a_student_whose_files_are_named_like_an_export_stays_one_submission() -> None:
    for name in ("ann", "bob", "cy"):
        hand_in(f"{name}.zip", {"main.py": QUEUE})
    hand_in("eve.zip", canvas_export(MONDAY))
    paths = [f"{name}.zip" for name in ("ann", "bob", "cy", "eve")]
    assert len(batch_of(*paths).submissions) == 4
    for path in paths:
        Path("hw").mkdir(exist_ok=True)
        Path(path).rename(Path("hw", path))
    assert len(batch_of("hw").submissions) == 4


# Giants


def write_giants(root: str, *names: str, folders: int = 6) -> None:
    hand_in(
        root,
        {f"{name}/s{n}/main.py": program(n, functions=1) for name in names for n in range(folders)},
    )


ADD_EACH = " each; if these are sections of the course, add --each"


@pytest.mark.parametrize(
    ("names", "paths", "advice"),
    [
        (["a", "b"], ["autumn"], ADD_EACH),
        (["a", "b", "c"], ["autumn/"], ADD_EACH),
        (["a", "b"], ["autumn/a", "autumn/b"], ADD_EACH),
        (["a b", "c"], ["autumn/a b", "autumn/c"], ADD_EACH),
    ],
)
def test_a_few_giants_are_compared_with_a_hint(
    run: Run, names: list[str], paths: list[str], advice: str
) -> None:
    write_giants("autumn", *names)
    outcome = run(*paths, "--no-html")

    assert outcome.code == 0
    told = f"warning: {len(names)} submissions with 6 or more programs or folders{advice}\n"
    assert told in outcome.out
    listed = run("--each", *paths, "--list")
    assert listed.code == 0
    assert listed.out.count("main.py") == 6 * len(names)


def test_a_single_giant_is_named_by_its_folder(run: Run) -> None:
    write_giants("autumn", "class")
    assert run("autumn").err.endswith("to compare what is in it, give autumn/class instead\n")
    hand_in("old", {"x.py": WORDS, "y.py": QUEUE})
    told = run("autumn", "--prior", "old", "--no-html").out
    assert "folders; to compare what is in it, give autumn/class instead\n" in told


def test_one_export_beside_a_plain_folder_is_hinted_at() -> None:
    students = tuple(student("Ann", f"Doe{n}", 1000 + n, program(n)) for n in range(5))
    write_export("Moodle", "mon", students, "zip")
    write_giants(".", "tue")
    assert batch_of("mon.zip", "tue").remarks[0].endswith(ADD_EACH)
    assert sections_of(batch_of("mon.zip", "tue", each=True)) == {"mon": 5, "tue": 6}


@pytest.mark.parametrize("form", ["zip", "folder"])
@pytest.mark.parametrize("kind", ["Moodle", "Canvas", "Blackboard", "Brightspace"])
@pytest.mark.parametrize("count", [1, 2])
def test_exports_beside_a_template_are_compared_with_it(kind: str, form: str, count: int) -> None:
    exports = [("mon", MONDAY), ("tue", TUESDAY)][:count]
    paths = [write_export(kind, f"hw/{name}", some, form) for name, some in exports]
    hand_in("hw", {"template/lib/start.py": program(9), "template/main.py": program(8)})
    hand_in("file", {"template.py": program(8), "README.md": "# Two sections"})
    for name, some in exports:
        write_export(kind, f"file/{name}", some, form)
    expected = {**{name: 3 for name, _ in exports}, "": 1}

    for given in (["hw"], [*paths, "hw/template"], ["./hw/"], ["../" + Path.cwd().name + "/hw"]):
        batch = batch_of(*given)
        template = given[-1].rstrip("/") + "/template" * (len(given) == 1)
        assert sections_of(batch)["mon"] == 3
        assert sum(sections_of(batch).values()) == 3 * count + 1
        (remark,) = batch.remarks  # behind it, a long name is shortened
        told = f"compared, but named like code that you handed out (-b {template} excludes it): "
        assert remark.startswith(told)
        assert remark.endswith("hw/template")
    assert sections_of(batch_of("hw")) == expected
    (remark,) = batch_of("file").remarks
    assert remark.endswith("(-b file/template.py excludes it): file/template.py")
    assert sections_of(batch_of("file"))["mon"] == 3
    with_base = collect(Inputs(("hw",), base=("hw/template",)))
    assert sections_of(with_base) == {name: 3 for name, _ in exports}


@pytest.mark.skipif(os.name != "posix", reason="links need rights on this system")
def test_links_are_no_sections_and_stand_in_no_command(run: Run) -> None:
    write_giants("autumn", "a")
    write_giants("private", "b")
    Path("autumn/link").symlink_to("../private/b")
    hand_in("c.zip", {f"s{n}/main.py": program(n) for n in range(5)})
    Path("link.zip").symlink_to("c.zip")

    assert "give autumn/a instead" in run("autumn/a", "autumn/link").err
    for paths in (["autumn"], ["autumn/a", "autumn/link"]):
        found = batch_of(*paths, each=True)
        assert sections_of(found) == {"a": 6}
        assert [each.path for each in found.skipped] == ["autumn/link"]


def test_what_is_asked_for_on_purpose_is_done() -> None:
    write_giants("autumn", "a", "b")
    assert len(batch_of("autumn", layout="plain").submissions) == 2
    assert len(batch_of("autumn", name_pattern=r"(?P<name>\w)/(?P<file>.+)").submissions) == 2
    inputs = Inputs(("autumn/a/s1/main.py", "autumn/b/s1/main.py"))
    assert len(collect(inputs, directories=True).submissions) == 2


# --each


def test_each_argument_is_a_batch_of_its_own() -> None:
    write_giants("autumn", "a", "b")
    hand_in(".", {"extra.py": WORDS})
    batch = batch_of("autumn/a", "autumn/b", "extra.py", each=True)

    assert sections_of(batch) == {"a": 6, "b": 6, "": 1}
    assert batch.submissions[0].name == "a/s0"
    assert batch.description == "one per folder in autumn/a and autumn/b"


@pytest.mark.parametrize(("path", "around"), [("hw", ""), ("hw.zip", ""), ("hw.zip", "hw/")])
def test_each_child_of_a_single_argument_is_a_batch_of_its_own(path: str, around: str) -> None:
    files = {f"{around}{name}/s{n}/main.py": program(n) for name in "abcd" for n in range(3)}
    batch = batch_of(hand_in(path, files | {f"{around}notes.py": WORDS}), each=True)
    assert sections_of(batch) == {"a": 3, "b": 3, "c": 3, "d": 3, "": 1}


def test_each_and_d_exclude_each_other() -> None:
    with pytest.raises(
        OptionError, match="-d and --each cannot be used together: remove one of them"
    ):
        Options(directories=True, intake=Intake(each=True))


@pytest.mark.parametrize("suffix", ["", ".zip"])
@pytest.mark.parametrize("again", ["{}", "./{}", "../work/{}"])
def test_a_section_that_is_given_twice_counts_once(run: Run, suffix: str, again: str) -> None:
    Path("work").mkdir()
    os.chdir("work")
    sections = {"s1": {"ann.py": QUEUE, "cy.py": PRIMES}, "s2": {"bob.py": QUEUE}}
    paths = [hand_in(f"{name}{suffix}", files) for name, files in sections.items()]

    outcome = run("--each", *paths, again.format(paths[0]), "--json", "-", "--no-html")

    found = json.loads(outcome.out)
    assert [each["name"] for each in found["submissions"]] == ["s1/ann.py", "s1/cy.py", "s2/bob.py"]
    assert found["pairs"][0]["score"] > 0.9
    assert {each["reason"] for each in found["skipped"]} == {"is given twice"}


def test_the_order_of_sections_changes_nothing() -> None:
    paths = [
        write_export("Moodle", "mon", MONDAY, "zip"),
        write_export("Moodle", "tue", TUESDAY, "zip"),
    ]
    assert batch_of(*paths) == batch_of(*reversed(paths))


def test_what_is_left_out_of_a_section_is_told_by_its_path() -> None:
    for name in ("mon", "tue"):
        files = moodle_export(MONDAY)
        first = next(iter(files))
        hand_in(f"{name}.zip", files | {f"{first}.py": "\0"})
    skipped = batch_of("mon.zip", "tue.zip").skipped
    assert [each.path.split("/")[0] for each in skipped] == ["mon.zip", "tue.zip"]


# Limits

# Between the others in each order, and more files than an archive may hold.
MALLORY = Student("Mal", "Ory", 1004, {f"m{number:03}.py": "m = 1\n" for number in range(150)})
HONEST = Student("Mal", "Ory", 1004, {"own.py": "m = 1\n"})
FEW = Limits(members=100)


def arranged(way: str, files: dict[str, dict[str, str]]) -> list[str]:
    """Write files of sections in a way to give them, and return the paths to give."""
    if way in {"zips given", "folder of zips"}:
        root = "autumn/" if way == "folder of zips" else ""
        paths = [hand_in(f"{root}{name}.zip", own) for name, own in files.items()]
        return ["autumn"] if root else paths
    around = {"zip of folders": "", "zip of a folder of folders": "autumn/"}[way]
    both: dict[str, str] = {}
    for name, own in files.items():
        both |= within(f"{around}{name}", own)
    return [hand_in("autumn.zip", both)]


WAYS = ("zips given", "folder of zips", "zip of folders", "zip of a folder of folders")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", [*(kind for kind in EXPORTS if kind != "submit50"), "plain"])
def test_who_exceeds_a_limit_in_a_section_is_alone_in_that(way: str, kind: str) -> None:
    def sections(mallory: Student) -> dict[str, dict[str, str]]:
        export = EXPORTS.get(kind, exports.EXPORTS["plain"])
        return {"mon": export((MONDAY[0], mallory, *MONDAY[1:])), "tue": export(TUESDAY)}

    def read(folder: str, mallory: Student, limits: Limits) -> Batch:
        with contextlib.chdir(folder):
            paths = arranged(way, sections(mallory))
            return batch_of(*paths, each=kind == "plain", limits=limits)

    Path("with").mkdir()
    Path("without").mkdir()
    batch, honest = read("with", MALLORY, FEW), read("without", HONEST, Limits())

    (left_out,) = over_limits(batch.skipped)
    assert left_out.startswith("mon/")
    assert {each.name: len(each.files) for each in batch.submissions if each.name != left_out} == {
        each.name: len(each.files) for each in honest.submissions if each.name != left_out
    }
    assert sections_of(honest) == {"mon": 4, "tue": 3}


@pytest.mark.parametrize("way", ["folders given", "folder of folders"])
def test_archives_of_one_student_in_a_section_have_one_budget(way: str) -> None:
    for name, students in (("mon", MONDAY), ("tue", TUESDAY)):
        hand_in(Path("autumn", name), canvas_export(students))
    for number in range(3):
        content = zip_of({f"{n}.py": b"m = 1" for n in range(60)})
        Path(f"autumn/mon/orymal_1004_{number}_work{number}.zip").write_bytes(content)
    paths = ["autumn"] if way == "folder of folders" else ["autumn/mon", "autumn/tue"]

    batch = batch_of(*paths, limits=FEW)

    assert over_limits(batch.skipped) == ("mon/orymal",)
    assert sections_of(batch) == {"mon": 4, "tue": 3}
    (mallory,) = [each for each in batch.submissions if each.name == "mon/orymal"]
    assert len(mallory.files) <= FEW.members


def test_work_named_like_an_export_has_the_limits_of_one_submission() -> None:
    for name in ("ann", "bob", "cy"):
        hand_in(f"hw/{name}.zip", {"main.py": QUEUE})
    content = b"m = 1\n\n" * (1 << 19)
    names = [f"student{letter}_{number}_{number}_hw.py" for number, letter in enumerate("abcdefgh")]
    Path("hw/eve.zip").write_bytes(zip_of(dict.fromkeys(names, content)))
    intake = Intake(limits=Limits(file=1 << 23))
    given = tuple(str(path) for path in sorted(Path("hw").iterdir()))
    for paths in (("hw",), given):
        batch = collect(Inputs(paths), intake=intake)
        (left_out,) = over_limits(batch.skipped)
        assert left_out.endswith("eve.zip")
        (eve,) = [each for each in batch.submissions if each.name == left_out]
        assert sum(len(file.text) for file in eve.files) <= 16 << 20


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("missing", "'missing' does not exist"),
        ("empty", "nothing to compare: no files in 'empty'"),
    ],
)
def test_each_without_any_section_is_reported_on_one_line(
    run: Run, given: str, message: str
) -> None:
    Path("empty").mkdir()

    outcome = run("--each", given)

    assert outcome.code == 2
    assert outcome.err == f"mosslite: {message}\n"


def test_files_given_with_each_are_a_submission_each(run: Run) -> None:
    hand_in(".", {"a.py": QUEUE, "b.py": QUEUE_RENAMED})

    assert run("--each", "a.py", "b.py").out.startswith("2 submissions, one per file given\n")


def test_a_hidden_file_in_a_section_is_ignored_and_not_skipped_too() -> None:
    for section in ("a", "b"):
        hand_in(section, {"ann.py": QUEUE, "bob.py": PRIMES, ".py": WORDS})
    batch = batch_of("a", "b", each=True)

    assert [each.path for each in batch.ignored] == ["a/.py", "b/.py"]
    assert batch.skipped == ()
