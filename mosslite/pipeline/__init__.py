"""The order of things: from the paths a user gave to a report."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mosslite.frontends.selection import gather
    from mosslite.pipeline.archives import Keeping, add, rebuild
    from mosslite.pipeline.origins import Origin, Query, query
    from mosslite.pipeline.run import check
    from mosslite.pipeline.shapes import front_ends

__all__ = [
    "Keeping",
    "Origin",
    "Query",
    "add",
    "check",
    "front_ends",
    "gather",
    "query",
    "rebuild",
]

# Where each name lives: it is imported when it is first asked for, as a query needs few of them.
_HOMES = {
    "Keeping": "archives",
    "Origin": "origins",
    "Query": "origins",
    "add": "archives",
    "check": "run",
    "front_ends": "shapes",
    "gather": "gathering",
    "query": "origins",
    "rebuild": "archives",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
