"""From two submissions that share fingerprints to verified maximal matches that do not overlap.

Section 5.2 of SIGMOD 2003 merges consecutive fingerprints, regrets the ends that are lost, and
suggests an exact method for the few pairs that are shown. This is one.
"""

from __future__ import annotations

from mosslite.matching.matched_pairs import Finder, Found, matched

__all__ = ["Finder", "Found", "matched"]
