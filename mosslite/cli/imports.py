"""``mosslite import-moss``, ``import-jplag`` and ``import-dolos``, with input limits."""

import json
import sys
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path
from typing import Final

import click

import mosslite
from mosslite.cli.files import require_own, write_file
from mosslite.cli.options import OUTPUT, PATH, option, without_surrogates
from mosslite.cli.terminal import print_lines, printable, run_texts
from mosslite.errors import InputError
from mosslite.intake.archives import archive_entries, is_archive
from mosslite.intake.entries import Entry, NotReadError, OnDisk, children_of, content_of, located
from mosslite.messages import M_, from_json
from mosslite.options import Limits
from mosslite.reasons import Reason, without_limit
from mosslite.report.importing import Export, dolos_to_json, is_of_dolos, is_of_jplag, jplag_to_json
from mosslite.report.moss_importing import moss_to_json
from mosslite.signatures import Signature

_PATH: Final = click.argument("path", metavar="PATH", type=PATH)
_OUTPUT: Final = option(
    "-o --output",
    "Where the JSON goes; '-' is standard output.  [default: -]",
    type=OUTPUT,
    default="-",
    metavar="FILE",
    show_default=False,
)
_COMMENT: Final = option(
    "-c --comment",
    "Title, such as the course and the assignment.",
    default="",
    callback=without_surrogates,
    metavar="TEXT",
    show_default=False,
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

    PATH is a .jplag or .zip file of JPlag 6, or the folder it unpacks to. The similarity is
    JPlag's average; values that JPlag does not report are null, such as the score.

    \b
    Example:
      mosslite import-jplag result.jplag -c "CS 101, sheet 3" -o sheet-3.json
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    _write(output, lambda: _converted(path, "JPlag", is_of_jplag, jplag_to_json, comment))


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
    _write(output, lambda: _converted(path, "Dolos", is_of_dolos, dolos_to_json, comment))


def _converted(
    path: str,
    program: str,
    is_wanted: Callable[[str], bool],
    to_json: Callable[..., str],
    comment: str,
) -> str:
    export = Export(path, program, exported_files(Path(path), is_wanted))
    return to_json(export, version=mosslite.__version__, comment=comment)


def _write(output: str, text: Callable[[], str]) -> None:
    require_own(output, M_("result of --json"), Signature.JSON)
    results = text()
    write_file(output, results)
    content, texts = json.loads(results), run_texts()
    messages = content.get("messages") or repeat(None)
    for warning, message in zip(content["warnings"], messages, strict=False):
        said = printable(texts.translated(from_json(message, warning)))
        print_lines([texts.gettext("warning: %(text)s", text=said)], sys.stderr)


# Maximum size of a file; all files together may be four times as large. A list of 100,000 pairs
# fits.
_MOST_FILE: Final = 1 << 28
_LIMITS: Final = Limits(file=_MOST_FILE, unpacked=1 << 30, members=1_000_000, ratio=1000, depth=1)
_DEPTH: Final = 2


def exported_files(path: Path, is_wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """Read the wanted files of a folder, recursively, or of an archive.

    Links in a folder are not followed, and other members of an archive are not unpacked.

    Args:
        path: The folder or the archive.
        is_wanted: Selects files by relative path.

    Returns:
        Contents by relative path, without a single common top folder.

    Raises:
        InputError: It is neither, cannot be read, or exceeds a limit.
    """
    place = located(str(path))
    if place.obstacle:
        raise InputError("%(path)r cannot be read: it %(reason)s", path, place.obstacle)
    if place.is_folder:
        try:
            return _without_top(dict(_in_folder(place, is_wanted)))
        except (OSError, NotReadError) as error:
            raise InputError("cannot read %(path)r: %(reason)s", path, error) from error
    if not is_archive(path.name, place):
        raise InputError("%(path)r is neither a folder nor an archive", path)
    return _without_top(dict(_in_archive(path, place, is_wanted)))


def _in_folder(
    folder: OnDisk, is_wanted: Callable[[str], bool], above: str = ""
) -> Iterator[tuple[str, bytes]]:
    for own, found in children_of(folder):
        name = f"{above}{own}"
        if found.is_folder:
            if name.count("/") < _DEPTH:
                yield from _in_folder(found, is_wanted, f"{name}/")
        elif not found.obstacle and is_wanted(name):
            yield name, content_of(Entry(found.path, name, found), _MOST_FILE)


def _in_archive(
    path: Path, place: OnDisk, is_wanted: Callable[[str], bool]
) -> Iterator[tuple[str, bytes]]:
    name = path.name

    def rule(member: str) -> tuple[str, Reason] | None:
        is_needed = member.endswith("/") or is_wanted(member.removeprefix(f"{name}/"))
        return None if is_needed else (member, Reason.NOT_NEEDED)

    for entry in archive_entries(Entry(name, name, place), _LIMITS, rule):
        if entry.obstacle and not entry.is_ignored:
            reason = without_limit(entry.obstacle)  # it is not an option here
            inside = entry.name.removeprefix(name).lstrip("/")
            msg = M_("%(path)r cannot be read: it %(reason)s", path, reason)
            if inside:
                msg = M_("%(path)r cannot be read: %(inside)r %(reason)s", path, inside, reason)
            raise InputError(msg)
        if not entry.obstacle and isinstance(entry.content, bytes):
            yield entry.name.removeprefix(f"{name}/"), entry.content


def _without_top(files: dict[str, bytes]) -> dict[str, bytes]:
    tops = {name.partition("/")[0] for name in files}
    if len(tops) != 1 or not all("/" in name for name in files):
        return files
    return {name.partition("/")[2]: content for name, content in files.items()}
