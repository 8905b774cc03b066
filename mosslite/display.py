"""Formats counts, times and hostile text for display."""

import csv
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from io import StringIO
from typing import Final, NamedTuple

from mosslite.messages import M_, N_, NN_, Message, said

# Number of files or submissions named in a remark, which counts the others.
_MOST_NAMED = 5
# Characters of them: a remark takes two lines of a terminal at most, and the report names all.
_ROOM_FOR_NAMES, _LEAST_ROOM = 60, 24
# What two lines hold behind "warning: ", with how many more names there are.
_TWO_LINES = 2 * 80 - len("warning: ") - len(" and 1,000 more")
# Up to this many paths with the same reason get a line each; of more, this many are examples.
_MOST_ALONE = 3


# What the stages of a run are called.
STAGES: Final = {
    "starting": N_("starting"),
    "reading": N_("reading"),
    "tokenizing": N_("tokenizing"),
    "comparing": N_("comparing"),
    "matching": N_("matching"),
    "reading histories": N_("reading histories"),
    "writing": N_("writing"),
    "packing": N_("packing"),
    "adding": N_("adding"),
}


def counted(count: int, what: str) -> Message:
    """Return a number with its noun, as in ``1 pair`` or ``1,200 pairs``."""
    one, many = _COUNTED[what]
    return Message(one, {"count": count}, many)


_COUNTED: Final = {
    "anonymous result": NN_("%(count)d anonymous result", "%(count)d anonymous results"),
    "assignment": NN_("%(count)d assignment", "%(count)d assignments"),
    "file": NN_("%(count)d file", "%(count)d files"),
    "fingerprint": NN_("%(count)d fingerprint", "%(count)d fingerprints"),
    "known pair": NN_("%(count)d known pair", "%(count)d known pairs"),
    "line": NN_("%(count)d line", "%(count)d lines"),
    "more character": NN_("%(count)d more character", "%(count)d more characters"),
    "more pair": NN_("%(count)d more pair", "%(count)d more pairs"),
    "new pair": NN_("%(count)d new pair", "%(count)d new pairs"),
    "other path": NN_("%(count)d other path", "%(count)d other paths"),
    "pair": NN_("%(count)d pair", "%(count)d pairs"),
    "row": NN_("%(count)d row", "%(count)d rows"),
    "section": NN_("%(count)d section", "%(count)d sections"),
    "student": NN_("%(count)d student", "%(count)d students"),
    "submission": NN_("%(count)d submission", "%(count)d submissions"),
    "time": NN_("%(count)d time", "%(count)d times"),
}


def grouped_reasons(
    left_out: Iterable[tuple[str, str]], shown: Callable[[str], str] = str
) -> Iterator[Message]:
    """Yield lines with paths and the reasons why they are left out, grouped.

    As in ``24 README.md: not source code``, or ``9 other files: not source code, such as a.csv``
    if many names have the same reason.

    Args:
        left_out: Path and reason, a phrase with a verb such as ``is not source code``.
        shown: Formats a path or name for display.
    """
    by_reason: dict[str, list[str]] = {}
    for path, reason in left_out:
        by_reason.setdefault(reason, []).append(path)
    for reason, paths in by_reason.items():
        counts = Counter(map(_last_name, paths))
        words = (reason.without if isinstance(reason, Message) else reason.removeprefix)("is ")
        repeated = sorted(name for name, count in counts.items() if count > 1)
        for name in repeated:
            yield M_("%(count)d %(name)s: %(reason)s", counts[name], shown(name), words)
        single = [path for path in paths if counts[_last_name(path)] == 1]
        if len(single) <= _MOST_ALONE:
            yield from (path_with_reason(shown(path), reason) for path in single)
        else:
            examples = first_names([*map(shown, single[:_MOST_ALONE])])
            yield said(_OTHER_PATHS if repeated else _PATHS, len(single), words, examples)


_PATHS: Final = N_("%(count)d paths: %(reason)s, such as %(examples)s")
_OTHER_PATHS: Final = N_("%(count)d other paths: %(reason)s, such as %(examples)s")


def path_with_reason(path: str, reason: str) -> Message:
    """Write why a path is left out, as in ``a.csv is not source code``."""
    return M_("%(path)s %(reason)s", path, reason)


def _last_name(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def with_names(template: str, *others: object, names: Sequence[str]) -> Iterator[Message]:
    """Yield a message with the names it is about, its last value; nothing if there are none."""
    if names:
        room = _TWO_LINES - len(said(template, *others, ""))
        yield said(template, *others, names_in_short(names, room))


def names_in_short(names: Sequence[str], room: int = _ROOM_FOR_NAMES) -> Sequence[str]:
    """Return the first names, shortened if need be, and how many more there are.

    They take about ``room`` characters: at most half a line, and at least one short name.
    """
    shown = first_names(names, max(_LEAST_ROOM, min(room, _ROOM_FOR_NAMES)))
    more = len(names) - len(shown)
    return shown if more <= 0 else M_("%(shown)s and %(more)d more", shown, more)


def first_names(names: Sequence[str], room: int = _ROOM_FOR_NAMES) -> list[str]:
    """Return the names that fit in this many characters; at least the first, shortened."""
    shown = [_shortened(names[0], room)]
    for name in names[1:_MOST_NAMED]:
        if len(", ".join([*shown, name])) > room:
            break
        shown.append(name)
    return shown


def _shortened(name: str, most: int) -> str:
    """Leave out the middle of a long name."""
    if len(name) <= most:
        return name
    if isinstance(name, Message):
        return name.with_texts(lambda text: _shortened(text, most))
    half = (most - 1) // 2
    return f"{name[:half]}\u2026{name[-half:]}"


def names_joined(names: Sequence[str]) -> str:
    """Write names as ``a, b and c``."""
    *others, last = names
    return M_("%(shown)s and %(last)s", others, last) if others else last


# Control characters except tab and line ends, lone surrogates (impossible in files), separators,
# blanks that count as letters, and Unicode's default ignorable and format characters: zero
# width, bidirectional, fillers, variation selectors, tags.
_HIDDEN: Final = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f"
    r"\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
HIDDEN_RUN: Final = re.compile(rf"([{_HIDDEN}])\1*")

# In names also all blanks except single ones between words, and combining accents after three
# others, which would be painted over the text above.
_BLANKS: Final = r"\t\n\r\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_ACCENTS: Final = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_HIDDEN_IN_NAME: Final = (
    rf"[{_HIDDEN}{_BLANKS}]|^ | (?=[ ]|$)|(?<= ) |(?<=[{_ACCENTS}]{{3}})[{_ACCENTS}]"
)
_NAME_PARTS: Final = re.compile(rf"({_HIDDEN_IN_NAME})\1*|(?:(?!{_HIDDEN_IN_NAME}).)+", re.DOTALL)
_PLAIN_NAME: Final = re.compile(r"[!-~]+(?: [!-~]+)*")

# Spreadsheets treat cells with such a start as formulas, some also after blanks, and in some
# languages full-width signs too. In some languages a semicolon separates cells.
_FORMULA: Final = re.compile(r"(^|;)(?=[\s\"]*[=+\-@\uff1d\uff0b\uff0d\uff20])")
_AS_TEXT: Final = re.compile(_FORMULA.pattern.replace("(?=", "'(?=", 1))
_ESCAPED: Final = re.compile(
    r"\\(x[0-9a-f]{2}|u(?!d[89a-f])[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4})"
)
_LINE_CONTROL: Final = re.compile(r"[\t\n\r]")


class _Part(NamedTuple):
    """A segment of a name: displayed as is, or one character, repeated, to be escaped."""

    text: str
    is_hidden: bool


def spelled_out(text: str) -> str:
    """Replace every hidden character by its code point, as in ``[U+202E]``."""
    if text.isascii() and text.isprintable():  # the usual case, and much faster
        return text
    return HIDDEN_RUN.sub(lambda found: f"[{code_point(found.group())}]", text)


def name_parts(name: str) -> Iterator[_Part]:
    """Split a name at hidden characters, including blanks except one between two words."""
    for part in _NAME_PARTS.finditer(name):
        yield _Part(part.group(), is_hidden=part.group(1) is not None)


def one_line(text: str) -> str:
    """Escape every character that is hidden in a name."""
    if _PLAIN_NAME.fullmatch(text):  # the usual case, and much faster
        return text
    parts = name_parts(text)
    return "".join(f"[{code_point(each.text)}]" if each.is_hidden else each.text for each in parts)


def code_point(repeated: str) -> str:
    """Return a character, possibly repeated, as ``U+202E`` or ``U+0000 x 512``."""
    label = f"U+{ord(repeated[0]):04X}"
    return label if len(repeated) == 1 else f"{label} x {len(repeated)}"


def character_name(repeated: str) -> str:
    """Return the Unicode name of the character; control characters have none."""
    return unicodedata.name(repeated[0], "control character").lower()


def cell(text: str) -> str:
    r"""Escape text for a CSV cell.

    If a spreadsheet would treat it as a formula, an apostrophe is prepended; control and other
    hidden characters are escaped as in ``\x1b`` and ``\u202e``, so that every row is one line and
    all content is visible.
    """
    shown = HIDDEN_RUN.sub(_escaped, _LINE_CONTROL.sub(_escaped, text))
    return _FORMULA.sub(r"\1'", shown)


def text_of_cell(shown: str) -> str:
    """Return the text that ``cell`` escaped so."""
    text = _AS_TEXT.sub(r"\1", shown)
    return _ESCAPED.sub(lambda found: chr(int(found.group(1)[1:], 16)), text)


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV; texts in them are escaped by ``cell``."""
    lines = StringIO()
    csv.writer(lines, lineterminator="\n").writerows(
        [cell(each) if isinstance(each, str) else each for each in row] for row in rows
    )
    return lines.getvalue()


def _escaped(found: re.Match[str]) -> str:
    return "".join(map(_escape, found.group()))


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


# --- times, in ISO 8601 ---------------------------------------------------------------------------

_ZONE: Final = re.compile(r"([+-])([01]\d|2[0-3])([0-5]\d)")


def iso_of(seconds: int, zone: str) -> str:
    """Return Unix time in a time zone such as ``+0200``, as ISO 8601.

    Returns:
        In UTC if the zone is invalid, and empty if the date is out of range.
    """
    found = _ZONE.fullmatch(zone)
    offset = timedelta()
    if found:
        sign, hours, minutes = found.groups()
        offset = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
    try:
        return datetime.fromtimestamp(seconds, UTC).astimezone(timezone(offset)).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def seconds_between(first: str, second: str) -> int | None:
    """Return the number of seconds from the first to the second time.

    Returns:
        None if one of them is not in ISO 8601, or only one has a time zone.
    """
    try:
        start, stop = datetime.fromisoformat(first), datetime.fromisoformat(second)
        return round((stop - start).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None


# Escapes of characters with which text could end a script or start a tag.
_ESCAPES: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def script_json(value: object) -> str:
    """Return JSON that is safe inside a script element: ASCII without characters of tags."""
    text = json.dumps(value, separators=(",", ":"))
    for sign, escaped in _ESCAPES.items():
        text = text.replace(sign, escaped)
    return text
