"""Rewrites equivalent spellings to one form.

==========================================  ==================
spelling                                    rewritten to
==========================================  ==================
``this.x``, ``this->x``, ``self.x``         ``x``, where ``this`` is a keyword
``x = x + y``                               ``x += y``
``x += 1``, ``++x``                         ``x++``
``1 * x``, ``x * 1``, ``x + 0``, ``x - 0``  ``x``
``unsigned long int``                       one type
``for``, ``foreach``, ``while``, ``until``  one symbol
``var x``, ``auto x`` for ``int x``         a type, that is a name
``let``, ``const``, ``var`` in JavaScript   none
``public``, ``final``, ``const``            none
``;``, ``{}``, ``pass`` among statements    none
``"a" + "b"``                               one string
``return (x)``, ``= (x);``, ``if (x):``     without brackets
==========================================  ==================
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends import symbols
from mosslite.frontends.normalization.program import END, LOOP, NAME, STRING
from mosslite.frontends.symbols import CODES, symbol_id_of, symbol_set

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.frontends.normalization.program import Program

__all__ = ["rewritten"]

_DOT, _EQUALS, _PLUS, _MINUS, _GREATER = map(symbol_id_of, ".=+->")
_OPEN, _COMMA, _CLOSE = map(symbol_id_of, "(,)")
_BEGIN, _END_OF_BLOCK, _END_OF_STATEMENT, _COLON = map(symbol_id_of, "{};:")
_PASS = symbol_id_of("pass")
_ONE, _ZERO = map(symbol_id_of, "10")
_TIMES = symbol_id_of("*")

_SELF = symbol_set("this self me")
# Languages in which it is a keyword, but a name to the lexer.
_SELF_AS_WRITTEN = {
    "delphi": "self",
    "php": "$this",
    "rust": "self",
    "swift": "self",
    "vb.net": "me",
}
_OPERATORS = symbol_set("+ - * / % & | ^")
_DOUBLED = symbol_set("* / < >")
_SECOND = symbol_set("* / & | > =")
_MEMBER = symbol_set(". >")
_TARGET = symbol_set("]") | symbol_set("", symbols.NAME)
_STEPS = symbol_set("+ -")
_SIZES = symbol_set("unsigned signed long short")
_SIZED = symbol_set("unsigned signed long short int char double")
_BEFORE_STATEMENT = symbol_set("; { }")
_BEFORE_STEP = symbol_set("; { } (")
_MODIFIERS = (
    "abstract const constexpr explicit extern final inline internal override private protected "
    "public readonly register synchronized virtual volatile"
)
# Words that only declare a name, in languages that have several of them.
_DECLARING = {
    **dict.fromkeys(("javascript", "typescript", "jsx", "tsx"), "let var"),
    **dict.fromkeys(("kotlin", "scala", "swift", "groovy"), "let var val"),
}
_INFERRED_TYPES = {"java": "var", "csharp": "var", "cpp": "auto"}
_LISPS = frozenset({"clojure", "common-lisp", "emacs-lisp", "racket", "scheme"})
_ROUND_OR_END = symbol_set("( ) ,", symbols.END)
# Redundant round brackets follow one of these.
_BEFORE_BRACKETS = symbol_set("return = ( ,")
_BEHIND_BRACKETS = symbol_set("; ) ,")
_BEFORE_CONDITION = symbol_set("if elif while")
_BEFORE_EITHER = _BEFORE_BRACKETS | _BEFORE_CONDITION
_BEHIND_CONDITION = symbol_set(":")
# A factor or term after one of these is not part of another expression.
_BEFORE_TERM = symbol_set("( [ { , ; = < > + - return")
_BEHIND_TERM = symbol_set(") ] } , ; < > + -")
# Symbols at the start of a line that continue the term of the previous one.
_GOES_ON = symbol_set("* / % .")
_OPERANDS = symbol_set(") ]", symbols.NAME, symbols.NUMBER)

_AS_LOOPS = np.arange(len(CODES))
_AS_LOOPS[symbol_set("for foreach while until repeat loop do")] = LOOP

# Number of symbols in the longest pattern below.
_LONGEST = 4


def rewritten(program: Program, language: str, begins_line: NDArray[np.bool_]) -> Program:
    """Rewrite symbols to one of several equivalent forms; the result is never longer.

    Lisp dialects have few of these forms, and there every bracket is significant.

    Args:
        program: The symbols.
        language: Language of the program.
        begins_line: For each original index, whether the symbol starts a line.
    """
    if language in _LISPS:
        return program
    program = program.where(~_free_words(language)[program.words])
    program = _without_self(program, language)
    if language in _INFERRED_TYPES:
        is_type = symbol_set(_INFERRED_TYPES[language])[program.words]
        program = program._replace(words=np.where(is_type, NAME, program.words))
    program = _without_identities(program, begins_line)
    for rewrite in _REWRITES:
        program = rewrite(program) if len(program.words) >= _LONGEST else program
    return program._replace(words=_AS_LOOPS[program.words])


@cache
def _free_words(language: str) -> NDArray[np.bool_]:
    return symbol_set(f"{_MODIFIERS} {_DECLARING.get(language, '')}")


@cache
def _self_as_written(language: str) -> NDArray[np.bool_]:
    return symbol_set(_SELF_AS_WRITTEN.get(language, ""))


def _without(program: Program, places: NDArray[np.int64]) -> Program:
    if not len(places):
        return program
    is_kept = np.ones(len(program.words), np.bool_)
    is_kept[places] = False
    return program.where(is_kept)


def _without_self(program: Program, language: str) -> Program:
    written = program.written
    is_self = _SELF[program.words] | _self_as_written(language)[written]
    begins = np.flatnonzero(is_self[:-2])
    dotted = begins[written[begins + 1] == _DOT]
    arrows = begins[(written[begins + 1] == _MINUS) & (written[begins + 2] == _GREATER)]
    gone = (dotted, dotted + 1, arrows, arrows + 1, arrows + 2)
    return _without(program, np.concatenate(gone))


def _without_empty(program: Program) -> Program:
    """Remove statements without effect: first blocks and words, then terminators."""
    words = program.words
    before = np.roll(words, 1)  # the wrap-around symbol before the first one is an END
    at = np.flatnonzero(_BEFORE_STATEMENT[before[:-1]] & (words[:-1] == _BEGIN))
    at = at[words[at + 1] == _END_OF_BLOCK]
    # After a colon it may be the whole block.
    passes = np.flatnonzero((words == _PASS) & (before != _COLON))
    program = _without(program, np.concatenate([at, at + 1, passes]))
    words = program.words
    before = np.roll(words, 1)
    at = np.flatnonzero((words == _END_OF_STATEMENT) & _BEFORE_STATEMENT[before])
    # In ``for (;;)``, semicolons separate parts that can be empty.
    around = np.concatenate([[0], words, [0]])
    is_part = (around[at - 1] == _OPEN) | (around[at + 2] == _CLOSE)
    return _without(program, at[~is_part])


def _without_sizes(program: Program) -> Program:
    written = program.written
    at = np.flatnonzero(_SIZES[written[:-1]])
    return _without(program, at[_SIZED[written[at + 1]]])


def _with_whole_strings(program: Program) -> Program:
    """Merge concatenated strings into one, with the text of all."""
    words = program.words
    pluses = np.flatnonzero(words[1:-1] == _PLUS) + 1
    pluses = pluses[(words[pluses - 1] == STRING) & (words[pluses + 1] == STRING)]
    if not len(pluses):
        return program
    lexemes, goes_on = program.lexemes.copy(), np.zeros(len(words), np.bool_)
    lexemes[pluses] = 0
    goes_on[pluses] = goes_on[pluses + 1] = True
    return program._replace(lexemes=lexemes).joined(goes_on)


def _without_identities(program: Program, begins_line: NDArray[np.bool_]) -> Program:
    """Rewrite ``1 * x``, ``x * 1``, ``x + 0`` and ``x - 0`` to ``x``."""
    words = np.append(program.words, 0)
    is_end = np.append(begins_line[program.places], True) & ~_GOES_ON[words]
    at = np.flatnonzero((program.written == _ONE) | (program.written == _ZERO))
    before, behind = words[at - 1], words[at + 1]
    is_one = program.written[at] == _ONE
    is_factor = is_one & (behind == _TIMES) & _BEFORE_TERM[before]
    is_factor &= words[np.minimum(at + 2, len(program.words))] != _TIMES  # not ``**``
    is_last = np.where(is_one, before == _TIMES, _STEPS[before])
    is_last &= _OPERANDS[words[at - 2]] & (_BEHIND_TERM[behind] | is_end[at + 1])
    first, last = at[is_factor], at[is_last & ~is_factor]
    return _without(program, np.concatenate([first, first + 1, last - 1, last]))


def _assigned(program: Program) -> Program:
    """Rewrite ``x = x + y`` to ``x += y``, and ``x = x // y`` to ``x //= y``."""
    words, lexemes = program.words, program.lexemes
    at = np.flatnonzero((words[:-3] == NAME) & (words[1:-2] == _EQUALS))
    at = at[lexemes[at] == lexemes[at + 2]]
    at = at[(at == 0) | ~_MEMBER[words[at - 1]]]  # ``p.x = x + y`` assigns to another x
    operators, follow = words[at + 3], np.append(words, 0)[at + 4]
    is_double = (follow == operators) & _DOUBLED[follow]
    is_match = (_OPERATORS[operators] & ~_SECOND[follow]) | is_double
    doubled, at = at[is_double], at[is_match]
    if not len(at):
        return program
    order = np.arange(len(words))
    order[at + 1], order[at + 3] = at + 3, at + 1
    order[doubled + 3], order[doubled + 4] = doubled + 4, doubled + 1
    return _without(program.arranged(order), at + 2)


def _stepped(program: Program) -> Program:
    """Rewrite ``x += 1`` to ``x++``."""
    words = program.words
    at = np.flatnonzero((words[2:-1] == _EQUALS) & (program.written[3:] == _ONE))
    at = at[_TARGET[words[at]] & _STEPS[words[at + 1]]]
    at = at[~_OPERATORS[np.append(words, 0)[at + 4]]]  # not ``x += 1 + y``
    if not len(at):
        return program
    order = np.arange(len(words))
    order[at + 2] = at + 1
    return _without(program.arranged(order), at + 3)


def _postfix(program: Program) -> Program:
    """Rewrite ``++x`` to ``x++`` if it is a statement."""
    words = program.words
    at = np.flatnonzero((words[1:-2] == words[2:-1]) & (words[3:] == NAME) & _STEPS[words[1:-2]])
    # After a closing bracket, ``- -x`` is mostly two signs, and ``++x`` the body of ``if (...)``.
    before = words[at]
    at = at[_BEFORE_STEP[before] | ((before == _CLOSE) & (words[at + 1] == _PLUS))]
    if not len(at):
        return program
    order = np.arange(len(words))
    order[at + 1], order[at + 3] = at + 3, at + 1
    return program.arranged(order)


def _without_brackets(program: Program) -> Program:
    before, words = np.append(0, program.words), program.words
    may_go = (words == _OPEN) & _BEFORE_EITHER[before[:-1]]
    if not may_go.any():
        return program
    places, has_list, opened = list[int](), set[int](), list[int]()
    at = np.flatnonzero(_ROUND_OR_END[words])
    behind = np.append(words, 0)
    for index, word in zip(at.tolist(), words[at].tolist(), strict=True):
        if word == _OPEN:
            opened.append(index)
        elif word == _COMMA:
            has_list.update(opened[-1:])
        elif word == END:
            opened.clear()
        elif opened:
            first = opened.pop()
            if (
                may_go[first]
                and first not in has_list
                and _does_nothing(int(before[first]), int(behind[index + 1]))
            ):
                places += [first, index]
    return _without(program, np.array(places, np.int64))


def _does_nothing(before: int, behind: int) -> bool:
    is_operand = _BEFORE_BRACKETS[before] and _BEHIND_BRACKETS[behind]
    return bool(is_operand or (_BEFORE_CONDITION[before] and _BEHIND_CONDITION[behind]))


_REWRITES = (
    _without_empty,
    _without_sizes,
    _with_whole_strings,
    _assigned,
    _stepped,
    _postfix,
    _without_brackets,
)
