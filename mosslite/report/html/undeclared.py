"""Likely boilerplate that nobody declared: shown, and written out as files to give with ``-b``."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final
from zipfile import ZipFile, ZipInfo

from mosslite.languages import find_language, language_of, lexer_of

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from pathlib import Path

    from mosslite.model import CommonPassage, Document, SourceFile
    from mosslite.report.html.site import Site

__all__ = ["Excerpt", "base_option", "excerpts_of", "write_undeclared"]

_FOLDER: Final = "likely-boilerplate"
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME: Final = 80

# What a browser would show as a page, and run scripts of: it goes into an archive, which ``-b``
# reads as well. Some tell a page by its beginning, whatever its name.
_PAGES: Final = "pages.zip"
_RENDERED: Final = re.compile(
    r"(hta|s?html?|mht|mhtml|rdf|rss|svg|wsdl|wsf|xht|xhtml|xml|xsd|xslt?)", re.IGNORECASE
)
_BLANKS: Final = b"\xef\xbb\xbf \t\r\n\f"
_FIRST_MOMENT: Final = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A common passage as it stands in one file.

    Attributes:
        text: All of it.
        code: What of it is compared.
        ending: That of a file of the passage's language, where the source's own tells another.
    """

    passage: CommonPassage
    source: SourceFile
    text: str
    code: str
    ending: str


def base_option(directory: Path) -> str:
    """Give the option that leaves the passages out of the next run, ready for a shell."""
    return f"-b {shlex.quote(str(directory / _FOLDER))}"


def excerpts_of(common: Sequence[CommonPassage]) -> list[Excerpt]:
    """Cut the passages out of their sources, with the blanks that their first lines begin with."""
    return [_excerpt(passage) for passage in common]


def write_undeclared(excerpts: Sequence[Excerpt], site: Site) -> None:
    """Write the passages of each file to one file, under a name that is safe anywhere.

    Nothing that a browser could take for a page is left lying open.
    """
    texts: dict[tuple[str, str], list[str]] = {}
    for each in excerpts:
        file = each.source.name + each.ending
        texts.setdefault((each.passage.work.name, file), []).append(each.code)
    taken, pages = {_PAGES}, dict[str, bytes]()
    for (_, file), passages in texts.items():
        name = _free_name(file, taken)
        taken.add(name.lower())
        content = ("\n\n".join(passages) + "\n").encode("utf-8", "replace")
        if _may_be_rendered(name, content):
            pages[name] = content
        else:
            site.write_bytes(f"{_FOLDER}/{name}", content)
    if pages:
        site.write_bytes(f"{_FOLDER}/{_PAGES}", _zipped(pages))


def _may_be_rendered(name: str, content: bytes) -> bool:
    is_page = _RENDERED.fullmatch(PurePosixPath(name).suffix[1:]) is not None
    return is_page or content.lstrip(_BLANKS).startswith(b"<")


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """Pack files the same way whenever and wherever it is done."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, content in files.items():
            member = ZipInfo(name, _FIRST_MOMENT)
            member.create_system, member.external_attr = 3, 0o644 << 16  # as on Unix
            archive.writestr(member, content)
    return packed.getvalue()


def _excerpt(passage: CommonPassage) -> Excerpt:
    place = passage.place
    document = passage.work.documents[place.document]
    file = document.file
    before = file.text[: place.start_char]
    line = before.rstrip(" \t")
    indent = before[len(line) :] if not line or line.endswith(("\n", "\r")) else ""
    text, code = (
        indent + each[place.start_char : place.stop_char]
        for each in (file.text, file.text if file.code is None else file.code)
    )
    return Excerpt(passage, file, text, code, _ending(document))


def _ending(document: Document) -> str:
    """Give the usual ending of a language, such as ``.py``, to what a notebook has in it."""
    if document.file.language is None:
        return ""
    language = find_language(document.language)
    patterns = (pattern[1:] for pattern in lexer_of(language).filenames if pattern[0] == "*")
    return next((each for each in patterns if language_of(f"file{each}") == language), "")


def _free_name(file: str, taken: Container[str]) -> str:
    """Make a file name of letters, digits, dots and hyphens; its end tells the language."""
    name = _UNSAFE.sub("_", PurePosixPath(file).name).lstrip("._-")[-_LONGEST_NAME:] or "passages"
    number, free = 1, name
    while free.lower() in taken:
        number += 1
        free = f"{number}-{name}"
    return free
