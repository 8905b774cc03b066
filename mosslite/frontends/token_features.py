"""Finds what a token holds of a writer's own: names, words, strings and numbers."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from pygments.token import Comment, Name, Number, String, Token

from mosslite.frontends.symbols import code_of
from mosslite.records import TraceKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pygments.token import _TokenType

__all__ = ["is_string", "items_of"]


WORD: Final = re.compile(r"\w+")


# Equal words and lines in other files: so many are kept, but no long ones.
_MOST_KEPT: Final = 1 << 15


_LONGEST_KEPT: Final = 64


class Item(NamedTuple):
    """One trace."""

    kind: TraceKind
    code: int
    start: int
    stop: int


class _Form(NamedTuple):
    """How items of a kind look.

    Attributes:
        kind: Of the items.
        name: Of the kind; it keeps the codes of kinds apart.
        pattern: What matches one item.
        is_folded: The case means nothing.
        needs_word: A match of signs alone tells nothing.
    """

    kind: TraceKind
    name: str
    pattern: re.Pattern[str]
    is_folded: bool = False
    needs_word: bool = False


_STRING_TEXT = r"[^\s\"'](?:.*[^\s\"'])?"


_NAME = _Form(TraceKind.NAME, "NAME", re.compile(r"\w{2,}"))


_COMMENT = _Form(TraceKind.COMMENT, "COMMENT", re.compile(r"\w{2,}"), is_folded=True)


_NUMBER = _Form(TraceKind.NUMBER, "NUMBER", re.compile(r"\S+"), needs_word=True)


_STRING = _Form(TraceKind.STRING, "STRING", re.compile(_STRING_TEXT, re.DOTALL), needs_word=True)


_PROSE = _Form(TraceKind.WORD, "WORD", re.compile(r"[^\W\d_]{2,}"), is_folded=True)


# The nearest ancestor of a token's type decides.
_FORMS = {
    Token: None,
    Comment: _COMMENT,
    Comment.Preproc: None,
    Comment.PreprocFile: None,
    Name: _NAME,
    Number: _NUMBER,
    String: _STRING,
    String.Doc: _COMMENT,
    String.Affix: None,
}


def is_string(of_type: _TokenType) -> bool:
    """Return whether a token of the type is a string, or a part of one."""
    return _form_of(of_type) is _STRING


def items_of(of_type: _TokenType, value: str) -> Iterator[Item]:
    """Return the items in a token; strings have none before they are put together."""
    form = _form_of(of_type)
    return iter(()) if form is None or form is _STRING else _items_in(value, form)


def items_of_string(text: str, offset: int) -> Iterator[Item]:
    """Return the item that all of a string is, if it tells anything."""
    return _items_in(text, _STRING, offset)


def items_of_prose(text: str) -> Iterator[Item]:
    """Return the words of a text."""
    return _items_in(text, _PROSE)


def _items_in(text: str, form: _Form, offset: int = 0) -> Iterator[Item]:
    for found in form.pattern.finditer(text):
        part = found.group()
        if not form.needs_word or WORD.search(part):
            code = _code_of(form.name, part.casefold() if form.is_folded else part)
            yield Item(form.kind, code, offset + found.start(), offset + found.end())


def _code_of(name: str, text: str) -> int:
    is_short = len(text) <= _LONGEST_KEPT
    return _known_code(name, text) if is_short else code_of(f"{name} {text}")


@lru_cache(_MOST_KEPT)
def _known_code(name: str, text: str) -> int:
    return code_of(f"{name} {text}")


@cache
def _form_of(of_type: _TokenType) -> _Form | None:
    return next(_FORMS[each] for each in reversed(of_type.split()) if each in _FORMS)


class _Layouts(dict[str, int]):
    """The codes of layouts: more of a text's items are layouts than all else together."""

    def __missing__(self, layout: str) -> int:
        code = code_of(f"LAYOUT {layout}")
        if len(layout) <= _LONGEST_KEPT:
            if len(self) == _MOST_KEPT:
                self.clear()
            self[layout] = code
        return code


LAYOUTS: Final = _Layouts()
"""Codes by how a line is laid out, with a ``w`` for each word."""
