"""Git repositories in submissions: their commits and files, read from objects alone.

What reads them (``commits``) is imported where there is one, as it takes a while.
"""

from __future__ import annotations

from mosslite.submissions.repositories.places import (
    GIT,
    IN_REPOSITORY,
    bare_folders,
    is_bundle,
    repositories_among,
)

__all__ = ["GIT", "IN_REPOSITORY", "bare_folders", "is_bundle", "repositories_among"]
