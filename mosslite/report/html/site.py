"""The files of a report: the templates that render them, and the folder they are written to."""

import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final

import jinja2
from jinja2 import Environment
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from mosslite.display import character_name, code_point, name_parts, script_json, spelled_out
from mosslite.messages import Message
from mosslite.report.recording import handed_in_of
from mosslite.report.similar_names import counted_disguises
from mosslite.report.wording import (
    encoding_in_words,
    format_lines,
    language_title,
    main_evidence,
    place_in_words,
    surprise,
)
from mosslite.texts import ENGLISH, Texts, script_messages

# Rows of a table, and items of a list, in a page: those beyond are in the JSON results.
_MOST_ROWS: Final = 200
_NUMBER: Final = re.compile(r"[\d.,]+")


class _Compiled(jinja2.FileSystemBytecodeCache):
    """Compiled templates beside the compiled modules, as compiling takes a fifth of a small run.

    Anyone who can write there can also change the package, so this adds no risk.
    """

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a template if Python may write bytecode and the folder is writable."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


def _compiled_templates() -> _Compiled | None:
    """Return what is compiled by this module, which shapes it; None if that cannot be read."""
    try:
        shape = blake2b(Path(__file__).read_bytes(), digest_size=4).hexdigest()
        folder = Path(cache_from_source(__file__)).parent
    except (OSError, NotImplementedError):
        return None
    return _Compiled(str(folder), f"%s.{shape}.{sys.implementation.cache_tag}.template")


# Cache sizes for small pieces of pages: for names, all of a large batch.
_MOST_KEPT: Final = {"user_text": 1 << 16, "evidence_text": 1 << 12, "line_link": 1 << 12}


def template_root() -> Traversable:
    """Return the folder of report templates.

    A wheel contains it as ``mosslite/templates``; a checkout has it beside the package.
    """
    packaged = files("mosslite") / "templates"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parents[3] / "templates"


_PAIR: Final = (
    *("sources", "lazy", "align", "matches", "files", "panes", "tables"),
    *("pair", "case-file"),
)
_SHARED: Final = ("tools", "address", "language", "names", "keys")
ASSETS: Final = {
    "report.css": ("report.css", "review.css"),
    "overview.css": ("overview.css",),
    "pair.css": ("pair.css",),
    "page.js": tuple(f"shared/{each}.js" for each in _SHARED),
    "review.js": ("shared/review-marks.js", "shared/review.js"),
    "overview.js": tuple(f"overview/{each}.js" for each in ("lists", "overview", "sections")),
    "pair.js": tuple(f"pair/{each}.js" for each in _PAIR),
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
        bytecode_cache=_compiled_templates(),
    )
    pages.globals = {
        "range": range,
        "locale": texts.locale,
        "most_rows": _MOST_ROWS,
        "_": texts.gettext,
        "ngettext": texts.ngettext,
    }
    pages.filters.update(
        character_name=character_name,
        code_point=code_point,
        gap=texts.gap,
        handed_in_of=handed_in_of,
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
        disguise_count=partial(counted_disguises, texts=texts),
        encoding_in_words=partial(encoding_in_words, texts=texts),
        language_title=partial(language_title, texts=texts),
        translated=partial(_translated, texts),
        translated_text=texts.translated,
        **{name: _kept(pages, name, most) for name, most in _MOST_KEPT.items()},
        line_numbers=partial(format_lines, texts=texts),
        place_in_words=partial(place_in_words, texts=texts),
    )
    # Pages that show possibly similar names replace this filter.
    pages.filters["named"] = pages.filters["user_text"]
    return pages


def _kept(pages: jinja2.Environment, name: str, most: int) -> Callable[..., Markup]:
    """Return a macro as a filter that keeps what it gives, as many pages show the same."""

    @lru_cache(maxsize=most)
    def shown(*values: object) -> Markup:
        macro = vars(pages.get_template("macros.html").module)[name]
        return Markup(macro(*values))  # noqa: S704 - rendered by a template

    return shown


def _translated(texts: Texts, message: str) -> Markup:
    """Show a message, and what else it says without the names in it, which readers may hide."""
    shown = escape(spelled_out(texts.translated(message)))
    if not isinstance(message, Message):
        return Markup('<bdi lang="en">{}</bdi>').format(shown)
    unnamed = escape(spelled_out(texts.translated(message.with_texts(_unnamed))))
    return Markup('<bdi data-unnamed="{}">{}</bdi>').format(
        "" if unnamed == shown else unnamed, shown
    )


def _unnamed(text: str) -> str:
    return text if _NUMBER.fullmatch(text) else "\u2026"


def _finalize(value: object) -> object:
    """Escape hidden characters in all text except the output of macros, which is mark-up."""
    if type(value) is Markup:  # the usual case
        return value
    return spelled_out(value) if isinstance(value, str) else value


def messages_script(locale: str) -> str:
    """Return the script with what scripts say in a language."""
    return f'"use strict";\nconst messages = {script_json(script_messages(locale))};\n'


@dataclass(frozen=True, slots=True)
class Site:
    """A report being written: its folder, the templates of its pages and their language."""

    folder: Path
    pages: Environment
    texts: Texts = ENGLISH
    _made: set[Path] = field(default_factory=set)

    def write_page(self, path: str, template: str, **context: object) -> None:
        """Render a template to a file; create its folder if missing."""
        self.write(path, self.pages.get_template(template).render(**context))

    def write(self, path: str, text: str) -> None:
        """Write a text file; create its folder if missing."""
        self.write_bytes(path, [text.encode("utf-8")])

    def write_bytes(self, path: str, content: Iterable[bytes]) -> None:
        """Write a file of these pieces; create its folder if missing."""
        target = self.folder / path
        if target.parent not in self._made:
            target.parent.mkdir(exist_ok=True)  # another process may create it
            self._made.add(target.parent)
        with target.open("wb") as file:
            file.writelines(content)
