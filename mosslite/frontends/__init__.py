"""Front-ends: the text of one file becomes a normalized token stream.

As in SIGMOD 2003, section 5.2, all knowledge about document types is here; the engine behind
it only sees symbol codes.
"""

from mosslite.frontends.deadline import TooSlowError
from mosslite.frontends.dispatch import (
    A_NAME,
    A_NUMBER,
    A_STRING,
    Token,
    degraded,
    reading_of,
    tokenize,
    tokenize_all,
)
from mosslite.records import Reading

__all__ = [
    "A_NAME",
    "A_NUMBER",
    "A_STRING",
    "Reading",
    "Token",
    "TooSlowError",
    "degraded",
    "reading_of",
    "tokenize",
    "tokenize_all",
]
