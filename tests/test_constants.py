from __future__ import annotations

import pytest

from mosslite.frontends import tokenize, tokenize_all
from mosslite.languages import find_language
from tests.builders import stream_of_code

FRAMES = {
    "c": "int main() { f(1); %s g(2); }",
    "java": "class A { void f() { f(1); %s g(2); } }",
    "go": "func main() { f(1)\n%s\ng(2) }",
    "python": "f(1)\n%s\ng(2)\n",
}


def codes(text: str, language: str) -> list[int]:
    return [int(code) for code in stream_of_code(text, find_language(language)).codes]


@pytest.mark.parametrize(
    ("language", "junk", "rest"),
    [
        ("c", "if (1) { h(3); }", "h(3);"),
        ("c", "if (1) h(3);", "h(3);"),
        ("c", "if (1) { if (true) { h(3); } }", "h(3);"),
        ("c", "if (0) { if (x) { h(3); } }", ""),
        ("c", "assert(1);", ""),
        ("java", "assert true;", ""),
        ("java", "if (false) { h(3); }", ""),
        ("go", "if true { h(3) }", "h(3)"),
        ("python", "if True:\n    h(3)", "h(3)"),
        ("python", "assert True", ""),
    ],
)
def test_a_condition_that_is_written_out_is_left_out(language: str, junk: str, rest: str) -> None:
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
    ],
)
def test_other_conditions_stay(language: str, code: str) -> None:
    stream = stream_of_code(code, find_language(language))
    ranges = zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)

    assert "".join(code[start:stop] for start, stop in ranges) == "".join(code.split())


@pytest.mark.parametrize("broken", ["if (1) {", "} if (1)", "if (1", "assert", "if (0) { }}"])
def test_a_block_ends_in_its_own_text(broken: str) -> None:
    c = find_language("c")
    sources = [(text, c) for text in (broken, "int main() { f(1); }", broken)]

    alone = [tokenize(*source).stream.codes.tolist() for source in sources]

    assert [each.stream.codes.tolist() for each in tokenize_all(sources)] == alone
