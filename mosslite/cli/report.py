"""``mosslite report``: a case file on some pairs, or the pages of a report in another language."""

import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

import mosslite
from mosslite.cli.files import require_own, stream_beside, write_file
from mosslite.cli.options import OUTPUT, PATH, option, shared
from mosslite.cli.outputs import created_now
from mosslite.cli.terminal import (
    ProgressBar,
    link_to,
    noticed,
    part_of_run,
    print_lines,
    run_texts,
    tell,
)
from mosslite.display import counted, with_names
from mosslite.errors import InputError, MossliteError, OptionError
from mosslite.intake.listing import require_few
from mosslite.messages import M_
from mosslite.options import Mark, Options
from mosslite.pipeline import compare, match_again, read_again
from mosslite.ranking import WEIGHTS, score_explanation
from mosslite.records import Detail, Inputs, Match, TokenizedSubmission
from mosslite.report import ReportMetadata, to_json, write_html
from mosslite.report.cases import Source, are_those_of, group_of, harmless, pair_of, verified
from mosslite.report.html.document import Case, case_file, report_in_one_file
from mosslite.report.results import PairResult, Results, read_results
from mosslite.report.review import read_marks, with_earlier_marks
from mosslite.signatures import REPORT_RESULTS, Signature

# Files below the paths that results name, beyond which none is read; fewer if all of them are.
_MOST_LISTED: Final = 10_000
_MOST_READ: Final = 1_000


@click.command()
@click.argument("results", metavar="RESULT.json|REPORT", type=PATH)
@click.argument("names", metavar="[PAIR]", nargs=-1)
@option(
    "-o --output",
    "File to write; '-' is standard output.",
    type=OUTPUT,
    default="case.html",
    metavar="FILE",
)
@option(
    "--group",
    "Include all pairs of the group of submission NAME, instead of one pair.",
    metavar="NAME",
)
@option(
    "--sources",
    "Current path of the submissions, as given to check; repeatable.  [default: the path in the "
    "results]",
    type=PATH,
    multiple=True,
    metavar="PATH",
)
@option(
    "--base -b",
    "Current path of the base code; repeatable.",
    type=PATH,
    multiple=True,
    metavar="PATH",
)
@option(
    "--review", "Include the review marks and notes saved from a report.", type=PATH, metavar="FILE"
)
@shared("locale", "quiet")
def report(**given: Any) -> None:
    """Write a case file for a pair or group, as one HTML file to print or send.

    RESULT.json is written by 'mosslite check --json' or by an import; the folder of a REPORT has
    one. PAIR is the number of a pair in it, starting at 1, or the names of both submissions.
    Without PAIR, all pairs are included, up to a maximum size. The file is self-contained.

    Sources are read again, and shown only if fingerprints in the results prove them unchanged.

    With a REPORT alone, its pages are written again, as in another language (--locale), if the same
    comparison still gives the same results.

    \b
    Examples:
      mosslite report result.json ada ben -o case.html
      mosslite report result.json 1 --review review.json
      mosslite report result.json --group ada
      mosslite report mosslite-report --locale de
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    place = Path(given["results"])
    if place.is_dir() and _is_alone(click.get_current_context()):
        _write_again(place, given["locale"], is_quiet=given["quiet"])
        return
    output = given["output"]
    require_own(output, M_("case file"), Signature.DOCUMENT_HTML)
    metadata = ReportMetadata(created_now(), mosslite.__version__, given["locale"])
    results, digest = read_results(place)
    pairs = _chosen(results, given["names"], given["group"])
    marks = _marks(given["review"])
    with noticed(is_quiet=given["quiet"]):
        found, why_not = _sources(results, pairs, given)
    sources = verified(results, pairs, found, is_named=bool(given["sources"]))
    # The formula of the score, unless another version or program computed it.
    is_ours = results.mosslite == mosslite.__version__ and not results.program
    case = Case(
        results,
        digest,
        pairs,
        sources,
        marks,
        matches=_matches(pairs, sources, results.comparison),
        score_explanation=score_explanation(WEIGHTS) if is_ours else "",
    )
    is_whole = not given["names"] and given["group"] is None
    write_file(output, (report_in_one_file if is_whole else case_file)(case, metadata))
    if not given["quiet"]:
        tell(why_not, sys.stderr)
        tell(_summary_of_case(case, output), stream_beside([output]))


# What else may be given with the folder of a report that is written again.
_OF_FOLDERS: Final = frozenset({"results", "locale", "quiet"})


def _is_alone(context: click.Context) -> bool:
    """Return whether nothing asks for a case file."""
    usual = (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)
    return all(
        name in _OF_FOLDERS or context.get_parameter_source(name) in usual
        for name in context.params
    )


def _write_again(folder: Path, locale: str, *, is_quiet: bool) -> None:
    """Write the pages of a report again, of the results in its folder.

    Raises:
        MossliteError: It is not a report, or comparing again does not give its results.
    """
    results, _ = read_results(folder)
    inputs = results.paths
    if inputs is None:
        raise InputError(
            "the results in %(folder)r name no path of the sources, so nothing can be compared "
            "again: run 'mosslite check'",
            folder,
        )
    options, created = harmless(results.comparison), results.created or ""
    options = replace(options, intake=replace(options.intake, output=str(folder)))
    given = (*inputs.current, *inputs.base, *inputs.prior, *inputs.reference)
    require_few(given, options.intake, _MOST_LISTED)
    with noticed(is_quiet=is_quiet), ProgressBar(part_of_run, is_shown=not is_quiet) as progress:
        found = compare(inputs, options, detail=Detail.MATCHES, progress=progress)
        found = with_earlier_marks(found, folder)
        text = to_json(found, created=created, version=mosslite.__version__)
        if text != (folder / REPORT_RESULTS).read_text(encoding="utf-8"):
            raise InputError(
                "comparing again does not give the results in %(folder)r: the submissions, an "
                "option or mosslite changed; run 'mosslite check'",
                folder,
            )
        metadata = ReportMetadata(created, mosslite.__version__, locale)
        page = write_html(found, folder, metadata, progress=progress)
    if not is_quiet:
        texts = run_texts()
        print_lines([texts.gettext("report: %(page)s", page=link_to(page, sys.stdout))])


def _chosen(results: Results, names: tuple[str, ...], group: str | None) -> tuple[PairResult, ...]:
    if names and group is not None:
        raise OptionError("PAIR and --group are both given: give one of them")
    if group is not None:
        return group_of(results, group)
    return (pair_of(results, names),) if names else results.pairs


def _marks(path: str | None) -> Mapping[frozenset[str], Mark]:
    """Return the latest mark of each pair, by the names of the pair."""
    marks = () if path is None else read_marks(Path(path))
    latest_last = sorted(marks, key=lambda mark: mark.at.rstrip("Z"))
    return {frozenset((each.left, each.right)): each for each in latest_last}


def _sources(
    results: Results, pairs: Iterable[PairResult], given: Mapping[str, tuple[str, ...]]
) -> tuple[Mapping[str, TokenizedSubmission], list[str]]:
    """Read the sources of some pairs, and return remarks on those that are missing.

    Raises:
        MossliteError: The user names sources, and none of them exists.
    """
    if results.anonymous:
        return {}, [
            M_("the results contain numbers instead of names, so their sources cannot be found")
        ]
    inputs, named, options = results.paths, given["sources"], results.comparison
    if named:
        inputs = Inputs(named, base=given["base"] or (inputs.base if inputs else ()))
    if inputs is None:
        return {}, [
            M_("the results do not contain the path of the sources: give it with --sources")
        ]
    names = {name for pair in pairs for name in pair.names}
    try:
        if not named:
            options = harmless(options)
            most = _MOST_LISTED if options.max_sharing is None else _MOST_READ
            given_then = (*inputs.current, *inputs.base, *inputs.prior, *inputs.reference)
            require_few(given_then, options.intake, most)
        found = read_again(inputs, options, names)
    except MossliteError as error:
        if named:
            raise
        return {}, [
            M_(
                "the sources cannot be read (%(error)s): give their current path with --sources",
                error,
            )
        ]
    if named and not found:
        raise InputError(
            "none of the submissions is in %(named)s (--sources)", ", ".join(map(repr, named))
        )
    return found, _missing(names - found.keys())


def _matches(
    pairs: Iterable[PairResult], sources: Mapping[str, Source], options: Options
) -> Mapping[frozenset[str], tuple[Match, ...]]:
    """Find matches again if both texts are available; results contain only line numbers."""
    at_hand = [pair for pair in pairs if all(sources[name].submission for name in pair.names)]
    sides = [(sources[pair.left].submission, sources[pair.right].submission) for pair in at_hand]
    both = ((left, right) for left, right in sides if left and right)
    found = match_again(both, options)
    return {
        pair.names: matches
        for pair, matches in zip(at_hand, found, strict=True)
        if are_those_of(pair, matches, sources[pair.left], sources[pair.right])
    }


def _missing(names: Collection[str]) -> list[str]:
    submissions = counted(len(names), "submission")
    return [
        *with_names(
            "%(submissions)s not found at the path in the results: give the current path with "
            "--sources: %(names)s",
            submissions,
            names=sorted(names),
        )
    ]


def _summary_of_case(case: Case, output: str) -> list[str]:
    proven = sum(each.is_proven for each in case.sources.values())
    shown = sum(each.submission is not None for each in case.sources.values())
    every = len(case.sources)
    return [
        M_(
            "%(shown)s of %(every)s sources shown, %(proven)s proven to be what "
            "was compared; similarity is evidence, not a verdict",
            shown,
            every,
            proven,
        ),
        *([] if output == "-" else [M_("case file: %(output)s", output)]),
    ]
