"""The command line: the only part that prints, and that turns errors into exit codes."""

from mosslite.cli.main import main

__all__ = ["main"]
