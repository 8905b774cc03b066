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

# So many items of a kind are given for a pair, so many lines of each, and so many traces are
# looked at, the rarest first.
_MOST_OF_A_KIND, _MOST_LINES, _MOST_LOOKED_AT = 8, 50, 1_000

# A longer text is cut.
_LONGEST_TEXT = 120

# A shorter word is often one letter from another, a longer one is none; a misspelling is so many
# times as rare. With a letter in place of another, words are two of a kind more often than one is
# misspelled.
_LEAST_WORD, _MOST_WORD, _LEAST_SUBSTITUTED, _TIMES_AS_RARE = 5, 30, 8, 3

_KINDS = ("misspelling", "comment", "word", "string", "number", "name", "layout")
_WORD = re.compile(rf"[^\W\d_]{{{_LEAST_WORD},}}")
_BETWEEN = re.compile(r"(?<=[a-z])(?=[A-Z])|\\.")
_FOLDED = frozenset({TraceKind.COMMENT, TraceKind.WORD})
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
        words: Every word of these works, and in how many it occurs.
        spellings: The words of several works, by each of them with one letter left out.
    """

    works: int
    codes: NDArray[np.uint64]
    counts: NDArray[np.int64]
    words: Mapping[str, int]
    spellings: Mapping[str, Sequence[str]]


def census_of(works: Sequence[Work]) -> Census:
    """Count the traces of all works and the words in them; linear in both."""
    distinct = [np.unique(_codes_of(work)) for work in works]
    codes, counts = np.unique(
        np.concatenate([np.empty(0, np.uint64), *distinct]), return_counts=True
    )
    words = Counter(_words_of_all(works))
    return Census(len(works), codes, counts, words, _spellings(words))


def rare_evidence(left: Work, right: Work, census: Census) -> tuple[RareEvidence, ...]:
    """Give what both works hold and few others do, the most telling kinds first."""
    common = np.intersect1d(_codes_of(left), _codes_of(right))
    counts = census.counts[np.searchsorted(census.codes, common)]
    is_rare = (counts <= max(2, census.works // _ONE_IN)) & (counts < census.works)
    rarest = np.flatnonzero(is_rare)[np.argsort(counts[is_rare], kind="stable")][:_MOST_LOOKED_AT]
    rare = dict(zip(common[rarest].tolist(), counts[rarest].tolist(), strict=True))
    ours, theirs = _found(left, rare), _found(right, rare)
    items = [
        RareEvidence(
            kind, text, _lines(left, ours[code]), _lines(right, theirs[code]), count, meant
        )
        for code, count in rare.items()
        for kind, text, meant in _described(left, ours[code], census)
    ]
    items.sort(key=lambda item: (_KINDS.index(item.kind), item.works, item.left, item.text))
    return tuple(_chosen(items))


def _chosen(items: Sequence[RareEvidence]) -> Iterator[RareEvidence]:
    """Give the first of each kind, and each slip once."""
    nth: Counter[str] = Counter()
    slips: set[str] = set()
    for item in items:
        is_known = bool(item.resembles) and item.resembles in slips
        slips.add(item.resembles)
        nth[item.kind] += not is_known
        if not is_known and nth[item.kind] <= _MOST_OF_A_KIND:
            yield item


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


def _described(work: Work, found: _Found, census: Census) -> Iterator[tuple[str, str, str]]:
    """Give the kind and the text of a trace, and what it is a misspelling of, if it tells much."""
    number, places = found
    kind = TraceKind(work.documents[number].traces.kinds[places[0]])
    text = _text(work, number, places[0])
    meant = _meant(kind, text, census)
    if kind is not TraceKind.LAYOUT or _ODD.search(text):
        yield "misspelling" if meant else kind.name.lower(), _cut(text), meant


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "..."


def _text(work: Work, number: int, place: int) -> str:
    document = work.documents[number]
    return document.file.text[document.traces.starts[place] : document.traces.stops[place]]


def _lines(work: Work, found: _Found) -> Lines:
    number, places = found
    lines = np.unique(work.documents[number].traces.lines[places])[:_MOST_LINES]
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
                    kind = TraceKind(traces.kinds[place])
                    known[code] = frozenset(_words(kind, _text(work, number, place)))
                words |= known[code]
        yield from sorted(words)


def _words(kind: TraceKind, text: str) -> Iterator[str]:
    """Give the words of a text, of names such as ``rowCount`` or ``row_count`` too."""
    if kind in _SPELLED:
        parts = text.casefold() if kind in _FOLDED else _BETWEEN.sub(" ", text)
        for found in _WORD.finditer(parts):
            if found.end() - found.start() <= _MOST_WORD:
                yield found.group().casefold()


def _spellings(words: Counter[str]) -> dict[str, list[str]]:
    spellings = defaultdict(list)
    for word in sorted(words):
        if words[word] > _TIMES_AS_RARE:
            for shorter in sorted(_shortened(word)):
                spellings[shorter].append(word)
    return spellings


def _shortened(word: str) -> set[str]:
    """Give the word, and the word with one letter left out at each place."""
    return {word, *(word[:index] + word[index + 1 :] for index in range(len(word)))}


def _meant(kind: TraceKind, text: str, census: Census) -> str:
    """Give a word of many works that is one slip from a word of this text, if there is one."""
    for word in _words(kind, text):
        near = {each for key in _shortened(word) for each in census.spellings.get(key, ())}
        for other in sorted(near):
            is_rarer = census.words[other] >= _TIMES_AS_RARE * census.words[word]
            if is_rarer and _is_one_slip(word, other):
                return other
    return ""


def _is_one_slip(word: str, other: str) -> bool:
    """Tell whether one letter is missing, too many, wrong, or two have changed places.

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
