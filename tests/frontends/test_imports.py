"""Import statements count for nothing, in every language."""

import re

import pytest

from mosslite.frontends import tokenize
from mosslite.languages import find_language
from tests.builders import codes
from tests.tables import parts_of, table

# Import statements, and a program that stays the same without them.
IMPORTS = parts_of("imports")


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


@table("language", "text")
def test_what_only_looks_like_an_import_stays(language: str, text: str) -> None:
    assert len(codes(text, language)) >= 4


@table("language", "before", "value")
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
@table("code")
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
