"""Sections of one assignment, such as several exports: batches of their own that become one."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mosslite.counts import counted
from mosslite.errors import InputError
from mosslite.intake.attempts import submissions_of
from mosslite.intake.equal_names import Names
from mosslite.intake.layouts import recognize, without_ending
from mosslite.intake.layouts.records import parted
from mosslite.intake.places import is_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.intake.attempts import Planned
    from mosslite.intake.entries import Entry
    from mosslite.intake.layouts import Recognized
    from mosslite.model import Role
    from mosslite.options import Intake

__all__ = [
    "Section",
    "are_exports",
    "distinct_names",
    "merged",
    "require_no_sections",
    "sections_in",
]

# So few submissions that hold so many folders or works each are sections read as submissions.
_MOST_GIANTS, _LEAST_HELD = 3, 5


@dataclass(frozen=True, slots=True)
class Section:
    """A folder or an archive that holds submissions.

    Attributes:
        name: What the names of its submissions begin with.
        path: As it is shown.
        entries: All that is in it, named from there.
    """

    name: str
    path: str
    entries: tuple[Entry, ...]
    is_archive: bool

    def recognized(self, intake: Intake) -> Recognized:
        """Tell whose work each entry is."""
        return recognize(self.entries, self.path, intake, is_archive=self.is_archive)


def sections_in(
    entries: Sequence[Entry], root: str, *, is_archive: bool
) -> tuple[list[Section], list[Entry]]:
    """Take the folders and archives at the top of a batch for sections.

    Args:
        entries: All of the batch, named from there.
        root: Its path, as it is shown.
        is_archive: The folder that all of an archive lies in is not a section.

    Returns:
        Sections in order of their names, and what is in none of them.
    """
    inside = [(entry, *parted(entry.name)) for entry in entries]
    tops = {top for entry, top, _ in inside if not entry.is_ignored}
    if is_archive and len(tops) == 1 and all(rest for _, _, rest in inside):
        folder = tops.pop()
        moved = [replace(entry, name=rest) for entry, _, rest in inside]
        return sections_in(moved, f"{root.rstrip('/')}/{folder}", is_archive=False)
    of_top: dict[str, list[Entry]] = {}
    for entry, top, rest in inside:
        if rest:
            of_top.setdefault(top, []).append(replace(entry, name=rest))
    names = Names()
    sections = [
        Section(
            name=names.distinct(without_ending(top)),
            path=f"{root.rstrip('/')}/{top}",
            entries=tuple(of_top[top]),
            is_archive=without_ending(top) != top,
        )
        for top in sorted(of_top)
    ]
    return sections, [entry for entry, _, rest in inside if not rest]


def distinct_names(paths: Sequence[str]) -> list[str]:
    """Name sections by as many of the last steps of their paths as tell them apart."""
    steps = [without_ending(path.rstrip("/")).split("/") for path in paths]
    for depth in range(1, max(map(len, steps), default=0) + 1):
        names = ["/".join(each[-depth:]) for each in steps]
        if len(set(names)) == len(names):
            return names
    distinct = Names()
    return [distinct.distinct("/".join(each)) for each in steps]


def are_exports(sections: Sequence[Section], intake: Intake) -> bool:
    """Tell whether there are several sections, all of them recognized exports of several works."""
    return len(sections) > 1 and all(_works(section, intake) > 1 for section in sections)


def merged(
    sections: Sequence[Section], role: Role, intake: Intake
) -> tuple[list[Planned], list[str]]:
    """Give the submissions of all sections, their names behind that of the section.

    Returns:
        The submissions, and the platform that each section comes from, empty for a plain one.
    """
    plans: list[Planned] = []
    titles: list[str] = []
    for section in sections:
        found = section.recognized(intake)
        placed = list(zip(section.entries, found.places, strict=True))
        titles.append(found.title)
        plans += [
            _within(section, each) for each in submissions_of(placed, role, section.path, intake)
        ]
    return plans, titles


def require_no_sections(plans: Sequence[Planned], paths: Sequence[str], intake: Intake) -> None:
    """Refuse to compare a few giants that look like sections of one assignment.

    Args:
        plans: The current submissions.
        paths: As they were given.
        intake: How they were read; a plain layout was asked for on purpose.

    Raises:
        InputError: With the command that was probably meant.
    """
    giants = [each for each in plans if not all(entry.obstacle for entry, _ in each.entries)]
    giants.sort(key=lambda each: each.name)
    held = [_held(each, intake) for each in giants]
    if not 0 < len(giants) <= _MOST_GIANTS or min(held) < _LEAST_HELD:
        return
    named = " and ".join(f"{each.name!r} with {n:,}" for each, n in zip(giants, held, strict=True))
    command = " ".join(["mosslite check --each", *map(shlex.quote, sorted(paths))])
    if len(giants) == 1 and len(paths) == 1 and is_folder(giants[0].path):
        command = f"mosslite check {shlex.quote(giants[0].path)}"
    msg = (
        f"{counted(len(giants), 'submission')} of many folders or works, {named}: to compare "
        f"these: {command} (--layout plain compares the whole as it is)"
    )
    raise InputError(msg)


def _within(section: Section, planned: Planned) -> Planned:
    """Name a submission of a section; students of two sections are never one."""
    owner = planned.hand_in.owner
    return replace(
        planned,
        name=f"{section.name}/{planned.name}",
        hand_in=replace(planned.hand_in, owner=owner and f"{section.name}/{owner}"),
    )


def _works(section: Section, intake: Intake) -> int:
    """Count the works in a recognized export; 0 where it is none."""
    try:
        found = section.recognized(intake)
    except InputError:  # it is not in the layout asked for
        return 0
    places = [place for place in found.places if not place.ignored and not place.is_beside]
    return len({place.key for place in places}) if found.title else 0


def _held(planned: Planned, intake: Intake) -> int:
    """Count the folders in a submission, or the works if it is an export."""
    entries = [replace(entry, name=name) for entry, name in planned.entries if not entry.obstacle]
    names = [entry.name for entry in entries]
    while len({parted(name)[0] for name in names}) == 1 and all(parted(name)[1] for name in names):
        names = [parted(name)[1] for name in names]  # from the folder that all of it lies in
    tops = {top for top, rest in map(parted, names) if rest}
    whole = Section("", planned.path, tuple(entries), is_archive=False)
    return max(len(tops), _works(whole, intake))
