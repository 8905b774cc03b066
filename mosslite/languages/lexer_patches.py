"""Patches for lexers of Pygments that misread valid programs."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from pygments.lexer import bygroups, default, include, this, using
from pygments.token import Comment, Keyword, Name, Operator, Punctuation, String, Text, Whitespace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pygments.lexer import Lexer, RegexLexer

__all__ = ["patched"]

# States that expect a name, without a rule for comments, report the comment as errors and its first
# word as the name.
_COMMENTS: Final = (
    (r"/\*[\s\S]*?\*/", Comment.Multiline),
    (r"//[^\n]*", Comment.Single),
    (r"\s+", Whitespace),
)

# Names split after a dot: keep the dot apart, as the name alone is a known one.
_SPLIT_NAME: Final = (r"\w+(?:\.\w+)*(?=\.\s)", Name.Namespace, "#pop")

# Some lexers read any number of signs as one operator, also those that start a comment. No operator
# is longer than this; the bound avoids quadratic time on rows of dots.
_OPERATORS: Final = ((r"[-~!%^&*+=|:.<>@]{1,8}(?=/[*/])", Operator),)

_by_groups = cast("Callable[..., object]", bygroups)
_by_this = cast("Callable[..., object]", using)(this)

# TypeScript's lexer reads dots and ``?`` around a colon as parts of a name or type.
_COLONS: Final = (
    (r"[\w$]+(?=\.[\w?.$]{0,99}\s{0,99}:)", _by_this),
    (
        r"([\w$]+)(\s*)(:)(\s*)([\w$]+)(?=\.)",
        _by_groups(Name.Other, Whitespace, Operator, Whitespace, _by_this),
    ),
    (r"(default)(\s*)(:)", _by_groups(Keyword, Whitespace, Operator)),
    (r"([\w$]+)(\s*)(\?)(?=\s*:)", _by_groups(Name.Other, Whitespace, Operator)),
)

# NASM's lexer reads a label without a colon, before a datum, as an instruction.
_LABELS: Final = (
    (
        r"([a-z$._?][\w$.?#@~]*)([ \t]+)(?=(?:(?:res|d)[bwdqt]|times)\b)",
        _by_groups(Name.Label, Whitespace),
    ),
)

# Contents of brackets, with up to two nested levels.
_BRACKETED: Final = r"[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*"

# Bash's lexer recognizes variables only after ``$`` or before ``=``. A command that starts with
# two brackets but does not end with two is a group of commands, as in ``((cd a; ls) | sort)``.
_VARIABLES: Final = (
    (rf"\(\((?={_BRACKETED}\)\))", Operator, "math"),
    (r"([a-zA-Z_]\w*)(\s*)(\(\s*\))", _by_groups(Name.Function, Whitespace, Operator)),
    (r"\b(function)(\s+)([\w-]+)", _by_groups(Keyword, Whitespace, Name.Function)),
    (r"\b(for|select)(\s+)([a-zA-Z_]\w*)", _by_groups(Keyword, Whitespace, Name.Variable)),
    (r"\b(?:declare|export|local|read|readonly|typeset|unset)(?=\s)", Name.Builtin, "declared"),
)
_DECLARED: Final = (
    (r"[^\S\n]+", Whitespace),
    (r"-\w+", Text),
    (r"[a-zA-Z_]\w*(?![^\s;|&)])", Name.Variable),
    default("#pop"),
)

# Ruby's lexer reads a hash key with the name of a built-in method as that method, and ends a
# regular expression at a slash after an escaped backslash.
_OF_RUBY: Final = (
    (r"(?<![\w?:.])([a-zA-Z_]\w*)(:)(?=\s)", _by_groups(String.Symbol, Punctuation)),
    (
        r"%r([^\w\s{\[(<])(?:\\[^\\]|(?!\1|\\).)*\\\\(?:\\.|(?!\1|\\).)*\1[mixounse]*",
        String.Regex,
    ),
)

# Scheme's lexer starts a comment at the character ``#\;``.
_CHARACTERS: Final = ((r"#\\(?:[a-zA-Z0-9]+|[^\s\w])", String.Char, "#pop"),)

# Lexers of C-like languages read everything from ``#`` to the end of the line as a directive. In a
# file that lost its line ends, or in the body of a macro, that is most of the program.
_C_FAMILY: Final = ("arduino", "c", "cpp", "cuda", "objective-c", "objective-c++")
_DIRECTIVE: Final = (
    r"#(?=[^\S\n]*(?:define|elif|else|endif|error|if(?!\s+0)|ifdef|ifndef|import|include|line|pragma"
    r"|undef|warning)\b)"
)
_MULTILINE: Final = (r"/[*](?:[\s\S]*?[*]/|[\s\S]*)", Comment.Multiline)
_CONTINUED: Final = (r"\\\n", Text)
# Characters that no condition or pragma contains.
_WITH_CODE: Final = r"[^\n]*[;{]"
_LIST: Final = r"(?:[^\S\n]*\([^()\n]*\))"
_OPERAND: Final = rf"[^\S\n]*[!~+-]*[^\S\n]*(?:defined[^\S\n]+\w+|\w+{_LIST}?|\([^()\n]*\))"
_CONDITION: Final = rf"{_OPERAND}(?:[^\S\n]*(?:&&|\|\||[<>=!]=|[<>*/%&|^+-]){_OPERAND})*"
_MACRO: Final = (
    (r"[^\S\n]+", Whitespace),
    _MULTILINE,
    (
        r"(import|include)([^\S\n]*)(\"[^\"\n]*\"|<[^>\n]*>)",
        _by_groups(Comment.Preproc, Whitespace, Comment.PreprocFile),
        "#pop",
    ),
    (
        r"(define)([^\S\n]+)(\w+)(\([\w\s,.]*\))?",
        _by_groups(Keyword, Whitespace, Name.Function, Comment.Preproc),
        ("#pop", "body"),
    ),
    (r"(?:ifdef|ifndef|undef)[^\S\n]+\w+", Comment.Preproc, "#pop"),
    (r"(?:else|endif)\b(?:[^\S\n]*\w+[^\S\n]*$)?|pragma[^\S\n]+once\b", Comment.Preproc, "#pop"),
    (rf"(?:if|elif)\b(?={_WITH_CODE}){_CONDITION}", Comment.Preproc, "#pop"),
    (rf"pragma\b(?={_WITH_CODE})(?:[^\S\n]+\w+){{1,2}}{_LIST}?", Comment.Preproc, "#pop"),
    default(("#pop", "rest")),
)
_REST: Final = (
    (_DIRECTIVE, Comment.Preproc, ("#pop", "macro")),
    _MULTILINE,
    (r"//(?:.|(?<=\\)\n)*", Comment.Single),
    (r"\\\n", Comment.Preproc),
    (r"\n", Comment.Preproc, "#pop"),
    (r"[^/#\\\n]+|.", Comment.Preproc),
)
_BODY: Final = (
    (_DIRECTIVE, Comment.Preproc, ("#pop", "macro")),
    (r"##?", Operator),
    (r"//(?:.|(?<=\\)\n)*", Comment.Single),
    _MULTILINE,
    _CONTINUED,
    (r"\n", Whitespace, "#pop"),
    (r"[^\S\n]+", Whitespace),
    include("statements"),
    (r"[{};]", Punctuation),
    (r".", Text),
)

# Perl's and PHP's lexers miss the string of ``<<EOF`` if anything but a semicolon follows on the
# same line, or after the end mark.
_OF_PERL: Final = tuple(
    (
        rf"(<<{mark})(['\"]?)([a-zA-Z_]\w*)(\2)([^\n]*)(\n(?:.*?\n)??{indent})(\3)(?=\n|\Z)",
        _by_groups(
            *(String, String, String.Delimiter, String),
            _by_this,
            *(String, String.Delimiter),
        ),
    )
    for mark, indent in (("", ""), ("~", r"[ \t]*"))
)
_OF_PHP: Final = (
    (
        r"(<<<[ \t]*)(['\"]?)([a-zA-Z_]\w*)(\2)(\n(?:.*?\n)??[ \t]*)(\3)\b",
        _by_groups(String, String, String.Delimiter, String, String, String.Delimiter),
    ),
)

# Rules to be tried before a state's own, by lexer and state.
_FIRST: Final[Mapping[str, Mapping[str, Sequence[object]]]] = {
    **{each: {"whitespace": [(_DIRECTIVE, Comment.Preproc, "macro")]} for each in _C_FAMILY},
    "bash": {"root": _VARIABLES},
    "csharp": {"class": _COMMENTS, "namespace": (*_COMMENTS, _SPLIT_NAME)},
    "dart": dict.fromkeys(("class", "import_decl"), _COMMENTS),
    "java": {
        **dict.fromkeys(("class", "module", "var"), _COMMENTS),
        "import": (*_COMMENTS, _SPLIT_NAME),
    },
    "kotlin": dict.fromkeys(
        ("class", "destructuring_assignment", "function", "generic", "variable"), _COMMENTS
    ),
    "nasm": {"root": _LABELS},
    "perl": {"root": _OF_PERL},
    "php": {
        "php": (*_OPERATORS, *_OF_PHP),
        **dict.fromkeys(("classname", "functionname"), _COMMENTS),
    },
    "ruby": {"root": _OF_RUBY},
    "scheme": {"value": _CHARACTERS},
    "scala": {"root": _OPERATORS},
    "swift": {"root": _OPERATORS},
    "tsx": {"root": _COLONS},
    "typescript": {"root": _COLONS},
}

# States to replace, by the lexer's first alias.
_STATES: Final[Mapping[str, Mapping[str, object]]] = {
    **{each: {"macro": _MACRO, "rest": _REST, "body": _BODY} for each in _C_FAMILY},
    "bash": {"declared": _DECLARED},
    # After ``a <`` the lexer reads an attribute up to any ``>``, even in a comment: it would
    # read the lines after ``while a < b do -- not a > b`` as names.
    "lua": {
        "attribute": [
            (r"\s*(?:close|const)\s*(?=>)", Name.Attribute, "#pop:2"),
            default("#pop:2"),
        ]
    },
    # The lexer's module name ends at the line end, which a comment consumes: all names and
    # keywords after ``import Foundation // for dates`` would be part of that name.
    "swift": {
        "module": [(r"[a-zA-Z_]\w*", Name.Class), (r"[^\S\n]+", Whitespace), default("#pop")]
    },
}


def patched(lexer: Lexer) -> Lexer:
    """Return the lexer, or an instance of a subclass of it."""
    is_patched = lexer.aliases[0] in _STATES or lexer.aliases[0] in _FIRST
    return _patched(cast("type[RegexLexer]", type(lexer)))() if is_patched else lexer


@cache
def _patched(own: type[RegexLexer]) -> type[Lexer]:
    name = own.aliases[0]
    tokens = {**_with_first(own, _FIRST.get(name, {})), **_STATES.get(name, {})}
    return type(own.__name__, (own,), {"tokens": tokens})


def _with_first(own: type[RegexLexer], first: Mapping[str, Sequence[object]]) -> dict[str, object]:
    """Return a lexer's states with additional rules first, including those of its variants."""
    if not getattr(own, "token_variants", False):
        return _put_before(cast("Any", own).get_tokendefs(), first)
    variants = cast("Any", own).tokens.items()
    return {name: {**states, **_put_before(states, first)} for name, states in variants}


def _put_before(
    states: Mapping[str, Sequence[object]], first: Mapping[str, Sequence[object]]
) -> dict[str, object]:
    return {name: [*rules, *states[name]] for name, rules in first.items()}
