"""Options that say where submissions are, what one is, and how its files are read."""

from __future__ import annotations

from typing import Final

import click

from mosslite.cli.parameters.types import PATH, Section, pattern, size, size_text
from mosslite.options import LAYOUTS, NAME_GROUPS, Intake, Limits, Options
from mosslite.records import Inputs

__all__ = [
    "FILES",
    "LIMITS",
    "PATHS",
    "SUBMISSIONS",
    "inputs_of",
    "intake_of",
]


_PLATFORMS: Final = ", ".join(name for name in LAYOUTS if name not in ("auto", "plain"))
_OTHER_GROUPS: Final = ", ".join(sorted(NAME_GROUPS - {"name"}))

PATHS: Final = click.Argument(["paths"], nargs=-1, required=True, metavar="PATH...")

SUBMISSIONS: Final = Section(
    "Submissions",
    (
        click.Option(
            ["-b", "--base"],
            type=PATH,
            multiple=True,
            metavar="PATH",
            help="Boilerplate that you handed out, left out of all numbers; repeatable.",
        ),
        click.Option(
            ["--prior"],
            type=PATH,
            multiple=True,
            metavar="PATH",
            help="Work of earlier terms, not compared with itself; repeatable.",
        ),
        click.Option(
            ["--reference"],
            type=PATH,
            multiple=True,
            metavar="PATH",
            help="Staff or web solutions, not compared with themselves; repeatable.",
        ),
        click.Option(
            ["--archive", "archives"],
            type=PATH,
            multiple=True,
            metavar="FILE",
            help="Earlier terms, as mosslite archive add keeps them; repeatable.",
        ),
        click.Option(
            ["-d", "--directories"],
            is_flag=True,
            help="The files of one folder are one submission.",
        ),
        click.Option(
            ["--each"],
            is_flag=True,
            help="Each folder or archive given is a batch of its own, as for sections of a course; "
            "of a single one, each in it. Names begin with that of the section.",
        ),
        click.Option(
            ["--layout"],
            type=click.Choice(LAYOUTS),
            default=Intake().layout,
            show_default=True,
            metavar="NAME",
            help=f"Platform that the batch was exported from: {_PLATFORMS}; plain is none of "
            "them, auto finds out.",
        ),
        click.Option(
            ["--name-pattern"],
            metavar="REGEX",
            help="Instead of a layout: tells by a path whose it is, by its group (?P<name>...); "
            f"groups for more are {_OTHER_GROUPS}.",
        ),
        click.Option(
            ["--attempts"],
            type=click.Choice(["latest", "all"]),
            default="all" if Intake().all_attempts else "latest",
            show_default=True,
            help="Which attempts of a student are compared; never with each other.",
        ),
    ),
)


def inputs_of(context: click.Context) -> Inputs:
    """Return the paths by the role of what is there."""
    given = context.params
    return Inputs(
        given["paths"], given["base"], given["prior"], given["reference"], given["archives"]
    )


_LIMITS: Final = Limits()

FILES: Final = Section(
    "Files",
    (
        click.Option(
            ["-l", "--language"],
            metavar="NAME",
            help="MOSS name or Pygments alias of the language.  [default: by file name]",
        ),
        click.Option(
            ["--exclude"],
            type=pattern,
            multiple=True,
            metavar="PATTERN",
            help="Leave out files that match, as in a .gitignore; repeatable.",
        ),
        click.Option(
            ["--include"],
            type=pattern,
            multiple=True,
            metavar="PATTERN",
            help="Read files that match: these alone, or after an --exclude, these nevertheless. "
            "Of all patterns, the last that matches decides.",
        ),
        click.Option(
            ["--no-ignore"],
            is_flag=True,
            help="Read hidden files, tools' leavings and the like, too.",
        ),
        click.Option(
            ["--encoding"],
            metavar="NAME",
            help="Encoding of all files.  [default: told by each file]",
        ),
        click.Option(
            ["--markdown-cells"],
            is_flag=True,
            help="Compare the text of notebooks as prose, besides their code.",
        ),
    ),
)

LIMITS: Final = Section(
    "Limits (a SIZE is in bytes, or as 500K, 4M, 1G)",
    (
        click.Option(
            ["--max-file-size"],
            type=size,
            default=size_text(_LIMITS.file),
            show_default=True,
            metavar="SIZE",
            help="Skip larger files.",
        ),
        click.Option(
            ["--max-unpacked"],
            type=size,
            default=size_text(_LIMITS.unpacked),
            show_default=True,
            metavar="SIZE",
            help="What an archive may unpack to, with all archives in it; of one that holds many "
            "submissions each has a share, and one on its own has it all.",
        ),
        click.Option(
            ["--max-members"],
            type=int,
            default=_LIMITS.members,
            show_default=True,
            metavar="N",
            help="How many files an archive may hold, shared in the same way.",
        ),
        click.Option(
            ["--max-ratio"],
            type=int,
            default=_LIMITS.ratio,
            show_default=True,
            metavar="N",
            help="How many times its size a submission's archives may unpack to.",
        ),
        click.Option(
            ["--max-depth"],
            type=int,
            default=_LIMITS.depth,
            show_default=True,
            metavar="N",
            help="How deep archives may lie in each other; 1 is none in another.",
        ),
        click.Option(
            ["--time-limit"],
            type=float,
            default=Options().seconds,
            show_default=True,
            metavar="SECONDS",
            help="Computing time for a file's lexer, before a plain tokenizer reads the file; "
            "all files of a submission have twice that beyond what is usual.",
        ),
    ),
)


def intake_of(context: click.Context) -> Intake:
    """Return what is read, and how.

    Raises:
        OptionError: A value means nothing.
    """
    given = context.params
    return Intake(
        layout=given["layout"],
        name_pattern=given["name_pattern"],
        all_attempts=given["attempts"] == "all",
        patterns=given["patterns"],
        reads_ignored=given["no_ignore"],
        encoding=given["encoding"],
        reads_markdown=given["markdown_cells"],
        each=given["each"],
        limits=Limits(
            file=given["max_file_size"],
            unpacked=given["max_unpacked"],
            members=given["max_members"],
            ratio=given["max_ratio"],
            depth=given["max_depth"],
        ),
    )
