from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mosslite.frontends import tokenize, tokenize_all
from mosslite.languages import find_language
from tests.builders import LAW, stream_of_code

# Enough for a text to be a program whatever leaves it.
PAD = "call(a, b, c, d, e, f, g, h, i)"
FRAMES = {
    "c": f"int main() {{ {PAD}; f(1); %s g(2); }}",
    "cpp": f"int main() {{ {PAD}; f(1); %s g(2); }}",
    "java": f"class A {{ void f() {{ {PAD}; f(1); %s g(2); }} }}",
    "csharp": f"class A {{ void f() {{ {PAD}; f(1); %s g(2); }} }}",
    "php": f"<?php {PAD}; f(1); %s g(2);",
    "javascript": f"{PAD}; f(1); %s g(2);",
    "go": f"func main() {{ {PAD}\nf(1)\n%s\ng(2) }}",
    "kotlin": f"fun main() {{\n{PAD}\nf(1)\n%s\ng(2)\n}}",
    "python": f"{PAD}\nf(1)\n%s\ng(2)\n",
    "ruby": f"{PAD}\nf(1)\n%s\ng(2)\n",
    "lua": f"{PAD}\nf(1)\n%s\ng(2)\n",
    "octave": f"{PAD}\nf(1)\n%s\ng(2)\n",
    "splus": f"{PAD}\nf(1)\n%s\ng(2)\n",
}

CONDITIONS = [
    ("c", "if (1) { h(3); }", "h(3);"),
    ("c", "if (1) h(3);", "h(3);"),
    ("c", "if (1) { if (true) { h(3); } }", "h(3);"),
    ("c", "if (0) { if (x) { h(3); } }", ""),
    ("c", "if (x) h(3); else if (0) { h(4); }", "if (x) h(3);"),
    ("c", "assert(1);", ""),
    ("java", "assert true;", ""),
    ("java", "if (false) { h(3); }", ""),
    ("go", "if true { h(3) }", "h(3)"),
    ("python", "if True:\n    h(3)", "h(3)"),
    ("python", "assert True", ""),
    ("python", "if False:\n    h(3)\n    if x:\n        h(4)", ""),
    ("python", "if False: h(3)", ""),
    ("ruby", "if false\n  h(3)\nend", ""),
    ("lua", "if false then\n  h(3)\nend", ""),
    ("octave", "if false\n  h(3);\nend", ""),
    ("splus", "if (FALSE) {\n  h(3)\n}", ""),
    ("splus", "if (TRUE) {\n  h(3)\n}", "h(3)"),
]
TRIES = [
    ("java", "try { h(3); } catch (E e) { }", "h(3);"),
    ("java", "try { h(3); } catch (E e) { } catch (F f) { }", "h(3);"),
    ("java", "try { h(3); } catch (E e) { i(4); }", "h(3); catch (E e) { i(4); }"),
    ("java", "try { try { h(3); } catch (E e) { } } catch (F f) { }", "h(3);"),
    ("cpp", "try { h(3); } catch (...) { }", "h(3);"),
    ("csharp", "try { h(3); } catch { }", "h(3);"),
    ("javascript", "try { h(3); } catch { }", "h(3);"),
    ("python", "try:\n    h(3)\nexcept E as e:\n    pass", "h(3)"),
    ("python", "try:\n    h(3)\nexcept (E, F): pass", "h(3)"),
]
IDLE = [
    ("java", "x = x;", ""),
    ("csharp", "x = x;", ""),
    ("php", "$x = $x;", ""),
    ("c", "if (x == y[1] && !z.w) { }", ""),
    ("javascript", "if (x === x) { }", ""),
    ("java", "if (x >= y);", ""),
    ("java", "if (x) { h(3); } else if (y != z) { }", "if (x) { h(3); }"),
    ("python", "x = x", ""),
    ("python", "if x == x: pass", ""),
    ("python", "if x in y and not z:\n    pass", ""),
]


def codes(text: str, language: str) -> list[int]:
    return [int(code) for code in stream_of_code(text, find_language(language)).codes]


@pytest.mark.parametrize(("language", "junk", "rest"), [*CONDITIONS, *TRIES, *IDLE])
def test_what_does_nothing_is_left_out(language: str, junk: str, rest: str) -> None:
    frame = FRAMES[language]

    assert codes(frame % junk, language) == codes(frame % rest, language)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("c", "if (1) { h(3); } else { i(4); }"),
        ("c", "if (0) { h(3); } else { i(4); }"),
        ("c", "if (1 > x) { h(3); }"),
        ("c", "x.assert(1);"),
        ("c", "assert(0);"),
        ("c", "do { h(3); } while (0);"),
        ("python", "assert True == h(3)"),
        ("python", "x = h(3) if (1) else i(4)"),
        ("java", "catch (E e) { i(4); }"),
        ("javascript", "h().catch(e) { }"),
        ("python", "except E:\n    h(3)"),
        ("python", "except E: pass == 1"),
        ("c", 'puts("here");'),
        ("java", "if (h(x)) { }"),
        ("java", "if (x++ > y) { }"),
        ("c", "if (x = y) { }"),
        ("c", "if (x == y) { } else { h(3); }"),
        ("c", "if (x == y) { z; }"),
        ("c", "p.x = x;"),
        ("c", "x = y + x;"),
        ("perl", "print 'a' if ($x);"),
        ("python", "if False:\n    h(3)\nelse:\n    i(4)"),
        ("python", "x = [y for y in z\n if False]"),
        ("python", "if False == h(3):\n    i(4)"),
        ("python", "while x:\n    if False: pass\n    elif y: h(3)"),
        ("ruby", "if 0\n  h(3)\nend"),
        ("ruby", "if false\n  h(3)\nelsif x\n  i(4)\nend"),
        ("lua", "if false then h(3) end"),
        ("python", "if x: pass\nelse: h(3)"),
        ("python", "h(\n  x=x\n)"),
    ],
)
def test_what_does_something_stays(language: str, code: str) -> None:
    text = f"{PAD};\n{code}"
    stream = stream_of_code(text, find_language(language))
    ranges = zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)

    assert "".join(text[start:stop] for start, stop in ranges) == "".join(text.split())


def test_a_long_block_stays_though_it_never_runs() -> None:
    inside = "h(3); " * 10
    lines = "\n    h(3)" * 10
    assert len(codes(FRAMES["c"] % f"if (false) {{ {inside} }}", "c")) > len(codes(inside, "c"))
    assert len(codes(FRAMES["python"] % f"if False:{lines}", "python")) > len(
        codes(lines, "python")
    )


def test_junk_is_compared_where_there_is_little_else() -> None:
    assert len(codes("if True: f('hello')\n", "python")) == 7
    assert len(codes(f"{PAD}\nif True: f('hello')\n", "python")) == len(codes(PAD, "python")) + 4


@pytest.mark.parametrize("junk", ["assert(1);", "if (1) { }", "try { } catch { }"])
def test_junk_is_left_out_where_a_text_begins_with_it(junk: str) -> None:
    javascript = find_language("javascript")
    plain = codes(f"{PAD};", "javascript")

    found = tokenize_all([(f"{junk} {PAD};", javascript)] * 2)

    assert [each.stream.codes.tolist() for each in found] == [plain, plain]


# Each text ends what it begins, and is read alike by itself and among others.
PIECES = st.sampled_from(
    [
        *("if (1)", "if (0)", "else", "assert", "(1)", "try", "catch", "except", "pass"),
        *("if False", "if false then", ":", "\n  h(3)\n", "end"),
        *("if", "x", "=", "x = x"),
        *("{", "}", "(", ")", ";", ":", "\n", "f(x)", "x."),
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map(" ".join)


@LAW
@example(["try", "catch { }"], "c")
@example([";", "pass", "{ }"], "python")
@example(["f(x)", "except : pass"], "python")
@example(["except", "f(x) : pass"], "python")
@given(
    st.lists(TEXTS, min_size=1, max_size=4),
    st.sampled_from(["c", "cpp", "java", "python", "lua", "ruby"]),
)
def test_junk_is_told_by_its_own_text(texts: list[str], language: str) -> None:
    sources = [(f"{text}\n{PAD}; {text}", find_language(language)) for text in texts]

    alone = [tokenize(*source).stream.codes.tolist() for source in sources]

    assert [each.stream.codes.tolist() for each in tokenize_all(sources)] == alone
