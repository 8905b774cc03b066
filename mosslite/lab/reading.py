"""Says in our words why a file of an experiment cannot be read."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from mosslite.errors import InputError, reason_of
from mosslite.submissions.paths import shown_name

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["reading"]


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Read a file in the block.

    Raises:
        InputError: The operating system refuses.
    """
    try:
        yield
    except OSError as error:
        msg = f"{shown_name(path)!r} cannot be read: {reason_of(error)}"
        raise InputError(msg) from error
