"""What a check finds: pairs, their matches and evidence, and the report they add up to."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mosslite.options import Options
    from mosslite.records.submissions import Inputs, Location, Skipped, TokenizedSubmission

__all__ = [
    "Commit",
    "CommonPassage",
    "Detail",
    "Lines",
    "Match",
    "Origin",
    "Pair",
    "RareEvidence",
    "Report",
    "RepositoryPlace",
    "RepositorySummary",
    "Threshold",
]


class RepositoryPlace(NamedTuple):
    """Where the repository of a submission is on disk.

    Attributes:
        folder: Its working files' folder inside the submission, ending in a slash; empty if they
            are all of the submission.
        path: Of the folder that holds its objects, of the bundle, or of the archive that has it.
        followed: In how many of the path's first parts links are followed.
        obstacle: Why it is not read; empty if it is.
        is_bundle: It is one file, as ``git bundle`` makes it.
        inside: Its path in the archive; empty if it is in none.
    """

    folder: str
    path: str
    followed: int = 0
    obstacle: str = ""
    is_bundle: bool = False
    inside: str = ""


class Commit(NamedTuple):
    """A commit as its author wrote it; nothing of it is proven but the id, which is its digest.

    Attributes:
        id: In hexadecimal digits.
        author: Name and address.
        authored: When, in ISO 8601; empty where that cannot be read.
        committed: When the commit was made, likewise: a rebase changes it, an edit of the message
            too.
        subject: The first line of the message.
    """

    id: str
    author: str
    authored: str
    committed: str
    subject: str


class Origin(NamedTuple):
    """When a match came into one side's repository.

    Attributes:
        commit: The first that has nine tenths of the passage; None where none has, as of work
            that was never committed.
        commits: How many commits the passage grew over, up to that one.
        before: The share of the passage that was there before that commit.
        is_start: Nothing older is known: it is the first commit, or the older ones are not read.
        is_shared: The same commit is the first on the other side too.
    """

    commit: Commit | None
    commits: int = 0
    before: float = 0.0
    is_start: bool = False
    is_shared: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the passage arrived in one commit, with next to nothing of it before."""
        return self.commit is not None and self.commits <= 1


@dataclass(frozen=True, slots=True)
class RepositorySummary:
    """What is read of a submission's repository.

    Attributes:
        commits: How many commits were read.
        authors: How many different names and addresses wrote them.
        first: The first commit; None where there is none.
        last: The last one.
        remarks: What was not read, and what is odd, in words.
    """

    commits: int = 0
    authors: int = 0
    first: Commit | None = None
    last: Commit | None = None
    remarks: tuple[str, ...] = ()


class Match(NamedTuple):
    """The same ``tokens`` own tokens at two places; boilerplate between them does not count.

    Attributes:
        block: Matches of one number follow each other on both sides with little between them, as
            where something was inserted into a copy; 1 for the first block of a pair.
        left_origin: When the left submission's repository has it first; None without one.
        right_origin: The same for the right.
    """

    left: Location
    right: Location
    tokens: int
    block: int
    left_origin: Origin | None = None
    right_origin: Origin | None = None


class Lines(NamedTuple):
    """Lines of one document of a submission, 1-based and ascending."""

    document: int
    numbers: tuple[int, ...]


class RareEvidence(NamedTuple):
    """Something besides structure that both submissions of a pair have and few others.

    Attributes:
        kind: ``misspelling``, ``comment``, ``word``, ``string``, ``number``, ``name`` or
            ``layout``.
        text: As it stands in the left submission; of a layout, the first line that has it.
        submissions: How many submissions of the batch have it, these two among them.
        resembles: The word that a misspelling is one slip away from, else empty.
    """

    kind: str
    text: str
    left: Lines
    right: Lines
    submissions: int
    resembles: str = ""


# A passage of so many lines is seldom written alike by most of a class.
_LONG_PASSAGE: Final = 15


@dataclass(frozen=True, slots=True)
class CommonPassage:
    """A passage that many submissions of the batch have, with its position in one of them.

    Attributes:
        is_whole: It is all that is compared of its file.
    """

    submission: TokenizedSubmission
    place: Location
    tokens: int
    submissions: int
    is_whole: bool = False

    @property
    def is_long(self) -> bool:
        """Whether it is likely to be given code; shorter ones are often the usual way to say it."""
        lines = self.place.last_line - self.place.first_line + 1
        return self.is_whole or lines >= _LONG_PASSAGE


# From which score on pairs are grouped where no threshold is suggested.
_IF_TOO_FEW: Final = 0.5
_IF_TOO_MANY: Final = 0.9


class NoThreshold(Enum):
    """Why a batch suggests no threshold."""

    TOO_FEW = "too few pairs"
    TOO_ALIKE = "too much alike"
    NO_GAP = "no gap"

    @property
    def limit(self) -> float:
        """The limit where no threshold is suggested; it says nothing about the assignment."""
        return _IF_TOO_FEW if self is NoThreshold.TOO_FEW else _IF_TOO_MANY


class LanguageLimit(NamedTuple):
    """From which score on pairs of a language stand out.

    Attributes:
        is_suggested: Its own scores tell; otherwise they are too few or tell nothing.
    """

    language: str
    score: float
    is_suggested: bool


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where in a batch scores begin that honest work hardly reaches.

    Attributes:
        score: Pairs from here on are worth a look first.
        low: With ``high``, where it may be, given how few pairs it is guessed from.
        expected: How many honest pairs are to be expected there, by chance.
        found: How many pairs are there.
        submissions: How many submissions are in these pairs.
        groups: How many groups they connect.
        languages: Those of which pairs stand out from another score on.
    """

    score: float
    low: float
    high: float
    expected: float
    found: int
    submissions: int = 0
    groups: int = 0
    languages: tuple[LanguageLimit, ...] = ()


class UnlistedPair(NamedTuple):
    """A pair that stands out and that the report has no room for."""

    left: TokenizedSubmission
    right: TokenizedSubmission
    score: float


class Detail(IntEnum):
    """Which attributes of pairs are computed at once; the rest is computed on first access."""

    SCORE = 0
    COVERAGE = 1
    """How much of both sides is matched."""
    MATCHES = 2
    """Also where, and what else only these two share."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two submissions that share code.

    What they share can be left to be found when it is first asked for: in a large batch that takes
    far longer than the scores do, and few outputs show it of every pair.

    Attributes:
        score: How much the pair needs a look, in [0, 1]; pairs are ordered by it.
        left_similarity: Share of the left submission's comparable tokens that are matched.
        right_similarity: The same for the right.
        similarity: Mean of both, weighted by tokens; exactly 1 for identical work.
        matched_lines: Lines with a matched token, on the side that has fewer.
        longest_match: In tokens.
        matches: In order of their place on the left.
        rare_evidence: What the two share besides structure and few others have.
        left_repository: What is read of the left submission's repository; None without one.
        right_repository: The same for the right.
    """

    left: TokenizedSubmission
    right: TokenizedSubmission
    score: float
    left_similarity: float
    right_similarity: float
    similarity: float
    matched_tokens: int
    matched_lines: int
    longest_match: int
    matches: tuple[Match, ...]
    rare_evidence: tuple[RareEvidence, ...] = ()
    left_repository: RepositorySummary | None = None
    right_repository: RepositorySummary | None = None
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
        """Make a pair of which only some attributes have values yet.

        Args:
            left: Its left submission.
            right: Its right submission.
            score: Its score.
            find: Returns the value of the attribute named, and of others that are found with it.
            known: Values of further attributes.
        """
        pair = object.__new__(cls)
        pair._set({"left": left, "right": right, "score": score, "_find": find})
        pair._set({"left_repository": None, "right_repository": None} | dict(known or {}))
        return pair

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """Copy the pair with all of its attributes found."""
        values = (getattr(self, each.name) for each in fields(self) if each.init)
        return type(self), tuple(values)

    def _set(self, values: Mapping[str, object]) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    if not TYPE_CHECKING:  # mypy would take any name for an attribute

        def __getattr__(self, name: str) -> object:
            """Find an attribute that has no value yet; no other is asked for here."""
            if name not in self.__slots__ or name == "_find":
                msg = f"{type(self).__name__!r} object has no attribute {name!r}"
                raise AttributeError(msg, name=name, obj=self)
            self._set(self._find(name))
            return object.__getattribute__(self, name)


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a check: submissions by role and name, pairs by descending score.

    Attributes:
        description: How the paths were understood, in a sentence.
        base: Names of the boilerplate files.
        skipped: Everything given that could not be compared.
        ignored: What a rule left out.
        is_anonymous: Numbers stand for the names.
        warnings: What a reader must know to judge the numbers.
        score_explanation: The formula of the score, in words.
        threshold: Where to begin looking; None where the batch cannot tell.
        no_threshold: Why it cannot.
        unlisted: Pairs that stand out and are not listed, by descending score.
        histogram: How many of the pairs that share most score in each of 50 steps from 0 to 1.
        common: Passages that most of the batch has, though they were not given as boilerplate.
        inputs: The paths that were given; None where nobody is to know.
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
