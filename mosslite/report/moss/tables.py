"""Reads the tables of MOSS' result pages, as downloaded, saved by a browser or written anew.

The pages are hostile: they hold names that students chose. They are cut at their tags in one pass,
as the standard library's parser takes minutes for some texts of a few hundred kilobytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Passage", "Row", "Side", "passages_in", "preamble_of", "rows_in"]

# Only these are tags: MOSS writes names as they are, whatever signs are in them.
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
    """Text of a table's cell, and where its links lead."""

    text: str
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """A submission as a row names it, and its share in percent."""

    name: str
    percent: int


@dataclass(frozen=True, slots=True)
class Row:
    """A pair in the table of the index; ``number`` is that of its pages, if it has any."""

    left: Side
    right: Side
    lines: int
    number: int | None


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of both sides, with the names of their files where these are told."""

    left: tuple[str, int, int]
    right: tuple[str, int, int]


def rows_in(html: str) -> tuple[list[Row], int]:
    """Return the pairs of an index page, and how many rows of its table are none."""
    rows = [_row(cells) for cells in _table_rows(html)]
    return [row for row in rows if row is not None], rows.count(None)


def passages_in(html: str) -> tuple[list[Passage], int]:
    """Return the passages of a ``matchN-top.html``, and how many rows of its table are none."""
    found, unread = [], 0
    for cells in _table_rows(html):
        places = [place for cell in cells if (place := _place(cell.text)) is not None]
        if len(places) == 2:
            found.append(Passage(*places))
        else:
            unread += any(cell.text for cell in cells)
    return found, unread


def preamble_of(html: str) -> list[str]:
    """Return the lines of text above the table; only the first few thousand characters count."""
    above = re.split(r"<table\b", html[:20_000], maxsplit=1, flags=re.IGNORECASE)[0]
    texts = (piece for piece in _pieces(above) if isinstance(piece, str))
    lines = "\n".join(texts).splitlines()
    return [" ".join(unescape(line).split()) for line in lines if line.strip()]


def _table_rows(html: str) -> Iterator[tuple[Cell, ...]]:
    """Return the cells of each row that has some, whether or not tags are closed."""
    row: list[tuple[list[str], list[str]]] = []
    is_inside = False
    for piece in _pieces(html):
        if isinstance(piece, str):
            if is_inside:
                row[-1][0].append(piece)
        elif piece.name in {"tr", "table"}:
            yield from _finished(row)
            row, is_inside = [], False
        elif piece.name in {"td", "th"}:
            is_inside = piece.name == "td" and not piece.is_closing
            if is_inside:
                row.append(([], []))
        elif piece.name == "a" and is_inside:
            row[-1][1].extend(_href(piece.attributes))
    yield from _finished(row)


def _finished(row: Iterable[tuple[list[str], list[str]]]) -> Iterator[tuple[Cell, ...]]:
    cells = tuple(
        Cell(" ".join(unescape("".join(texts)).split()), tuple(links)) for texts, links in row
    )
    if cells:
        yield cells


def _pieces(html: str) -> Iterator[_Tag | str]:
    """Cut a page into tags and texts; what looks like a tag and is none of MOSS' is text."""
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


def _href(attributes: str) -> list[str]:
    found = _HREF.search(attributes)
    return [unescape(found[1] or found[2] or found[3] or "")] if found else []


def _row(cells: tuple[Cell, ...]) -> Row | None:
    if len(cells) < 3:
        return None
    left, right = _side(cells[0].text), _side(cells[1].text)
    if left is None or right is None or not _NUMBER.fullmatch(cells[2].text):
        return None
    links = [link for cell in cells for link in cell.links]
    return Row(left, right, int(cells[2].text), _number(links))


def _side(text: str) -> Side | None:
    """Read ``ann/queue.py (53%)``; the name can hold parentheses too."""
    name, _, share = text.rpartition("(")
    found = _PERCENT.fullmatch(share)
    if not found or not name.strip() or int(found[1]) > 100:
        return None
    return Side(name.strip(), int(found[1]))


def _number(links: Iterable[str]) -> int | None:
    for link in links:
        found = _MATCH.search(link.split("#")[0].split("?")[0])
        if found:
            return int(found[1])
    return None


def _place(text: str) -> tuple[str, int, int] | None:
    """Read ``queue.py: 3-41`` or ``3-41``."""
    file, _, lines = text.rpartition(": ")
    found = _LINES.fullmatch(lines)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        return None
    return file, int(found[1]), int(found[2])
