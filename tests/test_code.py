import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends.symbols import NAME, NUMBER, STRING
from mosslite.languages import find_language
from mosslite.records import TokenKind, TokenStream
from tests.builders import codes, document_of, stream_of_code, tries

# Programs with a blank wherever white space and comments may stand, and ``¬`` where a line end or
# a comment would mean something else, to the language or to its lexer.
PROGRAMS = {
    "c": r"""
typedef struct node { int key ; struct node * next ; unsigned long size : 3 ; } Node ;
static const char * names [ ] = { "a" , "b c" } ; enum color { RED = 1 , GREEN } ;
int f ( int * a , char b [ ] , double ( * g ) ( int ) ) { register int i = - 1 , j ;
for ( i = 0 ; i < n ; ++ i ) { if ( a [ i ] == 'x' && ! b ) continue ; else a -> next = & b ; }
do { n -- ; } while ( n > 0 ) ; switch ( n ) { case 1 : break ; default : n += 2 ; } goto end ;
end : return sizeof ( int ) * 2 ; } int main ( void ) { x = a ? b : c ; y = ( double ) z / 2.5 ;
p = malloc ( n * sizeof * p ) ; * p = ~ q ; r = s << 2 | t ^ u % 0x1FuL ; return 1.5e-3f ; }""",
    "cpp": r"""
namespace geo { template < typename T , int N = 3 > class¬Stack : public Base < T > {
std :: vector < T > items ; public : explicit Stack ( int n ) : items ( n ) , top ( nullptr ) { }
virtual ~ Stack ( ) = default ; auto peek ( ) const -> const T & { return items . back ( ) ; }
bool operator == ( const Stack & o ) const noexcept ; } ; } int main ( ) { std :: cout << "a" << 1.5
<< '\n' << std :: endl ; for ( auto & x : xs ) { x += [ & ] ( int y ) { return y * - 1 ; } ( 2 ) ; }
try { throw std :: runtime_error ( "e" ) ; } catch ( const E & e ) { } delete [ ] p ;
int * q = new int [ 10 ] ; constexpr int k = 1 ; static_cast < int > ( x ) ; if ( a && b || ! c )
goto end ; end : return 0 ; }""",
    "java": r"""
public class¬Tree < T extends Comparable < T > > implements Set < T > { private final int [ ] sizes
= { 1 , 2 , 0x1F } ; static double ratio = - 1.5e3 ; char c = 'x' ; String s = "a b" + "c" ;
public Tree ( int size , T ... items ) throws IOException { this . size = size ; f ( ) ; }
@Override public < U > boolean add ( T item ) { for ( int i = 0 ; i < n ; i ++ ) { if ( a [ i ] ==
null || ! b ) continue ; else return x -> x + 1 ; } do { n -- ; } while ( n > 0 ) ; switch ( n ) {
case 1 : break ; default : n += 2 ; } outer : while ( true ) { break outer ; } try { f ( ) ; }
catch ( E e ) { throw new E ( e ) ; } finally { } Object o = ( String ) p ; int q = a ? b : c ;
int r = x >>> 2 ; list . forEach ( System . out :: println ) ; if ( o instanceof String ) assert n >
0 ; synchronized ( this ) { } return n ; } enum Color { RED , GREEN ; } }""",
    "csharp": r"""
namespace¬N { public class¬A < T > : B , IC where T : new ( ) { private readonly int size = 2 ;
public int P { get ; set ; } = 3 ; const double d = - 1.5 ; char c = 'x' ; string s = "a b" + "c" ;
public A ( int n , params T r ) : base ( n ) { this . n = n ; } public static void F ( ref int a ,
out int b ) { foreach ( var x in xs ) { if ( a == null || ! b ) continue ; else b = a ?? c ; }
do { n -- ; } while ( n > 0 ) ; switch ( n ) { case 1 : break ; default : n += 2 ; break ; }
try { f ( ) ; } catch ( E e ) { throw ; } finally { } var q =
from y in ys where y > 1 select y * 2 ; Func < int , int > g = z => z + 1 ; lock ( o ) { }
object o = p as string ; if ( o is int ) return ; t = await u ; int k = a ? b : c ; } }
enum E { A , B } }""",
    "javascript": r"""
class A extends B { constructor ( x , ... y ) { super ( x ) ; this . x = x ; } static get z ( ) {
return¬1 ; } async * g ( ) { yield * h ( ) ; await k ; } } function f ( a , b = 2 ) {
for ( let i = 0 ; i < n ; i ++ ) { if ( a [ i ] === null || ! b ) continue ; else c = a ?? b ; }
for ( const x of xs ) { delete x . y ; } do { n -- ; } while ( n > 0 ) ; switch ( n ) { case 1 :
break ; default : n += 2 ; } try { f ( ) ; } catch ( e ) { throw¬E ( 'a b' ) ; } finally { } }
const g = ( x ) => x * - 1.5 , o = { a : 1 , b : { c : [ 1 , 2 ] } , ... d } ; let { p , q } = o ;
var r = typeof s === "string" ? s : void 0 ; t = u instanceof V && 'w' in x ; y = z ** 2 % 3 >>> 1 ;
outer : while ( true ) { break ; } export default f ;""",
}
TOKENS = {
    language: [token.replace("¬", " ") for token in re.findall(r"\"[^\"]*\"|'[^']*'|\S+", program)]
    for language, program in PROGRAMS.items()
}
QUICK = ("c", "java")
LANGUAGES = pytest.mark.parametrize(
    "language",
    [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in PROGRAMS],
)
GAPS = (
    " ",
    "\n",
    "\t",
    "\r\n",
    "\r",
    "\f",
    "  \n\n ",
    " /* a ' b */ ",
    ' // c " d\n',
    "\n/*\n*/\n",
    "",
)
# Touching one of these, a token could become another.
TOUCHY = "\"'/."

# Beside another type, they are a part of it.
SIZES = {"char", "double", "int", "long", "short", "signed", "unsigned"}

NAMES = st.from_regex("[a-zA-Z_][a-zA-Z0-9_]{0,9}", fullmatch=True).map("q_{}".format)


def slices(text: str, stream: TokenStream) -> list[str]:
    return [text[i:j] for i, j in zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)]


def shown(text: str, language: str) -> str:
    """Return what counts: N for a name, 1 for a number, S for a string and _ for an end."""
    stream = stream_of_code(text, find_language(language))
    signs = {NAME: "N", NUMBER: "1", STRING: "S"}
    return " ".join(
        signs.get(code, part or "_")
        for code, part in zip(stream.codes.tolist(), slices(text, stream), strict=True)
    )


def may_touch(left: str, right: str) -> bool:
    ends = left[-1] + right[0]
    return not set(ends) & set(TOUCHY) and not re.fullmatch(r"[\w$@][\w$@]", ends)


@LANGUAGES
@tries(30)
@given(data=st.data())
def test_white_space_and_comments_between_tokens_do_not_matter(
    language: str, data: st.DataObject
) -> None:
    tokens = TOKENS[language]
    gaps = data.draw(st.lists(st.sampled_from(GAPS), min_size=len(tokens), max_size=len(tokens)))
    text = tokens[0]
    for gap, left, right in zip(gaps, tokens, tokens[1:], strict=False):
        text += (gap if gap or may_touch(left, right) else " ") + right

    assert codes(text, language) == codes(" ".join(tokens), language)


@LANGUAGES
@tries(30)
@given(data=st.data())
def test_the_names_that_are_used_do_not_matter(language: str, data: st.DataObject) -> None:
    text = " ".join(TOKENS[language])
    stream = stream_of_code(text, find_language(language))
    names = {
        part
        for part, kind in zip(slices(text, stream), stream.kinds.tolist(), strict=True)
        if kind == TokenKind.NAME and part not in SIZES
    }
    new = data.draw(st.lists(NAMES, min_size=len(names), max_size=len(names), unique=True))
    renamed = dict(zip(sorted(names), new, strict=True))
    other = " ".join(renamed.get(token, token) for token in text.split(" "))

    assert len(names) > 10
    assert codes(other, language) == stream.codes.tolist()


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("python", "def f(a, *b): return a.c(len(b))", "def g(x, *y): return x.z(max(y))"),
        ("python", "class A(B): größe = c.x", "class Q(R): s = cls.y"),
        ("go", "func (s *S) f(a int) { a.B() }", "func (t *T) g(b int) { b.C() }"),
        ("rust", "fn f(a: A) -> B { println!(a) }", "fn g(b: C) -> D { assert!(b) }"),
        ("kotlin", "fun f(a: A) = a.b { it + 1 }", "fun g(c: D) = c.e { that + 1 }"),
        ("swift", "func f(a: A) -> B { return a.b }", "func g(c: D) -> E { return c.e }"),
        ("ruby", "def f(a) @b = a.c(:d) end", "def g(e) @h = e.i(:j) end"),
        ("php", "<?php function f($a) { $b->c($a); }", "<?php function g($d) { $e->f($d); }"),
        ("perl", "sub f { my ($a) = @b; }", "sub g { my ($c) = @d; }"),
        ("haskell", "f a (Node b) = a : Leaf", "g c (Pair d) = c : Nil"),
        ("ocaml", "let rec f a = match a with B c -> c", "let rec g d = match d with E h -> h"),
        ("octave", "function y = f(a, b)\ny = a;", "function z = g(c, d)\nz = c;"),
        ("ada", "type A is new B; C : A;", "type D is new Float; E : D;"),
        ("mips", "main: lw $t0, x\nj main", "loop: lw $s1, y\nj loop"),
        ("nasm", "mov eax, [x]", "mov ebx, [y]"),
        ("scheme", "(define (f list) (car list))", "(define (g l) (h l))"),
        ("racket", "(define (f list) (first list))", "(define (g l) (h l))"),
        ("common-lisp", "(defun f (list) (POSITION 1 list))", "(defun g (l) (h 1 l))"),
        ("clojure", "(defn f [name] (count name))", "(defn g [n] (h n))"),
        ("lua", "os.remove(x)", "file.remove(x)"),
        ("tasm", "mov ax, x", "mov bx, y"),
        ("prolog", "foo(X, b) :- bar(X).", "baz(Y, c) :- qux(Y)."),
        ("scheme", "(define (f a) (let ((b a)) b))", "(define (g c) (let ((d c)) d))"),
        ("tcl", "proc f {a} { set b $a }", "proc g {c} { set d $c }"),
        ("r", "f <- function(a) a$b", "g <- function(c) c$d"),
        ("sql", "select x.y from z w", "select u.v from t s"),
        ("sql", "select level from day where value = 1", "select x from y where z = 1"),
        ("mysql", "select level from day where value = 1", "select x from y where z = 1"),
        ("postgresql", "select level from day where value = 1", "select x from y where z = 1"),
        ("lua", "local a = b.c(d)", "local e = f.g(h)"),
        ("verilog", "module a(b); endmodule", "module c(d); endmodule"),
    ],
)
def test_names_are_one_symbol(language: str, left: str, right: str) -> None:
    assert codes(left, language) == codes(right, language) != []


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("python", "x = 1", "x = 0xFF_FF"),
        ("python", "x = 'a'", 'x = rb"""b\nc\\n"""'),
        ("java", "x = 1L", "x = 0b1010"),
        ("java", "x = 'a'", 'x = "b\\n"'),
        ("c", "x = 1", "x = 0x1.8p-3"),
        ("c", "x = 'a'", 'x = L"a\\\nb"'),
        ("javascript", "x = 'a'", "x = `b`"),
        ("javascript", "x = 1", "x = 0x1F"),
        ("csharp", 'x = "a"', 'x = @"b""c"'),
        ("sql", "x = 'a'", "x = 'it''s'"),
        ("ruby", "x = 'a'", "x = %q(b)"),
        ("lua", "x = 'a'", "x = [[b\n \\]]"),
        ("lua", "x = 'a'", "x = [==[ ' ]] [=[ ]=] -- ]==]"),
        ("lua", "x = 'a'", "x = '\\x41\\65\\u{48}\\z\n \\''"),
    ],
)
def test_literals_are_one_symbol_of_their_kind(language: str, left: str, right: str) -> None:
    assert codes(left, language) == codes(right, language)
    assert len(codes(left, language)) == 3


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("python", "x = 1", "x = 'a'"),
        ("java", "x = a", "x = 1"),
        ("java", "x += 1", "x -= 1"),
        ("java", "x++", "x--"),
        ("java", "while (x)", "if (x)"),
        ("java", "x = true", "x = false"),
        ("c", "a->b", "a.b"),
        ("nasm", "add eax, 1", "sub eax, 1"),
        ("tasm", "add ax, 1", "sub ax, 1"),
        ("gas", "addl $1, %eax", "subl $1, %eax"),
        ("mips", "add $t0, $t1, $t2", "sub $t0, $t1, $t2"),
        ("mips", "li $t0, 1", "la $t0, 1"),
        ("scheme", "(cond (x y))", "(case (x y))"),
        ("common-lisp", "(defun f (x) (car x))", "(defmacro f (x) (car x))"),
        ("common-lisp", "(DOLIST (x y) (f x))", "(dotimes (x y) (f x))"),
        ("scheme", "(if (< x y) x)", "(if (> x y) x)"),
        ("clojure", "(defn f [x] x)", "(defmacro f [x] x)"),
        ("prolog", "a :- b , c.", "a :- b ; c."),
        ("html", "<p>text</p>", "<b>text</b>"),
        ("html", "<p>text</p>", "<p>word</p>"),
        ("bash", "ls x", "rm x"),
    ],
)
def test_what_a_copier_cannot_change_freely_counts(language: str, left: str, right: str) -> None:
    assert codes(left, language) != codes(right, language)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("java", "/** A. */ class A { // b\n /* c */ int d; }", "class N { int N ; }"),
        ("java", '@Test @A("b") void f()', "( S ) void N ( )"),
        ("java", 'a = "b" + \'c\' - -1.5;', "N = S + S - - 1 ;"),
        ("python", "# a\ndef f():\n    '''b'''\n    return 1  # c", "def N ( ) : return 1 _"),
        ("python", "@a.b(c)\ndef f(): pass", "@ N . N ( N ) def N ( ) : pass _"),
        ("python", "if not a is None: pass", "if not N is None : pass _"),
        ("python", "a = 'b' \"c\" \\\n    f'd'", "N = S"),
        ("python", "f('a'  # b\n  'c')", "N ( S )"),
        ("python", 'f"a{b + 1!r:>{c}}d"', "S N + 1 ! r : S N S"),
        ("python", "a = b if c else \\\n  d", "N = N if N else N"),
        ("python", "a @ b", "N @ N"),
        ("python", "x = y\n\\\n", "N = N"),
        ("c", "#include <a.h>\n#define B(c) \\\n  (c)\n#if D\nint e;\n#endif",
         "# define N ( N ) ( N ) _ # if N _ int N ; # endif _"),
        ("c", "#if 0\nint a;\n#endif\nint b;", "int N ;"),
        ("c", 'a = "b" "c"\n  "d" + \\\n 1;', "N = S + 1 ;"),
        ("c", "a = b-1;", "N = N - 1 ;"),
        ("cpp", "a>>b; // c\n a<<=-1;", "N > > N ; N < < = - 1 ;"),
        ("csharp", "#region A\n[B] int c = 1;\n#endregion", "N int N = 1 ;"),
        ("csharp", 'a = $"b{c}d";', "N = S N S ;"),
        ("javascript", "a = `b${c + 1}d`;", "N = S N + 1 S ;"),
        ("javascript", "a = /b+/g.test(c)", "N = S . N ( N )"),
        ("javascript", "$('a').b", "N ( S ) . N"),
        ("ruby", 'a = "b#{c + 1}d"', "N = S N + 1 S"),
        ("ruby", "=begin\na\n=end\nb = :c # d", "N = S"),
        ("php", "<?php // a\n$b = \"c {$d[1]} e\"; # f\n?>", "N = S N [ 1 ] S ;"),
        ("bash", "#!/bin/sh\nls \\\n -l # a", "ls - l _"),
        ("bash", "if ((a == 1)); then ls; fi", "if ( ( N = = 1 ) ) ; then ls ; fi _"),
        ("html", "<!-- a --><p class='b'>two words</p>", "< p N = S > two words < / p >"),
        ("delphi", "{ a } (* b *) c := 'd'; // e", "N : = S ;"),
        ("haskell", "{- a -} f x = \\y -> x + y -- b", "N N = \\ N - > N + N"),
        ("ocaml", "(* a (* b *) *) let f x = x", "let N N = N"),
        ("scheme", "; a\n(define (f x) (+ x -1))", "( define ( N N ) ( + N - 1 ) )"),
        ("prolog", "% a\nf(X) :- X is 1+2, \\+ g(X).", "N ( N ) : - N is 1 + 1 , \\ + N ( N ) ."),
        ("mips", "main: addi $sp, $sp, -4 # a\n sw $ra, 0($sp)",
         "N addi N , N , - 1 sw N , 1 ( N )"),
        ("vb.net", "' a\nx = 1 + _\n  2", "N = 1 + 1"),
        ("fortranfixed", "C a\n      x = y +\n     &    z\n", "N = N + N"),
        ("octave", "% a\ny = [1 2; 3 4]' * x; # b", "N = [ 1 1 ; 1 1 ] ' * N ;"),
        ("sql", "-- a\nselect b, 1 from x where d = 'e'", "select N , 1 from N where N = S"),
        ("vhdl", "-- a\nx <= '1';", "N < = S ;"),
    ],
)  # fmt: skip
def test_what_counts_of_a_program(language: str, text: str, expected: str) -> None:
    assert shown(text, language) == expected


@pytest.mark.parametrize("language", ["java", "c", "cpp", "csharp", "javascript", "python", "go"])
def test_blanks_around_signs_do_not_matter(language: str) -> None:
    assert codes("a= -1", language) == codes("a=-1", language) == codes("a = - 1", language)
    assert codes("a-1", language) == codes("a - 1", language)
    assert codes("a[b]=c;", language) == codes("a [ b ] = c ;", language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("swift", "import Foundation\nstruct S {\n let a = 1\n}\n"),
        ("gas", "a:\n movl $0, %eax\n incl %ebx\n ret\n\tcall b"),
        ("tcl", "proc p {} {\n set x 1\n puts $x\n}\nif {$a} {\n b c\n}"),
    ],
)
@pytest.mark.parametrize("end", [" \n", "\t \n", "  \r\n"])
def test_blanks_at_the_ends_of_lines_do_not_matter(language: str, text: str, end: str) -> None:
    with_blanks = text.replace("\n", end) + "\t"
    found, usual = (stream_of_code(each, find_language(language)) for each in (with_blanks, text))

    assert found.codes.tolist() == usual.codes.tolist()
    lines = document_of(usual, text=text).lines_at(usual.starts).tolist()
    assert document_of(found, text=with_blanks).lines_at(found.starts).tolist() == lines


def test_a_comment_behind_an_import_in_swift_does_not_matter() -> None:
    text = "import Foundation{}\nimport struct A.B{}\nstruct S {{\n let a = 1\n}}"
    commented = codes(text.format(" // for dates", " /* why */"), "swift")
    assert commented == codes(text.format("", ""), "swift")
    assert shown(text.format("", ""), "swift") == "struct N { let N = 1 }"


@pytest.mark.parametrize(
    ("language", "head", "rest"),
    [
        ("cpp", "int A::f() const", " { return 1; }"),
        ("cpp", "A::A(int x) : b(x)", " { }"),
        ("perl", "print <<EOF;", "\nsome text; $x\nEOF\nf(1);"),
        ("perl", "print <<'EOF' . $x, 2;", "\nsome text\nEOF\nf(1);"),
        ("perl", "print <<~EOF;", "\n  some text\n  EOF\nf(1);"),
        ("php", "<?php\n$a = <<<EOT\nsome $b text\nEOT;", "\nf(1);"),
        ("php", "<?php\nf(<<<'EOT'\nsome text\n  EOT, 2);", "\ng(1);"),
        ("ruby", "rule %r/\\\\/, a", "\nf(1)\n"),
        ("scheme", "(f #\\; x)", "\n(g y)"),
    ],
)
def test_a_comment_behind_what_lexers_know_by_its_end_does_not_matter(
    language: str, head: str, rest: str
) -> None:
    mark = {"cpp": "//", "php": "//", "scheme": ";"}.get(language, "#")
    for comment in ("note", 'it\'s "well known" (p. 7)', "a = b; {"):
        assert codes(f"{head} {mark} {comment}\n{rest}".replace("\n\n", "\n"), language) == codes(
            head + rest, language
        )


def test_what_an_escaped_backslash_ends_in_ruby_is_a_regular_expression() -> None:
    assert shown('a %r/[\\\\]/, b\nc %r/"/, d', "ruby") == "N S , N N S , N"


def test_a_comparison_in_lua_is_read_alike_whatever_is_behind_it() -> None:
    text = "while a < b and 1 do{}\n c = 'd'\nend"
    assert codes(text.format(" -- not a > b"), "lua") == codes(text.format(""), "lua")
    assert shown("if a < 1 and b > 2 then", "lua") == "if N < 1 and N > 1 then"
    assert shown("local a <const> = 1 < 2", "lua") == "local N < N > = 1 < 1"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("delphi", "program P; var X: Integer; begin if X <> 1 then WriteLn('a') end."),
        ("fortran", "program p\n integer :: x\n do x = 1, 9\n print *, 'a'\n end do\nend program"),
        ("sql", "Select a, count(*) From b Where c = 'd' Group By e"),
        ("vhdl", "entity E is port (A : in std_logic); end E;"),
        ("ada", "procedure P is X : Integer; begin null; end P;"),
        ("vb.net", "Sub Main()\nDim X As Integer = 1\nIf X = 1 Then Y()\nEnd Sub"),
        ("nasm", "mov eax, 1\nint 0x80"),
        ("tasm", "mov ax, 1\nint 21h"),
    ],
)
def test_case_does_not_matter_where_the_language_ignores_it(language: str, text: str) -> None:
    upper = stream_of_code(text.upper(), find_language(language))
    lower = stream_of_code(text.lower(), find_language(language))

    assert upper.codes.tolist() == lower.codes.tolist()
    assert upper.lexemes.tolist() == lower.lexemes.tolist()


def test_case_matters_where_the_language_heeds_it() -> None:
    assert codes("while (x)", "java") != codes("WHILE (x)", "java")


def test_strings_side_by_side_are_one_token_from_the_first_to_the_last() -> None:
    text = "f('a\\n'  # b\n  \"c\", 1)"
    stream = stream_of_code(text, find_language("python"))

    assert slices(text, stream) == ["f", "(", "'a\\n'  # b\n  \"c\"", ",", "1", ")"]
    firsts, lasts = document_of(stream, text=text).lines_of(stream.starts, stream.stops)
    assert firsts.tolist() == [1, 1, 1, 2, 2, 2]
    assert lasts.tolist() == [1, 1, 2, 2, 2, 2]


def test_lexemes_tell_tokens_that_are_written_alike() -> None:
    stream = stream_of_code(
        "a = b; b = a; c(a, 'x' 'y', 'x' 'y', 'x' 'z')", find_language("python")
    )
    by_text = dict(zip("a=b;", stream.lexemes.tolist(), strict=False))
    strings = stream.lexemes[stream.codes == np.uint64(STRING)].tolist()

    assert len(set(by_text.values())) == 4
    assert stream.lexemes[4:7].tolist() == [by_text["b"], by_text["="], by_text["a"]]
    assert strings[0] == strings[1] != strings[2]


def test_kinds_tell_names_types_the_frame_and_the_content_apart() -> None:
    stream = stream_of_code("static int f(int a) { return a + 1; }", find_language("java"))

    assert "".join(map(str, stream.kinds.tolist())) == "23123122010022"


@pytest.mark.parametrize("language", [*PROGRAMS, "python", "html", "sql", "octave", "bash"])
@pytest.mark.parametrize("text", ["", "\n", " \t\r\n\r"])
def test_an_empty_program_has_no_tokens(language: str, text: str) -> None:
    stream = stream_of_code(text, find_language(language))

    assert len(stream) == 0
    assert stream.codes.dtype == stream.lexemes.dtype == np.uint64
    assert stream.starts.dtype == stream.stops.dtype == np.int32


def test_a_program_of_comments_has_no_tokens() -> None:
    assert codes("// a\n/* b */\n", "java") == []
    assert codes('"""a"""\n# b\nimport c\n', "python") == []
