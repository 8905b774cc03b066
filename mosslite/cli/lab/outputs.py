"""Runs an experiment and sends what comes out everywhere it was asked for."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

import click

from mosslite import output_signatures
from mosslite.cli.exit_code import ExitCode
from mosslite.cli.files import (
    STANDARD_OUTPUT,
    files_first,
    require_apart,
    require_folder_of,
    require_own,
    write_each,
    write_file,
)
from mosslite.cli.progress import ProgressBar, Steps
from mosslite.cli.streams import writing_to
from mosslite.cli.terminal import printable, table
from mosslite.lab.sheets import shown, to_csv, to_json
from mosslite.lab.sheets.page import page_of
from mosslite.report.html.templates import environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _typeshed import DataclassInstance

    from mosslite.cli.lab.options import OutputArguments
    from mosslite.lab.sheets import Sheet
    from mosslite.records import Progress

__all__ = ["run_experiment"]

AnyResult = TypeVar("AnyResult", bound="DataclassInstance")

# What the first bytes of each result are; only such files are written over.
_BEGINNINGS: Final = {
    "--json": output_signatures.LAB_JSON,
    "--csv": output_signatures.LAB_CSV,
    "--html": output_signatures.LAB_HTML,
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
        given: Where results go.
        experiment: Is told whom to tell of its progress.
        sheet_of: Lays out what the experiment gives.
        skipped: Files that are left out, each with the reason, to be told of.

    Returns:
        The exit code.

    Raises:
        MossliteError: The experiment cannot be done, or a result not be written.
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
        rows = [[shown(cell) for cell in row] for row in each.rows]
        yield from (f"  {line}" for line in table(each.headings, rows, left=each.words))
        if each.note:
            yield f"  ({each.note})"
    yield from (f"skipped: {printable(left_out)}" for left_out in skipped)


def _require_possible(targets: dict[str, str]) -> None:
    """Refuse, before any work is done, what could not be written after it."""
    require_apart(targets)
    for option, target in targets.items():
        require_folder_of(target)
        require_own(target, f"result of {option}", _BEGINNINGS[option])
