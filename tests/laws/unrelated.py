"""Laws of base code: what was handed out and a submission that has nothing to do with it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from mosslite.records import Document
from tests.bench.base_code import (
    UnrelatedPair,
    are_unrelated,
    kept_beside_unrelated,
    read,
    similarity_of_copy,
)
from tests.laws.files import RealFile

# In base code of so few, holes can leave no passage of k tokens whole.
_SMALL: Final = 256


def own_code_kept(files: Sequence[RealFile], language: str) -> Iterator[tuple[RealFile, float]]:
    """Hold that unrelated base code takes nothing but passages of k tokens."""
    for file, base in unrelated(files, language).items():
        yield file, kept_beside_unrelated(_pair(file, base, language))


def copies_behind_base(
    files: Sequence[RealFile], language: str
) -> Iterator[tuple[RealFile, float]]:
    """Hold that a copy is one, whether or not base code was put in front of it."""
    for file, base in unrelated(files, language).items():
        yield file, similarity_of_copy(_pair(file, base, language))


def unrelated(files: Sequence[RealFile], language: str) -> dict[RealFile, RealFile]:
    """Return for each file the first behind it that is not related, if there is one."""
    rows = ((file, [*files[at + 1 :], *files[:at]]) for at, file in enumerate(files))
    found = (
        (file, next((each for each in others if _are_unrelated(file, each, language)), None))
        for file, others in rows
    )
    return {file: base for file, base in found if base is not None}


def has_small_base(_: RealFile, base: RealFile, language: str) -> bool:
    """Return whether base code is so short that pieces shorter than k tokens are looked for."""
    return _size(base, language) <= _SMALL


def _are_unrelated(file: RealFile, other: RealFile, language: str) -> bool:
    return are_unrelated(_document(file, language), _document(other, language))


def _size(file: RealFile, language: str) -> int:
    return len(_document(file, language).stream)


@lru_cache(maxsize=256)
def _document(file: RealFile, language: str) -> Document:
    return read(_pair(file, file, language), file.text)[1]


def _pair(file: RealFile, base: RealFile, language: str) -> UnrelatedPair:
    return UnrelatedPair(language, base.text, file.text, file.suffix)
