"""Converts results of Dolos, as ``dolos run -f csv`` writes them, to JSON results.

A result is a folder, or an archive of one, of tables::

    pairs.csv     id, leftFileId, leftFilePath, rightFileId, rightFilePath, similarity,
                  totalOverlap, longestFragment, and since version 2 leftCovered, rightCovered
    files.csv     id, path, extra (as JSON: fullName, labels, createdAt), amountOfKgrams, ignored
    metadata.csv  property, value

A file is a submission. Up to version 1 there are also passages, in ``fragments/ID.json``.
"""

import csv
import io
import json
import posixpath
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from mosslite.display import counted
from mosslite.errors import InputError
from mosslite.messages import M_
from mosslite.report import exports
from mosslite.report.results import (
    FORMAT,
    MatchResult,
    PairResult,
    PlaceResult,
    Results,
    SourceResult,
    SubmissionResult,
)

_PAIRS: Final = "pairs.csv"
_TABLES: Final = frozenset({_PAIRS, "files.csv", "metadata.csv"})
_FRAGMENTS: Final = "fragments/"
# A cell contains a whole source file.
_LARGEST_CELL: Final = (1 << 31) - 1

# Largest difference of a similarity that is written with a few digits.
_ROUNDING: Final = 0.001

_Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class _File:
    """A file in Dolos' result; ``kgrams`` is None if their number is missing."""

    path: str
    kgrams: int | None
    is_template: bool
    members: tuple[str, ...] = ()
    submitted: str = ""
    label: str = ""


def dolos_to_json(export: exports.Export, *, version: str, comment: str = "") -> str:
    """Convert a result of Dolos to JSON results.

    Args:
        export: Its files; those accepted by ``is_of_dolos`` suffice.
        version: Version of mosslite.
        comment: A title; defaults to the name of the result.

    Raises:
        InputError: It is not a result of Dolos.
    """
    rows = _table(export, _PAIRS)
    if rows is None:
        raise export.error(M_("it has no %(pairs)s", _PAIRS))
    files = _files(_table(export, "files.csv") or [], rows)
    names = _names(files)
    pairs = [_pair(export, row, files, names) for row in rows]
    found = [each for each in pairs if each is not None]
    unread = len(pairs) - len(found) - _with_templates(rows, files)
    metadata = _metadata(_table(export, "metadata.csv") or [])
    results = Results(
        format=FORMAT,
        mosslite=version,
        source=SourceResult(program="dolos", date=metadata.get("createdAt")),
        options=_options(metadata, comment, files),
        submissions=tuple(
            _submission(file, names[key]) for key, file in files.items() if not file.is_template
        ),
        pairs=tuple(found),
    )
    return exports.imported(
        results,
        warnings=(
            unread and M_("%(rows)s left out: not in the form of Dolos", counted(unread, "row")),
        ),
    )


def is_of_dolos(name: str) -> bool:
    """Return whether a file of this name can be part of the result."""
    parts = name.split("/")
    if parts[-2:-1] == [_FRAGMENTS.rstrip("/")]:
        return parts[-1].endswith(".json")
    return parts[-1] in _TABLES


def _table(export: exports.Export, name: str) -> list[_Row] | None:
    """Return the rows of a table, each by column; None without the table."""
    text = export.text(name)
    if text is None:
        return None
    try:
        with _large_cells():
            reader = csv.DictReader(io.StringIO(text, newline=""), restkey="", restval="")
            return [{key: str(value) for key, value in row.items()} for row in reader]
    except csv.Error as error:
        raise export.error(M_("%(name)r is not a table", name)) from error


@contextmanager
def _large_cells() -> Iterator[None]:
    """Raise the process-wide limit of cell sizes temporarily."""
    before = csv.field_size_limit(_LARGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _files(rows: list[_Row], pairs: list[_Row]) -> dict[str, _File]:
    """Return all files by id; files only mentioned in pairs have just a path."""
    files = {}
    for row in pairs:
        for side in ("left", "right"):
            key, path = row.get(f"{side}FileId"), exports.text_in(row.get(f"{side}FilePath"))
            if key and path:
                files[key] = _File(path, None, is_template=False)
    for row in rows:
        key, path = row.get("id"), exports.text_in(row.get("path"))
        if key and path:
            files[key] = _file(row, path)
    return files


def _file(row: _Row, path: str) -> _File:
    extra = _parsed(row.get("extra", ""))
    given = extra if isinstance(extra, dict) else {}
    member = exports.text_in(given.get("fullName"))
    return _File(
        path=path,
        kgrams=_count(row.get("amountOfKgrams", "")),
        is_template=row.get("ignored", "").lower() == "true",
        members=(member,) if member else (),
        submitted=exports.text_in(given.get("createdAt") or given.get("timestamp")) or "",
        label=exports.text_in(given.get("labels") or given.get("label")) or "",
    )


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _count(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else None


def _number(text: str) -> float | None:
    try:
        return exports.share_in(float(text))
    except ValueError:
        return None


def _names(files: Mapping[str, _File]) -> dict[str, str]:
    """Return the name of each file: its path without the common part."""
    paths = {key: file.path.replace("\\", "/") for key, file in files.items()}
    folders = {posixpath.dirname(path) for path in paths.values()}
    are_alike = len({folder.startswith("/") for folder in folders}) == 1
    common = posixpath.commonpath(folders) if are_alike else ""
    prefix = f"{common}/" if common not in ("", "/") else common
    names = {key: path.removeprefix(prefix) for key, path in paths.items()}
    return exports.distinct({key: names[key] for key in sorted(names)})


def _submission(file: _File, name: str) -> SubmissionResult:
    return SubmissionResult(
        name=name,
        members=file.members or UNSET,
        submitted=file.submitted or UNSET,
        label=file.label or UNSET,
        files=(name,),
    )


def _pair(
    export: exports.Export, row: _Row, files: Mapping[str, _File], names: Mapping[str, str]
) -> PairResult | None:
    left, right = (files.get(row.get(f"{side}FileId", "")) for side in ("left", "right"))
    similarity = _number(row.get("similarity", ""))
    if left is None or right is None or left is right or similarity is None:
        return None
    if left.is_template or right.is_template:
        return None
    names_of = (names[row["leftFileId"]], names[row["rightFileId"]])
    is_known = _are_all_counted(row, left, right, similarity)
    sides = (
        _covered(row.get("leftCovered", ""), left) if is_known else None,
        _covered(row.get("rightCovered", ""), right) if is_known else None,
    )
    matches = _passages(export, row.get("id", ""), names_of)
    return exports.pair_result(*names_of, similarity, sides, matches)


def _with_templates(rows: list[_Row], files: Mapping[str, _File]) -> int:
    templates = {key for key, file in files.items() if file.is_template}
    return sum(
        bool({row.get("leftFileId", ""), row.get("rightFileId", "")} & templates) for row in rows
    )


def _covered(text: str, file: _File) -> float | None:
    """Return the share of a file's k-grams that are covered."""
    covered = _count(text)
    if covered is None or not file.kgrams:
        return None
    return min(covered / file.kgrams, 1.0)


def _are_all_counted(row: _Row, left: _File, right: _File, similarity: float) -> bool:
    """Return whether the numbers of k-grams give the similarity.

    Otherwise Dolos ignored some, as templates contain them or too many files do: it subtracts
    these, and does not write how many they are.
    """
    covered = [_count(row.get(f"{side}Covered", "")) or 0 for side in ("left", "right")]
    kgrams = (left.kgrams or 0) + (right.kgrams or 0)
    return kgrams > 0 and abs(sum(covered) / kgrams - similarity) < _ROUNDING


def _passages(export: exports.Export, key: str, names: tuple[str, str]) -> tuple[MatchResult, ...]:
    """Return the passages of a pair, if the result contains them."""
    if _count(key) is None:
        return ()
    try:
        listed = export.json(f"{_FRAGMENTS}{key}.json")
    except InputError:
        return ()
    read = [_passage(each, names) for each in listed] if isinstance(listed, list) else []
    return tuple(each for each in read if each is not None)


def _passage(value: object, names: tuple[str, str]) -> MatchResult | None:
    if not isinstance(value, dict):
        return None
    left = _place(value.get("leftSelection"), names[0])
    right = _place(value.get("rightSelection"), names[1])
    if left is None or right is None:
        return None
    return MatchResult(left=left, right=right)


def _place(value: object, name: str) -> PlaceResult | None:
    """Convert a range of lines, which Dolos counts from 0."""
    rows = (value.get("startRow"), value.get("endRow")) if isinstance(value, dict) else (None, None)
    first, last = (exports.count_in(row) for row in rows)
    if first is None or last is None or last < first:
        return None
    return PlaceResult(file=name, first_line=first + 1, last_line=last + 1)


def _metadata(rows: list[_Row]) -> dict[str, str]:
    values = {row.get("property", ""): exports.text_in(row.get("value", "")) for row in rows}
    return {key: value for key, value in values.items() if value not in (None, "null")}


def _options(
    metadata: Mapping[str, str], comment: str, files: Mapping[str, _File]
) -> dict[str, object]:
    """Return the options recorded in the result, under mosslite's names."""
    title = comment or metadata.get("reportName", "")
    options: dict[str, object] = {"comment": title} if title else {}
    if "language" in metadata:
        options["language"] = metadata["language"]
    length, window = (_count(metadata.get(key, "")) for key in ("kgramLength", "kgramsInWindow"))
    if length and window:
        options["noise"] = {"code": length}
        options["guarantee"] = {"code": length + window - 1}
    templates = sorted(file.path for file in files.values() if file.is_template)
    return options | ({"base": templates} if templates else {})
