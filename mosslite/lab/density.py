"""How many hashes are selected: the table of Figure 3, on any corpus (SIGMOD 2003, section 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mosslite.errors import OptionError
from mosslite.lab.selectors import Tally, Winnowing, ZeroMod, hash_pieces, too_short
from mosslite.lab.theory import (
    errors_off,
    expected_longest_run,
    winnowing_density,
    winnowing_error,
    zero_mod_density,
    zero_mod_error,
)
from mosslite.options import at_least
from mosslite.records import no_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.lab.selectors import Count, Source
    from mosslite.records import Progress

__all__ = ["Density", "Selected", "measure_density", "require_k_and_w", "same_density", "tally_all"]

# How many there can be.
_HASHES: Final = 2**64


@dataclass(frozen=True, slots=True)
class Selected:
    """What one algorithm selected.

    Attributes:
        expected_density: Of independent hashes.
        standard_error: By how much chance moves the measured density of independent hashes.
        errors_off: How many standard errors the measured density is above the expected one.
        longest_run_without_fingerprint: In hashes.
        expected_longest_run: Of independent hashes; w - 1 where that is guaranteed.
    """

    fingerprints: int
    measured_density: float
    expected_density: float
    standard_error: float
    errors_off: float
    longest_run_without_fingerprint: int
    expected_longest_run: float


@dataclass(frozen=True, slots=True)
class Density:
    """The table of Figure 3, and robust winnowing's drop.

    Attributes:
        text_bytes: Symbols: letters and digits, or tokens.
    """

    source: str
    k: int
    w: int
    p: int
    total_bytes: int
    text_bytes: int
    hashes: int
    winnowing: Selected
    robust: Selected
    mod_p: Selected


def measure_density(
    source: Source, k: int, w: int, *, p: int | None = None, progress: Progress = no_progress
) -> Density:
    """Select from all k-grams of a corpus by winnowing, robust winnowing and 0 mod p.

    Args:
        source: The corpus.
        k: Noise threshold, in symbols.
        w: Window, in k-grams.
        p: For 0 mod p; None gives it the density of winnowing.
        progress: Is told of the bytes read.

    Raises:
        OptionError: k, w or p is below 1, or p is greater than any hash.
        InputError: The corpus has no k-gram.
    """
    require_k_and_w(k, w)
    p = same_density(w) if p is None else p
    _require_p(p)
    tallies = [
        Tally(Winnowing(w, is_robust=False)),
        Tally(Winnowing(w, is_robust=True)),
        Tally(ZeroMod(p)),
    ]
    size, symbols, hashes = tally_all(source, k, tallies, progress=progress)
    winnowed = (winnowing_density(w), winnowing_error(w, hashes), w - 1.0)
    modulo = (zero_mod_density(p), zero_mod_error(p, hashes), expected_longest_run(p, hashes))
    found = [
        _selected(tally, hashes, *expected)
        for tally, expected in zip(tallies, (winnowed, winnowed, modulo), strict=True)
    ]
    return Density(source.name, k, w, p, size, symbols, hashes, *found)


def tally_all(
    source: Source, k: int, tallies: Sequence[Count], *, progress: Progress
) -> tuple[int, int, int]:
    """Feed a corpus to several counts in one pass; give its bytes, symbols and hashes.

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
    for tally in tallies:
        tally.finish()
    return size, symbols, hashes


def require_k_and_w(k: int, w: int) -> None:
    """Refuse a k or a window that means nothing.

    Raises:
        OptionError: One of them is below 1.
    """
    at_least(1, "noise threshold (-k)", k)
    at_least(1, "window (-w)", w)


def _require_p(p: int) -> None:
    at_least(1, "p of 0 mod p (-p)", p)
    if p >= _HASHES:
        msg = f"p of 0 mod p (-p) is {p}: it must be below {_HASHES}, as hashes are"
        raise OptionError(msg)


def same_density(w: int) -> int:
    """Return the p at which 0 mod p selects as many as winnowing: (w + 1) / 2, rounded down."""
    return max((w + 1) // 2, 1)


def _selected(tally: Tally, hashes: int, expected: float, error: float, run: float) -> Selected:
    measured = tally.fingerprints / hashes
    return Selected(
        fingerprints=tally.fingerprints,
        measured_density=measured,
        expected_density=expected,
        standard_error=error,
        errors_off=errors_off(measured - expected, error),
        longest_run_without_fingerprint=tally.longest_run,
        expected_longest_run=run,
    )
