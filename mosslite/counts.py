"""Numbers with their nouns, and remarks with the names that these are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["counted", "with_names"]

# A remark names this many of the files or submissions it is about, and counts the others.
_MOST_NAMED = 5


def counted(count: int, what: str) -> str:
    """Write a number with its noun, as in ``1 pair`` or ``1,200 pairs``."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def with_names(remark: str, names: Sequence[str]) -> Iterator[str]:
    """Return the remark with the names it is about, or nothing where there are none."""
    if names:
        more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
        yield f"{remark}: {', '.join(names[:_MOST_NAMED])}{more}"
