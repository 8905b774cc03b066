"""Lexers of Pygments that lose their way in honest programs, put right."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from pygments.lexer import default
from pygments.token import Name, Whitespace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pygments.lexer import Lexer

__all__ = ["mended"]

# The states that a lexer, by its first alias, shall have in place of its own.
_STATES: Final[Mapping[str, Mapping[str, object]]] = {
    # What is behind ``a <`` is an attribute to it up to any ``>``, even one in a comment: it would
    # read the lines below ``while a < b do -- not a > b`` as names.
    "lua": {
        "attribute": [
            (r"\s*(?:close|const)\s*(?=>)", Name.Attribute, "#pop:2"),
            default("#pop:2"),
        ]
    },
    # Its name of a module ends with the line, and a comment takes the line end: all names and
    # keywords below ``import Foundation // for dates`` would be parts of that name.
    "swift": {
        "module": [(r"[a-zA-Z_]\w*", Name.Class), (r"[^\S\n]+", Whitespace), default("#pop")]
    },
}


def mended(lexer: Lexer) -> Lexer:
    """Return the lexer itself, or in its place one of a class below its own."""
    return _mended(type(lexer))() if lexer.aliases[0] in _STATES else lexer


@cache
def _mended(own: type[Lexer]) -> type[Lexer]:
    return type(own.__name__, (own,), {"tokens": _STATES[own.aliases[0]]})
