"""Chooses the front-end for a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.frontends.code import read_code
from mosslite.frontends.disguises import disguises_in
from mosslite.frontends.plain import read_plain
from mosslite.frontends.plugged_in import read_plugged_in
from mosslite.frontends.prose import read_prose
from mosslite.frontends.reading import Reading
from mosslite.frontends.text import source_of
from mosslite.frontends.traces import traces_of_lines, traces_of_prose

if TYPE_CHECKING:
    from mosslite.languages import Language

__all__ = ["degraded", "tokenize"]


def tokenize(text: str, language: Language, seconds: float | None = None) -> Reading:
    """Read a file's text as its language; a lexer that takes too long is given up.

    A lexer that is stuck within one token is only interrupted in the main thread, on Unix.

    Args:
        text: As it was decoded.
        language: What to read it as.
        seconds: How long its lexer may take; None is for ever.
    """
    if language.is_prose:
        source = source_of(text)
        return Reading(
            read_prose(source),
            traces_of_prose(source),
            is_degraded=False,
            disguises=disguises_in(source, None),
        )
    try:
        if language.is_plugged_in:
            return read_plugged_in(text, language)
        return read_code(text, language, seconds)
    except Exception:  # noqa: BLE001 - lexers and plug-ins are foreign code fed with hostile text
        return degraded(text)


def degraded(text: str) -> Reading:
    """Read a file's text by the plain tokenizer, where its lexer fails or takes too long."""
    source = source_of(text)
    return Reading(
        read_plain(source),
        traces_of_lines(source),
        is_degraded=True,
        disguises=disguises_in(source, None),
    )
