import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from mosslite.lab.programs import Program, labelled_pairs
from mosslite.lab.rankers import RANKERS, Comparison, Parameters, units_of, word_closeness
from mosslite.languages import Language, find_language
from tests.conftest import Run

FIVE_SYMBOLS = ([1, 2, 3], [2, 3, 4, 5])


def program(symbols: list[int], *, names: frozenset[int] = frozenset(), text: str = "") -> Program:
    """Return a program of these symbols; those that are names are one symbol to the engine."""
    lexemes = np.array(symbols, np.uint64)
    is_name = np.isin(lexemes, np.array(sorted(names), np.uint64))
    codes = np.where(is_name, np.uint64(0), lexemes).astype(np.uint64)
    return Program("x", text, codes, lexemes, is_name)


def ranked(ranker: str, *programs: Program, k: int = 1, n: int = 9, most_sharing: int = 9) -> float:
    """Return what a ranker says of the first two programs, with a window of 1."""
    comparison = Comparison("", programs, Parameters(k, 1, n, most_sharing))
    (value,) = RANKERS[ranker](comparison, [(0, 1)])
    return value


def test_cops_compares_sentences_of_prose_and_lines_of_programs_without_their_blanks() -> None:
    assert units_of("One two. Three!  Four five?", is_prose=True) == {"Onetwo", "Three", "Fourfive"}
    assert units_of("a = 1\n\n  b.c (a)\n", is_prose=False) == {"a=1", "b.c(a)"}

    left, right = program([], text="a\nb\nc"), program([], text=" b\nc \nd\ne")
    assert ranked("COPS: sentences or lines", left, right) == pytest.approx(2 / 3)


def test_scam_sums_up_the_words_of_which_frequencies_are_close() -> None:
    # Of a, 2 / 2 + 2 / 2 < 2.5; of b, 1 / 2 + 2 / 1 is not. 2 * 2 of 2 * 2 + 1 * 1.
    assert word_closeness({"a": 2, "b": 1}, {"a": 2, "b": 2, "c": 1}) == pytest.approx(4 / 5)
    # A subset of a longer text is all there: 1 of 1, though it is 1 of 1 + 4 the other way.
    assert word_closeness({"a": 1}, {"a": 1, "b": 2}) == 1
    assert word_closeness({}, {"a": 1}) == 0

    left, right = program([], text="a a b"), program([], text="a, b b: a c")
    assert ranked("SCAM: frequencies of words", left, right) == pytest.approx(4 / 5)


@pytest.mark.parametrize(
    ("ranker", "expected"),
    [
        ("0 mod p (Manber)", 2 / 3),  # with p = 1, two of the three
        ("containment (Broder)", 2 / 3),
        ("resemblance (Broder)", 2 / 5),
        ("n smallest (Heintze)", 2 / 9),
        ("winnowing (MOSS' count)", 2),
        ("p-match (Baker)", 2 / 3),
    ],
)
def test_rankers_of_kgrams_count_what_two_programs_share(ranker: str, expected: float) -> None:
    left, right = map(program, FIVE_SYMBOLS)

    assert ranked(ranker, left, right) == pytest.approx(expected)
    assert ranked(ranker, right, left) == pytest.approx(expected)


def test_the_smallest_hashes_are_a_sample_of_all() -> None:
    symbols = list(range(100))
    left, right = program(symbols), program(symbols[50:])

    shares = [ranked("resemblance (Broder)", left, right, n=n) for n in (10, 100)]

    assert shares[1] == pytest.approx(0.5)
    assert round(10 * shares[0]) == pytest.approx(10 * shares[0])


def test_0_mod_p_keeps_about_one_of_p_hashes() -> None:
    symbols = list(range(1000))
    comparison = Comparison("", [program(symbols)] * 2, Parameters(1, 9, 9, 9))

    assert RANKERS["0 mod p (Manber)"](comparison, [(0, 1)]) == [1.0]


def test_moss_counts_nothing_that_too_many_programs_have() -> None:
    programs = [program([1, 2, 3]), program([1, 2, 4]), program([1, 5, 6])]

    assert ranked("winnowing (MOSS' count)", *programs, most_sharing=3) == 2
    assert ranked("winnowing (MOSS' count)", *programs, most_sharing=2) == 1


def test_a_p_match_is_one_to_one_renaming_and_no_other() -> None:
    names = frozenset({7, 8, 9})
    left = program([7, 1, 8, 1, 7], names=names)
    renamed, merged = (
        program([8, 1, 9, 1, 8], names=names),
        program([8, 1, 9, 1, 9], names=names),
    )

    assert ranked("p-match (Baker)", left, renamed, k=5) == 1
    assert ranked("p-match (Baker)", left, merged, k=5) == 0
    assert ranked("containment (Broder)", left, merged, k=5) == 1


def test_empty_programs_share_nothing() -> None:
    for ranker in RANKERS:
        if ranker != "mosslite's score":
            assert ranked(ranker, program([]), program([])) == 0


def test_every_ranker_is_measured_on_every_set(run: Run, labelled_set: Path) -> None:
    other = labelled_set.with_name("other")
    shutil.copytree(labelled_set, other)

    outcome = run("lab", "rank", "class", "other", "--json", "found.json")

    found = json.loads(Path("found.json").read_text(encoding="utf-8"))
    assert outcome.code == 0
    assert found["sets"] == ["class", "other"]
    assert (found["copies"], found["honest"]) == (4, 26)
    assert [each["ranker"] for each in found["ranked"]] == [*RANKERS] * 2
    ours = [each for each in found["ranked"] if each["ranker"] == "mosslite's score"]
    assert [(each["within"], each["pooled"], each["recall"]) for each in ours] == [(1, 1, 1)] * 2
    assert outcome.out.count("mosslite's score") == 3


def values_of(folder: Path, language: Language | None) -> dict[str, list[float]]:
    """Return what each ranker says of the pairs of a set."""
    files = str(folder / "files")
    (task,) = labelled_pairs(files, str(folder / "pairs.csv"), language, by_task=True)
    comparison = Comparison(files, task.programs, Parameters(12, 9, 100, 10), language)
    pairs = [*task.all_copies, *task.honest]
    return {name: ranker(comparison, pairs) for name, ranker in RANKERS.items()}


def test_the_language_asked_for_is_that_of_every_ranker(labelled_set: Path) -> None:
    renamed = labelled_set.with_name("renamed")
    shutil.copytree(labelled_set, renamed)
    for path in list((renamed / "files").iterdir()):
        path.rename(path.with_suffix(".adb"))
    labels = (labelled_set / "pairs.csv").read_text(encoding="utf-8")
    (renamed / "pairs.csv").write_text(labels.replace(".java", ".adb"), encoding="utf-8")

    detected, asked = values_of(labelled_set, None), values_of(renamed, find_language("java"))

    assert asked == detected
    others = values_of(renamed, None)
    assert others["mosslite's score"] != asked["mosslite's score"]


def test_a_set_without_labels_is_an_error_of_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "class" / "files").mkdir(parents=True)

    outcome = run("lab", "rank", "class")

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert "pairs.csv" in outcome.err
