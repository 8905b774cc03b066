"""A program's text with nothing in it that only looks like code, and its names and literals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from pygments.token import Comment, Name, Number, String

from mosslite.frontends.tokens import lex
from mosslite.languages import lexer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pygments.token import _TokenType

    from mosslite.languages import Language

__all__ = ["Lexeme", "foreign_names", "lexemes_of", "masked", "replaced"]

_IMPORT = re.compile(r"\s*(#|import\b|from\b|package\b|using\b|use\b|open\b|require\b|include\b)")


class Lexeme(NamedTuple):
    """A name, number or string, and where it is.

    Attributes:
        kind: ``name``, ``number``, ``string`` or ``comment``.
    """

    start: int
    text: str
    kind: str


_WORD: Final = re.compile(r"\w+")
_MEMBER: Final = re.compile(r"(?:\.|->|::)\s*(\w+)")
_KEYWORD: Final = re.compile(r"[(,]\s*(\w+)=(?!=)")
_SYSTEM: Final = re.compile(r"\b__\w+")
_TYPE: Final = re.compile(r"\b[A-Z]\w*[a-z]\w*")
_DECLARED: Final = re.compile(r"\b(?:class|struct|enum|interface|record|union)\s+(\w+)")

_KINDS: Final = {tuple(Comment): "comment", tuple(String): "string", tuple(Number): "number"}
_NAMES: Final = tuple(map(tuple, (Name, Name.Function, Name.Class, Name.Other)))


def lexemes_of(text: str, language: Language) -> Iterator[Lexeme]:
    """Return what a copier changes without changing the program; not built-in names or imports."""
    for start, kind, value in lex(lexer_of(language), text):
        for family, name in _KINDS.items():
            if kind[: len(family)] == family:
                yield Lexeme(start, value, name)
        if _is_own_name(kind, text, start):
            yield Lexeme(start, value, "name")


def masked(text: str, language: Language) -> str:
    """Blank out comments and strings; all else stays where it is."""
    return replaced(
        text,
        language,
        lambda each: re.sub(r"\S", " ", each.text) if each.kind in {"comment", "string"} else None,
    )


def foreign_names(code: str) -> set[str]:
    """Return the names in masked code that others know too, as far as one can tell.

    These are what is imported, members, keyword arguments, names of the system, and types that
    are not declared here.
    """
    imported = (line for line in code.split("\n") if _IMPORT.match(line))
    names = {name for line in imported for name in _WORD.findall(line)}
    names.update(_MEMBER.findall(code), _KEYWORD.findall(code), _SYSTEM.findall(code))
    return names | (set(_TYPE.findall(code)) - set(_DECLARED.findall(code)))


def replaced(text: str, language: Language, change: Callable[[Lexeme], str | None]) -> str:
    """Replace what ``change`` gives another text for."""
    parts, done = [], 0
    for each in lexemes_of(text, language):
        other = change(each)
        if other is not None:
            parts += [text[done : each.start], other]
            done = each.start + len(each.text)
    return "".join([*parts, text[done:]])


def _is_own_name(kind: _TokenType, text: str, start: int) -> bool:
    is_name = kind in _NAMES or kind[:2] == Name.Variable[:2]
    begin = text.rfind("\n", 0, start) + 1
    is_member = text[max(start - 1, 0) : start] in {".", ">", "@"}
    return is_name and not is_member and not _IMPORT.match(text, begin)
