"""The suffixes of archives, and the names without them."""

from typing import Final

ZIP_SUFFIXES: Final = (".zip", ".jar", ".war")
_CONTAINERS: Final = (*ZIP_SUFFIXES, ".7z", ".rar", ".tar")
# What a compressed file unpacks to, by its suffix.
_COMPRESSED: Final = {
    **dict.fromkeys((".gz", ".bz", ".bz2", ".xz"), ""),
    **dict.fromkeys((".tgz", ".tbz", ".tbz2", ".txz"), ".tar"),
}


def has_archive_name(name: str) -> bool:
    """Return whether a file is named like an archive, regardless of its content."""
    return without_suffix(name) != name


def unpacked_name(name: str) -> str:
    """Return the name of the file in a compressed one: that of ``a.tgz`` is ``a.tar``."""
    for suffix, inner in _COMPRESSED.items():
        if name.lower().endswith(suffix):
            return name[: -len(suffix)] + inner
    return name


def without_suffix(name: str) -> str:
    """Return the name of an archive without its suffixes; any other name is unchanged."""
    suffixes = (*_CONTAINERS, *_COMPRESSED)
    while suffix := next((each for each in suffixes if name.lower()[1:].endswith(each)), ""):
        name = name[: -len(suffix)]
    return name
