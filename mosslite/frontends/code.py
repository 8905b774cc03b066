"""The code front-end: any Pygments lexer, without what a copier can change freely."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.frontends.colours import colours_of
from mosslite.frontends.deadline import within
from mosslite.frontends.disguises import disguises_in
from mosslite.frontends.escapes import ESCAPING
from mosslite.frontends.facts import vocabulary_of
from mosslite.frontends.joint import joint_of, joint_tokens
from mosslite.frontends.reading import Reading
from mosslite.frontends.standard_form import in_standard_form
from mosslite.frontends.text import source_of, token_stream
from mosslite.frontends.traces import traces_of_code
from mosslite.languages import lexer_of
from mosslite.spans import covered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from pygments.lexer import Lexer

    from mosslite.frontends.facts import Facts
    from mosslite.frontends.joint import Joint
    from mosslite.frontends.tokens import Tokens
    from mosslite.languages import Language
    from mosslite.model import Disguise

__all__ = ["read_code"]

# Seconds for each character that what follows a lexer takes at most on any machine.
_USUAL_PER_CHARACTER: Final = 4e-6


def read_code(
    texts: Sequence[str], language: Language, seconds: float | None = None
) -> list[Reading]:
    """Tokenize texts by the language's lexer; ``symbols`` says what counts as equal.

    None of them has a part in what is read of another.

    Raises:
        Exception: Whatever the lexer raises, as lexers promise nothing; ``TooSlowError`` where
            it takes more than so many seconds, or all that follows takes as long and no less than
            is usual for so much text.
    """
    takes_escapes = language.name in ESCAPING
    joint = joint_of([source_of(text, takes_escapes=takes_escapes) for text in texts])
    lexers = (_new_lexer(language) for _ in texts)
    with vocabulary_of(language) as vocabulary:
        tokens = joint_tokens(joint, lexers, vocabulary.numbers, seconds)
        rest = None if seconds is None else seconds + _USUAL_PER_CHARACTER * len(joint.whole.text)
        facts = within(vocabulary.facts, rest)
    return within(lambda: _readings(joint, tokens, facts, language), rest)


def _readings(joint: Joint, tokens: Tokens, facts: Facts, language: Language) -> list[Reading]:
    symbols = in_standard_form(joint, tokens, facts, language)
    return [
        Reading(stream, traces, is_degraded=False, disguises=disguises, colours=colours)
        for stream, traces, disguises, colours in zip(
            joint.split(token_stream(joint.whole, symbols), symbols.starts),
            traces_of_code(joint, tokens, facts),
            _disguises(joint, tokens, facts),
            colours_of(joint, tokens, facts.classes),
            strict=True,
        )
    ]


def _new_lexer(language: Language) -> Lexer:
    """Return a lexer that knows nothing of other texts: some collect what they see in the class."""
    kind = _lexer_class(language)
    lexer = kind()
    for name, container in _memory_of(kind):
        setattr(lexer, name, container())
    return lexer


@cache  # to find it by its name takes a while
def _lexer_class(language: Language) -> type[Lexer]:
    return type(lexer_of(language))


@cache  # before it has seen a text
def _memory_of(kind: type[Lexer]) -> list[tuple[str, type]]:
    members = [member for each in reversed(kind.__mro__) for member in vars(each).items()]
    return [(name, type(v)) for name, v in members if isinstance(v, (dict, list, set)) and not v]


def _disguises(joint: Joint, tokens: Tokens, facts: Facts) -> Iterator[tuple[Disguise, ...]]:
    code = _code_in(joint, tokens, facts) if joint.whole.is_odd else np.zeros(0, np.bool_)
    for source, (first, stop) in zip(joint.sources, pairwise(joint.starts.tolist()), strict=True):
        yield disguises_in(source, code[first:stop]) if source.is_odd else ()


def _code_in(joint: Joint, tokens: Tokens, facts: Facts) -> NDArray[np.bool_]:
    is_part = facts.is_code[tokens.numbers]
    return covered(tokens.starts[is_part], tokens.stops[is_part], len(joint.whole.text))
