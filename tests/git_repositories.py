"""Real git repositories for tests, made by the git program, and hostile ones made by hand."""

import hashlib
import os
import shutil
import subprocess
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

QUIET = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
}


def git(
    folder: Path,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    stdin: BinaryIO | None = None,
) -> str:
    """Run git in a folder, without the machine's configuration."""
    environment = {**os.environ, **QUIET, **(env or {})}
    command = [shutil.which("git") or "git", *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        stdin=stdin,
    )
    return done.stdout.strip()


def repository(folder: Path) -> Path:
    """Begin a repository in a new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    return folder


def commit(folder: Path, files: Mapping[str, str], date: str, message: str = "work") -> str:
    """Commit files at a date, and return the commit's id."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "-A")
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    git(folder, "commit", "-q", "--allow-empty", "-m", message, env=dates)
    return git(folder, "rev-parse", "HEAD")


def place_object(git_folder: Path, kind: str, content: bytes, *, name: str = "") -> str:
    """Write a loose object, under its own name or a false one, and return that."""
    raw = f"{kind} {len(content)}\0".encode() + content
    name = name or hashlib.sha1(raw, usedforsecurity=False).hexdigest()
    path = git_folder / "objects" / name[:2] / name[2:]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(zlib.compress(raw))
    return name
