"""The text of the submissions as scripts, so that it is stored once and shown by every pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.display import character_name, spelled_out
from mosslite.report.html.listing import lines_of
from mosslite.report.html.sides import facts_of, remark_of
from mosslite.report.html.syntax import SYNTAX_CLASSES
from mosslite.report.scripts import script_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from mosslite.records import Document, Work
    from mosslite.report.html.listing import Canvas

__all__ = ["MOST_FILES", "source_script"]

# How many files of a side the page of a pair describes itself, without scripts.
MOST_FILES: Final = 100


def source_script(work: Work, number: int, canvas_of: Callable[[Document], Canvas]) -> str:
    """Write the script that hands a submission's text to ``listing.js``."""
    canvases = [canvas_of(document) for document in work.documents]
    heads = _heads(work, canvases)
    content = {
        "submission": number,
        "classes": SYNTAX_CLASSES,
        "hidden": _names_of_hidden(canvases),
        "files": [
            {**head, "origins": document.origins, **_parts(document), "lines": [*lines_of(canvas)]}
            for document, canvas, head in zip(work.documents, canvases, heads, strict=True)
        ],
    }
    return f'"use strict";\nmosslite.addSource({script_json(content)});\n'


def _heads(work: Work, canvases: list[Canvas]) -> list[dict[str, object]]:
    """Return the name of each file, and where no page says it what else stands above its lines."""
    counts = np.bincount(work.comparable.documents, minlength=len(canvases)).tolist()
    heads: list[dict[str, object]] = []
    for document, canvas, count in zip(work.documents, canvases, counts, strict=True):
        heads.append({"name": spelled_out(document.file.name)})
        if len(heads) > MOST_FILES:
            facts = facts_of(document, len(canvas.lines), is_comparable=count > 0)
            heads[-1] |= {"facts": facts, "remark": remark_of(document), "comparable": count > 0}
    return heads


def _parts(document: Document) -> dict[str, list[int]]:
    """Return the first line of each part, of a file that has any."""
    first_lines = [part.first_line for part in document.file.parts]
    return {"parts": first_lines} if first_lines else {}


def _names_of_hidden(canvases: list[Canvas]) -> dict[str, str]:
    hidden = {each.text[place] for each in canvases for place in np.flatnonzero(each.hidden)}
    return {character: character_name(character) for character in sorted(hidden)}
