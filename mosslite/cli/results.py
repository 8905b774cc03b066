"""Commands on saved results: ``course`` and ``report``."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TextIO

import click
from click.core import ParameterSource

import mosslite
from mosslite import output_signatures
from mosslite.cli.files import (
    STANDARD_OUTPUT,
    require_apart,
    require_folder_of,
    require_own,
    write_each,
    write_file,
)
from mosslite.cli.outputs import created_now
from mosslite.cli.parameters.types import OUTPUT, PATH, with_locale
from mosslite.cli.rewriting import MOST_LISTED, write_again
from mosslite.cli.terminal import noticed, printable, run_texts, table, translated, writing_to
from mosslite.display import counted, with_names
from mosslite.errors import InputError, MossliteError, OptionError, OutputError
from mosslite.intake.listing import require_few
from mosslite.messages import M_, N_
from mosslite.options import Mark, Options
from mosslite.output_signatures import Signature
from mosslite.pipeline import match_again, read_again
from mosslite.ranking import WEIGHTS, score_explanation
from mosslite.records import Inputs, Match, TokenizedSubmission
from mosslite.report import ReportMetadata
from mosslite.report.course import Course, roll_up
from mosslite.report.course_outputs import to_csv, to_json, to_page
from mosslite.report.folder import refuse_standard_output
from mosslite.report.html.document import Case, case_file, report_in_one_file
from mosslite.report.lookup import group_of, pair_of
from mosslite.report.results import PairResult, Results, read_results
from mosslite.report.review import read_marks
from mosslite.report.similar_names import read_identities, read_key
from mosslite.report.sources import Source, are_those_of, harmless, verified
from mosslite.report.students import Given, joined
from mosslite.report.wording import NO_VERDICT, series_in_words
from mosslite.texts import Texts, texts_in

# Maximum number of pairs printed; the report has all.
_MOST_PAIRS = 10
_MOST_NAMED: Final = 5
# Files below the paths that results name, beyond which none is read if all of them are.
_MOST_READ = 1_000


@click.command()
@click.argument("results", metavar="RESULT.json...", type=PATH, nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    default="mosslite-course",
    show_default=True,
    type=OUTPUT,
    metavar="DIR",
    help="Folder of the report.",
)
@click.option("--no-html", is_flag=True, help="Do not write the HTML report.")
@click.option(
    "--json",
    "json_file",
    type=OUTPUT,
    metavar="FILE",
    help="Write JSON; '-' is standard output.",
)
@click.option(
    "--csv",
    "csv_file",
    type=OUTPUT,
    metavar="FILE",
    help="Write the pairs as CSV; '-' is standard output.",
)
@click.option(
    "--students",
    type=PATH,
    metavar="FILE",
    help="CSV file with the columns name and student, for students whose names differ between "
    "assignments.",
)
@click.option(
    "--key",
    "keys",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="Key file of an anonymous result; once for each, in the same order.",
)
@click.option("-c", "--comment", default="", metavar="TEXT", help="Title of the course.")
@with_locale
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
@click.pass_context
def course(context: click.Context, /, **_given: object) -> None:
    """Combine the results of several assignments: which pairs stand out repeatedly.

    Each RESULT.json is one assignment, written by 'mosslite check --json' or by an import; its
    title is set by -c there. Students are matched by the ids, addresses or names in the export,
    otherwise by the names of their submissions.

    \b
    Examples:
      mosslite course hw1.json hw2.json hw3.json
      mosslite course hw*.json --students names.csv --csv course.csv
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    given = context.params
    locale = texts_in(given["locale"]).locale
    page = None if given["no_html"] else Path(given["output"]) / "index.html"
    _require_places(given, page)
    identities = read_identities(Path(given["students"])) if given["students"] else None
    results = _with_keys(map(_read, map(Path, given["results"])), given["keys"])
    found = roll_up(joined(results, identities))
    write_each(_writers(found, given, page, locale))
    if not given["quiet"]:
        stream = sys.stderr if STANDARD_OUTPUT in _files(given).values() else sys.stdout
        with writing_to(stream):
            for line in _summary_of_course(found, page, run_texts()):
                click.echo(line, stream)


def _read(path: Path) -> Given:
    results, digest = read_results(path)
    return Given(path, results, digest)


def _with_keys(given: Iterable[Given], keys: Sequence[str]) -> list[Given]:
    """Combine anonymous results with their keys, in order."""
    results = list(given)
    anonymous = [each.path for each in results if each.results.anonymous]
    if keys and len(keys) != len(anonymous):
        results_counted = counted(len(anonymous), "anonymous result")
        raise OptionError(
            "--key is given %(times)s, and there are %(results_counted)s: give one of each",
            counted(len(keys), "time"),
            results_counted,
        )
    names = dict(zip(anonymous, (read_key(Path(key)) for key in keys), strict=False))
    return [each._replace(names=names.get(each.path, {})) for each in results]


def _files(given: dict[str, str]) -> dict[str, str]:
    """Return output paths by option."""
    both = {"--json": given["json_file"], "--csv": given["csv_file"]}
    return {option: target for option, target in both.items() if target}


def _require_places(given: dict[str, str], page: Path | None) -> None:
    """Check that all outputs can be written, and replace no other files."""
    files = _files(given)
    require_apart(files | ({"-o": str(page)} if page else {}))
    signatures = {
        "--json": Signature.COURSE_JSON,
        "--csv": Signature.COURSE_CSV,
    }
    for option, target in files.items():
        if target != STANDARD_OUTPUT:
            require_folder_of(target)
            require_own(target, option, signatures[option])
    if page is not None:
        refuse_standard_output(page.parent, "-o")
        _make(page.parent)
        require_own(str(page), "report", Signature.DOCUMENT_HTML)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError("cannot make the folder %(folder)r: %(reason)s", folder, error) from error


def _writers(
    found: Course, given: dict[str, str], page: Path | None, locale: str
) -> Iterator[Callable[[], object]]:
    metadata = ReportMetadata(created_now(), mosslite.__version__, locale)
    title = given["comment"] or texts_in(locale).gettext("A course over time")
    files = _files(given)
    if page is not None:
        yield lambda: write_file(str(page), to_page(found, metadata, title))
    if "--json" in files:
        yield partial(write_file, files["--json"], to_json(found, metadata))
    if "--csv" in files:
        yield partial(write_file, files["--csv"], to_csv(found))


_COLUMNS: Final = (N_("left"), N_("right"), N_("stood out"), N_("by chance"))


def _summary_of_course(found: Course, page: Path | None, texts: Texts) -> Iterator[str]:
    assignments, students = len(found.assignments), len(found.students)
    counts = counted(assignments, "assignment"), counted(students, "student")
    yield ", ".join(map(texts.translated, counts))
    yield ""
    shown = found.series[:_MOST_PAIRS]
    if shown:
        yield from table([*map(texts.gettext, _COLUMNS)], _series_rows(found, texts), left=2)
        if shown[0].times > 1:
            yield ""
            yield texts.gettext("First pair: %(why)s.", why=series_in_words(shown[0], texts))
    else:
        yield texts.gettext("No pair reached the threshold of an assignment.")
    yield ""
    for line in found.warnings:
        yield texts.gettext("warning: %(text)s", text=printable(texts.translated(line)))
    for line in found.apart:
        yield texts.gettext(
            "not joined: %(text)s", text=printable(_begin_of(texts.translated(line), texts))
        )
    if page is not None:
        yield texts.gettext("report: %(page)s", page=printable(str(page)))
    again = texts.ngettext(
        "%(count)s pair stood out more than once",
        "%(count)s pairs stood out more than once",
        sum(each.times > 1 for each in found.series),
    )
    yield texts.gettext("%(found)s; %(remark)s", found=again, remark=texts.gettext(NO_VERDICT))


def _series_rows(found: Course, texts: Texts) -> list[list[str]]:
    return [
        [
            found.names[each.left],
            found.names[each.right],
            texts.gettext("%(times)s of %(together)s", times=each.times, together=each.together),
            "-" if each.expected >= 1 else _rareness(each.expected, texts),
        ]
        for each in found.series[:_MOST_PAIRS]
    ]


def _rareness(expected: float, texts: Texts) -> str:
    courses = int(float(f"{1 / expected:.2g}"))
    return texts.ngettext("once in %(count)s course", "once in %(count)s courses", courses)


def _begin_of(line: str, texts: Texts) -> str:
    """Cut a long list of names; the page and the results have all of it."""
    names = line.split(", ")
    more = len(names) - _MOST_NAMED
    if more <= 0:
        return line
    shown = ", ".join(names[:_MOST_NAMED])
    return texts.translated(M_("%(shown)s and %(more)d more", shown, more))


@click.command()
@click.argument("results", metavar="RESULT.json|REPORT", type=PATH)
@click.argument("names", metavar="[PAIR]", nargs=-1)
@click.option(
    "-o",
    "--output",
    default="case.html",
    show_default=True,
    type=OUTPUT,
    metavar="FILE",
    help="File to write; '-' is standard output.",
)
@click.option(
    "--group",
    metavar="NAME",
    help="Include all pairs of the group of submission NAME, instead of one pair.",
)
@click.option(
    "--sources",
    multiple=True,
    type=PATH,
    metavar="PATH",
    help="Current path of the submissions, as given to check; repeatable.  "
    "[default: the path in the results]",
)
@click.option(
    "--base",
    "-b",
    multiple=True,
    type=PATH,
    metavar="PATH",
    help="Current path of the base code; repeatable.",
)
@click.option(
    "--review",
    type=PATH,
    metavar="FILE",
    help="Include the review marks and notes saved from a report.",
)
@with_locale
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
@click.pass_context
def report(context: click.Context, /, **_given: object) -> None:
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
    given = context.params
    place = Path(given["results"])
    if place.is_dir():
        if _is_alone(context):
            write_again(place, texts_in(given["locale"]).locale, is_quiet=given["quiet"])
            return
        place /= output_signatures.REPORT_RESULTS
    output = given["output"]
    require_folder_of(output)
    require_own(output, M_("case file"), Signature.DOCUMENT_HTML)
    locale = texts_in(given["locale"]).locale
    metadata = ReportMetadata(created_now(), mosslite.__version__, locale)
    results, digest = read_results(place)
    pairs = _chosen(results, given["names"], given["group"])
    marks = _marks(given["review"])
    with noticed(is_quiet=given["quiet"]):
        found, why_not = _sources(results, pairs, given)
    sources = verified(results, pairs, found, is_named=bool(given["sources"]))
    case = Case(
        results,
        digest,
        pairs,
        sources,
        marks,
        matches=_matches(pairs, sources, results.comparison),
        score_explanation=_explanation(results),
    )
    is_whole = not given["names"] and given["group"] is None
    write_file(output, (report_in_one_file if is_whole else case_file)(case, metadata))
    if not given["quiet"]:
        _tell(why_not, sys.stderr)
        _tell(
            _summary_of_case(case, output), sys.stderr if output == STANDARD_OUTPUT else sys.stdout
        )


# What else may be given with the folder of a report that is written again.
_OF_FOLDERS: Final = frozenset({"results", "locale", "quiet"})


def _is_alone(context: click.Context) -> bool:
    """Return whether nothing asks for a case file."""
    usual = (ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)
    return all(
        name in _OF_FOLDERS or context.get_parameter_source(name) in usual
        for name in context.params
    )


def _tell(lines: Iterable[str], stream: TextIO) -> None:
    with writing_to(stream):
        for line in lines:
            click.echo(printable(translated(line)), stream)


def _chosen(results: Results, names: tuple[str, ...], group: str | None) -> tuple[PairResult, ...]:
    if names and group is not None:
        raise OptionError("PAIR and --group are both given: give one of them")
    if group is not None:
        return group_of(results, group)
    return (pair_of(results, names),) if names else results.pairs


def _marks(path: str | None) -> Mapping[frozenset[str], Mark]:
    """Return the latest mark of each pair, by the names of the pair."""
    marks = () if path is None else read_marks(Path(path))
    return {frozenset((each.left, each.right)): each for each in sorted(marks, key=_time)}


def _time(mark: Mark) -> str:
    return mark.at.rstrip("Z")


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
            most = MOST_LISTED if options.max_sharing is None else _MOST_READ
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


def _explanation(results: Results) -> str:
    """Return the formula of the score, unless another version or program computed it."""
    is_same = results.mosslite == mosslite.__version__ and not results.program
    return score_explanation(WEIGHTS) if is_same else ""


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
        M_("case file: %(output)s", output),
    ]
