"""Options from a file beside the batch: ``mosslite.toml``, or a table of ``pyproject.toml``."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mosslite.cli.config_values import values_of
from mosslite.errors import InputError, OptionError, reason_of
from mosslite.options import CONFIG_NAMES
from mosslite.submissions.disk import located
from mosslite.submissions.paths import places_at
from mosslite.submissions.walk import is_batch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mosslite.records import Inputs
    from mosslite.submissions.disk import OnDisk

__all__ = [
    "config_files",
    "may_hold_options",
    "read_table",
    "values_of",
]


@dataclass(frozen=True, slots=True)
class _ConfigFiles:
    """The files at the place where options are looked for, the first choice first.

    Attributes:
        trusted: May be read.
        untrusted: Lie among what was handed in.
    """

    trusted: tuple[Path, ...]
    untrusted: tuple[Path, ...]


def config_files(inputs: Inputs, *, directories: bool) -> _ConfigFiles:
    """Find the files beside the one folder or archive that is checked, else in the current folder.

    Their paths are relative if they are below the current folder.
    """
    current = _expanded(inputs.current)
    folder = _beside(current)
    found = [folder / name for name in CONFIG_NAMES if os.path.lexists(folder / name)]
    places = list(_handed_in(inputs, current, directories=directories)) if found else []
    untrusted = [path for path in found if _lies_in(path, places)]
    return _ConfigFiles(tuple(path for path in found if path not in untrusted), tuple(untrusted))


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


# Nobody writes so many bytes of options.
_MOST_BYTES: Final = 1 << 20


def read_table(path: Path) -> Mapping[str, object] | None:
    """Read options by their keys; of a ``pyproject.toml``, those of ``[tool.mosslite]``.

    Returns:
        Keys and values as they stand there; None for a ``pyproject.toml`` without that table.

    Raises:
        InputError: The file cannot be read, or is not TOML.
        OptionError: ``tool.mosslite`` is not a table.
    """
    content = _parsed(path)
    if path.name != "pyproject.toml":
        return content
    tools = content.get("tool")
    table = tools.get("mosslite") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        msg = f"tool.mosslite in {str(path)!r} is not a table: write it as [tool.mosslite]"
        raise OptionError(msg)
    return table


def may_hold_options(path: Path) -> bool:
    """Return whether options can be in a file that is not to be read as TOML.

    That of a student can be made to take long, or be a link.
    """
    if path.name != "pyproject.toml" or path.is_symlink():
        return True
    try:
        return b"mosslite" in _content(path)
    except InputError:
        return False


def _parsed(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(_content(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        msg = f"options in {str(path)!r} are not in UTF-8: byte {error.start} is wrong"
        raise InputError(msg) from error
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        msg = f"options in {str(path)!r} are not TOML: {_one_line(reason)}"
        raise InputError(msg) from error


def _content(path: Path) -> bytes:
    """Read the file's bytes; a device or a pipe could go on for ever."""
    try:
        if path.exists() and not path.is_file():
            msg = f"cannot read options from {str(path)!r}: it is not a regular file"
            raise InputError(msg)
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        msg = f"cannot read options from {str(path)!r}: {reason_of(error)}"
        raise InputError(msg) from error
    if len(content) > _MOST_BYTES:
        msg = f"cannot read options from {str(path)!r}: it has more than {_MOST_BYTES:,} bytes"
        raise InputError(msg)
    return content


def _one_line(reason: str) -> str:
    return reason[:1].lower() + " ".join(reason[1:].split())
