"""Decides which files form which submission, before any is read.

Remarks name what was probably meant otherwise than it is read.
"""

import os
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from posixpath import commonprefix
from typing import Final, NamedTuple

from mosslite.display import counted, names_joined, with_names
from mosslite.errors import InputError
from mosslite.intake.corpus import entries_in, is_corpus, planned_in
from mosslite.intake.entries import Entry, Names, OnDisk, Planned, free_name, real_path
from mosslite.intake.exports import ExportEntry, is_time, parted
from mosslite.intake.grouping import (
    Grouping,
    distinct_names,
    export_in,
    exports_among,
    is_named_like_base,
    opened,
    opened_batch,
    recognize,
)
from mosslite.intake.listing import (
    Listing,
    did_you_mean,
    listing_at,
    named_path,
    places_among,
    places_at,
    shown_name,
)
from mosslite.languages import is_program
from mosslite.messages import M_, said
from mosslite.options import Intake
from mosslite.reasons import Reason
from mosslite.records import Inputs, Role, Submission, SubmissionMetadata
from mosslite.signatures import has_archive_name

# What a submission can be.
_FILE, _FOLDER, _ARCHIVE = M_("file"), M_("folder"), M_("archive")
_ALTERNATIVES: Final = (
    *(M_("archive or file"), M_("archive or folder"), M_("file or folder")),
    M_("archive or file or folder"),
)

# With more sections than this, only their number is shown.
_MOST_NAMED: Final = 3


def _described(plans: Sequence[Planned], titles: Mapping[str, str]) -> str:
    """Describe one submission, as in ``one per student in a.zip and b.zip (Moodle)``.

    ``titles`` are those of the platforms, by the paths of the batches; empty for plain ones.
    """
    paths, kinds = sorted(titles), sorted({title or "plain" for title in titles.values()})
    one = M_("student") if all(titles.values()) else _words(map(_kind_of_plan, plans))
    places = names_joined(paths)
    if len(paths) > _MOST_NAMED:
        places = counted(len(paths), "section")
    words = M_("one per %(one)s in %(places)s", one, places)
    return words if kinds == ["plain"] else M_("%(words)s (%(platforms)s)", words, ", ".join(kinds))


def _words(kinds: Iterable[str]) -> str:
    return said(" or ".join(sorted({*kinds}) or [_FILE]))


def _kind_of_plan(planned: Planned) -> str:
    own = os.path.basename(planned.path)
    if own == planned.entries[0].name:
        return _FILE
    return _ARCHIVE if has_archive_name(own) else _FOLDER


def _kind_of(listing: Listing) -> str:
    if listing.is_folder:
        return _FOLDER
    return _ARCHIVE if has_archive_name(listing.path) else _FILE


# The role of the earlier path to which a file belongs, in words.
_PART_OF: Final = {
    Role.BASE: M_("part of the base code"),
    Role.CURRENT: M_("part of this batch"),
    Role.PRIOR: M_("part of the prior submissions"),
    Role.REFERENCE: M_("part of the references"),
}
_OPTIONS: Final = {
    Role.BASE: M_("base code"),
    Role.PRIOR: M_("prior submissions"),
    Role.REFERENCE: M_("reference"),
}


class _Plan(NamedTuple):
    """The submissions to read.

    Attributes:
        submissions: Base code first, then current, prior and reference ones.
        description: What one submission is, such as ``one per folder in submissions/``.
        remarks: What the reader must know about how students were recognized.
    """

    submissions: Sequence[Planned]
    description: str
    remarks: tuple[str, ...]


def plan(inputs: Inputs, intake: Intake, *, directories: bool) -> _Plan:
    """Plan which files make up each submission.

    Raises:
        InputError: A pattern matches nothing, a base, prior or reference path is missing, a
            batch's folder cannot be read, or a batch is not in the layout asked for.
    """
    planner = _Planner(intake)
    base = [planner.base(each) for each in _existing(inputs.base, Role.BASE)]
    listings = _listed(inputs.current, intake)
    current, how = planner.current(listings, directories=directories)
    finds_out = intake.layout == "auto" and intake.name_pattern is None
    if (finds_out or intake.each) and not directories:
        planner.remarks += sections_among(current, intake)
    planner.remarks += named_like_base(current)
    others = [
        planned
        for role, given in ((Role.PRIOR, inputs.prior), (Role.REFERENCE, inputs.reference))
        for place in _existing(given, role)
        for planned in planner.batch_or_one(place, role)
    ]
    planner.remarks += undated_attempts([*current, *others])
    return _Plan([*base, *distinct([*current, *others])], how, tuple(planner.remarks))


class _Planner:
    """Plans one path after another; no file is used twice."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._seen: dict[str, Role] = {}
        self._real: dict[str, str] = {}
        self.remarks: list[str] = []

    def current(
        self, listings: Sequence[Listing], *, directories: bool
    ) -> tuple[list[Planned], str]:
        given = [self._once(each, Role.CURRENT) for each in listings]
        if len(given) == 1 and given[0].is_batch:
            return self._batch(given[0], Role.CURRENT)
        if directories and not self._intake.each:
            return list(self._grouped(given)), M_("one per folder of the files given")
        first = dict[str, Listing]()
        for each in given:
            if each.is_batch:
                first.setdefault(named_path(each.place.path), each)
        sections = {
            path: replace(first[path], name=name, place=replace(first[path].place, path=path))
            for path, name in zip(first, distinct_names([*first]), strict=True)
        }
        files = [each.path for each in given if not each.is_batch]
        if exports := exports_among([*sections.values()], files, self._intake):
            plans, beside = list[Planned](), list[Planned]()
            for each in given:
                path = named_path(each.place.path)
                if path in exports and first[path] is each:
                    plans += self._opened(sections[path], Role.CURRENT, exports[path])[0]
                else:
                    beside.append(self._one(each, Role.CURRENT))
            titles = {path: found.title for path, found in exports.items()}
            return [*plans, *beside], _described(plans, titles)
        if self._intake.name_pattern or self._intake.layout not in {"auto", "plain"}:
            return self._in_layout(given)
        one = _words(_kind_of(each) for each in given if not each.place.obstacle)
        plans = [self._one(each, Role.CURRENT) for each in given]
        return plans, M_("one per %(one)s given", one)

    def batch_or_one(self, place: OnDisk, role: Role) -> list[Planned]:
        listing = self._once(listing_at(place, self._intake, of_batch=True), role)
        return self._batch(listing, role)[0] if listing.is_batch else [self._one(listing, role)]

    def base(self, place: OnDisk) -> Planned:
        """Return base code, which can be a packed corpus; it must have a readable file."""
        listing = listing_at(place, self._intake)
        if is_corpus(place.path):
            listing = replace(listing, entries=tuple(entries_in(place.path)))
        else:
            listing = self._once(listing, Role.BASE)
        base = self._one(listing, Role.BASE)
        reasons = {Reason.of(each.obstacle) for each in base.entries}
        return replace(base, is_required=reasons != {Reason.GIVEN_TWICE})

    def _batch(self, listing: Listing, role: Role) -> tuple[list[Planned], str]:
        """Return the submissions in a folder or archive, and a description of one."""
        place, root = listing.place, listing.path
        if is_corpus(place.path):
            return self._packed(place, role)
        plans, grouping = self._opened(listing, role)
        if grouping.sections:
            # A plain submission has a key without a slash.
            inside = [each for each in plans if "/" in each.hand_in.owner.rstrip("/")]
            return plans, _described(inside, grouping.sections)
        shown = root if os.path.isfile(root) else f"{root.rstrip('/')}/"
        return plans, _described(plans, {shown: grouping.title})

    def _opened(
        self, batch: Listing, role: Role, known: Grouping | None = None
    ) -> tuple[list[Planned], Grouping]:
        """Return the submissions in a batch, and how they were recognized, if it is not known."""
        # What is in an archive is named by that, too, as in a folder.
        entries = tuple(
            replace(each, is_given=each.is_given and not each.is_archive) for each in batch.entries
        )
        found, grouping = opened_batch(replace(batch, entries=entries), self._intake, known)
        self.remarks += grouping.remarks
        return submissions_of(found, grouping.place, role, batch.path, self._intake), grouping

    def _packed(self, place: OnDisk, role: Role) -> tuple[list[Planned], str]:
        """Return the submissions of a packed corpus as they were packed."""
        shown = shown_name(place.path)
        plans, key = planned_in(place.path, role), f"{role.value} {real_path(place.path)}"
        if key in self._seen:
            given_twice = Entry(shown, shown, obstacle=Reason.GIVEN_TWICE.message())
            plans = [Planned(shown, role, shown, (given_twice,))]
        self._seen[key] = role
        return plans, M_("one per submission packed in %(rstrip)s/", shown.rstrip("/"))

    def _one(self, listing: Listing, role: Role) -> Planned:
        """Return everything at a place as one submission."""
        name = listing.path
        entries = opened(listing.entries, self._intake)
        return Planned(name.rstrip("/") or name, role, name, tuple(entries))

    def _once(self, listing: Listing, role: Role) -> Listing:
        """Mark files that an earlier path contained already, however their path is spelled."""
        entries = tuple(self._marked(entry, role) for entry in listing.entries)
        is_archive = listing.is_archive and entries[0].is_archive
        return replace(listing, entries=entries, is_archive=is_archive)

    def _marked(self, entry: Entry, role: Role) -> Entry:
        if entry.obstacle or not isinstance(entry.content, OnDisk):
            return entry
        identity = self._identity(entry.content.path, is_given=entry.is_given)
        if identity not in self._seen:
            self._seen[identity] = role
            return entry
        first = self._seen[identity]
        twice, in_two = Reason.GIVEN_TWICE.message(), Reason.IN_TWO_ROLES.message(_PART_OF[first])
        return replace(entry, obstacle=twice if first is role else in_two, is_archive=False)

    def _identity(self, path: str, *, is_given: bool) -> str:
        """Return the real path of a file; one that was found in a folder is not a link."""
        if is_given:
            return real_path(path)
        folder, name = os.path.split(path)
        if folder not in self._real:
            self._real[folder] = real_path(folder)
        return os.path.join(self._real[folder], name)

    def _grouped(self, given: Iterable[Listing]) -> Iterator[Planned]:
        """Return a submission for each folder of the files (``-d``), however it is spelled."""
        groups = defaultdict[str, list[Listing]](list)
        for each in given:
            folder = _folder_of(each)
            # Else the target of the link would be named.
            is_real = Reason.of(each.place.obstacle) is not Reason.BEHIND_LINK
            groups[real_path(folder) if is_real else folder].append(each)
        for members in groups.values():
            folder = shown_name(min(map(_folder_of, members), key=_plainness))
            entries = [
                entry if each.is_batch else replace(entry, name=os.path.basename(entry.name))
                for each in members
                for entry in opened(each.entries, self._intake)
            ]
            entries.sort(key=lambda entry: entry.name)
            # What is given by name is read, whatever rule leaves it out of a folder.
            by_name = {entry.path for entry in entries if entry.is_given and not entry.obstacle}
            entries = [e for e in entries if not (e.is_ignored and e.path in by_name)]
            names = Names()  # files that are not read reserve none
            named = tuple(
                entry if entry.obstacle else replace(entry, name=names.distinct(entry.name))
                for entry in entries
            )
            yield Planned(folder.rstrip("/") or folder, Role.CURRENT, folder, named)

    def _in_layout(self, given: Sequence[Listing]) -> tuple[list[Planned], str]:
        """Return the submissions of paths taken as one folder, in the layout given by the user."""
        paths = [each.place.path for each in given]
        common = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in paths])
        entries = []
        for each in given:
            name = shown_name(os.path.relpath(each.place.path, common))
            empty = Entry(each.path, each.path, obstacle=Reason.NO_FILES.message())
            for entry in each.entries or (empty,):
                is_file = entry.name == each.path
                own = name if is_file else f"{name}/{entry.name}"
                entries.append(replace(entry, name=own))
        batch = Listing(OnDisk(common), tuple(entries), is_folder=True)
        found = recognize(entries, batch.path, self._intake)
        plans, _ = self._opened(batch, Role.CURRENT, found)
        return plans, M_("one per student given (%(title)s)", found.title)


def _folder_of(listing: Listing) -> str:
    path = listing.place.path
    return path if listing.is_batch else os.path.dirname(path) or "."


def _listed(arguments: Sequence[str], intake: Intake) -> list[Listing]:
    """List the paths to compare; a link as the only path is the user's own and is followed."""
    if len(arguments) == 1:
        found = places_at(arguments[0])
        if len(found) == 1:
            only = listing_at(found[0], intake, of_batch=True)
            if only.is_batch:
                return [only]
    found = _plainest_first(places_among(arguments))
    missing = [place.path for place in found if _is_missing(place)]
    if missing and len(missing) == len(found):
        first, *others = missing
        if others:
            more = counted(len(others), "other path")
            raise InputError("%(first)r and %(paths)s do not exist", first, more)
        raise InputError("%(first)r does not exist%(guess)s", first, did_you_mean(first))
    return [listing_at(place, intake, of_batch=len(found) == 1) for place in found]


def _is_missing(place: OnDisk) -> bool:
    return Reason.of(place.obstacle) is Reason.MISSING


def _existing(arguments: Sequence[str], role: Role) -> list[OnDisk]:
    places = _plainest_first(each for argument in arguments for each in places_at(argument))
    for each in places:
        if _is_missing(each):
            what, guess = _OPTIONS[role], did_you_mean(each.path)
            raise InputError("%(what)s %(path)r does not exist%(guess)s", what, each.path, guess)
    return places


def _plainest_first(places: Iterable[OnDisk]) -> list[OnDisk]:
    """Sort places so that of two paths to the same file the simplest comes first."""
    return sorted(places, key=lambda each: _plainness(each.path))


def _plainness(path: str) -> tuple[int, str]:
    return len(path), path


def named_like_base(plans: Iterable[Planned]) -> Iterator[str]:
    """Name the current submissions that are probably base code, and the options to say so."""
    paths = sorted(each.path for each in readable(plans) if is_named_like_base(each.name))
    on_disk = [each for each in paths if Path(each).exists()]
    options = " ".join(f"-b {shlex.quote(each)}" for each in on_disk) or "-b"
    yield from with_names(
        "compared, but named like code that you handed out (%(options)s excludes it): %(names)s",
        options,
        names=paths,
    )


def readable(plans: Iterable[Planned]) -> list[Planned]:
    """Return the submissions in which there is anything to read."""
    return [each for each in plans if not all(entry.obstacle for entry in each.entries)]


def folder_inside(submissions: Iterable[Submission]) -> str:
    """Return the folder or archive on disk with all files of the only current submission.

    It is empty if there are several submissions, or if the only one has a single file on disk.
    """
    current = [each for each in submissions if each.role is Role.CURRENT]
    if len(current) != 1:
        return ""
    paths = [file.path for file in current[0].files]
    if len({*map(os.path.isabs, paths)}) > 1:
        paths = [real_path(path) for path in paths]
    folder = os.path.commonpath(paths) if len(paths) > 1 and all(paths) else ""
    if not folder:
        return ""
    inside = Path(folder)
    while not inside.exists():  # it is in an archive
        inside = inside.parent
    return shown_name(str(inside))


def undated_attempts(plans: Iterable[Planned]) -> Iterator[str]:
    """Name the submissions of whose attempts one was taken for the latest without a time."""
    names = [
        each.name
        for each in plans
        if any(Reason.of(entry.obstacle) is Reason.EARLIER_ATTEMPT for entry in each.entries)
        and not is_time(each.hand_in.submitted)
        and each.hand_in.submitted
    ]
    yield from with_names(
        "compared as the latest attempt, as its time cannot be read (--attempts all compares all): "
        "%(names)s",
        names=names,
    )


# Up to 12 submissions with at least 40 programs or folders with programs side by side each are
# probably sections, and up to 3 with at least 5 folders or recognized submissions.
_MOST_SECTIONS, _LEAST_HELD = 12, 40
_MOST_GIANTS, _LEAST_IN_GIANTS = 3, 5


def sections_among(plans: Iterable[Planned], intake: Intake) -> Iterator[str]:
    """Say how to compare what is in a few current submissions that each may be a whole class."""
    plans = readable(plans)
    inside = [
        _unwrapped(e.name for e in each.entries if not e.obstacle and is_program(e.name))
        for each in plans
    ]
    held = [len({parted(name)[0] for name in names}) for _, names in inside]
    is_probable = 1 < len(plans) <= _MOST_SECTIONS and min(held) >= _LEAST_HELD
    if not is_probable and not intake.each and 0 < len(plans) <= _MOST_GIANTS:
        held = [_held(planned, intake) for planned in plans]
        is_probable = min(held) >= _LEAST_IN_GIANTS
    if not is_probable:
        return
    submissions = counted(len(plans), "submission")
    words = M_("%(submissions)s with %(held)d or more programs or folders", submissions, min(held))
    folders = [planned.path + folder for planned, (folder, _) in zip(plans, inside, strict=True)]
    named = " ".join(map(shlex.quote, folders))
    is_on_disk = all(map(os.path.isdir, folders))
    if len(plans) == 1 and is_on_disk:
        yield M_("%(words)s; to compare what is in it, give %(named)s instead", words, named)
    elif is_on_disk and (intake.each or any(folder for folder, _ in inside)):
        yield M_(
            "%(words)s each; if these are sections of the course, use --each with %(named)s",
            words,
            named,
        )
    elif not intake.each:
        yield M_("%(words)s each; if these are sections of the course, add --each", words)


def _unwrapped(names: Iterable[str]) -> tuple[str, list[str]]:
    """Return the folder that all is in, with a slash before it, and the names relative to it."""
    names = [f"/{name}" for name in names]
    folder = commonprefix(names).rpartition("/")[0]
    return folder, [name[len(folder) + 1 :] for name in names]


def _held(planned: Planned, intake: Intake) -> int:
    """Count the folders in a submission, or the submissions if it is an export."""
    entries = [entry for entry in planned.entries if not entry.obstacle]
    names = _unwrapped(entry.name for entry in entries)[1]
    tops = {top for top, rest in map(parted, names) if rest}
    whole = Listing(OnDisk(planned.path), tuple(entries), is_folder=True)
    return max(len(tops), export_in(whole, intake)[1])


# --- students and attempts -----------------------------------------------------------------------

_Placed = tuple[Entry, ExportEntry]


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
