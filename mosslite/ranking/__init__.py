"""Ranking: candidate pairs of submissions, their scores, and where honest work ends."""

from __future__ import annotations

from mosslite.ranking.ranked_pairs import Ranked, ranked

__all__ = ["Ranked", "ranked"]
