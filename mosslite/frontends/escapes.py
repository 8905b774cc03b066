r"""Characters that a program writes by their numbers wherever it likes, as ``\u0028`` for ``(``.

A compiler puts them in place before it sees a token (Java Language Specification, 3.3); a reader
would see nothing of what another program has too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ESCAPING", "escapes_in", "without_escapes"]

# Languages in which escapes stand for anything, not just for what is in a string or a name.
ESCAPING: Final = frozenset({"java"})

# A backslash that another one precedes begins none. Half a character is left as it is.
_ESCAPE: Final = re.compile(r"\\(?:\\|u+((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4}))")
_MARK: Final = "\\u"


def escapes_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Return where escapes begin and end, and what they stand for."""
    for found in _ESCAPE.finditer(text) if _MARK in text else ():
        if found[1]:
            yield *found.span(), chr(int(found[1], 16))


def without_escapes(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Put what escapes stand for in the places of their last digits.

    Returns:
        A text of the same length, and what is to be cut out of it.
    """
    pieces, cuts, behind = [], list[tuple[int, int]](), 0
    for start, stop, character in escapes_in(text):
        pieces += [text[behind : stop - 1], character]
        cuts.append((start, stop - 1))
        behind = stop
    return "".join([*pieces, text[behind:]]), cuts
