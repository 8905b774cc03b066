from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from mosslite.frontends import tokenize
from mosslite.frontends.lexing import TokenInterner
from mosslite.frontends.tokens import lex, lex_all
from mosslite.languages import find_language, lexer_of
from mosslite.records import TraceKind

if TYPE_CHECKING:
    from mosslite.frontends.dispatch import Reading

# A program of each language, in which a comment may be wherever a blank is.
PROGRAMS = {
    "c": "static int f ( int a ) { return a -> b [ 1 ] ; } struct s { char c ; } ;",
    "cpp": "template < class T > class A : public B { int f ( ) const { return new T ; } } ;",
    "csharp": "using System ; namespace N { class A < T > : B { int f ( int a ) { return a ; } } }"
    "\nif ( a ) b ( ) ;\nelse if ( c )\nreturn new ( d ) ;\nelse\nwhile ( e ) f ( ) ;\n"
    "await foreach ( var g in h ) ;\nreturn await ( i , typeof ( int ) ) ;\n"
    "public static implicit operator int ( J k ) ;\npublic static bool operator true ( J k ) ;",
    "dart": "import 'a' ; abstract class A < T > extends B { int f ( int a ) { return a ; } }",
    "go": "package main ; func f ( a int ) ( int , error ) { for i := 1 ; i < 2 ; i ++ { b ( ) } }",
    "haskell": "f :: Int -> Int ; f x = case x of { 1 -> a ; _ | x > 2 -> let { y = 2 } in y }",
    "java": "import static a . B ; class A < T > extends B { int f ( int a ) { return a ; } }",
    "javascript": "class A extends B { f ( a ) { return a ? b : { c : 1 } ; } } ; d = e => e ;"
    " f . static && g . catch ( h ) . in /2 ; i = { ... new J ( k ?. default ) } ; l . delete",
    "kotlin": "inline fun < reified T > f ( a : T ) { private val b = a as T ; var ( c , d ) = b }",
    "php": "<?php abstract class A extends B { public function f ( $a ) { $a -= 1 ; } }"
    " final class C { private const D = 1 ; } const E = 2 ;",
    "rust": "pub fn f < T > ( a : & mut T ) -> u8 { let ( b , c ) = d . e ( ) ; loop { b } }",
    "scala": "case class A ( b : Int ) extends B { def f [ T ] ( c : T ) = { val d = 1 ; d + c } }",
    "swift": "class A < T : B > : C { func f ( a b : T ) -> T { var c = 1 ; c -= 1 ; return b } }",
    "typescript": "class A { b ? : T ; f ( c ? : T , ... d ) { switch ( c ) { default : g } } }"
    "; h = i ? j . k : l . m ; type A < T > = B ; export type { A } ; enum N { O }"
    " abstract class P { private readonly q : T ; declare r ; override s ( ) { } }",
}


def read(text: str, language: str) -> Reading:
    return tokenize(text, find_language(language))


def codes(text: str, language: str) -> list[int]:
    return [int(code) for code in read(text, language).stream.codes]


@pytest.mark.parametrize("signs", [" {} ", "{}", "\n{} "])
@pytest.mark.parametrize("language", PROGRAMS)
def test_a_comment_counts_no_more_than_the_blank_in_its_place(language: str, signs: str) -> None:
    text = PROGRAMS[language]
    comment = "{- as said -}" if language == "haskell" else "/* as said */"
    if language in {"go", "haskell", "javascript", "kotlin", "scala", "swift", "typescript"}:
        signs = signs.replace("\n", " ")  # where a line end can end a statement
    expected = codes(text, language)

    changed = [
        found.start()
        for found in re.finditer(" ", text)
        if codes(text[: found.start()] + signs.format(comment) + text[found.end() :], language)
        != expected
    ]

    assert [text[:place] for place in changed] == []


@pytest.mark.parametrize("language", PROGRAMS)
def test_comments_in_all_places_at_once_change_nothing(language: str) -> None:
    text = PROGRAMS[language]
    comment = "{- as said -}" if language == "haskell" else "/* as said */"
    start, _, rest = text.partition(" ")

    commented = f"{start} " + rest.replace(" ", f" {comment} ")

    assert codes(commented, language) == codes(text, language)


def test_a_comment_that_is_seen_through_is_still_a_trace_and_has_its_place() -> None:
    text = "public class /* remember\n me */ Shop { }"
    reading = read(text, "java")

    traces = reading.traces
    of_comments = traces.kinds == TraceKind.COMMENT
    stream = reading.stream
    starts, stops = traces.starts[of_comments], traces.stops[of_comments]
    assert [text[a:b] for a, b in zip(starts, stops, strict=True)] == ["remember", "me"]
    assert "Shop" in [text[a:b] for a, b in zip(stream.starts, stream.stops, strict=True)]


@pytest.mark.parametrize("language", PROGRAMS)
def test_tokens_around_seen_through_comments_are_all_of_the_text(language: str) -> None:
    comment = "{- a\n b -}" if language == "haskell" else "/* a\n b */"
    text = PROGRAMS[language].replace(" ", f"{comment} ")

    tokens = lex(lexer_of(find_language(language)), text)

    assert "".join(value for _, _, value in tokens) == text
    assert all(text.startswith(value, start) for start, _, value in tokens)


def test_a_text_is_read_alike_with_commented_ones_before_it() -> None:
    java = find_language("java")
    texts = [PROGRAMS["java"], PROGRAMS["java"].replace(" ", " /* a */ "), "class A { }"]

    numbers = TokenInterner()
    together = lex_all([(lexer_of(java), text) for text in texts], numbers)
    alone = [list(lex(lexer_of(java), text)) for text in texts]

    assert [each[1:] for each in together] == [each[1:] for some in alone for each in some]


@pytest.mark.parametrize(("language", "sign"), [("swift", "."), ("swift", ":"), ("scala", ".")])
def test_a_row_of_signs_is_not_looked_through_at_each_of_them(language: str, sign: str) -> None:
    text = sign * 60_000

    tokens = lex_all([(lexer_of(find_language(language)), text)], TokenInterner(), seconds=2)

    assert "".join(value for _, _, value in tokens) == text
