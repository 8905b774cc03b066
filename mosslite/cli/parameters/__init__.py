"""The options of ``mosslite check``, in the order of its help, and the records made of them."""

from typing import Final

from mosslite.cli.parameters.inputs import FILES, LIMITS, PATHS, SUBMISSIONS, inputs_of
from mosslite.cli.parameters.results import (
    COMPARISON,
    RESULTS,
    RUNNING,
    baseline_at,
    given_results,
    options_of,
    outputs_of,
    without_effect,
)
from mosslite.cli.parameters.types import given_patterns

__all__ = [
    "PATHS",
    "SECTIONS",
    "baseline_at",
    "given_patterns",
    "given_results",
    "inputs_of",
    "options_of",
    "outputs_of",
    "without_effect",
]

SECTIONS: Final = (SUBMISSIONS, FILES, COMPARISON, RESULTS, LIMITS, RUNNING)
