"""Laws of base code: what was handed out and a submission that has nothing to do with it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tests.bench.base_code import (
    Pair,
    in_passages,
    kept_beside_unrelated,
    read,
    share,
    similarity_of_copy,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.model import Document
    from tests.laws.files import RealFile

__all__ = ["copies_behind_base", "own_code_kept"]

# Two files are related if more of either is in passages of k tokens of the other. Files of one
# package often are: one was made from the other, or both from a third, and an alignment is right.
_MOST_SHARED: Final = 0.05

# Of fewer tokens a few that are alike by chance are a large share.
_LEAST_TOKENS: Final = 100


def own_code_kept(files: Sequence[RealFile], language: str) -> Iterator[tuple[RealFile, float]]:
    """Hold that unrelated base code takes nothing but passages of k tokens."""
    for file, base in _unrelated(files, language):
        yield file, kept_beside_unrelated(_pair(file, base, language))


def copies_behind_base(
    files: Sequence[RealFile], language: str
) -> Iterator[tuple[RealFile, float]]:
    """Hold that a copy is one, whether or not base code was put in front of it."""
    for file, base in _unrelated(files, language):
        yield file, similarity_of_copy(_pair(file, base, language))


def _unrelated(files: Sequence[RealFile], language: str) -> Iterator[tuple[RealFile, RealFile]]:
    """Yield files and for each the first behind it that is not related, if there is one."""
    large = [each for each in files if len(_document(each, language).stream) >= _LEAST_TOKENS]
    for number, file in enumerate(large):
        for other in [*large[number + 1 :], *large[:number]]:
            if not _are_related(file, other, language):
                yield file, other
                break


def _are_related(file: RealFile, other: RealFile, language: str) -> bool:
    sides = _document(file, language), _document(other, language)
    shared = max(share(in_passages(*sides)), share(in_passages(*sides[::-1])))
    return shared > _MOST_SHARED


@lru_cache(maxsize=256)
def _document(file: RealFile, language: str) -> Document:
    return read(_pair(file, file, language), file.text)[1]


def _pair(file: RealFile, base: RealFile, language: str) -> Pair:
    return Pair(language, base.text, file.text, file.suffix)
