"""Ranking: candidate pairs of submissions, their scores, and the threshold for review."""

from mosslite.ranking.candidates import Unused
from mosslite.ranking.ranked_pairs import Ranked, Ranking, ranked
from mosslite.ranking.score import WEIGHTS, score_explanation

__all__ = ["WEIGHTS", "Ranked", "Ranking", "Unused", "ranked", "score_explanation"]
