"""Files and folders on disk, read only if they are still what was listed.

Students may still be able to change submitted files: a file can become a link or a pipe, and a
folder a link, between listing and reading. So each is identified by device and inode, links
below the user's path are not followed, and no open can block on a writer.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath
from typing import BinaryIO, Final

from mosslite.reasons import Reason

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
