import errno
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.commands import refusal
from tests.conftest import Outcome, Run
from tests.programs import PRIMES, QUEUE, WORDS, write_files
from tests.tables import table

SHOW = ("-q", "--no-html", "--json", "-")
WRONG = "nothing = right"


@pytest.fixture(autouse=True)
def copies(tmp_path: Path) -> None:
    """A folder of two copies, with a place for options beside it."""
    write_files(tmp_path, {"hw/a.py": QUEUE, "hw/b.py": QUEUE})


def options_of(run: Run, *arguments: str | Path) -> dict[str, Any]:
    """Return the options of a run as its JSON result names them."""
    outcome = run(*arguments, *SHOW)
    options: dict[str, Any] = json.loads(outcome.out)["options"]
    said = f"options from {options['config']}\n" if "config" in options else ""
    assert (outcome.code, outcome.err) == (0, said)
    return options


# What a file can say


def test_a_file_beside_the_batch_gives_options_and_the_first_line_names_it(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"mosslite.toml": 'comment = "Sheet 1"\nno-html = true\nshow = 3\n'})
    first, second, *_ = run("hw").out.splitlines()
    assert first == "options from mosslite.toml"
    assert second.startswith("2 submissions, ")
    assert not (tmp_path / "mosslite-report").exists()
    options = options_of(run, "hw")
    assert (options["comment"], options["show"]) == ("Sheet 1", 3)


@pytest.mark.parametrize("text", ["no-html = true", "no-html = true\nquiet = true"])
def test_the_line_that_names_the_file_keeps_off_results_and_is_never_hidden(
    run: Run, tmp_path: Path, text: str
) -> None:
    write_files(tmp_path, {"mosslite.toml": text})
    outcome = run("hw", "--json", "-")
    assert json.loads(outcome.out)["format"] == 1
    assert outcome.err.startswith("options from mosslite.toml\n")
    assert run("hw", "-q") == Outcome(0, "", "options from mosslite.toml\n")
    added = run("archive", "add", "a.mosslite", "--term", "1", "-q", "hw")
    assert added == Outcome(0, "", "options from mosslite.toml\n")


def test_the_command_line_wins(run: Run, tmp_path: Path) -> None:
    text = 'show = 3\ncomment = "file"\nbase = ["gone.py"]\n'
    write_files(tmp_path, {"mosslite.toml": text, "base.py": WORDS})
    options = options_of(run, "hw", "-n", "4", "-b", "base.py")
    assert (options["show"], options["comment"]) == (4, "file")


def test_a_table_of_pyproject_serves_as_well(run: Run, tmp_path: Path) -> None:
    text = '[project]\nname = "course"\n[tool.mosslite]\nshow = 3\n'
    write_files(tmp_path, {"pyproject.toml": text})
    assert options_of(run, "hw")["show"] == 3
    assert run("hw", "--no-html").out.startswith("options from pyproject.toml\n")


def test_a_file_of_our_own_goes_before_pyproject(run: Run, tmp_path: Path) -> None:
    write_files(
        tmp_path, {"pyproject.toml": "[tool.mosslite]\nshow = 3", "mosslite.toml": "jobs=1"}
    )
    assert options_of(run, "hw")["show"] is None


def test_every_kind_of_option_can_be_set(run: Run, tmp_path: Path) -> None:
    text = """
        language = "python"
        directories = false
        base = ["base.py"]
        prior = []
        max-file-size = "2M"
        max-unpacked = 1000000
        time-limit = 3
        fail-above = 99.5
        attempts = "all"
        layout = "plain"
        exclude = ["*.txt"]
        encoding = "utf-8"
        markdown-cells = true
        json = "out/x.json"
        quiet = true
        output = "out/html"
    """
    write_files(tmp_path, {"mosslite.toml": text, "base.py": WORDS, "out/note": ""})
    assert run("hw") == Outcome(1, "", "options from mosslite.toml\n")
    assert json.loads((tmp_path / "out" / "x.json").read_text())["options"]["language"] == "python"
    assert (tmp_path / "out" / "html" / "index.html").is_file()


def test_patterns_of_a_file_keep_its_order_and_those_of_the_command_line_replace_them(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {f"hw/ann/{name}.py": QUEUE for name in ("x", "y", "z")})

    def files_read(text: str, *arguments: str) -> list[str]:
        write_files(tmp_path, {"mosslite.toml": text})
        lines = run("hw", "--list", *arguments).out.splitlines()
        return [line.split(".py")[0].strip() for line in lines if line.startswith("  ")]

    assert files_read("") == ["x", "y", "z"]
    assert files_read('exclude = ["[xy].py"]\ninclude = ["x.py"]') == ["x", "z"]
    assert files_read('include = ["[xy].py"]\nexclude = ["x.py"]') == ["y"]
    assert files_read('patterns = ["[xy].py", "!x.py"]') == ["x", "z"]
    assert files_read('patterns = ["[xy].py", "!x.py"]', "--exclude", "z.py") == ["x", "y"]


def test_paths_in_a_file_are_relative_to_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'base = ["given/*.py"]\nprior = ["old"]\njson = "x.json"\nno-html = true\n'
    files = {"mosslite.toml": text, "hw/a.py": QUEUE + PRIMES, "hw/b.py": QUEUE + PRIMES}
    course = tmp_path / "term [1]"
    write_files(course, files | {"given/base.py": PRIMES, "old/c.py": WORDS})
    named = ("--config", str(course / "mosslite.toml"))
    for here, words in ((tmp_path, ("term [1]/hw", *named)), (course, ("hw",))):
        monkeypatch.chdir(here)
        assert run(*words).code == 0
        result = json.loads((course / "x.json").read_text())
        assert len(result["options"]["base"]) == 1
        assert len(result["submissions"]) == 3
        (course / "x.json").unlink()


# Where it is looked for


@pytest.mark.parametrize("batch", ["course/hw", "course/h*", "course/export.zip", "course/hw/"])
def test_it_is_looked_for_in_the_current_folder_alone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: str
) -> None:
    write_files(tmp_path / "course", {"hw/a.py": QUEUE, "hw/b.py": QUEUE, "mosslite.toml": WRONG})
    with zipfile.ZipFile(tmp_path / "course" / "export.zip", "w") as archive:
        archive.writestr("a.py", QUEUE)
        archive.writestr("b.py", QUEUE)
    assert options_of(run, batch)["show"] is None
    write_files(tmp_path, {"mosslite.toml": "show = 4"})
    assert options_of(run, batch)["show"] == 4
    monkeypatch.chdir(tmp_path / "course" / "hw")
    assert options_of(run, ".")["show"] is None


def test_a_file_can_be_named_and_none_can_be_asked_for(run: Run, tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "mosslite.toml": WRONG,
            "deep/own.toml": "show = 3",
            "deep/pyproject.toml": "[tool.mosslite]\nshow = 4",
        },
    )
    assert options_of(run, "hw", "--config", "deep/own.toml")["show"] == 3
    assert options_of(run, "hw", "--config", "deep/pyproject.toml")["show"] == 4
    assert options_of(run, "hw", "--no-config")["show"] is None
    assert run("hw", "--help").code == 0


# What is wrong with a file


@table("text", "message")
def test_a_wrong_key_or_value_is_explained(
    run: Run, tmp_path: Path, text: str, message: str
) -> None:
    write_files(tmp_path, {"mosslite.toml": text})
    assert run("hw") == refusal(message)


def test_one_value_is_a_list_of_one_and_numbers_may_be_in_quotes(run: Run, tmp_path: Path) -> None:
    text = 'base = "base.py"\nshow = "3"\ncomment = 2026-01-01\n'
    write_files(tmp_path, {"mosslite.toml": text, "base.py": WORDS})
    options = options_of(run, "hw")
    assert (options["base"], options["show"]) == (["base.py"], 3)
    assert options["comment"] == "2026-01-01"


def test_a_value_that_means_nothing_is_refused_as_on_the_command_line(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"mosslite.toml": "noise = 0"})
    outcome = run("hw")
    assert (outcome.code, outcome.out) == (2, "options from mosslite.toml\n")
    assert outcome.err == "mosslite: noise threshold (-k) is 0: it must be at least 1\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"show 3", "cannot read options from 'mosslite.toml': invalid TOML: expected '='"),
        (
            b"show = 3\nshow = 4",
            "cannot read options from 'mosslite.toml': invalid TOML: cannot overwrite",
        ),
        (b"x = " + b"[" * 100_000, "cannot read options from 'mosslite.toml': invalid TOML: "),
        (
            b"show = " + b"9" * 5000,
            "cannot read options from 'mosslite.toml': invalid TOML: exceeds the limit",
        ),
        (b"\xff\xfes\0h\0", "cannot read options from 'mosslite.toml': invalid UTF-8 at byte 0"),
        (b'x = "caf\xe9"', "cannot read options from 'mosslite.toml': invalid UTF-8 at byte 8"),
        (b"#" * (1 << 20) + b"\n", "cannot read options from 'mosslite.toml': it is larger than"),
    ],
)
def test_a_file_that_is_no_toml_is_explained_in_one_line(
    run: Run, tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "mosslite.toml").write_bytes(content)
    outcome = run("hw")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"mosslite: {message}")
    assert outcome.err.count("\n") == 1


def test_a_file_that_cannot_be_read_is_explained(run: Run, tmp_path: Path) -> None:
    missing = os.strerror(errno.ENOENT).lower()
    assert run("hw", "--config", "x.toml") == refusal(
        f"cannot read options from 'x.toml': {missing}"
    )
    assert run("hw", "--config", "hw") == refusal(
        "cannot read options from 'hw': it is not a regular file"
    )
    (tmp_path / "mosslite.toml").symlink_to("gone")
    assert run("hw") == refusal(f"cannot read options from 'mosslite.toml': {missing}")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert run("hw", "--config", "pipe") == refusal(
            "cannot read options from 'pipe': it is not a regular file"
        )


def test_a_named_pyproject_must_have_our_table(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"pyproject.toml": "", "x/pyproject.toml": "[tool]\nmosslite = 3"})
    assert run("hw", "--config", "pyproject.toml") == refusal(
        "'pyproject.toml' has no table [tool.mosslite]: put the options there"
    )
    assert run("hw", "--config", "x/pyproject.toml") == refusal(
        "tool.mosslite in 'x/pyproject.toml' is not a table: write [tool.mosslite]"
    )


def test_hostile_text_in_a_file_is_shown_as_escapes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a\x1b[2J.toml").write_text('"\\u001b[2J\\u202e\\n" = 3')
    outcome = run("hw", "--config", "a\x1b[2J.toml")
    assert outcome.err.count("\n") == 1
    assert outcome.err.rstrip("\n").isprintable()
    (tmp_path / "a\x1b[2J.toml").write_text("show = 3")
    first = run("hw", "--no-html", "--config", "a\x1b[2J.toml").out.splitlines()[0]
    assert first == r"options from a\x1b[2J.toml"


@pytest.mark.parametrize("text", ["", '[project]\nname = "x"', "[tool.ruff]", "tool = 3"])
def test_a_pyproject_without_our_table_is_as_none(run: Run, tmp_path: Path, text: str) -> None:
    write_files(tmp_path, {"pyproject.toml": text})
    assert run("hw", "--no-html").out.startswith("2 submissions, ")


def test_one_file_and_no_file_contradict_each_other(run: Run) -> None:
    assert run("hw", "--config", "x.toml", "--no-config") == refusal(
        "--config and --no-config cannot be used together: remove one of them"
    )
