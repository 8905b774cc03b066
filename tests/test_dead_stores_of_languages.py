from __future__ import annotations

import re

import numpy as np
import pytest

from mosslite.frontends.normalization.assignments import GRAMMARS
from mosslite.frontends.normalization.dead_stores import stores_in
from mosslite.frontends.normalization.program import Program
from mosslite.frontends.normalization.statements import Brackets
from mosslite.frontends.symbols import END, NAME, NUMBER, STRING, code_of
from tests.builders import codes_of, numbers_of

WORDS = re.compile(r"\n|\w+|[^\w\s]")
KEYWORDS = (
    *("return", "static", "if", "else", "for", "null", "nil", "end"),
    *("let", "mut", "const", "var", "val", "my", "local"),
)


def stores_of(text: str, language: str) -> list[tuple[str, str]]:
    """Return each store in a text, and where it mentions the names that it stores to."""
    words = ["\n", *WORDS.findall(text), "\n", "@"]
    at = [index for index, word in enumerate(words) if word != "\n"]
    indents = np.array([0 if words[index - 1] == "\n" else -1 for index in at])
    words = [words[index] for index in at]
    program = Program(
        words=numbers_of(map(_code, words)),
        written=numbers_of(map(code_of, words)),
        lexemes=codes_of(map(code_of, words)),
        places=np.arange(len(words)),
    )
    found = stores_in(program, indents, Brackets(program.words), GRAMMARS[language])
    mentions: list[list[str]] = [[] for _ in found.statements.firsts]
    for place, owner in zip(found.mentions.tolist(), found.owners.tolist(), strict=True):
        mentions[owner].append(words[place])
    ranges = zip(found.statements.firsts, found.statements.ends, strict=True)
    texts = [" ".join(words[first:stop]) for first, stop in ranges]
    return list(zip(texts, map(" ".join, mentions), strict=True))


def _code(word: str) -> int:
    if word == "@":
        return END
    if word.isdigit() or word == "S":
        return NUMBER if word.isdigit() else STRING
    return NAME if word[0].isalpha() and word not in KEYWORDS else code_of(word)


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        *(("x = 1 ;", "x"), ("x = x + 1 ;", "x x"), ("x * = 2 ;", "x"), ("x + + ;", "x")),
        *(("- - x ;", "x"), ("int x ;", "x"), ("int x = - 1 * 3 ;", "x"), ("let x ;", "x")),
        *(("static char * x = S ;", "x"), ("x = null ;", "x"), ("x < < = 1 ;", "")),
        *(("int x , * y = 2 , z ;", "x y z"), ("x = 1 , y = 2 ;", "x y"), ("x = y = 1 ;", "")),
        *(("x ;", ""), ("x = y ;", ""), ("x = f ( ) ;", ""), ("* x = 1 ;", ""), ("1 ;", "")),
        *(("return x ;", ""), ("x = y + + ;", ""), ("x , y ;", ""), ("int x , y = z ;", "")),
        *(("x . y = 1 ;", ""), ("x [ 0 ] = 1 ;", ""), ("= 1 ;", ""), (", ;", ""), ("= ;", "")),
        *(("x = = 1 ;", ""), ("x = = = S ;", ""), ("x = 1 = = 1 ;", "x")),
    ],
)
def test_a_store_gives_a_simple_name_a_value_that_is_written_out(text: str, mentions: str) -> None:
    expected = [(text, mentions)] if mentions else []

    assert stores_of(text, "c") == expected
    assert stores_of(f"f ( ) ; {text} if", "c") == expected


@pytest.mark.parametrize(
    ("text", "stores"),
    [
        ("x = 1\ny += 2\n", ["x = 1", "y + = 2"]),
        ("f(); x = 1; y = x\n", ["x = 1 ;"]),
        ("f(\nx = 1\n)\ng(a,\nx = 1)", []),
        ("x y\nx, y = 1, 2\nx = y = 1\nx", []),
        ("if z: x = 1\n x = 2", ["x = 2"]),
        (
            "x: int = 1\ny: list[a.b] = []\nz: int\nif z: w = 1\n",
            ["x : int = 1", "y : list [ a . b ] = [ ]"],
        ),
    ],
)
def test_lines_end_the_stores_of_python(text: str, stores: list[str]) -> None:
    assert [store for store, _ in stores_of(text, "python")] == stores


@pytest.mark.parametrize(
    ("language", "text", "stores"),
    [
        ("csharp", "int x = 1; x++; x = y; x.y = 1;", ["int x = 1 ;", "x + + ;"]),
        ("php", "$x = 1; x .= S; x -> y = 1; x[] = 1;", ["$ x = 1 ;", "x . = S ;"]),
        ("perl", "my $x = 1; $x = S; $x + $y; f($x);", ["my $ x = 1 ;", "$ x = S ;"]),
        ("perl", "{ $x = 1; } { my $x; }", []),
        (
            "rust",
            "let mut x: &a<b> = 1; x += 1; *x = 1; x",
            ["let mut x : & a < b > = 1 ;", "x + = 1 ;"],
        ),
        (
            "go",
            "x := 1\nvar y a = 2\nx, y := 1, 2\nx++\np.x = 1\n",
            ["x : = 1", "var y a = 2", "x + +"],
        ),
        ("kotlin", "val x: a? = null\nx = 1\nx()\n", ["val x : a ? = null", "x = 1"]),
        (
            "swift",
            "let x = 1, y = 2\nvar z: [a] = []\n",
            ["let x = 1 , y = 2", "var z : [ a ] = [ ]"],
        ),
        ("javascript", "let x = 1\nx = 'a'\n", ["let x = 1"]),
        ("javascript", "x = 1\n+ y\nx = 1\n(y)\nx =\ny = 1\nz.\ny = 1", []),
        ("javascript", "if (z)\nx = 1\nelse\nx = 2\nfor (;;)\nx = 3\nx = 4\n", ["x = 4"]),
        (
            "javascript",
            "{\nx = 1\n}\nf({ x: 1 }); x = 2; y = { x: 1,\nz: 2 }",
            ["x = 1", "x = 2 ;"],
        ),
        (
            "typescript",
            "let x: a<b> | null = null; x: a = 1; let y: a[];",
            ["let x : a < b > | null = null ;", "let y : a [ ] ;"],
        ),
        ("ruby", "x = 1\nx = 2\nend\nputs x\nx = 1 if y\nx += 1\nf", ["x = 1", "x + = 1"]),
        ("lua", "local x = 1\nx = {\ny = 1\n}\nx = nil\n", ["local x = 1", "x = nil"]),
        ("splus", "x <- 1\nx = 2\nx <<- 3\nf(x, y = 1)\n{ x <- 4\n}", ["x < - 1", "x = 2"]),
        ("octave", "x = 1;\nx(1) = 2;\nx += 1\n[x, y] = f(1);\n", ["x = 1 ;", "x + = 1"]),
    ],
)
def test_each_language_has_its_own_stores(language: str, text: str, stores: list[str]) -> None:
    assert [store for store, _ in stores_of(text, language)] == stores
