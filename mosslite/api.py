"""The package's face to Python programs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mosslite.model import Inputs, untold
from mosslite.options import Options
from mosslite.pipeline import check as run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mosslite.model import Progress, Report

__all__ = ["check"]

StrPath = str | os.PathLike[str]


def check(
    paths: StrPath | Iterable[StrPath],
    *,
    base: StrPath | Iterable[StrPath] = (),
    prior: StrPath | Iterable[StrPath] = (),
    reference: StrPath | Iterable[StrPath] = (),
    archives: StrPath | Iterable[StrPath] = (),
    options: Options | None = None,
    progress: Progress = untold,
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


def _texts(paths: StrPath | Iterable[StrPath]) -> tuple[str, ...]:
    if isinstance(paths, str | os.PathLike):
        return (os.fspath(paths),)
    return tuple(os.fspath(path) for path in paths)
