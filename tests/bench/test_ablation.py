"""The benchmark of what parts of normalization are worth leaves out one at a time."""

import pytest

from mosslite.languages import find_language
from tests.bench.ablation import PARTS, without
from tests.builders import stream_of_code

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
