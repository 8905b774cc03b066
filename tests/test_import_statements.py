"""Import statements count for nothing, in every language."""

import re

import pytest

from mosslite.frontends import tokenize
from mosslite.languages import find_language
from tests.builders import codes
from tests.imports_of_languages import IMPORTS


@pytest.mark.parametrize("language", IMPORTS)
def test_a_program_has_the_same_symbols_with_imports_and_without(language: str) -> None:
    imports, program = IMPORTS[language]
    head = "<?php\n" * (language == "php")
    body = program.removeprefix(head)
    written = f"{head}{imports.removeprefix(head)}{body}"
    assert len(codes(program, language)) > 3
    assert codes(written, language) == codes(program, language)


# Some are of several lines, and PHP's stand behind an opening tag.
@pytest.mark.parametrize("language", sorted(set(IMPORTS) - {"go", "mojo", "php", "tsx"}))
def test_any_one_import_counts_for_nothing(language: str) -> None:
    imports, program = IMPORTS[language]
    for line in imports.splitlines():
        if line.startswith("(ns ") or not line:
            continue
        assert codes(f"{line}\n{program}", language) == codes(program, language), line


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("perl", "use constant A => f(1);\n"),
        ("ruby", "load(f(1))\n"),
        ("javascript", "const a = required(1);\n"),
        ("javascript", "const s = `\nimport a from 'a';\n` + f(1);\n"),
        ("python", "s = '''\nimport a\n''' + f(1)\n"),
        ("splus", "x <- library(a)$f(1)\n"),
        ("zig", "const a = @intCast(b);\n"),
        ("clojure", "(require-all [f 1])\n"),
        # What does more than name modules is no import.
        ("ada", "procedure P\n  with Inline;\n"),
        ("javascript", "require('a')(b);\n"),
        ("javascript", "const a = require('a')(b);\n"),
        ("javascript", "require('a')\n(b)\n"),
        ("javascript", "var a = require('b'), c = f(a);\n"),
        ("javascript", "const a = { import: 'a', from: 'b' };\n"),
        ("elixir", "use A, b: :c, d: 1\n"),
        ("haskell", "f = let import' = 1 in import'\n"),
        ("lua", "require 'a'(b)\n"),
        ("ocaml", "let open A in f x\n"),
        ("perl", "use overload '+' => 'add', '-' => 'sub';\n"),
        ("php", "<?php class A { use B; }\n"),
        ("python", "x = (yield\n     from f(y))\n"),
        ("python", "raise (A\n    ) from b\n"),
        ("ruby", "require 'a' + b\n"),
        ("ruby", "include A\nload f, g\n"),
        ("scala", "package a {\n  class B\n}\n"),
        ("scala", "package object a { val b = 1 }\n"),
        ("vhdl", "for all : a use entity w.t(b);\n"),
    ],
)
def test_what_only_looks_like_an_import_stays(language: str, text: str) -> None:
    assert len(codes(text, language)) >= 4


@pytest.mark.parametrize(
    ("language", "before", "value"),
    [
        ("javascript", "module.exports = { a: ", "require('./a') };"),
        ("javascript", "var b = c ? d : ", "require('b');"),
        ("javascript", "const f = () => ", "require('x');"),
        ("lua", "obj:", "require('y')"),
        ("ruby", "y = a ? b : ", "require('c')"),
        ("cr", "x = a ? b : ", 'require "c"'),
        ("php", "<?php $b = $c ? 1 : ", "include 'y.php';"),
        ("php", "<?php $this->", "require('x');"),
        ("splus", "a:", "source('c')"),
        ("julia", "a:", "include('c')"),
        ("kotlin", "fun main() {\n", "uses {\nval y = f(1)\nprintln(y)\n}\n}"),
        ("kotlin", "", "uses.add(x, 2)"),
        ("kotlin", "", "import(x, f(y))"),
        ("groovy", "", "uses.add(x, 2)"),
        ("haskell", "", "uses :: Int -> Int"),
    ],
)
def test_what_is_named_like_an_import_or_is_a_value_stays(
    language: str, before: str, value: str
) -> None:
    words = re.findall(r"'[^']*'|\"[^\"]*\"|\w+|[^\w\s]", value)
    assert len(codes(before + value, language)) - len(codes(before, language)) >= len(words) * 2 / 3


@pytest.mark.parametrize(
    ("languages", "words"),
    [
        ("scheme racket", "import use use-modules require load provide"),
        ("clojure", "import use require ns load"),
        ("common-lisp emacs-lisp", "import use-package in-package require load provide"),
    ],
)
@pytest.mark.parametrize(
    "code",
    [
        "(lambda (x) (display 1))",
        "(begin (display 1))",
        "(do (display 1))",
        "(if a (f 1) (g 2))",
        "(f (g (h 1)))",
        "b (f (g (h 1)))",
        "[a (f (g (h 1)))]",
        "(:require (do (f 1)))",
        "'a (eval (f (g 1)))",
    ],
)
def test_what_can_run_in_a_form_of_lisp_is_code(languages: str, words: str, code: str) -> None:
    for language in languages.split():
        for word in words.split():
            form = f"({word} {code})"
            expected = codes(f"(f {code})", language)
            assert len(codes(form, language)) == len(expected), (language, form)


@pytest.mark.parametrize("language", ["clojure", "common-lisp", "emacs-lisp", "racket", "scheme"])
@pytest.mark.parametrize("form", ["(use x)", "(require 'x)", "(import (x y))", '(load "x")'])
def test_a_call_in_a_function_that_is_named_like_an_import_is_code(
    language: str, form: str
) -> None:
    text = "(define (f import use require load)\n  (g x)\n  {})\n"
    assert len(codes(text.format(form), language)) >= len(codes(text.format(""), language)) + 4


@pytest.mark.parametrize("head", ["library (a)", "define-library (a)", "module a racket"])
def test_imports_in_a_module_of_scheme_count_for_nothing(head: str) -> None:
    imports = "(import (scheme base)\n (only (b) c))\n(use d)\n"
    text = f"({head}\n{{}}(define (f x) (g x)))\n{{}}(f 1)\n"
    assert codes(text.format(imports, imports), "scheme") == codes(text.format("", ""), "scheme")


NAMESPACES = ["namespace X;\n{}", "namespace X\\Y {{\n{}\n}}\n", "namespace {{ {} }}"]


@pytest.mark.parametrize("around", NAMESPACES)
@pytest.mark.parametrize(
    "imports",
    ["use A\\B;", "use A\\B as C;", "use function A\\f;", "use const A\\K;", "use A\\{B, C as D};"],
)
def test_imports_in_a_namespace_of_php_count_for_nothing(around: str, imports: str) -> None:
    program = "class E { use F; } f(1); "
    plain, written = (f"<?php\n{around.format(text)}" for text in (program, imports + program))
    assert codes(f"{written}\nnamespace Z {{ {imports} }}", "php") == codes(
        f"{plain}\nnamespace Z {{ }}", "php"
    )


@pytest.mark.parametrize("around", NAMESPACES)
@pytest.mark.parametrize(
    "text",
    [
        "class A {{ {}use T; }}",
        "trait A {{ {}use T, U {{ T::f as g; }} }}",
        "$f = function () {}use ($x) {{ return $x; }};",
    ],
)
def test_what_a_class_or_function_uses_is_code(around: str, text: str) -> None:
    for gap in ("", "\n"):
        written = around.format(text.format(gap))
        without = re.sub(r"use [^;{]*(?:\{[^}]*\}|;)?", "", written)
        assert len(codes(f"<?php\n{written}", "php")) >= len(codes(f"<?php\n{without}", "php")) + 3


def test_lines_that_go_on_without_end_take_linear_time() -> None:
    text = "program a\n" + "use b &\n" * 40_000 + "= 5\nend program\n"
    assert not tokenize(text, find_language("fortran"), seconds=30).is_degraded


def test_imports_in_the_script_of_a_vue_component_count_for_nothing() -> None:
    page = "<script>\n{}\nexport default {{ data() {{ return f(1); }} }}\n</script>\n"
    imports = "import a from 'a';\nimport { b } from './b.vue';\n"
    assert codes(page.format(imports), "vue") == codes(page.format(""), "vue")
