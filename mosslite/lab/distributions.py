"""Density for hashes of various distributions: Table 1 of the density analysis, and its t-test."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan, copysign, cos, inf, pi, sin, sqrt
from statistics import fmean, stdev
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.errors import OptionError
from mosslite.lab.density import winnowing_density, winnowing_error
from mosslite.lab.selectors import HashPiece, Tally, Winnowing
from mosslite.options import at_least
from mosslite.records import Progress, no_progress

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class _TTest:
    """A test whether the means of two series differ.

    Attributes:
        t: The statistic.
        degrees: Degrees of freedom.
        p_value: Two-sided probability of so large a statistic by chance.
    """

    t: float
    degrees: int
    p_value: float


def paired_t_test(left: Sequence[float], right: Sequence[float]) -> _TTest:
    """Compare two series of equal length, at least 2, pairwise."""
    differences = [ours - theirs for ours, theirs in zip(left, right, strict=True)]
    mean, error = fmean(differences), stdev(differences) / sqrt(len(differences))
    degrees = len(differences) - 1
    if not error:
        return _TTest(mean and copysign(inf, mean), degrees, float(not mean))
    t = mean / error
    return _TTest(t, degrees, two_sided(t, degrees))


def two_sided(t: float, degrees: int) -> float:
    """Return the two-sided tail probability of Student's t.

    For integer degrees of freedom it is a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    angle = atan(abs(t) / sqrt(degrees))
    square, term, total = cos(angle) ** 2, 1.0, 1.0
    is_odd = degrees % 2
    for step in range(2 + is_odd, degrees, 2):
        term *= square * (step - 1) / step
        total += term
    if not is_odd:
        return max(1 - sin(angle) * total, 0.0)
    if degrees == 1:
        total = 0.0
    return max(1 - 2 / pi * (angle + sin(angle) * cos(angle) * total), 0.0)


SIGNIFICANCE: Final = 0.05

_CHUNK: Final = 1 << 20
# The analysis needs integer hashes. With this many steps per standard deviation, the extremes of
# 10^12 numbers fit in 64 bits, and equal values are as rare as among floats.
_STEPS: Final = 2.0**58
_MIDDLE: Final = 2.0**63


def _uniform(random: np.random.Generator, count: int) -> Hashes:
    return random.integers(0, 2**64, count, np.uint64)


def _normal(random: np.random.Generator, count: int) -> Hashes:
    return (random.standard_normal(count) * _STEPS + _MIDDLE).astype(np.uint64)


def _exponential(random: np.random.Generator, count: int) -> Hashes:
    return (random.standard_exponential(count) * _STEPS).astype(np.uint64)


DISTRIBUTIONS: Final[Mapping[str, Callable[[np.random.Generator, int], Hashes]]] = {
    "uniform": _uniform,
    "normal": _normal,
    "exponential": _exponential,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """The size of an experiment.

    Attributes:
        hashes: Number of hashes per run; 10^8 in the analysis.
        runs: Number of runs per distribution; 100 in the analysis.
        windows: Window sizes w, each at least 1.
        seed: Seed of all random numbers.
    """

    hashes: int
    runs: int
    windows: tuple[int, ...]
    seed: int

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            OptionError: A number is too small.
        """
        at_least(1, "number of hashes (--hashes)", self.hashes)
        at_least(2, "number of runs (--runs)", self.runs)
        at_least(0, "seed (--seed)", self.seed)
        if not self.windows:
            msg = "no window (-w): give at least one"
            raise OptionError(msg)
        for w in self.windows:
            at_least(1, "window (-w)", w)


@dataclass(frozen=True, slots=True)
class _Deviation:
    """The densities of one distribution at one window.

    Attributes:
        densities: Density of each run.
        relative_deviation: (mean - expected) / expected.
        standard_error: Theoretical standard error of the relative deviation.
    """

    w: int
    distribution: str
    densities: tuple[float, ...]
    mean_density: float
    expected_density: float
    relative_deviation: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class _DensityTest:
    """A paired t-test between the runs of a distribution and those of the uniform one.

    Attributes:
        is_same: Equal densities are not rejected at the level of 0.05.
    """

    w: int
    distribution: str
    t: float
    degrees: int
    p_value: float
    is_same: bool


@dataclass(frozen=True, slots=True)
class Artificial:
    """Table 1, and t-tests that the analysis does not print."""

    hashes: int
    runs: int
    seed: int
    deviations: tuple[_Deviation, ...]
    tests: tuple[_DensityTest, ...]


def measure_distributions(plan: Plan, *, progress: Progress = no_progress) -> Artificial:
    """Winnow sequences of independent hashes of several distributions.

    Args:
        plan: The size of the experiment.
        progress: Called with the number of hashes drawn.
    """
    densities = dict(_densities(plan, progress))
    deviations = tuple(
        _deviation(w, name, densities[name, w], plan)
        for w in plan.windows
        for name in DISTRIBUTIONS
    )
    tests = tuple(
        _test(w, name, densities["uniform", w], densities[name, w])
        for w in plan.windows
        for name in DISTRIBUTIONS
        if name != "uniform"
    )
    return Artificial(plan.hashes, plan.runs, plan.seed, deviations, tests)


def _densities(
    plan: Plan, progress: Progress
) -> Iterator[tuple[tuple[str, int], tuple[float, ...]]]:
    """Return the densities of all runs for each distribution and window."""
    total = len(DISTRIBUTIONS) * plan.runs * plan.hashes
    for number, name in enumerate(DISTRIBUTIONS):
        rows = []
        for run in range(plan.runs):
            done = (number * plan.runs + run) * plan.hashes
            on_progress = _different_from(done, total, progress)
            rows.append(_run(name, (plan.seed, number, run), plan, on_progress))
        for w, column in zip(plan.windows, zip(*rows, strict=True), strict=True):
            yield (name, w), column


def _different_from(before: int, total: int, progress: Progress) -> Callable[[int], None]:
    return lambda done: progress("winnowing", before + done, total)


def _run(
    name: str, seed: Sequence[int], plan: Plan, on_progress: Callable[[int], None]
) -> list[float]:
    """Draw one sequence, and return its density for each window."""
    random = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed)))
    tallies = [Tally(Winnowing(w, is_robust=False)) for w in plan.windows]
    for first in range(0, plan.hashes, _CHUNK):
        hashes = DISTRIBUTIONS[name](random, min(_CHUNK, plan.hashes - first))
        for tally in tallies:
            tally.feed(HashPiece(hashes, first, (), len(hashes), 0))
        on_progress(first + len(hashes))
    for tally in tallies:
        tally.finish()
    return [tally.fingerprints / plan.hashes for tally in tallies]


def _deviation(w: int, name: str, densities: tuple[float, ...], plan: Plan) -> _Deviation:
    expected, mean = winnowing_density(w), fmean(densities)
    return _Deviation(
        w=w,
        distribution=name,
        densities=densities,
        mean_density=mean,
        expected_density=expected,
        relative_deviation=mean / expected - 1,
        standard_error=winnowing_error(w, plan.hashes * plan.runs) / expected,
    )


def _test(w: int, name: str, uniform: Sequence[float], other: Sequence[float]) -> _DensityTest:
    test = paired_t_test(other, uniform)
    is_same = test.p_value >= SIGNIFICANCE
    return _DensityTest(w, name, test.t, test.degrees, test.p_value, is_same)
