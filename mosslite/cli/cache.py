"""``mosslite cache``."""

from __future__ import annotations

import sqlite3
import sys
from typing import TYPE_CHECKING

import click

from mosslite.cache.store import cache_folder, cache_limit, clear, in_words, usage_of
from mosslite.cli.terminal import printable, writing_to
from mosslite.errors import OutputError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["cache"]

_MEGABYTE = 1_000_000
# What an action does, in a message that it cannot.
_VERBS = {"info": "read", "clear": "clear"}


@click.command()
@click.argument("action", type=click.Choice(["info", "clear"]), default="info")
def cache(action: str) -> None:
    """Show or clear the cache.

    \b
    mosslite cache info    show where the cache is and how large it is
    mosslite cache clear   remove everything in it

    The cache saves reading unchanged files again. For each file it stores digests of tokens, names
    and words with their positions, but no text and no names of files or people. Environment
    variables: MOSSLITE_CACHE_DIR sets the folder, MOSSLITE_CACHE_MB the maximum size (default: 500
    megabytes); the least recently used entries are removed first.
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    try:
        folder = cache_folder()
        if action == "clear":
            clear(folder)
        line = _usage(folder)
    except (OSError, sqlite3.Error) as error:
        msg = f"cannot {_VERBS[action]} the cache: {in_words(error)}"
        raise OutputError(msg) from error
    with writing_to(sys.stdout):
        click.echo(f"folder: {printable(str(folder))}\n{line}")


def _usage(folder: Path) -> str:
    usage = usage_of(folder)
    size, limit = usage.size / _MEGABYTE, cache_limit() // _MEGABYTE
    return f"files: {usage.readings:,}, {size:.1f} MB of at most {limit:,} MB"
