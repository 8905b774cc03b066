from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.options import Thresholds
from mosslite.records import (
    Comparable,
    Document,
    InternedStream,
    KGrams,
    TokenizedSubmission,
    TokenStream,
)
from mosslite.winnowing.fingerprints import (
    SKETCH_DIGITS,
    SKETCH_SIZE,
    comparable_tokens,
    fingerprints,
    noise_hashes,
    noise_kgrams,
    resemblance_of_sketches,
    sketch_of,
    winnowed,
)
from mosslite.winnowing.winnow import kgram_hashes
from tests.builders import LAW, codes_of, comparable_of, document_of, stream_of, submission_of_texts


def thresholds(longest: int = 5) -> st.SearchStrategy[Thresholds]:
    return st.builds(
        lambda k, w: Thresholds(noise=k, guarantee=k + w - 1, detail=2),
        st.integers(1, longest),
        st.integers(1, longest),
    )


def texts(symbols: int = 4, most: int = 15) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(1, symbols), max_size=most)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    codes = draw(texts())
    indices = st.integers(0, max(len(codes) - 1, 0))
    marked = draw(st.sets(indices, max_size=4)) if codes else ()
    stream = replace(
        stream_of(codes),
        lexemes=codes_of(range(100, 100 + len(codes))),
        kinds=np.arange(len(codes), dtype=np.uint8) % 3,
    )
    return document_of(stream, thresholds=draw(thresholds()), boilerplate=marked)


WORKS = st.lists(documents(), max_size=4)
FILES = st.lists(st.tuples(texts(), thresholds()), max_size=4).map(
    lambda files: comparable_of(*(f for f, _ in files), thresholds=[t for _, t in files])
)


def hash_of(kgram: Sequence[int]) -> int:
    return int(kgram_hashes(codes_of(kgram), len(kgram))[0])


def columns(stream: TokenStream) -> list[list[int]]:
    return [column.tolist() for column in stream.columns]


def rows(kgrams: KGrams) -> list[tuple[int, int]]:
    return list(zip(kgrams.hashes.tolist(), kgrams.starts.tolist(), strict=True))


def every_kgram(comparable: Comparable, length: str) -> list[tuple[int, int]]:
    """Return hash and start of all k-grams, file by file, sorted."""
    codes = comparable.codes.tolist()
    return sorted(
        (hash_of(codes[start : start + k]), start)
        for segment in comparable.segments
        for k in [getattr(segment.thresholds, length)]
        for start in range(segment.start, segment.stop - k + 1)
    )


def is_long_enough(document: Document) -> bool:
    return int((~document.is_boilerplate).sum()) >= document.thresholds.noise


@LAW
@given(WORKS)
def test_own_tokens_of_files_long_enough_are_laid_end_to_end(files: list[Document]) -> None:
    expected = []
    is_tiny = not any(map(is_long_enough, files))
    for index, document in enumerate(files):
        own = [i for i, marked in enumerate(document.is_boilerplate.tolist()) if not marked]
        is_long = len(own) >= document.thresholds.noise
        if is_long or (is_tiny and len(own) == len(document.stream)):
            told = zip(*columns(document.stream), strict=True)
            expected += [(*row, index) for i, row in enumerate(told) if i in own]

    comparable = comparable_tokens(files)

    numbers = comparable.documents.tolist()
    assert list(zip(*columns(comparable.stream), numbers, strict=True)) == expected


@LAW
@given(WORKS)
def test_every_compared_file_is_a_stretch_with_its_own_thresholds(files: list[Document]) -> None:
    comparable = comparable_tokens(files)

    stop = 0
    for segment in comparable.segments:
        origins = set(comparable.documents[segment.start : segment.stop].tolist())
        assert segment.start == stop
        assert len(origins) == 1
        file = files[origins.pop()]
        if is_long_enough(file):
            assert segment.thresholds == file.thresholds
        else:  # a whole file is one k-gram
            assert segment.thresholds.noise == segment.stop - segment.start == len(file.stream)
        stop = segment.stop
    assert stop == len(comparable)


@LAW
@given(FILES)
def test_noise_kgrams_are_all_kgrams_of_each_file_by_hash_and_place(comparable: Comparable) -> None:
    assert rows(noise_kgrams(comparable)) == every_kgram(comparable, "noise")


@LAW
@given(FILES)
def test_fingerprints_are_kgrams_and_every_window_of_a_file_holds_one(
    comparable: Comparable,
) -> None:
    selected = fingerprints(comparable)

    assert set(rows(selected)) <= set(rows(noise_kgrams(comparable)))
    assert rows(selected) == sorted(rows(selected))
    for segment in comparable.segments:
        last = segment.stop - segment.thresholds.guarantee
        for start in range(segment.start, last + 1):
            window = range(start, start + segment.thresholds.window)
            assert not set(window).isdisjoint(selected.starts.tolist())


@pytest.mark.slow
@LAW
@given(st.lists(WORKS.map(comparable_tokens), max_size=4))
def test_many_submissions_have_the_fingerprints_that_each_has(
    submissions: list[Comparable],
) -> None:
    selected = winnowed(submissions, noise_hashes(submissions))

    edges = zip(selected.offsets[:-1].tolist(), selected.offsets[1:].tolist(), strict=True)
    assert [sorted(selected.values[start:stop].tolist()) for start, stop in edges] == [
        fingerprints(each).hashes.tolist() for each in submissions
    ]


@LAW
@given(texts(most=8), thresholds(8))
def test_a_file_shorter_than_the_guarantee_keeps_its_least_hash(
    text: list[int], limits: Thresholds
) -> None:
    text = (text + [1] * limits.noise)[: max(limits.noise, limits.guarantee - 1)]
    comparable = comparable_of(text, thresholds=limits)

    [kept] = rows(fingerprints(comparable))

    least = min(each for each, _ in every_kgram(comparable, "noise"))
    assert kept == max(row for row in every_kgram(comparable, "noise") if row[0] == least)


@st.composite
def planted_runs(draw: st.DrawFn) -> tuple[list[int], list[int], Thresholds, int]:
    """Draw two texts, at different places of which stands the same run of t tokens or more."""
    limits, symbols = draw(thresholds(7)), draw(st.sampled_from([1, 2, 3, 1000]))
    before, after = texts(symbols, 30), texts(symbols, 30)
    run = draw(
        st.lists(st.integers(1, symbols), min_size=limits.guarantee, max_size=limits.guarantee + 2)
    )
    left_before = draw(before)
    left = left_before + run + draw(after)
    return left, draw(before) + run + draw(after), limits, len(left_before)


def shared(left: Comparable, right: Comparable) -> set[int]:
    both = np.intersect1d(fingerprints(left).hashes, fingerprints(right).hashes)
    return set(both.tolist())


@LAW
@given(planted_runs())
def test_a_shared_run_as_long_as_the_guarantee_is_always_found(
    case: tuple[list[int], list[int], Thresholds, int],
) -> None:
    left, right, limits, _ = case

    assert shared(comparable_of(left, thresholds=limits), comparable_of(right, thresholds=limits))


@LAW
@given(planted_runs(), st.integers(1, 6), st.data())
def test_a_run_copied_around_boilerplate_is_always_found(
    case: tuple[list[int], list[int], Thresholds, int], inserted: int, data: st.DataObject
) -> None:
    left, right, limits, start = case
    cut = start + data.draw(st.integers(0, limits.guarantee))
    stream = stream_of([*left[:cut], *[9999] * inserted, *left[cut:]])
    around = document_of(stream, thresholds=limits, boilerplate=range(cut, cut + inserted))

    assert shared(comparable_tokens([around]), comparable_of(right, thresholds=limits))


@LAW
@given(texts(most=30), texts(most=30), thresholds())
def test_without_a_shared_run_as_long_as_the_noise_threshold_nothing_is_found(
    left: list[int], right: list[int], limits: Thresholds
) -> None:
    def runs(text: list[int]) -> set[tuple[int, ...]]:
        k = min(limits.noise, len(text)) or 1
        return {tuple(text[i : i + k]) for i in range(len(text) - k + 1)}

    found = shared(comparable_of(left, thresholds=limits), comparable_of(right, thresholds=limits))

    assert found <= {hash_of(run) for run in runs(left) & runs(right)}


def numbered(first: int, last: int) -> TokenizedSubmission:
    return submission_of_texts(" ".join(f"word{number}" for number in range(first, last)))


def test_a_sketch_is_as_long_as_its_hashes_whatever_the_size_of_the_work() -> None:
    assert (
        len(sketch_of(numbered(0, 500)))
        == len(sketch_of(numbered(0, 900)))
        == SKETCH_SIZE * SKETCH_DIGITS
    )


def test_a_work_of_fewer_tokens_than_a_k_gram_has_an_empty_sketch() -> None:
    assert sketch_of(numbered(0, 11)) == ""
    assert len(sketch_of(numbered(0, 12))) == SKETCH_DIGITS


def test_the_same_code_resembles_itself_fully_and_other_code_not_at_all() -> None:
    one, other = sketch_of(numbered(0, 500)), sketch_of(numbered(500, 1000))
    assert (resemblance_of_sketches(one, one), resemblance_of_sketches(one, other)) == (1.0, 0.0)


@pytest.mark.parametrize(("start", "true"), [(100, 0.81), (250, 0.58), (500, 0.31)])
def test_resemblance_is_close_to_the_share_of_common_k_grams(start: int, true: float) -> None:
    one, other = sketch_of(numbered(0, 1000)), sketch_of(numbered(start, start + 1000))
    assert resemblance_of_sketches(one, other) == pytest.approx(true, abs=0.25)


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), max_size=30), st.data())
def test_a_stream_that_keeps_each_distinct_token_once_has_the_same_tokens(
    tokens: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    columns = np.array(tokens, np.uint64).reshape(-1, 3).T
    places = np.arange(len(tokens), dtype=np.int32)
    kinds = columns[2].astype(np.uint8)
    stream = TokenStream(columns[0], columns[1], kinds, places, places + 1)

    interned = InternedStream.of(stream)

    start = data.draw(st.integers(0, len(tokens)))
    here = slice(start, data.draw(st.integers(start, len(tokens))))
    assert len(interned) == len(stream)
    assert isinstance(interned, InternedStream)
    for found, given_stream in ((interned, stream), (interned.part(here), stream.part(here))):
        for column, expected in zip(found.columns, given_stream.columns, strict=True):
            assert column.dtype == expected.dtype
            assert column.tolist() == expected.tolist()


def test_a_stream_whose_hashes_are_not_unique_stays_as_it_is() -> None:
    odd, two = 0x9E3779B97F4A7C15, np.zeros(2, np.uint8)
    codes = np.array([odd, 0], np.uint64)
    stream = TokenStream(
        codes, np.array([0, 1], np.uint64), two, *[np.arange(2, dtype=np.int32)] * 2
    )

    assert InternedStream.of(stream) is stream
