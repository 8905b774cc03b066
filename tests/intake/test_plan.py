import itertools
import os
from pathlib import Path

import pytest

from mosslite.errors import InputError
from mosslite.intake import collect
from mosslite.records import Batch, Inputs, Role, Skipped
from mosslite.signatures import REPORT_MARKER
from tests.exports import write_zip
from tests.programs import write_files

pytestmark = pytest.mark.usefixtures("in_empty_folder")


CURRENT, PRIOR, REFERENCE = Role.CURRENT, Role.PRIOR, Role.REFERENCE


def write(*paths: str) -> None:
    """Write files that hold their own path."""
    write_files(Path(), {path: path for path in paths})


def batch_of(
    *current: str, base: str = "", prior: str = "", reference: str = "", directories: bool = False
) -> Batch:
    """Collect paths by role; those of other roles than CURRENT are separated by blanks."""
    others = (tuple(paths.split()) for paths in (base, prior, reference))
    return collect(Inputs(current, *others), directories=directories)


def members(batch: Batch) -> dict[str, list[str]]:
    return {each.name: [file.name for file in each.files] for each in batch.submissions}


def skipped(batch: Batch) -> list[tuple[str, str]]:
    return [(each.path, each.reason) for each in batch.skipped]


def message_of(*current: str, base: str = "", prior: str = "", reference: str = "") -> str:
    with pytest.raises(InputError) as caught:
        batch_of(*current, base=base, prior=prior, reference=reference)
    return str(caught.value)


# What is one submission


def test_a_file_argument_is_a_submission_named_by_its_path_as_given(tmp_path: Path) -> None:
    write("a.py", "x/b.py")
    absolute = str(tmp_path / "a.py")
    batch = batch_of("./x/../a.py", "x/b.py", absolute)
    assert members(batch) == {"./x/../a.py": ["./x/../a.py"], "x/b.py": ["x/b.py"]}
    assert skipped(batch) == [(absolute, "is given twice")]
    assert members(batch_of(absolute)) == {absolute: [absolute]}


def test_the_children_of_one_folder_are_submissions_named_by_the_child() -> None:
    write("hw/ann/main.c", "hw/ann/lib/list.c", "hw/bob.c", "hw/cy/main.c")
    batch = batch_of("hw/")
    assert members(batch) == {
        "ann": ["lib/list.c", "main.c"],
        "bob.c": ["bob.c"],
        "cy": ["main.c"],
    }
    assert {each.role for each in batch.submissions} == {CURRENT}


def test_several_folders_are_a_submission_each() -> None:
    write("ann/main.c", "ann/lib/list.c", "bob/main.c", "cy.c")
    assert members(batch_of("ann/", "./bob//", "cy.c")) == {
        "./bob": ["main.c"],
        "ann": ["lib/list.c", "main.c"],
        "cy.c": ["cy.c"],
    }


def test_with_d_the_files_of_a_folder_are_one_submission_however_it_is_spelled(
    tmp_path: Path,
) -> None:
    write("ann/b.c", "ann/a.c", "bob/a.c", "main.c")
    batch = batch_of("./ann/b.c", "bob/a.c", "main.c", "ann/a.c", directories=True)
    assert members(batch) == {".": ["main.c"], "ann": ["a.c", "b.c"], "bob": ["a.c"]}
    absolute = str(tmp_path / "ann")
    batch = batch_of(f"{absolute}/b.c", f"{absolute}/a.c", "bob/a.c", directories=True)
    assert members(batch) == {absolute: ["a.c", "b.c"], "bob": ["a.c"]}


def test_with_d_a_folder_joins_the_files_given_from_it() -> None:
    write("ann/a.c", "ann/.extra.c", "bob/a.c")
    batch = batch_of("ann/", "ann/.extra.c", "bob", "ann/a.c", directories=True)
    assert members(batch) == {"ann": [".extra.c", "a.c"], "bob": ["a.c"]}
    assert skipped(batch) == [("ann/a.c", "is given twice")]


def test_with_d_a_single_folder_is_still_a_batch() -> None:
    write("hw/ann/a.c", "hw/bob/a.c")
    assert members(batch_of("hw", directories=True)) == {"ann": ["a.c"], "bob": ["a.c"]}


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
        write_zip(Path(f"packed/{name}.zip"), {"a.c": "a", "lib/b.c": "b"})
    assert batch_of(*arguments, directories=directories).description == description


def test_one_folder_beside_a_missing_one_is_not_a_batch() -> None:
    write("ann/a.c", "ann/b.c")
    batch = batch_of("ann", "bbo")
    assert members(batch) == {"ann": ["a.c", "b.c"]}
    assert skipped(batch) == [("bbo", "does not exist")]


def test_the_current_and_the_parent_folder_can_be_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("hw/ann/a.c", "hw/bob/a.c")
    monkeypatch.chdir(tmp_path / "hw" / "ann")
    assert members(batch_of("..")) == {"ann": ["a.c"], "bob": ["a.c"]}
    assert members(batch_of(".", "../bob")) == {".": ["a.c"], "../bob": ["a.c"]}


# Roles


def test_submissions_are_in_order_of_role_and_name() -> None:
    write("b.c", "a.c", "2025/z.c", "2024/y.c", "web/x.c")
    batch = batch_of("b.c", "a.c", prior="2025 2024", reference="web/x.c")
    assert [(each.role, each.name) for each in batch.submissions] == [
        (CURRENT, "a.c"),
        (CURRENT, "b.c"),
        (PRIOR, "y.c"),
        (PRIOR, "z.c"),
        (REFERENCE, "web/x.c"),
    ]


def test_base_code_is_not_a_submission_and_a_folder_of_it_gives_all_its_files() -> None:
    write("a.c", "b.c", "given/lib/util.c", "given/main.c", "given/.hidden.c", "stub.c")
    batch = batch_of("a.c", "b.c", base="stub.c given")
    assert members(batch) == {"a.c": ["a.c"], "b.c": ["b.c"]}
    assert [file.name for file in batch.base] == ["lib/util.c", "main.c", "stub.c"]


def test_a_name_that_is_taken_gives_way_to_the_path() -> None:
    write("hw/ann/a.c", "hw/bob/a.c", "2024/ann/a.c", "2025/ann/a.c", "2025/bob/a.c", "web/cy.c")
    batch = batch_of("hw", prior="2025 2024", reference="web/ web/cy.c")
    assert [each.name for each in batch.submissions] == [
        "ann", "bob", "2024/ann", "2025/ann", "2025/bob", "cy.c",
    ]  # fmt: skip
    batch = batch_of("hw/ann/a.c", "hw/bob/a.c", prior="2024/ann/a.c 2025/ann", reference="2025")
    assert [each.name for each in batch.submissions] == [
        "hw/ann/a.c", "hw/bob/a.c", "2024/ann/a.c", "a.c", "bob",
    ]  # fmt: skip


def test_of_earlier_terms_with_equal_names_each_says_its_term() -> None:
    for term in ("2021", "2022"):
        write_files(Path(term), {"gr1/main.py": f"a = {term}", f"own{term}.py": "b = 1"})
    write_files(Path("now"), {"gr1/main.py": "a = 3", "gr2.py": "b = 2"})
    batch = collect(Inputs(("now",), prior=("2022", "2021")))

    assert [each.name for each in batch.submissions] == [
        *("gr1", "gr2.py"),
        *("2021/gr1", "2022/gr1", "own2021.py", "own2022.py"),
    ]


# What is left out


def test_hidden_files_and_what_tools_leave_behind_are_left_out_unless_given() -> None:
    write(
        "hw/ann/a.py", "hw/ann/.env", "hw/ann/.git/config", "hw/ann/__pycache__/a.pyc",
        "hw/ann/node_modules/x/y.js", "hw/bob.py", "hw/.DS_Store", "hw/__MACOSX/ann/a.py",
        "hw/cy/site-packages/gen.py",
    )  # fmt: skip
    batch = batch_of("hw")
    assert members(batch) == {"ann": ["a.py"], "bob.py": ["bob.py"]}
    assert skipped(batch) == [("hw/cy", "contains no files but ignored ones")]
    assert [each.path for each in batch.ignored] == [  # from the outermost folder on
        "hw/.DS_Store", "hw/__MACOSX/", "hw/ann/.env", "hw/ann/.git/", "hw/ann/__pycache__/",
        "hw/ann/node_modules/", "hw/cy/site-packages/",
    ]  # fmt: skip
    assert list(members(batch_of("hw/ann/.env", "hw/bob.py"))) == ["hw/ann/.env", "hw/bob.py"]


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
    assert message_of("a.c", base="stub.c") == "base code 'stub.c' does not exist"
    assert message_of("a.c", prior="2024/") == "prior submissions '2024/' does not exist"
    assert message_of("a.c", reference="x") == "reference 'x' does not exist"


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
    write_zip(Path("old.zip"), {"z.c": "int z;"})
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
        assert message_of("a.c", "b.c", base=given) == "base code 'x.c' is binary"


def test_a_file_that_a_folder_brings_already_counts_once() -> None:
    write("ann/a.c", "bob/a.c")
    for arguments in itertools.permutations(["ann", "ann/a.c", "bob"]):
        batch = batch_of(*arguments)
        assert members(batch) == {"ann": ["a.c"], "bob": ["a.c"]}
        assert skipped(batch) == [("ann/a.c", "is given twice")]


def test_a_file_in_two_roles_has_the_first_of_base_current_prior_and_reference() -> None:
    write("hw/a.c", "hw/b.c", "hw/stub.c", "old/c.c")
    batch = batch_of("hw", base="hw/stub.c", prior="hw/a.c old", reference="./old/c.c")
    assert [each.name for each in batch.submissions] == ["a.c", "b.c", "c.c"]
    assert [file.name for file in batch.base] == ["hw/stub.c"]
    assert skipped(batch) == [
        ("./old/c.c", "is already part of the prior submissions"),
        ("hw/a.c", "is already part of this batch"),
        ("hw/stub.c", "is already part of the base code"),
    ]


# Links, pipes, and folders that are no work


def test_a_link_inside_a_folder_is_not_followed_and_hides_nothing() -> None:
    write("hw/bob/main.c", "hw/cy/main.c", "secret.c")
    Path("hw/ann").mkdir()
    Path("hw/ann/steal.c").symlink_to("../bob/main.c")
    Path("hw/ann/up").symlink_to("..")
    Path("hw/ann/gone.c").symlink_to("nowhere")
    Path("hw/eve.c").symlink_to("../secret.c")
    Path("hw/fay").symlink_to("cy")
    batch = batch_of("hw")
    assert members(batch) == {"bob": ["main.c"], "cy": ["main.c"]}
    assert skipped(batch) == [
        (f"hw/{name}", "is a symbolic link, which is not followed")
        for name in ("ann/gone.c", "ann/steal.c", "ann/up", "eve.c", "fay")
    ]


def test_an_older_report_is_no_work() -> None:
    pages = ["index.html", "overview.js", "pairs/1.html", "review-data.js"]
    write("hw/ann/a.c", "hw/bob/a.c", *(f"hw/report/{page}" for page in pages))
    listed = "".join(f"{page}\n" for page in pages)
    write_files(Path(), {f"hw/report/{REPORT_MARKER}": f"This folder is a report.\n{listed}"})
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


def test_a_pattern_stands_for_what_it_matches() -> None:
    write("hw/ann/a.c", "hw/bob/b.c", "hw/bob/b.h", "hw/c.c")
    assert list(members(batch_of("hw/*/*.c"))) == ["hw/ann/a.c", "hw/bob/b.c"]
    assert list(members(batch_of("hw/**/*.c"))) == ["hw/ann/a.c", "hw/bob/b.c", "hw/c.c"]
    assert list(members(batch_of("hw/[ab]*"))) == ["hw/ann", "hw/bob"]
    batch = batch_of("hw/c.c", prior="hw/a*", reference="hw/b?b", base="hw/bob/*.h")
    assert [each.name for each in batch.submissions] == ["hw/c.c", "a.c", "b.c"]
    assert [file.name for file in batch.base] == ["hw/bob/b.h"]


def test_a_pattern_that_matches_one_folder_is_that_folder() -> None:
    write("autumn/a.c", "autumn/b.c")
    assert list(members(batch_of("aut*"))) == ["a.c", "b.c"]


def test_a_name_that_looks_like_a_pattern_stands_for_itself_first() -> None:
    write("a[1].c", "a1.c", "a*.c", "d[x]/a?.c", "a\\b.c")
    assert list(members(batch_of("a[1].c", "a*.c", "d[x]/a?.c", "a\\b.c"))) == [
        "a*.c", "a[1].c", "a\\b.c", "d[x]/a?.c",
    ]  # fmt: skip
    assert members(batch_of("d[x]", "a1.c"))["d[x]"] == ["a?.c"]


def test_a_pattern_without_a_match_is_an_error_in_every_role() -> None:
    write("a.c")
    assert message_of("a.c", "*.java") == "no files match '*.java'"
    assert message_of("a.c", base="b[1].c") == "no files match 'b[1].c'"
    assert message_of("a.c", prior="20??/") == "no files match '20??/'"


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


def test_skipped_paths_are_in_order_of_path() -> None:
    write("z.c")
    batch = batch_of("z.c", "y.c", "x.c", "y.c")
    assert batch.skipped == tuple(Skipped(path, "does not exist") for path in ("x.c", "y.c", "y.c"))


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
