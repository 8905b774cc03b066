"""Small reports as pages: how they are written, and what a parser makes of them."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from mosslite.records import (
    Document,
    Location,
    Report,
)
from mosslite.report.html import ReportMetadata, write_html
from mosslite.report.html.listing import HIDDEN


class Shown(NamedTuple):
    """Characters of one look in a line."""

    text: str
    colour: int = 0
    flags: int = 0


Line = list[Shown]


def unpacked(text: str, indents: str, looks: str) -> list[Line]:
    """Unpack a listing as the script of a page does."""
    packed = zip(indents, text.split("\n"), strict=True)
    units = "\n".join(" " * int(indent, 36) + line for indent, line in packed)
    left, lines = units.encode("utf-16-le", "surrogatepass"), list[Line]([[]])
    for look, length in re.findall("([A-Z])([0-9a-z]*)", looks):
        size = 2 * int(length or "1", 36)
        part, left = left[:size].decode("utf-16-le", "surrogatepass"), left[size:]
        flags, colour = divmod(ord(look) - ord("A"), HIDDEN)
        for nth, piece in enumerate(part.split("\n")):
            lines += [[]] if nth else []
            lines[-1] += [Shown(piece, colour, flags * HIDDEN)] if piece else []
    assert not left
    return lines if lines[-1] else lines[:-1]


def place(within: Document, first: int, last: int, number: int = 0) -> Location:
    """Return where some tokens are, in the document of this number in its submission."""
    stream = within.stream
    return Location(
        document=number,
        start_char=int(stream.starts[first]),
        stop_char=int(stream.stops[last]),
        first_line=int(within.lines_at(stream.starts[first])),
        last_line=int(within.lines_at(stream.starts[last])),
    )


def write(what: Report, directory: Path) -> Path:
    return write_html(what, directory, ReportMetadata("2026-11-21 09:30", "0.1.0"))


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    text: str = ""

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()


@dataclass
class Page(HTMLParser):
    """All elements of a page in order, each with the text in it."""

    elements: list[Element] = field(default_factory=list)
    open_elements: list[Element] = field(default_factory=list)

    VOID = frozenset({"meta", "link", "input", "rect"})

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in self.VOID:
            self.open_elements.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open_elements.pop().tag == tag

    def handle_data(self, data: str) -> None:
        """Leave the numbers on badges out of the text they stand in."""
        is_badge = self.open_elements[-1:] and "badge" in self.open_elements[-1].classes
        for element in self.open_elements[-1 if is_badge else 0 :]:
            element.text += data

    def of_class(self, name: str) -> list[Element]:
        return [element for element in self.elements if name in element.classes]

    def of_tag(self, tag: str) -> list[Element]:
        return [element for element in self.elements if element.tag == tag]

    def links(self) -> dict[str, str]:
        return {each.text: each.attributes["href"] for each in self.of_tag("a")}


def parsed(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    assert page.open_elements == []
    return page


def all_pages(directory: Path) -> list[Path]:
    return sorted(directory.rglob("*.html"))


def contents(directory: Path) -> dict[str, bytes]:
    files = (path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}
