"""From token streams to comparable tokens, their k-grams, and the fingerprints among these."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.model import Comparable, KGrams, Stretch
from mosslite.winnow import kgram_hashes, robust_winnow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from mosslite.model import Document
    from mosslite.options import Thresholds

__all__ = ["comparable_tokens", "detail_kgrams", "fingerprints", "noise_kgrams"]


def comparable_tokens(documents: Sequence[Document]) -> Comparable:
    """Lay the own tokens of a submission's files end to end.

    Boilerplate is cut out before there are k-grams: percentages are then of own work alone, and
    a passage copied around a piece of the template is still one passage.
    """
    codes, indices, tokens, stretches, stop = [], [], [], [], 0
    for index, document in enumerate(documents):
        own = np.flatnonzero(~document.is_boilerplate).astype(np.int32)
        if len(own) < document.thresholds.noise:
            continue
        codes.append(document.stream.codes[own])
        indices.append(np.full(len(own), index, np.int32))
        tokens.append(own)
        stretches.append(Stretch(stop, stop + len(own), document.thresholds))
        stop += len(own)
    return Comparable(
        np.concatenate([np.empty(0, np.uint64), *codes]),
        np.concatenate([np.empty(0, np.int32), *indices]),
        np.concatenate([np.empty(0, np.int32), *tokens]),
        tuple(stretches),
    )


def noise_kgrams(comparable: Comparable) -> KGrams:
    """Give every k-gram of noise threshold length; none runs across two files."""
    return _kgrams(comparable, lambda thresholds: thresholds.noise, _everything)


def detail_kgrams(comparable: Comparable) -> KGrams:
    """Give every k-gram of the shorter length that pairs are scored on."""
    return _kgrams(comparable, lambda thresholds: thresholds.detail, _everything)


def fingerprints(comparable: Comparable) -> KGrams:
    """Select by robust winnowing, file by file, so that the guarantee holds in each."""
    return _kgrams(comparable, lambda thresholds: thresholds.noise, _winnowed)


def _kgrams(
    comparable: Comparable,
    length: Callable[[Thresholds], int],
    select: Callable[[NDArray[np.uint64], Thresholds], NDArray[np.int64]],
) -> KGrams:
    hashes, starts = [np.empty(0, np.uint64)], [np.empty(0, np.int64)]
    for stretch in comparable.stretches:
        codes = comparable.codes[stretch.start : stretch.stop]
        of_file = kgram_hashes(codes, length(stretch.thresholds))
        selected = select(of_file, stretch.thresholds)
        hashes.append(of_file[selected])
        starts.append(stretch.start + selected)
    joined = np.concatenate(hashes)
    order = np.argsort(joined, kind="stable")
    return KGrams(joined[order], np.concatenate(starts)[order])


def _everything(hashes: NDArray[np.uint64], _: Thresholds) -> NDArray[np.int64]:
    return np.arange(len(hashes))


def _winnowed(hashes: NDArray[np.uint64], thresholds: Thresholds) -> NDArray[np.int64]:
    return robust_winnow(hashes, thresholds.window)
