"""What may be shown to a person: a template and its values, translated once, at the edge.

A message is a template, which the catalogues have, and its values. Programs compare its
``id``, results keep ``as_json``, and nothing ever reads a sentence. In templates, ``%(name)r`` is a
quoted value, ``%(name)d`` a whole number, ``%(name)s`` anything, which can be a message itself.

``M_`` and ``NM_`` make messages, ``N_`` and ``NN_`` mark templates of messages made
elsewhere. They are keywords by which Babel finds the templates (``tests/catalogues.py``).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from operator import index
from types import MappingProxyType
from typing import Any, Final, Self, TypeAlias

# A message in a message, a text of a user, which is never translated, a number, or several.
Value: TypeAlias = "str | int | float | tuple[Value, ...]"

PLACEHOLDER: Final = re.compile(r"%\((\w+)\)([srd])")


class Message(str):
    """A sentence or a part of one; as a string, it is its English.

    Attributes:
        id: The English template; the singular, if there is a plural.
        params: The values of the template.
        plural: The template for other numbers of ``count`` than 1; empty if there is none.
    """

    __slots__ = ("id", "params", "plural")
    id: str
    params: Mapping[str, Value]
    plural: str

    def __new__(cls, msgid: str, params: Mapping[str, object], plural: str = "") -> Self:
        """Write a message in English."""
        values = MappingProxyType({name: _value(value) for name, value in params.items()})
        form = plural if plural and values["count"] != 1 else msgid
        self = super().__new__(cls, filled(form, values, str, "{:,}".format))
        self.id, self.params, self.plural = msgid, values, plural
        return self

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), (self.id, dict(self.params), self.plural)

    def without(self, beginning: str) -> "Message":
        """Return the message, in English without its beginning."""
        other = str.__new__(Message, self.removeprefix(beginning))
        other.id, other.params, other.plural = self.id, self.params, self.plural
        return other

    def with_texts(self, change: Callable[[str], str]) -> "Message":
        """Return the message with other texts of users, as names are replaced."""
        changed = {name: _with_texts(value, change) for name, value in self.params.items()}
        return Message(self.id, changed, self.plural)


def filled(
    form: str,
    values: Mapping[str, Value],
    said: Callable[[str], str],
    number: Callable[[int], str],
) -> str:
    """Insert values into a template; other percent signs are literal."""
    if not values:
        return form

    def shown(value: Value) -> str:
        if isinstance(value, tuple):
            return ", ".join(map(shown, value))
        return said(value) if isinstance(value, str) else str(value)

    def one(found: re.Match[str]) -> str:
        name, kind = found.groups()
        value = values[name]
        if kind == "d":
            return number(index(value))  # type: ignore[arg-type] # which raises TypeError
        is_number = isinstance(value, int | float)
        return repr(shown(value)) if kind == "r" and not is_number else shown(value)

    return PLACEHOLDER.sub(one, form)


def _value(value: object) -> Value:
    if isinstance(value, str | float):
        return value
    if isinstance(value, (list, tuple)):
        return tuple(map(_value, value))
    if isinstance(value, BaseException):
        return reason_of(value) if isinstance(value, OSError) else said_by(value)
    return index(value) if hasattr(value, "__index__") else str(value)


def _with_texts(value: Value, change: Callable[[str], str]) -> Value:
    if isinstance(value, tuple):
        return tuple(_with_texts(each, change) for each in value)
    if isinstance(value, Message):
        return value.with_texts(change)
    return change(value) if isinstance(value, str) else value


def texts_in_message(value: Value) -> list[str]:
    """Return the texts of users in a message, such as paths, without its words and numbers."""
    if isinstance(value, Message):
        value = tuple(value.params.values())
    if isinstance(value, tuple):
        return [text for each in value for text in texts_in_message(each)]
    return [value] if isinstance(value, str) else []


def said_by(error: BaseException) -> str:
    """Return the message of an error."""
    message = error.args[0] if error.args else ""
    return message if isinstance(message, Message) else str(error)


def chained(lines: Sequence[str]) -> str:
    """Return messages as one, with semicolons between them."""
    first, *others = lines
    return M_("%(first)s; %(lines)s", first, chained(others)) if others else first


def id_of(said: str) -> str:
    """Return which message something is; empty for a text that is none."""
    return said.id if isinstance(said, Message) else ""


def as_json(said: str) -> dict[str, object] | None:
    """Return a message as results keep it, beside its English; None for a text that is none."""
    if not isinstance(said, Message):
        return None
    params = {name: _json_of(value) for name, value in said.params.items()}
    return {"id": said.id, **({"plural": said.plural} if said.plural else {}), "params": params}


def _json_of(value: Value) -> object:
    if isinstance(value, tuple):
        return [_json_of(each) for each in value]
    return as_json(value) or value if isinstance(value, str) else value


# What reading something else as a message can raise.
_NO_MESSAGE: Final = (AttributeError, KeyError, TypeError, ValueError, RecursionError)


def from_json(content: object, english: str) -> str:
    """Return the message that results keep; its English where that is not what it says."""
    try:
        message = _of_json(content)
    except _NO_MESSAGE:
        return english
    return message if isinstance(message, Message) and message == english else english


def to_text(said: str) -> str:
    """Return a message as one text, to be kept in a table."""
    return json.dumps(as_json(said)) if isinstance(said, Message) else said


def of_text(text: str) -> str:
    """Return the message that ``to_text`` wrote; what is none stays a text."""
    if not text.startswith('{"id": '):
        return text
    try:
        message = _of_json(json.loads(text))
    except _NO_MESSAGE:
        return text
    return message if isinstance(message, Message) else text


def _of_json(content: Any) -> Value:  # noqa: ANN401 - JSON
    if isinstance(content, list):
        return tuple(map(_of_json, content))
    if isinstance(content, str | int | float):
        return content
    params = {name: _of_json(value) for name, value in content["params"].items()}
    return Message(content["id"], params, content.get("plural", ""))


def said(template: str, /, *values: object) -> Message:
    """Return a message whose template is marked elsewhere; one that is made already stays."""
    return template if isinstance(template, Message) else M_(template, *values)


def M_(msgid: str, /, *values: object) -> Message:  # noqa: N802 - as gettext's own tools call it
    """Return a message, with its values in their order."""
    return Message(msgid, _named(msgid, values))


def NM_(one: str, many: str, count: int, /, *others: object) -> Message:  # noqa: N802 - likewise
    """Return a message with a plural, of which ``count`` is the first value."""
    return Message(one, _named(many, (count, *others)), many)


def N_(msgid: str) -> str:  # noqa: N802 - likewise
    """Mark a template that is used elsewhere."""
    return msgid


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - likewise
    """Mark a template and its plural."""
    return one, many


def _named(template: str, values: Sequence[object]) -> dict[str, object]:
    names = dict.fromkeys(name for name, _ in PLACEHOLDER.findall(template))
    return dict(zip(names, values, strict=True)) if values else {}


# What operating systems say of what they refuse, as ``reason_of`` writes it.
_REASONS: Final = (
    *(N_("permission denied"), N_("no such file or directory"), N_("is a directory")),
    *(N_("not a directory"), N_("no space left on device"), N_("read-only file system")),
    *(N_("input/output error"), N_("too many open files"), N_("file name too long")),
    *(N_("address already in use"), N_("cannot allocate memory"), N_("unknown error")),
    *(N_("too many levels of symbolic links"), N_("file exists"), N_("bad file descriptor")),
    *(N_("disk quota exceeded"), N_("invalid argument"), N_("broken pipe")),
)


def reason_of(error: BaseException) -> str:
    """Return the operating system's reason in lower case, such as ``permission denied``."""
    reason: str = getattr(error, "strerror", None) or "unknown error"
    return Message(reason.lower(), {})
