"""Entries: files found below a path given by the user, and the submissions planned of them."""

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, count
from typing import Final, Protocol

from mosslite.intake.disk import NotReadError, OnDisk, opened
from mosslite.options import DEEPEST_LOOKED_AT
from mosslite.reasons import Reason, limit_of
from mosslite.records import Role, SubmissionMetadata

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
