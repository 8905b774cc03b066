"""Synthetic plagiarism: typical disguises of copied programs, by name."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from textwrap import indent
from typing import Final

import numpy as np

from mosslite.lab.functions import (
    Lexeme,
    lexemes_of,
    line_offsets,
    masked,
    parsed,
    reorder_functions,
    replaced,
    shared_names,
)
from mosslite.languages import Language

# Statements that leave or depend on their function, so that they cannot be moved.
_LEAVES = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_FEWEST_STATEMENTS = 4


def _split_functions(text: str, language: Language, random: np.random.Generator) -> str:
    """Move the first half of functions' statements into functions of their own."""
    module = parsed(text) if language.name == "python" else None
    for node in reversed(module.body if module else []):
        if isinstance(node, ast.FunctionDef):
            text = _split(text, node)
    return text


def _merge_functions(text: str, language: Language, random: np.random.Generator) -> str:
    """Merge two consecutive functions; the first argument of the result selects one."""
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
    """Return the names that the second half needs from the first; None if it cannot be split."""
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
    """Return the calls of two functions; None if they are recursive or used otherwise."""
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
    return _names_bound(statements, ast.Store) | _names_bound(statements, ast.Del)


def _loaded(statements: Iterable[ast.AST]) -> set[str]:
    return _names_bound(statements, ast.Load)


def _names_bound(statements: Iterable[ast.AST], use: type[ast.expr_context]) -> set[str]:
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


_Disguise = Callable[[str, Language, np.random.Generator], str]

_SYLLABLES: Final = (
    *("ba", "du", "fe", "go", "ki", "lo", "mu"),
    *("na", "po", "ri", "su", "ta", "ve", "zo"),
)
# Names with a meaning outside of the program.
_KNOWN: Final = frozenset({"main", "self", "this", "cls", "super", "args", "argv", "argc"})

# Single-line statements that may be followed by another.
_SIMPLE: Final = {
    "python": re.compile(
        r"^([ \t]+)(?!(?:return|raise|break|continue|pass|yield)\b)"
        r"[A-Za-z_][\w.]*(?:\(| *[-+*/]?= ).*$"
    ),
    "": re.compile(
        r"^([ \t]+)(?!(?:return|throw|break|continue|goto|case|default)\b)[A-Za-z_].*;\s*$"
    ),
}
_ASSIGNMENT: Final = {
    "python": re.compile(r"^([ \t]*)([A-Za-z_]\w*) = [^(){}\[]*$"),
    "": re.compile(r"^([ \t]*)(?:[A-Za-z_][\w<>\[\]]* +)?([A-Za-z_]\w*) *= *[^(){}=]*;\s*$"),
}
_BLOCK_ENDS: Final = re.compile(r"^\s*(else|elif|except|finally|catch|while)\b|^\s*[)\]},.]")
_CONTINUES: Final = re.compile(r"[,(\[\\+\-*/|&=?:]\s*$|\belse\s*$|\)\s*$")
_EVERY: Final = 4


def verbatim(text: str, language: Language, random: np.random.Generator) -> str:
    """Copy without changes."""
    return text


def _rename(text: str, language: Language, random: np.random.Generator) -> str:
    """Rename the program's own names consistently."""
    names = dict.fromkeys(each.text for each in lexemes_of(text, language) if each.kind == "name")
    known = _KNOWN | shared_names(masked(text, language))
    own = [name for name in names if name not in known]
    fresh = {name: _word(random, number) for number, name in enumerate(own)}
    return replaced(
        text, language, lambda each: fresh.get(each.text) if each.kind == "name" else None
    )


def change_literals(text: str, language: Language, random: np.random.Generator) -> str:
    """Change integers and the letters in strings."""
    step = int(random.integers(1, 9))
    return replaced(text, language, lambda each: _other_literal(each, step))


def insert_dead_code(text: str, language: Language, random: np.random.Generator) -> str:
    """Insert statements without effect after some of the statements."""
    lines, code = text.split("\n"), masked(text, language).split("\n")
    margins = dict(_margins(code, language))
    kept = []
    for number, line in enumerate(lines):
        kept.append(line)
        if number in margins and random.integers(_EVERY) == 0:
            kept.append(margins[number] + _nothing(language, _word(random, number)))
    return "\n".join(kept)


def reorder_statements(text: str, language: Language, random: np.random.Generator) -> str:
    """Swap adjacent assignments that have no name in common."""
    lines, code = text.split("\n"), masked(text, language).split("\n")
    pattern = _ASSIGNMENT.get(language.name, _ASSIGNMENT[""])
    number = 0
    while number + 1 < len(lines):
        left, right = pattern.match(code[number]), pattern.match(code[number + 1])
        is_free = left and right and left.group(1) == right.group(1)
        if is_free and _names(code[number]).isdisjoint(_names(code[number + 1])):
            lines[number : number + 2] = lines[number + 1], lines[number]
            number += 1
        number += 1
    return "\n".join(lines)


def everything(text: str, language: Language, random: np.random.Generator) -> str:
    """Apply all disguises, one after the other."""
    for disguise in _ALONE.values():
        text = disguise(text, language, random)
    return text


def _word(random: np.random.Generator, number: int) -> str:
    syllables = random.choice(_SYLLABLES, 3).tolist()
    return f"{''.join(syllables)}{number}"


def _other_literal(each: Lexeme, step: int) -> str | None:
    if each.kind == "number" and each.text.isdecimal() and not each.text.startswith("0"):
        return str(int(each.text) + step)
    if each.kind == "string" and not re.search(r"[\\%{}$]", each.text):
        return re.sub(r"(?<=\w)[a-z](?=\w)", lambda found: _later(found.group(), step), each.text)
    return None


def _later(letter: str, step: int) -> str:
    return chr((ord(letter) - ord("a") + step) % 26 + ord("a"))


def _margins(code: Sequence[str], language: Language) -> Iterator[tuple[int, str]]:
    """Yield the lines after which a statement can be inserted, with their indentation.

    Such a line is a complete statement outside of brackets, is not the body of a condition without
    braces, and is not followed by the continuation of a block.
    """
    is_python = language.name == "python"
    pattern = _SIMPLE.get(language.name, _SIMPLE[""])
    depth, before = 0, ""
    for number, line in enumerate(code):
        depth += sum(map(line.count, "([")) - sum(map(line.count, ")]"))
        if not line.strip():
            continue
        behind = next((each for each in code[number + 1 :] if each.strip()), "")
        goes_on = _CONTINUES.search(line) and is_python and not line.rstrip().endswith(")")
        is_governed = _CONTINUES.search(before) and not (is_python and before.endswith((":", ")")))
        is_last = _BLOCK_ENDS.match(behind) and not behind.lstrip().startswith("}")
        match = pattern.match(line)
        if match and not (depth or goes_on or is_governed or is_last):
            yield number, match.group(1)
        before = line.rstrip()


def _nothing(language: Language, name: str) -> str:
    if language.name in {"python", "ruby", "julia"}:
        return f"{name} = 1"
    if language.name in {"javascript", "typescript"}:
        return f"var {name} = 1;"
    if language.name == "php":
        return f"${name} = 1;"
    return f"int {name} = 1;"


def _names(line: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", line))


_ALONE: Final[Mapping[str, _Disguise]] = {
    "rename": _rename,
    "change literals": change_literals,
    "reorder statements": reorder_statements,
    "reorder functions": reorder_functions,
    "insert dead code": insert_dead_code,
    "split functions": _split_functions,
    "merge functions": _merge_functions,
}

DISGUISES: Final[Mapping[str, _Disguise]] = {
    "verbatim": verbatim,
    **_ALONE,
    "all of these": everything,
}
