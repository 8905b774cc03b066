"""Synthetic plagiarism: what copiers do to a program, by name.

A disguise that finds nothing to change gives the text as it is. The programs that come out need
not compile in every language; their tokens are what a copier's would be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from mosslite.lab.functions import reorder_functions
from mosslite.lab.masking import Lexeme, foreign_names, lexemes_of, masked, replaced
from mosslite.lab.python_functions import merge_functions, split_functions
from mosslite.languages import Language

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DISGUISES", "Disguise", "rename"]

Disguise = Callable[[str, Language, np.random.Generator], str]

_SYLLABLES: Final = (
    *("ba", "du", "fe", "go", "ki", "lo", "mu"),
    *("na", "po", "ri", "su", "ta", "ve", "zo"),
)
# Names that the world outside of the program knows.
_KNOWN: Final = frozenset({"main", "self", "this", "cls", "super", "args", "argv", "argc"})

# A statement of one line, which may be followed by another.
_SIMPLE: Final = {
    "python": re.compile(
        r"^([ \t]+)(?!(?:return|raise|break|continue|pass|yield)\b)"
        r"[A-Za-z_][\w.]*(?:\(| *[-+*/]?= ).*$"
    ),
    "": re.compile(
        r"^([ \t]+)(?!(?:return|throw|break|continue|goto|case|default)\b)[A-Za-z_].*;\s*$"
    ),
}
_ASSIGNMENT: Final = {
    "python": re.compile(r"^([ \t]*)([A-Za-z_]\w*) = [^(){}\[]*$"),
    "": re.compile(r"^([ \t]*)(?:[A-Za-z_][\w<>\[\]]* +)?([A-Za-z_]\w*) *= *[^(){}=]*;\s*$"),
}
_BLOCK_ENDS: Final = re.compile(r"^\s*(else|elif|except|finally|catch|while)\b|^\s*[)\]},.]")
_CONTINUES: Final = re.compile(r"[,(\[\\+\-*/|&=?:]\s*$|\belse\s*$|\)\s*$")
_EVERY: Final = 4


def verbatim(text: str, language: Language, random: np.random.Generator) -> str:
    """Copy and change nothing."""
    return text


def rename(text: str, language: Language, random: np.random.Generator) -> str:
    """Return the program's own names other ones, each the same everywhere."""
    names = dict.fromkeys(each.text for each in lexemes_of(text, language) if each.kind == "name")
    known = _KNOWN | foreign_names(masked(text, language))
    own = [name for name in names if name not in known]
    fresh = {name: _word(random, number) for number, name in enumerate(own)}
    return replaced(
        text, language, lambda each: fresh.get(each.text) if each.kind == "name" else None
    )


def change_literals(text: str, language: Language, random: np.random.Generator) -> str:
    """Count on from whole numbers, and write other letters in strings."""
    step = int(random.integers(1, 9))
    return replaced(text, language, lambda each: _other_literal(each, step))


def insert_dead_code(text: str, language: Language, random: np.random.Generator) -> str:
    """Put a statement that does nothing behind some of the statements."""
    lines, code = text.split("\n"), masked(text, language).split("\n")
    margins = dict(_margins(code, language))
    kept = []
    for number, line in enumerate(lines):
        kept.append(line)
        if number in margins and random.integers(_EVERY) == 0:
            kept.append(margins[number] + _nothing(language, _word(random, number)))
    return "\n".join(kept)


def reorder_statements(text: str, language: Language, random: np.random.Generator) -> str:
    """Let neighbouring assignments change places that have no name in common."""
    lines, code = text.split("\n"), masked(text, language).split("\n")
    pattern = _ASSIGNMENT.get(language.name, _ASSIGNMENT[""])
    number = 0
    while number + 1 < len(lines):
        left, right = pattern.match(code[number]), pattern.match(code[number + 1])
        is_free = left and right and left.group(1) == right.group(1)
        if is_free and _names(code[number]).isdisjoint(_names(code[number + 1])):
            lines[number : number + 2] = lines[number + 1], lines[number]
            number += 1
        number += 1
    return "\n".join(lines)


def everything(text: str, language: Language, random: np.random.Generator) -> str:
    """Do all of it, one after the other."""
    for disguise in _ALONE.values():
        text = disguise(text, language, random)
    return text


def _word(random: np.random.Generator, number: int) -> str:
    syllables = random.choice(_SYLLABLES, 3).tolist()
    return f"{''.join(syllables)}{number}"


def _other_literal(each: Lexeme, step: int) -> str | None:
    if each.kind == "number" and each.text.isdecimal() and not each.text.startswith("0"):
        return str(int(each.text) + step)
    if each.kind == "string" and not re.search(r"[\\%{}$]", each.text):
        return re.sub(r"(?<=\w)[a-z](?=\w)", lambda found: _later(found.group(), step), each.text)
    return None


def _later(letter: str, step: int) -> str:
    return chr((ord(letter) - ord("a") + step) % 26 + ord("a"))


def _margins(code: Sequence[str], language: Language) -> Iterator[tuple[int, str]]:
    """Return the lines behind which a statement may stand, and how far it is indented.

    Such a line is a whole statement, is not in brackets, is not what a condition without braces
    governs, and nothing that continues a block follows it.
    """
    is_python = language.name == "python"
    pattern = _SIMPLE.get(language.name, _SIMPLE[""])
    depth, before = 0, ""
    for number, line in enumerate(code):
        depth += sum(map(line.count, "([")) - sum(map(line.count, ")]"))
        if not line.strip():
            continue
        behind = next((each for each in code[number + 1 :] if each.strip()), "")
        goes_on = _CONTINUES.search(line) and is_python and not line.rstrip().endswith(")")
        is_governed = _CONTINUES.search(before) and not (is_python and before.endswith((":", ")")))
        is_last = _BLOCK_ENDS.match(behind) and not behind.lstrip().startswith("}")
        match = pattern.match(line)
        if match and not (depth or goes_on or is_governed or is_last):
            yield number, match.group(1)
        before = line.rstrip()


def _nothing(language: Language, name: str) -> str:
    if language.name in {"python", "ruby", "julia"}:
        return f"{name} = 1"
    if language.name in {"javascript", "typescript"}:
        return f"var {name} = 1;"
    if language.name == "php":
        return f"${name} = 1;"
    return f"int {name} = 1;"


def _names(line: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", line))


_ALONE: Final[Mapping[str, Disguise]] = {
    "rename": rename,
    "change literals": change_literals,
    "reorder statements": reorder_statements,
    "reorder functions": reorder_functions,
    "insert dead code": insert_dead_code,
    "split functions": split_functions,
    "merge functions": merge_functions,
}

DISGUISES: Final[Mapping[str, Disguise]] = {
    "verbatim": verbatim,
    **_ALONE,
    "all of these": everything,
}
