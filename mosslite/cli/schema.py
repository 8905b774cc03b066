"""The command ``schema``."""

import json
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import click

from mosslite.cli.archive import ArchiveExport
from mosslite.cli.query import QueryResult
from mosslite.cli.terminal import table, writing_to
from mosslite.errors import OptionError
from mosslite.report.ci.baseline import Baseline
from mosslite.report.course import CourseFile
from mosslite.report.json_files import schema_of
from mosslite.report.results import results_schema
from mosslite.report.review import ReviewFile

_SCHEMAS: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "results": results_schema,
    "course": partial(schema_of, "course", CourseFile),
    "archive": partial(schema_of, "archive", ArchiveExport),
    "query": partial(schema_of, "query", QueryResult),
    "baseline": partial(schema_of, "baseline", Baseline),
    "review": partial(schema_of, "review", ReviewFile),
}


@click.command()
@click.argument(
    "name",
    required=False,
    shell_complete=lambda _context, _parameter, begun: [
        name for name in _SCHEMAS if name.startswith(begun)
    ],
)
def schema(name: str | None) -> None:
    """Print the JSON Schema (draft 2020-12) of a file format, or list all formats.

    Later versions only add keys to format 1: programs that read it must ignore unknown keys.

    \b
    Examples:
      mosslite schema
      mosslite schema results > results.schema.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    if name is None:
        rows = [[each, make()["title"]] for each, make in _SCHEMAS.items()]
        text = "".join(f"{line}\n" for line in table(["name", "format of"], rows, left=2))
    elif name in _SCHEMAS:
        text = json.dumps(_SCHEMAS[name](), indent=1) + "\n"
    else:
        raise OptionError(
            "unknown schema %(name)r: it must be one of %(names)s", name, ", ".join(_SCHEMAS)
        )
    with writing_to(sys.stdout):
        click.echo(text, nl=False)
