"""Which names are a program's own, so that they can be given others."""

from __future__ import annotations

import builtins
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from tests.bench.lines import logical_lines, texts_of
from tests.bench.outline import outline
from tests.bench.tokens import Kind, following, partners, preceding, text_at, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.bench.outline import Place
    from tests.bench.tokens import Lexeme

__all__ = ["declarations", "own_names"]

# Names of libraries that a program's own names are likely to coincide with.
_WELL_KNOWN = words(
    """accept add apply call clear close compare compareTo contains equals filter forEach format
    get getOrDefault hashCode hasNext insert isEmpty iterator join keys length main map module name
    next pop push put read record remove replace require run set size sort split start stop sum
    test then toString trim update value values write"""
)
_METHODS = frozenset(
    name for kind in (bytes, dict, float, int, list, set, str) for name in dir(kind)
) | {"close", "read", "readline", "readlines", "write", "writelines", "flush"}
_DECLARING = words("class const def enum func function interface let record struct var")
_BEHIND_DECLARED = words("= ; , ) ( [ : { := in of > + -")
_BEFORE_CALL = words("= ( , . + - ? : ! & | return new && || => -> ::")
_BEHIND_TYPE = frozenset({"*", "&", ">", "]"})
_MEMBER_SIGNS = frozenset({".", "->", "::", "?."})
_DEFINED = re.compile(r"#\s*define\s+(\w+)")


def own_names(lexemes: Sequence[Lexeme], language: str) -> set[str]:
    """Return the names that the program declares and that no library is likely to have."""
    if language == "python":
        return _own_names_of_python(lexemes)
    declared = list(declarations(lexemes, language))
    members = {lexemes[index].text for index, place in declared if place.kind == "type"}
    names = {lexemes[index].text for index, _ in declared}
    for kind, text in lexemes:
        if kind is Kind.DIRECTIVE:
            names.update(_DEFINED.findall(text))
    if language in {"javascript", "typescript"}:
        names -= _shorthands(lexemes, language)
    foreign = _member_names(lexemes, is_own=False) - members - _member_names(lexemes, is_own=True)
    return names - foreign - _WELL_KNOWN - _imported(lexemes)


def declarations(lexemes: Sequence[Lexeme], language: str) -> Iterator[tuple[int, Place]]:
    """Return the names that are declared, by index, and where: behind a type or a keyword."""
    places = outline(lexemes, language).places
    for index, lexeme in enumerate(lexemes):
        before, behind = preceding(lexemes, index), following(lexemes, index)
        if lexeme.kind is Kind.NAME and before >= 0 and behind < len(lexemes):
            is_called = lexemes[before].text in _BEFORE_CALL
            is_member = places[index].kind == "type" and not is_called
            is_method = is_member and lexemes[behind].text == "("
            if is_method or _is_declared(lexemes, before, lexeme.text, lexemes[behind].text):
                yield index, places[index]


def _is_declared(lexemes: Sequence[Lexeme], before: int, name: str, behind: str) -> bool:
    kind, text = lexemes[before]
    if kind in {Kind.NAME, Kind.TYPE, Kind.BUILTIN} or text in _DECLARING:
        return True
    is_type = text in _BEHIND_TYPE and not name.isupper() and behind in _BEHIND_DECLARED
    earlier = lexemes[preceding(lexemes, before)] if before else None
    return is_type and earlier is not None and earlier.kind in {Kind.TYPE, Kind.NAME, Kind.SIGN}


def _member_names(lexemes: Sequence[Lexeme], *, is_own: bool) -> set[str]:
    """Return the names behind ``this.``, or those behind anything else and a dot."""
    found = set()
    for index, lexeme in enumerate(lexemes):
        dot = preceding(lexemes, index)
        if lexeme.kind is Kind.NAME and text_at(lexemes, dot) in _MEMBER_SIGNS:
            is_this = text_at(lexemes, preceding(lexemes, dot)) == "this"
            if is_this == is_own:
                found.add(lexeme.text)
    return found


def _shorthands(lexemes: Sequence[Lexeme], language: str) -> set[str]:
    """Return the names that are keys as well: those of ``{ left, right }`` and ``{ left: 1 }``."""
    places = outline(lexemes, language).places
    found = set()
    for index, lexeme in enumerate(lexemes):
        if lexeme.kind is Kind.NAME and places[index].kind in {"data", "code"}:
            around = {text_at(lexemes, preceding(lexemes, index))}
            around.add(text_at(lexemes, following(lexemes, index)))
            if around & {"{", ","} and around <= {"{", ",", "}", ":", "="}:
                found.add(lexeme.text)
    return found


def _imported(lexemes: Sequence[Lexeme]) -> set[str]:
    return {
        word for kind, text in lexemes if kind is Kind.IMPORTED for word in re.findall(r"\w+", text)
    }


def _own_names_of_python(lexemes: Sequence[Lexeme]) -> set[str]:
    """Return the names that are not imported, built in, only attributes or only keywords."""
    bare, members, keywords = set(), set(), set()
    heads = _openers(lexemes)
    for index, lexeme in enumerate(lexemes):
        if lexeme.kind is Kind.NAME:
            before = text_at(lexemes, preceding(lexemes, index))
            behind = text_at(lexemes, following(lexemes, index))
            if before == ".":
                members.add(lexeme.text)
            elif behind == "=" and heads[index] == "call":
                keywords.add(lexeme.text)
            else:
                bare.add(lexeme.text)
    own_members = _members_of_python(lexemes)
    foreign = (members | keywords) - own_members
    names = (bare | own_members) - foreign - _METHODS - _imports_of_python(lexemes)
    return {name for name in names if name not in dir(builtins) and not name.startswith("__")}


def _openers(lexemes: Sequence[Lexeme]) -> dict[int, str]:
    """Return for each lexeme whether it is directly in the brackets of a call."""
    found: dict[int, str] = defaultdict(str)
    for first, last in sorted(partners(lexemes).items()):  # inner brackets win
        if first < last and lexemes[first].text == "(":
            name = preceding(lexemes, first)
            is_def = lexemes[preceding(lexemes, name)].text in {"def", "class"}
            kind = "def" if is_def else "call"
            found.update((index, kind) for index in range(first + 1, last))
    return found


def _members_of_python(lexemes: Sequence[Lexeme]) -> set[str]:
    """Return the methods, the class attributes and what is assigned to ``self``."""
    found = set()
    for line in logical_lines(lexemes):
        texts = texts_of(lexemes, line)
        if line.around[-1:] == ("class",):
            found.add(texts[1 + (texts[0] == "async")] if line.word == "def" else texts[0])
        if texts[:2] == ["self", "."] and texts[3:4] in (["="], [":"], ["+="]):
            found.add(texts[2])
    return found


def _imports_of_python(lexemes: Sequence[Lexeme]) -> set[str]:
    lines = (line for line in logical_lines(lexemes) if line.word in {"from", "import"})
    texts = (text for line in lines for text in texts_of(lexemes, line))
    return {word for text in texts for word in text.split(".")}
