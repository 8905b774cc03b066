import itertools
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mosslite
from mosslite.frontends import tokenize
from mosslite.languages import find_language
from mosslite.matching.rare_evidence import (
    DocumentFrequencies,
    count_traces,
    document_frequencies,
    rare_evidence,
    rare_of,
)
from mosslite.records import Document, Lines, RareEvidence, TokenizedSubmission, TraceKind
from tests.builders import LAW, document_of, stream_of, submission_of, traces_of
from tests.programs import PRIMES, QUEUE, TEMPLATE, WORDS, write_files
from tests.tables import table

# So short that none is taken for a misspelling of another.
NAMES = ("abba", "boat", "cane", "duke", "echo", "fuss", "gnu", "hymn")
BATCHES = st.lists(st.lists(st.sampled_from(NAMES), unique=True), min_size=2, max_size=6)

PLAIN = "pass\n"


def document(text: str, language: str = "python") -> Document:
    reading = tokenize(text, find_language(language))
    return document_of(reading.stream, text=text, traces=reading.traces)


def written(*texts: str, language: str = "python") -> TokenizedSubmission:
    return submission_of(*(document(text, language) for text in texts))


def evidence_on(
    left: TokenizedSubmission, right: TokenizedSubmission, census: DocumentFrequencies
) -> tuple[RareEvidence, ...]:
    return rare_evidence(rare_of(left, census), rare_of(right, census), census)


def evidence(*texts: str, language: str = "python") -> tuple[RareEvidence, ...]:
    """Return the evidence on the first two submissions of a batch."""
    submissions = [written(text, language=language) for text in texts]
    return evidence_on(submissions[0], submissions[1], document_frequencies(submissions))


def found(items: Sequence[RareEvidence]) -> list[tuple[str, str]]:
    return [(item.kind, item.text) for item in items]


def found_in(*texts: str, language: str = "python") -> list[tuple[str, str]]:
    return found(evidence(*texts, language=language))


def slips(slip: str, word: str, *, often: int = 6) -> list[tuple[str, str]]:
    """Return what two submissions that write ``# slip`` are found to have misspelled."""
    texts = [f"# {slip}", f"# {slip}", *[f"# {word}"] * often]
    items = evidence(*texts)
    return [(item.text, item.resembles) for item in items if item.kind == "misspelling"]


# --- what is rare --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("holders", "submissions", "is_rare"),
    [(2, 3, True), (3, 4, False), (2, 149, True), (3, 149, False), (3, 150, True), (4, 150, False)],
)
def test_rare_is_what_two_submissions_have_or_one_in_fifty(
    holders: int, submissions: int, is_rare: bool
) -> None:
    texts = ["zebra\n"] * holders + [PLAIN] * (submissions - holders)

    items = evidence(*texts)

    assert [(item.text, item.submissions) for item in items] == [("zebra", holders)] * is_rare


def test_a_work_that_repeats_itself_counts_once() -> None:
    (item,) = evidence("zebra\n" * 9, "zebra\n" * 3, PLAIN)
    assert item.submissions == 2


@LAW
@given(BATCHES)
def test_names_that_two_submissions_and_few_others_have_are_the_evidence(
    batch: list[list[str]],
) -> None:
    texts = ["".join(f"{name}\n" for name in names) for names in batch]

    items = evidence(*texts)

    held = {name: sum(name in names for names in batch) for name in NAMES}
    common = set(batch[0]) & set(batch[1])
    rare = {name for name in common if held[name] == 2 < len(batch)}
    assert {(item.kind, item.text, item.submissions) for item in items} == {
        ("name", name, 2) for name in rare
    }
    for item in items:
        assert item.left == Lines(0, (batch[0].index(item.text) + 1,))
        assert item.right == Lines(0, (batch[1].index(item.text) + 1,))


@LAW
@given(BATCHES, st.data())
def test_the_order_of_the_batch_changes_no_evidence(
    batch: list[list[str]], data: st.DataObject
) -> None:
    submissions = [written("".join(f"# {name}\n" for name in names)) for names in batch]
    mixed = data.draw(st.permutations(submissions))

    first, second = (
        evidence_on(submissions[0], submissions[1], document_frequencies(each))
        for each in (submissions, mixed)
    )

    assert first == second


@LAW
@given(BATCHES)
def test_seen_from_the_other_side_the_evidence_is_the_same(batch: list[list[str]]) -> None:
    submissions = [written("".join(f"{name}\n" for name in names)) for names in batch]
    census = document_frequencies(submissions)

    there = evidence_on(submissions[0], submissions[1], census)
    back = evidence_on(submissions[1], submissions[0], census)

    assert {(each.text, each.left, each.right) for each in there} == {
        (each.text, each.right, each.left) for each in back
    }


# --- kinds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# wombat\n", ("comment", "wombat")),
        ("'a wombat, at last'\n", ("string", "a wombat, at last")),
        ("0x4711\n", ("number", "0x4711")),
        ("wombat\n", ("name", "wombat")),
        ("a  =  1\n", ("layout", "a  =  1")),
        ("f(a , b)\n", ("layout", "f(a , b)")),
        ("f(a,b)\n", ("layout", "f(a,b)")),
        ("f( a)\n", ("layout", "f( a)")),
    ],
)
def test_every_kind_of_trace_is_evidence(text: str, expected: tuple[str, str]) -> None:
    assert found_in(text, text, "f(a, 1)\n") == [expected]


def test_words_of_prose_are_evidence() -> None:
    items = found_in("The wombat.", "A wombat!", "the a", language="text")
    assert items == [("word", "wombat")]


def test_a_line_laid_out_as_programs_format_code_tells_nothing() -> None:
    text = "abba(boat, cane=duke)[0]\n"
    others = ["abba", "boat", "cane", "duke", "[0]"]
    assert found_in(text, text, "\n".join(others)) == []


def test_a_layout_is_shared_whatever_the_words_in_it() -> None:
    (item,) = evidence("abba  =  boat\n", "cane  =  duke\n", PLAIN)
    assert (item.kind, item.text) == ("layout", "abba  =  boat")


def test_a_comment_reads_as_the_left_work_writes_it() -> None:
    (item,) = evidence("# WomBat\n", "# wombat\n", PLAIN)
    assert item.text == "WomBat"


def test_the_most_telling_kinds_come_first() -> None:
    text = "kilo  = 4711\nlima = 'sea horse'\n# yodel the seperator\n"
    others = ["# the separator\n"] * 6

    kinds = [item.kind for item in evidence(text, text, *others)]

    assert [kind for kind, _ in itertools.groupby(kinds)] == [
        "misspelling",
        "comment",
        "string",
        "number",
        "name",
        "layout",
    ]


def test_of_a_kind_the_rarest_come_first() -> None:
    batch = ["boat\nabba\n"] * 2 + ["boat\n"] + [PLAIN] * 147
    assert [(item.text, item.submissions) for item in evidence(*batch)] == [
        ("abba", 2),
        ("boat", 3),
    ]


# --- misspellings --------------------------------------------------------------------------------


@table("slip", "word")
def test_a_word_one_slip_from_a_common_one_is_a_misspelling(slip: str, word: str) -> None:
    assert slips(slip, word) == [(slip, word)]


@pytest.mark.parametrize(
    ("other", "word"),
    [
        ("form", "from"),
        ("value", "values"),
        ("values", "value"),
        ("word", "work"),
        ("front", "frond"),
        ("lehgnt", "length"),
        ("recve", "receive"),
        ("separate", "separate"),
    ],
    ids=["short", "singular", "plural", "short-wrong", "wrong", "reversed", "two-slips", "same"],
)
def test_another_word_is_not_a_misspelling(other: str, word: str) -> None:
    assert slips(other, word) == []


@table("known", "word")
def test_a_word_that_public_code_has_is_not_a_misspelling(known: str, word: str) -> None:
    assert slips(known, word) == []


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ("brojka", "broja"),
        ("predzadnje", "predzadnja"),
        ("giocatori", "giocatore"),
        ("comparers", "compares"),
        ("Aufgaben", "Aufgabe"),
        ("dcifra", "cifra"),
        ("yspeed", "speed"),
        ("zwrot", "zwort"),
    ],
    ids=["inserted", "last", "plural", "noun", "longer", "first", "prefix", "short"],
)
def test_another_form_of_a_word_in_any_language_is_not_a_misspelling(form: str, word: str) -> None:
    assert slips(form, word) == []


@pytest.mark.parametrize("comments", [1, 2])
def test_a_misspelling_is_rare_whatever_it_stands_in(comments: int) -> None:
    texts = ["lenght = 1\n"] * 2 + ["lenght_of_it = 2\n"] * (comments - 1) + ["# length\n"] * 20
    assert ("misspelling" in [kind for kind, _ in found_in(*texts)]) == (comments == 1)


@pytest.mark.parametrize(("often", "is_slip"), [(4, False), (5, False), (6, True), (7, True)])
def test_a_misspelling_is_at_least_three_times_as_rare(often: int, is_slip: bool) -> None:
    assert slips("lenght", "length", often=often) == [("lenght", "length")] * is_slip


@pytest.mark.parametrize(
    "text",
    ["'the lenght of it'\n", "rowLenght\n", "row_lenght\n", "lenght2\n", "# lenght\n"],
)
def test_words_are_found_in_strings_and_parts_of_names(text: str) -> None:
    items = evidence(text, text, *["maxLength\n"] * 6)
    assert [(item.kind, item.resembles) for item in items] == [("misspelling", "length")]


def test_only_a_misspelling_resembles_something() -> None:
    text = "# wombat lenght\n"
    items = evidence(text, text, *["# length\n"] * 6)
    assert [(item.text, item.resembles) for item in items] == [("lenght", "length"), ("wombat", "")]


# --- where ---------------------------------------------------------------------------------------


def test_lines_are_those_of_the_first_file_that_has_it() -> None:
    left = written(PLAIN, "\nzebra\n", "zebra\n\nzebra\n")
    right = written(PLAIN, PLAIN, PLAIN, "zebra\n")

    (item,) = evidence_on(left, right, document_frequencies([left, right, written(PLAIN)]))

    assert (item.left, item.right) == (Lines(1, (2,)), Lines(3, (1,)))


def test_a_string_over_several_lines_is_where_it_begins() -> None:
    text = '\r\nf(@"one\r\ntwo");\r\n'
    (item,) = evidence(text, text, "f();\n", language="csharp")
    assert (item.text, item.left) == ('@"one\r\ntwo', Lines(0, (2,)))


def test_traces_that_were_taken_away_are_no_evidence() -> None:
    traces = traces_of([(TraceKind.NAME, 7), (TraceKind.NUMBER, 8)])
    own = traces.where(traces.codes == 8)
    submissions = [
        submission_of(document_of(stream_of([1, 2]), text="x1", traces=each))
        for each in (own, own, traces_of([]))
    ]

    items = evidence_on(submissions[0], submissions[1], document_frequencies(submissions))

    assert found(items) == [("number", "1")]


# --- of whole runs -------------------------------------------------------------------------------


def test_a_shared_slip_leads_the_evidence_on_a_pair(tmp_path: Path) -> None:
    copied = QUEUE.replace("First come", "Recieve, then serve; first come")
    honest = {f"{number}.py": f"# receive {number}\n{PRIMES}" for number in range(6)}
    write_files(tmp_path, honest | {"ann.py": copied, "bob.py": f"# mine\n{copied}"})

    pairs = mosslite.check([tmp_path]).pairs

    by_names = {(pair.left.name, pair.right.name): pair.rare_evidence for pair in pairs}
    first = by_names["ann.py", "bob.py"][0]
    assert (first.kind, first.text, first.resembles) == ("misspelling", "Recieve", "receive")
    assert (first.left, first.right) == (Lines(0, (2,)), Lines(0, (3,)))
    assert first.submissions == 2
    assert by_names["0.py", "1.py"] == ()


def test_a_reference_counts_as_a_work_of_the_batch(tmp_path: Path) -> None:
    write_files(tmp_path, {"hw/ann.py": QUEUE, "hw/bob.py": QUEUE, "web/any.py": WORDS})

    (alone,) = mosslite.check([tmp_path / "hw"]).pairs
    (beside,) = mosslite.check([tmp_path / "hw"], reference=[tmp_path / "web"]).pairs

    assert alone.rare_evidence == ()
    assert "Queue" in [item.text for item in beside.rare_evidence]


def test_nothing_of_the_template_is_evidence(tmp_path: Path) -> None:
    odd = "handle  =  4711  # the wombat\nlabel = 'as it was given'\n"
    given = TEMPLATE + odd
    write_files(
        tmp_path,
        {"stub.py": given, "hw/a.py": given + QUEUE, "hw/b.py": given + QUEUE, "hw/c.py": PRIMES},
    )

    (with_base,) = mosslite.check([tmp_path / "hw"], base=[tmp_path / "stub.py"]).pairs
    without_base = mosslite.check([tmp_path / "hw"]).pairs[0]

    texts = [item.text for item in with_base.rare_evidence]
    assert "Queue" in texts
    assert {"wombat", "4711", "as it was given", "handle"}.isdisjoint(texts)
    assert "layout" not in [item.kind for item in with_base.rare_evidence]
    assert {"wombat", "4711", "as it was given"} <= {
        item.text for item in without_base.rare_evidence
    }


DISGUISED = "rоw_cоunter = 1\n"  # noqa: RUF001 - letters that pass for others


def test_words_in_disguise_do_not_count_so_that_counts_of_parts_add_up() -> None:
    plain = "row_counter = 1\n"
    parts = [[written(plain), written(DISGUISED)], [written(DISGUISED), written(plain)]]

    whole = count_traces([*itertools.chain.from_iterable(parts)])

    assert whole.words == {"counter": 2}
    assert sum((count_traces(part).words for part in parts), Counter[str]()) == whole.words
    assert whole.counts.max() == 4  # the name itself is one, however it is written


def test_a_word_in_disguise_misspells_nothing() -> None:
    batch = [written(f"# recounted {number}\n{PLAIN}") for number in range(9)]
    found = document_frequencies([*batch, written("# recоunted\n" + PLAIN)])  # noqa: RUF001

    assert found.meant("recоunted") == ""  # noqa: RUF001
    assert document_frequencies([*batch, written("# recouxted\n")]).meant("recouxted")
