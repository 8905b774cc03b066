import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import InputError
from mosslite.lab.programs import (
    Program,
    labelled_pairs,
    planted_pairs,
    programs_below,
    with_base,
)
from mosslite.lab.tune import (
    Grid,
    average_precision,
    parameterised_hashes,
    sheet_of_tunings,
    tune,
)
from mosslite.languages import find_language
from tests.conftest import Outcome, Run
from tests.tables import table, texts_of

# Its first page is never there, whoever asks.
UNREADABLE = Path("/proc/self/mem")

PYTHON = find_language("python")
SUMS = texts_of("programs_to_tune")["SUMS"]
WORDS = texts_of("programs_to_tune")["WORDS"]
LOGS = texts_of("programs_to_tune")["LOGS"]
PAIRS = texts_of("programs_to_tune")["PAIRS"]


def write_programs(folder: Path) -> Path:
    folder.mkdir()
    for number, template in enumerate((SUMS, WORDS, LOGS, PAIRS)):
        text = "\n\n".join(template.format(i, "sum" if i % 2 else "all", i) for i in range(2))
        (folder / f"p{number}.py").write_text(text)
    return folder


def program(tokens: str) -> Program:
    """Names are small letters, all else is itself."""
    codes = [1000 if token.islower() else ord(token) for token in tokens]
    is_name = np.array([token.islower() for token in tokens], np.bool_)
    lexemes = np.array([ord(token) for token in tokens], np.uint64)
    return Program("p", tokens, np.array(codes, np.uint64), lexemes, is_name)


# --- p-match -------------------------------------------------------------------------------------


def literal_p_match(left: str, right: str) -> bool:
    """Baker: there is a one-to-one renaming of parameters that makes the strings equal."""
    there: dict[str, str] = {}
    back: dict[str, str] = {}
    for ours, theirs in zip(left, right, strict=True):
        if ours.islower() != theirs.islower():
            return False
        if not ours.islower():
            if ours != theirs:
                return False
        elif there.setdefault(ours, theirs) != theirs or back.setdefault(theirs, ours) != ours:
            return False
    return True


@given(st.text("abcAB", min_size=1, max_size=30), st.integers(1, 5))
def test_parameterised_hashes_are_equal_exactly_where_a_renaming_makes_kgrams_equal(
    tokens: str, k: int
) -> None:
    hashes = parameterised_hashes(program(tokens), k).tolist()
    grams = [tokens[begin : begin + k] for begin in range(len(tokens) - k + 1)]

    assert len(hashes) == len(grams)
    for left, ours in zip(grams, hashes, strict=True):
        for right, theirs in zip(grams, hashes, strict=True):
            assert (ours == theirs) == literal_p_match(left, right)


# --- average precision ---------------------------------------------------------------------------


@given(st.lists(st.integers(0, 5), min_size=1), st.lists(st.integers(0, 5)))
def test_average_precision_is_the_mean_precision_at_each_copy(
    copies: list[int], honest: list[int]
) -> None:
    literal = [
        sum(each >= value for each in copies) / sum(each >= value for each in (*copies, *honest))
        for value in copies
    ]
    found = average_precision([float(each) for each in copies], [float(each) for each in honest])
    assert found == pytest.approx(sum(literal) / len(literal))


def test_without_copies_there_is_no_precision() -> None:
    assert average_precision([], [1.0]) == 0


# --- programs ------------------------------------------------------------------------------------


def test_each_child_of_a_folder_is_a_program_in_its_main_language(tmp_path: Path) -> None:
    folder = write_programs(tmp_path / "work")
    (folder / "both").mkdir()
    for name in ("a.py", "b.py", "c.java", "notes.json"):
        (folder / "both" / name).write_text("x = 1\n")

    ((language, programs),) = programs_below(str(folder), None).items()

    assert language == PYTHON
    assert [each.name for each in programs] == ["both", "p0.py", "p1.py", "p2.py", "p3.py"]
    assert len(programs[0].codes) == 6


def test_too_few_programs_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    with pytest.raises(InputError, match="has fewer than 4 programs in each language"):
        programs_below(str(tmp_path), None)
    with pytest.raises(InputError, match="is not a folder of programs"):
        programs_below(str(tmp_path / "a.py"), None)


def test_planted_copies_stand_behind_the_honest_programs(tmp_path: Path) -> None:
    ((language, programs),) = programs_below(str(write_programs(tmp_path / "work")), None).items()

    planted = planted_pairs(language, programs, copies=2, seed=1)

    assert planted.given == 4
    assert len(planted.honest) == 6
    assert len(planted.copies["verbatim"]) == len(planted.copies["rename"]) == 2
    assert all(left < 4 <= right for left, right in planted.all_copies)
    texts = [each.text for each in planted.programs]
    for name, pairs in planted.copies.items():
        assert all((texts[left] == texts[right]) is (name == "verbatim") for left, right in pairs)


def test_labelled_pairs_are_those_of_the_file(tmp_path: Path) -> None:
    folder = write_programs(tmp_path / "work")
    labels = tmp_path / "pairs.csv"
    labels.write_text("task,a,b,label\n1,p0.py,p1.py,1\n1,p0.py,p2.py,0\n")

    (labelled,) = labelled_pairs(str(folder), str(labels), None)

    assert labelled.copies == {"labelled": ((0, 1),)}
    assert labelled.honest == ((0, 2),)


@pytest.mark.parametrize("copy", ["1", " 1", "yes", "YES", "true", "True "])
@pytest.mark.parametrize("honest", ["0", "no", "No", " FALSE"])
def test_labels_are_read_as_people_and_spreadsheets_write_them(
    tmp_path: Path, copy: str, honest: str
) -> None:
    folder = write_programs(tmp_path / "work")
    labels = tmp_path / "pairs.csv"
    rows = f"p0.py, p1.py,{copy}\n./p1.py,p0.py,{copy}\n,,\n\np0.py,p2.py,{honest}\n"
    labels.write_text(f"a, b,label\n{rows}", encoding="utf-8-sig")

    (labelled,) = labelled_pairs(str(folder), str(labels), None)

    assert labelled.copies == {"labelled": ((0, 1),)}
    assert labelled.honest == ((0, 2),)


@table("content", "message")
def test_labels_that_cannot_be_used_are_reported(
    tmp_path: Path, content: str, message: str
) -> None:
    folder = write_programs(tmp_path / "work")
    (tmp_path / "pairs.csv").write_text(content)
    with pytest.raises(InputError, match=message):
        labelled_pairs(str(folder), str(tmp_path / "pairs.csv"), None)
    (tmp_path / "pairs.csv").write_bytes(b"a,b,label\n\xff,,\n")
    with pytest.raises(InputError, match="cannot be read as CSV"):
        labelled_pairs(str(folder), str(tmp_path / "pairs.csv"), None)
    with pytest.raises(InputError, match="missing' cannot be read: no such file or directory"):
        labelled_pairs(str(folder), str(tmp_path / "missing"), None)


# --- tuning --------------------------------------------------------------------------------------


def test_copies_are_found_at_every_k_and_honest_pairs_at_small_ones_only(tmp_path: Path) -> None:
    ((language, programs),) = programs_below(str(write_programs(tmp_path / "work")), None).items()
    planted = planted_pairs(language, programs, copies=4, seed=1)

    tuning = tune(planted, Grid((2, 6, 12), (4, 8), 4))

    small, middle, large, wide = tuning["settings"]
    assert [(each["k"], each["t"], each["w"]) for each in tuning["settings"]] == [
        *((2, 5, 4), (6, 9, 4), (12, 15, 4), (6, 13, 8)),
    ]
    assert small["outcome"]["honest_sharing"] > large["outcome"]["honest_sharing"] == 0
    assert large["outcome"]["copies_sharing"] == large["outcome"]["recall"] == 1
    assert large["outcome"]["precision"] == large["outcome"]["average_precision"] == 1
    assert wide["fingerprints"] < middle["fingerprints"]
    assert tuning["steepest"] is not None
    assert middle["density"] == pytest.approx(2 / 5, rel=0.2)
    kept = {(each["disguise"], each["k"]): each["shared"] for each in tuning["robustness"]}
    assert kept["verbatim", 12] == kept["rename", 12] == 1
    assert kept["all of these", 12] < kept["all of these", 2] < 1


def test_every_setting_tried_is_reported(tmp_path: Path) -> None:
    folder = str(write_programs(tmp_path / "work"))
    ((language, programs),) = programs_below(folder, None).items()
    planted = planted_pairs(language, programs, copies=1, seed=1)
    told: list[tuple[int, int]] = []
    tune(planted, Grid((4, 8), (5, 9), 10), progress=lambda _, *steps: told.append(steps))
    assert told == [(step, 5) for step in range(1, 6)]


def test_what_was_handed_out_and_what_many_have_is_not_shared(tmp_path: Path) -> None:
    folder = write_programs(tmp_path / "work")
    shared = (folder / "p0.py").read_text()
    for path in folder.iterdir():
        path.write_text(path.read_text() + "\n\n" + shared)
    (tmp_path / "base.py").write_text(shared)
    ((language, programs),) = programs_below(str(folder), None).items()
    planted = planted_pairs(language, programs, copies=1, seed=1)
    based = with_base(planted, [str(tmp_path / "base.py")])

    free, common, base = (
        tune(labelled, Grid((12,), (1,), most))["settings"][0]["outcome"]["honest_sharing"]
        for labelled, most in ((planted, 4), (planted, 3), (based, 4))
    )

    assert free == 1
    assert common < 1
    assert base < 1


def test_base_code_that_is_not_a_program_is_reported(tmp_path: Path) -> None:
    ((language, programs),) = programs_below(str(write_programs(tmp_path / "work")), None).items()
    planted = planted_pairs(language, programs, copies=1, seed=1)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="is not a program"):
        with_base(planted, [str(tmp_path / "empty")])


def test_the_sheet_has_three_tables_and_two_plots_for_each_language(tmp_path: Path) -> None:
    ((language, programs),) = programs_below(str(write_programs(tmp_path / "work")), None).items()
    tuning = tune(planted_pairs(language, programs, copies=1, seed=1), Grid((3, 4), (2,), 9))
    sheet = sheet_of_tunings({"source": "work", "languages": [tuning, tuning]})

    assert len(sheet.tables) == 6
    assert len(sheet.plots) == 4
    assert "'one constant, k + 1' works as well as p-match" in sheet.tables[2].note


def test_the_command_tunes_a_folder_and_repeats_itself(run: Run, tmp_path: Path) -> None:
    write_programs(tmp_path / "work")
    arguments = ("lab", "tune", "work", "-k", "4", "-k", "8", "-w", "3", "--copies", "2")

    once, again = (run(*arguments, "--json", "-").out for _ in range(2))

    assert once == again
    (tuned,) = json.loads(once)["languages"]
    assert [each["k"] for each in tuned["settings"]] == [4, 8]
    assert run(*arguments, "-q", "--plots", "plots", "--csv", "t.csv").code == 0


def test_the_command_takes_labels_base_code_and_a_clock(run: Run, tmp_path: Path) -> None:
    write_programs(tmp_path / "work")
    (tmp_path / "pairs.csv").write_text("a,b,label\np0.py,p1.py,1\np0.py,p2.py,0\n")
    arguments = ("--labels", "pairs.csv", "-b", "work/p3.py", "--speed", "-k", "4", "-w", "3")

    (tuned,) = json.loads(run("lab", "tune", "work", *arguments, "--json", "-").out)["languages"]

    assert tuned["settings"][0]["microseconds"] > 0
    assert tuned["copies"] == 1


@pytest.mark.skipif(not UNREADABLE.exists(), reason="has no file that nobody can read")
def test_a_program_that_cannot_be_read_is_reported_in_one_line(run: Run, tmp_path: Path) -> None:
    (write_programs(tmp_path / "work") / "new.py").symlink_to(UNREADABLE)
    outcome: Outcome = run("lab", "tune", "work")
    assert outcome.err == "mosslite: 'work/new.py' cannot be read: input/output error\n"
    assert outcome.code == 2


def test_the_command_says_in_one_line_what_is_wrong(run: Run) -> None:
    outcome: Outcome = run("lab", "tune", "missing")
    assert outcome.err == "mosslite: 'missing' does not exist\n"
    assert outcome.code == 2
