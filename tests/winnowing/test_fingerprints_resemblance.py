import pytest

from mosslite.records import TokenizedSubmission
from mosslite.winnowing.fingerprints import (
    SKETCH_DIGITS,
    SKETCH_SIZE,
    resemblance_of_sketches,
    sketch_of,
)
from tests.builders import submission_of_texts


def numbered(first: int, last: int) -> TokenizedSubmission:
    return submission_of_texts(" ".join(f"word{number}" for number in range(first, last)))


def test_a_sketch_is_as_long_as_its_hashes_whatever_the_size_of_the_work() -> None:
    assert (
        len(sketch_of(numbered(0, 500)))
        == len(sketch_of(numbered(0, 900)))
        == SKETCH_SIZE * SKETCH_DIGITS
    )


def test_a_work_of_fewer_tokens_than_a_k_gram_has_an_empty_sketch() -> None:
    assert sketch_of(numbered(0, 11)) == ""
    assert len(sketch_of(numbered(0, 12))) == SKETCH_DIGITS


def test_the_same_code_resembles_itself_fully_and_other_code_not_at_all() -> None:
    one, other = sketch_of(numbered(0, 500)), sketch_of(numbered(500, 1000))
    assert (resemblance_of_sketches(one, one), resemblance_of_sketches(one, other)) == (1.0, 0.0)


def test_resemblance_does_not_depend_on_the_order() -> None:
    one, other = sketch_of(numbered(0, 500)), sketch_of(numbered(100, 700))
    assert resemblance_of_sketches(one, other) == resemblance_of_sketches(other, one)


@pytest.mark.parametrize(("start", "true"), [(100, 0.81), (250, 0.58), (500, 0.31)])
def test_resemblance_is_close_to_the_share_of_common_k_grams(start: int, true: float) -> None:
    one, other = sketch_of(numbered(0, 1000)), sketch_of(numbered(start, start + 1000))
    assert resemblance_of_sketches(one, other) == pytest.approx(true, abs=0.25)
