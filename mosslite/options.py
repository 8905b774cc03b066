"""All options of a comparison, with their defaults and limits."""

import re
from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Meta

from mosslite.errors import OptionError
from mosslite.messages import M_

# Larger numbers are typing errors, and not exact in every program that reads JSON.
MOST_NUMBER: Final = 10**15


def at_least(least: int, what: str, value: int | None, most: float = MOST_NUMBER) -> None:
    """Check that a value is not below ``least``, nor above ``most``.

    Raises:
        OptionError: Names the option, the value and what would be right.
    """
    if value is not None and value < least:
        raise OptionError(
            "%(what)s is %(value)s: it must be at least %(least)s", what, value, least
        )
    at_most(what, value, most)


def at_most(what: str, value: float | None, most: float = MOST_NUMBER) -> None:
    """Check that a value is not above ``most``; as above."""
    if value is not None and value > most:
        raise OptionError("%(what)s is %(value)s: it must be at most %(most)d", what, value, most)


# Layouts of a batch; ``auto`` detects it, ``plain`` makes each child a submission.
LAYOUTS: Final = (
    *("auto", "plain", "canvas", "moodle", "vpl", "gradescope", "blackboard", "brightspace"),
    *("sakai", "autolab", "github", "nbgrader", "submit50", "dolos"),
)

# Groups of a name pattern: student, number, attempt, time, mark, file.
NAME_GROUPS: Final = frozenset({"name", "id", "attempt", "time", "label", "file"})


# Factor by which a notebook may exceed the size limit of other files.
_NOTEBOOK_BULK = 16


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of reading.

    Attributes:
        file: Maximum size of a file in bytes; larger ones are skipped (see `of`).
        unpacked: Maximum unpacked size of an archive in bytes, including nested archives; shared by
            the submissions in an archive.
        members: Maximum number of files in an archive, including nested archives; shared likewise.
        ratio: Maximum compression ratio of a submission's archives; 16 MiB and 10,000 files are
            always allowed.
        depth: Maximum nesting of archives; 1 means none.
    """

    file: int = 4 << 20
    unpacked: int = 1 << 30
    members: int = 100_000
    ratio: int = 100
    depth: int = 3

    def of(self, name: str) -> int:
        """Return the maximum size in bytes of a file with this name.

        Only the code of a notebook is read; most of its bytes are images and tables.
        """
        is_notebook = name.lower().endswith((".ipynb", ".ipynb.json", ".ipynb.txt"))
        return self.file * (_NOTEBOOK_BULK if is_notebook else 1)

    def __post_init__(self) -> None:
        """Check the limits.

        Raises:
            OptionError: Names the option, the value and what would be right.
        """
        at_least(1, M_("file size limit (--max-file-size)"), self.file)
        at_least(1, M_("limit of unpacked bytes (--max-unpacked)"), self.unpacked)
        at_least(1, M_("limit of archive members (--max-members)"), self.members)
        at_least(1, M_("limit of the unpacking ratio (--max-ratio)"), self.ratio)
        at_least(1, M_("limit of archive depth (--max-depth)"), self.depth)


# Limits of archives that no option changes.

# What any archive may unpack to, however small it is: source code compresses well. So many files it
# may have, too; each counts as so many bytes, of which a zip file takes a hundredth for its name.
FREE_BYTES: Final = 16 << 20
FREE_MEMBERS: Final = 10_000
MEMBER_BYTES: Final = 6_400
# Archives in a submission's that unpack to too much: each costs up to 3 ms, however small.
MOST_BOMBS: Final = 1000
# Nesting that a user can allow: paths grow with it.
DEEPEST: Final = 50
# Of a batch: bytes and files passed only to reach others, the files by its size.
MOST_PASSED: Final = 1 << 30
LEAST_LISTED: Final = 100_000
MOST_LISTED: Final = 1_000_000
# Bytes of platforms' own files that are read to recognize them.
MOST_METADATA: Final = 16 << 20
# Longer names than file systems allow would fill a page of a report.
LONGEST_MEMBER_NAME: Final = 4096
# Levels of folders that are looked at one by one.
DEEPEST_LOOKED_AT: Final = 50
# Target of an honest link, in bytes.
LONGEST_TARGET: Final = 255
# Bytes of a compressed file that may unpack to nothing: tools pad by far less, and blocks of bzip2
# have 900 KB.
MOST_PADDING: Final = 2 << 20
# Bytes of it for which one unpacked byte is enough: many short streams cost much time.
LEAST_UNPACKED: Final = 4
# Memory to unpack a stream of 7z: -mx=9 needs 65 MiB; the format allows 4 GiB.
MOST_UNPACKER_MEMORY: Final = 256 << 20
# Bytes of a 7z file's list, of which 1 MiB has some 7,000 files, and streams of members.
LONGEST_7Z_LIST: Final = 1 << 20
MOST_7Z_STREAMS: Final = 4096
# Bytes of a zip file's directory per member that may be read, and those of any directory.
DIRECTORY_BYTES: Final = 160
LEAST_DIRECTORY: Final = 1 << 20
# Extra fields of a member, in bytes: the longest has the name once more.
LONGEST_EXTRA: Final = 8192
# Bytes that tarfile may read for one header with its extensions, and parts of a sparse file.
LONGEST_TAR_HEADER: Final = 1 << 20
MOST_SPARSE_PARTS: Final = 10_000

# Limits of git repositories: of a submission, of those in one archive, and of each.
MOST_REPOSITORIES: Final = 5
MOST_PACKED_BYTES: Final = 512 << 20
LARGEST_PACKED_FILE: Final = 64 << 20
MOST_COMMITS: Final = 5_000
MOST_REFS: Final = 1_000
LONGEST_REF: Final = 400
MOST_PARENTS: Final = 64
# Files of a commit, folders of all commits, and files of all commits; those of equal folders once.
MOST_COMMIT_FILES: Final = 5_000
MOST_COMMIT_FOLDERS: Final = 200_000
MOST_COMMITTED_FILES: Final = 500_000
DEEPEST_COMMITTED: Final = 30
# Bytes that objects unpack to, together and each: larger files are not compared. An index has
# about 30 bytes for each object.
MOST_OBJECT_BYTES: Final = 256 << 20
LARGEST_OBJECT: Final = 8 << 20
LARGEST_INDEX: Final = 64 << 20
LARGEST_BUNDLE_HEAD: Final = 1 << 20
MOST_OBJECTS: Final = 500_000
MOST_PACKS: Final = 200
# git itself creates chains of 50 deltas at most; unpacked objects are kept as their bases.
LONGEST_CHAIN: Final = 500
MOST_BASE_BYTES: Final = 32 << 20

# Limits of notebooks and documents: what the values of a notebook take in memory, and languages
# that are compared separately, fewer in a very long document. Each costs memory and time for the
# whole document, and more do not occur in honest work.
MOST_JSON_BYTES: Final = 256 << 20
MOST_LANGUAGES: Final = 6
MOST_LANGUAGE_CHARACTERS: Final = 1 << 21


@dataclass(frozen=True, slots=True)
class Intake:
    """Options of what is read, and how.

    Attributes:
        layout: One of ``LAYOUTS``.
        name_pattern: Regular expression that extracts a student from a path; None uses the layout.
        all_attempts: Compare every attempt of a student, not only the latest.
        patterns: As in a ``.gitignore``, in order: files to exclude, or after ``!`` to
            include.
        reads_ignored: Include files ignored by default: hidden and generated files and the like.
        encoding: Encoding of every file; None detects it.
        reads_markdown: Compare Markdown cells of notebooks as prose.
        each: Each folder or archive given, or each in the only one, is a batch of its own, whose
            name is a prefix of its submissions' names.
        output: Folder that the report goes to: an earlier report there is not part of the batch.
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
    output: str = "mosslite-report"

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            OptionError: Names the option, the value and what would be right.
        """
        if self.layout not in LAYOUTS:
            raise OptionError(
                "unknown layout %(layout)r: it must be one of %(layouts)s",
                self.layout,
                ", ".join(LAYOUTS),
            )
        _require_pattern(self.name_pattern)
        _require_encoding(self.encoding)


def _require_pattern(pattern: str | None) -> None:
    if pattern is None:
        return
    try:
        groups = re.compile(pattern).groupindex
    except (re.error, RecursionError, OverflowError) as error:
        raise OptionError(
            "name pattern %(pattern)r is not a regular expression: %(error)s", pattern, error
        ) from error
    if "name" not in groups:
        raise OptionError(
            "name pattern %(pattern)r has no group (?P<name>...) for the submission's name", pattern
        )
    unknown = sorted(set(groups) - NAME_GROUPS)
    if unknown:
        raise OptionError(
            "name pattern %(pattern)r has an unknown group %(unknown)r: it must "
            "be one of %(name_groups)s",
            pattern,
            unknown[0],
            ", ".join(sorted(NAME_GROUPS)),
        )


def _require_encoding(encoding: str | None) -> None:
    """Check that an encoding is known and is a text encoding."""
    if encoding is None:
        return
    try:
        bytes(4).decode(encoding, "replace")  # some codecs fail only when used
    except (LookupError, ValueError) as error:
        raise OptionError(
            "unknown encoding %(encoding)r: give one such as utf-8, cp1252 or shift_jis", encoding
        ) from error


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The constants of one kind of text, in tokens.

    Attributes:
        noise: Noise threshold k of SIGMOD 2003, section 3; at least 1.
        guarantee: Guarantee threshold t; at least k.
        detail: Length of the k-grams used for scores: at most k, as edited copies share shorter
            runs than those that convince a reader.
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

# Names of files searched for options.
CONFIG_NAMES: Final = ("mosslite.toml", "pyproject.toml")


# Most batches have at most this many pairs above the threshold.
_EXPECTED_PAIRS = 250


MOMENT: Final = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"
"""A time in UTC, as browsers write it."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A reviewer's mark on a pair in an earlier report.

    Attributes:
        left: With ``right``, the names of the two submissions, in either order.
        code: Digest of both sides' code at that time (see ``report.review``).
        state: ``todo``, ``dismissed`` or ``confirmed``.
        reason: Why it was dismissed.
        note: The reviewer's note.
        at: Time, as ISO 8601 in UTC.
    """

    left: str
    right: str
    code: str
    state: Annotated[str, Meta(pattern="^(todo|dismissed|confirmed)$")]
    reason: str
    note: str
    at: Annotated[str, Meta(pattern=MOMENT)]


@dataclass(frozen=True, slots=True)
class Options:
    """How a batch is compared and how much of it is reported.

    Attributes:
        language: MOSS name or Pygments alias for every file; None determines it by file name.
        directories: Files of one folder are one submission.
        max_sharing: A passage in more than this many submissions is common code and excluded
            like boilerplate; None excludes nothing.
        show: Number of pairs in the report; 0 means every pair that shares a fingerprint, None all
            above the threshold, but at least 250 and at most 2,000.
        known: Number of pairs known from a baseline: as many more are listed.
        comment: Title of the report.
        noise: Noise threshold k in tokens; None means the default of the kind of text.
        guarantee: Guarantee threshold t in tokens; None likewise.
        chance: A match counts if at most this many with as much information are expected in an
            honest pair of programs of these sizes; above 0.
        jobs: Worker processes; None means one for each processor.
        uses_workers: Run lexers in worker processes, which can be stopped, and write large reports
            in several processes; otherwise only this process is used, and only a lexer that keeps
            returning tokens can be stopped.
        uses_cache: Store readings of files in the user's cache folder, and reuse those of
            earlier runs.
        seconds: CPU seconds that reading a file may take, after which the plain tokenizer is used;
            after three such files of a submission, it reads those that are not read yet, too.
        intake: Options of what is read, and how.
        review: Marks of an earlier report to be imported.
        config: Name of the config file, shown in results; else empty.
    """

    language: str | None = None
    directories: bool = False
    max_sharing: int | None = None
    show: int | None = None
    known: int = 0
    comment: str = ""
    noise: int | None = None
    guarantee: int | None = None
    chance: float = 1.0
    jobs: int | None = None
    uses_workers: bool = True
    uses_cache: bool = False
    seconds: float = 5.0
    intake: Intake = Intake()
    review: tuple[Mark, ...] = ()
    config: str = ""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            OptionError: Names the option, the value and what would be right.
        """
        at_least(1, M_("noise threshold (-k)"), self.noise)
        at_least(1, M_("guarantee threshold (-t)"), self.guarantee)
        at_least(1, M_("sharing limit (-m)"), self.max_sharing)
        at_least(0, M_("number of pairs to show (-n)"), self.show)
        at_least(1, M_("number of jobs (-j)"), self.jobs)
        if not 0 < self.seconds < float("inf"):
            raise OptionError(
                "time limit (--time-limit) is %(seconds)s: it must be a finite "
                "number of seconds above 0",
                self.seconds,
            )
        at_most(M_("time limit (--time-limit)"), self.seconds)
        if not 0 < self.chance < float("inf"):
            raise OptionError(
                "chance (--chance) is %(chance)s: it must be a finite number of matches above 0",
                self.chance,
            )
        at_most(M_("chance (--chance)"), self.chance)
        if self.directories and self.intake.each:
            raise OptionError("-d and --each cannot be used together: remove one of them")
        for defaults in (CODE_DEFAULTS, PROSE_DEFAULTS):
            self.thresholds(defaults)

    @property
    def room(self) -> int:
        """Number of pairs asked for, or expected by default; 0 means all."""
        show = _EXPECTED_PAIRS if self.show is None else self.show
        return show and show + self.known

    def thresholds(self, defaults: Thresholds) -> Thresholds:
        """Return k and t for a kind of text whose defaults are ``defaults``.

        With only k, the default window is kept; with only t, k is reduced to t if larger.

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
            raise OptionError(
                "noise threshold k = %(noise)s exceeds guarantee threshold t = "
                "%(guarantee)s: give -k %(guarantee2)s or less, or -t %(noise2)s or "
                "more",
                noise,
                guarantee,
                guarantee,
                noise,
            )
        return Thresholds(noise, guarantee, min(defaults.detail, noise))
