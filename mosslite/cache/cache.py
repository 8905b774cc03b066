"""Readings of earlier runs, as far as they can be had: where they cannot, there are none."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from logging import getLogger
from typing import TYPE_CHECKING, Final, Self, TypeVar

from mosslite.cache.store import Store, cache_folder, cache_limit, in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

__all__ = ["Cache"]

Result = TypeVar("Result")

# Readings that are added in one step: if the run is killed, fewer are lost.
_AT_ONCE: Final = 50

# A reading that takes more of all room is worth less than those that it would drive out.
_LARGEST_SHARE: Final = 0.05


# A number in a damaged file may be larger than any.
_TROUBLE: Final = (OSError, OverflowError, sqlite3.Error)


class Cache:
    """Packed readings by their keys; none of its methods fails.

    The first thing that goes wrong is logged, and ends its use: from then on nothing is found,
    and what is added is forgotten.
    """

    def __init__(self) -> None:
        self._new: dict[bytes, bytes] = {}
        self._store: Store | None = None
        self._limit = cache_limit()
        try:
            self._store = Store(cache_folder(), self._limit)
        except _TROUBLE as error:
            self._give_up(error)

    def __enter__(self) -> Self:
        """Return the cache itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write what is left to write, also when the run is interrupted."""
        self._flush()
        self._attempt(Store.touch, None)
        self._close()

    def find(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return packed readings by those keys that have one."""
        return self._attempt(lambda store: store.find(keys), {})

    def add(self, key: bytes, packed: bytes) -> None:
        """Keep a packed reading."""
        if len(packed) <= _LARGEST_SHARE * self._limit:
            self._new[key] = packed
        if len(self._new) >= _AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        new, self._new = self._new, {}
        if new:
            self._attempt(lambda store: store.add(new), None)

    def _attempt(self, action: Callable[[Store], Result], otherwise: Result) -> Result:
        if self._store is None:
            return otherwise
        try:
            return action(self._store)
        except _TROUBLE as error:
            self._give_up(error)
            return otherwise

    def _give_up(self, error: Exception) -> None:
        self._close()
        getLogger(__name__).warning("the cache is not used: %s", in_words(error))

    def _close(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            with suppress(sqlite3.Error):
                store.close()
