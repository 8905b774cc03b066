"""Stylistic features: properties of a text besides the structure of the program."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pygments.token import Comment, Name, Number, String, Token, _TokenType

from mosslite.frontends.symbols import code_of
from mosslite.frontends.text import Concatenation, Source, characters_where
from mosslite.frontends.tokens import PackedRows, Tokens
from mosslite.ranges import covered
from mosslite.records import TraceKind, Traces

_WORD: Final = re.compile(r"\w+")


class Item(NamedTuple):
    """A stylistic feature: its kind, the code of its text, and its position."""

    kind: TraceKind
    code: int
    start: int
    stop: int


class _Form(NamedTuple):
    """How the features of one kind are extracted.

    Attributes:
        kind: Kind of the features.
        name: Name of the kind, hashed into codes so that those of different kinds differ.
        pattern: Matches one feature.
        is_folded: Case is ignored.
        needs_word: Matches of punctuation only are ignored.
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
_SPELLED = {each.kind: each for each in (_NAME, _COMMENT, _STRING, _PROSE)}

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
    """Return whether a token of the type is a string, or part of one."""
    return _form_of(of_type) is _STRING


def items_of(of_type: _TokenType, value: str) -> Iterator[Item]:
    """Yield the features in a token; strings have none before their parts are joined."""
    form = _form_of(of_type)
    return iter(()) if form is None or form is _STRING else _items_in(value, form)


def _items_in(text: str, form: _Form, offset: int = 0) -> Iterator[Item]:
    for found in form.pattern.finditer(text):
        part = found.group()
        if not form.needs_word or _WORD.search(part):
            start, stop = found.span()
            yield Item(form.kind, _code_of(form, part), offset + start, offset + stop)


def _code_of(form: _Form, text: str) -> int:
    return code_of(f"{form.name} {text.casefold() if form.is_folded else text}")


def is_as_written(kind: TraceKind, code: int, text: str) -> bool:
    """Return whether a name, word or string has this code as written, not only when normalized."""
    return code == _code_of(_SPELLED[kind], text)


@cache
def _form_of(of_type: _TokenType) -> _Form | None:
    return next(_FORMS[each] for each in reversed(of_type.split()) if each in _FORMS)


# Shorter lines, such as ``});``, have the same layout as many others.
_LEAST_LAYOUT: Final = 4


def traces_of_code(
    concatenation: Concatenation,
    tokens: Tokens,
    items: PackedRows,
    is_string: NDArray[np.bool_],
    is_comment: NDArray[np.bool_],
) -> list[Traces]:
    """Collect names, words of comments, strings, numbers and line layouts of each text.

    The layouts of code and of comments are apart, as code keeps its layout where a comment is added
    behind it.

    Args:
        concatenation: The texts and their origins.
        tokens: Their tokens.
        items: Features of the distinct tokens, without those of strings.
        is_string: ``(n,)``, which tokens are a part of a string.
        is_comment: ``(n,)``, which tokens are a comment.
    """
    whole = concatenation.whole
    rows, places = items.gathered(tokens)
    starts = places.astype(np.int32)
    is_filled = _is_filled(whole)
    is_commented = covered(
        tokens.starts[is_comment], tokens.stops[is_comment], len(whole.characters)
    )
    found = _in_order(
        Traces(rows["kind"], rows["code"], starts, starts + rows["length"]),
        _columns(_of_strings(whole.text, tokens, is_string)),
        _of_lines(whole, is_filled & ~is_commented),
        _of_lines(whole, is_filled & is_commented),
    )
    return concatenation.split(whole.placed(found), found.starts)


def traces_of_lines(source: Source) -> Traces:
    """Collect line layouts only, for a text without lexer tokens."""
    return source.placed(_in_order(_of_lines(source, _is_filled(source))))


def traces_of_prose(source: Source) -> Traces:
    """Collect the words of prose."""
    return source.placed(_in_order(_columns(_items_in(source.text, _PROSE))))


def _of_strings(text: str, tokens: Tokens, is_part: NDArray[np.bool_]) -> Iterator[Item]:
    """Yield the features of strings: quotes, escapes and the text between are joined."""
    parts = np.flatnonzero(is_part)
    starts, stops = tokens.starts[parts], tokens.stops[parts]
    goes_on = np.zeros(len(parts) + 1, np.bool_)
    goes_on[1:-1] = (np.diff(parts) == 1) & (starts[1:] == stops[:-1])
    firsts, lasts = starts[~goes_on[:-1]].tolist(), stops[~goes_on[1:]].tolist()
    for first, last in zip(firsts, lasts, strict=True):
        yield from _items_in(text[first:last], _STRING, first)


def _is_filled(source: Source) -> NDArray[np.bool_]:
    return ~characters_where(source.characters, str.isspace)


def _of_lines(source: Source, is_filled: NDArray[np.bool_]) -> Traces:
    """Return the layout of each line, from the first character that counts to the last."""
    starts, stops = _ends_of_lines(source, np.flatnonzero(is_filled).astype(np.int32))
    at = np.flatnonzero(stops - starts >= _LEAST_LAYOUT)
    starts, stops = starts[at], stops[at]
    layouts = _layouts(source.characters, starts, stops)
    codes = np.array([code_of(f"LAYOUT {layout}") for layout in layouts], np.uint64)
    return Traces(np.full(len(at), TraceKind.LAYOUT, np.uint8), codes, starts, stops)


def _ends_of_lines(
    source: Source, filled: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return start and end of each line that has any of these characters."""
    firsts = np.searchsorted(filled, source.line_starts)
    behind = np.append(firsts[1:], len(filled))
    is_empty = firsts == behind
    return filled[firsts[~is_empty]], filled[behind[~is_empty] - 1] + 1


def _layouts(
    characters: NDArray[np.uint8] | NDArray[np.uint32],
    starts: NDArray[np.int32],
    stops: NDArray[np.int32],
) -> list[str]:
    """Return the layouts of non-empty parts of lines, with a ``w`` for each word."""
    is_word = characters_where(characters, _is_of_word)
    is_kept = np.append(covered(starts, stops, len(characters)), False)
    is_kept[1:-1] &= ~(is_word[1:] & is_word[:-1])
    is_kept[stops] = True
    layouts = np.zeros(len(is_kept), characters.dtype)
    layouts[:-1] = np.where(is_word, ord("w"), characters)
    layouts[stops] = ord("\n")
    coding = "ascii" if layouts.itemsize == 1 else "utf-32-le"
    kept = layouts[np.flatnonzero(is_kept)]  # faster than by mask, which is irregular
    return kept.tobytes().decode(coding, "surrogatepass").split("\n")[:-1]


def _is_of_word(character: str) -> bool:
    return _WORD.match(character) is not None


def _columns(items: Iterable[Item]) -> Traces:
    kinds, codes, starts, stops = [*zip(*items, strict=True)] or [()] * len(Item._fields)
    places = np.array(starts, np.int32), np.array(stops, np.int32)
    return Traces(np.array(kinds, np.uint8), np.array(codes, np.uint64), *places)


def _in_order(*parts: Traces) -> Traces:
    """Join features, and sort them by position and kind."""
    columns = zip(
        *((each.kinds, each.codes, each.starts, each.stops) for each in parts), strict=True
    )
    items = Traces(*map(np.concatenate, columns))
    keys = items.starts.astype(np.int64) * len(TraceKind) + items.kinds
    return items.where(np.argsort(keys, kind="stable"))
