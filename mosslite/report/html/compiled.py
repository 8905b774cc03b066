"""Compiled templates, kept where Python keeps compiled modules.

To compile them takes a fifth of a small run.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from hashlib import blake2b
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jinja2

if TYPE_CHECKING:
    from jinja2.bccache import Bucket

__all__ = ["CompiledTemplates", "compiled_templates"]

_DIGEST_SIZE: Final = 16


def compiled_templates(shaper: str) -> CompiledTemplates | None:
    """Return what is kept of templates whose code a module shapes, beside the module's own.

    Args:
        shaper: The module's ``__file__``.

    Returns:
        None where its source cannot be read: then nothing tells whether it has changed.
    """
    try:
        shaped_by = Path(shaper).read_text(encoding="utf-8")
        return CompiledTemplates(Path(cache_from_source(shaper)).parent, shaped_by)
    except (OSError, NotImplementedError):
        return None


class CompiledTemplates(jinja2.BytecodeCache):
    """Templates as they were compiled before, as long as nothing has changed that shapes them.

    Whoever can write to the folder can change the package too: nothing more is trusted than was.
    What is damaged is not looked at.
    """

    def __init__(self, folder: Path, shaped_by: str) -> None:
        """Keep templates in ``folder``, and use none of another ``shaped_by``."""
        self._folder = folder
        self._shaped_by = f"{jinja2.__version__}\n{shaped_by}\n"

    def get_source_checksum(self, source: str) -> str:
        """Tell a template, and all that shapes its code, from another state of it."""
        return super().get_source_checksum(self._shaped_by + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template, if it is there as it was written."""
        with suppress(OSError):
            content = self._path(bucket).read_bytes()
            if content[:_DIGEST_SIZE] == _digest(content[_DIGEST_SIZE:]):
                bucket.bytecode_from_string(content[_DIGEST_SIZE:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template, if Python is to keep modules and can."""
        if not sys.dont_write_bytecode:
            content = bucket.bytecode_to_string()
            with suppress(OSError):
                self._path(bucket).write_bytes(_digest(content) + content)

    def _path(self, bucket: Bucket) -> Path:
        return self._folder / f"{bucket.key}.{sys.implementation.cache_tag}.template"


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST_SIZE).digest()
