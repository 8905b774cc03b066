"""Local web server for ``mosslite serve``: a page that compares uploaded submissions."""

from mosslite.serve.app import Settings, serving

__all__ = ["Settings", "serving"]
