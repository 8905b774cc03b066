"""What was handed in can change while it is read: that is neither followed nor waited for."""

import errno
import io
import os
import socket
import tarfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from mosslite.errors import InputError
from mosslite.intake import collect
from mosslite.intake import entries as disk
from mosslite.intake.archives import archive_entries, batch_entries, is_archive
from mosslite.intake.entries import Entry, NotReadError, located
from mosslite.intake.grouping import opened
from mosslite.intake.listing import listing_at
from mosslite.intake.reading import Effort, read_entry
from mosslite.options import Intake, Limits
from mosslite.records import Inputs, Role
from tests.archives import no_rule, tar_of, zip_of
from tests.conftest import Run
from tests.posix import AF_UNIX, mkfifo
from tests.programs import QUEUE, write_files

LINK = "is a symbolic link, which is not followed"
IRREGULAR = "is not a regular file"
PRIVATE = "what only the instructor may see"

posix_only = pytest.mark.skipif(os.name != "posix", reason="this system has no such files")


@pytest.fixture(autouse=True)
def in_a_folder_beside_a_private_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path / "private", {"x.py": PRIVATE, "deep/x.py": PRIVATE})
    write_files(
        tmp_path / "here/hw", {"ann/x.py": "ann", "ann/deep/x.py": "ann", "bob/x.py": "bob"}
    )
    monkeypatch.chdir(tmp_path / "here")


def listed(path: str = "hw") -> dict[str, Entry]:
    return {each.name: each for each in listing_at(located(path), Intake()).entries}


def outcome_of(entry: Entry, most: int = 4 << 20) -> str:
    """Return what is read, or why nothing is."""
    try:
        return read_entry(entry, Intake(limits=Limits(file=most)), None, Effort(Role.CURRENT))[
            0
        ].text
    except NotReadError as error:
        return str(error)


def exchange_for_link(path: str, target: str) -> None:
    Path(path).unlink()
    Path(path).symlink_to(target)


def exchange_for_pipe(path: str) -> None:
    Path(path).unlink()
    mkfifo(path)


def exchange_for_socket(path: str) -> None:
    Path(path).unlink()
    with socket.socket(AF_UNIX) as made:
        made.bind(path)


def exchange_for_folder(path: str) -> None:
    Path(path).unlink()
    Path(path).mkdir()


# --- files that are exchanged between listing and reading ------------------------------------


@pytest.mark.parametrize("target", ["../../../private/x.py", "/dev/zero", "/proc/self/environ"])
@pytest.mark.parametrize("path", ["hw", "hw/ann/x.py"])
def test_a_file_that_became_a_link_is_not_followed(path: str, target: str) -> None:
    entries = listed(path)

    exchange_for_link("hw/ann/x.py", target)

    assert outcome_of(entries["ann/x.py" if path == "hw" else path]) == LINK


@posix_only
@pytest.mark.parametrize("exchange", [exchange_for_pipe, exchange_for_socket, exchange_for_folder])
def test_a_file_that_became_something_else_is_not_waited_for(
    exchange: Callable[[str], None],
) -> None:
    entries = listed()

    exchange("hw/ann/x.py")

    reason = outcome_of(entries["ann/x.py"])
    assert reason.startswith((IRREGULAR, "cannot be read: "))


@pytest.mark.parametrize("folder", ["hw/ann", "hw/ann/deep"])
def test_a_file_whose_folder_became_a_link_is_not_read(folder: str) -> None:
    entries = listed()

    Path(folder).rename("aside")
    Path(folder).symlink_to(Path("../private/deep" if "deep" in folder else "../private").resolve())

    assert outcome_of(entries["ann/deep/x.py"]) == "was replaced by another file while it was read"


def test_a_given_file_whose_folder_became_a_link_is_not_read() -> None:
    place = located("hw/ann/x.py", followed=1)

    Path("hw/ann").rename("aside")
    Path("hw/ann").symlink_to("../../private")

    with pytest.raises(NotReadError):
        disk.opened(place)


def test_a_file_that_was_saved_again_is_read() -> None:
    entries = listed()

    Path("hw/ann/new").write_text("a later version")
    Path("hw/ann/new").replace("hw/ann/x.py")
    Path("hw/bob/x.py").unlink()

    assert outcome_of(entries["ann/x.py"]) == "a later version"
    assert outcome_of(entries["bob/x.py"]) == "cannot be read: no such file or directory"


def test_a_folder_that_became_a_link_is_not_listed() -> None:
    (_, ann), _ = disk.children_of(located("hw"))

    Path("hw/ann").rename("aside")
    Path("hw/ann").symlink_to("../../private")

    with pytest.raises(NotADirectoryError):
        disk.children_of(ann)


def test_a_batch_that_became_a_link_cannot_be_read() -> None:
    place = located("hw", followed=0)

    Path("hw").rename("aside")
    Path("hw").symlink_to("../private")

    with pytest.raises(InputError, match="folder 'hw' cannot be read: not a directory"):
        listing_at(place, Intake())


@posix_only
@pytest.mark.parametrize("exchange", [exchange_for_pipe, lambda path: exchange_for_link(path, "x")])
@pytest.mark.parametrize("name", ["hw/ann.zip", "hw/ann.tar"])
def test_an_archive_that_was_exchanged_is_not_opened(
    name: str, exchange: Callable[[str], None]
) -> None:
    Path(name).write_bytes(zip_of({"x.py": b"x"}))
    entry = listed()[name.removeprefix("hw/")]

    exchange(name)

    assert not is_archive(entry.name, entry.content)
    (told,) = archive_entries(entry, Limits(), no_rule)
    assert told.obstacle in {IRREGULAR, LINK}
    (told,) = batch_entries(entry, Limits(), no_rule, lambda some: [each.name for each in some])
    assert told.obstacle in {IRREGULAR, LINK}
    (told,) = opened([entry], Intake())
    assert outcome_of(told) in {IRREGULAR, LINK}


@pytest.mark.parametrize("pack", [zip_of, tar_of, lambda files: tar_of(files, "w:gz")])
def test_files_that_come_into_an_archive_of_a_batch_while_it_is_read_are_nobodys(
    pack: Callable[[dict[str, bytes]], bytes],
) -> None:
    files = {"ann/x.py": b"ann", "bob/x.py": b"bob"}
    Path("hw.zip").write_bytes(pack(files))
    entry = Entry("hw.zip", "hw.zip", located("hw.zip"))

    def owners(entries: Sequence[Entry]) -> list[str]:
        with Path("hw.zip").open("r+b") as file:
            file.write(pack({"ann/a.py": b"a", **files, "cy/x.py": b"cy"}))
        return [each.name.split("/")[1] for each in entries]

    found = batch_entries(entry, Limits(), no_rule, owners)

    assert {(each.name, each.content) for each in found} <= {
        ("hw.zip/ann/x.py", b"ann"),
        ("hw.zip/bob/x.py", b"bob"),
    }


@posix_only
def test_whatever_is_exchanged_while_a_batch_is_read_nothing_private_is_in_it() -> None:
    with exchanging("hw/ann/x.py", "../../../private/x.py"), exchanging("hw/bob", "../../private"):
        for paths in (["hw"], ["hw/*/x.py"], ["hw/ann/x.py", "hw/bob/x.py"], ["hw/**/*.py"]) * 10:
            with suppress(InputError):  # there can be nothing at the moment
                batch = collect(Inputs(tuple(paths)), directories=len(paths) > 1)
                texts = {file.text for each in batch.submissions for file in each.files}
                assert PRIVATE not in texts


@posix_only
def test_a_link_that_goes_while_it_is_resolved_leaves_the_path_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("hw/link").symlink_to("ann")

    def gone(_path: object, **_how: object) -> str:
        raise FileNotFoundError(errno.ENOENT, "gone")

    assert disk.real_path("hw/link") == os.path.realpath("hw/ann")
    monkeypatch.setattr(os, "readlink", gone)
    assert disk.real_path("hw/link/x.py") == str(Path.cwd() / "hw/link/x.py")


class exchanging:  # noqa: N801 - it is used as a function
    """Make a path now a link and now what it was, as fast as it goes."""

    def __init__(self, path: str, target: str) -> None:
        self._path, self._target, self._stop = path, target, threading.Event()
        self._thread = threading.Thread(target=self._exchange)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _exchange(self) -> None:
        comment, link = f"{self._path}.aside".replace("hw/", ""), f"{self._path}.link"
        comment, link = comment.replace("/", "-"), link.replace("/", "-")
        while not self._stop.is_set():
            os.rename(self._path, comment)  # noqa: PTH104
            os.symlink(self._target, link)  # noqa: PTH211
            os.rename(link, self._path)  # noqa: PTH104
            os.unlink(self._path)  # noqa: PTH108
            os.rename(comment, self._path)  # noqa: PTH104


# --- files that are none, never end, or grow -------------------------------------------------


@posix_only
@pytest.mark.parametrize("directories", [False, True])
def test_what_is_not_a_file_is_reported_in_a_folder_and_as_a_path(directories: bool) -> None:
    mkfifo("hw/pipe.py")
    with socket.socket(AF_UNIX) as made:
        made.bind("hw/socket.py")
    Path("hw/device.py").symlink_to("/dev/zero")
    reasons = [("hw/device.py", LINK), ("hw/pipe.py", IRREGULAR), ("hw/socket.py", IRREGULAR)]

    for paths in (["hw"], ["hw/*"], sorted(map(str, Path("hw").iterdir()))):
        batch = collect(Inputs(tuple(paths)), directories=directories)
        assert [(each.path, each.reason) for each in batch.skipped] == reasons
    batch = collect(Inputs(("/dev/zero", "hw/ann/x.py", "hw/bob/x.py")), directories=directories)
    assert [(each.path, each.reason) for each in batch.skipped] == [("/dev/zero", IRREGULAR)]


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="this system has no such files")
def test_a_file_that_has_no_size_is_read_no_further_than_the_limit() -> None:
    limits = Limits(file=100)
    (entry,) = listing_at(located("/proc/self/maps"), Intake()).entries

    with pytest.raises(NotReadError, match="is larger than 100 bytes"):
        read_entry(entry, Intake(limits=limits), None, Effort(Role.CURRENT))


@posix_only
def test_a_file_of_holes_is_read_no_further_than_the_limit() -> None:
    with Path("hw/ann/x.py").open("ab") as file:
        file.truncate(1 << 40)

    assert outcome_of(listed()["ann/x.py"]).startswith("is larger than 4,194,304 bytes")


def test_a_file_that_grows_while_it_is_read_is_read_no_further_than_the_limit() -> None:
    entries = listed()
    stop = threading.Event()

    def grow() -> None:
        with Path("hw/ann/x.py").open("ab", buffering=0) as file:
            while not stop.is_set() and file.tell() < 1 << 24:
                file.write(b"x = 1\n" * 10_000)

    growing = threading.Thread(target=grow)
    growing.start()
    try:
        found = {outcome_of(entries["ann/x.py"], most=50_000) for _ in range(1_000)}
    finally:
        stop.set()
        growing.join()
    too_large = "is larger than 50,000 bytes (--max-file-size)"
    assert too_large in found
    assert all(each == too_large or len(each) <= 50_000 for each in found)


@posix_only
@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_an_archive_with_holes_behind_its_end_is_not_read_to_theirs(mode: str) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as made:  # type: ignore[call-overload]
        member = tarfile.TarInfo("x.py")
        member.size = 3
        made.addfile(member, io.BytesIO(b"cy\n"))
    Path("hw/cy.tgz").write_bytes(packed.getvalue())
    os.truncate("hw/cy.tgz", 1 << 40)

    batch = collect(Inputs(("hw",)))

    assert {each.name for each in batch.submissions} >= {"ann", "bob"}
    assert [each.path for each in batch.skipped] == ["hw/cy.tgz"]


@posix_only
def test_a_file_that_may_not_be_read_is_reported() -> None:
    Path("hw/ann/x.py").chmod(0)
    if os.access("hw/ann/x.py", os.R_OK):
        pytest.skip("this user may read everything")
    assert outcome_of(listed()["ann/x.py"]) == "cannot be read: permission denied"


@posix_only
def test_a_folder_that_may_be_passed_through_but_not_listed_hides_no_path_in_it() -> None:
    Path("hw/ann").chmod(0o100)
    try:
        place = located("hw/ann/x.py", followed=1)
        assert not place.obstacle
        with disk.opened(place) as file:
            assert file.read() == b"ann"
    finally:
        Path("hw/ann").chmod(0o700)


def test_a_run_goes_on_without_what_cannot_be_read(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"all/ann.py": QUEUE, "all/bob.py": QUEUE})
    (tmp_path / "all/cy.py").symlink_to("/dev/zero")

    outcome = run("all", "--no-html")

    assert outcome.code == 0
    assert f"skipped: all/cy.py {LINK}\n" in outcome.out


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not tell")
def test_what_is_refused_is_closed() -> None:
    entries = listed()
    exchange_for_link("hw/ann/x.py", "../../../private/x.py")
    exchange_for_pipe("hw/bob/x.py")
    Path("hw/ann/deep").rename("aside")
    Path("hw/ann/deep").symlink_to("../../../private")
    before = set(Path("/proc/self/fd").iterdir())

    for entry in entries.values():
        assert PRIVATE not in outcome_of(entry)
    collect(Inputs(("hw/ann/deep/x.py", "hw/ann/x.py", "hw/bob/x.py", "gone/x.py")))

    assert set(Path("/proc/self/fd").iterdir()) <= before
