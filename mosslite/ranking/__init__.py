"""Ranking: candidate pairs of submissions, their scores, and where honest work ends."""
