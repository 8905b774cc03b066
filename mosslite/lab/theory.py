"""What the papers predict for hashes that are independent and equally distributed.

Density is the expected share of hashes that are selected (SIGMOD 2003, section 3.1). Ties are
taken to be too rare to matter, as there.
"""

from __future__ import annotations

from math import log, log1p, sqrt

__all__ = [
    "errors_off",
    "expected_longest_run",
    "lower_bound",
    "safe_density",
    "safe_density_at_best",
    "sharper_lower_bound",
    "winnowing_density",
    "winnowing_error",
    "zero_mod_density",
    "zero_mod_error",
    "zero_mod_miss",
]

_EULER = 0.5772156649015329


def winnowing_density(w: int) -> float:
    """Return 2 / (w + 1)."""
    return 2 / (w + 1)


def winnowing_error(w: int, count: int) -> float:
    """Return the standard deviation of winnowing's measured density on ``count`` hashes.

    It is exact but for the two ends of the sequence. The window that begins at i is charged if
    the least of its w + 1 hashes, with the one before it, is the first or the last of them. Two
    windows that begin d < w apart are both charged with probability 4 / ((w + 1)(w + 1 + d)): the
    least of all their hashes is at one end of the whole, and the other interval decides for
    itself. At d = w the hash they share may serve both, which adds 1 / (2w + 1). Beyond, they
    are independent.
    """
    charged = winnowing_density(w)
    variance = charged * (1 - charged) + 2 / (2 * w + 1)
    variance -= sum(8 * d / ((w + 1) ** 2 * (w + 1 + d)) for d in range(1, w + 1))
    return sqrt(max(variance, 0.0) / count)


def errors_off(deviation: float, error: float) -> float:
    """Return a deviation in standard errors; what cannot deviate is off by none."""
    return deviation / error if error else 0.0


def zero_mod_density(p: int) -> float:
    """Return 1 / p."""
    return 1 / p


def zero_mod_error(p: int, count: int) -> float:
    """Return the standard deviation of the measured density of 0 mod p on ``count`` hashes."""
    return sqrt(1 / p * (1 - 1 / p) / count)


def zero_mod_miss(p: int, w: int) -> float:
    """Return the chance that none of w hashes in a row is 0 mod p (section 3.1.1)."""
    return (1 - 1 / p) ** w


def expected_longest_run(p: int, count: int) -> float:
    """Estimate the longest run of hashes that are not 0 mod p among ``count``.

    The longest run of failures has nearly Gumbel's distribution, of which this is the mean.
    """
    if p == 1:
        return 0.0
    rate = -log1p(-1 / p)
    return max((log(count / p) + _EULER) / rate - 0.5, 0.0)


def safe_density(p: int, w: int) -> float:
    """Return P + (1 - P)^w, which the paper approximates by P + e^(-wP) (section 3.1.2)."""
    return 1 / p + (1 - 1 / p) ** w


def safe_density_at_best(w: int) -> float:
    """Return (1 + ln w) / w, the least density of Safe 0 mod p, where P = (ln w) / w."""
    return (1 + log(w)) / w


def lower_bound(w: int) -> float:
    """Return 1.5 / (w + 1): no local algorithm has less (Theorem 1)."""
    return 1.5 / (w + 1)


def sharper_lower_bound(w: int) -> float:
    """Return (1.5 + 1 / (2w)) / (w + 1) (Observation 1)."""
    return (1.5 + 1 / (2 * w)) / (w + 1)
