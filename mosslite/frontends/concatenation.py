"""Texts end to end: a pass over a column costs little more for many short texts than for one."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

from mosslite.frontends.text import Source
from mosslite.frontends.tokens import lex_all
from mosslite.records import Colours, TokenStream, Traces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from pygments.lexer import Lexer

    from mosslite.frontends.lexing import Numbers
    from mosslite.frontends.tokens import Tokens

__all__ = ["Joint", "joint_of", "joint_tokens"]

Record = TypeVar("Record", TokenStream, Traces, Colours)

# As many symbols as any pattern looks beyond the first, so that none sees two texts; and lines of
# their own, so that what ends with its line ends with its text.
_END: Final = "\n" * 4


class Joint(NamedTuple):
    """Some texts, each with an end behind it that belongs to none.

    Attributes:
        sources: ``m`` of them.
        whole: All of them as one.
        starts: ``(m + 1,) int64``, where each begins in ``whole.text``, and the next one would.
        places: ``(m + 1,) int64``, likewise in ``whole.original``.
    """

    sources: Sequence[Source]
    whole: Source
    starts: NDArray[np.int64]
    places: NDArray[np.int64]

    @property
    def stops(self) -> NDArray[np.int64]:
        """One past the last character of each text in that of the whole, ``(m,) int64``."""
        return self.starts[1:] - len(_END)

    def split(self, record: Record, starts: NDArray[np.int64]) -> list[Record]:
        """Split the columns of all texts into those of each.

        Args:
            record: ``n`` rows in order, with places and lines in the original of the whole.
            starts: ``(n,)``, where in the text of the whole each row begins.
        """
        bounds = np.searchsorted(starts, self.starts)
        places = self.places[:-1].astype(np.int32)
        lines = self.whole.lines_of(places) - np.int32(1)
        shifts = {"starts": places, "stops": places, "lines": lines, "last_lines": lines}
        columns = [
            column - np.repeat(shifts[name], np.diff(bounds)) if name in shifts else column
            for name, column in ((each.name, getattr(record, each.name)) for each in fields(record))
        ]
        kind = type(record)
        return [
            kind(*(column[first:stop] for column in columns))
            for first, stop in pairwise(bounds.tolist())
        ]


def joint_of(sources: Sequence[Source]) -> Joint:
    """Put texts end to end."""
    text = "".join(each.text + _END for each in sources)
    is_same = all(each.text is each.original for each in sources)
    original = text if is_same else "".join(each.original + _END for each in sources)
    starts = _firsts(each.text for each in sources)
    places = _firsts(each.original for each in sources)
    has_places = all(each.origin is None for each in sources)
    origin = None if has_places else _origin(sources, places)
    whole = Source(original, text, origin, is_odd=any(each.is_odd for each in sources))
    return Joint(sources, whole, starts, places)


def joint_tokens(
    joint: Joint, lexers: Iterable[Lexer], numbers: Numbers, seconds: float | None = None
) -> Tokens:
    """Return the tokens of all texts, each by a lexer of its own, and of the ends behind them.

    Raises:
        Exception: As ``lex_all``.
    """
    texts = (source.text for source in joint.sources)
    return lex_all(zip(lexers, texts, strict=True), numbers, end=_END, seconds=seconds)


def _firsts(texts: Iterable[str]) -> NDArray[np.int64]:
    return np.cumsum([0, *(len(text) + len(_END) for text in texts)])


def _origin(sources: Sequence[Source], places: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate(
        [
            np.append(_own_origin(each), len(each.original) + np.arange(len(_END))) + place
            for each, place in zip(sources, places.tolist(), strict=False)
        ]
    )


def _own_origin(source: Source) -> NDArray[np.int64]:
    return np.arange(len(source.text)) if source.origin is None else source.origin
