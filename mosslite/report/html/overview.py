"""The overview page: what was compared, the results, and the pairs to review first."""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import log10
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple
from zipfile import ZipFile, ZipInfo

from mosslite.display import character_name, code_point, name_parts, script_json
from mosslite.languages import find_language, language_of, lexer_of
from mosslite.options import Thresholds
from mosslite.records import (
    CommonPassage,
    Document,
    Pair,
    Report,
    Role,
    SourceFile,
    TokenizedSubmission,
)
from mosslite.report.html.groups import Cases, Graph, Group, Link, drawn_groups, other_roles
from mosslite.report.html.site import Site
from mosslite.report.review import is_cut
from mosslite.report.wording import base_option, compared, not_listed, to_review, where_to_begin
from mosslite.signatures import LIKELY_BOILERPLATE, SHORT_PASSAGES
from mosslite.texts import ENGLISH, Texts

# On a logarithmic scale a single pair would have no height; it gets this many decades.
_STUMP: Final = 0.3


class _Bar(NamedTuple):
    """The number of pairs with scores in ``[low, high)``, the last bar's end included.

    Attributes:
        height: As a share of the height; 0 for no pairs.
    """

    low: float
    high: float
    pairs: int
    height: float


def histogram_of(counts: Sequence[int]) -> tuple[list[_Bar], list[tuple[int, float]]]:
    """Return bars for equal intervals of the score, and grid lines: counts, and their heights.

    Both are empty if all counts are 0.
    """
    if not any(counts):
        return [], []
    top = log10(max(counts)) + 2 * _STUMP
    bars = [
        _Bar(place / len(counts), (place + 1) / len(counts), count, _height(count, top))
        for place, count in enumerate(counts)
    ]
    powers = (10**power for power in range(len(str(max(counts)))))
    return bars, [(count, _height(count, top)) for count in powers]


def _height(count: int, top: float) -> float:
    return (log10(count) + _STUMP) / top if count else 0.0


# Escapes, which move the cursor, and characters that hide or reorder others.
_CONTROL: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME: Final = 80

# Files that a browser would display as a page, running its scripts, are put into an archive, which
# ``-b`` can read too. Browsers recognize some pages by content, whatever the name.
_PAGES: Final = "pages.zip"
_RENDERED: Final = re.compile(
    r"(hta|s?html?|mht|mhtml|rdf|rss|svg|wsdl|wsf|xht|xhtml|xml|xsd|xslt?)", re.IGNORECASE
)
_BLANKS: Final = b"\xef\xbb\xbf \t\r\n\f"
_FIRST_MOMENT: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class _Excerpt:
    """A common passage in one file.

    Attributes:
        text: The text of the passage.
        code: The part of it that is compared.
        ending: Extension of the passage's language, if the source's own belongs to another.
    """

    passage: CommonPassage
    source: SourceFile
    text: str
    code: str
    ending: str

    @property
    def file(self) -> str:
        """The name of its file, with the extension of its language."""
        return self.source.name + self.ending


def excerpts_of(common: Sequence[CommonPassage]) -> list[_Excerpt]:
    """Extract the passages from their sources, with the indentation of their first lines."""
    return [_excerpt(passage) for passage in common]


def carried_over(base: Iterable[str], report: Path) -> dict[str, bytes]:
    """Return passages of an earlier report used as base code, so that they are kept.

    Args:
        base: Paths of all base code.
        report: The folder to be replaced.
    """
    folder = Path(os.path.realpath(report)) / LIKELY_BOILERPLATE
    if not any(_is_below(path, folder) for path in base):
        return {}
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.is_symlink())
    return {path.name: path.read_bytes() for path in files}


def _is_below(path: str, folder: Path) -> bool:
    try:
        return Path(os.path.realpath(path)).is_relative_to(folder)
    except ValueError:  # a report read from a file can contain any name
        return False


def write_likely_boilerplate(
    excerpts: Sequence[_Excerpt], site: Site, carried: Mapping[str, bytes] | None = None
) -> None:
    """Write passages that are likely base code, one file for each source file.

    Short ones are written separately, so that the reader can choose. Names are safe on all systems,
    and a file that a browser could display as a page is never written as such.
    """
    texts: dict[tuple[str, str], list[str]] = {}
    for each in excerpts:
        if each.passage.is_long:
            texts.setdefault((each.passage.submission.name, each.file), []).append(each.code)
    long = [(file, "\n\n".join(codes)) for (_, file), codes in texts.items()]
    for folder, files, others in (
        (LIKELY_BOILERPLATE, _named(long, carried or ()), carried or {}),
        (SHORT_PASSAGES, _named(_short(excerpts)), {}),
    ):
        pages = {each.name: each.content for each in files if each.is_page}
        written = {each.name: each.content for each in files if not each.is_page}
        written |= {name: each for name, each in others.items() if name != _PAGES or not pages}
        written |= {_PAGES: _zipped(pages)} if pages else {}
        for name, content in written.items():
            site.write_bytes(f"{folder}/{name}", [content])


class _Named(NamedTuple):
    """A file to write; ``is_page`` if a browser could display it as a page."""

    name: str
    content: bytes
    is_page: bool


def _short(excerpts: Iterable[_Excerpt]) -> list[tuple[str, str]]:
    return [(each.file, each.code) for each in excerpts if not each.passage.is_long]


def _named(files: Iterable[tuple[str, str]], others: Iterable[str] = ()) -> list[_Named]:
    """Return files with names of their own, different from those of others."""
    taken, named = {_PAGES, *map(str.lower, others)}, list[_Named]()
    for file, text in files:
        name, content = _free_name(file, taken), _content(text)
        taken.add(name.lower())
        is_page = _RENDERED.fullmatch(PurePosixPath(name).suffix[1:]) is not None
        is_page = is_page or content.lstrip(_BLANKS).startswith(b"<")
        named.append(_Named(name, content, is_page))
    return named


def _content(text: str) -> bytes:
    """Return text that does nothing to a terminal or an editor, and has the same tokens."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    # Those without width are dropped, as blanks would divide words.
    shown = _CONTROL.sub(lambda found: " " * (unicodedata.category(found[0]) != "Cf"), lines)
    return f"{shown}\n".encode("utf-8", "replace")


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
    """Return the usual extension of a document's language, also for code in a notebook."""
    if document.file.language is None:
        return ""
    language = find_language(document.language)
    patterns = (pattern[1:] for pattern in lexer_of(language).filenames if pattern[0] == "*")
    return next((each for each in patterns if language_of(f"file{each}") == language), "")


def _free_name(file: str, taken: Container[str]) -> str:
    """Return a free file name of letters, digits, dots and hyphens that keeps the extension."""
    name = _UNSAFE.sub("_", PurePosixPath(file).name).lstrip("._-")[-_LONGEST_NAME:] or "passages"
    number, free = 1, name
    while free.lower() in taken:
        number += 1
        free = f"{number}-{name}"
    return free


# Members of a group that are named; its own page names all.
_MOST_MEMBERS: Final = 20
# Rows of long lists that are in the page itself; scripts make the others of ``list_script``.
_FIRST_GROUPS, _FIRST_SUBMISSIONS = 12, 50


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """A language with its number of files and its thresholds."""

    title: str
    thresholds: Thresholds
    files: int


def write_overview(report: Report, site: Site, directory: Path, cases: Cases, graph: Graph) -> None:
    """Write ``index.html``; ``directory`` is the report's folder as given by the user."""
    entries, groups = cases.entries, cases.groups
    excerpts, (bars, ticks) = excerpts_of(report.common), histogram_of(report.histogram)
    short = iter(_PAGES if each.is_page else each.name for each in _named(_short(excerpts)))
    site.write_page(
        "index.html",
        "index.html",
        compared=compared(report, site.texts),
        to_review=to_review(
            sum(len(group.links) for group in groups),
            sum(len(group.members) for group in groups),
            len(groups),
            # More pairs may be above the threshold, as the search is limited.
            is_cut=not report.unlisted and is_cut(report, 100 * report.highs.usual),
            texts=site.texts,
        ),
        where_to_begin=where_to_begin(report, site.texts),
        not_listed=not_listed(report, site.texts),
        is_cut=len(entries) < sum(report.histogram) or is_cut(report, 0),
        entries=entries,
        groups=groups,
        most_members=_MOST_MEMBERS,
        first_groups=_FIRST_GROUPS,
        first_submissions=_FIRST_SUBMISSIONS,
        undrawn=len(drawn_groups(groups)) - len(graph.frames),
        graph=graph,
        bars=bars,
        ticks=ticks,
        roles=other_roles(report.submissions),
        numbers=report.numbers,
        entries_of=cases.entries_of,
        group_of=cases.group_of,
        disguised=[(n, each) for n, each in enumerate(report.submissions, 1) if each.disguises],
        has_times=any(submission.source.hand_in.submitted for submission in report.submissions),
        excerpts=excerpts,
        is_offered=any(each.passage.is_long for each in excerpts),
        base_option=base_option(directory),
        base_options=[
            ""
            if each.passage.is_long
            else base_option(directory, f"{SHORT_PASSAGES}/{next(short)}")
            for each in excerpts
        ],
    )


def list_script(report: Report, cases: Cases, *, texts: Texts = ENGLISH) -> str:
    """Return the script with all rows of the lists of pairs, groups and submissions.

    Pages have their first rows only, so their size does not depend on that of the batch.
    """
    content = {
        "firstGroups": _FIRST_GROUPS,
        "mostMembers": _MOST_MEMBERS,
        "submissions": [
            _submission_record(each, cases.entries_of.get(n), cases.group_of.get(n), texts)
            for n, each in enumerate(report.submissions, 1)
        ],
        "groups": [
            [each.number, len(each.links), each.score, each.members] for each in cases.groups
        ],
        "pairs": [
            _pair_record(pair, entry)
            for pair, entry in zip(report.pairs, cases.entries, strict=True)
        ],
    }
    return f'"use strict";\nconst LISTS = {script_json(content)};\n'


def _submission_record(
    submission: TokenizedSubmission,
    entries: Sequence[Link] | None,
    group: Group | None,
    texts: Texts,
) -> dict[str, object]:
    """Return what a script shows of a submission; what it does not have is left out."""
    hand_in = submission.source.hand_in
    record = {
        "name": _visible(submission.name),
        "role": None if submission.role is Role.CURRENT else submission.role.value,
        "label": _visible(hand_in.label) or None,
        "late": hand_in.is_late or None,
        "time": _visible(texts.moment(hand_in.submitted)) or None,
        "files": len(submission.documents),
        "tokens": len(submission.comparable),
        "best": entries and entries[0].score,
        "group": group and group.number,
    }
    return {key: value for key, value in record.items() if value is not None}


def _pair_record(pair: Pair, entry: Link) -> dict[str, object]:
    """Return what a script shows of a pair, and sorts and filters it by."""
    return {
        "left": entry.left,
        "right": entry.right,
        "shares": [pair.left_similarity, pair.right_similarity],
        "score": pair.score,
        "limit": entry.limit,
        "lines": pair.matched_lines,
        "longest": pair.longest_match,
        "others": entry.others,
        "known": pair.is_known,
        "tiny": pair.left.is_tiny,
    }


def _visible(name: str) -> list[object]:
    """Return the parts of a name: texts, and for a hidden character its code and its name."""
    return [
        [code_point(part.text), character_name(part.text)] if part.is_hidden else part.text
        for part in name_parts(name)
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
