"""Patterns of two options, in the one order in which they were given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import click

__all__ = ["PATTERN_KEYS", "gitignore_line", "given_patterns"]

# What holds patterns: options, and in a file also the lines of a .gitignore.
PATTERN_KEYS: Final = frozenset({"exclude", "include", "patterns"})


def gitignore_line(key: str, pattern: str) -> str:
    """Write the pattern of an option as a line of a ``.gitignore`` that means the same."""
    if key == "include":
        return f"!{pattern}"
    is_comment = key == "exclude" and pattern.startswith("#")
    return f"\\{pattern}" if is_comment else pattern


def given_patterns(
    values: Mapping[str, Sequence[str]], order: Iterable[click.Parameter]
) -> tuple[str, ...]:
    """Return the lines that the command line stands for.

    Args:
        values: Patterns by the names of their options, in the order of each.
        order: The parameters of the command line as they came, each as often as it was given.
    """
    waiting = {name: iter(values[name]) for name in ("exclude", "include")}
    names = [parameter.name for parameter in order if parameter.name in waiting]
    return tuple(gitignore_line(name, next(waiting[name])) for name in names)
