"""``mosslite languages`` and ``mosslite tokens``: what is read, and how."""

import sys
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Final

import click

from mosslite.cli.options import FILES, PATH, SUBMISSIONS
from mosslite.cli.terminal import noticed, printable, table, tell, translated, writing_to
from mosslite.display import path_with_reason
from mosslite.errors import InputError
from mosslite.frontends import symbols
from mosslite.frontends.selection import gather
from mosslite.languages import MOSS_LANGUAGES, find_language, plug_ins
from mosslite.messages import M_
from mosslite.options import Options
from mosslite.ranges import line_starts
from mosslite.records import Document, Inputs, no_progress
from mosslite.winnowing.tokenized import tokenized_submissions

# How symbols that are not their own text are written.
_SYMBOLS: Final = {
    symbols.NAME: "NAME",
    symbols.NUMBER: "NUMBER",
    symbols.STRING: "STRING",
    symbols.STEP: "STEP",
    symbols.END_OF_LINE: "END-OF-LINE",
    symbols.END_OF_BLOCK: "END-OF-BLOCK",
}

_WIDEST: Final = 60


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
    lines = table(["MOSS name", "read as", "note"], rows, left=3)
    if added:
        lines += ["", *table(["plug-in", "files"], added, left=2)]
    more = M_("Every alias of a Pygments lexer works too: rust, go, kotlin, php ...")
    tell([*lines, "", more])


@click.command()
@click.argument("file", metavar="FILE", type=PATH)
@FILES.only("language")
@SUBMISSIONS.only("base")
def tokens(file: str, language: str | None, base: tuple[str, ...]) -> None:
    """Print the symbols of a file beside its text.

    These are what is compared: lines with the same symbols are alike, however names, numbers,
    strings, comments and blanks differ. What has no symbol counts for nothing, and base code is in
    brackets.

    \b
    Example:
      mosslite tokens submissions/ann/list.py
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    options = Options(language=language, jobs=1)
    with noticed(is_quiet=False):
        batch = gather(Inputs((file,), base), options)
        submissions, _ = tokenized_submissions(batch, options, no_progress)
    documents = [document for each in submissions for document in each.documents]
    if not documents:
        why = [skipped.reason for skipped in batch.skipped[:1]]
        raise InputError(
            M_("no code in %(file)r: %(reason)s", file, *why)
            if why
            else M_("no code in %(file)r", file)
        )
    for left_out in batch.skipped:
        reason = translated(path_with_reason(left_out.path, left_out.reason))
        tell([f"mosslite: {reason}"], sys.stderr)
    with writing_to(sys.stdout):
        for document in documents:
            click.echo(printable(f"{document.file.name} ({document.language})"))
            for line in table(["line", "text", "symbols"], [*_rows(document)], left=3):
                click.echo(line)


def _rows(document: Document) -> Iterator[list[str]]:
    """Yield the number, the text and the symbols of each line."""
    stream, text = document.stream, document.file.text
    places = zip(*(each.tolist() for each in (stream.starts, stream.stops)), strict=True)
    text_of = str.lower if find_language(document.language).is_caseless else str
    named = (
        _SYMBOLS.get(code) or text_of("".join(text[slice(*place)].split()))
        for code, place in zip(stream.codes.tolist(), places, strict=True)
    )
    shown = (
        f"[{each}]" if is_base else each
        for each, is_base in zip(named, document.is_boilerplate.tolist(), strict=True)
    )
    by_line = groupby(zip(stream.lines.tolist(), shown, strict=True), key=lambda each: each[0])
    found = {line: " ".join(each for _, each in some) for line, some in by_line}
    for number, (start, stop) in enumerate(pairwise([*line_starts(text).tolist(), len(text)]), 1):
        line = text[start:stop].rstrip().expandtabs(4)
        cut = line if len(line) <= _WIDEST else f"{line[: _WIDEST - 3]}..."
        yield [str(number), cut, found.get(number, "")]
