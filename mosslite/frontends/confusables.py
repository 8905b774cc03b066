"""Finds characters that disguise a text, as opposed to those that languages need."""

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends.text import Source, escapes_in, without_escapes
from mosslite.lookalikes import (
    BIDIRECTIONAL,
    HIDDEN,
    OVERRIDES,
    UNUSUAL_WORD,
    Letters,
    homoglyphs,
    letters_in,
    wide_letters,
)
from mosslite.records import Disguise
from mosslite.records.submissions import line_starts

_PLAIN_WORD: Final = re.compile(r"\b(?a:\w)++(?!\w)")
_LATIN: Final = re.compile("[A-Za-z]")
_FULL_WIDTH: Final = re.compile("[\ufe33-\uff5a]")
_SCRIPT_SYMBOL: Final = re.compile("[\u2100-\u214f]")  # such as the symbols for sets of numbers
# Hebrew, Arabic and related scripts, including their historic forms.
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_BYTE_ORDER_MARK: Final = "\ufeff"
_SOFT_HYPHEN: Final = "\u00ad"
_JOINERS: Final = "\u200c\u200d"
# Scripts by the first words of character names; letters of all other scripts, and emoji, may need
# joiners and zero-width spaces.
_NEEDS_NOTHING_HIDDEN: Final = frozenset(
    {"ARMENIAN", "COMBINING", "CYRILLIC", "FULLWIDTH", "GEORGIAN", "GREEK"}
    | {"LATIN", "MATHEMATICAL", "VARIATION"}
)
_KINDS: Final = ("zero-width", "bidirectional", "homoglyph", "full-width", "escape")


class _Surroundings(NamedTuple):
    """The context of hidden characters; ``is_code`` is None if unknown."""

    before: str
    after: str
    is_code: bool | None
    has_right_to_left: bool


def disguises_in(source: Source, is_code: NDArray[np.bool_] | None) -> tuple[Disguise, ...]:
    """Return the disguises in a text, without characters that also occur in honest text.

    Args:
        source: The text, and its form for lexers.
        is_code: ``(n,) bool``, the characters of ``source.text`` that are neither comment nor
            string; None for prose, and if the lexer failed.
    """
    if not source.is_odd:
        return ()
    original, code = source.original, None if is_code is None else is_code.tobytes()
    places: dict[str, list[int]] = {kind: [] for kind in _KINDS}
    for kind, place in (*_hidden(source, code), *_letters(source, code), *_escapes(source, code)):
        places[kind].append(place)
    lines, (text, _) = line_starts(original), without_escapes(original)
    return tuple(_disguise(kind, text, at, lines) for kind, at in places.items() if at)


def _disguise(kind: str, text: str, places: list[int], lines: NDArray[np.int64]) -> Disguise:
    characters = "".join(sorted({text[place] for place in places}))
    numbers = np.unique(np.searchsorted(lines, places, side="right"))
    return Disguise(kind, characters, tuple(numbers.tolist()), len(places))


def _hidden(source: Source, code: bytes | None) -> Iterator[tuple[str, int]]:
    """Yield kinds and positions of hidden characters without a legitimate use."""
    original, text = source.original, source.text
    runs = list(HIDDEN.finditer(original))
    lines = line_starts(original)
    of_letters = [found.start() for found in _RIGHT_TO_LEFT.finditer(original)]
    lines_of_letters = set(np.searchsorted(lines, of_letters, side="right").tolist())
    starts = np.array([run.start() for run in runs], np.int64)
    behind = starts if source.origin is None else np.searchsorted(source.origin, starts)
    of_runs = np.searchsorted(lines, starts, side="right")
    for run, line, after in zip(runs, of_runs.tolist(), behind.tolist(), strict=True):
        before = max(after - 1, 0)
        around = _Surroundings(
            before=text[before:after],
            after=text[after : after + 1],
            is_code=None if code is None else any(code[before : after + 1]),
            has_right_to_left=line in lines_of_letters,
        )
        for place in range(*run.span()):
            is_mark = place == 0 and original[0] == _BYTE_ORDER_MARK
            if not (is_mark or _is_needed(original[place], around)):
                is_order = original[place] in BIDIRECTIONAL
                yield "bidirectional" if is_order else "zero-width", place


def _is_needed(character: str, around: _Surroundings) -> bool:
    if character in BIDIRECTIONAL:
        return around.has_right_to_left and not around.is_code and character not in OVERRIDES
    if character == _SOFT_HYPHEN:
        return not around.is_code
    if around.is_code and character not in _JOINERS:
        return False
    if around.is_code is None and not (around.before.isalnum() and around.after.isalnum()):
        return True  # in prose, a hidden character between words splits none
    return _can_need_hidden(around.before) or _can_need_hidden(around.after)


@lru_cache(maxsize=1 << 12)
def _can_need_hidden(character: str) -> bool:
    """Return whether hidden characters are legitimate next to this letter, digit or emoji."""
    if not character or character.isascii():
        return False
    kind = unicodedata.category(character)
    name = unicodedata.name(character, "").partition(" ")[0]
    return (kind[0] in "LMN" or kind in {"So", "Sk"}) and name not in _NEEDS_NOTHING_HIDDEN


def _letters(source: Source, code: bytes | None) -> Iterator[tuple[str, int]]:
    """Yield kinds and positions of letters that look like others, in code or in prose."""
    as_written, origin = _as_written(source)
    words = list(_words(UNUSUAL_WORD, as_written, code))
    letters = letters_in("".join(word for _, word in words))
    plain = {word for _, word in _words(_PLAIN_WORD, as_written, code)} if words else set()
    for start, word in words:
        if letters.foreign.isdisjoint(word):
            at = _wide_in(word, is_prose=code is None)
            yield from (("full-width", origin[start + offset]) for offset in at)
            at = _homoglyphs_in(word, plain, letters)
            yield from (("homoglyph", origin[start + offset]) for offset in at)


def _escapes(source: Source, code: bytes | None) -> Iterator[tuple[str, int]]:
    """Yield positions in code of escapes for characters that need none."""
    if source.origin is None or code is None:
        return
    for start, stop, character in escapes_in(source.original):
        at, of_start = np.searchsorted(source.origin, [stop - 1, start]).tolist()
        is_taken = at == of_start  # its other characters are then cut out
        if is_taken and character.isascii() and (code[at] or character in "\r\n"):
            yield "escape", stop - 1


def _words(pattern: re.Pattern[str], text: str, code: bytes | None) -> Iterator[tuple[int, str]]:
    for found in pattern.finditer(text):
        if code is None or code[found.start()]:
            yield found.start(), found.group()


def _as_written(source: Source) -> tuple[str, Sequence[int]]:
    """Return the original characters of ``source.text``, and the position of each."""
    if source.origin is None:
        return source.original, range(len(source.original))
    characters = np.frombuffer(source.original.encode("utf-32-le", "surrogatepass"), np.uint32)
    kept = characters[source.origin].tobytes()
    return kept.decode("utf-32-le", "surrogatepass"), source.origin.tolist()


def _wide_in(word: str, *, is_prose: bool) -> list[int]:
    """Return positions of full-width and other wide letters in a word, except in honest notation.

    A single mathematical letter is notation, and so is the symbol of a set in a name; in prose,
    so are whole words of wide letters.
    """
    at = _places_of(wide_letters(), word)
    if not at:
        return at
    if _FULL_WIDTH.search(word):
        return [] if is_prose and not _LATIN.search(word) else at
    is_notation = is_prose or sum(map(str.isalpha, word)) < 2
    return [] if is_notation or (len(at) == 1 and _SCRIPT_SYMBOL.search(word)) else at


def _homoglyphs_in(word: str, plain: Container[str], letters: Letters) -> list[int]:
    """Return positions of letters from other scripts that look like ASCII.

    If all letters of the word do, it is a disguise only if its ASCII twin occurs too, and if no
    other word is written in the script.
    """
    at = _places_of(homoglyphs(), word)
    if not at or _LATIN.search(word):
        return at
    is_honest = any(word[offset] in letters.honest for offset in at)
    is_twin = word.translate(homoglyphs()) in plain
    return at if is_twin and not is_honest else []


def _places_of(table: Mapping[int, str], word: str) -> list[int]:
    """Return the positions of a word's characters that are in a table."""
    return [offset for offset, character in enumerate(word) if ord(character) in table]
