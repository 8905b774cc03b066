"""What git repositories in submissions tell of matches: which commits have them first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Commit", "Origin", "RepositoryPlace", "RepositorySummary"]


class RepositoryPlace(NamedTuple):
    """Where the repository of a submission is on disk.

    Attributes:
        folder: Its working files' folder inside the submission, ending in a slash; empty if they
            are all of the submission.
        path: Of the folder that holds its objects, of the bundle, or of the archive that has it.
        followed: In how many of the path's first parts links are followed.
        obstacle: Why it is not read; empty if it is.
        is_bundle: It is one file, as ``git bundle`` makes it.
        inside: Its path in the archive; empty if it is in none.
    """

    folder: str
    path: str
    followed: int = 0
    obstacle: str = ""
    is_bundle: bool = False
    inside: str = ""


class Commit(NamedTuple):
    """A commit as its author wrote it; nothing of it is proven but the id, which is its digest.

    Attributes:
        id: In hexadecimal digits.
        author: Name and address.
        authored: When, in ISO 8601; empty where that cannot be read.
        committed: When the commit was made, likewise: a rebase changes it, an edit of the message
            too.
        subject: The first line of the message.
    """

    id: str
    author: str
    authored: str
    committed: str
    subject: str


class Origin(NamedTuple):
    """When a match came into one side's repository.

    Attributes:
        commit: The first that has nine tenths of the passage; None where none has, as of work
            that was never committed.
        commits: How many commits the passage grew over, up to that one.
        before: The share of the passage that was there before that commit.
        is_start: Nothing older is known: it is the first commit, or the older ones are not read.
        is_shared: The same commit is the first on the other side too.
    """

    commit: Commit | None
    commits: int = 0
    before: float = 0.0
    is_start: bool = False
    is_shared: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the passage arrived in one commit, with next to nothing of it before."""
        return self.commit is not None and self.commits <= 1


@dataclass(frozen=True, slots=True)
class RepositorySummary:
    """What is read of a submission's repository.

    Attributes:
        commits: How many commits were read.
        authors: How many different names and addresses wrote them.
        first: The first commit; None where there is none.
        last: The last one.
        remarks: What was not read, and what is odd, in words.
    """

    commits: int = 0
    authors: int = 0
    first: Commit | None = None
    last: Commit | None = None
    remarks: tuple[str, ...] = ()
