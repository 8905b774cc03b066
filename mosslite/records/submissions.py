"""What is read: submissions of files, and what is told of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

__all__ = [
    "Batch",
    "Inputs",
    "Part",
    "Progress",
    "Role",
    "Skipped",
    "SourceFile",
    "Submission",
    "SubmissionMetadata",
    "no_progress",
    "over_limits",
]


class Role(Enum):
    """What a submission is in a batch; a compared pair has at least one CURRENT side."""

    CURRENT = "current"
    PRIOR = "prior"
    BASE = "base"
    REFERENCE = "reference"


_RANKS: Final = {role: rank for rank, role in enumerate(Role)}


@dataclass(frozen=True, slots=True)
class Inputs:
    """The paths a user gave, by the role of what is there; archives hold earlier terms."""

    current: tuple[str, ...]
    base: tuple[str, ...] = ()
    prior: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    archives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file, such as a notebook's cell, that begins on a line of its own, 1-based."""

    first_line: int
    title: str


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as text, or what a file holds in one language.

    Attributes:
        name: Path inside its submission with forward slashes; a single file's path as given.
        text: The decoded text without a byte order mark, line ends as they were.
        encoding: Python's name of the encoding the bytes were read as.
        encoding_by: What told it: ``default`` (UTF-8), ``mark``, ``declaration``, ``guess``,
            ``escapes`` (as Python runs it), ``fallback`` (Latin-1, as nothing else fits) or
            ``option``.
        is_given: The user named the file itself, not a folder it is in.
        code: As long as ``text``: what of it is compared, the rest as blanks and line ends;
            None where all of it is.
        language: Canonical name of the language its content tells; None leaves it to the name.
        parts: In order of their lines; none where the file is one piece.
        is_plain: It is beyond what is read with care of one submission: no lexer reads it.
        begins_like: What its first bytes are those of, as ``a GIF image``, although it is text;
            empty for most. It does not make a file another one, nor does ``path``.
        path: Where it was found, as the user knows it, and in an archive as if that were a folder;
            empty where nobody is to know.
    """

    name: str
    text: str
    encoding: str = "utf-8"
    encoding_by: str = "default"
    is_given: bool = True
    code: str | None = None
    language: str | None = None
    parts: tuple[Part, ...] = ()
    is_plain: bool = False
    begins_like: str = field(default="", compare=False)
    path: str = field(default="", compare=False)

    def where(self, line: int) -> str:
        """Return a line's place in its part, as ``cell 3, line 2``; empty without parts.

        The line above a part is its heading, and so is ``cell 3``.
        """
        number = bisect_right(self.parts, line + 1, key=lambda part: part.first_line)
        if number == 0:
            return ""
        part = self.parts[number - 1]
        inside = line - part.first_line + 1
        return f"{part.title}, line {inside}" if inside > 0 else part.title


@dataclass(frozen=True, slots=True)
class SubmissionMetadata:
    """What a learning platform tells about a submission; empty where it tells nothing.

    Attributes:
        owner: Equal for all attempts of one student or team: these are never compared.
        members: Names of a team.
        submitted: When, as the platform writes it, in ISO 8601 where it can be told.
        label: A group, or another mark that the instructor gave.
    """

    owner: str = ""
    members: tuple[str, ...] = ()
    submitted: str = ""
    label: str = ""
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something given that was not compared, and why, in words.

    Attributes:
        limit: The option whose limit it exceeds, such as ``--max-ratio``; empty for another
            reason.
        submission: Whose it is, where a limit is the reason; else empty.
    """

    path: str
    reason: str
    limit: str = ""
    submission: str = ""


def over_limits(skipped: Iterable[Skipped]) -> tuple[str, ...]:
    """Return the submissions that are not compared, or not in full, because of a limit."""
    return tuple(sorted({each.submission for each in skipped if each.limit}))


@dataclass(frozen=True, slots=True)
class Submission:
    """The work of one student (or of the instructor): at least one file; the name is unique."""

    name: str
    role: Role
    files: tuple[SourceFile, ...]
    hand_in: SubmissionMetadata = SubmissionMetadata()

    @property
    def rank(self) -> tuple[int, str]:
        """What puts submissions in order: by role, as roles are listed, then by name."""
        return _RANKS[self.role], self.name


@dataclass(frozen=True, slots=True)
class Batch:
    """Everything that was read: submissions by name, and how the paths were understood.

    Attributes:
        skipped: What was given and could not be read.
        ignored: What a rule leaves out, such as hidden files and tools' leavings.
        remarks: What a reader must know of how the paths were understood.
    """

    submissions: tuple[Submission, ...]
    base: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    description: str
    ignored: tuple[Skipped, ...] = ()
    remarks: tuple[str, ...] = ()


Progress = Callable[[str, int, int], None]
"""Is told a stage, how many of its steps are done, and how many there are."""


def no_progress(_stage: str, _done: int, _total: int) -> None:
    """Ignore progress."""
