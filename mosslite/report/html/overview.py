"""The overview page: what was compared, what was found, and where to begin."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from io import BytesIO
from math import log10
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final
from zipfile import ZipFile, ZipInfo

from mosslite.languages import find_language, language_of, lexer_of
from mosslite.report.html.groups import other_roles
from mosslite.report.review import is_cut, worst_pairs
from mosslite.report.similar_names import disguised_rows
from mosslite.report.wording import (
    LIKELY_BOILERPLATE,
    SHORT_PASSAGES,
    base_option,
    compared,
    not_listed,
    to_review,
    where_to_begin,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from mosslite.options import Thresholds
    from mosslite.records import CommonPassage, Document, Report, SourceFile, TokenizedSubmission
    from mosslite.report.html.graph import Graph
    from mosslite.report.html.groups import Cases, Entry, Group
    from mosslite.report.html.site import Site

__all__ = [
    "LanguageRow",
    "carried_over",
    "excerpts_of",
    "histogram_of",
    "language_rows",
    "submission_rows",
    "write_likely_boilerplate",
    "write_overview",
]


# A single pair is a stump of this many decades, or it would have no height on a scale of powers.
_STUMP: Final = 0.3


@dataclass(frozen=True, slots=True)
class _Bar:
    """So many pairs score in ``[low, high)``, the last bar's end included; shares of the picture.

    Attributes:
        left: Where it begins, as a share of the width.
        width: As a share of the width.
        height: As a share of the height; 0 for no pairs.
    """

    low: float
    high: float
    count: int
    left: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Tick:
    """A line across the picture at a count."""

    count: int
    height: float


@dataclass(frozen=True, slots=True)
class _Histogram:
    """Bars from score 0 to 1, and the lines to read them by."""

    bars: tuple[_Bar, ...]
    ticks: tuple[_Tick, ...]
    total: int


def histogram_of(counts: Sequence[int]) -> _Histogram | None:
    """Draw counts of equal steps of the score; None where there is nothing to draw."""
    if not any(counts):
        return None
    top = log10(max(counts)) + 2 * _STUMP
    bars = tuple(
        _Bar(
            low=place / len(counts),
            high=(place + 1) / len(counts),
            count=count,
            left=(place + 0.08) / len(counts),
            width=0.84 / len(counts),
            height=_height(count, top),
        )
        for place, count in enumerate(counts)
    )
    powers = [10**power for power in range(len(str(max(counts))))]
    ticks = tuple(_Tick(count, _height(count, top)) for count in powers)
    return _Histogram(bars, ticks, sum(counts))


def _height(count: int, top: float) -> float:
    return (log10(count) + _STUMP) / top if count else 0.0


_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME: Final = 80

# What a browser would show as a page, and run scripts of: it goes into an archive, which ``-b``
# reads as well. Some tell a page by its beginning, whatever its name.
_PAGES: Final = "pages.zip"
_RENDERED: Final = re.compile(
    r"(hta|s?html?|mht|mhtml|rdf|rss|svg|wsdl|wsf|xht|xhtml|xml|xsd|xslt?)", re.IGNORECASE
)
_BLANKS: Final = b"\xef\xbb\xbf \t\r\n\f"
_FIRST_MOMENT: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class _Excerpt:
    """A common passage as it stands in one file.

    Attributes:
        text: All of it.
        code: What of it is compared.
        ending: That of a file of the passage's language, where the source's own tells another.
    """

    passage: CommonPassage
    source: SourceFile
    text: str
    code: str
    ending: str

    @property
    def file(self) -> str:
        """The name of its file, with the ending of its language."""
        return self.source.name + self.ending


def excerpts_of(common: Sequence[CommonPassage]) -> list[_Excerpt]:
    """Cut the passages out of their sources, with the blanks that their first lines begin with."""
    return [_excerpt(passage) for passage in common]


def carried_over(base: Iterable[str], report: Path) -> dict[str, bytes]:
    """Return the passages of an earlier report that were used as base code, so that they remain.

    Args:
        base: Paths of all base code.
        report: The folder that is to be replaced.
    """
    folder = Path(os.path.realpath(report)) / LIKELY_BOILERPLATE
    if not any(_is_below(path, folder) for path in base):
        return {}
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.is_symlink())
    return {path.name: path.read_bytes() for path in files}


def _is_below(path: str, folder: Path) -> bool:
    try:
        return Path(os.path.realpath(path)).is_relative_to(folder)
    except ValueError:  # a report that was read from a file can name anything
        return False


def write_likely_boilerplate(
    excerpts: Sequence[_Excerpt], site: Site, carried: Mapping[str, bytes] | None = None
) -> None:
    """Write passages that are likely to be given code, all of one file to one file.

    Shorter ones are written one by one, for a reader to choose. Names are safe anywhere, and
    nothing that a browser could take for a page is left lying open.
    """
    texts: dict[tuple[str, str], list[str]] = {}
    for each in excerpts:
        if each.passage.is_long:
            texts.setdefault((each.passage.submission.name, each.file), []).append(each.code)
    files = [(file, "\n\n".join(codes)) for (_, file), codes in texts.items()]
    _write_files(LIKELY_BOILERPLATE, files, site, carried or {})
    short = [(each.file, each.code) for each in excerpts if not each.passage.is_long]
    _write_files(SHORT_PASSAGES, short, site, {})


def _short_names(excerpts: Sequence[_Excerpt]) -> list[str]:
    """Return the file name of each short passage, which a reader may choose as base code."""
    taken, names = {_PAGES}, list[str]()
    for each in excerpts:
        name = "" if each.passage.is_long else _free_name(each.file, taken)
        taken.add(name.lower())
        is_page = bool(name) and _may_be_rendered(name, _content(each.code))
        names.append(f"{SHORT_PASSAGES}/{_PAGES if is_page else name}" if name else "")
    return names


def _write_files(
    folder: str, files: Sequence[tuple[str, str]], site: Site, carried: Mapping[str, bytes]
) -> None:
    taken, pages = {_PAGES, *map(str.lower, carried)}, dict[str, bytes]()
    for file, text in files:
        name = _free_name(file, taken)
        taken.add(name.lower())
        if _may_be_rendered(name, _content(text)):
            pages[name] = _content(text)
        else:
            site.write_bytes(f"{folder}/{name}", _content(text))
    for name, content in carried.items():
        if name != _PAGES or not pages:
            site.write_bytes(f"{folder}/{name}", content)
    if pages:
        site.write_bytes(f"{folder}/{_PAGES}", _zipped(pages))


def _content(text: str) -> bytes:
    return f"{text}\n".encode("utf-8", "replace")


def _may_be_rendered(name: str, content: bytes) -> bool:
    is_page = _RENDERED.fullmatch(PurePosixPath(name).suffix[1:]) is not None
    return is_page or content.lstrip(_BLANKS).startswith(b"<")


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """Pack files into a zip archive, reproducibly."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, content in files.items():
            member = ZipInfo(name, _FIRST_MOMENT)
            member.create_system, member.external_attr = 3, 0o644 << 16  # as on Unix
            archive.writestr(member, content)
    return packed.getvalue()


def _excerpt(passage: CommonPassage) -> _Excerpt:
    place = passage.place
    document = passage.submission.documents[place.document]
    file = document.file
    before = file.text[: place.start_char]
    line = before.rstrip(" \t")
    indent = before[len(line) :] if not line or line.endswith(("\n", "\r")) else ""
    text, code = (
        indent + each[place.start_char : place.stop_char]
        for each in (file.text, file.text if file.code is None else file.code)
    )
    return _Excerpt(passage, file, text, code, _ending(document))


def _ending(document: Document) -> str:
    """Return the usual ending of a language, such as ``.py``, to what a notebook has in it."""
    if document.file.language is None:
        return ""
    language = find_language(document.language)
    patterns = (pattern[1:] for pattern in lexer_of(language).filenames if pattern[0] == "*")
    return next((each for each in patterns if language_of(f"file{each}") == language), "")


def _free_name(file: str, taken: Container[str]) -> str:
    """Make a file name of letters, digits, dots and hyphens; its end tells the language."""
    name = _UNSAFE.sub("_", PurePosixPath(file).name).lstrip("._-")[-_LONGEST_NAME:] or "passages"
    number, free = 1, name
    while free.lower() in taken:
        number += 1
        free = f"{number}-{name}"
    return free


_MOST_IN_NEED: Final = 10
# A longer list of what was skipped is folded.
_MOST_OPEN: Final = 10
# So is a longer list of warnings, which stands above the pairs.
_MOST_WARNINGS: Final = 4


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """How many files were read as a language, and with which thresholds."""

    title: str
    thresholds: Thresholds
    files: int


@dataclass(frozen=True, slots=True)
class _SubmissionRow:
    """A submission by number, its best pair and its group, where it has any."""

    number: int
    submission: TokenizedSubmission
    best: Entry | None
    group: int | None


def write_overview(report: Report, site: Site, directory: Path, cases: Cases, graph: Graph) -> None:
    """Write ``index.html``; ``directory`` is what the user calls the report's folder."""
    entries, groups = cases.entries, cases.groups
    by_pair = {(each.pair.left.name, each.pair.right.name): each for each in entries}
    high = [entry.pair for entry in entries if entry.is_high]
    worst = worst_pairs(report, high, _MOST_IN_NEED)
    excerpts = excerpts_of(report.common)
    site.write_page(
        "index.html",
        "index.html",
        report=report,
        compared=compared(report, site.texts),
        to_review=to_review(
            *_counts(groups), is_cut=_may_have_more(report, cases), texts=site.texts
        ),
        where_to_begin=where_to_begin(report, site.texts),
        not_listed=not_listed(report, site.texts),
        is_cut=len(entries) < sum(report.histogram) or is_cut(report, 0),
        passed_over=worst != high[:_MOST_IN_NEED],
        threshold=cases.threshold,
        entries=entries,
        worst=[by_pair[pair.left.name, pair.right.name] for pair in worst],
        groups=groups,
        graph=graph,
        histogram=histogram_of(report.histogram),
        roles=other_roles(report.submissions),
        numbers={
            submission.name: number for number, submission in enumerate(report.submissions, 1)
        },
        submissions=submission_rows(report, entries, groups),
        disguised=disguised_rows(report, site.texts),
        has_times=any(submission.source.hand_in.submitted for submission in report.submissions),
        most_open=_MOST_OPEN,
        most_warnings=_MOST_WARNINGS,
        languages=language_rows(report),
        excerpts=excerpts,
        is_offered=any(each.passage.is_long for each in excerpts),
        base_option=base_option(directory),
        base_options=[name and base_option(directory, name) for name in _short_names(excerpts)],
    )


def _counts(groups: Sequence[Group]) -> tuple[int, int, int]:
    """Count the pairs that stand out, the submissions in them and their groups."""
    members = sum(len(group.members) for group in groups)
    return sum(group.pair_count for group in groups), members, len(groups)


def _may_have_more(report: Report, cases: Cases) -> bool:
    """Return whether pairs may stand out that were not found, as only so many are looked for."""
    return not report.unlisted and is_cut(report, 100 * cases.threshold)


def submission_rows(
    report: Report, entries: Sequence[Entry], groups: Sequence[Group]
) -> list[_SubmissionRow]:
    """Return every submission that was compared, in the order of the report."""
    best: dict[int, Entry] = {}
    for entry in entries:
        best.setdefault(entry.left, entry)
        best.setdefault(entry.right, entry)
    group_of = {member: group.number for group in groups for member in group.members}
    return [
        _SubmissionRow(number, submission, best.get(number), group_of.get(number))
        for number, submission in enumerate(report.submissions, 1)
    ]


def language_rows(report: Report) -> list[LanguageRow]:
    """Count the files of each language, by title."""
    counts = Counter(
        (find_language(document.language).title, document.thresholds)
        for submission in report.submissions
        for document in submission.documents
    )
    rows = [LanguageRow(title, thresholds, files) for (title, thresholds), files in counts.items()]
    return sorted(rows, key=lambda row: (row.title, row.thresholds.noise))
