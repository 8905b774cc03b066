"""What was left out of each submission's folder or archive."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from mosslite.records import Skipped, Work

__all__ = ["left_out_of"]

# The end of an archive's name, which is no part of the submission's.
_ARCHIVE: Final = re.compile(r"\.(zip|7z|tgz|tbz2|txz|tar(\.(gz|bz2|xz))?)\Z")


def left_out_of(works: Sequence[Work], left_out: Collection[Skipped]) -> dict[str, list[Skipped]]:
    """Find, by submission, what stands in a folder or archive named as it is, in any case.

    Linear in the paths: each is looked up by the folders in it.
    """
    if not left_out:
        return {}
    names: dict[str, list[str]] = {}
    for work in works:
        names.setdefault(work.name.lower(), []).append(work.name)
    depths = sorted({name.count("/") + 1 for name in names})
    found: dict[str, list[Skipped]] = {}
    for each in left_out:
        runs = dict.fromkeys(_runs(each.path.lower(), depths))
        for name in (name for run in runs for name in names.get(run, ())):
            found.setdefault(name, []).append(each)
    return found


def _runs(path: str, depths: Collection[int]) -> Iterator[str]:
    """Return all runs of so many steps in a path, with and without the ends of archives' names."""
    steps = path.split("/")
    for depth in depths:
        for start in range(len(steps) - depth + 1):
            run = "/".join(steps[start : start + depth])
            yield run
            yield _ARCHIVE.sub("", run)
            yield "/".join(_ARCHIVE.sub("", step) for step in steps[start : start + depth])
