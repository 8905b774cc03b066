"""Histories are read from objects alone, whatever else a student put into a repository."""

import os
import struct
import zlib
from pathlib import Path

import pytest

from mosslite.intake.entries import located
from mosslite.intake.history import History, Objects
from mosslite.records import RepositoryPlace
from tests.git_repositories import commit, git, needs_git, place_object, repository
from tests.tables import table

pytestmark = needs_git

DAY = "2026-03-0{} 12:00:00 +0100"


def history(folder: Path) -> History:
    return History(RepositoryPlace("", str(folder), followed=len(folder.parts) - 1))


def subjects(folder: Path) -> list[str]:
    with history(folder) as found:
        return [node.commit.subject for node in found.nodes]


def remarks(folder: Path) -> str:
    with history(folder) as found:
        for number in range(len(found.nodes)):
            for each in found.files(number, lambda _name: True):
                found.blob(each.blob)
        return "; ".join(found.remarks)


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A repository of two commits."""
    folder = repository(tmp_path / "ann")
    commit(folder, {"a.py": "x = 1\n"}, DAY.format(1), "first")
    commit(folder, {"a.py": "x = 1\ny = 2\n", "in/b.py": "z\n"}, DAY.format(2), "second")
    return folder


@pytest.mark.parametrize("is_packed", [False, True])
def test_commits_are_read_in_order_with_their_dates_and_files(two: Path, is_packed: bool) -> None:
    if is_packed:
        git(two, "gc", "-q", "--aggressive")
    with history(two / ".git") as found:
        first, second = (node.commit for node in found.nodes)
        assert (first.subject, first.authored) == ("first", "2026-03-01T12:00:00+01:00")
        assert second.author == "Ann <ann@example.org>"
        files = found.files(1, lambda name: name.endswith(".py"))
        assert [each.path for each in files] == ["a.py", "in/b.py"]
        assert found.blob(files[0].blob) == b"x = 1\ny = 2\n"
        assert not found.remarks
        assert found.summary.commits == 2


def test_a_bare_clone_is_read(two: Path) -> None:
    git(two.parent, "clone", "-q", "--bare", str(two), "bare.git")
    assert subjects(two.parent / "bare.git") == ["first", "second"]


def test_a_shallow_clone_is_reported(two: Path) -> None:
    git(two.parent, "clone", "-q", "--depth", "1", f"file://{two}", "cut")
    assert subjects(two.parent / "cut/.git") == ["second"]
    assert "shallow" in remarks(two.parent / "cut/.git")


def test_merged_branches_and_tags_are_read(two: Path) -> None:
    git(two, "checkout", "-q", "-b", "side", "HEAD~1")
    commit(two, {"c.py": "c\n"}, DAY.format(3), "aside")
    git(two, "tag", "-a", "-m", "tagged", "v1")
    git(two, "checkout", "-q", "main")
    git(two, "branch", "-q", "-D", "side")
    git(two, "pack-refs", "--all")
    assert subjects(two / ".git") == ["first", "second", "aside"]


def test_nothing_of_a_hostile_configuration_runs(two: Path) -> None:
    marker = two.parent / "ran"
    run = two.parent / "run.sh"
    run.write_text(f"#!/bin/sh\ntouch {marker}\n", encoding="utf-8")
    run.chmod(0o755)
    for hook in ("post-checkout", "pre-commit", "post-index-change", "fsmonitor-watchman"):
        (two / ".git/hooks" / hook).write_bytes(run.read_bytes())
        (two / ".git/hooks" / hook).chmod(0o755)
    (two / ".gitattributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
    with (two / ".git/config").open("a", encoding="utf-8") as config:
        config.write(f"[core]\nfsmonitor = {run}\npager = {run}\nsshCommand = {run}\n")
        config.write(f'[filter "evil"]\nclean = {run}\nsmudge = {run}\nprocess = {run}\n')
        config.write(f'[alias]\nlog = !{run}\n[diff "evil"]\ntextconv = {run}\n')
        config.write(f"[include]\npath = {run}\n[extensions]\npartialClone = origin\n")
    assert subjects(two / ".git") == ["first", "second"]
    assert remarks(two / ".git") == ""
    assert not marker.exists()


def test_alternates_outside_are_not_followed(two: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "bob")
    (other / ".git/objects/info").mkdir(exist_ok=True)
    (other / ".git/objects/info/alternates").write_text(f"{two}/.git/objects\n", encoding="utf-8")
    (other / ".git/refs/heads/main").write_text(git(two, "rev-parse", "HEAD"), encoding="utf-8")
    assert subjects(other / ".git") == []
    assert "alternates" in remarks(other / ".git")


@pytest.mark.parametrize("linked", ["objects", "refs", "HEAD", "packed-refs"])
def test_no_link_inside_is_followed(two: Path, tmp_path: Path, linked: str) -> None:
    git(two, "pack-refs", "--all")
    inside = tmp_path / "bob/.git"
    git(tmp_path, "clone", "-q", "--no-local", str(two), "bob")
    moved = tmp_path / "elsewhere"
    (inside / linked).rename(moved)
    (inside / linked).symlink_to(moved)
    with Objects(located(str(inside), followed=len(inside.parts) - 1)) as objects:
        assert objects.text(linked) == ""
        assert objects.children(linked) == []
    if linked == "objects":
        assert subjects(inside) == []


def test_environment_variables_change_nothing(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", os.devnull)
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", "/nowhere")
    assert subjects(two / ".git") == ["first", "second"]


@table("line", "written")
def test_nonsense_in_dates_costs_the_date_alone(two: Path, line: str, written: str) -> None:
    tree, parent = git(two, "rev-parse", "HEAD^{tree}"), git(two, "rev-parse", "HEAD")
    who = f"Eve <eve@x> {line}"
    content = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\nodd\n"
    name = place_object(two / ".git", "commit", content.encode())
    (two / ".git/refs/heads/main").write_text(name, encoding="utf-8")
    with history(two / ".git") as found:
        assert found.nodes[-1].commit.subject == "odd"
        assert found.nodes[-1].commit.authored == written
        assert len(found.nodes) == 3


def test_a_commit_under_a_false_name_is_not_read(two: Path) -> None:
    head = git(two, "rev-parse", "HEAD")
    tree = git(two, "rev-parse", "HEAD^{tree}")
    cycle = f"tree {tree}\nparent {head}\nauthor E <e> 1 +0000\ncommitter E <e> 1 +0000\n\nme\n"
    place_object(two / ".git", "commit", cycle.encode(), name=head)
    assert subjects(two / ".git") == []
    assert "missing or damaged" in remarks(two / ".git")


def test_missing_and_corrupt_objects_are_reported(two: Path) -> None:
    blob = git(two, "rev-parse", "HEAD:a.py")
    tree = git(two, "rev-parse", "HEAD:in")
    for name, content in ((blob, b"no zlib"), (tree, None)):
        path = two / ".git/objects" / name[:2] / name[2:]
        path.unlink()
        if content:
            path.write_bytes(content)
    assert subjects(two / ".git") == ["first", "second"]
    assert "folders that are missing or damaged" in remarks(two / ".git")
    assert "files that are missing, damaged or large" in remarks(two / ".git")


def test_an_object_that_unpacks_to_gigabytes_is_not_unpacked(two: Path) -> None:
    blob = git(two, "rev-parse", "HEAD:a.py")
    packer = zlib.compressobj(9)
    path = two / ".git/objects" / blob[:2] / blob[2:]
    path.unlink()
    pieces = [packer.compress(b"blob 1073741824\0")]
    pieces += [packer.compress(bytes(1 << 20)) for _ in range(64)]
    path.write_bytes(b"".join(pieces) + packer.flush())
    assert "large" in remarks(two / ".git")


@pytest.mark.parametrize(
    "head",
    [
        b"\xbf\xff\xff\xff\xff\x7f",  # a blob of many gigabytes
        b"\xff" * 64,  # a size without an end
        b"\xe5\x00",  # made of itself
        b"\x5f",  # a kind that there is not
        b"",
    ],
)
def test_a_hostile_pack_is_refused_before_it_is_unpacked(two: Path, head: bytes) -> None:
    git(two, "gc", "-q")
    (pack,) = (two / ".git/objects/pack").glob("*.pack")
    content = pack.read_bytes()
    pack.chmod(0o644)
    pack.write_bytes(content[:12] + head + bytes(len(content)) * bool(head))
    assert subjects(two / ".git") == []
    assert "missing or damaged" in remarks(two / ".git")


def test_an_index_that_claims_more_than_it_has_is_refused(two: Path) -> None:
    git(two, "gc", "-q")
    (index,) = (two / ".git/objects/pack").glob("*.idx")
    index.chmod(0o644)
    index.write_bytes(b"\xfftOc" + struct.pack(">L", 2) + struct.pack(">L", 0xFFFFFFFF) * 256)
    assert subjects(two / ".git") == []
    assert "damaged pack" in remarks(two / ".git")


def test_a_tree_that_holds_itself_many_times_over_ends(two: Path) -> None:
    blob = git(two, "rev-parse", "HEAD:a.py")
    tree = place_object(two / ".git", "tree", b"100644 a.py\0" + bytes.fromhex(blob))
    for _ in range(12):
        entries = (b"40000 %d\0" % n + bytes.fromhex(tree) for n in range(9))
        tree = place_object(two / ".git", "tree", b"".join(entries))
    who = "E <e> 1700000000 +0000"
    content = f"tree {tree}\nauthor {who}\ncommitter {who}\n\nbomb\n"
    name = place_object(two / ".git", "commit", content.encode())
    (two / ".git/refs/heads/main").write_text(name, encoding="utf-8")
    assert "no more than 5,000 files" in remarks(two / ".git")


def test_submodules_are_not_read(two: Path) -> None:
    entry = f"160000,{git(two, 'rev-parse', 'HEAD')},sub"
    git(two, "update-index", "--add", "--cacheinfo", entry)
    git(two, "commit", "-q", "-m", "submodule")
    assert "submodules" in remarks(two / ".git")


def test_an_object_is_found_as_what_it_is_alone(two: Path) -> None:
    blob = git(two, "rev-parse", "HEAD:a.py")
    folder = two / ".git"
    with Objects(located(str(folder), followed=len(folder.parts) - 1)) as objects:
        assert objects.read(blob, "blob") == b"x = 1\ny = 2\n"
        assert objects.read(blob, "commit") is None
        assert objects.read("0" * 40, "blob") is None


@pytest.mark.parametrize("name", ["all", "part"])
def test_a_bundle_is_read(two: Path, name: str) -> None:
    git(two, "bundle", "create", "-q", "all.bundle", "--all")
    git(two, "bundle", "create", "-q", "part.bundle", "main", "^main~1")
    if name == "all":
        assert subjects(two / "all.bundle") == ["first", "second"]
        assert remarks(two / "all.bundle") == ""
    else:
        assert subjects(two / "part.bundle") == ["second"]
        assert "needs commits" in remarks(two / "part.bundle")


def test_a_bundle_of_many_deltas_is_read(two: Path) -> None:
    lines = [f"value_{n} = {n}\n" for n in range(300)]
    for day in range(1, 10):
        lines[day * 20] = f"changed_{day} = {day}\n"
        commit(two, {"long.py": "".join(lines)}, f"2026-04-{day:02} 12:00:00 +0000", f"day {day}")
    git(two, "gc", "-q", "--aggressive")
    git(two, "bundle", "create", "-q", "all.bundle", "--all")
    with history(two / "all.bundle") as found:
        (file,) = found.files(len(found.nodes) - 1, lambda name: name == "long.py")
        assert found.blob(file.blob) == "".join(lines).encode()
        assert not found.remarks


@pytest.mark.parametrize("end", [20, 100, -40])
def test_a_bundle_that_is_cut_is_reported(two: Path, end: int) -> None:
    git(two, "bundle", "create", "-q", "all.bundle", "--all")
    content = (two / "all.bundle").read_bytes()
    (two / "cut.bundle").write_bytes(content[:end])
    assert "damaged or cut" in remarks(two / "cut.bundle")


def test_a_history_of_very_many_commits_is_cut_and_reported(tmp_path: Path) -> None:
    folder = repository(tmp_path / "long")
    stream = "".join(
        f"commit refs/heads/main\ncommitter A <a@x> {1_700_000_000 + number} +0000\ndata 0\n"
        for number in range(5_100)
    )
    (tmp_path / "stream").write_text(stream, encoding="utf-8")
    with (tmp_path / "stream").open("rb") as source:
        git(folder, "fast-import", "--quiet", stdin=source)
    with history(folder / ".git") as found:
        assert len(found.nodes) == 5_000
        assert found.is_cut[0]
        assert "only the newest 5,000 commits" in "; ".join(found.remarks)
