"""``mosslite import-moss``."""

from __future__ import annotations

from pathlib import Path

import click

import mosslite
from mosslite import output_signatures
from mosslite.cli.files import require_folder_of, require_own, write_file
from mosslite.cli.parameters.types import OUTPUT
from mosslite.report.moss import moss_to_json

__all__ = ["import_moss"]


@click.command("import-moss")
@click.argument("path", metavar="PATH")
@click.option(
    "-o",
    "--output",
    default="-",
    type=OUTPUT,
    metavar="FILE",
    help="Write JSON to FILE; '-' is standard output.  [default: -]",
)
def import_moss(path: str, output: str) -> None:
    """Convert downloaded MOSS results to JSON.

    PATH is the index page or its folder. Pages of pairs next to it are read too. Values that MOSS
    does not report are null: score, tokens, and the similarity of the pair.

    \b
    Example:
      mosslite import-moss moss-2019/index.html -o moss-2019.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    require_folder_of(output)
    require_own(output, "result of --json", output_signatures.JSON)
    write_file(output, moss_to_json(Path(path), version=mosslite.__version__))
