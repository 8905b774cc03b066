"""Finds copied work in a batch of submissions, by winnowing.

>>> import mosslite
>>> report = mosslite.check(["submissions"], base=["template.py"])  # doctest: +SKIP
>>> report.pairs[0].similarity  # doctest: +SKIP
0.93
"""

from __future__ import annotations

from mosslite.api import check
from mosslite.errors import MossliteError
from mosslite.model import Match, Pair, Report, Work
from mosslite.options import Options

__version__ = "0.1.0"

__all__ = ["Match", "MossliteError", "Options", "Pair", "Report", "Work", "check"]
