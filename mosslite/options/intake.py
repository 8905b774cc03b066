"""What is read, how, and what it may cost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mosslite.errors import OptionError
from mosslite.options.checks import at_least

__all__ = ["LAYOUTS", "NAME_GROUPS", "Intake", "Limits"]

# How a batch can be laid out; ``auto`` finds out, ``plain`` is one submission for each child.
LAYOUTS: Final = (
    *("auto", "plain", "canvas", "moodle", "gradescope", "blackboard", "brightspace"),
    *("github", "nbgrader", "submit50", "dolos"),
)

# The groups of a name pattern: who, by which number, which attempt, when, what mark, which file.
NAME_GROUPS: Final = frozenset({"name", "id", "attempt", "time", "label", "file"})


# How many times as large as another file a notebook may be.
_NOTEBOOK_BULK = 16


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading may cost at the most.

    Attributes:
        file: Bytes of a file; a larger one is skipped (see `of`).
        unpacked: Bytes that an archive may unpack to, with all archives in it; submissions in one
            archive share this.
        members: Files that an archive may hold, with all archives in it, shared likewise.
        ratio: How many times their own size the archives of a submission may unpack to; 16 MiB are
            always allowed.
        depth: How deep archives may lie in each other; 1 is an archive that holds no other.
    """

    file: int = 4 << 20
    unpacked: int = 1 << 30
    members: int = 100_000
    ratio: int = 100
    depth: int = 3

    def of(self, name: str) -> int:
        """Return how many bytes a file of this name may have.

        Of a notebook only the code is read; most of its bytes are pictures and tables.
        """
        return self.file * (_NOTEBOOK_BULK if name.lower().endswith(".ipynb") else 1)

    def __post_init__(self) -> None:
        """Refuse limits that let nothing through.

        Raises:
            OptionError: Naming the option, the value and what would be right.
        """
        at_least(1, "file size limit (--max-file-size)", self.file)
        at_least(1, "limit of unpacked bytes (--max-unpacked)", self.unpacked)
        at_least(1, "limit of archive members (--max-members)", self.members)
        at_least(1, "limit of the unpacking ratio (--max-ratio)", self.ratio)
        at_least(1, "limit of archive depth (--max-depth)", self.depth)


@dataclass(frozen=True, slots=True)
class Intake:
    """What is read, and how.

    Attributes:
        layout: One of ``LAYOUTS``.
        name_pattern: Regular expression that tells a submission by its path; None uses the layout.
        all_attempts: Every attempt of a student is a submission, not the latest alone.
        patterns: As in a ``.gitignore`` and in this order: what to leave out, or after ``!`` to
            read.
        reads_ignored: Read what is ignored unasked: hidden files, tools' leavings and the like.
        encoding: Of every file; None finds out.
        reads_markdown: The markdown cells of notebooks are prose to compare.
        each: Each folder or archive given is a batch of its own, or where there is only one, each
            in it; names of submissions begin with its name.
    """

    layout: str = "auto"
    name_pattern: str | None = None
    all_attempts: bool = False
    patterns: tuple[str, ...] = ()
    reads_ignored: bool = False
    encoding: str | None = None
    reads_markdown: bool = False
    limits: Limits = Limits()
    each: bool = False

    def __post_init__(self) -> None:
        """Refuse choices that mean nothing.

        Raises:
            OptionError: Naming the option, the value and what would be right.
        """
        if self.layout not in LAYOUTS:
            msg = f"unknown layout {self.layout!r}: it must be one of {', '.join(LAYOUTS)}"
            raise OptionError(msg)
        _require_pattern(self.name_pattern)
        _require_encoding(self.encoding)


def _require_pattern(pattern: str | None) -> None:
    if pattern is None:
        return
    try:
        groups = re.compile(pattern).groupindex
    except (re.error, RecursionError, OverflowError) as error:
        msg = f"name pattern {pattern!r} is not a regular expression: {error}"
        raise OptionError(msg) from error
    if "name" not in groups:
        msg = f"name pattern {pattern!r} has no group (?P<name>...) for the submission's name"
        raise OptionError(msg)
    unknown = sorted(set(groups) - NAME_GROUPS)
    if unknown:
        msg = (
            f"name pattern {pattern!r} has an unknown group {unknown[0]!r}: "
            f"it must be one of {', '.join(sorted(NAME_GROUPS))}"
        )
        raise OptionError(msg)


def _require_encoding(encoding: str | None) -> None:
    """Refuse an encoding that Python does not know, or that is none of text."""
    if encoding is None:
        return
    try:
        bytes(4).decode(encoding, "replace")  # some codecs are not looked up for nothing
    except (LookupError, ValueError) as error:
        msg = f"unknown encoding {encoding!r}: give one such as utf-8, cp1252 or shift_jis"
        raise OptionError(msg) from error
