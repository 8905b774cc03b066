"""Compares selection algorithms: their cost, and the share of copied passages they miss."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.lab.density import (
    lower_bound,
    require_k_and_w,
    safe_density,
    safe_density_at_best,
    same_density,
    sharper_lower_bound,
    tally_all,
    winnowing_density,
    zero_mod_density,
    zero_mod_miss,
)
from mosslite.lab.selectors import (
    EveryNth,
    HashPiece,
    SafeZeroMod,
    Selector,
    Smallest,
    Source,
    Tally,
    Winnowing,
    ZeroMod,
    hash_pieces,
)
from mosslite.options import at_least
from mosslite.records import Progress, no_progress

Hashes = NDArray[np.uint64]

# Number of hashes of the corpus in which passages are moved.
_SAMPLE: Final = 1 << 18
_SEED: Final = 2003


@dataclass(frozen=True, slots=True)
class Row:
    """One algorithm on a corpus.

    Attributes:
        expected_density: Expected for independent hashes; None if theory has no value.
        longest_run_without_fingerprint: In hashes.
        is_guaranteed: By theory, every match of t = w + k - 1 symbols is found.
        missed: Measured share of passages of that length without a common fingerprint with a copy
            in another document.
        rule: The property that decides the guarantee.
    """

    algorithm: str
    fingerprints: int
    measured_density: float
    expected_density: float | None
    longest_run_without_fingerprint: int
    is_guaranteed: bool
    missed: float
    rule: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """Theoretical densities at one window."""

    lower_bound: float
    sharper_lower_bound: float
    winnowing: float
    safe_0_mod_p_at_best: float
    chance_that_0_mod_p_misses: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """All algorithms on the same hashes."""

    source: str
    k: int
    w: int
    symbols: int
    hashes: int
    rows: tuple[Row, ...]
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class _Algorithm:
    name: str
    make: Callable[[], Selector]
    expected: float | None
    is_guaranteed: bool
    rule: str


def compare_algorithms(
    source: Source,
    k: int,
    w: int,
    *,
    n: int = 100,
    progress: Progress = no_progress,
) -> Comparison:
    """Apply every selection algorithm of the paper to the same hashes.

    Args:
        source: The corpus.
        k: Noise threshold, in symbols.
        w: Window, in k-grams.
        n: Number of fingerprints per document in Heintze's algorithm.
        progress: Called with the number of bytes read.

    Raises:
        OptionError: k, w or n is below 1.
        InputError: The corpus has no k-gram.
    """
    require_k_and_w(k, w)
    at_least(1, "number of smallest hashes (-n)", n)
    algorithms = _algorithms(w, n)
    tallies = [Tally(each.make()) for each in algorithms]
    _, symbols, hashes = tally_all(source, k, tallies, progress=progress)
    sample = _sample(source, k)
    rows = tuple(
        Row(
            algorithm=each.name,
            fingerprints=tally.fingerprints,
            measured_density=tally.fingerprints / hashes,
            expected_density=each.expected,
            longest_run_without_fingerprint=tally.longest_run,
            is_guaranteed=each.is_guaranteed,
            missed=missed_share(each.make, sample, w),
            rule=each.rule,
        )
        for each, tally in zip(algorithms, tallies, strict=True)
    )
    return Comparison(source.name, k, w, symbols, hashes, rows, _bounds(w))


def missed_share(make: Callable[[], Selector], sample: Hashes, w: int) -> float:
    """Copy the middle of a document into another, and measure the share of windows not matched.

    A window of w hashes is a passage of t = w + k - 1 symbols. It is found if the same hash is
    selected in it on both sides, at any position.

    Returns:
        The share of windows not found; 0 if the sample has no whole window.
    """
    start, stop = len(sample) // 3, len(sample) - len(sample) // 3
    if stop - start < w:
        return 0.0
    random = np.random.Generator(np.random.PCG64(_SEED))
    # Other shifts could preserve selections by position by accident.
    shift = start % w + w // 2 + (w == 1)
    other = np.concatenate(
        [_noise(random, shift), sample[start:stop], _noise(random, len(sample) // 3)]
    )
    left = _mask(make(), sample)[start:stop]
    right = _mask(make(), other)[shift : shift + stop - start]
    return float(np.mean(~_found(sample[start:stop], left, right, w)))


def _noise(random: np.random.Generator, count: int) -> Hashes:
    return random.integers(0, 2**64, count, np.uint64)


def _mask(selector: Selector, hashes: Hashes) -> NDArray[np.bool_]:
    piece = HashPiece(hashes, 0, (0,), len(hashes), 0)
    mask = np.zeros(len(hashes), np.bool_)
    mask[selector.feed(piece)] = True
    mask[selector.finish()] = True
    return mask


def _found(
    hashes: Hashes, left: NDArray[np.bool_], right: NDArray[np.bool_], w: int
) -> NDArray[np.bool_]:
    """Mark the windows in which both sides select equal hashes."""
    found = _any(left & right, w)
    # Without a common position there may still be equal hashes at different positions.
    for begin in np.flatnonzero(~found & _any(left, w) & _any(right, w)).tolist():
        window = slice(begin, begin + w)
        ours, theirs = hashes[window][left[window]], hashes[window][right[window]]
        found[begin] = not set(ours.tolist()).isdisjoint(theirs.tolist())
    return found


def _any(mask: NDArray[np.bool_], w: int) -> NDArray[np.bool_]:
    """Return for each window whether it contains a marked element."""
    sums = np.concatenate([[0], np.cumsum(mask)])
    return np.asarray(sums[w:] > sums[:-w])


def _sample(source: Source, k: int) -> Hashes:
    found, count = [np.empty(0, np.uint64)], 0
    for piece in hash_pieces(source, k):
        found.append(piece.hashes)
        count += len(piece.hashes)
        if count >= _SAMPLE:
            break
    return np.concatenate(found)[:_SAMPLE]


def _algorithms(w: int, n: int) -> tuple[_Algorithm, ...]:
    return (*_of_windows(w), *_of_moduli(w), *_of_documents(w, n))


def _of_windows(w: int) -> tuple[_Algorithm, ...]:
    return (
        _Algorithm(
            "winnowing",
            lambda: Winnowing(w, is_robust=False),
            winnowing_density(w),
            is_guaranteed=True,
            rule="local: each window selects by its contents alone (Definition 2, Lemma 1)",
        ),
        _Algorithm(
            "robust winnowing",
            lambda: Winnowing(w, is_robust=True),
            winnowing_density(w),
            is_guaranteed=True,
            rule="not local, but equal windows select equal hashes (Definition 3)",
        ),
    )


def _of_moduli(w: int) -> tuple[_Algorithm, ...]:
    p, safe_p = same_density(w), best_safe_p(w)
    return (
        _Algorithm(
            f"0 mod {p}",
            lambda: ZeroMod(p),
            zero_mod_density(p),
            is_guaranteed=p == 1,
            rule="a window may contain none: gaps are unbounded (section 3.1.1)",
        ),
        _Algorithm(
            f"Safe 0 mod {safe_p}",
            lambda: SafeZeroMod(safe_p, w),
            safe_density(safe_p, w),
            is_guaranteed=True,
            rule="local: a window contains a Good hash, or its last one is Bad (section 3.1.2)",
        ),
    )


def _of_documents(w: int, n: int) -> tuple[_Algorithm, ...]:
    return (
        _Algorithm(
            f"{n} smallest",
            lambda: Smallest(n),
            None,
            is_guaranteed=False,
            rule="depends on the whole document: a passage of a long one has few or none",
        ),
        _Algorithm(
            f"every {w}th",
            lambda: EveryNth(w),
            1 / w,
            is_guaranteed=w == 1,
            rule="depends on position: one symbol inserted in front shifts all (section 2.3)",
        ),
    )


def best_safe_p(w: int) -> int:
    """Return the integer p for which Safe 0 mod p selects fewest, near w / ln w."""
    return min(range(1, w + 2), key=lambda p: safe_density(p, w))


def _bounds(w: int) -> Bounds:
    return Bounds(
        lower_bound=lower_bound(w),
        sharper_lower_bound=sharper_lower_bound(w),
        winnowing=winnowing_density(w),
        safe_0_mod_p_at_best=safe_density_at_best(w),
        chance_that_0_mod_p_misses=zero_mod_miss(same_density(w), w),
    )
