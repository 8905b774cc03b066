"""Where the files of submissions are, as other programs write it."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

if TYPE_CHECKING:
    from mosslite.records import SourceFile, Work

__all__ = ["is_one_file", "path_of", "uri_of"]

_ROOT: Final = "file://"


def is_one_file(work: Work) -> bool:
    """Return whether a submission is a file that it has its name from, and no folder."""
    first, *others = work.submission.files
    return not others and f"/{work.name}".endswith(f"/{first.name}")


def path_of(work: Work, file: SourceFile) -> str:
    """Return the path of a file of a submission, or what it is called where that is not told."""
    if file.path:
        return posixpath.normpath(file.path)
    return work.name if is_one_file(work) else f"{work.name}/{file.name}"


def uri_of(path: str) -> str:
    """Write a path as a URI reference: relative as it is, an absolute one with its scheme."""
    # A surrogate stands for a byte that is not text; what it stands for is what is there on disk.
    steps = [quote(step, safe="", errors="surrogatepass") for step in path.split("/")]
    joined = "/".join(steps)
    return f"{_ROOT}{joined}" if path.startswith("/") else joined
