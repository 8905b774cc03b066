"""Options of inputs: locations and layout of submissions, and how files are read."""

from typing import Final

import click

from mosslite.cli.parameters.types import (
    PATH,
    Choice,
    Section,
    integer,
    joined_languages,
    languages_for,
    number,
    pattern,
    size,
    size_text,
)
from mosslite.options import LAYOUTS, NAME_GROUPS, Intake, Limits, Options
from mosslite.records import Inputs

_PLATFORMS: Final = ", ".join(name for name in LAYOUTS if name not in ("auto", "plain"))
_OTHER_GROUPS: Final = ", ".join(sorted(NAME_GROUPS - {"name"}))

PATHS: Final = click.Argument(["paths"], type=PATH, nargs=-1, required=True, metavar="PATH...")

SUBMISSIONS: Final = Section(
    "Submissions",
    (
        click.Option(
            ["-b", "--base"],
            type=PATH,
            multiple=True,
            metavar="PATH",
            help="Base code that you handed out, excluded from the comparison; repeatable.",
        ),
        click.Option(
            ["--prior"],
            type=PATH,
            multiple=True,
            metavar="PATH",
            help="Submissions of earlier terms: compared with the batch, not with each other; "
            "repeatable.",
        ),
        click.Option(
            ["--reference"],
            type=PATH,
            multiple=True,
            metavar="PATH",
            help="Solutions by staff or from the web: compared with the batch, not with each "
            "other; repeatable.",
        ),
        click.Option(
            ["--archive", "archives"],
            type=PATH,
            multiple=True,
            metavar="FILE",
            help="Archive of earlier terms, created by 'mosslite archive add'; repeatable.",
        ),
        click.Option(
            ["-d", "--directories"],
            is_flag=True,
            help="Treat the files of one folder as one submission.",
        ),
        click.Option(
            ["--each"],
            is_flag=True,
            help="Treat each folder or archive given as a section of the course; if only one is "
            "given, each folder or archive in it. Names get the section as a prefix.",
        ),
        click.Option(
            ["--layout"],
            type=Choice(LAYOUTS),
            default=Intake().layout,
            show_default=True,
            metavar="NAME",
            help=f"Platform that exported the batch: {_PLATFORMS}. 'plain' turns detection off; "
            "'auto' detects.",
        ),
        click.Option(
            ["--name-pattern"],
            metavar="REGEX",
            help="Instead of --layout: regular expression that extracts the student's name from "
            f"the path, as group (?P<name>...); optional groups: {_OTHER_GROUPS}.",
        ),
        click.Option(
            ["--attempts"],
            type=Choice(["latest", "all"]),
            default="all" if Intake().all_attempts else "latest",
            show_default=True,
            help="Attempts of each student to compare; they are never compared with each other.",
        ),
    ),
)


def inputs_of(context: click.Context) -> Inputs:
    """Return the paths by role."""
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
            multiple=True,
            callback=joined_languages,
            shell_complete=languages_for,
            help="MOSS name or Pygments alias of the language, or PATTERN=NAME for files that "
            "match, such as '*.pl=prolog'; repeatable.  [default: detected per file]",
        ),
        click.Option(
            ["--exclude"],
            type=pattern,
            multiple=True,
            metavar="PATTERN",
            help="Ignore files that match, as in a .gitignore; repeatable.",
        ),
        click.Option(
            ["--include"],
            type=pattern,
            multiple=True,
            metavar="PATTERN",
            help="Read only files that match this pattern; after --exclude, include these again. "
            "The last pattern that matches decides; repeatable.",
        ),
        click.Option(
            ["--no-ignore"],
            is_flag=True,
            help="Also read hidden, generated and vendored files.",
        ),
        click.Option(
            ["--encoding"],
            metavar="NAME",
            help="Encoding of all files.  [default: detected per file]",
        ),
        click.Option(
            ["--markdown-cells"],
            is_flag=True,
            help="Also compare the text of notebooks, as prose.",
        ),
    ),
)

LIMITS: Final = Section(
    "Limits (SIZE: a number of bytes, or 500K, 4M, 1G)",
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
            help="Maximum unpacked size of an archive, including nested ones; if it holds many "
            "submissions, they share it.",
        ),
        click.Option(
            ["--max-members"],
            type=integer,
            default=_LIMITS.members,
            show_default=True,
            metavar="N",
            help="Maximum number of files in an archive, shared in the same way.",
        ),
        click.Option(
            ["--max-ratio"],
            type=integer,
            default=_LIMITS.ratio,
            show_default=True,
            metavar="N",
            help="Maximum compression ratio of a submission's archives.",
        ),
        click.Option(
            ["--max-depth"],
            type=integer,
            default=_LIMITS.depth,
            show_default=True,
            metavar="N",
            help="Maximum nesting of archives; 1 = no archive inside another.",
        ),
        click.Option(
            ["--time-limit"],
            type=number,
            default=Options().seconds,
            show_default=True,
            metavar="SECONDS",
            help="Maximum CPU time to lex a file, after which a plain tokenizer reads it; all "
            "files of a submission together may exceed the usual time by twice this.",
        ),
    ),
)


def intake_of(context: click.Context) -> Intake:
    """Return the reading options.

    Raises:
        OptionError: A value is invalid.
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
