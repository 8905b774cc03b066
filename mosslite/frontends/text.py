"""Text as lexers want it, and the way back to offsets in the original."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.columns import TokenStream
from mosslite.spans import line_starts

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Symbols", "normalize_line_ends", "token_stream"]


class Symbols(NamedTuple):
    """The symbols of a text, in ``(n,)`` columns; ranges are half open."""

    codes: NDArray[np.uint64]
    wordings: NDArray[np.uint64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    is_reached: NDArray[np.bool_]

    def where(self, mask: NDArray[np.bool_]) -> Symbols:
        """Keep the symbols that ``mask`` marks."""
        return Symbols(
            codes=self.codes[mask],
            wordings=self.wordings[mask],
            starts=self.starts[mask],
            stops=self.stops[mask],
            is_reached=self.is_reached[mask],
        )


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
    symbols: Symbols,
    *,
    kinds: NDArray[np.uint8] | None = None,
    origin: NDArray[np.int64] | None = None,
) -> TokenStream:
    """Assemble a stream; ``origin`` maps the symbols' ranges back to offsets in ``text``."""
    starts, stops = symbols.starts, symbols.stops
    if origin is not None and len(starts):
        starts, stops = origin[starts], origin[stops - 1] + 1
    line_begins = line_starts(text)
    return TokenStream(
        codes=symbols.codes,
        wordings=symbols.wordings,
        kinds=np.zeros(len(starts), np.uint8) if kinds is None else kinds,
        is_reached=symbols.is_reached,
        starts=starts.astype(np.int32),
        stops=stops.astype(np.int32),
        lines=np.searchsorted(line_begins, starts, side="right").astype(np.int32),
        last_lines=np.searchsorted(line_begins, stops - 1, side="right").astype(np.int32),
    )
