"""Ranking: candidate pairs of submissions, their scores, and where honest work ends."""

from __future__ import annotations

from mosslite.ranking.ranked_pairs import Ranked, ranked
from mosslite.ranking.score import WEIGHTS, score_explanation

__all__ = ["WEIGHTS", "Ranked", "ranked", "score_explanation"]
