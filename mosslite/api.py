"""The package's face to Python programs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mosslite.history.queries import Query
from mosslite.history.queries import query as ask
from mosslite.options import Options
from mosslite.pipeline import compare as run
from mosslite.records import Inputs, no_progress

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mosslite.history.queries import Origin
    from mosslite.records import Progress, Report

__all__ = ["check", "query"]

StrPath = str | os.PathLike[str]


def check(
    paths: StrPath | Iterable[StrPath],
    *,
    base: StrPath | Iterable[StrPath] = (),
    prior: StrPath | Iterable[StrPath] = (),
    reference: StrPath | Iterable[StrPath] = (),
    archives: StrPath | Iterable[StrPath] = (),
    options: Options | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Compare submissions with each other, as ``mosslite check`` does.

    Args:
        paths: Files, folders, archives or patterns; a single folder or archive is a batch.
        base: Boilerplate handed out by the instructor.
        prior: Earlier terms, compared with ``paths`` but not among themselves.
        reference: Staff or web solutions, likewise.
        archives: Files of ``mosslite archive add``, likewise.
        options: How to compare; None means all defaults, but no worker processes, which need a
            program that starts under ``if __name__ == "__main__"``.
        progress: Called with a stage, the steps done and the steps to do.

    Returns:
        Works by role and name, and pairs by descending score.

    Raises:
        MossliteError: A path or option is wrong, or nothing is left to compare.
    """
    inputs = Inputs(*(_texts(given) for given in (paths, base, prior, reference, archives)))
    return run(inputs, options or Options(uses_workers=False), progress=progress)


def query(
    archive: StrPath,
    file: StrPath,
    *,
    base: StrPath | Iterable[StrPath] = (),
    window: int | None = None,
    smallest: int | None = None,
    show: int = 10,
) -> tuple[Origin, ...]:
    """Find which submissions of an archive a file comes from, as ``mosslite query`` does.

    Args:
        archive: A file of ``mosslite archive add``.
        file: A file, or a folder or archive of which all files are asked for together.
        base: Boilerplate handed out by the instructor, which is not looked up.
        window: Winnow the file with a window that is larger than the archive's: fewer look-ups,
            and a coarser answer.
        smallest: Look up so many fingerprints only, from the smallest on.
        show: How many submissions to name at most; 0 is all that share a fingerprint.

    Returns:
        By descending containment, then by descending resemblance.

    Raises:
        MossliteError: The file cannot be read, the archive not be used, or a number means nothing.
    """
    how = Query(window, smallest, show, _texts(base))
    return ask(os.fspath(archive), os.fspath(file), how)


def _texts(paths: StrPath | Iterable[StrPath]) -> tuple[str, ...]:
    if isinstance(paths, str | os.PathLike):
        return (os.fspath(paths),)
    return tuple(os.fspath(path) for path in paths)
