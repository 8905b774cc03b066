"""Parameterised matching (Baker): k-grams that are equal when names can be given one to one.

Section 5.2 of the winnowing paper: "we found that replacing all of the parameters with a single
constant and increasing k by 1 worked just as well".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.winnowing.winnow import kgram_hashes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.lab.programs import Program

    Hashes = NDArray[np.uint64]

__all__ = ["constant_hashes", "parameterised_hashes", "written_hashes"]

_BASE = np.uint64(0x9E3779B97F4A7C15)


def constant_hashes(program: Program, k: int) -> Hashes:
    """Hash k-grams in which every name is the same symbol, as the front-ends give them."""
    return kgram_hashes(program.codes, k)


def written_hashes(program: Program, k: int) -> Hashes:
    """Hash k-grams of tokens as written."""
    return kgram_hashes(program.wordings, k)


def parameterised_hashes(program: Program, k: int) -> Hashes:
    """Hash k-grams in which a name stands for how far back it was last used in the k-gram.

    Two k-grams have equal encodings if and only if one-to-one renaming makes them equal; a name
    that is new in the k-gram stands for 0.
    """
    back = _distances(program)
    hashes = np.zeros(max(len(program.codes) - k + 1, 0), np.uint64)
    for place in range(k):
        window = slice(place, place + len(hashes))
        is_known = program.is_name[window] & (back[window] <= place)
        distances = np.where(is_known, back[window], 0).astype(np.uint64)
        hashes += program.codes[window] + _mixed(distances) * program.is_name[window]
        hashes *= _BASE
    return hashes


def _distances(program: Program) -> NDArray[np.int64]:
    """Return for each name the distance to where it was used before; beyond all k for the first."""
    places = np.flatnonzero(program.is_name)
    order = places[np.argsort(program.wordings[places], kind="stable")]
    back = np.full(len(program.codes), len(program.codes) + 1, np.int64)
    is_again = program.wordings[order[1:]] == program.wordings[order[:-1]]
    back[order[1:][is_again]] = np.diff(order)[is_again]
    return back


def _mixed(numbers: Hashes) -> Hashes:
    """Spread small numbers over 64 bits, 0 staying 0."""
    spread = numbers * np.uint64(0xBF58476D1CE4E5B9)
    spread ^= spread >> np.uint64(31)
    return spread * np.uint64(0x94D049BB133111EB)
