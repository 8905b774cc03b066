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
    python_shape,
    python_token_mutant,
)
from tests.programs import write_files
from tests.tables import table


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

SAMPLES = Path(__file__).parents[2] / "samples"
MODULES = (json.decoder, textwrap)
COUNTS = pytest.mark.parametrize("count", [1, pytest.param(40, marks=pytest.mark.slow)])


@COUNTS
def test_functions_of_python_that_differ_in_more_than_names_have_other_symbols(count: int) -> None:
    rng, found, tried = Random(count), list[tuple[str, str]](), 0  # noqa: S311
    for module in MODULES:
        for text in functions_in(Path(module.__file__ or "").read_text("utf-8")):
            mutants = [python_token_mutant(text, rng) for _ in range(6 * count)]
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


@table("language", "left", "right")
def test_programs_that_mean_something_else_have_other_symbols(
    language: str, left: str, right: str
) -> None:
    one, other = symbols_of([left, right], language)

    assert one != other


@table("language", "text", "other")
def test_the_same_program_has_the_same_symbols(language: str, text: str, other: str) -> None:
    one, another = symbols_of([text, other], language)

    assert one == another


# Words that are names elsewhere.
@table("language", "text", "words")
def test_words_that_mean_something_else_are_other_symbols(
    language: str, text: str, words: str
) -> None:
    found = symbols_of([text % word for word in words.split()], language)

    assert len({*found}) == len(words.split())


@table("language", "text", "words")
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


@table("language", "text")
def test_words_mean_the_same_whatever_the_blanks_around_them(language: str, text: str) -> None:
    one, other = symbols_of([text, text.replace(" ", "   ")], language)

    assert one == other
