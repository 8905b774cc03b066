"""The cache: readings of files, stored between runs by digests of their content."""

from mosslite.cache.readings import (
    NOT_PACKED,
    deflate,
    inflate,
    is_of,
    key_of,
    pack,
    unpack,
)

__all__ = ["NOT_PACKED", "deflate", "inflate", "is_of", "key_of", "pack", "unpack"]
