"""Options from a file beside the batch: ``mosslite.toml``, or a table of ``pyproject.toml``."""

from __future__ import annotations

from mosslite.cli.config.finding import candidates
from mosslite.cli.config.tables import read_table
from mosslite.cli.config.values import Values, values_of

__all__ = ["Values", "candidates", "read_table", "values_of"]
