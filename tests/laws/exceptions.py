"""Why a law may not hold for a file: reasons that say of which files, not which files."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from pygments.token import Comment, Literal, Name

from tests.laws.arrangement import in_front
from tests.laws.edits import is_misread, is_of, tokens_of
from tests.laws.files import RealFile
from tests.laws.unrelated import has_small_base

_CONTAINMENT: Final = frozenset({"behind another", "in front of another"})
_BASE_CODE: Final = frozenset({"unrelated base code", "a copy behind it"})
_ARRANGEMENT: Final = frozenset({"cut into three", "functions reordered"})
_EDITS: Final = frozenset({"comments in", "comments out", "comments amid lines", "names"})

# Fewer than a passage has, with what a front-end leaves out.
_FEW: Final = 40
# A passage of so many tokens that is in a file so often.
_PASSAGE, _OFTEN = 8, 8

_IMPORT: Final = re.compile(
    r"^\s*(?:[#%@.]|\b(?:from|import|include|package|require|use|using)\b).*$", re.MULTILINE
)
_WORD: Final = re.compile(r"\w+|[^\w\s]")


class Exceptional(NamedTuple):
    """A reason.

    Attributes:
        text: What it is.
        laws: The laws that it is a reason for; empty for all.
        least: How far the law holds all the same.
        applies: To a file of a language, and the one that the law sets beside it.
    """

    text: str
    laws: frozenset[str]
    least: float
    applies: Callable[[RealFile, RealFile, str], bool]


def _has_few(file: RealFile, _: RealFile, language: str) -> bool:
    code = "".join(
        value for _, kind, value in tokens_of(file.text, language) if not is_of(kind, Comment)
    )
    return len(_WORD.findall(_IMPORT.sub("", code))) < _FEW


def _reads_otherwise(file: RealFile, other: RealFile, language: str) -> bool:
    """Return whether Pygments does not read a file behind another as it reads it alone."""
    joined = in_front(other.text, file.text, language)
    own = [(kind, value) for _, kind, value in tokens_of(file.text, language) if value.strip()]
    both = [(kind, value) for _, kind, value in tokens_of(joined, language) if value.strip()]
    return both[len(both) - len(own) + 1 :] != own[1:]


def _shares_names(file: RealFile, other: RealFile, language: str) -> bool:
    """Return whether a name that a file has twice, as in ``t = f(); return t``, is in the other."""
    own, others = (Counter(_names(each, language)) for each in (file, other))
    return any(count == 2 and name in others for name, count in own.items())


def _names(file: RealFile, language: str) -> Iterator[str]:
    return (value for _, kind, value in tokens_of(file.text, language) if is_of(kind, Name))


def _is_misread(file: RealFile, _: RealFile, language: str) -> bool:
    return is_misread(file.text, language)


def _has_semicolon_character(file: RealFile, _: RealFile, language: str) -> bool:
    return language == "scheme" and "#\\;" in file.text


def _is_cut_short(*_: object) -> bool:
    return True


def _repeats(file: RealFile, _: RealFile, language: str) -> bool:
    """Return whether one passage is in a file again and again, whatever its names and numbers."""
    shapes = [
        str(kind) if is_of(kind, Name, Literal) else value
        for _, kind, value in tokens_of(file.text, language)
        if value.strip() and not is_of(kind, Comment)
    ]
    passages = zip(*(shapes[at:] for at in range(_PASSAGE)), strict=False)
    return Counter(passages).most_common(1)[0][1] >= _OFTEN


EXCEPTIONS: Final = (
    Exceptional("the file has fewer tokens than a passage", frozenset(), 0.0, _has_few),
    Exceptional(
        "Pygments' lexer is still inside of a string or the like where the other file ends",
        frozenset({"behind another"}), 0.0, _reads_otherwise,
    ),
    Exceptional(
        "a name that is read once, and so as its value, is also a name of the other file",
        _CONTAINMENT, 0.97, _shares_names,
    ),
    Exceptional(
        "Scheme's character #\\; begins a comment to Pygments, by which the edit goes",
        _EDITS, 0.9, _has_semicolon_character,
    ),
    Exceptional(
        "Pygments' own lexer, by which the edit goes, loses its way in the file",
        _EDITS, 0.7, _is_misread,
    ),
    Exceptional(
        "around each cut up to k - 1 tokens are in no passage; the pieces are short",
        _ARRANGEMENT, 0.85, _is_cut_short,
    ),
    Exceptional(
        "of base code of up to 256 tokens, half in pieces of 6 and more is taken for all of it",
        _BASE_CODE, 0.6, has_small_base,
    ),
    Exceptional(
        "one passage is there again and again, so others are its equals where it was cut",
        _ARRANGEMENT, 0.0, _repeats,
    ),
)  # fmt: skip
"""In this order: the first that applies is the reason."""


def reason_of(law: str, held: float, files: tuple[RealFile, RealFile], language: str) -> str:
    """Return why a law holds no further than so for a file, beside its neighbour; else nothing."""
    for each in EXCEPTIONS:
        is_about = law in each.laws or not each.laws
        if is_about and held >= each.least and each.applies(*files, language):
            return each.text
    return ""
