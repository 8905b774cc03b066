"""Chooses the front-end for a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mosslite.frontends.code import read_code
from mosslite.frontends.plain import read_plain
from mosslite.frontends.prose import read_prose
from mosslite.frontends.text import normalize_line_ends
from mosslite.frontends.traces import traces_of_code, traces_of_prose

if TYPE_CHECKING:
    from mosslite.columns import TokenStream, Traces
    from mosslite.languages import Language

__all__ = ["Reading", "tokenize"]


class Reading(NamedTuple):
    """What a front-end makes of a file.

    Attributes:
        is_degraded: The language's lexer failed and a plain tokenizer stood in.
    """

    stream: TokenStream
    traces: Traces
    is_degraded: bool


def tokenize(text: str, language: Language) -> Reading:
    """Read a file's text as its language."""
    if language.is_prose:
        return Reading(read_prose(text), traces_of_prose(text), is_degraded=False)
    try:
        return Reading(*read_code(text, language), is_degraded=False)
    except Exception:  # noqa: BLE001 - lexers are foreign code fed with hostile text
        source, origin = normalize_line_ends(text)
        return Reading(read_plain(text), traces_of_code(source, (), origin), is_degraded=True)
