"""Finds the git repositories among the entries of a submission."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Final

from mosslite.records import RepositoryPlace
from mosslite.submissions.archives import head_of
from mosslite.submissions.disk import OnDisk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.submissions.entries import Entry

__all__ = ["GIT", "IN_REPOSITORY", "bare_folders", "is_bundle", "repositories_among"]


GIT: Final = ".git"
IN_REPOSITORY: Final = "is part of a git repository"

# So many repositories of one submission are looked at.
_MOST: Final = 5
# Files and folders that every repository has.
_HEAD, _OBJECTS = "HEAD", "objects/"
_BUNDLES: Final = (b"# v2 git bundle\n", b"# v3 git bundle\n")
_ELSEWHERE: Final = "is a file that names another folder, which is not looked at"


def repositories_among(entries: Sequence[tuple[Entry, str]]) -> tuple[RepositoryPlace, ...]:
    """Return the repositories on disk that a submission has, the outermost first.

    Args:
        entries: All of the submission, with the path of each inside it.
    """
    bare = bare_folders(entries)
    found = dict.fromkeys(each for entry, name in entries for each in _places(entry, name, bare))
    return tuple(sorted(found))[:_MOST]


def bare_folders(entries: Sequence[tuple[Entry, str]]) -> frozenset[str]:
    """Return the folders, ending in a slash, that are repositories without working files."""
    names = [name for _, name in entries]
    heads = {name.removesuffix(_HEAD) for name in names if posixpath.basename(name) == _HEAD}
    heads = {each for each in heads if f"{each}config" in names}
    return frozenset(each for each in heads if any(n.startswith(each + _OBJECTS) for n in names))


def is_bundle(entry: Entry, name: str) -> bool:
    """Return whether an entry is a file that ``git bundle`` made."""
    is_file = isinstance(entry.content, OnDisk) and not entry.obstacle
    return is_file and name.endswith(".bundle") and head_of(entry.content).startswith(_BUNDLES)


def _places(entry: Entry, name: str, bare: frozenset[str]) -> Iterator[RepositoryPlace]:
    place, path = entry.content, name.rstrip("/")
    if not isinstance(place, OnDisk):
        return
    if posixpath.basename(path) == GIT:
        obstacle = place.obstacle or ("" if place.is_folder else _ELSEWHERE)
        yield RepositoryPlace(path.removesuffix(GIT), place.path, place.followed, obstacle)
    elif is_bundle(entry, name):
        above = name.removesuffix(posixpath.basename(name))
        yield RepositoryPlace(above, place.path, place.followed, is_bundle=True)
    elif posixpath.basename(path) == _HEAD and path.removesuffix(_HEAD) in bare:
        folder, _, _ = path.removesuffix("/" + _HEAD).rpartition("/")
        above = f"{folder}/" if folder else ""
        yield RepositoryPlace(above, posixpath.dirname(place.path), place.followed)
