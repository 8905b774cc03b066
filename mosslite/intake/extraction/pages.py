"""Takes a web page apart: the text that is seen, and the scripts."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mosslite.intake.entries import NotReadError
from mosslite.intake.extraction.names import PROSE
from mosslite.intake.extraction.passages import Passage, blank, files_by_language, titled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.model import SourceFile

__all__ = ["files_of_page"]

_SCRIPT: Final = "javascript"

# All that is not seen as it is written. It ends where browsers think so, or with the page.
# Nothing that begins like mark-up fails to match, so cost is linear.
_ATTRIBUTES: Final = r"""(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')|=)*+(?:>|\Z)"""
_REFERENCE: Final = r"&(?:\#[0-9]{1,8}(?![0-9])|\#x[0-9a-f]{1,6}(?![0-9a-f])|[a-z][a-z0-9]{1,31});?"
_MARK_UP: Final = re.compile(
    rf"""
      <!--(?:-?>|.*?(?:--!?>|\Z))
    | <(?P<raw>iframe|noembed|noframes|script|style|xmp)(?=[\s/>])(?P<attributes>{_ATTRIBUTES})
      (?P<content>[^<]*+(?:<(?!/(?P=raw)[\s/>])[^<]*+)*+)
    | </?[a-z]{_ATTRIBUTES}
    | <[!?/][^>]*+(?:>|\Z)
    | (?P<reference>{_REFERENCE})
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_TYPE: Final = re.compile(r"""(?i)(?:^|(?<=[\s/"']))type\s*+=\s*+["']?\s*+([^\s"'>;]*+)""")
_SCRIPT_TYPES: Final = re.compile(
    r"(?i)(?:module|(?:text|application)/(?:x-)?(?:java|ecma)script|)"
)

_LINE_ENDS: Final = re.compile("[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


def files_of_page(file: SourceFile) -> tuple[SourceFile, ...]:
    """Return the visible text of a page as prose, then its scripts.

    A page is neither built nor run: what its styles hide is seen, and what its scripts write is
    not.

    Raises:
        NotReadError: It holds neither.
    """
    seen = _MARK_UP.sub(_not_marked_up, file.text)
    files: tuple[SourceFile, ...] = ()
    if seen.strip():
        files = (replace(file, code=seen, language=PROSE),)
    files += files_by_language(titled(file, _SCRIPT), list(_scripts(file.text)), _SCRIPT)
    if not files:
        msg = "holds no text"
        raise NotReadError(msg)
    return files


def _not_marked_up(found: re.Match[str]) -> str:
    return _resolved(found.group()) if found["reference"] else blank(found.group())


@lru_cache(maxsize=1024)
def _resolved(reference: str) -> str:
    """Return what a character reference stands for, with blanks up to its own length."""
    character = _LINE_ENDS.sub(" ", html.unescape(reference))
    return character.ljust(len(reference))


def _scripts(text: str) -> Iterator[Passage]:
    for found in _MARK_UP.finditer(text):
        if (found["raw"] or "").lower() == "script" and _is_code(found["attributes"]):
            yield Passage(*found.span("content"), _SCRIPT)


def _is_code(attributes: str) -> bool:
    """Tell scripts from data and templates, which have a type of their own."""
    found = _TYPE.search(attributes)
    return found is None or _SCRIPT_TYPES.fullmatch(found[1]) is not None
