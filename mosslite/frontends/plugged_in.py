"""Reads a text by a front-end of another package, and believes no more of it than must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.reading import Reading
from mosslite.languages import plug_ins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mosslite.languages import Language

__all__ = ["read_plugged_in"]


def read_plugged_in(text: str, language: Language) -> Reading:
    """Read a text.

    Raises:
        TypeError: What comes back is no reading.
        ValueError: It is none of this text.
        Exception: Whatever the front-end raises.
    """
    reading = plug_ins()[language.name].read(text)
    if not isinstance(reading, Reading):
        msg = f"a front-end gave {type(reading).__name__}, not a Reading"
        raise TypeError(msg)
    stream, traces = reading.stream, reading.traces
    _require_ranges(len(text), stream.starts, stream.stops)
    _require_ranges(len(text), traces.starts, traces.stops)
    of_tokens = (stream.starts, stream.wordings, stream.kinds, stream.is_reached)
    sizes = {len(each) for each in (*of_tokens, stream.lines, stream.last_lines)}
    of_traces = {len(each) for each in (traces.starts, traces.kinds, traces.lines)}
    if sizes != {len(stream)} or of_traces != {len(traces)}:
        msg = "the columns of a front-end differ in length"
        raise ValueError(msg)
    return reading


def _require_ranges(size: int, starts: NDArray[np.int32], stops: NDArray[np.int32]) -> None:
    is_right = len(starts) == len(stops) and bool(
        np.all((starts >= 0) & (starts <= stops) & (stops <= size)) and np.all(np.diff(starts) >= 0)
    )
    if not is_right:
        msg = "a front-end gave places outside of the text, or in no order"
        raise ValueError(msg)
