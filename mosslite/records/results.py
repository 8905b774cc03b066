"""Results of a check: pairs, their matches and evidence, and the report that contains them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, IntEnum, StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, Generic, NamedTuple, Self, TypeVar

import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType
from numpy.typing import NDArray

from mosslite.options import Options
from mosslite.records.submissions import (
    Inputs,
    Location,
    Skipped,
    SubmissionMetadata,
    TokenizedSubmission,
)

_Kind = TypeVar("_Kind")

Count = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]


class RepositoryPlace(NamedTuple):
    """Location of a submission's repository.

    Attributes:
        folder: Folder of its working files inside the submission, ending in a slash; empty if they
            are all of the submission.
        path: Path of the folder with its objects, of the bundle, or of the archive around it.
        followed: Number of leading path components in which links are followed.
        obstacle: Why it is not read; empty if it is.
        is_bundle: It is a single file created by ``git bundle``.
        inside: Its path in the archive; empty if it is not in one.
    """

    folder: str
    path: str
    followed: int = 0
    obstacle: str = ""
    is_bundle: bool = False
    inside: str = ""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as written by its author; only the id, which is its digest, is verified.

    Attributes:
        id: In hexadecimal digits.
        author: Name and address.
        authored: Author date, in ISO 8601; empty if it cannot be read.
        committed: Commit date, likewise: changed by a rebase, or an edit of the message.
        subject: The first line of the message.
    """

    id: Annotated[str, Meta(extra_json_schema={"pattern": "^[0-9a-f]+$"})]
    author: str
    authored: str
    committed: str
    subject: str


class Origin(Struct, frozen=True, kw_only=True):
    """The first commit with a match; without one, the largest share of it in any commit.

    Attributes:
        commit: The first that contains nine tenths of the passage; None if none does, as in work
            that was never committed.
        share: The largest share of it in a commit, if none is the first.
        commits: Number of commits over which the passage grew, up to that one.
        share_before: Share of the passage that existed before that commit.
        arrived_whole: It was added in one commit, with almost nothing of it before.
        is_oldest_read: Nothing older is known: it is the first commit, or older ones are not read.
        is_same_commit: The same commit is the first on the other side too.
    """

    commit: Commit | None = None
    share: Share | UnsetType = UNSET
    commits: Count | UnsetType = UNSET
    share_before: Share | UnsetType = UNSET
    arrived_whole: bool | UnsetType = UNSET
    is_oldest_read: bool | UnsetType = UNSET
    is_same_commit: bool | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class RepositorySummary:
    """Summary of a submission's repository.

    Attributes:
        commits: Number of commits read.
        authors: Number of distinct authors, by name and address.
        first: The first commit; None without one.
        last: The last commit; None without one.
        remarks: What was not read, and irregularities, in words.
    """

    commits: Count = 0
    authors: Count = 0
    first: Commit | None = None
    last: Commit | None = None
    remarks: tuple[str, ...] = ()


class Sides(Struct, Generic[_Kind], frozen=True, kw_only=True):
    """What is known of the sides of a pair, of one or both."""

    left: _Kind | UnsetType = UNSET
    right: _Kind | UnsetType = UNSET

    @classmethod
    def of(cls, left: _Kind | None, right: _Kind | None) -> Self | None:
        """Return what is known; None if that is nothing."""
        both = {"left": left, "right": right}
        known = {side: each for side, each in both.items() if each is not None}
        return cls(**known) if known else None


class Surprise(NamedTuple):
    """How little chance explains equal tokens of two submissions.

    Attributes:
        bits: Information in them, in bits.
        expected: How many matches with as much information an honest pair of these sizes has.
    """

    bits: float
    expected: float


class Match(NamedTuple):
    """A run of ``tokens`` equal tokens at two locations; boilerplate in between does not count.

    Attributes:
        block: Number of the block; the matches of a block are consecutive on both sides with little
            between them, as after an insertion into a copy; from 1.
        alone: How surprising the match is without others.
        together: The same of the best chain of matches through it.
        first_commits: Origins in the repositories of both sides; None without any.
    """

    left: Location
    right: Location
    tokens: int
    block: int
    alone: Surprise
    together: Surprise
    first_commits: Sides[Origin] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ByChance:
    """Matches that chance explains, in columns, as two large programs have hundreds of them.

    Attributes:
        lefts: ``(c, 3) int32``: document, first character, and one past the last one on the left.
        rights: The same on the right.
        tokens: ``(c,) int32``, number of tokens of each.
    """

    lefts: NDArray[np.int32]
    rights: NDArray[np.int32]
    tokens: NDArray[np.int32]

    @classmethod
    def none(cls) -> Self:
        """Return no matches."""
        return cls(np.empty((0, 3), np.int32), np.empty((0, 3), np.int32), np.empty(0, np.int32))

    def __len__(self) -> int:
        return len(self.tokens)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByChance) and all(
            np.array_equal(getattr(self, each.name), getattr(other, each.name))
            for each in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def swapped(self) -> ByChance:
        """The same with left and right swapped."""
        return ByChance(self.rights, self.lefts, self.tokens)


class Lines(NamedTuple):
    """Lines of one document of a submission, 1-based and ascending."""

    document: int
    numbers: tuple[int, ...]


class RareEvidence(NamedTuple):
    """A feature besides structure that both submissions of a pair and few others contain.

    Attributes:
        kind: ``misspelling``, ``comment``, ``word``, ``string``, ``number``, ``name`` or
            ``layout``.
        text: As written in the left submission; of a layout, the first line that has it.
        submissions: Number of submissions of the batch with it, including these two.
        resembles: The word that a misspelling stands for; else empty.
    """

    kind: str
    text: str
    left: Lines
    right: Lines
    submissions: int
    resembles: str = ""


# Passages of this many lines are seldom written alike by most of a class.
_LONG_PASSAGE: Final = 15


@dataclass(frozen=True, slots=True)
class CommonPassage:
    """A passage that many submissions of the batch contain, with its location in one of them.

    Attributes:
        is_whole: It is all comparable code of its file.
    """

    submission: TokenizedSubmission
    place: Location
    tokens: int
    submissions: int
    is_whole: bool = False

    @property
    def is_long(self) -> bool:
        """Whether it is likely to be base code; shorter passages are often idiomatic."""
        lines = self.place.last_line - self.place.first_line + 1
        return self.is_whole or lines >= _LONG_PASSAGE


# Score from which pairs are grouped if no threshold is suggested.
_IF_TOO_FEW: Final = 0.5
_IF_TOO_MANY: Final = 0.9


class PlacedBy(StrEnum):
    """The evidence that most of a pair's score comes from."""

    IDENTITY = "identity"
    """Both have the same tokens."""
    OVERLAP = "overlap"
    """How much both have in common as a whole."""
    CONTAINMENT = "containment"
    """How much of one is found in the other."""
    PASSAGES = "passages"
    """Passages of large programs that chance does not explain."""


class NoThreshold(Enum):
    """The reason why no threshold is suggested."""

    TOO_FEW = "too few pairs"
    TOO_ALIKE = "too much alike"
    NO_GAP = "no gap"

    @property
    def limit(self) -> float:
        """Limit used without a suggested threshold; independent of the assignment."""
        return _IF_TOO_FEW if self is NoThreshold.TOO_FEW else _IF_TOO_MANY


@dataclass(frozen=True, slots=True)
class NotCompared:
    """A submission of which nothing was compared.

    Attributes:
        reason: Why, in words; of several files, that of the first.
        is_handed_out: All of it is base code, so the student wrote nothing that could be compared.
    """

    name: str
    reason: str
    hand_in: SubmissionMetadata
    is_handed_out: bool = False


@dataclass(frozen=True, slots=True)
class LanguageLimit:
    """The threshold of a language.

    Attributes:
        is_suggested: Estimated from its own scores; otherwise these are too few or inconclusive.
    """

    language: str
    score: Share
    is_suggested: bool = True


@dataclass(frozen=True, slots=True)
class Threshold:
    """The score of a batch above which pairs of independent work are rare.

    Attributes:
        score: Pairs at or above this score are to be reviewed first.
        low: Lower end of the uncertainty range, of which ``high`` is the upper end.
        expected: Expected number of honest pairs at or above it, by chance.
        found: Number of pairs at or above it.
        submissions: Number of submissions in these pairs.
        groups: Number of groups that these pairs connect.
        languages: Languages with a different threshold.
    """

    score: Share
    low: Share
    high: Share
    expected: Annotated[float, Meta(ge=0)]
    found: Count = 0
    submissions: Count = 0
    groups: Count = 0
    languages: tuple[LanguageLimit, ...] = ()


@dataclass(frozen=True, slots=True)
class HighScores:
    """The threshold, which can differ between languages.

    Attributes:
        usual: Threshold of all languages not in ``by_language``.
        by_language: Thresholds of other languages.
    """

    usual: float
    by_language: Mapping[str, float]

    @classmethod
    def by(cls, threshold: Threshold | None, no_threshold: NoThreshold) -> Self:
        """Return the thresholds of a batch, or the limit used without one."""
        if threshold is None:
            return cls(no_threshold.limit, {})
        return cls(threshold.score, {each.language: each.score for each in threshold.languages})

    @property
    def highest(self) -> float:
        """The highest threshold of a language."""
        return max([self.usual, *self.by_language.values()])

    def limit_between(self, left: str, right: str) -> float:
        """Return the threshold for pairs of two languages: the higher one applies."""
        return max(self.by_language.get(each, self.usual) for each in (left, right))

    def limit_of(self, pair: Pair | UnlistedPair) -> float:
        """Return the threshold for a pair."""
        if not self.by_language:
            return self.usual
        return self.limit_between(pair.left.language, pair.right.language)

    def hold(self, pair: Pair | UnlistedPair) -> bool:
        """Return whether a pair is at or above the threshold."""
        return pair.score >= self.limit_of(pair)


class UnlistedPair(NamedTuple):
    """A pair above the threshold that is not listed in the report."""

    left: TokenizedSubmission
    right: TokenizedSubmission
    score: float


class Detail(IntEnum):
    """Which attributes of pairs are computed at once; others are computed on first access."""

    SCORE = 0
    COVERAGE = 1
    """How much of both sides is matched."""
    MATCHES = 2
    """Also the matches, and the rare evidence."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two submissions that share code.

    Matches and evidence can be computed on first access: in a large batch this takes far longer
    than the scores, and few outputs show them for every pair.

    Attributes:
        score: Priority for review, in [0, 1]; pairs are ordered by it.
        placed_by: The evidence that most of it comes from.
        left_similarity: Share of the left submission's comparable tokens that are matched.
        right_similarity: The same for the right.
        similarity: Mean of both, weighted by tokens; exactly 1 for identical tokens.
        matched_lines: Lines with a matched token, on the side that has fewer.
        longest_match: Length in tokens.
        matches: In order of position on the left; those that chance does not explain.
        by_chance: The other ones, which count nowhere.
        rare_evidence: What the two share besides structure and few others have.
        repositories: Summaries of the repositories of both sides; None without any.
        baseline: State relative to a baseline: ``new``, ``unchanged``, or ``updated`` if it is
            known with other code; None without a baseline.
    """

    left: TokenizedSubmission
    right: TokenizedSubmission
    score: float
    placed_by: PlacedBy
    left_similarity: float
    right_similarity: float
    similarity: float
    matched_tokens: int
    matched_lines: int
    longest_match: int
    matches: tuple[Match, ...]
    by_chance: ByChance = field(default_factory=ByChance.none)
    rare_evidence: tuple[RareEvidence, ...] = ()
    repositories: Sides[RepositorySummary] | None = None
    baseline: str | None = None
    _find: Callable[[str], Mapping[str, object]] = field(init=False, repr=False, compare=False)

    @classmethod
    def deferred(
        cls,
        left: TokenizedSubmission,
        right: TokenizedSubmission,
        score: float,
        find: Callable[[str], Mapping[str, object]],
        known: Mapping[str, object] | None = None,
    ) -> Self:
        """Create a pair whose other attributes are computed on first access.

        Args:
            left: Its left submission.
            right: Its right submission.
            score: Its score.
            find: Returns the value of the attribute named, and of others computed along with it.
            known: Values of further attributes.
        """
        pair = object.__new__(cls)
        pair._set({"left": left, "right": right, "score": score, "_find": find})
        pair._set({"repositories": None, "baseline": None})
        pair._set(known or {})
        return pair

    @property
    def is_known(self) -> bool:
        """Whether the baseline knows it."""
        return self.baseline not in (None, "new")

    def changed(self, **values: object) -> Self:
        """Return the pair with other values of some attributes; the rest is computed if needed."""
        pair = self.deferred(self.left, self.right, self.score, partial(_attribute, self))
        for name in ("repositories", "baseline"):
            values.setdefault(name, getattr(self, name))
        pair._set(values)
        return pair

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """Copy the pair with all of its attributes computed."""
        values = (getattr(self, each.name) for each in fields(self) if each.init)
        return type(self), tuple(values)

    def _set(self, values: Mapping[str, object]) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    if not TYPE_CHECKING:  # mypy would accept any attribute name

        def __getattr__(self, name: str) -> object:
            """Compute an attribute that has no value yet; other names do not exist."""
            if name not in self.__slots__ or name == "_find":
                msg = f"{type(self).__name__!r} object has no attribute {name!r}"
                raise AttributeError(msg, name=name, obj=self)
            self._set(self._find(name))
            return object.__getattribute__(self, name)


def _attribute(pair: Pair, name: str) -> dict[str, object]:
    return {name: getattr(pair, name)}


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check: submissions by role and name, pairs by descending score.

    Attributes:
        description: How the paths were interpreted, in a sentence.
        base: Names of the base files.
        skipped: Everything given that could not be compared.
        ignored: Everything left out by a rule.
        is_anonymous: Names are replaced by numbers.
        warnings: What the reader must know to judge the numbers.
        score_explanation: The formula of the score, in words.
        threshold: The threshold for review; None if the batch suggests none.
        no_threshold: The reason if there is no threshold.
        unlisted: Pairs above the threshold that are not listed, by descending score.
        histogram: Number of candidate pairs in each of 50 score intervals from 0 to 1.
        common: Passages that most of the batch contains, though they were not given as base code.
        inputs: The paths given; None in anonymous reports.
        not_compared: Current submissions of which nothing was compared, by name.
        best: The best pair of each submission without a listed or unlisted pair; None if not all
            fingerprints were looked up, so that some are unknown.
        has_baseline: Its pairs have a state relative to a baseline.
    """

    options: Options
    description: str
    submissions: tuple[TokenizedSubmission, ...]
    base: tuple[str, ...]
    pairs: tuple[Pair, ...]
    skipped: tuple[Skipped, ...]
    warnings: tuple[str, ...]
    score_explanation: str
    threshold: Threshold | None = None
    no_threshold: NoThreshold = NoThreshold.TOO_FEW
    unlisted: tuple[UnlistedPair, ...] = ()
    histogram: tuple[int, ...] = ()
    common: tuple[CommonPassage, ...] = ()
    ignored: tuple[Skipped, ...] = ()
    is_anonymous: bool = False
    inputs: Inputs | None = None
    not_compared: tuple[NotCompared, ...] = ()
    best: tuple[UnlistedPair, ...] | None = ()
    has_baseline: bool = False

    def with_submissions(self, by_name: Mapping[str, TokenizedSubmission]) -> Report:
        """Return the report on other submissions, given by the name of the one each replaces."""

        def other(pair: UnlistedPair) -> UnlistedPair:
            return UnlistedPair(by_name[pair.left.name], by_name[pair.right.name], pair.score)

        return replace(
            self,
            submissions=tuple(by_name.values()),
            pairs=tuple(
                each.changed(left=by_name[each.left.name], right=by_name[each.right.name])
                for each in self.pairs
            ),
            unlisted=tuple(map(other, self.unlisted)),
            best=self.best and tuple(map(other, self.best)),
            common=tuple(
                replace(each, submission=by_name[each.submission.name]) for each in self.common
            ),
        )

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each submission by its name, from 1."""
        return {each.name: number for number, each in enumerate(self.submissions, 1)}

    @property
    def highs(self) -> HighScores:
        """The thresholds of its pairs."""
        return HighScores.by(self.threshold, self.no_threshold)

    @property
    def known(self) -> int:
        """Number of listed pairs that the baseline knows."""
        return sum(pair.is_known for pair in self.pairs)
