"""Answers where a file comes from (SIGMOD 2003, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.errors import ArchiveError, InputError, OptionError
from mosslite.frontends.selection import gather
from mosslite.history import Archive
from mosslite.history.entries import archive_parameters, fingerprints_of, with_parameters
from mosslite.options import Options, at_least
from mosslite.records import Inputs, no_progress
from mosslite.winnowing.fingerprints import resemblance
from mosslite.winnowing.tokenized import tokenized_submissions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.history import IndexParameters
    from mosslite.records import Document

__all__ = ["Origin", "Query", "query"]


@dataclass(frozen=True, slots=True)
class Query:
    """How to ask an archive.

    Attributes:
        window: Window w' to winnow the file with, at least the archive's w; None is that. The
            fingerprints are then fewer, and all among those of w.
        smallest: Look up so many fingerprints only, from the smallest on; None is all.
        show: How many submissions to name; 0 is all that share a fingerprint with the file.
        base: Paths of boilerplate, which is not looked up.
    """

    window: int | None = None
    smallest: int | None = None
    show: int = 10
    base: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse values that mean nothing.

        Raises:
            OptionError: Naming the option, the value and what would be right.
        """
        at_least(1, "query window (--query-window)", self.window)
        at_least(1, "number of fingerprints (--smallest)", self.smallest)
        at_least(0, "number of submissions (-n)", self.show)


@dataclass(frozen=True, slots=True)
class Origin:
    """A submission that a file may come from.

    Attributes:
        containment: Share of the fingerprints looked up that the submission has.
        resemblance: Share of the fingerprints of both, of the archive's window, that both have;
            with ``Query.smallest``, an estimate by so many of them.
        shared: How many of those looked up it has.
    """

    term: str
    name: str
    containment: float
    resemblance: float
    shared: int


class _Asked(NamedTuple):
    """Fingerprints of a file, ascending: those to look up, and all of the archive's window."""

    looked_up: NDArray[np.uint64]
    every: NDArray[np.uint64]


def query(
    path: str, file: str, how: Query | None = None, options: Options | None = None
) -> tuple[Origin, ...]:
    """Find the submissions of an archive that a file shares most with.

    Args:
        path: Of the archive.
        file: A file, or a folder or archive, of which all files are asked for together.
        how: None is all fingerprints of the archive's window.
        options: How to read it; k, t and language are the archive's.

    Returns:
        By containment, then by resemblance, both descending, then by term and name.

    Raises:
        MossliteError: The file cannot be read, the archive cannot be used, or w' is below w.
    """
    how = how or Query()
    with Archive(path) as archive:
        shape = archive_parameters(archive)
        asked = _asked(file, shape, how, options or Options(uses_workers=False))
        with archive.at_one_moment():
            _require_unchanged(archive, shape)
            found = [_origin(archive, near, asked, how) for near in _near(archive, asked, how)]
    found.sort(key=lambda each: (-each.containment, -each.resemblance, each.term, each.name))
    return tuple(found[: how.show or None])


def _require_unchanged(archive: Archive, shape: IndexParameters) -> None:
    if archive.shape() != shape:
        msg = f"archive {archive.path!r} was changed meanwhile: try again"
        raise ArchiveError(msg)


def _near(archive: Archive, asked: _Asked, how: Query) -> Iterator[tuple[int, int]]:
    """Return who shares the most, with how much; all that share as much as the last to be named."""
    holders = archive.holders(asked.looked_up).submissions
    numbers, counts = np.unique(holders, return_counts=True)
    least = np.sort(counts)[-how.show :][:1]  # where all are to be named, -0 takes them all
    is_near = counts >= least
    yield from zip(numbers[is_near].tolist(), counts[is_near].tolist(), strict=True)


def _origin(archive: Archive, near: tuple[int, int], asked: _Asked, how: Query) -> Origin:
    number, shared = near
    stored = archive.submission(number)
    return Origin(
        term=stored.term,
        name=stored.name,
        containment=shared / len(asked.looked_up),
        resemblance=resemblance(asked.every, archive.fingerprints_of(number), how.smallest),
        shared=shared,
    )


def _asked(file: str, shape: IndexParameters, how: Query, options: Options) -> _Asked:
    inputs = Inputs((file,), how.base)
    documents = _documents(inputs, replace(options, language=shape.language), shape)
    every = fingerprints_of(documents)
    if not len(every):
        msg = f"{file!r} has fewer own tokens than the noise threshold, so nothing can be found"
        raise InputError(msg)
    chosen = every if how.window is None else fingerprints_of(_coarser(documents, how.window))
    return _Asked(chosen[: how.smallest], every)


def _documents(inputs: Inputs, options: Options, shape: IndexParameters) -> list[Document]:
    batch = gather(inputs, options)
    works, _ = tokenized_submissions(batch, options, no_progress)
    if not works:
        reason = "".join(f": {each.reason}" for each in batch.skipped[:1])
        msg = f"nothing to look up in {inputs.current[0]!r}{reason}"
        raise InputError(msg)
    return with_parameters([each for work in works for each in work.documents], shape)


def _coarser(documents: Sequence[Document], window: int) -> list[Document]:
    """Return the files with a larger window.

    Raises:
        OptionError: It is smaller, so that fingerprints would not all be in the archive.
    """
    least = max(each.thresholds.window for each in documents)
    if window < least:
        msg = (
            f"query window (--query-window) is {window}: it must be at least {least}, the archive's"
        )
        raise OptionError(msg)
    return [
        replace(
            each, thresholds=replace(each.thresholds, guarantee=each.thresholds.noise + window - 1)
        )
        for each in documents
    ]
