from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends import tokenize, tokenize_all
from mosslite.languages import find_language
from tests.builders import LAW, stream_of_code

FRAMES = {
    "c": "int f(int x, int y) { g(1); %s h(2); }",
    "java": "class A { int f(int x, int y) { g(1); %s h(2); } }",
    "csharp": "class A { int F(int x, int y) { g(1); %s h(2); } }",
    "php": "<?php function f($x, $y) { g(1); %s h(2); }",
    "rust": "fn f(x: i32, y: i32) { g(1); %s h(2); }",
    "javascript": "function f(x, y) {\ng(1)\n%s\nh(2)\n}",
    "typescript": "function f(x, y) {\ng(1)\n%s\nh(2)\n}",
    "go": "func f(x int, y int) {\ng(1)\n%s\nh(2)\n}",
    "kotlin": "fun f(x: Int, y: Int) {\ng(1)\n%s\nh(2)\n}",
    "swift": "func f(x: Int, y: Int) {\ng(1)\n%s\nh(2)\n}",
    "python": "def f(x, y):\n    g(1)\n    %s\n    h(2)\n",
    "ruby": "def f(x, y)\n  g(1)\n  %s\n  h(2)\nend\n",
    "lua": "function f(x, y)\ng(1)\n%s\nh(2)\nend\n",
}
TEMPORARIES = [
    ("c", "int t = g(x, y); return t;", "return g(x, y);"),
    ("c", "char *t = x + y; p->z = t;", "p->z = x + y;"),
    ("c", "t = x; if (t) z();", "if (x) z();"),
    ("java", "final int[] t = x.y(); return t;", "return x.y();"),
    ("java", "List<B> t = x; this.z[y] += t;", "this.z[y] += x;"),
    ("java", "boolean t = x < y; if (t) { z(); }", "if (x < y) { z(); }"),
    ("java", "int t = x; int u = y; z = u; z(t);", "int t = x; z = y; z(t);"),
    ("csharp", "var t = x.Y(); return t;", "return x.Y();"),
    ("php", "$t = $x + $y; return $t;", "return $x + $y;"),
    ("rust", "let t: i32 = x; return t;", "return x;"),
    ("javascript", "const t = x[y]\nz.w = t", "z.w = x[y]"),
    ("javascript", "let t = x; return t", "return x"),
    ("typescript", "const t: number[] = x(y); return t;", "return x(y);"),
    ("go", "t := x == y\nif t {\nz()\n}", "if x == y {\nz()\n}"),
    ("go", "var t int = x\nreturn t", "return x"),
    ("kotlin", "val t: Int? = x.y()\nreturn t", "return x.y()"),
    ("swift", "let t = x.y\nz = t", "z = x.y"),
    ("python", "t = x < y\n    if t:\n        z()", "if x < y:\n        z()"),
    ("python", "t: list[int] = g(x, y)\n    return t", "return g(x, y)"),
    ("ruby", "t = x + y\n  return t", "return x + y"),
    ("lua", "local t = x\nreturn t", "return x"),
]


def codes(text: str, language: str) -> list[int]:
    return [int(code) for code in stream_of_code(text, find_language(language)).codes]


@pytest.mark.parametrize(("language", "written", "read"), TEMPORARIES)
def test_a_name_that_stands_for_a_value_only_once_is_read_as_it(
    language: str, written: str, read: str
) -> None:
    frame = FRAMES[language]

    assert codes(frame % written, language) == codes(frame % read, language)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("c", "int t = x; z(); return t;"),
        ("c", "int t = x; return t + t;"),
        ("c", "int t = x; z(y, t);"),
        ("c", "int t = x; return t + 1;"),
        ("c", "int t = x; t = 1;"),
        ("c", "int t = x; while (t) { z(); }"),
        ("c", "int t = x, u = y; return t;"),
        ("c", "t += x; return t;"),
        ("c", "p.t = x; return t;"),
        ("c", "a[t] = x; return t;"),
        ("c", "int t[] = { 1, 2 }; return t;"),
        ("c", "z(x) ; if (t == y) return t;"),
        ("c", "for (t = x; t < y;) z();"),
        ("java", "int t = x; Runnable r = () -> t;"),
        ("java", "int t = x; return; } int g() { return t;"),
        ("javascript", "let t = () => { z() }\nreturn t"),
        ("python", "t = x, y\n    return t"),
        ("python", "if x: t = y\n    return t"),
        ("python", "z(\n        t=x)\n    return t"),
        ("python", "t, u = x, y\n    return t"),
        ("python", "for z in x:\n        t = z\n    return t"),
        ("go", "t, u := x, y\nreturn t"),
    ],
)
def test_a_name_that_may_be_more_than_a_value_stays(language: str, code: str) -> None:
    text = FRAMES[language] % code
    stream = stream_of_code(text, find_language(language))
    ranges = zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)
    before = " ".join(text[start:stop] for start, stop in ranges)

    assert before.split().count("t") == sum(
        word == "t" for word in "".join(c if c.isalnum() else " " for c in text).split()
    )


@pytest.mark.parametrize(("language", "written", "read"), TEMPORARIES)
def test_what_is_put_elsewhere_still_stands_in_order(
    language: str, written: str, read: str
) -> None:
    stream = stream_of_code(FRAMES[language] % written, find_language(language))

    assert (stream.stops[:-1] <= stream.starts[1:]).all()


PIECES = st.sampled_from(
    [
        *("t = x", "int t = f(x)", "return t", "g(t)", "if (t)", "t", "x = t", "while (t)"),
        *(";", "\n", "{", "}", "(", ")", ",", ":", "= =", "u = t"),
    ]
)
TEXTS = st.lists(PIECES, max_size=10).map(" ".join)


@LAW
@given(
    st.lists(TEXTS, min_size=1, max_size=4),
    st.sampled_from(["c", "java", "python", "javascript", "go"]),
)
def test_temporaries_are_told_by_their_own_text(texts: list[str], language: str) -> None:
    sources = [(text, find_language(language)) for text in texts]

    alone = [tokenize(*source).stream.codes.tolist() for source in sources]

    assert [each.stream.codes.tolist() for each in tokenize_all(sources)] == alone


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("part", ["int t%d = x; g(t%d);\n", "t = x; g(t); ", "t = t = ", "t = f(,"])
def test_a_long_file_of_temporaries_is_read_in_linear_time(part: str) -> None:
    text = "".join(part.replace("%d", str(number)) for number in range(50_000))

    assert len(codes(text, "java")) <= len(text)
