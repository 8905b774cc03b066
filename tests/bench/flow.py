"""Disguises of statements: increments, statements without effect, and needless conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bench.lines import logical_lines
from tests.bench.outline import outline
from tests.bench.tokens import (
    LINE_ENDED,
    Edit,
    Kind,
    edited,
    following,
    preceding,
    read,
    text_at,
    write,
)
from tests.bench.vocabulary import fresh_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from tests.bench.tokens import Lexeme

__all__ = [
    "change_increments",
    "guard_statements",
    "insert_empty_statements",
    "insert_statements",
]

# How often a statement without effect goes before another.
_RATE = 1 / 3

_STATEMENTS = {
    "c": ("int NAME = LOW;", 'if (LOW > HIGH) { puts("NAME"); }', "(void) LOW;"),
    "go": ("var NAME = LOW; _ = NAME", "if LOW > HIGH { println(LOW) }", "_ = LOW + HIGH"),
    "java": ("int NAME = LOW;", "if (LOW > HIGH) { int NAME = LOW; }", "int NAME = LOW + HIGH;"),
    "javascript": ("let NAME = LOW;", "if (LOW > HIGH) { let NAME = LOW; }", "void LOW;"),
    "python": ("NAME = LOW", "if LOW > HIGH: NAME = LOW", "assert LOW != HIGH"),
}
_EMPTY = {"python": ("pass",), "go": ("{ }",), "javascript": ("{ }",), "typescript": ("{ }",)}
# What always runs, around a statement that calls or assigns.
_GUARDS = {
    "c": ("if (1) { ", "if (LOW < HIGH) { ", "do { "),
    "go": ("if true { ", "if LOW < HIGH { ", "{ "),
    "java": ("if (true) { ", "if (LOW < HIGH) { ", "try { "),
    "javascript": ("if (true) { ", "if (LOW < HIGH) { ", "try { "),
    "python": ("if True:", "if LOW < HIGH:", "try:"),
}
_BEHIND_GUARD = {"do { ": " } while (0);", "try { ": " } finally { }", "try:": "finally:"}
_ACTS = frozenset({"(", "[", ".", "->", "=", "++", "--", "+=", "-=", "*=", "/=", "|=", "&="})
_SAME_STATEMENTS = {"cpp": "c", "csharp": "java", "typescript": "javascript"}

# Behind them nothing is reached, or the statement goes on.
_JUMPS = frozenset(
    {"break", "continue", "do", "goto", "import", "package", "return", "throw", "using", "yield"}
)
_NOT_BEFORE = frozenset({"case", "catch", "default", "else", "finally", "super", "this", "while"})
_NO_STATEMENT = frozenset({"case", "elif", "else", "except", "finally", "from", "import"})
_TARGET_SIGNS = frozenset({".", "->", "[", "]"})
_TARGET_KINDS = frozenset({Kind.NAME, Kind.NUMBER})
_SELVES = frozenset({"self", "this"})


def insert_statements(text: str, language: str, rng: Random) -> str:
    """Put a statement without effect before every third or so in functions."""
    lexemes = read(text, language)
    names = fresh_names(rng, text)
    chosen = [index for index in _slots(lexemes, language) if rng.random() < _RATE]
    return edited(
        lexemes,
        [
            Edit(index, index, _statement(language, next(names), rng) + _line_end(lexemes, index))
            for index in chosen
        ],
    )


def insert_empty_statements(text: str, language: str, rng: Random) -> str:
    """Put a statement without any words before every third or so; in Python, ``pass``."""
    lexemes = read(text, language)
    chosen = [index for index in _slots(lexemes, language) if rng.random() < _RATE]
    forms = _EMPTY.get(language, (";", "{ }"))
    return edited(
        lexemes,
        [Edit(at, at, rng.choice(forms) + _line_end(lexemes, at)) for at in chosen],
    )


def guard_statements(text: str, language: str, rng: Random) -> str:
    """Put every third or so statement that calls or assigns into a block that always runs."""
    lexemes = read(text, language)
    acting = _acts_of_python(lexemes) if language == "python" else _acts(lexemes, language)
    chosen = [span for span in acting if rng.random() < _RATE]
    return edited(
        lexemes, [edit for span in chosen for edit in _guard(lexemes, span, language, rng)]
    )


def change_increments(text: str, language: str, rng: Random) -> str:
    """Write ``x += 1`` as ``x = x + 1``, and ``i++`` as ``i += 1`` or, if there is one, ``++i``."""
    lexemes = read(text, language)
    spans = _simple_statements(lexemes, language)
    return edited(
        lexemes, [Edit(*span, _incremented(lexemes[slice(*span)], language, rng)) for span in spans]
    )


def _guard(
    lexemes: Sequence[Lexeme], span: tuple[int, int], language: str, rng: Random
) -> Iterator[Edit]:
    start, stop = span
    guard = rng.choice(_GUARDS[_SAME_STATEMENTS.get(language, language)])
    behind, head = _BEHIND_GUARD.get(guard, " }"), _filled(guard, rng)
    if language == "python":
        line_end = _line_end(lexemes, start)
        head += line_end + "    "
        behind = f"{line_end}{behind}{line_end}    pass" if guard in _BEHIND_GUARD else ""
    yield Edit(start, start, head)
    yield Edit(stop, stop, behind)


def _acts(lexemes: Sequence[Lexeme], language: str) -> Iterator[tuple[int, int]]:
    """Return the statements that call or assign, but declare nothing."""
    starts = outline(lexemes, language).starts
    after = dict(zip(starts, [*starts[1:], len(lexemes)], strict=True))
    for start in _slots(lexemes, language):
        stop = _stop(lexemes, start, after[start])
        is_ended = text_at(lexemes, stop) == ";"
        is_whole = is_ended or (language in LINE_ENDED and text_at(lexemes, stop) != "{")
        if is_whole and _is_act(lexemes, start):
            yield start, stop + 1 if is_ended else preceding(lexemes, stop) + 1


def _acts_of_python(lexemes: Sequence[Lexeme]) -> Iterator[tuple[int, int]]:
    stops = {line.start: line.stop for line in logical_lines(lexemes)}
    for start in _slots_of_python(lexemes):
        is_one_line = "\n" not in write(lexemes[start : stops[start]])
        if is_one_line and _is_act(lexemes, start):
            yield start, stops[start]


def _is_act(lexemes: Sequence[Lexeme], start: int) -> bool:
    is_named = lexemes[start].kind is Kind.NAME or lexemes[start].text in _SELVES
    return is_named and text_at(lexemes, following(lexemes, start)) in _ACTS


def _filled(form: str, rng: Random) -> str:
    """Write numbers for those that a form leaves open."""
    low, high = sorted(rng.sample(range(1, 100), 2))
    return form.replace("LOW", str(low)).replace("HIGH", str(high))


def _statement(language: str, name: str, rng: Random) -> str:
    form = rng.choice(_STATEMENTS[_SAME_STATEMENTS.get(language, language)])
    return _filled(form.replace("NAME", name), rng)


def _slots(lexemes: Sequence[Lexeme], language: str) -> Iterator[int]:
    """Return the lexemes before which a statement can stand."""
    if language == "python":
        yield from _slots_of_python(lexemes)
        return
    found = outline(lexemes, language)
    previous: dict[int, str] = {}
    for index in found.starts:
        place, (kind, text) = found.places[index], lexemes[index]
        before = text_at(lexemes, preceding(lexemes, index))
        is_reached = previous.get(place.opener) not in _JUMPS and text not in _NOT_BEFORE
        is_begun = before in {";", "{"} or (language in LINE_ENDED and before != "}")
        if place.kind == "code" and is_reached and is_begun and kind is not Kind.STRING:
            yield index
        previous[place.opener] = text


def _slots_of_python(lexemes: Sequence[Lexeme]) -> Iterator[int]:
    previous = ""
    for line in logical_lines(lexemes):
        is_string = lexemes[line.start].kind in {Kind.STRING, Kind.DOC}
        is_code = "def" in line.around or not line.around
        is_statement = line.word not in _NO_STATEMENT and line.around[-1:] != ("class",)
        if is_code and is_statement and not is_string and not previous.startswith("@"):
            yield line.start
        previous = line.word


def _line_end(lexemes: Sequence[Lexeme], index: int) -> str:
    """Return a line end and the indentation of the line of a lexeme."""
    space = text_at(lexemes, index - 1)
    return "\n" + (space.rpartition("\n")[2] if space.isspace() else "")


def _simple_statements(lexemes: Sequence[Lexeme], language: str) -> Iterator[tuple[int, int]]:
    """Return statements and steps of loops without the semicolon or bracket behind them."""
    if language == "python":
        yield from ((line.start, line.stop) for line in logical_lines(lexemes))
        return
    starts = outline(lexemes, language).starts
    ends = {index for index, lexeme in enumerate(lexemes) if lexeme == (Kind.SIGN, ";")}
    begins = sorted({*starts, *(following(lexemes, index) for index in ends)})
    for start, limit in zip(begins, [*begins[1:], len(lexemes)], strict=True):
        stop = preceding(lexemes, _stop(lexemes, start, limit)) + 1
        if start < stop:
            yield start, stop


def _stop(lexemes: Sequence[Lexeme], start: int, limit: int) -> int:
    """Find the semicolon, the brace or the bracket from before ``start`` that ends a statement."""
    depth = 0
    for index in range(start, limit):
        kind, text = lexemes[index]
        if kind is Kind.SIGN:
            if text in {"{", "}"} or (depth == 0 and text in {";", ")"}):
                return index
            depth += (text in {"(", "["}) - (text in {")", "]"})
            if depth == 0 and text == ",":
                return start  # several in one statement
    return limit


def _incremented(lexemes: Sequence[Lexeme], language: str, rng: Random) -> str:
    """Write a statement; its increment, if it is one, in another form."""
    behind = (index for index, lexeme in enumerate(lexemes) if not _is_in_target(lexeme))
    sign = next(behind, len(lexemes))
    target, value = write(lexemes[:sign]).strip(), write(lexemes[sign + 1 :]).strip()
    text = text_at(lexemes, sign)
    if target and text in {"++", "--"} and not value:
        is_first = language not in LINE_ENDED and rng.random() < 1 / 2
        return f"{text}{target}" if is_first else f"{target} {text[0]}= 1"
    if target and text in {"+=", "-=", "*="} and value:
        return f"{target} = {target} {text[0]} ({value})"
    return write(lexemes)


def _is_in_target(lexeme: Lexeme) -> bool:
    is_self = lexeme.text in _SELVES or lexeme.text.isspace()
    return is_self or lexeme.kind in _TARGET_KINDS or lexeme.text in _TARGET_SIGNS
