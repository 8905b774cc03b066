"""The laboratory: the papers' experiments, on any corpus.

"A purely experimental framework for comparing actual performance with the theoretical
predictions" (SIGMOD 2003, section 1). Each experiment maps a source of symbols to a frozen
record, and converts it to a sheet of tables and plots.
"""

from mosslite.lab.comparison import Comparison, compare_algorithms
from mosslite.lab.corpora import RandomText, files_below
from mosslite.lab.density import Density, measure_density
from mosslite.lab.distributions import (
    Artificial,
    Plan,
    RealText,
    measure_distributions,
    measure_real_text,
)
from mosslite.lab.frequency import Frequency, measure_frequency
from mosslite.lab.hashes import HashTrial, measure_hashes
from mosslite.lab.programs import labelled_pairs, labelled_tasks, planted_pairs, programs_below
from mosslite.lab.rankers import LabelledSet, Parameters, Rankings, rank
from mosslite.lab.tune import Grid, Tuning, tune

__all__ = [
    "Artificial",
    "Comparison",
    "Density",
    "Frequency",
    "Grid",
    "HashTrial",
    "LabelledSet",
    "Parameters",
    "Plan",
    "RandomText",
    "Rankings",
    "RealText",
    "Tuning",
    "compare_algorithms",
    "files_below",
    "labelled_pairs",
    "labelled_tasks",
    "measure_density",
    "measure_distributions",
    "measure_frequency",
    "measure_hashes",
    "measure_real_text",
    "planted_pairs",
    "programs_below",
    "rank",
    "tune",
]
