"""Colours for source code: which characters a Pygments lexer takes for what."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, String, Token

from mosslite.languages import find_language, lexer_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

    from mosslite.model import Document

__all__ = ["COMMENT", "SYNTAX_CLASSES", "syntax_by", "syntax_of"]

# A character's number is the place of its CSS class here; 0 is plain text.
SYNTAX_CLASSES: Final = ("", "comment", "keyword", "name", "number", "string")
COMMENT: Final = SYNTAX_CLASSES.index("comment")

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


def syntax_of(document: Document) -> NDArray[np.uint8]:
    """Give each character's place in ``SYNTAX_CLASSES``: ``(n,) uint8``.

    Prose is not coloured, nor is a text that a lexer has failed on before.
    """
    text = document.file.text
    language = find_language(document.language)
    if language.is_prose or document.is_degraded:
        return np.zeros(len(text), np.uint8)
    return syntax_by(lexer_of(language), text)


def syntax_by(lexer: Lexer, text: str) -> NDArray[np.uint8]:
    """Colour a text as ``syntax_of`` does; a lexer that fails leaves it without colours."""
    try:
        return _at_original_offsets(_classes(lexer, text), text)
    except Exception:  # noqa: BLE001 - lexers are foreign code fed with hostile text
        return np.zeros(len(text), np.uint8)


def _classes(lexer: Lexer, text: str) -> NDArray[np.uint8]:
    r"""Lex with ``\n`` for every line end and one at the end of the text, as lexers want it."""
    source = text.replace("\r\n", "\n").replace("\r", "\n") + "\n"
    classes = np.zeros(len(source), np.uint8)
    for start, kind, value in lexer.get_tokens_unprocessed(source):
        # Lexers that combine others may give offsets that are off.
        if source.startswith(value, start):
            classes[start : start + len(value)] = _class_of(kind)
    return classes


def _at_original_offsets(classes: NDArray[np.uint8], text: str) -> NDArray[np.uint8]:
    is_kept = np.ones(len(text), np.bool_)
    is_kept[[found.start() for found in re.finditer("\r\n", text)]] = False
    original = np.zeros(len(text), np.uint8)
    original[is_kept] = classes[: np.count_nonzero(is_kept)]
    return original


@cache
def _class_of(kind: _TokenType) -> int:
    nearest = next(ancestor for ancestor in reversed(kind.split()) if ancestor in _CLASSES)
    return SYNTAX_CLASSES.index(_CLASSES[nearest])
