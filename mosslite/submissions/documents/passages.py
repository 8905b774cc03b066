"""Passages of a document: their languages, and the files that those of one language make."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pygments.lexers import get_all_lexers

from mosslite.languages import MOSS_LANGUAGES, TEXT, find_language, is_data, language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mosslite.records import SourceFile

__all__ = [
    "PROSE",
    "Passage",
    "blank",
    "files_by_language",
    "known_language",
    "language_of_file",
    "program_language",
    "sizes_by_language",
    "titled",
]


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


# Pygments names R by the language that came before it.
_TITLES = {"splus": "r"}

_SHOWN = re.compile(r"[^\r\n]+")

# So many languages of a document are told apart, and fewer of a very long one: each takes the room
# and the time of the whole document, and whoever writes more of them has made them up.
_MOST_LANGUAGES = 6
_MOST_CHARACTERS = 1 << 21


class Passage(NamedTuple):
    """The range ``[start, stop)`` of a text, which is in one language."""

    start: int
    stop: int
    language: str


def blank(text: str) -> str:
    """Return blanks instead of the text, with its line ends."""
    if "\n" not in text and "\r" not in text:
        return " " * len(text)
    return _SHOWN.sub(lambda found: " " * len(found.group()), text)


def _kept(text: str, passages: Iterable[Passage]) -> str:
    """Return the text with blanks for all but these passages, which are in order of place."""
    pieces, stop = [], 0
    for passage in passages:
        pieces += [blank(text[stop : passage.start]), text[passage.start : passage.stop]]
        stop = passage.stop
    return "".join([*pieces, blank(text[stop:])])


def titled(file: SourceFile, language: str) -> SourceFile:
    """Name a file after what it holds beside its main language, as in ``a.Rmd [python]``."""
    title = _TITLES.get(language, language)
    return replace(file, name=f"{file.name} [{title}]", language=language)


def files_by_language(
    file: SourceFile, passages: Sequence[Passage], main: str
) -> tuple[SourceFile, ...]:
    """Return a file for each language of the passages: that of ``main`` first, if there is any.

    Args:
        file: Holds the text that the passages are ranges of.
        passages: In order of their places.
        main: The language that keeps the file's name, and takes what is in too many languages.
    """
    by_language: dict[str, list[Passage]] = defaultdict(list)
    most = min(_MOST_LANGUAGES, _MOST_CHARACTERS // max(len(file.text), 1))
    told = set(_distinguished(passages, main, most))
    for passage in passages:
        by_language[passage.language if passage.language in told else main].append(passage)
    files = [
        _file(file, _kept(file.text, by_language[language]), language, main)
        for language in sorted(by_language, key=lambda each: each != main)
    ]
    return tuple(each for each in files if each.code and not each.code.isspace())


def sizes_by_language(passages: Iterable[Passage]) -> dict[str, int]:
    """Return for each language how many characters are in it, in order of the first passages."""
    sizes: dict[str, int] = defaultdict(int)
    for passage in passages:
        sizes[passage.language] += passage.stop - passage.start
    return dict(sizes)


def _distinguished(passages: Iterable[Passage], main: str, most: int) -> list[str]:
    """Return so many languages, those of most code, and in any case the main one."""
    sizes = sizes_by_language(passages)
    sizes.pop(main, None)
    return [main, *sorted(sizes, key=lambda each: -sizes[each])[: max(most - 1, 0)]]


def _file(file: SourceFile, code: str, language: str, main: str) -> SourceFile:
    named = replace(file, language=language) if language == main else titled(file, language)
    return replace(named, code=code)
