"""Finds files: what a path, a pattern or a folder stands for."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mosslite.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FoundFile", "children", "expand", "files_at", "shown_name"]

# What tools leave behind; nobody hands it in as work.
_LEAVINGS = frozenset({"__MACOSX", "__pycache__", "node_modules"})


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to read: where it is, what to call it, and whether the user named it itself."""

    path: Path
    name: str
    is_given: bool


def expand(argument: str) -> list[str]:
    """Give the paths an argument stands for: itself, or what its pattern matches.

    Raises:
        InputError: It is a pattern that matches nothing.
    """
    if os.path.lexists(argument) or not glob.has_magic(argument):
        return [argument]
    matched = sorted(glob.glob(argument, recursive=True))
    if not matched:
        msg = f"no files match {argument!r}"
        raise InputError(msg)
    return matched


def children(folder: Path) -> list[Path]:
    """Give what is in a folder, by name, but for hidden files and tools' leavings."""
    return sorted(child for child in folder.iterdir() if _is_work(child.name))


def files_at(path: Path) -> tuple[FoundFile, ...]:
    """Give the file at a path, or all files below a folder, named from there.

    A link inside a folder is given like a file; it is the reader's to refuse.
    """
    if not path.is_dir():
        return (FoundFile(path, shown_name(str(path)), is_given=True),)
    return tuple(_files_below(path))


def shown_name(path: str) -> str:
    r"""Give a path as it is shown: forward slashes, bytes that are no text as ``\xff``."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return text.replace(os.sep, "/")


def _files_below(folder: Path) -> Iterator[FoundFile]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(filter(_is_work, folders))
        links = [name for name in folders if Path(root, name).is_symlink()]
        for name in sorted([*filter(_is_work, files), *links]):
            path = Path(root, name)
            yield FoundFile(path, shown_name(str(path.relative_to(folder))), is_given=False)


def _is_work(name: str) -> bool:
    return not name.startswith(".") and name not in _LEAVINGS
