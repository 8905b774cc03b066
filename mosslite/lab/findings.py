"""Sets what the density analysis says next to what was measured here."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, Final

from mosslite.lab.distributions import SIGNIFICANCE
from mosslite.lab.theory import errors_off

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mosslite.lab.distributions import Artificial
    from mosslite.lab.realtext import RealText
    from mosslite.lab.spectrum import Spectrum

__all__ = ["Finding", "findings_on_chance", "findings_on_text"]

# Chance exceeds four standard errors once in 16,000 times; there are a few dozen numbers.
_MOST_ERRORS: Final = 4.0
_LEAST_CHANCE: Final = 0.01
# k-grams at these ranks are compared.
_RANKS: Final = (10, 100, 1000, 10_000)


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence of the paper, what is the case here, and whether that agrees."""

    claim: str
    here: str
    agrees: bool


def findings_on_chance(result: Artificial) -> tuple[Finding, ...]:
    """Judge what is said of artificial data."""
    worst = max(
        abs(errors_off(each.relative_deviation, each.standard_error)) for each in result.deviations
    )
    rejected = sum(not each.is_same for each in result.tests)
    chance = _at_least(rejected, len(result.tests))
    return (
        Finding(
            "densities deviate little from 2 / (w + 1), whatever the distribution",
            f"the largest deviation is {worst:.1f} standard errors",
            worst < _MOST_ERRORS,
        ),
        Finding(
            "t-tests at 0.05 see no difference between distributions",
            f"{rejected} of {len(result.tests)} see one; chance alone makes as many with "
            f"probability {chance:.2f}",
            chance > _LEAST_CHANCE,
        ),
    )


def findings_on_text(result: RealText) -> Iterator[Finding]:
    """Judge what is said of real text; what takes two k or w to judge is left out where one is."""
    yield _larger_deviations(result)
    ks = sorted({each.k for each in result.deviations})
    windows = sorted({each.w for each in result.deviations})
    rates = {(each.k, each.w): each.tied for each in result.deviations}
    if len(windows) > 1:
        pairs = [(rates[k, low], rates[k, high]) for k in ks for low, high in pairwise(windows)]
        yield _steps("ties are more frequent in larger windows", pairs, lambda a, b: a <= b)
    if len(ks) > 1:
        pairs = [(rates[low, w], rates[high, w]) for w in windows for low, high in pairwise(ks)]
        yield _steps("ties are rarer for larger k, in general", pairs, lambda a, b: a >= b)
        yield _more_frequent(result)
    if {16, 32, 64} <= set(ks):
        yield _little_influence(rates, windows)


def _frequency_at(spectrum: Spectrum, rank: int) -> int:
    """Return the frequency of the hash of a rank, 0 behind the last."""
    return next((each.frequency for each in spectrum.plateaus if each.last_rank >= rank), 0)


def _larger_deviations(result: RealText) -> Finding:
    errors = [
        errors_off(each.relative_deviation, each.standard_error) for each in result.deviations
    ]
    mean = (sum(each**2 for each in errors) / len(errors)) ** 0.5
    return Finding(
        "densities of real text deviate more than those of artificial data",
        f"by {mean:.1f} standard errors (root mean square), where independent hashes would by 1",
        mean > 1,
    )


def _steps(
    claim: str, pairs: Sequence[tuple[float, float]], is_so: Callable[[float, float], bool]
) -> Finding:
    kept = sum(is_so(*pair) for pair in pairs)
    return Finding(claim, f"so in {kept} of {len(pairs)} steps", kept > 0.8 * len(pairs))


def _more_frequent(result: RealText) -> Finding:
    by_length = sorted(result.spectra, key=lambda each: each.k)
    pairs = [
        (_frequency_at(short.spectrum, rank), _frequency_at(long.spectrum, rank))
        for short, long in pairwise(by_length)
        for rank in _RANKS
    ]
    claim = "at the same rank, shorter k-grams are more frequent"
    return _steps(claim, pairs, lambda a, b: a >= b)


def _little_influence(rates: dict[tuple[int, int], float], windows: Sequence[int]) -> Finding:
    """Compare what k from 16 to 32 and from 32 to 64 takes away at the largest window."""
    w = max(windows)
    first, second = rates[16, w] - rates[32, w], rates[32, w] - rates[64, w]
    return Finding(
        "beyond k = 32 the influence of k on ties is relatively small",
        f"at w = {w} the rate falls by {first:.5f} from k = 16 to 32, by {second:.5f} to 64",
        second < 0.5 * first,
    )


def _at_least(rejected: int, tests: int) -> float:
    """Return the chance that as many of these tests reject a hypothesis that is true."""
    return sum(
        comb(tests, many) * SIGNIFICANCE**many * (1 - SIGNIFICANCE) ** (tests - many)
        for many in range(rejected, tests + 1)
    )
