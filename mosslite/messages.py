"""English messages that travel as text, recognized by their templates where they are shown.

Warnings, reasons and errors are made, stored and exchanged in English. Their templates are in the
catalogues (``tests/catalogues.py`` finds them in the code): ``%(name)r`` is a quoted value,
``%(name)d`` a whole number, ``%(name)s`` anything, which can be a message itself. So what is read
from results of earlier runs can be said in another language too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

PLACEHOLDER: Final = re.compile(r"%\((\w+)\)([srd])")

# Values as Python writes them: no pattern can match a text in two ways, so none tries for long.
_VALUES: Final = {
    "r": r"('(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\")",
    "d": r"(-?\d++(?:,\d{3})*+)",
}
# What is known of values by their kinds, in characters.
_KNOWN: Final = {"s": 0, "r": 2, "d": 1}
# Values of these names are a stranger's, and no message whatever they say; but lists of names end
# as some messages do that have nothing but these.
_LISTS: Final = {
    "names": frozenset({"shown", "more"}),
    "places": frozenset({"shown", "last"}),
    "options": frozenset({"shown", "last"}),
}
_NAMES: Final = frozenset({"examples", "file", "last", "left", "name", "path", "place"}) | {
    *("right", "shown")
}
# Lists of messages, the first of which is parted from the others.
_LINES: Final = frozenset({"lines", "listed"})
_OF_LINES: Final = frozenset({"first", "lines"})
_NO_NAMES: Final = "(names left out)"
# What is left out of a message where another has said it.
_OMITTED: Final = {"predicate": "is "}

# Nobody makes longer messages, or puts more of them into each other.
_MOST_CHARACTERS: Final = 20_000
_DEEPEST: Final = 12


@dataclass(frozen=True, slots=True)
class Message:
    """A message that was recognized.

    Attributes:
        context: Of the message in the catalogue.
        forms: The English template; of one on a number of things, singular and plural.
        values: By their names: texts, or messages themselves.
    """

    context: str
    forms: tuple[str, ...]
    values: Mapping[str, str | Message]

    @property
    def ends(self) -> tuple[str, str]:
        """The first form and the last."""
        return self.forms[0], self.forms[-1]

    @property
    def count(self) -> int:
        """The number that the form depends on; 1 if there is none."""
        value = self.values.get("count", "1")
        return whole_number(value) if isinstance(value, str) else 1


def whole_number(text: str) -> int:
    """Read a number as English messages write it."""
    return int(text.replace(",", ""))


class _Template(NamedTuple):
    """One form of a message, in pieces.

    Attributes:
        context: Of the message.
        forms: All forms of the message.
        literals: The text before, between and behind the values.
        names: Of the values.
        kinds: Of the values: ``s``, ``r`` or ``d``.
    """

    context: str
    forms: tuple[str, ...]
    literals: tuple[str, ...]
    names: tuple[str, ...]
    kinds: tuple[str, ...]

    @property
    def known(self) -> int:
        """How many characters are the template's own, with the quotes of values and a digit."""
        return sum(map(len, self.literals)) + sum(map(_KNOWN.__getitem__, self.kinds))

    def values_in(self, text: str) -> tuple[str, ...] | None:
        """Return the values that make the template this text; None where no values do."""
        first, last = self.literals[0], self.literals[-1]
        if not (text.startswith(first) and text.endswith(last)):
            return None
        if not all(each in text for each in self.literals[1:-1]):
            return None
        found = _pattern(self.literals, self.kinds).fullmatch(text)
        return found and found.groups()


@lru_cache(maxsize=1024)
def _pattern(literals: Sequence[str], kinds: Sequence[str]) -> re.Pattern[str]:
    """Compile a template so that matching takes time in proportion to the text.

    An open value ends where what follows it is found first, which is not tried again: if a text
    matches at all, it does so.
    """
    steps = list[str]()
    pending = re.escape(literals[0])
    for literal, kind in zip(literals[1:], kinds, strict=True):
        if kind == "s":
            steps.append(pending)
            pending = "(.*?)"
        else:
            pending += _VALUES[kind]
        pending += re.escape(literal)
    ends = [*steps[1:], pending] if steps else [pending]
    head = steps[0] if steps else ""
    *inner, last = ends
    return re.compile(head + "".join(f"(?>{each})" for each in inner) + last, re.DOTALL)


class Templates:
    """The templates of a catalogue."""

    def __init__(self, messages: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        """Take messages, each with its context and all its English forms."""
        self._plain = dict[str, Message]()
        templates = list[_Template]()
        for context, forms in messages:
            for form in forms:
                if PLACEHOLDER.search(form):
                    templates.append(_split(context, forms, form))
                else:
                    self._plain.setdefault(form, Message(context, forms, {}))
        # The one that knows most of a text is right about it.
        templates.sort(key=lambda each: (-each.known, each.literals, each.context != "report"))
        special = (*_LISTS.values(), _OF_LINES)
        self._lists = {each: [one for one in templates if {*one.names} == each] for each in special}
        self._templates = [each for each in templates if {*each.names} not in special]

    def recognized(self, text: str) -> Message | None:
        """Return the message that a text is; None if it is none of these."""
        found = self._recognized(text, _DEEPEST)
        return found or self._filled(self._lists[_LISTS["names"]], text, _DEEPEST)

    def _recognized(self, text: str, depth: int) -> Message | None:
        if text in self._plain:
            return self._plain[text]
        return self._filled(self._templates, text, depth) if depth else None

    def _list(self, name: str, text: str, depth: int) -> Message | None:
        """Return the message that a list of names is."""
        if text == _NO_NAMES:
            return self._recognized(text, depth)
        return self._filled(self._lists[_LISTS[name]], text, depth)

    def _filled(self, templates: Iterable[_Template], text: str, depth: int) -> Message | None:
        if len(text) > _MOST_CHARACTERS:
            return None
        for template in templates:
            values = template.values_in(text)
            if values is not None:
                named = zip(template.names, template.kinds, values, strict=True)
                found = dict(self._named(named, depth))
                return Message(template.context, template.forms, found)
        return None

    def _named(
        self, values: Iterable[tuple[str, str, str]], depth: int
    ) -> Iterator[tuple[str, str | Message]]:
        for name, kind, text in values:
            message = self._value(name, text, depth) if kind == "s" else None
            yield name, text if message is None else message

    def _value(self, name: str, text: str, depth: int) -> Message | None:
        """Return the message that a value is; None for numbers, names and other texts."""
        if name in _LISTS:
            return self._list(name, text, depth)
        if name in _NAMES or not depth:
            return None
        lines = self._lists[_OF_LINES] if name in _LINES else ()
        message = self._filled(lines, text, depth - 1) or self._recognized(text, depth - 1)
        if message is None and name in _OMITTED:
            return self._recognized(_OMITTED[name] + text, depth - 1)
        return message


def _split(context: str, forms: tuple[str, ...], form: str) -> _Template:
    pieces = PLACEHOLDER.split(form)
    literals, names, kinds = pieces[::3], pieces[1::3], pieces[2::3]
    return _Template(context, forms, tuple(literals), tuple(names), tuple(kinds))
