"""The options of ``mosslite check``, in the order of its help, and the records they become."""

from __future__ import annotations

from typing import Final

from mosslite.cli.parameters.comparison import COMPARISON, options_of
from mosslite.cli.parameters.inputs import PATHS, SUBMISSIONS, inputs_of
from mosslite.cli.parameters.patterns import given_patterns
from mosslite.cli.parameters.reading import FILES, LIMITS
from mosslite.cli.parameters.results import RESULTS, baseline_at, given_results, outputs_of
from mosslite.cli.parameters.running import RUNNING

__all__ = [
    "PATHS",
    "SECTIONS",
    "baseline_at",
    "given_patterns",
    "given_results",
    "inputs_of",
    "options_of",
    "outputs_of",
]

SECTIONS: Final = (SUBMISSIONS, FILES, COMPARISON, RESULTS, LIMITS, RUNNING)
