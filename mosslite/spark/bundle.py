"""What ``spark-submit`` needs: an archive of this program and what it uses, and a launcher."""

from __future__ import annotations

import re
import sys
import tarfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mosslite.errors import OutputError, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ENVIRONMENT", "LAUNCHER", "write_bundle"]

ENVIRONMENT: Final = "environment.tar.gz"
LAUNCHER: Final = "mosslite_on_spark.py"

_LAUNCHER_TEXT: Final = '''\
"""Starts mosslite in a driver of Spark; its arguments are those of mosslite."""

import sys

sys.path.insert(0, "environment")

from mosslite.cli import main

if __name__ == "__main__":
    main()
'''

# The cluster has its own, of the version that it runs.
_OF_THE_CLUSTER: Final = frozenset({"pyspark", "py4j"})

# What Parquet and tables of Arrow need, which none of the others asks for.
_OF_SPARK: Final = ("pyarrow", "pandas")


def write_bundle(target: str) -> list[str]:
    """Write the archive and the launcher to a folder, and return what to do with them.

    Raises:
        OutputError: They cannot be written.
    """
    folder = Path(target)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / LAUNCHER).write_text(_LAUNCHER_TEXT, "utf-8")
        with tarfile.open(folder / ENVIRONMENT, "w:gz", compresslevel=1) as archive:
            for source, name in sorted(_files(), key=lambda each: each[1]):
                archive.add(source, name, recursive=False, filter=_plain)
    except OSError as error:
        msg = f"the bundle cannot be written to {target!r}: {reason_of(error)}"
        raise OutputError(msg) from error
    return _instructions(folder)


def _instructions(folder: Path) -> list[str]:
    version = ".".join(map(str, sys.version_info[:2]))
    return [
        f"written: {folder / ENVIRONMENT}, {folder / LAUNCHER}",
        f"on machines with Python {version}:",
        f"spark-submit --master URL --archives {folder / ENVIRONMENT}#environment "
        "--conf spark.executorEnv.PYTHONPATH=environment "
        f"{folder / LAUNCHER} check CORPUS --engine spark --stages URL -o REPORT",
    ]


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out who owns a file, and when it was made: equal files make equal archives."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


def _files() -> Iterator[tuple[Path, str]]:
    """Return the files of this program and of all it uses, and their names in the archive."""
    root = Path(__file__).parents[1]
    yield from _below(root, "mosslite")
    templates = root.parent / "templates"
    if not (root / "templates").is_dir() and templates.is_dir():
        yield from _below(templates, "mosslite/templates")
    for each in _needed():
        for file in each.files or ():
            path = Path(str(each.locate_file(file)))
            if ".." not in file.parts and path.is_file() and "__pycache__" not in file.parts:
                yield path, str(file)


def _below(folder: Path, name: str) -> Iterator[tuple[Path, str]]:
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path, f"{name}/{path.relative_to(folder).as_posix()}"


def _needed() -> list[Distribution]:
    """Return what is installed of all that this program and PySpark need, found step by step."""
    found: dict[str, Distribution] = {}
    waiting = [*_required(distribution("mosslite")), *_OF_SPARK]
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in found or name in _OF_THE_CLUSTER:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:  # for another system
            continue
        waiting += _required(found[name])
    return [found[name] for name in sorted(found)]


def _required(given: Distribution) -> list[str]:
    """Return the names of what a distribution always needs."""
    lines = [line for line in given.requires or () if "extra ==" not in line]
    return [match[0] for line in lines if (match := re.match(r"[\w.-]+", line))]
