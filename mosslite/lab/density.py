"""Selection algorithms, in theory and on any corpus (SIGMOD 2003, sections 3 to 5).

Measured are their densities (Figure 3), and what share of copied passages they miss.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log, log1p, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from mosslite.errors import OptionError
from mosslite.lab.sheets import Cell, Plot, Series, Sheet, Table, Values, table_of
from mosslite.lab.streams import (
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
    too_short,
    zero_mod,
)
from mosslite.records import Progress, no_progress
from mosslite.winnowing.winnow import kgram_hashes

# Densities in theory


def winnowing_density(w: int) -> float:
    """Return 2 / (w + 1)."""
    return 2 / (w + 1)


def winnowing_error(w: int, count: int) -> float:
    """Return the standard deviation of winnowing's measured density on ``count`` hashes.

    Exact except for the ends of the sequence. The window at i is charged if the minimum of its w +
    1 hashes, including the one before it, is the first or the last of them. Two windows at distance
    d < w are both charged with probability 4 / ((w + 1)(w + 1 + d)): the minimum of all their
    hashes is at one end of their union, and the other window is charged independently. At d = w the
    shared hash can charge both, which adds 1 / (2w + 1). At larger distances, they are independent.
    """
    charged = winnowing_density(w)
    variance = charged * (1 - charged) + 2 / (2 * w + 1)
    variance -= sum(8 * d / ((w + 1) ** 2 * (w + 1 + d)) for d in range(1, w + 1))
    return sqrt(max(variance, 0.0) / count)


def errors_off(deviation: float, error: float) -> float:
    """Return a deviation in standard errors; 0 if there is no deviation and no error."""
    return deviation / error if error else 0.0


def zero_mod_error(p: int, count: int) -> float:
    """Return the standard deviation of the measured density of 0 mod p on ``count`` hashes."""
    return sqrt(1 / p * (1 - 1 / p) / count)


def zero_mod_miss(p: int, w: int) -> float:
    """Return the probability that none of w consecutive hashes is 0 mod p (section 3.1.1)."""
    return (1 - 1 / p) ** w


def log10_odds_of_run(p: int, hashes: int) -> float | None:
    """Return the logarithm of (1 - 1/p)^hashes, the odds that none of so many is 0 mod p.

    None if they are 0: with p = 1, there is no such run. Of the paper's run of 29,900 characters,
    which has 29,851 50-grams, the odds are 10^-261.9 (section 5.1).
    """
    if p == 1:
        return None if hashes else 0.0
    return hashes * log1p(-1 / p) / log(10)


def expected_longest_run(p: int, count: int) -> float:
    """Estimate the longest run of hashes that are not 0 mod p among ``count``.

    The longest run of failures approximately has a Gumbel distribution, of which this is the mean.
    """
    if p == 1:
        return 0.0
    rate = -log1p(-1 / p)
    return max((log(count / p) + np.euler_gamma) / rate - 0.5, 0.0)


def safe_density(p: int, w: int) -> float:
    """Return P + (1 - P)^w, which the paper approximates by P + e^(-wP) (section 3.1.2)."""
    return 1 / p + (1 - 1 / p) ** w


def safe_density_at_best(w: int) -> float:
    """Return (1 + ln w) / w, the minimum density of Safe 0 mod p, at P = (ln w) / w."""
    return (1 + log(w)) / w


def lower_bound(w: int) -> float:
    """Return 1.5 / (w + 1), the lower bound for all local algorithms (Theorem 1)."""
    return 1.5 / (w + 1)


def sharper_lower_bound(w: int) -> float:
    """Return (1.5 + 1 / (2w)) / (w + 1) (Observation 1)."""
    return (1.5 + 1 / (2 * w)) / (w + 1)


# Figure 3


def measure_density(
    source: Source, k: int, w: int, *, p: int | None = None, progress: Progress = no_progress
) -> Values:
    """Select from all k-grams of a corpus by winnowing, robust winnowing and 0 mod p.

    Without p, 0 mod p is as dense as winnowing. What is expected, and the standard error, is that
    of independent hashes, and so are the odds that none of so many hashes in a given place is
    selected: 10 to that power. Winnowing excludes longer runs than w - 1.

    Raises:
        OptionError: p is greater than any hash.
        InputError: The corpus has no k-gram.
    """
    p = same_density(w) if p is None else p
    if p >= 2**64:
        msg = f"p of 0 mod p (-p) is {p}: it must be below {2**64}, as hashes are"
        raise OptionError(msg)
    winnowing, robust = (Tally(Winnowing(w, is_robust=each)) for each in (False, True))
    modulo = Tally(zero_mod(p))
    size, symbols, hashes = tally_all(source, k, [winnowing, robust, modulo], progress=progress)

    def selected(
        tally: Tally, expected: float, error: float, run: float, odds: float | None = None
    ) -> Values:
        measured = tally.fingerprints / hashes
        return {
            "fingerprints": tally.fingerprints,
            "measured_density": measured,
            "expected_density": expected,
            "standard_error": error,
            "errors_off": errors_off(measured - expected, error),
            "longest_run_without_fingerprint": tally.longest_run,
            "expected_longest_run": run,
            "log10_odds_of_longest_run": odds,
        }

    of_windows = winnowing_density(w), winnowing_error(w, hashes), w - 1.0
    of_modulus = 1 / p, zero_mod_error(p, hashes), expected_longest_run(p, hashes)
    found = {"source": source.name, "k": k, "w": w, "p": p}
    found |= {"total_bytes": size, "text_bytes": symbols, "hashes": hashes}
    return found | {
        "winnowing": selected(winnowing, *of_windows),
        "robust": selected(robust, *of_windows),
        "mod_p": selected(modulo, *of_modulus, log10_odds_of_run(p, modulo.longest_run)),
    }


def tally_all(
    source: Source, k: int, tallies: Sequence[Tally], *, progress: Progress
) -> tuple[int, int, int]:
    """Pass a corpus to several counters at once; return its bytes, symbols and hashes.

    Raises:
        InputError: The corpus has no k-gram.
    """
    size = symbols = hashes = 0
    for piece in hash_pieces(source, k):
        for tally in tallies:
            tally.feed(piece)
        size += piece.size
        symbols += piece.symbols
        hashes += len(piece.hashes)
        progress("hashing", size, source.size)
    if not hashes:
        raise too_short(source, symbols, k)
    return size, symbols, hashes


def same_density(w: int) -> int:
    """Return the p for which 0 mod p has the density of winnowing: (w + 1) / 2, rounded down."""
    return max((w + 1) // 2, 1)


def sheet_of_density(result: Values) -> Sheet:
    """Return the table and plot of Figure 3, with deviations expected by chance."""
    p, w, mod_p = result["p"], result["w"], result["mod_p"]
    by_name = {
        "winnowing": result["winnowing"],
        "robust winnowing": result["robust"],
        f"0 mod {p}": mod_p,
    }
    title = f"{result['source']}: k = {result['k']}, w = {w}"
    measured = {name: each["measured_density"] for name, each in by_name.items()}
    odds = mod_p["log10_odds_of_longest_run"]
    totals: tuple[tuple[Cell, ...], ...] = (
        *((name.replace("_", " "), result[name]) for name in ("total_bytes", "text_bytes")),
        ("hashes computed", result["hashes"]),
        ("drop by robust winnowing", measured["winnowing"] - measured["robust winnowing"]),
        (f"longest run without 0 mod {p}", mod_p["longest_run_without_fingerprint"]),
        ("expected longest run", mod_p["expected_longest_run"]),
        ("odds of the longest run", None if odds is None else f"10^{odds:.1f}"),
    )
    figure = table_of(
        "Density, and longest run of hashes without a fingerprint",
        by_name,
        "fingerprints measured_density expected_density standard_error errors_off"
        " longest_run_without_fingerprint",
        "Standard error: how much the density of as many independent hashes varies by "
        "chance; real text repeats itself and varies more. Odds: of so long a run of independent "
        "hashes in a given place.",
    )
    tables = Table(f"Figure 3 on {title}", ("", "value"), totals), figure
    return Sheet("density", title, tables, (density_plot(w, measured.items()),))


_THEORY: Final[Mapping[str, Callable[[int], float]]] = {
    "winnowing: 2 / (w + 1)": winnowing_density,
    "at least: (1.5 + 1 / 2w) / (w + 1)": sharper_lower_bound,
    "Safe 0 mod p: (1 + ln w) / w": safe_density_at_best,
}


def density_plot(w: int, measured: Iterable[tuple[str, float]]) -> Plot:
    """Return a plot of theoretical densities around w, and of measured ones at w."""
    windows = sorted({max(round(w * 2 ** (step / 4)), 2) for step in range(-12, 13)})
    curves = tuple(
        Series(name, tuple((float(each), density(each)) for each in windows), "-")
        for name, density in _THEORY.items()
    )
    dots = tuple(Series(f"{name}, measured", ((float(w), value),), "o") for name, value in measured)
    title = "Density by window: theory and measurement"
    return Plot(title, "w", "density", (*curves, *dots), is_x_log=True, is_y_log=True)


# All algorithms on the same hashes

# Number of hashes of the corpus in which passages are moved.
_SAMPLE: Final = 1 << 18
_SEED: Final = 2003


def compare_algorithms(
    source: Source, k: int, w: int, *, n: int = 100, progress: Progress = no_progress
) -> Values:
    """Apply every selection algorithm of the paper to the same hashes.

    Of passages of t = w + k - 1 symbols, an algorithm misses those without a common fingerprint
    with a copy in another document; if it is guaranteed, by theory it finds all. Local functions
    are compared with the sharper lower bound. ``n`` is the number of fingerprints per document in
    Heintze's algorithm.

    Raises:
        InputError: The corpus has no k-gram.
    """
    sample = _sample(source, k)
    algorithms = _algorithms(w, n, sample)
    tallies = [Tally(each.make()) for each in algorithms]
    _, symbols, hashes = tally_all(source, k, tallies, progress=progress)
    rows = [
        {
            "algorithm": each.name,
            "fingerprints": tally.fingerprints,
            "measured_density": tally.fingerprints / hashes,
            "expected_density": each.expected,
            "longest_run_without_fingerprint": tally.longest_run,
            "is_guaranteed": each.is_guaranteed,
            "missed": missed_share(each.make, sample, w),
            "rule": each.rule,
        }
        for each, tally in zip(algorithms, tallies, strict=True)
    ]
    bounds = {
        "lower_bound": lower_bound(w),
        "sharper_lower_bound": sharper_lower_bound(w),
        "winnowing": winnowing_density(w),
        "safe_0_mod_p_at_best": safe_density_at_best(w),
        "chance_that_0_mod_p_misses": zero_mod_miss(same_density(w), w),
    }
    found = {"source": source.name, "k": k, "w": w, "symbols": symbols, "hashes": hashes}
    return found | {"rows": rows, "bounds": bounds, "local_functions": local_functions(w)}


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
    other = HashPiece(hashes, codes=codes, is_last=True)
    left = _mask(make(), sample)[start:stop]
    right = _mask(make(), other)[shift : shift + stop - start]
    return float(np.mean(~_found(sample.hashes[start:stop], left, right, w)))


def _mask(selector: Selector, piece: HashPiece) -> NDArray[np.bool_]:
    mask = np.zeros(len(piece.hashes), np.bool_)
    mask[selector(piece)] = True
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
    parts, missing = [np.empty(0, np.uint64)], _SAMPLE + k - 1
    for piece in source.pieces():
        parts.append(piece.codes[:missing])
        missing -= len(parts[-1])
        if not missing:
            break
    codes = np.concatenate(parts)
    return HashPiece(kgram_hashes(codes, k), codes=codes, is_last=True)


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


def local_functions(w: int) -> list[Values]:
    """Measure how much more than the lower bound local functions select of independent hashes.

    These are functions of a window (Definition 2).
    """
    windows = max(min(_IN_WINDOWS // w, _WINDOWS), 1)
    random = np.random.Generator(np.random.PCG64(_SEED))
    hashes = random.integers(0, 2**64, windows + w - 1, np.uint64)
    found = []
    for name, choose in _CHOICES.items():
        places = choose(sliding_window_view(hashes, w)) + np.arange(windows)
        density = len(np.unique(places)) / windows
        times_bound = density / sharper_lower_bound(w)
        found.append({"name": name, "measured_density": density, "times_bound": times_bound})
    return found


def sheet_of_comparison(result: Values) -> Sheet:
    """Return tables that compare the algorithms."""
    k, w, rows, bounds = (result[name] for name in ("k", "w", "rows", "bounds"))
    title = f"{result['source']}: {result['hashes']:,} hashes, k = {k}, w = {w}"
    tables = (
        table_of(
            f"Selection algorithms on {title}",
            rows,
            "algorithm fingerprints measured_density expected_density"
            " longest_run_without_fingerprint is_guaranteed missed",
            f"Guaranteed: to find each match of t = {w + k - 1} symbols. Missed: "
            "share of such passages with no fingerprint in common with their copy elsewhere.",
        ),
        table_of("What decides the guarantee", rows, "algorithm rule"),
        Table(
            "Theory",
            ("", "value"),
            tuple((name.replace("_", " "), value) for name, value in bounds.items()),
        ),
        table_of(
            "The lower bound, for local functions on independent hashes",
            result["local_functions"],
            "name measured_density times_bound",
            "What a window selects. The bound is the sharper one, (1.5 + 1 / 2w) / (w + 1).",
        ),
    )
    plot = density_plot(w, ((row["algorithm"], row["measured_density"]) for row in rows))
    return Sheet("select", title, tables, (plot,))
