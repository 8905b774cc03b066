"""Converts results of JPlag to JSON results.

A result is an archive, ``.jplag`` or ``.zip``, or the unpacked folder. Its format has several
versions:

* versions 3 and 4: pairs are ``metrics[].topComparisons`` in ``overview.json``, each with
  ``first_submission``, ``second_submission`` and ``match_percentage`` or ``similarity``; names are
  ``submission_id_to_display_name``; a passage has ``file1``, ``start1``, ``end1`` and so on;
* version 5: pairs are ``top_comparisons`` there, with ``similarities``;
* version 6: pairs are in ``topComparisons.json``, with ``firstSubmission``, names in
  ``submissionMappings.json``; a passage has ``firstFileName`` and ``startInFirst.line``.

The passages of a pair are in a file of their own, ``comparisons/A-B.json`` or ``A-B.json``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from mosslite.display import counted
from mosslite.errors import InputError
from mosslite.messages import M_
from mosslite.records import Skipped
from mosslite.report import exports
from mosslite.report.recording import left_out
from mosslite.report.results import (
    FORMAT,
    LeftOutResult,
    MatchResult,
    PairResult,
    PlaceResult,
    Results,
    SourceResult,
    SubmissionResult,
)

_OVERVIEW: Final = "overview.json"
_PERCENT: Final = 100.0
# In order of preference: the mean of both sides is closest to our similarity.
_METRICS: Final = ("AVG", "MAX")

_Object = dict[str, object]


def jplag_to_json(export: exports.Export, *, version: str, comment: str = "") -> str:
    """Convert a result of JPlag to JSON results, with the passages it contains.

    Args:
        export: Its files; those accepted by ``is_of_jplag`` suffice.
        version: Version of mosslite.
        comment: A title, as JPlag has none.

    Raises:
        InputError: It is not a result of JPlag.
    """
    result = _Result.read(export)
    pairs = [_pair(result, row) for row in result.rows]
    without, unread = sum(not is_read for _, is_read in pairs), result.unread
    results = Results(
        format=FORMAT,
        mosslite=version,
        source=SourceResult(program="jplag", version=result.version, date=result.date),
        options=result.options | ({"comment": comment} if comment else {}),
        submissions=tuple(result.submissions),
        pairs=tuple(pair for pair, _ in pairs),
        skipped=tuple(result.failed),
    )
    return exports.imported(
        results,
        warnings=(
            *result.warnings,
            without
            and M_(
                "no passages, or not all, of %(pairs)s: not there, or not in the form of JPlag",
                counted(without, "pair"),
            ),
            unread and M_("%(rows)s left out: not in the form of JPlag", counted(unread, "row")),
        ),
    )


def is_of_jplag(name: str) -> bool:
    """Return whether a file of this name can be part of the result, not of a submission."""
    folders = name.split("/")[:-1]
    return name.endswith(".json") and not {"files", "submissions"} & {*folders}


def _get(value: object, *keys: str) -> object:
    """Return the value of the first key that an object has; None for other values."""
    if isinstance(value, dict):
        for key in keys:
            if value.get(key) is not None:
                found: object = value[key]
                return found
    return None


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def _object(value: object) -> _Object:
    return value if isinstance(value, dict) else {}


@dataclass(frozen=True, slots=True)
class _Row:
    """A pair in the list, by ids."""

    left: str
    right: str
    similarity: float


@dataclass(frozen=True, slots=True)
class _Result:
    """The data about all pairs in a result.

    Attributes:
        names: Names of submissions, by id.
        comparisons: Name of each pair's file, by both ids.
        unread: Number of list rows that are not pairs.
    """

    export: exports.Export
    rows: Sequence[_Row]
    unread: int
    names: Mapping[str, str]
    comparisons: _Object
    files: Mapping[str, Mapping[str, int | None]]
    options: _Object
    version: str | None
    date: str | None
    failed: Sequence[LeftOutResult]
    warnings: Sequence[str]

    @classmethod
    def read(cls, export: exports.Export) -> _Result:
        """Read the files that exist once per result.

        Raises:
            InputError: There is no list of pairs.
        """
        overview = export.json(_OVERVIEW)
        run, mapping = export.json("runInformation.json"), export.json("submissionMappings.json")
        listed = _listed(export, overview)
        rows = [_row(each) for each in listed]
        found = [row for row in rows if row is not None]
        ids = _get(mapping or overview, "submissionIds", "submission_id_to_display_name")
        total = exports.count_in(_get(run or overview, "totalComparisons", "total_comparisons"))
        missing = (total or 0) - len(listed)
        return cls(
            export=export,
            rows=found,
            unread=len(rows) - len(found),
            names=_names(_object(ids), found),
            comparisons=_object(
                _get(
                    mapping or overview,
                    "submissionIdsToComparisonFileName",
                    "submission_ids_to_comparison_file_name",
                )
            ),
            files=_files(export.json("submissionFileIndex.json")),
            options=_options(export.json("options.json"), overview),
            version=_version(_get(run or overview, "version", "jplag_version")),
            date=exports.text_in(_get(run or overview, "dateOfExecution", "date_of_execution")),
            failed=[*_failed(run or overview)],
            warnings=[M_("%(pairs)s not in the result", counted(missing, "more pair"))]
            if missing > 0
            else [],
        )

    @property
    def submissions(self) -> Iterator[SubmissionResult]:
        """All submissions that have a name, with their files."""
        for key, name in self.names.items():
            files = self.files.get(key, {})
            tokens = [count for count in files.values() if count is not None]
            is_known = bool(tokens) and len(tokens) == len(files)
            names = sorted({_in_submission(file, key) for file in files})
            yield SubmissionResult(
                name=name, files=tuple(names), tokens=sum(tokens) if is_known else None
            )


def _listed(export: exports.Export, overview: object) -> Sequence[object]:
    """Return the list of pairs, unparsed.

    Raises:
        InputError: There is none.
    """
    listed = export.json("topComparisons.json")
    if listed is None:
        listed = _get(overview, "top_comparisons", "topComparisons")
    if listed is None:
        metrics = [each for each in _list(_get(overview, "metrics")) if isinstance(each, dict)]
        metrics.sort(key=lambda each: each.get("name") != _METRICS[0])
        listed = _get(metrics[0], "topComparisons", "top_comparisons") if metrics else None
    if not isinstance(listed, list):
        raise export.error(M_("it has no list of pairs"))
    return listed


def _row(value: object) -> _Row | None:
    left = exports.text_in(_get(value, "firstSubmission", "first_submission"))
    right = exports.text_in(_get(value, "secondSubmission", "second_submission"))
    similarity = _similarity(value)
    if left is None or right is None or left == right or similarity is None:
        return None
    return _Row(left, right, similarity)


def _similarity(value: object) -> float | None:
    by_metric = _get(value, "similarities")
    if by_metric is not None:
        return exports.share_in(_get(by_metric, *_METRICS))
    percent = _get(value, "match_percentage")
    return (
        exports.share_in(_get(value, "similarity"))
        if percent is None
        else exports.share_in(percent, _PERCENT)
    )


def _names(given: _Object, rows: Sequence[_Row]) -> dict[str, str]:
    names = {
        key: exports.text_in(given.get(key)) or key for row in rows for key in (row.left, row.right)
    }
    for key, name in given.items():
        known, plain = exports.text_in(name), exports.text_in(key)
        if known is not None and plain is not None:
            names[plain] = known
    return exports.distinct({key: names[key] for key in sorted(names)})


def _files(index: object) -> dict[str, dict[str, int | None]]:
    """Return the files of each submission, by id, with their numbers of tokens."""
    found: dict[str, dict[str, int | None]] = {}
    for key, files in _object(_get(index, "fileIndexes", "submission_file_indexes")).items():
        named = files if isinstance(files, dict) else dict.fromkeys(map(str, _list(files)))
        found[key] = {
            name: exports.count_in(_get(about, "tokenCount", "token_count"))
            for file, about in named.items()
            if (name := exports.text_in(file))
        }
    return found


def _options(options: object, overview: object) -> _Object:
    """Return the options recorded in the result, under mosslite's names."""
    language = exports.text_in(_get(options, "language")) or exports.text_in(
        _get(overview, "language")
    )
    shortest = exports.count_in(
        _get(options, "minimumTokenMatch", "min_token_match") or _get(overview, "match_sensitivity")
    )
    base = exports.text_in(_get(options, "baseCodeSubmissionDirectory", "base_directory"))
    base = base or exports.text_in(_get(overview, "base_code_folder_path"))
    given: _Object = {"language": language} if language else {}
    if shortest:
        given |= {"noise": {"code": shortest}, "guarantee": {"code": shortest}}
    return given | ({"base": [base]} if base else {})


def _version(value: object) -> str | None:
    parts = [exports.count_in(_get(value, part)) for part in ("major", "minor", "patch")]
    return None if None in parts else ".".join(map(str, parts))


def _failed(run: object) -> Iterator[LeftOutResult]:
    """Yield what JPlag could not read, with its reasons."""
    for each in _list(_get(run, "failedSubmissions")):
        name = exports.text_in(_get(each, "submissionId", "name"))
        state = exports.text_in(_get(each, "submissionState")) or "unknown"
        if name:
            reason = M_("failed in JPlag: %(replace)s", state.lower().replace("_", " "))
            yield left_out(Skipped(name, reason))
    for each in _list(_get(run, "failedSubmissionNames", "failed_submission_names")):
        name = exports.text_in(each)
        if name:
            yield left_out(Skipped(name, M_("failed in JPlag")))


class _Keys(NamedTuple):
    """The names of keys for one side, in words and as a number."""

    title: str
    word: str
    number: str


_FIRST, _SECOND = _Keys("First", "first", "1"), _Keys("Second", "second", "2")


def _pair(result: _Result, row: _Row) -> tuple[PairResult, bool]:
    """Return a pair, and whether all of its passages could be read."""
    comparison, (left, right) = _comparison(result, row)
    listed = _get(comparison, "matches")
    read = [_match(each, row, left, right) for each in _list(listed)]
    matches = [each for each in read if each is not None]
    pair = exports.pair_result(
        result.names[row.left],
        result.names[row.right],
        row.similarity,
        (_similarity_of(comparison, left), _similarity_of(comparison, right)),
        sorted(matches, key=_order),
    )
    return pair, isinstance(listed, list) and len(matches) == len(read)


def _similarity_of(comparison: object, side: _Keys) -> float | None:
    return exports.share_in(_get(comparison, f"{side.word}Similarity", f"{side.word}_similarity"))


def _comparison(result: _Result, row: _Row) -> tuple[object, tuple[_Keys, _Keys]]:
    """Return the file of a pair, and the key names of its left and right side.

    None if the file does not exist, or is not about this pair.
    """
    given = exports.text_in(_get(_get(result.comparisons, row.left), row.right))
    usual = (f"{row.left}-{row.right}.json", f"{row.right}-{row.left}.json")
    for name in dict.fromkeys(filter(None, (given, *usual))):
        for path in (f"comparisons/{name}", name):
            content = _content(result.export, path)
            ids = (
                _get(content, "firstSubmissionId", "id1", "first_submission_id"),
                _get(content, "secondSubmissionId", "id2", "second_submission_id"),
            )
            if ids == (row.left, row.right):
                return content, (_FIRST, _SECOND)
            if ids == (row.right, row.left):
                return content, (_SECOND, _FIRST)
    return None, (_FIRST, _SECOND)


def _content(export: exports.Export, path: str) -> object:
    try:
        return export.json(path)
    except InputError:
        return None


def _order(match: MatchResult) -> tuple[tuple[str, int, int], ...]:
    return tuple(
        (each.file or "", each.first_line, each.last_line) for each in (match.left, match.right)
    )


def _match(value: object, row: _Row, left: _Keys, right: _Keys) -> MatchResult | None:
    on_left, on_right = _place(value, left, row.left), _place(value, right, row.right)
    if on_left is None or on_right is None:
        return None
    tokens = exports.count_in(_get(value, "tokens", f"lengthOf{left.title}"), least=1)
    return MatchResult(left=on_left, right=on_right, tokens=tokens)


def _place(value: object, side: _Keys, submission: str) -> PlaceResult | None:
    file = exports.text_in(
        _get(value, f"{side.word}FileName", f"{side.word}_file_name", f"file{side.number}")
    )
    first, last = (_line(value, what, side) for what in ("start", "end"))
    if file is None or first is None or last is None or last < first:
        return None
    return PlaceResult(file=_in_submission(file, submission), first_line=first, last_line=last)


def _line(value: object, what: str, side: _Keys) -> int | None:
    found = _get(value, f"{what}In{side.title}", f"{what}_in_{side.word}", f"{what}{side.number}")
    line = _get(found, "line", "lineNumber") if isinstance(found, dict) else found
    return exports.count_in(line, least=1)


def _in_submission(file: str, submission: str) -> str:
    """Return a file's path inside its submission, whose name is its prefix."""
    path = file.replace("\\", "/")
    return path.removeprefix(f"{submission}/") or path
