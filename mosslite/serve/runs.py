"""Uploads, the single run at a time that compares them in another process, and its report."""

import os
import re
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import blake2b
from logging import NullHandler, getLogger
from mimetypes import guess_type
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import mkstemp
from threading import Thread
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from mosslite.display import STAGES, spelled_out
from mosslite.errors import InputError, MossliteError, OutputError
from mosslite.messages import M_, said_by
from mosslite.options import Mark, Options
from mosslite.parallel import hear_the_end, interrupts_held, safe_path
from mosslite.pipeline import compare
from mosslite.records import Inputs, Progress, Report
from mosslite.report import ReportMetadata, to_csv, to_json, write_html
from mosslite.report.html.site import asset
from mosslite.report.review import marks_by_key, read_marks, review_text, with_marks
from mosslite.report.similar_names import with_distinct_names
from mosslite.report.wording import where_to_begin
from mosslite.serve.guard import new_token
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


# --- the report as served, with the reviewer's marks ----------------------------------------------

_MOST_OF_A_TITLE: Final = 40
_INDEX: Final = "index.html"
_REVIEW_DATA: Final = "review-data.js"

# A report's own policy forbids all connections; the server replaces it by one for saving marks.
_POLICY: Final = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">\n?')
_NEVER: Final = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def default_review(folder: Path, title: str) -> Path:
    """Return the user's review file of all batches with this title.

    The name starts with the characters of the title that are safe in file names, followed by a
    digest that makes it unique.
    """
    words = re.sub(r"[^a-z0-9]+", "-", title.lower())[:_MOST_OF_A_TITLE].strip("-")
    digest = blake2b(title.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return folder / f"{words or 'untitled'}-{digest}.json"


class Review:
    """The user's review file, to which each mark is saved.

    Args:
        path: Path of the file, which need not exist yet.
        write: Writes a text file atomically.

    Raises:
        InputError: The file is not a review.
    """

    def __init__(self, path: Path, write: Callable[[str, str], None]) -> None:
        self.path = path
        self._write = write
        self.marks: tuple[Mark, ...] = read_marks(path) if path.exists() else ()

    def add(self, marks: Iterable[Mark]) -> None:
        """Add marks to the file, keeping those that others have added since.

        Raises:
            MossliteError: The file cannot be written, or is no longer a review.
        """
        there = read_marks(self.path) if self.path.exists() else self.marks
        both = tuple(marks_by_key((*there, *marks)).values())
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(
                "cannot make the folder %(parent)r for the review", self.path.parent
            ) from error
        self._write(str(self.path), review_text(both))
        self.marks = both


class ServedReport:
    """A finished report, under a token of its own.

    The files served were listed when it was created, so no path from a request is ever
    opened.
    """

    def __init__(self, folder: Path, review: Review) -> None:
        self.token = new_token()
        self.review = review
        self._folder = folder
        self._files = {
            path.relative_to(folder).as_posix(): path
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.is_symlink() and not path.name.startswith(".")
        }

    def file(self, name: str) -> tuple[str, bytes] | None:
        """Return type and content of a file of the report, without its own policy."""
        path = self._files.get(name or _INDEX)
        if path is None:
            return None
        if name == _REVIEW_DATA:
            script = asset("serve/serve-marks.js")
            return "text/javascript", (self._review_data() + script).encode("utf-8")
        content = path.read_bytes()
        if path.suffix == ".html":
            content = _POLICY.sub("", content.decode("utf-8"), count=1).encode("utf-8")
        return guess_type(path.name)[0] or "application/octet-stream", content

    def policy(self, origin: str) -> str:
        """Return the report's own policy, extended to allow saving marks on this server."""
        page = self._files[_INDEX].read_text(encoding="utf-8")
        found = _POLICY.search(page)
        own = found.group(1) if found else "default-src 'none'"
        return f"{own}; connect-src {origin}/{self.token}/marks; {_NEVER}"

    def save(self, target: Path) -> None:
        """Write the report with all its marks, the review and the results to a zip file."""
        with ZipFile(target, "w", ZIP_DEFLATED) as saved:
            for name, path in self._files.items():
                content = path.read_bytes()
                if name == _REVIEW_DATA:
                    content = self._review_data().encode("utf-8")
                saved.writestr(f"mosslite-report/{name}", content)
            saved.writestr("mosslite-review.json", review_text(self.review.marks))
            for name in ("results.json", "results.csv"):
                saved.write(self._folder.parent / name, name)

    def _review_data(self) -> str:
        script = self._files[_REVIEW_DATA].read_text(encoding="utf-8")
        return with_marks(script, self.review.marks)
