"""Every choice a user can make, with its default and its limits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mosslite.errors import OptionError

__all__ = [
    "CODE_DEFAULTS",
    "CONFIG_NAMES",
    "LAYOUTS",
    "NAME_GROUPS",
    "PROSE_DEFAULTS",
    "Intake",
    "Limits",
    "Mark",
    "Options",
    "Thresholds",
    "at_least",
]


def at_least(least: int, what: str, value: int | None) -> None:
    """Refuse a value below ``least``.

    Raises:
        OptionError: Naming the option, the value and what would be right.
    """
    if value is not None and value < least:
        msg = f"{what} is {value}: it must be at least {least}"
        raise OptionError(msg)


# How a batch can be laid out; ``auto`` finds out, ``plain`` is one submission for each child.
LAYOUTS: Final = (
    *("auto", "plain", "canvas", "moodle", "gradescope", "blackboard", "brightspace"),
    *("github", "nbgrader", "submit50", "dolos"),
)

# The groups of a name pattern: who, by which number, which attempt, when, what mark, which file.
NAME_GROUPS: Final = frozenset({"name", "id", "attempt", "time", "label", "file"})


# How many times as large as another file a notebook may be.
_NOTEBOOK_BULK = 16


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading may cost at the most.

    Attributes:
        file: Bytes of a file; a larger one is skipped (see `of`).
        unpacked: Bytes that an archive may unpack to, with all archives in it; submissions in one
            archive share this.
        members: Files that an archive may hold, with all archives in it, shared likewise.
        ratio: How many times their own size the archives of a submission may unpack to; 16 MiB are
            always allowed.
        depth: How deep archives may lie in each other; 1 is an archive that holds no other.
    """

    file: int = 4 << 20
    unpacked: int = 1 << 30
    members: int = 100_000
    ratio: int = 100
    depth: int = 3

    def of(self, name: str) -> int:
        """Return how many bytes a file of this name may have.

        Of a notebook only the code is read; most of its bytes are pictures and tables.
        """
        return self.file * (_NOTEBOOK_BULK if name.lower().endswith(".ipynb") else 1)

    def __post_init__(self) -> None:
        """Raise an OptionError for limits below their minimum.

        Raises:
            OptionError: Naming the option, the value and what would be right.
        """
        at_least(1, "file size limit (--max-file-size)", self.file)
        at_least(1, "limit of unpacked bytes (--max-unpacked)", self.unpacked)
        at_least(1, "limit of archive members (--max-members)", self.members)
        at_least(1, "limit of the unpacking ratio (--max-ratio)", self.ratio)
        at_least(1, "limit of archive depth (--max-depth)", self.depth)


@dataclass(frozen=True, slots=True)
class Intake:
    """What is read, and how.

    Attributes:
        layout: One of ``LAYOUTS``.
        name_pattern: Regular expression that tells a submission by its path; None uses the layout.
        all_attempts: Every attempt of a student is a submission, not the latest alone.
        patterns: As in a ``.gitignore`` and in this order: what to leave out, or after ``!`` to
            read.
        reads_ignored: Read what is ignored unasked: hidden files, tools' leavings and the like.
        encoding: Of every file; None finds out.
        reads_markdown: The markdown cells of notebooks are prose to compare.
        each: Each folder or archive given is a batch of its own, or where there is only one, each
            in it; names of submissions begin with its name.
    """

    layout: str = "auto"
    name_pattern: str | None = None
    all_attempts: bool = False
    patterns: tuple[str, ...] = ()
    reads_ignored: bool = False
    encoding: str | None = None
    reads_markdown: bool = False
    limits: Limits = Limits()
    each: bool = False

    def __post_init__(self) -> None:
        """Check the choices.

        Raises:
            OptionError: Naming the option, the value and what would be right.
        """
        if self.layout not in LAYOUTS:
            msg = f"unknown layout {self.layout!r}: it must be one of {', '.join(LAYOUTS)}"
            raise OptionError(msg)
        _require_pattern(self.name_pattern)
        _require_encoding(self.encoding)


def _require_pattern(pattern: str | None) -> None:
    if pattern is None:
        return
    try:
        groups = re.compile(pattern).groupindex
    except (re.error, RecursionError, OverflowError) as error:
        msg = f"name pattern {pattern!r} is not a regular expression: {error}"
        raise OptionError(msg) from error
    if "name" not in groups:
        msg = f"name pattern {pattern!r} has no group (?P<name>...) for the submission's name"
        raise OptionError(msg)
    unknown = sorted(set(groups) - NAME_GROUPS)
    if unknown:
        msg = (
            f"name pattern {pattern!r} has an unknown group {unknown[0]!r}: "
            f"it must be one of {', '.join(sorted(NAME_GROUPS))}"
        )
        raise OptionError(msg)


def _require_encoding(encoding: str | None) -> None:
    """Refuse an encoding that is unknown or not a text encoding."""
    if encoding is None:
        return
    try:
        bytes(4).decode(encoding, "replace")  # some codecs are not looked up for nothing
    except (LookupError, ValueError) as error:
        msg = f"unknown encoding {encoding!r}: give one such as utf-8, cp1252 or shift_jis"
        raise OptionError(msg) from error


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The constants of one kind of text, in tokens.

    Attributes:
        noise: Noise threshold k of SIGMOD 2003, section 3; at least 1.
        guarantee: Guarantee threshold t; at least k.
        detail: Length of the k-grams that pairs are scored on: at most k, as edited copies hold
            together in shorter pieces than what convinces a reader.
    """

    noise: int
    guarantee: int
    detail: int

    @property
    def window(self) -> int:
        """Window size w = t - k + 1, in k-grams."""
        return self.guarantee - self.noise + 1


# A token of code is a keyword, a name or a sign; a token of prose is one letter or digit.
CODE_DEFAULTS = Thresholds(noise=12, guarantee=20, detail=8)
PROSE_DEFAULTS = Thresholds(noise=15, guarantee=20, detail=10)

# What files are called that options are looked for in.
CONFIG_NAMES: Final = ("mosslite.toml", "pyproject.toml")


# Most batches have no more pairs that stand out.
_EXPECTED_PAIRS = 250


@dataclass(frozen=True, slots=True)
class Mark:
    """What a reader made of a pair in an earlier report.

    Attributes:
        left: With ``right``, the names of the two submissions, in either order.
        code: Fingerprint of both sides' code as it was then (see ``report.review``).
        state: ``todo``, ``dismissed`` or ``confirmed``.
        reason: Why it was dismissed.
        note: In the reader's own words.
        at: When, as ISO 8601 in UTC.
    """

    left: str
    right: str
    code: str
    state: str
    reason: str
    note: str
    at: str


@dataclass(frozen=True, slots=True)
class Options:
    """How a batch is compared and how much of it is reported.

    Attributes:
        language: MOSS name or Pygments alias for every file; None means by file name.
        directories: Files of one folder are one submission.
        max_sharing: A passage in more than this many submissions is common code and left out
            like boilerplate; None leaves nothing out.
        show: Pairs in the report; 0 means every pair that shares a fingerprint, None all that
            stand out, but at least 250 and at most 2,000.
        known: Pairs that a baseline knows: there is room for as many more.
        comment: Title of the report.
        noise: Noise threshold k in tokens; None means the default of the kind of text.
        guarantee: Guarantee threshold t in tokens; None likewise.
        jobs: Worker processes; None means one for each processor.
        uses_workers: Lexers run in worker processes, where they can be stopped, and several write
            a large report; without, none but this process does the work, and only a lexer that
            goes on giving tokens can be stopped.
        uses_cache: What earlier runs made of equal files is kept in the user's cache folder, and
            taken from there.
        seconds: How long a lexer may compute over a file before a plain tokenizer reads it. All
            files of a submission may take twice that beyond what is usual for their length.
        intake: What is read, and how.
        review: Marks of an earlier report to carry into this one.
        config: Name of the file that options were read from, for results to tell; else empty.
    """

    language: str | None = None
    directories: bool = False
    max_sharing: int | None = None
    show: int | None = None
    known: int = 0
    comment: str = ""
    noise: int | None = None
    guarantee: int | None = None
    jobs: int | None = None
    uses_workers: bool = True
    uses_cache: bool = False
    seconds: float = 5.0
    intake: Intake = Intake()
    review: tuple[Mark, ...] = ()
    config: str = ""

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            OptionError: Naming the option, the value and what would be right.
        """
        at_least(1, "noise threshold (-k)", self.noise)
        at_least(1, "guarantee threshold (-t)", self.guarantee)
        at_least(1, "sharing limit (-m)", self.max_sharing)
        at_least(0, "number of pairs to show (-n)", self.show)
        at_least(1, "number of jobs (-j)", self.jobs)
        if not 0 < self.seconds < float("inf"):
            msg = (
                f"time limit (--time-limit) is {self.seconds}: "
                "it must be a finite number of seconds above 0"
            )
            raise OptionError(msg)
        if self.directories and self.intake.each:
            msg = "-d and --each cannot be used together: remove one of them"
            raise OptionError(msg)
        for defaults in (CODE_DEFAULTS, PROSE_DEFAULTS):
            self.thresholds(defaults)

    @property
    def room(self) -> int:
        """How many pairs are asked for, or expected where no number is given; 0 means all."""
        show = _EXPECTED_PAIRS if self.show is None else self.show
        return show and show + self.known

    def thresholds(self, defaults: Thresholds) -> Thresholds:
        """Return k and t for a kind of text whose defaults are ``defaults``.

        A given k without a t keeps the default window, a given t without a k lowers k to it.

        Raises:
            OptionError: Both are given and k exceeds t.
        """
        if self.noise is None:
            guarantee = self.guarantee or defaults.guarantee
            noise = min(defaults.noise, guarantee)
        else:
            noise = self.noise
            guarantee = self.guarantee or noise + defaults.window - 1
        if noise > guarantee:
            msg = (
                f"noise threshold k = {noise} exceeds guarantee threshold t = {guarantee}: "
                f"give -k {guarantee} or less, or -t {noise} or more"
            )
            raise OptionError(msg)
        return Thresholds(noise, guarantee, min(defaults.detail, noise))
