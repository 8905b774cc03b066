"""Runs the command line as ``python -m mosslite``."""

from __future__ import annotations

from mosslite.cli import main

if __name__ == "__main__":
    main()
