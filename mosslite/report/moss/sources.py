"""The sources of a submission on a page in MOSS' layout, its passages in colour."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING, Final

from mosslite.display import one_line, spelled_out
from mosslite.report.artifacts import is_one_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.records import Place, Work

__all__ = ["colour_of", "source_page"]

# Each can be read on white, and tells itself from the one before.
_COLOURS: Final = ("C00000", "006A00", "0000C8", "8A00A0", "006A78", "8A5200")
# An image of one pixel, before and after its colour: text in its place would end up among the
# source for scripts that strip links.
_GIF: Final = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00",
    b"\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
)


def colour_of(number: int) -> str:
    """Return the colour of a passage by its number."""
    return f"#{_COLOURS[number % len(_COLOURS)]}"


def source_page(work: Work, places: Sequence[Place], link: str) -> str:
    """Write the body of a page: all files of a work, passages numbered in order of ``places``.

    Args:
        work: The submission.
        places: Its side of each match.
        link: What opens a link to a passage on the other side, with ``{}`` for its number.
    """
    listings = [
        _file_line(work, document) + _listing(work, document, places, link)
        for document in range(len(work.documents))
    ]
    name = escape(one_line(work.name))
    # Scripts take what is in the only <PRE> after the only <HR>.
    return (
        f"<BODY BGCOLOR=white>\n<HR>\n{name}<p><PRE>\n{''.join(listings)}</PRE>\n</BODY>\n</HTML>\n"
    )


def _file_line(work: Work, document: int) -> str:
    """Say which file of a folder begins here."""
    if is_one_file(work):
        return ""
    name = escape(one_line(work.documents[document].file.name))
    return f"&gt;&gt;&gt;&gt; file: {name}\n"


def _listing(work: Work, document: int, places: Sequence[Place], link: str) -> str:
    text = work.documents[document].file.text
    pieces, reached = [], 0
    for number, start, stop in _passages(document, places):
        # Of passages that overlap, the first is shown whole, and the next from its end on.
        begin = max(start, reached)
        pieces.append(_shown(text[reached:begin]))
        pieces.append(_passage(number, _shown(text[begin:stop]), link))
        reached = max(reached, stop)
    rest = _shown(text[reached:])
    return "".join([*pieces, rest, "" if text.endswith("\n") else "\n"])


def _passages(document: int, places: Sequence[Place]) -> list[tuple[int, int, int]]:
    """Return number, start and stop of each passage of one file, by their starts."""
    own: Iterator[tuple[int, int, int]] = (
        (number, place.start_char, place.stop_char)
        for number, place in enumerate(places)
        if place.document == document
    )
    return sorted(own, key=lambda each: each[1:])


def _passage(number: int, shown: str, link: str) -> str:
    colour = colour_of(number)
    image = f'<IMG SRC="{_pixel(colour)}" ALT="other side" BORDER="0" WIDTH=24 HEIGHT=9>'
    return (
        f'<A NAME="{number}"></A><FONT color = {colour}>'
        f"{link.format(number)}{image}</A>\n{shown}</FONT>"
    )


def _pixel(colour: str) -> str:
    gif = bytes.fromhex(colour[1:]).join(_GIF)
    return f"data:image/gif;base64,{b64encode(gif).decode('ascii')}"


def _shown(text: str) -> str:
    return escape(spelled_out(text))
