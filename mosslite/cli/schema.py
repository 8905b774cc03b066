"""``mosslite schema``."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from typing import Final

import click

from mosslite.cli.terminal import table, writing_to
from mosslite.errors import OptionError

__all__ = ["schema"]

_NAMES: Final = ("results", "course", "archive", "baseline", "review")


@click.command()
@click.argument(
    "name",
    required=False,
    shell_complete=lambda _context, _parameter, begun: [
        name for name in _NAMES if name.startswith(begun)
    ],
)
def schema(name: str | None) -> None:
    """Print the JSON Schema (draft 2020-12) of what mosslite writes, or list them all.

    Format 1 only grows: programs that read it must expect keys that they do not know.

    \b
    Examples:
      mosslite schema
      mosslite schema results > results.schema.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    if name is not None:
        text = _text_of(name)
    else:
        rows = [[each, json.loads(_text_of(each))["title"]] for each in _NAMES]
        text = "".join(f"{line}\n" for line in table(["name", "what it is of"], rows, left=2))
    with writing_to(sys.stdout):
        click.echo(text, nl=False)


def _text_of(name: str) -> str:
    """Return a schema as it is shipped.

    Raises:
        OptionError: There is none of that name.
    """
    if name not in _NAMES:
        msg = f"unknown schema {name!r}: it must be one of {', '.join(_NAMES)}"
        raise OptionError(msg)
    file = files("mosslite.report").joinpath("schemas", f"{name}.json")
    return file.read_text(encoding="utf-8")
