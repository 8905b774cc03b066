"""Colours for source code, as the front-ends' lexers saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.records import SYNTAX_CLASSES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.records import Document

__all__ = ["COMMENT", "SYNTAX_CLASSES", "syntax_of"]

# A class of ``SYNTAX_CLASSES`` is the name of a CSS class, too.
COMMENT: Final = SYNTAX_CLASSES.index("comment")


def syntax_of(document: Document) -> NDArray[np.uint8]:
    """Return each character's place in ``SYNTAX_CLASSES``: ``(n,) uint8``.

    Prose is not coloured, nor is a text that a lexer has failed on.
    """
    colours, size = document.colours, len(document.file.text)
    if colours is None or document.is_degraded:
        return np.zeros(size, np.uint8)
    return np.repeat(colours.classes, np.diff(colours.starts, append=size))
