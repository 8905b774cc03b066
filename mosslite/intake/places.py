"""Paths as a user gives them: what they stand for, and how they are shown."""

from __future__ import annotations

import glob
import os

from mosslite.errors import InputError
from mosslite.own_results import REPORT_MARKER

__all__ = ["expand", "is_folder", "is_report", "shown_name"]


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
    return os.path.isdir(path) and not is_report(path)


def is_report(path: str) -> bool:
    """Tell whether a path is a report of ours."""
    return os.path.isfile(os.path.join(path, REPORT_MARKER))


def shown_name(path: str) -> str:
    r"""Give a path as it is shown: forward slashes, bytes that are no text as ``\xff``."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return text.replace(os.sep, "/")
