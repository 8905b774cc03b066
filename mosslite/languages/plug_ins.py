"""Front-ends of other packages: entry points of the group ``mosslite.frontends``.

An entry point's name is that of a language, in lower case, and what it leads to is called with a
text and gives its ``mosslite.frontends.Reading``. With an attribute ``patterns``, a sequence such
as ``("*.toy",)``, it reads files of these names unasked; without, where ``-l`` asks for it.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.metadata import EntryPoint

__all__ = ["GROUP", "PlugIn", "plug_ins"]

GROUP: Final = "mosslite.frontends"


class PlugIn(NamedTuple):
    """A front-end by its language, and the names of files it is for."""

    name: str
    patterns: tuple[str, ...]
    read: Callable[[str], object]


@cache
def plug_ins() -> Mapping[str, PlugIn]:
    """Load what is installed, by name; of two of one name, that of the first value.

    Raises:
        OptionError: One cannot be loaded, or is no front-end.
    """
    found = sorted(entry_points(group=GROUP), key=lambda each: (each.name, each.value))
    return {each.name.lower(): _loaded(each) for each in reversed(found)}


def _loaded(entry: EntryPoint) -> PlugIn:
    try:
        read = entry.load()
    except Exception as error:
        reason = " ".join(str(error).split())
        msg = f"front-end {entry.name!r} ({entry.value}) cannot be loaded: {reason}"
        raise OptionError(msg) from error
    patterns = getattr(read, "patterns", ())
    if not callable(read) or isinstance(patterns, str):
        msg = (
            f"front-end {entry.name!r} ({entry.value}) is none: it must be callable, and its "
            "patterns a sequence"
        )
        raise OptionError(msg)
    return PlugIn(entry.name.lower(), tuple(map(str, patterns)), read)
