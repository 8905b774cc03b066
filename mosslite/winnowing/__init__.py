"""Fingerprints of token streams, and detection of boilerplate in them (SIGMOD 2003)."""

from mosslite.winnowing.boilerplate import (
    BaseFile,
    index_base_file,
    mark_base_code,
    mark_common_code,
    mark_passages,
)

__all__ = [
    "BaseFile",
    "index_base_file",
    "mark_base_code",
    "mark_common_code",
    "mark_passages",
]
