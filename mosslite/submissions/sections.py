"""Groups entries by student or team: sections of a course, and several attempts of a student."""

from __future__ import annotations

import os
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import NamedTuple

from mosslite.archive_names import without_suffix
from mosslite.display import counted, with_names
from mosslite.errors import InputError
from mosslite.languages import is_program
from mosslite.options import Intake
from mosslite.records import Role, SubmissionMetadata
from mosslite.submissions.entries import Entry, Names, free_name
from mosslite.submissions.hints import is_named_like_base, readable
from mosslite.submissions.platforms import ExportEntry, Recognized, keys_of, recognize
from mosslite.submissions.platforms.records import is_time, parted
from mosslite.submissions.walk import contents_of, holds_archive
from mosslite.texts import M_

# The reason why an attempt is left out.
EARLIER = M_("belongs to an earlier attempt")

_Placed = tuple["Entry", "ExportEntry"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A submission to be read.

    Attributes:
        path: Its path in messages.
        entries: Each with its path inside the submission.
        is_required: Scores would be wrong without it, so that it must be readable.
        is_beside: It is a file outside of the submissions, which nobody submitted.
        usual: The language of most submissions of the batch; empty if there is none.
    """

    name: str
    role: Role
    path: str
    entries: tuple[tuple[Entry, str], ...]
    hand_in: SubmissionMetadata = SubmissionMetadata()
    is_required: bool = False
    is_beside: bool = False
    usual: str = ""


def submissions_of(
    placed: Sequence[_Placed], role: Role, root: str, intake: Intake
) -> list[Planned]:
    """Return a submission for each student or team, or for each attempt if all are asked for.

    Args:
        placed: The entries of one batch, each with its student.
        role: The role of the batch.
        root: The batch's path in messages.
        intake: Whether all attempts are compared.
    """
    of_key: dict[str, list[_Placed]] = defaultdict(list)
    for entry, place in placed:
        of_key[place.key].append((_without_chaff(entry, place), place))
    names = Counter(group[0][1].name for group in of_key.values())
    plans: list[Planned] = []
    for group in of_key.values():
        title = _title(group[0][1], is_alone=names[group[0][1].name] == 1)
        if not intake.all_attempts:
            plans.append(_planned(title, _latest(group), role, root))
            continue
        for number, own, members in _attempts(group, title):
            planned = _planned(own, members, role, root)
            hand_in = replace(planned.hand_in, attempt=number)
            plans.append(replace(planned, hand_in=hand_in))
    return plans


def _title(place: ExportEntry, *, is_alone: bool) -> str:
    return place.name if is_alone or not place.mark else f"{place.name} ({place.mark})"


def _without_chaff(entry: Entry, place: ExportEntry) -> Entry:
    return _ignored(entry, place.ignored) if place.ignored else entry


def _ignored(entry: Entry, reason: str) -> Entry:
    """Mark an entry as ignored by a rule; the rule takes precedence over any limit exceeded."""
    if entry.obstacle and not entry.limit:
        return entry
    return replace(entry, obstacle=reason, is_ignored=True, limit="")


def _attempts(group: Sequence[_Placed], title: str) -> Iterator[tuple[int, str, list[_Placed]]]:
    """Return attempts with their numbers and names: 0 and the student's name for a single one."""
    attempts = sorted({_order_of_attempt(place) for _, place in group})
    for number, (_, attempt) in enumerate(attempts, 1):
        members = [each for each in group if each[1].attempt == attempt]
        is_only = len(attempts) == 1
        yield 0 if is_only else number, title if is_only else f"{title}, attempt {number}", members


def _order_of_attempt(place: ExportEntry) -> tuple[bool, str]:
    """Return a key of the order of attempts: one whose time was not read counts as the latest."""
    return _is_undated(place), place.attempt


def _is_undated(place: ExportEntry) -> bool:
    return bool(place.submitted) and place.attempt == place.submitted and not is_time(place.attempt)


def undated_attempts(plans: Iterable[Planned]) -> Iterator[str]:
    """Name the submissions of whose attempts one was taken for the latest without a time."""
    names = [
        each.name
        for each in plans
        if any(entry.obstacle == EARLIER for entry, _ in each.entries)
        and not is_time(each.hand_in.submitted)
        and each.hand_in.submitted
    ]
    yield from with_names(
        "compared as the latest attempt, as its time cannot be read (--attempts all compares all)",
        names,
    )


def _latest(group: Sequence[_Placed]) -> list[_Placed]:
    """Leave out files of earlier attempts and list them as ignored."""
    last = max(_order_of_attempt(place) for _, place in group)[1]
    members = [each for each in group if each[1].attempt == last]
    earlier = (each for each in group if each[1].attempt != last)
    return members + [(_ignored(entry, EARLIER), place) for entry, place in earlier]


def _planned(title: str, members: Sequence[_Placed], role: Role, root: str) -> Planned:
    place = members[0][1]
    own, names = {_own_path(entry.name, each) for entry, each in members}, Names()
    return Planned(
        name=title,
        role=place.role or role,
        path=f"{root.rstrip('/')}/{own.pop() if len(own) == 1 else title}",
        entries=tuple((entry, names.distinct(each.file)) for entry, each in members),
        hand_in=SubmissionMetadata(
            owner=place.key,
            members=place.members,
            submitted=place.submitted,
            label=place.label,
            is_late=any(each.is_late for _, each in members),
            ids=place.ids,
            emails=place.emails,
        ),
        is_beside=all(each.is_beside for _, each in members),
    )


def _own_path(name: str, place: ExportEntry) -> str:
    """Return the path of a submission's folder, or of the file if it is a single one."""
    path = name.strip("/")
    return path if place.file == place.name else path.removesuffix(f"/{place.file}")


def distinct(plans: Sequence[Planned]) -> list[Planned]:
    """Name submissions of equal name by their paths, all but the current one."""
    counts = Counter(each.name for each in plans)
    names: set[str] = set()
    named = []
    for each in plans:
        is_current = each.role is Role.CURRENT and each.name not in names
        is_kept = counts[each.name] == 1 or is_current
        name = free_name(each.name if is_kept else each.path, names)
        names.add(name)
        named.append(each if name == each.name else replace(each, name=name))
    return named


# Up to 12 submissions with at least 40 programs or folders with programs side by side each are
# probably sections, and up to 3 with at least 5 folders or recognized submissions.
_MOST_SECTIONS, _LEAST_HELD = 12, 40
_MOST_GIANTS, _LEAST_IN_GIANTS = 3, 5


@dataclass(frozen=True, slots=True)
class Section:
    """A folder or an archive that holds submissions.

    Attributes:
        name: Prefix of the names of its submissions.
        path: Its path for display.
        entries: Everything in it, named relative to it; an unopened archive is its own only entry.
    """

    name: str
    path: str
    entries: tuple[Entry, ...]
    is_archive: bool

    def opened(self, intake: Intake) -> Section:
        """Replace archives by their content, each submission within its own budget."""
        is_closed = self.is_archive and len(self.entries) == 1 and holds_archive(self.entries[0])
        owners = partial(keys_of, root=self.path, intake=intake, is_archive=self.is_archive)
        found = contents_of(self.entries, intake, is_archive=is_closed, owners=owners)
        return replace(self, entries=tuple(found))

    def recognized(self, intake: Intake) -> Recognized:
        """Return the student of each entry."""
        return recognize(self.entries, self.path, intake, is_archive=self.is_archive)


def sections_in(
    entries: Sequence[Entry], root: str, *, is_archive: bool
) -> tuple[list[Section], list[Entry]]:
    """Return the folders and archives at the top of a batch as sections.

    Args:
        entries: All of the batch, named relative to it, archives unpacked or not.
        root: Its path for display.
        is_archive: A single folder that contains everything in an archive is not a section.

    Returns:
        Sections in order of name, and the entries outside of them.
    """
    inside = [(entry, *parted(entry.name)) for entry in entries]
    tops = {top for entry, top, _ in inside if not entry.is_ignored}
    if is_archive and len(tops) == 1 and all(rest for _, _, rest in inside):
        folder = tops.pop()
        moved = [replace(entry, name=rest) for entry, _, rest in inside]
        return sections_in(moved, f"{root.rstrip('/')}/{folder}", is_archive=False)
    of_top: dict[str, list[Entry]] = {}
    for entry, top, rest in inside:
        if rest or holds_archive(entry):
            of_top.setdefault(top, []).append(replace(entry, name=rest or top))
    names = Names()
    sections = [
        Section(
            name=names.distinct(without_suffix(top)),
            path=f"{root.rstrip('/')}/{top}",
            entries=tuple(of_top[top]),
            is_archive=without_suffix(top) != top,
        )
        for top in sorted(of_top)
    ]
    return sections, [entry for entry, _, rest in inside if not rest and not holds_archive(entry)]


def distinct_names(paths: Sequence[str]) -> list[str]:
    """Name sections by the shortest path suffixes that differ."""
    steps = [PurePosixPath(without_suffix(path)).parts for path in paths]
    for depth in range(1, max(map(len, steps), default=0) + 1):
        names = ["/".join(each[-depth:]) for each in steps]
        if len(set(names)) == len(names):
            return names
    distinct = Names()
    return [distinct.distinct("/".join(each)) for each in steps]


# More folders that are no exports are not opened to find exports among them.
_MOST_OTHERS = 2


def exports_among(
    sections: Sequence[Section], beside: Iterable[str], intake: Intake
) -> list[Section]:
    """Open the sections that are recognized exports of several submissions, if most sections are.

    Base code may be next to them, in files too; next to a single one, no other programs may.
    """
    if intake.layout == "plain" or intake.name_pattern is not None:
        return []
    exports, others = [], 0
    for section in sections:
        opened = section.opened(intake)
        if _count_submissions(opened, intake) > 1:
            exports.append(opened)
        else:
            others += not is_named_like_base(section.name)
        if others > len(exports) + _MOST_OTHERS:
            return []
    if len(exports) == 1:  # one student's work may look like an export
        files = [name for name in beside if is_program(name)]
        others += sum(not is_named_like_base(name) for name in files)
        others += len(sections) == 1 and not files
    return exports if len(exports) > others else []


def whole(section: Section, role: Role, intake: Intake) -> Planned:
    """Return everything in a section as one submission."""
    entries = section.opened(intake).entries
    return Planned(section.name, role, section.path, tuple((each, each.name) for each in entries))


def keys_in_sections(
    names: Sequence[str], *, root: str, intake: Intake, is_archive: bool
) -> list[str]:
    """Return a key for each name that is equal for all files of one student in one section.

    Only names are examined, like ``keys_of`` does for a batch without sections.
    """
    entries = tuple(Entry(name, name) for name in names)
    batch = Section("", root, entries, is_archive=is_archive)
    sections, others = sections_in(entries, root, is_archive=is_archive)
    beside = [entry.name for entry in others]
    exports = [] if intake.each else exports_among(sections, beside, intake)
    if not intake.each and (_count_submissions(batch, intake) or not exports):
        return keys_of(names, root=root, intake=intake, is_archive=is_archive)
    read_whole = {section.name for section in sections} - {section.name for section in exports}
    keys = {}
    for section in sections:
        own = [entry.name for entry in section.entries]
        found = keys_of(own, root=section.path, intake=intake, is_archive=section.is_archive)
        for entry, key in zip(section.entries, found, strict=True):
            is_whole = not intake.each and section.name in read_whole
            keys[entry.path] = section.name if is_whole else f"{section.name}/{key}"
    return [keys.get(name, name) for name in names]


class _Merged(NamedTuple):
    """The submissions of all sections.

    Attributes:
        plans: Each named after its section.
        titles: The platform of each section, empty for a plain one.
        remarks: What the reader must know about how sections were recognized.
    """

    plans: list[Planned]
    titles: list[str]
    remarks: list[str]


def merged(sections: Sequence[Section], role: Role, intake: Intake) -> _Merged:
    """Return the submissions of opened sections."""
    all_of = _Merged([], [], [])
    for section in sections:
        found = section.recognized(intake)
        placed = list(zip(section.entries, found.places, strict=True))
        own = submissions_of(placed, role, section.path, intake)
        all_of.plans.extend(_within(section, each) for each in own)
        all_of.titles.append(found.title)
        all_of.remarks.extend([found.remark] * bool(found.remark))
    return all_of


def sections_among(plans: Iterable[Planned], intake: Intake) -> Iterator[str]:
    """Say how to compare what is in a few current submissions that each may be a whole class."""
    plans = readable(plans)
    inside = [_unwrapped(_programs_in(planned)) for planned in plans]
    held = [len({parted(name)[0] for name in names}) for _, names in inside]
    is_probable = 1 < len(plans) <= _MOST_SECTIONS and min(held) >= _LEAST_HELD
    if not is_probable and not intake.each and 0 < len(plans) <= _MOST_GIANTS:
        held = [_held(planned, intake) for planned in plans]
        is_probable = min(held) >= _LEAST_IN_GIANTS
    if not is_probable:
        return
    submissions = counted(len(plans), "submission")
    words = M_(f"{submissions} with {min(held):,} or more programs or folders")
    folders = [planned.path + folder for planned, (folder, _) in zip(plans, inside, strict=True)]
    named = " ".join(map(shlex.quote, folders))
    is_on_disk = all(map(os.path.isdir, folders))
    if len(plans) == 1 and is_on_disk:
        yield M_(f"{words}; to compare what is in it, give {named} instead")
    elif is_on_disk and (intake.each or any(folder for folder, _ in inside)):
        yield M_(f"{words} each; if these are sections of the course, use --each with {named}")
    elif not intake.each:
        yield M_(f"{words} each; if these are sections of the course, add --each")


def _programs_in(planned: Planned) -> list[str]:
    return [name for entry, name in planned.entries if not entry.obstacle and is_program(name)]


def _unwrapped(names: Iterable[str]) -> tuple[str, list[str]]:
    """Return the folder that all is in, with a slash before it, and the names relative to it."""
    names, folder = [*names], ""
    while len({parted(name)[0] for name in names}) == 1 and all(parted(name)[1] for name in names):
        folder += f"/{parted(names[0])[0]}"
        names = [parted(name)[1] for name in names]
    return folder, names


def _within(section: Section, planned: Planned) -> Planned:
    """Prefix a submission's name with its section: students of two sections are never merged."""
    owner = planned.hand_in.owner
    return replace(
        planned,
        name=f"{section.name}/{planned.name}",
        hand_in=replace(planned.hand_in, owner=owner and f"{section.name}/{owner}"),
    )


def _count_submissions(section: Section, intake: Intake) -> int:
    """Count the submissions in a recognized export; 0 if it is not one."""
    try:
        found = section.recognized(intake)
    except InputError:  # not in the layout asked for
        return 0
    places = [place for place in found.places if not place.ignored and not place.is_beside]
    return len({place.key for place in places}) if found.title else 0


def _held(planned: Planned, intake: Intake) -> int:
    """Count the folders in a submission, or the submissions if it is an export."""
    entries = [replace(entry, name=name) for entry, name in planned.entries if not entry.obstacle]
    names = _unwrapped(entry.name for entry in entries)[1]
    tops = {top for top, rest in map(parted, names) if rest}
    whole = Section("", planned.path, tuple(entries), is_archive=False)
    return max(len(tops), _count_submissions(whole, intake))
