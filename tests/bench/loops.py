"""The disguise of loops: ``for`` as ``while``, and ``while`` as ``for``."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from tests.bench.lines import logical_lines, texts_of
from tests.bench.outline import outline
from tests.bench.tokens import (
    Edit,
    Kind,
    edited,
    following,
    partners,
    preceding,
    read,
    text_at,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from tests.bench.lines import Line
    from tests.bench.tokens import Lexeme

__all__ = ["change_loops"]

_LOOSE = frozenset({"and", "for", "if", "lambda", "not", "or"})  # bind looser than a comparison
_JUMPS = frozenset({"break", "return", "throw"})


def change_loops(text: str, language: str, _rng: Random) -> str:
    """Write a simple ``for`` as ``while``; in C-like languages also ``while`` as ``for``.

    A loop with ``continue`` is left alone, as that would skip the step.
    """
    lexemes = read(text, language)
    if language == "python":
        return edited(lexemes, _range_edits(lexemes))
    return edited(lexemes, _header_edits(lexemes, language))


def _range_edits(lexemes: Sequence[Lexeme]) -> Iterator[Edit]:
    lines = logical_lines(lexemes)
    for index in reversed(range(len(lines))):  # the step of an inner loop goes first
        line, behind = lines[index], lines[index + 1 :]
        body = _block(line, behind)
        said = texts_of(lexemes, line)
        limits = _limits(said)
        has_else = behind[len(body) :] and behind[len(body)].word == "else"
        if limits and body and not has_else and _is_steady(lexemes, body, said[1]):
            name, (first, last) = said[1], limits
            head = f"{name} = {first}\n{line.indent}while {name} < {last}:"
            yield Edit(line.start, line.stop, head)
            yield Edit(body[-1].stop, body[-1].stop, f"\n{body[0].indent}{name} += 1")


def _block(line: Line, behind: Sequence[Line]) -> list[Line]:
    return list(takewhile(lambda inner: len(inner.indent) > len(line.indent), behind))


def _limits(said: Sequence[str]) -> tuple[str, str] | None:
    """Return the two limits of ``for name in range(first, last):``, if it is that."""
    inside = said[5:-2]
    is_range = said[:1] == ["for"] and said[2:5] == ["in", "range", "("] and said[-2:] == [")", ":"]
    if not is_range or not inside or _LOOSE & set(inside) or inside.count(",") > 1:
        return None
    comma = inside.index(",") if "," in inside else 0
    first, last = inside[:comma], inside[comma + (comma > 0) :]
    return (
        (" ".join(first) or "0", " ".join(last)) if first.count("(") == first.count(")") else None
    )


def _is_steady(lexemes: Sequence[Lexeme], body: Sequence[Line], name: str) -> bool:
    """Return whether no line of a loop sets its name or goes on with the next round."""
    words = {text for line in body for text in texts_of(lexemes, line)}
    return "continue" not in words and all(line.word != name for line in body)


def _header_edits(lexemes: Sequence[Lexeme], language: str) -> Iterator[Edit]:
    closing = partners(lexemes)
    last_words = _last_words(lexemes, language)
    for index, (kind, text) in enumerate(lexemes):
        opener = following(lexemes, index)
        closer = closing.get(opener, 0)
        brace = following(lexemes, closer)
        if kind is not Kind.WORD or opener > closer or text_at(lexemes, brace) != "{":
            continue
        if text == "while":
            yield Edit(index, index + 1, "for")
            yield Edit(opener, closer + 1, f"(; {write(lexemes[opener + 1 : closer])}; )")
        elif text == "for" and last_words.get(brace) not in _JUMPS:
            yield from _while_edits(lexemes, index, (opener, closer, brace, closing[brace]))


def _while_edits(
    lexemes: Sequence[Lexeme], index: int, brackets: tuple[int, int, int, int]
) -> Iterator[Edit]:
    """Write a ``for`` with three parts, no label and no ``continue`` as a block with ``while``."""
    opener, closer, first, last = brackets
    parts = write(lexemes[opener + 1 : closer]).split(";")
    is_labelled = text_at(lexemes, preceding(lexemes, index)) == ":"
    goes_on = any(lexeme == (Kind.WORD, "continue") for lexeme in lexemes[first:last])
    if len(parts) == 3 and not is_labelled and not goes_on:
        begin, condition, step = (part.strip() for part in parts)
        yield Edit(index, closer + 1, f"{{ {begin}; while ({condition or '1 == 1'})")
        steps = step if "(" in step else step.replace(",", ";")  # only C has a comma operator
        yield Edit(last, last + 1, f"\n{steps}; }} }}" if step else "} }")


def _last_words(lexemes: Sequence[Lexeme], language: str) -> dict[int, str]:
    """Return the first word of the last statement of each place, by its opener."""
    found = outline(lexemes, language)
    return {found.places[start].opener: lexemes[start].text for start in found.starts}
