"""``mosslite languages``."""

from __future__ import annotations

import sys

import click

from mosslite.cli.terminal import table, writing_to
from mosslite.languages import MOSS_LANGUAGES, find_language, plug_ins

__all__ = ["languages"]


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
        click.echo("\nEvery alias of a Pygments lexer works too: rust, go, kotlin, php ...")
