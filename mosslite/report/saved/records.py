"""What results in a file tell: submissions, pairs, and which of them belong together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mosslite.errors import InputError
from mosslite.forests import DisjointSets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mosslite.options import Mark, Options
    from mosslite.records import (
        Inputs,
        Origin,
        RepositorySummary,
        Role,
        Skipped,
        SubmissionMetadata,
        Threshold,
    )

__all__ = [
    "SavedEvidence",
    "SavedMatch",
    "SavedPair",
    "SavedPlace",
    "SavedResults",
    "SavedSubmission",
    "group_of",
    "groups_of",
    "pair_of",
]


@dataclass(frozen=True, slots=True)
class SavedPlace:
    """Lines of a file, 1-based; ``where`` says them in words in a file of parts, else empty.

    Attributes:
        others: What else the results tell of the passage, by words, such as when it was committed.
    """

    file: str
    first_line: int
    last_line: int
    where: str = ""
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match by its lines; what the results do not tell is None.

    Attributes:
        left_origin: The first commit that has it, where the left side has a repository.
        right_origin: Likewise.
    """

    left: SavedPlace
    right: SavedPlace
    tokens: int | None
    block: int | None
    left_origin: Origin | None = None
    right_origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class SavedEvidence:
    """Something that few others have, as ``RareEvidence``, by the names of files."""

    kind: str
    text: str
    resembles: str
    left_file: str
    left: tuple[int, ...]
    right_file: str
    right: tuple[int, ...]
    submissions: int | None


@dataclass(frozen=True, slots=True)
class SavedSubmission:
    """A submission as results tell of it.

    Attributes:
        tokens: Those that were compared; None where it is unknown.
        left_out: How many tokens are boilerplate, and how many of them each base file has.
        code: Fingerprint of its own code; empty where it is unknown.
        text: Fingerprint of the texts of its files, likewise.
        degraded: Files that a plain tokenizer read.
        disguised: How many characters in it look like others or cannot be seen.
        others: What else the results tell of it, by words.
    """

    name: str
    role: Role
    files: tuple[str, ...]
    tokens: int | None
    languages: tuple[str, ...]
    hand_in: SubmissionMetadata
    left_out: tuple[int, tuple[tuple[str, int], ...]]
    code: str
    text: str
    degraded: tuple[str, ...] = ()
    disguised: int = 0
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SavedPair:
    """A pair as results tell of it; what they do not tell is None.

    Attributes:
        rank: Place in the list, from 1.
        first: The side that was handed in first, ``both`` where there is none, else empty; and how
            many seconds before the other.
    """

    rank: int
    left: str
    right: str
    score: float | None
    similarity: float | None
    left_similarity: float | None
    right_similarity: float | None
    matched_tokens: int | None
    matched_lines: int | None
    longest_match: int | None
    matches: tuple[SavedMatch, ...]
    rare_evidence: tuple[SavedEvidence, ...]
    review: Mark | None
    is_review_outdated: bool = False
    left_repository: RepositorySummary | None = None
    right_repository: RepositorySummary | None = None
    first: tuple[str, int] = ("", 0)

    @property
    def has_commits(self) -> bool:
        """Whether a side has a repository."""
        return bool(self.left_repository or self.right_repository)

    @property
    def names(self) -> frozenset[str]:
        """The names of both submissions."""
        return frozenset((self.left, self.right))


@dataclass(frozen=True, slots=True)
class SavedResults:
    """A file of results.

    Attributes:
        digest: SHA-256 of the file, to tell it from any other.
        created: When they were made; empty where it is unknown.
        version: Of mosslite, which made or imported them.
        program: What made them, if they were imported; else empty.
        options: How the batch was compared.
        thresholds: k and t by kind of text, as they were used; empty where it is unknown.
        base: Names of the boilerplate files.
        inputs: The paths that were given; None where they are not told.
        skipped: What was not compared, and why; what a limit kept out has its submission.
        unlisted: How many more pairs stand out than are listed.
    """

    digest: str
    created: str
    version: str
    program: str
    is_anonymous: bool
    options: Options
    thresholds: Mapping[str, tuple[int, int]]
    base: tuple[str, ...]
    inputs: Inputs | None
    threshold: Threshold | None
    submissions: Mapping[str, SavedSubmission] = field(repr=False)
    pairs: tuple[SavedPair, ...] = field(repr=False)
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()
    unlisted: int = 0

    def limit_of(self, pair: SavedPair) -> float | None:
        """Return the score from which on a pair like this needs a look, if the batch tells."""
        if self.threshold is None:
            return None
        by_language = {each.language: each.score for each in self.threshold.languages}
        sides = (self.submissions[pair.left], self.submissions[pair.right])
        return max(
            by_language.get(each.languages[0], self.threshold.score)
            if len(each.languages) == 1
            else self.threshold.score
            for each in sides
        )

    def stands_out(self, pair: SavedPair) -> bool:
        """Return whether a pair needs a look, as far as the results tell."""
        limit = self.limit_of(pair)
        return limit is not None and pair.score is not None and pair.score >= limit


def pair_of(results: SavedResults, names: Sequence[str]) -> SavedPair:
    """Return the pair that is meant.

    Args:
        results: Where it is.
        names: Its number in the list, or the names of both submissions, in either order.

    Raises:
        InputError: There is none.
    """
    if len(names) == 1:
        return _numbered(results, names[0])
    if len(names) != 2:
        msg = f"a pair is a number or two names, not {len(names)} of them"
        raise InputError(msg)
    wanted = frozenset(names)
    for pair in results.pairs:
        if pair.names == wanted:
            return pair
    for name in names:
        _require_submission(results, name)
    msg = f"{names[0]!r} and {names[1]!r} are not among the pairs of the results"
    raise InputError(msg)


def _numbered(results: SavedResults, number: str) -> SavedPair:
    count = len(results.pairs)
    if number.isascii() and number.isdecimal() and 1 <= len(number) <= 9:
        if 1 <= int(number) <= count:
            return results.pairs[int(number) - 1]
        msg = f"there is no pair {int(number):,}: the results have {count:,}"
        raise InputError(msg)
    msg = f"{number!r} is not the number of a pair: give a number, or the names of both submissions"
    raise InputError(msg)


def _require_submission(results: SavedResults, name: str) -> None:
    if name not in results.submissions:
        msg = f"{name!r} is not a submission of the results"
        raise InputError(msg)


def group_of(results: SavedResults, name: str) -> tuple[SavedPair, ...]:
    """Return the pairs above the threshold that connect a submission with others, directly or not.

    Raises:
        InputError: It is not there, or in no such pair.
    """
    _require_submission(results, name)
    if results.threshold is None:
        msg = "the results have no threshold, so there are no groups: name a pair"
        raise InputError(msg)
    for members in groups_of(results):
        if name in members:
            return tuple(
                pair for pair in results.pairs if pair.left in members and results.stands_out(pair)
            )
    msg = f"{name!r} is in no group: no pair of it reaches the threshold"
    raise InputError(msg)


def groups_of(results: SavedResults) -> list[frozenset[str]]:
    """Return which submissions the pairs above the threshold connect, by their best pair."""
    numbers = {each: number for number, each in enumerate(results.submissions)}
    sets, high = DisjointSets(), [each for each in results.pairs if results.stands_out(each)]
    for pair in high:
        sets.join(numbers[pair.left], numbers[pair.right])
    groups: dict[int, frozenset[str]] = {}
    for pair in high:
        group = sets.find(numbers[pair.left])
        groups[group] = groups.get(group, frozenset()) | pair.names
    return [*groups.values()]
