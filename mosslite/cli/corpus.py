"""``mosslite corpus``: packs submissions as Parquet, and bundles mosslite for clusters."""

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

import mosslite
from mosslite.cli.commands import Commands
from mosslite.cli.options import FOLDER, intake_of, option, shared, submission_paths
from mosslite.cli.terminal import ProgressBar, tell
from mosslite.display import counted
from mosslite.intake.corpus import Corpus, Packing, corpus_at, pack
from mosslite.intake.entries import Planned
from mosslite.intake.grouping import distinct_names
from mosslite.intake.listing import shown_name
from mosslite.intake.plan import plan
from mosslite.intake.repositories import with_repositories
from mosslite.messages import M_
from mosslite.options import Intake
from mosslite.records import Inputs, Role


@click.group(cls=Commands, no_args_is_help=False)
def corpus() -> None:
    """Pack many submissions into Parquet files for 'mosslite check', also on a cluster.

    A packed corpus is a folder. 'mosslite check' accepts it instead of a folder of submissions, as
    the only PATH, --prior, --reference or --base, with either engine.
    """


@corpus.command("pack")
@submission_paths
@option("-o --output", "Folder to write the corpus to.", type=FOLDER, required=True, metavar="DIR")
@option(
    "--term",
    "Name of the term, such as 2025-autumn.",
    default="",
    metavar="NAME",
    show_default=False,
)
@option(
    "--revision",
    "Branch, tag or commit id to read from bundles and bare repositories.",
    default="HEAD",
    metavar="NAME",
    show_default=False,
)
@shared("layout", "name_pattern", "all_attempts")
@shared("file", "unpacked", "members", "ratio", "depth", "quiet")
def pack_(**given: Any) -> None:
    """Pack submissions from folders, exports and archives into one folder of Parquet files.

    A single PATH is read as 'mosslite check' reads a batch; with several, the names of submissions
    get their PATH as a prefix. An interrupted run is resumed by the same command. Files are packed
    unchanged; 'mosslite check' lists those that could not be read, with the reason. Of a git bundle
    or a bare repository, the files of a commit are packed.

    \b
    Examples:
      mosslite corpus pack autumn/ -o autumn.corpus --term 2025-autumn
      mosslite corpus pack shards/*.tar.gz -o contest.corpus --max-unpacked 4G
      mosslite corpus pack teams/*.bundle -o projects.corpus --revision final
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    intake, paths = intake_of(given), given["current"]
    names = distinct_names([shown_name(path) for path in paths])
    inputs = [
        (
            shown_name(path),
            "packed",
            partial(_planned, path, name * (len(names) > 1), intake, given["revision"]),
        )
        for path, name in zip(paths, names, strict=True)
    ]
    packing = Packing(mosslite.__version__, given["term"], intake.limits)
    is_quiet = given["quiet"]
    with ProgressBar(is_shown=not is_quiet) as progress:
        done = pack(
            os.fspath(given["output"]),
            inputs,
            packing,
            lambda nth: progress("packing", nth, len(inputs)),
        )
    tell([] if is_quiet else [M_("packed: %(done)s", _counts(done))])


def _planned(path: str, prefix: str, intake: Intake, revision: str) -> Sequence[Planned]:
    """Find the submissions of one input; of a git history, the files of a commit are packed."""
    if all((Path(path) / name).exists() for name in ("HEAD", "config", "objects")):
        # A bare repository is not a batch: it is one submission.
        (one,) = plan(Inputs((), base=(path,)), intake, directories=False).submissions
        planned: Sequence[Planned] = [replace(one, role=Role.CURRENT, is_required=False)]
    else:
        planned = plan(Inputs((path,)), intake, directories=False).submissions
    found = [with_repositories(each, intake, revision) for each in planned]
    return [replace(each, name=f"{prefix}/{each.name}") if prefix else each for each in found]


@corpus.command()
@click.argument("folder", metavar="DIR")
def info(folder: str) -> None:
    """Show the size of a corpus, and the paths it was packed from."""
    found = corpus_at(folder)
    lines = [
        _counts(found),
        M_("parts: %(parts)d, packed by mosslite %(version)s", len(found.parts), found.version),
    ]
    lines += [M_("term: %(term)s", found.term)] if found.term else []
    tell([*lines, *(M_("from: %(name)s", name) for name, _ in found.inputs)])


@corpus.command()
@option("-o --output", "Folder for the files.", type=FOLDER, required=True, metavar="DIR")
def bundle(output: str) -> None:
    """Write the files for spark-submit: mosslite with its dependencies, and a launcher.

    The machines of the cluster need the same operating system and version of Python as this one,
    but no network.
    """
    from mosslite.spark.session import write_bundle  # noqa: PLC0415 - an optional extra

    tell(write_bundle(output))


def _counts(found: Corpus) -> str:
    files, size = counted(found.files, "file"), found.size / 1_000_000
    return M_(
        "%(submissions)s with %(files)s, %(size)s MB",
        counted(found.submissions, "submission"),
        files,
        f"{size:,.1f}",
    )
