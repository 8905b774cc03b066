"""Values written so that they can stand in a script."""

from __future__ import annotations

import json
from typing import Final

__all__ = ["script_json"]

# So that no text can end a script or begin a tag, wherever it stands.
_ESCAPES: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def script_json(value: object) -> str:
    """Write JSON that is safe inside a script: ASCII alone, and no sign of a tag."""
    text = json.dumps(value, separators=(",", ":"))
    for sign, escape in _ESCAPES.items():
        text = text.replace(sign, escape)
    return text
