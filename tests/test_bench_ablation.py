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
    "imports": ("java", f"import a.b;\n{PAD};", f"{PAD};"),
    "annotations": ("python", f"x: int = 1\n{PAD}", f"x = 1\n{PAD}"),
    "lone strings": ("python", f"'One'\n{PAD}", PAD),
}


def codes(language: str, text: str) -> list[int]:
    return [int(code) for code in stream_of_code(text, find_language(language)).codes]


def test_every_part_has_an_example() -> None:
    assert {*EXAMPLES} == set(PARTS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_two_forms_are_apart_while_the_part_is_left_out(name: str) -> None:
    language, left, right = EXAMPLES[name]

    assert codes(language, left) == codes(language, right)
    with without(name):
        assert codes(language, left) != codes(language, right)
    assert codes(language, left) == codes(language, right)


@pytest.mark.slow
def test_a_line_is_printed_for_all_and_for_each_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, {f"{n}.py": program(n, functions=5) for n in range(12)})

    ablation.main(["--programs", str(tmp_path), "--only", "imports"])

    head, whole, less = capsys.readouterr().out.splitlines()
    assert head.split() == ["without", "recall", "score", "python", "seconds"]
    assert whole.startswith("(nothing) ")
    assert less.startswith("imports ")
    assert "imports -" in less
    assert float(less.split("imports ")[-1]) < 0
    assert float(less.split()[3]) <= float(whole.split()[2])
