"""Groups the files of a batch by student or team: sections of a course, attempts of a student."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from mosslite.errors import InputError
from mosslite.intake.archives.budgets import budget_of
from mosslite.intake.archives.expand import archive_entries, batch_entries, listed_in
from mosslite.intake.entries import Entry, Names, OnDisk, Planned, free_name
from mosslite.intake.ignoring import Rule, rule_of
from mosslite.intake.platforms.exports import ExportEntry, is_time, parted, plain_place
from mosslite.intake.platforms.recognition import Grouping, recognize
from mosslite.languages import is_program
from mosslite.options import Intake
from mosslite.reasons import Reason
from mosslite.records import Role, SubmissionMetadata
from mosslite.signatures import without_suffix

_Placed = tuple[Entry, ExportEntry]


# --- sections ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Section:
    """A folder or an archive that may hold submissions, in a batch or given by the user.

    Attributes:
        name: Prefix of the names of its submissions.
        path: Its path for display.
        entries: Everything in it, named relative to it; an unopened archive is its own only entry.
        real_path: The path by which it is recognized, if the one for display ends in no name.
    """

    name: str
    path: str
    entries: tuple[Entry, ...]
    is_archive: bool
    real_path: str = ""

    def listed(self, intake: Intake) -> "Section":
        """Return the section with the names in it, if it is an unopened archive."""
        if not (self.is_archive and len(self.entries) == 1 and self.entries[0].is_archive):
            return self
        (archive,) = self.entries
        start = len(archive.name) + 1
        found = listed_in(archive, intake.limits, _rule_behind(start, rule_of(intake)))
        return replace(self, entries=tuple(_inside(each, start) for each in found))

    def recognized(self, intake: Intake) -> Grouping:
        """Return its layout; raise an InputError if it is not in the one asked for."""
        return recognize(
            self.entries, self.real_path or self.path, intake, is_archive=self.is_archive
        )


def grouped(batch: Section, intake: Intake) -> Grouping:
    """Group what is in a listed folder or archive, by its names and the metadata in it."""
    found = Grouping("", plain_place) if intake.each else batch.recognized(intake)
    return found if found.title else grouped_sections(batch, intake) or found


def grouped_sections(batch: Section, intake: Intake) -> Grouping | None:
    """Group what is in the sections of a batch; None if there are none."""
    folder, of_top, beside = _parts(batch)
    root = f"{batch.path.rstrip('/')}/{folder}"
    names = Names()
    sections = {
        top: Section(
            name=names.distinct(without_suffix(top)),
            path=f"{root}{top}",
            entries=tuple(own),
            is_archive=without_suffix(top) != top,
        )
        for top, own in sorted(of_top.items())
    }
    exports = exports_among(list(sections.values()), beside, intake)
    if not exports:
        return None

    def place(name: str) -> ExportEntry:
        """Place a file of an export by that, and any other by its section."""
        top, rest = parted(name.removeprefix(folder))
        section = sections.get(top)
        if section is None or not rest:
            return plain_place(name.removeprefix(folder))
        found = exports.get(section.path)
        if found is None:
            return ExportEntry(f"{section.name}/", section.name, rest, mark=top)
        return within(section.name, found.place(rest))

    return Grouping(
        "",
        place,
        remarks=tuple(remark for found in exports.values() for remark in found.remarks),
        sections={path: found.title for path, found in exports.items()},
        exports=frozenset(f"{folder}{top}" for top, own in sections.items() if own.path in exports),
    )


def _parts(batch: Section) -> tuple[str, dict[str, list[Entry]], list[str]]:
    """Return the folder with everything in an archive, what is in each part of it, and files."""
    inside = [(entry, *parted(entry.name)) for entry in batch.entries]
    tops = {top for entry, top, _ in inside if not entry.is_ignored}
    folder = ""
    if batch.is_archive and len(tops) == 1 and all(rest for _, _, rest in inside):
        folder = f"{tops.pop()}/"
        inside = [(entry, *parted(rest)) for entry, _, rest in inside]
    of_top: dict[str, list[Entry]] = {}
    for entry, top, rest in inside:
        if rest or entry.is_archive:
            of_top.setdefault(top, []).append(replace(entry, name=rest or top))
    files = [top for entry, top, rest in inside if not (rest or entry.is_archive)]
    return folder, of_top, files


def within(section: str, place: ExportEntry) -> ExportEntry:
    """Prefix a submission with its section: students of two sections are never merged."""
    return replace(place, key=f"{section}/{place.key}", name=f"{section}/{place.name}")


# Names of folders and files of base code, without blanks and hyphens: in the languages of the
# reports, as instructors name them.
_NAMES_OF_BASE: Final = frozenset(
    {
        *("base", "basecode", "basefile", "basefiles", "boilerplate", "distribution"),
        *("distributioncode", "givencode", "handout", "handouts", "providedcode", "scaffold"),
        *("skeleton", "skeletoncode", "starter", "startercode", "starterfiles", "stub", "stubs"),
        *("template", "templates", "templatecode", "vorlage", "vorlagen", "plantilla"),
        *("plantillas", "esqueleto", "modele", "modèle", "squelette"),
    }
)
_BETWEEN_WORDS: Final = re.compile(r"[-_ ]+")


def is_named_like_base(name: str) -> bool:
    """Return whether a submission is named as instructors name what they hand out."""
    stem = name.rstrip("/").rpartition("/")[2].partition(".")[0].lower()
    return _BETWEEN_WORDS.sub("", stem) in _NAMES_OF_BASE


# More folders that are not exports are not opened to find exports among them.
_MOST_OTHERS = 2


def exports_among(
    sections: Sequence[Section], beside: Iterable[str], intake: Intake
) -> dict[str, Grouping]:
    """Return the layouts of sections that are exports of several submissions, by their paths.

    With ``--each``, all are. Else none is, unless most sections are. Base code may be next to
    them, in files too; next to a single one, no other programs may.

    Raises:
        InputError: With ``--each``, one is not in the layout asked for.
    """
    if intake.each:
        return {each.path: each.listed(intake).recognized(intake) for each in sections}
    if intake.layout == "plain" or intake.name_pattern is not None:
        return {}
    exports, others = dict[str, Grouping](), 0
    for section in sections:
        found, count = export_in(section.listed(intake), intake)
        if found is not None and count > 1:
            exports[section.path] = found
        else:
            others += not is_named_like_base(section.name)
        if others > len(exports) + _MOST_OTHERS:
            return {}
    if len(exports) == 1:  # one student's work may look like an export
        files = [name for name in beside if is_program(name)]
        others += sum(not is_named_like_base(name) for name in files)
        others += len(sections) == 1 and not files
    return exports if len(exports) > others else {}


def export_in(section: Section, intake: Intake) -> tuple[Grouping | None, int]:
    """Return the layout of an export and the number of submissions in it; None if it is not one."""
    try:
        found = section.recognized(intake)
    except InputError:
        return None, 0
    if not found.title:
        return None, 0
    places = [found.place(entry.name) for entry in section.entries]
    return found, len({each.key for each in places if not each.ignored and not each.is_beside})


def distinct_names(paths: Sequence[str]) -> list[str]:
    """Name sections by the shortest path suffixes that differ."""
    steps = [PurePosixPath(without_suffix(path)).parts for path in paths]
    for depth in range(1, max(map(len, steps), default=0) + 1):
        names = ["/".join(each[-depth:]) for each in steps]
        if len(set(names)) == len(names):
            return names
    distinct = Names()
    return [distinct.distinct("/".join(each)) for each in steps]


# --- archives ------------------------------------------------------------------------------------


def opened_batch(
    batch: Section, intake: Intake, known: Grouping | None = None
) -> tuple[list[Entry], Grouping]:
    """Group a batch by its listing, and open the archives in it, each student's within a budget.

    ``known`` is the grouping, if it was found before.

    Returns:
        The entries, with archives opened, and whose they are.

    Raises:
        InputError: It is not in the layout asked for.
    """
    wanted = [each for each in batch.entries if not each.is_ignored]
    if len(wanted) != 1 or not wanted[0].is_archive:
        grouping = known or grouped(batch, intake)
        return opened(batch.entries, intake, grouping.key, grouping.exports), grouping
    # The only archive contains the submissions: it is listed, grouped and read in one go.
    (archive,) = wanted
    start = len(archive.name) + 1 if batch.is_archive else 0
    others = [each for each in batch.entries if each.is_ignored]
    found, listed = list[Grouping](), list[Entry]()

    def owners(entries: Sequence[Entry]) -> list[str]:
        listed.extend(_inside(each, start) for each in entries)
        found.append(known or grouped(replace(batch, entries=(*others, *listed)), intake))
        return [found[0].key(each.name) for each in listed]

    rule = _rule_behind(start, rule_of(intake))
    inside = batch_entries(archive, intake.limits, rule, owners)
    entries = [*others, *(_inside(each, start) for each in inside)]
    batch = replace(batch, entries=tuple(entries))
    grouping = found[0] if found else known or grouped(batch, intake)
    is_plain = not (known or grouping.title or grouping.sections)
    if is_plain and _has_opened(listed, entries):
        # Archives in the archive may be exports, and could not be listed before.
        grouping = grouped_sections(batch, intake) or grouping
    return entries, grouping


def _has_opened(listed: Iterable[Entry], entries: Iterable[Entry]) -> bool:
    """Return whether files at the top of an archive, or of a folder in it, were archives."""
    files = {each.name for each in listed}
    folders = {tuple(each.name.split("/", 2)[:-1]) for each in entries}
    return any("/".join(parts[:depth]) in files for parts in folders for depth in (1, 2))


def opened(
    entries: Sequence[Entry],
    intake: Intake,
    owner: Callable[[str], str] = lambda _: "",
    exports: frozenset[str] = frozenset(),
) -> list[Entry]:
    """Replace archives by their content.

    What is in an archive that the user gave is named relative to it. The archives of one owner
    share a budget; those in ``exports`` contain the files of several owners.
    """
    rule, limits = rule_of(intake), intake.limits
    sizes = Counter[str]()
    for each in entries:
        if each.is_archive and isinstance(each.content, OnDisk):
            sizes[owner(each.name)] += each.content.size
    budgets = {key: budget_of(limits, size) for key, size in sizes.items()}
    found: list[Entry] = []
    for each in entries:
        start = len(each.name) + 1
        if not each.is_archive:
            found.append(each)
        elif each.name in exports:
            own_rule = _rule_behind(start, rule)
            found += batch_entries(each, limits, own_rule, lambda own: [owner(e.name) for e in own])
        elif each.is_given:
            own_rule, budget = _rule_behind(start, rule), budgets[owner(each.name)]
            inside = archive_entries(each, limits, own_rule, budget)
            found += [_inside(own, start) for own in inside]
        else:
            found += archive_entries(each, limits, rule, budgets[owner(each.name)])
    return sorted(found, key=lambda each: each.name)


def _inside(entry: Entry, start: int) -> Entry:
    """Name an entry relative to its archive; an empty folder at the top can be a submission."""
    if not start:
        return entry
    name = entry.name[start:] or entry.name.rpartition("/")[2]
    is_top = Reason.of(entry.obstacle) is Reason.NO_FILES and "/" not in name
    return replace(entry, name=name, is_given=False, is_ignored=entry.is_ignored and not is_top)


def _rule_behind(start: int, rule: Rule) -> Rule:
    """Return a rule that sees of each path only what follows the archive as the user spelled it."""

    def of_rest(name: str) -> tuple[str, Reason] | None:
        ignored = rule(name[start:])
        return ignored and (name[:start] + ignored[0], ignored[1])

    return of_rest


# --- students and attempts -----------------------------------------------------------------------


def submissions_of(
    entries: Sequence[Entry],
    place: Callable[[str], ExportEntry],
    role: Role,
    root: str,
    intake: Intake,
) -> list[Planned]:
    """Return a submission for each student or team, or for each attempt if all are asked for.

    ``entries`` are all of one batch, named relative to it, with archives opened, and ``root`` is
    its path in messages.
    """
    of_key: dict[str, list[_Placed]] = defaultdict(list)
    for entry in entries:
        found = place(entry.name)
        judged = _ignored(entry, found.ignored) if found.ignored else entry
        of_key[found.key].append((judged, found))
    names = Counter(group[0][1].name for group in of_key.values())
    plans: list[Planned] = []
    for group in of_key.values():
        first = group[0][1]
        is_alone = names[first.name] == 1 or not first.mark
        title = first.name if is_alone else f"{first.name} ({first.mark})"
        if not intake.all_attempts:
            plans.append(_planned(title, _latest(group), role, root))
            continue
        attempts = defaultdict[tuple[bool, str], list[_Placed]](list)
        for each in group:
            attempts[_order_of_attempt(each[1])].append(each)
        for number, (_, members) in enumerate(sorted(attempts.items()), 1):
            is_only = len(attempts) == 1
            own = title if is_only else f"{title}, attempt {number}"
            planned = _planned(own, members, role, root)
            hand_in = replace(planned.hand_in, attempt=0 if is_only else number)
            plans.append(replace(planned, hand_in=hand_in))
    return plans


def _ignored(entry: Entry, reason: Reason) -> Entry:
    """Mark an entry as ignored by a rule; the rule takes precedence over any limit exceeded."""
    if entry.obstacle and not entry.limit:
        return entry
    return replace(entry, obstacle=reason.message(), is_ignored=True)


def _order_of_attempt(place: ExportEntry) -> tuple[bool, str]:
    """Return a key of the order of attempts: one whose time was not read counts as the latest."""
    is_dated = place.attempt != place.submitted or not place.submitted or is_time(place.attempt)
    return not is_dated, place.attempt


def _latest(group: Sequence[_Placed]) -> list[_Placed]:
    """Leave out files of earlier attempts and list them as ignored."""
    last = max(_order_of_attempt(place) for _, place in group)[1]
    members = [each for each in group if each[1].attempt == last]
    earlier = (each for each in group if each[1].attempt != last)
    return members + [(_ignored(entry, Reason.EARLIER_ATTEMPT), place) for entry, place in earlier]


def _planned(title: str, members: Sequence[_Placed], role: Role, root: str) -> Planned:
    place = members[0][1]
    names, own = Names(), set[str]()
    for entry, each in members:  # the path of a submission's folder, or of its single file
        path = entry.name.strip("/")
        own.add(path if each.file == each.mark else path.removesuffix(f"/{each.file}"))
    return Planned(
        name=title,
        role=place.role or role,
        path=f"{root.rstrip('/')}/{own.pop() if len(own) == 1 else title}",
        entries=tuple(replace(entry, name=names.distinct(each.file)) for entry, each in members),
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
