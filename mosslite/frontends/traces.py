"""Collects what a writer leaves in a text besides the structure of the program."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from pygments.token import Comment, Name, Number, String, Token

from mosslite.columns import TraceKind, Traces
from mosslite.frontends.symbols import code_of
from mosslite.spans import line_starts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pygments.token import _TokenType

    from mosslite.frontends.text import Source

__all__ = ["traces_of_code", "traces_of_prose"]

# The nearest ancestor of a token's type decides.
_KINDS = {
    Token: None,
    Comment: TraceKind.COMMENT,
    Comment.Preproc: None,
    Comment.PreprocFile: None,
    Name: TraceKind.NAME,
    Number: TraceKind.NUMBER,
    String: TraceKind.STRING,
    String.Doc: TraceKind.COMMENT,
    String.Affix: None,
}
_WORD = re.compile(r"\w+")
_LINE = re.compile(r"[^\s](?:.*[^\s])?")
_ITEMS = {
    TraceKind.NAME: re.compile(r"\w{2,}"),
    TraceKind.COMMENT: re.compile(r"\w{2,}"),
    TraceKind.NUMBER: re.compile(r"\S+"),
    TraceKind.STRING: re.compile(r"[^\s\"'](?:.*[^\s\"'])?", re.DOTALL),
    TraceKind.WORD: re.compile(r"[^\W\d_]{2,}"),
}
_FOLDED = frozenset({TraceKind.COMMENT, TraceKind.WORD})

# A shorter line, such as ``});``, is laid out like many others.
_LEAST_LAYOUT = 4

_Item = tuple[TraceKind, int, int, int]


def traces_of_code(source: Source, tokens: Iterable[tuple[int, _TokenType, str]]) -> Traces:
    """Collect names, words of comments, strings, numbers and the layout of lines.

    Args:
        source: The text, and where it comes from.
        tokens: Offset, type and text of each of its tokens.
    """
    return _traces(source, [*_of_tokens(tokens), *_of_lines(source.text)])


def traces_of_prose(source: Source) -> Traces:
    """Collect words."""
    found = _ITEMS[TraceKind.WORD].finditer(source.text)
    return _traces(source, [_item(TraceKind.WORD, word, 0) for word in found])


def _of_tokens(tokens: Iterable[tuple[int, _TokenType, str]]) -> Iterator[_Item]:
    for kind, start, value in _whole_strings(tokens):
        for found in _ITEMS[kind].finditer(value):
            if _WORD.search(found.group()):  # signs alone tell nothing
                yield _item(kind, found, start)


def _whole_strings(
    tokens: Iterable[tuple[int, _TokenType, str]],
) -> Iterator[tuple[TraceKind, int, str]]:
    """Join the pieces of a string: its quotes, its escapes and the text between them."""
    pieces: list[str] = []
    first = stop = 0
    for start, of_type, value in tokens:
        kind = _kind_of(of_type)
        if pieces and (kind is not TraceKind.STRING or start != stop):
            yield TraceKind.STRING, first, "".join(pieces)
            pieces = []
        if kind is TraceKind.STRING:
            first = start if not pieces else first
            stop = start + len(value)
            pieces.append(value)
        elif kind is not None:
            yield kind, start, value
    if pieces:
        yield TraceKind.STRING, first, "".join(pieces)


def _of_lines(source: str) -> Iterator[_Item]:
    for found in _LINE.finditer(source):
        if found.end() - found.start() >= _LEAST_LAYOUT:
            code = _code_of(TraceKind.LAYOUT, _WORD.sub("w", found.group()))
            yield TraceKind.LAYOUT, code, found.start(), found.end()


def _item(kind: TraceKind, found: re.Match[str], offset: int) -> _Item:
    text = found.group().casefold() if kind in _FOLDED else found.group()
    return kind, _code_of(kind, text), offset + found.start(), offset + found.end()


def _code_of(kind: TraceKind, text: str) -> int:
    return code_of(f"{kind.name} {text}")


def _traces(source: Source, items: list[_Item]) -> Traces:
    items.sort(key=lambda item: (item[2], item[0]))
    kinds, codes, firsts, ends = zip(*items, strict=True) if items else ((), (), (), ())
    starts, stops = source.ranges(np.array(firsts, np.int64), np.array(ends, np.int64))
    return Traces(
        kinds=np.array(kinds, np.uint8),
        codes=np.array(codes, np.uint64),
        starts=starts.astype(np.int32),
        stops=stops.astype(np.int32),
        lines=np.searchsorted(line_starts(source.original), starts, side="right").astype(np.int32),
    )


@cache
def _kind_of(of_type: _TokenType) -> TraceKind | None:
    return next(_KINDS[each] for each in reversed(of_type.split()) if each in _KINDS)
