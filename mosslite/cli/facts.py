"""What mosslite reads, writes and keeps: ``languages``, ``tokens``, ``schema`` and ``cache``."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Final

import click

from mosslite.cache import cache_folder, cache_limit, clear, in_words, usage_of
from mosslite.cli.archive import ArchiveExport, QueryResult
from mosslite.cli.options import PATH, Choice, shared
from mosslite.cli.terminal import noticed, print_lines, printable, table, tell, tell_beside
from mosslite.display import path_with_reason
from mosslite.errors import InputError, OptionError, OutputError
from mosslite.frontends import symbols
from mosslite.frontends.selection import gather
from mosslite.languages import MOSS_LANGUAGES, find_language, plug_ins
from mosslite.messages import M_
from mosslite.options import Options
from mosslite.records import Document, Inputs, no_progress
from mosslite.report.baseline import Baseline
from mosslite.report.course import CourseFile
from mosslite.report.json_files import schema_of
from mosslite.report.results import results_schema
from mosslite.report.review import ReviewFile
from mosslite.winnowing.tokenized import tokenized_submissions

# How symbols that are not their own text are written.
_SYMBOLS: Final = {
    symbols.NAME: "NAME",
    symbols.NUMBER: "NUMBER",
    symbols.STRING: "STRING",
    symbols.STEP: "STEP",
    symbols.END_OF_LINE: "END-OF-LINE",
    symbols.END_OF_BLOCK: "END-OF-BLOCK",
    **{symbols.code_of(sign): sign for sign in "{}[]#~^|&!="},  # which C can write in letters, too
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
@shared("language", "base")
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
        tell_beside([path_with_reason(left_out.path, left_out.reason)])
    for document in documents:
        rows = table(["line", "text", "symbols"], [*_rows(document)], left=3)
        print_lines([printable(f"{document.file.name} ({document.language})"), *rows])


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
    lines, edges = document.lines_at(stream.starts), [*document.line_starts.tolist(), len(text)]
    by_line = groupby(zip(lines.tolist(), shown, strict=True), key=lambda each: each[0])
    found = {line: " ".join(each for _, each in some) for line, some in by_line}
    for number, (start, stop) in enumerate(pairwise(edges), 1):
        line = text[start:stop].rstrip().expandtabs(4)
        cut = line if len(line) <= _WIDEST else f"{line[: _WIDEST - 3]}..."
        yield [str(number), cut, found.get(number, "")]


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
        print_lines(table(["name", "format of"], rows, left=2))
    elif name in _SCHEMAS:
        print_lines([json.dumps(_SCHEMAS[name](), indent=1)])
    else:
        raise OptionError(
            "unknown schema %(name)r: it must be one of %(names)s", name, ", ".join(_SCHEMAS)
        )


_MEGABYTE = 1_000_000


@click.command()
@click.argument("action", type=Choice(["info", "clear"]), default="info")
def cache(action: str) -> None:
    """Show or clear the cache.

    \b
    mosslite cache info    show where the cache is and how large it is
    mosslite cache clear   remove everything in it

    The cache saves reading unchanged files again. For each file it stores digests of tokens, names
    and words with their positions, but no text and no names of files or people. Environment
    variables: MOSSLITE_CACHE_DIR sets the folder, MOSSLITE_CACHE_MB the maximum size (default: 500
    megabytes); the oldest entries are removed first.
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    try:
        folder = cache_folder()
        if action == "clear":
            clear(folder)
        line = _usage(folder)
    except (OSError, sqlite3.Error) as error:
        msg = M_("cannot read the cache: %(error)s", in_words(error))
        if action == "clear":
            msg = M_("cannot clear the cache: %(error)s", in_words(error))
        raise OutputError(msg) from error
    tell([M_("folder: %(folder)s", folder), line])


def _usage(folder: Path) -> str:
    usage = usage_of(folder)
    size, limit = usage.size / _MEGABYTE, cache_limit() // _MEGABYTE
    return M_(
        "files: %(readings)d, %(size)s MB of at most %(limit)d MB",
        usage.readings,
        f"{size:.1f}",
        limit,
    )
