"""Exports of learning platforms as they lay them out: texts by their paths."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mosslite.intake.entries import Entry
from mosslite.intake.exports import ExportEntry
from mosslite.intake.grouping import recognize
from mosslite.options import Intake

_PLATFORM_ODDITIES: Final = '\\/:*?"<>|'


@dataclass(frozen=True, slots=True)
class Student:
    """Who handed in what: texts by file name."""

    first: str
    last: str
    number: int
    files: Mapping[str, str] = field(default_factory=lambda: {"main.py": "print('hello')\n"})
    is_late: bool = False
    time: str = "2024-01-15 23:59:00"

    @property
    def name(self) -> str:
        """First name first."""
        return f"{self.first} {self.last}".strip()

    @property
    def login(self) -> str:
        """A user name."""
        return f"{self.last}{self.first[:1]}".lower()


STUDENTS: Final = (
    Student("Bob", "Smith", 340934, {"hw.py": "a = 1\n", "lib/list.py": "b = 2\n"}),
    Student("Ann", "Doe", 340935, {"hw.py": "c = 3\n"}, is_late=True, time="2024-01-16 08:05:09"),
    Student("Cy", "O'Hara", 340936, {"my_1_2_hw.py": "d = 4\n"}),
)

# First and last name, of people whom every list of names has.
ODD_NAMES: Final = (
    ("Jürgen", "Müller-Lüdenscheidt"),
    ("Siobhán", "O'Connor"),
    ("Sammy", "Davis, Jr."),
    ("小明", "王"),
    ("Zoë 🎉", "Łukasz"),
    ("Under_score", "_12_x_"),
    ("אברהם", "כהן"),
    ("नेहा", "शर्मा"),
    ("x" * 140, "y" * 150),
)


def entries_of(files: Mapping[str, str | bytes]) -> list[Entry]:
    """Return the files as what a walk through a folder ``hw`` finds."""
    return [
        Entry(f"hw/{name}", name, text if isinstance(text, bytes) else text.encode())
        for name, text in files.items()
    ]


class Placed(NamedTuple):
    """What a batch is recognized as: the platform, and the student of each entry."""

    title: str
    places: tuple[ExportEntry, ...]
    remark: str


def recognized(
    entries: Sequence[Entry], root: str, intake: Intake, *, is_archive: bool = False
) -> Placed:
    """Recognize a batch and place each of its entries."""
    found = recognize(entries, root, intake, is_archive=is_archive)
    return Placed(
        found.title, tuple(found.place(each.name) for each in entries), "".join(found.remarks)
    )


def within(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the same files below a folder."""
    return {f"{folder}/{name}": text for name, text in files.items()}


def canvas_name(student: Student) -> str:
    """Return what Canvas makes of a name: letters, digits and underscores in lower case."""
    name = f"{student.last}{student.first}"
    return "".join(c for c in name if c.isalnum() or c == "_").lower()


def placed(
    students: Iterable[Student], place: Callable[[Student, str, int], str]
) -> dict[str, str]:
    """Return the files of students where a function of student, name and counter places them."""
    files = [(student, name) for student in students for name in student.files]
    return {
        place(student, name, number): student.files[name]
        for number, (student, name) in enumerate(files, 208490285)
    }


def canvas_export(students: Iterable[Student] = STUDENTS) -> dict[str, str]:
    """Return a flat folder; Canvas has no folders, so that those of a student are left out."""

    def place(student: Student, name: str, number: int) -> str:
        late = "_LATE" if student.is_late else ""
        return f"{canvas_name(student)}{late}_{student.number}_{number}_{_flat(name)}"

    return placed(students, place)


def canvas_anonymous_export(students: Iterable[Student] = STUDENTS) -> dict[str, str]:
    """Return a flat folder of an assignment that is graded anonymously."""

    def place(student: Student, name: str, number: int) -> str:
        late = "LATE_" if student.is_late else ""
        return f"{late}anon_aB{student.number}_{number}_{_flat(name)}"

    return placed(students, place)


def moodle_export(
    students: Iterable[Student] = STUDENTS, *, is_flat: bool = False, is_old: bool = False
) -> dict[str, str]:
    """Return a folder for each student, or none; older sites end the folders in ``_``."""

    def place(student: Student, name: str, _: int) -> str:
        folder = f"{student.name.replace('_', ' ')}_{student.number}_assignsubmission_file"
        return f"{folder}_{_flat(name)}" if is_flat else f"{folder}{'_' * is_old}/{name}"

    return placed(students, place)


def gradescope_export(
    teams: Iterable[Sequence[Student]] = tuple(zip(STUDENTS, strict=True)),
) -> dict[str, str]:
    """Return a folder for each team, named by the first member's number, and the metadata."""
    files: dict[str, str] = {}
    lines = ["---"]
    for team in teams:
        place = f"submission_{team[0].number}"
        lines += [f"{place}:", "  :submitters:"]
        for each in team:
            quoted = each.name.replace("'", "''")
            lines += [f"  - :name: '{quoted}'", f"    :sid: '{each.number}'"]
            lines += [f"    :email: {each.number}@example.edu"]
        lines += [f"  :created_at: {team[0].time}.123456789 Z", "  :score: 10.0"]
        lines += ["  :history:", "  - :id: 1", "    :submitters:", "    - :name: 'Nobody'"]
        files |= within(place, dict(team[0].files))
    return {"submission_metadata.yml": "\n".join([*lines, ""]), **files}


def blackboard_export(
    students: Iterable[Student] = STUDENTS, *, assignment: str = "Homework_1"
) -> dict[str, str]:
    """Return each student's files and the note on them."""
    files = {}
    for student in students:
        time = student.time.replace(" ", "-").replace(":", "-")
        place = f"{assignment}_{student.login}_attempt_{time}"
        files[f"{place}.txt"] = (
            f"Name: {student.name} ({student.login})\r\nAssignment: {assignment}\r\n"
            "Date Submitted: Monday, January 15, 2024 11:59:00 PM EST\r\nCurrent Grade: \r\n\r\n"
            "Submission Field:\r\n"
            "There is no student submission text data for this assignment.\r\n\r\n"
            "Comments:\r\nThere are no student comments for this assignment.\r\n\r\nFiles:\r\n"
        )
        files |= {f"{place}_{_flat(name)}": text for name, text in student.files.items()}
    return files


def brightspace_export(
    students: Iterable[Student] = STUDENTS, *, when: str = "January 15, 2024 1159 PM"
) -> dict[str, str]:
    """Return a folder for each student, and the list."""
    files = {"index.html": "<html></html>"}
    for student in students:
        place = f"{student.number}-77 - {student.name} - {when}"
        files |= within(place, {_flat(name): text for name, text in student.files.items()})
    return files


def sakai_export(students: Iterable[Student] = STUDENTS) -> dict[str, str]:
    """Return a folder for each student, with records of the platform, and the list of grades."""
    files = {"Homework 1/grades.csv": '"Display ID","ID","Last Name","First Name","grade"\n'}
    for student in students:
        place = f"Homework 1/{student.last}, {student.first}({student.login})"
        time = "".join(filter(str.isdigit, student.time))
        files |= {f"{place}/timestamp.txt": f"{time}000", f"{place}/comments.txt": ""}
        files |= {f"{place}/feedbackText.html": "<p>Well done.</p>"}
        files |= within(f"{place}/Feedback Attachment(s)", {"model.py": "e = 5\n"})
        files |= within(f"{place}/Submission attachment(s)", dict(student.files))
    return files


def autolab_export(students: Iterable[Student] = STUDENTS) -> dict[str, str]:
    """Return a flat folder of what was handed in first."""
    return placed(students, lambda each, name, _: f"{each.login}@example.edu_1_{_flat(name)}")


def github_export(students: Iterable[Student] = STUDENTS, *, slug: str = "hw1") -> dict[str, str]:
    """Return the clones in ``<slug>-submissions/``."""
    return placed(students, lambda each, name, _: f"{slug}-submissions/{slug}-{each.login}/{name}")


def submit50_export(students: Iterable[Student] = STUDENTS) -> dict[str, str]:
    """Return the clones in ``me50/``."""
    return placed(students, lambda each, name, _: f"me50/{each.login}/{name}")


def nbgrader_export(
    students: Iterable[Student] = STUDENTS, *, assignment: str = "ps1"
) -> dict[str, str]:
    """Return a course's folder."""
    files = {"source/ps1/problem.ipynb": "{}", "nbgrader_config.py": "c = 1\n"}
    for student in students:
        place = f"submitted/{student.login}/{assignment}"
        files[f"{place}/timestamp.txt"] = f"{student.time}.948203 UTC"
        files |= within(place, dict(student.files))
        files |= within(f"autograded/{student.login}/{assignment}", dict(student.files))
    return files


def dolos_export(students: Iterable[Student] = STUDENTS) -> dict[str, str]:
    """Return the files in a folder for each student, and the table of them."""
    table = io.StringIO(newline="")
    writer = csv.writer(table)
    writer.writerow(["filename", "label", "created_at", "full_name", "id", "ignored"])
    files = {}
    for number, student in enumerate(students):
        for name, text in student.files.items():
            path = f"{student.number}/{name}"
            files[path] = text
            label = "late" if student.is_late else ""
            writer.writerow([path, label, f"{student.time} +0200", student.name, number, "false"])
    return {"info.csv": table.getvalue(), **files}


def _flat(name: str) -> str:
    """Return a file name as platforms leave it."""
    return "".join("_" if c in _PLATFORM_ODDITIES else c for c in name)


# By the name of the layout, and what more is said of it.
EXPORTS: Final[Mapping[str, Callable[[Sequence[Student]], dict[str, str]]]] = {
    "canvas": canvas_export,
    "canvas, anonymous": canvas_anonymous_export,
    "moodle": moodle_export,
    "moodle, flat": lambda students: moodle_export(students, is_flat=True),
    "gradescope": lambda students: gradescope_export([[each] for each in students]),
    "blackboard": blackboard_export,
    "brightspace": brightspace_export,
    "sakai": sakai_export,
    "autolab": autolab_export,
    "github": github_export,
    "submit50": submit50_export,
    "nbgrader": nbgrader_export,
    "dolos": dolos_export,
    "plain": lambda students: placed(students, lambda each, name, _: f"{each.login}/{name}"),
}
_TITLES: Final = {"github": "GitHub Classroom", "plain": ""} | {
    name: name for name in ("nbgrader", "submit50")
}


def title_of(kind: str) -> str:
    """Return what an export is called where it is recognized."""
    layout = kind.partition(",")[0]
    return _TITLES.get(layout, layout.capitalize())
