"""Finds the first commits that contain the matches of shown pairs, in git repositories.

Dates can be forged, so commits are ordered by ancestry. How much of a passage a file version
contains is the share of the passage's tokens that its k-grams cover, at any position.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from mosslite.intake.history import FileVersion, History, PackedFiles
from mosslite.intake.reading import contents_of
from mosslite.intake.repositories import packed_files
from mosslite.languages import language_of
from mosslite.messages import M_
from mosslite.options import Options
from mosslite.ranges import between
from mosslite.records import (
    Location,
    Match,
    Origin,
    Pair,
    Progress,
    RepositoryPlace,
    RepositorySummary,
    Role,
    Sides,
    SourceFile,
    TokenizedSubmission,
    no_progress,
)
from mosslite.winnowing.boilerplate import distinct_kgrams, mark_hashes
from mosslite.winnowing.tokenized import documents_of

# Share from which a commit counts as containing a passage, and up to which as not yet containing
# it.
_HAS: Final = 0.9
_LITTLE: Final = 0.1
# Smallest growth that counts; less is rounding, or a k-gram that also occurs elsewhere.
_STEP: Final = 0.02

# Maximum number of distinct file versions read per repository.
_MOST_VERSIONS: Final = 2_000
# Characters of versions that are tokenized together.
_AT_ONCE: Final = 2 << 20
# Maximum number of shares in memory at a time.
_MOST_SHARES: Final = 4_000_000


class _Passage(NamedTuple):
    """A position in a submission: half-open token ranges in one document."""

    document: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class _Found:
    """What the repositories of one submission say about its passages."""

    summary: RepositorySummary
    origins: Mapping[_Passage, Origin]


def with_origins(pairs: Sequence[Pair], options: Options, progress: Progress) -> tuple[Pair, ...]:
    """Add the origins of matches in repositories to pairs; others are returned unchanged.

    Args:
        pairs: The pairs shown.
        options: The language asked for, and reading options.
        progress: Called with the number of repositories read.
    """
    owners = {
        side.name: side
        for pair in pairs
        for side in (pair.left, pair.right)
        if side.source.repositories and side.role is not Role.BASE
    }
    if not owners:
        return tuple(pairs)
    wanted = _passages(pairs, owners)
    found: dict[str, _Found] = {}
    places = [place for side in owners.values() for place in side.source.repositories]
    packed = packed_files(places, options.intake.limits)
    for number, (name, submission) in enumerate(owners.items(), 1):
        found[name] = _look_up(submission, sorted(wanted[name]), options, packed)
        progress("reading histories", number, len(owners))
    return tuple(_with_origins(pair, found) for pair in pairs)


def _passages(
    pairs: Sequence[Pair], owners: Mapping[str, TokenizedSubmission]
) -> dict[str, set[_Passage]]:
    """Return the passages in pairs, for each submission that has a repository."""
    wanted = defaultdict[str, set[_Passage]](set)
    for pair in pairs:
        if pair.left.name in owners:
            wanted[pair.left.name] |= {_passage(pair.left, each.left) for each in pair.matches}
        if pair.right.name in owners:
            wanted[pair.right.name] |= {_passage(pair.right, each.right) for each in pair.matches}
    return wanted


def _passage(submission: TokenizedSubmission, place: Location) -> _Passage:
    starts = submission.documents[place.document].stream.starts
    inside = between(starts, place.start_char, place.stop_char)
    return _Passage(place.document, inside.start, inside.stop)


def _with_origins(pair: Pair, found: Mapping[str, _Found]) -> Pair:
    left, right = found.get(pair.left.name), found.get(pair.right.name)
    if left is None and right is None:
        return pair
    return pair.changed(
        matches=tuple(_match(pair, each, left, right) for each in pair.matches),
        repositories=Sides.of(left and left.summary, right and right.summary),
    )


def _match(pair: Pair, match: Match, left: _Found | None, right: _Found | None) -> Match:
    ours = left and left.origins.get(_passage(pair.left, match.left))
    theirs = right and right.origins.get(_passage(pair.right, match.right))
    if ours and theirs and ours.commit and theirs.commit and ours.commit.id == theirs.commit.id:
        ours, theirs = (structs.replace(each, is_same_commit=True) for each in (ours, theirs))
    return match._replace(first_commits=Sides.of(ours or None, theirs or None))


def _look_up(
    submission: TokenizedSubmission,
    passages: Sequence[_Passage],
    options: Options,
    packed: Mapping[RepositoryPlace, PackedFiles],
) -> _Found:
    """Look up all passages of a submission, each in the innermost repository around its file."""
    by_place = defaultdict[int, list[_Passage]](list)
    places = submission.source.repositories
    for passage in passages:
        number = _around(places, submission.documents[passage.document].file.name)
        if number is not None:
            by_place[number].append(passage)
    summary, origins = list[RepositorySummary](), dict[_Passage, Origin]()
    for number, place in enumerate(places):
        if place.obstacle:
            summary.append(RepositorySummary(remarks=(M_(".git %(obstacle)s", place.obstacle),)))
        elif by_place[number] or not number:
            with History(place, packed.get(place)) as history:
                origins |= _origins(history, submission, by_place[number], options)
                summary.append(history.summary)
    return _Found(_joined(summary), origins)


def _around(places: Sequence[RepositoryPlace], name: str) -> int | None:
    around = [n for n, place in enumerate(places) if name.startswith(place.folder)]
    return max(around, key=lambda n: (len(places[n].folder), -n), default=None)


def _joined(summary: Sequence[RepositorySummary]) -> RepositorySummary:
    """Return the summary of the repository with the most commits, and the remarks on all."""
    most = max(summary, key=lambda each: each.commits, default=RepositorySummary())
    remarks = dict.fromkeys(remark for each in summary for remark in each.remarks)
    return replace(most, remarks=tuple(remarks))


def _origins(
    history: History,
    submission: TokenizedSubmission,
    passages: Sequence[_Passage],
    options: Options,
) -> dict[_Passage, Origin]:
    if not passages or not history.nodes:
        return {}
    versions = _versions(history, submission, passages)
    masks = _masks(history, submission, versions, options)
    origins: dict[_Passage, Origin] = {}
    step = max(_MOST_SHARES // len(history.nodes), 1)
    for start in range(0, len(passages), step):
        some = passages[start : start + step]
        shares = _shares(submission, some, versions, masks)
        origins |= zip(some, _firsts(history, shares), strict=True)
    return origins


def _versions(
    history: History, submission: TokenizedSubmission, passages: Sequence[_Passage]
) -> list[tuple[FileVersion, ...]]:
    """Return for each commit its files in the passages' languages, as blobs and paths."""
    documents = [submission.documents[each] for each in sorted({p.document for p in passages})]
    languages = {language_of(each.file.name) for each in documents}
    own = {each.file.name.rpartition("/")[2] for each in documents}

    def is_wanted(name: str) -> bool:
        language = language_of(name)
        return name in own or (language is not None and language in languages)

    return [history.files(number, is_wanted) for number in range(len(history.nodes))]


def _masks(
    history: History,
    submission: TokenizedSubmission,
    versions: Sequence[tuple[FileVersion, ...]],
    options: Options,
) -> dict[str, NDArray[np.uint8]]:
    """Return for each file version which tokens of the submission it contains, as packed bits."""
    paths: dict[str, str] = {}
    for files in versions:
        for path, blob in files:
            paths.setdefault(blob, path)
    if len(paths) > _MOST_VERSIONS:
        remark = M_(
            "only the first %(most_versions)d versions of its files are read", _MOST_VERSIONS
        )
        history.remarks[remark] = None
    chosen = list(paths.items())[:_MOST_VERSIONS]
    contents = contents_of(history, chosen, options.intake, options.language)
    masks: dict[str, NDArray[np.uint8]] = {}
    # The tokens of few versions are in memory at a time.
    for some in _batches(contents):
        for (blob, _), grams in zip(some, _grams(some, options), strict=True):
            mask = np.packbits(_tokens_with(submission, grams))
            masks[blob] = masks[blob] | mask if blob in masks else mask
    return masks


def _batches(
    contents: Iterable[tuple[str, SourceFile]],
) -> Iterator[list[tuple[str, SourceFile]]]:
    """Yield versions in batches of about ``_AT_ONCE`` characters."""
    some, size = list[tuple[str, "SourceFile"]](), 0
    for each in contents:
        some.append(each)
        size += len(each[1].text)
        if size >= _AT_ONCE:
            yield some
            some, size = [], 0
    yield some


def _grams(files: Sequence[tuple[str, SourceFile]], options: Options) -> list[NDArray[np.uint64]]:
    """Read files like those of a submission, and return the distinct k-grams of each."""
    documents = documents_of([(0, file) for _, file in files], options, no_progress)
    return [distinct_kgrams([each]) for each in documents]


def _tokens_with(submission: TokenizedSubmission, grams: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Mark the tokens of all documents, concatenated, that these k-grams cover."""
    return np.concatenate([mark_hashes(each, grams) for each in submission.documents])


def _shares(
    submission: TokenizedSubmission,
    passages: Sequence[_Passage],
    versions: Sequence[tuple[FileVersion, ...]],
    masks: Mapping[str, NDArray[np.uint8]],
) -> NDArray[np.float64]:
    """Return the share of each passage in each commit, ``(commits, passages)`` in [0, 1]."""
    sizes = [len(each.stream) for each in submission.documents]
    begins = np.append(0, np.cumsum(sizes))
    own = np.concatenate([~each.is_boilerplate for each in submission.documents])
    firsts = np.array([begins[each.document] + each.start for each in passages], np.int64)
    lasts = np.array([begins[each.document] + each.stop for each in passages], np.int64)
    totals = np.append(0, np.cumsum(own))
    counts = np.maximum(totals[lasts] - totals[firsts], 1)
    known: dict[frozenset[str], NDArray[np.float64]] = {}
    rows = []
    for files in versions:
        state = frozenset(each.blob for each in files if each.blob in masks)
        if state not in known:
            mask = np.zeros(-(-len(own) // 8), np.uint8)
            for blob in state:
                mask |= masks[blob]
            has = np.unpackbits(mask, count=len(own)).astype(np.bool_)
            sums = np.append(0, np.cumsum(own & has))
            known[state] = (sums[lasts] - sums[firsts]) / counts
        rows.append(known[state])
    return np.array(rows).reshape(len(versions), len(passages))


def _firsts(history: History, shares: NDArray[np.float64]) -> list[Origin]:
    """Return the origin of each passage, from its shares in the commits in order."""
    passages = shares.shape[1]
    before, grown = np.zeros_like(shares), np.zeros(shares.shape, np.int32)
    for number, parents in enumerate(history.parents):
        if parents:
            best = np.argmax(shares[parents], axis=0)
            chosen = np.array(parents)[best], np.arange(passages)
            before[number], grown[number] = shares[chosen], grown[chosen]
        # Small shares before the first step are chance, not growth of the passage.
        grown[number][before[number] <= _LITTLE] = 0
        grown[number] += shares[number] > np.maximum(before[number] + _STEP, _LITTLE)
    is_first = (shares >= _HAS) & (before < _HAS)
    origins = []
    for passage in range(passages):
        found = np.flatnonzero(is_first[:, passage])
        if not len(found):
            origins.append(Origin(share=round(float(shares[:, passage].max(initial=0)), 4)))
            continue
        first = int(found[0])
        commits = int(grown[first, passage])
        origins.append(
            Origin(
                commit=history.nodes[first].commit,
                commits=commits,
                share_before=round(float(before[first, passage]), 4),
                arrived_whole=commits <= 1,
                is_oldest_read=not history.parents[first],
                is_same_commit=False,
            )
        )
    return origins
