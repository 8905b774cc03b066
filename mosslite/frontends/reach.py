"""Finds functions that nothing calls, as far as names tell.

Code that never runs is the cheapest disguise, and libraries of a writer's own, brought along for
a few lines of them, look the same. Only the name is looked at: what is called through an
interface or from outside counts as reached where its class says that it has a base.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["Words", "reached_in"]

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

# A body behind these is called from outside: by a base class, a trait or an interface.
_BASED = _words("extends implements impl new")
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
        is_name: ``n`` truths.
        indents: For the first token of a line outside brackets how far it is indented, else -1.
        decorated: Tokens whose line stands below one that begins with ``@``.
    """

    texts: Sequence[str]
    is_name: Sequence[bool]
    indents: Sequence[int]
    decorated: frozenset[int] = frozenset()


class _Function(NamedTuple):
    name: str
    first: int
    stop: int


def reached_in(words: Words, *, is_python: bool) -> NDArray[np.bool_]:
    """Mark the tokens outside of functions that nothing calls.

    Returns:
        ``(n,) bool``; all True where the program does not say where it starts.
    """
    is_reached = np.ones(len(words.texts), np.bool_)
    find = _python_functions if is_python else _braced_functions
    functions = list(find(words))
    if not functions:
        return is_reached
    uses = _uses(words, functions)
    outside = uses.pop()
    names = {each.name for each in functions}
    if not names & _STARTS and not (is_python and outside):
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


def _uses(words: Words, functions: Sequence[_Function]) -> list[set[str]]:
    """Give for each function, and at the end for what is outside of all, the functions it names."""
    names = {function.name for function in functions}
    uses: list[set[str]] = [set() for _ in range(len(functions) + 1)]
    owners = np.full(len(words.texts), len(functions))
    for number, function in enumerate(functions):
        owners[function.first : function.stop] = number
    definitions = {function.first for function in functions}
    partners = _partners(words.texts)
    for index, (text, owner) in enumerate(zip(words.texts, owners.tolist(), strict=True)):
        if text in names and index not in definitions:
            is_outside = owner == len(functions)
            if not (is_outside and _is_prototype(words, partners, index)):
                uses[owner].add(text)
    return uses


def _is_prototype(words: Words, partners: dict[int, int], index: int) -> bool:
    """Tell ``int name(int x);`` from a call: it stands behind the name of its type."""
    texts = words.texts
    if index == 0 or texts[index + 1 : index + 2] != ["("] or index + 1 not in partners:
        return False
    behind = partners[index + 1] + 1
    is_typed = words.is_name[index - 1] or texts[index - 1] in {"*", "&"}
    return is_typed and texts[behind : behind + 1] == [";"]


def _braced_functions(words: Words) -> Iterator[_Function]:
    """Find ``name (...) ... {...}`` outside of any other, but not in a class that has a base."""
    texts, partners, stop = words.texts, _partners(words.texts), 0
    for index, is_name in enumerate(words.is_name):
        if index >= stop and texts[index] in _BASED:
            body = _head_end(texts, index)
            stop = partners.get(body, stop)
        if index < stop or not is_name or not _can_define(texts, index):
            continue
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


def _partners(texts: Sequence[str]) -> dict[int, int]:
    """Give for each opening bracket where it is closed."""
    partners, opened = {}, []
    for index, text in enumerate(texts):
        if text in {"(", "[", "{"}:
            opened.append(index)
        elif text in _CLOSING and opened and texts[opened[-1]] == _CLOSING[text]:
            partners[opened.pop()] = index
    return partners


def _python_functions(words: Words) -> Iterator[_Function]:
    """Find ``def`` outside of any other, but not in a class that has a base, nor decorated."""
    texts, stop = words.texts, 0
    for index in [i for i, indent in enumerate(words.indents) if indent >= 0]:
        if index < stop:
            continue
        if texts[index] == "class" and texts[index + 2 : index + 3] == ["("]:
            stop = _end_of_block(words, index)
        name = index + 1 + (texts[index] == "async")
        is_definition = name < len(texts) and texts[name - 1] == "def"
        if is_definition and index >= stop and index not in words.decorated:
            stop = _end_of_block(words, index)
            yield _Function(texts[name], name, stop)


def _end_of_block(words: Words, first: int) -> int:
    """Give the first token of a line that is indented no further than this one."""
    indent = words.indents[first]
    behind = range(first + 1, len(words.texts))
    return next((i for i in behind if 0 <= words.indents[i] <= indent), len(words.texts))
