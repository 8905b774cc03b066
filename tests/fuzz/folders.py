"""Batches on disk, made from records: folders, archives, and what is neither."""

import io
import json
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.fuzz.inputs import records
from tests.posix import mkfifo

# Contents that stand for something else than a file.
EMPTY: Final = b"@empty folder"
LINK: Final = b"@link"
PIPE: Final = b"@pipe"

_DEEPEST: Final = 6
_LONGEST: Final = 80


def files_in(content: bytes) -> dict[str, bytes]:
    """Return files by their paths, none of which is a folder of another."""
    files: dict[str, bytes] = {}
    folders: set[str] = set()
    for name, rest in records(content):
        parts = list(_tidied(name))[:_DEEPEST]
        path = "/".join(parts)
        above = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if path and path not in folders and path not in files and not above & files.keys():
            files[path] = rest
            folders |= above
    return files


def _tidied(name: bytes) -> Iterator[str]:
    """Yield the parts of a path that a file system takes and nobody has to show otherwise."""
    for part in name.decode("utf-8", "replace").split("/"):
        shown = "".join(c for c in part if c.isprintable() and c not in "\\:")[:_LONGEST]
        while len(shown.encode()) > _LONGEST:
            shown = shown[:-1]
        if shown not in ("", ".", ".."):
            yield shown


def marked(name: str, content: bytes, mark: str) -> bytes:
    """Put a mark into a file that is found in its text, however it is read."""
    if content in (EMPTY, LINK, PIPE):
        return content
    if name.lower().endswith(".ipynb"):
        source = f"# {mark}\n" + content.decode("utf-8", "replace")
        return json.dumps({"cells": [{"cell_type": "code", "source": source}]}).encode()
    # With zeros it could be taken for UTF-16, in which no mark is found.
    return mark.encode() + b"\n" + content.replace(b"\0", b"")


def packed(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Make archives of the folders that are called so."""
    found: dict[str, bytes] = {}
    inner: dict[str, dict[str, bytes]] = {}
    for path, content in files.items():
        parts = path.split("/")
        at = next((i for i, part in enumerate(parts[:-1], 1) if _packer(part)), None)
        if at is None:
            found[path] = content
        else:
            inner.setdefault("/".join(parts[:at]), {})["/".join(parts[at:])] = content
    for path, members in inner.items():
        pack = zip_of if path.lower().endswith(".zip") else tar_of
        found[path] = pack(packed(members))
    return found


def _packer(name: str) -> bool:
    return name.lower().endswith((".zip", ".tar"))


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """Return a zip file of these, with empty folders and links."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            about = zipfile.ZipInfo(f"{name}/" if content == EMPTY else name)
            about.external_attr = {LINK: 0o120777, PIPE: 0o010644}.get(content, 0) << 16
            archive.writestr(about, b"" if content == EMPTY else content)
    return file.getvalue()


def tar_of(files: Mapping[str, bytes]) -> bytes:
    """Return a tar file of these, with empty folders and links."""
    kinds = {EMPTY: tarfile.DIRTYPE, LINK: tarfile.SYMTYPE, PIPE: tarfile.FIFOTYPE}
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, content in files.items():
            about = tarfile.TarInfo(name)
            about.type = kinds.get(content, tarfile.REGTYPE)
            about.size = len(content) if about.isreg() else 0
            archive.addfile(about, io.BytesIO(content))
    return file.getvalue()


def write(folder: Path, files: Mapping[str, bytes], *, secret: Path) -> None:
    """Write a batch; its links lead to a file outside."""
    folder.mkdir()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content == EMPTY:
            path.mkdir()
        elif content == LINK:
            path.symlink_to(secret)
        elif content == PIPE:
            mkfifo(path)
        else:
            path.write_bytes(content)


def snapshot(folder: Path) -> list[tuple[str, int, int]]:
    """Return what is below a folder, with sizes and times of change."""
    found = [(path, path.lstat()) for path in sorted(folder.rglob("*"))]
    return [(str(path), about.st_size, about.st_mtime_ns) for path, about in found]
