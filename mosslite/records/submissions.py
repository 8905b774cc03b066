"""Records of what is read: submissions, their files, tokens and fingerprints."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.options import Thresholds
from mosslite.reasons import Reason
from mosslite.records.columns import TokenStream, Traces

if TYPE_CHECKING:
    from mosslite.records.results import NotCompared, RepositoryPlace


class Role(Enum):
    """Role of a submission in a batch; a compared pair has at least one CURRENT side."""

    CURRENT = "current"
    PRIOR = "prior"
    BASE = "base"
    REFERENCE = "reference"


_RANKS: Final = {role: rank for rank, role in enumerate(Role)}


@dataclass(frozen=True, slots=True)
class Inputs:
    """The paths given by the user, by role; archives contain earlier terms."""

    current: tuple[str, ...]
    base: tuple[str, ...] = ()
    prior: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    archives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file that starts on a line of its own, below a heading: a notebook's cell.

    Attributes:
        first_line: Its first line in the file, 1-based.
        cell: The number of the cell in the notebook, from 1.
    """

    first_line: int
    cell: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as text, or the code of one language in a file.

    Attributes:
        name: Path inside its submission with forward slashes; a single file's path as given.
        text: The decoded text without a byte order mark, with its original line ends.
        encoding: Python's name of the encoding used to decode it.
        encoding_by: How the encoding was detected: ``default`` (UTF-8), ``mark``, ``declaration``,
            ``guess``, ``escapes`` (as Python runs it), ``fallback`` (Latin-1, as no other is valid)
            or ``option``.
        is_given: The user named the file itself, not a folder around it.
        code: The code that is compared, with blanks and line ends in place of the rest, so that it
            is as long as ``text``; None if all of ``text`` is compared.
        language: Canonical name of the language detected from the content; None uses the name.
        parts: In order of lines; empty if the file is not divided.
        begins_like: The format that its first bytes resemble, as ``a GIF image``, although it is
            text; usually empty. Like ``path``, it is ignored in comparisons of files.
        doubt: Why it would usually be left out, or how it looks if it is left out; ignored in
            comparisons too.
        cells_left_out: How many cells of a notebook are code to it but prose to us, by their magic.
        is_unclear: Several languages share its extension, and its content does not decide.
        path: Where it was found, as known to the user, with archives as folders; empty in anonymous
            reports.
    """

    name: str
    text: str
    encoding: str = "utf-8"
    encoding_by: str = "default"
    is_given: bool = True
    code: str | None = None
    language: str | None = None
    parts: tuple[Part, ...] = ()
    begins_like: str = field(default="", compare=False)
    doubt: Reason | None = field(default=None, compare=False)
    cells_left_out: int = field(default=0, compare=False)
    is_unclear: bool = field(default=False, compare=False)
    path: str = field(default="", compare=False)

    def cell_at(self, line: int) -> tuple[int, int]:
        """Return the cell of a line, and its number in there, which is 0 for the heading.

        Above all cells, as in a file without any, the cell is 0.
        """
        number = bisect_right(self.parts, line + 1, key=lambda part: part.first_line)
        part = self.parts[number - 1] if number else Part(1, 0)
        return part.cell, line - part.first_line + 1


@dataclass(frozen=True, slots=True)
class SubmissionMetadata:
    """A learning platform's metadata of a submission; fields it does not provide are empty.

    Attributes:
        owner: Equal for all attempts of one student or team, which are never compared.
        members: Names of a team's members.
        submitted: Submission time, in ISO 8601 if it can be parsed, else as written by the
            platform.
        label: A group, or another mark set by the instructor.
        ids: The platform's ids of the members of a team, or of the one student; empty if unknown.
        emails: Their addresses, likewise.
        attempt: Number of the attempt if several are compared; 0 for a single one.
    """

    owner: str = ""
    members: tuple[str, ...] = ()
    submitted: str = ""
    label: str = ""
    is_late: bool = False
    ids: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something given that was not compared, and the reason in words.

    Attributes:
        limit: The option whose limit it exceeds, such as ``--max-ratio``; empty for other
            reasons.
        submission: Name of the submission if a limit is the reason; else empty.
    """

    path: str
    reason: str
    limit: str = ""
    submission: str = ""


def over_limits(skipped: Iterable[Skipped]) -> tuple[str, ...]:
    """Return the submissions that a limit excludes from the comparison, in full or in part."""
    return tuple(sorted({each.submission for each in skipped if each.limit}))


@dataclass(frozen=True, slots=True)
class Submission:
    """The work of one student (or of the instructor): one or more files; the name is unique."""

    name: str
    role: Role
    files: tuple[SourceFile, ...]
    hand_in: SubmissionMetadata = SubmissionMetadata()
    repositories: tuple[RepositoryPlace, ...] = ()

    @property
    def rank(self) -> tuple[int, str]:
        """The sort key of submissions: by role, in order of definition, then by name."""
        return _RANKS[self.role], self.name


@dataclass(frozen=True, slots=True)
class Batch:
    """Everything that was read: submissions by name, and how the paths were interpreted.

    Attributes:
        skipped: Files given that could not be read.
        ignored: Files left out by a rule, such as hidden and generated files.
        remarks: What the reader must know about the interpretation of the paths.
        not_compared: Current submissions without a file that could be read.
    """

    submissions: tuple[Submission, ...]
    base: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    description: str
    ignored: tuple[Skipped, ...] = ()
    remarks: tuple[str, ...] = ()
    not_compared: tuple[NotCompared, ...] = ()


Progress = Callable[[str, int, int], None]
"""Callback: a stage, how many of its steps are done, and how many there are."""


def no_progress(_stage: str, _done: int, _total: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The comparable tokens ``[start, stop)`` of one document, and its k and t."""

    start: int
    stop: int
    thresholds: Thresholds
    document: int


@dataclass(frozen=True, eq=False)  # not slotted, for cached properties
class Comparable:
    """The comparable tokens of one submission: its files concatenated, without boilerplate.

    A file with fewer comparable tokens than its noise threshold is left out: it cannot match. In a
    tiny submission, which has only such files, the noise threshold of each is its own length.

    Attributes:
        stream: The tokens, with places in their documents.
        segments: ``[start, stop)`` and the thresholds of each document that is compared.
        information: Returns ``bits``; called at most once.
    """

    stream: TokenStream
    segments: tuple[Segment, ...]
    information: Callable[[], NDArray[np.int16]] = field(repr=False)

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.stream)

    @property
    def codes(self) -> NDArray[np.uint64]:
        """``(n,)`` symbol codes."""
        return self.stream.codes

    @property
    def lexemes(self) -> NDArray[np.uint64]:
        """``(n,)``, equal for tokens that are also written the same."""
        return self.stream.lexemes

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """``(n,)``, the ``TokenKind`` of each."""
        return self.stream.kinds

    @cached_property
    def bits(self) -> NDArray[np.int16]:
        """``(n,)``, information of each token, in units of 1/256 bit; computed when needed."""
        return self.information()

    @property
    def documents(self) -> NDArray[np.int32]:
        """``(n,)``, document number of each token; computed on each access."""
        numbers = np.array([each.document for each in self.segments], np.int32)
        return np.repeat(numbers, [each.stop - each.start for each in self.segments])

    def segment_of(self, token: int) -> Segment:
        """Return the segment of a token."""
        index = bisect_right(self.segments, token, key=lambda segment: segment.stop)
        return self.segments[index]


@dataclass(frozen=True, slots=True, eq=False)
class KGrams:
    """K-grams of one submission's comparable tokens, all or some, by hash and then position.

    Attributes:
        hashes: ``(m,) uint64`` ascending.
        starts: ``(m,) int32``, the first comparable token of each.
    """

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int32]


# Token classes for syntax highlighting, by index; 0 is plain text.
SYNTAX_CLASSES: Final = ("", "comment", "keyword", "name", "number", "string")


@dataclass(frozen=True, slots=True)
class Disguise:
    """Characters that make a text look different from what it is.

    Attributes:
        kind: ``zero-width``, ``bidirectional``, ``homoglyph``, ``full-width`` or ``escape``.
        characters: Distinct, ascending.
        lines: Lines with such characters, 1-based and ascending.
        count: Number of occurrences.
    """

    kind: str
    characters: str
    lines: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Colours:
    """Syntax highlighting of a text, as runs of equal class.

    Attributes:
        starts: ``(r,) int32``, 0 and ascending; a run extends to the next, the last to the end.
        classes: ``(r,) uint8``, indices in ``SYNTAX_CLASSES``.
    """

    starts: NDArray[np.int32]
    classes: NDArray[np.uint8]


class LeftOut(NamedTuple):
    """Tokens of a file that are boilerplate.

    Attributes:
        origin: The name of a base file, or another reason.
        tokens: Number of tokens; those of several base files can overlap.
    """

    origin: str
    tokens: int


class Reading(NamedTuple):
    """The output of a front-end for one file.

    Attributes:
        is_degraded: The language's lexer failed or took too long, and the plain tokenizer was used.
        disguises: Characters that make the text look different from what it is.
        colours: None for prose and for the plain tokenizer.
    """

    stream: TokenStream
    traces: Traces
    is_degraded: bool
    disguises: tuple[Disguise, ...] = ()
    colours: Colours | None = None


def line_starts(text: str) -> NDArray[np.int64]:
    r"""Return the first character of every line; lines end in ``\n``, ``\r\n`` or ``\r``."""
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    is_return = characters == ord("\r")
    is_end = (characters == ord("\n")) | is_return
    is_end[:-1] &= ~(is_return[:-1] & (characters[1:] == ord("\n")))
    return np.concatenate([[0], np.flatnonzero(is_end) + 1])


@dataclass(frozen=True, eq=False)  # not slotted, for a cached property
class Document:
    """One file of a submission, tokenized.

    Attributes:
        language: Canonical name, such as ``java`` or ``text``.
        thresholds: k and t for this kind of text.
        is_boilerplate: ``(n,) bool``, marks tokens of ``stream`` that are not the student's own.
        traces: The student's own names, words of comments, strings, numbers and layout.
        left_out: Origins of the boilerplate, with the number of tokens.
        is_degraded: The lexer failed or took too long, and the plain tokenizer was used.
        disguises: Characters that disguise the text.
        colours: Syntax highlighting; None for prose.
        has_text: The text is the student's; if not, dots and blanks replace it.
    """

    file: SourceFile
    language: str
    thresholds: Thresholds
    stream: TokenStream
    is_boilerplate: NDArray[np.bool_]
    traces: Traces
    left_out: tuple[LeftOut, ...] = ()
    is_degraded: bool = False
    disguises: tuple[Disguise, ...] = ()
    colours: Colours | None = None
    has_text: bool = True

    @property
    def origins(self) -> tuple[str, ...]:
        """Origins of the boilerplate."""
        return tuple(each.origin for each in self.left_out)

    @cached_property
    def line_starts(self) -> NDArray[np.int64]:
        """The first character of each line, ``(m,)``, m at least 1."""
        return line_starts(self.file.text)

    def lines_at(self, places: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the 1-based lines of characters."""
        return np.searchsorted(self.line_starts, places, side="right")

    def lines_of(
        self, starts: NDArray[np.int32], stops: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the first and the last lines of ranges of characters, some of them empty."""
        return self.lines_at(starts), self.lines_at(np.maximum(stops - 1, 0))


class Location(NamedTuple):
    """A range of one file: characters ``[start_char, stop_char)``, lines inclusive."""

    document: int
    start_char: int
    stop_char: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedSubmission:
    """A tokenized submission: one document for each file, and their comparable tokens."""

    source: Submission
    documents: tuple[Document, ...]
    comparable: Comparable

    def renamed(
        self, source: Submission, rename: Callable[[int, Document], Document]
    ) -> TokenizedSubmission:
        """Return the submission with another source and documents.

        Args:
            source: The other source.
            rename: Maps the index of a document and the document to the other one.
        """
        documents = tuple(rename(nth, each) for nth, each in enumerate(self.documents))
        return TokenizedSubmission(source, documents, self.comparable)

    @property
    def name(self) -> str:
        """The submission's unique name."""
        return self.source.name

    @property
    def role(self) -> Role:
        """The role of the submission in the batch."""
        return self.source.role

    @property
    def language(self) -> str:
        """Language of most of its comparable tokens, or of its first file if it has none."""
        counts = Counter[str]()
        for segment in self.comparable.segments:
            document = self.documents[segment.document]
            counts[document.language] += segment.stop - segment.start
        first = self.documents[0].language
        return min(counts, key=lambda each: (-counts[each], each), default=first)

    @property
    def tokens(self) -> int:
        """Number of comparable tokens."""
        return len(self.comparable)

    @property
    def is_in_part(self) -> bool:
        """Whether only part of the text of a file is compared."""
        return any(document.file.code is not None for document in self.documents)

    @property
    def disguises(self) -> list[tuple[Document, Disguise]]:
        """What disguises its texts, with the document of each."""
        return [(document, each) for document in self.documents for each in document.disguises]

    @property
    def is_tiny(self) -> bool:
        """Whether all its files are shorter than the noise threshold, so only equal ones match."""
        segments = self.comparable.segments[:1]
        return any(
            each.thresholds.noise < self.documents[each.document].thresholds.noise
            for each in segments
        )

    @property
    def rank(self) -> tuple[int, str]:
        """The sort key, as in ``Submission``."""
        return self.source.rank

    def spans_of(
        self, starts: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], ...]:
        """Return the document and the characters of ranges of comparable tokens, each in a file."""
        comparable, firsts, lasts = self.comparable, starts, starts + lengths - 1
        stream = comparable.stream
        while (is_end := (stream.starts[firsts] == stream.stops[firsts]) & (firsts < lasts)).any():
            firsts = firsts + is_end  # not at the end of a line above
        return comparable.documents[firsts], stream.starts[firsts], stream.stops[lasts]

    def places_of(
        self, starts: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> tuple[NDArray[np.integer], ...]:
        """Return the columns of the ``Location`` of ranges of comparable tokens, each in a file."""
        numbers, begins, ends = self.spans_of(starts, lengths)
        lines = np.empty((2, len(numbers)), np.int64)
        for number in np.unique(numbers).tolist():
            own = numbers == number
            lines[:, own] = self.documents[number].lines_of(begins[own], ends[own])
        return numbers, begins, ends, *lines

    def place_of(self, start: int, length: int) -> Location:
        """Return the location of a range of comparable tokens."""
        columns = self.places_of(np.array([start]), np.array([length]))
        return Location(*(int(column[0]) for column in columns))
