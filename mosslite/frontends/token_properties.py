"""Context-free token properties, computed once per distinct token: symbols, features, colour."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from struct import Struct
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pygments.token import (
    Comment,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    String,
    Token,
    _TokenType,
)

from mosslite.frontends.stylistic_features import is_string, items_of
from mosslite.frontends.symbols import is_code, pieces_of, symbol_id
from mosslite.frontends.text import Concatenation
from mosslite.frontends.tokens import END, PackedRows, TokenInterner, Tokens
from mosslite.languages import Language
from mosslite.records import SYNTAX_CLASSES, Colours

# The nearest ancestor of a token's type decides. Plain names, operators and punctuation are most
# of a text and stay plain: colouring them would add little and double the size of a page.
_CLASSES: Final = {
    Token: "",
    Comment: "comment",
    Comment.Preproc: "keyword",
    Comment.PreprocFile: "string",
    Keyword: "keyword",
    Literal: "string",
    Literal.Date: "number",
    Name.Attribute: "name",
    Name.Builtin: "name",
    Name.Class: "name",
    Name.Decorator: "name",
    Name.Exception: "name",
    Name.Function: "name",
    Name.Tag: "name",
    Number: "number",
    Operator.Word: "keyword",
    String: "string",
}
_OUTSIDE: Final = len(SYNTAX_CLASSES)


def colours_of(
    concatenation: Concatenation, tokens: Tokens, classes: NDArray[np.uint8]
) -> list[Colours]:
    """Return the colours of each original text; text outside of tokens stays plain.

    Args:
        concatenation: The texts.
        tokens: Their tokens.
        classes: ``(m,) uint8``, ``class_of`` for the distinct tokens.
    """
    is_seen = (tokens.lengths > 0)[tokens.numbers]
    of_runs = classes[tokens.numbers[is_seen]]
    is_change = np.ones(len(of_runs), np.bool_)
    is_change[1:] = of_runs[1:] != of_runs[:-1]
    changes, of_runs = tokens.starts[is_seen][is_change], of_runs[is_change]
    is_own = of_runs != _OUTSIDE
    changes, of_runs = changes[is_own], of_runs[is_own]
    firsts, _ = concatenation.whole.ranges(changes, changes + 1)
    found = concatenation.split(Colours(firsts.astype(np.int32), of_runs), changes)
    for number, colours in enumerate(found):
        if len(colours.starts):
            colours.starts[0] = 0  # hidden characters may precede the first run
        else:
            found[number] = Colours(np.zeros(1, np.int32), np.zeros(1, np.uint8))
    return found


@cache
def class_of(kind: _TokenType) -> int:
    """Return the colour of a token type as an index in ``SYNTAX_CLASSES``; 0 for separators."""
    if kind is END:
        return _OUTSIDE
    nearest = next(ancestor for ancestor in reversed(kind.split()) if ancestor in _CLASSES)
    return SYNTAX_CLASSES.index(_CLASSES[nearest])


_PIECE: Final = Struct("=iiQBB")
_ITEM: Final = Struct("=iiQB")
_PIECES: Final = np.dtype(
    [("offset", "i4"), ("length", "i4"), ("wording", "u8"), ("word", "u1"), ("written", "u1")]
)
_ITEMS: Final = np.dtype([("offset", "i4"), ("length", "i4"), ("code", "u8"), ("kind", "u1")])

# Number of tokens or symbols, and of characters, kept per language from one text to the next.
_MOST_KEPT: Final = 1 << 15
_MOST_TEXT: Final = 1 << 21


class Vocabulary:
    """The distinct tokens seen so far in a language, and the properties of each.

    Attributes:
        numbers: Their ids; new ones are added.
        pieces: Their symbols, with the fields of ``Piece`` and their symbol ids.
        items: Their stylistic features, without those of strings.
    """

    def __init__(self, language: Language) -> None:
        self.numbers = TokenInterner()
        self.pieces, self.items = PackedRows(_PIECES), PackedRows(_ITEMS)
        self._language = language
        self._flags = bytearray()

    def learn(self) -> NDArray[np.uint8]:
        """Determine the properties of all tokens that have ids so far.

        Returns:
            ``(m, 3) uint8``: the colour of each, and whether it is part of a string, and whether it
            is neither comment nor string.
        """
        for kind, value in self.numbers.distinct[len(self._flags) // 3 :]:
            self.pieces.add(
                _PIECE.pack(offset, length, wording, symbol_id(code), symbol_id(wording))
                for offset, length, code, wording in pieces_of(kind, value, self._language)
            )
            self.items.add(
                _ITEM.pack(start, stop - start, code, of_kind)
                for of_kind, code, start, stop in items_of(kind, value)
            )
            self._flags += bytes(
                (class_of(kind), is_string(kind), is_code(kind, self._language.name))
            )
        return np.array(self._flags).reshape(-1, 3)

    @property
    def has_room(self) -> bool:
        """Return whether the vocabulary is small enough to be kept for further texts."""
        count = max(len(self.numbers.texts), len(self.pieces))
        return count < _MOST_KEPT and self.numbers.characters < _MOST_TEXT


_kept: dict[Language, Vocabulary] = {}


@contextmanager
def vocabulary_of(language: Language) -> Iterator[Vocabulary]:
    """Provide the vocabulary of a language, for one user at a time.

    It is kept for further texts unless the block raises an exception.
    """
    vocabulary = _kept.pop(language, None) or Vocabulary(language)
    yield vocabulary
    if vocabulary.has_room:
        _kept[language] = vocabulary
