"""Every form and every spelling of one class gives the same submissions with the same names."""

import os
from pathlib import Path

import pytest

from mosslite.records import Batch
from tests.batches import batch_of, hand_in
from tests.exports import within
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, WORDS

CLASS = {
    "ann/main.py": QUEUE,
    "ann/lib/util.py": WORDS,
    "bob/main.py": QUEUE_RENAMED,
    "bob/.idea/run.py": QUEUE,
    "cy.py": PRIMES,
    ".git/config": "[core]\n",
}
READ = {
    "ann": {"main.py": QUEUE, "lib/util.py": WORDS},
    "bob": {"main.py": QUEUE_RENAMED},
    "cy.py": {"cy.py": PRIMES},
}
SUFFIXES = [
    *(".zip", ".jar", ".7z", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz", ".tbz2", ".tar.xz"),
    *(".txz", ".TXZ", ".Tar.Gz", ".ZIP"),
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def write_students(folder: str, suffix: str) -> str:
    """Write a folder in which each student's folder is an archive."""
    for student in ("ann", "bob"):
        own = {name.partition("/")[2]: text for name, text in CLASS.items() if student in name}
        hand_in(f"{folder}/{student}{suffix}", own)
    hand_in(folder, {"cy.py": PRIMES})
    return folder


def contents(batch: Batch) -> dict[str, dict[str, str]]:
    assert batch.skipped == ()
    assert batch.remarks == ()
    return {each.name: {file.name: file.text for file in each.files} for each in batch.submissions}


@pytest.mark.parametrize("suffix", ["", *SUFFIXES])
def test_every_form_of_a_class_gives_the_same_submissions(suffix: str) -> None:
    assert contents(batch_of(hand_in(f"hw{suffix}", CLASS))) == READ
    if suffix:
        assert contents(batch_of(hand_in(f"in/hw{suffix}", within("hw", CLASS)))) == READ
        assert contents(batch_of(write_students("packed", suffix))) == READ


@pytest.mark.parametrize("suffix", ["", *SUFFIXES])
def test_every_form_of_two_sections_gives_the_same_submissions(suffix: str) -> None:
    expected = {f"{lab}/{name}": READ[name] for lab in ("lab1", "lab2") for name in READ}
    for lab in ("lab1", "lab2"):
        hand_in(f"hw/{lab}{suffix}", CLASS)
        hand_in(f"wrapped/{lab}{suffix}", within(lab, CLASS) if suffix else CLASS)
        write_students(f"students/{lab}", suffix or ".zip")
    both = {**within("lab1", CLASS), **within("lab2", CLASS)}

    assert contents(batch_of("hw", each=True)) == expected
    assert contents(batch_of(f"hw/lab1{suffix}", f"hw/lab2{suffix}", each=True)) == expected
    assert contents(batch_of("wrapped", each=True)) == expected
    assert contents(batch_of("students", each=True)) == expected
    assert contents(batch_of(hand_in(f"both{suffix}", both), each=True)) == expected


# The folder that the tests run in is called work, and link leads to it.
SPELLINGS = [
    *("{}", "./{}", "../work/{}", "a/../{}", ".//{}", "./a/.././{}", "{here}/{}", "{here}/a/../{}"),
    *("{here}/../work/{}", "../link/{}", "{here}/../link/./{}"),
]


def spelled(spelling: str, name: str) -> str:
    Path("a").mkdir(exist_ok=True)
    if not os.path.lexists("../link"):
        Path("../link").symlink_to("work")
    return spelling.format(name, here=Path.cwd())


@pytest.mark.skipif(os.name != "posix", reason="links need rights on this system")
@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("form", ["hw", "hw/", "hw/.", "hw//", "hw.zip", "hw.tar.gz", "hw.7z"])
def test_every_spelling_of_a_path_gives_the_same_run(form: str, spelling: str) -> None:
    hand_in(form.rstrip("/."), CLASS)
    path = spelled(spelling, form)
    batch = batch_of(path)

    assert contents(batch) == READ
    plain = batch_of(form)
    shown = [each.path.replace(path.rstrip("/"), form.rstrip("/")) for each in batch.ignored]
    assert shown == [each.path for each in plain.ignored]
    sections = contents(batch_of(path, spelled(spelling, hand_in("lab.zip", CLASS)), each=True))
    assert sections == {f"{lab}/{name}": READ[name] for lab in ("hw", "lab") for name in READ}


@pytest.mark.skipif(os.name != "posix", reason="links need rights on this system")
@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("suffix", ["", "/", ".zip", ".txz"])
def test_every_spelling_of_several_paths_gives_the_same_run(suffix: str, spelling: str) -> None:
    files = {"main.py": QUEUE, "lib/util.py": WORDS, ".idea/run.py": QUEUE}
    names = [f"hw/ann{suffix}", f"hw/bob{suffix}"]
    for name in names:
        hand_in(name.rstrip("/"), files)
    hand_in("hw", {"cy.py": PRIMES})
    paths = [spelled(spelling, name) for name in (*names, "hw/cy.py")]
    read = {"main.py": QUEUE, "lib/util.py": WORDS}

    found = contents(batch_of(*paths))
    assert found == {
        paths[0].rstrip("/"): read,
        paths[1].rstrip("/"): read,
        paths[2]: {paths[2]: PRIMES},
    }
    pattern = spelled(spelling, f"hw/*{suffix.rstrip('/')}")
    assert len(batch_of(pattern).submissions) == (2 if "." in suffix else 3)


@pytest.mark.parametrize("name", ["build.zip", ".hw.zip", "target/hw.zip", ".old/hw.tar.gz"])
def test_ignore_rules_see_only_the_path_inside_a_submission(name: str) -> None:
    assert contents(batch_of(hand_in(name, CLASS))) == READ


def test_the_current_folder_is_recognized_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"hw1-submissions/hw1-{student}/main.py" for student in ("ann", "bob", "cy")]
    hand_in(".", dict.fromkeys(names, QUEUE))
    monkeypatch.chdir("hw1-submissions")
    Path("hw1-ann/sub").mkdir()

    for path in (".", "./", "../hw1-submissions/.", "hw1-ann/..", "hw1-ann/sub/../.."):
        assert [each.name for each in batch_of(path).submissions] == ["ann", "bob", "cy"]
