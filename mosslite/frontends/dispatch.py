"""Chooses the front-end for a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.frontends.code import read_code
from mosslite.frontends.plain import read_plain
from mosslite.frontends.prose import read_prose

if TYPE_CHECKING:
    from mosslite.columns import TokenStream
    from mosslite.languages import Language

__all__ = ["tokenize"]


def tokenize(text: str, language: Language) -> tuple[TokenStream, bool]:
    """Read a file's text as its language.

    Returns:
        The tokens, and whether the language's lexer failed and a plain tokenizer stood in.
    """
    if language.is_prose:
        return read_prose(text), False
    try:
        return read_code(text, language), False
    except Exception:  # noqa: BLE001 - lexers are foreign code fed with hostile text
        return read_plain(text), True
