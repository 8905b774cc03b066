"""Colours for source code: which characters a lexer takes for what."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, String, Token

from mosslite.model import SYNTAX_CLASSES, Colours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pygments.token import _TokenType

    from mosslite.frontends.text import Source

__all__ = ["colours_of"]

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


def colours_of(source: Source, tokens: Sequence[tuple[int, _TokenType, str]]) -> Colours:
    """Give the colours of a source's original; what no token is or nobody sees stays plain.

    Args:
        source: The text that was lexed, and where it comes from.
        tokens: Offset, type and text of its tokens, in order and without overlap.
    """
    if not (tokens and source.text):
        return Colours(np.zeros(1, np.int32), np.zeros(1, np.uint8))
    bounds = np.zeros(2 * len(tokens) + 1, np.int64)
    classes = np.zeros(len(bounds), np.uint8)
    starts, kinds, values = zip(*tokens, strict=True)
    bounds[1::2] = starts
    bounds[2::2] = bounds[1::2] + np.array(list(map(len, values)))
    classes[1::2] = list(map(_class_of, kinds))
    bounds = np.minimum(bounds, len(source.text))  # the line end that lexers were given is beyond
    is_run = bounds < np.append(bounds[1:], len(source.text))
    bounds, classes = bounds[is_run], classes[is_run]
    is_change = np.diff(classes, prepend=classes[:1] + 1) != 0
    firsts, _ = source.ranges(bounds[is_change], bounds[is_change] + 1)
    firsts[0] = 0
    return Colours(firsts.astype(np.int32), classes[is_change])


@cache
def _class_of(kind: _TokenType) -> int:
    nearest = next(ancestor for ancestor in reversed(kind.split()) if ancestor in _CLASSES)
    return SYNTAX_CLASSES.index(_CLASSES[nearest])
