"""What people type: outputs that collide, names nearly right, options before the command."""

import os
import re
import select
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.posix import openpty
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, program, write_files
from tests.tables import table

TERMINAL_SECONDS = 60


def results_of(run: Run, tmp_path: Path) -> None:
    files = {"Ann Doe/main.py": QUEUE, "bob/main.py": QUEUE_RENAMED, "cy.py": PRIMES}
    write_files(tmp_path, {f"hw/{name}": text for name, text in files.items()})
    assert run("hw", "--no-html", "-q", "--json", "r.json").code == 0


@pytest.mark.parametrize("other", ["out", "./out", "../{here}/out"])
def test_a_course_writes_no_result_over_another(run: Run, tmp_path: Path, other: str) -> None:
    results_of(run, tmp_path)
    other = other.format(here=tmp_path.name)

    done = run("course", "r.json", "--no-html", "--json", "out", "--csv", other)

    assert done.code == 2
    assert done.err.startswith("mosslite: --json and --csv both write to ")
    assert not (tmp_path / "out").exists()


@table("arguments", "option")
def test_a_folder_does_not_go_to_standard_output(
    run: Run, tmp_path: Path, arguments: str, option: str
) -> None:
    results_of(run, tmp_path)

    done = run(*shlex.split(arguments))

    why = "a folder cannot go to standard output: give a folder"
    assert (done.code, done.err) == (2, f"mosslite: {option} is '-', but {why}\n")
    assert not (tmp_path / "-").exists()


@table("name", "meant")
def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(
    run: Run, tmp_path: Path, name: str, meant: str
) -> None:
    results_of(run, tmp_path)

    for arguments in ((name,), (name, "cy.py"), ("--group", name)):
        done = run("report", "r.json", *arguments)
        assert done.code == 2
        assert done.err.endswith(f"did you mean {meant!r}?\n"), done.err


@pytest.mark.parametrize(
    "options", ["--locale de", "--locale=de", "-q --locale de", "-l python -n 1"]
)
@pytest.mark.parametrize("command", [("check",), ()])
def test_options_can_be_before_the_command(
    run: Run, tmp_path: Path, options: str, command: tuple[str, ...]
) -> None:
    write_files(tmp_path, {"hw/a.py": QUEUE, "hw/b.py": QUEUE})

    before = run(*options.split(), *command, "hw", "--no-html")
    after = run(*command, "hw", "--no-html", *options.split())

    assert before.code == 0
    assert before == after
    assert ("Abgaben" in before.out) == ("de" in options and "-q" not in options)


def test_the_value_of_an_option_and_a_path_are_not_commands(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"hw/a.py": QUEUE, "hw/b.py": QUEUE, "check/c.py": QUEUE})

    assert run("-c", "report", "hw", "--no-html").out.startswith("2 submissions")
    assert run("-n", "0", "check", "hw", "--no-html").out.startswith(
        "2 submissions, one per folder"
    )


@pytest.mark.parametrize(
    "arguments", [("languages",), ("archive", "list", "none"), ("report", "none.json"), ("schema",)]
)
def test_every_command_accepts_the_language_before_it(run: Run, arguments: tuple[str, ...]) -> None:
    plain, german = run(*arguments), run("--locale", "de", *arguments)

    assert german.code == plain.code
    assert "--locale" not in german.err


def test_every_stage_shows_a_sign_of_life_on_a_terminal(tmp_path: Path) -> None:
    write_files(tmp_path, {f"hw/{n:03}.py": program(n, functions=2) for n in range(40)})

    shown = on_terminal(tmp_path, "hw")

    stages = ("reading", "tokenizing", "comparing", "matching", "writing")
    found = [stage for stage in stages if re.search(rf"{stage}\w* [\d,]+ of ", shown)]
    assert len(found) >= 4, shown
    assert "0%" in shown


def on_terminal(folder: Path, *arguments: str) -> str:
    """Return what a run prints on a terminal of its own."""
    ours, theirs = openpty()
    command = [sys.executable, "-m", "mosslite", *arguments]
    process = subprocess.Popen(command, cwd=folder, stdout=theirs, stderr=theirs, stdin=theirs)
    os.close(theirs)
    shown, end = b"", time.monotonic() + TERMINAL_SECONDS
    while time.monotonic() < end:
        if not select.select([ours], [], [], 0.5)[0]:
            continue
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    process.wait(TERMINAL_SECONDS)
    os.close(ours)
    return shown.decode("utf-8", "replace")
