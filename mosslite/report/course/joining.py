"""Students over several assignments: which submissions of which results are one person's."""

from __future__ import annotations

import csv
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.errors import InputError, OptionError, reason_of
from mosslite.languages import language_of
from mosslite.records import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from mosslite.report.saved import SavedPair, SavedResults, SavedSubmission

__all__ = ["Assignment", "Identities", "Joined", "Outcome", "joined", "read_identities"]

_COLUMNS: Final = ("name", "student")


class Outcome(NamedTuple):
    """How a pair of students did in an assignment; the score is None where none is told."""

    score: float | None
    stands_out: bool


@dataclass(frozen=True, slots=True)
class Assignment:
    """What the results of one assignment tell of students.

    Attributes:
        submissions: How many were compared, those of the class alone.
        threshold: From which score on pairs stand out; None where the batch does not tell.
        expected: How many pairs of students who work independently stand out, at a guess; None
            where no pair does, as the batch tells no threshold.
        submission_of: The submission of each student, by the student's key.
        outcomes: By the keys of two students in ascending order: the pairs that are listed.
    """

    title: str
    created: str
    submissions: int
    threshold: float | None
    expected: float | None
    submission_of: Mapping[str, str] = field(repr=False)
    outcomes: Mapping[tuple[str, str], Outcome] = field(repr=False)

    @property
    def pairs(self) -> int:
        """How many pairs of submissions there are."""
        return self.submissions * (self.submissions - 1) // 2

    def has_both(self, pair: tuple[str, str]) -> bool:
        """Return whether two students handed in apart from each other."""
        left, right = (self.submission_of.get(student) for student in pair)
        return left is not None and right is not None and left != right


@dataclass(frozen=True, slots=True)
class Identities:
    """Who is who where names differ: the student of a submission's or member's name, by key."""

    students: Mapping[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        """Return the name of the student that a name stands for."""
        return self.students.get(key_of(name), name)


@dataclass(frozen=True, slots=True)
class Joined:
    """Assignments in order of their time, and their students.

    Attributes:
        names: How each student is called, by key.
        apart: What could not be joined, each on one line.
    """

    assignments: tuple[Assignment, ...]
    names: Mapping[str, str]
    apart: tuple[str, ...]


def key_of(name: str) -> str:
    """Return what is equal for spellings of one name that differ in case or blanks alone."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def read_identities(path: Path) -> Identities:
    """Read a table of names: a CSV file with the columns ``name`` and ``student``.

    Raises:
        InputError: It cannot be read, has other columns, or gives a name to two students.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = reason_of(error) if isinstance(error, OSError) else "it is not UTF-8"
        msg = f"cannot read {str(path)!r}: {why}"
        raise InputError(msg) from error
    rows = csv.DictReader(text.splitlines())
    if not set(_COLUMNS) <= set(rows.fieldnames or ()):
        msg = f"{str(path)!r} needs the columns 'name' and 'student'"
        raise InputError(msg)
    students: dict[str, str] = {}
    for row in rows:
        name, student = ((row[column] or "").strip() for column in _COLUMNS)
        if students.setdefault(key_of(name), student) != student:
            msg = f"{str(path)!r} gives {name!r} to two students"
            raise InputError(msg)
    return Identities(students)


def joined(
    results: Sequence[tuple[Path, SavedResults]], identities: Identities | None = None
) -> Joined:
    """Join the students of several results.

    A student is who the platform names as a member; without members, a submission is called as
    its student is: by the last part of its name, without the ending of a program.

    Args:
        results: Each with the file it is from.
        identities: Who is who where names differ.

    Raises:
        OptionError: One result is given twice.
    """
    _require_different(results)
    titles = _titles(results)
    known, names, apart = identities or Identities(), Counter[tuple[str, str]](), list[str]()
    assignments = []
    for title, (_, each) in zip(titles, results, strict=True):
        students = _students_of(each, known)
        apart += _ambiguous(title, each, known)
        for name in (name for group in students.values() for name in group):
            names[key_of(name), name] += 1
        assignments.append(_assignment(title, each, students))
    assignments.sort(key=lambda each: (each.created, each.title))
    best: dict[str, str] = {}
    for (key, name), _ in sorted(names.items(), key=lambda item: (-item[1], item[0])):
        best.setdefault(key, name)
    return Joined(tuple(assignments), best, (*apart, *_seen_once(assignments, best)))


def _require_different(results: Iterable[tuple[Path, SavedResults]]) -> None:
    seen: dict[str, Path] = {}
    for path, each in results:
        first = seen.setdefault(each.digest, path)
        if first is not path:
            msg = f"{str(path)!r} is the same as {str(first)!r}: give each assignment once"
            raise OptionError(msg)


def _titles(results: Sequence[tuple[Path, SavedResults]]) -> list[str]:
    """Return the titles of results, with the names of files where two are the same."""
    own = [each.options.comment or path.stem for path, each in results]
    counts = Counter(own)
    titles = [
        title if counts[title] == 1 else f"{title} ({path})"
        for title, (path, _) in zip(own, results, strict=True)
    ]
    return [
        title if titles.index(title) == number else f"{title}, {number + 1}"
        for number, title in enumerate(titles)
    ]


def _current(results: SavedResults) -> list[SavedSubmission]:
    return [each for each in results.submissions.values() if each.role is Role.CURRENT]


def _student_in(name: str) -> str:
    """Return a submission's name without its section or folder, and without a program's ending."""
    last = PurePosixPath(name).name or name
    stem = PurePosixPath(last).stem
    return stem if stem and language_of(last) else last


def _students_of(results: SavedResults, identities: Identities) -> dict[str, tuple[str, ...]]:
    """Return the students of each submission; two of one name keep the whole name."""
    counts = Counter(key_of(_student_in(each.name)) for each in _current(results))
    found = {}
    for each in _current(results):
        own = _student_in(each.name)
        name = own if counts[key_of(own)] == 1 else each.name
        members = each.hand_in.members or (identities.students.get(key_of(each.name), name),)
        found[each.name] = tuple(dict.fromkeys(map(identities.of, members)))
    return found


def _ambiguous(title: str, results: SavedResults, identities: Identities) -> Iterator[str]:
    by_student: dict[str, list[str]] = {}
    for each in _current(results):
        if not each.hand_in.members and key_of(each.name) not in identities.students:
            by_student.setdefault(key_of(_student_in(each.name)), []).append(each.name)
    for names in by_student.values():
        if len(names) > 1:
            yield f"{title}: {' and '.join(sorted(names))} are taken for different students"


def _assignment(
    title: str, results: SavedResults, students: Mapping[str, tuple[str, ...]]
) -> Assignment:
    submission_of = {key_of(name): each for each, group in students.items() for name in group}
    count, threshold = len(students), results.threshold
    imported = None if threshold or not results.program else _highest(results, count)
    outcomes: dict[tuple[str, str], Outcome] = {}
    for pair in results.pairs:
        if pair.left in students and pair.right in students:
            stands_out = pair.rank in imported if imported else results.stands_out(pair)
            outcome = Outcome(_measure(pair) if imported else pair.score, stands_out)
            for both in _pairs_of(pair, students):
                outcomes[both] = max(outcomes.get(both, outcome), outcome, key=_rank)
    return Assignment(
        title=title,
        created=results.created,
        submissions=count,
        threshold=threshold.score if threshold else None,
        expected=_expected(results, imported),
        submission_of=submission_of,
        outcomes=outcomes,
    )


# Results of other programs tell no threshold. Of them the highest pairs stand out, one for each so
# many submissions, and all of them are taken for honest.
_SUBMISSIONS_FOR_A_PAIR: Final = 20


def _highest(results: SavedResults, submissions: int) -> frozenset[int]:
    """Return the ranks of the pairs that stand out by their number alone, ties included."""
    most = max(submissions // _SUBMISSIONS_FOR_A_PAIR, 1)
    measures = sorted((_measure(pair) for pair in results.pairs), reverse=True)
    least = measures[min(most, len(measures)) - 1] if measures else 1.0
    return frozenset(pair.rank for pair in results.pairs if 0 < least <= _measure(pair))


def _measure(pair: SavedPair) -> float:
    """Return how alike a pair is, by what an imported result tells of it."""
    sides = [each for each in (pair.left_similarity, pair.right_similarity) if each is not None]
    known = (pair.score, pair.similarity, sum(sides) / len(sides) if sides else None)
    return next((each for each in known if each is not None), 0.0)


def _expected(results: SavedResults, imported: frozenset[int] | None) -> float | None:
    if imported:
        return float(len(imported))
    return max(results.threshold.expected, 1.0) if results.threshold else None


def _rank(outcome: Outcome) -> tuple[bool, float]:
    return outcome.stands_out, outcome.score or 0.0


def _pairs_of(
    pair: SavedPair, students: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    """Return the students of a pair two by two: each of one team with each of the other."""
    sides = (map(key_of, students[pair.left]), map(key_of, students[pair.right]))
    for left, right in product(*map(tuple, sides)):
        if left != right:
            yield (left, right) if left < right else (right, left)


def _seen_once(assignments: Sequence[Assignment], names: Mapping[str, str]) -> Iterator[str]:
    """Name the students of one assignment alone: where others have names like theirs, mistakes."""
    if len(assignments) < 2:
        return
    counts = Counter(student for each in assignments for student in each.submission_of)
    for each in assignments:
        alone = sorted(names[student] for student in each.submission_of if counts[student] == 1)
        if alone:
            yield f"{each.title}: in no other assignment: {', '.join(alone)}"
