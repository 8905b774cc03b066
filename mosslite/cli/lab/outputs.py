"""Runs an experiment on a corpus and writes its results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
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
from mosslite.cli.options import OUTPUT
from mosslite.cli.terminal import ExitCode, ProgressBar, printable, table, writing_to
from mosslite.errors import InputError, OptionError
from mosslite.lab.corpora import RandomText, files_below
from mosslite.lab.selectors import Source
from mosslite.lab.sheets import Sheet, shown, to_csv, to_json
from mosslite.languages import find_language
from mosslite.output_signatures import Signature
from mosslite.records import Progress

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Command = TypeVar("Command", bound="Callable[..., int]")


class OutputArguments(TypedDict):
    """Output locations."""

    json_file: str | None
    csv_file: str | None
    plots: str | None
    quiet: bool


class CorpusArguments(OutputArguments):
    """A corpus, and output locations."""

    paths: tuple[str, ...]
    random_size: int | None
    seed: int
    language: str | None


def number(
    *names: str,
    default: int | tuple[int, ...],
    help: str,
) -> Callable[[Command], Command]:
    """Add an option that takes a number, and can be repeated if the default is several."""
    is_repeatable = isinstance(default, tuple)
    return click.option(
        *names, type=int, default=default, multiple=is_repeatable, show_default=True, help=help
    )


def corpus_options(command: Command) -> Command:
    """Add the options of a corpus and of outputs."""
    for add in (
        click.option(
            "-l",
            "--language",
            metavar="NAME",
            help="Compare tokens of this language instead of letters and digits.",
        ),
        number("--seed", default=1, help="Seed of the random numbers."),
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
            "--plots",
            type=click.Path(file_okay=False),
            metavar="DIR",
            help="Write the plots as PNG and SVG, and their numbers as JSON and CSV.",
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


def require_extra(*packages: str) -> None:
    """Check that the packages of the extra are installed.

    Raises:
        InputError: One is not; tells how to install it.
    """
    if any(find_spec(name) is None for name in packages):
        names = " and ".join(packages)
        msg = f"this experiment needs {names}: in a checkout, pip install '.[lab]'"
        raise InputError(msg)


# First bytes of each kind of result; only such files are overwritten.
_BEGINNINGS: Final = {"json": Signature.LAB_JSON, "csv": Signature.LAB_CSV}
_NO_FILE: Final = b"\0"


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
    options = {"--json": given["json_file"], "--csv": given["csv_file"]}
    targets = {option: target for option, target in options.items() if target is not None}
    in_folder = _in_folder(given["plots"])
    _require_possible(targets, in_folder)
    with ProgressBar(is_shown=not given["quiet"]) as progress:
        result = experiment(progress)
    sheet = sheet_of(result)
    if not given["quiet"]:
        _print(sheet, skipped, is_beside=STANDARD_OUTPUT in targets.values())
    contents: dict[str, str | bytes] = {"json": to_json(sheet.name, result), "csv": to_csv(sheet)}
    if in_folder:
        from mosslite.lab.plots import picture_of  # noqa: PLC0415 - an optional extra

        Path(in_folder["json"]).parent.mkdir(exist_ok=True)
        contents |= {kind: picture_of(sheet, kind) for kind in ("png", "svg")}
    writers = [(target, contents[kind]) for kind, target in in_folder.items()]
    writers += [(target, contents[option[2:]]) for option, target in files_first(targets)]
    write_each(partial(write_file, *writer) for writer in writers)
    return ExitCode.DONE


def _in_folder(folder: str | None) -> dict[str, str]:
    """Return the files of --plots by kind; the results are the first."""
    if folder is None:
        return {}
    name = click.get_current_context().info_name
    return {kind: str(Path(folder, f"{name}.{kind}")) for kind in ("json", "csv", "png", "svg")}


def _require_possible(targets: dict[str, str], in_folder: dict[str, str]) -> None:
    """Check outputs before any work is done."""
    require_apart(targets)
    for option, target in targets.items():
        require_folder_of(target)
        require_own(target, f"result of {option}", _BEGINNINGS[option[2:]])
    if in_folder:
        require_extra("matplotlib")
        require_folder_of(str(Path(in_folder["json"]).parent))
        # Pictures are ours if they are beside our results.
        is_new = not Path(in_folder["json"]).exists()
        for kind, target in in_folder.items():
            if is_new or kind in _BEGINNINGS:
                require_own(target, "result of --plots", _BEGINNINGS.get(kind, _NO_FILE))


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
