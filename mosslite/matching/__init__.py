"""Verified, maximal and non-overlapping matches of submissions that share fingerprints.

SIGMOD 2003, section 5.2, merges consecutive fingerprints, notes that the ends of matches are lost,
and suggests an exact method for the few pairs that are shown. This is one.
"""

from mosslite.matching.matched_pairs import Finder, Found, matched

__all__ = ["Finder", "Found", "matched"]
