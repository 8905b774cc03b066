"""What changes the meaning of a program never becomes the same symbols."""

import json.decoder
import textwrap
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mosslite
from mosslite.frontends import tokenize_all
from mosslite.languages import find_language
from tests.builders import LAW
from tests.mutants import (
    c_mutant,
    c_shape,
    functions_in,
    functions_of_c,
    may_be_c,
    python_changes,
    python_shape,
    python_token_mutant,
)
from tests.programs import write_files


def symbols_of(texts: list[str], language: str) -> list[tuple[int, ...]]:
    """Return the symbols of texts."""
    found = tokenize_all([(text, find_language(language)) for text in texts])
    return [tuple(each.stream.codes.tolist()) for each in found]


def clashes(texts: list[str], language: str) -> list[tuple[str, str]]:
    """Return texts whose symbols are those of another one that is another program."""
    shape_of = python_shape if language == "python" else c_shape
    first: dict[tuple[int, ...], str] = {}
    found = []
    for text, symbols in zip(texts, symbols_of(texts, language), strict=True):
        other = first.setdefault(symbols, text)
        if other != text and shape_of(other) != shape_of(text):
            found.append((other, text))
    return found


# --- real functions with one change --------------------------------------------------------------

SAMPLES = Path(__file__).parents[1] / "samples"
MODULES = (json.decoder, textwrap)
COUNTS = pytest.mark.parametrize("count", [1, pytest.param(40, marks=pytest.mark.slow)])


@COUNTS
def test_functions_of_python_that_differ_in_more_than_names_have_other_symbols(count: int) -> None:
    rng, found, tried = Random(count), list[tuple[str, str]](), 0  # noqa: S311
    for module in MODULES:
        for text in functions_in(Path(module.__file__ or "").read_text("utf-8")):
            changed = python_changes(text)
            mutants = [changed(rng) for _ in range(count)]
            mutants += [python_token_mutant(text, rng) for _ in range(count)]
            valid = [text, *(each for each in mutants if python_shape(each) is not None)]
            found += clashes(valid, "python")
            tried += len(valid) - 1

    assert not found
    assert tried > 20 * count


@COUNTS
def test_functions_of_c_that_differ_in_more_than_names_have_other_symbols(count: int) -> None:
    rng, found, tried = Random(count), list[tuple[str, str]](), 0  # noqa: S311
    for path in sorted(SAMPLES.glob("c/submissions/*/*.c")):
        program = path.read_text("utf-8")
        for function in functions_of_c(program):
            text = program[function.start : function.stop]
            mutants = [c_mutant(text, rng) for _ in range(3 * count)]
            valid = [text, *filter(may_be_c, mutants)]
            found += clashes(valid, "c")
            tried += len(valid) - 1

    assert not found
    assert tried > 20 * count


# --- programs made up ----------------------------------------------------------------------------

NAMES = st.sampled_from(["x", "y", "z", "2", "self.x", "a[0]", "f()", "f(())"])
OPERATORS = st.sampled_from(["+", "-", "*", "//", "%", "**", "<", "and", "or", "==", "if x else"])
EXPRESSIONS = st.recursive(
    NAMES,
    lambda inner: st.one_of(
        st.tuples(inner, OPERATORS, inner).map(" ".join),
        inner.map("({})".format),
        inner.map("-{}".format),
        inner.map("not {}".format),
        inner.map("({},)".format),
    ),
    max_leaves=4,
)
STATEMENTS = st.one_of(
    st.tuples(
        st.sampled_from(["x", "self.x"]), st.sampled_from(["=", "+=", "-=", "*="]), EXPRESSIONS
    ).map(" ".join),
    EXPRESSIONS,
    st.sampled_from(
        ["pass", "break", "return x", "x: int = 1", "x: int", "global x", "x = 'a' + 'b' * 2"]
    ),
    st.tuples(
        st.sampled_from(["if {}: x += 1", "while {}: x = x + 1", "for x in {}: pass"]), EXPRESSIONS
    ).map(lambda each: each[0].format(each[1])),
)
PROGRAMS = st.lists(STATEMENTS, min_size=1, max_size=4).map("\n".join)
IN_C = st.recursive(
    st.sampled_from(
        ["x", "y", "1", "x++", "++y", "--x", "y--", "&x", "*p", "p->x", "f((x))", "sizeof x"]
    ),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([*"+-*/%&|<=,", "&&", "+=", "-="]), inner).map(" ".join),
        inner.map("({})".format),
        inner.map("- {}".format),
        inner.map("!{}".format),
    ),
    max_leaves=5,
)
WRITTEN_IN_C = st.lists(
    st.one_of(
        IN_C.map("{};".format),
        IN_C.map("while ({}) x++;".format),
        IN_C.map("do x++; while ({});".format),
        IN_C.map("for (;{};) {{ }}".format),
        st.sampled_from([";", "{}", "int x;", "extern int x;", "unsigned int x;", "const int x;"]),
    ),
    min_size=1,
    max_size=4,
).map(" ".join)  # fmt: skip


def within(statements: str) -> str:
    """Put statements where all of them may stand."""
    return f"async def g():\n  while y:\n{textwrap.indent(statements, '    ')}"


def is_valid(text: str) -> bool:
    try:
        compile(text, "", "exec")
    except SyntaxError:
        return False
    return True


@LAW
@given(st.lists(PROGRAMS.map(within).filter(is_valid), min_size=2, max_size=20))
def test_programs_in_python_with_equal_symbols_differ_in_names_and_literals_alone(
    programs: list[str],
) -> None:
    assert clashes(programs, "python") == []


@LAW
@given(st.lists(WRITTEN_IN_C, min_size=2, max_size=20))
def test_programs_in_c_with_equal_symbols_differ_in_names_and_literals_alone(
    programs: list[str],
) -> None:
    assert clashes([f"int g() {{ {program} }}" for program in programs], "c") == []


# --- two ways to write almost the same -----------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("python", "x = x * y + z", "x *= y + z"),
        ("python", "x = x - 1 - y", "x -= 1 - y"),
        ("python", "x += 1\n+y", "x ++ y"),
        ("python", "self.x = y", "x = y"),
        ("python", "f(())", "f()"),
        ("python", 'f(\n"""a"""\n)', "f()"),
        ("python", "def f(x: y()): z", "def f(x): z"),
        ("python", "@g\ndef f(x: int): y", "@g\ndef f(x): y"),
        ("python", "if a:\n  x()\n  y()", "if a:\n  x()\ny()"),
        ("python", "if a:\n  if b:\n    x()\n  y()", "if a:\n  if b:\n    x()\ny()"),
        ("python", "class A:\n  x: int = 1", "class A:\n  x = 1"),
        ("python", "if x:\n  y\n  z", "if x:\n  y\nz"),
        ("python", "def f():\n  'a'\ny", "def f():\n  'a'\n  y"),
        ("python", "x = y\n(z)", "x = y(z)"),
        ("python", "x = y\n-z", "x = y - z"),
        ("python", "return\nx", "return x"),
        ("python", "x = 'a'\n'b'.f()", "x = 'a' 'b'.f()"),
        ("python", "f'{x!r}'", "f'{x}'"),
        ("python", "f'{x:3}'", "f'{x}'"),
        ("python", "f'{x=}'", "f'{x}'"),
        ("c", "int x;", "long x;"),
        ("c", "(unsigned) x", "(int) x"),
        ("c", "_Atomic int x;", "x int x;"),
        ("c", "#if A\nf();\n#endif", "f();"),
        ("c", "#ifdef A\nf();\n#endif", "#ifndef A\nf();\n#endif"),
        ("c", "#if A\nf();\n#endif", "#if !A\nf();\n#endif"),
        ("c", "#if A\n-x;\n#endif", "#if A - x\n;\n#endif"),
        ("c", "#define A(x) x\n", "#define A (x) x\n"),
        ("c", "#define A x\n", "#define A(x)\n"),
        ("c", "#define A\nx", "#define A x\n"),
        ("c", "#undef A\nf();", "f();"),
        ("c", "#pragma pack(1)\nf();", "f();"),
        ("java", "int x;", "long x;"),
        ("go", "var x int8", "var x uint8"),
        ("rust", "let x: u8;", "let x: i8;"),
        ("splus", "a<-b", "a < -b"),
        ("splus", "x <- y\n(z)", "x <- y(z)"),
        ("ocaml", "a<-b", "a < -b"),
        ("bash", 'cp "a" "b"', 'cp "a"'),
        ("bash", "a\nb", "a b"),
        ("common-lisp", '(f "a" "b")', '(f "a")'),
        ("javascript", "return\nx", "return x"),
        ("javascript", "a\n++b", "a++\nb"),
        ("javascript", "a\n--this.b", "a--\nthis.b"),
        ("ruby", "x = y\n[z]", "x = y[z]"),
        ("haskell", "f = do\n  a\n  where b", "f = do\n  a\nwhere b"),
        ("python", "x = y * 1", "x = y"),
        ("python", "x = 3 * 'a' + 'b'", "x = 3 * 'ab'"),
        ("python", "@property\ndef f(x): y", "def f(x): y"),
        ("python", "__all__ = ['a']\nf(x)", "f(x)"),
        ("python", "def f():\n  x: int\n  return x", "def f():\n  x\n  return x"),
        ("c", "f(++x);", "f(x++);"),
        ("c", "y = x += 1;", "y = x++;"),
        ("c", "do (x); while (y);", "while (x); while (y);"),
        ("c", "unsigned int x;", "int x;"),
        ("c", "{ extern int x; }", "{ int x; }"),
        ("c", "x = a - --b;", "x = a-- - b;"),
        ("c", "enum A { B }; b = 1;", "enum A { B } b = 1;"),
        ("cpp", "decltype(auto) f() { return (x); }", "decltype(auto) f() { return x; }"),
        ("cpp", "virtual void f();", "void f();"),
        ("java", "this.x = x;", "x = x;"),
        ("java", "x = 'a' + 'b';", "x = 'ab';"),
        ("java", "final int x = 1;", "int x = 1;"),
        ("javascript", "for (let i of x) { }", "for (var i of x) { }"),
        ("javascript", "{ const x = 1; }", "{ x = 1; }"),
        ("javascript", "const A = 1; f(x);", "f(x);"),
        ("php", "<?php const A = 1; f($x);", "<?php f($x);"),
        ("swift", "let limit = 5\nf(x)", "f(x)"),
        ("ruby", "f(x) while y", "f(x) until y"),
        ("bash", "until x; do y; done", "while x; do y; done"),
        ("lua", "return (f())", "return f()"),
        ("fortran", "x .lt. y", "x .gt. y"),
        ("fortran", "x = a .AND. b", "x = a .OR. b"),
        ("fortran", "if (x.eq.1.and.y) z", "if (x.eq.1.or.y) z"),
        ("fortranfixed", "      if (x .lt. y) z", "      if (x .gt. y) z"),
        ("java", "a.class.f();", "a.b.f();"),
        ("java", "a.super.f();", "a.this.f();"),
        ("perl", "$#x", "$x"),
        ("perl", "@$x", "$x"),
        ("perl", "$$x", "$x"),
        ("php", "<?php $$x = 1;", "<?php $x = 1;"),
        ("bash", "echo ${#x}", "echo ${x}"),
        ("bash", "echo $#", "echo $?"),
        ("awk", "BEGIN { x }", "END { x }"),
        ("awk", "print NR", "print NF"),
        ("tcl", "if {$x eq $y} {z}", "if {$x ne $y} {z}"),
        ("csharp", '$"a{f(x)}b"', '$"a{g(x, y)}b"'),
        ("csharp", '$@"a{f(x)}b"', '@"a{f(x)}b"'),
        ("csharp", '$"""a{f(x)}b"""', '"""a{f(x)}b"""'),
        ("go", "type A struct {\nB\nC\n}", "type A struct {\nB C\n}"),
        ("ruby", "puts\nx", "puts x"),
        ("octave", "hold\non", "hold on"),
    ],
)
def test_programs_that_mean_something_else_have_other_symbols(
    language: str, left: str, right: str
) -> None:
    one, other = symbols_of([left, right], language)

    assert one != other


# Words that are names elsewhere.
@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("ada", "procedure F (X : %s Integer) is begin null; end F;", "in out access"),
        ("coffeescript", "f = (x) %s x", "-> =>"),
        ("coffeescript", "f = (%s) -> x", "x x,y"),
        ("csharp", "class A { int P { %s { return x; } } }", "get set init"),
        ("csharp", "class A { int P { get; %s; } }", "set init"),
        ("csharp", "event A E { %s { f(); } }", "add remove"),
        ("csharp", "var q = from a in b orderby a.c %s select a;", "ascending descending"),
        ("dart", "class A { int %s x => 1; }", "get set"),
        ("dart", "f() %s* { yield 1; }", "sync async"),
        ("fortran", "integer, intent(%s) :: a", "in out inout"),
        ("fortran", "INTEGER, INTENT ( %s ) :: A", "IN OUT"),
        ("javascript", "class A { %s x() { return 1; } }", "get set async"),
        ("javascript", "x = { %s y(z) { f(z) } }", "get set async"),
        ("kotlin", "%s class A(val x: Int)", "annotation data enum inner"),
        ("kotlin", "fun f(%s g: () -> Unit) = g()", "crossinline noinline"),
        ("kotlin", "var x = 1\n  %s() = field", "get set"),
        ("kotlin", "x = a %s b", "and downTo or shl shr until ushr xor"),
        ("perl", "f() if -%s $x;", "d e f l r s w x z"),
        ("perl", "%s $x = 1;", "local state my our"),
        ("perl", "$x = $y %s $z;", "<=> // || x xor"),
        ("powershell", "[%s]$x = f", "int string double"),
        ("solidity", "uint %s x;", "constant immutable"),
        ("solidity", "function f(string %s x) {}", "calldata memory storage"),
        ("solidity", "function f() external %s {}", "payable pure view virtual"),
        ("sql", "create table a (b int references c on delete %s);", "cascade restrict"),
        ("sql", "select a from b order by c nulls %s;", "first last"),
        ("sql", "f() over (order by a rows 1 %s)", "following preceding"),
        ("sql", "f() over (order by a %s between 1 and 2)", "groups range rows"),
        ("sql", "create trigger a %s insert on b", "after before"),
        ("sql", "select a from b group by %s (c, d)", "cube rollup"),
        ("sql", "select trim(%s from a) from b", "both leading trailing"),
        ("sql", "select %s(a) from b", "avg count max min sum"),
        ("swift", "var x: Int { %s { f() } }", "get set"),
        ("swift", "protocol A { var x: Int { get %s } }", "get set"),
    ],
)
def test_words_that_mean_something_else_are_other_symbols(
    language: str, text: str, words: str
) -> None:
    found = symbols_of([text % word for word in words.split()], language)

    assert len({*found}) == len(words.split())


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("csharp", "int %s = x.%s(get, set); f(%s);", "value add get descending"),
        ("dart", "var %s = x; f(%s);", "y async get set"),
        ("fortran", "x = %s(in)", "y f"),
        ("javascript", "%s = x.%s(y); f(%s);", "z async get set"),
        ("kotlin", "val %s = x.%s(y); f(%s)", "z data enum get until"),
        ("perl", "$y = $z -%s;", "e d"),
        ("sql", "select a.%s from b where %s = 1 order by %s", "c first last range rows count max"),
        ("swift", "let %s = x.%s(y); f(%s)", "z get set"),
    ],
)
def test_names_that_are_words_elsewhere_are_names(language: str, text: str, words: str) -> None:
    found = symbols_of([text.replace("%s", word) for word in words.split()], language)

    assert len({*found}) == 1


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("x = x * y + z", "x *= y + z"),
        ("x = x - 1 - y", "x -= 1 - y"),
        ("x = y", "x = y * 1"),
    ],
)
@pytest.mark.parametrize("imports", ["import os\n", ""])
def test_programs_that_print_something_else_never_score_one(
    imports: str, left: str, right: str, tmp_path: Path
) -> None:
    around = (
        "def f(x, y, z):\n    for i in range(9):\n        print(i, x)\n        %s\n    return x\n"
    )
    texts = {"a.py": imports + around % left, "b.py": around % right}
    write_files(tmp_path, texts)

    found = mosslite.check([str(tmp_path / name) for name in texts])

    assert [pair.score < 1 for pair in found.pairs] == [True]


def test_programs_with_other_imports_never_score_one(tmp_path: Path) -> None:
    code = "for x in range(-9, 9):\n    y = g(x / 2)\n    print(x, y, y * x, y + x, sep=';')\n"
    texts = {f"{name}.py": f"from math import {name} as g\n{code}" for name in ("floor", "ceil")}
    write_files(tmp_path, texts)

    found = mosslite.check([str(tmp_path / name) for name in texts])

    assert [pair.score < 1 for pair in found.pairs] == [True]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("csharp", "class A { int P { get { return x; } private set { f(); } } }"),
        ("csharp", "var q = from a in b orderby a.c descending select a;"),
        ("javascript", "class A { get x() { return 1; } async y() {} }"),
        ("kotlin", "data class A(val x: Int) { val y = x until z }"),
        ("perl", "$x = $y x 3;"),
        ("sql", "select a from b order by c nulls last"),
        ("sql", "f() over (order by a rows 1 following)"),
        ("swift", "protocol A { var x: Int { get set } }"),
    ],
)
def test_words_mean_the_same_whatever_the_blanks_around_them(language: str, text: str) -> None:
    one, other = symbols_of([text, text.replace(" ", "   ")], language)

    assert one == other
