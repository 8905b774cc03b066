"""Stylistic features: properties of a text besides the structure of the program."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends.symbols import code_of
from mosslite.frontends.text import Concatenation, Source, characters_where
from mosslite.frontends.token_properties import (
    WORD,
    Item,
    TokenProperties,
    items_of_prose,
    items_of_string,
)
from mosslite.frontends.tokens import Tokens
from mosslite.ranges import covered
from mosslite.records import SYNTAX_CLASSES, TraceKind, Traces

# Maximum number of cached lines; long ones are not cached.
_MOST_KEPT: Final = 1 << 15
_LONGEST_KEPT: Final = 64


class _Layouts(dict[str, int]):
    """Codes of layouts: most of a text's features are layouts."""

    def __missing__(self, layout: str) -> int:
        code = code_of(f"LAYOUT {layout}")
        if len(layout) <= _LONGEST_KEPT:
            if len(self) == _MOST_KEPT:
                self.clear()
            self[layout] = code
        return code


LAYOUTS: Final = _Layouts()
"""Codes by how a line is laid out, with a ``w`` for each word."""


_COMMENT: Final = SYNTAX_CLASSES.index("comment")

# Shorter lines, such as ``});``, have the same layout as many others.
_LEAST_LAYOUT = 4


class _Items(NamedTuple):
    """Stylistic features in columns, one kind after the other."""

    kinds: NDArray[np.uint8]
    codes: NDArray[np.uint64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]


def traces_of_code(
    concatenation: Concatenation, tokens: Tokens, properties: TokenProperties
) -> list[Traces]:
    """Collect names, words of comments, strings, numbers and line layouts of each text.

    Args:
        concatenation: The texts and their origins.
        tokens: Their tokens.
        properties: Properties of the distinct tokens.
    """
    rows, starts = properties.items.gathered(tokens)
    of_tokens = _Items(rows["kind"], rows["code"], starts, starts + rows["length"])
    strings = _columns(
        _of_strings(concatenation.whole.text, tokens, properties.is_string[tokens.numbers])
    )
    is_comment = properties.classes[tokens.numbers] == _COMMENT
    lines = _of_lines_of_code(
        concatenation.whole, tokens.starts[is_comment], tokens.stops[is_comment]
    )
    items = _in_order(_together(of_tokens, strings, *lines))
    return concatenation.split(_traces(concatenation.whole, items), items.starts)


def traces_of_lines(source: Source) -> Traces:
    """Collect line layouts only, for a text without lexer tokens."""
    return _traces(source, _in_order(_of_lines(source, _is_filled(source))))


def traces_of_prose(source: Source) -> Traces:
    """Collect the words of prose."""
    return _traces(source, _in_order(_columns(items_of_prose(source.text))))


def _of_strings(text: str, tokens: Tokens, is_part: NDArray[np.bool_]) -> Iterator[Item]:
    """Yield the features of strings: quotes, escapes and the text between are joined."""
    parts = np.flatnonzero(is_part)
    starts, stops = tokens.starts[parts], tokens.stops[parts]
    goes_on = np.zeros(len(parts) + 1, np.bool_)
    goes_on[1:-1] = (np.diff(parts) == 1) & (starts[1:] == stops[:-1])
    firsts, lasts = starts[~goes_on[:-1]].tolist(), stops[~goes_on[1:]].tolist()
    for first, last in zip(firsts, lasts, strict=True):
        yield from items_of_string(text[first:last], first)


def _of_lines_of_code(
    source: Source, starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> tuple[_Items, _Items]:
    """Return the layouts of code and those of comments, which have these ranges.

    They are apart, as code keeps its layout where a comment is added behind it.
    """
    is_filled, is_comment = _is_filled(source), covered(starts, stops, len(source.characters))
    return _of_lines(source, is_filled & ~is_comment), _of_lines(source, is_filled & is_comment)


def _is_filled(source: Source) -> NDArray[np.bool_]:
    return ~characters_where(source.characters, str.isspace)


def _of_lines(source: Source, is_filled: NDArray[np.bool_]) -> _Items:
    """Return the layout of each line, from the first character that counts to the last."""
    starts, stops = _ends_of_lines(source, np.flatnonzero(is_filled))
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


def _ends_of_lines(
    source: Source, filled: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return start and end of each line that has any of these characters."""
    firsts = np.searchsorted(filled, source.line_starts)
    behind = np.append(firsts[1:], len(filled))
    is_empty = firsts == behind
    return filled[firsts[~is_empty]], filled[behind[~is_empty] - 1] + 1


def _layouts(
    characters: NDArray[np.uint8] | NDArray[np.uint32],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
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
