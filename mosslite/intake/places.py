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

__all__ = ["FoundFile", "children", "expand", "files_at", "is_folder", "obstacle", "shown_name"]

# What tools leave behind; nobody hands it in as work.
_LEAVINGS = frozenset({"__MACOSX", "__pycache__", "node_modules"})
# What marks a folder as our own report (see ``report.folder``): it quotes work, but is none.
_REPORT_MARKER = ".mosslite-report"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to read.

    Attributes:
        path: Where it is; as given, where the user named it.
        name: What to call it in its submission.
        is_given: The user named the file itself, not a folder it is in.
    """

    path: str
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


def is_folder(path: str) -> bool:
    """Tell whether a path, or what it links to, is a folder of work."""
    return os.path.isdir(path) and not _is_report(path)


def children(folder: str) -> list[str]:
    """Give what is in a folder, by name, but for hidden files and tools' leavings.

    Raises:
        InputError: The folder cannot be read.
    """
    try:
        return _listed(folder)
    except OSError as error:
        msg = f"folder {shown_name(folder)!r} cannot be read: {_lower_reason(error)}"
        raise InputError(msg) from error


def files_at(path: str) -> tuple[FoundFile, ...]:
    """Give the file at a path, or all files below a folder, named from there and in that order.

    A link inside a folder is given like a file, and so is a folder that cannot be read:
    ``obstacle`` tells them from files.
    """
    if not is_folder(path):
        return (FoundFile(path, shown_name(path), is_given=True),)
    found = (
        FoundFile(each, shown_name(os.path.relpath(each, path)), is_given=False)
        for each in _files_below(path)
    )
    return tuple(sorted(found, key=lambda each: each.name))


def obstacle(found: FoundFile) -> str | None:
    """Say why what was found is no file to read, where that can be told without reading it."""
    path = found.path
    if os.path.islink(path) and not found.is_given:
        # It could lead anywhere.
        return "is a symbolic link, which is not followed"
    if _is_report(path):
        return "is a mosslite report"
    if os.path.isdir(path):
        return "is a folder that cannot be read"
    if os.path.exists(path) and not os.path.isfile(path):
        return "is not a regular file"
    return None


def shown_name(path: str) -> str:
    r"""Give a path as it is shown: forward slashes, bytes that are no text as ``\xff``."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return text.replace(os.sep, "/")


def _files_below(folder: str) -> Iterator[str]:
    """Give the files below a folder; no recursion, as folders can be nested a thousand deep."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            paths = _listed(here)
        except OSError:
            yield here
            continue
        for path in paths:
            if is_folder(path) and not os.path.islink(path):
                waiting.append(path)
            else:
                yield path


def _listed(folder: str) -> list[str]:
    return [str(Path(folder, name)) for name in sorted(os.listdir(folder)) if _is_work(name)]


def _is_work(name: str) -> bool:
    return not name.startswith(".") and name not in _LEAVINGS


def _is_report(path: str) -> bool:
    return os.path.isfile(os.path.join(path, _REPORT_MARKER))


def _lower_reason(error: OSError) -> str:
    return (error.strerror or "unknown error").lower()
