"""The command line: the only part that prints, and that turns errors into exit codes."""

from __future__ import annotations

from mosslite.cli.main import main

__all__ = ["main"]
