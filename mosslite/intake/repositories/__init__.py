"""Git repositories in submissions: their commits and files, read from objects only.

The reader (``commits``) is imported only if there is a repository, as the import is slow.
"""

from mosslite.intake.repositories.places import (
    GIT,
    PackedFiles,
    packed_files,
    repositories_among,
    with_repositories,
)

__all__ = [
    "GIT",
    "PackedFiles",
    "packed_files",
    "repositories_among",
    "with_repositories",
]
