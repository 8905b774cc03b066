"""Adds submissions to archives of earlier terms, and rebuilds their fingerprints."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from mosslite.cache import Contents
from mosslite.errors import ArchiveError, InputError, OptionError
from mosslite.frontends.selection import gather, why_none
from mosslite.history import (
    Archive,
    ArchivedFile,
    ArchivedSubmission,
    Entry,
    IndexParameters,
    is_there,
)
from mosslite.history.entries import (
    contents_of,
    document_of,
    entry_of,
    fingerprints_of,
    index_parameters,
    require_same_parameters,
    with_parameters,
)
from mosslite.options import Options
from mosslite.records import Batch, Document, Inputs, Progress, Role, Submission, no_progress
from mosslite.texts import M_
from mosslite.winnowing.tokenized import tokenized_submissions

# Number of submissions read at a time; the archive stores a tenth of what reading them takes.
_AT_ONCE: Final = 1_000


def _as_they_are(entries: Sequence[Entry], _: Collection[str]) -> Sequence[Entry]:
    return entries


@dataclass(frozen=True, slots=True)
class AddOptions:
    """What to store of submissions.

    Attributes:
        term: Name of the term, such as ``2025-autumn``.
        has_text: Store texts; otherwise tokens are stored as digests, without texts, names, words
            and strings.
        renamed: Callback that renames submissions, given the names already in the term; the
            archive is locked during the call.
    """

    term: str
    has_text: bool = True
    renamed: Callable[[Sequence[Entry], Collection[str]], Sequence[Entry]] = _as_they_are

    def __post_init__(self) -> None:
        """Check the name of the term.

        Raises:
            OptionError: It is blank, or not printable on one line.
        """
        if not self.term.strip() or not self.term.isprintable():
            msg = f"term (--term) is {self.term!r}: give a name such as 2025-autumn"
            raise OptionError(msg)


def add(
    path: str,
    add_options: AddOptions,
    inputs: Inputs,
    options: Options,
    progress: Progress = no_progress,
) -> Batch:
    """Add submissions to an archive, all or none, and create it if it does not exist.

    Args:
        path: Path of the archive.
        add_options: What to store.
        inputs: Current submissions are added; base code is marked in them.
        options: Reading options, k and t.
        progress: Called as files are read.

    Returns:
        The batch that was added.

    Raises:
        MossliteError: An option is invalid, there is nothing to add, or the archive cannot take it.
    """
    shape = index_parameters(options)
    _require_fit(path, shape)  # before any reading
    batch = gather(inputs, options)
    if not batch.submissions:
        raise InputError(why_none(M_("nothing to add: no submission could be read"), batch))
    entries = list(_entries(batch, add_options, options, progress))
    with Archive(path, "add") as archive, archive.in_one_step():
        require_same_parameters(archive, shape)
        names = {each.name for each in archive.submissions() if each.term == add_options.term}
        archive.add(add_options.renamed(entries, names), shape)
    return batch


def rebuild(
    path: str, options: Options, progress: Progress = no_progress, *, keeps_tokens: bool = False
) -> int:
    """Rebuild all fingerprints of an archive, reading texts again if needed.

    Texts are read again even if no parameter differs, as the front-end of a plug-in may have
    changed.

    Args:
        path: Path of the archive.
        options: New language, k and t; a language of None is kept, and so are k and t if both are
            None.
        progress: Called as files are read.
        keeps_tokens: Use the stored tokens of submissions without texts.

    Returns:
        The number of submissions.

    Raises:
        ArchiveError: Texts are needed but not stored; the archive is unchanged.
    """
    with Archive(path, "change") as archive:
        held, stored = archive.shape(), archive.submissions()
        if held is None:
            return 0
        wanted = _wanted(held, options)
        is_read_alike = _is_read_alike(held, wanted)
        if is_read_alike and held != wanted:
            made = _shaped(archive, stored, wanted)
        else:
            if not (is_read_alike or keeps_tokens):
                _require_texts(path, stored)
            options = replace(options, language=wanted.language)
            made = _read_anew(archive, stored, wanted, options, progress)
        archive.replace(stored, made, wanted)
    return len(stored)


def _require_fit(path: str, shape: IndexParameters) -> None:
    if is_there(path):
        with Archive(path, "add") as archive:
            require_same_parameters(archive, shape)


def _entries(
    batch: Batch, add_options: AddOptions, options: Options, progress: Progress
) -> Iterator[Entry]:
    """Read submissions in batches, and yield only the data that the archive stores."""
    for some, on_progress in _portions(batch.submissions, progress):
        submissions, _ = tokenized_submissions(
            replace(batch, submissions=some), options, on_progress
        )
        yield from (
            entry_of(each, add_options.term, keeps_text=add_options.has_text)
            for each in submissions
        )


def _portions(
    submissions: Sequence[Submission], progress: Progress
) -> Iterator[tuple[tuple[Submission, ...], Progress]]:
    """Yield submissions in batches, each with a progress callback."""
    total = sum(len(each.files) for each in submissions)
    done = 0
    for start in range(0, len(submissions), _AT_ONCE):
        some = tuple(submissions[start : start + _AT_ONCE])
        yield some, _of_all(progress, done, total)
        done += sum(len(each.files) for each in some)


def _of_all(progress: Progress, before: int, total: int) -> Progress:
    def on_progress(stage: str, done: int, _of_some: int) -> None:
        progress(stage, before + done, total)

    return on_progress


def _wanted(held: IndexParameters, options: Options) -> IndexParameters:
    """Return the index parameters asked for; one of k and t sets both, as for a check."""
    asked = index_parameters(replace(options, language=options.language or held.language))
    if options.noise is None and options.guarantee is None:
        return replace(asked, code=held.code, prose=held.prose)
    return asked


def _is_read_alike(held: IndexParameters, wanted: IndexParameters) -> bool:
    return (held.language, held.front_ends) == (wanted.language, wanted.front_ends)


def _require_texts(path: str, stored: Sequence[ArchivedSubmission]) -> None:
    silent = [f"{each.term}/{each.name}" for each in stored if not each.has_text]
    if silent:
        others = M_(" and others") if len(silent) > 1 else ""
        msg = (
            f"archive {path!r} cannot be rebuilt, as it does not store the text of {silent[0]!r}"
            f"{others}: remove and add them again, or reuse their tokens with --keep-tokens"
        )
        raise ArchiveError(msg)


def _shaped(
    archive: Archive, stored: Sequence[ArchivedSubmission], shape: IndexParameters
) -> Iterator[Entry]:
    """Yield submissions with new k and t, from stored tokens."""
    for each in stored:
        files = archive.files_of(each.number)
        documents = [document_of(archive, kept, shape) for kept in files]
        yield Entry(each.term, each.name, each.hand_in, files, fingerprints_of(documents))


def _read_anew(
    archive: Archive,
    stored: Sequence[ArchivedSubmission],
    shape: IndexParameters,
    options: Options,
    progress: Progress,
) -> Iterator[Entry]:
    """Yield submissions read again from their texts; marks of base code are kept."""
    yield from _shaped(archive, [each for each in stored if not each.has_text], shape)
    telling = [each for each in stored if each.has_text]
    for start in range(0, len(telling), _AT_ONCE):
        progress("tokenizing", start, len(telling))
        some = telling[start : start + _AT_ONCE]
        kept = [archive.files_of(each.number) for each in some]
        submissions, _ = tokenized_submissions(_batch(some, kept), options, no_progress)
        for each, files, submission in zip(some, kept, submissions, strict=True):
            before = [contents_of(archive, of) for of in files]
            shaped = with_parameters(submission.documents, shape)
            documents = tuple(map(_marked, shaped, files, before))
            yield entry_of(replace(submission, documents=documents), each.term, keeps_text=True)


def _batch(stored: Sequence[ArchivedSubmission], kept: Sequence[tuple[ArchivedFile, ...]]) -> Batch:
    submissions = (
        Submission(each.name, Role.CURRENT, tuple(of.file for of in files), each.hand_in)
        for each, files in zip(stored, kept, strict=True)
    )
    return Batch(tuple(submissions), (), (), "")


def _marked(document: Document, kept: ArchivedFile, before: Contents) -> Document:
    """Mark the tokens that start where marked ones did."""
    starts = before.stream.starts[kept.is_boilerplate]
    return replace(document, is_boilerplate=np.isin(document.stream.starts, starts))
