"""The record of what a front-end makes of a file, and how one of another package is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from mosslite.frontends.symbols import code_of, kinds_of
from mosslite.frontends.text import Source, Symbols, token_stream
from mosslite.records import Traces

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mosslite.records import Colours, Disguise, TokenStream

__all__ = [
    "A_NAME",
    "A_NUMBER",
    "A_STRING",
    "Reading",
    "Token",
    "reading_of",
]


class Reading(NamedTuple):
    """What a front-end makes of a file.

    Attributes:
        is_degraded: The language's lexer failed or took too long, and a plain tokenizer stood in.
        disguises: Characters that make the text look like another one than it is.
        colours: None for prose, and where the plain tokenizer stood in.
    """

    stream: TokenStream
    traces: Traces
    is_degraded: bool
    disguises: tuple[Disguise, ...] = ()
    colours: Colours | None = None


# As in ``symbols``, whose codes are of these words.
A_NAME: Final = "a name"
A_NUMBER: Final = "a number"
A_STRING: Final = "a string"


class Token(NamedTuple):
    """Characters ``[start, stop)`` of a text, and what they count as.

    Attributes:
        symbol: Tokens of one symbol are equal, such as all names; empty is as it is written.
    """

    start: int
    stop: int
    symbol: str = ""


def reading_of(text: str, tokens: Iterable[Token]) -> Reading:
    """Make a reading of tokens, in order of their place; what is in none does not count."""
    found = list(tokens)
    written = [text[each.start : each.stop] for each in found]
    codes = np.array(
        [code_of(each.symbol or as_is) for each, as_is in zip(found, written, strict=True)],
        np.uint64,
    )
    symbols = Symbols(
        codes=codes,
        wordings=np.array([code_of(as_is) for as_is in written], np.uint64),
        kinds=kinds_of(codes),
        starts=np.array([each.start for each in found], np.int64),
        stops=np.array([each.stop for each in found], np.int64),
        is_reached=np.ones(len(found), np.bool_),
    )
    stream = token_stream(Source(text, text, None, False), symbols)
    none = np.zeros(0, np.int32)
    traces = Traces(none.astype(np.uint8), none.astype(np.uint64), none, none, none)
    return Reading(stream, traces, is_degraded=False)
