"""Where a file may be cut between its functions, and what can be done there."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pygments.token import Comment, Literal

from tests.laws.edits import is_of, split_at_end, tokens_of

# A piece between two cuts has at least so many signs and words outside of comments and strings: of
# a shorter one no passage of k tokens may be left.
_LEAST: Final = 60

_WORD: Final = re.compile(r"\w+|[^\w\s]")
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")

# What a file of a language begins with, and no other line does.
_FIRST_LINES: Final = {"php": "<?php"}


class _Cut(NamedTuple):
    """A place where a line begins behind a blank one, how deep it is indented and bracketed."""

    place: int
    indent: int
    depth: int


def reordered(text: str, language: str) -> str:
    """Put the pieces between the first and the last cut in the opposite order."""
    head, *pieces, tail = _pieces(text, language)
    return "".join([head, *reversed(pieces), tail])


def cut_in_three(text: str, language: str) -> list[str]:
    """Cut a text between its functions into three of about the same length, or fewer."""
    parts, size = [""], len(split_at_end(text, language)[0]) / 3
    for piece in _pieces(text, language):
        if len(parts) < 3 and len(parts[-1]) + len(piece) / 2 > size:
            parts.append("")
        parts[-1] += piece
    first = _FIRST_LINES.get(language)
    return [parts[0], *(f"{first}\n{part}" if first else part for part in parts[1:])]


def in_front(text: str, other: str, language: str) -> str:
    """Put a text in front of another one, as one file of their language, and its data last."""
    code, data = split_at_end(text, language)
    return f"{code}\n{other.removeprefix(_FIRST_LINES.get(language, ''))}\n{data}"


def _pieces(text: str, language: str) -> list[str]:
    """Split a text at its cuts; what is before the first and behind the last comes first and last.

    Joined they are the text.
    """
    code, _ = split_at_end(text, language)
    places, words = [0], _words(code, language)
    for cut in _longest_run(list(_cuts(code, language))):
        before = bisect_left(words, cut.place)
        least = bisect_left(words, places[-1]) + _LEAST
        if least <= before <= len(words) - _LEAST:
            places.append(cut.place)
    stops = [*places[1:], len(text)]
    found = [text[start:stop] for start, stop in zip(places, stops, strict=True)]
    return found if len(found) > 1 else [*found, ""]


def _words(text: str, language: str) -> list[int]:
    """Return where words and signs outside of comments and strings begin."""
    return [
        start + found.start()
        for start, kind, value in tokens_of(text, language)
        if not is_of(kind, Comment, Literal)
        for found in _WORD.finditer(value)
    ]


def _longest_run(cuts: Sequence[_Cut]) -> list[_Cut]:
    """Return the most cuts of one level between which no line leaves that level."""
    best: list[_Cut] = []
    for level in sorted({(cut.depth, cut.indent) for cut in cuts}):
        run: list[_Cut] = []
        for cut in cuts:
            if (cut.depth, cut.indent) == level and cut.place >= 0:
                run.append(cut)
            elif cut.depth < level[0] or cut.indent < level[1]:
                run = []
            best = run[:] if len(run) > len(best) else best
    return best


def _cuts(text: str, language: str) -> Iterator[_Cut]:
    """Yield all lines that begin outside of tokens; places are -1 where none may be cut."""
    depths, inside = _depths(text, language)
    start, is_behind_blank = 0, False
    for line in text.splitlines(keepends=True):
        body = line.strip()
        if body and start not in inside:
            indent = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip())
            is_cut = is_behind_blank and body[0] not in _CLOSING
            yield _Cut(start if is_cut else -1, indent, depths.get(start, 0))
        is_behind_blank = not body
        start += len(line)


def _depths(text: str, language: str) -> tuple[dict[int, int], set[int]]:
    """Return how many brackets are open where lines begin, and the lines that begin in a token."""
    depths, inside, depth = dict[int, int](), set[int](), 0
    for start, kind, value in tokens_of(text, language):
        if not is_of(kind, Comment, Literal):
            depth += sum((each in _OPENING) - (each in _CLOSING) for each in value)
        elif "\n" in value:
            inside.update(start + at + 1 for at, each in enumerate(value[:-1]) if each == "\n")
        for at, each in enumerate(value):
            if each == "\n":
                depths[start + at + 1] = depth
    return depths, inside
