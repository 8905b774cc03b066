"""The version of everything that makes tokens and fingerprints of a text."""

from __future__ import annotations

from typing import Final

__all__ = ["FRONT_ENDS"]

FRONT_ENDS: Final = 1
"""Raise it by one with each change by which any text could be read otherwise.

That is: other tokens, traces, colours, disguises or fingerprints, or another form in which readings
are packed. Archives that another version has read are refused until they are rebuilt, and nothing
that the cache holds of another version is found. Where nothing is read otherwise it stays, so that
users keep both. ``tests/test_front_ends.py`` compares what is read with what is on record.
"""
