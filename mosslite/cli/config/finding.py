"""Finds the files that may hold options for a batch, apart from those that students can plant.

Options decide what is compared and where results are written, and students name files as they
like. So no file is read that lies among what was handed in: in the folder or archive that is the
batch, in the deepest folder that holds all submissions, or anywhere below.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mosslite.errors import InputError
from mosslite.options import CONFIG_NAMES
from mosslite.submissions.disk import located
from mosslite.submissions.paths import places_at
from mosslite.submissions.walk import is_batch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mosslite.records import Inputs
    from mosslite.submissions.disk import OnDisk

__all__ = ["ConfigFiles", "config_files"]


@dataclass(frozen=True, slots=True)
class ConfigFiles:
    """The files at the place where options are looked for, the first choice first.

    Attributes:
        trusted: May be read.
        untrusted: Lie among what was handed in.
    """

    trusted: tuple[Path, ...]
    untrusted: tuple[Path, ...]


def config_files(inputs: Inputs, *, directories: bool) -> ConfigFiles:
    """Find the files beside the one folder or archive that is checked, else in the current folder.

    Their paths are relative if they are below the current folder.
    """
    current = _expanded(inputs.current)
    folder = _beside(current)
    found = [folder / name for name in CONFIG_NAMES if os.path.lexists(folder / name)]
    places = list(_handed_in(inputs, current, directories=directories)) if found else []
    untrusted = [path for path in found if _lies_in(path, places)]
    return ConfigFiles(tuple(path for path in found if path not in untrusted), tuple(untrusted))


def _handed_in(inputs: Inputs, current: Sequence[OnDisk], *, directories: bool) -> Iterator[str]:
    """Return the folders and files that nothing may be read from, with links resolved."""
    yield from _holding(current, directories=directories)
    for argument in inputs.prior:
        yield from _holding(_matches(argument), directories=False)
    for place in _expanded([*inputs.base, *inputs.reference]):
        yield os.path.realpath(place.path)


def _holding(places: Sequence[OnDisk], *, directories: bool) -> Iterator[str]:
    """Return the batch itself, or the deepest folder that holds all submissions.

    A link lies in one folder and leads to another: both count.
    """
    if len(places) == 1 and is_batch(places[0]):
        yield os.path.realpath(places[0].path)
        return
    paths = [each.path for each in places]
    given = {_folder_of(path) if directories and _is_file(path) else path for path in paths}
    yield from _common(map(os.path.realpath, {_folder_of(path) for path in given}))
    yield from _common(
        os.path.dirname(os.path.realpath(path)) for path in given if _leads_elsewhere(path)
    )


def _folder_of(path: str) -> str:
    return os.path.dirname(_without_slashes(path)) or "."


def _leads_elsewhere(path: str) -> bool:
    """Return whether a path is not below the folder that is written before its last part."""
    bare = _without_slashes(path)
    return os.path.islink(bare) or os.path.basename(bare) in ("", ".", "..")


def _without_slashes(path: str) -> str:
    return path.rstrip("/" + os.sep)


def _common(folders: Iterable[str]) -> Iterable[str]:
    distinct = set(folders)
    try:
        return [os.path.commonpath(distinct)] if distinct else []
    except ValueError:  # they are on several drives
        return distinct


def _expanded(arguments: Iterable[str]) -> list[OnDisk]:
    return [place for argument in arguments for place in _matches(argument)]


def _matches(argument: str) -> Sequence[OnDisk]:
    try:
        return places_at(argument)
    except InputError:  # told when it is read
        return [located(argument)]


def _beside(places: Sequence[OnDisk]) -> Path:
    here = Path.cwd()
    if len(places) != 1 or not is_batch(places[0]):
        return Path()
    folder = Path(os.path.realpath(places[0].path)).parent
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def _is_file(path: str) -> bool:
    # That of Path raises where the system refuses, which is told when the path is read.
    return os.path.isfile(path)


def _lies_in(config: Path, places: Sequence[str]) -> bool:
    """Return whether a file, or the link that leads to it, is one of these places or below one."""
    ends = Path(os.path.realpath(config.parent), config.name), Path(os.path.realpath(config))
    around = {folder for end in ends for folder in (end, *end.parents)}
    return any(_is_same(each, place) for place in places for each in around)


def _is_same(path: Path, place: str) -> bool:
    """Compare what is there, as one folder can be spelled in upper and in lower case."""
    try:
        return os.path.samefile(path, place)
    except OSError:
        return str(path) == place
