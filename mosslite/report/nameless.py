"""Words about a batch without the names in them."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from mosslite.errors import OptionError
from mosslite.languages import find_language, language_of
from mosslite.records import Part, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mosslite.records import Report, SourceFile

__all__ = ["Names", "nameless_file", "nameless_remark", "nameless_skipped", "names_in"]

# From the first quotation mark to the last, as a name can hold some itself.
_QUOTED: Final = re.compile(r"""(?<!\w)(['"]).*\1""", re.DOTALL)
# A part of a file in another language, as in ``page.html [javascript]``.
_IN_LANGUAGE: Final = re.compile(r"(?P<file>.*?) ?\[(?P<language>[^\[\]]*)\]", re.DOTALL)
# These tell no language by themselves.
_NOTEBOOKS: Final = frozenset({".ipynb", ".qmd", ".rmd"})
_NUMBERED: Final = re.compile(r"[a-z]+ \d+")
_WORD: Final = re.compile(r"\w+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_LEFT_OUT: Final = "reason left out, as it holds a name"


Names = dict[str, set[str]]
"""Names in one case, by their first word."""


def names_in(report: Report) -> Names:
    """Return all names of submissions, teams, files and folders that a remark could hold."""
    names: Names = {}
    for name in _all_names(report):
        words = _WORD.findall(name.casefold())
        if words:
            names.setdefault(words[0], set()).add(name.casefold())
    return names


def _all_names(report: Report) -> Iterator[str]:
    for work in report.works:
        told = work.submission.hand_in
        yield from (work.name, told.owner, *told.members)
        for file in work.submission.files:
            yield from _telling_parts(file.name)
    for each in (*report.skipped, *report.ignored):
        yield from _telling_parts(each.path)


def _telling_parts(path: str) -> list[str]:
    """Return what a path is made of, but for plain words, which any remark can hold."""
    return [each for each in path.split("/") if not each.isalpha() and _LETTER.search(each)]


def nameless_file(file: SourceFile, number: int) -> tuple[str, tuple[Part, ...]]:
    """Return what a file and its parts are called instead."""
    parts = (
        each if _NUMBERED.fullmatch(each.title) else Part(each.first_line, f"part {place}")
        for place, each in enumerate(file.parts, 1)
    )
    return f"file {number}{_suffix(file.name)}", tuple(parts)


def nameless_skipped(
    skipped: Iterable[Skipped], names: Names, aliases: Mapping[str, str]
) -> tuple[Skipped, ...]:
    """Number what was left out in order of the reasons, not of the names.

    So are submissions of which nothing is compared, and which have no alias therefore.
    """
    kinds = [
        (_without(each.reason, names), _suffix(each.path), each.limit, each.submission)
        for each in skipped
    ]
    kinds.sort(key=lambda kind: (kind[:3], aliases.get(kind[3], "")))
    others = [of for _, _, limit, of in kinds if limit and of not in aliases]
    called = {of: f"left out {n}" for n, of in enumerate(dict.fromkeys(others), 1)} | dict(aliases)
    return tuple(
        Skipped(f"path {number}{suffix}", reason, limit, called[of] if limit else "")
        for number, (reason, suffix, limit, of) in enumerate(kinds, 1)
    )


def nameless_remark(remark: str, names: Names) -> str:
    """Keep what a remark says, and leave out the names after the colon."""
    said, colon, _ = remark.partition(": ")
    kept = _without(said, names)
    return f"{kept} (names left out)" if colon else kept


def _without(remark: str, names: Names) -> str:
    """Leave out what is quoted; of a remark that still holds a name nothing is left."""
    kept = _QUOTED.sub("...", remark)
    words = kept.casefold()
    suspects = (name for word in _WORD.findall(words) for name in names.get(word, ()))
    return _LEFT_OUT if any(_holds(words, name) for name in suspects) else kept


def _holds(words: str, name: str) -> bool:
    return name in words and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) is not None


def _suffix(name: str) -> str:
    """Return a file's ending, if it is one that tells its kind: any other could be a name."""
    part = _IN_LANGUAGE.fullmatch(name)
    if part and _is_language(part["language"]):
        return f"{_suffix(part['file'])} [{part['language']}]"
    suffix = PurePath(name).suffix
    is_known = suffix.lower() in _NOTEBOOKS or language_of(f"file{suffix}") is not None
    return suffix if suffix and is_known else ""


def _is_language(name: str) -> bool:
    try:
        return find_language(name).name == name
    except OptionError:
        return False
