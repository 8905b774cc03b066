"""Joins the submissions of each student over several assignments, under whatever names."""

import csv
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, product
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final, NamedTuple

from mosslite.display import names_joined, text_of_cell
from mosslite.errors import InputError
from mosslite.forests import DisjointSets
from mosslite.languages import language_of
from mosslite.messages import M_, reason_of
from mosslite.records import Role
from mosslite.report.results import PairResult, Results, SubmissionResult
from mosslite.signatures import REPORT_RESULTS

_COLUMNS: Final = ("name", "student")


@dataclass(frozen=True, slots=True)
class Identities:
    """Maps names, ids and addresses of students to students."""

    students: Mapping[str, str] = field(default_factory=dict)

    def of(self, *names: str) -> str | None:
        """Return the student of the first known name or id; None without any."""
        keys = map(key_of, filter(None, names))
        return next((self.students[key] for key in keys if key in self.students), None)


def key_of(name: str) -> str:
    """Return a key equal for spellings of a name that differ only in case or blanks."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def read_identities(path: Path) -> Identities:
    """Read a table of names: a CSV file with the columns ``name`` and ``student``.

    Raises:
        InputError: It cannot be read, has other columns, or maps a name to two students.
    """
    students: dict[str, str] = {}
    for name, student in _rows_of(path, _COLUMNS):
        if students.setdefault(key_of(name), student) != student:
            raise InputError("%(path)r gives %(name)r to two students", path, name)
    return Identities(students)


def read_key(path: Path) -> dict[str, str]:
    """Read the key of anonymous results: the name of each alias.

    Raises:
        InputError: It cannot be read, or has other columns.
    """
    return dict(_rows_of(path, ("alias", "name")))


def _rows_of(path: Path, columns: tuple[str, str]) -> list[tuple[str, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = reason_of(error) if isinstance(error, OSError) else M_("it is not UTF-8")
        raise InputError("cannot read %(path)r: %(why)s", path, why) from error
    rows = csv.DictReader(text.splitlines())
    one, other = columns
    if not set(columns) <= set(rows.fieldnames or ()):
        raise InputError("%(path)r needs the columns %(one)r and %(other)r", path, one, other)
    return [
        (text_of_cell((row[one] or "").strip()), text_of_cell((row[other] or "").strip()))
        for row in rows
    ]


class Given(NamedTuple):
    """Results and their source.

    Attributes:
        digest: SHA-256 of the file.
        names: The names behind aliases, if there is a key.
    """

    path: Path
    results: Results
    digest: str
    names: Mapping[str, str] = MappingProxyType({})


class Outcome(NamedTuple):
    """A pair of students in an assignment; the score is None if it is not listed.

    Attributes:
        first: Key of the student who submitted first; empty if unknown or at the same time.
    """

    score: float | None
    stands_out: bool
    first: str = ""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The results of one assignment by student.

    Attributes:
        submissions: Number of compared submissions in the class.
        threshold: Score from which pairs are high; None if the batch suggests none.
        expected: Expected number of independent pairs above the threshold; None without a
            threshold.
        submissions_of: The submissions of each student, by the student's key: several for members
            of two sections or teams.
        outcomes: Listed pairs, by the keys of two students in ascending order.
    """

    title: str
    created: str
    submissions: int
    threshold: float | None
    expected: float | None
    submissions_of: Mapping[str, frozenset[str]] = field(repr=False)
    outcomes: Mapping[tuple[str, str], Outcome] = field(repr=False)

    @property
    def pairs(self) -> int:
        """Number of pairs of submissions."""
        return self.submissions * (self.submissions - 1) // 2

    def has_both(self, pair: tuple[str, str]) -> bool:
        """Return whether two students submitted, and not as a team."""
        left, right = (self.submissions_of.get(student) for student in pair)
        return bool(left and right and left.isdisjoint(right))


@dataclass(frozen=True, slots=True)
class Joined:
    """Assignments in order of time, and their students.

    Attributes:
        names: Display name of each student, by key.
        apart: What could not be joined, one line each.
        warnings: Other remarks on the results, one line each.
    """

    assignments: tuple[Assignment, ...]
    names: Mapping[str, str]
    apart: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def joined(results: Sequence[Given], identities: Identities | None = None) -> Joined:
    """Identify the students in several results.

    Students are the members named by the platform; without these, a submission has the name of its
    student: the last component, without a program's extension. Students are joined if the table of
    names says so, else if the platform has the same id or address, else if their names are equal,
    unless there are two of that name in one assignment. Aliases differ between results, so without
    a key they are not joined.

    Args:
        results: Of several on the same submissions, only the latest counts.
        identities: Maps different names of a student to the student.
    """
    results, warnings = _without_repeated(results)
    titles = _titles(results)
    found = [
        each
        for number, given in enumerate(results)
        for each in _students_in(number, titles[number], given, identities or Identities())
    ]
    sets = DisjointSets[int]()
    _join_by_id(found, sets)
    namesakes = _join_by_name(found, sets)
    keys, names = _named(found, sets)
    groups = [defaultdict[str, list[str]](list) for _ in results]
    for each, key in zip(found, keys, strict=True):
        groups[each.assignment][each.submission].append(key)
    assignments = [
        _assignment(title, given.results, students)
        for title, given, students in zip(titles, results, groups, strict=True)
    ]
    assignments.sort(key=lambda each: (each.created, each.title))
    for title, given in zip(titles, results, strict=True):
        warnings += [M_("%(title)s: %(remark)s", title, remark) for remark in _remarks_on(given)]
    apart = [M_("%(number)s: %(line)s", titles[number], line) for number, line in namesakes]
    return Joined(
        tuple(assignments),
        names,
        (*apart, *_seen_once(assignments, names)),
        tuple(warnings),
    )


def _remarks_on(given: Given) -> Iterator[str]:
    if given.results.program == "moss":
        yield M_(
            "MOSS lists only submissions that are in a pair; as the others are not counted, what "
            "is found there seems less surprising than it is"
        )
    if given.results.anonymous and not given.names:
        yield M_(
            "numbers stand for names, and differ from result to result: its students are joined "
            "with nobody; --key names the key of each"
        )


# Minimum share of equal submissions in results of the same assignment.
_SAME: Final = 0.5


def _without_repeated(results: Sequence[Given]) -> tuple[list[Given], list[str]]:
    """Leave out results on the same submissions as later ones, and remark on this."""
    newest = sorted(
        range(len(results)), key=lambda n: (results[n].results.created or "", -n), reverse=True
    )
    kept, warnings = list[int](), list[str]()
    for number in newest:
        own = results[number]
        same = next((n for n in kept if _are_the_same(own, results[n])), None)
        if same is None:
            kept.append(number)
        else:
            first = str(results[same].path)
            warnings.append(
                M_("%(path)r is about the same submissions as %(first)r: left out", own.path, first)
            )
    return [results[number] for number in sorted(kept)], sorted(warnings)


def _are_the_same(one: Given, other: Given) -> bool:
    """Return whether two results are equal, or most submissions are equal in name and code."""
    if one.digest == other.digest:
        return True
    left, right = _codes(one), _codes(other)
    least = min(len(left), len(right))
    return least > 1 and len(left & right) >= _SAME * least


def _codes(given: Given) -> set[tuple[str, str]]:
    return {
        ("" if given.results.anonymous else key_of(_student_in(each.name)), each.code or "")
        for each in _current(given.results)
        if each.code and each.tokens
    }


def _titles(results: Sequence[Given]) -> list[str]:
    """Return the titles of results, extended by file names if two are equal."""
    # All reports name their results alike.
    paths = [
        each.path.parent if each.path.name == REPORT_RESULTS else each.path for each in results
    ]
    own = [
        each.results.comparison.comment or path.stem or each.path.stem
        for each, path in zip(results, paths, strict=True)
    ]
    counts = Counter(own)
    titles = [
        title if counts[title] == 1 else f"{title} ({each.path})"
        for title, each in zip(own, results, strict=True)
    ]
    return [
        title if titles.index(title) == number else f"{title}, {number + 1}"
        for number, title in enumerate(titles)
    ]


def _current(results: Results) -> list[SubmissionResult]:
    return [each for each in results.submissions if each.role is Role.CURRENT]


# Names and extensions of submitted repositories.
_REPOSITORIES: Final = frozenset({".git", ".bundle"})


def _student_in(name: str) -> str:
    """Return a submission's name without its section or folder, and a program's extension."""
    last = PurePosixPath(name).name or name
    path = PurePosixPath(last)
    is_ending = language_of(last) or path.suffix in _REPOSITORIES
    return path.stem if path.stem and is_ending else last


def _file_of_all(names: Sequence[str]) -> str:
    """Return the file that all submissions are named after, as are ann/hw1.c and bob/hw1.c."""
    file = ""
    for parts in zip(*(reversed(PurePosixPath(name).parts) for name in names), strict=False):
        if len(names) == 1 or len({*parts}) > 1:
            break
        file = f"/{parts[0]}{file}"
    return file


@dataclass(frozen=True, slots=True)
class _Student:
    """A student in one submission.

    Attributes:
        assignment: Number of the assignment.
        name: Name from the platform, the submission or the table of names.
        ids: The platform's ids, and addresses.
        is_listed: The name is in the table of names.
        whole: The name with a mark that distinguishes it from equal names.
    """

    assignment: int
    submission: str
    name: str
    ids: tuple[str, ...]
    is_listed: bool
    whole: str


_ATTEMPT: Final = re.compile(r", attempt [0-9]+\Z")


def _students_in(
    number: int, title: str, given: Given, identities: Identities
) -> Iterator[_Student]:
    """Yield the students of each submission; attempts of one student have an id in common."""
    results = given.results
    first_of = {
        each.submission: own[0].submission for own in results.attempts or () for each in own
    }
    is_unknown = bool(results.anonymous) and not given.names
    current = _current(results)
    file = _file_of_all([given.names.get(each.name, each.name) for each in current])
    for each in current:
        hand_in, called = each.hand_in, given.names.get(each.name, each.name)
        if each.name in first_of:
            called = _ATTEMPT.sub("", called)
        if is_unknown:
            called = f"{first_of.get(each.name, each.name)} of {title}"
        own_name = called if is_unknown else _student_in(called.removesuffix(file))
        members = hand_in.members or (own_name,)
        for at, name in enumerate(members):
            ids = [column[at] for column in (hand_in.ids, hand_in.emails) if at < len(column)]
            listed = identities.of(*(() if hand_in.members else (called,)), name, *ids)
            if each.name in first_of:
                ids.append(f"attempts {number} {first_of[each.name]} {at}")
            yield _Student(
                assignment=number,
                submission=each.name,
                name=listed or name,
                ids=tuple(filter(None, map(key_of, ids))),
                is_listed=listed is not None,
                whole=f"{name} ({called})" if hand_in.members else called,
            )


def _join_by_id(students: Sequence[_Student], sets: DisjointSets[int]) -> None:
    """Join students with equal ids; numeric ids only if their names share a word.

    Different platforms can assign the same number to different people.
    """
    first: dict[tuple[str, str], int] = {}
    for number, each in enumerate(students):
        for own in () if each.is_listed else each.ids:
            words = key_of(each.name).replace(",", " ").split() if own.isdecimal() else [""]
            for word in words:
                sets.join(first.setdefault((own, word), number), number)


def _join_by_name(students: Sequence[_Student], sets: DisjointSets[int]) -> list[tuple[int, str]]:
    """Join students with equal names; return the names that occur twice in one assignment.

    These are identified by submission, so that two in different sections are kept apart.
    """
    by_name: dict[str, list[int]] = {}
    for number, each in enumerate(students):
        by_name.setdefault(key_of(each.name), []).append(number)
    namesakes = list[tuple[int, str]]()
    for numbers in by_name.values():
        unclear = _with_namesakes([n for n in numbers if not students[n].is_listed], students, sets)
        for assignment, own in unclear.items():
            wholes = sorted({students[number].whole for number in own})
            names = wholes if len(wholes) > 2 else names_joined(wholes)
            namesakes.append((assignment, M_("%(names)s are taken for different students", names)))
        are_unclear = {sets.find(number) for own in unclear.values() for number in own}
        by_whole: dict[str, int] = {}
        for number in numbers:
            is_unclear = sets.find(number) in are_unclear
            whole = key_of(students[number].whole) if is_unclear else ""
            sets.join(by_whole.setdefault(whole, number), number)
    return namesakes


def _with_namesakes(
    numbers: Iterable[int], students: Sequence[_Student], sets: DisjointSets[int]
) -> dict[int, list[int]]:
    """Return, by assignment, the students of one name who are different people there, if any."""
    found = defaultdict[int, list[int]](list)
    for number in numbers:
        found[students[number].assignment].append(number)
    return {
        assignment: own
        for assignment, own in found.items()
        if len({sets.find(number) for number in own}) > 1
    }


def _named(
    students: Sequence[_Student], sets: DisjointSets[int]
) -> tuple[list[str], dict[str, str]]:
    """Return the key of each student, and the most frequent name for each key."""
    spellings = defaultdict[int, Counter[str]](Counter)
    wholes = defaultdict[int, Counter[str]](Counter)
    for number, each in enumerate(students):
        spellings[sets.find(number)][each.name] += 1
        wholes[sets.find(number)][each.whole] += 1
    usual = {number: _most_frequent(counts) for number, counts in spellings.items()}
    shared = Counter(map(key_of, usual.values()))
    names: dict[str, str] = {}
    key_by_set: dict[int, str] = {}
    for number, name in sorted(usual.items(), key=lambda item: (key_of(item[1]), item[0])):
        own = name if shared[key_of(name)] == 1 else _most_frequent(wholes[number])
        key = key_of(own)
        others = (f"{key} ({number})" for number in count(2))
        key = next(each for each in chain((key,), others) if each not in names)
        key_by_set[number], names[key] = key, own if key == key_of(own) else key
    return [key_by_set[sets.find(number)] for number in range(len(students))], names


def _most_frequent(counts: Counter[str]) -> str:
    return min(counts, key=lambda name: (-counts[name], name))


def _assignment(title: str, results: Results, students: Mapping[str, Sequence[str]]) -> Assignment:
    """Return the assignment in which these students, by key, made the submissions."""
    # Attempts of one student count once.
    size, threshold = len(set(map(frozenset, students.values()))), results.threshold
    submissions = defaultdict[str, set[str]](set)
    for name, keys in students.items():
        for key in keys:
            submissions[key].add(name)
    submissions_of = {key: frozenset(names) for key, names in submissions.items()}
    imported = None if threshold or not results.program else _highest(results, size)
    outcomes: dict[tuple[str, str], Outcome] = {}
    for pair in results.pairs:
        if pair.left in students and pair.right in students:
            is_high = threshold is not None and results.stands_out(pair)
            stands_out = pair.names in imported if imported else is_high
            score = _measure(pair) if imported else pair.score
            for left, right in product(students[pair.left], students[pair.right]):
                if submissions_of[left].isdisjoint(submissions_of[right]):
                    both = min(left, right), max(left, right)
                    handed_in = pair.handed_in.first if pair.handed_in else ""
                    first = {"left": left, "right": right}.get(handed_in, "")
                    outcome = Outcome(score, stands_out, first)
                    outcomes[both] = max(
                        outcomes.get(both, outcome),
                        outcome,
                        key=lambda each: (each.stands_out, each.score or 0.0),
                    )
    least = max(threshold.expected, 1.0) if threshold else None
    return Assignment(
        title=title,
        created=results.created or "",
        submissions=size,
        threshold=threshold.score if threshold else None,
        expected=float(len(imported)) if imported else least,
        submissions_of=submissions_of,
        outcomes=outcomes,
    )


# Results of other programs have no threshold. Their highest pairs count as high, one per this many
# submissions, and are all expected to be honest.
_SUBMISSIONS_FOR_A_PAIR: Final = 20


def _highest(results: Results, submissions: int) -> frozenset[frozenset[str]]:
    """Return the names of the highest pairs up to a number, ties included."""
    most = max(submissions // _SUBMISSIONS_FOR_A_PAIR, 1)
    measures = sorted((_measure(pair) for pair in results.pairs), reverse=True)
    least = measures[min(most, len(measures)) - 1] if measures else 1.0
    return frozenset(pair.names for pair in results.pairs if 0 < least <= _measure(pair))


def _measure(pair: PairResult) -> float:
    """Return the similarity of a pair in imported results."""
    sides = [each for each in (pair.left_similarity, pair.right_similarity) if each is not None]
    known = (pair.score, pair.similarity, sum(sides) / len(sides) if sides else None)
    return next((each for each in known if each is not None), 0.0)


def _seen_once(assignments: Sequence[Assignment], names: Mapping[str, str]) -> Iterator[str]:
    """Yield students who occur in one assignment only and have a name similar to another's."""
    if len(assignments) < 2:
        return
    counts = Counter(student for each in assignments for student in each.submissions_of)
    for each in assignments:
        alone = sorted(names[student] for student in each.submissions_of if counts[student] == 1)
        if alone:
            yield M_("%(title)s: in no other assignment: %(shown)s", each.title, alone)
