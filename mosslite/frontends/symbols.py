"""The symbol of each token of code.

Programs that mean different things have different symbols, names, literals, comments and layout
aside: so nothing is rewritten to an equivalent form.

===================================  =========================================================
token                                symbol
===================================  =========================================================
white space, comments, docstrings    none
includes                             none, likewise; C's other directives are code
conditions of compilation            themselves, though many lexers call them comments
import and package statements        none, likewise (see ``imports``)
decorators in Python                 a sign and a name: they change what a function does
annotations in Python                none, if they run no code (see ``annotations``)
annotations in other languages       none: their name; an argument list stays
names of every kind                  one symbol, also for built-ins: anything can be renamed
types                                same symbol as names, if a program can define them; reserved
                                     words are themselves
numbers                              one symbol; a sign before them is an operator
strings and characters               one symbol for each piece; of an interpolated string, each
                                     literal piece and the code between them
keywords, word operators             themselves, in lower case where the language ignores case; a
                                     name where the language lets them be names too, unless
                                     their place says that they are not, as in ``data class``
operators and punctuation            themselves, a symbol for each sign, so that ``a= -1`` and
                                     ``a=-1`` are equal in every lexer; but ``++`` is not ``+ +``
line ends and indentation            none, but for the ends of lines and blocks that are part of the
                                     program (see ``normalization``)
mnemonics, Lisp's forms and macros   themselves, though their lexers call them names
tags of mark-up                      themselves
text outside all of these            its words and signs, themselves: text that the lexer does
                                     not understand is assumed to be significant
===================================  =========================================================
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from pygments.token import (
    Comment,
    Generic,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Token,
    _TokenType,
)

from mosslite.frontends import tokens
from mosslite.frontends.tokens import GAP
from mosslite.languages import Language
from mosslite.languages.lexers import RESPELLED
from mosslite.languages.rows import Lines, row_of
from mosslite.records import TokenKind


class Piece(NamedTuple):
    """One symbol inside a lexer's token: its offset, length and codes."""

    offset: int
    length: int
    code: int
    wording: int


# Codes of longer symbols are not cached: whole lines and strings would exhaust memory.
_LONGEST_KNOWN = 64


def code_of(symbol: str) -> int:
    """Return the symbol's 64-bit code, the same on every machine and in every run."""
    return _code(symbol) if len(symbol) <= _LONGEST_KNOWN else _code.__wrapped__(symbol)


@lru_cache(maxsize=1 << 16)
def _code(symbol: str) -> int:
    digest = blake2b(symbol.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


# The text of a token contains no blank, so these codes differ from all of theirs.
NAME = code_of("a name")
NUMBER = code_of("a number")
STRING = code_of("a string")

# The second sign of ``++`` or ``--``: ``a - --b`` and ``a-- - b`` are different programs.
STEP = code_of("a step")

# The separator after a text when several are read together.
END = code_of("an end")

# The ends of lines and blocks that are part of a program.
END_OF_LINE = code_of("an end of a line")
END_OF_BLOCK = code_of("an end of a block")

# A line end that ends no line; ``code`` removes it once the lines are known.
CONTINUATION = code_of("\\\n")

# Brackets, separators and modifiers: a copier can add and drop many of them without effect.
_FRAME = ("( ) { } ; begin end static", TokenKind.FRAME)

# Types that lexers know to be reserved: another one often does as well.
_TYPES = (
    """
    bool boolean byte char character complex decimal double f32 f64 float float32 float64 i128 i16
    i32 i64 i8 int int16 int32 int64 int8 integer isize logical long object real rune sbyte short
    signed string u128 u16 u32 u64 u8 uint uint16 uint32 uint64 uint8 uintptr ulong unsigned ushort
    usize void
    """,
    TokenKind.TYPE,
)


class _Rule(NamedTuple):
    """How a token is split into symbols.

    Attributes:
        pattern: Matches each of them.
        code: That of all of them but signs; 0 if each stands for itself.
        is_code: The token is not a comment, a string, or text of a page.
    """

    pattern: re.Pattern[str]
    code: int = 0
    is_code: bool = False


_ALL = re.compile(r".+", re.DOTALL)
_WHOLE = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_EACH = re.compile(r"\w+|[^\w\s]")
_NOTHING = _Rule(_ALL)
_A_NAME = _Rule(_WHOLE, NAME, is_code=True)
_NAMES_AND_SIGNS = _Rule(_EACH, NAME, is_code=True)
# Some lexers, C's among them, read ``a-1`` as a name and the number -1.
_A_NUMBER = _Rule(re.compile(rf"[+-]|{_WHOLE.pattern}", re.DOTALL), NUMBER, is_code=True)
_A_STRING = _Rule(_ALL, STRING)
_WORDS = _Rule(re.compile(r"\S+"), is_code=True)
_WORDS_AND_SIGNS = _Rule(_EACH)

_SIGN = re.compile(r"[^\w$]+")
# Tokens of punctuation only are split into single signs, as in Bash's ``((x))``.
_OF_SIGNS = {_A_NAME: _NAMES_AND_SIGNS, _WORDS: _WORDS_AND_SIGNS}
_REFERENCE = re.compile(r"[$@%&]+[$#@]")
_CONTINUATION = re.compile(r"\s*\\\n\s*")
# Behind the code in a string: ``{x!r}`` and ``{x:3}`` call functions, ``{x=}`` writes the code too.
_CONVERSION = re.compile(r"(?:!\w|[=:])+\}?")

# Conditions of compilation, which lexers call comments. They decide what runs, so they are code,
# and so are all branches: only the compiler's options say which one holds.
_DIRECTIVE = (
    r"[ \t]*(?P<word>if(?:n?def|n?eq|opt)?|el(?:se|if|seif|sif|ifn?def)|end[ \t]*if|ifend"
    r"|define|undef|const)\b"
)
_CONDITIONS = {
    Comment.Preproc: re.compile(rf"\s*(?P<shown>[#!&]?{_DIRECTIVE}.*)", re.DOTALL | re.IGNORECASE),
    Comment.Multiline: re.compile(
        rf"(?:\{{|\(\*)(?P<shown>\${_DIRECTIVE}.*)(?:\}}|\*\))", re.DOTALL | re.IGNORECASE
    ),
}
_END_OF_CONDITION = re.compile(r"else|end.*|ifend", re.IGNORECASE)
# Other comments in a condition, and its line ends, are blank.
_COMMENT_IN_CONDITION = re.compile(r"//.*|/\*[\s\S]*?(?:\*/|\Z)|\\\n")
_COMMENT_IN_MAKE = re.compile(r"(?<!\\)#.*")
_OPERATORS_OF_CONDITIONS = frozenset({"and", "or", "not", "xor", "then"})

# Spellings of signs for keyboards without them, and C++'s words for operators.
_SPELLINGS = """
    ??< { ??> } ??( [ ??) ] ??= # ??! | ??' ^ ??- ~ <% { %> } <: [ :> ] %: #
    and && and_eq &= bitand & bitor | compl ~ not ! not_eq != or || or_eq |= xor ^ xor_eq ^=
"""
_SIGNS_OF_C = dict(zip(_SPELLINGS.split()[::2], _SPELLINGS.split()[1::2], strict=True))

# The nearest ancestor of a token's type decides.
_RULES = {
    Token: _WORDS_AND_SIGNS,
    GAP: _NOTHING,
    Comment: _NOTHING,
    Keyword: _WORDS,
    Keyword.Type: _A_NAME,
    Literal: _A_STRING,
    Number: _A_NUMBER,
    Literal.Date: _A_NUMBER,
    String.Doc: _NOTHING,
    Name: _A_NAME,
    Name.Decorator: _NOTHING,
    Name.Tag: _WORDS_AND_SIGNS,
}

# Token types that yield no symbol or themselves, but are not comments, strings or text of a page.
_ALSO_CODE = frozenset({Comment.Preproc, Name, Operator, Punctuation})

# Corrections of token types: in assembly, mnemonics are all there is to compare; in Lisp dialects,
# ``defun`` and ``cond`` correspond to keywords, and no program can define what AWK has built in;
# Prolog's predicates are strings to its lexer, and names of types and parameters are keywords or
# text to some lexers.
_OF_LIBRARY = re.compile(r"\w+_(?:t|list|buf)|FILE|DIR")
_OWN_RULES = {
    ("gas", Name.Function): _WORDS,
    **{
        (language, Name.Builtin): _WORDS
        for language in ("awk", "clojure", "common-lisp", "emacs-lisp")
    },
    ("python", String.Doc): _A_STRING,  # also what is an argument; ``annotations`` knows
    ("fortranfixed", Generic.Strong): _NOTHING,  # the sign in column 6 goes on a line
    **dict.fromkeys((("blitzmax", Comment.Preproc), ("haxe", Comment.Preproc)), _WORDS_AND_SIGNS),
    ("prolog", String.Atom): _A_NAME,
    ("vb.net", Text): _NOTHING,  # the underscore that goes on a line
}


def pieces_of(kind: _TokenType, value: str, language: Language) -> tuple[Piece, ...]:
    """Split a lexer's token into symbols; empty if it is never compared."""
    is_respelled = kind in RESPELLED and not _is_free(kind, value, language.name)
    if is_respelled or kind is tokens.END:
        codes = [*map(code_of, _SIGNS_OF_C[value])] if is_respelled else len(value) * [END]
        stops = [*range(1, len(codes)), len(value)]
        return tuple(Piece(at, stops[at] - at, code, code) for at, code in enumerate(codes))
    stripped = value.strip()
    rule = _rule_of(kind, language.name)
    if rule is _A_STRING and _CONVERSION.fullmatch(value) and language.name == "python":
        rule = _WORDS_AND_SIGNS
    if rule is _A_STRING and value:  # blanks too: what does not touch is another string
        return (_piece(rule, cast("re.Match[str]", _ALL.match(value)), language),)
    if rule is _NOTHING:
        return tuple(_pieces_of_condition(kind, value, language))
    if not stripped:
        return ()
    if _CONTINUATION.fullmatch(value):
        return (Piece(value.index(stripped), 1, CONTINUATION, CONTINUATION),)
    if _is_free(kind, stripped, language.name):
        rule = _A_NAME
    if rule is _A_NAME and _has_signs(kind, stripped, language.name):
        rule = _NAMES_AND_SIGNS
    if rule in _OF_SIGNS and _SIGN.fullmatch(stripped):
        rule = _OF_SIGNS[rule]
    known = tokens.with_known_letters(value)
    return tuple(_piece(rule, part, language, value) for part in rule.pattern.finditer(known))


def _pieces_of_condition(kind: _TokenType, value: str, language: Language) -> Iterator[Piece]:
    """Yield the symbols of a condition of compilation, and its end; nothing of other comments."""
    found = kind in _CONDITIONS and _CONDITIONS[kind].match(value)
    if not found:
        return
    stop, is_end = 0, _END_OF_CONDITION.fullmatch(found["word"])
    if kind is Comment.Preproc:
        comment = _COMMENT_IN_MAKE if language.name == "make" else _COMMENT_IN_CONDITION
        value = comment.sub(lambda part: " " * len(part[0]), value)
    for part in _EACH.finditer(value, *found.span("shown")):
        is_own = part.start() < found.end("word") or part[0].lower() in _OPERATORS_OF_CONDITIONS
        if is_own or not is_end:
            yield _piece(_WORDS if is_own else _NAMES_AND_SIGNS, part, language)
            stop = part.end()
    yield Piece(stop, 0, END_OF_LINE, END_OF_LINE)


def _is_free(kind: _TokenType, word: str, language: str) -> bool:
    """Return whether a keyword or built-in of the lexer is mostly a name chosen by the author."""
    if kind is Name.Builtin:
        forms = row_of(language).forms.split()
        return bool(forms) and word.lower() not in forms
    if kind is Keyword.Type and _OF_LIBRARY.fullmatch(word):
        return True
    return Keyword in kind.split() and word.lower() in row_of(language).contextual.split()


def _has_signs(kind: _TokenType, name: str, language: str) -> bool:
    """Return whether signs are part of a name: those that qualify it, and those of references.

    Lexers split ``A::b() {`` elsewhere in C++. Perl's ``$#x``, ``@$x`` and ``$$x`` are not ``$x``.
    """
    sign = row_of(language).qualifier
    return bool(sign and sign in name) or (
        Name.Variable in kind.split() and bool(_REFERENCE.match(name))
    )


def kinds_of(codes: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return the ``TokenKind`` of every symbol, ``(n,) uint8``."""
    kinds = np.full(len(codes), TokenKind.CONTENT, np.uint8)
    kinds[codes == np.uint64(NAME)] = TokenKind.NAME
    for words, kind in (_FRAME, _TYPES):
        kinds[np.isin(codes, np.array(list(map(code_of, words.split())), np.uint64))] = kind
    return kinds


def _piece(rule: _Rule, part: re.Match[str], language: Language, value: str = "") -> Piece:
    text = value[part.start() : part.end()] or part.group()
    wording = code_of(text.lower() if language.is_caseless else text)
    # A name or a string is one symbol, whatever signs are in it.
    is_sign = rule.pattern not in (_ALL, _WHOLE) and (text == "$" or _SIGN.fullmatch(text))
    return Piece(part.start(), len(text), (not is_sign and rule.code) or wording, wording)


@cache
def is_code(kind: _TokenType, language: str) -> bool:
    """Return whether tokens of a type are code, unlike comments and text."""
    return _rule_of(kind, language).is_code or not _ALSO_CODE.isdisjoint(kind.split())


@cache
def _rule_of(kind: _TokenType, language: str) -> _Rule:
    row = row_of(language)
    if kind is Text and row.names_are_text:
        return _NAMES_AND_SIGNS
    if kind is Keyword.Type and row.reserves_types:
        return _WORDS
    if kind is Name.Decorator and row.lines is Lines.BLOCKS:
        return _NAMES_AND_SIGNS
    # Every type descends from Token, which has a rule.
    rule = _OWN_RULES.get((language, kind)) or _RULES.get(kind)
    return rule or _rule_of(cast("_TokenType", kind.parent), language)


# --- numbers of symbols ---------------------------------------------------------------------------

# Symbols that front-ends search for have small ids, the indices of tables; all others have 0.
_KINDS: Final = (NAME, NUMBER, STRING, CONTINUATION, END, STEP)
_WORDS_OF_PROGRAMS: Final = r"""
    ( ) [ ] { } ; : , . = + - * & @ # < > | / \ ! None async begin break case class continue def
    define do elif else end except extends finally for func if impl implements in is lambda match
    new raise return static then throw try while with yield `define `elsif `ifdef `ifndef `undef
"""
_WORDS_OF_IMPORTS: Final = """
    #lang ' @import FROM IMPORT `default_nettype `include `timescale alias all all-defined-out
    all-from-out as assert base cimport combine-in compare const constant consult crate
    define-library defpackage ensure_loaded except-in except-out explicit export extern file
    for-syntax from global import import-module imports in-package include include_lib include_once
    infer let lib library limited load local mod module namespace need no ns of only only-in open
    option package part pkg pragma prefix prefix-in private provide ps1 pub public rename rename-in
    rename-out require require_once require_relative source strict struct-out submod
    suppressMessages suppressPackageStartupMessages suppressWarnings testable type unit use
    use-modules use-package use_module uses using var
"""
_WITH_IDS: Final = f"{_WORDS_OF_PROGRAMS} {_WORDS_OF_IMPORTS} {_TYPES[0]}"
_NUMBERS: Final = {
    code: number
    for number, code in enumerate(
        dict.fromkeys([*_KINDS, *map(code_of, _WITH_IDS.split())]), start=1
    )
}

CODES: Final = np.array([0, *_NUMBERS], np.uint64)
"""The codes by their numbers."""


def symbol_id(code: int) -> int:
    """Return the symbol id of a code; 0 for a symbol without one."""
    return _NUMBERS.get(code, 0)


def symbol_id_of(word: str) -> int:
    """Return the symbol id of a word or sign.

    Raises:
        KeyError: It has none.
    """
    return _NUMBERS[code_of(word)]


def symbol_set(words: str, *codes: int) -> NDArray[np.bool_]:
    """Return a lookup table by symbol id, True for these words and codes.

    Raises:
        KeyError: One of them has no number.
    """
    table = np.zeros(len(CODES), np.bool_)
    table[[_NUMBERS[code] for code in (*codes, *map(code_of, words.split()))]] = True
    return table
