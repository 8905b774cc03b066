"""Packages that real files come from, downloaded by the ordinary clients of their registries.

    python -m tests.laws.packages FOLDER

Nothing is installed; a package that cannot be downloaded is reported, and its languages are left
out.
"""

import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

# No client takes as long, but one that waits for an answer might.
_MOST_SECONDS: Final = 180
_TIMED_OUT: Final = "timed out"


class Package(NamedTuple):
    """A package of a registry: ``pip``, ``npm`` or ``apt``, in the version of the system there."""

    registry: str
    name: str
    version: str = ""


PACKAGES: Final = (
    Package("pip", "isal", "1.9.1"),
    Package("pip", "jpype1", "1.7.1"),
    Package("pip", "maturin", "1.16.0"),
    Package("pip", "pycryptodome", "4.4.0"),
    Package("pip", "pygments", "2.21.0"),
    Package("pip", "pythonnet", "3.2.1"),
    Package("npm", "eslint", "10.15.0"),
    Package("npm", "rxjs", "7.8.2"),
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
            _run(_COMMANDS[package.registry](package), Path(scratch))
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


def _pip(package: Package) -> list[str]:
    wanted = f"{package.name}=={package.version}"
    of_source = ("--no-deps", "--no-binary", package.name)
    return [sys.executable, "-m", "pip", "download", "-q", *of_source, wanted]


def _npm(package: Package) -> list[str]:
    return ["npm", "pack", "--silent", "--ignore-scripts", f"{package.name}@{package.version}"]


def _apt(package: Package) -> list[str]:
    return ["apt-get", "download", "-qq", package.name]


_COMMANDS: Final = {"pip": _pip, "npm": _npm, "apt": _apt}


def main() -> None:
    """Download all packages to the folder that the command line names."""
    folder, silent = Path(sys.argv[1]), set[str]()
    for package in PACKAGES:
        if package.registry in silent:
            error = "its registry does not answer"
        else:
            error = download(package, folder)
        if _TIMED_OUT in error:
            silent.add(package.registry)
        sys.stdout.write(f"{package.registry} {package.name}: {error or 'ok'}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
