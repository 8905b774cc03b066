"""Converts results of JPlag 6 and Dolos 3 to JSON results.

A result of JPlag is an archive, ``.jplag`` or ``.zip``, or the unpacked folder, of JSON files:
``topComparisons.json`` has the pairs, ``submissionMappings.json`` their names, and
``comparisons/*.json`` the passages of each.

A result of Dolos, as ``dolos run -f csv`` writes it, is a folder, or an archive of one, of tables::

    pairs.csv     id, leftFileId, leftFilePath, rightFileId, rightFilePath, similarity,
                  totalOverlap, longestFragment, leftCovered, rightCovered
    files.csv     id, path, extra (as JSON: fullName, labels, createdAt), amountOfKgrams, ignored
    metadata.csv  property, value
"""

import csv
import io
import json
import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct

from mosslite.display import counted
from mosslite.errors import InputError
from mosslite.messages import M_
from mosslite.report.json_files import written
from mosslite.report.moss_importing import distinct_pairs
from mosslite.report.recording import message_in, messages_of
from mosslite.report.results import (
    FORMAT,
    LeftOutResult,
    MatchResult,
    PairResult,
    PlaceResult,
    Results,
    Share,
    SourceResult,
    SubmissionResult,
)
from mosslite.report.review import without_surrogates

_Kind = TypeVar("_Kind")
_Name = Annotated[str, Meta(min_length=1)]
_Count = Annotated[int, Meta(ge=0, lt=1 << 31)]
_Positive = Annotated[int, Meta(ge=1, lt=1 << 31)]


@dataclass(frozen=True, slots=True)
class Export:
    """Files written by another program, by name; ``path`` is their source.

    Names inside the files are only looked up among these, so that none can lead elsewhere.
    """

    path: str
    program: str
    contents: Mapping[str, bytes]

    def error(self, why: str) -> InputError:
        """Return the error for files that are not a result of the program."""
        return InputError(
            "%(path)r is not a result of %(program)s: %(why)s", self.path, self.program, why
        )

    def text(self, name: str) -> str | None:
        """Return a file's text; None if it does not exist.

        Raises:
            InputError: It is not UTF-8.
        """
        content = self.contents.get(name)
        if content is None:
            return None
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.error(M_("%(name)r is not UTF-8", name)) from error

    def json(self, name: str) -> object:
        """Return the content of a JSON file; None if it does not exist.

        Raises:
            InputError: It is not JSON.
        """
        text = self.text(name)
        if text is None:
            return None
        try:
            return json.loads(text, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise self.error(M_("%(name)r is not JSON", name)) from error


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _as(kind: type[_Kind], value: object) -> _Kind | None:
    """Return a value as a class of another program's files; None if it is no such value."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return None


def _imported(results: Results, warnings: Iterable[str | int]) -> str:
    """Return another program's results as JSON, in the order of our own.

    Args:
        results: Submissions and pairs in any order; pairs that share nothing are left out.
        warnings: Parts of its results that were not read; 0 for none.
    """
    language = results.options.get("language")
    said = [each for each in warnings if isinstance(each, str)]
    ordered = msgspec.structs.replace(
        results,
        submissions=tuple(
            msgspec.structs.replace(each, languages=(language,) if language else ())
            for each in sorted(results.submissions, key=lambda each: each.name)
        ),
        pairs=distinct_pairs(
            sorted(
                (pair for pair in results.pairs if pair.similarity),
                key=lambda pair: (-(pair.similarity or 0.0), pair.left, pair.right),
            )
        ),
        warnings=tuple(said),
        messages=messages_of(said),
    )
    return written(ordered)


def _distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names of submissions by id; those of several are extended by id, or a number."""
    counts, distinct, taken = Counter(names.values()), dict[str, str](), set[str]()
    for key in sorted(names):
        name = names[key] if counts[names[key]] == 1 else f"{names[key]} ({key})"
        shown, number = name, 1
        while shown in taken:
            number += 1
            shown = f"{name} ({number})"
        distinct[key] = shown
        taken.add(shown)
    return distinct


# --- JPlag ---------------------------------------------------------------------------------------


class _Record(Struct, rename="camel"):
    """An object in a file of JPlag."""


class _Top(_Record):
    """A pair in the list. Of its similarities, the mean of both sides is closest to ours."""

    first_submission: _Name
    second_submission: _Name
    similarities: dict[str, Share]

    @property
    def similarity(self) -> float | None:
        return self.similarities.get("AVG", self.similarities.get("MAX"))

    @property
    def is_pair(self) -> bool:
        return self.first_submission != self.second_submission and self.similarity is not None


class _Failed(_Record):
    submission_id: _Name
    submission_state: str = "unknown"


class _Run(_Record):
    version: dict[str, _Count] = {}
    date_of_execution: str | None = None
    total_comparisons: _Count = 0
    failed_submissions: tuple[Any, ...] = ()


class _Options(_Record):
    language: str | None = None
    minimum_token_match: _Count | None = None
    base_code_submission_directory: str | None = None


class _Mappings(_Record):
    submission_ids: dict[str, Any] = {}
    submission_ids_to_comparison_file_name: dict[str, Any] = {}


class _FileIndex(_Record):
    file_indexes: dict[str, dict[str, Any]] = {}


class _Tokens(_Record):
    token_count: _Count


class _Position(_Record):
    line: _Positive


class _Passage(_Record):
    first_file_name: _Name
    second_file_name: _Name
    start_in_first: _Position
    end_in_first: _Position
    start_in_second: _Position
    end_in_second: _Position
    length_of_first: _Positive | None = None
    tokens: _Positive | None = None


class _Comparison(_Record):
    first_submission_id: str
    second_submission_id: str
    matches: tuple[Any, ...]
    first_similarity: Share | None = None
    second_similarity: Share | None = None


def is_of_jplag(name: str) -> bool:
    """Return whether a file of this name can be part of the result, not of a submission."""
    folders = name.split("/")[:-1]
    return name.endswith(".json") and not {"files", "submissions"} & {*folders}


def jplag_to_json(export: Export, *, version: str, comment: str = "") -> str:
    """Convert a result of JPlag to JSON results, with the passages it contains.

    Args:
        export: Its files; those accepted by ``is_of_jplag`` suffice.
        version: Version of mosslite.
        comment: A title, as JPlag has none.

    Raises:
        InputError: It is not a result of JPlag.
    """
    listed = export.json("topComparisons.json")
    if listed is None and "overview.json" in export.contents:
        raise export.error(M_("its version is below 6"))
    if not isinstance(listed, list):
        raise export.error(M_("it has no list of pairs"))
    run = _as(_Run, export.json("runInformation.json")) or _Run()
    mappings = _as(_Mappings, export.json("submissionMappings.json")) or _Mappings()
    tops = [top for each in listed if (top := _as(_Top, each)) and top.is_pair]
    ids = {each for top in tops for each in (top.first_submission, top.second_submission)}
    given = mappings.submission_ids.items()
    called = {key: name for key, name in given if key and name and isinstance(name, str)}
    known = dict(zip(ids, ids, strict=True)) | called
    names = _distinct({key: without_surrogates(name) for key, name in known.items()})
    pairs = [_jplag_pair(export, top, names, mappings) for top in tops]
    numbers = [run.version.get(part) for part in ("major", "minor", "patch")]
    results = Results(
        format=FORMAT,
        mosslite=version,
        source=SourceResult(
            program="jplag",
            version=None if None in numbers else ".".join(map(str, numbers)),
            date=run.date_of_execution,
        ),
        options=_jplag_options(export.json("options.json"), comment),
        submissions=tuple(_jplag_submissions(export.json("submissionFileIndex.json"), names)),
        pairs=tuple(pair for pair, _ in pairs),
        skipped=tuple(_failed(run)),
    )
    missing, unread = run.total_comparisons - len(listed), len(listed) - len(tops)
    without = sum(not is_read for _, is_read in pairs)
    return _imported(
        results,
        warnings=(
            missing > 0 and M_("%(pairs)s not in the result", counted(missing, "more pair")),
            without
            and M_(
                "no passages, or not all, of %(pairs)s: not there, or not in the form of JPlag",
                counted(without, "pair"),
            ),
            unread and M_("%(rows)s left out: not in the form of JPlag", counted(unread, "row")),
        ),
    )


def _jplag_options(given: object, comment: str) -> dict[str, object]:
    """Return the options recorded in the result, under mosslite's names."""
    found, options = _as(_Options, given) or _Options(), dict[str, object]()
    if found.language:
        options["language"] = without_surrogates(found.language)
    if found.minimum_token_match:
        constant = {"code": found.minimum_token_match}
        options |= {"noise": constant, "guarantee": constant}
    if found.base_code_submission_directory:
        options["base"] = [without_surrogates(found.base_code_submission_directory)]
    return options | ({"comment": comment} if comment else {})


def _jplag_submissions(index: object, names: Mapping[str, str]) -> Iterator[SubmissionResult]:
    """Yield all submissions that have a name, with their files."""
    indexes = (_as(_FileIndex, index) or _FileIndex()).file_indexes
    for key, name in names.items():
        files = indexes.get(key, {})
        found = (_as(_Tokens, each) for each in files.values())
        known = [each.token_count for each in found if each is not None]
        yield SubmissionResult(
            name=name,
            files=tuple(sorted({_in_submission(file, key) for file in files})),
            tokens=sum(known) if known and len(known) == len(files) else None,
        )


def _failed(run: _Run) -> Iterator[LeftOutResult]:
    """Yield what JPlag could not read, with its reasons."""
    for each in run.failed_submissions:
        if failed := _as(_Failed, each):
            state = without_surrogates(failed.submission_state).lower().replace("_", " ")
            reason = M_("failed in JPlag: %(replace)s", state)
            yield LeftOutResult(
                path=without_surrogates(failed.submission_id),
                reason=reason,
                message=message_in(reason),
            )


def _jplag_pair(
    export: Export, top: _Top, names: Mapping[str, str], mappings: _Mappings
) -> tuple[PairResult, bool]:
    """Return a pair, and whether all of its passages could be read."""
    ids = (top.first_submission, top.second_submission)
    comparison = _comparison(export, ids, mappings)
    if comparison is None:
        pair = PairResult(left=names[ids[0]], right=names[ids[1]], similarity=top.similarity)
        return pair, False
    owners = (comparison.first_submission_id, comparison.second_submission_id)
    read = [_jplag_match(each, owners) for each in comparison.matches]
    matches = [each for each in read if each is not None]
    sides = (comparison.first_similarity, comparison.second_similarity)
    if owners != ids:  # the other way round there
        matches = [MatchResult(left=m.right, right=m.left, tokens=m.tokens) for m in matches]
        sides = sides[::-1]
    known = [each.tokens for each in matches if each.tokens is not None]
    is_known = bool(known) and len(known) == len(matches)
    pair = PairResult(
        left=names[ids[0]],
        right=names[ids[1]],
        similarity=top.similarity,
        left_similarity=sides[0],
        right_similarity=sides[1],
        matched_tokens=sum(known) if is_known else None,
        longest_match=max(known) if is_known else None,
        matches=tuple(
            sorted(
                matches,
                key=lambda match: [
                    (each.file or "", each.first_line, each.last_line)
                    for each in (match.left, match.right)
                ],
            )
        ),
    )
    return pair, len(matches) == len(read)


def _comparison(export: Export, ids: tuple[str, str], mappings: _Mappings) -> _Comparison | None:
    """Return the file of a pair; None if it does not exist, or is not about this pair."""
    of_left = mappings.submission_ids_to_comparison_file_name.get(ids[0])
    name = of_left.get(ids[1]) if isinstance(of_left, dict) else None
    try:
        found = _as(_Comparison, export.json(f"comparisons/{name}"))
    except InputError:
        return None
    is_ours = found and {found.first_submission_id, found.second_submission_id} == {*ids}
    return found if is_ours else None


def _jplag_match(value: object, owners: tuple[str, str]) -> MatchResult | None:
    found = _as(_Passage, value)
    if found is None:
        return None
    left = _place(found.first_file_name, owners[0], found.start_in_first, found.end_in_first)
    right = _place(found.second_file_name, owners[1], found.start_in_second, found.end_in_second)
    if left is None or right is None:
        return None
    return MatchResult(left=left, right=right, tokens=found.length_of_first or found.tokens)


def _place(file: str, owner: str, start: _Position, end: _Position) -> PlaceResult | None:
    if end.line < start.line:
        return None
    name = without_surrogates(_in_submission(file, owner))
    return PlaceResult(file=name, first_line=start.line, last_line=end.line)


def _in_submission(file: str, submission: str) -> str:
    """Return a file's path inside its submission, whose name is its prefix."""
    path = file.replace("\\", "/")
    return path.removeprefix(f"{submission}/") or path


# --- Dolos ---------------------------------------------------------------------------------------

_PAIRS: Final = "pairs.csv"
_TABLES: Final = frozenset({_PAIRS, "files.csv", "metadata.csv"})
# A cell contains a whole source file.
_LARGEST_CELL: Final = (1 << 31) - 1
# Largest difference of a similarity that is written with a few digits.
_ROUNDING: Final = 0.001

_Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class _File:
    """A file in Dolos' result, which is a submission; ``kgrams`` is None if it is missing."""

    path: str
    kgrams: int | None = None
    is_template: bool = False
    member: str = ""
    submitted: str = ""
    label: str = ""


def is_of_dolos(name: str) -> bool:
    """Return whether a file of this name can be part of the result."""
    return posixpath.basename(name) in _TABLES


def dolos_to_json(export: Export, *, version: str, comment: str = "") -> str:
    """Convert a result of Dolos to JSON results; it has no passages.

    Args:
        export: Its files; those accepted by ``is_of_dolos`` suffice.
        version: Version of mosslite.
        comment: A title; defaults to the name of the result.

    Raises:
        InputError: It is not a result of Dolos.
    """
    rows = _table(export, _PAIRS, "leftFileId", "rightFileId", "similarity")
    if rows is None:
        raise export.error(M_("it has no %(pairs)s", _PAIRS))
    files = _files(_table(export, "files.csv") or [], rows)
    names = _names(files)
    templates = {key for key, file in files.items() if file.is_template}
    asked = [row for row in rows if not {row.get(f"{side}FileId") for side in _SIDES} & templates]
    pairs = [pair for row in asked if (pair := _dolos_pair(row, files, names))]
    unread = len(asked) - len(pairs)
    metadata = {
        row.get("property", ""): row["value"]
        for row in _table(export, "metadata.csv") or []
        if row.get("value", "") not in ("", "null")
    }
    results = Results(
        format=FORMAT,
        mosslite=version,
        source=SourceResult(program="dolos", date=metadata.get("createdAt")),
        options=_dolos_options(metadata, comment, files),
        submissions=tuple(
            SubmissionResult(
                name=names[key],
                members=(file.member,) if file.member else UNSET,
                submitted=file.submitted or UNSET,
                label=file.label or UNSET,
                files=(names[key],),
            )
            for key, file in files.items()
            if not file.is_template
        ),
        pairs=tuple(pairs),
    )
    warning = M_("%(rows)s left out: not in the form of Dolos", counted(unread, "row"))
    return _imported(results, [warning] if unread else [])


_SIDES: Final = ("left", "right")


def _table(export: Export, name: str, *columns: str) -> list[_Row] | None:
    """Return the rows of a table, which must have these columns; None without the table."""
    text = export.text(name)
    if text is None:
        return None
    try:
        with _large_cells():
            reader = csv.DictReader(io.StringIO(text, newline=""), restkey="", restval="")
            for column in columns:
                if column not in (reader.fieldnames or ()):
                    raise export.error(M_("%(name)r has no column %(column)r", name, column))
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


def _files(rows: Sequence[_Row], pairs: Sequence[_Row]) -> dict[str, _File]:
    """Return all files by id; files only mentioned in pairs have just a path."""
    files = {}
    for row in pairs:
        for side in _SIDES:
            if (key := row.get(f"{side}FileId")) and (path := row.get(f"{side}FilePath")):
                files[key] = _File(path)
    for row in rows:
        if (key := row.get("id")) and (path := row.get("path")):
            files[key] = _file(row, path)
    return files


def _file(row: _Row, path: str) -> _File:
    given: object = None
    with suppress(ValueError, RecursionError):
        given = json.loads(row.get("extra", ""))
    known = {
        key: without_surrogates(value)
        for key, value in (given.items() if isinstance(given, dict) else ())
        if isinstance(value, str)
    }
    return _File(
        path=path,
        kgrams=_number(row.get("amountOfKgrams", "")),
        is_template=row.get("ignored", "").lower() == "true",
        member=known.get("fullName", ""),
        submitted=known.get("createdAt", ""),
        label=known.get("labels", ""),
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else None


def _names(files: Mapping[str, _File]) -> dict[str, str]:
    """Return the name of each file: its path without the common part."""
    paths = {key: file.path.replace("\\", "/") for key, file in files.items()}
    folders = {posixpath.dirname(path) for path in paths.values()}
    are_alike = len({folder.startswith("/") for folder in folders}) == 1
    common = posixpath.commonpath(folders) if are_alike else ""
    prefix = f"{common}/" if common not in ("", "/") else common
    return _distinct({key: path.removeprefix(prefix) for key, path in paths.items()})


def _dolos_pair(
    row: _Row, files: Mapping[str, _File], names: Mapping[str, str]
) -> PairResult | None:
    keys = [row.get(f"{side}FileId", "") for side in _SIDES]
    similarity = _share(row.get("similarity", ""))
    if not set(keys) <= files.keys() or keys[0] == keys[1] or similarity is None:
        return None
    covered = [_number(row.get(f"{side}Covered", "")) or 0 for side in _SIDES]
    kgrams = [files[key].kgrams or 0 for key in keys]
    # If these do not give the similarity, Dolos ignored some k-grams, as templates contain them or
    # too many files do: it subtracts these, and does not write how many they are.
    is_known = all(kgrams) and abs(sum(covered) / sum(kgrams) - similarity) < _ROUNDING
    shares = [min(n / of, 1.0) if is_known else None for n, of in zip(covered, kgrams, strict=True)]
    return PairResult(
        left=names[keys[0]],
        right=names[keys[1]],
        similarity=similarity,
        left_similarity=shares[0],
        right_similarity=shares[1],
    )


def _share(text: str) -> float | None:
    with suppress(ValueError):
        if 0 <= (share := float(text)) <= 1:
            return share
    return None


def _dolos_options(
    metadata: Mapping[str, str], comment: str, files: Mapping[str, _File]
) -> dict[str, object]:
    """Return the options recorded in the result, under mosslite's names."""
    title = comment or metadata.get("reportName", "")
    options: dict[str, object] = {"comment": title} if title else {}
    if "language" in metadata:
        options["language"] = metadata["language"]
    length, window = (_number(metadata.get(key, "")) for key in ("kgramLength", "kgramsInWindow"))
    if length and window:
        options["noise"] = {"code": length}
        options["guarantee"] = {"code": length + window - 1}
    templates = sorted(file.path for file in files.values() if file.is_template)
    return options | ({"base": templates} if templates else {})
