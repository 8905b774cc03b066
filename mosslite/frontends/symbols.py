"""What each token of code stands for: which differences a copier can make freely.

===================================  =========================================================
token                                symbol
===================================  =========================================================
white space, comments, docstrings    none
preprocessor lines                   none: includes, macros and pragmas come and go freely
import and package statements        none, likewise (see ``statements``)
type annotations in Python           none, likewise (see ``statements``)
decorators and annotations           none: their name; an argument list stays
names of every kind                  one symbol, also for built-ins and types that are no
                                     keywords: any name can be given to any thing
numbers                              one symbol
strings and characters               one symbol for each piece; of an interpolated string, each
                                     literal piece and the code between them
keywords, word operators             themselves, in lower case where the language ignores case
operators and punctuation            themselves, a symbol for each sign, so that ``a= -1`` and
                                     ``a=-1`` are equal in every lexer
mnemonics, Lisp's special forms      themselves, though their lexers call them names
tags of mark-up                      themselves
text outside all of these            its words and signs, themselves: what a lexer does not
                                     understand is not taken for a free choice
===================================  =========================================================
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import cache, lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, cast

from pygments.token import (
    Comment,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Token,
)

if TYPE_CHECKING:
    from pygments.token import _TokenType

    from mosslite.languages import Language

__all__ = ["IMPORT", "NAME", "NUMBER", "STRING", "Piece", "code_of", "pieces_of"]


class Piece(NamedTuple):
    """One symbol inside a lexer's token: where in it, how long, which code."""

    offset: int
    length: int
    code: int


@lru_cache(maxsize=1 << 16)
def code_of(symbol: str) -> int:
    """Give the symbol's 64-bit code, the same on every machine and in every run."""
    digest = blake2b(symbol.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


# No token's own text holds a blank, so these are apart from all of them.
NAME = code_of("a name")
NUMBER = code_of("a number")
STRING = code_of("a string")
IMPORT = code_of("an import")

_IMPORT_WORDS = frozenset({"from", "import", "include", "open", "package", "use", "using"})


class _Rule(Enum):
    NOTHING = auto()
    ONE_NAME = auto()
    ONE_NUMBER = auto()
    ONE_STRING = auto()
    ONE_IMPORT = auto()
    IMPORT_OR_WORDS = auto()
    WORDS = auto()
    SIGNS = auto()
    WORDS_AND_SIGNS = auto()


_SYMBOLS = {
    _Rule.ONE_NAME: NAME,
    _Rule.ONE_NUMBER: NUMBER,
    _Rule.ONE_STRING: STRING,
    _Rule.ONE_IMPORT: IMPORT,
}
_PATTERNS = {
    _Rule.WORDS: re.compile(r"\S+"),
    _Rule.SIGNS: re.compile(r"\S"),
    _Rule.WORDS_AND_SIGNS: re.compile(r"\w+|[^\w\s]"),
}

# The nearest ancestor of a token's type decides.
_RULES = {
    Token: _Rule.WORDS_AND_SIGNS,
    Comment: _Rule.NOTHING,
    Keyword: _Rule.WORDS,
    Keyword.Namespace: _Rule.IMPORT_OR_WORDS,
    Literal: _Rule.ONE_STRING,
    Number: _Rule.ONE_NUMBER,
    Literal.Date: _Rule.ONE_NUMBER,
    String.Doc: _Rule.NOTHING,
    Name: _Rule.ONE_NAME,
    Name.Decorator: _Rule.NOTHING,
    Name.Tag: _Rule.WORDS_AND_SIGNS,
    Operator: _Rule.SIGNS,
    Operator.Word: _Rule.WORDS,
    Punctuation: _Rule.SIGNS,
}


# Lexers that call names what the language has by itself. In assembly the mnemonics are all there
# is to compare; in Lisp and its kin ``defun`` and ``cond`` are what keywords are elsewhere; and
# Prolog's predicates are strings to its lexer.
_ASSEMBLERS = ("gas", "mips", "nasm", "tasm")
_LISPS = ("clojure", "common-lisp", "emacs-lisp", "racket", "scheme")
_OWN_RULES = {
    **{(language, Name.Function): _Rule.WORDS for language in _ASSEMBLERS},
    **{(language, Name.Builtin): _Rule.WORDS for language in _LISPS},
    ("prolog", String.Atom): _Rule.ONE_NAME,
}


def pieces_of(kind: _TokenType, value: str, language: Language) -> tuple[Piece, ...]:
    """Split a lexer's token into symbols; none where it cannot tell works apart."""
    stripped = value.strip()
    rule = _rule_of(kind, language.name)
    if rule is _Rule.IMPORT_OR_WORDS:
        rule = _Rule.ONE_IMPORT if stripped in _IMPORT_WORDS else _Rule.WORDS
    if not stripped or rule is _Rule.NOTHING:
        return ()
    if rule in _SYMBOLS:
        return (Piece(value.index(stripped), len(stripped), _SYMBOLS[rule]),)
    return tuple(
        Piece(part.start(), len(part.group()), code_of(part.group()))
        for part in _PATTERNS[rule].finditer(value.lower() if language.is_caseless else value)
    )


@cache
def _rule_of(kind: _TokenType, language: str) -> _Rule:
    # Every type descends from Token, which has a rule.
    rule = _OWN_RULES.get((language, kind)) or _RULES.get(kind)
    return rule or _rule_of(cast("_TokenType", kind.parent), language)
