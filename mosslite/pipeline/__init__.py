"""The order of things: from the paths a user gave to a report."""

from __future__ import annotations

from mosslite.pipeline.run import Progress, check

__all__ = ["Progress", "check"]
