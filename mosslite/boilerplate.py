"""Which tokens are not a student's own: the instructor's base code and, on demand, common code.

As in SIGMOD 2003, section 5.2, base code is fingerprinted under a role of its own and what
matches it is discarded; here by all its k-grams, so that no token of it is left over.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from mosslite.spans import covered
from mosslite.winnow import kgram_hashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mosslite.columns import TokenStream

__all__ = ["Template", "boilerplate_in", "common_code", "template_of"]

# A shorter block of the template, such as ``) {``, is too common to be known by.
_BLOCK = 4


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """One file of base code.

    Attributes:
        stream: Its tokens.
        noise: Noise threshold k, in tokens.
        hashes: ``(n - k + 1,) uint64``, its k-grams in ascending order.
        starts: Where each of them begins.
    """

    stream: TokenStream
    noise: int
    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]


def template_of(stream: TokenStream, noise: int) -> Template:
    """Fingerprint a file of base code by all its k-grams."""
    hashes = kgram_hashes(stream.codes, noise)
    order = np.argsort(hashes, kind="stable")
    return Template(stream, noise, hashes[order], order)


def boilerplate_in(stream: TokenStream, templates: Sequence[Template]) -> NDArray[np.bool_]:
    """Mark the tokens that come from base code: ``(n,) bool``.

    These are the tokens under a k-gram of a template and, in a file that is made from it, those
    under its shorter blocks, each as often as it was given: so a block of template code shorter
    than k is known by the company it keeps, however the file is laid out. A file is made from a
    template if it has a k-gram of it, or most of its blocks. A template shorter than k marks
    nothing.
    """
    mask = np.zeros(len(stream), np.bool_)
    for template in templates:
        if not len(template.hashes):
            continue
        shared = _shared_kgrams(stream, template)
        known = covered(shared, shared + template.noise, len(stream))
        block = min(_BLOCK, template.noise)
        ours, theirs = (kgram_hashes(each.codes, block) for each in (stream, template.stream))
        if len(shared) or 2 * np.isin(theirs, ours).sum() > len(theirs):
            mask |= known | _short_blocks(known, ours, theirs, block)
    return mask


def common_code(
    streams: Sequence[TokenStream], owners: Sequence[int], noises: Sequence[int], limit: int
) -> list[NDArray[np.bool_]]:
    """Mark, in each stream, the k-grams that occur in more than ``limit`` submissions.

    Args:
        streams: Files of all submissions.
        owners: The submission each belongs to.
        noises: The noise threshold k of each.
        limit: MOSS' ``-m``.

    Returns:
        A ``(n,) bool`` mask for each stream.
    """
    hashes = [kgram_hashes(s.codes, k) for s, k in zip(streams, noises, strict=True)]
    sizes = [len(column) for column in hashes]
    _, numbers = np.unique(np.concatenate([np.empty(0, np.uint64), *hashes]), return_inverse=True)
    owned = np.unique(
        np.column_stack([numbers, np.repeat(np.array(owners, np.int64), sizes)]), axis=0
    )
    is_common = np.bincount(owned[:, 0])[numbers] > limit if len(numbers) else np.empty(0, np.bool_)
    parts = np.split(is_common, np.cumsum(sizes, dtype=np.int64))[:-1]
    return [
        covered(starts, starts + k, len(stream))
        for stream, part, k in zip(streams, parts, noises, strict=True)
        for starts in [np.flatnonzero(part)]
    ]


def _shared_kgrams(stream: TokenStream, template: Template) -> NDArray[np.int64]:
    """Give the starts of the stream's k-grams that are k-grams of the template, verified."""
    hashes, k = kgram_hashes(stream.codes, template.noise), template.noise
    if not len(hashes) or not len(template.hashes):
        return np.empty(0, np.int64)
    nearest = np.searchsorted(template.hashes, hashes) % len(template.hashes)
    hits = np.flatnonzero(template.hashes[nearest] == hashes)
    ours = sliding_window_view(stream.codes, k)[hits]
    theirs = sliding_window_view(template.stream.codes, k)[template.starts[nearest[hits]]]
    verified: NDArray[np.int64] = hits[(ours == theirs).all(axis=1)]
    return verified


def _short_blocks(
    known: NDArray[np.bool_], ours: NDArray[np.uint64], theirs: NDArray[np.uint64], block: int
) -> NDArray[np.bool_]:
    """Mark further blocks of the template, until each is found as often as it was given."""
    mask = np.zeros(len(known), np.bool_)
    if not len(ours):
        return mask
    is_known = sliding_window_view(known, block).all(axis=1)
    to_find = Counter(theirs.tolist())
    to_find.subtract(ours[is_known].tolist())
    for start in np.flatnonzero(~is_known & np.isin(ours, theirs)).tolist():
        found = int(ours[start])
        if to_find[found] > 0:
            to_find[found] -= 1
            mask[start : start + block] = True
    return mask
