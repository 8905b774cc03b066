"""The inverted index: postings in order, in blocks that are verified whenever they are read.

A block contains all postings from its begin to its stop, where the next one begins; the first
begins before any posting and the last stops after all. So every fingerprint belongs to a block,
whose digest proves which submissions have it, or that none does: a missing block is detected like a
modified one.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.history.records import NotAsWrittenError, require
from mosslite.history.rows import digest_of

Postings = np.ndarray[tuple[int], np.dtype[np.void]]
Key = tuple[int, int]

# A fingerprint, as a signed number in SQLite's order, and the number of a submission with it.
POSTING: Final = np.dtype([("hash", "<i8"), ("submission", "<u4")])
MOST_SUBMISSIONS: Final = (1 << 32) - 1

_FIRST: Final[Key] = (-(1 << 63), 0)
_END: Final[Key] = ((1 << 63) - 1, MOST_SUBMISSIONS + 1)

# Maximum number of postings before a block is split, and the number in each part. Like a page of
# SQLite's B-tree, which is of similar size, a block is changed per fingerprint of a submission.
_MOST: Final = 128
_USUAL: Final = 80

_BLOCK: Final = (
    "SELECT id, hash, submission, stop_hash, stop_submission, content, digest FROM postings"
)
_COVERING: Final = (
    f"{_BLOCK} WHERE (hash, submission) <= (?, ?) ORDER BY hash DESC, submission DESC LIMIT 1"
)
_BEGINNING: Final = f"{_BLOCK} WHERE hash = ? AND submission = ?"
_IN_ORDER: Final = f"{_BLOCK} ORDER BY hash, submission"
_INSERT: Final = (
    "INSERT INTO postings (hash, submission, stop_hash, stop_submission, content, digest) "
    "VALUES (?, ?, ?, ?, ?, ?)"
)
_UPDATE: Final = (
    "UPDATE postings SET stop_hash = ?, stop_submission = ?, content = ?, digest = ? WHERE id = ?"
)


class Block(NamedTuple):
    """Postings in ``[begin, stop)``."""

    number: int
    begin: Key
    stop: Key
    content: bytes

    @property
    def postings(self) -> Postings:
        """All postings, in order."""
        return np.frombuffer(self.content, POSTING)


def postings_from(numbers: Sequence[int], fingerprints: Sequence[NDArray[np.uint64]]) -> Postings:
    """Sort the fingerprints of submissions; their numbers are at most MOST_SUBMISSIONS."""
    postings = np.empty(sum(map(len, fingerprints)), POSTING)
    postings["hash"] = np.concatenate([np.empty(0, np.uint64), *fingerprints]).view(np.int64)
    postings["submission"] = np.repeat(np.array(numbers, np.int64), [len(e) for e in fingerprints])
    return postings[np.lexsort((postings["submission"], postings["hash"]))]


def clear_postings(base: sqlite3.Connection) -> None:
    """Remove all postings."""
    base.execute("DELETE FROM postings")
    base.execute(_INSERT, _row_of(_FIRST, _END, b""))


def postings_of(base: sqlite3.Connection, hashes: NDArray[np.int64]) -> Postings:
    """Look up fingerprints.

    Args:
        base: In a transaction.
        hashes: Distinct and ascending.

    Returns:
        All postings of these fingerprints, in order.

    Raises:
        NotAsWrittenError: A block is missing or was modified.
    """
    found = postings_in(_blocks_with(base, hashes.tolist()))
    return found[np.isin(found["hash"], hashes)]


def add_postings(base: sqlite3.Connection, added: Postings) -> None:
    """Add new postings, given in order.

    Raises:
        NotAsWrittenError: A block that they belong to was modified.
    """
    hashes, submissions = added["hash"].copy(), added["submission"].copy()
    start = 0
    while start < len(added):
        block = _covering(base, _key_of(added[start]))
        # A block can stop between postings of one fingerprint, so submissions are compared too.
        first, last = (
            np.searchsorted(hashes, block.stop[0]),
            np.searchsorted(hashes, block.stop[0], "right"),
        )
        stop = int(first + np.searchsorted(submissions[first:last], block.stop[1]))
        content = np.concatenate((block.postings, added[start:stop]))
        order = np.lexsort((content["submission"], content["hash"]))
        _replace(base, [block], content[order])
        start = stop


def remove_postings(base: sqlite3.Connection, submissions: Sequence[int]) -> None:
    """Remove all postings of some submissions, and merge small blocks.

    Raises:
        NotAsWrittenError: A block was modified.
    """
    changed = list[Block]()
    for block in list(blocks_in_order(base)):  # collected before any is changed
        if np.isin(block.postings["submission"], submissions).any():
            changed.append(block)
        else:
            _replace_without(base, changed, submissions)
            changed = []
    _replace_without(base, changed, submissions)


def blocks_in_order(base: sqlite3.Connection) -> Iterator[Block]:
    """Yield all blocks.

    Raises:
        NotAsWrittenError: One is missing or was modified.
    """
    stop = _FIRST
    for row in base.execute(_IN_ORDER):
        block = _verified(row)
        require(block.begin == stop, "a block is lost")
        yield block
        stop = block.stop
    require(stop == _END, "the last block is missing")


def postings_in(blocks: Iterable[Block]) -> Postings:
    """Concatenate the postings of consecutive blocks.

    Raises:
        NotAsWrittenError: They are not consecutive.
    """
    found = np.frombuffer(b"".join(block.content for block in blocks), POSTING)
    hashes, submissions = found["hash"], found["submission"]
    is_after = hashes[1:] > hashes[:-1]
    is_after |= (hashes[1:] == hashes[:-1]) & (submissions[1:] > submissions[:-1])
    require(bool(is_after.all()), "postings are not sorted")
    return found


def _blocks_with(base: sqlite3.Connection, hashes: Iterable[int]) -> Iterator[Block]:
    """Read all blocks that can contain postings of the given ascending hashes."""
    stop = _FIRST
    for hash_ in hashes:
        if stop <= (hash_, 0):
            block = _covering(base, (hash_, 0))
            yield block
            stop = block.stop
        while stop <= (hash_, MOST_SUBMISSIONS):
            block = _verified(base.execute(_BEGINNING, stop).fetchone())
            require(block.begin == stop, "a block is not where the index expects it")
            yield block
            stop = block.stop


def _covering(base: sqlite3.Connection, key: Key) -> Block:
    block = _verified(base.execute(_COVERING, key).fetchone())
    require(block.begin <= key < block.stop, "a block is lost")
    return block


def _verified(row: tuple[Any, ...] | None) -> Block:
    if row is None:
        msg = "a block is lost"
        raise NotAsWrittenError(msg)
    number, *content, digest = row
    require(digest == digest_of(content), "a block has a wrong checksum")
    hash_, submission, stop_hash, stop_submission, postings = content
    block = Block(number, (hash_, submission), (stop_hash, stop_submission), postings)
    are_numbers = all(isinstance(each, int) for each in (*block.begin, *block.stop))
    require(are_numbers and block.begin < block.stop, "a block ends before it begins")
    is_whole = isinstance(postings, bytes) and len(postings) % POSTING.itemsize == 0
    require(is_whole, "a posting is truncated")
    return block


def _replace_without(
    base: sqlite3.Connection, blocks: Sequence[Block], submissions: Sequence[int]
) -> None:
    if blocks:
        content = postings_in(blocks)
        _replace(base, blocks, content[~np.isin(content["submission"], submissions)])


def _replace(base: sqlite3.Connection, blocks: Sequence[Block], content: Postings) -> None:
    """Replace the postings of consecutive blocks."""
    count = 1 if len(content) <= _MOST else -(-len(content) // _USUAL)
    bounds = [len(content) * number // count for number in range(count + 1)]
    pieces = [content[start:stop] for start, stop in pairwise(bounds)]
    begins = [blocks[0].begin, *(_key_of(piece[0]) for piece in pieces[1:])]
    stops = [*begins[1:], blocks[-1].stop]
    base.executemany("DELETE FROM postings WHERE id = ?", ((each.number,) for each in blocks[1:]))
    (_, _, *first), *others = (
        _row_of(begin, stop, piece.tobytes())
        for begin, stop, piece in zip(begins, stops, pieces, strict=True)
    )
    base.execute(_UPDATE, (*first, blocks[0].number))
    base.executemany(_INSERT, others)


def _row_of(begin: Key, stop: Key, content: bytes) -> tuple[object, ...]:
    row = (*begin, *stop, content)
    return (*row, digest_of(row))


def _key_of(posting: np.void) -> Key:
    return int(posting["hash"]), int(posting["submission"])
