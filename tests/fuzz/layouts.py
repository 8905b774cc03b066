"""Layouts: names as learning platforms give them and as students do, with any metadata."""

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from mosslite.errors import InputError
from mosslite.intake.entries import Entry, Names
from mosslite.intake.grouping import distinct, submissions_of
from mosslite.intake.platforms.recognition import Grouping, recognize
from mosslite.options import LAYOUTS, Intake
from mosslite.records import Role
from tests import exports
from tests.fuzz.inputs import chosen, joined, parted, records, written
from tests.fuzz.running import fuzz

_ROOTS: Final = ("hw", "hw1-submissions/", "assignment_7_export.zip", "submitted", "me50", "/")
_PATTERNS: Final = (
    r"(?P<name>[^/]*)",
    r"(?P<name>[a-z]+)_(?P<id>[0-9]*)_?(?P<attempt>[0-9]*)",
    r"(?P<label>[^/]*)/(?P<name>[^/ ]*) ?(?P<time>[-0-9 :TZ+.]*)/(?P<file>.*)",
    r"(?P<name>)",
)
# Whatever an entry was found in, its name is no longer; more entries only take more time.
_LONGEST: Final = 4096
_MOST_ENTRIES: Final = 2000

# What stands where a file should be: a name that begins with one of these marks.
_OBSTACLES: Final = {"!": ("is encrypted", False), "?": ("is hidden", True)}


def TestOneInput(data: bytes) -> None:  # noqa: N802 - as libFuzzer calls it
    """Require of every layout a place for each entry, and each entry in one submission.

    The numbers: the name of the batch, and whether it is an archive of which all attempts are
    wanted.
    """
    content, (root, kind) = parted(data, 2)
    entries, batch = list(_entries(content)), chosen(_ROOTS, root)
    is_archive, all_attempts = bool(kind & 1), bool(kind & 2)
    intakes = [Intake(layout=layout, all_attempts=all_attempts) for layout in LAYOUTS]
    intakes += [Intake(name_pattern=each, all_attempts=all_attempts) for each in _PATTERNS]
    for intake in intakes:
        try:
            found = recognize(entries, batch, intake, is_archive=is_archive)
        except InputError:
            if intake.layout in {"auto", "plain"} and not intake.name_pattern:
                raise
        else:
            _check(entries, found, batch, intake)


def _entries(content: bytes) -> Iterator[Entry]:
    names = Names()
    for encoded, rest in islice(records(content), _MOST_ENTRIES):
        parts = [part for part in encoded[:_LONGEST].decode("utf-8", "replace").split("/") if part]
        if parts:
            obstacle, is_ignored = _OBSTACLES.get(parts[0][:1], ("", False))
            folder = "/" if is_ignored and encoded.endswith(b"/") else ""
            name = names.distinct("/".join(parts) + folder)
            yield Entry(f"hw/{name}", name, rest, obstacle=obstacle, is_ignored=is_ignored)


def _check(entries: Sequence[Entry], found: Grouping, root: str, intake: Intake) -> None:
    for place in [found.place(entry.name) for entry in entries]:
        assert place.key
        assert place.name
        assert place.file.strip("/")
    plans = distinct(submissions_of(entries, found.place, Role.CURRENT, root, intake))
    assert len({plan.name for plan in plans}) == len(plans)
    planned = [entry.path for plan in plans for entry in plan.entries]
    assert sorted(planned) == sorted(entry.path for entry in entries)
    left_out = [entry for plan in plans for entry in plan.entries if entry.obstacle]
    assert all(len(entry.obstacle.splitlines()) == 1 for entry in left_out)


def exported() -> Iterator[dict[str, str]]:
    """Yield exports of all platforms, of people with plain and with odd names."""
    odd = [exports.Student(*name, 1000 + i) for i, name in enumerate(exports.ODD_NAMES)]
    for students in (exports.STUDENTS, odd):
        yield exports.canvas_export(students)
        yield exports.canvas_anonymous_export(students)
        yield exports.moodle_export(students)
        yield exports.moodle_export(students, is_flat=True, is_old=True)
        yield exports.gradescope_export([students])
        yield exports.gradescope_export([[each] for each in students])
        yield exports.blackboard_export(students)
        yield exports.brightspace_export(students)
        yield exports.github_export(students)
        yield exports.submit50_export(students)
        yield exports.nbgrader_export(students)
        yield exports.dolos_export(students)


def seeds() -> Iterator[bytes]:
    """Yield exports, whole and with other names, and what is none."""
    for number, files in enumerate(exported()):
        yield written(joined(files.items()), number, number)
        yield written(joined(exports.within("export", files).items()), 0, number // 2)
    again = {"smithbob_1_2_hw-1.py": "", "smithbob_1_3_hw.py": "", "!a/b": "", "?a/": "", "a/c": ""}
    yield written(joined(again.items()), 0, 2)
    yield written(joined([("submission_metadata.yml", "a: &a [*a, !!python/name:os]")]), 2, 0)
    yield written(joined([("info.csv", 'filename,"a\n"\n../a,"'), ("a", "")]), 0, 0)


if __name__ == "__main__":
    sys.exit(fuzz("layouts", sys.argv[1:]))
