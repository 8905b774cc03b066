"""Text in the cells of a spreadsheet."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["cell"]

# A spreadsheet takes a cell that begins so for a formula, some of them even behind blanks, and in
# some languages the signs of full width as well. In others a semicolon parts the cells.
_FORMULA: Final = re.compile(r"(^|;)(?=[\s\"]*[=+\-@\uff1d\uff0b\uff0d\uff20])")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def cell(text: str) -> str:
    r"""Make text safe in a line of CSV.

    What a spreadsheet would take for a formula gets an apostrophe in front, and control
    characters are spelled out as in ``\x1b``, so that a line stays a line.
    """
    shown = _CONTROL.sub(lambda found: f"\\x{ord(found.group()):02x}", text)
    return _FORMULA.sub(r"\1'", shown)
