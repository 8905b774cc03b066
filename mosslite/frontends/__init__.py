"""Front-ends: the text of one file becomes a token stream of a standard form.

As in SIGMOD 2003, section 5.2, all knowledge of kinds of documents is here; the engine behind
sees symbol codes.
"""

from __future__ import annotations

from mosslite.frontends.deadline import TooSlowError, timed
from mosslite.frontends.dispatch import (
    A_NAME,
    A_NUMBER,
    A_STRING,
    Reading,
    Token,
    degraded,
    reading_of,
    tokenize,
    tokenize_all,
)

__all__ = [
    "A_NAME",
    "A_NUMBER",
    "A_STRING",
    "Reading",
    "Token",
    "TooSlowError",
    "degraded",
    "reading_of",
    "timed",
    "tokenize",
    "tokenize_all",
]
