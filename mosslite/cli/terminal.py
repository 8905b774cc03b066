"""Terminal output: escaped text, columns, a progress bar, and closed streams."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import IntEnum
from logging import Handler, LogRecord, NullHandler, getLogger
from pathlib import Path
from shutil import get_terminal_size
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Never, Self, TextIO

import click

from mosslite.display import STAGES, spelled_out
from mosslite.errors import OutputError
from mosslite.messages import M_
from mosslite.texts import LOCALES, Texts, texts_in

if TYPE_CHECKING:
    from tqdm import tqdm


class ExitCode(IntEnum):
    """The exit codes of the process.

    A file that a limit excluded from comparison counts as a finding if it fails a job.
    """

    DONE = 0
    FOUND = 1
    WRONG_USE = 2


def prepare_streams() -> None:
    """Make standard output and error accept any character."""
    if sys.__stdout__ is None:
        sys.stdout = _nowhere()
    if sys.__stderr__ is None:
        sys.stderr = _nowhere()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


@contextmanager
def writing_to(stream: TextIO) -> Iterator[None]:
    """Flush output at the end; a closed pipe is not an error, as in ``mosslite ... | head``.

    Raises:
        OutputError: Writing fails for another reason.
    """
    try:
        yield
        stream.flush()
    except BrokenPipeError:
        _leave(stream)
    except OSError as error:
        _leave(stream)
        name = M_("standard error") if stream is sys.stderr else M_("standard output")
        raise OutputError("cannot write to %(name)s: %(reason)s", name, error) from error


def _leave(stream: TextIO) -> None:
    """Discard unwritten output, which Python would report as an error at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - it stays open


# GitHub executes lines starting with ``::`` and, like Azure and TeamCity, ``##word[`` anywhere.
_COMMAND: Final = re.compile(r"(?<![^ ]):(?=:)|#(?=#\w*\[)")


def printable(text: str) -> str:
    r"""Escape control, zero-width and bidirectional characters, as in ``\x1b``.

    File names are untrusted: they must not move the cursor, hide text, or be a command to a CI
    service that reads the log, such as ``::error::...`` on GitHub.
    """
    shown = "".join(
        each
        if each.isprintable() and spelled_out(each) == each
        else each.encode("unicode_escape").decode("ascii")
        for each in text
    )
    return _COMMAND.sub(lambda found: f"\\x{ord(found.group()):02x}", shown)


def link_to(page: Path, stream: TextIO | None) -> str:
    """Return the path of a page, as a clickable link if ``stream`` is a terminal.

    Terminals that do not support the sequence, OSC 8, ignore it.
    """
    shown = printable(str(page))
    is_able = os.environ.get("TERM", "dumb") not in ("", "dumb")
    if os.name == "nt":
        is_able = "WT_SESSION" in os.environ
    if stream is None or not (is_able and stream.isatty()):
        return shown
    return f"\x1b]8;;{page.absolute().as_uri()}\x1b\\{shown}\x1b]8;;\x1b\\"


def open_in_browser(page: Path) -> str:
    """Open a page in the user's browser; return the reason if that fails."""
    if os.environ.get("CI", "false").lower() not in ("", "0", "false"):
        return M_("this is a CI job")
    displays = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform not in ("darwin", "win32") and not any(map(os.environ.get, displays)):
        return M_("there is no display")
    import webbrowser  # noqa: PLC0415 - rarely needed

    try:
        is_open = webbrowser.open(page.absolute().as_uri())
    except (webbrowser.Error, OSError):
        is_open = False
    return "" if is_open else M_("no browser could be started")


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, left: int) -> list[str]:
    """Format rows in columns, the first ``left`` of them left-aligned, others right-aligned."""
    cells = [[printable(cell) for cell in row] for row in [headings, *rows]]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - _width(cell)) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def _width(text: str) -> int:
    """Count the cells a terminal needs: two for wide characters, none for combining ones."""
    return sum(
        2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
        if unicodedata.category(character) not in ("Mn", "Me")
    )


def asked_locale(arguments: Sequence[str]) -> str:
    """Return the language that a command line or ``MOSSLITE_LOCALE`` asks for, else English.

    It is that of errors, which can come up before the command line is understood.
    """
    for at, argument in enumerate(arguments):
        name, sign, value = argument.partition("=")
        if name == "--":
            break
        if name == "--locale":
            return _known_locale(value if sign else "".join(arguments[at + 1 : at + 2]))
    return _known_locale(os.environ.get("MOSSLITE_LOCALE", ""))


def _known_locale(locale: str) -> str:
    return locale if locale in LOCALES else "en"


def run_texts() -> Texts:
    """Return what says things in the language of the command that is running."""
    context = click.get_current_context(silent=True)
    locale = context.params.get("locale") if context else None
    return texts_in(_known_locale(locale or asked_locale(sys.argv))).for_terminal()


def print_lines(lines: Iterable[str], stream: TextIO | None = None) -> None:
    """Print lines as they are, on standard output by default."""
    stream = stream or sys.stdout
    with writing_to(stream):
        for line in lines:
            click.echo(line, stream)


def tell(lines: Iterable[str], stream: TextIO | None = None, *, is_quiet: bool = False) -> None:
    """Print lines in the language of the command, on standard output by default, unless quiet."""
    if not is_quiet:
        print_lines((printable(run_texts().translated(line)) for line in lines), stream)


def tell_beside(lines: Iterable[str], *, is_quiet: bool = False) -> None:
    """Print lines in the language of the command on standard error, as mosslite's, unless quiet."""
    if not is_quiet:
        said = (f"mosslite: {printable(run_texts().translated(line))}" for line in lines)
        print_lines(said, sys.stderr)


def print_notes(given: Mapping[str, Any], stream: TextIO | None = None) -> None:
    """Print which config file was used, even with --quiet, as the file may have set that."""
    tell(given["config_notes"], sys.stderr if given["quiet"] else stream)


@contextmanager
def saying_that_it_starts(*, is_quiet: bool) -> Iterator[None]:
    """Show on a terminal that the block is running: to import a command can take a second."""
    said = f"{run_texts().gettext(STAGES['starting'])} ..." if sys.stderr.isatty() else ""
    if is_quiet or not said or {"-q", "--quiet"} & {*sys.argv}:
        yield
        return
    click.echo(f"\r{said}", err=True, nl=False)
    try:
        yield
    finally:
        click.echo(f"\r{' ' * len(said)}\r", err=True, nl=False)


@contextmanager
def noticed(*, is_quiet: bool) -> Iterator[None]:
    """Print log messages of the block on standard error, unless quiet."""
    logger, handler = getLogger("mosslite"), NullHandler() if is_quiet else _Lines()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class _Lines(Handler):
    def emit(self, record: LogRecord) -> None:
        with suppress(OutputError):
            tell_beside([record.getMessage()])


_FORM: Final = "{percentage:3.0f}%|{bar}| {desc} [{elapsed}<{remaining}]"

# Hundredths of a run's time that each stage takes, as measured on the samples, in order.
_SHARES: Final = {
    "reading": 2,
    "tokenizing": 38,
    "comparing": 15,
    "matching": 10,
    "reading histories": 0,
    "writing": 35,
}


def part_of_run(stage: str, done: int, total: int) -> tuple[float, float]:
    """Return the part of a run that is done after some steps of a stage, and the whole."""
    before, whole = 0, sum(_SHARES.values())
    for name, share in _SHARES.items():
        if name == stage:
            return before + share * done / max(total, 1), whole
        before += share
    return before, whole


def part_of_stage(_stage: str, done: int, total: int) -> tuple[float, float]:
    """Return the steps done and the total, for runs whose stages take similar times."""
    return done, total


class ProgressBar:
    """Shows the progress of a run on a terminal; silent elsewhere."""

    def __init__(
        self,
        measure: Callable[[str, int, int], tuple[float, float]] = part_of_stage,
        *,
        is_shown: bool,
    ) -> None:
        self._measure, self._stage = measure, ""
        self._bar = _new_bar() if is_shown and sys.stderr.isatty() else None

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Advance to ``done`` of ``total`` steps of ``stage``."""
        if self._bar is None:
            return
        spent, self._bar.total = self._measure(stage, done, total)
        is_new, self._stage = stage != self._stage, stage
        texts = run_texts()
        step = texts.gettext(
            "%(stage)s %(done)s of %(total)s",
            stage=texts.gettext(STAGES.get(stage, stage)),
            done=texts.number(done),
            total=texts.number(total),
        )
        self._bar.set_description_str(step, refresh=False)
        self._bar.update(spent - self._bar.n)
        if is_new:
            self._bar.refresh()

    def __enter__(self) -> Self:
        """Return the bar itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the bar from the terminal."""
        if self._bar is not None:
            self._bar.close()


# Seconds before the bar appears: it waits for the name of the first stage.
_INSTANT: Final = 1e-3


def _new_bar() -> tqdm[Never]:
    from tqdm import tqdm  # noqa: PLC0415 - short runs need no bar

    tqdm.monitor_interval = 0  # its thread could receive signals, and is not needed
    # A recorded terminal may have no size, where tqdm would show nothing.
    width, height = get_terminal_size()
    return tqdm(
        total=1, bar_format=_FORM, delay=_INSTANT, leave=False, ncols=width - 1, nrows=height
    )
