"""Runs an experiment on a corpus and writes its results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, TypedDict, TypeVar

import click

from mosslite.cli.files import (
    STANDARD_OUTPUT,
    files_first,
    require_apart,
    require_folder_of,
    require_own,
    write_each,
    write_file,
)
from mosslite.cli.parameters.types import OUTPUT
from mosslite.cli.terminal import ExitCode, ProgressBar, Steps, printable, table, writing_to
from mosslite.errors import OptionError
from mosslite.lab.corpora import RandomText, files_below
from mosslite.lab.selectors import Source
from mosslite.lab.sheets import Sheet, page_of, shown, to_csv, to_json
from mosslite.languages import find_language
from mosslite.output_signatures import Signature
from mosslite.records import Progress
from mosslite.report.html.site import environment

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Command = TypeVar("Command", bound="Callable[..., int]")


class OutputArguments(TypedDict):
    """Output locations."""

    json_file: str | None
    csv_file: str | None
    html_file: str | None
    quiet: bool


class CorpusArguments(OutputArguments):
    """A corpus, and output locations."""

    paths: tuple[str, ...]
    random_size: int | None
    seed: int
    language: str | None


def corpus_options(command: Command) -> Command:
    """Add the options of a corpus and of outputs."""
    for add in (
        click.option(
            "-l",
            "--language",
            metavar="NAME",
            help="Compare tokens of this language instead of letters and digits.",
        ),
        click.option(
            "--seed", type=int, default=1, show_default=True, help="Seed of the random numbers."
        ),
        click.option(
            "--random",
            "random_size",
            type=int,
            metavar="N",
            help="Use N random letters instead of files.",
        ),
        click.argument("paths", nargs=-1, metavar="[CORPUS]..."),
    ):
        command = add(command)
    return output_options(command)


def output_options(command: Command) -> Command:
    """Add the options of outputs."""
    for add in (
        click.option("-q", "--quiet", is_flag=True, help="Print errors only."),
        click.option(
            "--html",
            "html_file",
            type=OUTPUT,
            metavar="FILE",
            help="Write an HTML page with tables and plots.",
        ),
        click.option(
            "--csv", "csv_file", type=OUTPUT, metavar="FILE", help="Write the tables as CSV."
        ),
        click.option(
            "--json",
            "json_file",
            type=OUTPUT,
            metavar="FILE",
            help="Write JSON; '-' is standard output.",
        ),
    ):
        command = add(command)
    return command


def source_of(given: CorpusArguments) -> Source:
    """Return the corpus given: files as text or as tokens, or random letters.

    Raises:
        MossliteError: There is none, or more than one.
    """
    paths, size, language = given["paths"], given["random_size"], given["language"]
    if size is not None:
        if paths or language is not None:
            msg = "--random cannot be used with files or -l: remove one of them"
            raise OptionError(msg)
        return RandomText(size, given["seed"])
    if not paths:
        msg = "no corpus: give files or folders, or --random N"
        raise OptionError(msg)
    return files_below(paths, None if language is None else find_language(language))


AnyResult = TypeVar("AnyResult", bound="DataclassInstance")

# First bytes of each kind of result; only such files are overwritten.
_BEGINNINGS: Final = {
    "--json": Signature.LAB_JSON,
    "--csv": Signature.LAB_CSV,
    "--html": Signature.LAB_HTML,
}


def run_experiment(
    given: OutputArguments,
    experiment: Callable[[Progress], AnyResult],
    sheet_of: Callable[[AnyResult], Sheet],
    *,
    skipped: tuple[str, ...] = (),
) -> int:
    """Run an experiment, print its tables, and write its results.

    Args:
        given: Output locations.
        experiment: The experiment, called with a progress callback.
        sheet_of: Converts the result to tables and plots.
        skipped: Files left out, each with the reason.

    Returns:
        The exit code.

    Raises:
        MossliteError: The experiment fails, or a result cannot be written.
    """
    targets = _targets(given)
    _require_possible(targets)
    with ProgressBar(Steps(), is_shown=not given["quiet"]) as progress:
        result = experiment(progress)
    sheet = sheet_of(result)
    if not given["quiet"]:
        _print(sheet, skipped, is_beside=STANDARD_OUTPUT in targets.values())
    make: dict[str, Callable[[], str]] = {
        "--json": lambda: to_json(sheet.name, result),
        "--csv": lambda: to_csv(sheet),
        "--html": lambda: page_of(sheet, environment()),
    }
    write_each(partial(_write, target, make[option]) for option, target in files_first(targets))
    return ExitCode.DONE


def _write(target: str, make: Callable[[], str]) -> None:
    write_file(target, make())


def _targets(given: OutputArguments) -> dict[str, str]:
    all_targets = {
        "--json": given["json_file"],
        "--csv": given["csv_file"],
        "--html": given["html_file"],
    }
    return {option: target for option, target in all_targets.items() if target is not None}


def _print(sheet: Sheet, skipped: tuple[str, ...], *, is_beside: bool) -> None:
    stream = sys.stderr if is_beside else sys.stdout
    with writing_to(stream):
        for line in _lines(sheet, skipped):
            click.echo(line, stream)


def _lines(sheet: Sheet, skipped: tuple[str, ...]) -> Iterator[str]:
    for number, each in enumerate(sheet.tables):
        if number:
            yield ""
        yield printable(each.title)
        rows = [[shown(cell, each.decimals) for cell in row] for row in each.rows]
        yield from (f"  {line}" for line in table(each.headings, rows, left=each.words))
        if each.note:
            yield f"  ({each.note})"
    yield from (f"skipped: {printable(left_out)}" for left_out in skipped)
    if sheet.advice:
        yield ""
        yield from (f"advice for {printable(each)}" for each in sheet.advice)


def _require_possible(targets: dict[str, str]) -> None:
    """Check outputs before any work is done."""
    require_apart(targets)
    for option, target in targets.items():
        require_folder_of(target)
        require_own(target, f"result of {option}", _BEGINNINGS[option])
