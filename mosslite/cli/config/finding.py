"""Finds the files that may hold options for a batch.

Options decide what is compared and where results are written, and students can name a file as they
like. So what they handed in is never asked: no file that is given, or lies in a folder that is.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mosslite.errors import InputError
from mosslite.intake.archives import is_archive
from mosslite.intake.places import expand

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mosslite.model import Inputs

__all__ = ["candidates"]

_NAMES: Final = ("mosslite.toml", "pyproject.toml")


def candidates(inputs: Inputs, *, directories: bool) -> Iterator[Path]:
    """Give the files in which options are looked for, the first choice first.

    They are beside the one folder or archive that is checked, else in the current folder; their
    paths are relative if they are below the current folder.
    """
    current = _expanded(inputs.current)
    given = [*current, *_expanded([*inputs.base, *inputs.prior, *inputs.reference])]
    if directories:
        given += [str(Path(path).resolve().parent) for path in current if _is_file(path)]
    folder = _beside(current)
    for name in _NAMES:
        path = folder / name
        if os.path.lexists(path) and not _is_handed_in(path, given):
            yield path


def _expanded(arguments: Iterable[str]) -> list[str]:
    return [path for argument in arguments for path in _matches(argument)]


def _matches(argument: str) -> Sequence[str]:
    try:
        return expand(argument)
    except InputError:  # told when it is read
        return [argument]


def _beside(paths: Sequence[str]) -> Path:
    here = Path.cwd()
    if len(paths) != 1 or not _is_batch(paths[0]):
        return Path()
    folder = Path(os.path.realpath(paths[0])).parent
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def _is_batch(path: str) -> bool:
    is_folder = os.path.isdir(path)  # noqa: PTH112 - as below
    return is_folder or (_is_file(path) and is_archive(path, path))


def _is_file(path: str) -> bool:
    # That of Path raises where the system refuses, which is told when the path is read.
    return os.path.isfile(path)  # noqa: PTH113


def _is_handed_in(config: Path, given: Iterable[str]) -> bool:
    """Tell whether the file, or the link that leads to it, is or lies in something given."""
    places = [Path(os.path.realpath(config)), Path(os.path.realpath(config.parent)) / config.name]
    return any(place.is_relative_to(os.path.realpath(path)) for path in given for place in places)
