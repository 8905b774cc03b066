"""Converts result pages of MOSS, downloaded or saved by a browser, to JSON results."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from mosslite.display import counted
from mosslite.errors import InputError
from mosslite.messages import M_
from mosslite.report.json_files import written
from mosslite.report.recording import messages_of
from mosslite.report.results import (
    FORMAT,
    MatchResult,
    PairResult,
    PlaceResult,
    Results,
    SourceResult,
    SubmissionResult,
)

# Only these are tags: MOSS does not escape names.
_TAGS: Final = frozenset(
    {"html", "head", "title", "meta", "body", "p", "br", "hr", "center", "font", "pre", "span"}
    | {"table", "thead", "tbody", "tr", "th", "td", "a", "img", "frameset", "frame"}
)
_TAG: Final = re.compile(r"(/?)([A-Za-z][A-Za-z0-9]*)(?=[\s/>]|$)")
_HREF: Final = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_MATCH: Final = re.compile(r"match([0-9]{1,9})\.html?$", re.IGNORECASE)
_LINES: Final = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_PERCENT: Final = re.compile(r"([0-9]{1,3})%\)")


class _Tag(NamedTuple):
    name: str
    is_closing: bool
    attributes: str


class Cell(NamedTuple):
    """Text of a table cell, and the targets of its links."""

    text: str
    links: tuple[str, ...]


class _Side(NamedTuple):
    """A submission in a row, with its share in percent."""

    name: str
    percent: int


class _Row(NamedTuple):
    """A pair in the table of the index; ``number`` is that of its pages, None without any."""

    left: _Side
    right: _Side
    lines: int
    number: int | None


def _passages_in(html: str) -> tuple[list[MatchResult], int]:
    """Return the passages of a ``matchN-top.html``, and the number of other rows in its table."""
    found, unread = [], 0
    for cells in _table_rows(html):
        places = [place for cell in cells if (place := _place(cell.text)) is not None]
        if len(places) == 2:
            found.append(MatchResult(left=places[0], right=places[1]))
        else:
            unread += any(cell.text for cell in cells)
    return found, unread


def _preamble_of(html: str) -> list[str]:
    """Return the lines of text above the table, from the first few thousand characters."""
    above = re.split(r"<table\b", html[:20_000], maxsplit=1, flags=re.IGNORECASE)[0]
    texts = (piece for piece in _pieces(above) if isinstance(piece, str))
    lines = "\n".join(texts).splitlines()
    return [" ".join(unescape(line).split()) for line in lines if line.strip()]


def _table_rows(html: str) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells of each non-empty row, whether or not tags are closed."""
    row: list[tuple[list[str], list[str]]] = []
    is_inside = False
    for piece in _pieces(html):
        if isinstance(piece, str):
            if is_inside:
                row[-1][0].append(piece)
        elif piece.name in {"tr", "table"}:
            if row:
                yield tuple(_cell(*each) for each in row)
            row, is_inside = [], False
        elif piece.name in {"td", "th"}:
            is_inside = piece.name == "td" and not piece.is_closing
            if is_inside:
                row.append(([], []))
        elif piece.name == "a" and is_inside:
            found = _HREF.search(piece.attributes)
            row[-1][1].extend([unescape(found[1] or found[2] or found[3] or "")] if found else [])
    if row:
        yield tuple(_cell(*each) for each in row)


def _cell(texts: Iterable[str], links: Iterable[str]) -> Cell:
    return Cell(" ".join(unescape("".join(texts)).split()), tuple(links))


def _pieces(html: str) -> Iterator[_Tag | str]:
    """Split a page into tags and texts; anything that is not one of MOSS' tags is text."""
    first, *rest = html.split("<")
    yield first
    for chunk in rest:
        inside, is_closed, after = chunk.partition(">")
        found = _TAG.match(inside)
        if is_closed and inside.startswith("!"):
            yield after
        elif is_closed and found and found[2].lower() in _TAGS:
            yield _Tag(found[2].lower(), found[1] == "/", inside[found.end() :])
            yield after
        else:
            yield f"<{chunk}"


def _row(cells: tuple[Cell, ...]) -> _Row | None:
    if len(cells) < 3:
        return None
    left, right = _side(cells[0].text), _side(cells[1].text)
    if left is None or right is None or not _NUMBER.fullmatch(cells[2].text):
        return None
    if _plain(left.name) == _plain(right.name):
        return None  # of a submission that was given twice
    links = [link for cell in cells for link in cell.links]
    return _Row(left, right, int(cells[2].text), _number(links))


def _side(text: str) -> _Side | None:
    """Parse ``ann/queue.py (53%)``; the name can contain parentheses too."""
    name, _, share = text.rpartition("(")
    found = _PERCENT.fullmatch(share)
    if not found or not name.strip() or int(found[1]) > 100:
        return None
    return _Side(name.strip(), int(found[1]))


def _number(links: Iterable[str]) -> int | None:
    for link in links:
        found = _MATCH.search(link.split("#")[0].split("?")[0])
        if found:
            return int(found[1])
    return None


def _place(text: str) -> PlaceResult | None:
    """Parse ``queue.py: 3-41`` or ``3-41``."""
    file, _, lines = text.rpartition(": ")
    found = _LINES.fullmatch(lines)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        return None
    return PlaceResult(file=file or None, first_line=int(found[1]), last_line=int(found[2]))


# Enough for an index of 100,000 pairs, and for a pair with thousands of passages.
_MOST_INDEX: Final = 16_000_000
_MOST_PAGE: Final = 1_000_000
_INDEX: Final = ("index.html", "index.htm")
_QUOTED: Final = re.compile("([\"'])(.*)\\1")
_DAYS: Final = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) .*\b[0-9]{4}\b.*")


class _Page(NamedTuple):
    """The page of a pair.

    Attributes:
        passages: None if the page is missing or not from MOSS.
        unread: Number of other rows in its table.
        is_whole: It contains the end of its table.
    """

    passages: list[MatchResult] | None
    unread: int = 0
    is_whole: bool = True


_NO_PAGE: Final = _Page(None)


def moss_to_json(path: Path, *, version: str) -> str:
    """Convert a downloaded result of MOSS to JSON results, with the passages it contains.

    Args:
        path: ``index.html``, under any name, or its folder.
        version: Version of mosslite.

    Raises:
        InputError: It is not a result of MOSS.
    """
    index = _index_of(path)
    text = _read(index, _MOST_INDEX)
    if text is None:
        raise InputError(
            "%(index)r is not a MOSS result: it is larger than %(most_index)d bytes",
            index,
            _MOST_INDEX,
        )
    read = [_row(cells) for cells in _table_rows(text)]
    rows, unread = [row for row in read if row is not None], read.count(None)
    preamble = _preamble_of(text)
    if not rows and not any("moss results" in line.lower() for line in preamble):
        raise InputError("%(index)r is not a MOSS result: it has no table of pairs", index)
    pages = [_passages_of(index.parent, row) for row in rows]
    passages = [page.passages for page in pages]
    warnings = tuple(_warnings(pages, unread, is_whole=_is_whole(text)))
    results = Results(
        format=FORMAT,
        mosslite=version,
        source=SourceResult(
            program="moss",  # whose time zone is ambiguous
            date=next((line for line in preamble if _DAYS.fullmatch(line)), None),
        ),
        options=_options(preamble),
        submissions=_submissions(rows, passages),
        pairs=distinct_pairs(_pair(*each) for each in zip(rows, passages, strict=True)),
        warnings=warnings,
        messages=messages_of(warnings),
    )
    return written(results)


def _warnings(pages: Sequence[_Page], unread: int, *, is_whole: bool) -> Iterator[str]:
    """Yield what is missing of a result: of its pages, and of the table of pairs."""
    if missing := sum(page.passages is None for page in pages):
        pairs = counted(missing, "pair")
        yield M_("no passages of %(pairs)s: their pages are missing or not in MOSS' format", pairs)
    if odd := [page.unread for page in pages if page.unread]:
        rows, pairs = counted(sum(odd), "row"), counted(len(odd), "pair")
        yield M_(
            "%(rows)s with the passages of %(pairs)s skipped: not in MOSS' format", rows, pairs
        )
    if cut_off := sum(not page.is_whole for page in pages):
        pairs = counted(cut_off, "pair")
        yield M_("not all passages of %(pairs)s: the page ends within its table", pairs)
    if unread:
        rows = counted(unread, "row")
        yield M_("%(rows)s of the table skipped: not in MOSS' format", rows)
    if not is_whole:
        yield M_("the page ends within its table: pairs can be missing")


def _index_of(path: Path) -> Path:
    try:
        if not path.is_dir():
            return path
        names = [name for name in _INDEX if (path / name).is_file()]
    except OSError as error:
        raise _unreadable(path, error) from error
    if not names:
        raise InputError("%(path)r has no index.html: give the file with the table of pairs", path)
    return path / names[0]


def _read(path: Path, most: int) -> str | None:
    """Read a page; None if it is too large."""
    try:
        if path.exists() and not path.is_file():
            raise InputError("%(path)r is not a file", path)
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise _unreadable(path, error) from error
    if len(content) > most:
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError("cannot read %(path)r: %(reason)s", path, error)


def _passages_of(folder: Path, row: _Row) -> _Page:
    if row.number is None:
        return _NO_PAGE
    try:
        text = _read(folder / f"match{row.number}-top.html", _MOST_PAGE)
    except InputError:
        return _NO_PAGE
    found, unread = _passages_in(text or "")
    # A page downloaded after its expiry has no passages.
    if row.lines and not found:
        return _NO_PAGE
    return _Page(found, unread, is_whole=_is_whole(text or ""))


def _options(preamble: Sequence[str]) -> dict[str, object]:
    """Return the options repeated on the page, under mosslite's names."""
    line = next((line for line in preamble if line.startswith("Options")), "")
    words = line.split()[1:]
    after = dict(pairwise(words))
    options: dict[str, object] = {}
    if "-l" in after:
        options["language"] = after["-l"]
    if line:
        options["directories"] = "-d" in words
    if re.fullmatch("[0-9]{1,9}", after.get("-m", "")):
        options["max_sharing"] = int(after["-m"])
    if "-c" in words:
        text = line.partition(" -c ")[2].strip()
        options["comment"] = text[1:-1] if _QUOTED.fullmatch(text) else text
    return options


def _submissions(
    rows: Sequence[_Row], passages: Sequence[Sequence[MatchResult] | None]
) -> tuple[SubmissionResult, ...]:
    files: dict[str, set[str]] = {}
    for row, found in zip(rows, passages, strict=True):
        for side, places in (
            (row.left, [passage.left for passage in found or ()]),
            (row.right, [passage.right for passage in found or ()]),
        ):
            own = files.setdefault(side.name, set())
            own.update(place.file for place in places if place.file)
            own.update([] if side.name.endswith("/") else [side.name])
    return tuple(
        SubmissionResult(name=_plain(name), files=tuple(sorted(files[name])))
        for name in sorted(files)
    )


def distinct_pairs(pairs: Iterable[PairResult]) -> tuple[PairResult, ...]:
    """Return each pair once, as in the first of its rows; results that were joined have several."""
    found = dict[frozenset[str], PairResult]()
    for pair in pairs:
        found.setdefault(pair.names, pair)
    return tuple(found.values())


def _pair(row: _Row, passages: Sequence[MatchResult] | None) -> PairResult:
    return PairResult(
        left=_plain(row.left.name),
        right=_plain(row.right.name),
        left_similarity=row.left.percent / 100,
        right_similarity=row.right.percent / 100,
        matched_lines=row.lines,
        matches=tuple(
            MatchResult(left=_in(row.left, passage.left), right=_in(row.right, passage.right))
            for passage in passages or ()
        ),
    )


def _in(side: _Side, place: PlaceResult) -> PlaceResult:
    """Return a place in its file: the one named, else the submission itself."""
    if place.file or side.name.endswith("/"):
        return place
    return replace(place, file=side.name)


def _plain(name: str) -> str:
    """Return the name of a folder without its trailing slash."""
    return name.rstrip("/") or name


def _is_whole(page: str) -> bool:
    return re.search("</table", page, re.IGNORECASE) is not None
