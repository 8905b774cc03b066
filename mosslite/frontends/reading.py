"""The record of what a front-end makes of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mosslite.columns import TokenStream, Traces
    from mosslite.model import Colours, Disguise

__all__ = ["Reading"]


class Reading(NamedTuple):
    """What a front-end makes of a file.

    Attributes:
        is_degraded: The language's lexer failed or took too long, and a plain tokenizer stood in.
        disguises: Characters that make the text look like another one than it is.
        colours: None for prose, and where the plain tokenizer stood in.
    """

    stream: TokenStream
    traces: Traces
    is_degraded: bool
    disguises: tuple[Disguise, ...] = ()
    colours: Colours | None = None
