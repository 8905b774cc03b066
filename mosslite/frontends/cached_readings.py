"""Gives the reading of every text: one of an earlier run, or else what the front-ends make."""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing, nullcontext, suppress
from itertools import count
from typing import TYPE_CHECKING

from mosslite.cache import NOT_PACKED, key_of, pack, unpack
from mosslite.frontends import Reading
from mosslite.frontends.budgets import Source
from mosslite.frontends.scheduling import read_each
from mosslite.frontends.workers import contents_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager

    from mosslite.cache.cache import Cache
    from mosslite.frontends.workers import Made
    from mosslite.options import Options

__all__ = ["read_all"]


def read_all(
    sources: Sequence[Source],
    options: Options,
    told: Callable[[int], None],
    *,
    owners: Iterable[int | None] | None = None,
) -> list[Reading]:
    """Read texts as their languages, equal ones once, and none that the cache has.

    Args:
        sources: Texts and their languages.
        options: Cache, workers and the time for each text.
        told: Called with the number of texts read so far, once for all that the cache has.
        owners: The number of the submission that each belongs to, or None for one that no lexer
            is to read; without them, each is a submission.

    Returns:
        Readings in the order of ``sources``, whatever the workers do.

    Raises:
        WorkerError: Workers are asked for and cannot be started.
    """
    copies = defaultdict[Source, list[int | None]](list)
    for source, owner in zip(sources, count() if owners is None else owners, strict=False):
        copies[source].append(owner)
    owned = {source: {owner for owner in of if owner is not None} for source, of in copies.items()}
    with _opened_cache(options) as cache:
        keys = (
            {} if cache is None else {source: key_of(*source) for source in copies if owned[source]}
        )
        readings = {} if cache is None else _remembered(cache, keys)
        done = sum(len(copies[source]) for source in readings)
        if done:
            told(done)
        left = {source: of for source, of in owned.items() if source not in readings}
        with closing(read_each(left, options)) as found:
            for source, made in found:
                _remember(cache, keys.get(source), made)
                readings[source] = _unpacked(made) if isinstance(made, bytes) else made
                for _ in copies[source]:
                    done += 1
                    told(done)
    return [readings[source] for source in sources]


def _opened_cache(options: Options) -> AbstractContextManager[Cache | None]:
    if not options.uses_cache:
        return nullcontext()
    try:
        from mosslite.cache.cache import Cache  # noqa: PLC0415 - it needs what follows
    except ImportError:  # a Python that was built without SQLite
        return nullcontext()
    return Cache()


def _remembered(cache: Cache, keys: dict[Source, bytes | None]) -> dict[Source, Reading]:
    found = cache.find([key for key in keys.values() if key is not None])
    readings: dict[Source, Reading] = {}
    for source, key in keys.items():
        if key is not None and key in found:
            # Each is forgotten as it is unpacked, so that not all are there twice.
            with suppress(*NOT_PACKED):
                readings[source] = _unpacked(found.pop(key))
    return readings


def _remember(cache: Cache | None, key: bytes | None, made: Made) -> None:
    """Keep what is made of a text, unless a plain tokenizer stood in: it need not, next time."""
    if cache is None or key is None:
        return
    if isinstance(made, bytes):
        cache.add(key, made)
    elif not made.is_degraded:
        cache.add(key, pack(contents_of(made)))


def _unpacked(packed: bytes) -> Reading:
    stream, traces, disguises, colours = unpack(packed)
    return Reading(stream, traces, is_degraded=False, disguises=disguises, colours=colours)
