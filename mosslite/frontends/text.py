"""Text as lexers want it, and the way back to offsets in the original."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.model import TokenStream
from mosslite.spans import line_starts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["normalize_line_ends", "token_stream"]


def normalize_line_ends(text: str) -> tuple[str, NDArray[np.int64] | None]:
    r"""Turn ``\r\n`` and ``\r`` into ``\n``; lexers know no other line end.

    Returns:
        The text, and for each of its characters the offset in the original; None where the
        text was in order and offsets are the same.
    """
    if "\r" not in text:
        return text, None
    normalized = text.replace("\r\n", "\n").replace("\r", "\n")
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    is_dropped = np.zeros(len(characters), np.bool_)
    is_dropped[1:] = (characters[1:] == ord("\n")) & (characters[:-1] == ord("\r"))
    return normalized, np.flatnonzero(~is_dropped)


def token_stream(
    text: str,
    codes: ArrayLike,
    starts: ArrayLike,
    stops: ArrayLike,
    *,
    origin: NDArray[np.int64] | None = None,
) -> TokenStream:
    """Assemble a stream; ``origin`` maps ``starts`` and ``stops`` back to offsets in ``text``."""
    start_chars = np.asarray(starts, np.int64)
    stop_chars = np.asarray(stops, np.int64)
    if origin is not None and len(start_chars):
        start_chars, stop_chars = origin[start_chars], origin[stop_chars - 1] + 1
    lines = np.searchsorted(line_starts(text), start_chars, side="right")
    return TokenStream(
        codes=np.asarray(codes, np.uint64),
        starts=start_chars.astype(np.int32),
        stops=stop_chars.astype(np.int32),
        lines=lines.astype(np.int32),
    )
