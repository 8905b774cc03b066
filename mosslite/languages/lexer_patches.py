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

# States that wait for a name and know nothing else would take a comment for errors, and its first
# word for the name.
_COMMENTS: Final = (
    (r"/\*[\s\S]*?\*/", Comment.Multiline),
    (r"//[^\n]*", Comment.Single),
    (r"\s+", Whitespace),
)

# A name that is split behind a dot would be one with the dot, and be known for whole.
_SPLIT_NAME: Final = (r"\w+(?:\.\w+)*(?=\.\s)", Name.Namespace, "#pop")

# An operator is to some as many signs as there are, also those that begin a comment. None is longer
# than this, and a row of dots is not looked through at each of them.
_OPERATORS: Final = ((r"[-~!%^&*+=|:.<>@]{1,8}(?=/[*/])", Operator),)

_by_groups = cast("Callable[..., object]", bygroups)
_by_this = cast("Callable[..., object]", using)(this)

# To TypeScript's, what is around a colon is a name and a type, dots and a ``?`` a part of either.
_COLONS: Final = (
    (r"[\w$]+(?=\.[\w?.$]{0,99}\s{0,99}:)", _by_this),
    (
        r"([\w$]+)(\s*)(:)(\s*)([\w$]+)(?=\.)",
        _by_groups(Name.Other, Whitespace, Operator, Whitespace, _by_this),
    ),
    (r"(default)(\s*)(:)", _by_groups(Keyword, Whitespace, Operator)),
    (r"([\w$]+)(\s*)(\?)(?=\s*:)", _by_groups(Name.Other, Whitespace, Operator)),
)

# To NASM's, what is before a datum without a colon is an instruction.
_LABELS: Final = (
    (
        r"([a-z$._?][\w$.?#@~]*)([ \t]+)(?=(?:(?:res|d)[bwdqt]|times)\b)",
        _by_groups(Name.Label, Whitespace),
    ),
)

# What is in brackets, with more of them in two levels.
_BRACKETED: Final = r"[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*"

# To Bash's, variables are names only with a ``$`` before them or a ``=`` behind. What begins with
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

# To Ruby's, a key of a hash that is called as a method of Ruby is that method, and the slash behind
# an escaped backslash does not end a regular expression.
_OF_RUBY: Final = (
    (r"(?<![\w?:.])([a-zA-Z_]\w*)(:)(?=\s)", _by_groups(String.Symbol, Punctuation)),
    (
        r"%r([^\w\s{\[(<])(?:\\[^\\]|(?!\1|\\).)*\\\\(?:\\.|(?!\1|\\).)*\1[mixounse]*",
        String.Regex,
    ),
)

# To Scheme's, the character ``#\;`` begins a comment.
_CHARACTERS: Final = ((r"#\\(?:[a-zA-Z0-9]+|[^\s\w])", String.Char, "#pop"),)

# To those of C and its kin, what is behind ``#`` is a directive up to the end of its line, whatever
# it is. Where a file lost its line ends, most of the program stands there, or in a macro's body.
_C_FAMILY: Final = ("arduino", "c", "cpp", "cuda", "objective-c", "objective-c++")
_DIRECTIVE: Final = (
    r"#(?=[^\S\n]*(?:define|elif|else|endif|error|if(?!\s+0)|ifdef|ifndef|import|include|line|pragma"
    r"|undef|warning)\b)"
)
_MULTILINE: Final = (r"/[*](?:[\s\S]*?[*]/|[\s\S]*)", Comment.Multiline)
_CONTINUED: Final = (r"\\\n", Text)
# No condition and no pragma has these.
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

# To Perl's and PHP's, no string begins at ``<<EOF`` where anything but a semicolon is behind it on
# the line, or behind its end.
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

# The rules that a lexer's states shall try before their own.
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

# The states that a lexer, by its first alias, shall have in place of its own.
_STATES: Final[Mapping[str, Mapping[str, object]]] = {
    **{each: {"macro": _MACRO, "rest": _REST, "body": _BODY} for each in _C_FAMILY},
    "bash": {"declared": _DECLARED},
    # What is behind ``a <`` is an attribute to it up to any ``>``, even one in a comment: it would
    # read the lines below ``while a < b do -- not a > b`` as names.
    "lua": {
        "attribute": [
            (r"\s*(?:close|const)\s*(?=>)", Name.Attribute, "#pop:2"),
            default("#pop:2"),
        ]
    },
    # Its name of a module ends with the line, and a comment takes the line end: all names and
    # keywords below ``import Foundation // for dates`` would be parts of that name.
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
    """Return a lexer's states with rules before their own; those of each variant, if there are."""
    if not getattr(own, "token_variants", False):
        return _put_before(cast("Any", own).get_tokendefs(), first)
    variants = cast("Any", own).tokens.items()
    return {name: {**states, **_put_before(states, first)} for name, states in variants}


def _put_before(
    states: Mapping[str, Sequence[object]], first: Mapping[str, Sequence[object]]
) -> dict[str, object]:
    return {name: [*rules, *states[name]] for name, rules in first.items()}
