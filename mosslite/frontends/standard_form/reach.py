"""Finds functions that nothing calls, as far as names tell.

Code that never runs is the cheapest disguise, and libraries of a writer's own, brought along for
a few lines of them, look the same. Only the name is looked at: what is called through an
interface or from outside counts as reached where its class says that it has a base.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.frontends.words import number_of_word, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["Words", "can_tell", "reached_in"]

# Where less than this many tokens are reached, the program starts somewhere else.
_ENOUGH = 100


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Between parameters and the body: ``const``, ``throws A, B``, ``-> Vec<u8>``, ``(int, error)``.
_MOST_BETWEEN = 16
_DEFINING = _words("fn fun func function")
_OTHER = _words(
    "case catch class def do else elif enum for foreach if impl import in interface let match new "
    "package return struct switch trait until var when while with"
)
_NOT_BETWEEN = _OTHER | _DEFINING | _words("; ) = }")
_NO_DEFINITION_BEHIND = _OTHER | {"."}
_CLOSING = {")": "(", "]": "[", "}": "{"}
_BRACKETS = table_of("( [ { ) ] }")
_PAREN = number_of_word("(")

# A body behind these is called from outside: by a base class, a trait or an interface.
_BASED = _words("extends implements impl new")
_MAY_BE_BASED = table_of("extends implements impl new")
_NOT_IN_HEAD = _words("; = } )")
_LONGEST_HEAD = 64

_STARTS = _words("main Main")
# What languages call by themselves, beside all that begins with two underscores.
_IMPLICIT = _words(
    "accept add apply call close compare compareTo CompareTo dispose Dispose drop equals Equals "
    "Error finalize get GetHashCode hasNext hashCode init iterator Len Less next run String Swap "
    "toString ToString"
)


class Words(NamedTuple):
    """The tokens of a file as written, and where lines begin.

    Attributes:
        texts: ``n`` texts.
        written: ``(n,) int64``, the numbers of their wordings.
        is_name: ``(n,) bool``.
        indents: For the first token of a line outside brackets how far it is indented, else -1.
        decorated: Tokens whose line stands below one that begins with ``@``.
    """

    texts: Sequence[str]
    written: NDArray[np.int64]
    is_name: NDArray[np.bool_]
    indents: NDArray[np.int64]
    decorated: frozenset[int] = frozenset()


class _Function(NamedTuple):
    name: str
    first: int
    stop: int


def can_tell(text: str, *, is_python: bool) -> bool:
    """Tell, without looking closely, whether anything may be found not to be reached."""
    return any(word in text for word in ({"def"} if is_python else _STARTS))


def reached_in(words: Words, *, is_python: bool) -> NDArray[np.bool_]:
    """Mark the tokens outside of functions that nothing calls.

    Returns:
        ``(n,) bool``; all True where the program does not say where it starts.
    """
    partners = _partners(words)
    find = _python_functions(words) if is_python else _braced_functions(words, partners)
    functions = list(find)
    is_reached = np.ones(len(words.texts), np.bool_)
    if not functions:
        return is_reached
    names = {each.name for each in functions}
    if not names & _STARTS and not is_python:
        return is_reached
    uses = _uses(words, functions, partners)
    outside = uses.pop()
    if not names & _STARTS and not outside:
        return is_reached
    implicit = {name for name in names if name in _IMPLICIT or name.startswith("__")}
    called = _called(functions, uses, outside | implicit | (names & _STARTS))
    for each in functions:
        is_reached[each.first : each.stop] = each.name in called
    return is_reached if is_reached.sum() >= _ENOUGH else np.ones_like(is_reached)


def _called(functions: Sequence[_Function], uses: Sequence[set[str]], start: set[str]) -> set[str]:
    """Follow names from the start of the program."""
    by_name: dict[str, set[str]] = {}
    for function, used in zip(functions, uses, strict=True):
        by_name.setdefault(function.name, set()).update(used)
    called: set[str] = set()
    waiting = sorted(start)
    while waiting:
        name = waiting.pop()
        if name not in called:
            called.add(name)
            waiting.extend(by_name.get(name, ()))
    return called


def _uses(words: Words, functions: Sequence[_Function], partners: dict[int, int]) -> list[set[str]]:
    """Give for each function, and at the end for what is outside of all, the functions it names."""
    names = {function.name for function in functions}
    uses: list[set[str]] = [set() for _ in range(len(functions) + 1)]
    owners = np.full(len(words.texts), len(functions))
    for number, function in enumerate(functions):
        owners[function.first : function.stop] = number
    definitions = {function.first for function in functions}
    at = np.flatnonzero(words.is_name).tolist()
    for index in [index for index in at if words.texts[index] in names]:
        owner = int(owners[index])
        is_outside = owner == len(functions)
        if index not in definitions and not (is_outside and _is_prototype(words, partners, index)):
            uses[owner].add(words.texts[index])
    return uses


def _is_prototype(words: Words, partners: dict[int, int], index: int) -> bool:
    """Tell ``int name(int x);`` from a call: it stands behind the name of its type."""
    texts = words.texts
    if index == 0 or texts[index + 1 : index + 2] != ["("] or index + 1 not in partners:
        return False
    behind = partners[index + 1] + 1
    is_typed = bool(words.is_name[index - 1]) or texts[index - 1] in {"*", "&"}
    return is_typed and texts[behind : behind + 1] == [";"]


def _braced_functions(words: Words, partners: dict[int, int]) -> Iterator[_Function]:
    """Find ``name (...) ... {...}`` outside of any other, but not in a class that has a base."""
    texts, stop = words.texts, 0
    may_define = words.is_name[:-1] & (words.written[1:] == _PAREN)
    for index in np.flatnonzero(
        np.append(may_define, False) | _MAY_BE_BASED[words.written]
    ).tolist():
        if index >= stop and texts[index] in _BASED:
            stop = partners.get(_head_end(texts, index), stop)
        if index >= stop and words.is_name[index] and _can_define(texts, index):
            body = _body(texts, partners, index + 1)
            if body in partners:
                stop = partners[body] + 1
                yield _Function(texts[index], index, stop)


def _can_define(texts: Sequence[str], name: int) -> bool:
    """Tell a name that may be defined here from one that is called, or is a base class."""
    before = ["", "", "", *texts[max(name - 3, 0) : name]][-3:]
    if before[2] == ":":
        return before[1] == ":"
    if before[2] == ">":
        return before[1] != "-"
    return before[2] not in _NO_DEFINITION_BEHIND or before[0] == "fun"


def _head_end(texts: Sequence[str], start: int) -> int:
    """Give the opening brace of the body whose head begins here; -1 for none."""
    depth = 0
    for index in range(start, min(start + _LONGEST_HEAD, len(texts))):
        depth += (texts[index] == "(") - (texts[index] == ")")
        if texts[index] == "{":
            return index if texts[start] != "impl" or "for" in texts[start:index] else -1
        if texts[index] in _NOT_IN_HEAD and (texts[index] != ")" or depth < 0):
            break
    return -1


def _body(texts: Sequence[str], partners: dict[int, int], paren: int) -> int:
    """Give where the body of a function begins whose parameters would begin here; -1 for none."""
    if texts[paren : paren + 1] != ["("] or paren not in partners:
        return -1
    index = behind = partners[paren] + 1
    while index < min(behind + _MOST_BETWEEN, len(texts)):
        if texts[index] == "{":
            return index
        if texts[index] in _NOT_BETWEEN:
            break
        index = partners.get(index, index) + 1
    return -1


def _partners(words: Words) -> dict[int, int]:
    """Give for each opening bracket where it is closed."""
    texts, partners, opened = words.texts, dict[int, int](), list[int]()
    for index in np.flatnonzero(_BRACKETS[words.written]).tolist():
        if texts[index] not in _CLOSING:
            opened.append(index)
        elif opened and texts[opened[-1]] == _CLOSING[texts[index]]:
            partners[opened.pop()] = index
    return partners


def _python_functions(words: Words) -> Iterator[_Function]:
    """Find ``def`` outside of any other, but not in a class that has a base, nor decorated."""
    texts, stop = words.texts, 0
    begins = np.flatnonzero(words.indents >= 0)
    indents, lines = words.indents[begins].tolist(), begins.tolist()
    ends = [*lines, len(texts)]
    for line, index in enumerate(lines):
        if index < stop:
            continue
        if texts[index] == "class" and texts[index + 2 : index + 3] == ["("]:
            stop = ends[_end_of_block(indents, line)]
        name = index + 1 + (texts[index] == "async")
        is_definition = name < len(texts) and texts[name - 1] == "def"
        if is_definition and index >= stop and index not in words.decorated:
            stop = ends[_end_of_block(indents, line)]
            yield _Function(texts[name], name, stop)


def _end_of_block(indents: Sequence[int], first: int) -> int:
    """Give the first line that is indented no further than this one."""
    behind = range(first + 1, len(indents))
    return next((line for line in behind if indents[line] <= indents[first]), len(indents))
