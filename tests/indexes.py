"""Changes to the inverted index of an archive, with digests that fit."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np

from mosslite.history.postings import (
    POSTING,
    Postings,
    blocks_in_order,
    clear_postings,
    postings_in,
)
from mosslite.history.rows import digest_of

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ChangeOfPostings", "change_postings", "with_posting"]

ChangeOfPostings = Callable[[Postings], Postings]


def change_postings(archive: Path, change: ChangeOfPostings) -> None:
    """Make other postings of all there are, in one block."""
    with closing(sqlite3.connect(archive)) as base, base:
        postings = change(postings_in(blocks_in_order(base)))
        clear_postings(base)
        *row, _ = base.execute(
            "SELECT hash, submission, stop_hash, stop_submission, content FROM postings"
        ).fetchone()
        content = postings.tobytes()
        base.execute(
            "UPDATE postings SET content = ?, digest = ?", (content, digest_of((*row, content)))
        )


def with_posting(submission: int) -> ChangeOfPostings:
    """Return what lets a submission hold every fingerprint."""

    def change(postings: Postings) -> Postings:
        added = np.empty(len(np.unique(postings["hash"])), POSTING)
        added["hash"], added["submission"] = np.unique(postings["hash"]), submission
        both = np.concatenate((postings, added))
        return both[np.lexsort((both["submission"], both["hash"]))]

    return change
