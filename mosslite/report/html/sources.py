"""The text of the submissions as scripts, so that it is stored once and shown by every pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.report.html.listing import HIDDEN, lines_of
from mosslite.report.html.syntax import SYNTAX_CLASSES
from mosslite.report.scripts import script_json
from mosslite.visible import character_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from mosslite.model import Document, Work
    from mosslite.report.html.listing import Canvas, Line, Piece

__all__ = ["source_script"]


def source_script(work: Work, number: int, canvas_of: Callable[[Document], Canvas]) -> str:
    """Write the script that hands a submission's text to ``listing.js``.

    A line is a list of pieces. A piece is a text, or ``[text, place in SYNTAX_CLASSES, flags]``
    where it has a colour or flags; trailing zeros are left out.
    """
    listings = [list(lines_of(canvas_of(document))) for document in work.documents]
    content = {
        "submission": number,
        "classes": SYNTAX_CLASSES,
        "hidden": _names_of_hidden(listings),
        "files": [
            {"origins": document.origins, "lines": [list(map(_packed, line)) for line in lines]}
            for document, lines in zip(work.documents, listings, strict=True)
        ],
    }
    return f'"use strict";\nmosslite.addSource({script_json(content)});\n'


def _packed(piece: Piece) -> object:
    if piece.flags:
        return piece
    return piece[:2] if piece.colour else piece.text


def _names_of_hidden(listings: list[list[Line]]) -> dict[str, str]:
    pieces = (piece for lines in listings for line in lines for piece in line)
    hidden = {piece.text[0] for piece in pieces if piece.flags & HIDDEN}
    return {character: character_name(character) for character in sorted(hidden)}
