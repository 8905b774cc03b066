"""Tells by the package's own sources whether two versions of it do the same."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["digest_of_sources"]

_PACKAGE: Final = Path(__file__).parent


@cache
def digest_of_sources(parts: tuple[str, ...], root: Path = _PACKAGE) -> str:
    """Digest the sources of modules in ``root``, and of packages with all below them.

    They are digested as they stand in the files, so that nobody has to remember to count a version
    up.

    Raises:
        OSError: They cannot be read.
    """
    digests = [
        (path.relative_to(root).as_posix(), sha256(path.read_bytes()).hexdigest())
        for path in _modules(parts, root)
    ]
    return sha256(json.dumps(digests).encode("ascii")).hexdigest()


def _modules(parts: Iterable[str], root: Path) -> list[Path]:
    found = list[Path]()
    for name in parts:
        module = root / f"{name}.py"
        found += [module] if module.exists() else sorted((root / name).rglob("*.py"))
    return found
