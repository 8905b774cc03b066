"""Reads the table of options that a TOML file holds."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Final

from mosslite.errors import InputError, OptionError, reason_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["may_hold_options", "read_table"]

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
