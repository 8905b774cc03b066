"""What an archive says of itself as a whole: its index parameters, and its inventory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from mosslite.archive.rows import digest_of, verified
from mosslite.archive.told import NotAsWrittenError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

__all__ = [
    "SHAPE",
    "Inventory",
    "read_inventory",
    "read_setting",
    "write_inventory",
    "write_setting",
]

SHAPE: Final = "shape"
_INVENTORY: Final = "submissions"

_SUM_BYTES: Final = 16
_WRITTEN: Final = re.compile(r"(\d{1,18}) ([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class Inventory:
    """All submissions of an archive, so that one that is lost is noticed.

    Attributes:
        count: How many there are.
        total: The sum of the digests of their rows, modulo 2 ** 128.
    """

    count: int = 0
    total: int = 0

    def plus(self, digests: Iterable[object]) -> Self:
        """Add submissions by their digests."""
        return self._changed(list(digests), 1)

    def minus(self, digests: Iterable[object]) -> Self:
        """Remove submissions by their digests."""
        return self._changed(list(digests), -1)

    def _changed(self, digests: list[object], sign: int) -> Self:
        total = sum(int.from_bytes(each, "little") for each in digests if isinstance(each, bytes))
        return type(self)(
            self.count + sign * len(digests), (self.total + sign * total) % (1 << 8 * _SUM_BYTES)
        )


def read_setting(base: sqlite3.Connection, name: str) -> str | None:
    """Read a setting; None where it was never written.

    Raises:
        NotAsWrittenError: It is not as it was written.
    """
    row = base.execute(
        "SELECT name, value, digest FROM settings WHERE name = ?", (name,)
    ).fetchone()
    return None if row is None else str(verified(row)[1])


def write_setting(base: sqlite3.Connection, name: str, value: str) -> None:
    """Write a setting."""
    base.execute(
        "INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", (name, value, digest_of((name, value)))
    )


def read_inventory(base: sqlite3.Connection) -> Inventory:
    """Read how many submissions there are to be.

    Raises:
        NotAsWrittenError: It is not as it was written, or lost.
    """
    written = _WRITTEN.fullmatch(read_setting(base, _INVENTORY) or "")
    if written is None:
        msg = "there is no inventory"
        raise NotAsWrittenError(msg)
    return Inventory(int(written[1]), int(written[2], 16))


def write_inventory(base: sqlite3.Connection, inventory: Inventory) -> None:
    """Write how many submissions there are."""
    write_setting(base, _INVENTORY, f"{inventory.count} {inventory.total:032x}")
