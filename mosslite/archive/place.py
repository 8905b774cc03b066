"""The file of an archive, which others may take away, and which an add in vain takes back."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Place"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an archive is.

    Attributes:
        file: Its path.
        identity: What tells the file from another one of its name.
        is_made: The file was not there before it was opened.
    """

    file: Path
    identity: tuple[int, int] | None
    is_made: bool

    @classmethod
    def of(cls, file: Path, *, is_made: bool) -> Self:
        """Return the place of a file that is open now."""
        return cls(file, _identity(file), is_made)

    def is_kept(self) -> bool:
        """Return whether the file that was opened is still the one of its name."""
        return self.identity is not None and self.identity == _identity(self.file)

    def give_up(self, base: sqlite3.Connection) -> None:
        """Close an archive that nothing was added to, and remove its file if it was made for that.

        Another process may have opened it meanwhile. It cannot commit before this one has let go,
        and sees then that the file is gone; what it has committed before stays.
        """
        try:
            with suppress(sqlite3.Error, OSError):
                if self.is_made and _holds_nothing(base) and self.is_kept():
                    self._remove(base)
        finally:
            base.close()

    def _remove(self, base: sqlite3.Connection) -> None:
        if sys.platform == "win32":  # no open file is removed there, also not another's
            base.close()
        self.file.unlink()


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _holds_nothing(base: sqlite3.Connection) -> bool:
    """Return whether there are no submissions, from now on until the connection is closed."""
    base.execute("BEGIN")
    (tables,) = base.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return not tables or base.execute("SELECT 1 FROM submissions").fetchone() is None
