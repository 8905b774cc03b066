"""Finds the chunks of code in a document of knitr or Quarto."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.intake.extraction.names import PROSE, known_language
from mosslite.intake.extraction.passages import (
    Passage,
    files_by_language,
    sizes_by_language,
    titled,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mosslite.model import SourceFile

__all__ = ["files_of_chunks"]

# What chunks of unknown engines are in where there are no others: the name Pygments gives R.
_DEFAULT_LANGUAGE: Final = "splus"

# A line as knitr reads it: in lists and quotations too, and inside of a longer fence without an
# engine.
_FENCE: Final = re.compile(
    r"""(?<![^\r\n]) [\t >]*+ (?P<ticks>`{3,}+) [ \t]*+
        (?: \{ [ \t]*+ (?P<engine>\w++) (?P<options>[ ,\t][^\r\n]*)? \} [ \t]*+ )?
        (?![^\r\n])""",
    re.VERBOSE,
)
_ENGINE_OPTION: Final = re.compile(r"\bengine\s*+=\s*+[\"'](\w++)")
_FRONT_MATTER: Final = re.compile(
    r"\s*+---[ \t\r]*+$.*?^(?:---|\.\.\.)[ \t\r]*+$", re.DOTALL | re.MULTILINE
)


class _Fence(NamedTuple):
    """A line that begins a chunk of a language, ``""`` for an unknown one, or ends a chunk."""

    ticks: int
    language: str
    begins: bool


_OUTSIDE: Final = _Fence(0, PROSE, begins=False)


def files_of_chunks(
    file: SourceFile, given: str | None, *, reads_prose: bool
) -> tuple[SourceFile, ...]:
    """Return the chunks of code of a document for each of its languages, then its prose.

    The language of most code is the main one, and has the chunks of unknown engines as well. A
    document without code is prose.

    Args:
        file: The whole document.
        given: Language of all code; None asks the document.
        reads_prose: What is written around the code is wanted.
    """
    passages = list(_passages(file.text))
    code = [each for each in passages if each.language != PROSE]
    main = given or _main_language(code)
    told = [each._replace(language=given or each.language or main) for each in code]
    files = files_by_language(file, told, main)
    if not files:
        return (replace(file, language=PROSE),)
    if reads_prose:
        prose = list(_prose(passages, file.text))
        files += files_by_language(titled(file, PROSE), prose, PROSE)
    return files


def _main_language(code: Iterable[Passage]) -> str:
    sizes = sizes_by_language(each for each in code if each.language)
    return max(sizes, key=lambda each: sizes[each], default=_DEFAULT_LANGUAGE)


def _prose(passages: Iterable[Passage], text: str) -> Iterator[Passage]:
    """Yield the prose without the settings that a document may begin with."""
    front = _FRONT_MATTER.match(text)
    end = front.end() if front else 0
    for each in passages:
        if each.language == PROSE and each.stop > end:
            yield each._replace(start=max(each.start, end))


def _passages(text: str) -> Iterator[Passage]:
    """Yield what is between fences; a fence without an engine, outside of a chunk, is prose."""
    start, inside = 0, _OUTSIDE
    for found in _FENCE.finditer(text):
        fence = _fence(found)
        is_inside = inside is not _OUTSIDE
        if fence.ticks < inside.ticks or not (is_inside or fence.begins):
            continue
        if start < found.start():
            yield Passage(start, found.start(), inside.language)
        start = found.end()
        inside = fence if fence.begins else _OUTSIDE
    yield Passage(start, len(text), inside.language)


def _fence(found: re.Match[str]) -> _Fence:
    engine = found["engine"]
    option = _ENGINE_OPTION.search(found["options"] or "")
    name = option[1] if option else engine or ""
    return _Fence(len(found["ticks"]), known_language(name) or "", begins=engine is not None)
