"""Reads tar files, compressed or not, from front to back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.intake.archives.headers import BLOCK, next_header
from mosslite.intake.archives.members import DamagedError, Member
from mosslite.intake.archives.names import UNIX_GUESSES, decoded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.intake.archives.headers import Header
    from mosslite.intake.archives.streams import Metered

__all__ = ["tar_members"]

# fmt: off
_OBSTACLES = {
    b"1": "is a hard link, which is not followed",
    b"2": "is a symbolic link, which is not followed",
    b"3": "is not a regular file",
    b"4": "is not a regular file",
    b"6": "is not a regular file",
    b"M": "is a part of a file",
}
# fmt: on
# Kinds that have no bytes, whatever size is said, and kinds that are no files: folders, and what
# GNU's tar notes about folders and volumes.
_BARE = (b"1", b"2", b"3", b"4", b"5", b"6")
_FOLDERS = (b"5", b"D", b"V")

_DRAIN = 1 << 18


class _Body:
    """The bytes of one member."""

    def __init__(self, stream: Metered, size: int) -> None:
        self._stream, self.left = stream, size

    def read(self, most: int, /) -> bytes:
        data = self._stream.read(min(most, self.left)) if self.left else b""
        if self.left and not data:
            raise EOFError
        self.left -= len(data)
        return data


def tar_members(stream: Metered) -> Iterator[Member]:
    """Return the members of a tar file in their order.

    Raises:
        DamagedError: A header is broken, or something follows the end.
        EOFError: The file is cut off.
        ExhaustedError: What is skipped, or belongs to no member, is more than the budget allows.
    """
    while (header := next_header(stream)) is not None:
        size = 0 if header.kind in _BARE else header.size
        body = _Body(stream, size)
        yield _member(header, size, body)
        stream.skip(body.left + -size % BLOCK)
    _require_nothing(stream)


def _member(header: Header, size: int, body: _Body) -> Member:
    name = decoded(header.name, UNIX_GUESSES)
    # Before there was a kind for folders, a slash told them.
    is_folder = header.kind in _FOLDERS or (name.endswith("/") and not size)
    obstacle = _OBSTACLES.get(header.kind, "")
    if header.is_sparse:
        obstacle = "is a sparse file, which is not read"
    return Member(name, 0 if is_folder else size, obstacle, is_folder, open=lambda: body)


def _require_nothing(stream: Metered) -> None:
    """Read what is left, so that a checksum at the end is checked: zeros, or a loss to tell of."""
    while data := stream.read(_DRAIN):
        if data.strip(b"\0"):
            msg = "more follows after its end"
            raise DamagedError(msg)
