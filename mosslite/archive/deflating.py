"""Texts as they are kept, so that a small archive cannot hold more than there is memory."""

from __future__ import annotations

import zlib
from typing import Final

from mosslite.archive.told import NotAsWrittenError, require

__all__ = ["deflated", "inflated"]

# Of any bytes this many may come, and beyond it so many times as many as they are: source code and
# its form in dots deflate to a third or a tenth. A text that deflates further is kept as it is,
# but was not always: what is beside it, such as the places of its tokens, is not deflated at all.
_FREE: Final = 64 << 10
_RATIO: Final = 32


def deflated(text: str) -> bytes:
    """Write a text as bytes, of which ``inflated`` makes the same again."""
    content = text.encode("utf-8", "surrogatepass")
    packed = zlib.compress(content)
    return packed if len(content) <= _most(len(packed)) else zlib.compress(content, 0)


def inflated(packed: bytes, told_in: int) -> str:
    """Read what ``deflated`` wrote.

    Args:
        packed: What it wrote.
        told_in: How many bytes tell of the text, with what is kept beside it.

    Raises:
        NotAsWrittenError: It is something else, or more than is ever written so small.
    """
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, _most(told_in) + 1).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError) as error:
        msg = "a text cannot be read"
        raise NotAsWrittenError(msg) from error
    require(unpacker.eof, "a text is cut off, or larger than any that is written")
    return text


def _most(told_in: int) -> int:
    return max(_FREE, _RATIO * told_in)
