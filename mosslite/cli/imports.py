"""``mosslite import-moss``, ``import-jplag`` and ``import-dolos``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

import mosslite
from mosslite import output_signatures
from mosslite.cli.files import require_folder_of, require_own, write_file
from mosslite.cli.parameters.types import OUTPUT
from mosslite.report.imports import (
    Export,
    dolos_to_json,
    is_of_dolos,
    is_of_jplag,
    jplag_to_json,
)
from mosslite.report.moss import moss_to_json
from mosslite.submissions.exported import exported_files

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["import_dolos", "import_jplag", "import_moss"]

_PATH: Final = click.argument("path", metavar="PATH")
_OUTPUT: Final = click.option(
    "-o",
    "--output",
    default="-",
    type=OUTPUT,
    metavar="FILE",
    help="Where the JSON goes; '-' is standard output.  [default: -]",
)
_COMMENT: Final = click.option(
    "-c",
    "--comment",
    default="",
    metavar="TEXT",
    help="Title, such as the course and the assignment.",
)


@click.command("import-moss")
@_PATH
@_OUTPUT
def import_moss(path: str, output: str) -> None:
    """Convert downloaded MOSS results to JSON.

    PATH is the index page or its folder. Pages of pairs next to it are read too. Values that MOSS
    does not report are null: score, tokens, and the similarity of the pair.

    \b
    Example:
      mosslite import-moss moss-2019/index.html -o moss-2019.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    _write(output, lambda: moss_to_json(Path(path), version=mosslite.__version__))


@click.command("import-jplag")
@_PATH
@_COMMENT
@_OUTPUT
def import_jplag(path: str, comment: str, output: str) -> None:
    """Convert JPlag results to JSON.

    PATH is a .jplag or .zip file of JPlag 3 to 6, or the folder it unpacks to. The similarity is
    JPlag's average; values that JPlag does not report are null, such as the score.

    \b
    Example:
      mosslite import-jplag result.jplag -c "CS 101, sheet 3" -o sheet-3.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    title = _plain(comment)
    _write(output, lambda: _from_jplag(path, title))


@click.command("import-dolos")
@_PATH
@_COMMENT
@_OUTPUT
def import_dolos(path: str, comment: str, output: str) -> None:
    """Convert Dolos results to JSON.

    PATH is the folder written by 'dolos run -f csv', or an archive of it. The similarity is that of
    Dolos; values that Dolos does not report are null, such as the score.

    \b
    Example:
      mosslite import-dolos dolos-report-2023/ -c "CS 101, sheet 3" -o sheet-3.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    title = _plain(comment)
    _write(output, lambda: _from_dolos(path, title))


def _from_jplag(path: str, comment: str) -> str:
    export = Export(path, "JPlag", exported_files(Path(path), is_of_jplag))
    return jplag_to_json(export, version=mosslite.__version__, comment=comment)


def _from_dolos(path: str, comment: str) -> str:
    export = Export(path, "Dolos", exported_files(Path(path), is_of_dolos))
    return dolos_to_json(export, version=mosslite.__version__, comment=comment)


def _plain(comment: str) -> str:
    return os.fsencode(comment).decode("utf-8", "backslashreplace")


def _write(output: str, text: Callable[[], str]) -> None:
    require_folder_of(output)
    require_own(output, "result of --json", output_signatures.JSON)
    write_file(output, text())
