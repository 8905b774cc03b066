"""What only the two works of a pair share, besides structure.

A misspelled word, an odd number or a line laid out like no other is what an examiner looks for
first. What many have is no evidence: only what few works of the batch hold is given.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from mosslite.columns import Hashes, TraceKind
from mosslite.model import Lines, RareEvidence
from mosslite.postings import postings
from mosslite.rare.held import rare_traces
from mosslite.rare.words import word_counts, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mosslite.model import Work
    from mosslite.rare.held import Found, RareTraces

__all__ = ["Census", "census_of", "rare_evidence", "rare_of"]

# So many items of a kind are given for a pair, so many lines of each, and so many traces are
# looked at, the rarest first.
_MOST_OF_A_KIND, _MOST_LINES, _MOST_LOOKED_AT = 8, 50, 1_000

# A longer text is cut.
_LONGEST_TEXT = 120

# A misspelling is so many times as rare. With a letter in place of another, shorter words are two
# of a kind more often than one is misspelled.
_LEAST_SUBSTITUTED, _TIMES_AS_RARE = 8, 3

_KINDS = ("misspelling", "comment", "word", "string", "number", "name", "layout")

# Two blanks inside a line, one before a comma, none behind it: not how programs format code.
_ODD = re.compile(r"\S(?: {2,}|\t+)[^\s/#]|\S\s+[,;)]|\(\s+\S|[,;][^\s)]")


@dataclass(frozen=True, slots=True, eq=False)
class Census:
    """What the works of a batch hold in all.

    Attributes:
        works: How many works there are.
        codes: ``(u,) uint64`` ascending, every trace.
        counts: ``(u,) int64``, in how many works each occurs.
        meant: Gives the word of many works that a word of a few is one slip from, or nothing.
    """

    works: int
    codes: NDArray[np.uint64]
    counts: NDArray[np.int64]
    meant: Callable[[str], str]


def census_of(works: Sequence[Work]) -> Census:
    """Count the traces of all works and the words in them; n log n in the traces."""
    columns = [document.traces for work in works for document in work.documents]
    sizes = [sum(len(each.traces) for each in work.documents) for work in works]
    codes = np.concatenate([np.empty(0, np.uint64), *(each.codes for each in columns)])
    found = postings(Hashes(codes, np.cumsum([0, *sizes])), np.ones(len(codes), np.bool_))
    words = word_counts(works, found)
    meant = cache(partial(_meant, words=words, spellings=_spellings(words)))
    return Census(len(works), found.values, found.counts, meant)


def rare_of(work: Work, census: Census) -> RareTraces:
    """Return what a work of the batch and few others hold."""
    return rare_traces(work, census.works, census.codes, census.counts)


def rare_evidence(left: RareTraces, right: RareTraces, census: Census) -> tuple[RareEvidence, ...]:
    """Return what both works hold and few others do, the most telling kinds first."""
    common = np.flatnonzero(_is_in(left.codes, right.codes))
    rarest = common[np.argsort(left.counts[common], kind="stable")[:_MOST_LOOKED_AT]]
    there = np.searchsorted(right.codes, left.codes[rarest])
    items = [
        RareEvidence(kind, text, _lines(left, here), _lines(right, other), count, meant)
        for here, other, count in zip(
            rarest.tolist(), there.tolist(), left.counts[rarest].tolist(), strict=True
        )
        for kind, text, meant in _described(left.work, left.found(here), census)
    ]
    items.sort(key=lambda item: (_KINDS.index(item.kind), item.works, item.left, item.text))
    return tuple(_chosen(items))


def _is_in(column: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Mark what is in an ascending column."""
    places = np.searchsorted(wanted, column)
    return np.append(wanted, np.uint64(0))[places] == column if len(wanted) else places > 0


def _chosen(items: Sequence[RareEvidence]) -> Iterator[RareEvidence]:
    """Return the first of each kind, and each slip once."""
    nth: Counter[str] = Counter()
    slips: set[str] = set()
    for item in items:
        is_known = bool(item.resembles) and item.resembles in slips
        slips.add(item.resembles)
        nth[item.kind] += not is_known
        if not is_known and nth[item.kind] <= _MOST_OF_A_KIND:
            yield item


def _described(work: Work, found: Found, census: Census) -> Iterator[tuple[str, str, str]]:
    """Return the kind and text of a trace, and what it is a misspelling of, if it tells much."""
    number, places = found
    kind = TraceKind(work.documents[number].traces.kinds[places[0]])
    text = _text(work, number, places[0])
    meant = next(filter(None, map(census.meant, words_of(kind, text))), "")
    if kind is not TraceKind.LAYOUT or _ODD.search(text):
        yield "misspelling" if meant else kind.name.lower(), _cut(text), meant


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "..."


def _text(work: Work, number: int, place: int) -> str:
    document = work.documents[number]
    return document.file.text[document.traces.starts[place] : document.traces.stops[place]]


def _lines(held: RareTraces, nth: int) -> Lines:
    number, places = held.found(nth)
    lines = sorted({*held.work.documents[number].traces.lines[places].tolist()})
    return Lines(number, tuple(lines[:_MOST_LINES]))


def _spellings(words: Counter[str]) -> dict[str, list[str]]:
    """Return the words of several works, by each of them with one letter left out."""
    spellings = defaultdict(list)
    for word, count in words.items():
        for shorter in _shortened(word) if count > _TIMES_AS_RARE else ():
            spellings[shorter].append(word)
    return spellings


def _shortened(word: str) -> set[str]:
    """Return the word, and the word with one letter left out at each place."""
    return {word, *(word[:index] + word[index + 1 :] for index in range(len(word)))}


def _meant(word: str, words: Mapping[str, int], spellings: Mapping[str, Sequence[str]]) -> str:
    near = {each for key in _shortened(word) for each in spellings.get(key, ())}
    for other in sorted(near):
        if words[other] >= _TIMES_AS_RARE * words[word] and _is_one_slip(word, other):
            return other
    return ""


def _is_one_slip(word: str, other: str) -> bool:
    """Return whether one letter is missing, too many, wrong, or two have changed places.

    A letter more at the end makes another word of many, a plural or a past, unless it is doubled.
    """
    if word == other or abs(len(word) - len(other)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), None)
    if start is None:
        longer = max(word, other, key=len)
        return longer[-1] == longer[-2]
    ours, theirs = word[start:], other[start:]
    if len(ours) == len(theirs):
        is_swapped = ours[:2] == theirs[:2][::-1] and ours[2:] == theirs[2:]
        return is_swapped or (len(word) >= _LEAST_SUBSTITUTED and ours[1:] == theirs[1:])
    return ours[1:] == theirs or ours == theirs[1:]
