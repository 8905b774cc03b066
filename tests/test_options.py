import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import OptionError
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Options, Thresholds, at_least
from tests.builders import LAW

DEFAULTS = [CODE_DEFAULTS, PROSE_DEFAULTS]
CHOICES = st.none() | st.integers(1, 100)


def test_a_number_at_its_limit_is_accepted() -> None:
    options = Options(noise=1, guarantee=1, max_sharing=1, show=0, jobs=1)

    assert (options.max_sharing, options.show, options.jobs) == (1, 0, 1)


@pytest.mark.parametrize(
    ("noise", "guarantee", "code", "prose"),
    [
        (None, None, Thresholds(12, 20, 8), Thresholds(15, 20, 10)),
        (12, 20, Thresholds(12, 20, 8), Thresholds(12, 20, 10)),
        (30, None, Thresholds(30, 38, 8), Thresholds(30, 35, 10)),
        (5, None, Thresholds(5, 13, 5), Thresholds(5, 10, 5)),
        (None, 50, Thresholds(12, 50, 8), Thresholds(15, 50, 10)),
        (None, 15, Thresholds(12, 15, 8), Thresholds(15, 15, 10)),
        (None, 3, Thresholds(3, 3, 3), Thresholds(3, 3, 3)),
        (7, 7, Thresholds(7, 7, 7), Thresholds(7, 7, 7)),
        (1, 1, Thresholds(1, 1, 1), Thresholds(1, 1, 1)),
    ],
)
def test_a_threshold_not_given_follows_from_the_other_and_the_defaults(
    noise: int | None, guarantee: int | None, code: Thresholds, prose: Thresholds
) -> None:
    options = Options(noise=noise, guarantee=guarantee)

    assert options.thresholds(CODE_DEFAULTS) == code
    assert options.thresholds(PROSE_DEFAULTS) == prose


@LAW
@given(CHOICES, CHOICES, st.sampled_from(DEFAULTS))
def test_noise_never_exceeds_the_guarantee_and_what_is_given_holds(
    noise: int | None, guarantee: int | None, defaults: Thresholds
) -> None:
    if noise is not None and guarantee is not None:
        noise, guarantee = sorted((noise, guarantee))

    thresholds = Options(noise=noise, guarantee=guarantee).thresholds(defaults)

    assert 1 <= thresholds.noise <= thresholds.guarantee
    assert noise in (None, thresholds.noise)
    assert guarantee in (None, thresholds.guarantee)


def test_a_number_below_its_least_is_refused_by_name() -> None:
    at_least(1, "jobs", None)
    at_least(1, "jobs", 1)
    with pytest.raises(OptionError, match="jobs is 0: it must be at least 1"):
        at_least(1, "jobs", 0)
