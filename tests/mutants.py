"""Small changes to real programs, most of which change what they print, and their execution.

What two programs have in common is judged by Python's own parser and tokenizer, and by a small
tokenizer for C, not by the project's front-ends.
"""

from __future__ import annotations

import ast
import copy
import io
import keyword
import re
import shutil
import signal
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from random import Random
    from types import FrameType

__all__ = [
    "c_mutant",
    "c_shape",
    "functions_in",
    "python_mutant",
    "python_shape",
    "run_c",
    "run_python",
]

_SECONDS: Final = 0.2
_OPERATORS: Final = (
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.FloorDiv,
    ast.Mod,
    ast.BitOr,
    ast.BitAnd,
    ast.Pow,
)
_COMPARISONS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.In)
_LAYOUT: Final = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENDMARKER, tokenize.ENCODING),
}


# --- Python --------------------------------------------------------------------------------------


def functions_in(text: str) -> list[str]:
    """Return the text of each function of a module, outside of others, in its own layout."""
    tree = ast.parse(text)
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    owners: list[ast.Module | ast.ClassDef] = [tree, *classes]
    found = [each for owner in owners for each in owner.body if isinstance(each, ast.FunctionDef)]
    return [ast.unparse(each) for each in found]


def python_shape(text: str) -> list[str]:
    """Return a program's tokens without names, literals, comments, layout, imports, annotations."""
    bare = ast.unparse(_WithoutFreeParts().visit(ast.parse(text)))
    lexemes = tokenize.generate_tokens(io.StringIO(bare).readline)
    return [_python_part(each) for each in lexemes if each.type not in _LAYOUT]


def _python_part(lexeme: tokenize.TokenInfo) -> str:
    if lexeme.type == tokenize.NAME and not keyword.iskeyword(lexeme.string):
        return "name"
    literals = {tokenize.NUMBER: "number", tokenize.STRING: "string"}
    return literals.get(lexeme.type, lexeme.string)


class _WithoutFreeParts(ast.NodeTransformer):
    """Takes out imports, annotations and strings as statements."""

    def visit_Import(self, _: ast.Import) -> None: ...

    def visit_ImportFrom(self, _: ast.ImportFrom) -> None: ...

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return node
        return self.generic_visit(ast.Assign([node.target], node.value, lineno=0))

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        is_string = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_string else self.generic_visit(node)


def python_mutant(text: str, rng: Random) -> str:
    """Return a program in which one thing was changed; often another thing than the first tried."""
    tree = ast.parse(text)
    places = [(node, change) for node in ast.walk(tree) for change in _changes_of(node)]
    rng.shuffle(places)
    for node, change in places:
        number = [*ast.walk(tree)].index(node)
        changed = copy.deepcopy(tree)
        change([*ast.walk(changed)][number], rng)
        try:
            new = ast.unparse(ast.parse(ast.unparse(changed)))
        except (SyntaxError, ValueError):
            continue
        if new != ast.unparse(tree):
            return new
    return text


def _changes_of(node: ast.AST) -> Iterator[Callable[[ast.AST, Random], None]]:
    for kinds, changes in _CHANGES:
        if isinstance(node, kinds):
            yield from changes
    for name in ("body", "orelse"):
        if isinstance(getattr(node, name, None), list):
            yield from (_dropping(name), _doubling(name), _swapping(name))


def _become(make: Callable[..., ast.AST]) -> Callable[[ast.AST, Random], None]:
    """Return a change of a node to another one, in its place."""

    def change(node: ast.AST, _: Random) -> None:
        new = make(copy.copy(node))
        node.__class__ = new.__class__
        node.__dict__ = {"lineno": 0, **new.__dict__}

    return change


def _other_operator(node: ast.AST, rng: Random) -> None:
    node.op = rng.choice(_OPERATORS)()  # type: ignore[attr-defined]


def _other_comparison(node: ast.AST, rng: Random) -> None:
    node.ops[0] = rng.choice(_COMPARISONS)()  # type: ignore[attr-defined]


def _other_junction(node: ast.AST, _: Random) -> None:
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()  # type: ignore[attr-defined]


def _swapped(node: ast.AST, _: Random) -> None:
    node.left, node.right = node.right, node.left  # type: ignore[attr-defined]


def _regrouped(node: ast.AST, _: Random) -> None:
    """Turn ``(a + b) - c`` into ``a + (b - c)``."""
    assert isinstance(node, ast.BinOp)
    if isinstance(left := node.left, ast.BinOp):
        node.left, node.op, node.right = (
            left.left,
            left.op,
            ast.BinOp(left.right, node.op, node.right),
        )


def _written_out(node: ast.AugAssign) -> ast.AST:
    """Turn ``x *= y + z`` into ``x = x * y + z``, which is something else."""
    sign = ast.unparse(node).removeprefix(ast.unparse(node.target)).split("=")[0]
    target = ast.unparse(node.target)
    return ast.parse(f"{target} = {target} {sign} {ast.unparse(node.value)}").body[0]


def _compound(node: ast.Assign) -> ast.AST:
    """Turn ``x = x * y + z`` into ``x *= y + z``, which is something else."""
    target, value = ast.unparse(node.targets[0]), ast.unparse(node.value)
    found = re.fullmatch(r"(\*\*|//|[-+*/%&|^])(.*)", value.removeprefix(target).strip(), re.DOTALL)
    return ast.parse(f"{target} {found[1]}= {found[2]}").body[0] if found else node


def _negative(node: ast.expr) -> ast.AST:
    return ast.UnaryOp(ast.USub(), node)


def _one_more(node: ast.expr) -> ast.AST:
    return ast.BinOp(node, ast.Add(), ast.Constant(1))


def _times_one(node: ast.expr) -> ast.AST:
    return ast.BinOp(node, ast.Mult(), ast.Constant(1))


def _tuple(node: ast.expr) -> ast.AST:
    return ast.Tuple([node], ast.Load())


def _with_empty_tuple(node: ast.AST, _: Random) -> None:
    node.args = [*node.args, ast.Tuple([], ast.Load())]  # type: ignore[attr-defined]


def _once(node: ast.While | ast.For) -> ast.AST:
    test = node.test if isinstance(node, ast.While) else node.iter
    return ast.If(test, node.body, node.orelse)


def _undecorated(node: ast.AST, _: Random) -> None:
    node.decorator_list = [] if node.decorator_list else [ast.Name("staticmethod")]  # type: ignore[attr-defined]


def _dropping(name: str) -> Callable[[ast.AST, Random], None]:
    def change(node: ast.AST, rng: Random) -> None:
        body = getattr(node, name)
        if len(body) > 1:
            del body[rng.randrange(len(body))]

    return change


def _doubling(name: str) -> Callable[[ast.AST, Random], None]:
    def change(node: ast.AST, rng: Random) -> None:
        if body := getattr(node, name):
            at = rng.randrange(len(body))
            body.insert(at, body[at])

    return change


def _swapping(name: str) -> Callable[[ast.AST, Random], None]:
    def change(node: ast.AST, rng: Random) -> None:
        body = getattr(node, name)
        if len(body) > 1:
            at = rng.randrange(len(body) - 1)
            body[at], body[at + 1] = body[at + 1], body[at]

    return change


_CHANGES: Final[
    Sequence[tuple[tuple[type[ast.AST], ...], Sequence[Callable[[ast.AST, Random], None]]]]
] = (
    ((ast.BinOp,), (_other_operator, _swapped, _regrouped)),
    ((ast.AugAssign,), (_other_operator, _become(_written_out))),
    ((ast.Assign,), (_become(_compound),)),
    ((ast.Compare,), (_other_comparison,)),
    ((ast.BoolOp,), (_other_junction,)),
    ((ast.UnaryOp,), (_become(lambda node: node.operand),)),
    ((ast.Attribute,), (_become(lambda node: ast.Name(node.attr)),)),
    (
        (ast.Name, ast.Constant, ast.Call),
        (_become(_negative), _become(_one_more), _become(_tuple), _become(_times_one)),
    ),
    ((ast.Call,), (_with_empty_tuple,)),
    ((ast.While, ast.For), (_become(_once),)),
    ((ast.Return,), (_become(lambda node: ast.Expr(node.value or ast.Constant(None))),)),
    ((ast.FunctionDef,), (_undecorated,)),
)


def run_python(text: str, around: dict[str, object], calls: Sequence[str]) -> list[str]:
    """Return what calls of functions in a text give, or how they fail."""
    names = dict(around)
    return [_outcome(lambda: exec(text, names)), *(_outcome(lambda: eval(c, names)) for c in calls)]  # noqa: B023, S102, S307 - called at once; a real function with one change


def _outcome(run: Callable[[], object]) -> str:
    try:
        return _within_time(run)
    except TimeoutError:  # it came while another error was handled
        return TimeoutError.__name__


if sys.platform != "win32":

    def _within_time(run: Callable[[], object]) -> str:
        before = signal.signal(signal.SIGALRM, _too_long)
        signal.setitimer(signal.ITIMER_REAL, _SECONDS)
        try:
            found = run()
            return repr(list(found) if isinstance(found, Iterator) else found)[:10_000]
        except BaseException as error:  # noqa: BLE001 - whatever it raises is how it fails
            return type(error).__name__
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _too_long(_: int, __: FrameType | None) -> None:
        raise TimeoutError

else:  # it has no alarms

    def _within_time(run: Callable[[], object]) -> str:
        raise OSError


# --- C -------------------------------------------------------------------------------------------

_IN_C: Final = re.compile(
    r"""(?P<gap>\s+|/\*.*?\*/|//[^\n]*|\#\s*include[^\n]*)|(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
    |(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||\S)""",
    re.DOTALL | re.VERBOSE,
)
_KEYWORDS: Final = frozenset(
    [
        "break",
        "case",
        "const",
        "continue",
        "default",
        "do",
        "else",
        "enum",
        "extern",
        "for",
        "goto",
        "if",
        "inline",
        "register",
        "return",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "volatile",
        "while",
    ]
)
_SWAPS: Final = {
    **dict.fromkeys(("+", "-", "*", "/", "%"), ("+", "-", "*", "/", "%")),
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), ("<", "<=", ">", ">=", "==", "!=")),
    **dict.fromkeys(("=", "+=", "-=", "*="), ("=", "+=", "-=", "*=")),
    "&&": ("||", "&"),
    "||": ("&&", "|"),
    "++": ("--",),
    "--": ("++",),
    "!": ("", "~", "!!"),
    "while": ("if",),
    "if": ("while",),
    "break": ("continue",),
    "continue": ("break",),
    ";": (";;", ""),
    "{": ("{;", "{{}"),
    "static": ("",),
    "const": ("", "static"),
    "else": ("",),
}


def c_shape(text: str) -> list[str]:
    """Return a program's tokens without names, literals, comments, layout and includes."""
    found = [(each.lastgroup or "", each[0]) for each in _IN_C.finditer(text)]
    parts = [_c_part(kind, value) for kind, value in found if kind != "gap"]
    return [b for a, b in pairwise(["", *parts]) if not a == b == "string"]


def _c_part(kind: str, value: str) -> str:
    is_free = kind in ("string", "number") or (kind == "name" and value not in _KEYWORDS)
    return kind if is_free else value


def c_mutant(text: str, rng: Random) -> str:
    """Return a program in which one token, or the order of a few, was changed."""
    tokens = [(each.lastgroup, each[0]) for each in _IN_C.finditer(text)]
    values = [value for _, value in tokens]
    solid = [at for at, (kind, _) in enumerate(tokens) if kind != "gap"]
    nth = rng.randrange(2, len(solid) - 2)
    at, before, behind = solid[nth], solid[nth - 1], solid[nth + 1]
    change = rng.randrange(6)
    if change <= 2 and values[at] in _SWAPS:
        values[at] = rng.choice(_SWAPS[values[at]])
    elif change == 3 and tokens[at][0] in ("name", "number"):
        values[at] = rng.choice(["({})", "-{}", "({} + 1)", "{} * 1", "{}++", "++{}"]).format(
            values[at]
        )
    elif change == 4:
        values[before], values[behind] = values[behind], values[before]
    else:
        statements = [n for n in solid if values[n] == ";"]
        first = rng.randrange(len(statements) - 2)
        one, two, three = (statements[first + n] + 1 for n in range(3))
        values[one:three] = rng.choice(
            [
                values[two:three],
                values[one:two] * 2 + values[two:three],
                values[two:three] + values[one:two],
            ]
        )
    return "".join(values)


def run_c(text: str, folder: Path, given: str) -> str | None:
    """Return what a program prints, and how it ends; None if it does not compile."""
    source, program = folder / "program.c", folder / "program"
    source.write_text(text, encoding="utf-8")
    flags = ["-w", "-O0", "-fwrapv", "-ftrivial-auto-var-init=zero"]
    if subprocess.run(
        [shutil.which("gcc") or "", *flags, source, "-o", program, "-lm"],
        capture_output=True,
        check=False,
    ).returncode:
        return None
    try:
        done = subprocess.run(
            [program],
            input=given,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=2,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "too long"
    return f"{done.stdout}{done.returncode}"
