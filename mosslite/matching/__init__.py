"""From two works that share fingerprints to verified maximal matches that do not overlap.

Section 5.2 of SIGMOD 2003 merges consecutive fingerprints, regrets the ends that are lost, and
suggests an exact method for the few pairs that are shown. This is one.
"""

from __future__ import annotations

from mosslite.matching.places import Coverage, coverage_of, matches_of
from mosslite.matching.sides import Side
from mosslite.matching.tiles import find_tiles, tiles_of

__all__ = ["Coverage", "Side", "coverage_of", "find_tiles", "matches_of", "tiles_of"]
