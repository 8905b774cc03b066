"""The folder that pages are written to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from jinja2 import Environment

__all__ = ["Site"]


@dataclass(frozen=True, slots=True)
class Site:
    """A report that is being written: its folder, and the templates of its pages."""

    folder: Path
    pages: Environment

    def write_page(self, path: str, template: str, **context: object) -> None:
        """Render a template to a file; its folder is made if need be."""
        self.write(path, self.pages.get_template(template).render(**context))

    def write(self, path: str, text: str) -> None:
        """Write a file of text; its folder is made if need be."""
        target, content = self.folder / path, text.encode("utf-8")
        try:
            target.write_bytes(content)
        except FileNotFoundError:
            target.parent.mkdir(exist_ok=True)  # another process may be as quick
            target.write_bytes(content)
