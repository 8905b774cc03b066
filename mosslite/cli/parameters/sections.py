"""Options that are listed together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

__all__ = ["Section"]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the help, and the options below it."""

    title: str
    options: tuple[click.Option, ...]
