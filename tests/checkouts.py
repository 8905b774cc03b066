"""Copies of the whole tree, and commands in them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def copy_of_all(folder: Path) -> Path:
    copied = folder / "mosslite"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "mosslite-report")
    shutil.copytree(ROOT, copied, ignore=ignored)
    return copied


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],  # noqa: S607
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )
