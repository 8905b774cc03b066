"""The catalogues of the languages: ``python -m tests.catalogues`` extracts, merges and compiles.

Afterwards, translate what is empty in ``mosslite/locales/*/LC_MESSAGES/mosslite.po`` and run it
again. To add a language, add it to ``LOCALES``, ``_NUMBERS`` and ``_DAYS`` in
``mosslite/texts.py``; run this, translate all of its catalogue, and add its terms to
``docs/glossary.md``.
"""

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Final, TypeAlias

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from mosslite import errors
from mosslite.texts import LOCALES

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "mosslite" / "locales"

# What marks messages (``mosslite/messages.py``, ``mosslite/texts.py``), those with a plural, and
# the names of errors, each looked for by themselves, as Babel finds no mark inside of another.
_Keywords: TypeAlias = "dict[str, tuple[int, ...] | None]"
_MARKS: Final[_Keywords] = dict.fromkeys(("_", "gettext", "M_", "N_", "with_names"))
_PLURALS: Final[_Keywords] = dict.fromkeys(("ngettext", "NM_", "NN_"), (1, 2))
_ERRORS: Final[_Keywords] = dict.fromkeys(
    (
        *(each.__name__ for each in vars(errors).values() if isinstance(each, type)),
        *("DamagedError", "TooLargeError", "_BusyError"),
    )
)
SCRIPTS: Final = ("**.js", "javascript")
_METHODS: Final = (("**.py", "python"), ("**.html", "jinja2"), SCRIPTS)
_OPTIONS: Final = {"**.html": {"silent": "false"}, "**.js": {"parse_template_string": "true"}}


def catalogue_path(locale: str) -> Path:
    """Return where the messages of a language are kept."""
    return FOLDER / locale / "LC_MESSAGES" / "mosslite.po"


def translated() -> list[str]:
    """Return the languages that have a catalogue: all but English."""
    return [locale for locale in LOCALES if locale != "en"]


@cache
def extracted(methods: tuple[tuple[str, str], ...] = _METHODS) -> Catalog:
    """Return the messages of the package and the templates, without translations."""
    catalogue = Catalog(project="mosslite", charset="utf-8")
    for keywords, folder in product((_MARKS, _PLURALS, _ERRORS), ("mosslite", "templates")):
        rows = extract_from_dir(ROOT / folder, methods, _OPTIONS, keywords=keywords)
        for _file, _line, message, _comments, _context in rows:
            catalogue.add(message)
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


def of_scripts(catalogue: Catalog) -> str:
    """Return what the scripts of pages say, as JSON: the forms of each message."""
    messages = {}
    for each in extracted((SCRIPTS,)):
        found = catalogue.get(each.id)
        if each.id and found is not None:
            one = each.id if isinstance(each.id, str) else each.id[0]
            messages[one] = (
                [found.string] if isinstance(found.string, str) else [*(found.string or ())]
            )
    return json.dumps(messages, ensure_ascii=False, indent=0, sort_keys=True) + "\n"


def update(locale: str) -> Sequence[str]:
    """Merge the messages of the code into a catalogue and compile it; return what is not said."""
    path = catalogue_path(locale)
    catalogue = stored(locale) if path.exists() else Catalog(locale=locale)
    catalogue.update(extracted(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    path.parent.mkdir(parents=True, exist_ok=True)
    write(locale, catalogue)
    path.with_suffix(".mo").write_bytes(compiled(stored(locale)))
    path.with_name("scripts.json").write_text(of_scripts(stored(locale)), encoding="utf-8")
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
