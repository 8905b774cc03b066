"""Makes the tables of an archive, and those of this version of what an earlier one wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.archive.blocks import add_postings, clear_postings, postings_from
from mosslite.archive.rows import STORED_COLUMNS, digest_of, hashes_of, verified
from mosslite.archive.schema import VERSION, migrate
from mosslite.archive.settings import SHAPE, Inventory, write_inventory, write_setting
from mosslite.own_results import APPLICATION_ID

if TYPE_CHECKING:
    import sqlite3

__all__ = ["make_current"]

_SOME: Final = f"SELECT {STORED_COLUMNS} FROM submissions WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608
_AT_ONCE: Final = 1_000


def make_current(base: sqlite3.Connection, version: int) -> None:
    """Make tables of this version in a transaction.

    Args:
        base: In a transaction.
        version: What there is; 0 where there are no tables.

    Raises:
        NotAsWrittenError: What the earlier version wrote is not as it was written.
    """
    migrate(base, version)
    clear_postings(base)
    write_inventory(base, Inventory())
    if version == 1:
        _convert_settings(base)
        _convert_submissions(base)
    base.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    base.execute(f"PRAGMA user_version = {VERSION}")


def _convert_settings(base: sqlite3.Connection) -> None:
    """Add the name of a setting to what its digest is of."""
    row = base.execute("SELECT value, digest FROM settings WHERE name = ?", (SHAPE,)).fetchone()
    if row is not None:
        (value,) = verified(row)
        write_setting(base, SHAPE, str(value))


def _convert_submissions(base: sqlite3.Connection) -> None:
    """Add the number of a submission to what its digest is of, and make the index anew."""
    inventory, last = Inventory(), 0
    while rows := base.execute(_SOME, (last, _AT_ONCE)).fetchall():
        for _, *content in rows:
            verified(content)
        changed = [(digest_of(row[:-1]), row[0]) for row in rows]
        base.executemany("UPDATE submissions SET digest = ? WHERE id = ?", changed)
        inventory = inventory.plus(digest for digest, _ in changed)
        numbers = [row[0] for row in rows]
        add_postings(base, postings_from(numbers, [hashes_of(row[-2]) for row in rows]))
        last = numbers[-1]
    write_inventory(base, inventory)
