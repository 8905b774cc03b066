"""Small streams, documents and works for the tests of the engine.

Tokens are given as numbers, which are their symbol codes, or as text, whose words are its tokens.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from hypothesis import settings
from numpy.typing import NDArray

from mosslite.frontends.dispatch import read_code
from mosslite.frontends.symbols import symbol_id
from mosslite.languages import Language, find_language
from mosslite.matching.matched_pairs import matched
from mosslite.options import Options, Thresholds
from mosslite.ranking import Ranked
from mosslite.ranking.candidates import feature_indexes
from mosslite.records import (
    Comparable,
    Document,
    FeatureIndex,
    Hashes,
    KGrams,
    Pair,
    Role,
    SourceFile,
    Submission,
    TokenizedSubmission,
    TokenKind,
    TokenStream,
    TraceKind,
    Traces,
    no_progress,
)
from mosslite.winnowing.fingerprints import comparable_tokens

# The first example pays for imports and caches, so a time limit for each would fail by chance.
LAW = settings(deadline=None)


def tries(count: int) -> settings:
    """Return settings of a law that takes so many examples in full, and fewer otherwise."""
    return settings(LAW, max_examples=max(5, count * LAW.max_examples // 100))


THRESHOLDS = Thresholds(noise=3, guarantee=5, detail=2)


class Tile(NamedTuple):
    """Equal runs of tokens in two submissions: ``length`` of them from each start."""

    left_start: int
    right_start: int
    length: int


# Every match counts, whatever chance explains.
EVERYTHING = Options(jobs=1, chance=1e9)

# A word, or a quoted string that may hold spaces and line ends.
_TOKEN = re.compile(r'"[^"]*"|\S+')


def codes_of(values: Iterable[int]) -> NDArray[np.uint64]:
    """Return symbol codes as a column."""
    return np.array(list(values), np.uint64)


def codes(text: str, language: str = "python") -> list[int]:
    """Return the symbols of a program in the language of a name."""
    return [int(code) for code in stream_of_code(text, find_language(language)).codes]


def stream_of_code(text: str, language: Language) -> TokenStream:
    """Tokenize a program; where its lexer fails, so does the test."""
    return read_code([text], language)[0].stream


def stream_of(codes: Sequence[int]) -> TokenStream:
    """Return a stream of one-character tokens, each on a line of its own."""
    return stream_of_lines([[code] for code in codes])


def stream_of_lines(lines: Sequence[Sequence[int]]) -> TokenStream:
    """Return a stream of one-character tokens with one character between them."""
    codes = codes_of(code for line in lines for code in line)
    starts = range(0, 2 * len(codes), 2)
    return _stream(codes, starts, [start + 1 for start in starts])


def stream_of_text(text: str) -> TokenStream:
    """Return the words of a text, and its quoted strings, as tokens."""
    return stream_of_tokens(text, list(_TOKEN.finditer(text)))


def stream_of_tokens(text: str, tokens: Sequence[re.Match[str]]) -> TokenStream:
    """Return these parts of a text as tokens."""
    return _stream(
        codes_of(_code_of(token.group()) for token in tokens),
        [token.start() for token in tokens],
        [token.end() for token in tokens],
    )


def document_of(
    stream: TokenStream,
    *,
    text: str = "",
    thresholds: Thresholds = THRESHOLDS,
    boilerplate: Iterable[int] = (),
    traces: Traces | None = None,
) -> Document:
    """Return a document of which the tokens of these indices are boilerplate."""
    mask = np.zeros(len(stream), np.bool_)
    mask[list(boilerplate)] = True
    source = SourceFile("file", text, "utf-8")
    return Document(source, "text", thresholds, stream, mask, traces or traces_of([]))


def traces_of(items: Sequence[tuple[TraceKind, int]]) -> Traces:
    """Return traces of a kind and a code, of one character each."""
    kinds, codes = zip(*items, strict=True) if items else ((), ())
    places = np.arange(len(items), dtype=np.int32)
    return Traces(
        kinds=np.array(kinds, np.uint8),
        codes=codes_of(codes),
        starts=places,
        stops=places + 1,
    )


def comparable_of(
    *files: Sequence[int], thresholds: Thresholds | Sequence[Thresholds] = THRESHOLDS
) -> Comparable:
    """Lay files of symbol codes end to end; thresholds are those of all, or of each."""
    each = [thresholds] * len(files) if isinstance(thresholds, Thresholds) else thresholds
    return comparable_tokens(
        [document_of(stream_of(f), thresholds=t) for f, t in zip(files, each, strict=True)]
    )


def kgrams_of(hashes: Sequence[int], starts: Sequence[int] | None = None) -> KGrams:
    """Return k-grams of these hashes in their order by hash and then by place."""
    places = np.array(range(len(hashes)) if starts is None else starts, np.int64)
    column = codes_of(hashes)
    order = np.lexsort((places, column))
    return KGrams(column[order], places[order].astype(np.int32))


def hashes_of(submissions: Iterable[Iterable[int]]) -> Hashes:
    """Return the hashes of submissions, end to end."""
    columns = [codes_of(submission) for submission in submissions]
    return Hashes(
        np.concatenate([codes_of([]), *columns]),
        np.cumsum([0, *(len(column) for column in columns)]),
    )


def index_of(
    seen: Hashes,
    populations: NDArray[np.int64] | None = None,
    *,
    with_repeats: bool = False,
    power: int = 1,
) -> FeatureIndex:
    """Return an index of all features."""
    [index] = feature_indexes(
        seen, populations, with_repeats=with_repeats, power=power, at_once=True
    )
    return index


def numbers_of(codes: Iterable[int]) -> NDArray[np.int64]:
    """Return the number of each of some codes, as the standard form sees them."""
    return np.array([symbol_id(code) for code in codes], np.int64)


def submission_of(*documents: Document, name: str = "work") -> TokenizedSubmission:
    """Return a current submission of these documents."""
    files = tuple(document.file for document in documents)
    submission = Submission(name, Role.CURRENT, files)
    return TokenizedSubmission(submission, documents, comparable_tokens(documents))


def pair_of(left: TokenizedSubmission, right: TokenizedSubmission, score: float) -> Pair:
    """Match two submissions, which are all of their batch."""
    (pair,) = matched([left, right], [Ranked(score, 0, 1)], EVERYTHING, no_progress)
    return pair


def submission_of_texts(*texts: str, thresholds: Thresholds = THRESHOLDS) -> TokenizedSubmission:
    """Return a current submission of files of words."""
    return submission_of(
        *(document_of(stream_of_text(text), text=text, thresholds=thresholds) for text in texts)
    )


def _stream(codes: NDArray[np.uint64], *places: Sequence[int]) -> TokenStream:
    """Return a stream of tokens that are written as they count: starts and stops."""
    kinds = np.full(len(codes), TokenKind.CONTENT, np.uint8)
    columns = (np.array(column, np.int32) for column in places)
    return TokenStream(codes, codes, kinds, *columns)


def _code_of(word: str) -> int:
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def check_stream(text: str, stream: TokenStream) -> None:
    """Check that tokens are in the text, in order, on their lines; ends have no text."""
    edges = np.column_stack([stream.starts, stream.stops]).ravel()
    assert (np.diff(edges) >= 0).all()
    assert not len(edges) or (edges[0] >= 0 and edges[-1] <= len(text))
    ends = np.array([end.end() for end in re.finditer("\r\n|\r|\n", text)], np.int64)
    firsts, lasts = document_of(stream, text=text).lines_of(stream.starts, stream.stops)
    assert firsts.tolist() == [1 + int((ends <= start).sum()) for start in stream.starts]
    assert lasts.tolist() == [1 + int((ends < stop).sum()) for stop in stream.stops]


def notebook(*cells: tuple[str, str | Sequence[str]], **metadata: object) -> str:
    """Make a notebook of cells ``("c", source)`` for code, ``m`` for Markdown and ``r`` for raw."""
    types = {"c": "code", "m": "markdown", "r": "raw"}
    listed = [
        {"cell_type": types[kind], "source": source, "outputs": [{"text": "out"}]}
        for kind, source in cells
    ]
    return json.dumps({"cells": listed, "metadata": metadata, "nbformat": 4})
