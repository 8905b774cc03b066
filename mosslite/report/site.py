"""The folder that pages are written to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from jinja2 import Environment

__all__ = ["Site", "script_json"]

# So that no text can end a script or begin a tag, wherever it stands.
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}


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
        target = self.folder / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")


def script_json(value: object) -> str:
    """Write JSON that is safe inside a script: ASCII alone, and no sign of a tag."""
    return json.dumps(value, separators=(",", ":")).translate(_ESCAPES)
