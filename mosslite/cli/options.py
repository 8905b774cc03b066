"""The options of ``mosslite check``, of which other commands take some, and the records of them.

An option's parameter has the name of the field that it sets in ``Inputs``, ``Options``, ``Intake``
or ``Limits``.
"""

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from mosslite.cli.files import STANDARD_OUTPUT, stream_of
from mosslite.intake.listing import shown_name
from mosslite.messages import M_
from mosslite.options import (
    CODE_DEFAULTS,
    LAYOUTS,
    NAME_GROUPS,
    PROSE_DEFAULTS,
    Intake,
    Limits,
    Options,
)
from mosslite.records import Inputs
from mosslite.report.folder import refuse_standard_output
from mosslite.report.formats import FORMATS, KEY, SINGLE_FILE, Format
from mosslite.report.review import read_marks
from mosslite.texts import LOCALES, texts_in

Number = TypeVar("Number", int, float)

# Types of values, which a config file has, too


class _Path(click.Path):
    """A path, which is checked when it is used.

    An empty one would be the current folder; an option in its place was not meant as one.
    """

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the path."""
        if not os.fspath(value):
            self.fail(M_("%(value)r is not a path: give a file or folder", ""), param, ctx)
        if isinstance(param, click.Option) and ctx and value in _options_of(ctx):
            self.fail(M_("%(value)r is an option: give a file or folder before it", value), param)
        return os.fsdecode(super().convert(value, param, ctx))


def _options_of(context: click.Context) -> Iterator[object]:
    for parameter in context.command.params:
        yield from parameter.opts


PATH: Final = _Path(readable=False)


class _Output(_Path):
    """A path to write to; standard output, whose every name becomes ``-``, is not a folder."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the path, or ``-``."""
        given = super().convert(value, param, ctx)
        shown = STANDARD_OUTPUT if stream_of(given) == 1 else given
        if not self.allow_dash:
            refuse_standard_output(Path(shown), param.opts[0] if param else "")
        return shown


OUTPUT: Final = _Output(readable=False, allow_dash=True)
FOLDER: Final = _Output(readable=False)


class Choice(click.Choice[str]):
    """One of several words."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word."""
        if value not in self.choices:
            names = ", ".join(map(repr, self.choices))
            self.fail(M_("%(value)r is not one of %(names)s", value, names), param, ctx)
        return value


def integer(value: str | int) -> int:
    """Parse a whole number.

    Raises:
        click.BadParameter: It is not one.
    """
    return _parsed(int, value, M_("%(value)r is not a valid integer", value))


def number(value: str | float) -> float:
    """Parse a number; as above."""
    return _parsed(float, value, M_("%(value)r is not a valid float", value))


def _parsed(kind: Callable[[Any], Number], value: object, otherwise: str) -> Number:
    try:
        return kind(value)
    except ValueError as error:
        raise click.BadParameter(otherwise) from error


# Larger numbers are typing errors.
_SIZE: Final = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?)([kmg]?)(?:i?b)?", re.IGNORECASE)
_UNITS: Final = {"": 0, "k": 10, "m": 20, "g": 30}


def size(value: str | int) -> int:
    """Parse a number of bytes, or of binary units: ``500000``, ``500K``, ``4M``, ``1G``.

    Raises:
        click.BadParameter: It is not one.
    """
    if isinstance(value, int):
        return value
    found = _SIZE.fullmatch(value)
    if found is None:
        raise click.BadParameter(
            M_("%(value)r is not a size: give one such as 500000, 500K, 4M or 1G", value)
        )
    return int(float(found[1]) * (1 << _UNITS[found[2].lower()]))


def size_text(count: int) -> str:
    """Format a size in the largest unit that divides it, as accepted by ``size``."""
    for unit in ("g", "m", "k"):
        units, rest = divmod(count, 1 << _UNITS[unit])
        if units and not rest:
            return f"{units}{unit.upper()}"
    return str(count)


def percent(value: str | float) -> float:
    """Parse a number from 0 to 100.

    Values above 0 and up to 1 are refused: nobody means less than one percent, but many would give
    a score like this.

    Raises:
        click.BadParameter: It is not one.
    """
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 100:
        raise click.BadParameter(
            M_("%(value)r is not a percentage: give a number from 0 to 100", value)
        )
    if 0 < number <= 1:
        asked = round(100 * number, 6)  # 0.29 * 100 is slightly below 29 in binary
        advice = M_("give 0, or more than 1")
        if asked > 1:
            advice = M_("write %(asked)s for score %(number)s", f"{asked:g}", f"{number:g}")
        raise click.BadParameter(
            M_("%(value)r is not a percentage but a fraction: %(advice)s", value, advice)
        )
    return number


def pattern(value: str) -> str:
    """Parse a pattern in the form of a ``.gitignore`` line.

    Raises:
        click.BadParameter: It is blank.
    """
    if not value.strip():
        raise click.BadParameter(
            M_("%(value)r matches nothing: give a pattern such as '*.txt'", value)
        )
    return value


# Options that contain patterns, and the key in a config file for lines of a .gitignore.
PATTERN_KEYS: Final = frozenset({"exclude", "include", "patterns"})


def gitignore_line(key: str, pattern: str) -> str:
    """Return an option's pattern as an equivalent line of a ``.gitignore``."""
    if key == "include":
        return f"!{pattern}"
    is_comment = key == "exclude" and pattern.startswith("#")
    return f"\\{pattern}" if is_comment else pattern


def given_patterns(
    values: Mapping[str, Sequence[str]], order: Iterable[click.Parameter]
) -> tuple[str, ...]:
    """Return the ``.gitignore`` lines equivalent to the command line.

    Args:
        values: Patterns by option name, in order.
        order: The parameters of the command line in order, repeated options included.
    """
    waiting = {name: iter(values.get(name, ())) for name in ("exclude", "include")}
    names = [parameter.name for parameter in order if parameter.name in waiting]
    return tuple(gitignore_line(name, next(waiting[name])) for name in names)


# What becomes of a value: these see it whether it is from the command line or a config file.


def joined_languages(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> str | None:
    """Return the last language given by name, behind those given for patterns; None for none."""
    from mosslite.languages import find_language  # noqa: PLC0415 - only where it is given

    for name in given:
        if not name.strip():
            find_language(name)  # says that there is none of this name
    patterns = [each for each in given if "=" in each]
    return ",".join([*patterns, *[each for each in given if "=" not in each][-1:]]) or None


def without_surrogates(_context: click.Context, _option: click.Parameter, given: str) -> str:
    """Return a title as UTF-8 can have it."""
    return os.fsencode(given).decode("utf-8", "backslashreplace")


def _starting(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def languages_for(_context: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Complete the MOSS name of a language."""
    from mosslite.languages import MOSS_LANGUAGES  # noqa: PLC0415 - only a shell asks

    return _starting(sorted(MOSS_LANGUAGES), incomplete)


# Groups of options

AnyCommand = TypeVar("AnyCommand", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Options below one heading of the help; as a decorator, it adds them to a command."""

    title: str
    options: tuple[click.Option, ...]

    def __call__(self, command: AnyCommand) -> AnyCommand:
        """Add all options to a function that becomes a command."""
        parameters = command.__dict__.setdefault("__click_params__", [])
        parameters.extend(reversed(self.options))  # click reads them from the last to the first
        return command


# Values in the help, by the type that reads them.
_METAVARS: Final[Mapping[object, str]] = {
    integer: "N",
    size: "SIZE",
    percent: "PERCENT",
    pattern: "PATTERN",
}


def _option(names: str, help: str, **settings: Any) -> click.Option:
    settings.setdefault("metavar", _METAVARS.get(settings.get("type")))
    settings.setdefault("show_default", settings.get("default") is not None)
    return click.Option(names.split(), help=help, **settings)


def option(names: str, help: str, **settings: Any) -> OptionGroup:
    """Return what adds an option to a command; a last name without dashes is the parameter's."""
    return OptionGroup("", (_option(names, help, **settings),))


def _flag(names: str, help: str, **settings: Any) -> click.Option:
    return _option(names, help, is_flag=True, **settings)


def _paths(names: str, help: str, metavar: str = "PATH") -> click.Option:
    return _option(names, help, type=PATH, multiple=True, metavar=metavar)


def _written(written: Format) -> click.Option:
    return _option(written.option, written.help, type=OUTPUT, metavar=written.metavar)


_PLATFORMS: Final = ", ".join(name for name in LAYOUTS if name not in ("auto", "plain"))
_OTHER_GROUPS: Final = ", ".join(sorted(NAME_GROUPS - {"name"}))

submission_paths: Final = click.argument(
    "current", type=PATH, nargs=-1, required=True, metavar="PATH..."
)

SUBMISSIONS: Final = OptionGroup(
    "Submissions",
    (
        _paths(
            "-b --base", "Base code that you handed out, excluded from the comparison; repeatable."
        ),
        _paths(
            "--prior",
            "Submissions of earlier terms: compared with the batch, not with each other; "
            "repeatable.",
        ),
        _paths(
            "--reference",
            "Solutions by staff or from the web: compared with the batch, not with each "
            "other; repeatable.",
        ),
        _paths(
            "--archive archives",
            "Archive of earlier terms, created by 'mosslite archive add'; repeatable.",
            metavar="FILE",
        ),
        _flag("-d --directories", "Treat the files of one folder as one submission."),
        _flag(
            "--each",
            "Treat each folder or archive given as a section of the course; if only one is "
            "given, each folder or archive in it. Names get the section as a prefix.",
        ),
        _option(
            "--layout",
            f"Platform that exported the batch: {_PLATFORMS}. 'plain' turns detection off; "
            "'auto' detects.",
            type=Choice(LAYOUTS),
            default=Intake().layout,
            metavar="NAME",
        ),
        _option(
            "--name-pattern",
            "Instead of --layout: regular expression that extracts the student's name from "
            f"the path, as group (?P<name>...); optional groups: {_OTHER_GROUPS}.",
            metavar="REGEX",
        ),
        _option(
            "--attempts all_attempts",
            "Attempts of each student to compare; they are never compared with each other.",
            type=Choice(["latest", "all"]),
            default="all" if Intake().all_attempts else "latest",
            callback=lambda _context, _option, given: given == "all",
        ),
    ),
)

FILES: Final = OptionGroup(
    "Files",
    (
        _option(
            "-l --language",
            "MOSS name or Pygments alias of the language, or PATTERN=NAME for files that "
            "match, such as '*.pl=prolog'; repeatable.  [default: detected per file]",
            metavar="NAME",
            multiple=True,
            callback=joined_languages,
            shell_complete=languages_for,
        ),
        _option(
            "--exclude",
            "Ignore files that match, as in a .gitignore; repeatable.",
            type=pattern,
            multiple=True,
        ),
        _option(
            "--include",
            "Read only files that match this pattern; after --exclude, include these again. "
            "The last pattern that matches decides; repeatable.",
            type=pattern,
            multiple=True,
        ),
        _flag("--no-ignore reads_ignored", "Also read hidden, generated and vendored files."),
        _option(
            "--encoding", "Encoding of all files.  [default: detected per file]", metavar="NAME"
        ),
        _flag("--markdown-cells reads_markdown", "Also compare the text of notebooks, as prose."),
    ),
)

_K, _T = (
    f"in tokens.  [default: {code} for code, {prose} for prose]"
    for code, prose in (
        (CODE_DEFAULTS.noise, PROSE_DEFAULTS.noise),
        (CODE_DEFAULTS.guarantee, PROSE_DEFAULTS.guarantee),
    )
)

COMPARISON: Final = OptionGroup(
    "Comparison",
    (
        _option(
            "-m --max-sharing",
            "Exclude code shared by more than N submissions, as MOSS does.  "
            "[default: such code only weighs less]",
            type=integer,
        ),
        _option("-k --noise", f"Noise threshold: length of the shortest match, {_K}", type=integer),
        _option(
            "-t --guarantee",
            f"Guarantee threshold: length from which every match is found, {_T}",
            type=integer,
        ),
        _option(
            "--chance",
            "Count a match only if at most N with as much information are expected in an "
            "honest pair of programs of these sizes.",
            type=number,
            default=Options().chance,
            metavar="N",
        ),
    ),
)

RESULTS: Final = OptionGroup(
    "Results",
    (
        _option(
            "-o --output",
            "Folder of the HTML report; other files in it are kept.",
            type=PATH,
            default="mosslite-report",
            metavar="DIR",
        ),
        _flag("--open", "Open the report in a browser."),
        _flag(SINGLE_FILE.option, SINGLE_FILE.help),
        _flag("--no-html", "Do not write the HTML report."),
        *map(_written, FORMATS),
        _option(
            "--moss-html",
            "Folder of result pages in MOSS' layout, for scripts that parse them.",
            type=FOLDER,
            metavar="DIR",
        ),
        _option(
            "-n --show",
            "Maximum number of pairs in the report, known pairs not counted; 0 = all that "
            "share code. The best pair of each group and submission comes first.  "
            "[default: all above the threshold, from 250 to 2,000]",
            type=integer,
        ),
        _option(
            "-c --comment",
            "Title of the report.",
            default=Options().comment,
            callback=without_surrogates,
            metavar="TEXT",
            show_default=False,
        ),
        _option(
            "--locale",
            "Language of pages and of what is printed: en, de, es or fr; JSON, CSV and other "
            "formats are English. MOSSLITE_LOCALE sets it too.  [default: en]",
            default="en",
            metavar="CODE",
            callback=lambda _context, _option, given: texts_in(given).locale,
            envvar="MOSSLITE_LOCALE",
            shell_complete=lambda _context, _option, begun: _starting(LOCALES, begun),
            show_default=False,
        ),
        _paths(
            "--review",
            "Import review marks saved from an earlier report; several files are merged.",
            metavar="FILE",
        ),
        _written(KEY),
        _option(
            "--fail-above",
            "Exit with 1 if a pair scores PERCENT or higher (80 means score 0.80), or if a "
            "limit such as --max-ratio kept part of a submission from being compared.",
            type=percent,
        ),
        _option(
            "--baseline",
            "Known pairs, written by 'mosslite baseline update'; they do not count for "
            "--fail-above.",
            type=PATH,
            metavar="FILE",
        ),
    ),
)

_LIMITS: Final = Limits()

LIMITS: Final = OptionGroup(
    "Limits (SIZE: a number of bytes, or 500K, 4M, 1G)",
    (
        _option(
            "--max-file-size file", "Skip larger files.", type=size, default=size_text(_LIMITS.file)
        ),
        _option(
            "--max-unpacked unpacked",
            "Maximum unpacked size of an archive, including nested ones; if it holds many "
            "submissions, they share it.",
            type=size,
            default=size_text(_LIMITS.unpacked),
        ),
        _option(
            "--max-members members",
            "Maximum number of files in an archive, shared in the same way.",
            type=integer,
            default=_LIMITS.members,
        ),
        _option(
            "--max-ratio ratio",
            "Maximum compression ratio of a submission's archives.",
            type=integer,
            default=_LIMITS.ratio,
        ),
        _option(
            "--max-depth depth",
            "Maximum nesting of archives; 1 = no archive inside another.",
            type=integer,
            default=_LIMITS.depth,
        ),
        _option(
            "--time-limit seconds",
            "Maximum CPU time to read a file, after which a plain tokenizer reads it; after three "
            "such files of a submission, also those of it that are not read yet.",
            type=number,
            default=Options().seconds,
            metavar="SECONDS",
        ),
    ),
)

RUNNING: Final = OptionGroup(
    "Running",
    (
        _flag("--list", "List what would be compared, and what is skipped and why; write nothing."),
        _option(
            "--config",
            "Read options from FILE, a mosslite.toml or pyproject.toml.  "
            "[default: the one in the current folder, unless it is among the submissions]",
            type=PATH,
            metavar="FILE",
        ),
        _flag("--no-config", "Do not read options from a file."),
        _option("-j --jobs", "Worker processes.  [default: all processors]", type=integer),
        _flag(
            "--no-cache uses_cache",
            "Do not read or write the cache.",
            callback=lambda _context, _option, given: not given,
        ),
        _option(
            "--engine",
            "Where to compare: locally, or as a job of Apache Spark, with equal results.",
            type=Choice(["local", "spark"]),
            default="local",
            metavar="NAME",
        ),
        _option(
            "--master", "Spark master URL, as for spark-submit.  [default: local[*]]", metavar="URL"
        ),
        _option(
            "--stages",
            "Store the stages of a Spark job in DIR, shared by all machines, so that a "
            "stopped job can be resumed.",
            type=FOLDER,
            metavar="DIR",
        ),
        _option(
            "--spark-conf",
            "Spark setting, such as spark.executor.memory=4g; repeatable.",
            multiple=True,
            metavar="KEY=VALUE",
        ),
        _flag("--spark-log", "Print Spark's own log."),
        _flag("-q --quiet", "Print errors only."),
        _flag("-x experimental", "Ignored; accepted for MOSS scripts."),
    ),
)

# In the order of the help.
GROUPS: Final = (SUBMISSIONS, FILES, COMPARISON, RESULTS, LIMITS, RUNNING)
EVERY: Final = OptionGroup("", tuple(each for group in GROUPS for each in group.options))


def shared(*names: str, default: str = "") -> OptionGroup:
    """Return some of the options of ``check`` for another command.

    Args:
        names: Names of their parameters, in the order of the help.
        default: What the help says of their default values instead.
    """
    named = {each.name: each for each in EVERY.options}
    options = [copy(named[name]) for name in names]
    for each in options if default else ():
        each.help = f"{str(each.help).partition('  [default:')[0]}  [default: {default}]"
    return OptionGroup("", tuple(options))


# Records of the values


def inputs_of(given: Mapping[str, Any]) -> Inputs:
    """Return the paths of a command by role; it may have only some of the options."""
    return Inputs(**_fields_of(Inputs, given))


def intake_of(given: Mapping[str, Any]) -> Intake:
    """Return the options of reading.

    Raises:
        OptionError: A value is invalid.
    """
    return Intake(**_fields_of(Intake, given), limits=Limits(**_fields_of(Limits, given)))


def options_of(given: Mapping[str, Any]) -> Options:
    """Return the options of reading, comparison and report.

    Raises:
        OptionError: A value is invalid.
        InputError: The file of ``--review`` cannot be read, or is not a review.
    """
    values = _fields_of(Options, given) | {"intake": intake_of(given)}
    values["review"] = tuple(
        mark for path in given.get("review", ()) for mark in read_marks(Path(path))
    )
    values["config"] = shown_name(given["config"]) if given.get("config") else ""
    return Options(**values)


def _fields_of(record: type[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    names = [field.name for field in fields(record)]
    return {name: given[name] for name in names if name in given}
