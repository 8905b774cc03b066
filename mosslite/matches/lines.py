"""Lines beside a match that are the same on both sides, though no token of them is compared."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.spans import covered, line_starts

if TYPE_CHECKING:
    from mosslite.model import Document, Place

__all__ = ["extended", "free_lines"]

# So many lines that one side alone has may stand between two that both have.
_MOST_BETWEEN: Final = 5

# What stands on a line without tokens; empty where that is nothing of the writer's own, None
# where there are tokens.
FreeLines = list[str | None]


def free_lines(document: Document) -> FreeLines:
    """Return the text of every line that holds no token, such as comments and imports."""
    text, stream = document.file.text, document.stream
    starts = [*line_starts(text).tolist(), len(text)]
    has_token = covered(stream.lines - 1, stream.last_lines, len(starts) - 1)
    own = np.zeros(len(starts), np.bool_)
    own[document.traces.lines - 1] = True
    return [
        None if has_token[line] else text[starts[line] : starts[line + 1]].strip() * bool(own[line])
        for line in range(len(starts) - 1)
    ]


def extended(
    left: Place, right: Place, left_lines: FreeLines, right_lines: FreeLines
) -> tuple[Place, Place]:
    """Extend both places of a match over the lines without tokens that both sides have there.

    What one side alone has among them is passed over, as are comments inside a match. The
    characters of the match stay as they are: only its lines grow.
    """
    above = _reaches(left_lines, left.first_line - 2, right_lines, right.first_line - 2, step=-1)
    below = _reaches(left_lines, left.last_line, right_lines, right.last_line, step=1)
    return _grown(left, above[0], below[0]), _grown(right, above[1], below[1])


def _grown(place: Place, above: int, below: int) -> Place:
    if not (above or below):
        return place
    return place._replace(first_line=place.first_line - above, last_line=place.last_line + below)


def _from(lines: FreeLines, start: int, step: int) -> list[str]:
    """Return the free lines that follow each other from here."""
    texts = (lines[at] for at in range(start, len(lines) if step > 0 else -1, step))
    return [text or "" for text in takewhile(lambda text: text is not None, texts)]


def _is_free(lines: FreeLines, at: int) -> bool:
    return 0 <= at < len(lines) and lines[at] is not None


def _reaches(
    left_lines: FreeLines, left_start: int, right_lines: FreeLines, right_start: int, *, step: int
) -> tuple[int, int]:
    """Count on each side the lines up to the last that the other side has too, if none is far."""
    if not (_is_free(left_lines, left_start) and _is_free(right_lines, right_start)):
        return 0, 0  # as beside most matches
    left, right = _from(left_lines, left_start, step), _from(right_lines, right_start, step)
    common = {*left} & {*right} - {""}
    return _last_of(common, left), _last_of(common, right)


def _last_of(wanted: set[str], lines: list[str]) -> int:
    """Number the last of the wanted lines that follow each other without many others between."""
    last = others = 0
    for number, line in enumerate(lines, 1):
        if line in wanted:
            last, others = number, 0
        elif line:
            others += 1
        if others > _MOST_BETWEEN:
            break
    return last
