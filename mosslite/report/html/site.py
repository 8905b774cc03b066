"""The files of a report: the templates that render them, and the folder they are written to."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import cache_from_source
from pathlib import Path
from stat import S_IFREG, S_ISDIR
from typing import Final

import jinja2
from jinja2 import Environment
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from mosslite.display import (
    character_name,
    code_point,
    name_parts,
    script_json,
    spelled_out,
)
from mosslite.messages import Message
from mosslite.report.wording import first_handed_in, format_lines, main_evidence, surprise
from mosslite.texts import ENGLISH, Texts, script_messages

_DIGEST_SIZE: Final = 16
_NUMBER: Final = re.compile(r"[\d.,]+")


def compiled_templates(shaper: str) -> CompiledTemplates | None:
    """Return the Jinja bytecode cache in ``__pycache__``, keyed by a module's source.

    Args:
        shaper: The module's ``__file__``.

    Returns:
        None if the source cannot be read, as changes could not be detected then.
    """
    try:
        shaped_by = Path(shaper).read_text(encoding="utf-8")
        return CompiledTemplates(Path(cache_from_source(shaper)).parent, shaped_by)
    except (OSError, NotImplementedError):
        return None


class CompiledTemplates(jinja2.BytecodeCache):
    """Cached compiled templates, valid as long as nothing that affects their code has changed.

    Anyone who can write to the folder can also change the package, so this adds no risk. Damaged
    files are ignored.
    """

    def __init__(self, folder: Path, shaped_by: str) -> None:
        """Store templates in ``folder``; ignore those stored with another ``shaped_by``."""
        self._folder = folder
        self._shaped_by = f"{jinja2.__version__}\n{shaped_by}\n"

    def get_source_checksum(self, source: str) -> str:
        """Return a checksum of a template and of everything else that affects its code."""
        return super().get_source_checksum(self._shaped_by + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template if it is stored and intact."""
        with suppress(OSError):
            content = self._path(bucket).read_bytes()
            if content[:_DIGEST_SIZE] == _digest(content[_DIGEST_SIZE:]):
                bucket.bytecode_from_string(content[_DIGEST_SIZE:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a template if Python may write bytecode and the folder is writable."""
        if not sys.dont_write_bytecode:
            content = bucket.bytecode_to_string()
            with suppress(OSError):
                self._path(bucket).write_bytes(_digest(content) + content)

    def _path(self, bucket: Bucket) -> Path:
        return self._folder / f"{bucket.key}.{sys.implementation.cache_tag}.template"


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST_SIZE).digest()


# Cache size for names: all of a large batch.
_MOST_KEPT: Final = 1 << 16


def template_root() -> Traversable:
    """Return the folder of report templates.

    A wheel contains it as ``mosslite/templates``; a checkout has it beside the package.
    """
    packaged = files("mosslite") / "templates"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parents[3] / "templates"


ASSETS: Final = {
    "report.css": ("report.css", "review.css"),
    "overview.css": ("overview.css",),
    "pair.css": ("pair.css",),
    "page.js": tuple(f"shared/{each}.js" for each in ("address", "language", "names", "keys")),
    "review.js": ("shared/review-marks.js", "shared/review.js"),
    "overview.js": tuple(f"overview/{each}.js" for each in ("table", "overview", "sections")),
    "pair.js": (
        *("pair/sources.js", "pair/lazy.js", "pair/align.js", "pair/matches.js", "pair/files.js"),
        *("pair/panes.js", "pair/scrolling.js", "pair/aligned.js", "pair/diff.js"),
        *("pair/paper.js", "pair/stepping.js", "pair/panels.js", "pair/pair.js"),
        "pair/case-file.js",
    ),
}
"""The style sheets and scripts of a report, each with the files it is joined of, in order."""


def asset(*names: str) -> str:
    """Return files of the templates as one."""
    return "".join((template_root() / name).read_text(encoding="utf-8") for name in names)


def environment(texts: Texts = ENGLISH) -> jinja2.Environment:
    """Return a template environment; all output is escaped and made visible.

    Args:
        texts: The language of the pages.
    """
    root = template_root()
    pages = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: (root / name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=compiled_templates(__file__),
    )
    pages.globals = {
        "range": range,
        "states": None,  # without a baseline
        "locale": texts.locale,
        "_": texts.gettext,
        "ngettext": texts.ngettext,
    }
    pages.filters.update(
        character_name=character_name,
        code_point=code_point,
        first_handed_in=first_handed_in,
        gap=texts.gap,
        hundredths=texts.hundredths,
        in_words=lambda identical: identical.words(texts),
        moment=texts.moment,
        name_parts=name_parts,
        number=texts.number,
        percent=texts.percent,
        rounded=texts.rounded,
        surprise=partial(surprise, texts=texts),
        main_evidence=partial(main_evidence, texts=texts),
        decimal=texts.decimal,
        translated=partial(_translated, texts),
        translated_text=texts.translated,
        user_text=_user_text(pages),
        line_numbers=partial(format_lines, texts=texts),
    )
    # Pages that show possibly similar names replace this filter.
    pages.filters["named"] = pages.filters["user_text"]
    return pages


def _user_text(pages: jinja2.Environment) -> Callable[[str], Markup]:
    """Return a cached filter that shows a name or another text of users."""

    @lru_cache(maxsize=_MOST_KEPT)
    def user_text(text: str) -> Markup:
        macros = vars(pages.get_template("macros.html").module)
        shown: Markup = macros["user_text"](text)
        return shown

    return user_text


def _translated(texts: Texts, message: str) -> Markup:
    """Show a message, and what it says without the names in it, which readers may hide."""
    shown = escape(spelled_out(texts.translated(message)))
    if not isinstance(message, Message):
        return Markup('<bdi lang="en">{}</bdi>').format(shown)
    unnamed = spelled_out(texts.translated(message.with_texts(_unnamed)))
    return Markup('<bdi data-unnamed="{}">{}</bdi>').format(unnamed, shown)


def _unnamed(text: str) -> str:
    return text if _NUMBER.fullmatch(text) else "\u2026"


def _finalize(value: object) -> object:
    """Escape hidden characters in all text except the output of macros, which is mark-up."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return spelled_out(value)
    return value


def messages_script(locale: str) -> str:
    """Return the script with what scripts say in a language."""
    return f'"use strict";\nconst messages = {script_json(script_messages(locale))};\n'


# Flags for reading a file without following links or blocking on a pipe.
_READING: Final = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")
)


class Earlier:
    """An earlier report, whose unchanged files are hard-linked into the new one.

    Another run on the same batch leaves most files unchanged, and a link is far cheaper than a new
    file.
    """

    def __init__(self, folder: Path, fresh: Path) -> None:
        self._folder = str(folder)
        self._fresh = str(fresh)
        self._are_folders: dict[str, bool] = {}

    def gives(self, path: str, content: bytes) -> bool:
        """Link an unchanged file into the new report; return whether it was unchanged.

        If not, remove the link to the earlier file.

        Args:
            path: Path of the file in both reports.
            content: The new content.
        """
        known, target = f"{self._folder}/{path}", f"{self._fresh}/{path}"
        try:
            if not self._is_like_new(known, len(content)) or not self._is_in_folders(path):
                return False
            os.link(known, target)
        except OSError:
            return False
        return _holds(target, content)  # it may have been replaced in between

    def _is_like_new(self, known: str, size: int) -> bool:
        """Return whether a file could be new: equal size, usual permissions, a single link."""
        there = os.lstat(known)
        kind = (there.st_mode, there.st_uid, there.st_gid)
        return there.st_size == size and kind == self._kind_of_new and there.st_nlink == 1

    @cached_property
    def _kind_of_new(self) -> tuple[int, int, int]:
        folder = Path(self._fresh).stat()
        return S_IFREG | folder.st_mode & 0o666, folder.st_uid, folder.st_gid

    def _is_in_folders(self, path: str) -> bool:
        """Return whether a file is in a folder of the report, without links on the way."""
        folder = path.rpartition("/")[0]
        if folder not in self._are_folders:
            self._are_folders[folder] = S_ISDIR(os.lstat(f"{self._folder}/{folder}").st_mode)
        return self._are_folders[folder]


def _holds(path: str, content: bytes) -> bool:
    """Return whether a file can be read and has this content."""
    try:
        file = os.open(path, _READING)
    except OSError:
        return False
    try:
        return os.read(file, len(content) + 1) == content
    except OSError:
        return False
    finally:
        os.close(file)


@dataclass(frozen=True, slots=True)
class Site:
    """A report being written: its folder, and the templates of its pages.

    Attributes:
        earlier: The report to be replaced, if there is one.
        texts: Language of the pages.
    """

    folder: Path
    pages: Environment
    earlier: Earlier | None = None
    texts: Texts = ENGLISH
    _made: set[Path] = field(default_factory=set)

    def write_page(self, path: str, template: str, **context: object) -> None:
        """Render a template to a file; create its folder if missing."""
        self.write(path, self.pages.get_template(template).render(**context))

    def write(self, path: str, text: str) -> None:
        """Write a text file; create its folder if missing."""
        self.write_bytes(path, text.encode("utf-8"))

    def write_bytes(self, path: str, content: bytes) -> None:
        """Write a file; create its folder if missing."""
        target = self.folder / path
        if target.parent not in self._made:
            target.parent.mkdir(exist_ok=True)  # another process may create it
            self._made.add(target.parent)
        if self.earlier is None or not self.earlier.gives(path, content):
            target.unlink(missing_ok=True)  # it may be a link to the earlier file
            target.write_bytes(content)
