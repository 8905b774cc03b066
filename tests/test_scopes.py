from __future__ import annotations

import re

import numpy as np
import pytest

from mosslite.frontends.normalization.dead_stores import are_outside_of_functions
from mosslite.frontends.symbols import END, code_of
from tests.builders import numbers_of

WORDS = re.compile(r"\n +|\n|\w+|[^\w\s]")


def found_in(text: str, language: str) -> list[str]:
    """Return the names in capitals that are not inside of functions; ``@`` ends a text."""
    words, indents = list[str](), list[int]()
    indent = 0
    for each in WORDS.findall("\n" + text + "@"):
        if each[0] == "\n":
            indent = len(each) - 1
        else:
            words.append(each)
            indents.append(indent)
            indent = -1
    places = np.array([at for at, word in enumerate(words) if word.isupper()], np.int64)
    numbers = numbers_of(END if word == "@" else code_of(word) for word in words)
    found = are_outside_of_functions(numbers, np.array(indents), places, language)
    return [words[at] for at in places[found].tolist()]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("c", "A; struct s { B; } t; int f() { C; if (x) { D; } } E;", "A B E"),
        ("c", "struct s *f(struct t *x) { A; } union { B; } u; enum e { C };", "B C"),
        ("cpp", "namespace n { A; class c : d { B; void f() const { C; } E; }; } F;", "A B E F"),
        ("cpp", "extern c { A; int f() { B; } }", "A"),
        ("java", "class a extends b { A; void f() throws c { B; } interface d { E; } }", "A E"),
        ("java", "class a { static { A; } void f() { x = b.class; do { B; } while (c); } }", ""),
        ("javascript", "A; class a { B; f() { C; } } if (x) { D; }", "B"),
        ("c", "} } A; int f() { B; } } C;", "A C"),
        ("c", "typedef struct attribute((packed)) { A; } t; struct s *f(int (*g)()) { B; }", "A"),
        ("javascript", "class a extends b(c) { A; f() { B; } }", "A"),
        ("python", "class a(\n b,\n c,\n):\n A\n def f(\n  x,\n y\n ):\n  B\n C", "A C"),
        ("python", "class a:\n x = {\n1: 2,\n3: 4\n}\n A", "A"),
        ("python", "A\nclass a:\n B\n def f():\n  C\n  if x:\n   D\n E\nF", "B E"),
        (
            "python",
            "def f():\n class a:\n  A\n B\nclass b:\n async def g():\n  C\n if x:\n  D",
            "A D",
        ),
    ],
)
def test_what_is_in_no_function_is_found(language: str, text: str, expected: str) -> None:
    assert found_in(text, language) == expected.split()


def test_each_text_is_looked_at_by_itself() -> None:
    assert found_in("class a { void f() { A; @ B; } @ class c { D; @ int f() { E; } F; @", "c") == (
        ["B", "D", "F"]
    )


def test_where_no_place_is_asked_for_none_is_found() -> None:
    assert found_in("class a { b; }", "java") == []
