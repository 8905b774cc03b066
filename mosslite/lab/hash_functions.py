"""The hash functions of k-grams that are compared: each gives 64 bits."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.winnowing.winnow import kgram_hashes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]
    HashFunction = Callable[[Hashes, int], Hashes]

__all__ = [
    "HASH_FUNCTIONS",
    "OURS",
    "REFERENCE",
    "identities",
    "karp_rabin",
    "karp_rabin_improved",
    "ours",
    "reference",
]

# A base just above a byte, as textbooks take it, the trap that a byte itself is, and a large one.
_SMALL, _BYTE, _LARGE = 257, 256, 0x9E3779B97F4A7C15


def karp_rabin(symbols: Hashes, k: int, base: int) -> Hashes:
    """Return H(c_1 ... c_k) = c_1 b^(k - 1) + ... + c_k modulo 2^64 (SIGMOD 2003, section 2.2)."""
    hashes = np.zeros(max(len(symbols) - k + 1, 0), np.uint64)
    for place in range(k):
        hashes *= np.uint64(base)
        hashes += symbols[place : place + len(hashes)]
    return hashes


def karp_rabin_improved(symbols: Hashes, k: int, base: int) -> Hashes:
    """Return H', which multiplies once more, so that the last symbol too reaches the high bits."""
    return karp_rabin(symbols, k, base) * np.uint64(base)


def reference(symbols: Hashes, k: int) -> Hashes:
    """Return BLAKE2b of each k-gram: slow, and as good as chance."""
    return _digests(symbols, k, 8).astype(np.uint64).reshape(-1)


def identities(symbols: Hashes, k: int) -> NDArray[np.uint64]:
    """Return 128 bits for each k-gram, ``(n, 2)``, which no two different ones share."""
    return _digests(symbols, k, 16).reshape(-1, 2)


def _digests(symbols: Hashes, k: int, size: int) -> Hashes:
    content = memoryview(symbols.astype("<u8").tobytes())
    digests = [
        blake2b(content[8 * begin : 8 * (begin + k)], digest_size=size).digest()
        for begin in range(len(symbols) - k + 1)
    ]
    return np.frombuffer(b"".join(digests), "<u8")


def ours(symbols: Hashes, k: int) -> Hashes:
    """Return what mosslite winnows: H' with a large base, of symbols that are digests."""
    alphabet, places = np.unique(symbols, return_inverse=True)
    codes = [blake2b(str(each).encode(), digest_size=8).digest() for each in alphabet.tolist()]
    table = np.frombuffer(b"".join(codes), "<u8").astype(np.uint64)
    return kgram_hashes(table[places], k)


OURS: Final = "ours"
REFERENCE: Final = "BLAKE2b"

HASH_FUNCTIONS: Final[Mapping[str, HashFunction]] = {
    "H, b = 256": lambda symbols, k: karp_rabin(symbols, k, _BYTE),
    "H, b = 257": lambda symbols, k: karp_rabin(symbols, k, _SMALL),
    "H', b = 257": lambda symbols, k: karp_rabin_improved(symbols, k, _SMALL),
    "H, large b": lambda symbols, k: karp_rabin(symbols, k, _LARGE),
    "H', large b": lambda symbols, k: karp_rabin_improved(symbols, k, _LARGE),
    OURS: ours,
    REFERENCE: reference,
}
