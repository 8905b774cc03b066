from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.display import hundredths, percent, thousandths


@pytest.mark.parametrize(
    ("share", "whole", "decimal"),
    [
        (0.0, "0 %", "0.00"),
        (1e-12, "1 %", "0.01"),
        (0.0099, "1 %", "0.01"),
        (0.29, "29 %", "0.29"),
        (0.57, "57 %", "0.57"),
        (0.909, "90 %", "0.90"),
        (0.9999, "99 %", "0.99"),
        (1 - 1e-16, "99 %", "0.99"),
        (1.0, "100 %", "1.00"),
    ],
)
def test_shares_never_round_up_to_all_or_down_to_nothing(
    share: float, whole: str, decimal: str
) -> None:
    assert (percent(share), hundredths(share)) == (whole, decimal)


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.0, "0.000"), (1e-9, "0.001"), (0.9297, "0.929"), (0.9999, "0.999"), (1.0, "1.000")],
)
def test_so_do_shares_in_thousandths(share: float, shown: str) -> None:
    assert thousandths(share) == shown


@given(st.integers(0, 100))
def test_a_whole_percentage_is_written_as_it_is(number: int) -> None:
    assert percent(number / 100) == f"{number} %"
