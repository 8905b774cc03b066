"""Reads what is to be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.intake import collect
from mosslite.pipeline.selection import asked_language, without_bycatch

if TYPE_CHECKING:
    from mosslite.model import Batch, Inputs
    from mosslite.options import Options

__all__ = ["gather"]


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
