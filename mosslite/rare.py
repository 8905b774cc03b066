"""What only the two works of a pair share, besides structure.

A misspelled word, an odd number or a line laid out like no other is what an examiner looks for
first. What many have is no evidence: only what few works of the batch hold is given.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mosslite.columns import TraceKind
from mosslite.model import Lines, RareEvidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mosslite.model import Work

__all__ = ["Census", "census_of", "rare_evidence"]

# Rare is what only two works hold, or one in so many of a large batch.
_ONE_IN = 50

# So many items of a kind are given for a pair, the rarest of them.
_MOST_OF_A_KIND = 8

# A longer text is cut.
_LONGEST_TEXT = 120

# A shorter word is often one letter from another; a misspelling is so many times as rare. With a
# letter in place of another, words are two of a kind more often than one is misspelled.
_LEAST_WORD, _LEAST_SUBSTITUTED, _TIMES_AS_RARE = 5, 8, 3

_KINDS = ("misspelling", "comment", "word", "string", "number", "name", "layout")
_WORD = re.compile(rf"[^\W\d_]{{{_LEAST_WORD},}}")
_BETWEEN = re.compile(r"(?<=[a-z])(?=[A-Z])|\\.")
_SPELLED = frozenset({TraceKind.COMMENT, TraceKind.WORD, TraceKind.STRING, TraceKind.NAME})

# Two blanks inside a line, one before a comma, none behind it: not how programs format code.
_ODD = re.compile(r"\S(?: {2,}|\t+)[^\s/#]|\S\s+[,;)]|\(\s+\S|[,;][^\s)]")


@dataclass(frozen=True, slots=True, eq=False)
class Census:
    """What the works of a batch hold in all.

    Attributes:
        works: How many works there are.
        codes: ``(u,) uint64`` ascending, every trace.
        counts: ``(u,) int64``, in how many works each occurs.
        spellings: The words of several works, by each of them with one letter left out.
    """

    works: int
    codes: NDArray[np.uint64]
    counts: NDArray[np.int64]
    spellings: Mapping[str, Sequence[tuple[str, int]]]


def census_of(works: Sequence[Work]) -> Census:
    """Count the traces of all works and the words in them; linear in both."""
    distinct = [np.unique(_codes_of(work)) for work in works]
    codes, counts = np.unique(
        np.concatenate([np.empty(0, np.uint64), *distinct]), return_counts=True
    )
    return Census(len(works), codes, counts, _spellings(Counter(_words_of_all(works))))


def rare_evidence(left: Work, right: Work, census: Census) -> tuple[RareEvidence, ...]:
    """Give what both works hold and few others do, the most telling kinds first."""
    common = np.intersect1d(_codes_of(left), _codes_of(right))
    counts = census.counts[np.searchsorted(census.codes, common)]
    is_rare = (counts <= max(2, census.works // _ONE_IN)) & (counts < census.works)
    rare = dict(zip(common[is_rare].tolist(), counts[is_rare].tolist(), strict=True))
    ours, theirs = _found(left, rare), _found(right, rare)
    items = [
        RareEvidence(
            kind, text, _lines(left, ours[code]), _lines(right, theirs[code]), count, meant
        )
        for code, count in rare.items()
        for kind, text, meant in _described(left, ours[code], count, census)
    ]
    items.sort(key=lambda item: (_KINDS.index(item.kind), item.works, item.left, item.text))
    nth: Counter[str] = Counter()
    chosen = []
    for item in items:
        nth[item.kind] += 1
        if nth[item.kind] <= _MOST_OF_A_KIND:
            chosen.append(item)
    return tuple(chosen)


# Where a work holds a trace: the number of its document, and its places among its traces.
_Found = tuple[int, list[int]]


def _found(work: Work, wanted: Mapping[int, int]) -> dict[int, _Found]:
    """Find each wanted trace in the first document that holds it."""
    found: dict[int, _Found] = {}
    codes = np.array(sorted(wanted), np.uint64)
    for number, document in enumerate(work.documents):
        for place in np.flatnonzero(np.isin(document.traces.codes, codes)).tolist():
            first, places = found.setdefault(int(document.traces.codes[place]), (number, []))
            if first == number:
                places.append(place)
    return found


def _described(
    work: Work, found: _Found, count: int, census: Census
) -> Iterator[tuple[str, str, str]]:
    """Give the kind and the text of a trace, and what it is a misspelling of, if it tells much."""
    number, places = found
    kind = TraceKind(work.documents[number].traces.kinds[places[0]])
    text = _text(work, number, places[0])
    meant = _meant(text, count, census) if kind in _SPELLED else ""
    if kind is not TraceKind.LAYOUT or _ODD.search(text):
        yield "misspelling" if meant else kind.name.lower(), _cut(text), meant


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "..."


def _text(work: Work, number: int, place: int) -> str:
    document = work.documents[number]
    return document.file.text[document.traces.starts[place] : document.traces.stops[place]]


def _lines(work: Work, found: _Found) -> Lines:
    number, places = found
    lines = np.unique(work.documents[number].traces.lines[places])
    return Lines(number, tuple(lines.tolist()))


def _codes_of(work: Work) -> NDArray[np.uint64]:
    return np.concatenate([np.empty(0, np.uint64), *(d.traces.codes for d in work.documents)])


def _words_of_all(works: Sequence[Work]) -> Iterator[str]:
    """Give the words of every work, each once for the work."""
    known: dict[int, frozenset[str]] = {}
    for work in works:
        words: set[str] = set()
        for number, document in enumerate(work.documents):
            traces = document.traces
            codes, places = np.unique(traces.codes, return_index=True)
            for code, place in zip(codes.tolist(), places.tolist(), strict=True):
                if code not in known:
                    is_spelled = TraceKind(traces.kinds[place]) in _SPELLED
                    known[code] = frozenset(
                        _words(_text(work, number, place)) if is_spelled else ()
                    )
                words |= known[code]
        yield from sorted(words)


def _words(text: str) -> Iterator[str]:
    """Give the words of a text, of names such as ``rowCount`` or ``row_count`` too."""
    return (found.group().casefold() for found in _WORD.finditer(_BETWEEN.sub(" ", text)))


def _spellings(words: Counter[str]) -> dict[str, list[tuple[str, int]]]:
    spellings = defaultdict(list)
    for word in sorted(words):
        if words[word] > _TIMES_AS_RARE:
            for shorter in sorted(_shortened(word)):
                spellings[shorter].append((word, words[word]))
    return spellings


def _shortened(word: str) -> set[str]:
    """Give the word, and the word with one letter left out at each place."""
    return {word, *(word[:index] + word[index + 1 :] for index in range(len(word)))}


def _meant(text: str, count: int, census: Census) -> str:
    """Give a word of many works that is one slip from a word of this text, if there is one."""
    for word in _words(text):
        near = {each for key in _shortened(word) for each in census.spellings.get(key, ())}
        for other, works in sorted(near):
            if works >= _TIMES_AS_RARE * count and _is_one_slip(word, other):
                return other
    return ""


def _is_one_slip(word: str, other: str) -> bool:
    """Tell whether one letter is missing, too many, wrong, or two have changed places."""
    if word == other or abs(len(word) - len(other)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), None)
    if start is None:
        return word + "s" != other and other + "s" != word  # a plural is no slip
    ours, theirs = word[start:], other[start:]
    if len(ours) == len(theirs):
        is_swapped = ours[:2] == theirs[:2][::-1] and ours[2:] == theirs[2:]
        return is_swapped or (len(word) >= _LEAST_SUBSTITUTED and ours[1:] == theirs[1:])
    return ours[1:] == theirs or ours == theirs[1:]
