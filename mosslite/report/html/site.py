"""The folder that pages are written to, with what is taken over from an earlier report."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from stat import S_IFREG, S_ISDIR
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = [
    "Earlier",
    "Site",
    "script_json",
]


# So that no text can end a script or begin a tag, wherever it stands.
_ESCAPES: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def script_json(value: object) -> str:
    """Write JSON that is safe inside a script: ASCII alone, and no sign of a tag."""
    text = json.dumps(value, separators=(",", ":"))
    for sign, escape in _ESCAPES.items():
        text = text.replace(sign, escape)
    return text


# To read what a file is linked to, but not behind a symbolic link, nor to wait for a pipe.
_READING: Final = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")
)


class Earlier:
    """A report that another takes the place of, as its files are written.

    Most of them are the same for another run on the same batch, and a second name for a file costs
    a fraction of a new one.
    """

    def __init__(self, folder: Path, fresh: Path) -> None:
        self._folder = str(folder)
        self._fresh = str(fresh)
        self._are_folders: dict[str, bool] = {}

    def gives(self, path: str, content: bytes) -> bool:
        """Link a file into the new report if it is what would be written, and tell whether it is.

        If it is not, what there is of it by now must make way.

        Args:
            path: Of the file in either report.
            content: What is to be in it.
        """
        known, target = f"{self._folder}/{path}", f"{self._fresh}/{path}"
        try:
            if not self._is_like_new(known, len(content)) or not self._is_in_folders(path):
                return False
            os.link(known, target)
        except OSError:
            return False
        return _holds(target, content)  # it may be another file by now

    def _is_like_new(self, known: str, size: int) -> bool:
        """Return whether a file is like one written now: as large, open to others, named once."""
        there = os.lstat(known)
        kind = (there.st_mode, there.st_uid, there.st_gid)
        return there.st_size == size and kind == self._kind_of_new and there.st_nlink == 1

    @cached_property
    def _kind_of_new(self) -> tuple[int, int, int]:
        folder = Path(self._fresh).stat()
        return S_IFREG | folder.st_mode & 0o666, folder.st_uid, folder.st_gid

    def _is_in_folders(self, path: str) -> bool:
        """Return whether a file is in a folder of the report, and not behind a link."""
        folder = path.rpartition("/")[0]
        if folder not in self._are_folders:
            self._are_folders[folder] = S_ISDIR(os.lstat(f"{self._folder}/{folder}").st_mode)
        return self._are_folders[folder]


def _holds(path: str, content: bytes) -> bool:
    """Return whether a file can be read, and this is what is in it."""
    try:
        file = os.open(path, _READING)
    except OSError:
        return False
    try:
        return os.read(file, len(content) + 1) == content
    except OSError:
        return False
    finally:
        os.close(file)


@dataclass(frozen=True, slots=True)
class Site:
    """A report that is being written: its folder, and the templates of its pages.

    Attributes:
        earlier: The report that it takes the place of, if there is one.
    """

    folder: Path
    pages: Environment
    earlier: Earlier | None = None
    _made: set[Path] = field(default_factory=set)

    def write_page(self, path: str, template: str, **context: object) -> None:
        """Render a template to a file; its folder is made if need be."""
        self.write(path, self.pages.get_template(template).render(**context))

    def write(self, path: str, text: str) -> None:
        """Write a file of text; its folder is made if need be."""
        self.write_bytes(path, text.encode("utf-8"))

    def write_bytes(self, path: str, content: bytes) -> None:
        """Write a file; its folder is made if need be."""
        target = self.folder / path
        if target.parent not in self._made:
            target.parent.mkdir(exist_ok=True)  # another process may be as quick
            self._made.add(target.parent)
        if self.earlier is None or not self.earlier.gives(path, content):
            target.unlink(missing_ok=True)  # it may be a file of the earlier report by now
            target.write_bytes(content)
