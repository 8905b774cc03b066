"""How counts, times and hostile text are shown: counted, cut, and spelled out."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.texts import ENGLISH, M_, N_

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mosslite.texts import Texts

__all__ = [
    "HIDDEN_RUN",
    "STAGES",
    "cell",
    "character_name",
    "code_point",
    "counted",
    "grouped_reasons",
    "iso_of",
    "name_parts",
    "names_in_short",
    "names_joined",
    "one_line",
    "path_with_reason",
    "script_json",
    "seconds_between",
    "spelled_out",
    "with_names",
]


# A remark names this many of the files or submissions it is about, and counts the others.
_MOST_NAMED = 5
# Of paths with one reason, so many have a line each; of more, as many are named as examples.
_MOST_ALONE = 3


# What the stages of a run are called.
STAGES: Final = {
    "reading": N_("reading"),
    "tokenizing": N_("tokenizing"),
    "comparing": N_("comparing"),
    "matching": N_("matching"),
    "reading histories": N_("reading histories"),
    "writing": N_("writing"),
    "packing": N_("packing"),
    "adding": N_("adding"),
}


def counted(count: int, what: str) -> str:
    """Write a number with its noun, as in ``1 pair`` or ``1,200 pairs``."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def grouped_reasons(
    left_out: Iterable[tuple[str, str]],
    shown: Callable[[str], str] = str,
    *,
    texts: Texts = ENGLISH,
) -> Iterator[str]:
    """Write paths with the reasons why they are left out, equal names and reasons in one line.

    As in ``24 README.md: not source code``, and ``9 other files: not source code, such as a.csv``
    where a reason is that of many names.

    Args:
        left_out: Path and reason, a phrase with a verb such as ``is not source code``.
        shown: Writes a path or a name.
        texts: The language.
    """
    by_reason: dict[str, list[str]] = {}
    for path, reason in left_out:
        by_reason.setdefault(reason, []).append(path)
    for reason, paths in by_reason.items():
        counts = Counter(map(_last_name, paths))
        said = texts.translated(reason)
        words = said.removeprefix("is ")
        repeated = sorted(name for name, count in counts.items() if count > 1)
        for name in repeated:
            count = texts.number(counts[name])
            yield texts.gettext(
                "%(count)s %(name)s: %(reason)s", count=count, name=shown(name), reason=words
            )
        single = [path for path in paths if counts[_last_name(path)] == 1]
        if len(single) <= _MOST_ALONE:
            yield from (path_with_reason(shown(path), said, texts) for path in single)
        else:
            examples = ", ".join(map(shown, single[:_MOST_ALONE]))
            message = _OTHER_PATHS if repeated else _PATHS
            count = texts.number(len(single))
            yield texts.gettext(message, count=count, reason=words, examples=examples)


_PATHS: Final = N_("%(count)s paths: %(reason)s, such as %(examples)s")
_OTHER_PATHS: Final = N_("%(count)s other paths: %(reason)s, such as %(examples)s")


def path_with_reason(path: str, reason: str, texts: Texts) -> str:
    """Write why a path is left out, as in ``a.csv is not source code``."""
    return texts.gettext("%(path)s %(reason)s", path=path, reason=reason)


def _last_name(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def with_names(remark: str, names: Sequence[str], *, texts: Texts = ENGLISH) -> Iterator[str]:
    """Return the remark with the names it is about; empty if there are none."""
    if names:
        shown = names_in_short(names, texts)
        yield texts.gettext("%(what)s: %(text)s", what=remark, text=shown)


def names_in_short(names: Sequence[str], texts: Texts = ENGLISH) -> str:
    """Write the first names, and how many more there are."""
    shown, more = ", ".join(names[:_MOST_NAMED]), len(names) - _MOST_NAMED
    if more <= 0:
        return shown
    return texts.translated(M_(f"{shown} and {more:,} more"))


def names_joined(names: Sequence[str]) -> str:
    """Write names as ``a, b and c``."""
    *others, last = names
    shown = ", ".join(others)
    return M_(f"{shown} and {last}") if others else last


# Controls but for tab and line ends, lone surrogates (no file can hold them), separators, blanks
# that count as letters, and what Unicode calls default ignorable or format characters: zero
# width, bidirectional, fillers, variation selectors, tags.
_HIDDEN: Final = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f"
    r"\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
HIDDEN_RUN: Final = re.compile(rf"([{_HIDDEN}])\1*")

# In names also blanks but for single ones between words, and accents that are stacked on three
# others: they would be painted over what stands above.
_BLANKS: Final = r"\t\n\r\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_ACCENTS: Final = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_HIDDEN_IN_NAME: Final = (
    rf"[{_HIDDEN}{_BLANKS}]|^ | (?=[ ]|$)|(?<= ) |(?<=[{_ACCENTS}]{{3}})[{_ACCENTS}]"
)
_NAME_PARTS: Final = re.compile(rf"({_HIDDEN_IN_NAME})\1*|(?:(?!{_HIDDEN_IN_NAME}).)+", re.DOTALL)
_PLAIN_NAME: Final = re.compile(r"[!-~]+(?: [!-~]+)*")

# A spreadsheet takes a cell that begins so for a formula, some of them even behind blanks, and in
# some languages the signs of full width as well. In others a semicolon parts the cells.
_FORMULA: Final = re.compile(r"(^|;)(?=[\s\"]*[=+\-@\uff1d\uff0b\uff0d\uff20])")
_LINE_CONTROL: Final = re.compile(r"[\t\n\r]")


class _Part(NamedTuple):
    """A stretch of a name: shown as it is, or one character, repeated, to spell out."""

    text: str
    is_hidden: bool


def spelled_out(text: str) -> str:
    """Replace every hidden character by its code point, as in ``[U+202E]``."""
    if text.isascii() and text.isprintable():  # nearly always, and much faster
        return text
    return HIDDEN_RUN.sub(lambda found: f"[{code_point(found.group())}]", text)


def name_parts(name: str) -> Iterator[_Part]:
    """Split a name at its hidden characters, blanks among them but for one between two words."""
    for part in _NAME_PARTS.finditer(name):
        yield _Part(part.group(), is_hidden=part.group(1) is not None)


def one_line(text: str) -> str:
    """Spell out every character that is hidden in a name."""
    if _PLAIN_NAME.fullmatch(text):  # nearly always, and much faster
        return text
    parts = name_parts(text)
    return "".join(f"[{code_point(each.text)}]" if each.is_hidden else each.text for each in parts)


def code_point(repeated: str) -> str:
    """Write one character, or one character many times, as ``U+202E`` or ``U+0000 x 512``."""
    label = f"U+{ord(repeated[0]):04X}"
    return label if len(repeated) == 1 else f"{label} x {len(repeated)}"


def character_name(repeated: str) -> str:
    """Return the Unicode name of the character in words; controls have none."""
    return unicodedata.name(repeated[0], "control character").lower()


def cell(text: str) -> str:
    r"""Make text safe in a line of CSV.

    What a spreadsheet would take for a formula gets an apostrophe in front; control characters
    and others that are hidden are spelled out as in ``\x1b`` and ``\u202e``, so that a line stays
    a line, and nothing in it is out of sight.
    """
    shown = HIDDEN_RUN.sub(_escaped, _LINE_CONTROL.sub(_escaped, text))
    return _FORMULA.sub(r"\1'", shown)


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
    """Write seconds since 1970 in a time zone such as ``+0200``.

    Returns:
        In UTC where the zone is nonsense, and nothing where no calendar has the moment.
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
    """Return how many seconds the second of two times is after the first.

    Returns:
        None where one of them is not in ISO 8601, or only one of them has a time zone.
    """
    try:
        start, stop = datetime.fromisoformat(first), datetime.fromisoformat(second)
        return round((stop - start).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None


# So that no text can end a script or begin a tag, wherever it stands.
_ESCAPES: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def script_json(value: object) -> str:
    """Write JSON that is safe inside a script: ASCII alone, and no sign of a tag."""
    text = json.dumps(value, separators=(",", ":"))
    for sign, escaped in _ESCAPES.items():
        text = text.replace(sign, escaped)
    return text
