"""Packed corpora: submissions as Parquet files, read as if they were in a folder."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from importlib import import_module
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from mosslite.disk import temporary_folder
from mosslite.errors import InputError, OutputError
from mosslite.intake.entries import Content, Entry, NotReadError, OnDisk, Planned, content_of
from mosslite.messages import of_text, said_by, to_text
from mosslite.options import Limits
from mosslite.reasons import Reason
from mosslite.records import Role, SubmissionMetadata

MANIFEST: Final = "corpus.json"
_KIND: Final = "mosslite corpus"

# Approximate size of a part in bytes: what one write covers, and what is repeated after a kill.
_OF_A_PART: Final = 64 << 20

_COLUMNS: Final = {
    "submission": "string",
    "path": "string",
    "term": "string",
    "content": "large_binary",
    "digest": "binary",
    "about": "string",  # the submission with this file as its only entry, in JSON
}


class Corpus(
    Struct,
    frozen=True,
    tag_field="kind",
    tag=_KIND,
    rename={"version": "mosslite", "size": "bytes"},
):
    """Contents of a packed corpus, as listed in its manifest.

    Attributes:
        inputs: What was packed, and how each input was read.
        parts: Names of the Parquet files, in order.
        size: Total size of all files in bytes, unpacked.
    """

    version: str
    term: str
    inputs: tuple[tuple[str, str], ...]
    parts: tuple[str, ...]
    submissions: int
    files: int
    size: int
    format: Literal[2] = 2


@dataclass(eq=False, slots=True)
class _Contents:
    """File contents of one part; keeps the part that was read last."""

    corpus: str
    part: str = ""
    contents: list[bytes] = field(default_factory=list)

    def of(self, part: str) -> list[bytes]:
        if part != self.part:
            table = _table(self.corpus, part, ["content"])
            self.part, self.contents = part, table["content"].to_pylist()
        return self.contents


@dataclass(frozen=True, slots=True, eq=False)
class InCorpus:
    """A file in a packed corpus, read on demand: the row of a part, which is a Parquet file."""

    part: str
    row: int
    digest: bytes
    contents: _Contents

    def read(self) -> bytes:
        """Return its content; raise a NotReadError if it is not what was packed."""
        content = self.contents.of(self.part)[self.row]
        if sha256(content).digest() != self.digest:
            raise NotReadError(Reason.DAMAGED_IN_CORPUS)
        return content


@dataclass(frozen=True, slots=True)
class Packing:
    """Settings of a packing run; the name of the term may be empty."""

    version: str
    term: str
    limits: Limits


# --- reading -------------------------------------------------------------------------------------


def is_corpus(path: str) -> bool:
    """Return whether a folder that the user named is a packed corpus, and nothing else.

    A manifest among other files can be a student's, and is an ordinary file.
    """
    try:
        names = [each.name for each in Path(path).iterdir() if not each.name.startswith(".")]
        if not all(name == MANIFEST or _is_part(name) for name in names):
            return False
        with (Path(path) / MANIFEST).open("rb") as file:
            return _KIND.encode() in file.read(100)
    except OSError:
        return False


def corpus_at(path: str) -> Corpus:
    """Read the manifest of a corpus.

    Raises:
        InputError: It cannot be read, or its checksum is wrong.
    """
    try:
        return msgspec.json.decode((Path(path) / MANIFEST).read_bytes(), type=Corpus)
    except OSError as error:
        raise InputError("corpus %(path)r cannot be read: %(reason)s", path, error) from error
    except msgspec.DecodeError as error:
        raise InputError(
            "corpus %(path)r is damaged: its %(manifest)s is not as it was written", path, MANIFEST
        ) from error


def planned_in(path: str, role: Role) -> list[Planned]:
    """Return the submissions of a corpus; contents are read on demand.

    Raises:
        InputError: It cannot be read, or PyArrow is missing.
    """
    contents = _Contents(path)
    try:
        return [
            _planned(list(rows), role, contents)
            for part in corpus_at(path).parts
            for _, rows in groupby(_rows(path, part), key=itemgetter("submission"))
        ]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise InputError(
            "corpus %(path)r is damaged: its rows are not as they were written", path
        ) from error


def digest_of(path: str) -> str:
    """Return a digest of everything in a corpus, without reading any content."""
    digest = sha256()
    for part in corpus_at(path).parts:
        for row in _rows(path, part):
            digest.update(repr(sorted(row.items())).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def entries_in(path: str) -> list[Entry]:
    """Return all files of a corpus, named by submission and path."""
    return [
        entry if entry.name == each.name else replace(entry, name=f"{each.name}/{entry.name}")
        for each in planned_in(path, Role.CURRENT)
        for entry in each.entries
    ]


def _rows(path: str, part: str) -> Iterator[dict[str, Any]]:
    """Yield the metadata of the files in a part, without their contents."""
    table = _table(path, part, [name for name in _COLUMNS if name != "content"])
    for row, known in enumerate(table.to_pylist()):
        yield known | {"part": part, "row": row}


def _table(path: str, part: str, columns: list[str]) -> Any:  # noqa: ANN401 - PyArrow's own
    parquet = _parquet(path)
    try:
        if Path(part).name != part:
            raise ValueError(part)
        return parquet.read_table(Path(path) / part, columns=columns)
    except (OSError, ValueError, LookupError) as error:  # Arrow's own errors derive from these
        raise InputError(
            "corpus %(path)r is damaged: %(part)r cannot be read", path, part
        ) from error


def _planned(rows: Sequence[dict[str, Any]], role: Role, contents: _Contents) -> Planned:
    """Return the submission of which these are the files."""
    term: str = rows[0]["term"]
    parts = [
        planned_of(
            json.loads(row["about"]), [InCorpus(row["part"], row["row"], row["digest"], contents)]
        )
        for row in rows
    ]
    first, hand_in = parts[0], parts[0].hand_in
    return replace(
        first,
        role=Role.BASE if first.role is Role.BASE else role,
        entries=tuple(entry for part in parts for entry in part.entries),
        hand_in=replace(hand_in, label=hand_in.label or term),
    )


def _parquet(path: str) -> ModuleType:
    try:
        return import_module("pyarrow.parquet")
    except ImportError as error:
        raise InputError(
            "corpus %(path)r needs pyarrow: in a checkout, pip install '.[spark]'", path
        ) from error


# --- packing -------------------------------------------------------------------------------------


def pack(
    target: str,
    inputs: Sequence[tuple[str, str, Callable[[], Sequence[Planned]]]],
    packing: Packing,
    on_input: Callable[[int], None],
) -> Corpus:
    """Pack submissions; parts that an earlier run packed of the same input are reused.

    An input is its name, how it is read, and a function that finds its submissions. ``on_input`` is
    called with the number of inputs packed so far.

    Raises:
        MossliteError: An input cannot be read, the folder contains something else, or it cannot be
            written.
    """
    folder = Path(target)
    _parquet(target)
    try:
        _require_room(folder)
        submissions, parts = 0, list[tuple[str, int, int]]()
        for nth, (_, _, plan) in enumerate(inputs):
            plans = plan()
            submissions += len(plans)
            parts += _parts_of(folder, nth, plans, packing)
            on_input(nth + 1)
        names, files, sizes = zip(*parts, strict=True) if parts else ((), (), ())
        how = tuple((name, how) for name, how, _ in inputs)
        corpus = Corpus(
            packing.version, packing.term, how, names, submissions, sum(files), sum(sizes)
        )
        manifest = msgspec.json.format(msgspec.json.encode(corpus), indent=1)
        _write(folder / MANIFEST, manifest + b"\n")
    except OSError as error:
        raise OutputError(
            "corpus %(target)r cannot be written: %(reason)s", target, error
        ) from error
    return corpus


def _require_room(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    names = [each.name for each in folder.iterdir() if not each.name.startswith(".")]
    if MANIFEST in names:
        raise OutputError(
            "%(folder)r already contains a corpus: give another folder with -o", folder
        )
    others = sorted(name for name in names if not _is_part(name))
    if others:
        raise OutputError(
            "%(folder)r contains other files, such as %(others)r: give another folder with -o",
            folder,
            others[0],
        )


def _is_part(name: str) -> bool:
    return name.startswith("part-") and name.endswith(".parquet")


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    with temporary_folder(path.parent) as folder:
        (folder / path.name).write_bytes(content)
        (folder / path.name).replace(path)


def _parts_of(
    folder: Path, nth: int, plans: Sequence[Planned], packing: Packing
) -> Iterator[tuple[str, int, int]]:
    """Yield name, files and bytes of the parts of an input, each once it is written."""
    plans = sorted(plans, key=lambda each: each.name)
    digest, at = digest_of_plans(plans, asdict(packing)), 0
    while at < len(plans):
        path = folder / f"part-{nth:05}-{at:08}.parquet"
        done = _packed_before(path, digest) or _packed_from(path, digest, plans, at, packing)
        at, files, size = done
        yield path.name, files, size


def _packed_before(path: Path, digest: str) -> tuple[int, int, int] | None:
    """Return stop, files and bytes of a part from an earlier run of the same input, or None."""
    if not path.exists():
        return None
    try:
        metadata = import_module("pyarrow.parquet").read_schema(path).metadata or {}
        record = json.loads(metadata.get(b"mosslite", b"{}"))
    except (OSError, ValueError):
        return None
    if record.get("input") != digest:
        return None
    return record["stop"], record["files"], record["bytes"]


def _packed_from(
    path: Path, digest: str, plans: Sequence[Planned], at: int, packing: Packing
) -> tuple[int, int, int]:
    """Pack submissions from ``at`` on until a part is full; return stop, files and bytes."""
    rows, size = list[dict[str, object]](), 0
    while at < len(plans) and size < _OF_A_PART:
        for row in _rows_of(plans[at], packing):
            rows.append(row)
            size += len(row["content"])
        at += 1
    record = {"input": digest, "stop": at, "files": len(rows), "bytes": size}
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    schema = arrow.schema([(name, getattr(arrow, kind)()) for name, kind in _COLUMNS.items()])
    schema = schema.with_metadata({b"mosslite": json.dumps(record).encode()})
    sink = arrow.BufferOutputStream()
    parquet.write_table(arrow.Table.from_pylist(rows, schema), sink, compression="zstd")
    _write(path, sink.getvalue().to_pybytes())
    return at, len(rows), size


def _rows_of(planned: Planned, packing: Packing) -> Iterator[dict[str, Any]]:
    """Yield a row for each file; of one that cannot be read, the reason is packed in its place."""
    for entry in planned.entries:
        content, packed = b"", entry
        try:
            content = content_of(entry, packing.limits.of(entry.name))
        except NotReadError as error:
            packed = replace(entry, obstacle=said_by(error))
        yield {
            "submission": planned.name,
            "path": entry.name,
            "term": packing.term,
            "content": content,
            "digest": sha256(content).digest(),
            "about": json.dumps(plain_of(replace(planned, entries=(packed,)))),
        }


def digest_of_plans(plans: Iterable[Planned], *how: object) -> str:
    """Return a digest of the names, sizes and times of files; no file on disk is read.

    It depends on ``how``, too: values that are serializable as JSON.
    """
    digest = sha256(json.dumps(how).encode())
    for planned in plans:
        states = [_state_of(entry) for entry in planned.entries]
        digest.update(json.dumps([plain_of(planned), states]).encode())
    return digest.hexdigest()


def _state_of(entry: Entry) -> object:
    """Return what is known of an entry's content without reading a file on disk."""
    if isinstance(entry.content, bytes):
        return sha256(entry.content).hexdigest()
    if not isinstance(entry.content, OnDisk):
        return entry.content.digest.hex()
    if entry.obstacle:
        return None
    try:
        status = Path(entry.content.path).stat(follow_symlinks=entry.content.is_followed)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


# --- as values of JSON ---------------------------------------------------------------------------


def plain_of(planned: Planned) -> Any:  # noqa: ANN401 - JSON
    """Return a submission as values of JSON, without the contents of its entries."""
    bare = tuple(replace(each, content=b"", archive=None) for each in planned.entries)
    return msgspec.to_builtins(replace(planned, entries=bare), enc_hook=to_text)


def planned_of(plain: Any, contents: Iterable[Content]) -> Planned:  # noqa: ANN401 - JSON
    """Return the submission that ``plain_of`` described, with the contents of its entries."""
    entries = tuple(
        Entry(**known | {"content": content, "obstacle": of_text(known["obstacle"])})
        for known, content in zip(plain["entries"], contents, strict=True)
    )
    hand_in = msgspec.convert(plain["hand_in"], SubmissionMetadata)
    return Planned(**plain | {"role": Role(plain["role"]), "hand_in": hand_in, "entries": entries})
