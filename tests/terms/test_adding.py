"""What goes into an archive of earlier terms: names, options from a file, and a change of mind."""

import csv
import errno
import json
import os
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest

from mosslite.cache import inflate, pack
from mosslite.cli.files import write_key
from mosslite.disk import alone_with
from mosslite.errors import ArchiveError, OutputError
from mosslite.records import Reading, TokenStream, Traces
from mosslite.terms.adding import front_ends
from mosslite.terms.archive import Archive
from tests.conftest import ADD, Run
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, TEMPLATE, WORDS, write_files
from tests.tables import texts_of

NAMELESS = (*ADD, "--anonymize", "key.csv")


@pytest.fixture
def old(tmp_path: Path) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE, "old/bob/Makefile": f"all:\n\t{PRIMES}"})


def names(run: Run) -> list[str]:
    return run("archive", "list", "a.mosslite").out.splitlines()


def key(folder: Path) -> dict[str, str]:
    with (folder / "key.csv").open(encoding="utf-8", newline="") as file:
        return {row["alias"]: row["name"] for row in csv.DictReader(file)}


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("old")
def test_without_names_an_archive_holds_numbers_and_the_key_says_whose_they_are(
    run: Run, tmp_path: Path
) -> None:
    assert run(*NAMELESS, "old").out == "added: 2 submissions to 2025\n"

    assert names(run) == ["2025/Submission 001", "2025/Submission 002"]
    assert set(key(tmp_path)) == set(names(run))
    assert sorted(key(tmp_path).values()) == ["ann.py", "bob"]
    content = (tmp_path / "a.mosslite").read_bytes()
    assert b"ann" not in content
    assert b"Makefile" not in content


@pytest.mark.usefixtures("old")
def test_the_numbers_of_a_term_go_on_and_the_key_is_added_to(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"late/=cid.py": WORDS})
    run(*NAMELESS, "old")
    before = key(tmp_path)

    run(*NAMELESS, "late")

    assert names(run)[-1] == "2025/Submission 003"
    assert key(tmp_path) == {**before, "2025/Submission 003": "'=cid.py"}


@pytest.mark.usefixtures("old")
def test_a_key_that_a_spreadsheet_saved_again_is_added_to(run: Run, tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_bytes(b"\xef\xbb\xbfalias,name\r\n2025/Submission 007,eve\r\n")

    run(*NAMELESS, "old")

    assert names(run) == ["2025/Submission 008", "2025/Submission 009"]
    assert set(key(tmp_path)) == {"2025/Submission 007", *names(run)}


@pytest.mark.usefixtures("old")
def test_a_key_names_whose_work_is_kept_though_several_are_added_at_once(
    run: Run, tmp_path: Path
) -> None:
    texts = {"ann": QUEUE, "ben": PRIMES, "cid": WORDS}
    write_files(tmp_path, {f"{name}.py": text for name, text in texts.items()})
    command = [sys.executable, "-m", "mosslite", *NAMELESS, "-q", "--jobs", "1"]

    adders = [subprocess.Popen([*command, f"{name}.py"], cwd=tmp_path) for name in texts]

    assert [adder.wait(timeout=60) for adder in adders] == [0] * len(texts)
    with Archive(str(tmp_path / "a.mosslite")) as archive:
        kept = {
            f"2025/{each.name}": archive.files_of(each.number)[0].file.text
            for each in archive.submissions()
        }
    assert {alias: kept[alias] for alias in key(tmp_path)} == {
        alias: texts[name.removesuffix(".py")] for alias, name in key(tmp_path).items()
    }
    assert len(kept) == len(texts)


# Adds one submission after the other to the key of another archive.
NUMBERER = texts_of("scripts")["NUMBERER"]


def test_archives_that_share_a_key_lose_no_name_and_share_no_number(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    numberers = [
        subprocess.Popen(
            [sys.executable, "-c", NUMBERER, name],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("ann", "ben", "cid")
    ]
    told = [line for each in numberers for line in each.communicate()[0].splitlines()]

    assert [each.returncode for each in numberers] == [0] * len(numberers)
    heading, *rows = (tmp_path / "key.csv").read_text(encoding="utf-8").splitlines()
    assert heading == "alias,name"
    assert rows == sorted(told)
    assert len(key(tmp_path)) == 30 * len(numberers)
    assert [each.name for each in tmp_path.iterdir()] == ["key.csv"]


@pytest.mark.usefixtures("old")
def test_a_key_that_another_process_is_at_is_waited_for_in_vain(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mosslite.disk._PATIENCE", 0.05)

    with alone_with("key.csv"):
        outcome = run(*NAMELESS, "old")

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        "mosslite: cannot write 'key.csv': another process has locked "
        f"{str(tmp_path / '.mosslite.lock')!r}: try again\n"
    )
    assert sorted(each.name for each in tmp_path.iterdir()) == ["old"]


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked in another way there")
@pytest.mark.usefixtures("old")
def test_where_the_system_cannot_lock_a_key_it_is_said_why(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_file: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("mosslite.disk._PATIENCE", 0.05)
    monkeypatch.setattr("fcntl.flock", refuse)

    outcome = run(*NAMELESS, "old")

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("mosslite: cannot write 'key.csv': ")
    assert "another process" not in outcome.err
    assert sorted(each.name for each in tmp_path.iterdir()) == ["old"]


@pytest.mark.usefixtures("old")
def test_a_check_does_not_write_its_key_over_that_of_an_archive(run: Run, tmp_path: Path) -> None:
    run(*NAMELESS, "old")
    before = key(tmp_path)

    outcome = run("old", "--no-html", "--anonymize", "key.csv")

    assert outcome.code == 2
    assert outcome.err == (
        "mosslite: 'key.csv' contains the key to an archive: give another file\n"
    )
    assert key(tmp_path) == before


@pytest.mark.usefixtures("old")
def test_a_check_does_not_write_over_a_key_that_an_archive_got_while_it_compared(
    run: Run, tmp_path: Path
) -> None:
    run(*NAMELESS, "old")
    before = key(tmp_path)

    with pytest.raises(OutputError, match="contains the key to an archive"):
        write_key("key.csv", "alias,name\nSubmission 001,ann.py\n")

    assert key(tmp_path) == before


@pytest.mark.usefixtures("old")
def test_a_lost_key_restarts_no_numbers(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"late/cid.py": WORDS})
    run(*NAMELESS, "old")
    (tmp_path / "key.csv").unlink()

    run(*NAMELESS, "late")

    assert key(tmp_path) == {"2025/Submission 003": "cid.py"}


@pytest.mark.usefixtures("old")
def test_a_key_is_not_written_over_something_else_or_to_the_screen(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"key.csv": "name,grade\n"})

    assert run(*NAMELESS, "old").err == (
        "mosslite: 'key.csv' exists and is not a key of --anonymize: give another file\n"
    )
    for seen in ("-", "/dev/stdout") if Path("/dev/stdout").is_symlink() else ("-",):
        assert run(*ADD, "--anonymize", seen, "old").err == (
            "mosslite: the key of --anonymize cannot go to standard output: give a file\n"
        )
    assert not (tmp_path / "a.mosslite").exists()


@pytest.mark.usefixtures("old")
def test_a_key_that_is_not_in_utf_8_is_said_to_be_so_in_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_bytes(b"alias,name\n2024/Submission 001,\xe9va\n")

    assert run(*NAMELESS, "old").err == (
        "mosslite: cannot read the key 'key.csv': invalid UTF-8: give another file\n"
    )
    assert not (tmp_path / "a.mosslite").exists()


def test_a_file_without_its_name_is_read_again_in_its_language(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/bob/Makefile": "".join(f"x{n}: y{n}\n\tcc $@\n" for n in range(9))})
    run(*NAMELESS, "old")
    with Archive(str(tmp_path / "a.mosslite")) as archive:
        before = archive.fingerprints_of(1)

    run("archive", "rebuild", "a.mosslite", "-k", "9")
    run("archive", "rebuild", "a.mosslite", "-k", "12")

    with Archive(str(tmp_path / "a.mosslite")) as archive:
        (stored,) = archive.submissions()
        (kept,) = archive.files_of(stored.number)
        assert kept.language == kept.file.language == "make"
        assert archive.fingerprints_of(stored.number).tolist() == before.tolist()


# --- a file with options -------------------------------------------------------------------------


@pytest.mark.usefixtures("old")
def test_options_of_a_course_shape_its_archive_too(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"mosslite.toml": "noise = 9\nshow = 5\n"})

    assert run(*ADD, "old").out == "options from mosslite.toml\nadded: 2 submissions to 2025\n"
    assert "code: k = 9, t = 17\n" in run("archive", "show", "a.mosslite").out
    write_files(tmp_path, {"new/zoe.py": QUEUE_RENAMED})
    assert run("-q", "--no-html", "--archive", "a.mosslite", "new").code == 0


@pytest.mark.usefixtures("old")
def test_a_file_of_options_names_the_archives_of_a_course(run: Run, tmp_path: Path) -> None:
    run("archive", "add", tmp_path / "a.mosslite", "--term", "2025", "old")
    write_files(tmp_path, {"mosslite.toml": 'archive = ["a.mosslite"]\n', "new/zoe.py": QUEUE})

    assert "zoe.py  2025/ann.py  1.000" in run("--no-html", "new").out


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("term", ["", " ", "a\nb"])
@pytest.mark.usefixtures("old")
def test_a_term_has_a_name_of_one_line(run: Run, term: str) -> None:
    assert run("archive", "add", "a.mosslite", "--term", term, "old").err == (
        f"mosslite: term (--term) is {term!r}: give a name such as 2025-autumn\n"
    )


@pytest.mark.usefixtures("old")
def test_other_thresholds_are_refused_before_anything_is_read(run: Run) -> None:
    run(*ADD, "old")

    outcome = run("archive", "add", "a.mosslite", "--term", "2026", "-k", "9", "missing")

    assert outcome.code == 2
    assert outcome.err.startswith("mosslite: archive 'a.mosslite' was built with k = 12 and t = 20")


def test_base_code_stays_out_of_what_is_found_in_an_archive(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"base.py": TEMPLATE, "old/ann.py": TEMPLATE + QUEUE})
    write_files(tmp_path, {"new/zoe.py": TEMPLATE + PRIMES})
    run(*ADD, "-b", "base.py", "old")
    given = ("-q", "--no-html", "--json", "-", "--archive", "a.mosslite", "new")

    assert json.loads(run("-b", "base.py", *given).out)["pairs"] == []
    run("archive", "rebuild", "a.mosslite", "-l", "python")
    again = run("-b", "base.py", "-l", "python", *given)
    assert json.loads(again.out)["pairs"] == []


# --- made anew -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("old")
def test_what_no_option_says_stays_as_it_is_when_an_archive_is_rebuilt(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(*ADD, "-k", "9", "-l", "python", "old")
    before = run("archive", "show", "a.mosslite").out
    monkeypatch.setattr("mosslite.terms.adding.front_ends", lambda: "others")

    assert run("archive", "rebuild", "a.mosslite").out == "rebuilt: 2 submissions\n"

    after = run("archive", "show", "a.mosslite").out
    assert after == before.replace(
        front_ends(),
        "others (not those of this mosslite: run 'mosslite archive rebuild')",
    )


@pytest.mark.usefixtures("old")
def test_one_of_k_and_t_sets_both_when_an_archive_is_rebuilt(run: Run) -> None:
    run(*ADD, "-t", "30", "old")
    run("archive", "rebuild", "a.mosslite", "-k", "10")
    assert (
        "code: k = 10, t = 18\nprose: k = 10, t = 15\n" in run("archive", "show", "a.mosslite").out
    )


def test_tokens_are_kept_where_no_text_is_if_the_user_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"old/ann.py": QUEUE, "more/bob.py": PRIMES, "q.py": QUEUE_RENAMED})
    run(*ADD, "--no-text", "old")
    run(*ADD, "more")
    monkeypatch.setattr("mosslite.terms.adding.front_ends", lambda: "others")

    assert run("archive", "rebuild", "a.mosslite").code == 2
    assert run("archive", "rebuild", "a.mosslite", "--keep-tokens").code == 0

    assert run("query", "a.mosslite", "q.py").out.endswith("100 %  2025/ann.py\n")
    assert run("archive", "verify", "a.mosslite").out == "OK: 2 submissions verified\n"


@pytest.mark.usefixtures("old")
def test_an_add_while_an_archive_is_rebuilt_is_not_lost(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"more/cid.py": WORDS})
    run(*ADD, "old")
    with Archive("a.mosslite", "change") as archive:
        seen, shape = archive.submissions(), archive.shape()
        assert shape is not None
        run(*ADD, "more")
        with pytest.raises(ArchiveError, match="was changed while being read: try again"):
            archive.replace(seen, [], shape)

    assert len(names(run)) == 3


# --- what an archive is made by ------------------------------------------------------------------


def test_packed_readings_are_as_archives_of_this_version_hold_them() -> None:
    # Where this fails, archives need another version, and caches another name of their file.
    none = np.zeros(0, np.int32)
    stream = TokenStream(
        codes=np.array([7, 9, 7], np.uint64),
        lexemes=np.array([1, 2, 3], np.uint64),
        kinds=np.array([0, 1, 0], np.uint8),
        starts=np.array([0, 4, 300], np.int32),
        stops=np.array([3, 5, 301], np.int32),
    )
    traces = Traces(none.astype(np.uint8), none.astype(np.uint64), none, none)

    packed = pack(Reading(stream, traces, is_degraded=False))

    assert blake2b(inflate(packed), digest_size=8).hexdigest() == "3a0743b218ac3194"


@pytest.mark.parametrize("group", ["archive", "baseline", "lab"])
def test_without_a_command_there_is_one_line_that_says_so(run: Run, group: str) -> None:
    assert run(group).err == f"mosslite: missing command; see mosslite {group} --help\n"
