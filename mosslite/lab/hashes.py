"""Quality of hash functions for k-grams: uniformity, collisions, and effect on every bit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from math import exp, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.lab.density import (
    errors_off,
    same_density,
    winnowing_density,
    winnowing_error,
    zero_mod_error,
)
from mosslite.lab.sheets import Plot, Series, Sheet, Table, Values, table_of
from mosslite.lab.streams import Hashes, Source, too_short
from mosslite.winnowing.winnow import kgram_hashes, winnow

HashFunction = Callable[[Hashes, int], Hashes]
Clock = Callable[[], float]

# A base just above a byte, as in textbooks; 256, which is a trap; and a large one.
_SMALL, _BYTE, _LARGE = 257, 256, 0x9E3779B97F4A7C15


def karp_rabin(symbols: Hashes, k: int, base: int) -> Hashes:
    """Return H(c_1 ... c_k) = c_1 b^(k - 1) + ... + c_k modulo 2^64 (SIGMOD 2003, section 2.2).

    Each k-gram is hashed from scratch.
    """
    hashes = np.zeros(max(len(symbols) - k + 1, 0), np.uint64)
    for place in range(k):
        hashes *= np.uint64(base)
        hashes += symbols[place : place + len(hashes)]
    return hashes


def karp_rabin_improved(symbols: Hashes, k: int, base: int) -> Hashes:
    """Return H', with one more multiplication, so that the last symbol affects high bits too."""
    return karp_rabin(symbols, k, base) * np.uint64(base)


def reference(symbols: Hashes, k: int) -> Hashes:
    """Return BLAKE2b of each k-gram: slow, but indistinguishable from random."""
    return _digests(symbols, k, 8).astype(np.uint64).reshape(-1)


def identities(symbols: Hashes, k: int) -> NDArray[np.uint64]:
    """Return 128 bits for each k-gram, ``(n, 2)``, distinct for different ones."""
    return _digests(symbols, k, 16).reshape(-1, 2)


def _digests(symbols: Hashes, k: int, size: int) -> Hashes:
    content = memoryview(symbols.astype("<u8").tobytes())
    digests = [
        blake2b(content[8 * begin : 8 * (begin + k)], digest_size=size).digest()
        for begin in range(len(symbols) - k + 1)
    ]
    return np.frombuffer(b"".join(digests), "<u8")


def ours(symbols: Hashes, k: int) -> Hashes:
    """Return mosslite's hashes: H' with a large base, on symbols that are digests."""
    return kgram_hashes(_codes_of(symbols), k)


def _codes_of(symbols: Hashes) -> Hashes:
    """Return the digest of each symbol, as front-ends do."""
    alphabet, places = np.unique(symbols, return_inverse=True)
    codes = [blake2b(str(each).encode(), digest_size=8).digest() for each in alphabet.tolist()]
    return np.frombuffer(b"".join(codes), "<u8").astype(np.uint64)[places]


_OURS: Final = "ours"
_FROM_SCRATCH: Final = "H', large b"  # the same function, without rolling

HASH_FUNCTIONS: Final[Mapping[str, HashFunction]] = {
    "H, b = 256": partial(karp_rabin, base=_BYTE),
    "H, b = 257": partial(karp_rabin, base=_SMALL),
    "H', b = 257": partial(karp_rabin_improved, base=_SMALL),
    "H, large b": partial(karp_rabin, base=_LARGE),
    _FROM_SCRATCH: partial(karp_rabin_improved, base=_LARGE),
    _OURS: ours,
    "BLAKE2b": reference,
}


# Number of k-grams in which one symbol is changed, to measure the effect on each bit.
_CHANGED: Final = 4000
_REPEATS: Final = 3


def measure_hashes(
    source: Source, k: int, w: int, *, sample: int = 200_000, clock: Clock | None = None
) -> Values:
    """Hash the first k-grams of a corpus, within ``sample`` symbols, by several functions.

    Letters are hashed by their character codes, tokens by numbers. The clock returns seconds;
    everything but speed is deterministic.

    Of each function are counted the distinct k-grams whose 64-bit hash equals another's, likewise
    that of the high and the low 32 bits. Deviations from what is ideal are in standard errors, of
    which a good function has 3 or 4 at most: of the high and the low byte of distinct k-grams from
    uniform (chi-squared), of the share of hashes that are 0 mod p or 64, and of the density of
    winnowing. A second hash spreads what winnowing selects (Appendix).

    Raises:
        InputError: The corpus has no k-gram.
    """
    symbols = symbols_of(source, sample)
    if len(symbols) < k:
        raise too_short(source, len(symbols), k)
    firsts = np.sort(np.unique(identities(symbols, k), axis=0, return_index=True)[1])
    trial = _Trial(symbols, k, w, firsts)
    functions = {
        name: trial.quality_of(name, function, clock) for name, function in HASH_FUNCTIONS.items()
    }
    scratch, rolling = (functions[name]["nanoseconds"] for name in (_FROM_SCRATCH, _OURS))
    hashes, distinct = ours(symbols, k), len(firsts)
    selected = np.unique(hashes[winnow(hashes, w)])
    found = {"source": source.name, "k": k, "w": w, "p": same_density(w)}
    return found | {
        "kgrams": len(hashes),
        "distinct": distinct,
        "expected_collisions": distinct - 2.0**32 * (1 - exp(-distinct / 2.0**32)),
        "functions": [*functions.values()],
        "selected_high_byte": _unevenness(selected >> np.uint64(56)),
        "rehashed_high_byte": _unevenness(reference(selected, 1) >> np.uint64(56)),
        "scratch_to_rolling": scratch / rolling if scratch and rolling else None,
    }


def symbols_of(source: Source, most: int) -> Hashes:
    """Return the first symbols of a corpus as small numbers: characters, or token numbers."""
    found, count = [np.empty(0, np.uint64)], 0
    numbers: dict[int, int] = {}
    for piece in source.pieces():
        if isinstance(piece.words, str):
            column = np.frombuffer(piece.words.encode("utf-32-le", "surrogatepass"), np.uint32)
        else:
            codes = piece.codes.tolist()
            column = np.array([numbers.setdefault(each, len(numbers) + 1) for each in codes])
        found.append(column.astype(np.uint64))
        count += len(column)
        if count >= most:
            break
    return np.concatenate(found)[:most]


def _nanoseconds(hashing: HashFunction, symbols: Hashes, k: int, clock: Clock) -> float:
    """Return the time per hash, the least of three."""
    times = []
    for _ in range(_REPEATS):
        begin = clock()
        hashing(symbols, k)
        times.append(clock() - begin)
    return 1e9 * min(times) / (len(symbols) - k + 1)


@dataclass(frozen=True, slots=True, eq=False)
class _Trial:
    """Symbols, and the first occurrence of each of their k-grams."""

    symbols: Hashes
    k: int
    w: int
    firsts: NDArray[np.int64]

    def quality_of(self, name: str, function: HashFunction, clock: Clock | None) -> Values:
        """Return what is measured of a function; its time is without that of symbols' codes."""
        symbols, hashing = self.symbols, function
        if name == _OURS:  # what front-ends do is not part of the time
            symbols, hashing = _codes_of(symbols), kgram_hashes
        hashes = hashing(symbols, self.k)
        distinct, n = hashes[self.firsts], len(hashes)
        off = len(winnow(hashes, self.w)) / n - winnowing_density(self.w)
        return {
            "name": name,
            "collisions": _collisions(distinct),
            "high_collisions": _collisions(distinct >> np.uint64(32)),
            "low_collisions": _collisions(distinct & np.uint64(2**32 - 1)),
            "high_byte": _unevenness(distinct >> np.uint64(56)),
            "low_byte": _unevenness(distinct & np.uint64(255)),
            "last_symbol": self._changed_by(function, self.k - 1),
            "first_symbol": self._changed_by(function, 0),
            "zero_mod_p": _zero_mod(hashes, same_density(self.w)),
            "zero_mod_64": _zero_mod(hashes, 64),
            "winnowing": errors_off(off, winnowing_error(self.w, n)),
            "nanoseconds": _nanoseconds(hashing, symbols, self.k, clock) if clock else None,
        }

    def _changed_by(self, function: HashFunction, place: int) -> float:
        """Return the share of the high 32 bits that change when one symbol is incremented."""
        begins = self.firsts[:: max(len(self.firsts) // _CHANGED, 1)][:_CHANGED]
        grams = self.symbols[begins[:, None] + np.arange(self.k)]
        changed = grams.copy()
        changed[:, place] += np.uint64(1)
        before, after = (function(each.ravel(), self.k)[:: self.k] for each in (grams, changed))
        return float(np.bitwise_count((before ^ after) >> np.uint64(32)).mean() / 32)


def _zero_mod(hashes: Hashes, p: int) -> float:
    """Compare the share of hashes that are 0 mod p with 1/p, in standard errors."""
    share = float(np.mean(hashes % np.uint64(p) == 0))
    return errors_off(share - 1 / p, zero_mod_error(p, len(hashes)))


def _collisions(values: Hashes) -> int:
    return len(values) - len(np.unique(values))


def _unevenness(values: Hashes) -> float:
    """Compare the frequencies of 256 values with equal shares, in standard errors."""
    from scipy.stats import chisquare  # noqa: PLC0415 - an optional extra

    counts = np.bincount(values.astype(np.int64), minlength=256)
    return float((chisquare(counts).statistic - 255) / sqrt(2 * 255))


def sheet_of_hashes(result: Values) -> Sheet:
    """Return tables of the results of each function."""
    functions = result["functions"]
    title = "{source}: {kgrams:,} {k}-grams, {distinct:,} different".format_map(result)
    tables = (
        table_of(
            f"Hash functions on {title}",
            functions,
            "name collisions high_collisions low_collisions nanoseconds",
            "Collisions of different k-grams in 64 or 32 bits, "
            f"{result['expected_collisions']:.1f} are expected in 32 ideal bits. "
            "Nanoseconds per hash: with --speed.",
        ),
        table_of(
            "Evenness",
            functions,
            "name last_symbol first_symbol high_byte low_byte zero_mod_p zero_mod_64 winnowing",
            "Symbols: share of the high 32 bits that change with the last and the first symbol of "
            "a k-gram (ideal: 0.5). Others: deviation in standard errors (ideal: within 3 of 0), "
            f"with p = {result['p']} and w = {result['w']}.",
        ),
        Table(
            "Ours",
            ("", "value"),
            (
                ("high byte of the selected, in errors", result["selected_high_byte"]),
                ("the same, hashed a second time", result["rehashed_high_byte"]),
                ("time from scratch / rolling", result["scratch_to_rolling"]),
            ),
            "Winnowing selects small hashes; a second hash spreads them. The ratio: with --speed.",
        ),
    )
    changed = tuple(
        Series(
            f"of the {name} symbol",
            tuple((each[f"{name}_symbol"], each["name"]) for each in functions),
            "o",
        )
        for name in ("first", "last")
    )
    plot = Plot("Change of the high 32 bits with a change", "share of the bits", "", changed)
    return Sheet("hashes", title, tables, (plot,))
