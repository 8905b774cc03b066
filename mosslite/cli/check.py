"""``mosslite check``: compares submissions and writes reports; ``baseline``: its known pairs."""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from operator import is_not
from pathlib import Path
from typing import Any, Final, TextIO

import click
from click.core import ParameterSource

import mosslite
from mosslite.cli.commands import Commands
from mosslite.cli.config import ConfiguredCommand
from mosslite.cli.files import require_own, stream_beside, write_file
from mosslite.cli.options import (
    EVERY,
    OUTPUT,
    PATH,
    RESULTS,
    inputs_of,
    option,
    options_of,
    percent,
    shared,
    submission_paths,
)
from mosslite.cli.outputs import Outputs, created_now
from mosslite.cli.terminal import (
    ExitCode,
    ProgressBar,
    link_to,
    noticed,
    open_in_browser,
    part_of_run,
    print_lines,
    print_notes,
    printable,
    run_texts,
    table,
    tell,
    tell_beside,
)
from mosslite.display import counted, grouped_reasons, names_joined, path_with_reason
from mosslite.errors import OptionError
from mosslite.frontends.selection import gather, language_to_read
from mosslite.messages import M_, N_, NN_, said
from mosslite.options import Options
from mosslite.pipeline import LOCAL, Engine, compare
from mosslite.records import (
    Batch,
    Inputs,
    NotCompared,
    Pair,
    Report,
    Skipped,
    SourceFile,
    SubmissionMetadata,
)
from mosslite.report import ReportMetadata
from mosslite.report.anonymous import anonymous
from mosslite.report.baseline import (
    Baseline,
    Gate,
    baseline_of_results,
    read_baseline,
    with_baseline,
)
from mosslite.report.formats import FORMATS, KEY, SINGLE_FILE, Found
from mosslite.report.json_files import written
from mosslite.report.review import (
    contradicted,
    fitting_count,
    is_cut,
    with_earlier_marks,
    worst_pairs,
)
from mosslite.report.similar_names import DistinctNames, distinct_names, with_distinct_names
from mosslite.report.wording import (
    COMPARED,
    NO_VERDICT,
    NOT_COMPARED,
    compared_by_role,
    ignored_count,
    not_in_full,
    skipped_count,
    warnings_on,
    where_to_begin,
)
from mosslite.signatures import Signature
from mosslite.texts import ENGLISH, Texts, texts_in

# How an encoding was detected, except for UTF-8 without a mark.
_TOLD_BY: Final = {
    "mark": N_("by its byte order mark"),
    "declaration": N_("as declared in the file"),
    "escapes": N_("decoded as Python does"),
    "guess": N_("guessed"),
    "fallback": N_("as a fallback"),
    "option": N_("from --encoding"),
}


def listing_lines(batch: Batch, options: Options, texts: Texts = ENGLISH) -> Iterator[str]:
    """Yield the listing: submissions by role and name, skipped files, remarks, and the counts."""
    names = distinct_names(_paths(batch))

    def described(file: SourceFile) -> str:
        properties = [language_to_read(file, options).name, file.encoding]
        if file.encoding_by in _TOLD_BY:
            properties[-1] += f" {texts.gettext(_TOLD_BY[file.encoding_by])}"
        return printable(f"{names.shown(file.name)}: {', '.join(properties)}")

    yield printable(texts.translated(names.in_text(batch.description)))
    yield ""
    for file in batch.base:
        yield f"{texts.gettext('base')} {described(file)}"
    for submission in batch.submissions:
        (first, *others), role = submission.files, texts.gettext(submission.role.value)
        properties = ", ".join(_metadata_of(submission.hand_in, names, texts))
        if first.name == submission.name and not others and not properties:
            yield f"{role} {described(first)}"
            continue
        name = names.shown(submission.name)
        yield printable(f"{role} {name}" + (f" ({properties})" if properties else ""))
        for file in submission.files:
            yield f"  {described(file)}"
    for word, left_out in ((N_("ignored"), batch.ignored), (N_("skipped"), batch.skipped)):
        for each in left_out:
            line = path_with_reason(names.shown(each.path), each.reason)
            yield printable(texts.translated(M_("%(what)s: %(text)s", said(word), line)))
    yield ""
    for remark in batch.remarks:
        yield printable(texts.translated(M_("warning: %(text)s", names.in_text(remark))))
    files = sum(len(submission.files) for submission in batch.submissions)
    yield texts.gettext(
        "%(submissions)s with %(files)s would be compared%(missing)s, %(skipped)s, %(ignored)s",
        submissions=texts.translated(counted(len(batch.submissions), "submission")),
        files=texts.translated(counted(files, "file")),
        missing=not_in_full(batch.skipped, texts),
        skipped=skipped_count(len(batch.skipped), texts),
        ignored=ignored_count(len(batch.ignored), texts),
    )


def _paths(batch: Batch) -> Iterator[str]:
    for submission in batch.submissions:
        yield submission.name
        yield from submission.hand_in.members
        yield from (file.name for file in submission.files)
    yield from (file.name for file in batch.base)
    yield from (each.path for each in (*batch.ignored, *batch.skipped))


def _metadata_of(hand_in: SubmissionMetadata, names: DistinctNames, texts: Texts) -> Iterator[str]:
    """Yield the platform's metadata of a submission."""
    if hand_in.members:
        members = f" {texts.gettext('and')} ".join(map(names.shown, hand_in.members))
        yield texts.gettext("by %(names)s", names=members)
    if hand_in.submitted:
        yield texts.gettext("submitted %(time)s", time=hand_in.submitted)
    if hand_in.is_late:
        yield texts.gettext("late")
    if hand_in.label:
        yield texts.gettext("label %(label)s", label=hand_in.label)


# Maximum numbers of pairs and of skipped files in the summary; omitted ones are counted.
_MOST_PAIRS, _MOST_SKIPPED = 10, 20


def summary_lines(
    found: Found,
    page: Path | None,
    *,
    folder: Path | None = None,
    replaced: str = "",
    stream: TextIO | None = None,
) -> Iterator[str]:
    """Yield the summary: how the paths were interpreted, top pairs, warnings, counts.

    Args:
        found: The results.
        page: The first page of the HTML report; None without one.
        folder: The folder of the report, if it has one.
        replaced: Description of the batch in the replaced report, if it was another batch.
        stream: Where the summary is printed.
    """
    report, gate = with_distinct_names(found.report), found.gate
    texts = texts_in(found.metadata.locale).for_terminal()
    yield printable(texts.translated(report.description))
    yield from _not_compared(report.not_compared, texts)
    if report.pairs:
        yield ""
        ranking = gate.failing_first(report)
        worst = worst_pairs(report, ranking, _MOST_PAIRS)
        yield from _pair_table(worst, texts)
        first = ranking[:_MOST_PAIRS]
        # "==" would compute the matches of pairs that are not shown.
        if len(worst) < len(first) or any(map(is_not, worst, first)):
            yield texts.gettext("(at most two pairs of each group)")
    yield ""
    if report.pairs:
        yield where_to_begin(report, texts)
    for warning in warnings_on(report, folder, texts):
        yield texts.gettext("warning: %(text)s", text=printable(warning))
    yield from _skipped(report.skipped, texts)
    yield from _review(report, texts)
    if report.known:
        yield texts.ngettext(
            "baseline: %(count)s known pair not counted",
            "baseline: %(count)s known pairs not counted",
            report.known,
        )
    if gate.fail_above is not None:
        yield _failing(found, gate.fail_above, texts)
    if replaced:
        yield texts.gettext(
            "replaced the report of another batch: %(batch)s (-o keeps both)",
            batch=printable(texts.translated(replaced)),
        )
    if page is not None:
        yield texts.gettext("report: %(page)s", page=link_to(page, stream))
    counts = f"{_counts(report, texts)}, {_pairs_found(report, texts)}"
    yield texts.gettext("%(found)s; %(remark)s", found=counts, remark=texts.gettext(NO_VERDICT))


def _not_compared(submissions: Sequence[NotCompared], texts: Texts) -> Iterator[str]:
    """Yield the students not compared, with reasons, which nobody must overlook."""
    if submissions:
        count = texts.ngettext(*NOT_COMPARED, len(submissions))
        first, more = submissions[:_MOST_SKIPPED], len(submissions) - _MOST_SKIPPED
        lines = [texts.translated(path_with_reason(each.name, each.reason)) for each in first]
        if more > 0:
            lines.append(texts.gettext("and %(count)s more", count=texts.number(more)))
        named = texts.gettext("; ").join(lines)
        yield printable(texts.gettext("%(what)s: %(text)s", what=count, text=named))


def _review(report: Report, texts: Texts) -> Iterator[str]:
    """Yield how many marks are on pairs as they are, and those that contradict each other."""
    count, fitting = fitting_count(report)
    if count:
        yield texts.ngettext(
            "review: %(count)s mark, %(fitting)s on the code of a listed pair",
            "review: %(count)s marks, %(fitting)s on the code of a listed pair",
            count,
            fitting=texts.number(fitting),
        )
    marks = contradicted(report.options.review)
    if marks:
        pairs = ", ".join(f"{mark.left} - {mark.right}" for mark in marks[:_MOST_PAIRS])
        yield texts.ngettext(
            "review: %(count)s mark contradicts a later one, which holds: %(pairs)s",
            "review: %(count)s marks contradict later ones, which hold: %(pairs)s",
            len(marks),
            pairs=printable(pairs),
        )


def _skipped(skipped: Sequence[Skipped], texts: Texts) -> Iterator[str]:
    # Files over a limit must not be overlooked among many other files.
    limited = [path_with_reason(each.path, each.reason) for each in skipped if each.limit]
    others = ((each.path, each.reason) for each in skipped if not each.limit)
    lines = [texts.translated(each) for each in (*limited, *grouped_reasons(others))]
    word = texts.gettext("skipped")
    for line in lines[:_MOST_SKIPPED]:
        yield texts.gettext("%(what)s: %(text)s", what=word, text=printable(line))
    if len(lines) > _MOST_SKIPPED:
        more = texts.ngettext(
            "%(count)s more line, see the report or --list",
            "%(count)s more lines, see the report or --list",
            len(lines) - _MOST_SKIPPED,
        )
        yield texts.gettext("%(what)s: %(text)s", what=word, text=more)


_FAILING: Final = NN_(
    "%(count)s pair at or above score %(score)s", "%(count)s pairs at or above score %(score)s"
)
_NEWLY_FAILING: Final = NN_(
    "%(count)s new pair at or above score %(score)s",
    "%(count)s new pairs at or above score %(score)s",
)


def _failing(found: Found, percentage: float, texts: Texts) -> str:
    forms = _NEWLY_FAILING if found.report.has_baseline else _FAILING
    score = texts.decimal(f"{percentage / 100:g}")
    pairs = texts.ngettext(*forms, len(found.gate.failing(found.report)), score=score)
    if is_cut(found.report, percentage):
        pairs = texts.gettext("at least %(pairs)s", pairs=pairs)
    missing = not_in_full(found.report.skipped, texts)
    if absent := found.gate.missing(found.report):
        missing += f", {texts.ngettext(*NOT_COMPARED, len(absent))}"
    return f"--fail-above {percentage:g}: {pairs}{missing}"


def _counts(report: Report, texts: Texts) -> str:
    compared = texts.ngettext(*COMPARED, sum(compared_by_role(report).values()))
    missing = not_in_full(report.skipped, texts)
    counts = [f"{compared}{missing}", skipped_count(len(report.skipped), texts)]
    if report.ignored:
        ignored = ignored_count(len(report.ignored), texts)
        counts.append(texts.gettext("%(ignored)s (--list shows them)", ignored=ignored))
    return ", ".join(counts)


def _pairs_found(report: Report, texts: Texts) -> str:
    count = len(report.pairs)
    if count < sum(report.histogram):
        return texts.ngettext(
            "%(count)s pair listed; -n 0 lists all that share code",
            "%(count)s pairs listed; -n 0 lists all that share code",
            count,
        )
    return texts.ngettext("%(count)s pair shares code", "%(count)s pairs share code", count)


_COLUMNS: Final = (
    *(N_("left"), N_("right"), N_("score"), N_("left"), N_("right")),
    *(N_("tokens"), N_("lines"), N_("longest")),
)


def _pair_table(pairs: Sequence[Pair], texts: Texts) -> list[str]:
    headings, tiny = [*map(texts.gettext, _COLUMNS), ""], texts.gettext("tiny")
    rows = [
        [
            pair.left.name,
            pair.right.name,
            texts.thousandths(pair.score),
            texts.percent(pair.left_similarity),
            texts.percent(pair.right_similarity),
            texts.number(pair.matched_tokens),
            texts.number(pair.matched_lines),
            texts.number(pair.longest_match),
            texts.gettext("known") if pair.is_known else tiny * pair.left.is_tiny,
        ]
        for pair in pairs
    ]
    return table(headings, rows, left=2)


# Options of results that only say how these are written.
_NO_RESULTS: Final = frozenset({"no_html", "show", "comment", "locale"})


def _outputs_of(given: Mapping[str, Any], *, is_named: bool) -> Outputs:
    """Return the outputs.

    Raises:
        OptionError: HTML is both requested and disabled.
    """
    output, is_one_file = given["output"], given["single_file"]
    if is_one_file and given["no_html"]:
        raise OptionError("--single-file and --no-html are both given: give one of them")
    files = {SINGLE_FILE.option: output if is_named else f"{output}.html"} if is_one_file else {}
    files |= {
        each.option: given[each.name] for each in (*FORMATS, KEY) if given[each.name] is not None
    }
    return Outputs(
        html=None if given["no_html"] or is_one_file else Path(output),
        moss_html=None if given["moss_html"] is None else Path(given["moss_html"]),
        files=files,
        is_quiet=given["quiet"],
        follows_link=is_named,
    )


def _engine(given: Mapping[str, Any]) -> AbstractContextManager[Engine]:
    """Start what compares: this machine, or a job of Apache Spark.

    Raises:
        MossliteError: That fails.
    """
    if given["engine"] != "spark":
        return nullcontext(LOCAL)
    from mosslite.spark import Cluster, spark_engine  # noqa: PLC0415 - an optional extra

    cluster = Cluster(given["master"], given["spark_conf"], is_verbose=given["spark_log"])
    return spark_engine(cluster, given["stages"], mosslite.__version__)


def _require_spark(given: Mapping[str, Any]) -> None:
    """Check that no option of an engine is given without it."""
    for name in ("master", "stages", "spark_conf"):
        if given[name] and given["engine"] != "spark":
            option_name = name.replace("_", "-")
            raise OptionError("--%(option)s needs --engine spark: give both", option_name)


def _without_effect(given: Mapping[str, Any], typed: Collection[str]) -> Iterator[str]:
    """Yield one line for each option given that has no effect, with the reason."""
    for name, each in (("output", "-o"), ("open", "--open")):
        if name in typed and given["no_html"]:
            yield M_("%(option)s has no effect with --no-html", each)
    if "directories" in typed and all(map(os.path.isdir, given["current"])):
        yield M_("-d has no effect on folders: it groups files that are given one by one")


def _compared(
    given: Mapping[str, Any], options: Options, outputs: Outputs, known: Baseline | None
) -> int:
    """Compare and write all results.

    Raises:
        MossliteError: A path cannot be read, or a result cannot be written.
    """
    is_quiet = outputs.is_quiet
    with (
        noticed(is_quiet=is_quiet),
        _engine(given) as engine,
        ProgressBar(part_of_run, is_shown=not is_quiet) as progress,
    ):
        inputs, detail = inputs_of(given), outputs.detail
        named = compare(inputs, options, detail=detail, progress=progress, engine=engine)
        named = with_earlier_marks(named, outputs.html)
        if known is not None:
            named = with_baseline(named, known)
        report, key = anonymous(named) if outputs.is_anonymous else (named, "")
        metadata = ReportMetadata(created_now(), mosslite.__version__, given["locale"])
        found = Found(report, key, Gate(given["fail_above"]), metadata)
        replaced = outputs.replaced_batch(report.description)
        page = outputs.write(found, progress)
        # While the engine is there, as texts may be loaded.
        stream = outputs.stream
        lines = [*summary_lines(found, page, folder=outputs.html, replaced=replaced, stream=stream)]
    if not is_quiet:
        print_lines(lines, stream)
    obstacle = open_in_browser(page) if page is not None and given["open"] else ""
    if obstacle:
        tell_beside([M_("cannot open the report: %(obstacle)s", obstacle)], is_quiet=is_quiet)
    return ExitCode.FOUND if found.gate.is_failing(report) else ExitCode.DONE


def _listed(inputs: Inputs, options: Options, in_vain: Sequence[str], *, is_quiet: bool) -> int:
    """Print what would be compared; printed even with --quiet, as it is the result."""
    with ProgressBar(is_shown=not is_quiet) as progress:
        progress("reading", 0, 1)
        batch = gather(inputs, options)
    print_lines(listing_lines(batch, options, run_texts()))
    if in_vain:
        line = M_("nothing is compared, so %(options)s has no effect", in_vain[0])
        if len(in_vain) > 1:
            line = M_("nothing is compared, so %(options)s have no effect", names_joined(in_vain))
        tell_beside([line], is_quiet=is_quiet)
    return ExitCode.DONE


@click.command(cls=ConfiguredCommand)
@submission_paths
@EVERY
@click.pass_context
def check(context: click.Context, /, **_given: object) -> int:
    """Compare submissions and write a report.

    PATHs are files, folders or archives. A file is one submission. A single folder or archive is
    a batch: each file, folder or archive in it is one submission, or each student's work if a
    learning platform exported it. Of several folders or archives, each is one submission, unless
    they are exports, or --each is given: then each is a section of one batch.

    \b
    Examples:
      mosslite check submissions/ -b template.py --open
      mosslite check export.zip --list
      mosslite check --each monday/ tuesday/
      mosslite check -o report --json report.json -- *.java
      mosslite check autumn/ --prior spring/ --fail-above 80
      mosslite check autumn/ --archive cs101.mosslite

    Options can also be set by their long names in a mosslite.toml in the current folder, or under
    [tool.mosslite] in a pyproject.toml there. The command line takes precedence.
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    given, sources = context.params, {each: context.get_parameter_source(each) for each in _given}
    typed = {name for name, source in sources.items() if source is ParameterSource.COMMANDLINE}
    outputs = _outputs_of(given, is_named=sources["output"] is not ParameterSource.DEFAULT)
    print_notes(given, outputs.stream)
    options = options_of(given)
    known = None if given["baseline"] is None else read_baseline(Path(given["baseline"]))
    if known is not None:
        # As many more pairs are listed, so that known pairs do not displace new ones.
        options = replace(options, known=len(known.pairs))
    _require_spark(given)
    if given["list"]:
        in_vain = [each.opts[-1] for each in RESULTS.options if each.name in typed - _NO_RESULTS]
        return _listed(inputs_of(given), options, in_vain, is_quiet=outputs.is_quiet)
    outputs.require_possible()
    tell_beside(_without_effect(given, typed), is_quiet=outputs.is_quiet)
    return _compared(given, options, outputs, known)


# Known pairs


@click.group(cls=Commands, no_args_is_help=False)
def baseline() -> None:
    """Record known pairs for 'mosslite check --baseline'."""


@baseline.command()
@click.argument("file", metavar="FILE", type=OUTPUT)
@click.argument("results", metavar="RESULTS.json", type=PATH)
@option(
    "--above",
    "Take only pairs that score PERCENT or higher: 80 means score 0.80.  [default: all in the "
    "results]",
    type=percent,
    default=0.0,
    show_default=False,
)
@shared("quiet")
def update(file: str, results: str, above: float, quiet: bool) -> None:
    """Replace the known pairs in FILE by those that a check found.

    RESULTS.json is the output of 'mosslite check --json' without --anonymize. Known pairs do not
    count for --fail-above unless their score rises by more than 0.05 or the code of a submission
    is replaced. Review the pairs first; later results mark them as known.

    \b
    Example:
      mosslite check submissions/ --json results.json
      mosslite baseline update baseline.json results.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    require_own(file, "baseline", Signature.BASELINE)
    before = read_baseline(Path(file)) if Path(file).is_file() else Baseline.of((), ())
    after = baseline_of_results(Path(results), above=above / 100)
    write_file(file, written(after))
    tell(_changes(before, after), stream_beside([file]), is_quiet=quiet)


def _changes(before: Baseline, after: Baseline) -> Iterator[str]:
    """Yield the changes of an update, so that no pair becomes known unnoticed."""
    old, new = (
        {tuple(sorted((pair.left, pair.right))) for pair in each.pairs} for each in (before, after)
    )
    names = distinct_names(name for ends in old | new for name in ends)
    added, removed = new - old, old - new
    for left, right in sorted(added):
        yield M_("added: %(left)s and %(right)s", names.shown(left), names.shown(right))
    for left, right in sorted(removed):
        yield M_("removed: %(left)s and %(right)s", names.shown(left), names.shown(right))
    known = counted(len(new), "known pair")
    yield M_("%(known)s, %(added)d added, %(removed)d removed", known, len(added), len(removed))
