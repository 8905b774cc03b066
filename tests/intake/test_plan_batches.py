"""Batches as platforms and students pack them: archives, exports, attempts, patterns."""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from mosslite.errors import InputError
from mosslite.options import Limits
from mosslite.records import Role, over_limits
from tests.archives import zip_of
from tests.batches import batch_of, hand_in, ignored, members, skipped, write

pytestmark = pytest.mark.usefixtures("in_empty_folder")


# Archives


def test_a_students_archive_is_a_submission_and_archives_in_it_are_folders() -> None:
    inner = zip_of({"c.c": "int c;"})
    hand_in("hw/ann.zip", {"a.c": "int a;", "more.zip": inner})
    hand_in("hw", {"bob/x.c": "int x;"})
    hand_in("hw/bob/work.zip", {"src/b.c": "int b;"})
    batch = batch_of("hw")
    assert members(batch) == {
        "ann": ["a.c", "more.zip/c.c"],
        "bob": ["work.zip/src/b.c", "x.c"],
    }
    assert batch.description == "one per archive or folder in hw/"


def test_with_d_an_archive_stands_for_a_folder() -> None:
    hand_in("hw/a.zip", {"src/main.c": "int a;"})
    hand_in("hw", {"main.c": "int m;", "lib.c": "int l;"})
    batch = batch_of("hw/a.zip", "hw/main.c", "hw/lib.c", directories=True)
    assert members(batch) == {"hw": ["lib.c", "main.c"], "hw/a.zip": ["src/main.c"]}


def test_a_bad_archive_is_skipped_and_its_neighbours_are_read() -> None:
    hand_in("hw/ann.zip", {"a.c": "int a;", "../../evil.c": "int e;"})
    hand_in("hw", {"bob/b.c": "int b;"})
    Path("hw/cy.zip").write_bytes(zip_of({"c.c": "int c;" * 50})[:60])
    batch = batch_of("hw")
    assert members(batch) == {"ann": ["a.c", "evil.c"], "bob": ["b.c"]}
    assert [path for path, _ in skipped(batch)] == ["hw/cy.zip"]
    assert not Path("evil.c").exists()


def test_prior_work_and_base_code_can_be_archives_too() -> None:
    hand_in("hw", {"ann/a.c": "int a;", "bob/a.c": "int b;"})
    hand_in("old.zip", {"cy/a.c": "int c;", "dan/a.c": "int d;"})
    hand_in("given.zip", {"lib/util.c": "int u;", "main.c": "int m;"})
    batch = batch_of("hw", "--prior", "old.zip", "--base", "given.zip")
    assert [(each.name, each.role) for each in batch.submissions] == [
        ("ann", Role.CURRENT),
        ("bob", Role.CURRENT),
        ("cy", Role.PRIOR),
        ("dan", Role.PRIOR),
    ]
    assert [file.name for file in batch.base] == ["lib/util.c", "main.c"]


def test_base_code_in_an_archive_that_cannot_be_read_is_an_error() -> None:
    hand_in("hw", {"ann/a.c": "int a;", "bob/a.c": "int b;"})
    Path("given.zip").write_bytes(zip_of({"a.c": "int a;"})[:-30])
    with pytest.raises(InputError, match=r"^base code 'given\.zip.*'"):
        batch_of("hw", "--base", "given.zip")


def test_what_an_archive_may_cost_is_an_option() -> None:
    hand_in("hw/ann.zip", {f"{n}.c": f"int x{n};" for n in range(9)})
    hand_in("hw", {"bob/a.c": "int a;", "cy/a.c": "int c;"})
    batch = batch_of("hw", limits=Limits(members=4))
    assert any("--max-members" in reason for _, reason in skipped(batch))
    assert {"bob", "cy"} <= set(members(batch))


@pytest.mark.parametrize("is_packed", [False, True])
def test_who_handed_in_empty_folders_only_is_reported(is_packed: bool) -> None:
    root = "hw.zip" if is_packed else "hw"
    if is_packed:
        hand_in(root, {"ann/a.c": "int a;", "dan/": "", "dan/empty/": "", "eve/": ""})
    else:
        write("hw/ann/a.c", "hw/dan/empty/", "hw/eve/")
    batch = batch_of(root)
    assert members(batch) == {"ann": ["a.c"]}
    assert skipped(batch) == [(f"{root}/{name}", "contains no files") for name in ("dan", "eve")]


@pytest.mark.parametrize(
    "names", [["jo/x/"], ["jo/x/", "jo/y/"], ["jo/"], ["jo/.idea/"], ["jo/.idea/x"]]
)
@pytest.mark.parametrize("folder", ["", "ex/"])
def test_who_handed_in_empty_or_ignored_folders_only_is_reported_once_wherever_they_are(
    names: list[str], folder: str
) -> None:
    empty: dict[str, str | bytes] = {folder + name: "" for name in names}
    hand_in("hw.zip", {f"{folder}ann/a.c": "int a;", f"{folder}bob/b.c": "int b;", **empty})
    what = "contains no files but ignored ones" if ".idea" in names[0] else "contains no files"
    assert skipped(batch_of("hw.zip")) == [(f"hw.zip/{folder}jo", what)]


def unless_closed(
    closed: set[str], do: Callable[..., object], path: object, *more: int, **where: int
) -> object:
    if path in closed:
        raise PermissionError
    return do(path, *more, **where)


def test_a_folder_that_cannot_be_read_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in("hw", {"ann/a.c": "int a;", "bob/a.c": "int b;", "cy/deep/a.c": "int c;"})
    closed = {str(Path("hw/bob")), str(Path("hw/cy/deep"))}
    for name in ("open", "scandir"):  # root may list any folder
        monkeypatch.setattr(os, name, partial(unless_closed, closed, getattr(os, name)))
    batch = batch_of("hw")
    reason = "is a folder that cannot be read"
    assert skipped(batch) == [("hw/bob", reason), ("hw/cy/deep", reason)]
    assert ignored(batch) == []


def test_an_empty_folder_beside_files_is_no_more_than_listed() -> None:
    hand_in("hw", {"ann/a.c": "int a;", "bob/b.c": "int b;"})
    Path("hw/ann/docs/old").mkdir(parents=True)
    batch = batch_of("hw")
    assert (skipped(batch), ignored(batch)) == ([], [("hw/ann/docs", "contains no files")])


# Platforms


CANVAS = {
    "smithbob_LATE_340934_208490284_hw.py": "b = 1",
    "leeann_340935_208490285_hw.py": "a = 1",
    "leeann_340935_208490286_util.py": "u = 1",
}


@pytest.mark.parametrize(("given", "place"), [("hw", "hw/"), ("hw.zip", "hw.zip")])
def test_an_export_is_recognized_and_the_first_line_says_so(given: str, place: str) -> None:
    batch = batch_of(hand_in(given, CANVAS))
    assert members(batch) == {"leeann": ["hw.py", "util.py"], "smithbob": ["hw.py"]}
    assert [each.hand_in.is_late for each in batch.submissions] == [False, True]
    assert batch.description == f"one per student in {place} (Canvas)"
    assert len(members(batch_of(given, layout="plain"))) == 3


NOTEBOOK = '{"cells": [{"cell_type": "code", "source": "a = 1"}], "nbformat": 4, "metadata": {}}'
EXPORTS = {
    "Gradescope": (
        {
            "assignment_9_export/submission_1/aldo.py": "a = 1",
            "assignment_9_export/submission_2/wilma.py": "w = 1",
        },
        {"assignment_9_export/submission_metadata.yml": "submission_1:\n  :submitters:\n"},
    ),
    "Dolos": (
        {"ex/a.py": "a = 1", "ex/b.py": "b = 1"},
        {"ex/info.csv": "filename,full_name\na.py,Ann\nb.py,Bob\n"},
    ),
    "Brightspace": (
        {
            "ex/101-7 - Ann Smith - January 15, 2024 1159 PM/a.py": "a = 1",
            "ex/102-7 - Bob Lee - January 15, 2024 1158 PM/b.py": "b = 1",
        },
        {"ex/index.html": "<p>"},
    ),
    "nbgrader": (
        {"ex/submitted/ann/ps1/a.ipynb": NOTEBOOK, "ex/submitted/bob/ps1/a.ipynb": NOTEBOOK},
        {"ex/source/ps1/a.py": "a = 0", "ex/release/ps1/a.py": "a = 0"},
    ),
    "Canvas": (
        {f"ex/{name}": text for name, text in CANVAS.items()},
        {"ex/grades.csv": "name,grade"},
    ),
}


@pytest.mark.parametrize("root", ["hw", "hw.zip"])
@pytest.mark.parametrize("platform", EXPORTS)
def test_what_a_platform_puts_beside_the_work_is_nobody_s_submission(
    platform: str, root: str
) -> None:
    submission, own = EXPORTS[platform]
    hand_in(root, {**submission, **own})
    # What Dolos calls its metadata anybody can hand in, so that it has to be asked for.
    batch = batch_of(root, layout="dolos" if platform == "Dolos" else "auto")
    assert batch.description.endswith(f"({platform})")
    assert len(members(batch)) == 2
    assert skipped(batch) == []
    assert [path for path, _ in ignored(batch)] == sorted(f"{root}/{name}" for name in own)


def test_files_given_by_name_are_read_in_a_layout_that_is_asked_for() -> None:
    hand_in("x", CANVAS)
    paths = sorted(str(path) for path in Path("x").iterdir())
    assert len(members(batch_of(*paths))) == 3
    batch = batch_of(*paths, layout="canvas")
    assert members(batch) == {"leeann": ["hw.py", "util.py"], "smithbob": ["hw.py"]}


def test_an_empty_folder_among_paths_in_a_layout_is_reported() -> None:
    hand_in("x", CANVAS)
    Path("x/y").mkdir()
    paths = sorted(str(path) for path in Path("x").iterdir())
    assert skipped(batch_of(*paths, layout="canvas")) == [("x/y", "contains no files")]


def test_a_name_pattern_tells_who_handed_in_what() -> None:
    hand_in("x", {"hw1-ann-main.c": "int a;", "hw1-ann-lib.c": "int l;", "hw1-bob.c": "b"})
    batch = batch_of("x", name_pattern=r"hw1-(?P<name>\w+)")
    assert {name: len(files) for name, files in members(batch).items()} == {"ann": 2, "bob": 1}


BLACKBOARD = {
    "hw_ann_attempt_2025-10-01-10-00-00_a.py": "a = 1",
    "hw_ann_attempt_2025-10-02-10-00-00_a.py": "a = 2",
    "hw_bob_attempt_2025-10-01-09-00-00_a.py": "b = 1",
}


def test_of_several_attempts_the_latest_counts_and_the_others_are_reported() -> None:
    hand_in("bb", BLACKBOARD)
    batch = batch_of("bb")
    texts = {each.name: [file.text for file in each.files] for each in batch.submissions}
    assert texts == {"ann": ["a = 2"], "bob": ["b = 1"]}
    assert ignored(batch) == [
        ("bb/hw_ann_attempt_2025-10-01-10-00-00_a.py", "belongs to an earlier attempt")
    ]


@pytest.mark.parametrize("time", ["9 Blurgh 2024 1305", "05.06.2024 930", "zz 1, 2024 930 AM"])
def test_an_attempt_whose_time_cannot_be_read_counts_as_the_latest_and_is_named(time: str) -> None:
    names = {"May 15, 2024 930 AM": "a = 1", time: "b = 2", "9 mai 2024 2130": "c = 3"}
    hand_in("x", {f"101-7 - Ann - {when}/a.py": text for when, text in names.items()})
    hand_in("x", {"102-7 - Bob - May 1, 2024 930 AM/a.py": "d = 4"})
    batch = batch_of("x")

    assert [file.text for each in batch.submissions for file in each.files] == ["b = 2", "d = 4"]
    assert batch.remarks == (
        "compared as the latest attempt, as its time cannot be read (--attempts all compares all): "
        "Ann",
    )
    every = batch_of("x", all_attempts=True)
    texts = [file.text for each in every.submissions for file in each.files]
    assert texts == ["c = 3", "a = 1", "b = 2", "d = 4"]


@pytest.mark.parametrize("form", ["x", "x.zip"])
def test_of_vpl_attempts_the_latest_is_compared_without_its_records(form: str) -> None:
    files = {
        "x/Report.txt": "Number of users: 2",
        "x/Doe Ann 1001 ann7/2024-05-09-10-30-00/a.py": "old",
        "x/Doe Ann 1001 ann7/2024-05-15-09-00-00/a.py": "new",
        "x/Doe Ann 1001 ann7/2024-05-15-09-00-00.ceg/execution.txt": "ok",
        "x/Lee Bob 1002 2023001/2024-05-15-09-00-00/a.py": "other",
    }
    if form == "x":
        hand_in(".", files)
    else:
        hand_in("x.zip", {**files, "x/Roe Cy 1003 cy/": ""})
    batch = batch_of(form)

    texts = {each.name: [file.text for file in each.files] for each in batch.submissions}
    assert texts == {"Doe Ann": ["new"], "Lee Bob": ["other"]}
    assert "(Moodle VPL)" in batch.description
    assert len(batch_of(form, all_attempts=True).submissions) == 3


def test_all_attempts_are_submissions_of_one_owner() -> None:
    hand_in("bb", BLACKBOARD)
    batch = batch_of("bb", all_attempts=True)
    assert [each.name for each in batch.submissions] == ["ann, attempt 1", "ann, attempt 2", "bob"]
    owners = [each.hand_in.owner for each in batch.submissions]
    assert owners[0] == owners[1] != owners[2]


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (
            [f"{n}-7 - Ann Lee - January 15, 2024 1159 PM/a.py" for n in (101, 102)],
            ["Ann Lee (101)", "Ann Lee (102)"],
        ),
        (
            ["leeann_340934_208490284_hw.py", "leeann_340935_208490285_hw.py"],
            ["leeann (340934)", "leeann (340935)"],
        ),
        (
            [f"{who}_assignsubmission_file/a.py" for who in ("Ann Lee_11", "Ann Lee_12", "Bob_13")],
            ["Ann Lee (11)", "Ann Lee (12)", "Bob"],
        ),
    ],
)
def test_students_of_one_name_are_called_by_what_the_platform_tells_them_by(
    files: list[str], names: list[str]
) -> None:
    hand_in("x", {name: f"a = {number}" for number, name in enumerate(files)})
    assert list(members(batch_of("x"))) == names


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ("ann_1_hw.py ann_2_hw.py bob_x_hw.py", ["ann (1)", "ann (2)", "bob"]),
        ("ann__hw.py ann_1_hw.py", ["ann", "ann (1)"]),
        ("ann_1_hw.py ann__hw.py ann/hw.py", ["ann", "ann (1)", "ann (ann)"]),
        ("ann_ann_hw.py ann/hw.py", ["ann (ann)", "x/ann_ann_hw.py"]),
        ("ann_1_hw.py ann_2_hw.py ann (1)_3_hw.py", ["ann (1)", "ann (2)", "x/ann_1_hw.py"]),
    ],
)
def test_students_of_one_name_in_a_pattern_are_called_by_their_ids(
    files: str, names: list[str]
) -> None:
    paths = files.replace(".py ", ".py|").split("|")
    hand_in("x", {name: f"a = {number}" for number, name in enumerate(paths)})
    pattern = r"(?P<name>[^_/]+)_(?P<id>[^_]*)_(?P<file>.+)"
    assert list(members(batch_of("x", name_pattern=pattern))) == names


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("(?P<name>[a-z]+)_(?P<label>[A-Z]+)_(?P<file>.+)", ["A/hw.py", "B/hw.py", "util.py"]),
        ("(?P<name>[a-z]+)_[A-Z]+_(?P<file>.+)", ["hw (2).py", "hw.py", "util.py"]),
    ],
)
def test_files_of_one_name_in_a_submission_are_distinguished(
    pattern: str, names: list[str]
) -> None:
    files = {"ann_A_hw.py": "a = 1", "ann_B_hw.py": "b = 1", "ann_A_util.py": "u = 1"}
    hand_in("x", {**files, "bob_A_hw.py": "c = 1"})
    batch = batch_of("x", name_pattern=pattern)
    assert {name: sorted(each) for name, each in members(batch).items()} == {
        "ann": names,
        "bob": ["hw.py"],
    }


# What is read


def test_everything_is_read_on_demand() -> None:
    hand_in("hw", {"ann/.env": "a", "ann/build/x.py": "x", "bob.py": "b"})
    batch = batch_of("hw", reads_ignored=True)
    assert members(batch) == {"ann": [".env", "build/x.py"], "bob.py": ["bob.py"]}


def test_patterns_choose_among_the_files_of_a_submission() -> None:
    hand_in("hw", {"ann/a.py": "a", "ann/t/test.py": "t", "bob/a.py": "b", "list.txt": "x"})
    batch = batch_of("hw", patterns=("t/", "*.txt"))
    assert members(batch) == {"ann": ["a.py"], "bob": ["a.py"]}
    assert ignored(batch) == [
        ("hw/ann/t/test.py", "matches --exclude"),
        ("hw/list.txt", "matches --exclude"),
    ]


def test_a_file_that_is_given_by_name_is_read_whatever_the_patterns() -> None:
    hand_in(".", {"a.txt": "a", "b.txt": "b"})
    assert len(members(batch_of("a.txt", "b.txt", patterns=("*.txt",)))) == 2


def test_a_file_beyond_the_limit_is_skipped() -> None:
    hand_in("hw", {"ann/a.py": "a = 1\n" * 99, "bob/a.py": "b = 1"})
    batch = batch_of("hw", limits=Limits(file=100))
    assert skipped(batch) == [("hw/ann/a.py", "is larger than 100 bytes (--max-file-size)")]


MINIFIED = "var a=1;" * 2_000


def test_a_notebook_of_too_large_cells_is_not_compared_in_full() -> None:
    cells = [{"cell_type": "code", "source": f"a = {'1' * 500}"}]
    notebook = json.dumps({"cells": cells, "nbformat": 4, "metadata": {}})
    hand_in("hw", {"ann/a.ipynb": notebook, "ann/b.py": "b", "bob/a.py": "a"})
    batch = batch_of("hw", limits=Limits(file=400))

    assert over_limits(batch.skipped) == ("ann",)
    assert skipped(batch) == [
        ("hw/ann/a.ipynb", "has cells of more than 400 characters (--max-file-size)")
    ]


def test_what_a_machine_wrote_is_ignored_beside_own_work_only() -> None:
    hand_in("hw", {
        "ann/own.js": "let x = 1;\n", "ann/lib.min.js": MINIFIED, "bob/lib.min.js": MINIFIED,
    })  # fmt: skip
    batch = batch_of("hw")
    assert members(batch) == {"ann": ["own.js"], "bob": ["lib.min.js"]}
    assert [path for path, _ in ignored(batch)] == ["hw/ann/lib.min.js"]
