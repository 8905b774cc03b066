"""Likely boilerplate that nobody declared: shown, and written out as files to give with ``-b``."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final
from zipfile import ZipFile, ZipInfo

from mosslite.languages import find_language, language_of, lexer_of
from mosslite.report.likely import LIKELY_BOILERPLATE, SHORT_PASSAGES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from mosslite.records import CommonPassage, Document, SourceFile
    from mosslite.report.html.site import Site

__all__ = ["Excerpt", "carried_over", "excerpts_of", "short_names", "write_undeclared"]

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

    @property
    def file(self) -> str:
        """The name of its file, with the ending of its language."""
        return self.source.name + self.ending


def excerpts_of(common: Sequence[CommonPassage]) -> list[Excerpt]:
    """Cut the passages out of their sources, with the blanks that their first lines begin with."""
    return [_excerpt(passage) for passage in common]


def carried_over(base: Iterable[str], report: Path) -> dict[str, bytes]:
    """Return the passages of an earlier report that were used as base code, so that they remain.

    Args:
        base: Paths of all base code.
        report: The folder that is to be replaced.
    """
    folder = Path(os.path.realpath(report)) / LIKELY_BOILERPLATE
    if not any(_is_below(path, folder) for path in base):
        return {}
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.is_symlink())
    return {path.name: path.read_bytes() for path in files}


def _is_below(path: str, folder: Path) -> bool:
    try:
        return Path(os.path.realpath(path)).is_relative_to(folder)
    except ValueError:  # a report that was read from a file can name anything
        return False


def write_undeclared(
    excerpts: Sequence[Excerpt], site: Site, carried: Mapping[str, bytes] | None = None
) -> None:
    """Write passages that are likely to be given code, all of one file to one file.

    Shorter ones are written one by one, for a reader to choose. Names are safe anywhere, and
    nothing that a browser could take for a page is left lying open.
    """
    texts: dict[tuple[str, str], list[str]] = {}
    for each in excerpts:
        if each.passage.is_long:
            texts.setdefault((each.passage.work.name, each.file), []).append(each.code)
    files = [(file, "\n\n".join(codes)) for (_, file), codes in texts.items()]
    _write_files(LIKELY_BOILERPLATE, files, site, carried or {})
    short = [(each.file, each.code) for each in excerpts if not each.passage.is_long]
    _write_files(SHORT_PASSAGES, short, site, {})


def short_names(excerpts: Sequence[Excerpt]) -> list[str]:
    """Return where each passage that is for a reader to choose is written; nothing for others."""
    taken, names = {_PAGES}, list[str]()
    for each in excerpts:
        name = "" if each.passage.is_long else _free_name(each.file, taken)
        taken.add(name.lower())
        is_page = bool(name) and _may_be_rendered(name, _content(each.code))
        names.append(f"{SHORT_PASSAGES}/{_PAGES if is_page else name}" if name else "")
    return names


def _write_files(
    folder: str, files: Sequence[tuple[str, str]], site: Site, carried: Mapping[str, bytes]
) -> None:
    taken, pages = {_PAGES, *map(str.lower, carried)}, dict[str, bytes]()
    for file, text in files:
        name = _free_name(file, taken)
        taken.add(name.lower())
        if _may_be_rendered(name, _content(text)):
            pages[name] = _content(text)
        else:
            site.write_bytes(f"{folder}/{name}", _content(text))
    for name, content in carried.items():
        if name != _PAGES or not pages:
            site.write_bytes(f"{folder}/{name}", content)
    if pages:
        site.write_bytes(f"{folder}/{_PAGES}", _zipped(pages))


def _content(text: str) -> bytes:
    return f"{text}\n".encode("utf-8", "replace")


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
    """Return the usual ending of a language, such as ``.py``, to what a notebook has in it."""
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
