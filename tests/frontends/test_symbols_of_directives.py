"""Code after ``#`` in C and C++, on a line of its own or not."""

import pytest

from mosslite.languages import find_language
from tests.builders import codes, stream_of_code
from tests.tables import column_of, table

BOTH = pytest.mark.parametrize("language", ["c", "cpp"])

PROGRAM = (
    "int total(int a[], int n) { int sum = a[0]; for (; n; n--) sum += a[n]; return sum; }",
    "int most(int a, int b) { if (a > b) return a; else return b; }",
    'int main() { int a[3] = {1, 2, 3}; printf("%d", most(total(a, 3), a[2])); return 0; }',
)
DIRECTIVES = column_of("frontends/test_symbols_of_directives", "DIRECTIVES")


def written(text: str, language: str) -> list[str]:
    """Return the text of each symbol; ends of directives have none."""
    stream = stream_of_code(text, find_language(language))
    ranges = zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)
    return [text[start:stop] for start, stop in ranges if start < stop]


@BOTH
@pytest.mark.parametrize("directive", DIRECTIVES)
def test_a_directive_takes_no_code_along_that_lost_its_line_ends(
    directive: str, language: str
) -> None:
    for at in range(len(PROGRAM) + 1):
        one_line = " ".join([*PROGRAM[:at], directive, *PROGRAM[at:]])
        parts = (PROGRAM[:at], PROGRAM[at:])
        before, behind = (written(" ".join(part), language) for part in parts)
        assert written(one_line, language) == before + written(directive, language) + behind, at


@BOTH
def test_a_whole_program_on_one_line_reads_as_on_many(language: str) -> None:
    text = "\n".join([*DIRECTIVES, *PROGRAM, *DIRECTIVES])
    assert written(text.replace("\n", " "), language) == written(text, language)


@BOTH
@pytest.mark.parametrize("end", [" ", "\n"])
def test_a_program_behind_a_macro_on_its_line_is_compared(end: str, language: str) -> None:
    text = end.join(["#include <stdio.h>", "#define SIZE 3", *PROGRAM])
    assert written(text, language)[-40:] == written("\n".join(PROGRAM), language)[-40:]
    assert set(written("\n".join(PROGRAM), language)) <= set(written(text, language))


@BOTH
@table("text", "expected")
def test_the_body_of_a_macro_is_code(text: str, expected: str, language: str) -> None:
    assert written(text, language) == expected.split()


@BOTH
def test_a_header_of_macros_alone_is_compared(language: str) -> None:
    first = "\n".join(f"#define REG_{n} {n}" for n in range(12))
    second = "\n".join(f"#define SQR_{n}(x) ((x) * (x) + {n})" for n in range(12))
    assert len(codes(first, language)) == 12 * 4  # with the end of each directive
    assert codes(first, language) != codes(second, language)
    assert codes(first, language) == codes(first.replace("REG", "own"), language)


C_LIKE = ("#if defined A", "#if !defined A", "#else", "#endif")
DEFINED = ("#ifdef A", "#ifndef A", "#else", "#endif")
CONDITIONS = [
    *((language, C_LIKE) for language in ("c", "csharp", "fortran", "fsharp", "haskell", "swift")),
    *((language, C_LIKE) for language in ("fortranfixed", "glsl", "hlsl", "nesc", "swig", "vala")),
    *((language, DEFINED) for language in ("c", "gas", "fortran", "fortranfixed", "haskell")),
    *((language, DEFINED) for language in ("glsl", "hlsl", "nesc")),
    ("blitzmax", ("?Win32", "?Not Win32", "?", "?")),
    ("delphi", ("{$IFDEF A}", "{$IFNDEF A}", "{$ELSE}", "{$ENDIF}")),
    ("delphi", ("(*$ifdef A*)", "(*$ifndef A*)", "(*$else*)", "(*$endif A*)")),
    ("delphi", ("{$IF A and B}", "{$IF A or B}", "{$ELSEIF C}", "{$IFEND}")),
    ("delphi", ("{$IF A}f{$ELSEIF B > 1}", "{$IF A}f{$ELSEIF (B)}", "{$ELSE}", "{$IFEND}")),
    ("delphi", ("{$IF DEFINED(A)}", "{$IF NOT DEFINED(A)}", "{$ELSE}", "{$IFEND}")),
    ("delphi", ("{$IFOPT R+}", "{$IFOPT R-}", "{$ELSE}", "{$ENDIF}")),
    ("erlang", ("-ifdef(a).", "-ifndef(a).", "-else.", "-endif.")),
    ("go", ("//go:build a\npackage p", "//go:build !a\npackage p", "", "")),
    ("haxe", ("#if a", "#if !a", "#else", "#end")),
    ("make", ("ifdef A", "ifndef A", "else", "endif")),
    ("make", ("ifeq (a, b)", "ifneq (a, b)", "else", "endif")),
    ("nasm", ("%ifdef A", "%ifndef A", "%else", "%endif")),
    ("nsis", ("!ifdef A", "!ifndef A", "!else", "!endif")),
    ("rust", ("#[cfg(a)]", "#[cfg(not(a))]", "", "")),
    ("vb.net", ("#If A Then", "#If Not A Then", "#Else", "#End If")),
    ("vb.net", ("#If A Then\n#ElseIf B > 1", "#If A Then\n#ElseIf (B)", "#Else", "#End If")),
    ("vb.net", ("#If A And B Then", "#If A Or B Then", "#ElseIf C Then", "#End If")),
    ("verilog", ("`ifdef A", "`ifndef A", "`else", "`endif")),
]


@pytest.mark.parametrize(("language", "forms"), CONDITIONS)
def test_what_decides_what_is_compiled_is_code_and_so_are_all_branches(
    language: str, forms: tuple[str, ...]
) -> None:
    condition, opposite, otherwise, end = forms
    found = {
        tuple(codes("\n".join(lines), language))
        for lines in (
            ["f(1)"],
            [condition, "f(1)", end],
            [opposite, "f(1)", end],
            *([[condition, "f(1)", otherwise, "g(2)", end]] * bool(otherwise)),
            ["f(1)", "g(2)"],
        )
    }
    assert len(found) == 4 + bool(otherwise)
    assert all(set(codes("f(1)", language)) <= set(form) for form in found)


@pytest.mark.parametrize(("language", "forms"), CONDITIONS)
def test_blank_lines_around_what_decides_what_is_compiled_do_not_matter(
    language: str, forms: tuple[str, ...]
) -> None:
    condition, opposite, otherwise, end = forms
    lines = [condition, "f(1)", otherwise, end, opposite, end]
    assert codes("\n\n \n".join(lines), language) == codes("\n".join(lines), language)


@pytest.mark.parametrize("language", ["c", "cpp", "cuda", "objective-c"])
@pytest.mark.parametrize("before", ["\n", "  ", "\t", "\n\n  ", "/* a */ ", "// a\n", "/* a\n*/\n"])
def test_what_stands_before_a_directive_does_not_matter(before: str, language: str) -> None:
    lines = ["int a;", "#ifndef A", "#define F(x) x", "#undef A", "#else", "f();", "#endif", "b();"]
    spread = "\n".join(before + line if line.startswith("#") else line for line in lines)
    assert codes(spread, language) == codes("\n".join(lines), language)


@table("language", "left", "right")
def test_what_is_free_in_and_beside_a_condition_counts_for_nothing(
    language: str, left: str, right: str
) -> None:
    assert codes(left, language) == codes(right, language)


@pytest.mark.timeout(60)
def test_conditions_without_an_end_take_linear_time() -> None:
    assert codes("#if A /* " * 10_000, "glsl") == codes("#if A", "glsl")
    assert len(codes("#If A And " * 10_000, "vb.net")) > 10_000


def test_an_apostrophe_in_a_string_begins_no_comment_of_a_condition() -> None:
    conditions = ['#If A = "it\'s" And B Then', '#If A = "it\'s" Or B Then']
    first, second = (codes(f"{each} ' note\n", "vb.net") for each in conditions)
    assert first != second
    assert first == codes(f"{conditions[0]}\n", "vb.net")


@pytest.mark.parametrize("language", ["glsl", "hlsl", "fortran", "vala"])
def test_a_condition_ends_with_its_line(language: str) -> None:
    left, right = "#if A\n-x\n#endif", "#if A - x\n#endif"
    assert codes(left, language) != codes(right, language)


@table("language", "line")
def test_lines_that_number_or_label_others_count_for_nothing(language: str, line: str) -> None:
    assert codes(f"f(1);\n{line}\ng(2);", language) == codes("f(1);\ng(2);", language)
