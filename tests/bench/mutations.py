"""The disguises by name, from the most harmless to what takes effort."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final

from tests.bench.brackets import add_brackets
from tests.bench.flow import (
    change_increments,
    guard_statements,
    insert_empty_statements,
    insert_statements,
)
from tests.bench.layout import change_comments, relayout, verbatim
from tests.bench.loops import change_loops
from tests.bench.mixing import embed, halve, hide_in_comment, hide_in_string, reorder
from tests.bench.modifiers import add_imports, change_modifiers, change_this, change_types
from tests.bench.prose import (
    PROSE,
    embed_text,
    halve_text,
    quote_in_other_words,
    reorder_sentences,
    replace_words,
    rewrap,
    swap_clauses,
)
from tests.bench.vocabulary import chance
from tests.bench.wording import change_literals, rename, split_strings

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DISGUISES", "MIXTURES", "NAMES", "Disguise", "Mixture", "disguised", "names_for"]

Disguise = Callable[[str, str, Random], str]
"""Makes a program of a text, a language's canonical name and a source of chance."""

Mixture = Callable[[str, str, str, Random], str]
"""Likewise, with the text of another program behind that of the first."""


def _all_of(*disguises: Disguise) -> Disguise:
    def disguise(text: str, language: str, rng: Random) -> str:
        for each in disguises:
            text = each(text, language, rng)
        return text

    return disguise


DISGUISES: Final[Mapping[str, Disguise]] = {
    "verbatim": verbatim,
    "relayout": relayout,
    "comments": change_comments,
    "rename": rename,
    "literals": change_literals,
    "split strings": split_strings,
    "modifiers": change_modifiers,
    "brackets": add_brackets,
    "types": change_types,
    "imports": add_imports,
    "this": change_this,
    "increments": change_increments,
    "loops": change_loops,
    "insert": insert_statements,
    "empty statements": insert_empty_statements,
    "guard": guard_statements,
    "reorder": reorder,
    "rename + relayout + comments": _all_of(rename, relayout, change_comments),
    "rename + insert + reorder": _all_of(rename, insert_statements, reorder),
    "small edits": _all_of(
        change_modifiers, add_brackets, change_increments, change_literals, split_strings
    ),
    "small edits + loops + insert": _all_of(
        change_modifiers,
        add_brackets,
        change_increments,
        change_literals,
        split_strings,
        change_loops,
        insert_statements,
    ),
}

MIXTURES: Final[Mapping[str, Mixture]] = {
    "half": halve,
    "embedded": embed,
    "hidden in a comment": hide_in_comment,
    "hidden in a string": hide_in_string,
}

NAMES: Final = (*DISGUISES, *MIXTURES)

_OF_PROSE: Final[Mapping[str, Disguise]] = {
    "verbatim": verbatim,
    "rewrap": rewrap,
    "synonyms": replace_words,
    "reorder sentences": reorder_sentences,
    "swap clauses": swap_clauses,
    "synonyms + reorder + swap": _all_of(swap_clauses, replace_words, reorder_sentences),
}

_MIXTURES_OF_PROSE: Final[Mapping[str, Mixture]] = {
    "half": halve_text,
    "embedded": embed_text,
    "a fifth in other words": quote_in_other_words,
}


def names_for(language: str) -> tuple[str, ...]:
    """Return the disguises that there are for a language, or for prose."""
    return (*_OF_PROSE, *_MIXTURES_OF_PROSE) if language == PROSE else NAMES


def disguised(name: str, text: str, donor: str, *, language: str, seed: str) -> str:
    """Return a program or a text in the disguise of that name; the donor is another, honest one."""
    rng = chance(f"{seed} {name}")
    is_prose = language == PROSE
    mixtures, disguises = (_MIXTURES_OF_PROSE, _OF_PROSE) if is_prose else (MIXTURES, DISGUISES)
    if name in mixtures:
        return mixtures[name](text, donor, language, rng)
    return disguises[name](text, language, rng)
