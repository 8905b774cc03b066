"""Plans which texts are read together and by whom, and reads them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends import degraded, tokenize_all
from mosslite.pipeline.workers import Workers
from mosslite.processes import processes_for, safe_path
from mosslite.spans import blocks_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from mosslite.languages import Language
    from mosslite.options import Options
    from mosslite.pipeline.workers import Load, Made, Source

    _Read = tuple[Source, Made]

__all__ = ["read_each"]

# Characters of text for which one more worker saves more than its start costs.
_WORTH_A_WORKER = 25_000

# Characters, about, that are read together: a short text by itself takes several times as long.
_TOGETHER = 60_000

# Loads at least for each worker, so that all end at about the same time.
_LOADS_EACH = 4


def read_each(sources: Sequence[Source], options: Options) -> Generator[_Read]:
    """Read texts, none of them twice the same, and give each as soon as it is read.

    Args:
        sources: Texts and their languages.
        options: Workers and the time for each text.

    Raises:
        WorkerError: Workers are asked for and cannot be started.
    """
    read = _by_workers if options.uses_workers and sources else _by_this_process
    return read(sources, options)


def _by_this_process(sources: Sequence[Source], options: Options) -> Generator[_Read]:
    for load in _loads(sources, _TOGETHER):
        yield from zip(load, tokenize_all(load, options.seconds), strict=True)


def _by_workers(sources: Sequence[Source], options: Options) -> Generator[_Read]:
    """Read all, then each that was lost with a worker by itself: is it lost again, it did it."""
    size = sum(len(text) for text, _ in sources)
    count = min(processes_for(options), 1 + size // _WORTH_A_WORKER, len(sources))
    loads = _loads(sources, min(_TOGETHER, size // (count * _LOADS_EACH)))
    workers = Workers(count, options.seconds)
    with safe_path():
        try:
            workers.start()
            for source in (yield from workers.read(loads)):
                for text, _ in (yield from workers.read([[source]])):
                    yield source, degraded(text)
        finally:
            workers.stop()


def _loads(sources: Sequence[Source], together: int) -> Iterator[Load]:
    """Put short texts of a language together, about so many characters, in order."""
    by_language: dict[Language, list[Source]] = {}
    for source in sources:
        by_language.setdefault(source[1], []).append(source)
    for some in by_language.values():
        sizes = np.array([len(text) for text, _ in some], np.int64)
        for block in blocks_of(sizes, together):
            yield some[block]
