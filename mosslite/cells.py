"""Text in the cells of a spreadsheet."""

from __future__ import annotations

import re
from typing import Final

from mosslite.visible import HIDDEN_RUN

__all__ = ["cell"]

# A spreadsheet takes a cell that begins so for a formula, some of them even behind blanks, and in
# some languages the signs of full width as well. In others a semicolon parts the cells.
_FORMULA: Final = re.compile(r"(^|;)(?=[\s\"]*[=+\-@\uff1d\uff0b\uff0d\uff20])")
_LINE_CONTROL: Final = re.compile(r"[\t\n\r]")


def cell(text: str) -> str:
    r"""Make text safe in a line of CSV.

    What a spreadsheet would take for a formula gets an apostrophe in front; control characters
    and others that are hidden are spelled out as in ``\x1b`` and ``\u202e``, so that a line stays
    a line, and nothing in it is out of sight.
    """
    shown = HIDDEN_RUN.sub(_escaped, _LINE_CONTROL.sub(_escaped, text))
    return _FORMULA.sub(r"\1'", shown)


def _escaped(found: re.Match[str]) -> str:
    return "".join(map(_escape, found.group()))


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
