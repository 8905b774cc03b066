"""Measures hashing and robust winnowing against the paper's own loop, compiled by gcc -O2.

Both run in turn on the same symbol codes and on one thread; the ratio is the time of the
compiled loop (SIGMOD 2003, Figure 5, with the rolling hash of section 2.2) divided by ours, so
above 1 ours is faster. What both select is compared first.

Usage: python -m tests.bench.kernel [--codes 10000000] [--runs 9]
"""

import argparse
import ctypes
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from mosslite.winnowing.winnow import kgram_hashes, robust_winnow

Kernel = Callable[[NDArray[np.uint64], int, int], NDArray[np.int64]]


SOURCE = Path(__file__).with_name("figure_5.c")
BASE = 0x9E3779B97F4A7C15

# k and w of the paper's experiment in section 5, and of code by default, but for k + 4.
SETTINGS = ((50, 100), (12, 16))


def compiled_figure_5(folder: Path) -> Kernel:
    """Compile the paper's loop into ``folder`` and load it.

    Raises:
        OSError: There is no gcc.
        subprocess.CalledProcessError: It cannot compile the loop.
    """
    built = folder / "figure_5.so"
    command = ["gcc", "-O2", "-shared", "-fPIC", "-o", str(built), str(SOURCE)]
    subprocess.run(command, check=True)
    loop = ctypes.CDLL(str(built)).figure_5
    loop.restype = ctypes.c_long
    loop.argtypes = [
        *(ctypes.c_void_p, ctypes.c_long, ctypes.c_long),
        *(ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p),
    ]

    def select(codes: NDArray[np.uint64], k: int, w: int) -> NDArray[np.int64]:
        selected = np.empty(len(codes), np.int64)
        count = loop(codes.ctypes.data, len(codes), k, w, BASE, selected.ctypes.data)
        return selected[:count]

    return select


def winnowed(codes: NDArray[np.uint64], k: int, w: int) -> NDArray[np.int64]:
    """Hash all k-grams, and winnow them robustly."""
    return robust_winnow(kgram_hashes(codes, k), w)


def main() -> None:
    """Print the ratio for each setting of k and w."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--codes", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args()
    random = np.random.default_rng(1)
    symbols = random.integers(0, 2**64, 97, dtype=np.uint64)
    codes = symbols[random.integers(0, len(symbols), given.codes)]
    with TemporaryDirectory() as folder:
        figure_5 = compiled_figure_5(Path(folder))
        print("  k    w  figure 5    ours  ratio (median of pairs)")
        for k, w in SETTINGS:
            _require_same(figure_5(codes, k, w), winnowed(codes, k, w), w)
            print(_row(figure_5, codes, k, w, given.runs))


def _row(figure_5: Kernel, codes: NDArray[np.uint64], k: int, w: int, runs: int) -> str:
    pairs = []
    for _ in range(runs):
        theirs = _seconds(lambda: figure_5(codes, k, w))
        ours = _seconds(lambda: winnowed(codes, k, w))
        pairs.append((theirs, ours))
    theirs, ours = (median(each) for each in zip(*pairs, strict=True))
    ratio = median(theirs / ours for theirs, ours in pairs)
    return f"{k:3}  {w:3}  {theirs * 1e3:5.0f} ms  {ours * 1e3:4.0f} ms  {ratio:.2f}"


def _seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _require_same(theirs: NDArray[np.int64], ours: NDArray[np.int64], w: int) -> None:
    """Compare behind the first windows, where the figure's padding records too early."""
    if not np.array_equal(theirs[theirs >= w], ours[ours >= w]):
        msg = f"{len(theirs)} and {len(ours)} selected positions differ"
        raise AssertionError(msg)


if __name__ == "__main__":
    main()
