"""Readings of files, kept from one run to the next under what the files say."""

from __future__ import annotations

from mosslite.cache.readings import NOT_PACKED, Contents, is_of, key_of, pack, unpack

__all__ = ["NOT_PACKED", "Contents", "is_of", "key_of", "pack", "unpack"]
