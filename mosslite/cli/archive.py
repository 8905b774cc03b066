"""``mosslite archive`` and ``query``: submissions of earlier terms, in one file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final, Literal

import click

import mosslite
from mosslite.cli.commands import Commands
from mosslite.cli.config import ConfiguredCommand
from mosslite.cli.files import ResultFiles, numbered_by, require_own, write_each, write_file
from mosslite.cli.options import (
    FILES,
    LIMITS,
    OUTPUT,
    PATH,
    inputs_of,
    integer,
    option,
    options_of,
    shared,
    submission_paths,
)
from mosslite.cli.terminal import (
    ExitCode,
    ProgressBar,
    noticed,
    print_lines,
    print_notes,
    printable,
    run_texts,
    tell,
)
from mosslite.display import counted, csv_text, grouped_reasons
from mosslite.errors import ArchiveError, DamageError, OptionError
from mosslite.intake.listing import shown_name
from mosslite.messages import M_, N_, said_by
from mosslite.options import Options
from mosslite.report.json_files import Record, written
from mosslite.report.similar_names import DistinctNames, distinct_names
from mosslite.report.wording import not_in_full
from mosslite.signatures import Signature
from mosslite.terms.adding import AddOptions, front_ends
from mosslite.terms.adding import add as add_to
from mosslite.terms.adding import rebuild as rebuild_index
from mosslite.terms.archive import Archive
from mosslite.terms.queries import Origin, Query
from mosslite.terms.queries import query as origins_of
from mosslite.terms.tables import ArchivedSubmission
from mosslite.texts import Texts, percent

_ARCHIVE: Final = click.argument("archive", metavar="ARCHIVE", type=PATH)


@click.group(cls=Commands, no_args_is_help=False)
def archive() -> None:
    """Keep submissions of earlier terms in one file, for 'mosslite check --archive'.

    The file is an SQLite database. Do not copy it while it is being changed.
    """


@archive.command(cls=ConfiguredCommand)
@_ARCHIVE
@submission_paths
@option("--term", "Name of the term, such as 2025-autumn.", required=True, metavar="NAME")
@option(
    "--no-text",
    "Store digests of tokens and fingerprints, but no text, comments or strings.",
    is_flag=True,
)
@option(
    "--anonymize",
    "Store numbers instead of names, and append the names to KEY.csv. Stored texts are not "
    "changed: names in comments remain.",
    type=OUTPUT,
    metavar="KEY.csv",
)
@shared("base", "directories", "each", "layout", "name_pattern", "all_attempts")
@FILES
@shared("noise", "guarantee")
@LIMITS
@shared("config", "no_config", "jobs", "uses_cache", "quiet")
def add(**given: Any) -> None:
    """Add submissions to an archive; create it if it does not exist.

    Paths are read as by 'mosslite check', and options can come from the same mosslite.toml.
    Either all submissions are added or none.

    \b
    Examples:
      mosslite archive add cs101.mosslite --term 2025-autumn submissions/ -b template.py
      mosslite archive add cs101.mosslite --term 2024 old.zip --no-text --anonymize key.csv
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    options = options_of(given)
    add_options = AddOptions(given["term"], has_text=not given["no_text"])
    if given["anonymize"] is not None:
        add_options = replace(add_options, renamed=numbered_by(given["anonymize"], given["term"]))
    is_quiet = given["quiet"]
    print_notes(given)
    with noticed(is_quiet=is_quiet), ProgressBar(is_shown=not is_quiet) as progress:
        batch = add_to(given["archive"], add_options, inputs_of(given), options, progress)
    names = distinct_names(left_out.path for left_out in batch.skipped)
    skipped = ((names.shown(left_out.path), left_out.reason) for left_out in batch.skipped)
    lines = [M_("%(what)s: %(text)s", M_("skipped"), line) for line in grouped_reasons(skipped)]
    what, texts = counted(len(batch.submissions), "submission"), run_texts()
    added = texts.translated(M_("added: %(what)s to %(term)s", what, add_options.term))
    tell([*lines, f"{added}{not_in_full(batch.skipped, texts)}"], is_quiet=is_quiet)


@archive.command("list")
@_ARCHIVE
def list_(archive: str) -> None:
    """List the submissions in an archive."""
    with Archive(archive) as opened:
        stored = opened.submissions()
    names = _names(stored)
    print_lines(printable(names.shown(f"{each.term}/{each.name}")) for each in stored)


@archive.command()
@_ARCHIVE
def show(archive: str) -> None:
    """Show the index parameters of an archive and its number of submissions."""
    with Archive(archive) as opened, opened.at_one_moment():
        shape, stored = opened.shape(), opened.submissions()
    lines: list[str] = [
        M_("%(term)s: %(submissions)s", term, counted(count, "submission"))
        for term, count in sorted(Counter(submission.term for submission in stored).items())
    ]
    silent = sum(not submission.has_text for submission in stored)
    if shape is not None:
        language = M_("language: by file name")
        if shape.language:
            language = M_("language: %(language)s", shape.language)
        readers = M_("front-ends: %(own)s", shape.front_ends)
        if shape.front_ends != front_ends():
            readers = M_(
                "front-ends: %(own)s (not those of this mosslite: run 'mosslite archive rebuild')",
                shape.front_ends,
            )
        lines += [
            M_("code: k = %(noise)s, t = %(guarantee)s", shape.code.noise, shape.code.guarantee),
            M_("prose: k = %(noise)s, t = %(guarantee)s", shape.prose.noise, shape.prose.guarantee),
            language,
            readers,
        ]
    tell([*lines, M_("without text: %(submissions)s", counted(silent, "submission"))])


@archive.command()
@_ARCHIVE
@option("--term", "Remove submissions of this term.", metavar="NAME")
@option("--student", "Remove submissions of this student or team member.", metavar="NAME")
@shared("quiet")
def remove(archive: str, term: str | None, student: str | None, quiet: bool) -> None:
    """Remove submissions from an archive, and overwrite their content in the file.

    With both --term and --student, remove that student's submissions of that term.
    """
    if term is None and student is None:
        raise OptionError("nothing to remove: give --term, --student or both")
    with Archive(archive, "change") as opened:
        stored = opened.submissions()
        names = _names(stored)
        gone = [
            submission
            for submission in stored
            if term in (None, submission.term)
            and (student is None or student in _people(submission, names))
        ]
        if not gone:
            raise ArchiveError(
                "no submission in archive %(file)r matches: 'mosslite archive list' shows all",
                archive,
            )
        opened.remove([submission.number for submission in gone])
    removed = (names.shown(f"{submission.term}/{submission.name}") for submission in gone)
    tell([M_("removed: %(name)s", name) for name in removed], is_quiet=quiet)


@archive.command()
@_ARCHIVE
@shared("quiet")
def verify(archive: str, quiet: bool) -> int:
    """Check an archive for damage.

    Exit with 1 if it is damaged, and with 2 if it is not an archive or cannot be read.
    """
    try:
        with Archive(archive) as opened:
            problems = opened.problems()
            stored = () if problems else opened.submissions()
    except DamageError as error:
        problems, stored = [said_by(error)], ()
    if problems:
        tell(problems)
        return ExitCode.FOUND
    tell([M_("OK: %(submissions)s verified", counted(len(stored), "submission"))], is_quiet=quiet)
    return ExitCode.DONE


@archive.command()
@_ARCHIVE
@click.argument("target", metavar="FILE.json", type=OUTPUT)
def export(archive: str, target: str) -> None:
    """Export submissions and their files as JSON.

    FILE.json can be '-' for standard output. The text of a file is null if it is not stored.
    """
    require_own(target, M_("result of mosslite archive export"), Signature.ARCHIVE_EXPORT)
    with Archive(archive) as opened, opened.at_one_moment():
        submissions = tuple(_exported(opened, submission) for submission in opened.submissions())
        content = ArchiveExport(kind="mosslite archive", format=1, submissions=submissions)
    write_file(target, written(content))


@archive.command()
@_ARCHIVE
@shared("language", "noise", "guarantee", default="as in the archive")
@option("--keep-tokens", "Reuse the stored tokens of submissions without text.", is_flag=True)
@shared("seconds", "jobs", "uses_cache", "quiet")
def rebuild(**given: Any) -> None:
    """Rebuild the index of an archive, with other options or after an update.

    Options that are not given stay as they are, except that -k or -t alone sets both, as for
    'mosslite check'. A change of k and t needs no text. A change of language, or of the version of
    mosslite or Pygments, needs the text of all submissions; --keep-tokens reuses the tokens of
    those stored without text. If nothing has changed, all texts are read again, since a plug-in
    may have changed.
    """
    is_quiet = given["quiet"]
    with noticed(is_quiet=is_quiet), ProgressBar(is_shown=not is_quiet) as progress:
        count = rebuild_index(
            given["archive"], options_of(given), progress, keeps_tokens=given["keep_tokens"]
        )
    tell([M_("rebuilt: %(submissions)s", counted(count, "submission"))], is_quiet=is_quiet)


def _names(stored: Iterable[ArchivedSubmission | Origin]) -> DistinctNames:
    return distinct_names(f"{submission.term}/{submission.name}" for submission in stored)


def _people(stored: ArchivedSubmission, names: DistinctNames) -> set[str]:
    """Return the names of a submission's students, as in `list` and the key of --anonymize."""
    people = {stored.name, stored.hand_in.owner, *stored.hand_in.members}
    people.add(f"{stored.term}/{stored.name}")
    return people | set(map(printable, people)) | set(map(names.shown, people))


class ExportedFile(Record, frozen=True, kw_only=True):
    """A file; its text is null if it is not stored."""

    name: str
    language: str
    text: str | None


class ExportedSubmission(Record, frozen=True, kw_only=True):
    """A submission of an earlier term."""

    term: str
    name: str
    members: tuple[str, ...]
    submitted: str
    label: str
    files: tuple[ExportedFile, ...]


class ArchiveExport(Record, frozen=True, kw_only=True):
    """Submissions of earlier terms, as archive export writes them."""

    kind: Literal["mosslite archive"]
    format: Literal[1]
    submissions: tuple[ExportedSubmission, ...]


def _exported(opened: Archive, stored: ArchivedSubmission) -> ExportedSubmission:
    return ExportedSubmission(
        term=stored.term,
        name=stored.name,
        members=stored.hand_in.members,
        submitted=stored.hand_in.submitted,
        label=stored.hand_in.label,
        files=tuple(
            ExportedFile(
                name=kept.file.name,
                language=kept.language,
                text=kept.file.text if kept.has_text else None,
            )
            for kept in opened.files_of(stored.number)
        ),
    )


# Queries


class QueryResult(Record, frozen=True, kw_only=True):
    """What an archive has of a file, as mosslite query --json writes it, the most first."""

    kind: Literal["mosslite query"]
    format: Literal[1]
    mosslite: str
    archive: str
    file: str
    origins: tuple[Origin, ...]


_QUERY_SIGNATURES: Final = {"--json": Signature.QUERY_JSON, "--csv": Signature.QUERY_CSV}


@click.command()
@_ARCHIVE
@click.argument("file", metavar="FILE", type=PATH)
@shared("base")
@option(
    "--query-window window",
    "Look up fewer fingerprints, with a window of N k-grams; at least that of the archive.",
    type=integer,
)
@option(
    "--smallest", "Look up only the N smallest fingerprints: faster, but an estimate.", type=integer
)
@option(
    "-n --show",
    "Maximum number of submissions to show; 0 = all that share a fingerprint.",
    type=integer,
    default=Query().show,
)
@shared("json", "csv")
def query(**given: Any) -> None:
    """Find archived submissions similar to a file.

    Containment is the share of FILE's fingerprints found in a submission; resemblance is the share
    of the fingerprints of both. If FILE is a folder, all files in it are looked up together. The
    archive's k, t and language are used. Submissions with a containment below 10 % are marked, as
    unrelated programs often share as much.

    \b
    Examples:
      mosslite query cs101.mosslite suspicious.py -b template.py
      mosslite query cs101.mosslite suspicious.py -n 0 --csv origins.csv
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    files = ResultFiles.of(given, _QUERY_SIGNATURES)
    how = Query(given["window"], given["smallest"], given["show"], given["base"])
    with noticed(is_quiet=False):
        found = origins_of(given["archive"], given["file"], how, Options(jobs=1, uses_cache=True))
    print_lines(_origin_lines(found, run_texts()), files.stream)
    contents = {"--json": lambda: _as_json(found, given), "--csv": lambda: _as_csv(found)}
    write_each(files.writers(contents))


def _as_json(found: tuple[Origin, ...], given: Mapping[str, Any]) -> str:
    result = QueryResult(
        kind="mosslite query",
        format=1,
        mosslite=mosslite.__version__,
        archive=shown_name(given["archive"]),
        file=shown_name(given["file"]),
        origins=found,
    )
    return written(result)


def _as_csv(found: Sequence[Origin]) -> str:
    rows: list[tuple[object, ...]] = [tuple(field.name for field in fields(Origin))]
    for origin in found:
        shares = (f"{origin.containment:.4f}", f"{origin.resemblance:.4f}")
        rows.append((origin.term, origin.name, *shares, origin.shared_fingerprints))
    return csv_text(rows)


_ORIGIN_COLUMNS: Final = (N_("containment"), N_("resemblance"), N_("submission"))


def _origin_lines(found: Sequence[Origin], texts: Texts) -> Iterator[str]:
    if not found:
        yield texts.translated(M_("no submission in the archive shares a fingerprint with it"))
        return
    names = _names(found)
    *headings, last = map(texts.gettext, _ORIGIN_COLUMNS)
    yield "  ".join([*headings, last])
    little = f" ({texts.gettext('little in common')})"
    for origin in found:
        shares = (percent(share) for share in (origin.containment, origin.resemblance))
        columns = [share.rjust(len(head)) for share, head in zip(shares, headings, strict=True)]
        name = f"{names.shown(f'{origin.term}/{origin.name}')}{little * origin.shares_little}"
        yield "  ".join([*columns, printable(name)])
