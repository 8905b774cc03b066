"""Looks for functions that nothing calls in each text that may have any."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from mosslite.frontends.standard_form.laid import JOINED
from mosslite.frontends.standard_form.program import NAME
from mosslite.frontends.standard_form.reach import Words, can_tell, unreached_in
from mosslite.frontends.standard_form.statements import depths_of
from mosslite.frontends.words import table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.frontends.joint import Joint
    from mosslite.frontends.standard_form.laid import Laid
    from mosslite.languages import Language

__all__ = ["reached_of"]

_MAY_DEFINE = table_of("def async")


def reached_of(
    joint: Joint, laid: Laid, names: Sequence[str], language: Language
) -> NDArray[np.bool_]:
    """Mark the symbols outside of functions that nothing calls, as far as names tell.

    Args:
        joint: The texts, each by itself a program.
        laid: Their ``n`` symbols.
        names: The text of each row of the table of pieces, without what it is qualified by.
        language: What they are written in.

    Returns:
        ``(n,) bool``.
    """
    is_python = language.name == "python"
    is_reached = np.ones(len(laid.starts), np.bool_)
    asked = [can_tell(source.text, is_python=is_python) for source in joint.sources]
    if any(asked):
        words = _words(joint.whole.text, laid, names, is_python=is_python)
        for rows in compress(_rows_of_each(joint, laid), asked):
            for unreached in unreached_in(words, rows, is_python=is_python):
                is_reached[unreached] = False
    return is_reached


def _rows_of_each(joint: Joint, laid: Laid) -> Iterator[slice]:
    """Return which symbols are each text's, without the end behind it."""
    firsts = np.searchsorted(laid.starts, joint.starts[:-1])
    stops = np.searchsorted(laid.starts, joint.stops)
    return map(slice, firsts.tolist(), stops.tolist())


def _texts(text: str, laid: Laid, of_rows: Sequence[str]) -> list[str]:
    """Return the symbols as written, names without what they are qualified by."""
    texts = list(map(of_rows.__getitem__, laid.numbers.tolist()))
    for at in np.flatnonzero(laid.numbers == JOINED).tolist():
        texts[at] = text[laid.starts[at] : laid.stops[at]].rpartition("::")[2]
    return texts


def _words(text: str, laid: Laid, names: Sequence[str], *, is_python: bool) -> Words:
    program, indents, decorated = laid.program, laid.indents, frozenset[int]()
    if is_python:
        may_define = (indents >= 0) & _MAY_DEFINE[program.written]
        begins = np.flatnonzero(may_define).tolist()
        decorated = frozenset(at for at in begins if _is_decorated(text, int(laid.starts[at])))
        indents = np.where(depths_of(program.words) == 0, indents, -1)
    texts = _texts(text, laid, names)
    return Words(texts, program.written, program.words == NAME, indents, decorated)


def _is_decorated(text: str, start: int) -> bool:
    """Return whether the line above the one that a token begins is a decorator."""
    line = text.rfind("\n", 0, start)
    return text[text.rfind("\n", 0, max(line, 0)) + 1 : max(line, 0)].lstrip()[:1] == "@"
