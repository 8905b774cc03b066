"""The words in what a writer leaves behind, and how often each is written."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mosslite.columns import TraceKind
from mosslite.postings import changes
from mosslite.spans import positions_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.model import Work
    from mosslite.postings import Postings

__all__ = ["word_counts", "words_of"]

# A shorter word is often one letter from another, a longer one is none.
_LEAST, _MOST = 5, 30

_WORD = re.compile(rf"[^\W\d_]{{{_LEAST},}}")
_WORD_OR_END = re.compile(rf"{_WORD.pattern}|\n")
_BETWEEN = re.compile(r"(?<=[a-z])(?=[A-Z])|\\.")
_FOLDED = frozenset(map(int, (TraceKind.COMMENT, TraceKind.WORD)))
_SPELLED = _FOLDED | {int(TraceKind.STRING), int(TraceKind.NAME)}


class _Texts(NamedTuple):
    """Texts of traces, and the number of each trace."""

    numbers: list[int]
    texts: list[str]


def words_of(kind: TraceKind, text: str) -> list[str]:
    """Return the words of a trace, of names such as ``rowCount`` or ``row_count`` too."""
    if kind not in _SPELLED:
        return []
    parts = _parted(text, is_folded=kind in _FOLDED)
    return [word.casefold() for word in _WORD.findall(parts) if len(word) <= _MOST]


def word_counts(works: Sequence[Work], held: Postings) -> Counter[str]:
    """Count in how many works each word occurs.

    Args:
        works: All works.
        held: Their traces, in order of works and documents.
    """
    vocabulary: dict[str, int] = {}
    numbers, words = [], []
    for is_folded, of_kinds in _texts_of(works, held).items():
        for number, word in _words_in(of_kinds, is_folded=is_folded):
            numbers.append(number)
            words.append(vocabulary.setdefault(word, len(vocabulary)))
    traces, starts = np.array(numbers, np.int64), np.cumsum(held.counts) - held.counts
    counts = held.counts[traces]
    holders = held.works[positions_in(starts[traces], counts)].astype(np.int64)
    # Each word once for each work.
    keys = np.sort(np.repeat(np.array(words, np.int64), counts) * len(works) + holders)
    keys = keys[changes(keys)]
    found = np.bincount(keys // max(len(works), 1), minlength=len(vocabulary))
    return Counter(dict(zip(vocabulary, found.tolist(), strict=True)))


def _texts_of(works: Sequence[Work], held: Postings) -> dict[bool, _Texts]:
    """Return the text of each trace that has words, by whether its letters are folded."""
    documents = [document for work in works for document in work.documents]
    columns, none = [each.traces for each in documents], np.empty(0, np.uint8)
    numbers = np.argsort(held.firsts)
    places = held.firsts[numbers]
    kinds = np.concatenate([none, *(each.kinds for each in columns)])[places]
    is_spelled = np.isin(kinds, list(_SPELLED))
    numbers, places, kinds = numbers[is_spelled], places[is_spelled], kinds[is_spelled]
    starts = np.concatenate([none, *(each.starts for each in columns)])[places]
    stops = np.concatenate([none, *(each.stops for each in columns)])[places]
    edges = np.cumsum([0, *map(len, columns)])
    of = np.searchsorted(edges, places, side="right") - 1
    found = {True: _Texts([], []), False: _Texts([], [])}
    told = (numbers, kinds, of, starts, stops)
    for number, kind, nth, start, stop in zip(*(each.tolist() for each in told), strict=True):
        of_kinds = found[kind in _FOLDED]
        of_kinds.numbers.append(number)
        of_kinds.texts.append(documents[nth].file.text[start:stop])
    return found


def _words_in(of_kinds: _Texts, *, is_folded: bool) -> Iterator[tuple[int, str]]:
    """Return every word with the number of its trace; one search goes through all texts."""
    joined = "\n".join(text.replace("\n", " ") for text in of_kinds.texts)
    nth = 0
    for found in _WORD_OR_END.findall(_parted(joined, is_folded=is_folded)):
        if found == "\n":
            nth += 1
        elif len(found) <= _MOST:
            yield of_kinds.numbers[nth], found.casefold()


def _parted(text: str, *, is_folded: bool) -> str:
    return text.casefold() if is_folded else _BETWEEN.sub(" ", text)
