"""Names in the sources are the paper's and the field's, not words of a language of our own."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import cache
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


# Forms that help and messages no longer have, and what they say now. They are looked for in all
# texts of the sources but docstrings of what is no command.
FORMS_GIVEN_UP = {
    r"(?<!there )\bis no (?!longer|difference)": "is not a",
    r"\bare no (list|links?)\b": "are not",
    r"\btools' leavings": "generated files",
    r"what else is in it stays": "other files in it are kept",
    r"\btold by\b": "detected",
    r"\bfinds out\b": "detects",
    r"whose it is\b": "the student's name",
    r"\bthese nevertheless\b": "include these again",
    r"\bhow deep archives\b": "maximum nesting of archives",
    r"\bin order: ": "OK",
    r"\breads it anew\b|\bmade anew\b": "rebuilt",
    r"\bmeanwhile\b": "while being read",
    r"\bhang together\b": "are linked",
    r"\blies beside\b|\blies in a folder beside\b": "is next to",
    r"\bholds (something else|no|more than|nothing)\b": "contains",
    r"\bcode already\b": "already part of",
    r"(?<!there )\b(is|are) (?-i:none)\b": "is not valid",
    r"as nothing else (does|knows)": "as a fallback",
    r"(archive|result|baseline) of mosslite\b(?! archive)": "mosslite archive, mosslite result",
    r"\bno such (option|command)\b": "unknown option",
    r"\bmore than 1 \w+s\b": "more than 1 submission",
    r"\bneeds? a look\b": "to review",
    r"\b(has|is of) another (digest|type|length)\b": "has the wrong checksum, type or length",
    r"(?<!there )\b(is|are) something else\b": "is invalid",
    r"\bwhich takes in\b": "which includes",
    r"\bis named as\b": "looks like",
    r"\b(is|be) to be had\b": "is available",
    r"\bneither above nor below\b": "is not counted",
    r"\bread(s)? off\b": "estimates from",
    r"\btakes? (all|it) for known\b": "records as known",
}
# Forms that pages for readers of the project no longer have either.
PAGE_FORMS_GIVEN_UP = {
    r"\b(tells?|told)\b(?! to\b)": "states, shows, detects",
    r"\bhanded in\b|\bhand-in\b": "submitted",
    r"\bbehind (imports?|comments?|line|the line|its end|a comparison)\b": "after",
    r"\blooked at\b": "reviewed, checked",
    r"\ba look\b": "a review",
    r"\banew\b": "again",
    r"\bmend(s|ed)?\b": "fix, patch",
    r"\bto and fro\b": "exchanged",
    r"\bwithout a word\b": "silently",
    r"\bfor ever\b": "forever",
    r"\bis taken for\b|\bare taken for\b": "is treated as",
    r"\bwhat of it\b|\bof what (is|was) there\b": "the part that",
    r"\bof before\b": "older",
    r"\bnothing but\b": "only",
    r"\bgoes? by\b": "depends on",
    r"\blies? (in|among|beside|behind|where)\b": "is in",
    r"\bas it stands\b": "unchanged",
    r"\bof one work\b|\bfew works\b": "submission",
    r"\bis believed\b|\bnot believed\b": "is trusted",
}
# Forms that docstrings and comments no longer have either.
RIDDLES_GIVEN_UP = {
    r"\blaid end to end\b": "concatenated",
    r"\bmeans? nothing\b": "is invalid",
    r"\bas far as (names|one can) tell\b": "judging by",
    r"\banew\b": "again, rebuilt",
    r"\btold apart\b": "distinguished",
    r"\btells? (apart|by|from|what|whether|which|whose|where|when|it|them|of)\b": "determines",
    r"\bfinds? out\b": "detects, determines",
    r"\bl(ies?|ain|ying)\b": "is in",
    r"\bas it stands\b|\bwhat stands\b": "unchanged, the text",
    r"\bby (itself|themselves)\b": "alone, separately",
    r"\bbelieve[sd]?\b": "is trusted, is used",
    r"\bwhoever\b": "the user, the process",
    r"\bwhose (it is|each|work)\b": "the student of, the owner of",
    r"\bat the (most|least)\b": "at most, at least, a maximum of",
    r"\bfor ever\b": "no limit, forever",
    r"\ball the same\b": "nevertheless",
    r"\bby turns\b": "alternately",
    r"\bunasked\b": "by default",
    r"\bfrom there on\b": "relative to it",
    r"\bnearly always\b": "the usual case",
    r"\bwith care\b": "validated, fully",
    r"\bhold back\b": "defer",
    r"\b(and|of) (its|their) kin\b": "and the like, dialects",
    r"\btakes? (its|their) time\b": "is slow",
    r"\bpass(es|ed)? (over|for)\b": "skips, looks like",
    r"\btroubles?\b": "errors",
    r"\bneeds? a look\b": "to be reviewed",
    r"\bso few\b|\bhow deep\b": "at most, the depth",
}


def comments_in(source: str) -> Iterator[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return (token.string for token in tokens if token.type == tokenize.COMMENT)


@cache
def comments() -> dict[str, tuple[str, ...]]:
    return {
        path.relative_to(ROOT).as_posix(): tuple(comments_in(path.read_text(encoding="utf-8")))
        for path in sorted(ROOT.rglob("*.py"))
    }


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


@cache
def trees() -> dict[str, ast.Module]:
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_bytes())
        for path in sorted(ROOT.rglob("*.py"))
    }


def texts_in(tree: ast.Module) -> Iterator[str]:
    """Yield strings of a module but its docstrings, with {} for what is put in."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and not _is_command(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values
            )


def _is_command(node: ast.AST) -> bool:
    """Return whether click shows the docstring of a function as help."""
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return any(
        "command" in ast.unparse(each) or "group" in ast.unparse(each) for each in decorators
    )


def test_no_text_that_users_see_has_a_form_that_was_given_up() -> None:
    found = {
        f"{path}: {text[:60]!r}: say {better!r}"
        for path, tree in trees().items()
        for text in texts_in(tree)
        for form, better in FORMS_GIVEN_UP.items()
        if re.search(form, text, re.IGNORECASE)
    }

    assert found == set()


PAGES = {
    path.relative_to(ROOT.parent).as_posix(): " ".join(path.read_text(encoding="utf-8").split())
    for path in sorted([*ROOT.parent.glob("*.md"), *(ROOT.parent / "docs").glob("*.md")])
}


def test_no_page_has_a_form_that_was_given_up() -> None:
    found = {
        f"{path}: {text!r}: say {better!r}"
        for path, page in PAGES.items()
        for form, better in {**FORMS_GIVEN_UP, **PAGE_FORMS_GIVEN_UP}.items()
        for text in re.findall(rf".{{0,30}}(?:{form}).{{0,30}}", page, re.IGNORECASE)
    }

    assert found == set()


def test_no_docstring_or_comment_has_a_form_that_was_given_up() -> None:
    found = {
        f"{path}: {text.splitlines()[0]}: say {better!r}"
        for path, tree in trees().items()
        for text in (*docstrings_in(tree), *comments()[path])
        for form, better in RIDDLES_GIVEN_UP.items()
        if re.search(form, text, re.IGNORECASE)
    }

    assert found == set()


def test_no_name_has_a_word_that_was_given_up() -> None:
    found = {
        f"{path}: {name}: say {GIVEN_UP[word]}"
        for path, tree in trees().items()
        for name in [*names_in(tree), Path(path).stem]
        for word in words_of(name) & GIVEN_UP.keys()
    }

    assert found == set()


def test_docstrings_say_what_is_returned_or_done() -> None:
    found = [
        f"{path}: {text.splitlines()[0]}"
        for path, tree in trees().items()
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
