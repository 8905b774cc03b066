"""Writes results and keys to files, atomically, and never over files of another kind.

A key maps the aliases in results or archives to names.
"""

from __future__ import annotations

import csv
import io
import os
import shutil
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from mosslite import signatures
from mosslite.cli.terminal import writing_to
from mosslite.disk import alone_with, temporary_folder
from mosslite.display import csv_text, text_of_cell
from mosslite.errors import OptionError, OutputError
from mosslite.messages import M_, chained, said_by
from mosslite.records import SubmissionMetadata
from mosslite.report.anonymous import nameless_file
from mosslite.signatures import Signature

if TYPE_CHECKING:
    from mosslite.terms.tables import Entry


STANDARD_OUTPUT: Final = "-"

# Folders in which a process' open files are listed by number.
_OPEN_FILES: Final = ("/dev/fd", "/proc/self/fd")
_MOST_LINKS: Final = 40
# Number of first bytes by which a file is recognized.
_HEAD: Final = 512
_USUAL_MODE: Final = 0o666  # the umask is subtracted
_SEEN: Final[Mapping[int | None, str]] = {1: M_("standard output"), 2: M_("standard error")}


def stream_of(target: str) -> int | None:
    """Return the file descriptor that a path denotes, such as 2 for ``/dev/stderr``."""
    if target == STANDARD_OUTPUT:
        return 1
    folders = {os.path.realpath(each) for each in _OPEN_FILES}
    path = os.path.abspath(target)  # noqa: PTH100 - resolved step by step
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(path)
        if name.isdecimal() and os.path.realpath(folder) in folders:
            return int(name)
        try:
            path = os.path.join(os.path.realpath(folder), os.readlink(path))  # noqa: PTH115, PTH118
        except (OSError, ValueError):  # not a link
            return None
    return None


def stream_beside(targets: Collection[str]) -> TextIO:
    """Return standard output if no result is written there, else standard error."""
    return sys.stderr if STANDARD_OUTPUT in targets else sys.stdout


def write_file(target: str, content: str | bytes | Iterable[bytes]) -> None:
    """Write atomically to a file, or to a device, a pipe or an open file.

    Args:
        target: Path of the file.
        content: The whole, or pieces that are made when they are written.

    Raises:
        OutputError: It cannot be written.
    """
    content = content.encode("utf-8") if isinstance(content, str) else content
    pieces = [content] if isinstance(content, bytes) else content
    if target == STANDARD_OUTPUT:
        with writing_to(sys.stdout):
            sys.stdout.buffer.writelines(pieces)
        return
    stream = stream_of(target)
    with _explained(target):
        if stream is not None:
            _append(stream, pieces)
            return
        path = Path(target)
        if path.exists() and not path.is_file():
            with path.open("wb") as device:  # is written to, but never replaced
                device.writelines(pieces)
        else:
            _replace(Path(os.path.realpath(path)), pieces)


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """The files of ``--json`` and ``--csv``, for commands that write both.

    Attributes:
        targets: Path of each file by option; ``-`` is standard output.
    """

    targets: Mapping[str, str]

    @classmethod
    def of(
        cls, given: Mapping[str, str | None], signatures: Mapping[str, Signature]
    ) -> ResultFiles:
        """Return the files that are given, once all of them can be written.

        Raises:
            OptionError: Both have the same path.
            OutputError: A folder is missing, or a file contains something else.
        """
        targets = {option: path for option in signatures if (path := given[option[2:]])}
        require_apart(targets)
        for option, target in targets.items():
            require_own(target, M_("result of %(option)s", option), signatures[option])
        return cls(targets)

    @property
    def stream(self) -> TextIO:
        """Where the rest is printed."""
        return stream_beside(self.targets.values())

    def writers(
        self, contents: Mapping[str, Callable[[], str | bytes]]
    ) -> Iterator[Callable[[], object]]:
        """Yield what writes each file, given what makes its content."""
        for option, target in files_first(self.targets):
            yield partial(lambda make, path: write_file(path, make()), contents[option], target)


def files_first(targets: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return options and targets in the order of writing, standard output last.

    Its reader may close it early, and files must be complete.
    """
    return sorted(targets.items(), key=lambda each: each[1] == STANDARD_OUTPUT)


def write_each(writers: Iterable[Callable[[], object]]) -> None:
    """Write all results, even if one of them cannot be written.

    Raises:
        OutputError: Results cannot be written; all reasons are in one line.
    """
    troubles = []
    for write in writers:
        try:
            write()
        except OutputError as error:
            troubles.append(said_by(error))
    if troubles:
        raise OutputError(chained(troubles))


def require_apart(targets: Mapping[str, str]) -> None:
    """Check that no two results have the same path.

    Args:
        targets: Paths by option.

    Raises:
        OptionError: Names two options and the path.
    """
    options: dict[str, str] = {}
    for option, target in targets.items():
        other = options.setdefault(os.path.realpath(target), option)
        if other != option:
            place = "standard output" if target == STANDARD_OUTPUT else repr(target)
            raise OptionError(
                "%(other)s and %(option)s both write to %(place)s: give them different files",
                other,
                option,
                place,
            )


def require_folder_of(target: str, *, made: Path | None = None) -> None:
    """Check that a file's folder exists or is ``made`` in this run.

    Raises:
        OutputError: It is missing.
    """
    folder = Path(target).parent
    with _explained(target):
        if not folder.is_dir() and folder != made:
            raise OutputError("cannot write %(target)r: %(folder)r is not a folder", target, folder)


def require_own(target: str, what: str, beginning: bytes, *, made: Path | None = None) -> None:
    """Check that a file may be written: it is missing, or a result of the same kind.

    Args:
        target: Path of the result.
        what: Its description, as in ``result of --json``.
        beginning: First bytes of such results.
        made: A folder that is made in this run.

    Raises:
        OutputError: The file contains something else, or its folder is missing.
    """
    require_folder_of(target, made=made)
    if stream_of(target) is not None:
        return
    found = b""
    with _explained(target):
        if Path(target).is_dir():
            raise OutputError("cannot write %(target)r: is a directory", target)
        if Path(target).is_file():
            with Path(target).open("rb") as existing:
                found = existing.read(_HEAD)
    if found and not signatures.begins_with(found, beginning):
        raise OutputError(
            "%(target)r exists and is not a %(what)s: give another file", target, what
        )


def require_unseen(key: str) -> None:
    """Check that a key is not written where results are read or published.

    Raises:
        OptionError: It would go to standard output or standard error.
    """
    place = _SEEN.get(stream_of(key))
    if place is not None:
        raise OptionError("the key of --anonymize cannot go to %(place)s: give a file", place)


def _append(stream: int, pieces: Iterable[bytes]) -> None:
    """Write at the position of an open file; reopening its path would truncate it."""
    with os.fdopen(os.dup(stream), "wb") as opened:
        opened.writelines(pieces)


def _replace(path: Path, pieces: Iterable[bytes]) -> None:
    """Replace a file by a new one with the same permissions."""
    is_there = path.exists()
    mode = stat.S_IMODE(path.stat().st_mode) | stat.S_IWUSR if is_there else _USUAL_MODE
    with temporary_folder(path.parent) as folder:
        half_written = folder / "new"
        # Created with the permissions of the old file, as it may be a key to names.
        half_written.touch(mode)
        with half_written.open("wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())  # otherwise a power failure can leave it empty
        if is_there:
            shutil.copymode(path, half_written)
        half_written.replace(path)


@contextmanager
def _explained(target: str) -> Iterator[None]:
    """Convert an OSError into an OutputError."""
    try:
        yield
    except OSError as error:
        raise OutputError("cannot write %(target)r: %(reason)s", target, error) from error


_HEADING: Final = Signature.KEY.decode("ascii")
_ALIAS: Final = "Submission"
_DIGITS: Final = 3


def numbered_by(
    key: str, term: str
) -> Callable[[Sequence[Entry], Collection[str]], Sequence[Entry]]:
    """Return a function that pseudonymizes entries, after adding their names to a key.

    Numbers continue from those in the key and the term.

    Args:
        key: Path of the CSV file.
        term: Term of the entries.

    Raises:
        OptionError: The key would go to a standard stream.
        OutputError: The key cannot be written there.
    """
    require_unseen(key)
    require_own(key, M_("key of --anonymize"), Signature.KEY)
    _key_text(key)  # before any work
    return partial(_numbered, key, term)


def write_key(key: str, text: str) -> None:
    """Write the key of a report, unless the file now contains names of an archive.

    Raises:
        OutputError: It does, or it cannot be written.
    """
    with _alone_with(key):
        require_no_archive(key)
        write_file(key, text)


def require_no_archive(key: str) -> None:
    """Refuse to replace a key with names of an archive, which would be lost forever.

    Raises:
        OutputError: It contains some, or cannot be read.
    """
    if any("/" in alias for alias in _aliases(_key_text(key))):
        raise OutputError("%(key)r contains the key to an archive: give another file", key)


def _numbered(
    key: str, term: str, entries: Sequence[Entry], names: Collection[str]
) -> Sequence[Entry]:
    named = sorted(entries, key=_content_order)
    with _alone_with(key):  # archives may share a key
        before = _key_text(key)
        taken = _aliases(before) | {f"{term}/{name}" for name in names}
        beginning = f"{term}/{_ALIAS} "
        ends = (each.removeprefix(beginning) for each in taken if each.startswith(beginning))
        first = max((int(end) for end in ends if end.isdecimal()), default=0) + 1
        aliases = [f"{_ALIAS} {first + n:0{_DIGITS}}" for n in range(len(named))]
        # Before the archive is changed: unused aliases in the key are harmless.
        rows = zip(aliases, named, strict=True)
        added = csv_text((f"{term}/{alias}", entry.name) for alias, entry in rows)
        write_file(key, (before or _HEADING) + added)
    return [_renamed(entry, alias) for alias, entry in zip(aliases, named, strict=True)]


def _alone_with(key: str) -> AbstractContextManager[None]:
    """Lock a key against other processes; devices and open files are only appended to."""
    is_added_to = stream_of(key) is not None or (Path(key).exists() and not Path(key).is_file())
    return nullcontext() if is_added_to else alone_with(key)


def _key_text(key: str) -> str:
    """Return a key's text with a final line end, which an editor may have removed."""
    try:
        is_there = stream_of(key) is None and Path(key).is_file()
        text = Path(key).read_text(encoding="utf-8-sig") if is_there else ""
    except UnicodeDecodeError as error:
        raise OutputError(
            "cannot read the key %(key)r: invalid UTF-8: give another file", key
        ) from error
    except OSError as error:
        raise OutputError("cannot read the key %(key)r: %(reason)s", key, error) from error
    return text if text.endswith("\n") or not text else f"{text}\n"


def _aliases(key: str) -> set[str]:
    return {text_of_cell(row[0]) for row in csv.reader(io.StringIO(key)) if row}


def _content_order(entry: Entry) -> tuple[bytes, bytes]:
    """Return a sort key: the content, and a digest of the name to order equal contents."""
    content = blake2b(entry.fingerprints.tobytes(), digest_size=16)
    for kept in entry.files:
        content.update(kept.file.text.encode("utf-8", "surrogatepass"))
    name = entry.name.encode("utf-8", "surrogatepass")
    return content.digest(), blake2b(name, digest_size=16).digest()


def _renamed(entry: Entry, alias: str) -> Entry:
    files = tuple(
        # The language was detected from its name.
        replace(kept, file=replace(nameless_file(kept.file, number), language=kept.language))
        for number, kept in enumerate(entry.files, 1)
    )
    return replace(entry, name=alias, hand_in=SubmissionMetadata(), files=files)
