"""Results read back from a file, and the sources that they refer to."""

from mosslite.report.saved.reading import read_results, results_in
from mosslite.report.saved.records import (
    SavedPair,
    SavedPlace,
    SavedResults,
    SavedSubmission,
    group_of,
    groups_of,
    pair_of,
)
from mosslite.report.saved.sources import (
    Source,
    are_those_of,
    harmless,
    locations_of,
    source_of,
    verified,
)

__all__ = [
    "SavedPair",
    "SavedPlace",
    "SavedResults",
    "SavedSubmission",
    "Source",
    "are_those_of",
    "group_of",
    "groups_of",
    "harmless",
    "locations_of",
    "pair_of",
    "read_results",
    "results_in",
    "source_of",
    "verified",
]
