"""The folder that pages are written to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from stat import S_IFREG, S_ISDIR
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from jinja2 import Environment

__all__ = ["Site"]


@dataclass(frozen=True, slots=True)
class Site:
    """A report that is being written: its folder, and the templates of its pages.

    Attributes:
        earlier: The report that it takes the place of, if there is one. Most files of another run
            on the same batch are the same, and a link costs a fraction of a new file.
    """

    folder: Path
    pages: Environment
    earlier: Path | None = None

    def write_page(self, path: str, template: str, **context: object) -> None:
        """Render a template to a file; its folder is made if need be."""
        self.write(path, self.pages.get_template(template).render(**context))

    def write(self, path: str, text: str) -> None:
        """Write a file of text; its folder is made if need be."""
        self.write_bytes(path, text.encode("utf-8"))

    def write_bytes(self, path: str, content: bytes) -> None:
        """Write a file; its folder is made if need be."""
        target = self.folder / path
        try:
            self._link_or_write(target, path, content)
        except FileNotFoundError:
            target.parent.mkdir(exist_ok=True)  # another process may be as quick
            self._link_or_write(target, path, content)

    def _link_or_write(self, target: Path, path: str, content: bytes) -> None:
        if self.earlier is None or not self._is_linked(self.earlier / path, target, content):
            target.unlink(missing_ok=True)  # it may be a file of the earlier report by now
            target.write_bytes(content)

    def _is_linked(self, known: Path, target: Path, content: bytes) -> bool:
        """Try to make a file of the earlier report the target: it must be what would be written."""
        try:
            if not S_ISDIR(known.parent.lstat().st_mode) or not self._is_like_new(known, content):
                return False
            os.link(known, target)
            # What was known may be another file by now.
            return target.read_bytes() == content and not target.is_symlink()
        except OSError:
            return False

    def _is_like_new(self, known: Path, content: bytes) -> bool:
        """Tell whether a file is like one written now: as large, as open to others, named once."""
        there, folder = known.lstat(), self.folder.stat()
        return (
            there.st_size == len(content)
            and there.st_mode == S_IFREG | folder.st_mode & 0o666
            and (there.st_uid, there.st_gid) == (folder.st_uid, folder.st_gid)
            and there.st_nlink == 1
        )
