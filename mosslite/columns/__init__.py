"""The records of long columns that stages hand to each other: tokens, k-grams and their index."""

from mosslite.columns.batch import Hashes, Index, Masses, Seen, View
from mosslite.columns.texts import TokenKind, TokenStream, TraceKind, Traces
from mosslite.columns.works import Comparable, KGrams, Stretch, Tile

__all__ = [
    "Comparable",
    "Hashes",
    "Index",
    "KGrams",
    "Masses",
    "Seen",
    "Stretch",
    "Tile",
    "TokenKind",
    "TokenStream",
    "TraceKind",
    "Traces",
    "View",
]
