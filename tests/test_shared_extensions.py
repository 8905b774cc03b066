"""Where several languages share an extension, the content decides, or what ``-l`` says."""

from pathlib import Path

import pytest

from mosslite.errors import OptionError
from mosslite.frontends.selection import gather, language_to_read
from mosslite.languages import asked_language
from mosslite.languages.content import SHARED, language_in
from mosslite.options import Options
from mosslite.records import Inputs
from tests.conftest import Run

PROGRAMS = {
    "a.pl perl": "use strict;\nmy $x = shift;\nsub f { return $_[0] + 1; }\nprint f($x);\n",
    "a.pl prolog": "% family\nparent(ann, bob).\nanc(X, Y) :- parent(X, Y).\n"
    "anc(X, Y) :- parent(X, Z), anc(Z, Y).\n",
    "a.m octave": "function y = f(x)\n% doubles\ny = 2 * x;\nend\n",
    "a.m objective-c": '#import "A.h"\n@implementation A\n- (int)f:(int)x { return 2 * x; }\n'
    '@end\n',
    "a.m mathematica": "(* doubles *)\nf[x_] := 2 x\ng[x_, y_] := f[x] + y\n",
    "a.v verilog": "// adds\nmodule add(input a, b, output y);\nassign y = a ^ b;\nendmodule\n",
    "a.v coq": "Require Import Arith.\nTheorem t : forall n, n = n.\n"
    "Proof. intros. reflexivity. Qed.\n",
    "a.v go": "module main\nimport os\nfn add(a int, b int) int {\n\tmut x := a\n\tx += b\n"
    "\treturn x\n}\nfn main() {\n\tprintln(add(1, 2))\n}\n",
    "a.cl common-lisp": "(defun f (x) (* 2 x))\n(defvar *y* 1)\n",
    "a.cl c": "__kernel void f(__global float *x) {\n  int i = get_global_id(0);\n  x[i] *= 2;\n"
    "}\n",
    "a.sc scala": "object A {\n  def f(x: Int) = 2 * x\n  val y = f(1)\n}\n",
    "a.sc supercollider": "(\nSynthDef(\\a, { arg freq; Out.ar(0, SinOsc.ar(freq)); }).add;\n)\n"
    "s.boot;\n",
    "a.st delphi": "PROGRAM Main\nVAR\n  x : INT := 1;\nEND_VAR\nIF x > 1 THEN\n  x := 2;\nEND_IF\n"
    "END_PROGRAM\n",
    "a.st smalltalk": "Object subclass: #A\n!A methodsFor: 'b'!\nf: x\n\t^x * 2! !\n",
    "a.cbl cobol": "000100 IDENTIFICATION DIVISION.\n000200 PROGRAM-ID. A.\n000300* sums\n"
    "000400 PROCEDURE DIVISION.\n000500     DISPLAY 'X'.\n",
    "a.cob cobol": "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. A.\n      * sums\n"
    "       PROCEDURE DIVISION.\n           DISPLAY 'X'.\n",
    "a.cbl cobolfree": "IDENTIFICATION DIVISION.\nPROGRAM-ID. A.\n*> sums\nPROCEDURE DIVISION.\n",
    "a.fs fsharp": "module A\nlet f x = 2 * x\nlet y = f 1\n",
    "a.fs forth": ": double ( n -- n ) 2 * ;\n: quad double double ;\nvariable x\n",
    "a.fs glsl": "#version 330\nuniform vec4 c;\nout vec4 o;\nvoid main() { o = c; }\n",
    "a.ts javascript": "import { a } from 'b';\nexport const f = (x: number) => 2 * x;\n",
    "a.ts xml": '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1">\n<context/>\n</TS>\n',
    "a.h objective-c": "#import <B/B.h>\n@interface A : NSObject\n@property int x;\n- (int)f;\n"
    "@end\n",
    "a.h cpp": "#include <vector>\n#ifndef A\nclass B { int x; };\n#endif\n",
    "a.cls tex": "\\NeedsTeXFormat{LaTeX2e}\n\\ProvidesClass{a}\n\\LoadClass{article}\n",
    "a.cls vb.net": "Attribute VB_Name = \"A\"\nPublic Function F(x)\nDim y\nEnd Function\n",
    "a.inc php": "<?php\nclass A { public $x = 1; }\n$a = new A;\n$a->x = 2;\n",
    "a.inc gas": "; macros\nstart: mov ax, 1\n  add ax, 2\n  push ax\n",
    "a.r splus": "# doubles\nf <- function(x) 2 * x\ny <- f(1)\n",
    "a.r rebol": "REBOL [Title: \"A\"]\nf: func [x] [2 * x]\ny: f 1\n",
    "a.f fortranfixed": "C     doubles\n      program a\n      integer x\n      x = 2 *\n"
    "     &  3\n      end\n",
    "a.f fortran": "program a\n  integer :: x\n  x = 2 * &\n    3\n  print *, x\nend program\n",
    "a.pro idl": "pro a, x\ncompile_opt idl2\nprint, x\nend\n",
    "a.pro prolog": "likes(ann, X) :- food(X).\nfood(pie).\n",
    "a.mod ampl": "set A;\nparam c {A};\nvar x {A} >= 0;\nminimize z: sum {i in A} c[i] * x[i];\n",
}  # fmt: skip


@pytest.mark.parametrize("row", PROGRAMS)
def test_the_content_decides_between_languages_that_share_an_extension(
    row: str, tmp_path: Path
) -> None:
    name, language = row.split()
    for student in ("ann", "bob"):
        (tmp_path / student).mkdir()
        (tmp_path / student / name).write_text(PROGRAMS[row])
    batch = gather(Inputs((str(tmp_path),)), Options())
    files = [file for each in batch.submissions for file in each.files]
    assert {language_to_read(file, Options()).name for file in files} == {language}


def test_the_usual_language_is_read_where_nothing_decides() -> None:
    for extension, (usual, *others) in SHARED.items():
        expected = (usual, False) if others else None
        assert language_in(f"a{extension}", "xyzzy 12 plugh") == expected


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    text = "x\n" * 40_000 + PROGRAMS["a.pl prolog"]
    assert language_in("a.pl", text) == ("perl", False)


@pytest.mark.parametrize(
    ("asked", "name", "language"),
    [
        ("*.pl=prolog", "b/a.pl", "prolog"),
        ("*.pl=prolog", "A.PL", "prolog"),
        ("*.pl=prolog", "a.pm", None),
        ("*.pl=prolog,*.m=objective-c", "a.m", "objective-c"),
        ("c,*.pl=prolog", "a.pl", "prolog"),
        ("c,*.pl=prolog", "a.x", "c"),
        ("lib/*=octave", "lib/a.m", "octave"),
        ("prolog", "a.x", "prolog"),
        (None, "a.pl", None),
    ],
)
def test_a_pattern_asks_for_the_language_of_the_files_that_match(
    asked: str | None, name: str, language: str | None
) -> None:
    found = asked_language(asked, name)
    assert (found and found.name) == language


def test_an_unknown_language_of_a_pattern_is_an_error() -> None:
    with pytest.raises(OptionError, match="unknown language 'prolg'"):
        asked_language("*.pl=prolg")


def test_patterns_of_languages_can_be_repeated_and_read_unknown_extensions(
    run: Run, tmp_path: Path
) -> None:
    for student in ("ann", "bob"):
        (tmp_path / student).mkdir()
        (tmp_path / student / "a.zzz").write_text(PROGRAMS["a.pl prolog"])
        (tmp_path / student / "b.pl").write_text("x")
    patterns = ("-l", "*.pl=prolog", "-l", "*.zzz=prolog")
    shown = run("check", tmp_path, *patterns, "--list")
    assert shown.out.count("prolog") == 4


def test_where_nothing_decides_a_file_is_read_like_the_others_of_the_batch(
    run: Run, tmp_path: Path
) -> None:
    for student, text in (("ann", PROGRAMS["a.pl prolog"]), ("bob", "xyzzy")):
        (tmp_path / student).mkdir()
        (tmp_path / student / "a.pl").write_text(text)
    shown = run("check", tmp_path, "--list").out
    assert shown.count("prolog") == 2


def test_a_warning_names_what_was_decided_without_being_sure(run: Run, tmp_path: Path) -> None:
    for student in ("ann", "bob"):
        (tmp_path / student).mkdir()
        (tmp_path / student / "a.pl").write_text("xyzzy plugh 1 2 3\n" * 40)
    done = run("check", tmp_path, "--no-html")
    assert "read as Perl, although it may be another language" in done.out + done.err
    told = run("check", tmp_path, "--no-html", "-l", "*.pl=prolog")
    assert "may be another language" not in told.out + told.err


@pytest.mark.parametrize(
    ("unclear", "beside", "language"),
    [
        ("a.h", {"a.c": "int f(void) { return 1; }\n"}, "C"),
        ("a.h", {"a.cpp": "int f() { return 1; }\n"}, "C++"),
        ("a.h", {"a.mm": "int f() { return 1; }\n"}, "Objective-C"),
        ("a.pl", {"a.pm": PROGRAMS["a.pl perl"]}, "Perl"),
        ("a.m", {"a.mm": "int f() { return 1; }\n"}, "Objective-C"),
    ],
)
def test_where_only_files_beside_decide_nothing_is_warned_of(
    run: Run, unclear: str, beside: dict[str, str], language: str, tmp_path: Path
) -> None:
    for student in ("ann", "bob"):
        (tmp_path / student).mkdir()
        for name, text in {unclear: "xyzzy plugh\n" * 40, **beside}.items():
            (tmp_path / student / name).write_text(text)
    batch = gather(Inputs((str(tmp_path),)), Options())
    files = [file for each in batch.submissions for file in each.files if file.name == unclear]
    assert {language_to_read(file, Options()).title for file in files} == {language}
    done = run("check", tmp_path, "--no-html")
    assert "may be another language" not in done.out + done.err


def test_the_warning_says_how_such_a_file_is_read_otherwise(run: Run, tmp_path: Path) -> None:
    several = {extension: names for extension, names in SHARED.items() if len(names) > 1}
    for extension in several:
        for student in ("ann", "bob"):
            (tmp_path / f"{student}{extension}").write_text("xyzzy plugh 1 2 3\n" * 40)
    for extension, (_, other, *_) in several.items():
        paths = [f"{student}{extension}" for student in ("ann", "bob")]
        done = run("check", *paths, "--no-html", "--no-config")
        assert f"(-l '*{extension}={other}' sets it)" in done.out + done.err
