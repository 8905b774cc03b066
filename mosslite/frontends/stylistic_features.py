"""Stylistic features: what a writer leaves in a text besides the structure of the program."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from pygments.token import Comment, Name, Number, String, Token

from mosslite.frontends.symbols import code_of
from mosslite.frontends.text import characters_where
from mosslite.ranges import covered
from mosslite.records import TraceKind, Traces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray
    from pygments.token import _TokenType

    from mosslite.frontends.text import Concatenation, Source
    from mosslite.frontends.token_properties import TokenProperties
    from mosslite.frontends.tokens import Tokens

__all__ = [
    "is_string",
    "items_of",
    "traces_of_code",
    "traces_of_lines",
    "traces_of_prose",
]


WORD: Final = re.compile(r"\w+")


# Equal words and lines in other files: so many are kept, but no long ones.
_MOST_KEPT: Final = 1 << 15


_LONGEST_KEPT: Final = 64


class Item(NamedTuple):
    """One trace: its kind, text and place."""

    kind: TraceKind
    code: int
    start: int
    stop: int


class _Form(NamedTuple):
    """The form of the items of one kind.

    Attributes:
        kind: Of the items.
        name: Of the kind; it keeps the codes of kinds apart.
        pattern: What matches one item.
        is_folded: Case is ignored.
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
    """Return a string as a whole as one item, if it is distinctive."""
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


# A shorter line, such as ``});``, is laid out like many others.
_LEAST_LAYOUT = 4


class _Items(NamedTuple):
    """Traces in columns, one kind behind the other."""

    kinds: NDArray[np.uint8]
    codes: NDArray[np.uint64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]


def traces_of_code(
    concatenation: Concatenation, tokens: Tokens, properties: TokenProperties
) -> list[Traces]:
    """Collect names, words of comments, strings, numbers and the layout of lines of each text.

    Args:
        concatenation: The texts, and where they come from.
        tokens: What their lexer made of them.
        properties: What is to know of these tokens.
    """
    _, rows, starts = properties.items.gathered(tokens)
    of_tokens = _Items(rows["kind"], rows["code"], starts, starts + rows["length"])
    strings = _columns(
        _of_strings(concatenation.whole.text, tokens, properties.is_string[tokens.numbers])
    )
    items = _in_order(_together(of_tokens, strings, _of_lines(concatenation.whole)))
    return concatenation.split(_traces(concatenation.whole, items), items.starts)


def traces_of_lines(source: Source) -> Traces:
    """Collect the layout of lines, if there is no lexer."""
    return _traces(source, _in_order(_of_lines(source)))


def traces_of_prose(source: Source) -> Traces:
    """Collect words."""
    return _traces(source, _in_order(_columns(items_of_prose(source.text))))


def _of_strings(text: str, tokens: Tokens, is_part: NDArray[np.bool_]) -> Iterator[Item]:
    """Return the items in strings: their quotes, their escapes and the text between are joined."""
    parts = np.flatnonzero(is_part)
    starts, stops = tokens.starts[parts], tokens.stops[parts]
    goes_on = np.zeros(len(parts) + 1, np.bool_)
    goes_on[1:-1] = (np.diff(parts) == 1) & (starts[1:] == stops[:-1])
    firsts, lasts = starts[~goes_on[:-1]].tolist(), stops[~goes_on[1:]].tolist()
    for first, last in zip(firsts, lasts, strict=True):
        yield from items_of_string(text[first:last], first)


def _of_lines(source: Source) -> _Items:
    """Return the layout of each line, without the blanks around it."""
    starts, stops = _inside_blanks(source)
    at = np.flatnonzero(stops - starts >= _LEAST_LAYOUT)
    starts, stops = starts[at], stops[at]
    return _Items(
        kinds=np.full(len(at), TraceKind.LAYOUT, np.uint8),
        codes=np.array(
            [LAYOUTS[each] for each in _layouts(source.characters, starts, stops)], np.uint64
        ),
        starts=starts,
        stops=stops,
    )


def _inside_blanks(source: Source) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where each line that is not empty begins and ends, without the blanks around it."""
    filled = np.flatnonzero(~characters_where(source.characters, str.isspace))
    firsts = np.searchsorted(filled, source.line_starts)
    behind = np.append(firsts[1:], len(filled))
    is_empty = firsts == behind
    return filled[firsts[~is_empty]], filled[behind[~is_empty] - 1] + 1


def _layouts(
    characters: NDArray[np.uint8] | NDArray[np.uint32],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
) -> list[str]:
    """Write parts of lines, none of them empty, with a ``w`` for each word."""
    is_word = characters_where(characters, _is_of_word)
    is_kept = np.append(covered(starts, stops, len(characters)), False)
    is_kept[1:-1] &= ~(is_word[1:] & is_word[:-1])
    is_kept[stops] = True
    layouts = np.zeros(len(is_kept), characters.dtype)
    layouts[:-1] = np.where(is_word, ord("w"), characters)
    layouts[stops] = ord("\n")
    coding = "ascii" if layouts.itemsize == 1 else "utf-32-le"
    kept = layouts[np.flatnonzero(is_kept)]  # sooner than by the mask, which changes all the time
    return kept.tobytes().decode(coding, "surrogatepass").split("\n")[:-1]


def _is_of_word(character: str) -> bool:
    return WORD.match(character) is not None


def _columns(items: Iterable[Item]) -> _Items:
    kinds, codes, starts, stops = [*zip(*items, strict=True)] or [()] * len(Item._fields)
    return _Items(
        np.array(kinds, np.uint8),
        np.array(codes, np.uint64),
        np.array(starts, np.int64),
        np.array(stops, np.int64),
    )


def _together(*parts: _Items) -> _Items:
    return _Items(*map(np.concatenate, zip(*parts, strict=True)))


def _in_order(items: _Items) -> _Items:
    order = np.argsort(items.starts * len(TraceKind) + items.kinds, kind="stable")
    return _Items(
        kinds=items.kinds[order],
        codes=items.codes[order],
        starts=items.starts[order],
        stops=items.stops[order],
    )


def _traces(source: Source, items: _Items) -> Traces:
    starts, stops = source.ranges(items.starts, items.stops)
    return Traces(
        kinds=items.kinds,
        codes=items.codes,
        starts=starts.astype(np.int32),
        stops=stops.astype(np.int32),
        lines=source.lines_of(starts),
    )
