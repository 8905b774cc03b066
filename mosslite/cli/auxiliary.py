"""Small commands: baselines, the cache and the list of languages."""

import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from mosslite.cache.store import cache_folder, cache_limit, clear, in_words, usage_of
from mosslite.cli.commands import Commands
from mosslite.cli.files import STANDARD_OUTPUT, require_folder_of, require_own, write_file
from mosslite.cli.parameters.types import OUTPUT, PATH, Choice, percent
from mosslite.cli.terminal import printable, table, translated, writing_to
from mosslite.display import counted
from mosslite.errors import OutputError
from mosslite.languages import MOSS_LANGUAGES, find_language, plug_ins
from mosslite.messages import M_
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
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
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
    if not quiet:
        stream = sys.stderr if file == STANDARD_OUTPUT else sys.stdout
        with writing_to(stream):
            for line in _changes(before, after):
                click.echo(printable(line), stream)


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
    megabytes); the least recently used entries are removed first.
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
    with writing_to(sys.stdout):
        for each in (M_("folder: %(folder)s", folder), line):
            click.echo(printable(translated(each)))


def _usage(folder: Path) -> str:
    usage = usage_of(folder)
    size, limit = usage.size / _MEGABYTE, cache_limit() // _MEGABYTE
    return M_(
        "files: %(readings)d, %(size)s MB of at most %(limit)d MB",
        usage.readings,
        f"{size:.1f}",
        limit,
    )


@click.command()
def languages() -> None:
    """List the supported languages: MOSS names, then plug-ins.

    Every alias of a Pygments lexer works too, such as rust, go, kotlin or php.
    """
    rows = [
        [name, "prose" if language.is_prose else language.title, note]
        for name, (alias, note) in sorted(MOSS_LANGUAGES.items())
        for language in [find_language(alias)]
    ]
    added = [[name, ", ".join(each.patterns)] for name, each in sorted(plug_ins().items())]
    with writing_to(sys.stdout):
        for line in table(["MOSS name", "read as", "note"], rows, left=3):
            click.echo(line)
        for line in ["", *table(["plug-in", "files"], added, left=2)] if added else ():
            click.echo(line)
        click.echo()
        click.echo(
            translated(M_("Every alias of a Pygments lexer works too: rust, go, kotlin, php ..."))
        )
