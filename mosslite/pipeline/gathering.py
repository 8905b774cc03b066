"""Reads what is to be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.intake import collect
from mosslite.pipeline.selection import asked_language, without_bycatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.model import Batch, Inputs, Skipped
    from mosslite.options import Options

__all__ = ["gather", "why_none"]

# A message names this many of the things skipped, and counts all.
_MOST_NAMED: Final = 5


def gather(inputs: Inputs, options: Options) -> Batch:
    """Read everything that would be compared.

    Raises:
        MossliteError: An option means nothing, or a path is missing that must be there.
    """
    asked_language(options)  # an unknown one stops here, before anything is read
    batch = collect(
        inputs,
        intake=options.intake,
        directories=options.directories,
        language=options.language,
    )
    return without_bycatch(batch, options)


def why_none(skipped: Sequence[Skipped]) -> str:
    """Give what was skipped, as the end of a message that nothing is left."""
    if not skipped:
        return ""
    reasons = ", ".join(f"'{each.path}' {each.reason}" for each in skipped[:_MOST_NAMED])
    more = ", ..." if len(skipped) > _MOST_NAMED else ""
    return f"; {len(skipped)} skipped: {reasons}{more}"
