"""What is read, submissions of files, and what their tokens and fingerprints are."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple, Self

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mosslite.options import Thresholds
    from mosslite.records.columns import TokenStream, Traces
    from mosslite.records.results import RepositoryPlace

__all__ = [
    "SYNTAX_CLASSES",
    "Batch",
    "Colours",
    "Comparable",
    "Disguise",
    "Document",
    "Inputs",
    "KGrams",
    "LeftOut",
    "Location",
    "Part",
    "Progress",
    "Role",
    "Segment",
    "Skipped",
    "SourceFile",
    "Submission",
    "SubmissionMetadata",
    "Tile",
    "TokenizedSubmission",
    "no_progress",
    "over_limits",
]


class Role(Enum):
    """What a submission is in a batch; a compared pair has at least one CURRENT side."""

    CURRENT = "current"
    PRIOR = "prior"
    BASE = "base"
    REFERENCE = "reference"


_RANKS: Final = {role: rank for rank, role in enumerate(Role)}


@dataclass(frozen=True, slots=True)
class Inputs:
    """The paths a user gave, by the role of what is there; archives hold earlier terms."""

    current: tuple[str, ...]
    base: tuple[str, ...] = ()
    prior: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    archives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file, such as a notebook's cell, that begins on a line of its own, 1-based."""

    first_line: int
    title: str


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as text, or what a file holds in one language.

    Attributes:
        name: Path inside its submission with forward slashes; a single file's path as given.
        text: The decoded text without a byte order mark, line ends as they were.
        encoding: Python's name of the encoding the bytes were read as.
        encoding_by: What told it: ``default`` (UTF-8), ``mark``, ``declaration``, ``guess``,
            ``escapes`` (as Python runs it), ``fallback`` (Latin-1, as nothing else fits) or
            ``option``.
        is_given: The user named the file itself, not a folder it is in.
        code: As long as ``text``: what of it is compared, the rest as blanks and line ends;
            None where all of it is.
        language: Canonical name of the language its content tells; None leaves it to the name.
        parts: In order of their lines; none where the file is one piece.
        is_plain: It is beyond what is read with care of one submission: no lexer reads it.
        begins_like: What its first bytes are those of, as ``a GIF image``, although it is text;
            empty for most. It does not make a file another one, nor does ``path``.
        path: Where it was found, as the user knows it, and in an archive as if that were a folder;
            empty where nobody is to know.
    """

    name: str
    text: str
    encoding: str = "utf-8"
    encoding_by: str = "default"
    is_given: bool = True
    code: str | None = None
    language: str | None = None
    parts: tuple[Part, ...] = ()
    is_plain: bool = False
    begins_like: str = field(default="", compare=False)
    path: str = field(default="", compare=False)

    def where(self, line: int) -> str:
        """Return a line's place in its part, as ``cell 3, line 2``; empty without parts.

        The line above a part is its heading, and so is ``cell 3``.
        """
        number = bisect_right(self.parts, line + 1, key=lambda part: part.first_line)
        if number == 0:
            return ""
        part = self.parts[number - 1]
        inside = line - part.first_line + 1
        return f"{part.title}, line {inside}" if inside > 0 else part.title


@dataclass(frozen=True, slots=True)
class SubmissionMetadata:
    """What a learning platform tells about a submission; empty where it tells nothing.

    Attributes:
        owner: Equal for all attempts of one student or team: these are never compared.
        members: Names of a team.
        submitted: When, as the platform writes it, in ISO 8601 where it can be told.
        label: A group, or another mark that the instructor gave.
        ids: What the platform tells its students apart by: of each member of a team, or of the one
            student; empty where it is unknown.
        emails: Their addresses, likewise.
        attempt: Its number among several attempts that are compared; 0 where it is the only one.
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
    """Something given that was not compared, and why, in words.

    Attributes:
        limit: The option whose limit it exceeds, such as ``--max-ratio``; empty for another
            reason.
        submission: Whose it is, where a limit is the reason; else empty.
    """

    path: str
    reason: str
    limit: str = ""
    submission: str = ""


def over_limits(skipped: Iterable[Skipped]) -> tuple[str, ...]:
    """Return the submissions that are not compared, or not in full, because of a limit."""
    return tuple(sorted({each.submission for each in skipped if each.limit}))


@dataclass(frozen=True, slots=True)
class Submission:
    """The work of one student (or of the instructor): at least one file; the name is unique."""

    name: str
    role: Role
    files: tuple[SourceFile, ...]
    hand_in: SubmissionMetadata = SubmissionMetadata()
    repositories: tuple[RepositoryPlace, ...] = ()

    @property
    def rank(self) -> tuple[int, str]:
        """The sort key of submissions: by role, as roles are listed, then by name."""
        return _RANKS[self.role], self.name


@dataclass(frozen=True, slots=True)
class Batch:
    """Everything that was read: submissions by name, and how the paths were understood.

    Attributes:
        skipped: What was given and could not be read.
        ignored: What a rule leaves out, such as hidden files and tools' leavings.
        remarks: What a reader must know of how the paths were understood.
    """

    submissions: tuple[Submission, ...]
    base: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    description: str
    ignored: tuple[Skipped, ...] = ()
    remarks: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Comparable:
    """The comparable tokens of one submission: its files end to end, boilerplate left out.

    A file with fewer own tokens than its noise threshold is left out too: it cannot match.

    Attributes:
        codes: ``(n,) uint64`` symbol codes.
        lexemes: ``(n,) uint64``, equal for tokens that are also written the same.
        kinds: ``(n,) uint8``, the ``TokenKind`` of each.
        is_reached: ``(n,) bool``, False in functions that nothing calls.
        documents: ``(n,) int32``, the submission's document each token comes from.
        tokens: ``(n,) int32``, its index in that document's stream.
        segments: ``[start, stop)`` and the thresholds of each document that is compared.
    """

    codes: NDArray[np.uint64]
    lexemes: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    is_reached: NDArray[np.bool_]
    documents: NDArray[np.int32]
    tokens: NDArray[np.int32]
    segments: tuple[Segment, ...]

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.codes)

    def segment_of(self, token: int) -> Segment:
        """Return the stretch that a token is in."""
        index = bisect_right(self.segments, token, key=lambda segment: segment.stop)
        return self.segments[index]


@dataclass(frozen=True, slots=True, eq=False)
class KGrams:
    """K-grams of one submission's comparable tokens, all or some, by hash and then by place.

    Attributes:
        hashes: ``(m,) uint64`` ascending.
        starts: ``(m,) int64``, the first comparable token of each.
    """

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tile:
    """Equal runs of tokens in two submissions: ``length`` of them from each start."""

    left_start: int
    right_start: int
    length: int


# What a character can be to a lexer, by number; 0 is plain text.
SYNTAX_CLASSES: Final = ("", "comment", "keyword", "name", "number", "string")


@dataclass(frozen=True, slots=True)
class Disguise:
    """Characters that make a text look like another one than it is.

    Attributes:
        kind: ``zero-width``, ``bidirectional``, ``homoglyph``, ``full-width`` or ``escape``.
        characters: Each once, ascending.
        lines: Those that have them, 1-based and ascending.
        count: How many there are.
    """

    kind: str
    characters: str
    lines: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Colours:
    """What a lexer takes the characters of a text for, as runs of one class.

    Attributes:
        starts: ``(r,) int32``, 0 and ascending; a run reaches to the next, the last to the end.
        classes: ``(r,) uint8``, places in ``SYNTAX_CLASSES``.
    """

    starts: NDArray[np.int32]
    classes: NDArray[np.uint8]


class LeftOut(NamedTuple):
    """Tokens of a file that are boilerplate.

    Attributes:
        origin: The name of a base file, or what else says that they are.
        tokens: How many; those of several base files can be the same tokens.
    """

    origin: str
    tokens: int


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One file of a submission, tokenized.

    Attributes:
        language: Canonical name, such as ``java`` or ``text``.
        thresholds: k and t for this kind of text.
        is_boilerplate: ``(n,) bool``, the tokens of ``stream`` that are not the student's own.
        traces: Names, words of comments, strings, numbers and layout that are the student's own.
        left_out: Where the boilerplate comes from, and how much of it.
        is_degraded: The lexer failed or took too long, and a plain tokenizer read it instead.
        disguises: Characters in it that hide what it is.
        colours: What the lexer takes its characters for; None for prose.
        has_text: The text is the student's; without, dots and blanks stand for it.
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
        """Where the boilerplate comes from."""
        return tuple(each.origin for each in self.left_out)


class Location(NamedTuple):
    """A stretch of one file: characters ``[start_char, stop_char)``, lines inclusive."""

    document: int
    start_char: int
    stop_char: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedSubmission:
    """A submission, tokenized: one document for each file, and what of them is comparable.

    Of a large batch the tokens can be kept elsewhere, to be loaded each time they are asked for.
    """

    source: Submission
    documents: tuple[Document, ...]
    comparable: Comparable
    _load: Callable[[], TokenizedSubmission] = field(init=False, repr=False)
    _outline: tuple[str, int] = field(init=False, repr=False)

    @classmethod
    def deferred(
        cls,
        source: Submission,
        load: Callable[[], TokenizedSubmission],
        *,
        language: str,
        tokens: int,
    ) -> Self:
        """Make a submission of which only this is in memory.

        Args:
            source: Its files need no text; those of the documents have it.
            load: Returns the submission with its documents.
            language: That of most of its tokens.
            tokens: How many comparable tokens it has.
        """
        submission = object.__new__(cls)
        values = {"source": source, "_load": load, "_outline": (language, tokens)}
        for name, value in values.items():
            object.__setattr__(submission, name, value)
        return submission

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """Copy the submission with its documents."""
        return type(self), (self.source, self.documents, self.comparable)

    if not TYPE_CHECKING:  # mypy would take any name for an attribute

        def __getattr__(self, name: str) -> object:
            """Load what is not in memory; it is not kept here."""
            if name == "_outline":
                return self._language_and_tokens()
            if name not in {"documents", "comparable"}:
                msg = f"{type(self).__name__!r} object has no attribute {name!r}"
                raise AttributeError(msg, name=name, obj=self)
            return getattr(self._load(), name)

    @property
    def name(self) -> str:
        """The submission's unique name."""
        return self.source.name

    @property
    def role(self) -> Role:
        """What the submission is in the batch."""
        return self.source.role

    @property
    def language(self) -> str:
        """The language of most of its own tokens, or of its first file where it has none."""
        return self._outline[0]

    @property
    def tokens(self) -> int:
        """How many comparable tokens it has."""
        return self._outline[1]

    def _language_and_tokens(self) -> tuple[str, int]:
        counts = Counter[str]()
        for segment in self.comparable.segments:
            document = self.documents[self.comparable.documents[segment.start]]
            counts[document.language] += segment.stop - segment.start
        first = self.documents[0].language
        most = min(counts, key=lambda each: (-counts[each], each), default=first)
        return most, len(self.comparable)

    @property
    def rank(self) -> tuple[int, str]:
        """The sort key, as of ``Submission``."""
        return self.source.rank

    def place_of(self, start: int, length: int) -> Location:
        """Return where a range of comparable tokens stands; it must be within one document."""
        number = int(self.comparable.documents[start])
        first, last = (int(self.comparable.tokens[at]) for at in (start, start + length - 1))
        stream = self.documents[number].stream
        return Location(
            document=number,
            start_char=int(stream.starts[first]),
            stop_char=int(stream.stops[last]),
            first_line=int(stream.lines[first]),
            last_line=int(stream.last_lines[last]),
        )
