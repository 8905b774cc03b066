from __future__ import annotations

from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends import tokenize, tokenize_all
from mosslite.languages import find_language
from tests.builders import LAW, stream_of_code

# Enough for a text to be a program whatever leaves it.
PAD = "call(a, b, c, d, e, f, g, h, i);"
FRAMES = {
    "c": f"int main() {{ {PAD} %s f(1); }}",
    "cpp": f"void A::f() {{ {PAD} %s f(1); }}",
    "java": f"class A {{ void f() {{ {PAD} %s f(1); }} }}",
    "javascript": f"{PAD} %s f(1);",
    "typescript": f"function f() {{ {PAD} %s f(1); }}",
    "python": f"{PAD}\n%s\nf(1)\n",
}
JUNK = {
    "c": ["int zz = 0;", "zz = 0;", "zz++;", "--zz;", "char *zz = NULL, *yy;", "unsigned long zz;"],
    "cpp": ["const auto zz = 1.5;", "static bool zz = true;", "zz *= 2;", "zz = zz + 1;"],
    "java": ["int unused7 = 3;", "final String zz = null;", "zz -= 1;", "char zz = 'x';"],
    "javascript": ["let q1 = 1;", "var zz;", "const zz = 'x', yy = -1;", "zz = 1, yy = 2;"],
    "typescript": ["let zz = 'x';", "var zz = 2 + 1;", "++zz;"],
    "python": ["zz = 0", "zz += 1", "zz = 1; zz = 'a' 'b'", "zz = None", "zz **= 2;"],
}
PAIRS = [(language, junk) for language, all_junk in JUNK.items() for junk in all_junk]
STATEMENTS = {
    "c": ["x = f(y);", "if (x) { y++; }", "for (i = 0; i < n; i++) { x += i; }", "p->x = y;"],
    "python": ["x = f(y)", "if x: y += 1", "for i in x: f(i, zy=1)", "p.x = y"],
}


def codes(text: str, language: str) -> list[int]:
    return [int(code) for code in stream_of_code(text, find_language(language)).codes]


def kept(text: str, language: str) -> str:
    """Give what is kept of a program, with one blank between tokens."""
    stream = stream_of_code(text, find_language(language))
    ranges = zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)
    return " ".join(text[start:stop] for start, stop in ranges)


@pytest.mark.parametrize(("language", "junk"), PAIRS)
def test_what_is_stored_and_never_read_is_left_out(language: str, junk: str) -> None:
    frame = FRAMES[language]

    assert codes(frame % junk, language) == codes(frame % "", language)


@pytest.mark.parametrize(
    ("language", "use"),
    [
        *(
            ("c", use)
            for use in ("f(zz);", "x = zz;", "a[zz] = f(1);", "int *p = &zz;", "*zz = 1;")
        ),
        *(
            ("c", use)
            for use in ("p.zz = 1;", "zz = f(1);", "y = zz++;", "zz = y;", "extern int zz;")
        ),
        ("java", "yield zz;"),
        *(("java", use) for use in ("return zz;", "if (zz == 1) f(2);", "this.zz = 1;")),
        *(("javascript", use) for use in ("f(`${zz}`);", "() => zz;", "export { zz };")),
        *(
            ("python", use)
            for use in ("f(f'{zz}')", "print(zz)", "global zz", "x = y = zz", "del zz")
        ),
        *(("python", use) for use in ("f(zz=1)", "zz, y = y, 1", "for zz in y: f(1)", "x.zz = 1")),
    ],
)
def test_what_may_be_read_stays(language: str, use: str) -> None:
    line = "\n" if language == "python" else " "
    end = "" if language == "python" else ";"
    stores = f"zz = 0{end}{line}zz += 2{end}{line}"

    found = kept(FRAMES[language] % (stores + use), language)

    assert "zz = 0" in found
    assert "zz + = 2" in found


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("c", "zz = f ( ) ;"),
        ("c", "zz = yy ;"),
        ("c", "p . zz = 0 ;"),
        ("c", "* zz = 0 ;"),
        ("c", "zz [ 0 ] = 0 ;"),
        ("c", "if ( a ) zz = 0 ;"),
        ("c", "for ( zz = 0 ; ; ) f ( ) ;"),
        ("c", "zz ;"),
        ("c", "zz = i + + ;"),
        ("c", "for ( i = 0 ; zz = = 1 ; i + + ) f ( ) ;"),
        ("cpp", "int & zz = a ;"),
        ("java", "Timer zz = new Timer ( ) ;"),
        ("javascript", "zz = yy = 0 ;"),
        ("python", "f (\nzz = 0\n)"),
        ("python", "f (\na ,\nzz = 0\n)"),
        ("python", "if a : zz = 0"),
        ("python", "if f ( a and\nzz = = 1\nor b ) : g ( )"),
        ("python", "zz , yy = 0 , 1"),
        ("python", "print zz"),
    ],
)
def test_what_may_do_more_than_store_stays(language: str, text: str) -> None:
    assert " ".join(text.split()) in kept(FRAMES[language] % text, language)


@pytest.mark.parametrize("language", ["csharp", "php", "perl", "ruby", "bash"])
def test_where_strings_may_read_names_all_stays(language: str) -> None:
    text = f"<?php {PAD} $zz = 0; f(1);" if language == "php" else f"{PAD} zz = 0; f(1);"

    assert "zz = 0" in kept(text, language).replace("$", "")


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("c", "int zz; int f() { int yy; zz = 1; %s }", "int zz ; int f ( ) {"),
        ("c", "struct A { int zz; }; int f() { %s }", "struct A { int zz ; } int f ( ) {"),
        ("java", "class A { int zz = 0; void f() { zz++; %s } }", "int zz = 0 ; void f ( ) {"),
        (
            "python",
            "class A:\n  zz = 1\n  def f():\n    zz = 2\n%s",
            "class A : zz = 1 def f ( ) :",
        ),
        ("python", "zz = 1\nif a:\n  zz = 2\n%s", "if a :"),
        ("javascript", "class A { zz = 1; f() { let zz = 2; %s } }", "class A { zz = 1 ; f ( ) {"),
    ],
)
def test_what_other_files_may_read_stays_where_it_is_declared(
    language: str, text: str, expected: str
) -> None:
    assert f"{expected} call" in kept(text % PAD, language)


@pytest.mark.parametrize("language", ["javascript", "python"])
def test_a_text_of_values_for_others_stays_as_it_is(language: str) -> None:
    assert kept("WIDTH = 80; HEIGHT = 25; NAME = 'x'", language).count("=") == 3


@pytest.mark.parametrize("language", ["c", "java", "python"])
def test_what_another_text_reads_is_not_read_in_this_one(language: str) -> None:
    junk = "zz = 0" if language == "python" else "zz = 0;"
    use = "f(zz)" if language == "python" else "f(zz);"
    texts = [FRAMES[language] % each for each in (use, junk, use, f"{junk} {use}")]
    alone = [tokenize(text, find_language(language)).stream.codes.tolist() for text in texts]

    together = tokenize_all([(text, find_language(language)) for text in texts])

    assert [each.stream.codes.tolist() for each in together] == alone
    assert alone[1] == codes(FRAMES[language] % "", language)


@LAW
@given(st.sampled_from(["c", "python"]), st.data())
def test_a_program_reads_alike_with_dead_stores_behind_its_statements(
    language: str, data: st.DataObject
) -> None:
    statements = data.draw(st.lists(st.sampled_from(STATEMENTS[language])))
    junk = data.draw(st.lists(st.sampled_from(["", *JUNK[language]]), max_size=len(statements)))
    mixed = chain.from_iterable(zip(statements, chain(junk, repeat("")), strict=False))

    assert codes(FRAMES[language] % "\n".join(mixed), language) == codes(
        FRAMES[language] % "\n".join(statements), language
    )


@pytest.mark.slow
@LAW
@given(st.sampled_from(["c", "java", "javascript", "python"]), st.data())
def test_a_text_alone_and_among_others_has_the_same_dead_stores(
    name: str, data: st.DataObject
) -> None:
    kind = "python" if name == "python" else "c"
    parts = [
        *STATEMENTS[kind],
        *JUNK[kind],
        "f(zz);",
        "{",
        "}",
        "(",
        "struct A {",
        "class A:",
        " x",
    ]
    texts = data.draw(st.lists(st.lists(st.sampled_from(parts)), max_size=5))
    sources = [("\n".join(text), find_language(name)) for text in texts]

    together = tokenize_all(sources)

    assert [each.stream.codes.tolist() for each in together] == [
        tokenize(*source).stream.codes.tolist() for source in sources
    ]


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "part", ["int x = 1; ", "x%d = 1; ", "{ int x; ", "class A { int x; ", "x, "]
)
def test_a_long_file_of_stores_is_read_in_linear_time(part: str) -> None:
    text = "".join(part.replace("%d", str(number)) for number in range(50_000))

    assert len(codes(text, "java")) <= 4 * len(text)
