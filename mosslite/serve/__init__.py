"""A page on this machine that compares what is dropped on it, for ``mosslite serve``."""

from __future__ import annotations

from mosslite.serve.app import Settings, serving

__all__ = ["Settings", "serving"]
