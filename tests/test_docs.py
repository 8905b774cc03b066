"""What the documentation shows is what happens."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.git_repositories import commit, repository

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
# A line of these stands for any number of lines.
ANYTHING = "..."


class Session(NamedTuple):
    """A command and the output that is shown below it."""

    command: str
    shown: str


def sessions_of(page: Path) -> list[Session]:
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.M) if part]
    return [Session(*part.split("\n", 1)) for part in parts]


WITH_SESSIONS = [page for page in PAGES if sessions_of(page)]


def is_shown(printed: str, shown: str) -> bool:
    """Return whether an output is as shown, where a line of dots stands for any lines."""
    pattern = "".join(
        "(?:.*\n)*?" if line == ANYTHING else re.escape(line) + "\n" for line in shown.splitlines()
    )
    return re.fullmatch(pattern, printed) is not None


def make_clones(folder: Path) -> None:
    """Make two repositories: one grew over four days, the other arrived whole on the ninth."""
    text = (ROOT / "samples/python/submissions/fenna.py").read_text("utf-8")
    lines = text.splitlines(keepends=True)
    fenna, tibor = (repository(folder / name) for name in ("fenna", "tibor"))
    for day in (1, 2, 3, 4):
        part = "".join(lines[: len(lines) * day // 4])
        commit(fenna, {"main.py": part}, f"2026-03-0{day} 10:00:00 +0100", f"step {day}")
    other = (ROOT / "samples/python/submissions/tibor.py").read_text("utf-8")
    commit(tibor, {"main.py": other}, "2026-03-09 23:50:00 +0100", "done")


@pytest.mark.parametrize("page", WITH_SESSIONS, ids=lambda page: page.stem)
def test_the_sessions_of_a_page_print_what_they_show(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    if "clones" in page.read_text(encoding="utf-8"):
        if shutil.which("git") is None:
            pytest.skip("git is not installed")
        make_clones(tmp_path / "clones")
    scripts = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{scripts}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "MOSSLITE_CACHE_DIR": str(tmp_path / "cache"),
    }
    for session in sessions_of(page):
        done = subprocess.run(
            ["bash", "-c", re.sub(r"^mosslite ", "python -m mosslite ", session.command)],  # noqa: S607
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

        assert is_shown(done.stdout, session.shown), done.stdout + done.stderr


def test_every_link_to_a_file_leads_to_one() -> None:
    dead = [
        (page.name, target)
        for page in (*PAGES, ROOT / "README.md")
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]

    assert dead == []
