"""``mosslite report``: one file for a board, from results."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

import mosslite
from mosslite import output_signatures
from mosslite.cli.files import STANDARD_OUTPUT, require_folder_of, require_own, write_file
from mosslite.cli.outputs import created_now
from mosslite.cli.parameters.types import OUTPUT, PATH, with_locale
from mosslite.cli.terminal import noticed, printable, writing_to
from mosslite.display import counted, with_names
from mosslite.errors import InputError, MossliteError, OptionError
from mosslite.pipeline import match_again, read_again
from mosslite.ranking import WEIGHTS, score_explanation
from mosslite.records import Inputs
from mosslite.report import ReportMetadata
from mosslite.report.html.document import Case, case_file, report_in_one_file
from mosslite.report.review import read_marks
from mosslite.report.saved import are_those_of, group_of, pair_of, read_results, verified
from mosslite.texts import texts_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from mosslite.options import Mark
    from mosslite.records import Match, TokenizedSubmission
    from mosslite.report.saved import SavedPair, SavedResults, Source

__all__ = ["report"]


@click.command()
@click.argument("results", metavar="RESULT.json")
@click.argument("names", metavar="[PAIR]", nargs=-1)
@click.option(
    "-o",
    "--output",
    default="case.html",
    show_default=True,
    type=OUTPUT,
    metavar="FILE",
    help="Where the file goes; '-' is standard output.",
)
@click.option(
    "--group",
    metavar="NAME",
    help="All pairs of the group that the submission NAME is in, instead of one pair.",
)
@click.option(
    "--sources",
    multiple=True,
    type=PATH,
    metavar="PATH",
    help="Where the submissions are now, as they were given to check; repeatable.  "
    "[default: where the results say]",
)
@click.option(
    "--base",
    "-b",
    multiple=True,
    type=PATH,
    metavar="PATH",
    help="Where the base code is now; repeatable.",
)
@click.option(
    "--review",
    type=PATH,
    metavar="FILE",
    help="Marks and notes of a reviewer, as a report saves them.",
)
@with_locale
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
@click.pass_context
def report(context: click.Context, /, **_given: object) -> None:
    """Write a case file on a pair, from results as JSON, for a board or to send.

    RESULT.json is what check --json has written, or an import. PAIR is the number of a pair in it,
    from 1, or the names of both submissions. Without PAIR the file is on all pairs, as far as there
    is room. It is one self-contained HTML file; a browser prints it as a document.

    Sources are shown only if they are what was compared, as fingerprints in the results say.

    \b
    Examples:
      mosslite report result.json ada ben -o case.html
      mosslite report result.json 1 --review review.json
      mosslite report result.json --group ada
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    given = context.params
    output = given["output"]
    require_folder_of(output)
    require_own(output, "case file", output_signatures.DOCUMENT_HTML)
    locale = texts_in(given["locale"]).locale
    metadata = ReportMetadata(created_now(), mosslite.__version__, locale)
    results = read_results(Path(given["results"]))
    pairs = _chosen(results, given["names"], given["group"])
    marks = _marks(given["review"])
    with noticed(is_quiet=given["quiet"]):
        found, why_not = _sources(results, pairs, given)
    sources = verified(results, pairs, found, is_named=bool(given["sources"]))
    case = Case(
        results,
        pairs,
        sources,
        marks,
        matches=_matches(pairs, sources),
        score_explanation=_explanation(results),
    )
    is_whole = not given["names"] and given["group"] is None
    write_file(output, (report_in_one_file if is_whole else case_file)(case, metadata))
    if not given["quiet"]:
        _tell(why_not, sys.stderr)
        _tell(_summary(case, output), sys.stderr if output == STANDARD_OUTPUT else sys.stdout)


def _tell(lines: Iterable[str], stream: TextIO) -> None:
    with writing_to(stream):
        for line in lines:
            click.echo(printable(line), stream)


def _chosen(
    results: SavedResults, names: tuple[str, ...], group: str | None
) -> tuple[SavedPair, ...]:
    if names and group is not None:
        msg = "PAIR and --group are both given: give one of them"
        raise OptionError(msg)
    if group is not None:
        return group_of(results, group)
    return (pair_of(results, names),) if names else results.pairs


def _marks(path: str | None) -> Mapping[frozenset[str], Mark]:
    """Return the marks by the names of the pair; of several on one pair the latest holds."""
    marks = () if path is None else read_marks(Path(path))
    return {frozenset((each.left, each.right)): each for each in sorted(marks, key=_time)}


def _time(mark: Mark) -> str:
    return mark.at.rstrip("Z")


def _sources(
    results: SavedResults, pairs: Iterable[SavedPair], given: Mapping[str, tuple[str, ...]]
) -> tuple[Mapping[str, TokenizedSubmission], list[str]]:
    """Read the sources of some pairs, and say what is not where the results or the user say.

    Raises:
        MossliteError: The user names sources, and none of these is there.
    """
    if results.is_anonymous:
        return {}, ["numbers stand for names in the results, so sources cannot be found by them"]
    inputs, named = results.inputs, given["sources"]
    if named:
        inputs = Inputs(named, base=given["base"] or (inputs.base if inputs else ()))
    if inputs is None:
        return {}, ["the results do not tell where the sources are: --sources names them"]
    names = {name for pair in pairs for name in pair.names}
    try:
        found = read_again(inputs, results.options, names)
    except MossliteError as error:
        if named:
            raise
        return {}, [f"the sources cannot be read ({error}): --sources names where they are now"]
    if named and not found:
        msg = f"none of the submissions is in {', '.join(map(repr, named))} (--sources)"
        raise InputError(msg)
    return found, _missing(names - found.keys())


def _matches(
    pairs: Iterable[SavedPair], sources: Mapping[str, Source]
) -> Mapping[int, tuple[Match, ...]]:
    """Find matches again where both texts are at hand: results tell them by their lines."""
    at_hand = [pair for pair in pairs if all(sources[name].submission for name in pair.names)]
    sides = [(sources[pair.left].submission, sources[pair.right].submission) for pair in at_hand]
    found = match_again((left, right) for left, right in sides if left and right)
    return {
        pair.rank: matches
        for pair, matches in zip(at_hand, found, strict=True)
        if are_those_of(pair, matches, sources[pair.left], sources[pair.right])
    }


def _explanation(results: SavedResults) -> str:
    """Return the formula of the score, unless another version or program had another one."""
    is_same = results.version == mosslite.__version__ and not results.program
    return score_explanation(WEIGHTS) if is_same else ""


def _missing(names: Collection[str]) -> list[str]:
    count = counted(len(names), "submission")
    where = f"{count} not found where the results say: --sources names where they are now"
    return [*with_names(where, sorted(names))]


def _summary(case: Case, output: str) -> list[str]:
    proven = sum(each.is_proven for each in case.sources.values())
    shown = sum(each.submission is not None for each in case.sources.values())
    text = f"{shown} of {len(case.sources)} sources shown, {proven} proven to be what was compared"
    return [f"{text}; similarity is evidence, not a verdict", f"case file: {output}"]
