"""Git repositories in submissions: their commits and files, read from objects alone.

What reads them (``commits``) is imported where there is one, as it takes a while.
"""

from __future__ import annotations

from mosslite.submissions.repositories.places import (
    COMMITTED,
    GIT,
    PackedFiles,
    packed_files,
    repositories_among,
    with_repositories,
)

__all__ = [
    "COMMITTED",
    "GIT",
    "PackedFiles",
    "packed_files",
    "repositories_among",
    "with_repositories",
]
