"""What the commands of the laboratory have in common: a corpus, and where results go."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, TypeVar

import click

from mosslite.cli.parameters.types import OUTPUT
from mosslite.errors import OptionError
from mosslite.lab.corpora import RandomText, files_below
from mosslite.languages import find_language

if TYPE_CHECKING:
    from collections.abc import Callable

    from mosslite.lab.stream import Source

__all__ = ["CorpusArguments", "OutputArguments", "corpus_options", "output_options", "source_of"]

Command = TypeVar("Command", bound="Callable[..., int]")


class OutputArguments(TypedDict):
    """Where results go."""

    json_file: str | None
    csv_file: str | None
    html_file: str | None
    quiet: bool


class CorpusArguments(OutputArguments):
    """A corpus, and where results go."""

    paths: tuple[str, ...]
    random_size: int | None
    seed: int
    language: str | None


def corpus_options(command: Command) -> Command:
    """Add the options of a corpus and of its results."""
    for add in (
        click.option("-l", "--language", metavar="NAME", help="Read tokens of this language."),
        click.option("--seed", type=int, default=1, show_default=True, help="Of all chance."),
        click.option(
            "--random",
            "random_size",
            type=int,
            metavar="N",
            help="No files, but N random letters.",
        ),
        click.argument("paths", nargs=-1, metavar="[CORPUS]..."),
    ):
        command = add(command)
    return output_options(command)


def output_options(command: Command) -> Command:
    """Add the options of results."""
    for add in (
        click.option("-q", "--quiet", is_flag=True, help="Print errors only."),
        click.option(
            "--html",
            "html_file",
            type=OUTPUT,
            metavar="FILE",
            help="Write a page with tables and plots.",
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
    """Find the corpus that is asked for: files as text or as tokens, or random letters.

    Raises:
        MossliteError: There is none, or more than one.
    """
    paths, size, language = given["paths"], given["random_size"], given["language"]
    if size is not None:
        if paths or language is not None:
            msg = "--random takes the place of files: give one or the other"
            raise OptionError(msg)
        return RandomText(size, given["seed"])
    if not paths:
        msg = "no corpus: give files or folders, or --random N"
        raise OptionError(msg)
    return files_below(paths, None if language is None else find_language(language))
