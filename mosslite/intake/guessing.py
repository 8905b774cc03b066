"""Guesses the encoding of text that neither is UTF-8 nor declares what it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charset_normalizer import CharsetMatch

__all__ = ["guessed_encodings"]

_EAST_ASIAN = ("gb18030", "cp932", "cp949", "big5", "euc_jp")
# What text is in that is not UTF-8; of two that fit as well, the first is likelier.
_CANDIDATES = (
    *("cp1252", "cp1251", *_EAST_ASIAN, "cp1250", "cp1254", "cp1253", "cp1255", "cp1256"),
    *("koi8_r", "koi8_u", "cp866", "iso8859_2", "iso8859_5"),
)
# Fewer bytes above ASCII tell nothing: measured on comments in 16 languages, half of the guesses
# from 12 of them are wrong, and from 24 on hardly any but between neighbours as Latin 1 and 2.
_LEAST_BYTES = 24
# Fewer kinds of them are the accents of a Western language, which Latin-1 has.
_LEAST_KINDS = 6
# How much of the text is looked at, in bytes: more makes no guess better.
_MOST_BYTES = 1 << 13
# Where the library finds more disorder than this, it is mostly wrong.
_MOST_CHAOS = 0.1

_ASCII = bytes(range(0x80))
# The rest of a line from its first byte above ASCII on.
_REST_ABOVE_ASCII = re.compile(rb"[\x80-\xff][^\r\n]*+")
# So much of the line before it is of the same words.
_BEFORE = 40
# Bytes that may be half of a character: digits and what follows them.
_HALVES = bytes(range(0x30, 0x100))
# What an encoding makes of another one: single bytes become half-width katakana, and the hiragana
# of EUC-JP are those of the Chinese encodings and in the Korean one single letters.
_HIRAGANA = re.compile("[\u3041-\u309f]")
_NOT_OF = {
    "big5": _HIRAGANA,
    "cp932": re.compile("[\uff61-\uff9f]"),
    "cp949": re.compile("[\u3131-\u318e]"),
    "gb18030": _HIRAGANA,
}
_MOST_OF_IT = 0.3
_ABOVE_ASCII = re.compile(r"[^\0-\x7f]")
# Where Latin-1 has control characters, cp1252 has quotation marks and dashes.
_CP1252_SIGNS = re.compile(rb"[\x80-\x9f]")


def guessed_encodings(content: bytes) -> Iterator[str]:
    """Yield what the text may be in, the likeliest first; nothing where that would be a wild guess.

    Only a sample of the lines that are not ASCII is looked at, so the cost hardly depends on the
    size.
    """
    sample = _sample(content)
    high = sample.translate(None, delete=_ASCII)
    if len(high) >= _LEAST_BYTES and len(set(high)) >= _LEAST_KINDS:
        yield from _detected(sample)
    if _CP1252_SIGNS.search(content):
        yield "cp1252"


def _sample(content: bytes) -> bytes:
    """Return lines that are not ASCII, cut behind a sign that is not a half of a character."""
    lines, size = [], 0
    for found in _REST_ABOVE_ASCII.finditer(content):
        before = content[max(0, found.start() - _BEFORE) : found.start()]
        line = b"".join(before.splitlines()[-1:]) + found.group()[: _MOST_BYTES + 1]
        lines.append(line)
        size += len(line)
        if size > _MOST_BYTES:
            start = b"\n".join(lines)[:_MOST_BYTES]
            return start.rstrip(_HALVES) or start
    return b"\n".join(lines)


def _detected(sample: bytes) -> list[str]:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - few files need a guess

    matches = from_bytes(
        sample,
        cp_isolation=list(_CANDIDATES),
        preemptive_behaviour=False,
        enable_fallback=False,
    )
    return [_name(match) for match in sorted(filter(_is_likely, matches), key=_rank)]


def _is_likely(match: CharsetMatch) -> bool:
    # The library knows no words of East Asian languages, but their encodings prove themselves:
    # few pairs of bytes are characters.
    is_language = match.coherence > 0 or match.encoding in _EAST_ASIAN
    return is_language and match.chaos <= _MOST_CHAOS and not _is_misread(match)


def _is_misread(match: CharsetMatch) -> bool:
    wrong = _NOT_OF.get(match.encoding)
    if wrong is None:
        return False
    text = str(match)
    return len(wrong.findall(text)) > _MOST_OF_IT * len(_ABOVE_ASCII.findall(text))


def _rank(match: CharsetMatch) -> tuple[float, float, int]:
    return match.chaos, -match.coherence, _CANDIDATES.index(_name(match))


def _name(match: CharsetMatch) -> str:
    """Return the likeliest of the encodings that read the text alike."""
    alike = [each for each in match.could_be_from_charset if each in _CANDIDATES]
    return min([match.encoding, *alike], key=_CANDIDATES.index)
