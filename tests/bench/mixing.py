"""Disguises of order and company: what is moved, and what is put around a copy."""

from __future__ import annotations

import json
from textwrap import dedent, indent
from typing import TYPE_CHECKING

from tests.bench.tokens import Edit, edited, following, read, text_at, write
from tests.bench.units import pieces_to_swap, place_of_imports, units_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from tests.bench.tokens import Lexeme
    from tests.bench.units import Unit

__all__ = ["embed", "halve", "hide_in_comment", "hide_in_string", "reorder"]

_DEEPEST = 2  # types within types
_IMPORTS = frozenset({"from", "import", "package", "using"})
_BOUND = frozenset({"=", "::", "template", "main", "operator"})
_STRINGS = {
    "c": "const char *hidden = {};",
    "cpp": "const char *hidden = {};",
    "csharp": "class Hidden {{ string text = {}; }}",
    "go": "var hidden = {}",
    "java": "class Hidden {{ String text = {}; }}",
}


def reorder(text: str, language: str, rng: Random) -> str:
    """Shuffle the functions, and the types if that is allowed, that follow each other."""
    for depth in range(_DEEPEST, -1, -1):
        lexemes = read(text, language)
        units = sorted(unit for unit in units_of(lexemes, language) if unit.depth == depth)
        text = edited(lexemes, _shuffled(lexemes, units, language, rng))
    return text


def halve(text: str, donor: str, language: str, rng: Random) -> str:
    """Put functions of the donor in the place of half of the functions, as far as it has any."""
    lexemes, others = read(text, language), read(donor, language)
    replaced = pieces_to_swap(sorted(units_of(lexemes, language)))
    given = pieces_to_swap(sorted(units_of(others, language)))
    count = min(len(replaced) // 2, len(given))
    pairs = zip(rng.sample(replaced, count), rng.sample(given, count), strict=True)
    return edited(
        lexemes,
        [Edit(old.start, old.stop, _fitted(lexemes, old, others, new)) for old, new in pairs],
    )


def embed(text: str, donor: str, language: str, rng: Random) -> str:
    """Put a program between two units of the donor's file, its imports before all of them.

    Names that both programs define are left as they are.
    """
    lexemes = read(donor, language)
    imports, rest = _without_imports(read(text, language), language)
    stops = [unit.stop for unit in sorted(units_of(lexemes, language)) if unit.depth == 0]
    place = rng.choice(stops[len(stops) // 2 :])
    first = place_of_imports(lexemes, language)
    edits = [Edit(first, first, imports), Edit(place, place, f"\n\n{rest.strip()}\n")]
    return edited(lexemes, edits)


def hide_in_comment(text: str, donor: str, language: str, _rng: Random) -> str:
    """Append the program to the donor as a comment."""
    if language == "python":
        return f"{donor.rstrip()}\n" + indent(text, "# ", lambda _: True)
    return f"{donor.rstrip()}\n/*\n{text.replace('*/', '* /')}\n*/\n"


def hide_in_string(text: str, donor: str, language: str, _rng: Random) -> str:
    """Append the program to the donor as a string."""
    form = _STRINGS.get(language, "hidden = {}")
    return f"{donor.rstrip()}\n{form.format(json.dumps(text))}\n"


def _shuffled(
    lexemes: Sequence[Lexeme], units: Sequence[Unit], language: str, rng: Random
) -> Iterator[Edit]:
    for group in _groups(units):
        texts = [write(lexemes[unit.start : unit.stop]) for unit in group]
        if language in {"c", "cpp"}:
            yield Edit(group[0].start, group[0].start, _prototypes(lexemes, group))
        order = rng.sample(range(len(group)), len(group))
        for unit, number in zip(group, order, strict=True):
            text = texts[number]
            yield Edit(unit.start, unit.stop, text if text.startswith("\n") else f"\n{text}")


def _groups(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Return the movable units of one type that follow each other, where there are several."""
    group: list[Unit] = []
    for unit in units:
        if not unit.is_movable or (group and group[-1].stop != unit.start):
            if len(group) > 1:
                yield group
            group = []
        if unit.is_movable:
            group.append(unit)
    if len(group) > 1:
        yield group


def _prototypes(lexemes: Sequence[Lexeme], group: Sequence[Unit]) -> str:
    """Declare the functions of a group, so that they can be in any order."""
    found = []
    for unit in group:
        texts = [lexeme.text for lexeme in lexemes[following(lexemes, unit.start - 1) : unit.stop]]
        head = texts[: texts.index("{")]
        if unit.depth == 0 and not _BOUND & set(head):
            found.append(f"\n{''.join(head).strip()};")
    return "".join(found)


def _fitted(lexemes: Sequence[Lexeme], old: Unit, others: Sequence[Lexeme], new: Unit) -> str:
    """Write a unit with the indentation of the one it replaces."""
    first, other = following(lexemes, old.start - 1), following(others, new.start - 1)
    margin = _margin(lexemes, first)
    text = dedent(_margin(others, other) + write(others[other : new.stop]))
    return f"\n\n{indent(text, margin)}"


def _margin(lexemes: Sequence[Lexeme], index: int) -> str:
    space = text_at(lexemes, index - 1)
    return space.rpartition("\n")[2] if space.isspace() else ""


def _without_imports(lexemes: Sequence[Lexeme], language: str) -> tuple[str, str]:
    """Return the imports of a program, as lines, and the rest of it."""
    found, edits = [], []
    for unit in units_of(lexemes, language):
        first = following(lexemes, unit.start - 1)
        text = write(lexemes[first : unit.stop])
        if unit.depth == 0 and lexemes[first].text in _IMPORTS:
            edits.append(Edit(unit.start, unit.stop, ""))
            found += [f"{text}\n"] * ("__future__" not in text and lexemes[first].text != "package")
    return "".join(sorted(found)), edited(lexemes, edits)
