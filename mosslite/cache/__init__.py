"""Readings of files, kept from one run to the next under what the files say."""

from __future__ import annotations

from mosslite.cache.fitting import is_of
from mosslite.cache.keys import key_of
from mosslite.cache.packing import Contents, pack, unpack

__all__ = ["Contents", "is_of", "key_of", "pack", "unpack"]
