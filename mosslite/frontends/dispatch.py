"""Chooses the front-end for a file."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from mosslite.frontends.code import read_code
from mosslite.frontends.deadline import TooSlowError, within
from mosslite.frontends.disguises import disguises_in
from mosslite.frontends.plain import read_plain
from mosslite.frontends.plugged_in import read_plugged_in
from mosslite.frontends.prose import read_prose
from mosslite.frontends.reading import Reading
from mosslite.frontends.text import source_of
from mosslite.frontends.traces import traces_of_lines, traces_of_prose

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mosslite.columns import TokenStream, Traces
    from mosslite.frontends.text import Source
    from mosslite.languages import Language

__all__ = ["degraded", "tokenize", "tokenize_all"]


def tokenize(text: str, language: Language, seconds: float | None = None) -> Reading:
    """Read a file's text as its language; a lexer that takes too long is given up.

    A lexer that is stuck within one token is only interrupted in the main thread, on Unix.

    Args:
        text: As it was decoded.
        language: What to read it as.
        seconds: How long its lexer may take, and what follows as long; None is for ever.
    """
    try:
        return tokenize_all([(text, language)], seconds)[0]
    except TooSlowError:
        return degraded(text)


def tokenize_all(
    sources: Sequence[tuple[str, Language]], seconds: float | None = None
) -> list[Reading]:
    """Read texts as ``tokenize`` would each: those of a language in a row together, and faster.

    Args:
        sources: Texts and their languages.
        seconds: How long lexers may take over those of a language in a row, as for one text.

    Raises:
        TooSlowError: They take longer.
    """
    readings: list[Reading] = []
    for language, some in groupby(sources, key=itemgetter(1)):
        readings += _read([text for text, _ in some], language, seconds)
    return readings


def _read(texts: Sequence[str], language: Language, seconds: float | None) -> list[Reading]:
    if language.is_prose:
        return list(map(_prose, texts))
    try:
        if language.is_plugged_in:
            return within(lambda: [read_plugged_in(text, language) for text in texts], seconds)
        return read_code(texts, language, seconds)
    except TooSlowError:
        raise
    except Exception:  # noqa: BLE001 - lexers and plug-ins are foreign code fed with hostile text
        if len(texts) == 1:
            return list(map(degraded, texts))
        return [reading for text in texts for reading in _read([text], language, seconds)]


def _prose(text: str) -> Reading:
    return _without_lexer(text, read_prose, traces_of_prose, is_degraded=False)


def degraded(text: str) -> Reading:
    """Read a file's text by the plain tokenizer, where its lexer fails or takes too long."""
    return _without_lexer(text, read_plain, traces_of_lines, is_degraded=True)


def _without_lexer(
    text: str,
    read: Callable[[Source], TokenStream],
    traces_of: Callable[[Source], Traces],
    *,
    is_degraded: bool,
) -> Reading:
    source = source_of(text)
    disguises = disguises_in(source, None)
    return Reading(read(source), traces_of(source), is_degraded=is_degraded, disguises=disguises)
