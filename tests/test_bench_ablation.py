"""The benchmark of what parts of normalization are worth leaves out one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mosslite.languages import find_language
from tests.bench import ablation
from tests.bench.ablation import PARTS, without
from tests.builders import stream_of_code
from tests.programs import program, write_files

if TYPE_CHECKING:
    from pathlib import Path

PAD = "call(a, b, c, d, e, f, g, h, i)"

# What is read alike, but for the part.
EXAMPLES = {
    "dead stores": ("python", f"zz = 0\n{PAD}", PAD),
    "imports, annotations": ("python", f"import os\n{PAD}", PAD),
    "rewrites": ("c", "f(x); x = x + y;", "f(x); x += y;"),
    "- modifiers": ("java", "private int f(int x) { }", "int f(int x) { }"),
    "- this.": ("java", "this.f(x);", "f(x);"),
    "- inferred types": ("java", "var x = f(y); g(x);", "int x = f(y); g(x);"),
    "- identities": ("c", "f(x * 1);", "f(x);"),
    "- loops": ("python", "while x: f()", "for x: f()"),
    "- empty statements": ("c", "f(x); ; g(y);", "f(x); g(y);"),
    "- sizes of numbers": ("c", "f(x); unsigned long x;", "f(x); long x;"),
    "- sums of strings": ("java", 'f("a" + "b");', 'f("ab");'),
    "- x = x + y": ("c", "f(x); x = x + y;", "f(x); x += y;"),
    "- x += 1": ("c", "f(x); x += 1;", "f(x); x++;"),
    "- ++x": ("c", "f(x); ++x;", "f(x); x++;"),
    "- brackets": ("c", "return (x);", "return x;"),
}
UNREACHED = f"def call(*all):\n    pass\ndef unused():\n    {PAD}\n" + f"{PAD}\n" * 12


def codes(language: str, text: str) -> list[int]:
    return [int(code) for code in stream_of_code(text, find_language(language)).codes]


def test_every_part_has_an_example() -> None:
    assert {*EXAMPLES, "reachability"} == set(PARTS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_two_forms_are_apart_while_the_part_is_left_out(name: str) -> None:
    language, left, right = EXAMPLES[name]

    assert codes(language, left) == codes(language, right)
    with without(name):
        assert codes(language, left) != codes(language, right)
    assert codes(language, left) == codes(language, right)


def test_every_function_is_reached_while_that_part_is_left_out() -> None:
    python = find_language("python")

    assert not stream_of_code(UNREACHED, python).is_reached.all()
    with without("reachability"):
        assert stream_of_code(UNREACHED, python).is_reached.all()


@pytest.mark.slow
def test_a_line_is_printed_for_all_and_for_each_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {f"{n}.py": program(n, functions=5) for n in range(12)})

    ablation.main(["--programs", str(tmp_path), "--only", "dead stores"])

    head, whole, less = capsys.readouterr().out.splitlines()
    assert head.split() == ["without", "recall", "score", "python", "seconds"]
    assert whole.startswith("(nothing) ")
    assert less.startswith("dead stores ")
    assert "insert -" in less
    assert float(less.split()[3]) < float(whole.split()[2])
