"""Patches for lexers of Pygments that misread valid programs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, cast

from pygments.lexer import Lexer, default, include, words
from pygments.lexers import get_lexer_by_name
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

from mosslite.languages.lexers import (
    BLANKS_WITHIN_LINE,
    C_FAMILY,
    CONTEXTUAL,
    ESCAPE,
    GAP,
    HERE,
    INTERPOLATED,
    OF_C,
    OF_PERL,
    OF_SAS,
    OF_SOLIDITY,
    RAW_OF_SWIFT,
    SIGILS,
    STRINGS_OF_GROOVY,
    STRINGS_OF_NET,
    STRINGS_OF_PERL,
    Token,
    by_groups,
    by_this,
    code_in_string,
    here,
    string_with_code,
)

# States that expect a name, without a rule for comments, report the comment as errors and its first
# word as the name.
_COMMENTS: Final = (
    (r"/\*[\s\S]*?\*/", Comment.Multiline),
    (r"//[^\n]*", Comment.Single),
    (r"\s+", Whitespace),
)

# These words are part of a declaration to lexers, with the blanks behind them.
_BEFORE_COMMENT: Final = (
    (r"\b(?:class|def|fun|function|interface|namespace|object|trait|val|var)(?=/\*)", Keyword),
)

# Names split after a dot: keep the dot apart, as the name alone is a known one.
_SPLIT_NAME: Final = (r"\w+(?:\.\w+)*(?=\.\s)", Name.Namespace, "#pop")

# Some lexers read any number of signs as one operator, also those that start a comment. No operator
# is longer than this; the bound avoids quadratic time on rows of dots.
_OPERATORS: Final = ((r"[-~!%^&*+=|:.<>@]{1,8}(?=/[*/])", Operator),)

# Words, parts of names and tags that only the supersets of JavaScript have. A tag starts where a
# value may: ``a<b`` compares. What is between tags is read as code: nothing is hidden there.
_OF_TYPESCRIPT: Final = (
    (
        rf"(?:abstract|declare|implements|override|readonly|type)\b(?={BLANKS_WITHIN_LINE}[\w$#{{*])",
        Keyword,
    ),
    (rf"(?:enum|interface|namespace|module)\b(?={BLANKS_WITHIN_LINE}[\w$])", Keyword),
    (rf"(?:private|protected|public)\b(?={BLANKS_WITHIN_LINE}[\w$#])", Keyword),
    (r"@[A-Za-z_$][\w$]*", Name.Decorator),
    (r"(</)([A-Z_$][\w$.:-]*)(>)", by_groups(Punctuation, Name.Class, Punctuation)),
    (r"(</)([\w$.:-]*)(>)", by_groups(Punctuation, Name.Tag, Punctuation)),
    (r"/>", Punctuation),
)
_TAG_BEHIND: Final = r"(?=\s*/?>|\s+[\w$:-]+\s*=|\s+\{\s*\.\.\.)"
_TAG: Final = (
    (r"<>", Punctuation),
    (rf"(<)([A-Z_$][\w$.:-]*){_TAG_BEHIND}", by_groups(Punctuation, Name.Class)),
    (rf"(<)([a-z][\w$.:-]*){_TAG_BEHIND}", by_groups(Punctuation, Name.Tag)),
)

# Contents of brackets, with up to two nested levels.
_BRACKETED: Final = r"[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*"

# Bash's lexer recognizes variables only after ``$`` or before ``=``. A command that starts with
# two brackets but does not end with two is a group of commands, as in ``((cd a; ls) | sort)``.
_VARIABLES: Final = (
    (r"\\\n", Text),
    (r"(\$\{)(#)(?=[\w@*])", by_groups(String.Interpol, Operator), "curly"),
    (rf"\(\((?={_BRACKETED}\)\))", Operator, "math"),
    (r"([a-zA-Z_]\w*)(\s*)(\(\s*\))", by_groups(Name.Function, Whitespace, Operator)),
    (r"\b(function)(\s+)([\w-]+)", by_groups(Keyword, Whitespace, Name.Function)),
    (r"\b(for|select)(\s+)([a-zA-Z_]\w*)", by_groups(Keyword, Whitespace, Name.Variable)),
    (r"\b(?:declare|export|local|read|readonly|typeset|unset)(?=\s)", Name.Builtin, "declared"),
)
# In a command in brackets can be others, and a closing one is part of what a word is compared with.
_SUBSHELL: Final = (
    (r"case(?=\s+\S+\s+in\b)", Keyword, "choice"),
    (r"\(", Operator, "subshell"),
    (r"\)", Operator, "#pop"),
    include("root"),
)
_DECLARED: Final = (
    (r"[^\S\n]+", Whitespace),
    (r"-\w+", Text),
    (r"[a-zA-Z_]\w*(?![^\s;|&)])", Name.Variable),
    default("#pop"),
)


# Ruby's lexer reads a hash key with the name of a built-in method as that method, and ends a
# regular expression at a slash after an escaped backslash.
_BRACKETS_OF_RUBY: Final = (("{", "cb"), ("(", "pa"), ("[", "sb"), ("<", "ab"))
_OF_RUBY: Final = (
    (r"(?<![\w?:.])([a-zA-Z_]\w*)(:)(?=\s)", by_groups(String.Symbol, Punctuation)),
    (r"%r([^\w\s{\[(<])(?:\\[^\\]|(?!\1|\\).)*\\\\(?:\\.|(?!\1|\\).)*\1[mixounse]*", String.Regex),
    (r"%i(?:\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}|<[^<>]*>)", String),
    *((rf"%I\{start}", String, f"{n}-intp-string") for start, n in _BRACKETS_OF_RUBY),
    (r"(?<=[)\]}\d])[^\S\n]+/=?", Operator),
    (r"^__END__\n[\s\S]*", Comment),
    (r"__END__", Name),
    (r"(\d\s*)(<<)", by_groups(Number, Operator)),  # a shift, not a heredoc
    (r"\\\n", Text),
    *HERE,
    (r"<<(?=[-~]?[\w\"'`])", Operator),
)

_ESCAPED_BACKTICK: Final = ((r"\\`", String.Escape),)

# Scheme's lexer starts a comment at the character ``#\;``.
_SYMBOL_IN_BARS: Final = (
    r"'?(?:[\w!$%&*+,/:<=>?@^~-]|\\.)*(?:\|(?:\\.|[^|\\])*\||\\.)(?:[\w!$%&*+,/:<=>?@^~-]|\\.)*",
    Name.Variable,
    "#pop",
)
_CHARACTERS: Final = ((r"#\\(?:[a-zA-Z0-9]+|[^\s\w])", String.Char, "#pop"),)


_OF_PHP: Final = (
    (
        r"(<<<[ \t]*)(['\"]?)([a-zA-Z_]\w*)(\2)(\n(?:.*?\n)??[ \t]*)(\3)\b",
        by_groups(String, String, String.Delimiter, String, String, String.Delimiter),
    ),
    (r"(?://|#(?!\[))[^\n]*?(?=\?>|\n|\Z)", Comment.Single),  # it ends with the program
    (r"(?<![\w$>:\\])const(?=\s*(?:/[*/]|#(?!\[)))", Keyword),  # else it is a word before a name
)

_HOLE_OF_PHP: Final = r"\{(?=\$)|\$\{"

# Python's lexer ends a docstring, and a raw string of several lines, at an escaped quote.
_QUOTES: Final = (r"\\[\\'\"]", String.Escape)
_OF_PYTHON: Final = {
    "root": tuple(
        (
            rf"^(\s*)([rRuUbB]{{,2}})"
            rf"({sign * 3}(?:[^\\{sign}]+|\\[\s\S]|{sign}(?!{sign * 2}))*+{sign * 3})",
            by_groups(Whitespace, String.Affix, String.Doc),
        )
        for sign in "\"'"
    ),
    **dict.fromkeys(("tdqs", "tsqs", "tdqf", "tsqf"), (_QUOTES,)),
    "expr-inside-fstring": ((r"#.*", Comment.Single),),
    "numbers": ((r"\d(?:_?\d)*[jJ]", Number),),
    # Of a statement, a colon would follow.
    "soft-keywords": ((r"^([ \t]*)(match|case)\b(?=[^:\n]*$)", by_groups(Whitespace, Name)),),
}

# JavaScript's lexer decides by the place on the line and by words that are also names whether a
# slash divides. Behind a value it does; behind the condition of a statement it does not. Its
# strings go on to the next quote, though a quote alone on its line is text between tags.
_REGEX: Final = r"/(?![*/])(?:\\.|[^[/\\\n]|\[(?:\\.|[^\]\\\n])*\])+/"
_VALUES: Final = (
    (rf"\A(?=\s*{_REGEX})", Text, "slashstartsregex"),
    (r"\s+", Whitespace),
    (r"/(?![*/])=?", Operator, "slashstartsregex"),
    (r"(?<=[\w$)\]])(?:\+\+|--)", Operator),
    (r"=>", Punctuation, "slashstartsregex"),
    (r"\"(?:\\[\s\S]|[^\"\\\n])*\"|'(?:\\[\s\S]|[^'\\\n])*'", String),
    (r"[\"']", Punctuation),
    (r"\.(?![.\d])", Punctuation, "property"),
    (r"(?:async|of|static|super|this)\b(?=\s*/(?![*/]))", Keyword),
    (rf"\}}(?=\s*{_REGEX})", Punctuation, "slashstartsregex"),
    (
        rf"(?<![.\w$])(for|if|while|with)({GAP}*+)(await\b)?({GAP}*+)(\()",
        by_groups(Keyword, by_this, Keyword, by_this, Punctuation),
        ("condition", "slashstartsregex"),
    ),
)
_IN_JAVASCRIPT: Final = {
    **code_in_string("root", "slashstartsregex"),
    "interp": ((r"\$\{", String.Interpol, ("hole", "slashstartsregex")),),
    # Behind a dot any word is a name.
    "property": [
        include("commentsandwhitespace"),
        (r"[A-Za-z_$][\w$]*", Name.Other, "#pop"),
        default("#pop"),
    ],
    "condition": [
        (r"\(", Punctuation, ("brackets", "slashstartsregex")),
        (r"\)", Punctuation, ("#pop", "slashstartsregex")),
        (r"of\b", Keyword, "slashstartsregex"),
        include("root"),
    ],
    "brackets": [
        (r"\(", Punctuation, ("brackets", "slashstartsregex")),
        (r"\)", Punctuation, "#pop"),
        include("root"),
    ],
}

# Lua's strings in long brackets; an escape may stand for any character.
_LONG_STRING: Final = (r"\[(=*)\[(?:[\s\S]*?\]\1\]|[\s\S]*+)", String)
_OF_LUA: Final = {
    "base": (_LONG_STRING,),
    "expression": ((*_LONG_STRING, "#pop"),),
    "string_escape": ((r"\\[\s\S]", String.Escape),),
}

# Go reads one condition of compilation, before any code.
_OF_GO: Final = (
    (
        r"(\A(?:\s+|//(?!go:build\b)[^\n]*|/\*[\s\S]*?\*/)*+)(//go:build\b)",
        by_groups(by_this, Keyword),
    ),
)


# Comments that nest are read to the end of the outer one.
def _nested(signs: str, start: str, end: str) -> tuple[tuple[object, ...], ...]:
    text = (rf"[^{signs}]+", Comment.Multiline), (rf"[{signs}]", Comment.Multiline)
    return text[0], (start, Comment.Multiline, "#push"), (end, Comment.Multiline, "#pop"), text[1]


_NESTED: Final = _nested("*/", r"/\*", r"\*/")
_NESTED_IN_MODULA: Final = _nested("*()", r"\(\*", r"\*\)")
_NESTING: Final = ((r"/\*", Comment.Multiline, "nested"),)
_NESTING_OR_BLANK: Final = (*_NESTING, *_COMMENTS[1:])

# Conditions of compilation are code (see ``frontends/symbols``), with all that a lexer reads as
# part of their line. Lines that only number or label others are left out.
_CONDITION: Final = by_groups(Operator, Whitespace, Keyword)
# Words and a bracket at the start of a line are the head of a method to C#'s lexer, as in ``else if
# (a)``; but no method has the name of a reserved word.
_RESERVED_IN_CSHARP: Final = (
    "and|await|base|bool|byte|case|catch|char|checked|decimal|default|delegate|double|false|fixed"
    "|float|for|foreach|if|in|int|is|lock|long|new|not|null|object|or|out|return|sbyte|short|sizeof"
    "|stackalloc|string|switch|this|throw|true|typeof|uint|ulong|unchecked|ushort|using|while"
)
_OF_CSHARP: Final = (
    (rf"^[ \t]*(?:@?[^\W\d]\w*(?:\[\])?\s+){{1,12}}?(?=(?:{_RESERVED_IN_CSHARP})\s*\()", by_this),
    (r"(#)([^\S\n]*)((?:if|elif|else|endif|define|undef)\b)", _CONDITION),
    (r"#[^\S\n]*(?:line|nullable)\b[^\n]*", Comment.Preproc),
    *CONTEXTUAL["csharp"],
)
_OF_VERILOG: Final = (
    (r"`(?:define|else|elsif|endif|ifn?def|undef)\b", Keyword),
    (r"`line\b[^\n]*", Comment.Preproc),
)
_OF_SWIFT: Final = (
    (r"(#)()((?:if|elseif|else|endif|(?:un)?available)\b)", _CONDITION),
    (r"#sourceLocation\([^()\n]*\)", Comment.Preproc),
    *CONTEXTUAL["swift"],
)

# A regular expression starts where an operator before a value may, and neither starts nor ends
# with a blank; ``reduce(0, /)`` passes the operator.
_REGEX_OF_SWIFT: Final = r"(?<![^\s(\[{,;:!])/(?![/*\s)])(?:\\.|[^\\/\n])*+(?<!\s)/"

# Texts in three quotes, which contain single ones.
_IN_THREE_QUOTES: Final = (r"\"{3}(?:\\[\s\S]|(?!\"{3})[\s\S])*+\"{3}", String)
# Extensions of Haskell: without them, ``[a|a<-b]`` is a list, and ``"""`` is not one quote.
_QUOTING: Final = (
    r"\{-#\s*LANGUAGE\b[^#]*\b(?:MultilineStrings|QuasiQuotes)\b[^#]*#-\}",
    Comment.Multiline,
    "quoting",
)
_QUASI_QUOTE: Final = (
    r"\[(?![edpt]\|)(?:[A-Z][\w']*\.)*[a-z_][\w']*\|(?:[^|]|\|(?!\]))*+\|\]",
    String,
)

# A member of a tuple in a tuple, as in ``x.0.1``.
_MEMBER: Final = (r"(?<=[\w)\]]\.)\d+", Number)

# A name in backticks can contain anything.
_QUOTED: Final = r"`[^`\n]+`"

# Operators of Fortran in dots; the lexer reads the first dot as a sign of its own.
_DOTTED: Final = r"\.(?:and|eqv?|false|g[et]|l[et]|neq?v?|not|or|true)\."


@cache
def _free_form_lexer() -> Lexer:
    return patched(type(get_lexer_by_name("fortran")))()


def _free_form(_: Lexer, match: re.Match[str], __: object = None) -> Iterator[Token]:
    for place, kind, value in _free_form_lexer().get_tokens_unprocessed(match[0] + "\n"):
        if value.strip("\n"):
            yield match.start() + place, kind, value.strip("\n")


# Rules to be tried before a state's own, if there is one, by lexer and state.
_FIRST: Final[Mapping[str, Mapping[str, Sequence[object]]]] = {
    **dict.fromkeys(C_FAMILY, OF_C),
    "awk": {
        "root": (
            (r"(?<=[\w)\]])(?:\+\+|--)", Operator),
            (r"@(?=/)", Operator, "slashstartsregex"),
            (r"printf?\b", Keyword, "slashstartsregex"),
        )
    },
    "ada": {
        "formal_part": ((r"(?:access|in|not|null|out)\b", Keyword),),
        "root": ((r"(?<=\w)'(?=\()", Punctuation),),  # ``T'('x')`` has one character
    },
    "bash": {
        "root": (
            *_VARIABLES,
            *HERE,
            (r"<<(?=\d|[^\n]*\])", Operator),
            (r"\$?\"", String, "string"),
        ),
        "declared": _DECLARED,
        "string": ((r"`", String.Backtick, "backticks"), (r"(?:\\[\s\S]|[^\"\\$`])+", String)),
        **dict.fromkeys(("paren", "subshell"), _SUBSHELL),
        "choice": ((r"esac\b", Keyword, "#pop"), include("root")),
        **here(include("interp"), (r"`", String.Backtick, "backticks")),
    },
    "coffeescript": {
        "root": (
            (r"\((?=[^()]*\)\s*[-=]>)", Punctuation),
            (r"[-=]>", Operator, "slashstartsregex"),
        ),
        **code_in_string("root", "slashstartsregex", name="interpoling_string"),
    },
    "csharp": {
        "root": (
            *INTERPOLATED,
            (r"\$*(\"{3,})(?:(?!\1)[\s\S])*+\1\"*", String),
            *_OF_CSHARP,
            *_BEFORE_COMMENT,
            (r"\b(?:struct|using)(?=/\*)", Keyword),
        ),
        "class": _COMMENTS,
        "namespace": (*_COMMENTS, _SPLIT_NAME),
        **STRINGS_OF_NET,
    },
    "cr": {
        "root": HERE,
        "simple-backtick": _ESCAPED_BACKTICK,
        **here(include("string-intp")),
    },
    "elm": {"root": (_IN_THREE_QUOTES, (r"'(?:\\(?:u\{[0-9a-fA-F]+\}|.)|[^'\\\n])'", String.Char))},
    "erlang": {
        "root": (
            (r"(?:~[BSbs]?)?\"{3,}[^\"\n]*\n(?:[\s\S]*?\n)??\s*\"{3,}", String),
            *SIGILS,
            (r"\$\\\^.", String.Char),
            (r"^(-)(\s*)((?:elif|else|endif|if(?:n?def)?|undef)\b)", _CONDITION),
        )
    },
    "fsharp": {
        "comment": (
            (r"@\"(?:[^\"]|\"\")*+\"", Comment),
            (r"\"{3}[\s\S]*?\"{3}|\"(?:\\[\s\S]|[^\"\\])*+\"", Comment),
            (r"'(?:\\.|[^'\\\n])'|'|[^(*)@\"']+", Comment),
        ),
        "root": (
            (
                r"\b(module|namespace|open)(\s*\(\*[\s\S]{0,1000}?\*\)\s*)([\w.]+)",
                by_groups(Keyword, Comment, Name.Namespace),
            ),
            *INTERPOLATED,
            (
                r"\b(?:let!?|type)"
                r"(?=\s*\(\*|\s+(?:inline|internal|mutable|private|public|rec)\b)",
                Keyword,
            ),
        ),
        **STRINGS_OF_NET,
    },
    "haskell": {
        **dict.fromkeys(
            ("import", "module"),
            (
                (r"\{-", Comment.Multiline, "comment"),
                (r"--+(?![!#$%&*+./<=>?@\\^|~:-]).*", Comment.Single),
            ),
        ),
        "root": (
            (r"^(#)([^\S\n]*)((?:if(?:n?def)?|elif|else|endif|define|undef)\b)", _CONDITION),
            _QUOTING,
        ),
        "string": ((r"\\\s+\\", String.Escape),),
        "quoting": (_IN_THREE_QUOTES, _QUASI_QUOTE, include("root")),
    },
    "julia": {
        "root": (
            (r"mutable(?=\s*#=(?:[^=]|=(?!#)){0,1000}+=#\s*struct\b)", Keyword),
            (r"(?:mutable[ \t]+)?struct\b(?=\s*#)", Keyword),
        )
    },
    "ocaml": {
        "root": ((r"\{(?:%[\w.%]+\s*)?([a-z_]*)\|[\s\S]*?\|\1\}", String),),
        "comment": (
            (r"[^(*)\"'{]+", Comment),
            (r"\"(?:\\[\s\S]|[^\"\\])*+\"", Comment),
            (r"'(?:\\[^'\n]+|[^'\\\n])'", Comment),
            (r"\{([a-z_]*)\|[\s\S]*?\|\1\}", Comment),
            (r"[\"'{]", Comment),
        ),
    },
    "octave": {
        "root": (
            (r"\.\.\.[^\n]*", Comment),
            (r"(?<=\})'+", Operator),
            (r"\"(?:\\[^\"\n]|\\\"(?![ \t]*(?:[]),;}]|$))|\"\"|\\(?=\")|[^\"\\\n])*\"", String),
        ),
        **dict.fromkeys(
            ("percentblockcomment", "hashblockcomment"),
            ((r"^[ \t]*[%#]\{[ \t]*$", Comment.Multiline, "#push"),),
        ),
    },
    "prolog": {
        "root": (
            (r"`(?:\\.|``|[^`\\])*+`", String),
            (r"'(?:\\[\s\S]|''|[^'\\])*+'", String.Atom),
            (r"0'\\(?:x[0-9a-fA-F]+\\?|[0-7]+\\?|.)", String.Char),
        )
    },
    "rust": {
        "base": (
            (r"c(?=r?#*\")", String.Affix),
            _MEMBER,
            (r"r#[^\W\d]\w*", Name),
            (r"(#!?\[)(\s*)(cfg(?:_attr)?)(?=\()", _CONDITION),
        ),
        "attribute[": (
            (r"\br(#*)\"[\s\S]*?\"\1|'(?:\\.[^'\n]*|[^'\\])'|[^\"\][r']+|[r']", Comment.Preproc),
        ),
        "typename": (*_NESTING, _COMMENTS[1]),
        "nested": _NESTED,
    },
    "solidity": {
        "root": (
            (r"\bcontract\b(?=\s*/[*/])", Keyword),
            (
                rf"\b(?:address|bool|(?:bytes|int|string|uint)\d*)\b(?=\s+{OF_SOLIDITY})",
                Keyword.Type,
            ),
            (OF_SOLIDITY, Keyword),
        )
    },
    "splus": {
        "statements": ((r"[rR]([\"'])(-*)(?:\([\s\S]*?\)|\[[\s\S]*?\]|\{[\s\S]*?\})\2\1", String),)
    },
    "swift": {
        "root": (
            (r"(#+)/(?:[^\S\n]*\n[\s\S]*?\n[^\S\n]*|[^\n]*?)/\1", String.Regex),
            *((end[::-1], String, end) for end in RAW_OF_SWIFT),
            (_QUOTED, Name),
            (_REGEX_OF_SWIFT, String.Regex),
            _MEMBER,
            *_OPERATORS,
            *_OF_SWIFT,
        ),
        **RAW_OF_SWIFT,
        # The lexer's module name ends at the line end, which a comment consumes: all names and
        # keywords after ``import Foundation // for dates`` would be part of that name.
        "module": ((r"[a-zA-Z_]\w*", Name.Class), (r"[^\S\n]+", Whitespace), default("#pop")),
    },
    "tcl": {
        "basic": (
            (r"\\.|\{\"\}|\"(?=\}[^\"\n]*$)|(?<=\w\()\"(?=[^\"\n]*\))", Text),
            (r"(?<![\s\[({;\"])\"", Text),
        ),
        "params": ((r"[^\S\n]+", Whitespace),),  # a command ends with its line
        "string": ((r"\[", Keyword, "bracket"),),
        "brace": ((r"(?:eq|in|ne|ni)(?=\s+[\[$\"{])", Operator.Word),),
    },
    "vala": {
        "statements": ((r"\b(?:class|interface|namespace|var)(?=/\*)", Keyword),),
        **dict.fromkeys(("class", "namespace"), _COMMENTS),
    },
    "vhdl": {"root": ((r"(?<![\w)])'.'", String.Char),)},
    "vb.net": {
        "root": (
            (r"\$\"", String, "verbatim"),
            (r"(?<=\s)_[^\S\n]*\n", Text),
            (r"\[[^\W\d]\w*\]", Name),
            (r"&[hob][\da-f_]+\w*", Number),
            (r"#(?:Else)?If\b(?:\"[^\"\n]*\"|[^\n'\"])*+", Comment.Preproc),
        ),
        **STRINGS_OF_NET,
    },
    "dart": {
        "root": (*_NESTING, *_BEFORE_COMMENT, (r"mixin(?=/\*)", Keyword), *CONTEXTUAL["dart"]),
        "class": _NESTING_OR_BLANK,
        "import_decl": _NESTING_OR_BLANK,
        "nested": _NESTED,
        "string_common": ((r"\$\{", String.Interpol, "hole"),),
        **code_in_string(),
    },
    "fortran": {
        "strings": ((r"'[^']*'|\"[^\"]*\"", String),),
        "core": (
            (r"&[^\S\n]*(?:![^\n]*)?\n(?:[^\S\n]*(?:![^\n]*)?\n)*[^\S\n]*&?", Comment),
            (
                r"\b(else|end|go)(do|function|if|module|program|select|subroutine|to|type|where)\b",
                by_groups(Keyword, Keyword),
            ),
            (rf"\d+(?={_DOTTED})", Number),
            (_DOTTED, Operator.Word),
            (
                r"\b(intent)(\s*)(\()(\s*)(in\s*out|in|out)(?=\s*\))",
                by_groups(Keyword, Whitespace, Punctuation, Whitespace, Operator.Word),
            ),
        ),
    },
    "fortranfixed": {
        "code": ((r".{1,66}", _free_form), (r".+", Comment), (r"\n", Whitespace, "root"))
    },
    "go": {"root": _OF_GO},
    "javascript": {
        "root": (*_VALUES, *_OF_TYPESCRIPT, *CONTEXTUAL["javascript"]),
        "slashstartsregex": (*_TAG, (rf"{_REGEX}[dgimsuy]*v[dgimsuy]*\b", String.Regex, "#pop")),
        **_IN_JAVASCRIPT,
    },
    "groovy": {
        "base": (
            (r"\"{3}", String, "text"),
            (r"\"", String, "line"),
            (r"\$/", String, "dollars"),
            (r"\b(?:class|def|interface|trait|var)(?=/\*)", Keyword),
            (
                r"(?<=[\w)\]])(?<!\bcase)(?<!\bin)(?<!\breturn)([^\S\n]*)(/=?)(?![/*])",
                by_groups(Whitespace, Operator),
            ),
            (r"/(?![/*])(?=(?:\\.|[^/\\])*/)", String, "slashes"),
        ),
        **STRINGS_OF_GROOVY,
        **dict.fromkeys(("class", "import"), _COMMENTS),
    },
    "luau": _OF_LUA,
    "java": {
        **dict.fromkeys(("class", "module", "var"), _COMMENTS),
        "import": (*_COMMENTS, _SPLIT_NAME),
        "root": ((r"(\.)(class|new|super|this)\b", by_groups(Punctuation, Keyword)),),
    },
    "kotlin": {
        **dict.fromkeys(
            ("class", "function", "variable"),
            (*_NESTING_OR_BLANK, (rf"{_QUOTED}(?!\.)", Name, "#pop")),
        ),
        **dict.fromkeys(
            ("destructuring_assignment", "generic"), (*_NESTING_OR_BLANK, (_QUOTED, Name))
        ),
        # Before a comment, a modifier is no part of the declaration behind it.
        "root": (
            *_NESTING,
            *_BEFORE_COMMENT,
            *CONTEXTUAL["kotlin"],
            (_QUOTED, Name),
            (r"\d[\d_]*(?=\.\.)", Number),
            (r"(?:import|package)\b(?=\s*/[*/]|[ \t]+[\w.`*\t ]{1,200}/[*/])", Keyword),
            (
                r"(?:abstract|annotation|companion|const|data|enum|final|infix|inline|inner|internal"
                r"|lateinit|open|operator|override|private|protected|public|sealed|suspend)\b"
                r"(?=\s*/[*/]|\s+(?:class|fun|va[lr])/\*)",
                Keyword,
            ),
        ),
        "nested": _NESTED,
        # A raw string has no escapes, and the quotes before its last three are its own.
        "multiline_string": (
            (r'"{3,}', String, "#pop"),
            (r"\$\{", String.Interpol, "interpolation"),
            (rf"(\$)(\w+|{_QUOTED})", by_groups(String.Interpol, Name)),
            (r'[^"$]+|["$]', String),
        ),
        "string_common": (ESCAPE, (rf"(\$)({_QUOTED})", by_groups(String.Interpol, Name))),
        **code_in_string(name="interpolation"),
    },
    "modula2": {
        "root": ((r"\(\*", Comment.Multiline, "nested"),),
        "nested": _NESTED_IN_MODULA,
    },
    "perl": {"root": OF_PERL, **STRINGS_OF_PERL},
    "powershell": dict.fromkeys(
        ("root", "child"),
        (
            *CONTEXTUAL["powershell"],
            (r"\$\{[^}\n]+\}", Name.Variable),
            (r"(?<![\w$.-])\d\w*(?:\.\d\w*)?", Number),
        ),
    ),
    "python": _OF_PYTHON,
    "php": {
        "php": (
            (r"[])(,;](?=[])}])", Punctuation),
            (r"`", String, "backtick"),
            *_OPERATORS,
            *_OF_PHP,
            *_BEFORE_COMMENT,
            (r"\bnew(?=\s*/[*/])", Keyword),
            (
                r"\bclass(?=(?:\s|/\*(?:[^*]|\*(?!/)){0,1000}+\*/)*+"
                r"(?:extends\b|implements\b|[({]))",
                Keyword,
            ),
        ),
        **dict.fromkeys(("classname", "functionname"), _COMMENTS),
        **code_in_string("php"),
        "string": ((_HOLE_OF_PHP, String.Interpol, "hole"),),
        "backtick": string_with_code("`", _HOLE_OF_PHP),
    },
    "rexx": {"root": _NESTING, "nested": _NESTED},
    "ruby": {
        "root": _OF_RUBY,
        "simple-backtick": _ESCAPED_BACKTICK,
        "simple-string-single": ((r"\\[\s\S]|[^'\\]+", String.Single),),
        **here(include("string-intp")),
    },
    "sas": {"root": OF_SAS, "numbers": ((r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", Name),)},
    "scheme": {"value": (*_CHARACTERS, _SYMBOL_IN_BARS)},
    "systemverilog": {"root": _OF_VERILOG},
    "scala": {
        "root": (*_OPERATORS, *_BEFORE_COMMENT, (r"\b(?:enum|type)(?=/\*)", Keyword)),
        "strings": (
            (r"[a-z]\w*\"{3}", String, "interpolated-string-triple"),
            (r"[a-z]\w*\"", String, "interpolated-string"),
        ),
        "interpolated-string-triple": ((r"\\", String),),
        "interpolated-string-common": ((r"\$[\"$]", String),),
    },
}

# Lexers that read a word as what it is only before a blank, not at the end of its line.
_BEFORE_BLANKS: Final = frozenset({"clojure", "fennel", "hylang"})
_END_OF_WORD: Final = r"(?=[\s()\[\]{}\"';]|\Z)"


def patched(own: type[Lexer]) -> type[Lexer]:
    """Return the lexer, or a subclass of it."""
    name = own.aliases[0]
    if name not in _FIRST and name not in _BEFORE_BLANKS:
        return own
    tokens = _with_first(own, _FIRST.get(name, {}))
    if name in _BEFORE_BLANKS:
        states = cast("dict[str, Sequence[object]]", {**cast("Any", own).tokens, **tokens})
        tokens = {state: [_to_end_of_word(rule) for rule in states[state]] for state in states}
    return type(own.__name__, (own,), {"tokens": tokens})


def _with_first(own: type[Lexer], first: Mapping[str, Sequence[object]]) -> dict[str, object]:
    """Return a lexer's states with additional rules first, including those of its variants."""
    if not getattr(own, "token_variants", False):
        return _put_before(cast("Any", own).get_tokendefs(), first)
    variants = cast("Any", own).tokens.items()
    return {name: {**states, **_put_before(states, first)} for name, states in variants}


def _put_before(
    states: Mapping[str, Sequence[object]], first: Mapping[str, Sequence[object]]
) -> dict[str, object]:
    return {name: [*rules, *states.get(name, ())] for name, rules in first.items()}


def _to_end_of_word(rule: object) -> object:
    match rule:
        case (words(words=known, suffix=" "), kind):
            return words(known, suffix=_END_OF_WORD), kind
    return rule
