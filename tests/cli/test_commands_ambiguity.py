"""Files that students call like options."""

import glob
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.commands import refusal
from tests.conftest import Outcome, Run
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files
from tests.tables import table

ROOT: Final = Path(__file__).parents[2]

# As they come of patterns such as * and *.py, in whatever order.
NAMES: Final = (
    *("--base=ann.py", "--exclude=ann.py", "--no-config", "--config=ann.py", "--output=ann.py"),
    *("-bann.py", "-b", "-q", "-x", "-qx", "-n0", "-n", "-lc", "-lpython", "-j1", "-d", "-o.py"),
    *("--quiet", "--list", "--help", "-h", "--version", "--unknown.py", "-.py", "-1", "---"),
    *("--prior", "--fail-above=100", "--json=ann.py", "-\N{SNOWMAN}"),
)


@pytest.fixture(autouse=True)
def copies(tmp_path: Path) -> None:
    write_files(tmp_path, {"ann.py": QUEUE, "bob.py": QUEUE_RENAMED, "cy.py": PRIMES})


def expanded(run: Run, arguments: str) -> Outcome:
    """Run a command line as a shell does, in which the pattern is expanded."""
    words = [
        sorted(glob.glob(each)) if "*" in each else [each]  # noqa: PTH207 - as a shell does it
        for each in shlex.split(arguments)
    ]
    return run(*(each for word in words for each in word))


def doubt(name: str) -> Outcome:
    return refusal(
        f"{name!r} is both an option and the name of a file here: put '--' between options and "
        f"paths, or write paths with their folder, as in {f'./{name}'!r}"
    )


@table("arguments")
def test_an_option_that_is_a_file_too_is_refused(run: Run, tmp_path: Path, arguments: str) -> None:
    for name in NAMES:
        (tmp_path / name).write_text(QUEUE, encoding="utf-8")
        assert expanded(run, arguments) == doubt(name)
        (tmp_path / name).unlink()


@pytest.mark.parametrize("name", ["-q", "--base=ann.py"])
@pytest.mark.parametrize("kind", ["folder", "link", "file in a folder"])
def test_whatever_has_the_name_is_a_file(run: Run, tmp_path: Path, name: str, kind: str) -> None:
    if kind == "link":
        (tmp_path / name).symlink_to("gone")
    else:
        write_files(tmp_path, {f"{name}/main.py": QUEUE})
    pattern, said = ("*", name) if kind != "file in a folder" else ("*/*.py", f"{name}/main.py")
    assert expanded(run, f"check {pattern}") == doubt(said)


@pytest.mark.parametrize("arguments", ["--list -- *", "check --list -- *", "check --list ./*"])
def test_behind_two_hyphens_and_with_a_folder_every_name_is_that_of_a_file(
    run: Run, tmp_path: Path, arguments: str
) -> None:
    names = set(NAMES) - {"--list"}
    for name in names:
        (tmp_path / name).write_text(QUEUE, encoding="utf-8")
    outcome = expanded(run, arguments)
    assert outcome.code == 0
    for name in names:
        assert f" {'./' if './' in arguments else ''}{name}" in outcome.out


@pytest.mark.parametrize(
    "arguments", ["check -q --json - --no-html -- *.py", "-q --json=- --no-html -- *.py"]
)
def test_options_before_two_hyphens_are_the_users_own(
    run: Run, tmp_path: Path, arguments: str
) -> None:
    for name in ("-q", "--json=-", "--no-html", "--json"):
        (tmp_path / name).write_text(QUEUE, encoding="utf-8")
    outcome = expanded(run, arguments)
    assert (outcome.code, outcome.err) == (0, "")
    assert len(json.loads(outcome.out)["submissions"]) == 3


def test_a_file_that_is_called_like_the_end_of_options_ends_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "--").write_text(QUEUE, encoding="utf-8")
    message = (
        "'--' is both an option and the name of a file here: write paths with their folder, as in"
    )
    for arguments in ("check *", "check -- *.py", "*"):
        assert expanded(run, arguments) == refusal(f"{message} './--'")
    assert "./--: " in expanded(run, "check --list ./*").out


def test_a_hyphen_alone_is_not_an_option(run: Run, tmp_path: Path) -> None:
    (tmp_path / "-").write_text(QUEUE, encoding="utf-8")
    outcome = run("ann.py", "bob.py", "--no-html", "-q", "--json", "-")
    assert json.loads(outcome.out)["pairs"]


@pytest.mark.skipif(sys.platform == "win32", reason="cmd expands no patterns")
def test_a_shell_brings_the_name_of_a_file_as_an_option(tmp_path: Path) -> None:
    (tmp_path / "--base=ann.py").write_text(PRIMES, encoding="utf-8")
    command = f"{shlex.quote(sys.executable)} -I -m mosslite check --fail-above 80 *.py"
    done = subprocess.run(
        ["sh", "-c", command],  # noqa: S607
        cwd=tmp_path, check=False, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (2, "", doubt("--base=ann.py").err)


def test_the_examples_put_two_hyphens_before_patterns() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    help_text = (ROOT / "mosslite" / "cli" / "check.py").read_text(encoding="utf-8")
    examples = re.findall(r"^ {4,6}(mosslite [^#\n]*)", readme + help_text, flags=re.MULTILINE)
    with_patterns = [each for each in examples if re.search(r"\s[^'\s]*\*", each)]
    assert len(with_patterns) == 3
    assert all(" -- " in each for each in with_patterns)
