"""Files on disk, and entries: what is found below a path given by the user, and planned of it.

Students may still be able to change submitted files: a file can become a link or a pipe, and a
folder a link, between listing and reading. So each is identified by device and inode, links
below the user's path are not followed, and no open can block on a writer.
"""

import errno
import os
import re
import stat
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, count
from pathlib import PurePath
from typing import BinaryIO, Final, Protocol

from mosslite.options import DEEPEST_LOOKED_AT, LONGEST_MEMBER_NAME
from mosslite.reasons import Reason, limit_of
from mosslite.records import Role, SubmissionMetadata

# Windows has only the first of these, and without it translates line ends.
_FILE: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NONBLOCK", 0)
# Passing through a folder needs no permission to list it, where the system has O_PATH.
_THROUGH: Final = _FOLDER | getattr(os, "O_PATH", 0)
_HAS_DESCRIPTORS: Final = os.scandir in os.supports_fd and {os.open, os.stat} <= os.supports_dir_fd

# The bit in the tag of a Windows reparse point that marks it as a name for another path: set for
# symbolic links and junctions, not for files kept in a cloud.
_NAME_SURROGATE: Final = 0x2000_0000


class NotReadError(Exception):
    """A file or folder that is not compared; the message is the reason shown to the user."""

    def __init__(self, reason: Reason | str, *values: object) -> None:
        super().__init__(reason.message(*values) if isinstance(reason, Reason) else reason)


class _BehindLinkError(OSError):
    """A folder on the way is a link."""


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A file, folder or link at a path.

    Attributes:
        path: As given by the user or the listing of its folder.
        identity: Device and inode; zeros where unknown.
        obstacle: Why it can be neither read as a file nor listed as a folder; empty if it can.
        is_folder: It is a folder.
        followed: Number of leading path components, named by the user, in which links are followed.
        size: In bytes, when it was found.
    """

    path: str
    identity: tuple[int, int] = (0, 0)
    obstacle: str = ""
    is_folder: bool = False
    followed: int = 0
    size: int = 0

    @property
    def is_followed(self) -> bool:
        """Whether a link at the path itself is followed."""
        return self.followed >= len(PurePath(self.path).parts)


def located(path: str, *, followed: int | None = None) -> OnDisk:
    """Find what is at a path, following links in so many of its first components, or in all."""
    parts = PurePath(path).parts
    count = len(parts) if followed is None else followed
    own, below = str(PurePath(*parts[:count])), parts[count:]
    try:
        status = _status(own, below) if below else os.stat(path)
    except _BehindLinkError:
        return OnDisk(path, obstacle=Reason.BEHIND_LINK.message())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        is_broken = not below and os.path.islink(path)
        reason = Reason.BROKEN_LINK if is_broken else Reason.MISSING
        return OnDisk(path, obstacle=reason.message())
    except OSError as error:
        return OnDisk(path, obstacle=Reason.UNREADABLE.message(error))
    # If it is not a link now, a link that replaces it later must not be followed.
    return _found(path, status, count if below or is_link(path) else max(count - 1, 0))


def children_of(folder: OnDisk) -> list[tuple[str, OnDisk]]:
    """List a folder's children with their names, sorted by name.

    Raises:
        OSError: It cannot be listed, or is no longer the folder that was found.
    """
    with _listable(folder) as place, os.scandir(place) as found:
        children = [(each.name, _child(folder, each)) for each in found]
    return sorted(children, key=lambda each: each[0])


def real_path(path: str) -> str:
    """Return a path with links resolved, or unchanged if one of them vanishes."""
    try:
        return os.path.realpath(path)
    except OSError:  # Python checks again each link that it found
        return os.path.abspath(path)


def is_link(path: str) -> bool:
    """Return whether a path is a link, or a Windows equivalent."""
    try:
        return _is_link(os.lstat(path))
    except (OSError, ValueError):
        return False


def opened(file: OnDisk) -> BinaryIO:
    """Open a file; raise a NotReadError if it cannot be, or is no longer the one that was found."""
    try:
        descriptor = os.open(file.path, _FILE | (0 if file.is_followed else _NO_LINK))
    except (OSError, ValueError) as error:
        now = located(file.path, followed=file.followed).obstacle
        is_there = not now or Reason.of(now) is Reason.MISSING
        reason = Reason.UNREADABLE.message(error) if is_there else now
        raise NotReadError(reason) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotReadError(Reason.IRREGULAR)
        if not _is_there(file, status):
            raise NotReadError(Reason.REPLACED)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _status(own: str, below: Sequence[str]) -> os.stat_result:
    """Return the status of the end of a path in which no component below ``own`` is a link.

    Each folder is opened relative to the one above, so that none can be replaced in between.
    """
    if not _HAS_DESCRIPTORS:
        return _status_by_path(own, below)
    folder = os.open(own, _THROUGH)
    try:
        for part in below[:-1]:
            inner = _inner_folder(folder, part)
            os.close(folder)
            folder = inner
        return os.stat(below[-1], dir_fd=folder, follow_symlinks=False)
    finally:
        os.close(folder)


def _inner_folder(folder: int, part: str) -> int:
    try:
        return os.open(part, _THROUGH | _NO_LINK, dir_fd=folder)
    except OSError as error:
        if _is_link(os.stat(part, dir_fd=folder, follow_symlinks=False)):
            raise _BehindLinkError from error
        raise


def _status_by_path(own: str, below: Sequence[str]) -> os.stat_result:
    path = own
    for part in below[:-1]:
        path = os.path.join(path, part)
        if _is_link(os.lstat(path)):
            raise _BehindLinkError
    return os.lstat(os.path.join(path, below[-1]))


def _found(path: str, status: os.stat_result, followed: int) -> OnDisk:
    """Return the entry for a status; a link has an obstacle."""
    identity = status.st_dev, status.st_ino
    if _is_link(status):  # it could lead anywhere
        return OnDisk(path, identity, Reason.LINK.message(), followed=followed)
    is_folder = stat.S_ISDIR(status.st_mode)
    obstacle = "" if is_folder or stat.S_ISREG(status.st_mode) else Reason.IRREGULAR.message()
    return OnDisk(path, identity, obstacle, is_folder, followed, status.st_size)


def _is_link(status: os.stat_result) -> bool:
    """Return whether this is a link; on Windows, also a junction or similar reparse point."""
    tag = getattr(status, "st_reparse_tag", 0)
    return stat.S_ISLNK(status.st_mode) or bool(tag & _NAME_SURROGATE)


def _child(folder: OnDisk, child: os.DirEntry[str]) -> OnDisk:
    path = os.path.join(folder.path, child.name)
    try:
        # Entries of a directory listing have no inode on Windows.
        status = child.stat(follow_symlinks=False) if _HAS_DESCRIPTORS else os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return OnDisk(path, obstacle=Reason.MISSING.message())
    except OSError as error:
        return OnDisk(path, obstacle=Reason.UNREADABLE.message(error))
    return _found(path, status, folder.followed)


@contextmanager
def _listable(folder: OnDisk) -> Iterator[int | str]:
    """Return a handle for listing: an open descriptor if the system supports it, else the path."""
    if not _HAS_DESCRIPTORS:
        _require_folder(folder, os.stat(folder.path, follow_symlinks=folder.is_followed))
        yield folder.path
        return
    descriptor = os.open(folder.path, _FOLDER | (0 if folder.is_followed else _NO_LINK))
    try:
        _require_folder(folder, os.fstat(descriptor))
        yield descriptor
    finally:
        os.close(descriptor)


def _require_folder(folder: OnDisk, status: os.stat_result) -> None:
    if not stat.S_ISDIR(status.st_mode) or not _is_there(folder, status):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def _is_there(found: OnDisk, status: os.stat_result) -> bool:
    """Return whether an opened file is the listed one, or a regular file that replaced it."""
    identity = status.st_dev, status.st_ino
    if found.identity == identity or not any(identity):
        return True
    return located(found.path, followed=found.followed).identity == identity


# Python allocates all bytes that a read asks for, and most files are small.
_FIRST_READ: Final = 1 << 16


class LimitError(NotReadError):
    """Reading something would cost more than a limit allows."""

    def __init__(self, limit: str, reason: Reason | str, *values: object) -> None:
        super().__init__(Reason.OVER_LIMIT, NotReadError(reason, *values), limit)


class Stored(Protocol):
    """Storage that contains a file's bytes, such as a packed corpus."""

    @property
    def digest(self) -> bytes:
        """SHA-256 of the bytes."""

    def read(self) -> bytes:
        """Return the bytes, or raise a NotReadError."""


Content = bytes | OnDisk | Stored
"""The bytes of a file, or where they can be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file below a path, or an obstacle in place of one.

    Attributes:
        path: Its path in messages, such as ``export.zip/ann/main.py``.
        name: Its path below the root it was found under, with forward slashes; in a submission,
            its path inside that.
        is_given: The user named the file itself, not a folder around it.
        obstacle: Why it is not read, as in "is encrypted"; empty if it can be.
        is_ignored: The obstacle is a rule, not an error.
        archive: The outermost archive on disk of which it is a member; else None.
        is_archive: It is an archive that is not opened yet.
    """

    path: str
    name: str
    content: Content = b""
    is_given: bool = False
    obstacle: str = ""
    is_ignored: bool = False
    archive: OnDisk | None = None
    is_archive: bool = False

    @property
    def limit(self) -> str:
        """The option whose limit is the obstacle, such as ``--max-ratio``; else empty."""
        return limit_of(self.obstacle)


@dataclass(frozen=True, slots=True)
class Planned:
    """A submission to be read.

    Attributes:
        path: Its path in messages.
        is_required: Scores would be wrong without it, so that it must be readable.
        is_beside: It is a file outside of the submissions, which nobody submitted.
        usual: The language of most submissions of the batch; empty if there is none.
    """

    name: str
    role: Role
    path: str
    entries: tuple[Entry, ...]
    hand_in: SubmissionMetadata = SubmissionMetadata()
    is_required: bool = False
    is_beside: bool = False
    usual: str = ""


def content_of(entry: Entry, most: int) -> bytes:
    """Read an entry's bytes.

    Raises:
        NotReadError: It has an obstacle or cannot be read.
        LimitError: It has more than ``most`` bytes.
    """
    if entry.obstacle:
        raise NotReadError(entry.obstacle)
    content = entry.content
    if isinstance(content, OnDisk):
        content = _read(content, most)
    elif not isinstance(content, bytes):
        content = content.read()
    if len(content) > most:
        raise too_large(most)
    return content


def too_large(most: int) -> LimitError:
    """Return the error for a file of more than ``most`` bytes."""
    return LimitError("--max-file-size", Reason.TOO_LARGE, most)


def _read(found: OnDisk, most: int) -> bytes:
    try:
        with opened(found) as file:
            # A non-blocking file without data yet returns None.
            content = file.read(min(_FIRST_READ, most + 1)) or b""
            if len(content) < _FIRST_READ:
                return content
            return content + (file.read(most + 1 - len(content)) or b"")
    except OSError as error:
        raise NotReadError(Reason.UNREADABLE, error) from error


def empty_folders(folders: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return the outermost folders, or parents of these, that contain none of the names.

    What is below a path that is a name itself belongs to that.
    """
    own, ordered = set(folders), sorted(set(names))
    known, empty = frozenset(ordered), set[str]()
    for folder in own:
        for path in paths_to(folder):
            at = bisect_left(ordered, f"{path}/")
            is_empty = at == len(ordered) or not ordered[at].startswith(f"{path}/")
            if is_empty and (path in own or path not in known):
                empty.add(path)
            if is_empty or path in known:
                break
    return sorted(empty)


def paths_to(path: str) -> Iterator[str]:
    """Yield the folders around a path, the outermost first, and the path itself.

    Of very many, the innermost are left out, as all of them take memory quadratic in their number.
    """
    return accumulate(path.split("/", DEEPEST_LOOKED_AT), "{}/{}".format)


# Longer paths in archives are cut where they are shown.
_SHOWN: Final = 200
# Characters that break lines or control terminals, and surrogates, which no encoding can write.
_UNSHOWN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_DRIVE: Final = re.compile(r"\A[A-Za-z]:")


def placed(name: str) -> tuple[str, str]:
    """Return a member's path relative to its archive, and the reason to refuse it.

    As other programs do, a drive, slashes in front and ``..`` above the archive are left out, and
    the name ends at a NUL.

    Returns:
        The path, with forward slashes, never empty and safe to display; and the reason, or empty.
    """
    name = _DRIVE.sub("", name.partition("\0")[0].replace("\\", "/"))
    parts = list[str]()
    for part in name.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    reason = "" if parts else Reason.NO_NAME.message()
    if len(name) > LONGEST_MEMBER_NAME:
        reason = Reason.LONG_NAME.message(LONGEST_MEMBER_NAME)
    return _shown("/".join(parts) or "(no name)"), reason


def _shown(path: str) -> str:
    r"""Truncate a path and escape control characters, as in ``\x1b``."""
    cut = path if len(path) <= LONGEST_MEMBER_NAME else path[:_SHOWN] + "..."
    return _UNSHOWN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), cut)


class Names:
    """Distinguishes files of the same name: the second ``main.py`` is ``main (2).py``."""

    def __init__(self) -> None:
        self._latest: dict[str, int] = {}

    def distinct(self, name: str) -> str:
        """Return a name that was not returned before, with the file extension kept."""
        number = self._latest.get(name, 0) + 1
        other = name
        while number > 1 and (other := _numbered(name, number)) in self._latest:
            number += 1
        self._latest[name] = number
        if other != name:
            self._latest[other] = 1
        return other


def free_name(name: str, taken: Container[str]) -> str:
    """Return the name of a submission if it is free, else ``ann (2)``, ``ann (3)`` and so on."""
    if name not in taken:
        return name
    numbered = (f"{name} ({number})" for number in count(2))
    return next(each for each in numbered if each not in taken)


def _numbered(name: str, number: int) -> str:
    folder, slash, file = name.rpartition("/")
    stem, dot, suffix = file.rpartition(".")
    if not stem:
        return f"{name} ({number})"
    return f"{folder}{slash}{stem} ({number}){dot}{suffix}"
