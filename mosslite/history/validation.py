"""What an archive tells of itself in JSON: all of it is there, and of the type that was written.

A digest finds what was changed by accident. Who makes a file on purpose can make the digest too.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import UnionType

__all__ = ["NotAsWrittenError", "all_of", "fields_of", "record_in", "require"]


class NotAsWrittenError(Exception):
    """What is read is nothing that is ever written into an archive."""


def require(is_so: bool, what: str) -> None:
    """Refuse what is not so.

    Raises:
        NotAsWrittenError: Saying what is not so.
    """
    if not is_so:
        raise NotAsWrittenError(what)


def record_in(text: object, kinds: Mapping[str, type | UnionType]) -> dict[str, Any]:
    """Read a record from its text, as ``fields_of`` gives it.

    Raises:
        NotAsWrittenError: It is no such text.
    """
    try:
        return fields_of(json.loads(str(text)), kinds)
    except (ValueError, RecursionError) as error:
        msg = "a record is not in JSON"
        raise NotAsWrittenError(msg) from error


def fields_of(told: object, kinds: Mapping[str, type | UnionType]) -> dict[str, Any]:
    """Return the fields of a record.

    Args:
        told: As JSON gives it.
        kinds: The type of each field.

    Raises:
        NotAsWrittenError: It lacks a field, or has one of another type.
    """
    if not isinstance(told, dict):
        msg = "a record has no fields"
        raise NotAsWrittenError(msg)
    for name, kind in kinds.items():
        require(isinstance(told.get(name), kind) and name in told, f"{name} is of another type")
    return {name: told[name] for name in kinds}


def all_of(kind: type, told: object) -> tuple[Any, ...]:
    """Return a list of which all are of one type.

    Raises:
        NotAsWrittenError: They are not.
    """
    if not isinstance(told, list) or not all(isinstance(each, kind) for each in told):
        msg = f"a list is not of {kind.__name__} alone"
        raise NotAsWrittenError(msg)
    return tuple(told)
