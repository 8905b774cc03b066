"""Gradescope, Dolos, nbgrader, GitHub Classroom and submit50: exports with metadata, and clones."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final

from mosslite.records import Role
from mosslite.submissions.platforms.records import (
    GITHUB_FOLDER,
    GRADESCOPE_FOLDER,
    GRADESCOPE_TOP,
    ExportEntry,
    Listing,
    Places,
    ascending,
    beside,
    file_at,
    is_folder,
    iso,
    parted,
    places_of_tops,
    plain_place,
    submissions_in,
    text_of,
)
from mosslite.texts import M_

if TYPE_CHECKING:
    from yaml import BaseLoader

_SUBMITTED: Final = "submitted"
# Other folders and files of a course.
_COURSE: Final = frozenset(
    {"source", "release", "autograded", "feedback", "gradebook.db", "nbgrader_config.py"}
)
_TIME: Final = "timestamp.txt"
# Share of the students that must have one of nbgrader's own files.
_SHARE: Final = 0.8


def nbgrader(listing: Listing) -> Places:
    """Place the files of a course's ``submitted/`` folder, or of one with the same structure."""
    parts = [name.split("/") for name in listing.names]
    is_likely = listing.is_asked or not _COURSE.isdisjoint(listing.tops)
    is_course = is_likely and _SUBMITTED in listing.tops
    below = [each[1:] if each[0] == _SUBMITTED else [] for each in parts] if is_course else parts
    knows = is_course or listing.folder == _SUBMITTED
    if not listing.is_asked and not _is_plausible(below, knows=knows):
        return []
    places = _places(listing, below)
    return _with_course(listing, places) if is_course else places


def _with_course(listing: Listing, places: Places) -> Places:
    """Leave out what is in the course's folder but not in ``submitted/``.

    Anything that no course has there could be a submission beside one named ``submitted``.
    """
    whole = list(places)
    for index, name in enumerate(listing.names):
        top = parted(name)[0]
        if name and top != _SUBMITTED and (listing.is_asked or top in _COURSE):
            whole[index] = beside(name, M_("is not in nbgrader's folder 'submitted'"))
    return whole


def _is_plausible(parts: Sequence[Sequence[str]], *, knows: bool) -> bool:
    """Return whether most students have a time, or a notebook, where nbgrader puts them.

    ``knows`` says that the folder is named as in nbgrader: then notebooks are sufficient.
    """
    suffixes = (".ipynb", _TIME) if knows else (_TIME,)
    students = {each[0] for each in parts if each and each[0]}
    fitting = {each[0] for each in parts if len(each) == 3 and each[2].endswith(suffixes)}
    return len(fitting) >= _SHARE * len(students) > 0


def _places(listing: Listing, parts: Sequence[Sequence[str]]) -> Places:
    """Place files whose path consists of student, assignment and file."""
    is_one = len({each[1] for each in parts if len(each) > 2}) == 1
    times = _times(listing, parts)
    students = {each[0] for each in parts if len(each) > 2}
    return [
        _place(each, times, is_one=is_one) if len(each) > 1 and each[0] in students else None
        for each in parts
    ]


def _place(parts: Sequence[str], times: dict[str, str], *, is_one: bool) -> ExportEntry:
    student = parts[0]
    is_time = len(parts) == 3 and parts[2] == _TIME
    return ExportEntry(
        key=student,
        name=student,
        file="/".join(parts[2:] if is_one and len(parts) > 2 else parts[1:]),
        submitted=times.get(student, ""),
        ids=(student,),
        ignored=M_("is nbgrader's timestamp file") if is_time else "",
    )


def _times(listing: Listing, parts: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return the time of each student's latest submission."""
    times: defaultdict[str, list[str]] = defaultdict(list)
    for entry, each in zip(listing.entries, parts, strict=True):
        if len(each) == 3 and each[2] == _TIME:
            text = (text_of(entry) or "").strip()
            times[each[0]].extend(iso(line) for line in text.splitlines()[:1])
    return {student: max(each, key=ascending) for student, each in times.items() if each}


_ORGANIZATION: Final = "me50"


def github(listing: Listing) -> Places:
    """Place the files of ``hw1-ann/`` in ``hw1-submissions/``."""
    folder = GITHUB_FOLDER.fullmatch(listing.folder)
    tops = _folders(listing)
    if folder is not None:
        slug = f"{folder['slug']}-"
    elif listing.is_asked and len(tops) > 1:
        slug = _common_slug(tops)
    else:
        return []
    logins = {
        top: top.removeprefix(slug) for top in tops if slug and top.startswith(slug) and top != slug
    }
    return places_of_tops(
        listing, {top: ExportEntry(login, login, "", ids=(login,)) for top, login in logins.items()}
    )


def submit50(listing: Listing) -> Places:
    """Place the files of ``ann/`` in ``me50/``."""
    if listing.folder != _ORGANIZATION and not listing.is_asked:
        return []
    return places_of_tops(
        listing, {top: ExportEntry(top, top, "", ids=(top,)) for top in _folders(listing)}
    )


def _common_slug(tops: list[str]) -> str:
    """Return the common prefix of all names, up to a hyphen."""
    parts = zip(*(top.split("-") for top in tops), strict=False)
    return "".join(f"{each[0]}-" for each in takewhile(lambda each: len(set(each)) == 1, parts))


def _folders(listing: Listing) -> list[str]:
    return [
        top
        for top, indices in listing.tops.items()
        if any(parted(listing.names[index])[1] for index in indices)
    ]


_METADATA: Final = "submission_metadata.yml"


def gradescope(listing: Listing) -> Places:
    """Place the contents of submission folders, by the metadata if it can be read."""
    at = file_at(listing, _METADATA)
    is_export = at is not None or GRADESCOPE_FOLDER.fullmatch(listing.folder) is not None
    if not is_export and not listing.is_asked:
        return []
    metadata = {} if at is None else _metadata_in(text_of(listing.entries[at]) or "")
    by_top = {
        top: _gradescope_place(top, metadata.get(top))
        for top in listing.tops
        # A folder of another name could have been submitted, along with fake metadata.
        if GRADESCOPE_TOP.fullmatch(top) or (listing.is_asked and top in metadata)
    }
    if at is not None:
        by_top[_METADATA] = beside(_METADATA, M_("is metadata of the export"))
    return places_of_tops(listing, by_top)


def _gradescope_place(top: str, metadata: object) -> ExportEntry:
    """Place a submission by its metadata, which can contain anything."""
    if not isinstance(metadata, dict):
        return ExportEntry(top, top, "")
    students = tuple(_students(metadata.get(":submitters")))
    members = tuple(name for name, _, _ in students)
    submitted = metadata.get(":created_at")
    return ExportEntry(
        key=top,
        name=", ".join(members) or top,
        file="",
        submitted=iso(submitted) if isinstance(submitted, str) else "",
        members=members if len(members) > 1 else (),
        ids=tuple(number for _, number, _ in students),
        emails=tuple(email for _, _, email in students),
    )


def _students(submitters: object) -> Iterator[tuple[str, str, str]]:
    """Yield name, number (or else address) and address of each student; empty where missing."""
    for each in submitters if isinstance(submitters, list) else ():
        if not isinstance(each, dict):
            continue
        known = (each.get(key) for key in (":name", ":sid", ":email"))
        name, number, email = (v.strip() if isinstance(v, str) else "" for v in known)
        if name or email:
            yield name or email, number or email, email


# The only keys of a submission that are read; earlier attempts and test results can be a hundred
# times as long.
_WANTED: Final = (":submitters:", ":created_at:")
# Text of ten thousand students, after reduction to these keys.
_MOST_TEXT: Final = 2 << 20
_DEEPEST: Final = 20


def _metadata_in(text: str) -> dict[object, object]:
    """Return the metadata by submission; empty if it cannot be read."""
    import yaml  # noqa: PLC0415 - slow to import, and rarely needed

    text = _essence(text)
    if len(text) > _MOST_TEXT:
        return {}
    try:
        if _depth(text) > _DEEPEST:
            return {}
        metadata = yaml.load(text, Loader=_yaml_loader())  # noqa: S506 - constructs no objects
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return {}
    return metadata if isinstance(metadata, dict) else {}


def _yaml_loader() -> type[BaseLoader]:
    """Return a loader of strings, lists and dictionaries only, whatever tags occur."""
    import yaml  # noqa: PLC0415

    loader: type[BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    return loader


def _essence(text: str) -> str:
    """Remove the unneeded keys of submissions, by indentation.

    The file is generated, with keys indented by two blanks; a file in another form is returned
    unchanged.
    """
    kept, is_wanted = [], True
    for line in text.replace("\r\n", "\n").split("\n"):
        if line[:1] not in ("", " "):
            is_wanted = True
        elif line.startswith("  :"):
            is_wanted = line[2:].startswith(_WANTED)
        if is_wanted:
            kept.append(line)
    return "\n".join(kept)


def _depth(text: str) -> int:
    """Return the nesting depth of collections, or the first depth above the limit."""
    import yaml  # noqa: PLC0415

    depth = deepest = 0
    for event in yaml.parse(text, Loader=_yaml_loader()):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        deepest = max(deepest, depth)
        if deepest > _DEEPEST:
            break
    return deepest


METADATA: Final = "info.csv"
_COLUMNS: Final = frozenset({"filename", "full_name", "label", "labels", "created_at", "ignored"})
# More files than a course submits.
_MOST_ROWS: Final = 100_000
# Folders examined above a file; without a limit, a hostile path costs quadratic time.
_MOST_PARTS: Final = 50


@dataclass(frozen=True, slots=True)
class _Row:
    """The metadata of a file, or of all files below a folder.

    ``file`` is its name in the submission.
    """

    path: str
    file: str
    full_name: str
    label: str
    submitted: str
    is_template: bool

    @property
    def owner(self) -> str:
        """Key of a student in all rows; templates and files of nobody have a key of their own."""
        return self.full_name if self.full_name and not self.is_template else f"{self.path}/"

    @property
    def attempt(self) -> str:
        """Key that ascends with time; without a time, all files of a student are one attempt."""
        return ascending(self.submitted)


def dolos(listing: Listing) -> Places:
    """Place files by their rows; a file without one is a submission of its own."""
    at = file_at(listing, METADATA)
    if at is None:
        return []
    rows = {row.path: row for row in _rows(text_of(listing.entries[at]) or "")}
    found = [_row_of(name, rows) for name in listing.names]
    if not any(found) or not (listing.is_asked or _is_believed(listing, found)):
        return []
    counts = Counter((row.owner, row.attempt, row.file) for row in rows.values())
    places: Places = [
        _dolos_place(name, row, is_alone=counts[row.owner, row.attempt, row.file] == 1)
        if row
        else replace(plain_place(name), key=f"{parted(name)[0]}/")
        if name
        else None
        for name, row in zip(listing.names, found, strict=True)
    ]
    places[at] = beside(METADATA, M_("is metadata of the export"))
    return places


def _is_believed(listing: Listing, found: Sequence[_Row | None]) -> bool:
    """Return whether no student can have written the table, and it lists nearly all students."""
    tops = set(submissions_in(listing)) - {METADATA}
    covered = {top for top in tops if any(found[index] for index in listing.tops[top])}
    are_folders = all(is_folder(listing, top) for top in tops)
    return listing.is_outermost and are_folders and len(covered) >= _SHARE * len(tops) > 0


def _rows(text: str) -> Iterator[_Row]:
    """Yield the rows that name a file; none if it is not a table."""
    try:
        rows = list(_cells(csv.reader(io.StringIO(text, newline=""))))
    except csv.Error:
        return
    for row in rows:
        path = _tidied(_cell(row, "filename"))
        if path:
            yield _Row(
                path=path,
                file=path.rpartition("/")[2],
                full_name=_cell(row, "full_name"),
                label=_cell(row, "label") or _cell(row, "labels"),
                submitted=iso(_cell(row, "created_at")),
                is_template=_cell(row, "ignored").lower() == "true",
            )


def _cells(lines: Iterator[list[str]]) -> Iterator[dict[str, str]]:
    """Yield the needed cells of non-empty lines; a row can have any number of others."""
    header = next(lines, [])
    columns = {name: at for at, name in enumerate(header) if name in _COLUMNS}
    for line in islice(filter(None, lines), _MOST_ROWS):
        yield {name: line[at] for name, at in columns.items() if at < len(line)}


def _cell(row: Mapping[str, str | None], column: str) -> str:
    value = row.get(column)
    return value.strip() if isinstance(value, str) else ""


def _tidied(path: str) -> str:
    """Normalize a path as in entries; one that leads outside matches none."""
    return path.replace("\\", "/").removeprefix("./").strip("/")


def _row_of(name: str, rows: Mapping[str, _Row]) -> _Row | None:
    """Return the row of an entry, or of the nearest folder or archive around it that has one."""
    parts = name.split("/", _MOST_PARTS)
    paths = ("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))
    return next((rows[path] for path in paths if path in rows), None)


def _dolos_place(name: str, row: _Row, *, is_alone: bool) -> ExportEntry:
    rest = name[len(row.path) + 1 :]
    own = rest or row.file
    return ExportEntry(
        key=row.owner,
        name=row.full_name or row.path,
        file=own if is_alone else name,
        attempt=row.attempt,
        submitted=row.submitted,
        label=row.label,
        role=Role.BASE if row.is_template else None,
    )
