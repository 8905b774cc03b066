"""The records that stages hand to each other, and the report they add up to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mosslite.columns import Comparable, TokenStream, Traces
    from mosslite.options import Options, Thresholds

__all__ = [
    "Batch",
    "CommonPassage",
    "Document",
    "Inputs",
    "Lines",
    "Match",
    "Pair",
    "Place",
    "Progress",
    "RareEvidence",
    "Report",
    "Role",
    "Skipped",
    "SourceFile",
    "Submission",
    "Threshold",
    "Work",
    "untold",
]


Progress = Callable[[str, int, int], None]
"""Is told a stage, how many of its steps are done, and how many there are."""


def untold(_stage: str, _done: int, _total: int) -> None:
    """Be told of progress and make nothing of it."""


class Role(Enum):
    """What a submission is in a batch; a compared pair has at least one CURRENT side."""

    CURRENT = "current"
    PRIOR = "prior"
    BASE = "base"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Inputs:
    """The paths a user gave, by the role of what is there."""

    current: tuple[str, ...]
    base: tuple[str, ...] = ()
    prior: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as text.

    Attributes:
        name: Path inside its submission with forward slashes; a single file's path as given.
        text: The decoded text without a byte order mark, line ends as they were.
        encoding: How the bytes were read: ``utf-8``, ``utf-16`` or ``latin-1``.
        is_given: The user named the file itself, not a folder it is in.
    """

    name: str
    text: str
    encoding: str
    is_given: bool = True


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something given that was not compared, and why, in words."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Submission:
    """The work of one student (or of the instructor): at least one file; the name is unique."""

    name: str
    role: Role
    files: tuple[SourceFile, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Everything that was read: submissions by name, and how the paths were understood."""

    submissions: tuple[Submission, ...]
    base: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    description: str


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One file of a submission, tokenized.

    Attributes:
        language: Canonical name, such as ``java`` or ``text``.
        thresholds: k and t for this kind of text.
        is_boilerplate: ``(n,) bool``, the tokens of ``stream`` that are not the student's own.
        traces: Names, words of comments, strings, numbers and layout that are the student's own.
        origins: Where the boilerplate comes from: names of base files, or what else it is.
        is_degraded: The lexer failed on it and a plain tokenizer read it instead.
    """

    file: SourceFile
    language: str
    thresholds: Thresholds
    stream: TokenStream
    is_boilerplate: NDArray[np.bool_]
    traces: Traces
    origins: tuple[str, ...] = ()
    is_degraded: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """A submission, tokenized: one document for each file, and what of them is comparable."""

    submission: Submission
    documents: tuple[Document, ...]
    comparable: Comparable

    @property
    def name(self) -> str:
        """The submission's unique name."""
        return self.submission.name

    @property
    def role(self) -> Role:
        """What the submission is in the batch."""
        return self.submission.role

    def place_of(self, start: int, length: int) -> Place:
        """Tell where a range of comparable tokens stands; it must be within one document."""
        number = int(self.comparable.documents[start])
        first, last = (int(self.comparable.tokens[at]) for at in (start, start + length - 1))
        stream = self.documents[number].stream
        return Place(
            document=number,
            start_char=int(stream.starts[first]),
            stop_char=int(stream.stops[last]),
            first_line=int(stream.lines[first]),
            last_line=int(stream.last_lines[last]),
        )


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of one file: characters ``[start_char, stop_char)``, lines inclusive."""

    document: int
    start_char: int
    stop_char: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Match:
    """The same ``tokens`` own tokens at two places; boilerplate between them does not count.

    Attributes:
        block: Matches of one number follow each other on both sides with little between them, as
            where something was inserted into a copy; 1 for the first block of a pair.
    """

    left: Place
    right: Place
    tokens: int
    block: int


@dataclass(frozen=True, slots=True, order=True)
class Lines:
    """Lines of one document of a work, 1-based and ascending."""

    document: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RareEvidence:
    """Something besides structure that both works of a pair have and few others.

    Attributes:
        kind: ``misspelling``, ``comment``, ``word``, ``string``, ``number``, ``name`` or
            ``layout``.
        text: As it stands in the left work; of a layout, the first line that has it.
        works: How many works of the batch have it, these two among them.
        resembles: The word that a misspelling is one slip away from, else empty.
    """

    kind: str
    text: str
    left: Lines
    right: Lines
    works: int
    resembles: str = ""


@dataclass(frozen=True, slots=True)
class CommonPassage:
    """A passage that so many works of the batch have, as it stands in one of them."""

    work: Work
    place: Place
    tokens: int
    works: int


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where in a batch scores begin that honest work hardly reaches.

    Attributes:
        score: Pairs from here on are worth a look first.
        low: With ``high``, where it may be, given how few pairs it is guessed from.
        expected: How many honest pairs are to be expected there, by chance.
        found: How many pairs are there.
    """

    score: float
    low: float
    high: float
    expected: float
    found: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two works that share code.

    Attributes:
        score: How much the pair needs a look, in [0, 1]; pairs are ordered by it.
        left_similarity: Share of the left work's comparable tokens that are matched.
        right_similarity: The same for the right.
        similarity: Mean of both, weighted by tokens; exactly 1 for identical work.
        matched_lines: Lines with a matched token, on the side that has fewer.
        longest_match: In tokens.
        matches: In order of their place on the left.
        rare_evidence: What the two share besides structure and few others have.
    """

    left: Work
    right: Work
    score: float
    left_similarity: float
    right_similarity: float
    similarity: float
    matched_tokens: int
    matched_lines: int
    longest_match: int
    matches: tuple[Match, ...]
    rare_evidence: tuple[RareEvidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a check: works by role and name, pairs by descending score.

    Attributes:
        description: How the paths were understood, in a sentence.
        base: Names of the boilerplate files.
        skipped: Everything given that was not compared.
        warnings: What a reader must know to judge the numbers.
        threshold: Where to begin looking; None where the batch is too small to tell.
        histogram: How many of the pairs that share most score in each of 50 steps from 0 to 1.
        common: Passages that most of the batch has, though they were not given as boilerplate.
    """

    options: Options
    description: str
    works: tuple[Work, ...]
    base: tuple[str, ...]
    pairs: tuple[Pair, ...]
    skipped: tuple[Skipped, ...]
    warnings: tuple[str, ...]
    threshold: Threshold | None = None
    histogram: tuple[int, ...] = ()
    common: tuple[CommonPassage, ...] = ()
