import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pygments.lexers import get_all_lexers
from pygments.token import Comment, Error, Keyword, Name, Operator

from mosslite.errors import OptionError
from mosslite.languages import MOSS_LANGUAGES, find_language, is_data, language_of, lexer_of
from mosslite.languages.rows import ROWS

MOSS_NAMES = {
    "c": "c", "cc": "cpp", "java": "java", "ml": "ocaml", "pascal": "delphi", "ada": "ada",
    "lisp": "common-lisp", "scheme": "scheme", "haskell": "haskell", "fortran": "fortran",
    "ascii": "text", "vhdl": "vhdl", "perl": "perl", "matlab": "octave", "python": "python",
    "mips": "gas", "prolog": "prolog", "spice": "text", "vb": "vb.net", "csharp": "csharp",
    "modula2": "modula2", "a8086": "gas", "javascript": "javascript", "plsql": "sql",
    "verilog": "verilog",
}  # fmt: skip

# The lexers of families of dialects.
READ_BY = {"c": "cpp", "verilog": "systemverilog"}

# A comment and a keyword of a snippet, near its end as a lexer may lose its place, and the snippet.
# TASM's lexer takes a mnemonic for the name of a function, Prolog's has operators for keywords.
SNIPPETS = {
    "c": ("// done", "return", r"""#include <stdio.h>
struct node { int key; struct node *next; }; /* keys */
int main(void) { char c = '\n', *s = "it's";
  for (int i = 0; i < 9; i++) printf("%d%c", i * 0x1F, c);  // done
  return 0; }"""),
    "cc": ("// peeks", "constexpr", r"""#include <vector>
template <typename T> class Stack : public Base { std::vector<T> items_;
public: virtual ~Stack() = default; auto top() const -> const T& { return items_.back(); } // peeks
}; constexpr double big = 1'000.5e3;"""),
    "java": ("// all", "return", r"""/** A queue. */
public class Queue<T> implements Bag<T> { private final List<T> items = new ArrayList<>();
  @Override public void add(T item) { if (item == null) throw new BagError("null" + 'c');
    items.forEach(x -> System.out.println(x));  // all
    return; } }"""),
    "ml": ("inner", "in", r"""type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
let rec insert x = function Leaf -> Node (Leaf, x, Leaf)
  | Node (l, y, r) as t -> if x < y then Node (insert x l, y, r) else t
(* outer (* inner *) end *)
let () = let r = ref 0 in Printf.printf "%d\n" (List.fold_left (+) !r [1; 2])"""),
    "pascal": ("(* halves *)", "while", r"""
program Sorting(input, output); type PNode = ^TNode; var a: array[1..9] of integer;
procedure Swap(var x, y: integer); var t: integer; begin t := x; x := y; y := t end;
begin { a line } writeln('it''s ', a[1]:5, $FF);  (* halves *)
  While a[1] <> 0 do a[1] := a[1] div 2 end."""),
    "ada": ("-- sums", "others", r"""with Ada.Text_IO; use Ada.Text_IO;
procedure Demo is type Items is array (1 .. 9) of Integer; Total : Natural := 16#A#;
begin Put_Line ("Sum" & Natural'Image (Total)); -- sums
  for I in 1 .. 10 loop Total := Total + I; end loop; exception when others => null; end Demo;"""),
    "lisp": ("; all", "lambda", r"""
#| solves it |# (defun safe-p (row queens) "Safe?" (loop for q in queens never (= q row)))
(defmacro twice (x) `(progn ,x ,@(list x)))  ; all
(mapcar #'(lambda (x) (* x x)) '(1 #\a))"""),
    "scheme": ("; a list", "let*", r"""
(define (fib n) (cond ((= n 0) 0) (else (+ (fib (- n 1)) (fib (- n 2))))))
#| counts |# (let loop ((i 0)) (if (< i 10) (loop (+ i 1))))  ; a list
(let* ((x #\a) (y "s")) `(a ,x #t))"""),
    "haskell": ("-- smaller", "case", r"""
module Tree (insert) where { import qualified Data.Map as M }
data Tree a = Leaf | Node (Tree a) a (Tree a) deriving (Show)  {- a tree -}
insert :: Ord a => a -> Tree a -> Tree a
insert x t@(Node l y r) | x < y = Node (insert x l) y r  -- smaller
  | otherwise = case f' 'c' of _ -> t"""),
    "fortran": ("! sines", "call", r"""program sort; implicit none
  character(len=20) :: name = 'it''s'; real(kind=8), dimension(n) :: a
  do i = 1, n; a(i) = sin(real(i)) * 1.0d0; end do  ! sines
  CALL swap(a(1), a(2)); write(*,*) "sorted"; end program sort"""),
    "vhdl": ("-- up", "map", r"""
entity counter is port (clk : in std_logic; q : out std_logic_vector(7 downto 0)); end entity;
architecture rtl of counter is signal cnt : unsigned(7 downto 0) := (others => '0');
begin process (clk) begin if rising_edge(clk) then cnt <= cnt + 1; end if;  -- up
  end process; u : entity work.foo port map (a => clk, b => X"FF"); end rtl;"""),
    "perl": ("# report", "foreach", r"""
use strict; my %count; sub trim { my ($s) = @_; $s =~ s/^\s+//g; }
while (my $line = <STDIN>) { chomp $line; $count{lc $_}++ for split /\s+/; }  # report
foreach my $k (sort keys %count) { printf "%s %d\n", $k, $count{$k}; }"""),
    "matlab": ("% steps", "while", r"""function [r, k] = newton(f, x0)
r = x0; k = 0; A = [1 2 3; 4 5 6]'; b = A \ [1; 2]; g = @(x) x.^2 + 1; s = 'it''s';
while abs(f(r)) > 1e-6 && k < 100, r = r - f(r)'; end  % steps"""),
    "python": ("# squares", "while", r'''@dataclass
class Node:
    """A node."""
    key: int = len(rf"\d{0x1F!r}")
xs = [i ** 2 for i in range(10) if i % 2 == 0]  # squares
while (n := len(xs)) > 3: xs.pop()'''),
    "mips": ("# room", "jr", r"""        .data
msg:    .asciiz "Enter n: \n"
main:   la   $a0, msg
        sw   $ra, -4($sp)      # room
        beq  $t0, $zero, main
        jr   $ra"""),
    "prolog": ("% climbs", "is", r"""
:- use_module(library(lists)). /* facts */ parent(bob, 'Ann Lee').
ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).  % climbs
len([_|T], N) :- len(T, M), N is M + 1, !. test :- \+ len(_, 2), X = "s"."""),
    "vb": ("' checks", "Next", r'''Public Class Account : Private _balance As Decimal = 0D
    Public Sub Deposit(ByVal amount As Decimal)  ' checks
        If amount <= 0 Then Throw New Exception("bad ""x""")
        For Each x In xs : _balance += x : Next : End Sub : End Class'''),
    "csharp": ("// default", "foreach", r"""/// <summary>Shapes</summary>
public abstract class Shape : IShape { public string Name { get; set; } = @"c:\";
    public double F(int? n) => n ?? 4;  // default
    void F() { foreach (var x in xs) Console.WriteLine($"x={x:F2}" + 'c'); } }"""),
    "modula2": ("inner", "REPEAT", r"""
MODULE Sort; FROM InOut IMPORT WriteString, WriteLn; (* outer (* inner *) end *)
VAR a : ARRAY [1..9] OF INTEGER; PROCEDURE Swap(VAR x, y : INTEGER);
BEGIN IF a[1] # 0FFH THEN WriteString("it's") ELSIF x >= y THEN WriteLn END; END Swap;
BEGIN REPEAT a[1] := a[1] DIV 2 UNTIL a[1] = 0; END Sort."""),
    "a8086": ("; prints", "jmp", r"""    msg db 'Hello!', 0dh, 0ah, '$', 10 dup(?)
main proc
    mov ax, @data     ; prints
    mov byte ptr [di], al
    jmp short main"""),
    "javascript": ("// pushes", "for", r"""
import { readFile } from 'fs'; var re = /ab+c[/]/gi.test(s);
class Stack extends Base { #size = 1; push(x) { this.items.push(x); } }  // pushes
const f = async (x) => { await x?.y ?? 1; };
for (const i of items) console.log(`i = ${i + 1}`);"""),
    "plsql": ("-- raises", "LOOP", r"""
CREATE OR REPLACE PROCEDURE raise_sal (p_id IN NUMBER) IS v_name emp.ename%TYPE;
BEGIN UPDATE emp SET sal = sal * 1.5 WHERE empno = p_id;  -- raises
  IF SQL%NOTFOUND THEN RAISE e_none; ELSIF p_id != 3 THEN NULL; END IF;
  DBMS_OUTPUT.PUT_LINE('it''s ' || v_name); :new.id := seq.NEXTVAL;
  FOR i IN 1..10 LOOP NULL; END LOOP; END;"""),
    "verilog": ("// resets", "endmodule", r"""`timescale 1ns / 1ps
module counter #(parameter N = 8) (input clk, output reg [7:0] q);
  always @(posedge clk or negedge rst) if (!rst) q <= 8'hFF;  // resets
    else q <= q + 1'b1; initial $display("q = %d", q); endmodule"""),
}  # fmt: skip

FILES = {
    "actionscript": "a.as", "bash": "a.sh .bashrc", "c": "foo.c a.y a.l", "cmake": "CMakeLists.txt",
    "common-lisp": "a.lisp a.cl a.lsp",
    "cpp": "a.cpp a.cc a.cxx a.c++ a.h a.hh a.hpp a.inl a.ino a.inc", "csharp": "a.cs",
    "css": "a.css a.scss a.less", "delphi": "a.pas a.dpr a.pp a.p a.P a.dpk a.lpr",
    "fortran": "a.f90 a.F90 a.f95 a.f03", "fortranfixed": "a.f a.F a.for a.f77", "fsharp": "a.fs",
    "gas": "a.s a.S a.asm a.nasm a.mips a.a8086",
    "go": "a.go", "haskell": "a.hs aSpec.hs", "html": "a.html",
    "java": "Main.java Main.JAVA src/hw.c/Main.java Main.jav a.c.java a.pde",
    "javascript": "a.js a.jsx a.mjs a.cjs a.ts a.tsx a.mts a.cts",
    "json": "a.json", "julia": "a.jl", "kotlin": "a.kt",
    "literate-haskell": "a.lhs", "lua": "a.lua", "make": "Makefile makefile.linux",
    "modula2": "a.mod a.def", "ocaml": "a.ml a.mli",
    "octave": "a.m", "perl": "a.pl a.pm a.t", "php": "a.php a.php5 a.phtml",
    "prolog": "a.pro a.prolog",
    "python": "a.py a.py2 a.py3 a.pyw", "racket": "a.rkt", "ruby": "a.rb", "rust": "a.rs",
    "scheme": "a.scm a.ss", "splus": "a.r a.R", "sql": "a.sql a.pls a.pks a.pkb a.plb",
    "swift": "a.swift",
    "tex": "a.tex",
    "text": "a.txt a.text a.md a.markdown a.rst README LICENSE todo.txt a.cir a.sp a.spi a.spice",
    "vb.net": "a.vb a.bas a.cls a.vbs", "verilog": "a.v a.sv a.svh a.hdl",
    "vhdl": "a.vhd a.vhdl", "xml": "a.xml a.xslt", "yaml": "a.yaml a.yml",
}  # fmt: skip


def tokens_of(moss_name: str) -> list[tuple[Any, str]]:
    tokens = lexer_of(find_language(moss_name)).get_tokens_unprocessed(SNIPPETS[moss_name][2])
    return [(kind, text.strip()) for _, kind, text in tokens if text.strip()]


def run_python(code: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    places = os.pathsep.join(map(str, [Path(__file__).parents[1], *paths]))
    settings = {**os.environ, "PYTHONPATH": places}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("moss_name", "name"), MOSS_NAMES.items())
def test_every_moss_name_finds_a_lexer(moss_name: str, name: str) -> None:
    assert find_language(moss_name).name == find_language(moss_name.upper()).name == name
    assert lexer_of(find_language(moss_name)).aliases[0] == READ_BY.get(name, name)


def test_there_are_25_moss_names_and_a_note_on_every_stand_in() -> None:
    noted = {name for name, (_, note) in MOSS_LANGUAGES.items() if note}
    assert list(MOSS_LANGUAGES) == list(MOSS_NAMES)
    others = {"a8086", "mips", "plsql"}
    assert noted == {"ml", "pascal", "fortran", "ascii", "matlab", "spice", "vb"} | others


@pytest.mark.parametrize("moss_name", SNIPPETS)
def test_the_lexer_of_a_moss_language_reads_it_without_errors(moss_name: str) -> None:
    tokens = tokens_of(moss_name)
    assert len(tokens) > 25
    assert not [text for kind, text in tokens if kind is Error]


@pytest.mark.parametrize("moss_name", SNIPPETS)
def test_the_lexer_of_a_moss_language_knows_its_comments(moss_name: str) -> None:
    comments = [text for kind, text in tokens_of(moss_name) if kind in Comment]
    assert any(SNIPPETS[moss_name][0] in text for text in comments)
    assert all(len(text) < 40 for text in comments)


@pytest.mark.parametrize("moss_name", SNIPPETS)
def test_the_lexer_of_a_moss_language_knows_its_keywords(moss_name: str) -> None:
    kinds = {text.lower(): kind for kind, text in tokens_of(moss_name)}
    kind = kinds[SNIPPETS[moss_name][1].lower()]
    others = {"a8086": Name.Function, "mips": Name.Function, "prolog": Operator}
    assert kind in others.get(moss_name, Keyword)


@pytest.mark.parametrize(
    ("alias", "name"),
    [("C++", "cpp"), ("js", "javascript"), ("SML", "sml"), ("rst", "text"), ("md", "text"),
     ("octave", "octave"), ("r", "splus"), ("spicelang", "spicelang"), ("latex", "tex")],
)  # fmt: skip
def test_a_name_that_moss_lacks_is_a_pygments_alias(alias: str, name: str) -> None:
    assert find_language(alias).name == name


def families() -> set[str]:
    return {name for name, row in ROWS.items() if row.members or row.lexer}


@pytest.mark.slow
def test_every_pygments_alias_finds_its_lexer_unless_it_is_prose_or_a_moss_name() -> None:
    rows = [(title, alias) for title, aliases, _, _ in get_all_lexers(False) for alias in aliases]
    others = {alias: find_language(alias) for title, alias in rows
              if lexer_of(find_language(alias)).name != title}  # fmt: skip
    single = {alias for alias, other in others.items() if other.name not in families()}
    assert {alias for alias in single if not others[alias].is_prose} == {"matlab"}
    assert {alias for alias, other in others.items() if other.is_prose} == {
        "markdown", "md", "org", "orgmode", "org-mode", "restructuredtext", "rst", "rest", "spice"
    }  # fmt: skip


@pytest.mark.slow
def test_the_name_of_a_language_finds_the_language_and_its_title_is_its_lexers_name() -> None:
    languages = {find_language(alias) for row in get_all_lexers(False) for alias in row[1]}
    assert all(find_language(language.name) == language for language in languages)
    other = {each.name for each in languages if lexer_of(each).name != each.title}
    assert other - families() == {"vhdl"}


@pytest.mark.parametrize(
    ("name", "middle"),
    [("jav", "did you mean 'java'? "), ("Matlb", "did you mean 'matlab'? "), ("zzzzzz", ""),
     ("", ""), ("a\nb'", "")],
)  # fmt: skip
def test_an_unknown_language_is_named_with_the_nearest_known_one(name: str, middle: str) -> None:
    with pytest.raises(OptionError) as caught:
        find_language(name)
    expected = f"unknown language {name!r}: {middle}see 'mosslite languages'"
    assert str(caught.value) == expected


@pytest.mark.parametrize("name", FILES)
def test_a_files_name_tells_its_language(name: str) -> None:
    for file_name in FILES[name].split():
        language = language_of(file_name)
        assert language is not None, file_name
        assert language == find_language(name), file_name
        assert language.is_prose == (name == "text")


@pytest.mark.parametrize("file_name", ["a.ipynb", "a.net", "a.json~", "java", "a.java/b", "", "."])
def test_a_file_name_that_no_lexer_claims_has_no_language(file_name: str) -> None:
    assert language_of(file_name) is None


def test_caseless_languages_are_those_where_the_case_of_keywords_means_nothing() -> None:
    caseless = {name for name in MOSS_NAMES if find_language(name).is_caseless}
    assert caseless == {"pascal", "ada", "lisp", "fortran", "vhdl", "vb", "a8086", "plsql", "mips"}


def test_settings_and_data_are_no_programs() -> None:
    data = {name for name in FILES if is_data(find_language(name))}
    assert data == {"cmake", "json", "make", "xml", "yaml"}


def test_naming_a_files_language_imports_no_lexer() -> None:
    code = "import sys, mosslite.languages as m; print(m.language_of('a.java').name, "
    result = run_python(code + "[n for n in sys.modules if n == 'pygments.lexers.jvm'])")
    assert result.stdout == "java []\n"


def test_the_lexers_of_plugins_are_ignored(tmp_path: Path) -> None:
    lexer = "class Zed(Lexer):\n name = 'Zed'\n aliases = ['zed']\n filenames = ['*.zzz']\n"
    (tmp_path / "zed.py").write_text(f"from pygments.lexer import Lexer\n{lexer}")
    (tmp_path / "zed-1.dist-info").mkdir()
    (tmp_path / "zed-1.dist-info/METADATA").write_text("Name: zed\nVersion: 1\n")
    (tmp_path / "zed-1.dist-info/entry_points.txt").write_text("[pygments.lexers]\nz = zed:Zed\n")
    code = "import pygments.lexers as p, mosslite.languages as m; print("
    names = "p.find_lexer_class_for_filename('a.zzz').name, m.language_of('a.zzz')"
    result = run_python(f"{code}{names}); m.find_language('zed')", tmp_path)
    assert result.stdout == "Zed None\n"
    assert "OptionError: unknown language 'zed'" in result.stderr
