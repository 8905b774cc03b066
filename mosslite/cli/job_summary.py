"""The page that a CI service shows for a job."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from mosslite.errors import OutputError, reason_of

__all__ = ["append_to_job_summary", "is_job_summary"]

# GitHub's name; Gitea and Forgejo took it over.
_VARIABLE: Final = "GITHUB_STEP_SUMMARY"


def is_job_summary(target: str) -> bool:
    """Return whether a path is that page: what other steps wrote there must stay."""
    page = os.environ.get(_VARIABLE)
    return bool(page) and os.path.realpath(target) == os.path.realpath(str(page))


def append_to_job_summary(markdown: str) -> None:
    """Add to the page of the job where a CI service has one; elsewhere do nothing.

    Raises:
        OutputError: The service names a file that cannot be written.
    """
    target = os.environ.get(_VARIABLE)
    if not target:
        return
    try:
        with Path(target).open("a", encoding="utf-8", newline="\n") as page:
            page.write(f"{markdown}\n")
    except OSError as error:
        msg = f"cannot write {target!r} ({_VARIABLE}): {reason_of(error)}"
        raise OutputError(msg) from error
