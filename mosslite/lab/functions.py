"""Locates functions in a program, and masks comments and strings."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
from pygments.token import Comment, Name, Number, String, _TokenType

from mosslite.frontends.tokens import lex
from mosslite.languages import Language, lexer_of

_IMPORT = re.compile(r"\s*(#|import\b|from\b|package\b|using\b|use\b|open\b|require\b|include\b)")


class Lexeme(NamedTuple):
    """A name, number or string, with its position.

    Attributes:
        kind: ``name``, ``number``, ``string`` or ``comment``.
    """

    start: int
    text: str
    kind: str


_WORD: Final = re.compile(r"\w+")
_MEMBER: Final = re.compile(r"(?:\.|->|::)\s*(\w+)")
_KEYWORD: Final = re.compile(r"[(,]\s*(\w+)=(?!=)")
_SYSTEM: Final = re.compile(r"\b__\w+")
_TYPE: Final = re.compile(r"\b[A-Z]\w*[a-z]\w*")
_DECLARED: Final = re.compile(r"\b(?:class|struct|enum|interface|record|union)\s+(\w+)")

_KINDS: Final = {tuple(Comment): "comment", tuple(String): "string", tuple(Number): "number"}
_NAMES: Final = tuple(map(tuple, (Name, Name.Function, Name.Class, Name.Other)))


def lexemes_of(text: str, language: Language) -> Iterator[Lexeme]:
    """Yield names and literals that can be changed freely; no built-in names or imports."""
    for start, kind, value in lex(lexer_of(language), text):
        for family, name in _KINDS.items():
            if kind[: len(family)] == family:
                yield Lexeme(start, value, name)
        if _is_own_name(kind, text, start):
            yield Lexeme(start, value, "name")


def masked(text: str, language: Language) -> str:
    """Replace comments and strings by blanks of the same length."""
    return replaced(
        text,
        language,
        lambda each: re.sub(r"\S", " ", each.text) if each.kind in {"comment", "string"} else None,
    )


def shared_names(code: str) -> set[str]:
    """Return the names in masked code that are probably visible elsewhere.

    These are imports, members, keyword arguments, names of the system, and types not declared
    here.
    """
    imported = (line for line in code.split("\n") if _IMPORT.match(line))
    names = {name for line in imported for name in _WORD.findall(line)}
    names.update(_MEMBER.findall(code), _KEYWORD.findall(code), _SYSTEM.findall(code))
    return names | (set(_TYPE.findall(code)) - set(_DECLARED.findall(code)))


def replaced(text: str, language: Language, change: Callable[[Lexeme], str | None]) -> str:
    """Replace the lexemes for which ``change`` returns a text."""
    parts, done = [], 0
    for each in lexemes_of(text, language):
        other = change(each)
        if other is not None:
            parts += [text[done : each.start], other]
            done = each.start + len(each.text)
    return "".join([*parts, text[done:]])


def _is_own_name(kind: _TokenType, text: str, start: int) -> bool:
    is_name = kind in _NAMES or kind[:2] == Name.Variable[:2]
    begin = text.rfind("\n", 0, start) + 1
    is_member = text[max(start - 1, 0) : start] in {".", ">", "@"}
    return is_name and not is_member and not _IMPORT.match(text, begin)


# Constructs with parentheses and a brace that are not functions.
_NO_FUNCTION = re.compile(
    r"\s*(if|else|for|foreach|while|do|switch|catch|try|synchronized|using|lock|match|struct|class"
    r"|enum|interface|namespace|union|record)\b"
)
_BRACE_OR_END = re.compile(r"[{};]")


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
    spans = _python_spans(text) if language.name == "python" else _brace_spans(text, language)
    siblings = defaultdict(list)
    for span in spans:
        siblings[span.parent].append(span)
    moves = [
        (place, text[source.start : source.stop])
        for family in siblings.values()
        for place, source in zip(family, _shuffled(family, random), strict=True)
    ]
    for place, other in sorted(moves, reverse=True):
        text = text[: place.start] + other + text[place.stop :]
    return text


def parsed(text: str) -> ast.Module | None:
    """Parse Python; None if it is invalid or not ASCII, as offsets would be in bytes."""
    if not text.isascii():
        return None
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def line_offsets(text: str) -> list[int]:
    """Return the start of each line, with line 1 at index 1."""
    starts = [0, 0]
    starts += [match.end() for match in re.finditer(r"\n", text)]
    return [*starts, len(text)]


def _shuffled(family: list[_Span], random: np.random.Generator) -> list[_Span]:
    """Return another order; two elements are swapped."""
    order = random.permutation(len(family)).tolist()
    if order == sorted(order):
        order.reverse()
    return [family[index] for index in order]


def _python_spans(text: str) -> Iterator[_Span]:
    module, offsets = parsed(text), line_offsets(text)
    if module is None:
        return
    for number, parent in enumerate(
        node for node in ast.walk(module) if isinstance(node, ast.Module | ast.ClassDef)
    ):
        for node in parent.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                start = offsets[first] + node.col_offset
                stop = offsets[node.end_lineno or 0] + (node.end_col_offset or 0)
                yield _Span(start, stop, number)


def _brace_spans(text: str, language: Language) -> Iterator[_Span]:
    """Yield top-level functions: braces after parentheses, up to the closing brace."""
    code = masked(text, language)
    for directive in _DIRECTIVE.finditer(text):
        start, stop = directive.span()
        code = f"{code[:start]}{' ' * (stop - start)}{code[stop:]}"
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
