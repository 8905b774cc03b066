"""Exports with a file that says whose each submission is: Gradescope and Dolos."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from mosslite.records import Role
from mosslite.submissions.platforms.records import (
    GRADESCOPE_FOLDER,
    GRADESCOPE_TOP,
    ExportEntry,
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

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mosslite.submissions.platforms.records import Listing, Places

__all__ = [
    "METADATA",
    "dolos",
    "gradescope",
]


_METADATA: Final = "submission_metadata.yml"


def gradescope(listing: Listing) -> Places:
    """Place what is in a submission's folder, by the metadata if it can be read."""
    at = file_at(listing, _METADATA)
    is_export = at is not None or GRADESCOPE_FOLDER.fullmatch(listing.folder) is not None
    if not is_export and not listing.is_asked:
        return []
    told = {} if at is None else _told(text_of(listing.entries[at]) or "")
    by_top = {
        top: _gradescope_place(top, told.get(top))
        for top in listing.tops
        # What has another name could be a file that was handed in, beside metadata that were too.
        if GRADESCOPE_TOP.fullmatch(top) or (listing.is_asked and top in told)
    }
    if at is not None:
        by_top[_METADATA] = beside(_METADATA, "is the export's metadata")
    return places_of_tops(listing, by_top)


def _gradescope_place(top: str, told: object) -> ExportEntry:
    """Place a submission by what is told of it, which may be anything."""
    if not isinstance(told, dict):
        return ExportEntry(top, top, "")
    members = tuple(_names(told.get(":submitters")))
    submitted = told.get(":created_at")
    return ExportEntry(
        key=top,
        name=", ".join(members) or top,
        file="",
        submitted=iso(submitted) if isinstance(submitted, str) else "",
        members=members if len(members) > 1 else (),
    )


def _names(submitters: object) -> Iterator[str]:
    for each in submitters if isinstance(submitters, list) else ():
        name = each.get(":name") or each.get(":email") if isinstance(each, dict) else None
        if isinstance(name, str) and name.strip():
            yield name.strip()


def _told(text: str) -> dict[object, object]:
    from mosslite.submissions.platforms.gradescope_metadata import told_in  # noqa: PLC0415 - its parser takes its time

    return told_in(text)


METADATA: Final = "info.csv"
# How many of the submissions it must tell of.
_SHARE: Final = 0.8
_COLUMNS: Final = frozenset({"filename", "full_name", "label", "labels", "created_at", "ignored"})
# More files than a course hands in.
_MOST_ROWS: Final = 100_000
# Folders around what a row tells of; looking further up costs a hostile path's square.
_MOST_PARTS: Final = 50


@dataclass(frozen=True, slots=True)
class _Row:
    """What is told of a file, or of all files below a folder.

    ``file`` is what to call it in the submission.
    """

    path: str
    file: str
    full_name: str
    label: str
    submitted: str
    is_template: bool

    @property
    def owner(self) -> str:
        """Equal for all rows of one student; a template, or a file of nobody, is on its own."""
        return self.full_name if self.full_name and not self.is_template else f"{self.path}/"

    @property
    def attempt(self) -> str:
        """Ascends with time; without a time, all files of a student are one attempt."""
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
    places[at] = beside(METADATA, "is the export's metadata")
    return places


def _is_believed(listing: Listing, found: Sequence[_Row | None]) -> bool:
    """Return whether no student can have written the table, and it tells of nearly all students."""
    tops = set(submissions_in(listing)) - {METADATA}
    covered = {top for top in tops if any(found[index] for index in listing.tops[top])}
    are_folders = all(is_folder(listing, top) for top in tops)
    return listing.is_outermost and are_folders and len(covered) >= _SHARE * len(tops) > 0


def _rows(text: str) -> Iterator[_Row]:
    """Return the rows that name a file; of a file that is not a table, none."""
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
    """Return the wanted cells of lines that are not empty: of others there can be any number."""
    header = next(lines, [])
    columns = {name: at for at, name in enumerate(header) if name in _COLUMNS}
    for line in islice(filter(None, lines), _MOST_ROWS):
        yield {name: line[at] for name, at in columns.items() if at < len(line)}


def _cell(row: Mapping[str, str | None], column: str) -> str:
    value = row.get(column)
    return value.strip() if isinstance(value, str) else ""


def _tidied(path: str) -> str:
    """Return a path as the entries spell it; one that leads elsewhere just finds none."""
    return path.replace("\\", "/").removeprefix("./").strip("/")


def _row_of(name: str, rows: Mapping[str, _Row]) -> _Row | None:
    """Return the row of an entry, or of the nearest folder or archive it is in that has one."""
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
