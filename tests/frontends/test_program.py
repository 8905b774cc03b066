import ast
import importlib.metadata
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mosslite
from mosslite.languages import find_language
from tests.builders import LAW, codes, stream_of_code
from tests.tables import table

MANY = 20_000

# Programs that are annotated throughout.
PROGRAMS = [
    path
    for package in (mosslite, tomllib, importlib.metadata)
    for path in sorted(Path(package.__file__ or "").parent.rglob("*.py"))
]


def kept(text: str, language: str = "python") -> str:
    """Return what is kept of a program, with one blank between tokens; ends have no text."""
    stream = stream_of_code(text, find_language(language))
    ranges = zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)
    return " ".join(text[start:stop] for start, stop in ranges if start < stop)


def without_blanks(text: str) -> str:
    return "".join(text.split())


@table("language", "text")
def test_what_only_looks_like_an_import_is_kept(language: str, text: str) -> None:
    text = f"<?php {text}" if language == "php" else text

    assert without_blanks(kept(text, language)) == without_blanks(text.removeprefix("<?php"))


@table("text", "expected")
def test_an_import_is_known_in_any_surroundings(text: str, expected: str) -> None:
    assert kept(text) == expected


@pytest.mark.parametrize("bracket", ["(", "[", "{"])
@pytest.mark.parametrize("language", ["python", "java", "go", "javascript", "rust", "csharp"])
def test_an_open_bracket_in_an_import_hides_nothing_behind_it(bracket: str, language: str) -> None:
    lead = {"rust": "use", "csharp": "using"}.get(language, "import")
    text = f"{lead} a {bracket}\nstay = 1\nstay = 2"

    assert kept(text, language).endswith("stay = 1 stay = 2")


@LAW
@given(st.lists(st.sampled_from(("import a", "from b import (c,\n d)", "e = f(1)", "g(", "h)"))))
def test_imports_change_nothing_around_them(lines: list[str]) -> None:
    others = [line for line in lines if "import" not in line]
    alone = "\n".join(others)
    # A stray bracket might close one of those of an import.
    if alone.count("(") == alone.count(")"):
        assert codes("\n".join(lines)) == codes(alone)


@table("text")
def test_other_colons_and_arrows_are_kept(text: str) -> None:
    assert without_blanks(kept(text)) == without_blanks(text.replace("\\\n", ""))


@table("text", "expected")
def test_annotations_of_names_count_for_nothing_in_functions_and_with_a_value(
    text: str, expected: str
) -> None:
    assert kept(text) == expected


@pytest.mark.parametrize("stop", range(40))
def test_a_program_may_end_anywhere(stop: int) -> None:
    text = "def f[T: int](a: int = 1) -> int: b.c: d"[:stop]

    assert kept(text).startswith("def"[:stop])


@pytest.mark.parametrize(
    "text",
    [
        *("def", "def f", "def f(", "def (", "def )", "def f(a", "def f(a:", "def f) :", "a:"),
        *(")->", "a.", "a.b", "->", ") - >", "def def", "def f(def g(a: int)", "@", "def f(a\nb"),
    ],
)
def test_a_broken_program_is_read(text: str) -> None:
    # What stands on the lines after it is kept.
    assert kept(text + "\nstay = 1\n").endswith("stay = 1")


@pytest.mark.slow
def test_what_python_takes_for_imports_is_left_out_and_nothing_else() -> None:
    for path in PROGRAMS:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        whole = ast.unparse(tree)
        bare = ast.unparse(WithoutImports().visit(tree))

        assert kept(whole) == kept(bare), path


class WithoutImports(ast.NodeTransformer):
    """Takes imports out of a program."""

    def visit_Import(self, _: ast.Import) -> None: ...

    def visit_ImportFrom(self, _: ast.ImportFrom) -> None: ...


@pytest.mark.slow
# To look from each of them to the end of the file would not end.
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("import a\n" * MANY, 0),
        ("import a;" * MANY, 0),
        ("from a import (\n" * MANY, 4 * MANY),
        ("a: int = b\n" * MANY, 3 * MANY),
        ("a: [\n" * MANY, 3 * MANY),
        ("a." * MANY + "b: int = c", 2 * MANY + 3),
        ("def f(" * MANY, 3 * MANY + 1),
        ("def f(" * 5 * MANY + ")" * 5 * MANY, 20 * MANY + 1),
        ("from a import (\n" * 5 * MANY + ")" * 5 * MANY, 25 * MANY),
        ("def f(" + "a:" * MANY, 3 + 2 * MANY + 1),
        (")->" * MANY, 3 * MANY),
        ("[" * MANY + "]" * MANY, 2 * MANY),
    ],
)
def test_long_hostile_programs_are_read(text: str, count: int) -> None:
    assert len(codes(text)) == count


@table("text", "expected")
def test_docstrings_of_python_are_left_out(text: str, expected: str) -> None:
    assert kept(text) == expected
