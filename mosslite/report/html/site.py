"""The folder that pages are written to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from jinja2 import Environment

    from mosslite.report.html.earlier import Earlier

__all__ = ["Site"]


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
