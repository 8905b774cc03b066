from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends.normalization import rewrites
from mosslite.frontends.normalization.program import Program
from mosslite.frontends.symbols import LOOP, NAME, NUMBER, code_of
from mosslite.languages import find_language
from tests.builders import LAW, codes_of, numbers_of, stream_of_code

WORDS = re.compile(r"\d+\.\d+|\$?\w+|[^\w\s]")
KEYWORDS = ("this", "while", "for", "return", "do")
SIGNS = tuple(".=+-*/%&|^<>(){}[];,")
SOUP = st.lists(
    st.sampled_from([*KEYWORDS, *SIGNS, "x", "y", "self", "1", "2", "long", "int"]), max_size=30
)

STATEMENTS = (
    *("x = x + y", "x = x + 1", "x += 1", "++ x", "-- y", "x ++", "this . x = y", "long int x"),
    *("y = x", "f ( x )", "return x - 1", "while ( x < y ) x ++", "this . x = this . x * 2"),
)
PROGRAMS = st.lists(st.sampled_from(STATEMENTS)).map(lambda each: " ; ".join(["", *each, ""]))


def symbols_of(words: list[str]) -> Program:
    """Return words and signs as symbols."""
    return Program(
        words=numbers_of(map(_code, words)),
        written=numbers_of(map(code_of, words)),
        lexemes=codes_of(map(code_of, words)),
        places=np.arange(len(words)),
    )


def rewritten(program: Program, language: str) -> Program:
    """Rewrite symbols that are all on one line."""
    begins_line = np.zeros(program.places.max(initial=-1) + 1, np.bool_)
    return rewrites.rewritten(program, language, begins_line)


def _code(word: str) -> int:
    if word.isdigit():
        return NUMBER
    return NAME if word[0].isalpha() and word not in KEYWORDS else code_of(word)


def read(text: str, language: str) -> str:
    """Return the tokens of a program as they are read, in words."""
    stream = stream_of_code(text, find_language(language))
    words = {code_of(word): word for word in WORDS.findall(text)}
    return " ".join(words[wording] for wording in stream.lexemes.tolist())


def codes(text: str, language: str) -> list[int]:
    return [int(code) for code in stream_of_code(text, find_language(language)).codes]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("java", "this.x = this.y.z(this);", "x = y . z ( this ) ;"),
        ("cpp", "this->x = y->z + (*this).w;", "x = y - > z + ( * this ) . w ;"),
        ("javascript", "this.x = y.self;", "x = y . self ;"),
        ("php", "<?php $this->x = $y->z;", "x = $y - > z ;"),
        ("rust", "self.x = y.z + w;", "x = y . z + w ;"),
        ("java", "x = x + y * 2;", "x + = y * 2 ;"),
        ("java", "x = x % y; z = y % x;", "x % = y ; z = y % x ;"),
        ("java", "this.x = this.x - y;", "x - = y ;"),
        ("python", "a = a + b\nc = a + b", "a + = b c = a + b"),
        ("java", "x = x + 1; y = y - 1;", "x + + ; y - - ;"),
        ("java", "x = 1 * (y + z);", "x = y + z ;"),
        ("java", "x = a[i + 0] - 0; y = b * 1;", "x = a [ i ] ; y = b ;"),
        ("java", "f(1 * x, y - 1 * z, -0);", "f ( x , y - z , - 0 ) ;"),
        ("java", "x = y / 1 * z - 0 * w + 1.0;", "x = y / 1 * z - 0 * w + 1.0 ;"),
        ("python", "x = y + 0\nz = y * 1\n[w]\nf(a)", "x = y z = y [ w ] f ( a )"),
        ("go", "x := y - 0\nf(x)", "x : = y f ( x )"),
        ("python", "x = (y + 0\n  * z)", "x = ( y + 0 * z )"),
        ("python", "x = 1 ** y\nz = [0] + 1", "x = 1 * * y z = [ 0 ] + 1"),
        ("java", "x += 1; y -= 1; z *= 1;", "x + + ; y - - ; z * = 1 ;"),
        ("java", "x += 2; y += 10; z += 1.0;", "x + = 2 ; y + = 10 ; z + = 1.0 ;"),
        ("python", "x += 1\ny = 1", "x + + y = 1"),
        ("go", "x += 1\ny = 1", "x + + y = 1"),
        ("java", "for (;; ++i) { --j; }", "for ( ; ; i + + ) { j - - ; }"),
        ("java", "f();; {} ; for (a; b;) { ; ; }", "f ( ) ; for ( a ; b ; ) { }"),
        ("c", "if (a) {} else ;", "if ( a ) { } else ;"),
        ("python", "a(); pass; b(); pass", "a ( ) ; b ( ) ;"),
        ("python", "def f(): pass", "def f ( ) : pass"),
        ("java", "x = ++y; z = y++;", "x = + + y ; z = y + + ;"),
        ("java", "if (x) ++y; else --z;", "if ( x ) y + + ; else - - z ;"),
        ("java", "a[i] = a[j] + 1;", "a [ i ] = a [ j ] + 1 ;"),
        ("c", "unsigned long int x; long long y;", "int x ; long y ;"),
        ("c", "unsigned char y; long double z;", "char y ; double z ;"),
        ("c", "unsigned x; signed long y;", "unsigned x ; long y ;"),
        ("java", "public final int x; protected abstract void y();", "int x ; void y ( ) ;"),
        ("cpp", "virtual int x() const override; static int y;", "int x ( ) ; static int y ;"),
        ("javascript", "let x = 1; var y = 2; const z = 3;", "x = 1 ; y = 2 ; z = 3 ;"),
        ("kotlin", "val x = 1\nvar y = 2", "x = 1 y = 2"),
        ("java", "return (x); y = (z); f((a), (b + c));", "return x ; y = z ; f ( a , b + c ) ;"),
        ("java", "y = (a + b) * c; if (x) { z(); }", "y = ( a + b ) * c ; if ( x ) { z ( ) ; }"),
        ("java", "x = ((y)); f(g(), h());", "x = y ; f ( g ( ) , h ( ) ) ;"),
        ("python", "if (x):\n  y\nwhile (z): w", "if x : y while z : w"),
        ("java", "x = y + x; b = x == x + y;", "x = y + x ; b = x = = x + y ;"),
    ],
)
def test_what_can_be_said_in_several_ways_is_read_in_one(
    language: str, text: str, expected: str
) -> None:
    assert read(text, language) == expected


@pytest.mark.parametrize("language", ["c", "cpp", "java", "csharp", "javascript", "php", "go"])
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("x = x + y;", "x += y;"),
        ("x = x + 1;", "x++;"),
        ("x = x - 1;", "--x;"),
        ("x += 1;", "++x;"),
        ("x = x * (y + 1);", "x *= (y + 1);"),
    ],
)
def test_two_ways_to_change_a_variable_are_the_same(language: str, left: str, right: str) -> None:
    start = "<?php " if language == "php" else ""
    around = f"{start}{{ a = b; %s c = d; }}"

    assert codes(around % left, language) == codes(around % right, language)


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("java", "x = x + y; z();", "x = y + x; z();"),
        ("java", "x = x + y; z();", "x = x - y; z();"),
        ("java", "x++; y = z;", "x--; y = z;"),
        ("java", "x += 1; y = z;", "x += 2; y = z;"),
        ("java", "y = ++x; z();", "y = x++; z();"),
        ("java", "this.x = y; z();", "other.x = y; z();"),
        ("java", "for (int x : y) { z(); }", "if (int x : y) { z(); }"),
        ("java", "static int x;", "int x;"),
        ("java", "x = (a + b) * c;", "x = a + b * c;"),
        ("java", 'x = "a" + b + "c";', 'x = "a" + "b" + "c";'),
        ("c", "auto x = y;", "x = y;"),
    ],
)
def test_what_means_something_else_is_kept_apart(language: str, left: str, right: str) -> None:
    assert codes(left, language) != codes(right, language)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("java", "for while do"),
        ("csharp", "for foreach while do"),
        ("php", "for foreach while do"),
        ("python", "for while"),
        ("ruby", "for while until"),
        ("bash", "for while until"),
        ("lua", "for while repeat until"),
        ("rust", "for while loop"),
        ("delphi", "for while repeat until"),
    ],
)
def test_loops_are_one_symbol(language: str, words: str) -> None:
    start = "<?php " if language == "php" else ""

    assert {LOOP in codes(f"{start}{word} x", language) for word in words.split()} == {True}


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("java", "var x = f(y);", "List x = f(y);"),
        ("csharp", "var x = f(y);", "int x = f(y);"),
        ("cpp", "auto x = f(y);", "T x = f(y);"),
        ("java", 'f("one" + "two" + \'c\');', 'f("one two");'),
        ("python", "f('a' + 'b')", "f('a' 'b')"),
    ],
)
def test_what_says_the_same_is_one_symbol(language: str, left: str, right: str) -> None:
    assert codes(left, language) == codes(right, language)


def test_what_is_read_in_one_way_is_also_worded_in_one_way() -> None:
    ways = ["x = x + 1;", "x += 1;", "++x;", "x++;", "this.x++;", "this.x = this.x + 1;"]

    assert {read(f"{{ {way} f(y, 1); }}", "java") for way in ways} == {"{ x + + ; f ( y , 1 ) ; }"}


@pytest.mark.parametrize("text", ["this.", "this.x", "x = x +", "x += 1", "++x", "; ++ x", "long"])
@pytest.mark.parametrize("language", ["java", "c", "python", "javascript"])
def test_a_file_may_end_in_the_middle_of_anything(language: str, text: str) -> None:
    for stop in range(len(text) + 1):
        assert len(codes(text[:stop], language)) <= len(WORDS.findall(text[:stop]))


@LAW
@given(SOUP)
def test_rewriting_never_lengthens_and_keeps_places_in_order(words: list[str]) -> None:
    symbols = symbols_of(words)

    found = rewritten(symbols, "java")

    assert len({len(column) for column in found}) == 1
    places = found.places.tolist()
    assert places == sorted(set(places))
    assert set(places) <= set(range(len(words)))


@LAW
@given(SOUP)
def test_rewriting_makes_up_no_words(words: list[str]) -> None:
    found = rewritten(symbols_of(words), "java")

    assert set(found.lexemes.tolist()) <= {code_of(word) for word in words}


@LAW
@given(SOUP)
def test_rewriting_leaves_what_is_given_as_it_is(words: list[str]) -> None:
    symbols = symbols_of(words)
    before = [column.tolist() for column in symbols]

    rewritten(symbols, "java")

    assert [column.tolist() for column in symbols] == before


@LAW
@given(PROGRAMS)
def test_what_was_rewritten_is_not_rewritten_again(program: str) -> None:
    once = rewritten(symbols_of(WORDS.findall(program)), "java")

    assert [c.tolist() for c in rewritten(once, "java")] == [c.tolist() for c in once]


@LAW
@given(PROGRAMS, st.sampled_from(["q", "aLongerName", "größe"]))
def test_which_name_is_used_does_not_matter(program: str, name: str) -> None:
    renamed = re.sub(r"\bx\b", name, program)

    left, right = (
        rewritten(symbols_of(WORDS.findall(each)), "java") for each in (program, renamed)
    )

    assert left.codes.tolist() == right.codes.tolist()


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("part", ["x = x + ", "; ++ x ", "this . ", "long ", "x += 1 ", "= x "])
def test_a_long_file_of_one_thing_is_read_in_linear_time(part: str) -> None:
    words = WORDS.findall(part) * 200_000

    assert len(rewritten(symbols_of(words), "java").codes) <= len(words)


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("c", "int put(struct queue *q) { q->count = 1; return q->size; }", "self"),
        ("c", "int put(struct queue *q) { q->count = 1; return q->size; }", "me"),
        ("c", "int put(struct queue *q) { q->count = 1; return q->size; }", "this"),
        ("java", "int put(Queue q) { q.count = 1; return q.size; }", "self"),
        ("go", "func put(q *Queue) int { q.count = 1; return q.size }", "self"),
        ("python", "class A:\n  def put(q):\n    q.count = 1\n    return q.size\n", "self"),
    ],
)
def test_a_free_name_is_not_taken_for_the_object(language: str, text: str, name: str) -> None:
    assert codes(text, language) == codes(re.sub(r"\bq\b", name, text), language)


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("c", "{ p = p->next; z(); }", "{ p = q->next; z(); }"),
        ("python", "x = x // 2\ny = 1", "x //= 2\ny = 1"),
        ("python", "x = x ** 2\ny = 1", "x **= 2\ny = 1"),
        ("java", "{ x = x << 2; z(); }", "{ x <<= 2; z(); }"),
    ],
)
def test_signs_of_two_characters_are_operators_of_their_own(
    language: str, left: str, right: str
) -> None:
    assert codes(left, language) == codes(right, language)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("{ a[i] += 1; z(); }", "{ a[i]++; z(); }"),
        ("{ p.x = x + 1; z(); }", "{ p.x = y + 1; z(); }"),
    ],
)
def test_a_name_is_looked_at_with_what_it_is_a_part_of(left: str, right: str) -> None:
    assert codes(left, "java") == codes(right, "java")


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("java", "x = a * (b + c);", "x = a * b + c;"),
        ("java", "x = a - (b - c);", "x = a - b - c;"),
        ("java", "x = !(a && b);", "x = !a && b;"),
        ("python", "f((a, b))\nc", "f(a, b)\nc"),
        ("scheme", "(+ (f x))", "(+ f x)"),
    ],
)
def test_brackets_that_do_something_are_kept(language: str, left: str, right: str) -> None:
    assert codes(left, language) != codes(right, language)


def test_strings_put_together_are_worded_as_all_of_them() -> None:
    java = find_language("java")
    left, right = (
        stream_of_code(f'f("one" + "{word}");', java).lexemes.tolist() for word in ("two", "three")
    )

    assert left != right
