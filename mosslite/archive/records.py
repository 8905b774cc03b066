"""What an archive takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mosslite.model import HandIn, SourceFile
    from mosslite.options import Thresholds

__all__ = ["Entry", "Holders", "Kept", "Shape", "Stored"]


@dataclass(frozen=True, slots=True)
class Shape:
    """What shapes fingerprints: they can only be compared where all of it is the same.

    Attributes:
        code: k and t of code.
        prose: k and t of prose.
        language: What all files are read as; None is by their names.
        front_ends: The versions of what read them and made the fingerprints.
    """

    code: Thresholds
    prose: Thresholds
    language: str | None
    front_ends: str


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A file of a submission, as it is kept.

    Attributes:
        file: Where the text is not kept, dots and blanks of its form stand for it.
        language: Canonical name.
        is_prose: Its k and t are those of prose.
        reading: What a front-end made of it, packed.
        is_boilerplate: ``(n,) bool``, the tokens that are not the student's own.
        is_degraded: A plain tokenizer read it.
        has_text: The text is kept.
    """

    file: SourceFile
    language: str
    is_prose: bool
    reading: bytes
    is_boilerplate: NDArray[np.bool_]
    is_degraded: bool
    has_text: bool


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A submission to keep.

    Attributes:
        name: Unique in its term.
        fingerprints: ``(m,) uint64``, ascending and each once.
    """

    term: str
    name: str
    hand_in: HandIn
    files: tuple[Kept, ...]
    fingerprints: NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Stored:
    """A submission in an archive, without its files; its number stays while others go.

    Attributes:
        size: How many fingerprints it has.
    """

    number: int
    term: str
    name: str
    hand_in: HandIn
    files: int
    size: int
    has_text: bool


@dataclass(frozen=True, slots=True, eq=False)
class Holders:
    """Who holds some fingerprints.

    Attributes:
        submissions: ``(p,) int64``, numbers of submissions.
        hashes: ``(p,) uint64``, the fingerprint each holds; equal ones follow each other, in the
            order of SQLite's signed numbers.
    """

    submissions: NDArray[np.int64]
    hashes: NDArray[np.uint64]
