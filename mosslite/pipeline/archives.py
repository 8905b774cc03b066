"""Fills archives of earlier terms, and makes their fingerprints anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mosslite.archive import Archive, Entry
from mosslite.cache import unpack
from mosslite.errors import ArchiveError, InputError, OptionError
from mosslite.model import Batch, Role, Submission, untold
from mosslite.pipeline.entries import document_of, entry_of, fingerprints_of
from mosslite.pipeline.gathering import gather
from mosslite.pipeline.shapes import require_same, shape_of
from mosslite.pipeline.works import works_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.archive import Kept, Shape, Stored
    from mosslite.model import Document, Inputs, Progress
    from mosslite.options import Options

__all__ = ["Keeping", "add", "rebuild"]


@dataclass(frozen=True, slots=True)
class Keeping:
    """What to keep of submissions.

    Attributes:
        term: What to call them together, such as ``2025-autumn``.
        has_text: Without, tokens are kept as digests; no text, name, word or string.
    """

    term: str
    has_text: bool = True

    def __post_init__(self) -> None:
        """Refuse a term without a name.

        Raises:
            OptionError: It is blank.
        """
        if not self.term.strip():
            msg = "the term (--term) is blank: give a name such as 2025-autumn"
            raise OptionError(msg)


def add(
    path: str, keeping: Keeping, inputs: Inputs, options: Options, progress: Progress = untold
) -> Batch:
    """Add submissions to an archive, all or none, and make it where there is none.

    Args:
        path: Of the archive.
        keeping: What to keep of them.
        inputs: Current ones are added; what comes from base code is marked.
        options: How to read, and k and t.
        progress: Called as files are read.

    Returns:
        What was added.

    Raises:
        MossliteError: An option is wrong, nothing is left to add, or the archive cannot take it.
    """
    batch = gather(inputs, options)
    works, _ = works_of(batch, options, progress)
    if not works:
        msg = "nothing to add: no submission could be read"
        raise InputError(msg)
    entries = [entry_of(work, keeping.term, keeps_text=keeping.has_text) for work in works]
    with Archive(path, "add") as archive:
        require_same(archive, shape_of(options))
        archive.add(entries, shape_of(options))
    return batch


def rebuild(path: str, options: Options, progress: Progress = untold) -> int:
    """Make all fingerprints of an archive anew, reading texts again where that is needed.

    Returns:
        How many submissions there are.

    Raises:
        ArchiveError: Texts are needed that are not kept; the archive is as it was.
    """
    wanted = shape_of(options)
    with Archive(path, "change") as archive:
        held, stored = archive.shape(), archive.submissions()
        if held is not None and _is_read_alike(held, wanted):
            archive.replace(_shaped(archive, stored, wanted), wanted)
        elif held is not None:
            _require_texts(path, stored)
            archive.replace(_read_anew(archive, stored, options, progress), wanted)
    return len(stored)


def _is_read_alike(held: Shape, wanted: Shape) -> bool:
    return (held.language, held.front_ends) == (wanted.language, wanted.front_ends)


def _require_texts(path: str, stored: Sequence[Stored]) -> None:
    silent = [f"{each.term}/{each.name}" for each in stored if not each.has_text]
    if silent:
        msg = (
            f"archive {path!r} cannot be read anew, as it keeps no text of {silent[0]!r}"
            f"{' and others' * (len(silent) > 1)}: remove them and add them again"
        )
        raise ArchiveError(msg)


def _shaped(archive: Archive, stored: Sequence[Stored], shape: Shape) -> Iterator[Entry]:
    """Give submissions with other k and t."""
    for each in stored:
        files = archive.files_of(each.number)
        documents = [document_of(kept, shape) for kept in files]
        yield Entry(each.term, each.name, each.hand_in, files, fingerprints_of(documents))


def _read_anew(
    archive: Archive, stored: Sequence[Stored], options: Options, progress: Progress
) -> Iterator[Entry]:
    """Give submissions as the front-ends read them now; base code stays marked where it was."""
    kept = [archive.files_of(each.number) for each in stored]
    submissions = [
        Submission(each.name, Role.CURRENT, tuple(of.file for of in files), each.hand_in)
        for each, files in zip(stored, kept, strict=True)
    ]
    batch = Batch(tuple(submissions), (), (), "")
    works, _ = works_of(batch, options, progress)
    for each, files, work in zip(stored, kept, works, strict=True):
        documents = tuple(map(_marked, work.documents, files))
        yield entry_of(replace(work, documents=documents), each.term, keeps_text=True)


def _marked(document: Document, kept: Kept) -> Document:
    """Mark the tokens that begin where marked ones did."""
    before = unpack(kept.reading).stream.starts[kept.is_boilerplate]
    return replace(document, is_boilerplate=np.isin(document.stream.starts, before))
