"""``mosslite query``: where does this file come from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mosslite.cli.terminal import noticed, printable, writing_to
from mosslite.display import percent
from mosslite.history.queries import Query
from mosslite.history.queries import query as origins_of
from mosslite.options import Options
from mosslite.report.similar_names import distinct_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mosslite.history.queries import Origin

__all__ = ["query"]


@click.command()
@click.argument("archive", metavar="ARCHIVE")
@click.argument("file", metavar="FILE")
@click.option(
    "-b",
    "--base",
    multiple=True,
    metavar="PATH",
    help="Boilerplate that you handed out, not looked up; repeatable.",
)
@click.option(
    "--query-window",
    type=int,
    metavar="N",
    help="Look up fewer fingerprints: one of each N k-grams, at least as in the archive.",
)
@click.option(
    "--smallest",
    type=int,
    metavar="N",
    help="Look up the N smallest fingerprints only, an estimate.",
)
@click.option(
    "-n",
    "--show",
    type=int,
    default=Query().show,
    show_default=True,
    metavar="N",
    help="Submissions to name; 0 is all that share a fingerprint.",
)
@click.pass_context
def query(context: click.Context, /, **_given: object) -> None:
    """Find which submissions of an archive a file comes from.

    Containment is how much of the file's fingerprints a submission has, resemblance how much of
    those of both. FILE can be a folder, of which all files are asked for together. It is read as
    the archive was: with its k, t and language.

    \b
    Example:
      mosslite query cs101.mosslite suspicious.py -b template.py
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    given = context.params
    how = Query(given["query_window"], given["smallest"], given["show"], given["base"])
    options = Options(jobs=1, uses_cache=True)
    with noticed(is_quiet=False):
        found = origins_of(given["archive"], given["file"], how, options)
    with writing_to(sys.stdout):
        for line in _lines(found):
            click.echo(printable(line))


def _lines(found: Sequence[Origin]) -> Iterator[str]:
    if not found:
        yield "no submission of the archive has a fingerprint of it"
        return
    names = distinct_names(f"{each.term}/{each.name}" for each in found)
    yield "containment  resemblance  submission"
    for each in found:
        shares = f"{percent(each.containment):>11}  {percent(each.resemblance):>11}"
        yield f"{shares}  {names.shown(f'{each.term}/{each.name}')}"
