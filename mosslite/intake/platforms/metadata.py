"""Platforms that write down beside the submissions whose these are, and when."""

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from mosslite.archive_formats import has_archive_name
from mosslite.intake.platforms.exports import (
    EXTRAS,
    ExportEntry,
    PlaceOf,
    View,
    beside,
    by_tops,
    parted,
    plain_place,
)
from mosslite.intake.platforms.times import ascending, iso
from mosslite.reasons import Reason
from mosslite.records import Role

if TYPE_CHECKING:
    from yaml import BaseLoader  # slow to import, and rarely needed

# Share of the students that must have one of a platform's own files, or a row in its table.
_SHARE: Final = 0.8

# --- Gradescope -----------------------------------------------------------------------------------

# submission_123 (a folder) or, of an assignment on paper, 123.pdf; in assignment_7_export/
_GRADESCOPE_TOP: Final = re.compile(r"submission_[0-9]+|[0-9]+\.pdf")
_GRADESCOPE_FOLDER: Final = re.compile(r"assignment_[0-9]+_export")
_METADATA: Final = "submission_metadata.yml"


def gradescope(view: View) -> PlaceOf | None:
    """Place the contents of submission folders, by the metadata if it can be read."""
    has_metadata = view.has_file(_METADATA)
    is_export = has_metadata or _GRADESCOPE_FOLDER.fullmatch(view.folder) is not None
    if not is_export and not view.is_asked:
        return None
    metadata = _metadata_in(view.text(_METADATA)) if has_metadata else {}
    by_top = {
        top: _gradescope_place(top, metadata.get(top))
        for top in view.tops
        # A folder of another name could have been submitted, along with fake metadata.
        if _GRADESCOPE_TOP.fullmatch(top) or (view.is_asked and top in metadata)
    }
    if has_metadata:
        by_top[_METADATA] = beside(_METADATA, Reason.METADATA)
    return by_tops(by_top)


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

    # Strings, lists and dictionaries only, whatever tags occur.
    loader: type[BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    text = _essence(text)
    if len(text) > _MOST_TEXT:
        return {}
    try:
        if _is_too_deep(yaml.parse(text, Loader=loader)):
            return {}
        metadata = yaml.load(text, Loader=loader)  # noqa: S506 - constructs no objects
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return {}
    return metadata if isinstance(metadata, dict) else {}


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


def _is_too_deep(events: Iterable[object]) -> bool:
    """Return whether collections are nested too deep; what follows then is not parsed."""
    import yaml  # noqa: PLC0415

    depth = 0
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            return True
    return False


# --- Dolos ----------------------------------------------------------------------------------------

DOLOS_TABLE: Final = "info.csv"
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


def dolos(view: View) -> PlaceOf | None:
    """Place files by their rows; a file without one is a submission of its own."""
    if not view.has_file(DOLOS_TABLE):
        return None
    rows = {row.path: row for row in _rows(view.text(DOLOS_TABLE))}
    found = {name: _row_of(name, rows) for name in view.entries}
    if not any(found.values()) or not (view.is_asked or _is_believed(view, found)):
        return None
    counts = Counter((row.owner, row.attempt, row.file) for row in rows.values())

    def place_of(name: str) -> ExportEntry | None:
        if name == DOLOS_TABLE:
            return beside(DOLOS_TABLE, Reason.METADATA)
        row = _row_of(name, rows)
        if row is None:
            return replace(plain_place(name), key=f"{parted(name)[0]}/")
        is_alone = counts[row.owner, row.attempt, row.file] == 1
        return ExportEntry(
            key=row.owner,
            name=row.full_name or row.path,
            file=(name[len(row.path) + 1 :] or row.file) if is_alone else name,
            attempt=row.attempt,
            submitted=row.submitted,
            label=row.label,
            role=Role.BASE if row.is_template else None,
        )

    return place_of


def _is_believed(view: View, found: Mapping[str, _Row | None]) -> bool:
    """Return whether no student can have written the table, and it lists nearly all students."""
    tops = {parted(name)[0] for name in view.wanted} - EXTRAS - {DOLOS_TABLE}
    covered = {top for top in tops if any(found[name] for name in view.tops[top])}
    has_files = any(top in view.entries or has_archive_name(top) for top in tops)
    return view.is_outermost and not has_files and len(covered) >= _SHARE * len(tops) > 0


def _rows(text: str) -> Iterator[_Row]:
    """Yield the rows that name a file; none if it is not a table. Rows can have other cells."""
    lines = csv.reader(io.StringIO(text, newline=""))
    try:
        columns = {name: at for at, name in enumerate(next(lines, [])) if name in _COLUMNS}
        rows = [
            {name: line[at].strip() for name, at in columns.items() if at < len(line)}
            for line in islice(filter(None, lines), _MOST_ROWS)
        ]
    except csv.Error:
        return
    for cells in rows:
        row = defaultdict(str, cells)
        # As in entries; a path that leads outside matches none.
        path = row["filename"].replace("\\", "/").removeprefix("./").strip("/")
        if path:
            yield _Row(
                path=path,
                file=path.rpartition("/")[2],
                full_name=row["full_name"],
                label=row["label"] or row["labels"],
                submitted=iso(row["created_at"]),
                is_template=row["ignored"].lower() == "true",
            )


def _row_of(name: str, rows: Mapping[str, _Row]) -> _Row | None:
    """Return the row of an entry, or of the nearest folder or archive around it that has one."""
    parts = name.split("/", _MOST_PARTS)
    paths = ("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))
    return next((rows[path] for path in paths if path in rows), None)


# --- nbgrader -------------------------------------------------------------------------------------

_SUBMITTED: Final = "submitted"
# Other folders and files of a course.
_COURSE: Final = frozenset(
    {"source", "release", "autograded", "feedback", "gradebook.db", "nbgrader_config.py"}
)
_TIME: Final = "timestamp.txt"


def nbgrader(view: View) -> PlaceOf | None:
    """Place the files of a course's ``submitted/`` folder, or of one with the same structure."""
    is_likely = view.is_asked or not _COURSE.isdisjoint(view.tops)
    is_course = is_likely and _SUBMITTED in view.tops
    below = f"{_SUBMITTED}/" if is_course else ""
    paths = {name: _parts_below(name, below) for name in view.entries}
    parts = [each for each in paths.values() if each]
    knows = is_course or view.folder == _SUBMITTED
    if not view.is_asked and not _is_plausible(parts, knows=knows):
        return None
    students = {each[0] for each in parts if len(each) > 2}
    is_one = len({each[1] for each in parts if len(each) > 2}) == 1
    times = _times(view, paths)

    def place_of(name: str) -> ExportEntry | None:
        top = parted(name)[0]
        # Anything that no course has there could be a submission beside one named "submitted".
        if is_course and top != _SUBMITTED and (view.is_asked or top in _COURSE):
            return beside(name, Reason.NOT_SUBMITTED)
        own = _parts_below(name, below)
        if len(own) < 2 or own[0] not in students:
            return None
        return ExportEntry(
            key=own[0],
            name=own[0],
            file="/".join(own[2:] if is_one and len(own) > 2 else own[1:]),
            submitted=times.get(own[0], ""),
            ids=(own[0],),
            ignored=Reason.NBGRADER_TIME if own[2:] == [_TIME] else None,
        )

    return place_of if is_course or any(map(place_of, view.entries)) else None


def _parts_below(name: str, folder: str) -> list[str]:
    return name.removeprefix(folder).split("/", 3) if name.startswith(folder) else []


def _is_plausible(parts: Sequence[Sequence[str]], *, knows: bool) -> bool:
    """Return whether most students have a time, or a notebook, where nbgrader puts them.

    ``knows`` says that the folder is named as in nbgrader: then notebooks are sufficient.
    """
    suffixes = (".ipynb", _TIME) if knows else (_TIME,)
    students = {each[0] for each in parts}
    fitting = {each[0] for each in parts if len(each) == 3 and each[2].endswith(suffixes)}
    return len(fitting) >= _SHARE * len(students) > 0


def _times(view: View, paths: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the time of each student's latest submission."""
    times: dict[str, str] = {}
    for name, parts in paths.items():
        if len(parts) == 3 and parts[2] == _TIME:
            time = iso(view.text(name).strip().partition("\n")[0])
            times[parts[0]] = max(times.get(parts[0], time), time, key=ascending)
    return times
