"""Runs the laws of all languages, on all processors, and sums up what they found."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final, NamedTuple

from tests.laws.exceptions import reason_of
from tests.laws.files import LANGUAGES, real_files
from tests.laws.laws import LAWS

FILES: Final = 40
"""Of each language, as far as there are so many."""


class Broken(NamedTuple):
    """A law that does not hold for a file: how far it does, and why, if there is a reason."""

    file: str
    held: float
    reason: str


class Outcome(NamedTuple):
    """What came of one law and one language.

    Attributes:
        asked: Files that the law says something of.
        mean: How far it holds for these, on average.
        broken: Those for which it does not.
    """

    law: str
    language: str
    asked: int
    mean: float
    broken: tuple[Broken, ...]

    @property
    def share(self) -> float:
        """The share of files that keep the law."""
        return 1.0 - len(self.broken) / self.asked

    @property
    def unexplained(self) -> list[Broken]:
        """What is broken for no known reason."""
        return [each for each in self.broken if not each.reason]


def languages() -> list[str]:
    """Return the languages that there are real files of."""
    return [each for each in LANGUAGES if len(real_files(each, FILES)) > 1]


def outcomes(of: Sequence[str], laws: Iterable[str] = LAWS) -> Iterator[Outcome]:
    """Try laws on the files of languages, by one process for each processor, language by language.

    Yields:
        What came of each law that says something of some file.
    """
    tasks = [(language, law) for language in of for law in laws]
    with tempfile.TemporaryDirectory() as cache:
        start = (_start, (cache,))
        with ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), *start) as pool:
            yield from (each for each in pool.map(_outcome, tasks) if each.asked)


def _start(cache: str) -> None:
    """Have every file read once, and keep nothing where the user's own runs do."""
    os.environ["MOSSLITE_CACHE_DIR"] = cache


def _outcome(task: tuple[str, str]) -> Outcome:
    language, law = task
    files = real_files(language, FILES)
    beside = LAWS[law].beside(files, language)
    held = [(file, round(value, 4)) for file, value in LAWS[law].holds(files, language)]
    broken = [
        Broken(file.name, value, reason_of(law, value, (file, beside[file]), language))
        for file, value in held
        if value < LAWS[law].least
    ]
    mean = sum(value for _, value in held) / max(1, len(held))
    return Outcome(law, language, len(held), mean, tuple(broken))
