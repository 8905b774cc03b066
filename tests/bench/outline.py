"""Where the statements and blocks of a program in a C-like language begin."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tests.bench.tokens import CLOSERS, LINE_ENDED, OPENERS, Kind, is_bare, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.bench.tokens import Lexeme

__all__ = ["Outline", "Place", "outline"]

_TYPE_WORDS = frozenset({"class", "enum", "impl", "interface", "namespace", "record", "trait"})
_PLAIN_TYPE_WORDS = frozenset({"extern", "struct", "union"})
_CODE_WORDS = words(
    "do else finally for func function get if init lock loop set static try unsafe while"
)
_BEFORE_DATA = words("= ( , [ ] : ? && || ?? return default in of + := yield")
_GOES_ON_AFTER = words("= ( , [ { . : ? && || + - * / % < > == != => := ! & |")
_GOES_ON_BEFORE = words(
    "= ) , ] . : ? && || ?? + - * / % < > == != => } ; & | else catch finally ?."
)
_BRACED: Final = frozenset({"file", "type", "code", "switch"})


@dataclass(eq=False, slots=True)
class Place:
    """The inside of a pair of brackets, or of the file.

    Attributes:
        kind: ``file``, ``type``, ``code``, ``switch``, ``data`` or ``brackets``.
        opener: Index of the bracket that opens it; -1 for the file.
        around: The place it is in.
        head: The texts of its statement before the opener.
        statement: The texts of the statement in it that is being read.
    """

    kind: str
    opener: int
    around: Place | None = None
    head: tuple[str, ...] = ()
    statement: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Outline:
    """The innermost place of every lexeme, and the lexemes that begin a statement, by index."""

    places: list[Place]
    starts: list[int]


def outline(lexemes: Sequence[Lexeme], language: str) -> Outline:
    """Read the brackets and statements of a program."""
    place = Place("file", -1)
    found = Outline([], [])
    breaks_line = False
    for index, lexeme in enumerate(lexemes):
        if is_bare(lexeme):
            breaks_line |= "\n" in lexeme.text
            found.places.append(place)
            continue
        if breaks_line and language in LINE_ENDED:
            _end_line(place, lexeme.text)
        breaks_line = False
        if _is_start(place, lexeme):
            found.starts.append(index)
        if lexeme.kind is Kind.SIGN and lexeme.text in CLOSERS:
            place = _left(place, lexeme.text)
        found.places.append(place)
        place = _read(place, lexeme, index)
    return found


def _read(place: Place, lexeme: Lexeme, index: int) -> Place:
    text, statement = lexeme.text, place.statement
    is_sign = lexeme.kind is Kind.SIGN
    if (is_sign and text in CLOSERS) or (lexeme.kind is Kind.DIRECTIVE and text[0] != "@"):
        return place
    if is_sign and text in OPENERS:
        kind = _kind_of_block(place) if text == "{" else "brackets"
        inner = Place(kind, index, place, tuple(statement))
        inner.statement += [] if kind in _BRACED else [text]
        statement.append(text)
        return inner
    is_label = is_sign and text == ":" and statement[:1] in (["case"], ["default"])
    if place.kind in _BRACED and (is_label or (is_sign and text == ";")):
        statement.clear()
    else:
        statement.append(text if lexeme.kind is not Kind.STRING else '""')
    return place


def _left(place: Place, closer: str) -> Place:
    """Leave a place; behind a block begins another statement."""
    outer = place.around or place
    if closer == "}" and place.kind in _BRACED and outer.kind in _BRACED:
        outer.statement.clear()
    else:
        outer.statement.append(closer)
    return outer


def _is_start(place: Place, lexeme: Lexeme) -> bool:
    is_end = lexeme.kind is Kind.SIGN and (lexeme.text in CLOSERS or lexeme.text == ";")
    return place.kind in _BRACED and not place.statement and not is_end


def _end_line(place: Place, text: str) -> None:
    """End a statement with its line where neither side of the line end says that it goes on."""
    is_open = bool(place.statement) and place.statement[-1] in _GOES_ON_AFTER
    if place.kind in _BRACED and not is_open and text not in _GOES_ON_BEFORE:
        place.statement.clear()


def _kind_of_block(place: Place) -> str:
    said = place.statement
    if not said:
        return "data" if place.kind == "data" else "code"
    if _is_literal(said) or (said[-1] in _BEFORE_DATA and said[0] not in {"case", "default"}):
        return "data"
    if said[0] == "switch":
        return "switch"
    if _is_type(said):
        return "type"
    is_code = ")" in said or said[0] in _CODE_WORDS or said[-1] in _CODE_WORDS
    return "code" if is_code or said[-1] in {"=>", "->"} else "data"


def _is_literal(said: list[str]) -> bool:
    """Distinguish a value of a type, as in C's ``left = (Type) {``, from a function or a class."""
    return said[-3:] == ["=", "(", ")"] and "operator" not in said


def _is_type(said: list[str]) -> bool:
    is_anonymous = "new" in said and said[-1] == ")"
    is_plain = not _PLAIN_TYPE_WORDS.isdisjoint(said) and ")" not in said
    return is_anonymous or is_plain or not _TYPE_WORDS.isdisjoint(said)
