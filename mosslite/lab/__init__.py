"""The laboratory: the papers' experiments, on any corpus.

"A purely experimental framework for comparing actual performance with the theoretical
predictions" (SIGMOD 2003, section 1). Each experiment takes a source of symbols and gives a frozen
record; ``*_sheets`` lay records out as tables and plots.
"""

from __future__ import annotations

from mosslite.lab.comparison import Comparison, compare_algorithms
from mosslite.lab.corpora import RandomText, text_files, token_files
from mosslite.lab.density import Density, measure_density
from mosslite.lab.distributions import Artificial, Plan, measure_distributions
from mosslite.lab.frequency import Frequency, measure_frequency
from mosslite.lab.hashes import HashTrial, measure_hashes
from mosslite.lab.realtext import RealText, measure_real_text

__all__ = [
    "Artificial",
    "Comparison",
    "Density",
    "Frequency",
    "HashTrial",
    "Plan",
    "RandomText",
    "RealText",
    "compare_algorithms",
    "measure_density",
    "measure_distributions",
    "measure_frequency",
    "measure_hashes",
    "measure_real_text",
    "text_files",
    "token_files",
]
