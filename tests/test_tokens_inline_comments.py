import re

import pytest

from mosslite.frontends import Reading, tokenize
from mosslite.frontends.tokens import TokenInterner, lex, lex_all
from mosslite.languages import find_language, lexer_of
from mosslite.records import TraceKind

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
# Other ones, of declarations.
DECLARATIONS = {
    "c": "struct a { int b ; } ; enum c { d , e } ; typedef struct a f ; int g ( int h [ ] , ... "
    ") { goto i ; i : switch ( j ) { case 1 : break ; default : k ( ) ; } do { } while ( 0 "
    ") ; }",
    "cpp": "namespace a { enum class b { c } ; struct d : e { d ( ) : f ( 1 ) { } } ; using g = "
    "h ; } auto i = [ & ] ( int j ) -> int { return j ; } ; a :: k l ; operator + ( m ) ;",
    "csharp": "using A = B . C ; interface D { } struct E { } enum F { G } record H ( int I ) ; "
    "class J { public int K { get ; set ; } event L m ; delegate int N ( int o ) ; }",
    "css": "a . b { color : red ; margin : 0 auto } @media screen { p { top : 1px } }",
    "cuda": "__global__ void f ( int * a ) { int i = threadIdx . x ; a [ i ] = 1 ; }",
    "d": "module a ; import std . b ; class A : B { int f ( int a ) { return a ; } } struct C { "
    "} auto d = e ! ( int ) ( f ) ;",
    "dart": "class A extends B with C implements D { final int a ; A ( this . a ) ; int get b => "
    "a ; } enum E { f , g } mixin M on N { }",
    "delphi": "unit A ; interface uses B ; type T = class ( U ) private a : integer ; procedure "
    "f ( b : integer ) ; end ; implementation begin if a > 1 then b := 2 else c ( d ) "
    "; end .",
    "fsharp": "module N.M\nlet rec f ( a : int ) = if a > 1 then g a else b\ntype private T = A "
    "| B of int\nlet mutable c = [ 1 ; 2 ]\nopen System.IO",
    "go": 'package a ; import ( "b" ) ; type c struct { d int } ; type e interface { f ( ) } ; '
    "func ( g * h ) i ( ) { go j ( ) ; select { case k := <- l : } } ; var m = map [ "
    "string ] int { } ; const n = iota",
    "groovy": "import a.B ; class A extends B { def f ( int a ) { return a ? 1 : [ b : 2 ] } } ; "
    "for ( x in y ) { z ( x ) }",
    "haxe": "package a ; import b.C ; class A extends B { var d : Int ; public function f ( e : "
    "Int ) : Void { return ; } }",
    "java": "package a . b ; import c . d ; enum A { B , C } interface D { int f ( ) ; } record "
    "E ( int g ) { } @interface H { } class I { int [ ] j = { 1 } ; < T > void k ( T l ) "
    "throws M { for ( int n : o ) { } } }",
    "javascript": "import a from 'b' ; export default class c { # d = 1 ; static e ( ) { } ; get "
    "f ( ) { return 1 ; } } ; const { g , ... h } = i ; async function * j ( ) { "
    "yield k ; } ; label : for ( const l of m ) { continue label ; } ; q = typeof r",
    "julia": "mutable struct A{T} <: B b :: T end ; function f ( a ; b = 2 ) return a end ; "
    "module N using A : b end ; x = [ 1 , 2 ]",
    "kotlin": "package a . b ; import c . d ; data class A ( val b : Int ) : C ( ) { companion "
    "object { const val d = 1 } } ; val f by lazy { 1 } ; enum class G { H }",
    "less": "@a : 1px ; . f ( @b ) { top : @b } p { . f ( 2px ) ; & : hover { left : 1px } }",
    "lua": "local function f ( a , b ) if a > b then return { c = 1 } else g ( a ) end end ; for "
    "i = 1 , 2 do h : j ( i ) end ; local x <const> = 1 ; goto l ; :: l ::",
    "modula2": "MODULE A ; FROM B IMPORT c ; VAR d : INTEGER ; BEGIN IF d > 1 THEN c ( d ) ELSE "
    "d := 2 END END A .",
    "objective-c": "@interface A : B { int c ; } - ( int ) f : ( int ) a ; @end @implementation "
    "A - ( int ) f : ( int ) a { return [ a g : 1 ] ; } @end",
    "ocaml": "module A = struct let rec f ( a : int ) = match a with | 1 -> b | _ -> ( g a ) end "
    "; type t = A of int | B ; open List",
    "php": "<?php namespace A ; use B ; interface C extends D { const E = 1 ; } trait F { } enum "
    "G { case H ; } function f ( int $a , ? B $b ) : int { return fn ( $c ) => $c ; } $x "
    "= new class extends Y { } ;",
    "plpgsql": "SELECT a , b FROM c AS d WHERE g > 1 ; CREATE FUNCTION f ( a int ) RETURNS int "
    "AS $$ BEGIN RETURN a ; END $$",
    "powershell": "function f ( $a ) { if ( $a -gt 1 ) { return $b } else { g $c } }",
    "rust": "use a :: b ; mod c { } struct d < 'e > { f : & 'e str } enum g { h ( i ) } impl < T "
    "> j for k { } trait l { } fn m ( ) -> n { match o { p => q , _ => r ! ( s ) } } # [ "
    "derive ( t ) ] const u : i32 = 1 ; unsafe { }",
    "scala": "package a ; import b . c ; object A extends B with C { val d : Int = 1 ; implicit "
    "class E ( f : Int ) } ; trait T { type U = V } ; enum W { case X }",
    "scss": "$a : 1px ; @mixin f ( $b ) { top : $b } p { @include f ( 2px ) ; & : hover { left : "
    "1px } }",
    "solidity": "contract A is B { uint a ; function f ( uint b ) public view returns ( uint ) { "
    "return a + b ; } event E ( uint c ) ; struct S { uint d ; } }",
    "sql": "SELECT a , b FROM c AS d LEFT JOIN e ON d . f = e . f WHERE g > 1 GROUP BY a ; "
    "CREATE TABLE t ( a int , b text )",
    "swift": "import A ; struct B : C { let d : Int ; var e : Int { get { return d } } ; init ( "
    "f : Int ) { } } ; enum G { case h , i } ; protocol J { } ; extension K : L { } ; "
    "guard let m = n else { }",
    "typescript": "import { a } from 'b' ; namespace c { export enum d { e } } ; interface f "
    "extends g { h : i ; } ; type j = k | l ; abstract class m { constructor ( "
    "private n : o ) { } } ; function p < q > ( r : s ) : t is u { return v as w ; "
    "} ; const x = async ( y ) => await z",
    "vala": "using A ; namespace N { class A : B { int f ( int a ) { return a ; } } }",
    "verilog": "module a ( input b , output reg c ) ; always @ ( posedge b ) begin if ( b ) c <= "
    "1 ; else c <= 0 ; end endmodule",
}
COMMENTS = {
    "delphi": "{ as said }",
    "fsharp": '(* as "said" *)',
    "haskell": "{- as said -}",
    "julia": "#= as said =#",
    "lua": "--[[ as said ]]",
    "modula2": "(* as said *)",
    "ocaml": '(* as "said" *)',
    "powershell": "<# as said #>",
}
LINES_MEAN_NOTHING = {"c", "cpp", "csharp", "dart", "java", "php", "rust"}
IN_LANGUAGES = pytest.mark.parametrize(
    ("language", "text"), [*PROGRAMS.items(), *DECLARATIONS.items()]
)


def read(text: str, language: str) -> Reading:
    return tokenize(text, find_language(language))


def codes(text: str, language: str) -> list[int]:
    return [int(code) for code in read(text, language).stream.codes]


@IN_LANGUAGES
def test_a_comment_counts_no_more_than_the_blank_in_its_place(language: str, text: str) -> None:
    comment = COMMENTS.get(language, "/* as said */")
    expected = codes(text, language)
    # A line end can end a statement.
    signs = [" {} ", "{}", *(["\n{} "] if language in LINES_MEAN_NOTHING else [])]

    changed = [
        (found.start(), sign)
        for found in re.finditer(" ", text)
        for sign in signs
        if codes(text[: found.start()] + sign.format(comment) + text[found.end() :], language)
        != expected
    ]

    assert [text[:place] for place, _ in changed] == []


@IN_LANGUAGES
def test_comments_in_all_places_at_once_change_nothing(language: str, text: str) -> None:
    comment = COMMENTS.get(language, "/* as said */")
    start, _, rest = text.partition(" ")

    commented = f"{start} " + rest.replace(" ", f" {comment} ")

    assert codes(commented, language) == codes(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("groovy", "val = object ; f ( val , object ) ;"),
        ("julia", "f ( mutable , 1 )"),
        ("vala", "int val = 3 ; f ( object , def ) ;"),
    ],
)
def test_a_comment_makes_no_keyword_of_a_name(language: str, text: str) -> None:
    comment = COMMENTS.get(language, "/* as said */")
    for place in re.finditer(" ", text):
        changed = f"{text[: place.start()]}{comment}{text[place.end() - 1 :]}"
        assert codes(changed, language) == codes(text, language)


@pytest.mark.parametrize(
    ("language", "text", "comment"),
    [
        ("fsharp", "let a = 1\nlet b = 2 (* ~ *)\nlet c = 3\n", "the '\"' character, isn't it"),
        ("haskell", "module --~\n Foo where\nx = 1\n", "(x)"),
        ("haskell", "module --~\n Foo where\nx = 1\n", '"x'),
    ],
)
def test_what_a_comment_holds_does_not_matter(language: str, text: str, comment: str) -> None:
    assert codes(text.replace("~", comment), language) == codes(text.replace("~", " a"), language)


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


@pytest.mark.parametrize(
    ("language", "sign"),
    [("swift", "."), ("swift", ":"), ("scala", "."), ("lua", "[["), ("lua", "[=[")],
)
def test_a_row_of_signs_is_not_looked_through_at_each_of_them(language: str, sign: str) -> None:
    text = sign * 60_000

    tokens = lex_all([(lexer_of(find_language(language)), text)], TokenInterner(), seconds=2)

    assert "".join(value for _, _, value in tokens) == text
