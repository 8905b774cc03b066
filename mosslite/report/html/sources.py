"""The text of the submissions as scripts, so that it is stored once and shown by every pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.report.html.listing import lines_of
from mosslite.report.html.syntax import SYNTAX_CLASSES
from mosslite.report.scripts import script_json
from mosslite.visible import character_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from mosslite.model import Document, Work
    from mosslite.report.html.listing import Canvas

__all__ = ["source_script"]


def source_script(work: Work, number: int, canvas_of: Callable[[Document], Canvas]) -> str:
    """Write the script that hands a submission's text to ``listing.js``."""
    canvases = [canvas_of(document) for document in work.documents]
    content = {
        "submission": number,
        "classes": SYNTAX_CLASSES,
        "hidden": _names_of_hidden(canvases),
        "files": [
            {"origins": document.origins, **_parts(document), "lines": list(lines_of(canvas))}
            for document, canvas in zip(work.documents, canvases, strict=True)
        ],
    }
    return f'"use strict";\nmosslite.addSource({script_json(content)});\n'


def _parts(document: Document) -> dict[str, list[int]]:
    """Give the first line of each part, of a file that has any."""
    first_lines = [part.first_line for part in document.file.parts]
    return {"parts": first_lines} if first_lines else {}


def _names_of_hidden(canvases: list[Canvas]) -> dict[str, str]:
    hidden = {each.text[place] for each in canvases for place in np.flatnonzero(each.hidden)}
    return {character: character_name(character) for character in sorted(hidden)}
