"""Cuts a program into its units: functions, types and the code between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.bench.lines import logical_lines, texts_of
from tests.bench.outline import outline
from tests.bench.tokens import Kind, partners, preceding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.bench.lines import Line
    from tests.bench.outline import Place
    from tests.bench.tokens import Lexeme

__all__ = ["Unit", "enclosing_types", "pieces_to_swap", "place_of_imports", "units_of"]

_TYPES_IN_ANY_ORDER = frozenset({"csharp", "java"})
_BEFORE_IMPORTS = frozenset({"from", "package"})  # as is ``from __future__``
_GOES_ON = frozenset({"elif", "else", "except", "finally"})
_NO_FUNCTION = frozenset({"do", "else", "for", "foreach", "if", "switch", "try", "while"})


class Unit(NamedTuple):
    """A statement, function or type of the file or of a type, with the comments before it.

    Attributes:
        start: Its first lexeme, space and comments included.
        stop: The end of its lexemes.
        owner: What is the same for the units of one type; -1 for those of the file.
        depth: How many types are around it.
        is_function: It is a function or method with a body.
        is_movable: Its place among its neighbours means nothing.
    """

    start: int
    stop: int
    owner: int
    depth: int
    is_function: bool
    is_movable: bool


def units_of(lexemes: Sequence[Lexeme], language: str) -> list[Unit]:
    """Return the units of the file and of all its types, in order of their start."""
    if language == "python":
        return list(_units_of_lines(lexemes))
    return list(_units_of_braces(lexemes, language))


def pieces_to_swap(units: Sequence[Unit]) -> list[Unit]:
    """Return the functions; where there are less than two, all units of the file."""
    functions = [unit for unit in units if unit.is_function]
    return functions if len(functions) > 1 else [unit for unit in units if unit.depth == 0]


def place_of_imports(lexemes: Sequence[Lexeme], language: str) -> int:
    """Find the first lexeme of the first statement that need not be the first of all."""
    if language == "python":
        lines = logical_lines(lexemes)
        starts = [
            line.start
            for line in lines
            if lexemes[line.start].kind not in {Kind.DOC, Kind.STRING} and line.word != "from"
        ]
    else:
        found = outline(lexemes, language)
        is_first = [lexemes[index].text not in _BEFORE_IMPORTS for index in found.starts]
        starts = [i for i, free in zip(found.starts, is_first, strict=True) if free]
    return starts[0] if starts else len(lexemes)


def enclosing_types(place: Place) -> int | None:
    """Count the types around a place; None where it is inside something else."""
    count = 0
    while place.around is not None:
        if place.kind != "type":
            return None
        place, count = place.around, count + 1
    return count


def _units_of_lines(lexemes: Sequence[Lexeme]) -> Iterator[Unit]:
    heads = _heads(lexemes)
    for index, line in enumerate(heads):
        behind = (other for other in heads[index + 1 :] if len(other.around) <= len(line.around))
        after = next(behind, None)
        yield Unit(
            start=preceding(lexemes, line.start) + 1,
            stop=preceding(lexemes, after.start if after else len(lexemes)) + 1,
            owner=line.owner,
            depth=len(line.around),
            is_function=line.word == "def" or line.word.startswith("@"),
            is_movable=line.word == "def" or _is_plain_class(lexemes, line),
        )


def _heads(lexemes: Sequence[Lexeme]) -> list[Line]:
    """Return the first lines of units; a decorator is of one unit with what it decorates."""
    lines = logical_lines(lexemes)
    is_decorated = [False, *(line.word.startswith("@") for line in lines)]
    return [
        line
        for line, decorated in zip(lines, is_decorated, strict=False)
        if set(line.around) <= {"class"} and line.word not in _GOES_ON and not decorated
    ]


def _is_plain_class(lexemes: Sequence[Lexeme], line: Line) -> bool:
    return line.word == "class" and "(" not in texts_of(lexemes, line)


def _units_of_braces(lexemes: Sequence[Lexeme], language: str) -> Iterator[Unit]:
    read = outline(lexemes, language)
    blocks = {place.opener: place for place in read.places if place.kind in {"code", "type"}}
    closing = partners(lexemes)
    last: dict[int, int] = {}  # the next start in a place, as we go from the back
    for start in reversed(read.starts):
        place = read.places[start]
        depth = enclosing_types(place)
        if depth is None:
            continue
        end = closing.get(place.opener, len(lexemes))
        stop = preceding(lexemes, last.get(place.opener, end)) + 1
        last[place.opener] = start
        inner = [blocks[i] for i in range(start, stop) if i in blocks]
        own = [block for block in inner if block.around is place]
        is_function = any(map(_is_function, own))
        is_type = any(block.kind == "type" for block in own)
        is_movable = is_function or (is_type and language in _TYPES_IN_ANY_ORDER)
        begin = preceding(lexemes, start) + 1
        yield Unit(begin, stop, place.opener, depth, is_function, is_movable)


def _is_function(block: Place) -> bool:
    head = block.head
    is_named = block.kind == "code" and ")" in head and "=" not in head
    return is_named and head[0] not in _NO_FUNCTION
