from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends import tokenize
from mosslite.languages import find_language
from mosslite.options import CODE_DEFAULTS, Thresholds
from mosslite.ranking.views import grammar, passages, skeleton, traces, uses, wording
from mosslite.records import Comparable, Document, Hashes, TokenKind, TraceKind
from mosslite.winnowing.fingerprints import comparable_tokens
from tests.builders import LAW, document_of, stream_of, traces_of

View = Callable[[Sequence[Comparable]], Hashes]
Tokens = Sequence[TokenKind]
Named = tuple[int, int, TokenKind]
Around = tuple[int | None, int | None]

PROGRAM = """
class Total {
    int sum(int[] values) {
        int total = 0;
        for (int value : values) {
            if (value > 0) { total += value * 2; }
        }
        return total;
    }
}
"""

SHORT = Thresholds(noise=3, guarantee=8, detail=4)
# The kinds each view is blind to, and its k-grams' length where the detail length is 4.
VIEWS: dict[View, tuple[set[TokenKind], int]] = {
    skeleton: ({TokenKind.FRAME, TokenKind.TYPE}, 4),
    grammar: ({TokenKind.NAME, TokenKind.TYPE}, 3),
    wording: (set(), 2),
}
FILES = st.lists(
    st.lists(st.sampled_from(TokenKind), min_size=3, max_size=20),
    max_size=3,
)


def seen(view: View, program: str) -> list[int]:
    stream, *_ = tokenize(program, find_language("java"))
    document = document_of(stream, text=program, thresholds=CODE_DEFAULTS)
    kgrams: list[int] = view([comparable_tokens([document])]).values.tolist()
    return kgrams


def document_with(tokens: Tokens) -> Document:
    """Return a file of different tokens of these kinds."""
    stream = replace(stream_of(range(len(tokens))), kinds=np.array(tokens, np.uint8))
    return document_of(stream, thresholds=SHORT)


@pytest.mark.parametrize(
    ("view", "before", "after", "is_blind"),
    [
        (skeleton, "int sum", "static int sum", True),
        (skeleton, "{ total += value * 2; }", "total += (value * 2);", True),
        (skeleton, "total += value", "total += twice(value)", False),
        (grammar, "total += value", "total += values", True),
        (grammar, "total += value", "new total += value other", False),
        (grammar, "sum(int[] values)", "sum(Data int[] values)", True),
        (grammar, "int sum", "static int sum", False),
        (grammar, "if (value > 0)", "if (value >= 0)", False),
        (wording, "// none", "// a comment", True),
        (wording, "total", "result", False),
        (wording, "* 2", "* 3", False),
        (skeleton, "total", "result", True),
        (skeleton, "* 2", "* 3", True),
    ],
)
def test_each_view_is_blind_to_its_disguise_and_to_no_other(
    view: View, before: str, after: str, is_blind: bool
) -> None:
    program = PROGRAM + "// none\n"
    assert before in program

    changed = program.replace(before, after)

    assert (seen(view, changed) == seen(view, program)) is is_blind


@pytest.mark.parametrize(("view", "length"), [(skeleton, 8), (grammar, 6), (wording, 4)])
def test_a_view_gives_all_kgrams_of_its_length(view: View, length: int) -> None:
    document = document_of(stream_of(range(30)), thresholds=CODE_DEFAULTS)

    kgrams = view([comparable_tokens([document])]).values

    assert len(set(kgrams.tolist())) == len(kgrams) == 30 - length + 1


@pytest.mark.parametrize("view", VIEWS)
@LAW
@given(files=FILES)
def test_a_file_has_a_kgram_at_each_token_seen_or_a_single_one(
    view: View, files: list[Tokens]
) -> None:
    blind, length = VIEWS[view]

    found = view([comparable_tokens([document_with(tokens) for tokens in files])])

    counts = [sum(kind not in blind for kind in tokens) for tokens in files]
    assert len(found.values) == sum(max(n - length + 1, int(n > 0)) for n in counts)


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
@LAW
@given(batch=st.lists(FILES, max_size=4))
def test_what_is_seen_of_many_submissions_is_what_is_seen_of_each(
    view: View, batch: list[list[Tokens]]
) -> None:
    submissions = [
        comparable_tokens([document_with(tokens) for tokens in files]) for files in batch
    ]

    found, alone = view(submissions), [view([submission]) for submission in submissions]

    assert found.values.tolist() == [h for each in alone for h in each.values.tolist()]
    assert np.diff(found.offsets).tolist() == [len(each.values) for each in alone]


SUM = """
int sum(int[] values) {
    int total = 0;
    for (int value : values) { total += value; total -= 1; }
    return total;
}
"""


@pytest.mark.parametrize(
    ("before", "after", "is_blind"),
    [
        ("total", "result", True),
        ("total -= 1;", "values(); total -= 1;", True),
        ("return total;", "while (true) { } return total;", True),
        ("total += value; total -= 1;", "total -= 1; total += value;", False),
        ("return total;", "total = 2; return total;", False),
        ("-=", "*=", False),
    ],
)
def test_uses_of_a_name_see_what_is_done_with_it_and_nothing_in_between(
    before: str, after: str, is_blind: bool
) -> None:
    assert before in SUM

    changed = SUM.replace(before, after)

    assert (sorted(seen(uses, changed)) == sorted(seen(uses, SUM))) is is_blind


NAMED = st.tuples(st.integers(1, 3), st.integers(0, 2), st.sampled_from(TokenKind))
NAMED_FILES = st.lists(st.lists(NAMED, min_size=3, max_size=20), max_size=3)


def document_of_named(tokens: Sequence[Named]) -> Document:
    """Return a file of tokens, given the symbol, the name and the kind of each."""
    symbols, names, kinds = zip(*tokens, strict=True)
    stream = replace(
        stream_of(symbols),
        lexemes=np.array(names, np.uint64),
        kinds=np.array(kinds, np.uint8),
    )
    return document_of(stream, thresholds=SHORT)


def literal_uses(tokens: Sequence[Named], length: int) -> list[tuple[Around, ...]]:
    """Return consecutive uses of each name."""
    symbols = [None, *(symbol for symbol, *_ in tokens), None]
    found = []
    for name in sorted({name for _, name, kind in tokens if kind is TokenKind.NAME}):
        places = [
            place
            for place, (_, each, kind) in enumerate(tokens)
            if kind is TokenKind.NAME and each == name
        ]
        for first in range(len(places) - length + 1):
            window = places[first : first + length]
            found.append(tuple((symbols[place], symbols[place + 2]) for place in window))
    return found


@LAW
@given(batch=st.lists(NAMED_FILES, max_size=3))
def test_uses_are_the_symbols_around_a_name_wherever_it_stands_in_a_file(
    batch: list[list[list[Named]]],
) -> None:
    submissions = [
        comparable_tokens([document_of_named(tokens) for tokens in files]) for files in batch
    ]

    found = uses(submissions)

    expected = [[use for tokens in files for use in literal_uses(tokens, 2)] for files in batch]
    flat = [use for of_submission in expected for use in of_submission]
    both = set(zip(found.values.tolist(), flat, strict=True))
    assert len({value for value, _ in both}) == len({around for _, around in both}) == len(both)
    assert np.diff(found.offsets).tolist() == [len(each) for each in expected]


def test_traces_of_the_kinds_asked_for_are_seen_in_all_files_repeats_and_all() -> None:
    name, comment, number = TraceKind.NAME, TraceKind.COMMENT, TraceKind.NUMBER
    first = traces_of([(name, 1), (comment, 2), (number, 3), (comment, 2)])
    second = traces_of([(number, 4), (name, 5)])
    documents = [document_of(stream_of([]), traces=each) for each in (first, second)]

    found = traces([documents, [], documents[1:]], [comment, number])

    assert found.offsets.tolist() == [0, 4, 4, 5]
    assert found.values.tolist() == [2, 3, 2, 4, 4]


def test_there_are_no_traces_of_no_files_and_of_no_kinds() -> None:
    document = document_of(stream_of([]), traces=traces_of([(TraceKind.NAME, 1)]))

    for found in (traces([], list(TraceKind)), traces([[document]], [TraceKind.WORD])):
        assert len(found.values) == 0
        assert found.values.dtype == np.uint64


def test_a_passage_has_the_number_of_its_file() -> None:
    files = [
        document_of(stream_of(range(start, start + 40)), thresholds=SHORT) for start in (0, 90)
    ]
    either = [passages([comparable_tokens([file])]).values.tolist() for file in files]

    both = passages([comparable_tokens(files), comparable_tokens(files[1:])])

    assert both.values.tolist() == [*either[0], *either[1], *either[1]]
    assert both.files is not None
    counts = [len(values) for values in either]
    assert min(counts) > 0
    assert both.files.tolist() == [0] * counts[0] + [1] * counts[1] + [0] * counts[1]
