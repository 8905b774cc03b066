"""The fallback front-end: words, numbers, strings and signs, for text no lexer can read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.symbols import NAME, NUMBER, STRING, code_of, kinds_of
from mosslite.frontends.text import Symbols, token_stream

if TYPE_CHECKING:
    from mosslite.columns import TokenStream
    from mosslite.frontends.text import Source

__all__ = ["read_plain"]

# Every branch consumes what it starts on, so the time is linear whatever the text.
_TOKEN = re.compile(
    r"""(?P<string>"[^"\n]*"|'[^'\n]*')|(?P<number>\d\w*)|(?P<name>\w+)|(?P<sign>[^\w\s])"""
)


def read_plain(source: Source) -> TokenStream:
    """Split any text into tokens of the same kinds as code, without knowledge of a language."""
    tokens = list(_TOKEN.finditer(source.text))
    codes = np.array([_code(token) for token in tokens], np.uint64)
    symbols = Symbols(
        codes=codes,
        wordings=np.array([code_of(token.group()) for token in tokens], np.uint64),
        kinds=kinds_of(codes),
        starts=np.array([token.start() for token in tokens], np.int64),
        stops=np.array([token.end() for token in tokens], np.int64),
        is_reached=np.ones(len(tokens), np.bool_),
    )
    return token_stream(source, symbols)


def _code(token: re.Match[str]) -> int:
    kinds = {"string": STRING, "number": NUMBER, "name": NAME}
    return kinds.get(token.lastgroup or "") or code_of(token.group())
