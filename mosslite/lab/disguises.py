"""Synthetic plagiarism: typical disguises of copied programs, by name."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from textwrap import indent
from typing import Final, NamedTuple

import numpy as np
from pygments.token import Comment, Name, Number, String

from mosslite.frontends.tokens import lex
from mosslite.languages import Language, lexer_of

_Disguise = Callable[[str, Language, np.random.Generator], str]


# Names and literals


class Lexeme(NamedTuple):
    """A ``name``, ``number``, ``string`` or ``comment``, with its position."""

    start: int
    text: str
    kind: str


_KINDS: Final = {tuple(Comment): "comment", tuple(String): "string", tuple(Number): "number"}
_NAMES: Final = tuple(map(tuple, (Name, Name.Function, Name.Class, Name.Other)))
_IMPORT: Final = re.compile(
    r"\s*(#|import\b|from\b|package\b|using\b|use\b|open\b|require\b|include\b)"
)
_WORD: Final = re.compile(r"\w+")
_MEMBER: Final = re.compile(r"(?:\.|->|::)\s*(\w+)")
_KEYWORD: Final = re.compile(r"[(,]\s*(\w+)=(?!=)")
_SYSTEM: Final = re.compile(r"\b__\w+")
_TYPE: Final = re.compile(r"\b[A-Z]\w*[a-z]\w*")
_DECLARED: Final = re.compile(r"\b(?:class|struct|enum|interface|record|union)\s+(\w+)")
# Names with a meaning outside of the program.
_KNOWN: Final = frozenset({"main", "self", "this", "cls", "super", "args", "argv", "argc"})
_SYLLABLES: Final = (
    *("ba", "du", "fe", "go", "ki", "lo", "mu"),
    *("na", "po", "ri", "su", "ta", "ve", "zo"),
)


def _lexemes_of(text: str, language: Language) -> Iterator[Lexeme]:
    """Yield names and literals that can be changed freely; no built-in names or imports."""
    for start, kind, value in lex(lexer_of(language), text):
        for family, name in _KINDS.items():
            if kind[: len(family)] == family:
                yield Lexeme(start, value, name)
        is_name = kind in _NAMES or kind[:2] == Name.Variable[:2]
        is_member = text[max(start - 1, 0) : start] in {".", ">", "@"}
        if is_name and not is_member and not _IMPORT.match(text, text.rfind("\n", 0, start) + 1):
            yield Lexeme(start, value, "name")


def _replaced(text: str, language: Language, change: Callable[[Lexeme], str | None]) -> str:
    """Replace the lexemes for which ``change`` returns a text."""
    parts, done = [], 0
    for each in _lexemes_of(text, language):
        other = change(each)
        if other is not None:
            parts += [text[done : each.start], other]
            done = each.start + len(each.text)
    return "".join([*parts, text[done:]])


def masked(text: str, language: Language) -> str:
    """Replace comments and strings by blanks of the same length."""

    def blanks(each: Lexeme) -> str | None:
        return re.sub(r"\S", " ", each.text) if each.kind in {"comment", "string"} else None

    return _replaced(text, language, blanks)


def verbatim(text: str, language: Language, random: np.random.Generator) -> str:
    """Copy without changes."""
    return text


def rename(text: str, language: Language, random: np.random.Generator) -> str:
    """Rename the program's own names consistently."""
    names = dict.fromkeys(each.text for each in _lexemes_of(text, language) if each.kind == "name")
    known = _KNOWN | _shared_names(masked(text, language))
    own = [name for name in names if name not in known]
    fresh = {name: _word(random, number) for number, name in enumerate(own)}
    return _replaced(
        text, language, lambda each: fresh.get(each.text) if each.kind == "name" else None
    )


def _shared_names(code: str) -> set[str]:
    """Return the names in masked code that are probably visible elsewhere, as imports are."""
    imported = (line for line in code.split("\n") if _IMPORT.match(line))
    names = {name for line in imported for name in _WORD.findall(line)}
    names.update(_MEMBER.findall(code), _KEYWORD.findall(code), _SYSTEM.findall(code))
    return names | (set(_TYPE.findall(code)) - set(_DECLARED.findall(code)))


def _word(random: np.random.Generator, number: int) -> str:
    return f"{''.join(random.choice(_SYLLABLES, 3).tolist())}{number}"


def change_literals(text: str, language: Language, random: np.random.Generator) -> str:
    """Change integers and the letters in strings."""
    step = int(random.integers(1, 9))

    def later(found: re.Match[str]) -> str:
        return chr((ord(found.group()) - ord("a") + step) % 26 + ord("a"))

    def other(each: Lexeme) -> str | None:
        if each.kind == "number" and each.text.isdecimal() and not each.text.startswith("0"):
            return str(int(each.text) + step)
        if each.kind == "string" and not re.search(r"[\\%{}$]", each.text):
            return re.sub(r"(?<=\w)[a-z](?=\w)", later, each.text)
        return None

    return _replaced(text, language, other)


# Statements, which are lines

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
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_EVERY: Final = 4
# A statement without effect.
_NOTHING: Final = {
    **dict.fromkeys(("python", "ruby", "julia"), "{} = 1"),
    **dict.fromkeys(("javascript", "typescript"), "var {} = 1;"),
    "php": "${} = 1;",
    "": "int {} = 1;",
}


def insert_dead_code(text: str, language: Language, random: np.random.Generator) -> str:
    """Insert statements without effect after some of the statements."""
    margins = dict(_margins(masked(text, language).split("\n"), language))
    nothing = _NOTHING.get(language.name, _NOTHING[""])
    kept = []
    for number, line in enumerate(text.split("\n")):
        kept.append(line)
        if number in margins and random.integers(_EVERY) == 0:
            kept.append(margins[number] + nothing.format(_word(random, number)))
    return "\n".join(kept)


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


def reorder_statements(text: str, language: Language, random: np.random.Generator) -> str:
    """Swap adjacent assignments that have no name in common."""
    lines, code = text.split("\n"), masked(text, language).split("\n")
    pattern = _ASSIGNMENT.get(language.name, _ASSIGNMENT[""])
    number = 0
    while number + 1 < len(lines):
        left, right = pattern.match(code[number]), pattern.match(code[number + 1])
        names = [set(_NAME.findall(line)) for line in code[number : number + 2]]
        if left and right and left[1] == right[1] and names[0].isdisjoint(names[1]):
            lines[number : number + 2] = lines[number + 1], lines[number]
            number += 1
        number += 1
    return "\n".join(lines)


# Functions change places

# Constructs with parentheses and a brace that are not functions.
_NO_FUNCTION: Final = re.compile(
    r"\s*(if|else|for|foreach|while|do|switch|catch|try|synchronized|using|lock|match|struct|class"
    r"|enum|interface|namespace|union|record)\b"
)
_BRACE_OR_END: Final = re.compile(r"[{};]")
# Preprocessor directives of C-like languages, with continuation lines.
_DIRECTIVE: Final = re.compile(
    r"^[ \t]*#[ \t]*(?:define|elif|else|endif|error|if|ifdef|ifndef|include|line|pragma|undef)\b"
    r"(?:.*\\\n)*.*",
    re.MULTILINE,
)


class _Span(NamedTuple):
    """The characters ``[start, stop)`` of a function, and the class or file that contains it."""

    start: int
    stop: int
    parent: int


def reorder_functions(text: str, language: Language, random: np.random.Generator) -> str:
    """Shuffle the functions of a file, and those of each class."""
    siblings = defaultdict(list)
    for span in _python_spans(text) if language.name == "python" else _brace_spans(text, language):
        siblings[span.parent].append(span)
    edits = []
    for family in siblings.values():
        order = random.permutation(len(family)).tolist()
        if order == sorted(order):
            order.reverse()
        texts = [text[family[index].start : family[index].stop] for index in order]
        edits += [(*place[:2], other) for place, other in zip(family, texts, strict=True)]
    return _edited(text, edits)


def _edited(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Replace ``text[start:stop]`` by another text, the last first."""
    for start, stop, other in sorted(edits, reverse=True):
        text = text[:start] + other + text[stop:]
    return text


def _python_spans(text: str) -> Iterator[_Span]:
    module, offsets = _parsed(text), _line_offsets(text)
    parents = [each for each in ast.walk(module) if isinstance(each, ast.Module | ast.ClassDef)]
    for number, parent in enumerate(parents):
        for node in parent.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                yield _Span(offsets[first] + node.col_offset, _end(node, offsets), number)


def _brace_spans(text: str, language: Language) -> Iterator[_Span]:
    """Yield top-level functions: braces after parentheses, up to the closing brace."""
    directives = [(*each.span(), " " * len(each[0])) for each in _DIRECTIVE.finditer(text)]
    code = _edited(masked(text, language), directives)
    head, inside = 0, 0
    blocks: list[tuple[int, int, bool]] = []  # start, brace, is it a function
    for match in _BRACE_OR_END.finditer(code):
        here = match.start()
        if match.group() == "{":
            begin = here - len(code[head:here].lstrip())
            is_function = not inside and _is_function(code[head:here])
            blocks.append((begin, here, is_function))
            inside += bool(inside or is_function)
        elif match.group() == "}" and blocks:
            begin, _, is_function = blocks.pop()
            if is_function:
                yield _Span(begin, here + 1, blocks[-1][1] if blocks else -1)
            inside -= bool(inside)
        head = here + 1


def _is_function(head: str) -> bool:
    has_parameters = 0 <= head.find("(") < head.rfind(")")
    return has_parameters and not _NO_FUNCTION.match(head) and "=" not in head


# Functions of Python are split and merged

# Statements that leave or depend on their function, so that they cannot be moved.
_TIED: Final = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal)
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_FEWEST_STATEMENTS: Final = 4
_NO_MODULE: Final = ast.Module([], [])


def _parsed(text: str) -> ast.Module:
    """Parse Python; nothing if it is invalid or not ASCII, as offsets would be in bytes."""
    try:
        return ast.parse(text) if text.isascii() else _NO_MODULE
    except (SyntaxError, ValueError, RecursionError):
        return _NO_MODULE


def _line_offsets(text: str) -> list[int]:
    """Return the start of each line, with line 1 at index 1."""
    return [0, 0, *(match.end() for match in re.finditer(r"\n", text)), len(text)]


def _end(node: ast.stmt, offsets: list[int]) -> int:
    return offsets[node.end_lineno or 0] + (node.end_col_offset or 0)


def _contain(statements: Iterable[ast.AST], *kinds: type[ast.AST]) -> bool:
    return any(isinstance(node, kinds) for each in statements for node in ast.walk(each))


def _names(statements: Iterable[ast.AST], *uses: type[ast.expr_context]) -> set[str]:
    """Return the names that are loaded, stored or deleted."""
    nodes = (node for each in statements for node in ast.walk(each))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, uses)}


def split_functions(text: str, language: Language, random: np.random.Generator) -> str:
    """Move the first half of functions' statements into functions of their own."""
    for node in reversed(_parsed(text).body if language.name == "python" else []):
        if isinstance(node, ast.FunctionDef):
            text = _split(text, node)
    return text


def _split(text: str, node: ast.FunctionDef) -> str:
    """Split one function, if its first half only computes names for its second."""
    body = node.body[ast.get_docstring(node) is not None :]
    first, second = body[: len(body) // 2], body[len(body) // 2 :]
    given = node.args
    some = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    parameters = {each.arg for each in some if each}
    needed = _names(first, ast.Store, ast.Del) & _names(second, ast.Load, ast.Store, ast.Del)
    assigned = [each for each in first if isinstance(each, ast.Assign)]
    lines = {each.lineno for each in body}
    if (
        len(body) < _FEWEST_STATEMENTS
        or node.decorator_list
        or _contain(first, ast.Return, *_TIED)
        or _contain(body, *_SCOPES)
        or len(lines) < len(body)
        or node.lineno in lines
        or not needed <= parameters | _names(assigned, ast.Store, ast.Del)
    ):
        return text
    offsets = _line_offsets(text)
    start, stop = offsets[first[0].lineno], offsets[second[0].lineno]
    margin, result = text[start : start + first[0].col_offset], ", ".join(sorted(needed))
    name = f"{node.name}_first_half"
    call = f"{name}({', '.join(sorted(parameters & _names(first, ast.Load)))})"
    helper = f"def {call}:\n{text[start:stop].rstrip()}\n"
    helper += f"{margin}return {result}\n\n\n" if result else "\n\n"
    begin = offsets[node.lineno]
    to_helper = f"{margin}{result} = {call}\n" if result else f"{margin}{call}\n"
    return text[:begin] + helper + text[begin:start] + to_helper + text[stop:]


def merge_functions(text: str, language: Language, random: np.random.Generator) -> str:
    """Merge two consecutive functions; the first argument of the result selects one."""
    module = _parsed(text) if language.name == "python" else _NO_MODULE
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    for left, right in pairwise([node for node in functions if _is_mergeable(node)]):
        calls = _calls(module, left, right)
        if calls is not None:
            return _merge(text, left, right, calls)
    return text


def _is_mergeable(node: ast.FunctionDef) -> bool:
    given = node.args
    has_more = given.posonlyargs or given.kwonlyargs or given.defaults or given.vararg
    is_long = any(
        isinstance(each, ast.Constant | ast.JoinedStr) and each.end_lineno != each.lineno
        for statement in node.body
        for each in ast.walk(statement)
    )
    is_tied = node.decorator_list or _contain(node.body, *_TIED, *_SCOPES)
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
    is_plain = len(uses) == len(calls) and not any(call.keywords for call, _ in calls)
    return calls if is_plain and not names & _names([left, right], ast.Load) else None


def _merge(
    text: str, left: ast.FunctionDef, right: ast.FunctionDef, calls: list[tuple[ast.Call, str]]
) -> str:
    offsets = _line_offsets(text)
    name = f"{left.name}_{right.name}"
    merged = f"def {name}(is_first, *given):"
    for word, node in (("if is_first", left), ("else", right)):
        start = offsets[node.body[0].lineno]
        margin = text[start : start + node.body[0].col_offset]
        names = ", ".join(each.arg for each in node.args.args)
        given = f"\n{margin * 2}({names},) = given" if names else ""
        body = indent(text[start : _end(node, offsets)], margin)
        merged += f"\n{margin}{word}:{given}\n{body}"
    edits = [
        (offsets[left.lineno], _end(left, offsets), merged),
        (offsets[right.lineno], _end(right, offsets), ""),
    ]
    for call, called in calls:
        start = offsets[call.lineno] + call.col_offset
        which = str(called == left.name) + (", " if call.args else "")
        edits.append((start, text.index("(", start) + 1, f"{name}({which}"))
    return _edited(text, edits)


_ALONE: Final[Mapping[str, _Disguise]] = {
    "rename": rename,
    "change literals": change_literals,
    "reorder statements": reorder_statements,
    "reorder functions": reorder_functions,
    "insert dead code": insert_dead_code,
    "split functions": split_functions,
    "merge functions": merge_functions,
}


def everything(text: str, language: Language, random: np.random.Generator) -> str:
    """Apply all disguises, one after the other."""
    for disguise in _ALONE.values():
        text = disguise(text, language, random)
    return text


DISGUISES: Final[Mapping[str, _Disguise]] = {
    "verbatim": verbatim,
    **_ALONE,
    "all of these": everything,
}
