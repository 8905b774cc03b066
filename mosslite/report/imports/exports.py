"""What imports of other programs' results share: their files, read within limits, and our JSON."""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mosslite.errors import InputError, reason_of
from mosslite.options import Limits
from mosslite.report.results import FORMAT
from mosslite.report.review import without_surrogates
from mosslite.submissions.archives import archive_entries, is_archive
from mosslite.submissions.entries import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = [
    "Export",
    "ImportedPair",
    "ImportedSubmission",
    "count_in",
    "distinct",
    "share_in",
    "text_in",
    "to_results",
]

# A file of an export: a list of 100,000 pairs has less. An archive holds no more than ten of them.
_MOST_FILE: Final = 1 << 28
_LIMITS: Final = Limits(file=_MOST_FILE, unpacked=1 << 30, members=1_000_000, ratio=1000, depth=1)
_MOST_LINE: Final = 1 << 31
_NOT_NEEDED: Final = "is not needed"
_READING: Final = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")
)


class Export:
    """Files that another program has written, in a folder or an archive.

    Only files whose names are wanted are unpacked or read. Names in the files are looked up among
    those that are there, so that none leads elsewhere.
    """

    def __init__(self, path: Path, is_wanted: Callable[[str], bool], program: str) -> None:
        """Take what is there.

        Args:
            path: The folder or the archive.
            is_wanted: Tells for a file's name, with its folder, whether it is needed.
            program: Who wrote it, for messages.

        Raises:
            InputError: It is neither, or cannot be read.
        """
        self._path, self._is_wanted, self._program = path, is_wanted, program
        try:
            self._is_folder = path.is_dir()
            self._content = b"" if self._is_folder else _content(path)
        except OSError as error:
            msg = f"cannot read {str(path)!r}: {reason_of(error)}"
            raise InputError(msg) from error
        if not self._is_folder and not is_archive(path.name, self._content):
            raise self.error("it is neither a folder nor an archive")

    def error(self, why: str) -> InputError:
        """Return the error for something that is not a result of the program."""
        return InputError(f"{str(self._path)!r} is not a result of {self._program}: {why}")

    def text(self, name: str) -> str | None:
        """Return a file's text; None where it is not there.

        Raises:
            InputError: It cannot be read, or is not UTF-8.
        """
        content = self._folder_file(name) if self._is_folder else self._members.get(name)
        if content is None:
            return None
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.error(f"{name!r} is not UTF-8") from error

    def json(self, name: str) -> object:
        """Return what a file of JSON holds; None where it is not there.

        Raises:
            InputError: It is not JSON.
        """
        text = self.text(name)
        if text is None:
            return None
        try:
            return json.loads(text, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise self.error(f"{name!r} is not JSON") from error

    @cached_property
    def _members(self) -> dict[str, bytes]:
        """The wanted files of the archive; a folder that all are in does not count."""
        name = self._path.name
        entries = archive_entries(Entry(name, name, self._content), _LIMITS, self._rule)
        found: dict[str, bytes] = {}
        for entry in entries:
            if entry.is_ignored:
                continue
            if entry.obstacle:
                reason = entry.obstacle.removesuffix(f" ({entry.limit})")  # no option of an import
                raise self.error(f"{entry.name!r} {reason}")
            if isinstance(entry.content, bytes):
                found[entry.name.removeprefix(f"{name}/")] = entry.content
        return _without_top(found)

    def _rule(self, name: str) -> tuple[str, str] | None:
        return None if name.endswith("/") or self._is_wanted(name) else (name, _NOT_NEEDED)

    def _folder_file(self, name: str) -> bytes | None:
        """Return a file of the folder, not behind a link and not above it."""
        parts = name.split("/")
        if not self._is_wanted(name) or not all(parts) or {".", ".."} & {*parts} or "\\" in name:
            return None
        try:
            with os.fdopen(os.open(self._path.joinpath(*parts), _READING), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return None
                content = file.read(_MOST_FILE + 1)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise self.error(f"{name!r} cannot be read") from error
        if len(content) > _MOST_FILE:
            raise self.error(f"{name!r} is larger than {_MOST_FILE:,} bytes")
        return content


def _content(path: Path) -> bytes:
    with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0)), "rb") as file:
        content = file.read(_LIMITS.unpacked + 1)
    if len(content) > _LIMITS.unpacked:
        msg = f"{str(path)!r} is larger than {_LIMITS.unpacked:,} bytes"
        raise InputError(msg)
    return content


def _without_top(files: dict[str, bytes]) -> dict[str, bytes]:
    tops = {name.partition("/")[0] for name in files}
    if len(tops) != 1 or not all("/" in name for name in files):
        return files
    return {name.partition("/")[2]: content for name, content in files.items()}


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def text_in(value: object) -> str | None:
    """Return a text that can be written; None for what is not one."""
    return without_surrogates(value) if isinstance(value, str) and value else None


def count_in(value: object, least: int = 0) -> int | None:
    """Return a whole number that a line or a count can be; None for any other value."""
    return value if type(value) is int and least <= value < _MOST_LINE else None


def share_in(value: object, of: float = 1.0) -> float | None:
    """Return a share as a number from 0 to 1; None for what is not one.

    Args:
        value: Anything.
        of: What a whole is written as.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= of:
        return None
    return float(value / of)


@dataclass(frozen=True, slots=True)
class ImportedSubmission:
    """A submission as JSON has it."""

    name: str
    files: tuple[str, ...] = ()
    tokens: int | None = None
    members: tuple[str, ...] = ()
    submitted: str = ""
    label: str = ""

    def content(self, language: str | None) -> dict[str, object]:
        """Return its entry in the results."""
        told = {"members": self.members, "submitted": self.submitted, "label": self.label}
        return {
            "name": self.name,
            "role": "current",
            **{key: value for key, value in told.items() if value},
            "files": sorted(self.files),
            "tokens": self.tokens,
            "languages": [language] if language else [],
        }


@dataclass(frozen=True, slots=True)
class ImportedPair:
    """A pair as JSON has it; what the other program does not tell is None.

    Attributes:
        matches: Each with the file and the lines of both sides, and its tokens.
    """

    left: str
    right: str
    similarity: float
    left_similarity: float | None
    right_similarity: float | None
    matches: tuple[Mapping[str, object], ...] = ()

    def content(self) -> dict[str, object]:
        """Return its entry in the results."""
        tokens = [each["tokens"] for each in self.matches]
        known = [each for each in tokens if isinstance(each, int)]
        is_known = bool(known) and len(known) == len(tokens)
        return {
            "left": self.left,
            "right": self.right,
            "score": None,
            "similarity": self.similarity,
            "left_similarity": self.left_similarity,
            "right_similarity": self.right_similarity,
            "matched_tokens": sum(known) if is_known else None,
            "matched_lines": None,
            "longest_match": max(known) if is_known else None,
            "matches": self.matches,
            "rare_evidence": [],
        }


def to_results(
    head: Mapping[str, object],
    submissions: Iterable[ImportedSubmission],
    pairs: Iterable[ImportedPair],
    *,
    skipped: Sequence[Mapping[str, str]] = (),
    warnings: Iterable[str | int] = (),
) -> str:
    """Write results of another program as JSON of format 1.

    Args:
        head: ``mosslite``, ``source``, ``options`` and ``language``.
        submissions: In any order.
        pairs: Likewise.
        skipped: What the other program could not read.
        warnings: What was not read of its results; 0 for nothing.
    """
    language = text_in(head["language"])
    ordered = sorted(pairs, key=lambda each: (-each.similarity, each.left, each.right))
    content = {
        "format": FORMAT,
        "mosslite": head["mosslite"],
        "created": None,
        "source": head["source"],
        "options": head["options"],
        "submissions": [
            each.content(language) for each in sorted(submissions, key=lambda each: each.name)
        ],
        "threshold": None,
        "pairs": [each.content() for each in ordered],
        "skipped": skipped,
        "ignored": [],
        "warnings": [each for each in warnings if each],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names of submissions by their ids; of those that share one, with the id."""
    counts = Counter(names.values())
    shown = {key: name if counts[name] == 1 else f"{name} ({key})" for key, name in names.items()}
    return dict(_without_clashes(shown))


def _without_clashes(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Number what is the same all the same, as ids can be made to look like anything."""
    taken: set[str] = set()
    for key, name in names.items():
        shown, number = name, 1
        while shown in taken:
            number += 1
            shown = f"{name} ({number})"
        taken.add(shown)
        yield key, shown
