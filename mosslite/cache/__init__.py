"""Readings of files, kept from one run to the next under what the files say."""

from __future__ import annotations

from mosslite.cache.fitting import is_of
from mosslite.cache.keys import key_of
from mosslite.cache.packing import NOT_PACKED, Contents, pack, unpack

__all__ = ["NOT_PACKED", "Contents", "is_of", "key_of", "pack", "unpack"]
