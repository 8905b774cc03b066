"""Finds sources of files and batches in archives (SIGMOD 2003, section 3.2)."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Annotated, Final

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from mosslite.display import with_names
from mosslite.errors import InputError, OptionError
from mosslite.frontends.selection import gather
from mosslite.intake.entries import free_name
from mosslite.intake.listing import shown_name
from mosslite.languages import TEXT, find_language
from mosslite.messages import M_, N_, said
from mosslite.options import Options, at_least
from mosslite.ranges import expand_ranges
from mosslite.reasons import Reason
from mosslite.records import (
    Document,
    Inputs,
    Role,
    Skipped,
    Submission,
    TokenizedSubmission,
    no_progress,
)
from mosslite.terms.adding import (
    archive_parameters,
    fingerprints_of,
    index_parameters,
    require_same_parameters,
    with_parameters,
)
from mosslite.terms.archive import Archive, Shared
from mosslite.terms.tables import ArchivedSubmission, IndexParameters
from mosslite.winnowing.base_code import base_code, without_base_code
from mosslite.winnowing.fingerprints import fingerprints, resemblance
from mosslite.winnowing.tokenized import tokenized, tokenized_submissions


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
        at_least(1, M_("query window (--query-window)"), self.window)
        at_least(1, M_("number of fingerprints (--smallest)"), self.smallest)
        at_least(0, M_("number of submissions (-n)"), self.show)


@dataclass(frozen=True, slots=True)
class Origin:
    """A submission that a file may come from.

    Attributes:
        containment: Share of the looked-up fingerprints that the submission contains.
        resemblance: Jaccard resemblance of the fingerprints of both, for the archive's window;
            estimated from the smallest ones with ``Query.smallest``.
        shared_fingerprints: Number of looked-up fingerprints that it contains.
    """

    term: str
    name: str
    containment: Annotated[float, Meta(ge=0, le=1)]
    resemblance: Annotated[float, Meta(ge=0, le=1)]
    shared_fingerprints: Annotated[int, Meta(ge=0)]

    @property
    def shares_little(self) -> bool:
        """Whether too few fingerprints are shared to suggest a common source."""
        return self.containment < _LITTLE


# Of the copies in 15 labelled sets of programs, 2 % share less, at most 8 % in any set; of
# unrelated pairs that share a fingerprint, 60 % share less. Rules based on the median share of
# others were measured too: for as many unrelated pairs, they mark more of the copies.
_LITTLE: Final = 0.1


def query(
    path: str, file: str, how: Query | None = None, options: Options | None = None
) -> tuple[Origin, ...]:
    """Find the submissions in an archive that share most with a file, or a folder as a whole.

    They are sorted by containment and resemblance, both descending, then by term and name. k, t and
    language are the archive's.

    Raises:
        MossliteError: The file cannot be read, the archive cannot be used, or w' is below w.
    """
    how = how or Query()
    with Archive(path) as archive:
        shape = archive_parameters(archive)
        looked_up, every = _asked(file, shape, how, options or Options(uses_workers=False))
        with archive.at_one_moment():
            if archive.shape() != shape:
                raise archive.changed()
            found = [
                Origin(
                    stored.term,
                    stored.name,
                    containment=len(hashes) / len(looked_up),
                    resemblance=resemblance(
                        every, archive.fingerprints_of(stored.number), how.smallest
                    ),
                    shared_fingerprints=len(hashes),
                )
                for stored, hashes in _nearest_of(archive.shared(looked_up), how.show)
            ]
    found.sort(key=lambda each: (-each.containment, -each.resemblance, each.term, each.name))
    return tuple(found[: how.show or None])


def _nearest_of(shared: Sequence[Shared], show: int) -> list[Shared]:
    """Return the submissions that share most, including ties with the last one shown."""
    counts = sorted(len(each.hashes) for each in shared)
    least = counts[-show:][:1] or [0]  # -0 keeps all
    return [each for each in shared if len(each.hashes) >= least[0]]


def _asked(
    file: str, shape: IndexParameters, how: Query, options: Options
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the fingerprints of a file: those to look up, and all of the archive's window."""
    options = replace(options, language=shape.language)
    batch = gather(Inputs((file,), how.base), options)
    submissions, _ = tokenized_submissions(batch, options, no_progress)
    if not submissions:
        msg = M_("nothing to look up in %(file)r", file)
        if batch.skipped:
            msg = M_("nothing to look up in %(file)r: %(reason)s", file, batch.skipped[0].reason)
        raise InputError(msg)
    documents = with_parameters(chain.from_iterable(each.documents for each in submissions), shape)
    every = fingerprints_of(documents)
    if not len(every):
        raise InputError(
            "%(file)r has fewer tokens, not counting boilerplate, than the noise "
            "threshold, so nothing can match",
            file,
        )
    chosen = every if how.window is None else fingerprints_of(_coarser(documents, how.window))
    return chosen[: how.smallest], every


def _coarser(documents: Sequence[Document], window: int) -> list[Document]:
    """Return documents with a larger window for winnowing.

    Raises:
        OptionError: It is smaller, so fingerprints could be missing from the archive.
    """
    least = max(each.thresholds.window for each in documents)
    if window < least:
        raise OptionError(
            "query window (--query-window) is %(window)s: it must be at least "
            "%(least)s, the archive's",
            window,
            least,
        )
    return [
        replace(
            each, thresholds=replace(each.thresholds, guarantee=each.thresholds.noise + window - 1)
        )
        for each in documents
    ]


# Number of submissions taken from each archive: per pair shown, and at least.
_TAKEN_PER_SHOWN, _LEAST_TAKEN = 4, 1_000

_NO_HASHES: Final = np.empty(0, np.uint64)
_NO_TEXT: Final = N_("text not stored in the archive, shown as dots: %(names)s")
_TAKEN: Final = N_(
    "%(taken)d of the %(related)d submissions in %(path)r that share code with the batch were "
    "compared: those with the most in common (-n 0 compares all)"
)


def with_archives(
    submissions: tuple[TokenizedSubmission, ...],
    base: Sequence[Document],
    archives: Sequence[str],
    options: Options,
) -> tuple[tuple[TokenizedSubmission, ...], frozenset[str], tuple[str, ...]]:
    """Add submissions of archives that share fingerprints with a batch.

    Returns:
        All submissions, by role and name; the names of those from archives, which would bias the
        null sample, as they were selected for their similarity; and remarks on the selection.

    Raises:
        ArchiveError: An archive is damaged or has other index parameters.
    """
    handed_out, shape = base_code(base), index_parameters(options)
    names = {submission.name for submission in submissions}
    found, silent, remarks = list[TokenizedSubmission](), list[str](), list[str]()
    for path in _distinct(archives):
        with Archive(path) as archive, archive.at_one_moment():
            require_same_parameters(archive, shape)  # it may have been rebuilt in the meantime
            related, strengths = _related(archive, submissions)
            most = max(_TAKEN_PER_SHOWN * options.room, _LEAST_TAKEN)
            if options.room and len(related) > most:
                remarks.append(said(_TAKEN, most, len(related), path))
                nearest = np.argsort(-strengths, kind="stable")[:most]  # equal ones by name
                related = [related[place] for place in sorted(nearest.tolist())]
            for stored in related:
                documents = without_base_code(archive.files_of(stored.number), handed_out)
                name = free_name(f"{stored.term}/{stored.name}", names)
                names.add(name)
                found.append(_prior(name, stored, documents))
                silent += [] if stored.has_text else [name]
    everything = [*submissions, *found]
    everything.sort(key=lambda submission: submission.rank)
    chosen = frozenset(submission.name for submission in found)
    return tuple(everything), chosen, (*remarks, *with_names(_NO_TEXT, names=sorted(silent)))


def _prior(
    name: str, stored: ArchivedSubmission, documents: Sequence[Document]
) -> TokenizedSubmission:
    known = [replace(each, language=_known(each.language)) for each in documents]
    hand_in = replace(stored.hand_in, label=stored.hand_in.label or stored.term)
    files = tuple(document.file for document in documents)
    return tokenized(Submission(name, Role.PRIOR, files, hand_in), known)


def _known(language: str) -> str:
    """Return a language, or plain text if it needs a plug-in that is not installed."""
    try:
        return find_language(language).name
    except OptionError:
        return TEXT.name


def archives_given_twice(archives: Sequence[str]) -> list[Skipped]:
    """Return the paths of archives that were given before."""
    again = Counter(archives)
    again.subtract(_distinct(archives))
    return [Skipped(shown_name(path), Reason.GIVEN_TWICE.message()) for path in again.elements()]


def _distinct(archives: Sequence[str]) -> list[str]:
    """Return each archive once, even if given several times or by different paths."""
    return sorted({os.path.realpath(path): path for path in sorted(archives)}.values())


def _related(
    archive: Archive, submissions: Sequence[TokenizedSubmission]
) -> tuple[list[ArchivedSubmission], NDArray[np.float64]]:
    """Find the archived submissions that share a fingerprint with current ones.

    Returns:
        The submissions, by term and name, and the similarity of each to the most similar current
        one. As within a batch, rare fingerprints weigh more.
    """
    current = [
        np.unique(fingerprints(submission.comparable).hashes)
        for submission in submissions
        if submission.role is Role.CURRENT
    ]
    shared = archive.shared(np.unique(np.concatenate([_NO_HASHES, *current])))
    sizes = np.array([each.submission.size for each in shared], np.float64)
    hashes = np.concatenate([_NO_HASHES, *(each.hashes for each in shared)])
    places = np.repeat(np.arange(len(shared)), [len(each.hashes) for each in shared])
    places = places[np.argsort(hashes, kind="stable")]
    distinct, counts = np.unique(hashes, return_counts=True)
    firsts, weights = np.cumsum(counts) - counts, np.log((archive.count() + 2) / counts)
    strongest = np.zeros(len(shared))
    for own in current:
        found = np.flatnonzero(np.isin(distinct, own, assume_unique=True))
        holders = places[expand_ranges(firsts[found], counts[found])]
        mass = np.bincount(holders, np.repeat(weights[found], counts[found]), len(shared))
        # Rounded, as the last digits of sums may differ between machines.
        strengths = (mass / np.sqrt(sizes * max(len(own), 1))).round(9)
        strongest = np.maximum(strongest, strengths)
    return [each.submission for each in shared], strongest
