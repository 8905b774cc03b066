"""Records of results in a file: JSON nodes, submissions, pairs and their groups."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from mosslite.errors import InputError
from mosslite.forests import DisjointSets
from mosslite.messages import M_, from_json
from mosslite.options import Mark, Options
from mosslite.records import (
    Inputs,
    NotCompared,
    NoThreshold,
    Origin,
    RepositorySummary,
    Role,
    Skipped,
    SubmissionMetadata,
    Threshold,
)
from mosslite.report.results import FORMAT
from mosslite.report.review import HighScores, without_surrogates


@dataclass(frozen=True, slots=True)
class SavedPlace:
    """Lines of a file, 1-based; ``where`` is their description in a file of parts, else empty.

    Attributes:
        others: Other properties in the results, by name, such as the commit time.
    """

    file: str
    first_line: int
    last_line: int
    where: str = ""
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match by its lines; None for data that the results do not contain.

    Attributes:
        bits: Information in the best chain of matches through it.
        expected: How many with as much information an honest pair of these sizes has.
        left_origin: First commit with the match, if the left side has a repository.
        right_origin: First commit with the match, if the right side has a repository.
    """

    left: SavedPlace
    right: SavedPlace
    tokens: int | None
    block: int | None
    bits: float | None = None
    expected: float | None = None
    left_origin: Origin | None = None
    right_origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class SavedEvidence:
    """Evidence that few others have, like ``RareEvidence``, by the names of files."""

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
    """A submission in results.

    Attributes:
        tokens: Number of compared tokens; None if unknown.
        language: That of most of its tokens; empty if unknown.
        left_out: Number of boilerplate tokens, and that of each base file.
        code: Digest of its own code; empty if unknown.
        text: Digest of the texts of its files; empty if unknown.
        degraded: Files that the plain tokenizer read.
        disguised: Number of look-alike and invisible characters in it.
        others: Other properties in the results, by name.
    """

    name: str
    role: Role
    files: tuple[str, ...]
    tokens: int | None
    languages: tuple[str, ...]
    language: str
    hand_in: SubmissionMetadata
    left_out: tuple[int, tuple[tuple[str, int], ...]]
    code: str
    text: str
    degraded: tuple[str, ...] = ()
    disguised: int = 0
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SavedPair:
    """A pair in results; None for data that the results do not contain.

    Attributes:
        rank: Position in the list, from 1.
        placed_by: The evidence that most of the score comes from; empty if unknown.
        by_chance: Number of further matches, which chance explains.
        first: The side submitted first (``both`` for equal times, empty if unknown), and by how
            many seconds.
    """

    rank: int
    left: str
    right: str
    score: float | None
    placed_by: str
    similarity: float | None
    left_similarity: float | None
    right_similarity: float | None
    matched_tokens: int | None
    matched_lines: int | None
    longest_match: int | None
    matches: tuple[SavedMatch, ...]
    by_chance: int
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
        digest: SHA-256 of the file.
        created: Time of creation; empty if unknown.
        version: Version of mosslite that created or imported them.
        program: Name of the other program, for imported results; else empty.
        options: Options of the comparison.
        thresholds: k and t by kind of text; empty if unknown.
        base: Names of the base files.
        no_threshold: Why there is no threshold; None if there is one, and in imported results.
        inputs: The paths given; None if unknown.
        not_compared: Submissions of which nothing was compared.
        skipped: Files that were not compared, with reasons; those over a limit have a submission.
        unlisted: Number of pairs above the threshold that are not listed.
        attempts: Names of submissions that are attempts of one student, by student.
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
    no_threshold: NoThreshold | None
    submissions: Mapping[str, SavedSubmission] = field(repr=False)
    pairs: tuple[SavedPair, ...] = field(repr=False)
    not_compared: tuple[NotCompared, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()
    unlisted: int = 0
    attempts: tuple[tuple[str, ...], ...] = ()

    def limit_of(self, pair: SavedPair) -> float | None:
        """Return the threshold for a pair; None if another program's results have none."""
        if self.threshold is None and self.no_threshold is None:
            return None
        highs = HighScores.by(self.threshold, self.no_threshold or NoThreshold.TOO_FEW)
        left, right = (self.submissions[name].language for name in (pair.left, pair.right))
        return highs.limit_between(left, right)

    def stands_out(self, pair: SavedPair) -> bool:
        """Return whether a pair is at or above the threshold."""
        limit = self.limit_of(pair)
        return limit is not None and pair.score is not None and pair.score >= limit


def pair_of(results: SavedResults, names: Sequence[str]) -> SavedPair:
    """Return the pair with this number or these names.

    Args:
        results: The results.
        names: Its number in the list, or the names of both submissions, in either order.

    Raises:
        InputError: There is no such pair.
    """
    if len(names) == 1:
        return _numbered(results, names[0])
    if len(names) != 2:
        raise InputError("a pair is a number or two names, not %(names)s of them", len(names))
    wanted = frozenset(names)
    for pair in results.pairs:
        if pair.names == wanted:
            return pair
    for name in names:
        _require_submission(results, name)
    raise InputError(
        "%(names)r and %(names2)r are not among the pairs of the results", names[0], names[1]
    )


def _numbered(results: SavedResults, number: str) -> SavedPair:
    count = len(results.pairs)
    if number.isascii() and number.isdecimal() and 1 <= len(number) <= 9:
        if 1 <= int(number) <= count:
            return results.pairs[int(number) - 1]
        raise InputError(
            "there is no pair %(number)d: the results have %(count)d", int(number), count
        )
    hint = "" if number in results.submissions else _hint(results, number)
    raise InputError(
        "%(number)r is not the number of a pair: give a number, or the names "
        "of both submissions%(hint)s",
        number,
        hint,
    )


def _require_submission(results: SavedResults, name: str) -> None:
    if name not in results.submissions:
        hint = _hint(results, name)
        raise InputError("%(name)r is not a submission of the results%(hint)s", name, hint)


def _hint(results: SavedResults, name: str) -> str:
    """Return which submission a name is likely to mean; empty if none is like it."""
    submissions: dict[str, str] = {}
    for each in results.submissions:
        for form in _forms(each):
            submissions.setdefault(form, each)
    close = (get_close_matches(form, submissions, n=1) for form in _forms(name))
    near = next((submissions[each[0]] for each in close if each), "")
    return M_(": did you mean %(near)r?", near) if near else ""


def _forms(name: str) -> list[str]:
    """Return the forms in which a name is remembered: without case, folders, extensions, files."""
    folded = name.casefold().rstrip("/")
    last = folded.rpartition("/")[2]
    return [folded, last, last.partition(".")[0], folded.partition("/")[0]]


def group_of(results: SavedResults, name: str) -> tuple[SavedPair, ...]:
    """Return the pairs above the threshold that connect a submission with others.

    Raises:
        InputError: It does not exist, or is in no such pair.
    """
    _require_submission(results, name)
    if results.threshold is None and results.no_threshold is None:
        raise InputError("the results have no threshold, so there are no groups: name a pair")
    for members in groups_of(results):
        if name in members:
            return tuple(
                pair for pair in results.pairs if pair.left in members and results.stands_out(pair)
            )
    raise InputError("%(name)r is in no group: no pair of it reaches the threshold", name)


def groups_of(results: SavedResults) -> list[frozenset[str]]:
    """Return the groups connected by pairs above the threshold, ordered by their best pair."""
    numbers = {each: number for number, each in enumerate(results.submissions)}
    sets, high = DisjointSets(), [each for each in results.pairs if results.stands_out(each)]
    for pair in high:
        sets.join(numbers[pair.left], numbers[pair.right])
    groups: dict[int, frozenset[str]] = {}
    for pair in high:
        group = sets.find(numbers[pair.left])
        groups[group] = groups.get(group, frozenset()) | pair.names
    return [*groups.values()]


# Maximum size of a results file; 100,000 pairs with all their matches are smaller.
MOST_BYTES: Final = 1 << 30
# Maximum number of unknown properties shown.
_MOST_PROPERTIES: Final = 20
_LONGEST: Final = 200
# Larger counts are rejected.
_MOST: Final = 1 << 53


class WrongError(Exception):
    """A value is invalid; the message is appended to the name of the file."""


class Node:
    """A JSON object and its path; accessors check the types of values."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise WrongError(f"{where} is not an object")
        self._value, self._where = value, where

    def error(self, key: str, what: str) -> WrongError:
        """Return the error for a value of the wrong type."""
        return WrongError(f"{key!r} of {self._where} is not {what}")

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string, or the default if it is missing."""
        value = self._value.get(key, default)
        value = default if value is None else value
        if not isinstance(value, str):
            raise self.error(key, "a text")
        return without_surrogates(value)

    def message(self, key: str) -> str:
        """Return a message by its English; empty if it is missing."""
        return from_json(self._value.get("message"), self.text(key, ""))

    def messages(self, key: str) -> tuple[str, ...]:
        """Return messages by their English."""
        texts, known = self.texts(key), self._value.get("messages")
        if not isinstance(known, list) or len(known) != len(texts):
            return texts
        return tuple(map(from_json, known, texts))

    def count(self, key: str, least: int = 0) -> int | None:
        """Return an integer; None if it is missing."""
        value = self._value.get(key)
        if value is None:
            return None
        if type(value) is not int or not least <= value <= _MOST:
            raise self.error(key, f"a whole number from {least}")
        return value

    def required_count(self, key: str, least: int = 0) -> int:
        """Return an integer that must exist."""
        value = self.count(key, least)
        if value is None:
            raise self.error(key, f"a whole number from {least}")
        return value

    def number(self, key: str, most: float = math.inf) -> float | None:
        """Return a non-negative number; None if it is missing."""
        value = self._value.get(key)
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= most or value > _MOST:
            raise self.error(key, f"a number from 0{'' if math.isinf(most) else f' to {most:g}'}")
        return float(value)

    def flag(self, key: str) -> bool:
        """Return a Boolean; False if it is missing."""
        value = self._value.get(key, False)
        if not isinstance(value, bool):
            raise self.error(key, "true or false")
        return value

    def node(self, key: str) -> Node:
        """Return an object that must exist."""
        return Node(self._value.get(key), f"{key!r} of {self._where}")

    def optional(self, key: str) -> Node | None:
        """Return an object; None if it is missing."""
        return None if self._value.get(key) is None else self.node(key)

    def list(self, key: str) -> Sequence[object]:
        """Return a list; empty if it is missing."""
        value = self._value.get(key)
        value = [] if value is None else value
        if not isinstance(value, list):
            raise self.error(key, "a list")
        return value

    def nodes(self, key: str) -> Iterator[Node]:
        """Return the objects of a list."""
        for number, each in enumerate(self.list(key), 1):
            yield Node(each, f"{key!r} of {self._where}, number {number}")

    def node_lists(self, key: str) -> Iterator[Iterator[Node]]:
        """Return the lists of objects in a list."""
        for number, each in enumerate(self.list(key), 1):
            where = f"{key!r} of {self._where}, number {number}"
            yield Node({"list": each}, where).nodes("list")

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the strings of a list."""
        values = self.list(key)
        if not all(isinstance(value, str) for value in values):
            raise self.error(key, "a list of texts")
        return tuple(without_surrogates(str(value)) for value in values)

    def others(self, known: frozenset[str]) -> tuple[tuple[str, str], ...]:
        """Return unknown properties of the object as text, such as the commit time of a passage."""
        others = {key: value for key, value in self._value.items() if key not in known}
        properties = [each for key, value in others.items() for each in _properties(key, value)]
        return tuple(properties[:_MOST_PROPERTIES])

    def counts(self, key: str) -> tuple[int, ...]:
        """Return the line numbers of a list."""
        values = self.list(key)
        found = tuple(v for v in values if type(v) is int and 1 <= v <= _MOST)
        if len(found) < len(values):
            raise self.error(key, "a list of line numbers")
        return found


def _properties(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield texts and numbers with their keys, recursively for objects; of a list the length."""
    words = without_surrogates(key.replace("_", " "))[:_LONGEST]
    if isinstance(value, bool):
        yield words, "yes" if value else "no"
    elif isinstance(value, str) or (isinstance(value, int | float) and abs(value) <= _MOST):
        yield words, without_surrogates(str(value))[:_LONGEST]
    elif isinstance(value, list):
        yield words, f"{len(value):,}"
    elif isinstance(value, dict):
        for inner, each in value.items():
            if not isinstance(each, dict):
                yield from _properties(f"{key} {inner}", each)


def parsed(content: bytes) -> Node:
    """Parse the object in a results file.

    Raises:
        WrongError: It is not an object.
    """
    if len(content) > MOST_BYTES:
        raise WrongError(f"it is larger than {MOST_BYTES:,} bytes")
    try:
        value = json.loads(content.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise WrongError("it is not JSON") from error
    node = Node(value, "the file")
    if value.get("format") != FORMAT or not isinstance(value.get("pairs"), list):
        raise WrongError(f"it has no list of 'pairs' in format {FORMAT}")
    return node


def _refuse(constant: str) -> float:
    raise ValueError(constant)
