"""No link in what was handed in is followed, however the paths to it were written."""

import glob
import itertools
import os
import stat
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import InputError
from mosslite.intake import collect
from mosslite.intake import entries as disk
from mosslite.intake.listing import places_at
from mosslite.records import Batch, Inputs
from tests.builders import LAW
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, write_files

LINK = "is a symbolic link, which is not followed"
BEHIND = "is below a symbolic link, which is not followed"
PRIVATE = "what only the instructor may see"


@pytest.fixture(autouse=True)
def in_a_folder_beside_a_private_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder ``here`` whose neighbour nobody handed in."""
    write_files(tmp_path / "private", {"x.py": PRIVATE, "deep/x.py": PRIVATE})
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def batch_of(*current: str, directories: bool = False) -> Batch:
    return collect(Inputs(current), directories=directories)


def batch_with(role: str, *paths: str) -> Batch:
    """Collect two files and, in another role, paths."""
    inputs = Inputs(("ann.py", "bob.py"))
    return collect(replace(inputs, **{role: paths}))


def texts(batch: Batch) -> set[str]:
    files = [file for each in batch.submissions for file in each.files]
    return {file.text for file in (*files, *batch.base)}


def skipped(batch: Batch) -> dict[str, str]:
    return {each.path: each.reason for each in batch.skipped}


def shell_expanded(pattern: str) -> list[str]:
    """Expand a pattern as a shell does: links and all."""
    return sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - which does not follow them


def matches(pattern: str) -> list[str]:
    try:
        return [each.path for each in places_at(pattern)]
    except InputError:
        return []


# --- links that stand for files, and links on the way ----------------------------------------

FILES = {"g/bob/x.py": "bob", "g/cy/x.py": "cy", "g/cy/src/y.py": "cy's own"}
PATTERNS = [
    ("g/*/*.py", False),
    ("g/*/*.py", True),
    ("g/*/x.py", True),
    ("g/**/*.py", False),
    ("g/**/*.py", True),
    ("g/**", False),
    ("**/x.py", True),
    ("g/*", False),
    ("g/*/", False),
    ("g/[a-z]*/?.py", True),
    ("./g/*/*.py", True),
    ("g/../g/*/*.py", True),
]


def plant_links() -> None:
    """Hand in each kind of link that leads to what was not handed in, or round in a circle."""
    write_files(Path(), FILES)
    Path("g/ann").symlink_to("../../private")
    Path("g/bob/y.py").symlink_to("../../../private/x.py")
    Path("g/bob/more").symlink_to("../../../private")
    Path("g/cy/loop").symlink_to("..")
    Path("g/cy/self.py").symlink_to("self.py")
    Path("g/cy/gone.py").symlink_to("nowhere")


@pytest.mark.parametrize("is_absolute", [False, True])
@pytest.mark.parametrize("expanded_by", ["mosslite", "the shell"])
@pytest.mark.parametrize(("pattern", "directories"), PATTERNS)
def test_a_link_that_a_pattern_matches_is_not_followed_whoever_expands_it(
    pattern: str, directories: bool, expanded_by: str, is_absolute: bool
) -> None:
    plant_links()
    pattern = f"{Path.cwd()}/{pattern}" if is_absolute else pattern
    paths = [pattern] if expanded_by == "mosslite" else shell_expanded(pattern)

    batch = batch_of(*paths, directories=directories)

    assert PRIVATE not in texts(batch)
    assert {"bob", "cy"} <= texts(batch)
    # Those that lead elsewhere are named, by themselves or by the folder that leads there.
    reasons = skipped(batch)
    assert set(reasons.values()) <= {LINK, BEHIND, "is given twice"}
    leads = {each for each, reason in reasons.items() if reason != "is given twice"}
    assert any("g/ann" in each for each in leads)


def test_a_pattern_names_the_link_that_it_would_have_to_follow() -> None:
    plant_links()

    batch = batch_of("g/**/*.py", directories=True)

    assert skipped(batch) == {
        "g/ann": LINK,
        "g/bob/more": LINK,
        "g/bob/y.py": LINK,
        "g/cy/gone.py": LINK,
        "g/cy/loop": LINK,
        "g/cy/self.py": LINK,
    }
    assert {each.name for each in batch.submissions} == {"g/bob", "g/cy", "g/cy/src"}


def test_a_path_through_a_link_says_what_is_wrong_with_it() -> None:
    plant_links()

    batch = batch_of("g/ann/x.py", "g/bob/x.py", "g/cy/x.py", "g/cy/loop/cy/src/y.py")

    assert skipped(batch) == {"g/ann/x.py": BEHIND, "g/cy/loop/cy/src/y.py": BEHIND}


def test_a_circle_of_links_ends_a_pattern_of_any_depth() -> None:
    write_files(Path(), {"g/ann/x.py": "ann", "g/bob/x.py": "bob"})
    for place, name in itertools.product(["g", "g/ann", "g/bob"], "abcdef"):
        Path(place, name).symlink_to("/" if name == "f" else ".." if place != "g" else ".")

    batch = batch_of("g/**/*.py")

    assert texts(batch) == {"ann", "bob"}
    assert len(batch.skipped) == 18


@pytest.mark.parametrize("directories", [False, True])
def test_a_linked_folder_given_beside_others_is_not_followed(directories: bool) -> None:
    write_files(Path(), {"bob/x.py": "bob", "cy/x.py": "cy"})
    Path("ann").symlink_to("../private")

    for spelled in ("ann", "ann/", "./ann", "bob/../ann"):
        batch = batch_of(spelled, "bob", "cy", directories=directories)
        assert texts(batch) == {"bob", "cy"}
        assert list(skipped(batch).values()) == [LINK]


def test_a_link_lends_its_name_to_no_submission() -> None:
    write_files(Path(), {"g/bob/x.py": "bob", "g/cy/x.py": "cy"})
    Path("g/b").symlink_to("bob")

    for paths in (["g/*/*.py"], shell_expanded("g/*/*.py")):
        batch = batch_of(*paths, directories=True)
        assert [each.name for each in batch.submissions] == ["g/bob", "g/cy"]


def test_a_link_to_what_others_handed_in_takes_nothing_from_them() -> None:
    write_files(Path(), {"ann.py": "ann", "bob.py": "bob"})
    Path("a.py").symlink_to("ann.py")  # the shorter name comes first

    for paths in itertools.permutations(["a.py", "ann.py", "bob.py"]):
        batch = batch_of(*paths)
        assert [each.name for each in batch.submissions] == ["ann.py", "bob.py"]
        assert skipped(batch) == {"a.py": LINK}


@pytest.mark.parametrize("role", ["base", "prior", "reference"])
def test_a_link_that_a_pattern_matches_is_followed_in_no_role(role: str) -> None:
    write_files(Path(), {"ann.py": "ann", "bob.py": "bob", "old/cy/x.py": "cy"})
    Path("old/cy/link.py").symlink_to("../../../private/x.py")
    Path("old/dan").symlink_to("../../private")

    if role == "base":  # of which nothing can be left out without a word
        with pytest.raises(InputError, match=LINK):
            batch_with(role, "old/*/*.py")
        return
    batch = batch_with(role, "old/*/*.py")
    assert PRIVATE not in texts(batch)
    assert skipped(batch) == {"old/cy/link.py": LINK, "old/dan": LINK}


def test_links_in_folders_of_every_role_are_not_followed() -> None:
    write_files(Path(), {"hw/ann.py": "ann", "hw/bob.py": "bob"})
    for folder in ("hw", "given", "old", "web"):
        write_files(Path(folder), {"cy/x.py": folder})
        Path(folder, "cy", "link.py").symlink_to("../../../private/x.py")
        Path(folder, "dan").symlink_to("../../private")

    batch = collect(Inputs(("hw",), base=("given",), prior=("old",), reference=("web",)))

    assert PRIVATE not in texts(batch)
    assert {"given", "old", "web"} <= texts(batch)
    assert set(skipped(batch).values()) == {LINK}
    assert len(batch.skipped) == 8


# --- links of the instructor's ---------------------------------------------------------------


def test_a_link_to_the_whole_batch_is_the_instructors() -> None:
    write_files(Path(), {"2025/ann/x.py": "ann", "2025/bob/x.py": "bob"})
    Path("latest").symlink_to("2025")

    for spelled in ("latest", "latest/", "./latest", str(Path("latest").absolute()), "la[t]est"):
        batch = batch_of(spelled)
        is_pattern = "[" in spelled
        assert texts(batch) == (set() if is_pattern else {"ann", "bob"})
        assert skipped(batch) == ({"latest": LINK} if is_pattern else {})


def test_a_link_above_all_that_is_given_is_the_instructors() -> None:
    write_files(Path(), {"2025/ann/x.py": "ann", "2025/bob/x.py": "bob"})
    Path("latest").symlink_to("2025")

    for paths in (
        ["latest/ann/x.py", "latest/bob/x.py"],
        ["latest/ann", "latest/bob"],
        ["latest/*/x.py"],
        [f"{Path.cwd()}/latest/ann/x.py", "2025/bob/x.py"],
    ):
        assert texts(batch_of(*paths)) == {"ann", "bob"}
        assert texts(batch_of(*paths, directories=True)) == {"ann", "bob"}


@pytest.mark.parametrize("role", ["base", "prior", "reference"])
def test_a_link_that_is_the_value_of_an_option_is_the_instructors(role: str) -> None:
    write_files(Path(), {"ann.py": "ann", "bob.py": "bob"})
    Path("folder").symlink_to("../private")
    Path("file.py").symlink_to("../private/x.py")

    for path in ("folder", "file.py", "folder/deep", "folder/*.py"):
        assert PRIVATE in texts(batch_with(role, path))


def test_a_link_that_leads_nowhere_is_reported() -> None:
    Path("latest").symlink_to("nowhere")
    assert skipped(batch_of("latest")) == {"latest": LINK}


def test_a_run_names_the_links_and_shows_nothing_of_what_they_lead_to(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"g/ann/x.py": QUEUE, "g/bob/x.py": PRIMES})
    (tmp_path / "g/bob/y.py").symlink_to(tmp_path / "private/x.py")

    outcome = run("-d", "g/*/*.py", "--json", "-", "-o", "report")

    assert outcome.code == 0
    assert f"skipped: g/bob/y.py {LINK}" in outcome.err
    assert PRIVATE not in outcome.out
    pages = [path for path in (tmp_path / "report").rglob("*") if path.is_file()]
    assert not any(PRIVATE in path.read_text(encoding="utf-8") for path in pages)


# --- patterns and kinds of links -------------------------------------------------------------

NAMES = ["a", "b.py", ".h", "dir"]
PARTS = ["*", "**", "?", "*.py", "[ab]*", ".*", "a", "dir", "..", "."]


@LAW
@given(
    st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3), max_size=5),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=3),
    st.booleans(),
)
def test_where_there_are_no_links_a_pattern_matches_what_it_does_elsewhere(
    tmp_path_factory: pytest.TempPathFactory, paths: list[list[str]], parts: list[str], ends: bool
) -> None:
    # However often a pattern goes up, it stays among these.
    folder = tmp_path_factory.mktemp("tree") / "up/up/up"
    (folder / "a").mkdir(parents=True)
    (folder / "a/b.py").touch()
    for path in paths:
        with suppress(FileExistsError, NotADirectoryError):  # there is a file
            folder.joinpath(*path).mkdir(parents=True, exist_ok=True)
    pattern = "/".join([str(folder), "*", *parts]) + "/" * ends

    expected = {os.path.normpath(each) for each in shell_expanded(pattern)}

    assert {os.path.normpath(each) for each in matches(pattern)} == expected


@pytest.mark.parametrize(
    ("tag", "is_link"),
    [
        (0, False),
        (0xA000_0003, True),  # a junction
        (0xA000_000C, True),  # a symbolic link
        (0x9000_001A, False),  # a file that is kept in a cloud
    ],
)
def test_what_stands_for_another_path_on_windows_is_a_link(tag: int, is_link: bool) -> None:
    status = SimpleNamespace(st_mode=stat.S_IFDIR | 0o777, st_reparse_tag=tag, st_dev=1, st_ino=1)
    assert disk._is_link(cast("os.stat_result", status)) is is_link


def test_links_are_found_where_the_system_has_no_open_folders(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(disk, "_HAS_DESCRIPTORS", False)  # as on Windows
    plant_links()

    batch = batch_of("g/*/*.py", directories=True)
    assert texts(batch) == {"bob", "cy"}
    batch = batch_of(*shell_expanded("g/*/*.py"), directories=True)
    assert texts(batch) == {"bob", "cy"}
    assert texts(batch_of("g")) == {"bob", "cy", "cy's own"}
