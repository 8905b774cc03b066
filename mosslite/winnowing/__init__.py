"""Fingerprints of token streams, and detection of boilerplate in them (SIGMOD 2003)."""

from mosslite.winnowing.base_code import BaseIndex, from_base, index_base
from mosslite.winnowing.boilerplate import mark_common_code

__all__ = ["BaseIndex", "from_base", "index_base", "mark_common_code"]
