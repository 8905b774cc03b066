"""Finds the submissions of archives that a batch may have been copied from."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.display import with_names
from mosslite.history import Archive
from mosslite.history.entries import document_of, index_parameters, require_same_parameters
from mosslite.ranges import expand_ranges
from mosslite.records import Role, Skipped, Submission, TokenizedSubmission
from mosslite.submissions import GIVEN_TWICE
from mosslite.submissions.entries import free_name
from mosslite.submissions.paths import shown_name
from mosslite.winnowing.fingerprints import comparable_tokens, fingerprints
from mosslite.winnowing.tokenized import base_code, without_base_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mosslite.history import ArchivedSubmission, IndexParameters, SharedPostings
    from mosslite.options import Options
    from mosslite.records import Document
    from mosslite.winnowing.tokenized import BaseCode

__all__ = ["Found", "archives_given_twice", "with_archives"]

# Submissions taken out of each archive for each pair that is shown, and at the least.
_TAKEN_PER_SHOWN, _LEAST_TAKEN = 4, 1_000

_NO_TEXT: Final = "text not kept in the archive, so dots stand for it"


class Found(NamedTuple):
    """A batch with what archives hold that is like it.

    Attributes:
        works: In order of role and name.
        chosen: Names of those that archives hold: as they were chosen for being like the batch,
            they do not tell how alike honest work is.
        remarks: On what was chosen.
    """

    works: tuple[TokenizedSubmission, ...]
    chosen: frozenset[str]
    remarks: tuple[str, ...]


def with_archives(
    works: tuple[TokenizedSubmission, ...],
    base: Sequence[Document],
    archives: Sequence[str],
    options: Options,
) -> Found:
    """Add to a batch what archives hold that shares fingerprints with it.

    Raises:
        ArchiveError: An archive is damaged or of another shape.
    """
    names, shape, handed_out = (
        {work.name for work in works},
        index_parameters(options),
        base_code(base),
    )
    found, silent, remarks = list[TokenizedSubmission](), list[str](), list[str]()
    for path in _distinct(archives):
        with Archive(path) as archive, archive.at_one_moment():
            require_same_parameters(
                archive, shape
            )  # it may have been made anew since the run began
            related = _related(archive, works)
            taken = _nearest(related, options.room)
            remarks += _on_taken(path, len(taken), len(related))
            for stored in taken:
                work = _named(_work(archive, stored, shape, handed_out), names)
                names.add(work.name)
                found.append(work)
                silent += [] if stored.has_text else [work.name]
    everything = [*works, *found]
    everything.sort(key=lambda work: work.rank)
    chosen = frozenset(work.name for work in found)
    return Found(tuple(everything), chosen, (*remarks, *with_names(_NO_TEXT, sorted(silent))))


def archives_given_twice(archives: Sequence[str]) -> list[Skipped]:
    """Return the paths by which an archive was given again."""
    again = Counter(archives)
    again.subtract(_distinct(archives))
    return [Skipped(shown_name(path), GIVEN_TWICE) for path in again.elements()]


def _distinct(archives: Sequence[str]) -> list[str]:
    """Return each archive once, however often and by whatever path it was given."""
    return sorted({os.path.realpath(path): path for path in sorted(archives)}.values())


def _related(
    archive: Archive, works: Sequence[TokenizedSubmission]
) -> list[tuple[float, ArchivedSubmission]]:
    """Return what shares a fingerprint with a current work, and the strength of the nearest tie."""
    stored = archive.submissions()
    current = [
        np.unique(fingerprints(work.comparable).hashes)
        for work in works
        if work.role is Role.CURRENT
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
    """Choose what shares the most for the size of both; of equals, the first by name."""
    most = max(_TAKEN_PER_SHOWN * show, _LEAST_TAKEN) if show else len(related)
    order = sorted(range(len(related)), key=lambda place: -related[place][0])[:most]
    return [related[place][1] for place in sorted(order)]


def _on_taken(path: str, taken: int, related: int) -> list[str]:
    if taken == related:
        return []
    return [
        f"{taken:,} of {related:,} submissions in {path!r} that share code with the batch were "
        "compared, those that share the most (-n 0 compares all)"
    ]


def _strongest_candidates(
    stored: Sequence[ArchivedSubmission],
    current: Sequence[NDArray[np.uint64]],
    held: SharedPostings,
) -> NDArray[np.float64]:
    """Return for each submission of an archive the strength of its tie to the nearest work.

    As among the works of a batch, what few hold weighs more.
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
        # Rounded, as sums may differ in their last digit from machine to machine.
        strengths = (mass / np.sqrt(sizes * max(len(hashes), 1))).round(9)
        strongest = np.maximum(strongest, strengths)
    return strongest


def _places(numbers: NDArray[np.int64], stored: Sequence[ArchivedSubmission]) -> NDArray[np.int64]:
    """Return where in ``stored`` the submissions of these numbers are."""
    known = np.array([each.number for each in stored], np.int64)
    order = np.argsort(known)
    return order[np.searchsorted(known[order], numbers)]


def _work(
    archive: Archive, stored: ArchivedSubmission, shape: IndexParameters, base: BaseCode
) -> TokenizedSubmission:
    files = archive.files_of(stored.number)
    documents = without_base_code([document_of(archive, kept, shape) for kept in files], base)
    hand_in = replace(stored.hand_in, label=stored.hand_in.label or stored.term)
    submission = Submission(
        f"{stored.term}/{stored.name}", Role.PRIOR, tuple(kept.file for kept in files), hand_in
    )
    return TokenizedSubmission(submission, tuple(documents), comparable_tokens(documents))


def _named(work: TokenizedSubmission, taken: set[str]) -> TokenizedSubmission:
    """Return a work another name where its own is taken."""
    name = free_name(work.name, taken)
    return replace(work, submission=replace(work.submission, name=name))
