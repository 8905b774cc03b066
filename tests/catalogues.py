"""The catalogues of the languages: ``python -m tests.catalogues`` extracts, merges and compiles.

Afterwards, translate what is empty in ``mosslite/locales/*/LC_MESSAGES/mosslite.po`` and run it
again. To add a language, add it to ``LOCALES``, ``_NUMBERS`` and ``_DAYS`` in
``mosslite/texts.py``, and to ``NAMES``, ``SIGNS``, ``DAYS``, ``DAY_SIGNS`` and ``TIME`` in
``templates/language.js``; run this, translate all of its catalogue, and add its terms to
``docs/glossary.md``.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from mosslite import errors
from mosslite.texts import LOCALES

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "mosslite" / "locales"

# What marks messages, by their context in the catalogues: of the texts of pages and the terminal,
# and of values that reports show, or terminals only (``mosslite/messages.py``).
_ERRORS: Final = [each.__name__ for each in vars(errors).values() if isinstance(each, type)]
_KEYWORDS: Final[dict[str | None, dict[str, tuple[int, ...] | None]]] = {
    None: dict.fromkeys(("_", "gettext", "N_")) | dict.fromkeys(("ngettext", "NN_"), (1, 2)),
    "report": dict.fromkeys(("M_", "L_", "with_names", "DamagedError"))
    | dict.fromkeys(("NM_", "NL_"), (1, 2)),
    "terminal": dict.fromkeys(("T_", *_ERRORS, "TooLargeError", "_BusyError")),
}
_METHODS: Final = [("**.py", "python"), ("**.html", "jinja2"), ("**.js", "javascript")]
_OPTIONS: Final = {"**.html": {"silent": "false"}, "**.js": {"parse_template_string": "true"}}


def catalogue_path(locale: str) -> Path:
    """Return where the messages of a language are kept."""
    return FOLDER / locale / "LC_MESSAGES" / "mosslite.po"


def translated() -> list[str]:
    """Return the languages that have a catalogue: all but English."""
    return [locale for locale in LOCALES if locale != "en"]


def extracted() -> Catalog:
    """Return the messages of the package and the templates, without translations."""
    catalogue = Catalog(project="mosslite", charset="utf-8")
    for context, keywords in _KEYWORDS.items():
        for folder in ("mosslite", "templates"):
            rows = extract_from_dir(ROOT / folder, _METHODS, _OPTIONS, keywords=keywords)
            for _file, _line, message, _comments, _context in rows:
                catalogue.add(message, context=context)
    return catalogue


def stored(locale: str) -> Catalog:
    """Return a catalogue as it is kept."""
    with catalogue_path(locale).open("rb") as file:
        return read_po(file, locale=locale)


def compiled(catalogue: Catalog) -> bytes:
    """Return what programs read of a catalogue."""
    content = BytesIO()
    write_mo(content, _undated(catalogue))
    return content.getvalue()


def update(locale: str) -> Sequence[str]:
    """Merge the messages of the code into a catalogue and compile it; return what is not said."""
    path = catalogue_path(locale)
    catalogue = stored(locale) if path.exists() else Catalog(locale=locale)
    catalogue.update(extracted(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    path.parent.mkdir(parents=True, exist_ok=True)
    write(locale, catalogue)
    path.with_suffix(".mo").write_bytes(compiled(stored(locale)))
    return [str(each.id) for each in catalogue if each.id and not said(each.string)]


def write(locale: str, catalogue: Catalog) -> None:
    """Write a catalogue, the same whenever that is."""
    catalogue.header_comment = f"# The texts of mosslite, {LOCALES[locale]}."
    with catalogue_path(locale).open("wb") as file:
        write_po(file, _undated(catalogue), sort_output=True, no_location=True, width=100)


def _undated(catalogue: Catalog) -> Catalog:
    catalogue.project, catalogue.version, catalogue.msgid_bugs_address = "mosslite", "", ""
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    catalogue.last_translator = catalogue.language_team = ""
    catalogue.fuzzy = False
    return catalogue


def said(forms: str | Sequence[str] | None) -> bool:
    """Return whether all forms of a message are there."""
    return bool(forms) and (isinstance(forms, str) or all(forms or ()))


if __name__ == "__main__":
    for code in sys.argv[1:] or translated():
        for missing in update(code):
            print(f"{code}: not translated: {missing!r}")  # noqa: T201 - a tool
