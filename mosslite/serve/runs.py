"""Uploads, and the single run at a time that compares them in a separate process."""

import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from logging import NullHandler, getLogger
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import mkstemp
from threading import Thread
from typing import Any, Final

from mosslite.display import STAGES, spelled_out
from mosslite.errors import InputError, MossliteError
from mosslite.messages import M_, said_by
from mosslite.options import Options
from mosslite.parallel import hear_the_end, interrupts_held, safe_path
from mosslite.pipeline import compare
from mosslite.records import Inputs, Progress, Report
from mosslite.report import ReportMetadata, to_csv, to_json, write_html
from mosslite.report.similar_names import with_distinct_names
from mosslite.report.wording import where_to_begin
from mosslite.texts import Texts, texts_in

# Kinds of uploads, and names of their files; names from requests are never used.
ROLES: Final = ("submissions", "base", "earlier")

# First bytes of an SQLite database, such as an archive of earlier terms.
_ARCHIVE: Final = b"SQLite format 3\0"

# Name of the report's folder, next to the uploads.
REPORT: Final = "report"
_RESULTS: Final = ("results.json", "results.csv")
_CACHE: Final = "cache"

Measure = Callable[[str, int, int], tuple[float, float]]
"""What is spent and what there is to spend, once so many of so many steps of a stage are done."""


class TooLargeError(MossliteError):
    """An upload is larger than an archive may be after unpacking."""


@dataclass(frozen=True, slots=True)
class _Upload:
    """An uploaded file: its original name, for display only, and its size in bytes."""

    name: str
    size: int
    is_archive: bool


class Uploads:
    """The current uploads, one file for each role, in a temporary folder."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self.folder = folder
        self._most_bytes = most_bytes
        self._kept: dict[str, _Upload] = {}

    async def receive(self, role: str, name: str, chunks: AsyncIterator[bytes]) -> None:
        """Write an upload to a file as it arrives, replacing an earlier one.

        Args:
            role: One of ``ROLES``.
            name: Its original name; for display only.
            chunks: The bytes.

        Raises:
            TooLargeError: It exceeds the limit; the partial file is removed.
            InputError: It is empty, or the disk is full.
        """
        number, path = mkstemp(dir=self.folder, prefix="part-")
        part = Path(path)
        try:
            with os.fdopen(number, "wb") as file:
                size = await self._write(file.write, chunks)
            with part.open("rb") as file:
                is_archive = file.read(len(_ARCHIVE)) == _ARCHIVE
            part.replace(self.folder / role)
        except OSError as error:
            raise InputError("cannot keep the upload: %(reason)s", error) from error
        finally:
            part.unlink(missing_ok=True)
        self._kept[role] = _Upload(name, size, is_archive)

    async def _write(self, write: Callable[[bytes], object], chunks: AsyncIterator[bytes]) -> int:
        size = 0
        async for chunk in chunks:
            size += len(chunk)
            if size > self._most_bytes:
                raise TooLargeError(
                    "the upload is too large: %(most_bytes)d bytes are the limit", self._most_bytes
                )
            write(chunk)
        if not size:
            raise InputError("the upload is empty: choose a file or a folder that holds files")
        return size

    def remove(self, role: str) -> None:
        """Remove an upload, if there is one."""
        self._kept.pop(role, None)
        (self.folder / role).unlink(missing_ok=True)

    def inputs(self, archives: tuple[str, ...]) -> Inputs:
        """Return the paths to compare, relative to the folder.

        Raises:
            InputError: There are no submissions.
        """
        if "submissions" not in self._kept:
            raise InputError("no submissions were uploaded: drop an export or a folder first")
        earlier = self._kept.get("earlier")
        of_earlier = ("earlier",) if earlier else ()
        is_archive = earlier is not None and earlier.is_archive
        return Inputs(
            current=("submissions",),
            base=("base",) if "base" in self._kept else (),
            prior=() if is_archive else of_earlier,
            archives=(*archives, *(of_earlier if is_archive else ())),
        )

    def shown(self) -> dict[str, dict[str, object]]:
        """Return the data of each upload for the page."""
        return {
            role: {**asdict(each), "name": spelled_out(each.name)}
            for role, each in sorted(self._kept.items())
        }


@dataclass(frozen=True, slots=True)
class Job:
    """The inputs and outputs of a run.

    Attributes:
        folder: Folder of the uploads and results.
        metadata: Of the report, such as its language.
    """

    folder: Path
    inputs: Inputs
    options: Options
    metadata: ReportMetadata


class Run:
    """A comparison in a separate process, which can be stopped at any time.

    The process leads a process group, so that Ctrl-C in the terminal does not reach it, and one
    signal ends it with all its children. If the server dies, it exits at its next step.
    """

    def __init__(self, job: Job, measure: Measure) -> None:
        self.state = "running"
        self.outcome: dict[str, Any] = {}
        self._measure = measure
        self._progress = {"stage": "starting", "done": 0, "total": 0, "share": 0.0}
        for name in (REPORT, *_RESULTS):
            _remove(job.folder / name)
        spawn = get_context("spawn")  # a fork would share the server's sockets and locks
        received, sent = spawn.Pipe(duplex=False)
        self._process: BaseProcess = spawn.Process(target=_run, args=(job, sent))
        with interrupts_held(), safe_path():
            self._process.start()
        sent.close()
        self._listener = Thread(target=self._listen, args=(received,), daemon=True)
        self._listener.start()

    @property
    def is_running(self) -> bool:
        """Whether it is in progress."""
        return self.state == "running"

    def shown(self, texts: Texts) -> dict[str, object]:
        """Return the state of the run for the page."""
        shown = {"state": self.state, **self._progress, **self.outcome}
        if "stage" in shown:
            shown["stage"] = texts.gettext(STAGES[str(shown["stage"])])
        if "error" in shown:
            shown["error"] = spelled_out(texts.translated(shown["error"]))
        return shown

    def cancel(self) -> None:
        """Stop the process group, unless the run has ended."""
        if self.is_running:
            self.state = "cancelled"
            _end(self._process)
        self._listener.join()

    def _listen(self, received: Connection) -> None:
        with received, suppress(EOFError, OSError):
            while True:
                kind, *content = received.recv()
                if kind == "progress":
                    self._advance(*content)
                else:
                    self._finish(kind, content[0])
        self._process.join()
        self._finish(
            "failed",
            {"error": M_("the run ended unexpectedly (%(exitcode)s)", self._process.exitcode)},
        )

    def _advance(self, stage: str, done: int, total: int) -> None:
        spent, all_of_it = self._measure(stage, done, total)
        share = min(spent / all_of_it, 1.0) if all_of_it else 0.0
        self._progress = {"stage": stage, "done": done, "total": total, "share": share}

    def _finish(self, state: str, outcome: dict[str, Any]) -> None:
        if self.is_running:
            self.outcome = outcome
            self.state = state


def _end(process: BaseProcess) -> None:
    if sys.platform == "win32":
        process.terminate()
    else:
        with suppress(OSError):  # it has ended, or has no process group yet
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.kill()


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _run(job: Job, sent: Connection) -> None:
    """Compare and write the report; runs in a separate process."""
    if sys.platform != "win32":
        os.setsid()
    hear_the_end()
    getLogger("mosslite").addHandler(NullHandler())
    os.chdir(job.folder)  # so that paths in the report are the names of the uploads
    os.environ["MOSSLITE_CACHE_DIR"] = str(job.folder / _CACHE)  # removed with all else

    def on_progress(stage: str, done: int, total: int) -> None:
        sent.send(("progress", stage, done, total))

    with suppress(BrokenPipeError):  # the server has exited
        try:
            sent.send(("done", _written(job, on_progress)))
        except MossliteError as error:
            sent.send(("failed", {"error": said_by(error)}))


def _written(job: Job, progress: Progress) -> dict[str, object]:
    report, metadata = compare(job.inputs, job.options, progress=progress), job.metadata
    write_html(report, Path(REPORT), metadata, progress=progress)
    created, version = metadata.created, metadata.version
    results = (to_json(report, created=created, version=version), to_csv(report))
    for name, text in zip(_RESULTS, results, strict=True):
        Path(name).write_text(text, encoding="utf-8", newline="\n")
    lines = _summary(with_distinct_names(report), texts_in(metadata.locale))
    return {"lines": [spelled_out(line) for line in lines]}


def _summary(shown: Report, texts: Texts) -> Iterator[str]:
    yield texts.translated(shown.description)
    yield where_to_begin(shown, texts) if shown.pairs else texts.gettext("No pair shares code.")
    if shown.skipped:
        yield texts.ngettext(
            "%(count)s file skipped; the report lists why.",
            "%(count)s files skipped; the report lists why.",
            len(shown.skipped),
        )
    if shown.warnings:
        yield texts.ngettext(
            "%(count)s warning; see the report.",
            "%(count)s warnings; see the report.",
            len(shown.warnings),
        )
