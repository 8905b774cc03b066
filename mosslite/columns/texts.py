"""What a front-end finds in a text: its tokens, and what its writer left besides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["TokenKind", "TokenStream", "TraceKind", "Traces"]


class TokenKind(IntEnum):
    """What a token is to a copier."""

    CONTENT = 0
    """What the work says: a keyword, an operator, a literal, a letter."""
    NAME = 1
    """A name of the writer's choice."""
    FRAME = 2
    """A bracket, separator or modifier that could as well be there or not."""


class TraceKind(IntEnum):
    """What a writer leaves in a text besides the structure of the program."""

    NAME = 0
    COMMENT = 1
    """A word of a comment."""
    STRING = 2
    NUMBER = 3
    LAYOUT = 4
    """The blanks and signs of a line, whatever its words."""
    WORD = 5
    """A word of prose."""


@dataclass(frozen=True, slots=True, eq=False)
class Traces:
    """The raw evidence in one file, in order of its place in the text.

    Attributes:
        kinds: ``(n,) uint8``, the ``TraceKind`` of each item.
        codes: ``(n,) uint64``, equal for items of the same kind and text, the same on every
            machine.
        starts: ``(n,) int32``, first character of each item, 0-based.
        stops: ``(n,) int32``, one past its last character.
        lines: ``(n,) int32``, 1-based line of its first character.
    """

    kinds: NDArray[np.uint8]
    codes: NDArray[np.uint64]
    starts: NDArray[np.int32]
    stops: NDArray[np.int32]
    lines: NDArray[np.int32]

    def __len__(self) -> int:
        """Count the items."""
        return len(self.codes)

    def where(self, mask: NDArray[np.bool_]) -> Traces:
        """Keep the items that ``mask`` marks."""
        return Traces(
            kinds=self.kinds[mask],
            codes=self.codes[mask],
            starts=self.starts[mask],
            stops=self.stops[mask],
            lines=self.lines[mask],
        )


@dataclass(frozen=True, slots=True, eq=False)
class TokenStream:
    """The tokens of one file that can tell works apart, in order of their place in the text.

    Attributes:
        codes: ``(n,) uint64``, equal for tokens that count as equal, the same on every machine.
        wordings: ``(n,) uint64``, equal for tokens that are also written the same.
        kinds: ``(n,) uint8``, the ``TokenKind`` of each.
        is_reached: ``(n,) bool``, False in functions that nothing calls, as far as names tell.
        starts: ``(n,) int32``, first character of each token, 0-based.
        stops: ``(n,) int32``, one past its last character.
        lines: ``(n,) int32``, 1-based line of its first character.
        last_lines: ``(n,) int32``, line of its last character.
    """

    codes: NDArray[np.uint64]
    wordings: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    is_reached: NDArray[np.bool_]
    starts: NDArray[np.int32]
    stops: NDArray[np.int32]
    lines: NDArray[np.int32]
    last_lines: NDArray[np.int32]

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.codes)
