"""What a ``submission_metadata.yml`` of Gradescope tells, which is somebody's file."""

from __future__ import annotations

from typing import Final

import yaml

__all__ = [
    "metadata_in",
]


# Of what is told of a submission, all that is read; earlier attempts and test results can take
# a hundred times as much.
_WANTED: Final = (":submitters:", ":created_at:")
# With this much of that there would be ten thousand students.
_MOST_TEXT: Final = 2 << 20
_DEEPEST: Final = 20
# Constructs nothing but strings, lists and dictionaries, whatever tags there are.
_LOADER: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def metadata_in(text: str) -> dict[object, object]:
    """Return what the metadata tells by submission; nothing where they are not readable."""
    text = _essence(text)
    if len(text) > _MOST_TEXT:
        return {}
    try:
        if _depth(text) > _DEEPEST:
            return {}
        metadata = yaml.load(text, Loader=_LOADER)  # noqa: S506 - this loader constructs no objects
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return {}
    return metadata if isinstance(metadata, dict) else {}


def _essence(text: str) -> str:
    """Leave out what is told of submissions and not wanted, by its indentation.

    The file is written by a program, with two blanks before each thing that is told; where it
    is not, this leaves it as it is.
    """
    kept, is_wanted = [], True
    for line in text.replace("\r\n", "\n").split("\n"):
        if line[:1] not in ("", " "):
            is_wanted = True
        elif line.startswith("  :"):
            is_wanted = line[2:].startswith(_WANTED)
        if is_wanted:
            kept.append(line)
    return "\n".join(kept)


def _depth(text: str) -> int:
    """Return how deep collections lie in each other, or the first depth that is too deep."""
    depth = deepest = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        deepest = max(deepest, depth)
        if deepest > _DEEPEST:
            break
    return deepest
