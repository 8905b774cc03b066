"""Ranking: candidate pairs of submissions, their scores, and the threshold for review."""

from mosslite.ranking.ranked_pairs import Ranked, Ranking, Unused, ranked
from mosslite.ranking.score import WEIGHTS, score_explanation

__all__ = ["WEIGHTS", "Ranked", "Ranking", "Unused", "ranked", "score_explanation"]
