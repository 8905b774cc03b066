"""Colours for source code: which characters a lexer takes for what."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, String, Token

from mosslite.frontends.tokens import END
from mosslite.records import SYNTAX_CLASSES, Colours

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pygments.token import _TokenType

    from mosslite.frontends.text import Concatenation
    from mosslite.frontends.tokens import Tokens

__all__ = ["class_of", "colours_of"]

# The nearest ancestor of a token's type decides. Plain names, operators and punctuation are most
# of a text and stay plain: colouring them would tell little and double the size of a page.
_CLASSES: Final = {
    Token: "",
    Comment: "comment",
    Comment.Preproc: "keyword",
    Comment.PreprocFile: "string",
    Keyword: "keyword",
    Literal: "string",
    Literal.Date: "number",
    Name.Attribute: "name",
    Name.Builtin: "name",
    Name.Class: "name",
    Name.Decorator: "name",
    Name.Exception: "name",
    Name.Function: "name",
    Name.Tag: "name",
    Number: "number",
    Operator.Word: "keyword",
    String: "string",
}
_OUTSIDE: Final = len(SYNTAX_CLASSES)


def colours_of(
    concatenation: Concatenation, tokens: Tokens, classes: NDArray[np.uint8]
) -> list[Colours]:
    """Return the colours of each text's original; what no token is or nobody sees stays plain.

    Args:
        concatenation: The texts that were lexed.
        tokens: What their lexer made of them.
        classes: ``(m,) uint8``, what ``class_of`` says of the distinct tokens.
    """
    is_seen = (tokens.lengths > 0)[tokens.numbers]
    of_runs = classes[tokens.numbers[is_seen]]
    is_change = np.ones(len(of_runs), np.bool_)
    is_change[1:] = of_runs[1:] != of_runs[:-1]
    changes, of_runs = tokens.starts[is_seen][is_change], of_runs[is_change]
    is_own = of_runs != _OUTSIDE
    changes, of_runs = changes[is_own], of_runs[is_own]
    firsts, _ = concatenation.whole.ranges(changes, changes + 1)
    return list(
        map(
            _from_the_first, concatenation.split(Colours(firsts.astype(np.int32), of_runs), changes)
        )
    )


def _from_the_first(colours: Colours) -> Colours:
    """Make the first run begin with the text, whatever is hidden there."""
    if not len(colours.starts):
        return Colours(np.zeros(1, np.int32), np.zeros(1, np.uint8))
    colours.starts[0] = 0
    return colours


@cache
def class_of(kind: _TokenType) -> int:
    """Return the colour of a type of tokens, its number in ``SYNTAX_CLASSES``; ends have none."""
    if kind is END:
        return _OUTSIDE
    nearest = next(ancestor for ancestor in reversed(kind.split()) if ancestor in _CLASSES)
    return SYNTAX_CLASSES.index(_CLASSES[nearest])
