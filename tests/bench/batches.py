"""Batches of any size: real files, and mutated copies under other names where they run out."""

import shutil
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random

import numpy as np

from mosslite.lab.disguises import DISGUISES
from mosslite.languages import is_data, language_of

# So many lines of a copy in a hundred make way for lines of another program, so many at a time.
_PERCENT, _RUN = 20, 4


def programs_in(folder: Path, most: int) -> list[Path]:
    """Return the programs in a folder with at most so many bytes, each text once, mixed."""
    found: dict[bytes, Path] = {}
    for path in sorted(folder.rglob("*")):
        language = language_of(path.name)
        if not path.is_file() or not language or language.is_prose or is_data(language):
            continue
        if 0 < path.stat().st_size <= most:
            found.setdefault(path.read_bytes(), path)
    programs = list(found.values())
    Random("order").shuffle(programs)  # noqa: S311 - a benchmark, not a secret
    return programs


def write_batch(programs: Sequence[Path], count: int, folder: Path) -> None:
    """Write so many submissions of one file each; a larger batch holds the smaller ones."""
    folder.mkdir(parents=True)
    for number, path in enumerate(programs[:count]):
        shutil.copyfile(path, folder / f"{number:06}{path.suffix}")
    numbers = range(len(programs), count)
    originals = islice(cycle(programs), len(numbers))
    with ProcessPoolExecutor() as pool:
        write = partial(_write_copy, programs, folder)
        for _ in pool.map(write, numbers, originals, chunksize=64):
            pass


def _write_copy(programs: Sequence[Path], folder: Path, number: int, original: Path) -> None:
    rng = Random(str(number))  # noqa: S311
    text, other = (_text(path) for path in (original, rng.choice(programs)))
    language = language_of(original.name)
    assert language is not None
    lines = DISGUISES["rename"](text, language, np.random.default_rng(number)).splitlines()
    others = other.splitlines()
    for _ in range(len(lines) * _PERCENT // 100 // _RUN):
        place, source = rng.randrange(len(lines)), rng.randrange(len(others))
        lines[place : place + _RUN] = others[source : source + _RUN]
    copy = folder / f"{number:06}{original.suffix}"
    copy.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
