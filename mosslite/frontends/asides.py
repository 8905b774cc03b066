"""Comments with code behind them on a line: what is around them is read as if they were blanks.

Lexers know many things by a pattern of several words with blanks between them, such as the head of
a function or of a class, and do not know them again where one of the blanks is a comment.
"""

from __future__ import annotations

import re
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from pygments.token import Comment, String

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.frontends.driver import Numbers

__all__ = ["Aside", "asides_in", "may_have_asides", "restored", "without_asides"]

_OPENINGS: Final = ("/*", "{-", "#|")
_BEHIND: Final = re.compile(r"[^\S\n]*\S")
# Of each opening the closing, with something behind it on the line: one pattern for all of them
# would be looked for at every character.
_CLOSINGS: Final = tuple(
    re.compile(re.escape(closing) + _BEHIND.pattern) for closing in ("*/", "-}", "|#")
)
_SIGN: Final = re.compile(r"\S")


class Aside(NamedTuple):
    """A comment, or several in a row: the range of its text, and its tokens' numbers."""

    start: int
    stop: int
    numbers: Sequence[int]


def may_have_asides(text: str) -> bool:
    """Tell texts in which there is surely none from others: a quick look that spares most."""
    return any(closing.search(text) for closing in _CLOSINGS)


def asides_in(text: str, found: Sequence[int], numbers: Numbers) -> list[Aside]:
    """Return the comments with code behind them on the line, in order.

    Args:
        text: What was read.
        found: The numbers of its tokens.
        numbers: Those of tokens.
    """
    starts = accumulate((len(numbers.texts[number]) for number in found), initial=0)
    is_of_comment = _Comments(numbers)
    runs = groupby(zip(starts, found, strict=False), key=lambda each: is_of_comment[each[1]])
    comments = (list(run) for is_comment, run in runs if is_comment)
    asides = (_aside(run, numbers) for run in comments if _opens(run[0][1], numbers))
    return [each for each in asides if _BEHIND.match(text, each.stop)]


class _Comments(dict[int, bool]):
    """Which tokens, by their numbers, are comments or parts of them."""

    def __init__(self, numbers: Numbers) -> None:
        super().__init__()
        self._distinct = numbers.distinct

    def __missing__(self, number: int) -> bool:
        kinds = self._distinct[number][0].split()
        is_comment = Comment in kinds and Comment.Preproc not in kinds
        return self.setdefault(number, is_comment or String.Doc in kinds)


def _opens(number: int, numbers: Numbers) -> bool:
    return numbers.texts[number].startswith(_OPENINGS)


def _aside(run: Sequence[tuple[int, int]], numbers: Numbers) -> Aside:
    last, number = run[-1]
    return Aside(run[0][0], last + len(numbers.texts[number]), [each for _, each in run])


def without_asides(text: str, asides: Sequence[Aside]) -> str:
    """Put blanks in the place of comments."""
    pieces, stop = [], 0
    for aside in asides:
        blank = _SIGN.sub(" ", text[aside.start : aside.stop])
        pieces += [text[stop : aside.start], blank]
        stop = aside.stop
    return "".join([*pieces, text[stop:]])


def restored(found: Sequence[int], numbers: Numbers, asides: Sequence[Aside]) -> Iterator[int]:
    """Return the tokens of a text with comments again where they were read as blanks."""
    at, waiting = 0, 0
    for number in found:
        kind, value = numbers.distinct[number]
        start, stop = at, at + len(value)
        while waiting < len(asides) and asides[waiting].start < stop:
            aside = asides[waiting]
            if at < aside.start:
                yield numbers[kind][value[at - start : aside.start - start]]
            if at <= aside.start:
                yield from aside.numbers
            at = min(aside.stop, stop)
            if aside.stop > stop:
                break
            waiting += 1
        if at < stop:
            yield number if at == start else numbers[kind][value[at - start :]]
        at = stop
