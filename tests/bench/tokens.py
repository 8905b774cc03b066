"""Programs as tokens that can be edited one by one, and written back as they were."""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from pygments.lexers import get_lexer_by_name
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Token,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pygments.token import _TokenType

__all__ = [
    "CLOSERS",
    "LINE_ENDED",
    "OPENERS",
    "OPERANDS",
    "Edit",
    "Kind",
    "Lexeme",
    "edited",
    "following",
    "is_bare",
    "partners",
    "preceding",
    "read",
    "text_at",
    "words",
    "write",
]


class Kind(Enum):
    """What a lexeme is, in any language."""

    SPACE = auto()
    COMMENT = auto()
    DOC = auto()
    STRING = auto()
    NUMBER = auto()
    NAME = auto()
    BUILTIN = auto()
    TYPE = auto()
    WORD = auto()
    SIGN = auto()
    IMPORTED = auto()
    DIRECTIVE = auto()
    OTHER = auto()


class Lexeme(NamedTuple):
    """A stretch of a program."""

    kind: Kind
    text: str


class Edit(NamedTuple):
    """A text in the place of the lexemes ``[start, stop)``; of none, it goes before ``start``."""

    start: int
    stop: int
    text: str


OPENERS: Final = frozenset("([{")
CLOSERS: Final = frozenset(")]}")
OPERANDS: Final = frozenset({Kind.NAME, Kind.NUMBER, Kind.STRING, Kind.BUILTIN})

# Languages where the end of a line ends a statement that could end there.
LINE_ENDED: Final = frozenset({"go", "javascript", "kotlin", "swift", "typescript"})

_BARE: Final = frozenset({Kind.SPACE, Kind.COMMENT})

# The nearest ancestor of a token's type decides.
_KINDS = {
    Token: Kind.OTHER,
    Text: Kind.SPACE,
    Comment: Kind.COMMENT,
    Comment.Preproc: Kind.DIRECTIVE,
    Comment.PreprocFile: Kind.DIRECTIVE,
    Keyword: Kind.WORD,
    Keyword.Type: Kind.TYPE,
    Name: Kind.NAME,
    Name.Builtin: Kind.BUILTIN,
    Name.Decorator: Kind.DIRECTIVE,
    Name.Exception: Kind.BUILTIN,
    Name.Function.Magic: Kind.BUILTIN,
    Name.Namespace: Kind.IMPORTED,
    Name.Variable.Magic: Kind.BUILTIN,
    Number: Kind.NUMBER,
    Operator: Kind.SIGN,
    Operator.Word: Kind.WORD,
    Punctuation: Kind.SIGN,
    String: Kind.STRING,
    String.Doc: Kind.DOC,
    String.Interpol: Kind.OTHER,
}

# Shifts stay apart, as two brackets of a generic type look the same.
_SIGN = re.compile(
    r"\*\*=|//=|\.\.\.|[-+*/%&|^:!=<>]=|=>|->|\+\+|--|&&|\|\||::|\?\?|\*\*|//|\S", re.DOTALL
)
_NEGATIVE = re.compile(r"([+-])(.+)", re.DOTALL)
_LINE_REST = re.compile(r"(.*?)(\n?)", re.DOTALL)


def words(text: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(text.split())


@lru_cache(maxsize=64)
def read(text: str, language: str) -> tuple[Lexeme, ...]:
    r"""Split a program; lines end with ``\n``, and the last one does."""
    source = re.sub(r"\r\n?", "\n", text).rstrip("\n") + "\n"
    tokens = get_lexer_by_name(language).get_tokens_unprocessed(source)
    lexemes = (lexeme for _, kind, value in tokens for lexeme in _lexemes(kind, value))
    return tuple(
        lexeme
        for kind, group in groupby(lexemes, key=lambda lexeme: lexeme.kind)
        for lexeme in _joined(kind, [text for _, text in group])
    )


def write(lexemes: Iterable[Lexeme]) -> str:
    """Join the lexemes of a program."""
    return "".join(text for _, text in lexemes)


def edited(lexemes: Sequence[Lexeme], edits: Iterable[Edit]) -> str:
    """Write a program with edits that do not overlap; those at one place in their order."""
    pieces, done = [], 0
    for start, stop, text in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [write(lexemes[done:start]), text]
        done = stop
    return "".join(pieces) + write(lexemes[done:])


def text_at(lexemes: Sequence[Lexeme], index: int) -> str:
    """Return the text of a lexeme; nothing before the first and behind the last."""
    return lexemes[index].text if 0 <= index < len(lexemes) else ""


def is_bare(lexeme: Lexeme) -> bool:
    """Return whether a lexeme is a space or comment."""
    return lexeme.kind in _BARE


def preceding(lexemes: Sequence[Lexeme], index: int) -> int:
    """Return the nearest significant lexeme before ``index``; -1 without one."""
    return next((i for i in range(index - 1, -1, -1) if not is_bare(lexemes[i])), -1)


def following(lexemes: Sequence[Lexeme], index: int) -> int:
    """Return the nearest significant lexeme after ``index``; the end without one."""
    stop = len(lexemes)
    return next((i for i in range(index + 1, stop) if not is_bare(lexemes[i])), stop)


def partners(lexemes: Sequence[Lexeme]) -> dict[int, int]:
    """Map every bracket that has a partner to it."""
    opened: list[int] = []
    found: dict[int, int] = {}
    for index, (kind, text) in enumerate(lexemes):
        if kind is Kind.SIGN and text in OPENERS:
            opened.append(index)
        elif kind is Kind.SIGN and text in CLOSERS and opened:
            found[index] = opened.pop()
            found[found[index]] = index
    return found


def _lexemes(kind: _TokenType, value: str) -> Iterator[Lexeme]:
    known = _kind_of(kind)
    if known is Kind.SPACE and not value.isspace():
        known = Kind.OTHER
    if known in {Kind.COMMENT, Kind.DIRECTIVE} and value.endswith("\n"):
        value, rest = value[:-1], "\n"
    else:
        rest = ""
    signed = _NEGATIVE.fullmatch(value) if known is Kind.NUMBER else None
    if signed:
        yield Lexeme(Kind.SIGN, signed[1])
        value = signed[2]
    if value:
        yield Lexeme(known, value)
    if rest:
        yield Lexeme(Kind.SPACE, rest)


def _joined(kind: Kind, texts: list[str]) -> list[Lexeme]:
    """Make one lexeme of a string's pieces, and several of a run of signs."""
    if kind is Kind.SIGN:
        texts = _SIGN.findall("".join(texts))
    elif kind in {Kind.SPACE, Kind.STRING, Kind.DIRECTIVE}:
        texts = ["".join(texts)]
    return [Lexeme(kind, text) for text in texts]


def _kind_of(kind: _TokenType) -> Kind:
    # Every type descends from Token, which has a kind.
    return _KINDS.get(kind) or _kind_of(cast("_TokenType", kind.parent))
