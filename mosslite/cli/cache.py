"""``mosslite cache``: where readings of unchanged files are kept."""

import sqlite3
from pathlib import Path

import click

from mosslite.cache import cache_folder, cache_limit, clear, in_words, usage_of
from mosslite.cli.options import Choice
from mosslite.cli.terminal import tell
from mosslite.errors import OutputError
from mosslite.messages import M_

_MEGABYTE = 1_000_000


@click.command()
@click.argument("action", type=Choice(["info", "clear"]), default="info")
def cache(action: str) -> None:
    """Show or clear the cache.

    \b
    mosslite cache info    show where the cache is and how large it is
    mosslite cache clear   remove everything in it

    The cache saves reading unchanged files again. For each file it stores digests of tokens, names
    and words with their positions, but no text and no names of files or people. Environment
    variables: MOSSLITE_CACHE_DIR sets the folder, MOSSLITE_CACHE_MB the maximum size (default: 500
    megabytes); the oldest entries are removed first.
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    try:
        folder = cache_folder()
        if action == "clear":
            clear(folder)
        line = _usage(folder)
    except (OSError, sqlite3.Error) as error:
        msg = M_("cannot read the cache: %(error)s", in_words(error))
        if action == "clear":
            msg = M_("cannot clear the cache: %(error)s", in_words(error))
        raise OutputError(msg) from error
    tell([M_("folder: %(folder)s", folder), line])


def _usage(folder: Path) -> str:
    usage = usage_of(folder)
    size, limit = usage.size / _MEGABYTE, cache_limit() // _MEGABYTE
    return M_(
        "files: %(readings)d, %(size)s MB of at most %(limit)d MB",
        usage.readings,
        f"{size:.1f}",
        limit,
    )
