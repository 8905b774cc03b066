import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends import tokenize
from mosslite.lab.disguises import DISGUISES, masked
from mosslite.languages import find_language, language_of
from tests.tables import texts_of

SAMPLES = Path(__file__).resolve().parents[2] / "samples"

ROWS = texts_of("programs")["ROWS"]

BRACES = texts_of("programs")["BRACES"]


def chance(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def disguised(name: str, text: str, language: str, seed: int = 1) -> str:
    return DISGUISES[name](text, find_language(language), chance(seed))


def output_of(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    return done.stdout


@pytest.mark.parametrize("name", sorted(set(DISGUISES) - {"change literals", "all of these"}))
def test_a_program_in_disguise_does_what_it_did(name: str) -> None:
    text = disguised(name, ROWS, "python")

    assert (text != ROWS) is (name != "verbatim")
    assert output_of(text) == output_of(ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("name", DISGUISES)
def test_a_python_program_in_disguise_is_still_python(name: str) -> None:
    for path in sorted((SAMPLES / "python").rglob("*.py")):
        ast.parse(disguised(name, path.read_text(encoding="utf-8"), "python"), str(path))


@pytest.mark.slow
@pytest.mark.parametrize("name", DISGUISES)
@pytest.mark.parametrize("language", ["c", "java"])
def test_braces_stay_balanced_and_no_statement_is_lost(language: str, name: str) -> None:
    found = find_language(language)
    files = (SAMPLES / language / "submissions").rglob("*")
    programs = sorted(path for path in files if language_of(path.name) == found)
    assert programs
    for path in programs:
        text = path.read_text(encoding="utf-8", errors="replace")
        code, other = (masked(each, found) for each in (text, disguised(name, text, language)))
        assert other.count("{") == code.count("{")
        assert other.count("}") == code.count("}")
        assert other.count(";") >= code.count(";")


@pytest.mark.slow
@pytest.mark.parametrize("name", DISGUISES)
@given(text=st.text(alphabet="ab(){};=1 \n\"'#:", max_size=60), seed=st.integers(0, 9))
def test_no_text_is_too_strange_for_a_disguise(name: str, text: str, seed: int) -> None:
    for language in ("python", "java"):
        once, again = (disguised(name, text, language, seed) for _ in range(2))
        assert once == again


def test_what_only_looks_like_code_is_blanked_out() -> None:
    code = masked(BRACES, find_language("java"))

    assert len(code) == len(BRACES)
    assert code.count("{") == code.count("}") == 6
    assert "shop" not in code.split("return")[2].split("\n")[0]


def test_renaming_leaves_no_own_name_and_every_foreign_one() -> None:
    text = disguised("rename", BRACES, "java")

    for name in ("prices", "sum", "bonus"):
        assert name not in text
    for name in ("String", "System", "println", "length", "main", "total"):
        assert name in text


def test_renaming_leaves_the_tokens_as_they_are() -> None:
    python = find_language("python")
    before, after = (
        tokenize(text, python).stream for text in (ROWS, disguised("rename", ROWS, "python"))
    )
    assert before.codes.tolist() == after.codes.tolist()
    assert before.lexemes.tolist() != after.lexemes.tolist()


def test_functions_of_a_class_change_places_within_it() -> None:
    text = disguised("reorder functions", BRACES, "java")

    assert text != BRACES
    assert sorted(text.split()) == sorted(BRACES.split())
    assert text.rstrip().endswith("}\n}")


def test_of_assignments_only_those_without_a_common_name_change_places() -> None:
    text = "def f(x):\n    a = 1\n    b = 2\n    c = b\n    d = c\n    return a + d\n"
    assert disguised("reorder statements", text, "python") == (
        "def f(x):\n    b = 2\n    a = 1\n    c = b\n    d = c\n    return a + d\n"
    )


def test_a_function_is_split_where_its_first_half_computes_names_for_its_second() -> None:
    text = "def f(x):\n    a = x\n    b = a + x\n    c = b * 2\n    return c\n"
    assert disguised("split functions", text, "python") == (
        "def f_first_half(x):\n    a = x\n    b = a + x\n    return b\n\n\n"
        "def f(x):\n    b = f_first_half(x)\n    c = b * 2\n    return c\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    if x:\n        return 1\n    a = 2\n    b = 3\n    return a\n",
        "def f(x):\n    if x:\n        a = 1\n    b = 2\n    c = 3\n    return a\n",
        "def f(x):\n    global a\n    a = 1\n    b = 2\n    return a\n",
        "def f(x): a = 1; b = 2; c = 3; return a\n",
        "def f(x):\n    a = 1\n    g = lambda: a\n    b = 2\n    return g()\n",
    ],
    ids=["returns", "maybe unbound", "global", "one line", "closure"],
)
def test_a_function_that_cannot_be_split_stays(text: str) -> None:
    assert disguised("split functions", text, "python") == text


@pytest.mark.parametrize(
    "text",
    [
        "def f(a=1):\n    return a\n\n\ndef g():\n    return f()\n",
        "def f(a):\n    return a\n\n\ndef g():\n    return f\n",
        "def f(a):\n    yield a\n\n\ndef g():\n    return f(1)\n",
        "def f(a):\n    return a\n",
    ],
    ids=["default", "used as a value", "generator", "alone"],
)
def test_functions_that_cannot_be_merged_stay(text: str) -> None:
    assert disguised("merge functions", text, "python") == text
