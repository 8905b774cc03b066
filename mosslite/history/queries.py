"""Finds sources of files and batches in archives (SIGMOD 2003, section 3.2)."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.display import with_names
from mosslite.errors import ArchiveError, InputError, OptionError
from mosslite.frontends.selection import gather
from mosslite.history import Archive, ArchivedSubmission, IndexParameters, SharedPostings
from mosslite.history.entries import (
    archive_parameters,
    document_of,
    fingerprints_of,
    index_parameters,
    require_same_parameters,
    with_parameters,
)
from mosslite.options import Options, at_least
from mosslite.ranges import expand_ranges
from mosslite.records import (
    Document,
    Inputs,
    Role,
    Skipped,
    Submission,
    TokenizedSubmission,
    no_progress,
)
from mosslite.submissions import GIVEN_TWICE
from mosslite.submissions.entries import free_name
from mosslite.submissions.paths import shown_name
from mosslite.texts import M_, NL_
from mosslite.winnowing.fingerprints import comparable_tokens, fingerprints, resemblance
from mosslite.winnowing.tokenized import (
    BaseCode,
    base_code,
    tokenized_submissions,
    without_base_code,
)


@dataclass(frozen=True, slots=True)
class Query:
    """Settings of a query.

    Attributes:
        window: Window w' for winnowing the file, at least the archive's w; None uses w. The
            fingerprints are then fewer, and a subset of those for w.
        smallest: Look up only this many of the smallest fingerprints; None looks up all.
        show: Maximum number of results; 0 shows all submissions that share a fingerprint.
        base: Paths of base code, which is not looked up.
    """

    window: int | None = None
    smallest: int | None = None
    show: int = 10
    base: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            OptionError: Names the option, the value and what would be right.
        """
        at_least(1, "query window (--query-window)", self.window)
        at_least(1, "number of fingerprints (--smallest)", self.smallest)
        at_least(0, "number of submissions (-n)", self.show)


@dataclass(frozen=True, slots=True)
class Origin:
    """A submission that a file may come from.

    Attributes:
        containment: Share of the looked-up fingerprints that the submission contains.
        resemblance: Jaccard resemblance of the fingerprints of both, for the archive's window;
            estimated from the smallest ones with ``Query.smallest``.
        shared: Number of looked-up fingerprints that it contains.
    """

    term: str
    name: str
    containment: float
    resemblance: float
    shared: int

    @property
    def shares_little(self) -> bool:
        """Whether too few fingerprints are shared to suggest a common source."""
        return self.containment < _LITTLE


# Of the copies in 15 labelled sets of programs, 2 % share less, at most 8 % in any set; of
# unrelated pairs that share a fingerprint, 60 % share less (tests/bench/queries.py). Rules based on
# the median share of others were measured too: for as many unrelated pairs, they mark more of the
# copies.
_LITTLE: Final = 0.1


class _Asked(NamedTuple):
    """Ascending fingerprints of a file: those to look up, and all of the archive's window."""

    looked_up: NDArray[np.uint64]
    every: NDArray[np.uint64]


def query(
    path: str, file: str, how: Query | None = None, options: Options | None = None
) -> tuple[Origin, ...]:
    """Find the submissions in an archive that share most with a file.

    Args:
        path: Path of the archive.
        file: A file, or a folder or archive, whose files are looked up together.
        how: None looks up all fingerprints of the archive's window.
        options: Reading options; k, t and language are the archive's.

    Returns:
        By containment and resemblance, both descending, then by term and name.

    Raises:
        MossliteError: The file cannot be read, the archive cannot be used, or w' is below w.
    """
    how = how or Query()
    with Archive(path) as archive:
        shape = archive_parameters(archive)
        asked = _asked(file, shape, how, options or Options(uses_workers=False))
        with archive.at_one_moment():
            _require_unchanged(archive, shape)
            holders = archive.holders(asked.looked_up).submissions
            numbers, shared = np.unique(holders, return_counts=True)
            found = [
                _origin(archive, near, asked, how) for near in _nearest_of(numbers, shared, how)
            ]
    found.sort(key=lambda each: (-each.containment, -each.resemblance, each.term, each.name))
    return tuple(found[: how.show or None])


def _require_unchanged(archive: Archive, shape: IndexParameters) -> None:
    if archive.shape() != shape:
        msg = f"archive {archive.path!r} was changed while being read: try again"
        raise ArchiveError(msg)


def _nearest_of(
    numbers: NDArray[np.int64], counts: NDArray[np.int64], how: Query
) -> Iterator[tuple[int, int]]:
    """Yield the submissions that share most, including ties with the last one shown."""
    least = np.sort(counts)[-how.show :][:1]  # -0 keeps all
    is_near = counts >= least
    yield from zip(numbers[is_near].tolist(), counts[is_near].tolist(), strict=True)


def _origin(archive: Archive, near: tuple[int, int], asked: _Asked, how: Query) -> Origin:
    number, shared = near
    stored = archive.submission(number)
    containment = shared / len(asked.looked_up)
    return Origin(
        term=stored.term,
        name=stored.name,
        containment=containment,
        resemblance=resemblance(asked.every, archive.fingerprints_of(number), how.smallest),
        shared=shared,
    )


def _asked(file: str, shape: IndexParameters, how: Query, options: Options) -> _Asked:
    inputs = Inputs((file,), how.base)
    documents = _documents(inputs, replace(options, language=shape.language), shape)
    every = fingerprints_of(documents)
    if not len(every):
        msg = (
            f"{file!r} has fewer tokens, not counting boilerplate, than the noise threshold, so "
            "nothing can match"
        )
        raise InputError(msg)
    chosen = every if how.window is None else fingerprints_of(_coarser(documents, how.window))
    return _Asked(chosen[: how.smallest], every)


def _documents(inputs: Inputs, options: Options, shape: IndexParameters) -> list[Document]:
    batch = gather(inputs, options)
    submissions, _ = tokenized_submissions(batch, options, no_progress)
    if not submissions:
        msg = f"nothing to look up in {inputs.current[0]!r}"
        if batch.skipped:
            msg = f"nothing to look up in {inputs.current[0]!r}: {batch.skipped[0].reason}"
        raise InputError(msg)
    return with_parameters(
        [each for submission in submissions for each in submission.documents], shape
    )


def _coarser(documents: Sequence[Document], window: int) -> list[Document]:
    """Return documents with a larger window for winnowing.

    Raises:
        OptionError: It is smaller, so fingerprints could be missing from the archive.
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


# Number of submissions taken from each archive: per pair shown, and at least.
_TAKEN_PER_SHOWN, _LEAST_TAKEN = 4, 1_000

_NO_TEXT: Final = NL_("text not stored in the archive, shown as dots")


class _Found(NamedTuple):
    """A batch with the related submissions of archives.

    Attributes:
        submissions: In order of role and name.
        chosen: Names of those from archives: selected for their similarity, they would bias the
            null sample.
        remarks: Remarks on the selection.
    """

    submissions: tuple[TokenizedSubmission, ...]
    chosen: frozenset[str]
    remarks: tuple[str, ...]


def with_archives(
    submissions: tuple[TokenizedSubmission, ...],
    base: Sequence[Document],
    archives: Sequence[str],
    options: Options,
) -> _Found:
    """Add submissions of archives that share fingerprints with a batch.

    Raises:
        ArchiveError: An archive is damaged or has other index parameters.
    """
    names, shape, handed_out = (
        {submission.name for submission in submissions},
        index_parameters(options),
        base_code(base),
    )
    found, silent, remarks = list[TokenizedSubmission](), list[str](), list[str]()
    for path in _distinct(archives):
        with Archive(path) as archive, archive.at_one_moment():
            require_same_parameters(archive, shape)  # it may have been rebuilt in the meantime
            related = _related(archive, submissions)
            taken = _nearest(related, options.room)
            remarks += _on_taken(path, len(taken), len(related))
            for stored in taken:
                submission = _named(_tokenized(archive, stored, shape, handed_out), names)
                names.add(submission.name)
                found.append(submission)
                silent += [] if stored.has_text else [submission.name]
    everything = [*submissions, *found]
    everything.sort(key=lambda submission: submission.rank)
    chosen = frozenset(submission.name for submission in found)
    return _Found(tuple(everything), chosen, (*remarks, *with_names(_NO_TEXT, sorted(silent))))


def archives_given_twice(archives: Sequence[str]) -> list[Skipped]:
    """Return the paths of archives that were given before."""
    again = Counter(archives)
    again.subtract(_distinct(archives))
    return [Skipped(shown_name(path), GIVEN_TWICE) for path in again.elements()]


def _distinct(archives: Sequence[str]) -> list[str]:
    """Return each archive once, even if given several times or by different paths."""
    return sorted({os.path.realpath(path): path for path in sorted(archives)}.values())


def _related(
    archive: Archive, submissions: Sequence[TokenizedSubmission]
) -> list[tuple[float, ArchivedSubmission]]:
    """Return archived submissions that share a fingerprint with current ones, with similarities."""
    stored = archive.submissions()
    current = [
        np.unique(fingerprints(submission.comparable).hashes)
        for submission in submissions
        if submission.role is Role.CURRENT
    ]
    asked = np.unique(np.concatenate([np.empty(0, np.uint64), *current]))
    strengths = _strongest_candidates(stored, current, archive.holders(asked))
    return [
        (strength, each)
        for strength, each in zip(strengths.tolist(), stored, strict=True)
        if strength > 0
    ]


def _nearest(
    related: Sequence[tuple[float, ArchivedSubmission]], show: int
) -> list[ArchivedSubmission]:
    """Return those that share most relative to size; ties are ordered by name."""
    most = max(_TAKEN_PER_SHOWN * show, _LEAST_TAKEN) if show else len(related)
    order = sorted(range(len(related)), key=lambda place: -related[place][0])[:most]
    return [related[place][1] for place in sorted(order)]


def _on_taken(path: str, taken: int, related: int) -> list[str]:
    if taken == related:
        return []
    return [
        M_(
            f"{taken:,} of the {related:,} submissions in {path!r} that share code with the batch "
            "were compared: those with the most in common (-n 0 compares all)"
        )
    ]


def _strongest_candidates(
    stored: Sequence[ArchivedSubmission],
    current: Sequence[NDArray[np.uint64]],
    held: SharedPostings,
) -> NDArray[np.float64]:
    """Return each archived submission's similarity to the most similar current one.

    As within a batch, rare fingerprints weigh more.
    """
    places = _places(held.submissions, stored)
    sizes = np.array([max(each.size, 1) for each in stored], np.float64)
    distinct, counts = np.unique(held.hashes, return_counts=True)
    order = np.argsort(held.hashes, kind="stable")
    places, firsts = places[order], np.cumsum(counts) - counts
    weights = np.log((len(stored) + 2) / counts)
    strongest = np.zeros(len(stored))
    for hashes in current:
        shared = np.flatnonzero(np.isin(distinct, hashes, assume_unique=True))
        holders = places[expand_ranges(firsts[shared], counts[shared])]
        mass = np.bincount(holders, np.repeat(weights[shared], counts[shared]), len(stored))
        # Rounded, as the last digits of sums may differ between machines.
        strengths = (mass / np.sqrt(sizes * max(len(hashes), 1))).round(9)
        strongest = np.maximum(strongest, strengths)
    return strongest


def _places(numbers: NDArray[np.int64], stored: Sequence[ArchivedSubmission]) -> NDArray[np.int64]:
    """Return the indices in ``stored`` of submissions with these numbers."""
    known = np.array([each.number for each in stored], np.int64)
    order = np.argsort(known)
    return order[np.searchsorted(known[order], numbers)]


def _tokenized(
    archive: Archive, stored: ArchivedSubmission, shape: IndexParameters, base: BaseCode
) -> TokenizedSubmission:
    files = archive.files_of(stored.number)
    documents = without_base_code([document_of(archive, kept, shape) for kept in files], base)
    hand_in = replace(stored.hand_in, label=stored.hand_in.label or stored.term)
    submission = Submission(
        f"{stored.term}/{stored.name}", Role.PRIOR, tuple(kept.file for kept in files), hand_in
    )
    return TokenizedSubmission(submission, tuple(documents), comparable_tokens(documents))


def _named(submission: TokenizedSubmission, taken: set[str]) -> TokenizedSubmission:
    """Return a submission, renamed if its name is taken."""
    name = free_name(submission.name, taken)
    return replace(submission, source=replace(submission.source, name=name))
