"""Splits and merges functions of Python programs, which need no types for it."""

from __future__ import annotations

import ast
from itertools import pairwise
from textwrap import indent
from typing import TYPE_CHECKING

from mosslite.lab.functions import line_offsets, parsed

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

    from mosslite.languages import Language

__all__ = ["merge_functions", "split_functions"]

# What leaves a function, or ties it to where it is, so that a part of it cannot move.
_LEAVES = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_FEWEST_STATEMENTS = 4


def split_functions(text: str, language: Language, random: np.random.Generator) -> str:
    """Move the first half of functions' statements into functions of their own."""
    module = parsed(text) if language.name == "python" else None
    for node in reversed(module.body if module else []):
        if isinstance(node, ast.FunctionDef):
            text = _split(text, node)
    return text


def merge_functions(text: str, language: Language, random: np.random.Generator) -> str:
    """Make one function of two that follow each other; the first argument tells which is meant."""
    module = parsed(text) if language.name == "python" else None
    functions = [node for node in module.body if _is_plain(node)] if module else []
    if module is None or len(functions) < 2:
        return text
    for left, right in pairwise(functions):
        if isinstance(left, ast.FunctionDef) and isinstance(right, ast.FunctionDef):
            calls = _calls(module, left, right)
            if calls is not None:
                return _merge(text, left, right, calls)
    return text


def _split(text: str, node: ast.FunctionDef) -> str:
    """Split one function, if its first half only computes names for its second."""
    body = node.body[ast.get_docstring(node) is not None :]
    half = len(body) // 2
    first, second = body[:half], body[half:]
    names = _results(node, first, second)
    if len(body) < _FEWEST_STATEMENTS or node.decorator_list or names is None:
        return text
    offsets = line_offsets(text)
    start, stop = offsets[first[0].lineno], offsets[second[0].lineno]
    margin = text[start : start + first[0].col_offset]
    given = ", ".join(sorted(_parameters(node) & _loaded(first)))
    result = ", ".join(names)
    name = f"{node.name}_first_half"
    helper = f"def {name}({given}):\n{text[start:stop].rstrip()}\n"
    helper += f"{margin}return {result}\n\n\n" if result else "\n\n"
    call = f"{margin}{result} = {name}({given})\n" if result else f"{margin}{name}({given})\n"
    begin = offsets[node.lineno]
    return text[:begin] + helper + text[begin:start] + call + text[stop:]


def _results(
    node: ast.FunctionDef, first: list[ast.stmt], second: list[ast.stmt]
) -> list[str] | None:
    """Return the names that the second half needs of the first; None where it cannot be split."""
    is_tied = any(isinstance(each, (*_LEAVES, *_SCOPES)) for each in _nodes(first))
    is_tied |= any(isinstance(each, _SCOPES) for each in _nodes(second))
    lines = {each.lineno for each in (*first, *second)}
    if is_tied or len(lines) < len(first) + len(second) or node.lineno in lines:
        return None
    needed = _stored(first) & (_loaded(second) | _stored(second))
    sure = _parameters(node) | _stored(each for each in first if isinstance(each, ast.Assign))
    return sorted(needed) if needed <= sure else None


def _merge(
    text: str, left: ast.FunctionDef, right: ast.FunctionDef, calls: list[tuple[ast.Call, str]]
) -> str:
    offsets = line_offsets(text)
    name = f"{left.name}_{right.name}"
    edits = [
        (offsets[left.lineno], _end(left, offsets), _merged(text, left, right, name)),
        (offsets[right.lineno], _end(right, offsets), ""),
    ]
    for call, called in calls:
        start = offsets[call.lineno] + call.col_offset
        which = str(called == left.name) + (", " if call.args else "")
        edits.append((start, text.index("(", start) + 1, f"{name}({which}"))
    for start, stop, other in sorted(edits, reverse=True):
        text = text[:start] + other + text[stop:]
    return text


def _merged(text: str, left: ast.FunctionDef, right: ast.FunctionDef, name: str) -> str:
    branches = []
    for word, node in (("if is_first", left), ("else", right)):
        offsets = line_offsets(text)
        start = offsets[node.body[0].lineno]
        margin = text[start : start + node.body[0].col_offset]
        body = indent(text[start : _end(node, offsets)], margin)
        names = [each.arg for each in node.args.args]
        given = f"{margin * 2}({', '.join(names)},) = given\n" if names else ""
        branches.append(f"{margin}{word}:\n{given}{body}\n")
    return f"def {name}(is_first, *given):\n" + "".join(branches).rstrip("\n")


def _is_plain(node: ast.stmt) -> bool:
    """Return whether a statement is a function that can be merged with another."""
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return False
    given = node.args
    has_more = given.posonlyargs or given.kwonlyargs or given.defaults or given.vararg
    is_tied = any(isinstance(each, (*_LEAVES[1:], *_SCOPES)) for each in _nodes(node.body))
    is_long = any(
        isinstance(each, ast.Constant | ast.JoinedStr) and each.end_lineno != each.lineno
        for each in _nodes(node.body)
    )
    return not (has_more or given.kwarg or is_tied or is_long) and node.body[0].lineno > node.lineno


def _calls(
    module: ast.Module, left: ast.FunctionDef, right: ast.FunctionDef
) -> list[tuple[ast.Call, str]] | None:
    """Return the calls of two functions; None where they call themselves or are used otherwise."""
    names = {left.name, right.name}
    calls = [
        (node, node.func.id)
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    ]
    uses = [node for node in ast.walk(module) if isinstance(node, ast.Name) and node.id in names]
    is_plain = all(not call.keywords for call, _ in calls)
    is_recursive = bool(names & _loaded([left, right]))
    return calls if is_plain and not is_recursive and len(uses) == len(calls) else None


def _nodes(statements: Iterable[ast.AST]) -> Iterable[ast.AST]:
    return (node for statement in statements for node in ast.walk(statement))


def _stored(statements: Iterable[ast.AST]) -> set[str]:
    return _names(statements, ast.Store) | _names(statements, ast.Del)


def _loaded(statements: Iterable[ast.AST]) -> set[str]:
    return _names(statements, ast.Load)


def _names(statements: Iterable[ast.AST], use: type[ast.expr_context]) -> set[str]:
    return {
        node.id
        for node in _nodes(statements)
        if isinstance(node, ast.Name) and isinstance(node.ctx, use)
    }


def _parameters(node: ast.FunctionDef) -> set[str]:
    given = node.args
    some = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return {each.arg for each in (*some, given.vararg, given.kwarg) if each is not None}


def _end(node: ast.FunctionDef, offsets: list[int]) -> int:
    return offsets[node.end_lineno or 0] + (node.end_col_offset or 0)
