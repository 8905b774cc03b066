"""The tokens of texts in columns; inline comments are left out before lexing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, groupby
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pygments.lexer import Lexer
from pygments.token import Comment, String, _TokenType
from pygments.token import Token as _AnyToken

from mosslite.frontends.deadline import TimeLeft, joined, listed
from mosslite.frontends.lexing import TokenInterner, fast_numbers, fast_tokens

Token = tuple[int, _TokenType, str]
"""Its offset, its type and its text."""
_Distinct = tuple[_TokenType, str]

_OPENINGS: Final = ("/*", "{-", "#|")
_BEHIND: Final = re.compile(r"[^\S\n]*\S")
# For each comment opening, its end followed by something on the same line: a single pattern for all
# of them would be tried at every character.
_CLOSINGS: Final = tuple(
    re.compile(re.escape(closing) + _BEHIND.pattern) for closing in ("*/", "-}", "|#")
)
_SIGN: Final = re.compile(r"\S")


class InlineComment(NamedTuple):
    """One or several adjacent comments: the range of their text, and their tokens' ids."""

    start: int
    stop: int
    numbers: Sequence[int]


def may_have_inline_comments(text: str) -> bool:
    """Return False if a text certainly contains none: a quick test that excludes most texts."""
    return any(closing.search(text) for closing in _CLOSINGS)


def inline_comments_in(
    text: str, found: Sequence[int], numbers: TokenInterner
) -> list[InlineComment]:
    """Return the comments followed by code on the same line, in order.

    Args:
        text: The text read.
        found: The ids of its tokens.
        numbers: The tokens by id.
    """
    starts = accumulate((len(numbers.texts[number]) for number in found), initial=0)
    runs = groupby(
        zip(starts, found, strict=False), key=lambda each: _is_comment(numbers.distinct[each[1]][0])
    )
    of_comments = [list(run) for is_comment, run in runs if is_comment]
    comments = (
        _inline_comment(run, numbers)
        for run in of_comments
        if numbers.texts[run[0][1]].startswith(_OPENINGS)
    )
    return [each for each in comments if _BEHIND.match(text, each.stop)]


@cache
def _is_comment(kind: _TokenType) -> bool:
    kinds = kind.split()
    return (Comment in kinds and Comment.Preproc not in kinds) or String.Doc in kinds


def _inline_comment(run: Sequence[tuple[int, int]], numbers: TokenInterner) -> InlineComment:
    last, number = run[-1]
    return InlineComment(run[0][0], last + len(numbers.texts[number]), [each for _, each in run])


def without_inline_comments(text: str, comments: Sequence[InlineComment]) -> str:
    """Replace comments by spaces."""
    pieces, stop = [], 0
    for comment in comments:
        blank = _SIGN.sub(" ", text[comment.start : comment.stop])
        pieces += [text[stop : comment.start], blank]
        stop = comment.stop
    return "".join([*pieces, text[stop:]])


def restored(
    found: Sequence[int], numbers: TokenInterner, comments: Sequence[InlineComment]
) -> Iterator[int]:
    """Yield the tokens of a text, with comments inserted where they were replaced by blanks."""
    at, waiting = 0, 0
    for number in found:
        kind, value = numbers.distinct[number]
        start, stop = at, at + len(value)
        while waiting < len(comments) and comments[waiting].start < stop:
            comment = comments[waiting]
            if at < comment.start:
                yield numbers[kind][value[at - start : comment.start - start]]
            if at <= comment.start:
                yield from comment.numbers
            at = min(comment.stop, stop)
            if comment.stop > stop:
                break
            waiting += 1
        if at < stop:
            yield number if at == start else numbers[kind][value[at - start :]]
        at = stop


GAP: Final = _AnyToken.Gap
"""The type of characters that a lexer makes nothing of."""

END: Final = _AnyToken.End
"""The type of what stands behind each text where several are read together."""


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens of texts, in order, without gap or overlap.

    Attributes:
        distinct: Distinct types and texts; may include some that do not occur.
        numbers: ``(n,) int64``, index in ``distinct`` of each token.
        starts: ``(n,) int64``, first character of each token.
        lengths: ``(m,) int64``, lengths of the distinct texts.
    """

    distinct: Sequence[_Distinct]
    numbers: NDArray[np.int64]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    def __iter__(self) -> Iterator[Token]:
        """Yield each token as lexers do."""
        for number, start in zip(self.numbers.tolist(), self.starts.tolist(), strict=True):
            kind, value = self.distinct[number]
            if kind is not GAP:
                yield start, kind, value

    @property
    def stops(self) -> NDArray[np.int64]:
        """One past the last character of each token, ``(n,) int64``."""
        return self.starts + self.lengths[self.numbers]


def lex(lexer: Lexer, source: str) -> Tokens:
    """Return a lexer's tokens with their true offsets.

    Raises:
        Exception: Whatever the lexer raises.
    """
    return lex_all([(lexer, source)], TokenInterner())


def lex_all(
    sources: Iterable[tuple[Lexer, str]],
    numbers: TokenInterner,
    *,
    end: str = "",
    seconds: float | None = None,
) -> Tokens:
    """Return the tokens of texts, concatenated.

    The offsets of lexers that combine others may be wrong, but the texts of their tokens follow
    each other without a gap. A token that starts neither at the end of the previous one nor where
    the lexer says is invented or repeated, and is dropped.

    Args:
        sources: Texts, each with a lexer.
        numbers: Ids of tokens seen before; new ones are added.
        end: The text of a token of type ``END`` after each of them; no such token if empty.
        seconds: Time limit of the lexers for all texts together; None means no limit.

    Raises:
        Exception: Whatever a lexer raises; ``TooSlowError`` if they take longer.
    """
    found, left = list[int](), TimeLeft(seconds)
    for lexer, source in sources:
        found += _numbers_of(lexer, source, numbers, left)
        if end:
            found.append(numbers[END][end])
    column, lengths = np.array(found, np.int64), np.array(numbers.lengths, np.int64)
    of_each = lengths[column]
    return Tokens(numbers.distinct, column, np.cumsum(of_each) - of_each, lengths)


def _numbers_of(lexer: Lexer, source: str, numbers: TokenInterner, left: TimeLeft) -> list[int]:
    """Return the token ids of a text, skipping inline comments."""
    found = _numbers_as_written(lexer, source, numbers, left)
    comments = (
        inline_comments_in(source, found, numbers) if may_have_inline_comments(source) else []
    )
    if not comments:
        return found
    again = _numbers_as_written(lexer, without_inline_comments(source, comments), numbers, left)
    return list(restored(again, numbers, comments))


def _numbers_as_written(
    lexer: Lexer, source: str, numbers: TokenInterner, left: TimeLeft
) -> list[int]:
    """Return the token ids of a text as the lexer finds them.

    Tokens are interned one by one: keeping millions of token objects is slower.
    """
    padded = source + "\n"  # many lexers need a line end after the last line
    found = joined(fast_numbers(lexer, padded, numbers), left())
    if "".join(map(numbers.texts.__getitem__, found)) == padded:  # the usual case
        return _without_last_end(found, numbers)
    placed = _placed(listed(fast_tokens(lexer, padded), left()), padded)
    return [numbers[kind][value] for kind, value in _without_gaps(placed, source)]


def _without_last_end(found: list[int], numbers: TokenInterner) -> list[int]:
    """Remove the line end that was appended for the lexer from the last token."""
    last = next(at for at in reversed(range(len(found))) if numbers.texts[found[at]])
    kind, value = numbers.distinct[found[last]]
    found[last] = numbers[kind][value[:-1]]
    return found


def _placed(given: Iterable[Token], padded: str) -> Iterator[Token]:
    """Return the tokens of a text at their true offsets."""
    stop = 0
    for offset, kind, value in given:
        start = stop if padded.startswith(value, stop) else offset
        if start >= stop and padded.startswith(value, start):
            stop = start + len(value)
            yield start, kind, value


def _without_gaps(placed: Iterable[Token], source: str) -> Iterator[_Distinct]:
    """Yield the tokens of a text, and the text between them, up to the end of the source."""
    stop = 0
    for start, kind, value in chain(placed, [(len(source), GAP, "")]):
        if start > stop:
            yield GAP, source[stop:start]
        yield kind, source[start : start + len(value)]
        stop = start + len(value)
