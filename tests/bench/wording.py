"""Disguises of what is free to choose: names, numbers and strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.bench.names import own_names
from tests.bench.tokens import Kind, following, preceding, read, text_at
from tests.bench.vocabulary import fresh_names, word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from tests.bench.tokens import Lexeme

__all__ = ["change_literals", "rename", "split_strings"]

_QUOTED = re.compile(r"""(["'])((?:\\.|(?!\1)[^\\\n])+)\1""")
# Neither a directive of a format nor a field of one.
_PLAIN_WORD = re.compile(r"(?<![%\\{\w.:])[A-Za-z]{3,}(?![\w}])")
_WORD = re.compile(r"[A-Za-z_]\w*")
_SINGLE_QUOTES = frozenset({"javascript", "python", "typescript"})
_JUXTAPOSED = frozenset({"c", "cpp"})
_BEFORE_SPLIT = frozenset({"(", ",", "=", "+", "return"})
_BEHIND_SPLIT = frozenset({")", ",", ";", "+"})


def rename(text: str, language: str, rng: Random) -> str:
    """Return all of the program's own names others, the same each time."""
    lexemes = read(text, language)
    names = fresh_names(rng, text)
    # Some lexers take a name for a keyword in one place and not in another.
    known = {text for kind, text in lexemes if kind is not Kind.NAME}
    own = sorted(own_names(lexemes, language) - known)
    renamed = {name: _in_style_of(name, next(names)) for name in own}
    return "".join(_renamed(lexeme, renamed) for lexeme in lexemes)


def change_literals(text: str, language: str, rng: Random) -> str:
    """Write numbers in another way, and other words in strings of several words."""
    lexemes = read(text, language)
    texts = [lexeme.text for lexeme in lexemes]
    for index, lexeme in enumerate(lexemes):
        is_key = text_at(lexemes, following(lexemes, index)) == ":"
        if lexeme.kind is Kind.NUMBER:
            texts[index] = _number(lexeme.text, rng, is_key=is_key)
        elif lexeme.kind is Kind.STRING and " " in lexeme.text.strip("\"' "):
            texts[index] = _PLAIN_WORD.sub(lambda _: word(rng), lexeme.text)
    return "".join(texts)


def split_strings(text: str, language: str, rng: Random) -> str:
    """Write a string as the sum of two, where that needs no brackets."""
    lexemes = read(text, language)
    texts = [lexeme.text for lexeme in lexemes]
    for index, lexeme in enumerate(lexemes):
        if lexeme.kind is Kind.STRING and _is_splittable(lexemes, index, language):
            texts[index] = _split(lexeme.text, language, rng)
    return "".join(texts)


def _in_style_of(name: str, new: str) -> str:
    if name.isupper() and len(name) > 1:
        return new.upper()
    bare = name.lstrip("_#")
    styled = new.capitalize() if bare[:1].isupper() else new
    return name[: len(name) - len(bare)] + styled


def _renamed(lexeme: Lexeme, names: Mapping[str, str]) -> str:
    if lexeme.kind is Kind.NAME:
        return names.get(lexeme.text, lexeme.text)
    if lexeme.kind is Kind.DIRECTIVE and not re.match(r'#\s*include|<|"', lexeme.text):
        return _WORD.sub(lambda found: names.get(found[0], found[0]), lexeme.text)
    return lexeme.text


def _number(text: str, rng: Random, *, is_key: bool) -> str:
    if re.fullmatch(r"\d+\.\d+", text):
        return text + "0"
    if not re.fullmatch(r"[1-9]\d*", text):
        return text
    return hex(int(text)) if is_key or rng.random() < 0.5 else f"({text} + 0)"


def _is_splittable(lexemes: Sequence[Lexeme], index: int, language: str) -> bool:
    found = _QUOTED.fullmatch(lexemes[index].text)
    if not found or (found[1] == "'" and language not in _SINGLE_QUOTES):
        return False
    before = text_at(lexemes, preceding(lexemes, index))
    behind = text_at(lexemes, following(lexemes, index))
    return before in _BEFORE_SPLIT and behind in _BEHIND_SPLIT


def _split(text: str, language: str, rng: Random) -> str:
    quote, inside = text[0], text[1:-1]
    if len(inside) < 2:
        return text
    place = rng.randint(1, len(inside) - 1)
    if "\\" in inside[:place]:
        return text
    sign = " " if language in _JUXTAPOSED else " + "
    return f"{quote}{inside[:place]}{quote}{sign}{quote}{inside[place:]}{quote}"
