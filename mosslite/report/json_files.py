"""JSON files that mosslite writes and reads again: read and described by their classes.

A class says what a file holds: what is read can come from anywhere, so every value is checked
against its type, and the JSON Schema is made of the same. A key is always written unless its
default is ``UNSET``; a file may lack those with another default.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, Struct

from mosslite.display import one_line
from mosslite.errors import InputError, OptionError
from mosslite.messages import M_, Message, said

MOST_BYTES: Final = 1 << 30
"""Maximum size of a file; that of 100,000 pairs with all their matches is smaller."""
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_LONGEST: Final = 100
_Kind = TypeVar("_Kind")


class Record(Struct, frozen=True, kw_only=True):
    """An object in a file; keys that it does not know are skipped."""


def read(path: Path, kind: type[_Kind], what: str) -> tuple[_Kind, bytes]:
    """Read a file; return also its bytes.

    Args:
        path: Of the file.
        kind: The class of its content.
        what: What it should be, for messages.

    Raises:
        InputError: It cannot be read, or is not such a file.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(
            "cannot read the %(what)s %(path)r: %(reason)s", what, path, error
        ) from error
    try:
        return decoded(content, kind), content
    except InputError as error:
        raise InputError("%(path)r is not a %(what)s: %(error)s", path, what, error) from error


def decoded(content: bytes, kind: type[_Kind]) -> _Kind:
    """Return the content of a file.

    Raises:
        InputError: It is not of this class; names the first value that is wrong, and where.
    """
    if len(content) > MOST_BYTES:
        raise InputError("it is larger than %(most)d bytes", MOST_BYTES)
    content = content.removeprefix(_BYTE_ORDER_MARK)
    try:
        return _decoded(content, kind)
    except msgspec.ValidationError as error:
        if _is_of_other_version(content):
            raise InputError("it was written by another version of mosslite") from error
        raise InputError(_explained(error, content)) from error
    except (ValueError, RecursionError) as error:
        raise InputError("it is not JSON") from error
    except OptionError as error:
        raise InputError(str(error)) from error


# Kinds of values, as the errors of the decoder call them.
_KINDS: Final = {
    "object": M_("an object"),
    "array": M_("a list"),
    "str": M_("text"),
    "int": M_("a whole number"),
    "float": M_("a number"),
    "bool": M_("true or false"),
}
_EXPECTED: Final = re.compile(
    r"Expected `(?P<kinds>[^`]+)`"
    r"(?: (?P<length>of length )?(?P<bounds>[<>]=? \S+|\d+)| matching regex '(?P<pattern>.+)')?"
)
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]")


def _explained(error: msgspec.ValidationError, content: bytes) -> str:
    """Say which value is wrong, where it is, and what would be right."""
    problem, _, path = str(error).partition(" - at `$")
    path = path.removesuffix("`")
    place = path.removeprefix(".")
    if type(error.__cause__) is ValueError:  # ours
        return _shown(f"{problem} ({place})" if place else problem)
    if problem.startswith("Object missing required field"):
        key = problem.split("`")[1]
        return M_("%(key)r is missing", _shown(f"{place}.{key}" if place else key))
    found = "..."
    with suppress(ValueError, RecursionError, LookupError):  # what this decoder does not read
        try:
            value: Any = json.loads(content)
        except json.JSONDecodeError:  # more follows the wrong value
            return M_("it is not JSON")
        for key, index in _STEP.findall(path):
            value = value[int(index) if index else key]
        found = _shown(json.dumps(value, ensure_ascii=False))
    right = _right(problem)
    if place:
        return M_("%(place)r is %(found)s: it must be %(right)s", _shown(place), found, right)
    return M_("it is %(found)s, but must be %(right)s", found, right)


def _right(problem: str) -> str:
    """Say what would be right instead of a wrong value."""
    expected = _EXPECTED.fullmatch(problem.partition(", got")[0])
    if expected is None:
        return M_("a value that 'mosslite schema' describes")
    right, *others = (said(_KINDS.get(kind, kind)) for kind in expected["kinds"].split(" | "))
    for other in others:
        right = M_("%(first)s or %(other)s", right, other)
    if expected["pattern"]:
        right = M_("%(kind)s that matches %(pattern)s", right, expected["pattern"])
    elif expected["length"]:
        right = M_("%(kind)s of length %(bounds)s", right, expected["bounds"])
    elif expected["bounds"]:
        right = M_("%(kind)s %(bounds)s", right, expected["bounds"])
    return right


def _shown(text: str) -> str:
    """Return a text in one line, shortened if it is long."""
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


class _Versioned(Record, frozen=True):
    format: int = 1


def _is_of_other_version(content: bytes) -> bool:
    """Return whether a file has another format, in which anything may be different."""
    try:
        return msgspec.json.decode(content, type=_Versioned).format != 1
    except (msgspec.DecodeError, RecursionError):
        return False


def _decoded(content: bytes, kind: type[_Kind]) -> _Kind:
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        # Half of a character, which JavaScript writes as an escape, becomes a question mark.
        whole = json.dumps(json.loads(content), ensure_ascii=False).encode("utf-8", "replace")
        return msgspec.json.decode(whole, type=kind)


def written(content: object, indent: int = 1) -> str:
    """Return a file's content as text that UTF-8 can represent."""
    return _formatted(content, indent).decode() + "\n"


def in_pieces(content: Struct, **lists: Iterable[object]) -> Iterator[bytes]:
    """Yield what ``written`` returns, piece by piece, as results can be much longer than a report.

    Args:
        content: The content of a file.
        lists: Fields that are long lists; their items stand here, and are made when they are
            written.
    """
    lead = b"{\n "
    for field in msgspec.structs.fields(content):
        value = getattr(content, field.name)
        if value is UNSET:
            continue
        yield b"%s%s: " % (lead, _formatted(field.encode_name))
        lead = b",\n "
        if field.name not in lists:
            yield _formatted(value, depth=1)
            continue
        start, end = b"[\n  ", b"[]"
        for item in lists[field.name]:
            yield start + _formatted(item, depth=2)
            start, end = b",\n  ", b"\n ]"
        yield end
    yield b"\n}\n"


def _formatted(content: object, indent: int = 1, depth: int = 0) -> bytes:
    """Return JSON whose lines, except the first, are indented by ``depth`` more."""
    try:
        encoded = msgspec.json.encode(content, enc_hook=english_of)
    except UnicodeEncodeError:
        # A lone surrogate, as in a name that is not UTF-8, becomes its escape.
        plain = msgspec.to_builtins(content, enc_hook=english_of)
        text = json.dumps(plain, ensure_ascii=False, indent=indent)
        formatted = text.encode("utf-8", "backslashreplace")
    else:
        formatted = msgspec.json.format(encoded, indent=indent)
    return formatted.replace(b"\n", b"\n" + b" " * depth) if depth else formatted


def english_of(value: object) -> str:
    """Return the English of a message."""
    if isinstance(value, Message):
        return str(value)
    raise NotImplementedError


def schema_of(name: str, kind: type, *others: type) -> dict[str, Any]:
    """Return the JSON Schema of what is written.

    Args:
        name: Of the schema.
        kind: The class of a file's content.
        others: Classes that can stand in it, though it does not name them.
    """
    kinds = [kind, *others]
    (reference, *_), parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for each in parts.values():
        _require_written(each)
        each["description"] = cleandoc(each["description"])
    whole = parts.pop(reference["$ref"].rpartition("/")[2])
    whole["title"] = whole["description"].partition("\n")[0].rstrip(".")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:mosslite:schema:{name}:1",
        **whole,
        **({"$defs": parts} if parts else {}),
    }


def _require_written(schema: dict[str, Any]) -> None:
    """Require the keys with a default, too: it is one of reading."""
    properties = schema.get("properties", {})
    required = {*schema.get("required", ())}
    required |= {key for key, each in properties.items() if "default" in each}
    for each in properties.values():
        each.pop("default", None)
    if required:
        schema["required"] = [key for key in properties if key in required]
