"""Names in the sources are the paper's and the field's, not words of a language of our own."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import mosslite

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(mosslite.__file__).parent

# Words that once were parts of names, and what is said now.
GIVEN_UP = {
    "aside": "inline comment",
    "asides": "inline comments",
    "bycatch": "stray files",
    "census": "document frequencies",
    "driven": "runs faster",
    "facts": "properties",
    "idle": "no-op",
    "imprint": "report metadata",
    "joint": "concatenation",
    "junk": "dead code",
    "keeping": "add options",
    "laid": "positions",
    "masses": "pair weights",
    "mended": "patched",
    "pile": "queue",
    "stretch": "segment",
    "stretches": "segments",
    "told": "on_progress, or the record that is read",
    "tries": "exception handlers",
    "untold": "no_progress",
    "wordings": "lexemes",
    "work": "submission",
    "works": "submissions",
}
# Whose docstrings would begin so does not say what is returned, but what a giver does.
RIDDLES = re.compile(r"(Gives?|Tells?) ")


def words_of(name: str) -> set[str]:
    return set(re.findall(r"[a-z]+", re.sub(r"([A-Z])", r" \1", name).lower()))


def names_in(tree: ast.Module) -> Iterator[str]:
    """Yield what a module defines: classes, functions, parameters, fields and variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def docstrings_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            yield ast.get_docstring(node) or ""


TREES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_bytes())
    for path in sorted(ROOT.rglob("*.py"))
}


def test_no_name_has_a_word_that_was_given_up() -> None:
    found = {
        f"{path}: {name}: say {GIVEN_UP[word]}"
        for path, tree in TREES.items()
        for name in [*names_in(tree), Path(path).stem]
        for word in words_of(name) & GIVEN_UP.keys()
    }

    assert found == set()


def test_docstrings_say_what_is_returned_or_done() -> None:
    found = [
        f"{path}: {text.splitlines()[0]}"
        for path, tree in TREES.items()
        for text in docstrings_in(tree)
        if RIDDLES.match(text)
    ]

    assert found == []


def test_the_glossary_has_each_term_once_and_in_one_line() -> None:
    text = (ROOT.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
    glossary = text.partition("## Glossary")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+?) \| ([^|]+) \|$", glossary, re.MULTILINE)
    terms = [term for row in rows[1:] for term in re.split(r"[,;] ", row[0])]

    assert len(terms) == len(set(terms)) > 20
    assert all(meaning.strip() for _, meaning in rows)


def test_a_name_is_taken_apart_into_words() -> None:
    assert words_of("_TokenInterner_of2") == {"token", "interner", "of"}
