"""The paper's algorithms, word for word and slow, to check the fast ones against."""

from collections.abc import Iterator, Sequence

import numpy as np

from mosslite.lab.streams import HashPiece, Piece, Source


def laid(parts: Sequence[Sequence[int]]) -> Source:
    """Return a corpus that comes in the pieces given, each of which begins a document."""

    def pieces() -> Iterator[Piece]:
        for part in parts:
            words = tuple(map(str, part))
            yield Piece(np.array(part, np.uint64), words, True, len(part))

    return Source("laid", sum(map(len, parts)), pieces)


def hash_pieces_of(parts: Sequence[Sequence[int]]) -> Iterator[HashPiece]:
    first = 0
    for part in parts:
        hashes = np.array(part, np.uint64)
        yield HashPiece(hashes, first, (first,), codes=hashes)
        first += len(part)
    yield HashPiece(np.empty(0, np.uint64), first, is_last=True)


def bad_or_good(hashes: Sequence[int], p: int, w: int) -> list[int]:
    """Section 3.1.2: Good, or Bad, which it and the w - 1 hashes to its left not being Good is."""
    good = [hash_ % p == 0 for hash_ in hashes]
    bad = [
        place >= w - 1 and not any(good[place - w + 1 : place + 1]) for place in range(len(hashes))
    ]
    return [place for place in range(len(hashes)) if good[place] or bad[place]]


def smallest_of(hashes: Sequence[int], n: int) -> set[int]:
    """Section 2.3: the n smallest hashes of all k-grams of a document."""
    return set(sorted(set(hashes))[:n])
