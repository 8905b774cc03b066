"""The catalogues of the languages: ``python -m tests.catalogues`` extracts, merges and compiles.

Afterwards, translate what is empty in ``mosslite/locales/*/LC_MESSAGES/mosslite.po`` and run it
again. To add a language, add it to ``LOCALES``, ``_NUMBERS`` and ``_DAYS`` in
``mosslite/texts.py``, and to ``NAMES``, ``SIGNS``, ``DAYS``, ``DAY_SIGNS`` and ``TIME`` in
``templates/language.js``; run this, translate all of its catalogue, and add its terms to
``docs/glossary.md``.
"""

from __future__ import annotations

import ast
import builtins
import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from mosslite.texts import LOCALES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "mosslite" / "locales"

_KEYWORDS: Final[dict[str, tuple[int, ...] | None]] = {
    **dict.fromkeys(("_", "gettext", "N_")),
    **dict.fromkeys(("ngettext", "NN_"), (1, 2)),
}
_METHODS: Final = {
    "mosslite": [("**.py", "python")],
    "templates": [("**.html", "jinja2"), ("**.js", "javascript")],
}


def catalogue_path(locale: str) -> Path:
    """Return where the messages of a language are kept."""
    return FOLDER / locale / "LC_MESSAGES" / "mosslite.po"


def translated() -> list[str]:
    """Return the languages that have a catalogue: all but English."""
    return [locale for locale in LOCALES if locale != "en"]


def extracted() -> Catalog:
    """Return the messages of the package and the templates, without translations."""
    catalogue = Catalog(project="mosslite", charset="utf-8")
    for message, context in _found():
        catalogue.add(message, context=context)
    return catalogue


def _found() -> Iterator[tuple[str | tuple[str, ...], str | None]]:
    for folder, methods in _METHODS.items():
        options = {"**.html": {"silent": "false"}, "**.js": {"parse_template_string": "true"}}
        rows = extract_from_dir(ROOT / folder, methods, options, keywords=_KEYWORDS)
        for _file, _line, message, _comments, context in rows:
            yield message, context
    for path in sorted((ROOT / "mosslite").rglob("*.py")):
        if not {*_ENGLISH}.intersection(path.relative_to(ROOT).parts):
            yield from _travelling(path)


# ---- Messages that travel in English: ``mosslite/messages.py`` recognizes them ----

# What is known of such a message by the call that marks it; ``msg`` is that of an exception.
_ENDS: Final = {"M_": "", "NL_": ": %(names)s", "with_names": ": %(names)s"}
_RAISED: Final = "msg"
# What is said of submissions is a reason that a report lists.
_REASONS: Final = ROOT / "mosslite" / "intake"
_TERMINAL: Final = ROOT / "mosslite" / "cli"
_SINGULAR: Final = "%(count)d "
# Errors that say what in a file is not as it was written, for those who look into it.
_INNER: Final = frozenset({"NotAsWrittenError", "WrongError"})
# Packages for those who experiment, and who run clusters: what these say is English.
_ENGLISH: Final = ("lab", "spark")


def _travelling(path: Path) -> Iterator[tuple[str | tuple[str, ...], str]]:
    """Yield the templates of a module with their contexts, taken from f-strings as they stand."""
    raised = "report" if path.is_relative_to(_REASONS) else "terminal"
    marked = "terminal" if path.is_relative_to(_TERMINAL) else "report"
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() if not _raises_builtins(node):
                yield from ((each, raised) for each in _raised_in(node))
            case ast.Call(func=ast.Name(id=("M_" | "NL_" | "with_names") as marker)):
                ends = _ENDS[marker]
                yield from ((each + ends, marked) for each in _templates_of(node.args[0]))
            case ast.Call(func=ast.Name(id="NM_"), args=[one, many]):
                yield (_templates_of(one)[0], _templates_of(many)[0]), "report"
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(attr=name),
                args=[ast.Constant() | ast.JoinedStr(), *_],
            ) if name.endswith("Error") and not hasattr(builtins, name) and name not in _INNER:
                yield from ((each, raised) for each in _templates_of(node.args[0]))
            case ast.Call(func=ast.Name(id="counted"), args=[_, ast.Constant(value=str(noun))]):
                yield (f"{_SINGULAR}{noun}", f"{_SINGULAR}{noun}s"), "report"


def _raised_in(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the templates of what a function assigns to ``msg``."""
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="msg")]) | ast.AugAssign(target=ast.Name(id="msg"))
            ):
                yield from _templates_of(node.value)


def _raises_builtins(function: ast.FunctionDef) -> bool:
    """Return whether errors of a function are Python's own, which no user sees."""
    raised = [
        node.func.id
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if any(isinstance(each, ast.Name) and each.id == _RAISED for each in node.args)
    ]
    return bool(raised) and all(hasattr(builtins, each) or each in _INNER for each in raised)


def _templates_of(node: ast.expr) -> list[str]:
    """Return the templates that an expression is one of."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=values):
            names: list[str] = []
            return ["".join(_piece(each, names) for each in values)]
        case ast.IfExp(body=body, orelse=other):
            return [*_templates_of(body), *_templates_of(other)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            ends = _templates_of(right) or [f"%({_name_of(right)})s"]
            return [one + end for one in _templates_of(left) for end in ends]
    return []


def _piece(node: ast.expr, names: list[str]) -> str:
    """Write a part of an f-string as a part of a template; its name is added to those before."""
    if not isinstance(node, ast.FormattedValue):
        return str(ast.literal_eval(node))
    name = _name_of(node.value)
    names.append(name)
    count = names.count(name)
    kind = "r" if node.conversion == ord("r") else "s"
    if node.format_spec is not None:
        kind = "d" if ast.unparse(node.format_spec) in {"f','", "f'd'"} else "s"
    return f"%({name}{count if count > 1 else ''}){kind}"


def _name_of(node: ast.expr) -> str:
    """Return what a translator reads in the place of a value: the last name in its expression."""
    match node:
        case ast.Call(func=ast.Name(id="counted"), args=[_, ast.Constant(value=str(noun))]):
            return f"{noun.rpartition(' ')[2]}s"
        case ast.Call(func=ast.Name(id=name)) if name.startswith("reason"):
            return "reason"
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name.strip("_").lower()
        case ast.JoinedStr(values=[*_, ast.FormattedValue(value=value)]):
            return _name_of(value)
    inside = [_name_of(each) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
    return next((each for each in reversed(inside) if each != _NAMELESS), _NAMELESS)


_NAMELESS: Final = "value"


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
