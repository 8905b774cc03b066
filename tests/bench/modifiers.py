"""Disguises by words that a program does as well without: modifiers, types, imports, ``this``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bench.lines import logical_lines, texts_of
from tests.bench.names import declarations
from tests.bench.outline import outline
from tests.bench.tokens import (
    Edit,
    Kind,
    edited,
    following,
    partners,
    preceding,
    read,
    text_at,
    write,
)
from tests.bench.units import place_of_imports, units_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from tests.bench.lines import Line
    from tests.bench.outline import Place
    from tests.bench.tokens import Lexeme

__all__ = ["add_imports", "change_modifiers", "change_this", "change_types"]

_ACCESS = frozenset({"internal", "private", "protected", "public"})
_LONG = frozenset({"long", "short", "signed", "unsigned"})
_OF_C = {"int": ("long long", "unsigned int", "long"), "float": ("double",)}
_LONGER: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "c": _OF_C,
    "cpp": _OF_C,
    "csharp": {"int": ("long",), "float": ("double",)},
    "go": {"int": ("int64",), "float32": ("float64",)},
    "java": {"int": ("long",), "float": ("double",)},
}
_INFERRED = {"cpp": "auto", "csharp": "var", "java": "var"}
_STATEFUL = frozenset({"csharp", "java"})
_ANNOTATIONS = ("object", "int", "str", "list[int]", "dict[str, int]", '"None | tuple"')
_IMPORTS = {
    "c": ("#include <locale.h>", "#include <setjmp.h>", "#include <signal.h>"),
    "cpp": ("#include <valarray>", "#include <bitset>", "#include <locale>"),
    "csharp": ("using System.Numerics;", "using System.Globalization;"),
    "go": ('import _ "container/ring"', 'import _ "hash/crc32"'),
    "java": ("import java.util.zip.CRC32;", "import java.text.Collator;", "import java.nio.*;"),
    "javascript": ('const zlibFlu = require("zlib");', 'const ttyFlu = require("tty");'),
    "python": ("import colorsys", "from wave import open as open_wave", "import sched, stat"),
    "typescript": ('import * as zlibFlu from "zlib";', 'import * as ttyFlu from "tty";'),
}


def change_modifiers(text: str, language: str, rng: Random) -> str:
    """Change what says who may see a name; in Python, add type annotations.

    ``private`` becomes ``public``, functions of a C program become ``static`` or cease to be,
    and ``const`` becomes ``let`` in JavaScript.
    """
    lexemes = read(text, language)
    if language == "python":
        return edited(lexemes, _annotations(lexemes, rng))
    if language in {"c", "cpp"}:
        return edited(lexemes, _static_edits(lexemes, language))
    if language in {"javascript", "typescript"}:
        return edited(lexemes, _let_edits(lexemes))
    return edited(lexemes, _access_edits(lexemes, language))


def change_types(text: str, language: str, rng: Random) -> str:
    """Declare longer numbers, and where a language can infer the type half of them without it."""
    lexemes = read(text, language)
    return edited(lexemes, _type_edits(lexemes, language, rng))


def _type_edits(lexemes: Sequence[Lexeme], language: str, rng: Random) -> Iterator[Edit]:
    starts = frozenset(outline(lexemes, language).starts) if language in _INFERRED else frozenset()
    for index, (_, text) in enumerate(lexemes):
        named = following(lexemes, index)
        is_declared = text_at(lexemes, following(lexemes, named)) == "="
        is_alone = (
            not {text_at(lexemes, preceding(lexemes, index)), text_at(lexemes, named)} & _LONG
        )
        if text not in _LONGER.get(language, {}) or not is_alone:
            continue
        if index in starts and is_declared and rng.random() < 1 / 2:
            yield Edit(index, index + 1, _INFERRED[language])
        else:
            yield Edit(index, index + 1, rng.choice(_LONGER[language][text]))


def add_imports(text: str, language: str, _rng: Random) -> str:
    """Import what is not used, before all else that can be."""
    lexemes = read(text, language)
    added = "\n".join(_IMPORTS.get(language, ()))
    place = place_of_imports(lexemes, language)
    return edited(lexemes, [Edit(place, place, f"{added}\n" if added else "")])


def change_this(text: str, language: str, _rng: Random) -> str:
    """Drop ``this.`` where the name is never a local one, or put it in where there is none.

    In Python ``self`` gets another name.
    """
    lexemes = read(text, language)
    if language == "python":
        return edited(lexemes, _selves(lexemes))
    if language not in _STATEFUL:
        return write(lexemes)
    dropped = list(_dropped(lexemes, language))
    return edited(lexemes, dropped or _added(lexemes, language))


def _annotations(lexemes: Sequence[Lexeme], rng: Random) -> Iterator[Edit]:
    is_free = not any(lexeme.text in {"global", "nonlocal"} for lexeme in lexemes)
    for line in logical_lines(lexemes):
        if line.word == "def":
            yield from _annotations_of(lexemes, line, rng)
        said = texts_of(lexemes, line)
        is_set = lexemes[line.start].kind is Kind.NAME and said[1:2] == ["="]
        if is_free and is_set and said.count("=") == 1 and "def" in line.around:
            yield Edit(line.start + 1, line.start + 1, f": {rng.choice(_ANNOTATIONS)}")


def _annotations_of(lexemes: Sequence[Lexeme], line: Line, rng: Random) -> Iterator[Edit]:
    """Annotate the parameters of a function and what it returns."""
    opener = next(i for i in range(line.start, line.stop) if lexemes[i].text == "(")
    closer = partners(lexemes[: line.stop]).get(opener, opener)
    depth = 0
    for index in range(opener, closer):
        kind, text = lexemes[index]
        depth += kind is Kind.SIGN and (text in {"(", "[", "{"}) - (text in {")", "]", "}"})
        before = text_at(lexemes, preceding(lexemes, index))
        behind = text_at(lexemes, following(lexemes, index))
        is_parameter = before in {"(", ",", "*", "**"} and behind in {")", ",", "="}
        if depth == 1 and is_parameter and kind is Kind.NAME:
            yield Edit(index + 1, index + 1, f": {rng.choice(_ANNOTATIONS)}")
    if text_at(lexemes, following(lexemes, closer)) == ":":
        yield Edit(closer + 1, closer + 1, f" -> {rng.choice(_ANNOTATIONS)}")


def _static_edits(lexemes: Sequence[Lexeme], language: str) -> Iterator[Edit]:
    """Take ``static`` from the functions of the file and give it to those that had none."""
    for unit in units_of(lexemes, language):
        first = following(lexemes, unit.start - 1)
        texts = [lexeme.text for lexeme in lexemes[first : unit.stop]]
        head = write(lexemes[first : unit.stop]).partition("{")[0]
        is_outside = unit.depth == 0 and "(" in head and not {"=", "typedef"} & {*head.split()}
        is_bound = "::" in head or " main" in head or "template" in head or "extern" in head
        if is_outside and not is_bound and lexemes[first].kind is Kind.TYPE:
            yield Edit(first, first, "static ")
        elif is_outside and texts[0] == "static":
            yield Edit(first, following(lexemes, first), "")


def _let_edits(lexemes: Sequence[Lexeme]) -> Iterator[Edit]:
    for index, lexeme in enumerate(lexemes):
        if lexeme == (Kind.WORD, "const"):
            yield Edit(index, index + 1, "let")


def _access_edits(lexemes: Sequence[Lexeme], language: str) -> Iterator[Edit]:
    """Make members public, except for what is inside an interface or an enumeration."""
    found = outline(lexemes, language)
    for start in found.starts:
        text, place = lexemes[start].text, found.places[start]
        is_member = place.kind == "type" and "class" in place.head
        is_block = text_at(lexemes, following(lexemes, start)) == "{" or text[0] == "@"
        if is_member and text == "private":
            yield Edit(start, start + 1, "public")
        elif is_member and text not in _ACCESS and not is_block:
            yield Edit(start, start, "public ")


def _selves(lexemes: Sequence[Lexeme]) -> Iterator[Edit]:
    for index, lexeme in enumerate(lexemes):
        if lexeme == (Kind.BUILTIN, "self"):
            yield Edit(index, index + 1, "this")


def _dropped(lexemes: Sequence[Lexeme], language: str) -> Iterator[Edit]:
    local = {
        lexemes[index].text
        for index, place in declarations(lexemes, language)
        if place.kind != "type"
    }
    for index, lexeme in enumerate(lexemes):
        dot = following(lexemes, index)
        name = following(lexemes, dot)
        is_member = lexeme == (Kind.WORD, "this") and text_at(lexemes, dot) == "."
        if is_member and lexemes[name].kind is Kind.NAME and lexemes[name].text not in local:
            yield Edit(index, name, "")


def _added(lexemes: Sequence[Lexeme], language: str) -> Iterator[Edit]:
    """Put ``this.`` before the fields of the class of a method that is not static."""
    found = outline(lexemes, language)
    fields, local = set(), set()
    for index, place in declarations(lexemes, language):
        if place.kind == "type" and "static" not in _statement(lexemes, index):
            fields.add((place.opener, lexemes[index].text))
        elif place.kind != "type":
            local.add(lexemes[index].text)
    for index, (kind, text) in enumerate(lexemes):
        method = _method_around(found.places[index])
        is_bare_name = text_at(lexemes, preceding(lexemes, index)) != "."
        if kind is Kind.NAME and text not in local and is_bare_name and method:
            around = method.around
            is_field = around is not None and (around.opener, text) in fields
            if is_field and "static" not in method.head:
                yield Edit(index, index, "this.")


def _statement(lexemes: Sequence[Lexeme], index: int) -> set[str]:
    """Return the texts of a statement before one of its lexemes."""
    texts = []
    for lexeme in reversed(lexemes[:index]):
        if lexeme.text in {";", "{", "}"}:
            break
        texts.append(lexeme.text)
    return {*texts}


def _method_around(place: Place) -> Place | None:
    """Return the outermost block of code around a place inside the innermost type."""
    found = None
    while place.around is not None and place.kind != "type":
        found = place if place.kind == "code" else found
        place = place.around
    return found
