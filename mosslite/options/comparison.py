"""How a batch is compared and reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mosslite.errors import OptionError
from mosslite.options.checks import at_least
from mosslite.options.intake import Intake

__all__ = ["CODE_DEFAULTS", "CONFIG_NAMES", "PROSE_DEFAULTS", "Mark", "Options", "Thresholds"]


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
        """Refuse values that mean nothing.

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
            msg = "-d and --each are both given: give one of them"
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
