"""Edits that a compiler ignores, or that only change names: in any language Pygments reads.

Lines and comments are found by Pygments' own lexers, as they come with it, not by this project's.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from pygments.lexers import get_lexer_by_name
from pygments.lexers._cl_builtins import MACROS
from pygments.lexers._lua_builtins import MODULES
from pygments.token import Comment, Error, Literal, Name, Token, _TokenType

MARKS: Final = {
    **dict.fromkeys(("bash", "perl", "python", "ruby"), "#"),
    **dict.fromkeys(("common-lisp", "nasm", "scheme"), ";"),
    **dict.fromkeys(("c", "cpp", "csharp", "gas", "go", "java", "javascript", "php"), "//"),
    **dict.fromkeys(("rust", "typescript"), "//"),
    "lua": "--",
}
"""What begins a comment up to the end of its line."""

BLOCK_MARKS: Final = {
    **dict.fromkeys(("c", "cpp", "csharp", "go", "java", "javascript", "php"), ("/*", "*/")),
    **dict.fromkeys(("rust", "typescript"), ("/*", "*/")),
    **dict.fromkeys(("common-lisp", "scheme"), ("#|", "|#")),
}
"""What begins and ends a comment that may stand amid a line."""

_NOTE: Final = 'as we saw in week 3, it\'s "well known" (see p. 7)'

# Comments to Pygments that are none, or that an interpreter reads.
_NO_COMMENTS: Final = (Comment.Preproc, Comment.PreprocFile, Comment.Hashbang, Comment.Special)

# In a regular expression that Pygments takes for a division, it begins a comment.
_INTERPOLATION: Final = "#{"

# Names that a program does not choose, or whose meaning is in the name.
_FIXED: Final = (
    *(Name.Builtin, Name.Decorator, Name.Entity, Name.Tag, Name.Namespace),
    *(Name.Attribute, Name.Exception, Name.Variable.Magic, Name.Function.Magic),
)
_SELVES: Final = frozenset({"$this", "cls", "me", "self", "super", "this"})
# Names that come with a language, but not to Pygments wherever they stand alone.
_LIBRARIES: Final = {
    **dict.fromkeys(
        ("common-lisp", "scheme"), MACROS | {"import", "load", "provide", "require", "use-package"}
    ),
    **dict.fromkeys(("javascript", "typescript"), frozenset({"exports", "module", "require"})),
    "lua": frozenset(name.partition(".")[0] for names in MODULES.values() for name in names),
    # Tests of files, operators, and declarations.
    "perl": frozenset("ABCMORSTWXbcdefgklmoprstuwxyz") | {"local", "state", "xor"},
    "rust": frozenset({"r"}),  # before a keyword that is a name: r#gen
}
# Comments to Pygments that a compiler, or C's preprocessor before it, reads.
_READ_BY_COMPILERS: Final = {
    "gas": re.compile(r"#[ \t]*(?:define|el(?:if|se)|endif|if\w*|include|undef|warning)\b"),
    "go": re.compile(r"//go:\w"),
}
# What is behind it is not a program.
_END: Final = re.compile(r"^__(?:DATA|END)__$", re.MULTILINE)
_WITH_END: Final = frozenset({"perl", "ruby"})
_ASSEMBLERS: Final = frozenset({"gas", "nasm"})
_LISPS: Final = frozenset({"common-lisp", "scheme"})
# A name in a string that is put in there when the program runs.
_PUT_IN: Final = re.compile(r"\{(\w+)")
# What stands around a name and is part of its kind, and the name itself.
_WORD: Final = re.compile(r"\w+")
_PARTS: Final = re.compile(r"([^\w^#]*)([^\W\d]\w*)(.*)", re.DOTALL)


class Lexeme(NamedTuple):
    """A token of Pygments: ``text[start : start + len(value)]``."""

    start: int
    kind: _TokenType
    value: str


def is_of(kind: _TokenType, *families: _TokenType) -> bool:
    """Return whether a type of tokens is one of these or below one."""
    return not set(families).isdisjoint(kind.split())


@lru_cache(maxsize=4096)
def tokens_of(text: str, language: str) -> tuple[Lexeme, ...]:
    """Return the tokens of a text as Pygments has them, whatever their offsets are said to be."""
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    at, found = 0, list[Lexeme]()
    for kind, value in lexer.get_tokens(text):
        found.append(Lexeme(at, kind, value))
        at += len(value)
    return tuple(found)


def is_misread(text: str, language: str) -> bool:
    """Return whether Pygments' lexer loses its way: an error, or a pattern over several lines."""
    return any(
        is_of(kind, Error) or (is_of(kind, Literal.String.Regex) and "\n" in value)
        for _, kind, value in tokens_of(text, language)
    )


def blank_lines(text: str, language: str) -> str:
    """Put blank lines between all lines that are not in one token."""
    return "".join(piece + "\n\n" * is_free for piece, is_free in _lines(text, language))


def deeper(text: str, language: str) -> str:
    """Indent all lines twice as deep and put blanks at their ends, but not inside of tokens."""
    found = list(_lines(text, language))
    begins = [True, *(is_free for _, is_free in found[:-1])]
    return "".join(
        (_twice(line) if is_first else line).removesuffix("\n" * is_free)
        + "  \t\n" * (is_free and line.endswith("\n"))
        for (line, is_free), is_first in zip(found, begins, strict=True)
    )


def with_comments(text: str, language: str) -> str:
    """Put a comment at the end of every line and another below it, but not inside of tokens."""
    mark = MARKS[language]
    return "".join(
        f"{line[:-1]} {mark} {_NOTE}\n{mark} {_NOTE}\n" if is_free else line
        for line, is_free in _lines(text, language)
    )


def with_asides(text: str, language: str) -> str:
    """Put a comment in all blanks between the tokens of every line, from its first code on."""
    first, last = BLOCK_MARKS[language]
    pieces, is_behind_code = list[str](), False
    for _, kind, value in tokens_of(text, language):
        pieces.append(value)
        if "\n" in value:
            is_behind_code = False
        elif value.strip():
            is_behind_code |= not is_of(kind, Comment, Token.Other, Token.Text, Literal)
        elif is_behind_code and not is_of(kind, Literal):
            pieces.append(f"{first} {_NOTE} {last} ")
    return "".join(pieces)


def without_comments(text: str, language: str) -> str:
    """Take all comments out."""
    return "".join(
        _blank(value) if _is_comment(kind, value, language) else value
        for _, kind, value in tokens_of(text, language)
    )


def renamed(text: str, language: str) -> str:
    """Return every name that is the program's own to choose another, of the same kind."""
    tokens = tokens_of(text, language)
    fixed = {value for _, kind, value in tokens if not _is_own(kind, language)} | _SELVES
    fixed |= _LIBRARIES.get(language, frozenset())
    fixed |= {each for _, kind, value in tokens if is_of(kind, Literal) for each in _put_in(value)}
    names = dict[str, str]()
    pieces: list[tuple[_TokenType, str]] = []
    for _, kind, value in tokens:
        is_own = _is_own(kind, language) and value not in fixed
        found = _PARTS.fullmatch(value) if is_own else None
        if found is None:
            pieces.append((kind, value))
            continue
        head, name, tail = _whole(found) if language in _LISPS else found.groups()
        new = names.setdefault(name, f"{'N' if name[0].isupper() else 'n'}ew{len(names)}x")
        pieces.append((kind, head + new + tail))
    return "".join(
        _WORD.sub(lambda found: names.get(found[0], found[0]), value)
        if kind is Comment.Preproc
        else value
        for kind, value in pieces
    )


def _put_in(literal: str) -> list[str]:
    """Return the names in braces in a string."""
    return _PUT_IN.findall(literal)


def _whole(found: re.Match[str]) -> tuple[str, str, str]:
    """Split a name of Lisp, in which any sign may stand."""
    return found[1], found[2] + found[3], ""


def _lines(text: str, language: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a text, and whether a line end may be followed by anything."""
    inside = _inside(text, language)
    ends = [found.end() for found in re.finditer("\n", text)]
    for start, stop in pairwise([0, *ends]):
        line = text[start:stop]
        yield line, stop - 1 not in inside and not line.rstrip().endswith("\\")
    if text[ends[-1] if ends else 0 :]:
        yield text[ends[-1] if ends else 0 :], False


def _inside(text: str, language: str) -> set[int]:
    """Find the line ends that are inside of a token, or of what only looks like several."""
    found = set[int]()
    for start, kind, value in tokens_of(text, language):
        is_text = is_of(kind, Literal, Token.Other, Comment.Preproc)
        is_comment = is_of(kind, Comment)
        is_open = is_text or (is_comment and not is_of(kind, Comment.Single))
        places = [start + each.start() for each in re.finditer("\n", value)]
        if is_open and places and places[-1] == start + len(value) - 1 and is_comment:
            places.pop()  # the comment ends with its line
        if is_open:
            found.update(places)
        is_end = is_of(kind, Literal.String.Delimiter) or (is_text and value.startswith("<<"))
        if is_end or _is_read_by_compiler(value, language):
            found.add(start + len(value))  # where that of a here-document ends its line
    code, _ = split_at_end(text, language)
    return found | set(range(len(code), len(text)))


def split_at_end(text: str, language: str) -> tuple[str, str]:
    """Split a text into a program, and the line that ends it with all data behind that."""
    end = _END.search(text) if language in _WITH_END else None
    stop = end.start() if end else len(text)
    return text[:stop], text[stop:]


def _twice(line: str) -> str:
    body = line.lstrip(" \t")
    indent = line[: len(line) - len(body)].expandtabs(8)
    return indent * 2 + body


def _is_comment(kind: _TokenType, value: str, language: str) -> bool:
    is_comment = is_of(kind, Comment) and not is_of(kind, *_NO_COMMENTS)
    is_code = value.startswith(_INTERPOLATION) or _is_read_by_compiler(value, language)
    return is_comment and not is_code


def _is_read_by_compiler(value: str, language: str) -> bool:
    return language in _READ_BY_COMPILERS and bool(_READ_BY_COMPILERS[language].match(value))


def _blank(comment: str) -> str:
    return "\n" if "\n" in comment else " "


def _is_own(kind: _TokenType, language: str) -> bool:
    if language in _ASSEMBLERS:
        return is_of(kind, Name.Label) or kind is Name.Variable
    is_free = not is_of(kind, *_FIXED) or (kind is Name.Builtin and language in _LISPS)
    return is_of(kind, Name) and is_free
