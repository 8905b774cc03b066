"""What the README shows is what happens."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mosslite.frontends import tokenize
from mosslite.languages import find_language
from mosslite.winnow import kgram_hashes, robust_winnow

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE_BLOCKS = re.findall(r"^```console\n\$ (.*?)\n(.*?)```$", README, re.M | re.S)
PYTHON_BLOCKS = re.findall(r"^```python\n(.*?)```$", README, re.M | re.S)
(MAIN_JOB, SHOWN_OUTPUT), (TEST_COMMAND, _) = CONSOLE_BLOCKS


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Copy what a user gets, without what has been built or run in it."""
    copied = tmp_path / "mosslite"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "mosslite-report")
    shutil.copytree(ROOT, copied, ignore=ignored)
    return copied


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],  # noqa: S607
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )


def test_the_main_job_prints_what_is_shown(checkout: Path) -> None:
    job = MAIN_JOB.split(" && ")[-1].replace(".venv/bin/mosslite", "python -m mosslite")

    done = run(job, checkout)

    assert done.stdout == SHOWN_OUTPUT
    assert (checkout / "mosslite-report" / "index.html").is_file()


@pytest.mark.slow
def test_the_command_of_the_first_screen_sets_up_and_runs_the_main_job(checkout: Path) -> None:
    done = run(MAIN_JOB, checkout)

    assert done.stdout.endswith(SHOWN_OUTPUT), done.stderr


def test_ci_runs_the_test_command_as_it_is_shown() -> None:
    assert TEST_COMMAND in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_python_example_prints_three_pairs(checkout: Path) -> None:
    (example,) = PYTHON_BLOCKS
    (checkout / "example.py").write_text(example, encoding="utf-8")

    done = run("python example.py", checkout)

    assert len(done.stdout.splitlines()) == 3, done.stderr


def test_the_commands_listed_for_use_name_real_options() -> None:
    # What stands in the rows of the table about other tools are their options.
    own = re.sub(r"^\|.*$", "", README, flags=re.M)
    shown = set(re.findall(r"(?<=\s)--?[a-z][a-z-]*", own))
    commands = ("check", "baseline update", "import-moss", "lab density")
    accepted = "".join(run(f"python -m mosslite {each} --help", ROOT).stdout for each in commands)

    not_ours = {"-q", "-e", "-m", "--help"}
    assert {option for option in shown - not_ours if option not in accepted} == set()


def test_the_ten_tokens_of_the_architecture_go_through_all_stages_as_shown() -> None:
    shown = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    python = find_language("python")

    stream, *_ = tokenize("x = f(a, b + 1)", python)
    renamed, *_ = tokenize("result = add(first, second + 25)", python)
    hashes = kgram_hashes(stream.codes, 4)
    digits = [f"{code:016x}"[:3] for code in hashes.tolist()]

    assert len(stream) == 10
    assert stream.codes.tolist() == renamed.codes.tolist()
    assert "   ".join(digits) in shown
    for position in robust_winnow(hashes, 3).tolist():
        assert f"[{digits[position]}, {position}]" in shown
