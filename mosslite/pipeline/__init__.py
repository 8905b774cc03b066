"""The order of things: from the paths a user gave to a report."""

from __future__ import annotations

from mosslite.pipeline.run import check, gather

__all__ = ["check", "gather"]
