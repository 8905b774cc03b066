"""Measures whole runs beside two other checkers from PyPI, each in an environment of its own.

Every tool writes the report that it is made for. They take turns; medians are printed, and how
many times as long as ours the others take.

Usage: python -m tests.bench.rivals FOLDER [--rounds 1] [--suffix .java]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from tests.bench.spent import spent

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


class Rival(NamedTuple):
    """A checker, the packages to install, and its arguments."""

    name: str
    packages: tuple[str, ...]
    arguments: tuple[str, ...]


RIVALS = (
    # compare50 imports what newer setuptools and NumPy no longer have.
    Rival(
        "compare50",
        ("compare50", "setuptools<80", "numpy<2"),
        ("{files}", "-p", "structure", "-o", "{out}/compare50"),
    ),
    Rival(
        "copydetect",
        ("copydetect", "setuptools<80"),
        ("-t", "{batch}", "-e", "{suffix}", "-O", "{out}/copydetect", "-a"),
    ),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each tool."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--suffix", default=".java")
    given = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        commands = {"mosslite": _ours(given.folder, Path(folder))}
        for rival in RIVALS:
            commands[rival.name] = _installed(rival, given.folder, Path(folder), given.suffix)
        _measure(commands, given.rounds, Path(folder))


def _ours(batch: Path, out: Path) -> list[str]:
    program = [sys.executable, "-m", "mosslite"]
    return [*program, "check", "-q", "--no-cache", str(batch), "-o", str(out / "mosslite")]


def _installed(rival: Rival, batch: Path, out: Path, suffix: str) -> list[str]:
    """Install a rival and give its command."""
    home = out / f"{rival.name}-environment"
    venv.create(home, with_pip=True)
    subprocess.run([home / "bin/pip", "install", "-qq", *rival.packages], check=True)
    words = [str(home / "bin" / rival.name)]
    for argument in rival.arguments:
        if argument == "{files}":
            words += sorted(map(str, batch.rglob(f"*{suffix}")))
        else:
            words.append(argument.format(batch=batch, out=out, suffix=suffix.lstrip(".")))
    # Its program is a shell script that starts the first Python of the path.
    return ["env", f"PATH={home / 'bin'}:{os.environ['PATH']}", *words]


def _measure(commands: dict[str, list[str]], rounds: int, out: Path) -> None:
    times: dict[str, list[float]] = {name: [] for name in commands}
    held: dict[str, float] = {}
    for _ in range(rounds):
        for name, command in commands.items():
            shutil.rmtree(out / name, ignore_errors=True)  # one of them writes over nothing
            taken = spent(command)
            times[name].append(taken.seconds)
            held[name] = max(held.get(name, 0.0), taken.megabytes)
    ours = median(times["mosslite"])
    for name, seconds in times.items():
        ratio = median(seconds) / ours
        print(f"{name:12}{median(seconds):9.1f} s{held[name]:8.0f} MB{ratio:8.1f} times ours")


if __name__ == "__main__":
    main()
