"""Colours for source code: which characters a lexer takes for what."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, String, Token

from mosslite.model import SYNTAX_CLASSES, Colours

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pygments.token import _TokenType

    from mosslite.frontends.text import Source
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


def colours_of(source: Source, tokens: Tokens, classes: NDArray[np.uint8]) -> Colours:
    """Give the colours of a source's original; what no token is or nobody sees stays plain.

    Args:
        source: The text that was lexed, and where it comes from.
        tokens: What its lexer made of it.
        classes: ``(m,) uint8``, what ``class_of`` says of the distinct tokens.
    """
    size = len(source.text)
    if not (len(tokens.numbers) and size):
        return Colours(np.zeros(1, np.int32), np.zeros(1, np.uint8))
    # What is between tokens is a run too, of characters without a colour.
    bounds = np.zeros(2 * len(tokens.numbers) + 1, np.int64)
    of_runs = np.zeros(len(bounds), np.uint8)
    bounds[1::2], bounds[2::2] = tokens.starts, tokens.stops
    of_runs[1::2] = classes[tokens.numbers]
    is_run = bounds < np.append(bounds[1:], size)
    bounds, of_runs = bounds[is_run], of_runs[is_run]
    is_change = np.ones(len(bounds), np.bool_)
    is_change[1:] = of_runs[1:] != of_runs[:-1]
    changes = bounds[is_change]
    firsts, _ = source.ranges(changes, changes + 1)
    firsts[0] = 0
    return Colours(firsts.astype(np.int32), of_runs[is_change])


@cache
def class_of(kind: _TokenType) -> int:
    """Give the colour of tokens of a type, by its number in ``SYNTAX_CLASSES``."""
    nearest = next(ancestor for ancestor in reversed(kind.split()) if ancestor in _CLASSES)
    return SYNTAX_CLASSES.index(_CLASSES[nearest])
