"""Self-contained HTML documents: a case file on a pair or group, or a whole report.

A document contains no script, so it looks the same in a browser, in the mail preview of a phone and
on paper. Styles are inlined, permitted to the browser by their hash, and nothing else is
loaded.
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from itertools import islice
from typing import Final, NamedTuple

import jinja2
import numpy as np
from markupsafe import Markup

from mosslite.options import Mark
from mosslite.records import Document, Location, Match, Report, Role
from mosslite.report.cases import Source, groups_of, locations_of, source_of
from mosslite.report.html.listing import MarkedPiece, RenderedSource, marked_lines
from mosslite.report.html.pages import ReportMetadata, css_string, cut, margins, page_number
from mosslite.report.html.sides import MOST_LINES, IdenticalFiles, file_properties, identical_files
from mosslite.report.html.site import asset, environment
from mosslite.report.json_files import written
from mosslite.report.recording import results_of
from mosslite.report.results import MatchResult, PairResult, PlaceResult, Results, SubmissionResult
from mosslite.report.review import code_of_sides
from mosslite.report.similar_names import distinct_names
from mosslite.report.wording import format_lines, lines_in_words, place_in_words
from mosslite.texts import Texts, texts_in

_CanvasOf = Callable[[Document], RenderedSource]
_Line = tuple[int, list[MarkedPiece]]

# Below the size limit of most mail servers after encoding, which adds a third.
MOST_BYTES: Final = 7 << 20
# Limits of a passage shown beside another: lines, and characters of each.
_MOST_LINES: Final = 80
_LONGEST_LINE: Final = 1000
# Maximum length of a source shown in full.
_MOST_OF_SOURCE: Final = 10_000
_MOST_CHARACTERS: Final = 1_000_000
# Layout of page margin boxes, overriding the style sheet of other pages.
_EDGE: Final = " width: 50%; padding: 0; vertical-align: middle; white-space: normal;"
# Maximum number of rows in a table, and of matches in a pair; the results have all.
_MOST_ROWS: Final = 1000
_MOST_OF_PAIR: Final = 300
_MOST_TITLE: Final = 70


@dataclass(frozen=True, slots=True)
class Case:
    """The content of a document.

    Attributes:
        digest: SHA-256 of the file of results.
        pairs: The pairs shown.
        sources: Sources of their submissions, by name.
        marks: The reviewer's marks, by the names of the pair; they replace those in the results.
        matches: Exact matches, by the names of the pair; of other pairs only lines are known.
        score_explanation: The formula of the score, in words; empty if from another version.
    """

    results: Results
    digest: str
    pairs: tuple[PairResult, ...]
    sources: Mapping[str, Source]
    marks: Mapping[frozenset[str], Mark] = field(default_factory=dict)
    matches: Mapping[frozenset[str], Sequence[Match]] = field(default_factory=dict)
    score_explanation: str = ""


class _Passage(NamedTuple):
    """One side of a match; no lines if its text is not shown, ``more`` if some are omitted."""

    file: str
    where: str
    lines: list[_Line]
    more: int


class _File(NamedTuple):
    name: str
    properties: str
    lines: list[_Line]
    firsts: dict[int, int]
    more: int


@dataclass(frozen=True, slots=True)
class _Side:
    """A side of a pair, with its results, its shown text, and its other pairs.

    Attributes:
        others: Number of its other pairs above the threshold.
        is_in_part: A limit excluded part of it from the comparison.
    """

    name: str
    saved: SubmissionResult
    source: Source
    similarity: float | None
    others: int
    is_in_part: bool

    @property
    def writers(self) -> tuple[str, ...]:
        """The people responsible: the members of a team, else the submission."""
        return self.saved.hand_in.members or (self.name,)

    @property
    def is_of_student(self) -> bool:
        """Whether it is not one of the instructor's."""
        return self.saved.role in (Role.CURRENT, Role.PRIOR)


class _Section:
    """The template data of a pair."""

    def __init__(
        self,
        case: Case,
        pair: PairResult,
        canvas_of: _CanvasOf,
        others: Mapping[str, int],
        texts: Texts,
    ) -> None:
        self._texts = texts
        self.pair = pair
        self.rank = case.results.rank_of(pair)
        self.limit = case.results.limit_of(pair)
        self.stands_out = case.results.stands_out(pair)
        self.left, self.right = self.sides = tuple(
            _Side(
                name=name,
                saved=case.results.by_name[name],
                source=case.sources[name],
                similarity=similarity,
                others=others.get(name, 0),
                is_in_part=any(each.submission == name for each in case.results.skipped),
            )
            for name, similarity in (
                (pair.left, pair.left_similarity),
                (pair.right, pair.right_similarity),
            )
        )
        self.mark = case.marks.get(pair.names, pair.mark)
        self.is_mark_outdated = self._is_outdated(case, pair)
        self._canvas_of = canvas_of
        self._known = case.matches.get(pair.names)

    def _is_outdated(self, case: Case, pair: PairResult) -> bool:
        """Return whether the marked code differs from that of the results."""
        mark = case.marks.get(pair.names)
        if mark is None:
            return bool(pair.review and pair.review.changed)
        codes = (self.left.saved.code or "", self.right.saved.code or "")
        return bool(mark.code) and all(codes) and mark.code != code_of_sides(*codes)

    @property
    def identical(self) -> IdenticalFiles | None:
        """The identical files of both sides, if the text of both is known."""
        left, right = self.left.source.submission, self.right.source.submission
        return identical_files(left, right) if left and right else None

    @cached_property
    def _locations(self) -> list[tuple[Location | None, Location | None]]:
        if self._known is not None:
            has_left, has_right = (side.source.submission is not None for side in self.sides)
            return [
                (each.left if has_left else None, each.right if has_right else None)
                for each in self._known
            ]
        return locations_of(self.pair, self.left.source, self.right.source, self._canvas_of)

    def rows(self) -> Iterator[tuple[int, MatchResult, _Passage, _Passage]]:
        """Yield the matches by number, with the passages of both sides."""
        places = zip(self.pair.matches, self._locations, strict=True)
        for number, (match, (left, right)) in enumerate(islice(places, _MOST_OF_PAIR), 1):
            yield (
                number,
                match,
                self._passage(self.left, match.left, left, number),
                self._passage(self.right, match.right, right, number),
            )

    def _passage(
        self, side: _Side, place: PlaceResult, at: Location | None, number: int
    ) -> _Passage:
        submission = side.source.submission
        if submission is None or at is None:
            words = place.where or lines_in_words(place.lines, self._texts)
            return _Passage(place.file or "", words, [], 0)
        document = submission.documents[at.document]
        shown = min(at.last_line, at.first_line + _MOST_LINES - 1)
        marks = [(at.start_char, at.stop_char, number)]
        lines = marked_lines(
            self._canvas_of(document),
            range(at.first_line, shown + 1),
            marks,
            longest=_LONGEST_LINE,
        )
        where = place_in_words(document.file, at.first_line, at.last_line, self._texts)
        more = at.last_line - shown
        return _Passage(document.file.name, where, [*lines], more)

    def files(self, at: int) -> Iterator[_File]:
        """Yield the files of a side with all its matches marked, up to a limit."""
        submission, room = self.sides[at].source.submission, _MOST_OF_SOURCE
        characters = _MOST_CHARACTERS
        for number, document in enumerate(submission.documents if submission else ()):
            canvas = self._canvas_of(document)
            lengths = np.minimum(canvas.lines[:, 1] - canvas.lines[:, 0], _LONGEST_LINE)
            count = min(int((np.cumsum(lengths) <= characters).sum()), room)
            room, characters = room - count, characters - int(lengths[:count].sum())
            places = ((match, both[at]) for match, both in enumerate(self._locations, 1))
            marks = [
                (place.start_char, place.stop_char, match)
                for match, place in places
                if place is not None and place.document == number
            ]
            lines = [*marked_lines(canvas, range(1, count + 1), marks, longest=_LONGEST_LINE)]
            properties = file_properties(
                document, len(canvas.lines), is_comparable=True, texts=self._texts
            )
            more = len(canvas.lines) - count
            yield _File(document.file.name, properties, lines, _first_lines(lines), more)

    def where(self, at: int, file: str, numbers: Sequence[int]) -> str:
        """Return the lines of a piece of evidence as text."""
        submission = self.sides[at].source.submission
        known = {each.file.name: each for each in submission.documents} if submission else {}
        words = [
            format_lines(known[file].file, n, n, self._texts) if file in known else str(n)
            for n in numbers[:MOST_LINES]
        ]
        more = len(numbers) - len(words)
        rest = " " + self._texts.gettext("and %(count)s more", count=more) if more else ""
        return ", ".join(words) + rest


def _first_lines(lines: Iterable[_Line]) -> dict[int, int]:
    """Return the first line of each match."""
    firsts: dict[int, int] = {}
    for line, pieces in lines:
        for piece in pieces:
            if piece.match:
                firsts.setdefault(piece.match, line)
    return firsts


def case_file(case: Case, metadata: ReportMetadata) -> str:
    """Return a case file on one pair, or on the pairs of a group.

    Args:
        case: One or several pairs.
        metadata: Time of creation, and version.
    """
    texts = texts_in(metadata.locale)
    sections = _sections(case, texts)
    if len(sections) == 1:
        pair = sections[0].pair
        heading = texts.gettext("%(left)s and %(right)s", left=pair.left, right=pair.right)
        pages = _pages(case, metadata, heading)
        pages.globals["is_case"] = True  # both sources are shown in full
        return pages.get_template("case.html").render(section=sections[0])
    return _of_several(case, metadata, sections, texts.gettext("The pairs of a group"))


def report_in_one_file(case: Case, metadata: ReportMetadata) -> str:
    """Return a whole report; pairs beyond the size limit are only listed."""
    return _of_several(case, metadata, _sections(case, texts_in(metadata.locale)), "")


def to_one_file(report: Report, metadata: ReportMetadata) -> str:
    """Return a new report as one file, like ``report_in_one_file`` does from its JSON."""
    results = results_of(report, created=metadata.created, version=metadata.version)
    text = written(results).encode()
    matches = {frozenset((each.left.name, each.right.name)): each.matches for each in report.pairs}
    sources = {each.name: source_of(each) for each in report.submissions}
    case = Case(
        results,
        sha256(text).hexdigest(),
        results.pairs,
        sources,
        matches=matches,
        score_explanation=report.score_explanation,
    )
    return report_in_one_file(case, metadata)


def _sections(case: Case, texts: Texts) -> list[_Section]:
    high = filter(case.results.stands_out, case.results.pairs)
    counts = Counter(name for pair in high for name in pair.names)
    canvas_of = cache(RenderedSource)
    sections = []
    for pair in case.pairs:
        own = case.results.stands_out(pair)
        others = {name: counts[name] - own for name in pair.names}
        sections.append(_Section(case, pair, canvas_of, others, texts))
    return sections


def _of_several(
    case: Case, metadata: ReportMetadata, sections: list[_Section], heading: str
) -> str:
    pages = _pages(case, metadata, heading)
    template, whole, room = pages.get_template("case-pair.html"), [], MOST_BYTES
    for section in sections:
        text = template.render(section=section)
        room -= len(text.encode("utf-8", "replace"))
        if room < 0:
            break
        whole.append(Markup(text))  # noqa: S704 - rendered by a template
    return pages.get_template("one-file.html").render(
        sections=sections[:_MOST_ROWS],
        whole=whole,
        count=len(sections),
        skipped=[] if heading else case.results.skipped[:_MOST_ROWS],
        not_compared=case.results.not_compared or (),
        groups=[sorted(each) for each in groups_of(case.results)] if not heading else (),
        most_bytes=MOST_BYTES,
    )


def _pages(case: Case, metadata: ReportMetadata, heading: str) -> jinja2.Environment:
    results = case.results
    texts = texts_in(metadata.locale)
    title = results.comparison.comment or texts.gettext("mosslite report")
    day = texts.moment(results.created or metadata.created)[:10]
    of = ", " + texts.gettext("results of %(day)s", day=day)
    pages = document_pages(metadata, results.by_name, title=title, heading=heading, of=of)
    pages.globals.update(
        results=results,
        digest=case.digest,
        most_of_pair=_MOST_OF_PAIR,
        is_case=False,
        score_explanation=case.score_explanation,
    )
    return pages


def document_pages(
    metadata: ReportMetadata, names: Iterable[str], *, title: str, heading: str, of: str = ""
) -> jinja2.Environment:
    """Return the template environment of a document, with its styles and their hashes.

    Args:
        metadata: Time of creation, and version.
        names: Those that it shows, told apart where they look alike.
        title: Header of each printed page.
        heading: Kind of document, also in the header; empty for a whole report.
        of: Text after the version in the footer.
    """
    texts = texts_in(metadata.locale)
    pages, distinct = environment(texts), distinct_names(names)
    pages.filters["named"] = lambda name: pages.filters["user_text"](distinct.shown(name))
    style = _style(
        title, heading or texts.gettext("Whole report"), f"mosslite {metadata.version}{of}", texts
    )
    digest = b64encode(sha256(style.encode("utf-8")).digest()).decode("ascii")
    pages.globals.update(
        title=title,
        heading=heading,
        created=metadata.created,
        version=metadata.version,
        style=Markup(style),  # noqa: S704 - user text in it is escaped
        style_hash=digest,
    )
    return pages


def _style(title: str, heading: str, foot: str, texts: Texts) -> str:
    """Return the style sheets, including the header and footer of printed pages."""
    given = {"top-left": title, "top-right": heading, "bottom-left": foot}
    edges = {place: css_string(cut(text, _MOST_TITLE)) for place, text in given.items()}
    boxes = margins(edges | {"bottom-right": page_number(texts)}, _EDGE)
    return f"{asset('report.css', 'document.css')}\n{boxes}\n"
