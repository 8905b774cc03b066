"""``mosslite baseline``: known pairs, so that only new ones fail a job."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from mosslite.cli.commands import Commands
from mosslite.cli.files import STANDARD_OUTPUT, require_folder_of, require_own, write_file
from mosslite.cli.options import OUTPUT, PATH, RUNNING, percent
from mosslite.cli.terminal import tell
from mosslite.display import counted
from mosslite.output_signatures import Signature
from mosslite.report.ci.baseline import Baseline, baseline_of_results, read_baseline
from mosslite.report.json_files import written
from mosslite.report.similar_names import distinct_names


@click.group(cls=Commands, no_args_is_help=False)
def baseline() -> None:
    """Record known pairs for 'mosslite check --baseline'."""


@baseline.command()
@click.argument("file", metavar="FILE", type=OUTPUT)
@click.argument("results", metavar="RESULTS.json", type=PATH)
@click.option(
    "--above",
    type=percent,
    default=0.0,
    metavar="PERCENT",
    help="Take only pairs that score PERCENT or higher: 80 means score 0.80.  [default: all in "
    "the results]",
)
@RUNNING.only("quiet")
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
    require_folder_of(file)
    require_own(file, "baseline", Signature.BASELINE)
    before = read_baseline(Path(file)) if Path(file).is_file() else Baseline.of((), ())
    after = baseline_of_results(Path(results), above=above / 100)
    write_file(file, written(after))
    stream = sys.stderr if file == STANDARD_OUTPUT else sys.stdout
    tell(_changes(before, after), stream, is_quiet=quiet)


def _changes(before: Baseline, after: Baseline) -> Iterator[str]:
    """Yield the changes of an update, so that no pair becomes known unnoticed."""
    old, new = ({_ends(pair.left, pair.right) for pair in each.pairs} for each in (before, after))
    names = distinct_names(name for ends in old | new for name in ends)
    for what, pairs in (("added", new - old), ("removed", old - new)):
        for left, right in sorted(pairs):
            yield f"{what}: {names.shown(left)} and {names.shown(right)}"
    added, gone = len(new - old), len(old - new)
    yield f"{counted(len(new), 'known pair')}, {added:,} added, {gone:,} removed"


def _ends(left: str, right: str) -> tuple[str, str]:
    return (left, right) if left < right else (right, left)
