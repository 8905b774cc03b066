"""``mosslite query``: where does this file come from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mosslite.cli.terminal import noticed, printable, writing_to
from mosslite.history.queries import Query
from mosslite.history.queries import query as origins_of
from mosslite.options import Options
from mosslite.report.similar_names import distinct_names
from mosslite.texts import percent

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
    help="Base code that you handed out, excluded from the search; repeatable.",
)
@click.option(
    "--query-window",
    type=int,
    metavar="N",
    help="Look up fewer fingerprints, with a window of N k-grams; at least that of the archive.",
)
@click.option(
    "--smallest",
    type=int,
    metavar="N",
    help="Look up only the N smallest fingerprints: faster, but an estimate.",
)
@click.option(
    "-n",
    "--show",
    type=int,
    default=Query().show,
    show_default=True,
    metavar="N",
    help="Maximum number of submissions to show; 0 = all that share a fingerprint.",
)
@click.pass_context
def query(context: click.Context, /, **_given: object) -> None:
    """Find archived submissions similar to a file.

    Containment is the share of FILE's fingerprints found in a submission; resemblance is the share
    of the fingerprints of both. If FILE is a folder, all files in it are looked up together. The
    archive's k, t and language are used. Submissions that share hardly more with FILE than most
    others do are marked as probably unrelated.

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
        yield "no submission in the archive shares a fingerprint with it"
        return
    names = distinct_names(f"{each.term}/{each.name}" for each in found)
    yield "containment  resemblance  submission"
    for each in found:
        shares = f"{percent(each.containment):>11}  {percent(each.resemblance):>11}"
        remark = " (probably unrelated)" if each.is_unrelated else ""
        yield f"{shares}  {names.shown(f'{each.term}/{each.name}')}{remark}"
