"""The order of things: from the paths a user gave to a report."""

from __future__ import annotations

from mosslite.pipeline.archives import Keeping, add, rebuild
from mosslite.pipeline.gathering import gather
from mosslite.pipeline.origins import Origin, Query, query
from mosslite.pipeline.run import check
from mosslite.pipeline.shapes import front_ends

__all__ = [
    "Keeping",
    "Origin",
    "Query",
    "add",
    "check",
    "front_ends",
    "gather",
    "query",
    "rebuild",
]
