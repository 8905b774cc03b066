"""Compares selection algorithms: their cost, and the share of copied passages they miss."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from mosslite.lab.density import (
    density_plot,
    lower_bound,
    require_k_and_w,
    safe_density,
    safe_density_at_best,
    same_density,
    sharper_lower_bound,
    tally_all,
    winnowing_density,
    zero_mod_miss,
)
from mosslite.lab.selectors import (
    Hashes,
    HashPiece,
    Positions,
    SafeZeroMod,
    Selector,
    Smallest,
    Source,
    Tally,
    Winnowing,
    anchored,
    anchors_in,
    every_nth,
    hash_pieces,
    zero_mod,
)
from mosslite.lab.sheets import Sheet, Table, table_of
from mosslite.options import at_least
from mosslite.records import Progress, no_progress

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
class LocalFunction:
    """A selection function of a window (Definition 2), on independent hashes.

    Attributes:
        times_bound: Density divided by the sharper lower bound.
    """

    name: str
    measured_density: float
    times_bound: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """All algorithms on the same hashes, and local algorithms on independent ones."""

    source: str
    k: int
    w: int
    symbols: int
    hashes: int
    rows: tuple[Row, ...]
    bounds: Bounds
    local_functions: tuple[LocalFunction, ...]


def compare_algorithms(
    source: Source, k: int, w: int, *, n: int = 100, progress: Progress = no_progress
) -> Comparison:
    """Apply every selection algorithm of the paper to the same hashes.

    ``n`` is the number of fingerprints per document in Heintze's algorithm.

    Raises:
        OptionError: k, w or n is below 1.
        InputError: The corpus has no k-gram.
    """
    require_k_and_w(k, w)
    at_least(1, "number of smallest hashes (-n)", n)
    sample = _sample(source, k)
    algorithms = _algorithms(w, n, sample)
    tallies = [Tally(each.make()) for each in algorithms]
    _, symbols, hashes = tally_all(source, k, tallies, progress=progress)
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
    bounds = Bounds(
        lower_bound=lower_bound(w),
        sharper_lower_bound=sharper_lower_bound(w),
        winnowing=winnowing_density(w),
        safe_0_mod_p_at_best=safe_density_at_best(w),
        chance_that_0_mod_p_misses=zero_mod_miss(same_density(w), w),
    )
    return Comparison(source.name, k, w, symbols, hashes, rows, bounds, local_functions(w))


# Passages that are moved


def missed_share(make: Callable[[], Selector], sample: HashPiece, w: int) -> float:
    """Copy the middle of a document into another, and measure the share of windows not matched.

    A window of w hashes is a passage of t = w + k - 1 symbols. It is found if the same hash is
    selected in it on both sides, at any position.

    Returns:
        The share of windows not found; 0 if the sample has no whole window.
    """
    count = len(sample.hashes)
    start, stop = count // 3, count - count // 3
    if stop - start < w:
        return 0.0
    random = np.random.Generator(np.random.PCG64(_SEED))
    # Other shifts could preserve selections by position by accident.
    shift = start % w + w // 2 + (w == 1)
    before, behind = (random.integers(0, 2**64, each, np.uint64) for each in (shift, count // 3))
    more = max(len(sample.codes) - count, 0)
    hashes, codes = (
        np.concatenate([before, column[start:end], behind])
        for column, end in ((sample.hashes, stop), (sample.codes, stop + more))
    )
    other = HashPiece(hashes, 0, (0,), len(hashes), 0, codes)
    left = _mask(make(), sample)[start:stop]
    right = _mask(make(), other)[shift : shift + stop - start]
    return float(np.mean(~_found(sample.hashes[start:stop], left, right, w)))


def _mask(selector: Selector, piece: HashPiece) -> NDArray[np.bool_]:
    mask = np.zeros(len(piece.hashes), np.bool_)
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


def _sample(source: Source, k: int) -> HashPiece:
    """Return the first hashes of a corpus, as one document."""
    hashes, codes, count = [np.empty(0, np.uint64)], np.empty(0, np.uint64), 0
    for piece in hash_pieces(source, k):
        hashes.append(piece.hashes)
        # A piece begins with the last symbols of the one before it, which no k-gram began with.
        codes = np.concatenate([codes[:count], piece.codes])
        count += len(piece.hashes)
        if count >= _SAMPLE:
            break
    first = np.concatenate(hashes)[:_SAMPLE]
    more = len(codes) - count
    return HashPiece(first, 0, (0,), len(first), 0, codes[: len(first) + more])


# The algorithms


class _Algorithm(NamedTuple):
    name: str
    make: Callable[[], Selector]
    expected: float | None
    rule: str
    is_guaranteed: bool = True


def _algorithms(w: int, n: int, sample: HashPiece) -> list[_Algorithm]:
    p, safe_p = same_density(w), best_safe_p(w)
    density = winnowing_density(w)
    anchors = anchors_in(sample, density)
    return [
        _Algorithm(
            "winnowing",
            lambda: Winnowing(w, is_robust=False),
            density,
            "local: each window selects by its contents alone (Definition 2, Lemma 1)",
        ),
        _Algorithm(
            "robust winnowing",
            lambda: Winnowing(w, is_robust=True),
            density,
            "not local, but equal windows select equal hashes (Definition 3)",
        ),
        _Algorithm(
            f"0 mod {p}",
            lambda: zero_mod(p),
            1 / p,
            "a window may contain none: gaps are unbounded (section 3.1.1)",
            is_guaranteed=p == 1,
        ),
        _Algorithm(
            f"Safe 0 mod {safe_p}",
            lambda: SafeZeroMod(safe_p, w),
            safe_density(safe_p, w),
            "local: a window contains a Good hash, or its last one is Bad (section 3.1.2)",
        ),
        _Algorithm(
            f"{n} smallest",
            lambda: Smallest(n),
            None,
            "depends on the whole document: a passage of a long one has few or none",
            is_guaranteed=False,
        ),
        _Algorithm(
            f"every {w}th",
            lambda: every_nth(w),
            1 / w,
            "depends on position: one symbol inserted in front shifts all (section 2.3)",
            is_guaranteed=w == 1,
        ),
        _Algorithm(
            "anchors",
            lambda: anchored(anchors),
            None,
            "a passage may contain no anchor; anchors fit one kind of text (section 2.4)",
            is_guaranteed=False,
        ),
    ]


def best_safe_p(w: int) -> int:
    """Return the integer p for which Safe 0 mod p selects fewest, near w / ln w."""
    return min(range(1, w + 2), key=lambda p: safe_density(p, w))


# Local functions: what each selects in every window, a row of hashes


def _of_rank(windows: Hashes, rank: int) -> Positions:
    places: Positions = np.argpartition(windows, rank, axis=1)[:, rank]
    return places


def _last_good(windows: Hashes) -> Positions:
    """Safe 0 mod p as a function of the window."""
    w = windows.shape[1]
    p = max(round(w / log(w)), 1) if w > 1 else 1
    last: Positions = w - 1 - (windows[:, ::-1] % np.uint64(p) == 0).argmax(axis=1)
    return last


def _by_sum(windows: Hashes) -> Positions:
    w = windows.shape[1]
    places: Positions = (windows.sum(axis=1) % np.uint64(w)).astype(np.int64)
    return places


_CHOICES: Final[Mapping[str, Callable[[Hashes], Positions]]] = {
    "least (winnowing)": lambda windows: windows.argmin(axis=1),
    "greatest": lambda windows: windows.argmax(axis=1),
    "second least": lambda windows: _of_rank(windows, min(1, windows.shape[1] - 1)),
    "median": lambda windows: _of_rank(windows, windows.shape[1] // 2),
    "last 0 mod p, or the last": _last_good,
    "sum of all, mod w": _by_sum,
}
# Number of windows, and of hashes in all of them.
_WINDOWS: Final = 1 << 16
_IN_WINDOWS: Final = 1 << 23


def local_functions(w: int) -> tuple[LocalFunction, ...]:
    """Measure how much more than the lower bound local functions select of independent hashes."""
    windows = max(min(_IN_WINDOWS // w, _WINDOWS), 1)
    random = np.random.Generator(np.random.PCG64(_SEED))
    hashes = random.integers(0, 2**64, windows + w - 1, np.uint64)
    found = []
    for name, choose in _CHOICES.items():
        places = choose(sliding_window_view(hashes, w)) + np.arange(windows)
        density = len(np.unique(places)) / windows
        found.append(LocalFunction(name, density, density / sharper_lower_bound(w)))
    return tuple(found)


def sheet_of_comparison(result: Comparison) -> Sheet:
    """Return tables that compare the algorithms."""
    title = f"{result.source}: {result.hashes:,} hashes, k = {result.k}, w = {result.w}"
    tables = (
        table_of(
            f"Selection algorithms on {title}",
            result.rows,
            "algorithm fingerprints measured_density expected_density"
            " longest_run_without_fingerprint is_guaranteed missed",
            f"Guaranteed: to find each match of t = {result.w + result.k - 1} symbols. Missed: "
            "share of such passages with no fingerprint in common with their copy elsewhere.",
        ),
        table_of("What decides the guarantee", result.rows, "algorithm rule"),
        Table(
            "Theory",
            ("", "value"),
            tuple((name.replace("_", " "), value) for name, value in asdict(result.bounds).items()),
        ),
        table_of(
            "The lower bound, for local functions on independent hashes",
            result.local_functions,
            "name measured_density times_bound",
            "What a window selects. The bound is the sharper one, (1.5 + 1 / 2w) / (w + 1).",
        ),
    )
    plot = density_plot(result.w, ((row.algorithm, row.measured_density) for row in result.rows))
    return Sheet("select", title, tables, (plot,))
