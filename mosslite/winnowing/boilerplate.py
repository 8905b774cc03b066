"""Marks the tokens of a submission that come from base code or, on demand, are common code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mosslite.ranges import covered
from mosslite.winnowing.alignment import aligned_runs
from mosslite.winnowing.base_index import Text, index_base, shared_kgrams
from mosslite.winnowing.winnow import kgram_hashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mosslite.records import TokenStream
    from mosslite.winnowing.base_index import BaseIndex

__all__ = [
    "BaseFile",
    "index_base_file",
    "mark_base_code",
    "mark_common_code",
    "mark_passages",
]


def mark_common_code(
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


# Stands between the files of a submission. Codes are digests, so the base has none like it.
_FILE_END = np.uint64(0)


@dataclass(frozen=True, slots=True, eq=False)
class BaseFile:
    """One file of base code: its name, and its tokens ready to be looked up."""

    name: str
    index: BaseIndex

    @property
    def noise(self) -> int:
        """The noise threshold k of the files it is compared with."""
        return self.index.grams.k


def index_base_file(name: str, stream: TokenStream, noise: int) -> BaseFile:
    """Index a file of base code by all its k-grams; one shorter than k matches nothing."""
    return BaseFile(name, index_base(_text_of([stream]), noise))


def mark_base_code(streams: Sequence[TokenStream], base: BaseFile) -> tuple[NDArray[np.bool_], ...]:
    """Mark the tokens of a submission's files that come from a file of base code.

    These are all passages of k tokens that the base has, and the shorter pieces of it that an
    alignment finds between and beside them, in the order of the base. For those, each token of
    the base stands for one token of the submission.

    Returns:
        A ``(n,) bool`` mask for each file.
    """
    passages = mark_passages(streams, base)
    text = _text_of(streams)
    runs = np.array(aligned_runs(text, base.index), np.int64).reshape(-1, 3)
    is_aligned = covered(runs[:, 0], runs[:, 0] + runs[:, 2], len(text.codes))
    ends = np.cumsum([len(stream) + 1 for stream in streams])
    return tuple(
        mask | is_aligned[end - len(mask) - 1 : end - 1]
        for mask, end in zip(passages, ends.tolist(), strict=True)
    )


def mark_passages(streams: Sequence[TokenStream], base: BaseFile) -> tuple[NDArray[np.bool_], ...]:
    """Mark the tokens of a submission's files that are in a k-gram of the base, wherever it is."""
    found = [shared_kgrams(stream.codes, base.index) for stream in streams]
    return tuple(
        covered(starts, starts + base.noise, len(stream))
        for stream, starts in zip(streams, found, strict=True)
    )


def _text_of(streams: Sequence[TokenStream]) -> Text:
    """Put files end to end, each with an end behind it but the last."""
    codes, breaks = [], []
    for stream in streams:
        codes += [stream.codes, [_FILE_END]]
        begins_line = np.append(True, stream.lines[1:] != stream.lines[:-1])[: len(stream)]
        breaks += [begins_line, [True]]
    return Text(
        np.concatenate([np.empty(0, np.uint64), *codes])[:-1].astype(np.uint64),
        np.concatenate([np.empty(0, np.bool_), *breaks]).astype(np.bool_),
    )
