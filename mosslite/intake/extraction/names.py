"""Names that documents give their languages."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from pygments.lexers import get_all_lexers

from mosslite.languages import MOSS_LANGUAGES, TEXT, find_language, is_data, language_of

__all__ = ["PROSE", "known_language", "language_of_file", "program_language"]

PROSE: Final = TEXT.name

# What notebooks and documents call what Pygments has another name for.
_OTHER_NAMES: Final = {
    "asis": PROSE,
    "bigquery": "sql",
    "block": PROSE,
    "block2": PROSE,
    "cat": PROSE,
    "cmd": "batch",
    "comment": PROSE,
    "cu": "cuda",
    "embed": PROSE,
    "fortran95": "fortran",
    "glue": PROSE,
    "ipython": "python",
    "ir": "r",
    "ojs": "javascript",
    "pypy": "python",
    "rcpp": "cpp",
    "svg": "xml",
    "sx": "bash",
    "system": "bash",
    "verbatim": PROSE,
}
_VERSION: Final = re.compile(r"[-.\d]+\Z")
_LONGEST_NAME: Final = 40
_LONGEST_FILE_NAME: Final = 255


def known_language(name: str) -> str | None:
    """Return the canonical name of a language by any name of it, with a version or without.

    What is not a language's name is told at once: documents can hold any number of them.
    """
    return _known(name.strip().lower()) if len(name) <= _LONGEST_NAME else None


@lru_cache(maxsize=1024)
def _known(asked: str) -> str | None:
    for each in (asked, _VERSION.sub("", asked)):
        known = _OTHER_NAMES.get(each, each)
        if known in _names():
            return find_language(known).name
    return None


def program_language(name: str) -> str | None:
    """Return the canonical name of a language that programs are written in, or None."""
    known = known_language(name)
    if known is None or known == PROSE or is_data(find_language(known)):
        return None
    return known


def language_of_file(name: str) -> str | None:
    """Return the canonical name of the language that a file's name tells, or None."""
    language = language_of(name) if len(name) <= _LONGEST_FILE_NAME else None
    return language.name if language else None


@cache
def _names() -> frozenset[str]:
    """Return all names that ``find_language`` can be asked for."""
    aliases = {alias for row in get_all_lexers(plugins=False) for alias in row[1]}
    return frozenset({*MOSS_LANGUAGES, *aliases})
