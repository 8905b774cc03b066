"""``mosslite query``: archived submissions similar to a file, as a table, JSON or CSV."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import click

import mosslite
from mosslite.cli.files import ResultFiles, write_each
from mosslite.cli.options import PATH, RESULTS, SUBMISSIONS, integer
from mosslite.cli.terminal import noticed, print_lines, printable, run_texts
from mosslite.display import csv_text
from mosslite.intake.listing import shown_name
from mosslite.messages import M_, N_
from mosslite.options import Options
from mosslite.output_signatures import Signature
from mosslite.report.json_files import Record, written
from mosslite.report.results import Count, Share
from mosslite.report.similar_names import distinct_names
from mosslite.terms.queries import Origin, Query
from mosslite.terms.queries import query as origins_of
from mosslite.texts import Texts, percent


class QueryOrigin(Record, frozen=True, kw_only=True):
    """An archived submission, and the fingerprints that it shares with the file."""

    term: str
    name: str
    containment: Share
    resemblance: Share
    shared_fingerprints: Count


class QueryResult(Record, frozen=True, kw_only=True):
    """What an archive has of a file, as mosslite query --json writes it, the most first."""

    kind: Literal["mosslite query"]
    format: Literal[1]
    mosslite: str
    archive: str
    file: str
    origins: tuple[QueryOrigin, ...]


_SIGNATURES: Final = {"--json": Signature.QUERY_JSON, "--csv": Signature.QUERY_CSV}


@click.command()
@click.argument("archive", metavar="ARCHIVE", type=PATH)
@click.argument("file", metavar="FILE", type=PATH)
@SUBMISSIONS.only("base")
@click.option(
    "--query-window",
    "window",
    type=integer,
    metavar="N",
    help="Look up fewer fingerprints, with a window of N k-grams; at least that of the archive.",
)
@click.option(
    "--smallest",
    type=integer,
    metavar="N",
    help="Look up only the N smallest fingerprints: faster, but an estimate.",
)
@click.option(
    "-n",
    "--show",
    type=integer,
    default=Query().show,
    show_default=True,
    metavar="N",
    help="Maximum number of submissions to show; 0 = all that share a fingerprint.",
)
@RESULTS.only("json", "csv")
@click.pass_context
def query(context: click.Context, /, **_given: object) -> None:
    """Find archived submissions similar to a file.

    Containment is the share of FILE's fingerprints found in a submission; resemblance is the share
    of the fingerprints of both. If FILE is a folder, all files in it are looked up together. The
    archive's k, t and language are used. Submissions with a containment below 10 % are marked, as
    unrelated programs often share as much.

    \b
    Examples:
      mosslite query cs101.mosslite suspicious.py -b template.py
      mosslite query cs101.mosslite suspicious.py -n 0 --csv origins.csv
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    given = context.params
    files = ResultFiles.of(given, _SIGNATURES)
    how = Query(given["window"], given["smallest"], given["show"], given["base"])
    with noticed(is_quiet=False):
        found = origins_of(given["archive"], given["file"], how, Options(jobs=1, uses_cache=True))
    print_lines(_lines(found, run_texts()), files.stream)
    contents = {"--json": lambda: _as_json(found, given), "--csv": lambda: _as_csv(found)}
    write_each(files.writers(contents))


def _as_json(found: Sequence[Origin], given: Mapping[str, Any]) -> str:
    origins = tuple(
        QueryOrigin(
            term=origin.term,
            name=origin.name,
            containment=origin.containment,
            resemblance=origin.resemblance,
            shared_fingerprints=origin.shared,
        )
        for origin in found
    )
    result = QueryResult(
        kind="mosslite query",
        format=1,
        mosslite=mosslite.__version__,
        archive=shown_name(given["archive"]),
        file=shown_name(given["file"]),
        origins=origins,
    )
    return written(result)


def _as_csv(found: Sequence[Origin]) -> str:
    rows: list[tuple[object, ...]] = [QueryOrigin.__struct_fields__]
    for origin in found:
        shares = (f"{origin.containment:.4f}", f"{origin.resemblance:.4f}")
        rows.append((origin.term, origin.name, *shares, origin.shared))
    return csv_text(rows)


_COLUMNS: Final = (N_("containment"), N_("resemblance"), N_("submission"))


def _lines(found: Sequence[Origin], texts: Texts) -> Iterator[str]:
    if not found:
        yield texts.translated(M_("no submission in the archive shares a fingerprint with it"))
        return
    names = distinct_names(f"{origin.term}/{origin.name}" for origin in found)
    *headings, last = map(texts.gettext, _COLUMNS)
    yield "  ".join([*headings, last])
    little = f" ({texts.gettext('little in common')})"
    for origin in found:
        shares = (percent(share) for share in (origin.containment, origin.resemblance))
        columns = [share.rjust(len(head)) for share, head in zip(shares, headings, strict=True)]
        name = f"{names.shown(f'{origin.term}/{origin.name}')}{little * origin.shares_little}"
        yield "  ".join([*columns, printable(name)])
