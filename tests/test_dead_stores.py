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
    "csharp": f"class A {{ void F() {{ {PAD} %s f(1); }} }}",
    "php": f"<?php function f() {{ {PAD} %s f(1); }}",
    "perl": f"sub f {{ {PAD} %s f(1); }}",
    "rust": f"fn main() {{ {PAD} %s f(1); }}",
    "dart": f"void main() {{ {PAD} %s f(1); }}",
    "go": f"func main() {{\n{PAD}\n%s\nf(1)\n}}",
    "kotlin": f"class A(val x: Int) {{\nfun f() {{\n{PAD}\n%s\nf(1)\n}}\n}}",
    "scala": f"object A {{\ndef f() = {{\n{PAD}\n%s\nf(1)\n}}\n}}",
    "swift": f"class A {{\nfunc f() {{\n{PAD}\n%s\nf(1)\n}}\n}}",
    "ruby": f"def g\n  {PAD}\n  %s\n  f(1)\nend",
    "lua": f"function g()\n{PAD}\n%s\nf(1)\nend",
    "splus": f"g <- function() {{\n{PAD}\n%s\nf(1)\n}}",
    "octave": f"function g()\n{PAD}\n%s\nf(1)\nend",
    "julia": f"function g()\n{PAD}\n%s\nf(1)\nend",
    "python": f"{PAD}\n%s\nf(1)\n",
}
JUNK = {
    "c": ["int zz = 0;", "zz = 0;", "zz++;", "--zz;", "char *zz = NULL, *yy;", "unsigned long zz;"],
    "cpp": ["const auto zz = 1.5;", "static bool zz = true;", "zz *= 2;", "zz = zz + 1;"],
    "java": ["int unused7 = 3;", "final String zz = null;", "zz -= 1;", "char zz = 'x';"],
    "csharp": [
        "int zz = 3;",
        'string zz = "x";',
        "int? zz = null;",
        "int zz = 3; _ = zz;",
        "var zz = 1; zz++;",
    ],
    "php": ["$zz = 3;", "$zz .= 'x';", "$zz = []; $zz = null;"],
    "perl": ["my $zz = 3;", "my $zz; $zz = 'x';"],
    "rust": ["let zz: i32 = 3;", "let mut zz = 3; zz += 1;", "let zz = 3; let _ = zz;"],
    "dart": ["int zz = 3;", "final String zz = 'x';"],
    "go": ["zz := 3", "var zz int = 3", "zz := 3\n_ = zz", "var zz string"],
    "kotlin": ["val zz = 3", "var zz: Int? = null\nzz = 4", "var zz = 1; zz++"],
    "scala": ["val zz: Int = 3", "var zz = 1\nzz += 1"],
    "swift": ["let zz: [Int] = []", 'var zz = "x"'],
    "ruby": ["zz = 3", "zz = nil\nzz += 1"],
    "lua": ["local zz = 3", "zz = 'x'; zz = nil"],
    "splus": ["zz <- 3", "zz = TRUE"],
    "octave": ["zz = 3;", "zz = 'x'"],
    "julia": ["zz = 3", "zz::Int = 3"],
    "javascript": [
        "let q1 = 1\n",
        "const zz = 'x'\nfoo++\n",
        "let q1 = 1;",
        "var zz;",
        "const zz = 'x', yy = -1;",
        "zz = 1, yy = 2;",
    ],
    "typescript": [
        "let zz: number = 1;",
        "let zz: string[] | null = null\n",
        "let zz = 'x';",
        "var zz = 2 + 1;",
        "++zz;",
    ],
    "python": [
        "zz: int = 0",
        "zz: list[int] = []",
        "zz = 0",
        "zz += 1",
        "zz = 1; zz = 'a' 'b'",
        "zz = None",
        "zz **= 2;",
    ],
}
PAIRS = [(language, junk) for language, all_junk in JUNK.items() for junk in all_junk]
STATEMENTS = {
    "c": ["x = f(y);", "if (x) { y++; }", "for (i = 0; i < n; i++) { x += i; }", "p->x = y;"],
    "python": ["x = f(y)", "if x: y += 1", "for i in x: f(i, zy=1)", "p.x = y"],
}


def codes(text: str, language: str) -> list[int]:
    return [int(code) for code in stream_of_code(text, find_language(language)).codes]


def kept(text: str, language: str) -> str:
    """Return what is kept of a program, with one blank between tokens."""
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


@pytest.mark.parametrize(
    ("language", "use"),
    [
        ("csharp", '$"{zz}"'),
        *(("php", use) for use in ('"a $zz"', '"{$zz}"', "compact('zz')", '"${zz}"', "$$zz")),
        *(("perl", use) for use in ('"a $zz"', "s/$zz//", "$zz[0]")),
        *(("kotlin", use) for use in ('"a $zz"', '"${zz + 1}"', "{ zz }")),
        *(("scala", 's"a $zz"'), ("swift", '"\\(zz)"'), ("rust", '"{zz}"')),
        *(("ruby", use) for use in ('"#{zz}"', "eval('zz')", "-> { zz }")),
        *(("julia", '"$zz"'), ("octave", "eval('zz')"), ("go", "&zz"), ("dart", '"$zz"')),
    ],
)
def test_what_a_string_or_a_closure_may_read_stays(language: str, use: str) -> None:
    junk = JUNK[language][0]

    found = kept(FRAMES[language] % f"{junk}\nuse({use});", language)

    assert "zz" in found.partition("use (")[0]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ruby", "@zz = 3"),
        ("ruby", "ZZ = 3"),
        ("ruby", "$zz = 3"),
        ("perl", "$| = 1;"),
        ("perl", "our $zz = 3;"),
        ("perl", "$ZZ = 3;"),
        ("go", "x, zz := 1, f(2)"),
        ("go", "_ = f(2)"),
        ("kotlin", "zz by f"),
        ("swift", "zz = 3 { didSet { f(2) } }"),
        ("bash", "zz=3"),
        ("go", "zz <- 1"),
        ("kotlin", "if (a &&\nzz < -1\n) f(2)"),
        ("julia", "f(x;\nzz = 1,\nyy = 2\n)"),
        ("javascript", "zz = 1 +\nf(2)"),
        ("splus", "h <- function(x)\n  zz <- 3"),
        ("splus", "repeat\n  zz <- 3"),
        ("ruby", "begin\nf(2)\nzz = 1\nrescue\nf(3)\nend"),
        ("ruby", "case x\nin 1\nzz = 1\nin 2\nf(2)\nend"),
        ("julia", "try\nzz = 1\ncatch\nf(3)\nend"),
        ("julia", "if x\nzz = 1\nelseif y\nf(3)\nend"),
    ],
)
def test_what_other_files_or_the_language_may_read_stays(language: str, text: str) -> None:
    frame = FRAMES.get(language, f"{PAD}\n%s\n")

    assert "".join(text.split()) in "".join(kept(frame % text, language).split())


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
        (
            "csharp",
            "class A(int x) { int zz = 1; void f() { zz++; %s } }",
            "int zz = 1 ; void f ( ) {",
        ),
        (
            "php",
            "<?php class A { static $zz = 1; function f() { %s } }",
            "$zz = 1 ; function f ( ) {",
        ),
        ("go", "var zz = 1\nfunc f() {\nzz = 2\n%s\n}", "var zz = 1 func f ( ) {"),
        ("kotlin", "val zz = 1\nfun f() {\nval zz = 2\n%s\n}", "zz = 1 fun f ( ) {"),
        (
            "kotlin",
            "data class A(val x: Int) {\nval zz = 1\nfun f() {\n%s\n}\n}",
            "zz = 1 fun f ( ) {",
        ),
        (
            "kotlin",
            "data class A(val x: Int)\nfun f() {\nval zz = 1\n%s\n}",
            "x : Int ) fun f ( ) {",
        ),
        (
            "rust",
            "impl A { const zz: i32 = 1; fn f() { let zz = 2; %s } }",
            "zz : i32 = 1 ; fn f ( ) {",
        ),
        ("dart", "mixin A { int zz = 1; void f() { %s } }", "int zz = 1 ; void f ( ) {"),
        ("swift", "actor A {\nvar zz = 1\nfunc f() {\n%s\n}\n}", "zz = 1 func f ( ) {"),
        ("swift", "extension A {\nstatic let zz = 1\nfunc f() {\n%s\n}\n}", "zz = 1 func f ( ) {"),
        (
            "scala",
            "trait A {\nval zz = 1\ndef f() = {\nval zz = 2\n%s\n}\n}",
            "zz = 1 def f ( ) = {",
        ),
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
@given(
    st.sampled_from(
        ["c", "java", "javascript", "python", "csharp", "kotlin", "lua", "perl", "ruby"]
    ),
    st.data(),
)
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


def test_dead_stores_are_compared_where_there_is_little_else() -> None:
    python = find_language("python")
    codes = {
        text: stream_of_code(text, python).codes.tolist()
        for text in ("zz = 0\nf(1)\n", f"zz = 0\n{PAD}\n", f"{PAD}\n")
    }

    short, long, plain = codes.values()
    assert len(short) == 7
    assert long == plain
