import itertools
import os
from pathlib import Path

import pytest

from mosslite.errors import InputError
from mosslite.intake import collect
from mosslite.records import Batch, Inputs, Role
from mosslite.signatures import REPORT_MARKER
from tests.batches import batch_of, hand_in, ignored, members, skipped, write
from tests.tables import table

pytestmark = pytest.mark.usefixtures("in_empty_folder")


CURRENT, PRIOR, REFERENCE = Role.CURRENT, Role.PRIOR, Role.REFERENCE


def message_of(*words: str) -> str:
    with pytest.raises(InputError) as caught:
        batch_of(*words)
    return str(caught.value)


@table("rule", "files", "words", "found", "left_out")
def test_each_path_is_what_users_expect(
    rule: str, files: str, words: str, found: str, left_out: str
) -> None:
    write(*files.split())
    here = str(Path.cwd())
    given = words.replace("{here}", here).split()
    batch = batch_of(*(word for word in given if word != "-d"), directories="-d" in given)

    read = members(batch)
    if batch.base:
        read["(base code)"] = [file.name for file in batch.base]
    told = "; ".join(f"{name}: {' '.join(own)}" for name, own in read.items())
    missing = [*map(" ".join, skipped(batch)), *(f"({path})" for path, _ in ignored(batch))]
    assert told.replace(here, "{here}") == found, rule
    assert "; ".join(missing).replace(here, "{here}") == left_out, rule


# What is one submission


@pytest.mark.parametrize(
    ("arguments", "directories", "description"),
    [
        (["hw"], False, "one per folder in hw/"),
        (["./hw//"], False, "one per folder in ./hw/"),
        (["hw/ann"], False, "one per file in hw/ann/"),
        (["mixed"], False, "one per file or folder in mixed/"),
        (["hw", "mixed"], False, "one per folder given"),
        (["hw/*"], False, "one per folder given"),
        (["mixed/*"], False, "one per file or folder given"),
        (["hw/ann/a.c", "hw/bob/a.c"], False, "one per file given"),
        (["hw/*/*.c"], True, "one per folder of the files given"),
        (["."], False, "one per folder in ./"),
        (["packed/ann.zip", "packed/bob.zip"], False, "one per archive given"),
        (["packed/bob.zip"], False, "one per file or folder in packed/bob.zip"),
    ],
)
def test_the_batch_says_how_the_paths_were_read(
    arguments: list[str], directories: bool, description: str
) -> None:
    write("hw/ann/a.c", "hw/bob/a.c", "mixed/ann/a.c", "mixed/bob.c")
    for name in ("ann", "bob"):
        hand_in(f"packed/{name}.zip", {"a.c": "a", "lib/b.c": "b"})
    assert batch_of(*arguments, directories=directories).description == description


def test_the_current_and_the_parent_folder_can_be_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("hw/ann/a.c", "hw/bob/a.c")
    monkeypatch.chdir(tmp_path / "hw" / "ann")
    assert members(batch_of("..")) == {"ann": ["a.c"], "bob": ["a.c"]}
    assert members(batch_of(".", "../bob")) == {".": ["a.c"], "../bob": ["a.c"]}


# Roles


def test_of_earlier_terms_with_equal_names_each_says_its_term() -> None:
    for term in ("2021", "2022"):
        hand_in(term, {"gr1/main.py": f"a = {term}", f"own{term}.py": "b = 1"})
    hand_in("now", {"gr1/main.py": "a = 3", "gr2.py": "b = 2"})
    batch = collect(Inputs(("now",), prior=("2022", "2021")))

    assert [each.name for each in batch.submissions] == [
        *("gr1", "gr2.py"),
        *("2021/gr1", "2022/gr1", "own2021.py", "own2022.py"),
    ]


# What is left out


def test_a_bad_file_is_skipped_with_its_path_and_reason() -> None:
    write("hw/ann/a.c", "hw/bob/a.c")
    Path("hw/ann/core").write_bytes(b"\x7fELF\0")
    Path("hw/bob/blank.c").write_text("\n\n")
    batch = batch_of("hw")
    assert members(batch) == {"ann": ["a.c"], "bob": ["a.c"]}
    assert skipped(batch) == [
        ("hw/ann/core", "is a compiled program, which is not read"),
        ("hw/bob/blank.c", "is empty"),
    ]


def test_a_submission_without_a_usable_file_is_left_out_with_the_reasons() -> None:
    write("hw/ann/a.c", "hw/dot/.hidden")
    Path("hw/empty").mkdir()
    Path("hw/bin").mkdir()
    Path("hw/bin/core").write_bytes(b"\0")
    batch = batch_of("hw")
    assert members(batch) == {"ann": ["a.c"]}
    assert skipped(batch) == [
        ("hw/bin/core", "is binary"),
        ("hw/dot", "contains no files but ignored ones"),
        ("hw/empty", "contains no files"),
    ]


def test_a_missing_path_is_skipped_but_missing_base_prior_or_reference_code_is_an_error() -> None:
    write("a.c")
    assert skipped(batch_of("a.c", "b.c", "")) == [
        ("", "does not exist"),
        ("b.c", "does not exist"),
    ]
    assert message_of("a.c", "--base", "stub.c") == "base code 'stub.c' does not exist"
    assert message_of("a.c", "--prior", "2024/") == "prior submissions '2024/' does not exist"
    assert message_of("a.c", "--reference", "x") == "reference 'x' does not exist"


@pytest.mark.parametrize("again", ["./a.c", "x/../a.c", "x//../a.c"])
def test_a_file_given_twice_counts_once_whatever_its_path(again: str) -> None:
    write("a.c", "b.c", "x/y.c")
    for arguments in itertools.permutations(["a.c", again, "b.c"]):
        batch = batch_of(*arguments)
        assert members(batch) == {"a.c": ["a.c"], "b.c": ["b.c"]}
        assert skipped(batch) == [(again, "is given twice")]


@pytest.mark.parametrize("role", ["base", "prior", "reference"])
@pytest.mark.parametrize(
    ("given", "twice"),
    [
        ("old/x.c old/x.c", ["old/x.c"]),
        ("old/x.c ./old/x.c old/../old/x.c", ["./old/x.c", "old/../old/x.c"]),
        ("old old", ["old/x.c", "old/y.c"]),
        ("old old/x.c", ["old/x.c"]),
        ("old/x.c old", ["old/x.c"]),
        ("old linked.c", ["linked.c"]),
        ("old/*.c old/x.*", ["old/x.c"]),
        ("old.zip old.zip", ["old.zip"]),
    ],
)
def test_whatever_is_given_twice_counts_once_in_every_role(
    role: str, given: str, twice: list[str]
) -> None:
    write("a.c", "b.c", "old/x.c", "old/y.c")
    Path("linked.c").symlink_to("old/x.c")
    hand_in("old.zip", {"z.c": "int z;"})
    paths = tuple(given.split())

    once = collect(Inputs(("a.c", "b.c"), **{role: paths[:1]}))
    batch = collect(Inputs(("a.c", "b.c"), **{role: paths}))

    assert skipped(batch) == [(path, "is given twice") for path in twice]
    assert len(texts_of(batch)) == len(set(texts_of(batch)))
    assert set(texts_of(once)) <= set(texts_of(batch))


def texts_of(batch: Batch) -> list[str]:
    files = [*batch.base, *(file for each in batch.submissions for file in each.files)]
    return [file.path for file in files]


def test_base_code_that_cannot_be_read_is_refused_however_often_it_is_given() -> None:
    write("a.c", "b.c")
    Path("x.c").write_bytes(b"\0")
    for given in ("x.c", "x.c x.c", "x.c ./x.c"):
        assert message_of("a.c", "b.c", "--base", *given.split()) == "base code 'x.c' is binary"


def test_a_file_that_a_folder_brings_already_counts_once() -> None:
    write("ann/a.c", "bob/a.c")
    for arguments in itertools.permutations(["ann", "ann/a.c", "bob"]):
        batch = batch_of(*arguments)
        assert members(batch) == {"ann": ["a.c"], "bob": ["a.c"]}
        assert skipped(batch) == [("ann/a.c", "is given twice")]


# Links, pipes, and folders that are no work


def test_an_older_report_is_no_work() -> None:
    pages = ["index.html", "overview.js", "pairs/1.html", "review-data.js"]
    write("hw/ann/a.c", "hw/bob/a.c", *(f"hw/report/{page}" for page in pages))
    listed = "".join(f"{page}\n" for page in pages)
    hand_in(".", {f"hw/report/{REPORT_MARKER}": f"This folder is a report.\n{listed}"})
    reason = "is a mosslite report"
    batch = batch_of("hw")
    assert members(batch) == {"ann": ["a.c"], "bob": ["a.c"]}
    assert skipped(batch) == [("hw/report", reason)]
    batch = batch_of("hw/ann", "hw/bob", "hw/report")
    assert members(batch) == {"hw/ann": ["a.c"], "hw/bob": ["a.c"]}
    assert skipped(batch_of("hw/report")) == [("hw/report", reason)]


def test_a_folder_that_cannot_be_read_is_skipped_and_as_a_batch_it_is_an_error() -> None:
    write("hw/ann/a.c", "hw/bob/deep/a.c", "hw/cy/a.c")
    Path("hw/ann").chmod(0)
    Path("hw/bob/deep").chmod(0)
    if os.access("hw/ann", os.R_OK):
        pytest.skip("this user may read everything")
    try:
        assert skipped(batch_of("hw")) == [
            ("hw/ann", "is a folder that cannot be read"),
            ("hw/bob/deep", "is a folder that cannot be read"),
        ]
        assert message_of("hw/ann") == "folder 'hw/ann' cannot be read: permission denied"
    finally:
        Path("hw/ann").chmod(0o700)
        Path("hw/bob/deep").chmod(0o700)


def test_folders_may_be_nested_deeper_than_python_can_recurse() -> None:
    write("hw/ann/a.c", "hw/bob/a.c")
    depth = 1_050
    os.chdir("hw/ann")
    for _ in range(depth):
        Path("d").mkdir()
        os.chdir("d")
    Path("deep.c").write_text("deep")
    for _ in range(depth + 2):
        os.chdir("..")
    try:
        deep = "/".join(["d"] * depth) + "/deep.c"
        assert members(batch_of("hw")) == {"ann": ["a.c", deep], "bob": ["a.c"]}
    finally:
        # What cleans up after the tests does recurse.
        Path("hw/ann", deep).unlink()
        os.removedirs(Path("hw/ann", deep).parent)


# Patterns


def test_a_pattern_without_a_match_is_an_error_in_every_role() -> None:
    write("a.c")
    assert message_of("a.c", "*.java") == "no files match '*.java'"
    assert message_of("a.c", "--base", "b[1].c") == "no files match 'b[1].c'"
    assert message_of("a.c", "--prior", "20??/") == "no files match '20??/'"


# Order


@pytest.mark.slow
def test_the_order_of_arguments_changes_nothing() -> None:
    write("b/x.c", "b/a.c", "a/x.c", "2024/ann/a.c", "2025/ann/a.c", "s1.c", "s2.c", "w/1.c")
    outcomes = {
        repr(
            collect(
                Inputs(current, base=base, prior=prior, reference=("w", "w/1.c")[::step]),
                directories=directories,
            )
        )
        for directories in (True,)
        for step in (1, -1)
        for current in itertools.permutations(["b/x.c", "./b/a.c", "a/x.c", "b/a.c", "gone"])
        for base in (("s1.c", "s2.c"), ("s2.c", "s1.c"))
        for prior in (("2024", "2025"), ("2025", "2024"))
    }
    assert len(outcomes) == 1


def test_folders_whose_names_look_the_same_are_kept_apart(tmp_path: Path) -> None:
    write("hw/\\xff/a.c", "hw/\\xff (2)/a.c")
    raw = Path(os.fsdecode(os.fsencode(tmp_path) + b"/hw/\xff"))
    try:
        raw.mkdir()
    except OSError:
        pytest.skip("this file system takes no such name")
    (raw / "a.c").write_text("text")
    (raw / os.fsdecode(b"\xfe")).mkdir()
    assert members(batch_of("hw")) == {
        "\\xff": ["a.c"], "\\xff (2)": ["a.c"], "\\xff (3)": ["a.c"],
    }  # fmt: skip


def test_with_d_files_whose_names_look_the_same_are_kept_apart(tmp_path: Path) -> None:
    write("\\xff.c", "a.c", "x/b.c")
    raw = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.c")
    try:
        Path(raw).write_text("text")
    except OSError:
        pytest.skip("this file system takes no such name")
    batch = batch_of("\\xff.c", "a.c", "x/b.c", os.path.relpath(raw), directories=True)
    assert members(batch) == {".": ["\\xff.c", "\\xff (2).c", "a.c"], "x": ["b.c"]}
