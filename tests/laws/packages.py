"""Packages that real files come from, downloaded by the ordinary clients of their registries.

    python -m tests.laws.packages FOLDER

Nothing is installed; a package that cannot be downloaded is reported, and its languages are left
out.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PACKAGES", "Package", "download"]

# No client takes as long, but one that waits for an answer might.
_MOST_SECONDS: Final = 180


class Package(NamedTuple):
    """A package of a registry: ``pip``, ``npm`` or ``apt``."""

    registry: str
    name: str


PACKAGES: Final = (
    Package("pip", "isal"),
    Package("pip", "jpype1"),
    Package("pip", "maturin"),
    Package("pip", "pycryptodome"),
    Package("pip", "pygments"),
    Package("pip", "pythonnet"),
    Package("npm", "eslint"),
    Package("npm", "rxjs"),
    Package("apt", "bash-completion"),
    Package("apt", "cl-ironclad"),
    Package("apt", "golang-golang-x-crypto-dev"),
    Package("apt", "libmojolicious-perl"),
    Package("apt", "lua-penlight"),
    Package("apt", "php-symfony-console"),
    Package("apt", "ruby-rouge"),
    Package("apt", "slib"),
)


def download(package: Package, folder: Path) -> str:
    """Unpack a package's files to ``folder/NAME``; return what went wrong, if anything did."""
    target = folder / package.name
    with tempfile.TemporaryDirectory() as scratch:
        try:
            _run(_COMMANDS[package.registry](package.name), Path(scratch))
            (archive,) = (each for each in Path(scratch).iterdir() if each.is_file())
            target.mkdir(parents=True, exist_ok=True)
            if archive.suffix == ".deb":
                _run(["dpkg-deb", "-x", str(archive), str(target)], Path(scratch))
            else:
                with tarfile.open(archive) as opened:
                    opened.extractall(target, filter="data")
        except (OSError, ValueError, subprocess.SubprocessError, tarfile.TarError) as error:
            return str(error)
    return ""


def _run(command: Sequence[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=_MOST_SECONDS)


def _pip(name: str) -> list[str]:
    return [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", name, name]


def _npm(name: str) -> list[str]:
    return ["npm", "pack", "--silent", "--ignore-scripts", name]


def _apt(name: str) -> list[str]:
    return ["apt-get", "download", "-qq", name]


_COMMANDS: Final = {"pip": _pip, "npm": _npm, "apt": _apt}


def main() -> None:
    """Download all packages to the folder that the command line names."""
    folder = Path(sys.argv[1])
    for package in PACKAGES:
        error = download(package, folder)
        print(f"{package.registry} {package.name}: {error or 'ok'}", flush=True)


if __name__ == "__main__":
    main()
