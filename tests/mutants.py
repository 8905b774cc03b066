"""Small changes to real programs, most of which change what they do.

What two programs have in common is judged by Python's own parser, and by a small tokenizer for C,
not by the project's front-ends.
"""

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

# --- Python --------------------------------------------------------------------------------------


def functions_in(text: str) -> list[str]:
    """Return the text of each function of a module, outside of others, in its own layout."""
    tree, lines = ast.parse(text), text.splitlines(keepends=True)
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    owners: list[ast.Module | ast.ClassDef] = [tree, *classes]
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [each for owner in owners for each in owner.body if isinstance(each, kinds)]
    return [
        textwrap.dedent("".join(lines[_first_line(each) - 1 : each.end_lineno])) for each in found
    ]


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min(node.lineno, *(each.lineno for each in node.decorator_list), node.lineno)


def python_shape(text: str) -> str | None:
    """Return a program's tree but for what is free in it; None if it is no valid program."""
    try:
        compile(text, "", "exec")
        tree = _WithoutFreeParts().visit(ast.parse(text))
    except (SyntaxError, ValueError):
        return None
    return _NAMES.sub(r"\1a", ast.dump(tree))


_NAMES: Final = re.compile(r"(\b(?:id|attr|arg|name|asname|rest)=)'(?!<)[^']*'")
_TEXT: Final = ast.Name("<text>")


def _is_of_names(annotation: ast.AST | None) -> bool:
    return all(isinstance(each, _OF_NAMES) for each in ast.walk(annotation or ast.Load()))


_OF_NAMES: Final = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.List, ast.Tuple),
    *(ast.BinOp, ast.BitOr, ast.expr_context),
)


class _WithoutFreeParts(ast.NodeTransformer):
    """Takes out imports, strings as statements, literals, and annotations that run no code."""

    _owner: ast.AST | None = None

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._within(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        if not node.decorator_list:
            arguments = [each for each in ast.walk(node.args) if isinstance(each, ast.arg)]
            for each in arguments:
                each.annotation = None if _is_of_names(each.annotation) else each.annotation
            node.returns = None if _is_of_names(node.returns) else node.returns
        return self._within(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _within(self, node: ast.AST) -> ast.AST:
        owner, self._owner = self._owner, node
        self.generic_visit(node)
        self._owner = owner
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        is_field = isinstance(self._owner, ast.ClassDef)
        new: ast.AST = node
        if node.value and not is_field and _is_of_names(node.annotation):
            new = ast.Assign([node.target], node.value, lineno=0)
        self.generic_visit(new)
        return new

    def visit_Import(self, _: ast.Import) -> None: ...

    def visit_ImportFrom(self, _: ast.ImportFrom) -> None: ...

    def visit_Global(self, node: ast.Global) -> ast.Global:
        return ast.Global(["a" for _ in node.names])

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.Nonlocal:
        return ast.Nonlocal(["a" for _ in node.names])

    def visit_Constant(self, node: ast.Constant) -> ast.Name:
        if isinstance(node.value, (str, bytes)):
            return _TEXT
        is_number = type(node.value) in (int, float, complex)
        return ast.Name("<number>" if is_number else f"<{node.value}>")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        node.values = [each for each in node.values if each is not _TEXT]
        return node if node.values else _TEXT

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        self.generic_visit(node)
        return None if node.value is _TEXT else node


_IN_PYTHON: Final = re.compile(
    r"""(?P<gap>[ \t]+|\#[^\n]*)|(?P<line>\n[ ]*)
    |(?P<string>[rbfRBF]{0,2}(?:\"{3}.*?\"{3}|'{3}.*?'{3}|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"))
    |(?P<name>[A-Za-z_]\w*)|(?P<number>\d[\w.]*)
    |(?P<sign>\*\*=|//=|>>=|<<=|->|:=|[-+*/%&|^<>=!@]=|\*\*|//|<<|>>|\.\.\.|.)""",
    re.DOTALL | re.VERBOSE,
)
_GROUPS_IN_PYTHON: Final = (
    "+ - * / // % ** & | ^ << >> @",
    "< <= > >= == != is in not",
    "= += -= *= /= //= %= **= &= |= ^= := ==",
    "and or",
    "if elif while for with else try finally except",
    "return yield raise await del assert global nonlocal",
    "break continue pass",
    "True False None ...",
    "def class async lambda",
    "( ) [ ] { }",
    ", : . ;",
)
_INSERTED_IN_PYTHON: Final = (
    *(f"{word} " for group in _GROUPS_IN_PYTHON for word in group.split()),
    *("yield from ", "global x; ", "nonlocal x; ", "x: int = ", "x: int\n", "import os; ", "@x\n"),
    *(": a[b]", " -> a", ": a()", ": x = 1", "@a\n    def f(x: y): z\n", "lambda x, y: z"),
    *(
        "async for x in y: ",
        "x if y else ",
        "lambda: ",
        "b",
        "f",
        "r",
        "!r",
        ":>3",
        "=",
        "'x'",
        "\n",
    ),
    *("\n    ", "; ", "\\\n", " for x in y", "if x: ", "while x: ", "class A: ", "def f(): "),
)


def python_token_mutant(text: str, rng: Random) -> str:
    """Return a text in which some tokens, or the indentation of some lines, was changed."""
    return _token_mutant(text, rng, _IN_PYTHON, _GROUPS_IN_PYTHON, _INSERTED_IN_PYTHON)


def _token_mutant(
    text: str,
    rng: Random,
    pattern: re.Pattern[str],
    groups: Sequence[str],
    inserted: Sequence[str],
) -> str:
    tokens = [(each.lastgroup, each[0]) for each in pattern.finditer(text)]
    values = [value for _, value in tokens]
    solid = [at for at, (kind, _) in enumerate(tokens) if kind not in ("gap", "line")]
    lines = [at for at, (kind, _) in enumerate(tokens) if kind == "line"] or solid
    nth = rng.randrange(len(solid))
    at, other = solid[nth], solid[min(nth + rng.randrange(1, 4), len(solid) - 1)]
    change = rng.randrange(8)
    if change <= 1:  # another of its kind
        kinds = [group.split() for group in groups if values[at] in group.split()]
        values[at] = rng.choice(kinds[0]) if kinds else ""
    elif change == 2:
        values[at] = rng.choice(["", values[at] * 2, values[rng.choice(solid)]])
    elif change == 3:
        values[at] = rng.choice(inserted) + values[at]
    elif change == 4:
        values[at], values[other] = values[other], values[at]
    elif change == 5:  # brackets
        values[at], values[other] = f"({values[at]}", f"{values[other]})"
    elif change == 6:  # whole lines
        first = rng.randrange(len(lines))
        one, two, three = ([*lines, len(values)][min(first + n, len(lines))] for n in range(3))
        mixed = (values[two:three] + values[one:two], values[two:three], values[one:two] * 2)
        values[one:three] = rng.choice(mixed)
    else:  # indentation, or what is on a line of its own
        first, shift = rng.randrange(len(lines)), rng.choice((-8, -4, 4))
        for line in lines[first : first + rng.randrange(1, 6)]:
            values[line] = "\n" + " " * max(0, len(values[line]) - 1 + shift)
        if rng.random() < 0.3:
            values[lines[first]] = rng.choice([" ", "; ", f"\n{rng.choice(inserted)}\n"])
    return "".join(values)


# --- C -------------------------------------------------------------------------------------------

TOKENS_OF_C: Final = re.compile(
    r"""(?P<include>(?:^|(?<=\*/))[ \t]*\#[ \t]*include[^\n]*)
    |(?P<directive>(?:^|(?<=\*/))[ \t]*\#[ \t]*\w+)
    |(?P<gap>(?:[ \t\f]|\\\n)+|/\*.*?\*/|//[^\n]*)|(?P<line>\n)
    |(?P<string>[LuU]?"(?:\\.|[^"\\])*"|[LuU]?'(?:\\.|[^'\\])*')
    |(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
    |(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|\#\#|[-+*/%&|^<>=!]=|&&|\|\||.)""",
    re.DOTALL | re.VERBOSE | re.MULTILINE,
)
_RESERVED: Final = """
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while _Alignas _Alignof _Atomic _Bool _Complex _Generic _Noreturn
    _Static_assert _Thread_local
"""
_KEYWORDS: Final = frozenset(_RESERVED.split())
_GROUPS_IN_C: Final = (
    "+ - * / % & | ^ << >>",
    "< <= > >= == !=",
    "= += -= *= /= %= &= |= == <<=",
    "&& || & |",
    "++ -- + -",
    "-> . ,",
    "! ~ - + *",
    "if while for switch do else",
    "break continue return goto",
    "case default goto",
    "static const extern register volatile inline _Atomic _Thread_local",
    "int long short char float double unsigned signed void _Bool",
    "struct union enum typedef",
    "( ) [ ] { }",
    "; , :",
    "#if #ifdef #ifndef #elif #else #endif #undef #define #pragma",
)
_TESTS: Final = (
    "#if A",
    "#if !A",
    "#ifdef A",
    "#ifndef A",
    "#if A > 2",
    "#if defined A && B",
    "#if 1",
)
_INSERTED_IN_C: Final = (
    *(f"{word} " for group in _GROUPS_IN_C[:-1] for word in group.split()),
    *(
        f"({word})"
        for word in ["int", "unsigned", "char", "long", "float", "void", "short", "double"]
    ),
    *(
        f"\n{test}\n"
        for test in (*_TESTS, "#else", "#elif B", "#endif", "#undef A", "#pragma pack(1)")
    ),
    *(
        "\n#define A 1\n",
        "\n#define A(x) x\n",
        "\n#define A (x) x\n",
        "unsigned char ",
        "{;",
        "x: ",
    ),
    *(
        "0 ? 1 : ",
        "1 || ",
        "for (;;) ",
        "if (1) ",
        "while (0) ",
        "goto x; ",
        "L",
        '"s" ',
        "\\\n",
        "\n",
    ),
)


def c_shape(text: str) -> list[str]:
    """Return a program's tokens without names, literals, comments, layout and includes."""
    parts, is_directive = [""], False
    for found in TOKENS_OF_C.finditer(text):
        kind, value = found.lastgroup or "", found[0]
        if kind in ("gap", "include") or (kind == "line" and not is_directive):
            continue
        is_directive = kind != "line" and (is_directive or kind == "directive")
        is_free = kind in ("string", "number") or (kind == "name" and value not in _KEYWORDS)
        part = kind if is_free else "".join(value.split())
        if not part == parts[-1] == "string":
            parts.append(part or "line")
    return parts


_STATEMENTS: Final = "if|for|while|switch|return|sizeof"
_OTHERS: Final = "|".join(sorted(_KEYWORDS - {*_STATEMENTS.split("|")}))
# What no compiler takes: keywords as names, and operators that are torn apart.
_INVALID: Final = re.compile(
    rf"\b(?:struct|union|enum|goto)\s+(?:{_OTHERS})\b|\b(?:{_OTHERS})\s*\("
    rf"|\b(?:{_OTHERS})\s+(?:{_STATEMENTS})\b|[-+*/%&|^<>=!]\s+="
)


def may_be_c(text: str) -> bool:
    """Return whether a text is free of what is surely no C."""
    return not _INVALID.search(text)


def c_mutant(text: str, rng: Random) -> str:
    """Return a program in which some tokens, or lines, were changed, or made conditional."""
    lines = text.split("\n")
    if rng.randrange(6) or len(lines) < 5:
        return _token_mutant(text, rng, TOKENS_OF_C, _GROUPS_IN_C, _INSERTED_IN_C)
    first = rng.randrange(len(lines) - 4)
    lines.insert(first + rng.randrange(1, 4), "#endif")
    lines.insert(first, rng.choice(_TESTS))
    return "\n".join(lines)


class Function(NamedTuple):
    """A function of a program in C: its name, and where it is."""

    name: str
    start: int
    body: int
    stop: int


def functions_of_c(text: str) -> Iterator[Function]:
    """Yield the functions of a program."""
    depth, start, body, is_directive, solid = 0, 0, 0, False, list[str]()
    for token in TOKENS_OF_C.finditer(text):
        kind, value = token.lastgroup, token[0]
        is_directive = kind != "line" and (is_directive or kind == "directive")
        if kind in ("gap", "line", "include") or is_directive:
            continue
        start = start if solid else token.start()
        solid.append(value)
        if value == "{" and depth == 0:
            body = token.start()
        depth += (value == "{") - (value == "}")
        if depth == 0 and value in ("}", ";"):
            head = solid[: solid.index("{")] if value == "}" else []
            if "(" in head and "=" not in head:
                yield Function(head[head.index("(") - 1], start, body, token.end())
            if value == ";" or "(" in head:
                solid.clear()
