"""Text that is shown but not compared, such as the prose around the code of a notebook."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.report.html.listing import canvas_of
from mosslite.report.html.syntax import COMMENT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.records import Document
    from mosslite.report.html.listing import Canvas

__all__ = ["canvas_in_part"]

_BLANKS: Final = re.compile(r"[^\S\r\n]+")


def canvas_in_part(document: Document) -> Canvas:
    """Prepare a document for its listings; what is not compared looks like a comment."""
    canvas = canvas_of(document)
    code = document.file.code
    if code is None:
        return canvas
    is_aside = _differences(canvas.text, code)
    return replace(
        canvas,
        syntax=np.where(is_aside, np.uint8(COMMENT), canvas.syntax),
        is_boilerplate=canvas.is_boilerplate & ~is_aside,
        is_own=canvas.is_own & ~is_aside,
    )


def _differences(text: str, code: str) -> NDArray[np.bool_]:
    """Mark each run of blanks in the code, within a line, where the text has more than blanks."""
    is_aside = np.zeros(len(text), np.bool_)
    for run in _BLANKS.finditer(code):
        start, stop = run.span()
        is_aside[start:stop] = bool(text[start:stop].strip())
    return is_aside
