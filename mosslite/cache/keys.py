"""The keys of readings: equal for equal texts that are read in the same way, else different."""

from __future__ import annotations

import json
import sys
import unicodedata
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

import pygments

from mosslite.errors import OptionError
from mosslite.languages import find_language
from mosslite.languages.front_ends import FRONT_ENDS

if TYPE_CHECKING:
    from mosslite.languages import Language

__all__ = ["key_of"]


def key_of(text: str, language: Language) -> bytes | None:
    """Return the key of a text's reading, 32 bytes.

    Returns:
        None where nothing tells whether two runs read alike: the lexer is not one of Pygments'
        own, whose version says what they do.
    """
    head = _head_of(language)
    return None if head is None else sha256(head + text.encode("utf-8", "surrogatepass")).digest()


@cache
def _head_of(language: Language) -> bytes | None:
    """Return a digest of everything but the text."""
    try:
        is_own = find_language(language.name) == language and not language.is_plugged_in
    except OptionError:
        return None
    parts = [
        FRONT_ENDS,
        pygments.__version__,
        [sys.implementation.name, *map(str, sys.version_info)],
        unicodedata.unidata_version,
        [language.name, language.title, language.is_prose, language.is_caseless],
    ]
    return sha256(json.dumps(parts).encode("ascii")).digest() if is_own else None
