import pytest

from tests.laws.arrangement import cut_in_three, in_front, reordered
from tests.laws.edits import renamed, with_asides, with_comments, without_comments

FUNCTION = "sub f%d {\n  my ($x, $y) = @_;\n" + "  $x = $x * 2 + $y;\n" * 12 + "  return $x;\n}\n"
DATA = "__DATA__\n@@ page\n\n<p>\n\n" + "a + b;\n\n" * 200


@pytest.mark.parametrize("mark", ["__DATA__", "__END__"])
def test_a_program_in_front_of_another_keeps_its_data_behind_both(mark: str) -> None:
    joined = in_front(f"f();\n{mark}\ndata\n", f"g();\n{mark}\nmore\n", "perl")

    assert joined == f"f();\n\ng();\n{mark}\nmore\n\n{mark}\ndata\n"


def test_data_behind_a_program_is_neither_cut_nor_put_in_another_order() -> None:
    functions = [FUNCTION % number for number in range(6)]
    text = "\n".join([*functions, DATA])

    first, *others, last = functions
    assert reordered(text, "perl") == "\n".join([first, *reversed(others), last, DATA])
    assert [part.count("sub f") for part in cut_in_three(text, "perl")] == [2, 2, 2]


def test_what_is_too_short_for_a_passage_is_not_cut_off_at_the_end() -> None:
    long, short = FUNCTION % 1, "sub g { return 1; }\n"

    assert reordered("\n".join([long, long, long, short]), "perl").endswith(f"{long}\n{short}")


def test_a_condition_of_compilation_is_no_comment_to_take_out_or_to_add_to() -> None:
    text = "// Copyright\n//go:build linux\n\npackage main // note\n"

    assert without_comments(text, "go") == " \n//go:build linux\n\npackage main  \n"
    assert "\n//go:build linux\n" in with_comments(text, "go")


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("javascript", 'const a = require("a");', 'const new0x = require("a");'),
        ("scheme", "(require 'a)(define (f x) x)", "(require 'a)(define (new0x new1x) new1x)"),
    ],
)
def test_what_imports_a_module_keeps_its_name(language: str, text: str, expected: str) -> None:
    assert renamed(text, language) == expected


def test_comments_amid_lines_are_in_all_blanks_between_code() -> None:
    note = with_asides("a b", "c")[1:-1]
    assert note.startswith(" /* ")
    assert note.endswith(" */ ")

    text = "#include <a.h>\nint f(int a) {\n    // all of it\n    return a;\n}"
    expected = text.replace("int f(int a) {", f"int{note}f(int{note}a){note}{{")
    assert with_asides(text, "c") == expected.replace("return ", f"return{note}")
