"""Evidence besides structure that only the two submissions of a pair share."""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from itertools import accumulate, chain
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends.stylistic_features import is_as_written
from mosslite.ranges import (
    Postings,
    expand_ranges,
    postings_in_parts,
    run_starts,
    segment_sums,
)
from mosslite.ranking.views import traces
from mosslite.records import Document, Hashes, Lines, RareEvidence, TokenizedSubmission, TraceKind

# Shorter words often differ in one letter from another word; longer strings are not words.
_LEAST, _MOST = 5, 30

_WORD = re.compile(rf"[^\W\d_]{{{_LEAST},}}")
_WORD_OR_END = re.compile(rf"{_WORD.pattern}|\n")
_BETWEEN = re.compile(r"(?<=[a-z])(?=[A-Z])|\\.")
_FOLDED = frozenset(map(int, (TraceKind.COMMENT, TraceKind.WORD)))
_SPELLED = _FOLDED | {int(TraceKind.STRING), int(TraceKind.NAME)}


# Features whose texts are searched together: as objects, they take hundreds of bytes each.
_TOGETHER: Final = 100_000


class _Texts(NamedTuple):
    """Texts of features, and the number of each feature."""

    numbers: list[int]
    texts: list[str]


def _words_of(kind: TraceKind, text: str) -> list[str]:
    """Return the words in a feature's text, including parts of ``rowCount`` or ``row_count``."""
    if kind not in _SPELLED:
        return []
    parts = _parted(text, is_folded=kind in _FOLDED)
    return [word.casefold() for word in _WORD.findall(parts) if len(word) <= _MOST]


def _word_counts(
    documents: Sequence[Document],
    places: NDArray[np.int64],
    held: Iterable[Postings],
    submissions: int,
) -> Counter[str]:
    """Count the submissions in which each word occurs.

    Args:
        documents: All documents.
        places: Positions of the features that have words among those of all documents.
        held: Their postings, some at a time.
        submissions: Number of submissions.
    """
    vocabulary: dict[str, int] = {}
    keys = np.empty(0, np.int64)  # of a word and a submission with it, each once
    for some in held:
        numbers, words = array("q"), array("q")
        for is_folded, of_kinds in _texts_of(documents, places[some.firsts]):
            for number, word in _words_in(of_kinds, is_folded=is_folded):
                numbers.append(number)
                words.append(vocabulary.setdefault(word, len(vocabulary)))
        traces, starts = np.array(numbers, np.int64), np.cumsum(some.counts) - some.counts
        counts = some.counts[traces]
        holders = some.submissions[expand_ranges(starts[traces], counts)].astype(np.int64)
        new = np.repeat(np.array(words, np.int64), counts) * submissions + holders
        keys = np.unique(np.append(keys, new))
    found = np.bincount(keys // max(submissions, 1), minlength=len(vocabulary))
    return Counter(dict(zip(vocabulary, found.tolist(), strict=True)))


def _texts_of(
    documents: Sequence[Document], places: NDArray[np.int64]
) -> Iterator[tuple[bool, _Texts]]:
    """Yield the texts of features, some at a time, by whether case is folded.

    Args:
        documents: All documents.
        places: Position of each feature among those of all documents.
    """
    edges = np.cumsum([0, *(len(each.traces) for each in documents)])
    numbers = np.argsort(places)
    of = np.searchsorted(edges, places[numbers], side="right") - 1
    nths = places[numbers] - edges[of]
    for block in range(0, len(numbers), _TOGETHER):
        found = {True: _Texts([], []), False: _Texts([], [])}
        columns = (each[block : block + _TOGETHER].tolist() for each in (numbers, of, nths))
        for number, document, nth in zip(*columns, strict=True):
            of_kinds = found[int(documents[document].traces.kinds[nth]) in _FOLDED]
            of_kinds.numbers.append(number)
            of_kinds.texts.append(_text(documents[document], nth))
        yield from found.items()


def _text(document: Document, nth: int) -> str:
    """Return the text of a feature."""
    return document.file.text[document.traces.starts[nth] : document.traces.stops[nth]]


def _words_in(of_kinds: _Texts, *, is_folded: bool) -> Iterator[tuple[int, str]]:
    """Yield every word with the number of its feature; all texts are searched at once."""
    joined = "\n".join(text.replace("\n", " ") for text in of_kinds.texts)
    nth = 0
    for found in _WORD_OR_END.findall(_parted(joined, is_folded=is_folded)):
        if found == "\n":
            nth += 1
        elif len(found) <= _MOST:
            yield of_kinds.numbers[nth], found.casefold()


def _parted(text: str, *, is_folded: bool) -> str:
    return text.casefold() if is_folded else _BETWEEN.sub(" ", text)


# Limits for a pair: evidence of a kind, lines of each, and features examined, the rarest
# first.
_MOST_OF_A_KIND, _MOST_LINES, _MOST_LOOKED_AT = 8, 50, 1_000

# Longer texts are truncated.
_LONGEST_TEXT = 120

# A misspelling must be rarer than the correct word by this factor. Shorter words are more often two
# different words than one misspelled, with a substituted letter even those of seven letters.
_LEAST_MISSPELLED, _LEAST_SUBSTITUTED, _TIMES_AS_RARE = 6, 8, 3

# A word that differs from another in the last letters is usually another form of it.
_ENDING = 2

FREQUENT: Final = _TIMES_AS_RARE + 1
"""What fewer submissions have is never what a misspelling means."""

_KINDS = ("misspelling", "comment", "word", "string", "number", "name", "layout")

# Two blanks inside a line, a blank before a comma, or none after it: formatters do not write these.
_ODD = re.compile(r"\S(?: {2,}|\t+)[^\s/#]|\S\s+[,;)]|\(\s+\S|[,;][^\s)]")


@dataclass(frozen=True, slots=True, eq=False)
class DocumentFrequencies:
    """How many submissions of a batch contain each stylistic feature and word.

    Attributes:
        submissions: Number of submissions.
        codes: ``(u,) uint64`` ascending, every feature.
        counts: ``(u,) int64``, number of submissions with each.
        meant: Returns the common word that a rare one misspells, or an empty string.
    """

    submissions: int
    codes: NDArray[np.uint64]
    counts: NDArray[np.int64]
    meant: Callable[[str], str]


# Rare: in two submissions only, or in one out of this many in a large batch.
_ONE_IN = 50


@dataclass(frozen=True, slots=True, eq=False)
class RareTraces:
    """The rare stylistic features of a submission.

    Attributes:
        codes: ``(r,) uint64`` ascending.
        counts: ``(r,) int64``, number of submissions with each.
        documents: For each, the first document of the submission that contains it.
        offsets: The positions of feature i in this document are
            ``places[offsets[i] : offsets[i + 1]]``.
        places: Positions, ascending for each feature.
    """

    submission: TokenizedSubmission
    codes: NDArray[np.uint64]
    counts: NDArray[np.int64]
    documents: NDArray[np.int64]
    offsets: NDArray[np.int64]
    places: NDArray[np.int64]

    def positions(self, nths: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the first positions of some features, and their documents."""
        return self.places[self.offsets[nths]], self.documents[nths]

    def found(self, nth: int) -> tuple[Document, NDArray[np.int64]]:
        """Return the document of a feature, and its positions there."""
        here = slice(self.offsets[nth], self.offsets[nth + 1])
        return self.submission.documents[self.documents[nth]], self.places[here]


def rare_of(submission: TokenizedSubmission, frequencies: DocumentFrequencies) -> RareTraces:
    """Return the features of a submission that few others contain."""
    submissions = frequencies.submissions
    columns = [document.traces.codes for document in submission.documents]
    own = np.concatenate([np.empty(0, np.uint64), *columns])
    order = np.argsort(own, kind="stable")
    of_each = frequencies.counts[np.searchsorted(frequencies.codes, own[order])]
    is_rare = (of_each > 1) & (of_each <= _most_rare(submissions)) & (of_each < submissions)
    order, of_each = order[is_rare], of_each[is_rare]
    edges = np.array([0, *accumulate(map(len, columns))], np.int64)
    documents = np.searchsorted(edges, order, side="right") - 1
    firsts = np.flatnonzero(run_starts(own[order]))
    sizes = np.diff(np.append(firsts, len(order)))
    is_there = documents == np.repeat(documents[firsts], sizes)
    return RareTraces(
        submission=submission,
        codes=own[order[firsts]],
        counts=of_each[firsts],
        documents=documents[firsts],
        offsets=np.append(0, np.cumsum(is_there))[np.append(firsts, len(order))],
        places=(order - edges[documents])[is_there],
    )


def _most_rare(submissions: int) -> int:
    """Return how many submissions of a batch have what is rare, at most."""
    return max(2, submissions // _ONE_IN)


class TraceCounts(NamedTuple):
    """The number of submissions in which each stylistic feature and word occurs.

    Attributes:
        codes: ``(u,) uint64`` ascending, every feature.
        counts: ``(u,) int64``.
        words: By word.
    """

    codes: NDArray[np.uint64]
    counts: NDArray[np.int64]
    words: Counter[str]


def count_traces(submissions: Sequence[TokenizedSubmission]) -> TraceCounts:
    """Count the stylistic features of submissions and their words; n log n in the features.

    Words count where they are written as they are read, not in disguise: so the text of a feature
    does not depend on where it occurs first, and the counts of parts of a batch add up.
    """
    codes = traces([each.documents for each in submissions], [*TraceKind])
    columns = zip(*((each.values, each.counts) for each in postings_in_parts(codes)), strict=True)
    values, counts = map(np.concatenate, columns)
    documents = [document for each in submissions for document in each.documents]
    have_words = np.concatenate([np.empty(0, np.bool_), *map(_have_words, documents)])
    sizes = segment_sums(have_words, np.diff(codes.offsets))
    spelled = Hashes(codes.values[have_words], np.append(0, np.cumsum(sizes)))
    del codes  # large, like all columns here
    places = np.flatnonzero(have_words)
    words = _word_counts(documents, places, postings_in_parts(spelled), len(submissions))
    return TraceCounts(values, counts, words)


def _have_words(document: Document) -> NDArray[np.bool_]:
    """Mark the features whose text has words, and is read as it is written."""
    text, traces = document.file.text, document.traces
    have_words = np.isin(traces.kinds, list(_SPELLED)) & document.has_text
    if text.isascii() and "\\" not in text:
        return have_words
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    unusual = np.append(0, np.cumsum((characters >= 128) | (characters == ord("\\"))))
    in_doubt = have_words & (unusual[traces.stops] > unusual[traces.starts])
    for nth in np.flatnonzero(in_doubt).tolist():
        kind, code = TraceKind(traces.kinds[nth]), int(traces.codes[nth])
        have_words[nth] = is_as_written(kind, code, _text(document, nth))
    return have_words


def document_frequencies(submissions: Sequence[TokenizedSubmission]) -> DocumentFrequencies:
    """Count the stylistic features of all submissions and their words."""
    counts = count_traces(submissions)
    words = counts.words
    most = _most_rare(len(submissions))
    meant = cache(partial(_meant, most=most, words=words, spellings=_spellings(words)))
    return DocumentFrequencies(len(submissions), counts.codes, counts.counts, meant)


def frequencies_of(
    submissions: int, counts: TraceCounts, asked: Iterable[str]
) -> DocumentFrequencies:
    """Build document frequencies from counts, such as those of another process.

    Args:
        submissions: Number of submissions.
        counts: Must cover the features of the submissions to be examined, and words that several
            submissions contain or that are in ``asked``.
        asked: Words of the submissions to be examined.
    """
    spellings, most = _spellings(counts.words), _most_rare(submissions)
    found = ((word, _meant(word, most, counts.words, spellings)) for word in asked)
    table = {word: meant for word, meant in found if meant}
    return DocumentFrequencies(submissions, counts.codes, counts.counts, partial(_looked_up, table))


def _looked_up(table: Mapping[str, str], word: str) -> str:
    return table.get(word, "")


def rare_evidence(
    left: RareTraces, right: RareTraces, frequencies: DocumentFrequencies
) -> tuple[RareEvidence, ...]:
    """Return the rare features of both submissions, the most significant kinds first."""
    common = np.flatnonzero(_is_in(left.codes, right.codes))
    rarest = common[np.argsort(left.counts[common], kind="stable")[:_MOST_LOOKED_AT]]
    rarest = rarest[np.lexsort((*left.positions(rarest), left.counts[rarest]))]
    there = np.searchsorted(right.codes, left.codes[rarest])
    found: dict[str, list[RareEvidence]] = {kind: [] for kind in _KINDS}
    slips = set[str]()
    for here, other in zip(rarest.tolist(), there.tolist(), strict=True):
        for kind, text, meant in _described(*left.found(here), frequencies):
            if len(found[kind]) < _MOST_OF_A_KIND and not (meant and meant in slips):
                slips.add(meant)
                lines, count = (_lines(left, here), _lines(right, other)), int(left.counts[here])
                found[kind].append(RareEvidence(kind, text, *lines, count, meant))
    return tuple(chain.from_iterable(found.values()))


def _is_in(column: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Mark the elements that are in an ascending column."""
    places = np.searchsorted(wanted, column)
    return np.append(wanted, np.uint64(0))[places] == column if len(wanted) else places > 0


def _described(
    document: Document, places: NDArray[np.int64], frequencies: DocumentFrequencies
) -> Iterator[tuple[str, str, str]]:
    """Yield kind and text of a feature, and the word it misspells, if it is distinctive."""
    kind, text = TraceKind(document.traces.kinds[places[0]]), _text(document, places[0])
    meant = next(filter(None, map(frequencies.meant, _words_of(kind, text))), "")
    if kind is not TraceKind.LAYOUT or _ODD.search(text):
        yield "misspelling" if meant else kind.name.lower(), _cut(text), meant


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "..."


def _lines(held: RareTraces, nth: int) -> Lines:
    document, places = held.found(nth)
    lines = sorted({*document.lines_at(document.traces.starts[places]).tolist()})
    return Lines(int(held.documents[nth]), tuple(lines[:_MOST_LINES]))


def _spellings(words: Counter[str]) -> dict[str, list[str]]:
    """Return common words, indexed by each form of them with one letter left out."""
    spellings = defaultdict(list)
    for word, count in words.items():
        for shorter in _shortened(word) if count >= FREQUENT else ():
            spellings[shorter].append(word)
    return spellings


def _shortened(word: str) -> set[str]:
    """Return the word, and its forms with one letter left out."""
    return {word, *(word[:index] + word[index + 1 :] for index in range(len(word)))}


@cache
def _known_words() -> frozenset[str]:
    """Return words that are frequent in public code, its comments and libraries."""
    text = (files("mosslite.matching") / "known-words.txt").read_text(encoding="ascii")
    return frozenset(text.split())


def _meant(
    word: str, most: int, words: Mapping[str, int], spellings: Mapping[str, Sequence[str]]
) -> str:
    """Return the word that a rare one misspells, or an empty string.

    Args:
        word: In lower case.
        most: Maximum number of submissions with it; one in disguise has none.
        words: Number of submissions with each word.
        spellings: As from ``_spellings``.
    """
    if len(word) < _LEAST_MISSPELLED or not 1 <= words[word] <= most or word in _known_words():
        return ""
    near = {each for key in _shortened(word) for each in spellings.get(key, ())}
    for other in sorted(near):
        if words[other] >= _TIMES_AS_RARE * words[word] and _is_one_slip(word, other):
            return other
    return ""


def _is_one_slip(word: str, other: str) -> bool:
    """Return whether one letter is missing, added or wrong, or two are swapped.

    A misspelled word usually begins with the right letter. A difference in an ending does not
    count, as it makes another form of the word, unless letters are swapped or the last is doubled.
    """
    if word == other or word[0] != other[0] or abs(len(word) - len(other)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), None)
    if start is None:
        longer = max(word, other, key=len)
        return longer[-1] == longer[-2]
    ours, theirs = word[start:], other[start:]
    if ours[:2] == theirs[:2][::-1] and ours[2:] == theirs[2:]:
        return True
    if len(ours) == len(theirs):
        return len(word) >= _LEAST_SUBSTITUTED and len(ours) > _ENDING and ours[1:] == theirs[1:]
    return min(len(ours), len(theirs)) >= _ENDING and (ours[1:] == theirs or ours == theirs[1:])
