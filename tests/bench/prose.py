"""Disguises of prose: synonyms, sentences in another order, and real texts to try them on."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sysconfig
import textwrap
from itertools import islice
from pathlib import Path
from pydoc_data.topics import topics
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

__all__ = [
    "PROSE",
    "embed_text",
    "halve_text",
    "quote_in_other_words",
    "real_texts",
    "reorder_sentences",
    "replace_words",
    "rewrap",
    "swap_clauses",
]

PROSE: Final = "text"
"""The canonical name of what is no program."""

# Words that mean much the same, in either direction.
_SYNONYMS: Final = (
    "also too|although though|always ever|another other|any each|begin start|big large|"
    "build construct|can may|change alter|choose select|correct right|create make|"
    "default standard|delete remove|describe explain|different distinct|each every|easy simple|"
    "end finish|entire whole|error mistake|example instance|exactly precisely|existing present|"
    "fast quick|find locate|first initial|following next|get obtain|give provide|"
    "help aid|hence thus|important essential|include contain|instead rather|keep retain|"
    "kind sort|last final|list series|long lengthy|main chief|many several|method way|"
    "must shall|name term|necessary needed|need require|new fresh|normally usually|"
    "note observe|often frequently|only just|part piece|permit allow|place put|possible "
    "feasible|previous earlier|produce yield|purpose aim|receive accept|replace substitute|"
    "result outcome|return deliver|same identical|send transmit|set assign|show display|"
    "since because|small little|special particular|specify state|string text|"
    "such similar|that which|therefore consequently|under below|use employ|"
    "used employed|using employing|value amount|various diverse|very highly|well properly|"
    "will would|within inside|without lacking|work operate|write compose|wrong false"
)
_WORD = re.compile(r"[A-Za-z]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z(\"'])")
_CLAUSES = re.compile(r"(?<=[.!?])(\s+)([A-Z][^.,;:!?]*),\s([^.,;:!?]*)(?=[.!?]\s)")
_FIFTH = 5
_PARAGRAPH_END = re.compile(r"\n\s*\n")

# Real texts: of so many characters, and no two that have more than this share of phrases in common.
_SMALLEST, _LARGEST, _MOST_SHARED, _PHRASE = 2_500, 20_000, 0.1, 5
_LICENCE = re.compile(r"(licen[cs]e|copying|notice)[^/]*$", re.IGNORECASE)


def _synonyms() -> dict[str, str]:
    pairs = [each.split() for each in _SYNONYMS.split("|")]
    backward = {right: left for left, right in pairs}
    return backward | dict(pairs)


def replace_words(text: str, _language: str, _rng: Random) -> str:
    """Write a synonym for every word that has one in the table."""
    table = _synonyms()

    def synonym(found: re.Match[str]) -> str:
        word = found[0]
        other = table.get(word.lower(), word)
        return other.capitalize() if word[0].isupper() and other != word else other

    return _WORD.sub(synonym, text)


def reorder_sentences(text: str, _language: str, rng: Random) -> str:
    """Shuffle the sentences of each paragraph, and then the paragraphs."""
    paragraphs = []
    for paragraph in _PARAGRAPH_END.split(text):
        sentences = _SENTENCE_END.split(paragraph)
        rng.shuffle(sentences)
        paragraphs.append(" ".join(sentences))
    rng.shuffle(paragraphs)
    return "\n\n".join(paragraphs) + "\n"


def halve_text(text: str, donor: str, _language: str, rng: Random) -> str:
    """Put paragraphs of the donor in the place of half of the paragraphs."""
    paragraphs, others = (_PARAGRAPH_END.split(each) for each in (text, donor))
    for place in rng.sample(range(len(paragraphs)), len(paragraphs) // 2):
        paragraphs[place] = rng.choice(others)
    return "\n\n".join(paragraphs) + "\n"


def quote_in_other_words(text: str, donor: str, language: str, rng: Random) -> str:
    """Put a fifth of a text into the donor, with synonyms and in another order."""
    paragraphs = _PARAGRAPH_END.split(text)
    length = max(len(paragraphs) // _FIFTH, 1)
    first = rng.randrange(len(paragraphs) - length + 1)
    part = "\n\n".join(paragraphs[first : first + length])
    changed = reorder_sentences(replace_words(part, language, rng), language, rng)
    return embed_text(changed, donor, language, rng)


def swap_clauses(text: str, _language: str, _rng: Random) -> str:
    """Put what is before the first comma of a sentence behind what follows it."""
    return _CLAUSES.sub(_swapped, text)


def _swapped(found: re.Match[str]) -> str:
    space, first, second = found.groups()
    return f"{space}{second[:1].upper()}{second[1:]}, {first[:1].lower()}{first[1:]}"


def embed_text(text: str, donor: str, _language: str, rng: Random) -> str:
    """Put a text between two paragraphs of the donor."""
    paragraphs = _PARAGRAPH_END.split(donor)
    place = rng.randrange(len(paragraphs) + 1)
    return "\n\n".join([*paragraphs[:place], text.strip(), *paragraphs[place:]]) + "\n"


def rewrap(text: str, _language: str, _rng: Random) -> str:
    """Break lines at another width."""
    return "\n\n".join(textwrap.fill(each, 64) for each in _PARAGRAPH_END.split(text)) + "\n"


def real_texts(most: int) -> list[str]:
    """Return texts about different things: manuals of Python, and licences of what is installed."""
    phrases: dict[str, frozenset[tuple[str, ...]]] = {}
    for text in (*topics.values(), *_licences(), *_docstrings()):
        own = _phrases(text)
        is_long = _SMALLEST <= len(text) <= _LARGEST and own
        if is_long and all(_shared(own, other) <= _MOST_SHARED for other in phrases.values()):
            phrases[text] = own
    return list(islice(phrases, most))


def _licences() -> Iterator[str]:
    for distribution in sorted(importlib.metadata.distributions(), key=lambda each: each.name):
        for path in sorted(distribution.files or ()):
            if _LICENCE.search(str(path)) and path.suffix not in {".py", ".pyc"}:
                yield path.read_text(encoding="utf-8")


def _docstrings() -> Iterator[str]:
    """Return the docstrings of modules of the standard library, many of which are manuals."""
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        yield ast.get_docstring(ast.parse(path.read_bytes())) or ""


def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    found = [each.lower() for each in _WORD.findall(text)]
    return frozenset(zip(*(found[at:] for at in range(_PHRASE)), strict=False))


def _shared(left: frozenset[tuple[str, ...]], right: frozenset[tuple[str, ...]]) -> float:
    return len(left & right) / min(len(left), len(right))
