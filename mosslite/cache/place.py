"""Where readings are kept, and how much room they may take."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from mosslite.errors import OptionError

__all__ = ["cache_folder", "cache_limit"]

# Megabytes of all readings: those of some 80,000 files of 2 KB.
_LIMIT: Final = 500
_MEGABYTE: Final = 1_000_000
_DIGITS: Final = 10  # more are a slip


def cache_folder() -> Path:
    """Return the folder that ``MOSSLITE_CACHE_DIR`` names, else the system's for this user.

    Raises:
        OSError: Nothing tells where this user's folders are.
    """
    given = os.environ.get("MOSSLITE_CACHE_DIR")
    if given:
        return Path(given)
    folder = user_cache_path("mosslite", appauthor=False)
    if not folder.is_absolute():
        msg = "this user has no home folder"
        raise FileNotFoundError(msg)
    return folder


def cache_limit() -> int:
    """Return the bytes that readings may take: the megabytes of ``MOSSLITE_CACHE_MB``, else 500.

    Raises:
        OptionError: It is not a number.
    """
    given = os.environ.get("MOSSLITE_CACHE_MB")
    if not given:
        return _LIMIT * _MEGABYTE
    if not (given.isascii() and given.isdigit() and len(given) < _DIGITS):
        msg = f"MOSSLITE_CACHE_MB is {given!r}: it must be a number of megabytes"
        raise OptionError(msg)
    return int(given) * _MEGABYTE
