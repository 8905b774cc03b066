"""Reads what is to be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.pipeline.selection import asked_language, without_bycatch
from mosslite.submissions import collect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.model import Batch, Inputs, Skipped
    from mosslite.options import Options

__all__ = ["gather", "why_none"]

# A message names this many of the things skipped or ignored, and counts all.
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


def why_none(batch: Batch) -> str:
    """Return what was skipped and ignored, as the end of a message that nothing is left."""
    return _told("skipped", batch.skipped) + _told("ignored", batch.ignored)


def _told(what: str, left_out: Sequence[Skipped]) -> str:
    if not left_out:
        return ""
    reasons = ", ".join(f"'{each.path}' {each.reason}" for each in left_out[:_MOST_NAMED])
    more = ", ..." if len(left_out) > _MOST_NAMED else ""
    return f"; {len(left_out)} {what}: {reasons}{more}"
