"""Folders without a file: nothing else tells of who handed one in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["NO_FILES", "empty_folders"]

NO_FILES = "holds no files"


def empty_folders(folders: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return the outermost folders that none of the names lies in, in order.

    Args:
        folders: Paths with forward slashes, without one at the end; those above them count too.
        names: Paths of what lies in some of them; what lies below a path is told with it.
    """
    told = set(names)
    held = {above for name in told for above in _above(name)}
    named = set(folders)
    implied = {above for folder in named for above in _above(folder)} - told
    empty = (named | implied) - held
    return sorted(folder for folder in empty if (empty | told).isdisjoint(_above(folder)))


def _above(name: str) -> Iterator[str]:
    """Return the folders that a path lies in, the innermost first."""
    above = name.rstrip("/").rpartition("/")[0]
    while above:
        yield above
        above = above.rpartition("/")[0]
