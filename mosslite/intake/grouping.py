"""Whose the files of a batch are: its layout is recognized, or that of each section in it."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Final

from mosslite.errors import InputError
from mosslite.intake.archives import archive_entries, batch_entries, budget_of, listed_in
from mosslite.intake.entries import Entry, Names, OnDisk
from mosslite.intake.exports import (
    EXTRAS,
    ExportEntry,
    PlaceOf,
    View,
    ascending,
    beside,
    iso,
    parted,
    plain_place,
    view_of,
)
from mosslite.intake.ignoring import rule_of
from mosslite.intake.listing import Listing, named_path
from mosslite.intake.platforms import DOLOS_TABLE, METADATA, PLATFORMS, Platform, dolos
from mosslite.languages import is_program
from mosslite.messages import M_
from mosslite.options import Intake
from mosslite.reasons import Reason
from mosslite.signatures import has_archive_name, without_suffix


@dataclass(frozen=True, slots=True)
class Grouping:
    """The students who handed in the files of a batch, and how they were recognized.

    Attributes:
        title: The platform whose export the batch is; empty if it is plain or has sections.
        place: Returns the student of any path in the batch, also of one in an archive that was
            opened since.
        remarks: What the reader must know about the recognition.
        sections: Titles of the sections in it, by their paths for display.
        exports: Names of the sections: archives among them contain many submissions.
    """

    title: str
    place: Callable[[str], ExportEntry]
    remarks: tuple[str, ...] = ()
    sections: Mapping[str, str] = field(default_factory=dict)
    exports: frozenset[str] = frozenset()

    def key(self, name: str) -> str:
        """Return a string that is equal for all files of one student or team."""
        return self.place(name).key


# Share of a batch that must fit a layout: an instructor may have added a file.
_SHARE: Final = 0.8
# Levels of folders around the submissions: that of an export in an archive in the folder given.
_DEEPEST: Final = 3
# Attempts are ordered as text, so numbers are padded to this many digits.
_DIGITS: Final = 12


def recognize(
    entries: Sequence[Entry], root: str, intake: Intake, *, is_archive: bool = False
) -> Grouping:
    """Return the students of one folder or archive, by the names of its entries relative to it.

    Archives in it need not be opened. ``root`` is its own name. A single folder with all of a plain
    batch is that of an archive, not a student's.

    Raises:
        InputError: The layout or name pattern asked for fits no entry.
    """
    if intake.name_pattern is not None:
        return _named(entries, root, intake.name_pattern)
    views = list(_views(entries, root))
    plain = Grouping("", _place_in(_plain_view(views, is_archive=is_archive)))
    if intake.layout == "plain" or not entries:
        return plain
    views = [replace(view, is_outermost=depth <= is_archive) for depth, view in enumerate(views)]
    if intake.layout != "auto":
        return _asked(views, root, intake.layout)
    # A batch has several parts, so the innermost folder counts.
    for view in reversed(views):
        for platform in PLATFORMS:
            place_of = platform.layout(view)
            fitting, others = _count_recognized(view, place_of)
            is_most = fitting > 1 and fitting >= _SHARE * (fitting + others)
            if is_most or others == 0 < fitting:
                return _found(view, platform, place_of)
    return replace(plain, remarks=tuple(_remarks(views)))


def _found(view: View, platform: Platform, place_of: PlaceOf | None) -> Grouping:
    """Return the students by a platform, and whether its metadata says nothing of them."""
    place, remarks = _place_in(view, platform.name, place_of), list[str]()
    if view.has_file(METADATA) and not any(place(f"{view.prefix}{each}").ids for each in view.tops):
        remarks.append(
            M_(
                "metadata that names no student, so folders name the submissions: %(names)s",
                [view.entries[METADATA].path],
            )
        )
    return Grouping(platform.title, place, tuple(remarks))


def _remarks(views: Sequence[View]) -> Iterator[str]:
    """Name the outermost metadata file that is not trusted."""
    for view in views:
        if view.has_file(DOLOS_TABLE) and dolos(replace(view, is_asked=True)):
            yield M_(
                "not used, as a student could have submitted it (--layout dolos uses it): "
                "%(names)s",
                [view.entries[DOLOS_TABLE].path],
            )
            return


def _asked(views: Sequence[View], root: str, name: str) -> Grouping:
    """Apply a layout from the folder in which it fits best."""
    platform = next(each for each in PLATFORMS if each.name == name)
    for is_asked in (False, True):
        asked = [replace(view, is_asked=is_asked) for view in views]
        tried = [(view, platform.layout(view)) for view in asked]
        view, place_of = max(tried, key=lambda each: _count_recognized(*each)[0])
        if _count_recognized(view, place_of)[0]:
            return _found(view, platform, place_of)
    raise InputError(
        "%(root)r does not look like an export of %(title)s: expected names such as %(example)s",
        root,
        platform.title,
        platform.example,
    )


def _views(entries: Sequence[Entry], root: str) -> Iterator[View]:
    """Yield the views of a batch from its root and from folders that contain all of it."""
    folder, prefix = PurePosixPath(root).name, ""
    inside = [(entry.name.strip("/"), entry) for entry in entries]
    for _ in range(_DEEPEST + 1):
        view = view_of(inside, without_suffix(folder), prefix)
        yield view
        paths = list(map(parted, view.wanted))
        tops = {top for top, _ in paths}
        if len(tops) != 1 or not all(rest for _, rest in paths):
            return
        folder = tops.pop()
        prefix += f"{folder}/"
        below = f"{folder}/"
        inside = [(name[len(below) :], e) for name, e in inside if name.startswith(below)]


def _plain_view(views: Sequence[View], *, is_archive: bool) -> View:
    """Return the view with a submission in each part, unless the batch is recognized as another."""
    return views[1] if is_archive and views[1:] else views[0]


def _count_recognized(view: View, place_of: PlaceOf | None) -> tuple[int, int]:
    """Count the first components that a layout recognizes as submissions, and the others.

    Entries that can be read count, if there are any.
    """
    if place_of is None:
        return 0, 0
    of_top: dict[str, list[ExportEntry | None]] = {}
    judged = [name for name in view.wanted if not view.entries[name].obstacle] or view.wanted
    for name in judged:
        of_top.setdefault(parted(name)[0], []).append(place_of(name))
    counts = Counter(
        None not in places
        for top, places in of_top.items()
        if top not in EXTRAS and not all(place is not None and place.ignored for place in places)
    )
    return counts[True], counts[False]


def _place_in(
    view: View, layout: str = "", place_of: PlaceOf | None = None
) -> Callable[[str], ExportEntry]:
    """Return the function that places any entry; an unrecognized one is a submission of its own."""

    def place(name: str) -> ExportEntry:
        path = name.strip("/")
        if not path.startswith(view.prefix):
            return plain_place(name)
        own = path[len(view.prefix) :]
        found = None if place_of is None else place_of(own)
        if found is None:
            is_extra = place_of is not None and own in EXTRAS
            return beside(own, Reason.METADATA) if is_extra else plain_place(own)
        # A first component contains no slash, so no plain submission has such a key.
        return replace(
            found,
            key=f"{layout}/{found.key}",
            name=found.name.strip() or found.key,
            mark=found.mark or found.key,
        )

    return place


def _named(entries: Sequence[Entry], root: str, pattern: str) -> Grouping:
    """Place entries whose names start with a match of the pattern; the others are plain.

    Raises:
        InputError: It matches none of them.
    """
    expression = re.compile(pattern)
    # Paths in an archive that is not opened yet begin with its name and a slash.
    ends = ("", "/") if any(has_archive_name(entry.name) for entry in entries) else ("",)
    found = [_match_place(entry.name + end, expression) for entry in entries for end in ends]
    if entries and not any(found):
        names = [entry.name for entry in entries if not entry.is_ignored] or [entries[0].name]
        raise InputError(
            "name pattern %(pattern)r does not match any name in %(root)r, such as %(names)r",
            pattern,
            root,
            names[0],
        )
    files = Counter((each.key, each.attempt, each.file) for each in found if each)

    def place(name: str) -> ExportEntry:
        match = _match_place(name, expression)
        if match is None:
            return plain_place(name)
        # A student's files of equal name, such as those of two groups, are in folders by label.
        is_repeated = files[match.key, match.attempt, match.file] > 1
        file = f"{match.label}/{match.file}" if match.label and is_repeated else match.file
        return replace(match, file=file)

    return Grouping("name pattern", place)


def _match_place(name: str, expression: re.Pattern[str]) -> ExportEntry | None:
    match = expression.match(name)
    groups = {} if match is None else {k: v.strip() for k, v in match.groupdict("").items()}
    if match is None or not groups["name"].strip("/"):
        return None
    submitted = iso(groups.get("time", ""))
    attempt = groups.get("attempt", "")
    following = name[match.end() :].strip("/") or name.strip("/").rpartition("/")[2]
    return ExportEntry(
        # A first component contains no slash, so no plain submission has such a key.
        key=f"named/{(groups['name'], groups.get('id', ''))}",
        name=groups["name"],
        mark=groups.get("id", ""),
        file=groups.get("file", "").strip("/") or following,
        attempt=(attempt.zfill(_DIGITS) if attempt.isdecimal() else attempt)
        or ascending(submitted),
        submitted=submitted,
        label=groups.get("label", ""),
        ids=(groups["id"],) if groups.get("id") else (),
    )


# --- sections ------------------------------------------------------------------------------------


def _recognized(batch: Listing, intake: Intake) -> Grouping:
    """Return its layout; raise an InputError if it is not in the one asked for."""
    root = named_path(batch.place.path)  # some layouts are recognized by the name of the folder
    return recognize(batch.entries, root, intake, is_archive=batch.is_archive)


def _listed(section: Listing, intake: Intake) -> Listing:
    """Return a section with the names in it, if it is an archive that is not opened yet."""
    if not section.is_archive or len(section.entries) != 1 or not section.entries[0].is_archive:
        return section
    archive = replace(section.entries[0], name="")
    return replace(section, entries=tuple(listed_in(archive, intake.limits, rule_of(intake))))


def grouped(batch: Listing, intake: Intake) -> Grouping:
    """Group what is in a listed folder or archive, by its names and the metadata in it."""
    found = Grouping("", plain_place) if intake.each else _recognized(batch, intake)
    return found if found.title else _grouped_sections(batch, intake) or found


def _grouped_sections(batch: Listing, intake: Intake) -> Grouping | None:
    """Group what is in the sections of a batch; None if there are none."""
    views = list(_views(batch.entries, batch.path))
    view = _plain_view(views, is_archive=batch.is_archive)
    if intake.each and batch.is_archive and len(views) > 2:
        view = views[-2]  # of the folders around everything, the innermost is the section
    folder, names = view.prefix, Names()
    sections = {
        top: Listing(
            OnDisk(f"{batch.path.rstrip('/')}/{folder}{top}"),
            tuple(replace(view.entries[name], name=parted(name)[1] or top) for name in own),
            is_archive=without_suffix(top) != top,
            name=names.distinct(without_suffix(top)),
        )
        for top, own in sorted(view.tops.items())
        if own != (top,) or view.is_archive(top)
    }
    files = [top for top in view.tops if top not in sections]
    exports = exports_among(list(sections.values()), files, intake)
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
        return found.place(rest)

    return Grouping(
        "",
        place,
        remarks=tuple(remark for found in exports.values() for remark in found.remarks),
        sections={path: found.title for path, found in exports.items()},
        exports=frozenset(f"{folder}{top}" for top, own in sections.items() if own.path in exports),
    )


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
    sections: Sequence[Listing], beside: Iterable[str], intake: Intake
) -> dict[str, Grouping]:
    """Return the layouts of sections that are exports of several submissions, by their paths.

    With ``--each``, all are. Else none is, unless most sections are. Base code may be next to
    them, in files too; next to a single one, no other programs may.

    Raises:
        InputError: With ``--each``, one is not in the layout asked for.
    """
    if intake.each:
        return {
            each.path: _in_section(each, _recognized(_listed(each, intake), intake))
            for each in sections
        }
    if intake.layout == "plain" or intake.name_pattern is not None:
        return {}
    exports, others = dict[str, Grouping](), 0
    for section in sections:
        found, count = export_in(_listed(section, intake), intake)
        if found is not None and count > 1:
            exports[section.path] = _in_section(section, found)
        else:
            others += not is_named_like_base(section.name)
        if others > len(exports) + _MOST_OTHERS:
            return {}
    if len(exports) == 1:  # one student's work may look like an export
        files = [name for name in beside if is_program(name)]
        others += sum(not is_named_like_base(name) for name in files)
        others += len(sections) == 1 and not files
    return exports if len(exports) > others else {}


def _in_section(section: Listing, found: Grouping) -> Grouping:
    """Prefix submissions with their section: students of two sections are never merged."""

    def place(name: str) -> ExportEntry:
        own = found.place(name)
        return replace(own, key=f"{section.name}/{own.key}", name=f"{section.name}/{own.name}")

    return replace(found, place=place)


def export_in(section: Listing, intake: Intake) -> tuple[Grouping | None, int]:
    """Return the layout of an export and the number of submissions in it; None if it is not one."""
    try:
        found = _recognized(section, intake)
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
    batch: Listing, intake: Intake, known: Grouping | None = None
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
    others = [each for each in batch.entries if each.is_ignored]
    found, listed = list[Grouping](), list[Entry]()

    def owners(entries: Sequence[Entry]) -> list[str]:
        listed.extend(entries)
        found.append(known or grouped(replace(batch, entries=(*others, *listed)), intake))
        return [found[0].key(each.name) for each in listed]

    if batch.is_archive:
        archive = replace(archive, name="")
    entries = [*others, *batch_entries(archive, intake.limits, rule_of(intake), owners)]
    batch = replace(batch, entries=tuple(entries))
    grouping = found[0] if found else known or grouped(batch, intake)
    is_plain = not (known or grouping.title or grouping.sections)
    if is_plain and _has_opened(listed, entries):
        # Archives in the archive may be exports, and could not be listed before.
        grouping = _grouped_sections(batch, intake) or grouping
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
        if not each.is_archive:
            found.append(each)
        elif each.name in exports:
            found += _students_in(each, intake, owner)
        else:
            archive = replace(each, name="") if each.is_given else each
            found += archive_entries(archive, limits, rule, budgets[owner(each.name)])
    return sorted(found, key=lambda each: each.name)


def _students_in(archive: Entry, intake: Intake, owner: Callable[[str], str]) -> list[Entry]:
    """Return what is in an export, whose rule sees the paths in it, named by its archive, too."""

    def named(entry: Entry) -> Entry:
        is_whole = entry.path == archive.path
        return replace(entry, name=archive.name if is_whole else f"{archive.name}/{entry.name}")

    def owners(entries: Sequence[Entry]) -> list[str]:
        return [owner(named(each).name) for each in entries]

    whole = replace(archive, name="")
    return [*map(named, batch_entries(whole, intake.limits, rule_of(intake), owners))]
