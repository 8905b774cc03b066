"""Results that were written as JSON, read again with care: they can come from anywhere."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from mosslite.errors import InputError, OptionError, reason_of
from mosslite.forests import DisjointSets
from mosslite.options import CODE_DEFAULTS, LAYOUTS, PROSE_DEFAULTS, Intake, Limits, Mark, Options
from mosslite.records import Inputs, LanguageLimit, Role, Skipped, SubmissionMetadata, Threshold
from mosslite.report.results import FORMAT
from mosslite.report.review import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = [
    "SavedEvidence",
    "SavedPair",
    "SavedPlace",
    "SavedResults",
    "SavedSubmission",
    "group_of",
    "groups_of",
    "pair_of",
    "read_results",
    "results_in",
]

# What a file of results may have; 100,000 pairs with all their matches have less.
_MOST_BYTES: Final = 1 << 30
# Beyond this no count is believed.
_MOST: Final = 1 << 53


@dataclass(frozen=True, slots=True)
class SavedPlace:
    """Lines of a file, 1-based; ``where`` says them in words in a file of parts, else empty."""

    file: str
    first_line: int
    last_line: int
    where: str = ""


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match by its lines; ``tokens`` and ``block`` are None where the results do not tell."""

    left: SavedPlace
    right: SavedPlace
    tokens: int | None
    block: int | None


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


@dataclass(frozen=True, slots=True)
class SavedPair:
    """A pair as results tell of it; what they do not tell is None. ``rank`` counts from 1."""

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


class _WrongError(Exception):
    """What is wrong with a value, in words that follow the name of the file."""


class _Node:
    """An object of JSON, and where it stands; asks for a key, and of which type it must be."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise _WrongError(f"{where} is not an object")
        self._value, self._where = value, where

    def _error(self, key: str, what: str) -> _WrongError:
        return _WrongError(f"{key!r} of {self._where} is not {what}")

    def text(self, key: str, default: str | None = None) -> str:
        value = self._value.get(key, default)
        value = default if value is None else value
        if not isinstance(value, str):
            raise self._error(key, "a text")
        return without_surrogates(value)

    def count(self, key: str, least: int = 0) -> int | None:
        value = self._value.get(key)
        if value is None:
            return None
        if type(value) is not int or not least <= value <= _MOST:
            raise self._error(key, f"a whole number from {least}")
        return value

    def required_count(self, key: str, least: int = 0) -> int:
        value = self.count(key, least)
        if value is None:
            raise self._error(key, f"a whole number from {least}")
        return value

    def number(self, key: str, most: float = math.inf) -> float | None:
        value = self._value.get(key)
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= most or value > _MOST:
            raise self._error(key, f"a number from 0{'' if math.isinf(most) else f' to {most:g}'}")
        return float(value)

    def flag(self, key: str) -> bool:
        value = self._value.get(key, False)
        if not isinstance(value, bool):
            raise self._error(key, "true or false")
        return value

    def node(self, key: str) -> _Node:
        return _Node(self._value.get(key), f"{key!r} of {self._where}")

    def optional(self, key: str) -> _Node | None:
        return None if self._value.get(key) is None else self.node(key)

    def list(self, key: str) -> Sequence[object]:
        value = self._value.get(key)
        value = [] if value is None else value
        if not isinstance(value, list):
            raise self._error(key, "a list")
        return value

    def nodes(self, key: str) -> Iterator[_Node]:
        for number, each in enumerate(self.list(key), 1):
            yield _Node(each, f"{key!r} of {self._where}, number {number}")

    def texts(self, key: str) -> tuple[str, ...]:
        values = self.list(key)
        if not all(isinstance(value, str) for value in values):
            raise self._error(key, "a list of texts")
        return tuple(without_surrogates(str(value)) for value in values)

    def counts(self, key: str) -> tuple[int, ...]:
        values = self.list(key)
        found = tuple(v for v in values if type(v) is int and 1 <= v <= _MOST)
        if len(found) < len(values):
            raise self._error(key, "a list of line numbers")
        return found


def read_results(path: Path) -> SavedResults:
    """Read a file that ``--json`` or an import has written.

    Raises:
        InputError: It cannot be read, or is not such a file.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        msg = f"cannot read the results {str(path)!r}: {reason_of(error)}"
        raise InputError(msg) from error
    try:
        return results_in(content)
    except InputError as error:
        msg = f"{str(path)!r} is not a file of results: {error}"
        raise InputError(msg) from error


def results_in(content: bytes) -> SavedResults:
    """Read the content of such a file.

    Raises:
        InputError: It is something else.
    """
    try:
        return _results(_parsed(content), sha256(content).hexdigest())
    except (_WrongError, OptionError) as error:
        raise InputError(str(error)) from error


def _parsed(content: bytes) -> _Node:
    if len(content) > _MOST_BYTES:
        raise _WrongError(f"it is larger than {_MOST_BYTES:,} bytes")
    try:
        value = json.loads(content.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise _WrongError("it is not JSON") from error
    node = _Node(value, "the file")
    if value.get("format") != FORMAT or not isinstance(value.get("pairs"), list):
        raise _WrongError(f"it has no list of 'pairs' in format {FORMAT}")
    return node


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _results(node: _Node, digest: str) -> SavedResults:
    submissions = {each.name: each for each in map(_submission, node.nodes("submissions"))}
    pairs = tuple(_pair(each, rank) for rank, each in enumerate(node.nodes("pairs"), 1))
    for pair in pairs:
        for name in (pair.left, pair.right):
            if name not in submissions:
                raise _WrongError(f"pair {pair.rank} names {name!r}, which is not a submission")
    threshold, source = node.optional("threshold"), node.optional("source")
    return SavedResults(
        digest=digest,
        created=node.text("created", ""),
        version=node.text("mosslite", ""),
        program=source.text("program", "") if source else "",
        is_anonymous=node.flag("anonymous"),
        options=_options(node.node("options")),
        thresholds=_constants(node.node("options")),
        base=node.node("options").texts("base"),
        inputs=_inputs(node.optional("inputs")),
        threshold=_threshold(threshold) if threshold else None,
        submissions=submissions,
        pairs=pairs,
        skipped=tuple(map(_skipped, node.nodes("skipped"))),
        warnings=node.texts("warnings"),
        unlisted=node.count("unlisted") or 0,
    )


def _skipped(node: _Node) -> Skipped:
    return Skipped(*(node.text(name, "") for name in ("path", "reason", "limit", "submission")))


def _submission(node: _Node) -> SavedSubmission:
    role = node.text("role", "current")
    if role not in {each.value for each in Role}:
        raise node._error("role", f"one of {', '.join(each.value for each in Role)}")  # noqa: SLF001
    left_out = node.optional("boilerplate")
    origins = left_out.nodes("origins") if left_out else ()
    return SavedSubmission(
        name=node.text("name"),
        role=Role(role),
        files=node.texts("files"),
        tokens=node.count("tokens"),
        languages=node.texts("languages"),
        hand_in=SubmissionMetadata(
            members=node.texts("members"),
            submitted=node.text("submitted", ""),
            label=node.text("label", ""),
            is_late=node.flag("late"),
        ),
        left_out=(
            left_out.required_count("tokens") if left_out else 0,
            tuple((each.text("from"), each.required_count("tokens")) for each in origins),
        ),
        code=node.text("code", ""),
        text=node.text("text", ""),
        degraded=node.texts("degraded"),
        disguised=sum(each.count("count") or 0 for each in node.nodes("disguises")),
    )


def _pair(node: _Node, rank: int) -> SavedPair:
    review = node.optional("review")
    left, right = node.text("left"), node.text("right")
    return SavedPair(
        rank=rank,
        left=left,
        right=right,
        score=node.number("score", 1),
        similarity=node.number("similarity", 1),
        left_similarity=node.number("left_similarity", 1),
        right_similarity=node.number("right_similarity", 1),
        matched_tokens=node.count("matched_tokens"),
        matched_lines=node.count("matched_lines"),
        longest_match=node.count("longest_match"),
        matches=tuple(map(_match, node.nodes("matches"))),
        rare_evidence=tuple(map(_evidence, node.nodes("rare_evidence"))),
        review=_mark(review, left, right) if review else None,
        is_review_outdated=review.flag("changed") if review else False,
    )


def _mark(node: _Node, left: str, right: str) -> Mark:
    texts = {name: node.text(name, "") for name in ("state", "reason", "note", "at")}
    return Mark(left=left, right=right, code="", **texts)


def _match(node: _Node) -> SavedMatch:
    return SavedMatch(
        left=_place(node.node("left")),
        right=_place(node.node("right")),
        tokens=node.count("tokens"),
        block=node.count("block", 1),
    )


def _place(node: _Node) -> SavedPlace:
    first, last = node.required_count("first_line", 1), node.required_count("last_line", 1)
    if last < first:
        raise node._error("last_line", f"a line from {first} on")  # noqa: SLF001
    parts = (node.text("first_place", ""), node.text("last_place", ""))
    return SavedPlace(
        file=node.text("file", ""),
        first_line=first,
        last_line=last,
        where=" to ".join(dict.fromkeys(filter(None, parts))),
    )


def _evidence(node: _Node) -> SavedEvidence:
    return SavedEvidence(
        kind=node.text("kind"),
        text=node.text("text"),
        resembles=node.text("resembles", ""),
        left_file=node.text("left_file", ""),
        left=node.counts("left"),
        right_file=node.text("right_file", ""),
        right=node.counts("right"),
        submissions=node.count("submissions"),
    )


def _threshold(node: _Node) -> Threshold:
    numbers = {name: node.number(name) for name in ("score", "low", "high", "expected")}
    if None in numbers.values():
        raise _WrongError("'threshold' has no score, low, high and expected")
    return Threshold(
        **{name: float(number or 0) for name, number in numbers.items()},
        found=node.count("found") or 0,
        submissions=node.count("submissions") or 0,
        groups=node.count("groups") or 0,
        languages=tuple(
            LanguageLimit(each.text("language"), each.number("score") or 0.0, is_suggested=True)
            for each in node.nodes("languages")
        ),
    )


def _options(node: _Node) -> Options:
    """Return how the batch was compared; what the results do not tell is the default.

    Raises:
        OptionError: A value means nothing.
    """
    limits = node.optional("limits")
    layout, encoding = node.text("layout", LAYOUTS[0]), node.text("encoding", "")
    return Options(
        language=node.text("language", "") or None,
        directories=node.flag("directories"),
        max_sharing=node.count("max_sharing"),
        comment=node.text("comment", ""),
        **_given_constants(node),
        seconds=node.number("time_limit") or Options.seconds,
        intake=Intake(
            layout=layout,
            name_pattern=node.text("name_pattern", "") or None,
            all_attempts=node.text("attempts", "latest") == "all",
            patterns=node.texts("patterns"),
            reads_ignored=node.flag("reads_ignored"),
            encoding=encoding or None,
            reads_markdown=node.flag("markdown"),
            limits=_limits(limits) if limits else Limits(),
            each=node.flag("each"),
        ),
        config=node.text("config", ""),
    )


def _limits(node: _Node) -> Limits:
    defaults = Limits()
    return Limits(
        **{
            each.name: node.count(each.name) or getattr(defaults, each.name)
            for each in fields(Limits)
        }
    )


def _constants(node: _Node) -> dict[str, tuple[int, int]]:
    """Return k and t for each kind of text."""
    noise, guarantee = node.optional("noise"), node.optional("guarantee")
    if noise is None or guarantee is None:
        return {}
    found = {kind: (noise.count(kind, 1), guarantee.count(kind, 1)) for kind in ("code", "prose")}
    return {kind: (k, t) for kind, (k, t) in found.items() if k is not None and t is not None}


def _given_constants(node: _Node) -> dict[str, int | None]:
    """Return k and t as they must be given to have these for both kinds of text.

    Both are told as they were used; that they were given shows in that they are no defaults.
    """
    used, usual = _constants(node), {"code": CODE_DEFAULTS, "prose": PROSE_DEFAULTS}
    if all(used.get(kind) in (None, (each.noise, each.guarantee)) for kind, each in usual.items()):
        return {"noise": None, "guarantee": None}
    k = {noise for noise, _ in used.values()}
    t = {guarantee for _, guarantee in used.values()}
    return {
        "noise": k.pop() if len(k) == 1 else None,
        "guarantee": t.pop() if len(t) == 1 else None,
    }


def _inputs(node: _Node | None) -> Inputs | None:
    if node is None:
        return None
    return Inputs(**{each.name: node.texts(each.name) for each in fields(Inputs)})


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
                pair
                for pair in results.pairs
                if pair.left in members and results.stands_out(pair)
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
