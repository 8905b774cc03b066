from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mosslite.evidence import grammar, skeleton, wording
from mosslite.fingerprint import comparable_tokens
from mosslite.frontends import tokenize
from mosslite.languages import find_language
from mosslite.options import CODE_DEFAULTS
from tests.builders import document_of, stream_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from mosslite.columns import Comparable


PROGRAM = """
class Total {
    int sum(int[] values) {
        int total = 0;
        for (int value : values) {
            if (value > 0) { total += value * 2; }
        }
        return total;
    }
}
"""


def seen(view: Callable[[Comparable], NDArray[np.uint64]], program: str) -> list[int]:
    stream, _ = tokenize(program, find_language("java"))
    kgrams: list[int] = view(
        comparable_tokens([document_of(stream, text=program, thresholds=CODE_DEFAULTS)])
    ).tolist()
    return kgrams


@pytest.mark.parametrize(
    ("view", "before", "after", "is_blind"),
    [
        (skeleton, "int sum", "public final int sum", True),
        (skeleton, "{ total += value * 2; }", "total += (value * 2);", True),
        (skeleton, "total += value", "total += twice(value)", False),
        (grammar, "total += value", "total += values", True),
        (grammar, "total += value", "this total += value other", False),
        (grammar, "sum(int[] values)", "sum(Data int[] values)", True),
        (grammar, "if (value > 0)", "if (value >= 0)", False),
        (wording, "// none", "// a comment", True),
        (wording, "total", "result", False),
        (wording, "* 2", "* 3", False),
        (skeleton, "total", "result", True),
        (skeleton, "* 2", "* 3", True),
    ],
)
def test_each_view_is_blind_to_its_disguise_and_to_no_other(
    view: Callable[[Comparable], NDArray[np.uint64]], before: str, after: str, is_blind: bool
) -> None:
    program = PROGRAM + "// none\n"
    assert before in program

    changed = program.replace(before, after)

    assert (seen(view, changed) == seen(view, program)) is is_blind


@pytest.mark.parametrize(("view", "length"), [(skeleton, 8), (grammar, 6), (wording, 4)])
def test_a_view_gives_all_kgrams_of_its_length(
    view: Callable[[Comparable], NDArray[np.uint64]], length: int
) -> None:
    document = document_of(stream_of(range(30)), thresholds=CODE_DEFAULTS)

    kgrams = view(comparable_tokens([document]))

    assert len(set(kgrams.tolist())) == 30 - length + 1


def test_no_kgram_of_a_view_runs_across_two_files() -> None:
    first, second = stream_of(range(20)), stream_of(range(20, 40))
    documents = [document_of(each, thresholds=CODE_DEFAULTS) for each in (first, second)]

    assert len(skeleton(comparable_tokens(documents))) == 2 * (20 - 8 + 1)


def test_a_file_with_less_to_see_than_a_kgram_is_seen_as_one() -> None:
    braces = "{ } ( ) ; { } ( ) ; { } ( ) ; a = b ;"

    assert len(seen(skeleton, braces)) == 1
