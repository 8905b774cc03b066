"""Numbers in place of names for what goes into an archive, and the key to them."""

from __future__ import annotations

import csv
import io
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mosslite import output_signatures
from mosslite.cli.files import require_folder_of, require_own, require_unseen, stream_of, write_file
from mosslite.disk import alone_with
from mosslite.display import cell
from mosslite.errors import OutputError, reason_of
from mosslite.records import SubmissionMetadata
from mosslite.report.anonymous import nameless_file

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from contextlib import AbstractContextManager

    from mosslite.history import ArchivedFile, Entry

__all__ = ["numbered_by", "require_no_archive", "write_key"]

_HEADING: Final = output_signatures.KEY.decode("ascii")
_ALIAS: Final = "Submission"
_DIGITS: Final = 3


def numbered_by(
    key: str, term: str
) -> Callable[[Sequence[Entry], Collection[str]], Sequence[Entry]]:
    """Return a function that pseudonymizes entries, and adds their names to a key first.

    Numbers go on from those that the key and the term have.

    Args:
        key: Path of the CSV file.
        term: Of the entries.

    Raises:
        OptionError: The key would be shown.
        OutputError: The key cannot be written there.
    """
    require_unseen(key)
    require_folder_of(key)
    require_own(key, "key of --anonymize", output_signatures.KEY)
    _read(key)  # before all the work
    return partial(_numbered, key, term)


def write_key(key: str, text: str) -> None:
    """Write the key to a report, unless the names of an archive have come to be in that file.

    Raises:
        OutputError: They have, or it cannot be written.
    """
    with _alone_with(key):
        require_no_archive(key)
        write_file(key, text)


def require_no_archive(key: str) -> None:
    """Refuse to replace a key that has names of an archive, which nothing could tell again.

    Raises:
        OutputError: It has some, or cannot be read.
    """
    if any("/" in alias for alias in _aliases(_read(key))):
        msg = f"{key!r} contains the key to an archive: give another file"
        raise OutputError(msg)


def _numbered(
    key: str, term: str, entries: Sequence[Entry], names: Collection[str]
) -> Sequence[Entry]:
    named = sorted(entries, key=_order)
    with _alone_with(key):  # another archive may have the same one
        before = _read(key)
        taken = _aliases(before) | {f"{term}/{name}" for name in names}
        first = _first_free(taken, term)
        aliases = [f"{_ALIAS} {first + n:0{_DIGITS}}" for n in range(len(named))]
        # Before the archive is changed: an alias that no submission has does no harm.
        write_file(key, (before or _HEADING) + _rows(term, aliases, named))
    return [_renamed(entry, alias) for alias, entry in zip(aliases, named, strict=True)]


def _alone_with(key: str) -> AbstractContextManager[None]:
    """Keep others from a key; a device or an open file is only added to."""
    is_added_to = stream_of(key) is not None or (Path(key).exists() and not Path(key).is_file())
    return nullcontext() if is_added_to else alone_with(key)


def _rows(term: str, aliases: Sequence[str], entries: Sequence[Entry]) -> str:
    rows = io.StringIO()
    writer = csv.writer(rows, lineterminator="\n")
    for alias, entry in zip(aliases, entries, strict=True):
        writer.writerow((f"{term}/{alias}", cell(entry.name)))
    return rows.getvalue()


def _read(key: str) -> str:
    """Return a key's lines, each with its end, as an editor may have left the last one without."""
    try:
        is_there = stream_of(key) is None and Path(key).is_file()
        text = Path(key).read_text(encoding="utf-8-sig") if is_there else ""
    except UnicodeDecodeError as error:
        msg = f"cannot read the key {key!r}: invalid UTF-8: give another file"
        raise OutputError(msg) from error
    except OSError as error:
        msg = f"cannot read the key {key!r}: {reason_of(error)}"
        raise OutputError(msg) from error
    return text if text.endswith("\n") or not text else f"{text}\n"


def _aliases(key: str) -> set[str]:
    return {row[0] for row in csv.reader(io.StringIO(key)) if row}


def _first_free(taken: Collection[str], term: str) -> int:
    """Return the number after the highest one that this term has."""
    beginning = f"{term}/{_ALIAS} "
    ends = (each.removeprefix(beginning) for each in taken if each.startswith(beginning))
    return max((int(end) for end in ends if end.isdecimal()), default=0) + 1


def _order(entry: Entry) -> tuple[bytes, bytes]:
    """Order entries by their content; only copies are told apart by their names."""
    content = blake2b(entry.fingerprints.tobytes(), digest_size=16)
    for kept in entry.files:
        content.update(kept.reading)
    name = entry.name.encode("utf-8", "surrogatepass")
    return content.digest(), blake2b(name, digest_size=16).digest()


def _renamed(entry: Entry, alias: str) -> Entry:
    files = tuple(_nameless(kept, number) for number, kept in enumerate(entry.files, 1))
    return replace(entry, name=alias, hand_in=SubmissionMetadata(), files=files)


def _nameless(kept: ArchivedFile, number: int) -> ArchivedFile:
    """Take a file's name, and keep the language that it told."""
    name, parts = nameless_file(kept.file, number)
    return replace(kept, file=replace(kept.file, name=name, parts=parts, language=kept.language))
