"""The laboratory: the papers' experiments, on any corpus.

"A purely experimental framework for comparing actual performance with the theoretical
predictions" (SIGMOD 2003, section 1). Each experiment takes a source of symbols and gives a frozen
record; ``*_sheets`` lay records out as tables and plots.
"""

from __future__ import annotations

from mosslite.lab.comparison import Comparison, compare_algorithms
from mosslite.lab.corpora import RandomText, text_files, token_files
from mosslite.lab.density import Density, measure_density
from mosslite.lab.frequency import Frequency, measure_frequency

__all__ = [
    "Comparison",
    "Density",
    "Frequency",
    "RandomText",
    "compare_algorithms",
    "measure_density",
    "measure_frequency",
    "text_files",
    "token_files",
]
