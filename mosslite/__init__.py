"""Finds copied work in a batch of submissions, by winnowing.

>>> import mosslite
>>> report = mosslite.check(["submissions"], base=["template.py"])  # doctest: +SKIP
>>> report.pairs[0].similarity  # doctest: +SKIP
0.93

Archives of earlier terms, built by ``mosslite archive add``, can be searched for the origin of a
file:

>>> mosslite.query("cs101.mosslite", "suspicious.py")[0].containment  # doctest: +SKIP
0.87
>>> with mosslite.Archive("cs101.mosslite") as archive:  # doctest: +SKIP
...     print(len(archive.submissions()))
412
"""

from importlib import import_module

TYPE_CHECKING = False  # slow to import
if TYPE_CHECKING:
    from mosslite.errors import MossliteError
    from mosslite.options import Options
    from mosslite.pipeline import check, query
    from mosslite.records import Match, Pair, Report, TokenizedSubmission
    from mosslite.terms.archive import Archive
    from mosslite.terms.queries import Origin

__version__ = "0.1.0"

__all__ = [
    "Archive",
    "Match",
    "MossliteError",
    "Options",
    "Origin",
    "Pair",
    "Report",
    "TokenizedSubmission",
    "check",
    "query",
]

# Module of each name, imported on first access, so that the command line can answer simple requests
# without loading the engine.
_HOMES = {
    "Archive": "mosslite.terms.archive",
    "Match": "mosslite.records",
    "MossliteError": "mosslite.errors",
    "Options": "mosslite.options",
    "Origin": "mosslite.terms.queries",
    "Pair": "mosslite.records",
    "Report": "mosslite.records",
    "TokenizedSubmission": "mosslite.records",
    "check": "mosslite.pipeline",
    "query": "mosslite.pipeline",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(_HOMES[name]), name)
