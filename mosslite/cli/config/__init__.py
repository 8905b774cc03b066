"""Options from a file beside the batch: ``mosslite.toml``, or a table of ``pyproject.toml``."""

from __future__ import annotations

from mosslite.cli.config.finding import config_files
from mosslite.cli.config.tables import may_hold_options, read_table
from mosslite.cli.config.values import Values, values_of

__all__ = ["Values", "config_files", "may_hold_options", "read_table", "values_of"]
