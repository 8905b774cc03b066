"""Lexers for families of dialects of which Pygments' read one only, and rules for its lexers."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, cast

from pygments.lexer import Lexer, LexerContext, RegexLexer, bygroups, default, include, this, using
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Other,
    Punctuation,
    String,
    Text,
    Whitespace,
    _TokenType,
)

by_groups = cast("Callable[..., object]", bygroups)
by_this = cast("Callable[..., object]", using)(this)

Token = tuple[int, _TokenType, str]
Rules = Sequence[object]
States = Mapping[str, Rules]

_TOKENS_OF_ASSEMBLY: Final = re.compile(
    r"""
    (?P<comment> /\*[\s\S]*?(?:\*/|\Z) | //[^\n]* | ^\*[^\n]* )
    | (?P<directive>
        ^[ \t]*\#[ \t]*(?:define|el(?:if|se)|endif|if\w*|include|undef|warning)\b[^\n]* )
    | (?P<end> \n )
    | (?P<blank> [^\S\n]+ )
    | (?P<string> "(?:\\.|[^"\\\n])*" | (?<!\w)'(?:\\.|[^'\\\n])+' )
    | (?P<number> (?:0[xX]|[$&](?=[0-9]))[0-9a-fA-F]+\b | [xX][0-9a-fA-F]{4}\b
        | (?<![\w)])%[01]+\b | \d\w*(?:\.\d+)?(?=[^\w:]|$) )
    | (?P<label> (?:[.$@?]{0,2}[A-Za-z_]|\d)[\w.$?@~]*[ \t]*:(?!=) )
    | (?P<mark> [;@|!] | \#+ )
    | (?P<word> [%$\\]?[.@?]{0,2}[A-Za-z_$?][\w.$?@~]* | [%$]\d+ )
    | (?P<sign> [\s\S] )
    """,
    re.VERBOSE | re.MULTILINE,
)
_KINDS_OF_ASSEMBLY: Final = {
    "alone": Name.Function,
    "blank": Whitespace,
    "comment": Comment,
    "directive": Comment.Preproc,
    "end": Whitespace,
    "label": Name.Label,
    "number": Number,
    "opcode": Name.Function,
    "prefix": Name.Function,
    "sign": Punctuation,
    "string": String,
    "word": Name.Variable,
}
_APART: Final = frozenset({"", " ", "\t", "\n"})
# What is a comment for at least one assembler, and no operand for any.
_LIKELY_COMMENT: Final = re.compile(
    r"/\*[\s\S]*?(?:\*/|\Z)|(?:;|//|[#@|!][ \t]|^[ \t]*#|^\*).*", re.MULTILINE
)
_OPERANDS: Final = re.compile(r"^[ \t]*(?:[\w.$?@]+:[ \t]*)?[^\s:]+[ \t]+(\S.*)", re.MULTILINE)
_OPERAND: Final = re.compile(r"[.@?]{0,2}[A-Za-z_$?][\w.$?@~]*")
_INDENTED_WORD: Final = re.compile(
    r"^(?:[ \t]+|[\w.$?@]+:[ \t]*)([.%]?[A-Za-z][\w.]*)", re.MULTILINE
)
_BEHIND_LABEL: Final = re.compile(
    r"[ \t]*(?:=|([.%]?[A-Za-z][\w.]*)([ \t]+(?:[^\s,;=#@|!/]|#[-$%<>\d]))?)"
)
_COLON: Final = re.compile(r"^[ \t]*[\w.$?@]+:(?!=)", re.MULTILINE)
_END_OF_STATEMENT: Final = re.compile(r"[ \t]*(?:[;\n]|\Z|/[/*]|[#@|!][ \t])")
_DATA: Final = frozenset(
    {"db", "dc", "dcb", "dcd", "dcw", "dd", "dq", "ds", "dt", "dw"}
    | {"endp", "ends", "equ", "macro", "proc", "rn"}
)
# Directives of NASM, MASM and Arm's assembler, which may begin a line, where labels do.
_DIRECTIVE_WORDS: Final = """
    .bss .code .data .text absolute align area assume bits common cpu default end endif entry export
    extern extrn get global if import incbin include includelib istruc org preserve8 public section
    segment static struc thumb times title
"""
_DIRECTIVES: Final = frozenset(_DIRECTIVE_WORDS.split())
_SIZES: Final = frozenset(
    {"byte", "dword", "far", "near", "offset", "ptr", "qword", "short", "tbyte", "word"}
)
# After these, an instruction follows; and these have no operand, so that a ``#`` starts a comment.
_PREFIXES: Final = frozenset({"lock", "rep", "repe", "repne", "repnz", "repz"})
_ALONE: Final = frozenset({"cdq", "cltd", "hlt", "leave", "nop", "ret", "syscall", "ecall"})
# An instruction with operands behind a semicolon, where no line starts with one: a separator.
_SEPARATED: Final = re.compile(
    r";[ \t]*[a-z]\w*(?:[ \t]+[-#$%(\[]?\w[^\s,;]*)?(?:[ \t]*,[^,;\n]+)*[ \t]*(?=;|$)", re.M
)
_OF_GAS: Final = re.compile(
    r"^[ \t]*\.(?:globl|global|section|text|type|align|intel_syntax)\b", re.M
)
# What marks a file as one for C's preprocessor; ``#if (a < b)`` alone may be a comment.
_PREPROCESSED: Final = re.compile(
    r"""
    ^\#[ \t]* include [ \t]* [<"]
    | (?: ^\#[ \t]* (?:ifn?|un)def [ \t]+ \w+
        | ^\#define [ \t]+ \w+ [ \t]+ (?: [^\w\s]\S* | \w*\d\w* )
        | ^\#if [ \t]+ [A-Z][A-Z\d]*_[A-Z\d_]+ ) [ \t]* (?: $ | /[/*] )
    | ^\#define [ \t]+ \w+ \( | ^\#if [ \t]+ !?defined\b
    """,
    re.MULTILINE | re.VERBOSE,
)
_LINE_MARK: Final = {mark: re.compile(rf"^[ \t]*{re.escape(mark)}", re.MULTILINE) for mark in ";|!"}


class AssemblyLexer(Lexer):
    """Assembly of any processor: labels, mnemonics, operands; comments by how the file uses signs.

    ``;``, ``@``, ``#``, ``|`` and ``!`` start comments for some assemblers. For others they are
    parts of operands: but no operand follows another without a comma.
    """

    name = "Assembly"
    aliases: ClassVar = ["gas"]
    filenames: ClassVar = ["*.s", "*.asm"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield the tokens of a text."""
        reader = _AssemblyReader(text)
        while reader.place < len(text):
            yield reader.next_token()


class _AssemblyReader:
    """What is known of a text in assembly, and how far it was read."""

    def __init__(self, text: str) -> None:
        self.place = 0
        self._text = text
        self._marks = {mark for mark, line in _LINE_MARK.items() if line.search(text)}
        is_of_gas = ";" not in self._marks and _OF_GAS.search(text) is not None
        self._is_preprocessed = _PREPROCESSED.search(text) is not None
        self._separates = is_of_gas and _SEPARATED.search(text) is not None
        code = _LIKELY_COMMENT.sub("", text).lower()
        self._opcodes = set(_INDENTED_WORD.findall(code))
        self._operands = set(_OPERAND.findall("\n".join(_OPERANDS.findall(code))))
        self._needs_colons = not self._opcodes or _COLON.search(code) is not None
        self._line, self._group, self._last = 0, "end", ""

    def next_token(self) -> tuple[int, _TokenType, str]:
        """Return the token at the current place, and go behind it."""
        start = self.place
        found = cast("re.Match[str]", _TOKENS_OF_ASSEMBLY.match(self._text, start))
        group, value = found.lastgroup or "", found.group()
        if group == "directive" and not self._is_preprocessed:
            group = "comment"
        elif group == "mark":
            group, value = self._of_mark(value)
        elif group == "word" and self._group in ("end", "label", "prefix"):
            group = self._of_first_word(value, found.end())
        self.place += len(value)
        if value == "\n":
            self._line = self.place
        if group not in ("blank", "comment", "directive"):
            self._group, self._last = group, value[-1]
        return start, _KINDS_OF_ASSEMBLY.get(group, Punctuation), value

    def _of_mark(self, mark: str) -> tuple[str, str]:
        if mark == ";" and self._separates:
            return "end", mark
        if not self._is_comment(mark):
            return "mark", mark
        stop = self._text.find("\n", self.place)
        return "comment", self._text[self.place : None if stop < 0 else stop]

    def _is_comment(self, mark: str) -> bool:
        """Return whether the rest of the line is a comment: behind an operand, or as in others."""
        behind = self._text[self.place + len(mark) : self.place + len(mark) + 1]
        is_apart = self._text[self.place - 1 : self.place] in _APART or not self.place
        if mark in ("|", "!"):
            return is_apart and mark in self._marks
        if mark == ";" or self._group in ("end", "label", "alone"):
            return True
        is_operand = self._group in ("word", "number", "string") or self._last in ")]}"
        return is_apart and (is_operand or behind in _APART)

    def _of_first_word(self, value: str, stop: int) -> str:
        word = value.lower()
        if self.place == self._line and self._is_label(word, stop):
            return "label"
        return "prefix" if word in _PREFIXES else "alone" if word in _ALONE else "opcode"

    def _is_label(self, word: str, stop: int) -> bool:
        """Return whether a word at the start of a line, without a colon, is a label."""
        if word[0] in "%\\" or word in self._opcodes or word in _PREFIXES or word in _ALONE:
            return False
        found = _BEHIND_LABEL.match(self._text, stop)
        if found is None:
            is_known = word in self._operands or not (self._needs_colons or word[0] == ".")
            is_alone = _END_OF_STATEMENT.match(self._text, stop) is not None
            return is_known and is_alone and word not in _DIRECTIVES
        second, has_operand = (found[1] or "=").lower(), found[2] is not None
        if word in _DIRECTIVES:
            return second in _DATA or (second in self._opcodes and has_operand)
        is_opcode = second[0] in "=." or second in _DATA or second in self._opcodes
        return is_opcode or (has_operand and second not in _SIZES)


_AT_RULES: Final = (
    "media|import|use|forward|extend|if|else|each|for|while|return|charset|"
    "font-face|(?:-[a-z]+-)?keyframes|supports|page|layer|container"
)


class StylesheetLexer(RegexLexer):
    """CSS and its supersets: names are classes, identifiers and variables; other words count."""

    name = "CSS"
    aliases: ClassVar = ["css"]
    filenames: ClassVar = ["*.css", "*.scss", "*.less"]
    tokens: ClassVar = {
        "root": [
            (r"\s+", Whitespace),
            (r"/\*[\s\S]*?(?:\*/|\Z)", Comment),
            (r"(?<![:\w])//[^\n]*", Comment),
            (r"\"(?:\\[\s\S]|[^\"\\\n])*\"|'(?:\\[\s\S]|[^'\\\n])*'", String),
            (r"url\([^()\"'\n]*\)", String),
            (r"#[0-9a-fA-F]{3,8}\b(?=[ \t]*[;,)!}\n]|[ \t]+[\w#$.-])(?![^;{}]{0,200}\{)", Number),
            (r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?(?:%|[a-zA-Z]+)?", Number),
            (r"@(?:mixin|include|function)\b", Keyword, "named"),
            (rf"@(?:{_AT_RULES})\b", Keyword),
            (r"(?:[$@.#%]|--)-?[a-zA-Z_][\w-]*", Name.Class),
            (r"-?[a-zA-Z_][\w-]*", Keyword),
            (r"[\s\S]", Punctuation),
        ],
        "named": [
            (r"\s+", Whitespace),
            (r"/\*[\s\S]*?(?:\*/|\Z)|//[^\n]*", Comment),
            (r"[\w-]+", Name, "#pop"),
            default("#pop"),
        ],
    }


# Only these words form statements: the words reserved by the dialects, except types. Hundreds more
# are keywords of one dialect and names of columns in another, such as ``level`` and ``position``.
_RESERVED_IN_SQL: Final = """
    all alter and any as asc begin between by call case check close commit constraint create cross
    cursor declare default delete desc distinct do drop each else elseif elsif end except execute
    exists fetch for foreign from full function grant group having if in inner insert intersect
    into is join leave left like limit loop merge natural not null offset on open or order outer
    over partition primary procedure recursive references repeat return returns revoke right
    rollback select set some table then to trigger truncate union unique until update using values
    view when where while window with
"""


# Words that are names elsewhere.
_MEANT_IN_SQL: Final = (
    r"cascade|restrict|(?:groups|range|rows)(?=\s+(?:between|current|unbounded|\d))"
    r"|(?:after|before)(?=\s+(?:delete|insert|update)\b)|(?:both|leading|trailing)(?=\s+(?:from\b|'))"
    r"|(?:avg|count|cube|max|min|rollup|sum)(?=\s*\()"
)
# A quote behind a backslash ends a text, in all dialects but MySQL's, before these.
_NO_END: Final = r"(?![ \t]*(?:[,;)]|$|\|\||(?:and|as|else|end|from|or|then|when)\b))"
_WORD_BEHIND: Final = by_groups(Whitespace, Keyword)
_QUOTED: Final = by_groups(Comment, Name, Comment)


class SqlLexer(RegexLexer):
    """SQL in every dialect: a name in quotes is a name, and bodies in dollar signs are code."""

    name = "SQL"
    aliases: ClassVar = ["sql"]
    filenames: ClassVar = ["*.sql"]
    flags = re.IGNORECASE | re.MULTILINE
    tokens: ClassVar = {
        "root": [
            (r"(?:(?<=\d)|(?<=unbounded))(\s+)(following|preceding)\b", _WORD_BEHIND),
            (r"(?<=nulls)(\s+)(first|last)\b", _WORD_BEHIND),
            (r"\s+", Whitespace),
            (r"--[^\n]*", Comment),
            # MySQL executes the text after the exclamation mark, and its comments start with ``#``,
            # which elsewhere is an operator or part of a name.
            (r"/\*M?!\d*", Comment),
            (r"/\*[\s\S]*?(?:\*/|\Z)", Comment),
            (r"\*/", Comment),
            (r"^[ \t]*#[^\n]*|(?:(?<=[;,)] )|(?<=[;,)]\t))#[^\n]*|#(?=[ \t])[^\n]*", Comment),
            (r"n?q'(?:\[.*?\]|\{.*?\}|\(.*?\)|<.*?>|(\S).*?\1)'", String),
            (rf"[nexb]?'(?:''|\\'{_NO_END}|\\[^']|[^'\\]|\\(?='))*'", String),
            # A text with a quote in it, which no body of a function has alone.
            (r"\$\w*\$[^'$;\n]*'[^'$;\n]*\$\w*\$", String),
            (r"\$\w*\$", Comment),
            # The quotes of a name say nothing: it is the same without.
            (r"(`)((?:[^`\n]|``)+)(`)", _QUOTED),
            (r"(\")([\w @$#.-]+)(\")", _QUOTED),
            (r"(?<![\w\]])(\[)([a-z_@#](?:[^\[\],;\n]|\]\])*)(\])", _QUOTED),
            (r"\"(?:\"\"|\\.|[^\"\\])*\"", String),
            (r"(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\b", Number),
            (rf"(?:{_MEANT_IN_SQL})(?![\w$#])", Keyword),
            (rf"(?:{'|'.join(_RESERVED_IN_SQL.split())})\b(?![$#])", Keyword),
            (r"[@#:$]{0,2}[^\W\d][\w$#]*|[@$:]\d+", Name),
            (r"[-+*/%<>=!|&^~]", Operator),
            (r"[\s\S]", Punctuation),
        ]
    }


LEXERS: Final[dict[str, type[Lexer]]] = {
    "css": StylesheetLexer,
    "gas": AssemblyLexer,
    "sql": SqlLexer,
}
"""The lexers by the name of the language that they read."""


# --- strings with code in them -------------------------------------------------------------------

# Code in a string goes up to the bracket that ends it, whatever brackets and strings are in it.
ESCAPE: Final = (r"\\[\s\S]", String.Escape)
LITERAL: Final = (r"\w[\w ]*|[\s\S]", String)
_WITHIN_LINE: Final = r"\"|(?=\n)"


def string_with_code(end: str, hole: str, escape: str = ESCAPE[0], inside: str = "hole") -> Rules:
    """Return the rules of a string in which a sign begins code."""
    begin = (hole, String.Interpol, inside)
    return (escape, String.Escape), begin, (end, String, "#pop"), LITERAL


def code_in_string(
    root: str = "root", *behind: str, end: str = r"\}", name: str = "hole"
) -> States:
    """Return the states of code in a string, and of blocks in it."""
    opening = (r"\{", Punctuation, ("block", *behind))
    return {
        name: (opening, (end, String.Interpol, "#pop"), include(root)),
        "block": (opening, (r"\}", Punctuation, "#pop"), include(root)),
    }


STRINGS_OF_GROOVY: Final = {
    **code_in_string("base"),
    "text": string_with_code(r"\"{3}", r"\$\{"),
    "line": string_with_code(_WITHIN_LINE, r"\$\{"),
    "slashes": string_with_code("/", r"\$\{", r"\\/"),
    "dollars": string_with_code(r"/\$", r"\$\{", r"\$[$/]"),
}
STRINGS_OF_NET: Final = {
    **code_in_string(),
    "line": string_with_code(_WITHIN_LINE, r"\{", r"\\.|\{\{"),
    "verbatim": string_with_code(r"\"", r"\{", r"\"\"|\{\{"),
    **{f"raw{n}": string_with_code(r"\"{3,}", r"\{" * n, "(?!)", f"hole{n}") for n in (1, 2, 3)},
    **{f"hole{n}": code_in_string(end=r"\}" * n)["hole"] for n in (1, 2, 3)},
}
INTERPOLATED: Final = (
    *((rf"\${{{n}}}\"{{3}}(?!\")", String, f"raw{n}") for n in (1, 2, 3)),
    (r"\$\"(?!\"\")", String, "line"),
    (r"(?:\$@|@\$)\"", String, "verbatim"),
)
RAW_OF_SWIFT: Final = {
    end: string_with_code(end, r"\\" + end.strip('"') + r"\(", "(?!)", "string-intp")
    for end in ('"""###', '"""##', '"""#', '"###', '"##', '"#')
}


# Perl's, Bash's and PHP's lexers miss a here document if anything but a semicolon follows on the
# same line or after the end mark, if its mark has blanks, and the second one of a line. Code is in
# one whose mark is in no single quotes: the state ``here``.
def _here_document(
    lexer: Lexer, match: re.Match[str], context: LexerContext | None = None
) -> Iterator[Token]:
    yield match.start(), String, match["mark"]
    read = cast("Any", lexer).get_tokens_unprocessed
    is_plain = match["mark"].endswith("'") or "\\" in match["mark"]
    for part, state in (("rest", "root"), ("text", "plain" if is_plain else "here")):
        text, stack = match[part], ["root", state]
        inner = (text, stack) if context is None else (None, LexerContext(text, 0, stack))
        for place, kind, value in read(*inner):
            yield match.start(part) + place, kind, value
    if context is not None:
        context.pos = match.end()


def here(*holes: object) -> States:
    """Return the states of the text of a here document."""
    return {"here": (ESCAPE, *holes, LITERAL), "plain": ((r"[\s\S]+", String),)}


_ONE: Final = (
    r"<<[-~]?(?:[ \t]*(?P<q%d>['\"`])(?P<a%d>[^'\"`\n]+)(?P=q%d)|\\?(?P<b%d>[a-zA-Z_]\w*))"
)
_TO_END: Final = r"\n(?>(?:[\s\S]*?\n)??[ \t]*(?:(?P=a%d)|(?P=b%d))(?=\n|\Z))"
HERE: Final = tuple(
    (rf"(?P<mark>{first})(?P<rest>{rest})(?P<text>{text})", _here_document)
    for first, rest, text in (
        (
            _ONE % (1, 1, 1, 1),
            rf"[^\n]*?{_ONE % (2, 2, 2, 2)}[^\n]*",
            _TO_END % (1, 1) + _TO_END % (2, 2),
        ),
        (_ONE % (1, 1, 1, 1), r"[^\n]*", _TO_END % (1, 1)),
    )
)


# Perl's lexer knows neither ``y`` nor most delimiters, and takes keys of hashes for operators.
_BRACKETS_OF_PERL: Final = ((r"\{", r"\}"), (r"\(", r"\)"), (r"\[", r"\]"), ("<", ">"))
_HOLE_OF_PERL: Final = r"@\{(?=\s*\[)|\$\{(?=\s*\\)"
_NO_VALUES_IN_PERL: Final = "and grep if join map not or print return split unless until while x"
_IS_VALUE_IN_PERL: Final = "".join(
    rf"(?<!(?<![\w$@%&]){word})" for word in _NO_VALUES_IN_PERL.split()
)
STRINGS_OF_PERL: Final = {
    **code_in_string(),
    **here((_HOLE_OF_PERL, String.Interpol, "hole")),
    "text": string_with_code(r"\"", _HOLE_OF_PERL),
    **{
        start: ((start, String, "#push"), *string_with_code(end, _HOLE_OF_PERL))
        for start, end in _BRACKETS_OF_PERL
    },
}
_APART_IN_PERL: Final = r"(?<![\w$@%&>:{-])"
_PART_IN_PERL: Final = r"(?:\\.|(?!\2)[^\\\n])*"
OF_PERL: Final = (
    *HERE,
    (r"\"", String, "text"),
    *((rf"{_APART_IN_PERL}q[qrx]{start}", String, start) for start, _ in _BRACKETS_OF_PERL),
    # What it puts there is code.
    (
        rf"{_APART_IN_PERL}(s([/|!#,~]){_PART_IN_PERL}\2)({_PART_IN_PERL})(\2[a-z]*e[a-z]*)",
        by_groups(String.Regex, None, by_this, String.Regex),
    ),
    (
        rf"{_APART_IN_PERL}(s\{{(?:\\.|[^\\{{}}])*\}}\s*\{{)((?:[^{{}}]|\{{[^{{}}]*\}})*+)(\}}[a-z]*e[a-z]*)",
        by_groups(String.Regex, by_this, String.Regex),
    ),
    # Behind a value, a slash divides.
    (r"(?<=[)\]\d])[^\S\n]*//?", Operator),
    (rf"(?<=[\w}}]){_IS_VALUE_IN_PERL}(?:[^\S\n]+/(?=\s)|/)", Operator),
    (r"(?<=\{)(?:[msy]|q[qrwx]?|tr)(?=\s*\})|\b(?:[msy]|q[qrwx]?|tr)(?=\s*=>)", Name),
    (
        rf"{_APART_IN_PERL}(?:([sy]|tr)([^\w\s\\(\[{{<>)\]}};=]){_PART_IN_PERL}\2{_PART_IN_PERL}\2"
        rf"|m([^\w\s\\(\[{{<>)\]}};=])(?:\\.|(?!\3)[^\\\n])*\3"
        r"|(?:y|tr)\s*(?:\{[^{}]*\}\s*\{[^{}]*\}|\[[^][]*\]\s*\[[^][]*\]|\([^()]*\)\s*\([^()]*\)))"
        r"[a-z]*",
        String.Regex,
    ),
    (r"<=>|(?<=[\w)\]}] )//=?(?= )", Operator),
    (r"-[A-Za-z](?=\s*[$\"'])|\b(?:local|state)\b(?=\s*[$@%(])", Operator.Word),
    (r"(?<=[\w)\]}\"'])(\s+)(xor\b|x(?==?\s*[\d$(]))", by_groups(Whitespace, Operator.Word)),
    (r"__(?:END|DATA)__(?=\s*(?:=>|\}))", Name),
    (r"__(?:END|DATA)__[\s\S]*", Comment),
)


# Strings of Erlang in delimiters; in those of upper case, a backslash is one.
SIGILS: Final = (
    (
        r"~[BS](?:\([^)]*\)|\[[^]]*\]|\{[^}]*\}|<[^>]*>|\|[^|]*\||/[^/]*/|\"[^\"]*\"|'[^']*')",
        String,
    ),
    (
        r"~[bs]?(?:\((?:\\.|[^\\)])*\)|\[(?:\\.|[^]\\])*\]|\{(?:\\.|[^}\\])*\}|<(?:\\.|[^>\\])*>"
        r"|\|(?:\\.|[^|\\])*\||/(?:\\.|[^/\\])*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')",
        String,
    ),
)

# In SAS, data follow the statement, up to a line with a semicolon; a quote behind a per cent sign
# starts no string.
OF_SAS: Final = (
    (r"%\*[^;]*;|^\s*comment\b(?!\s*=)[^;]*;", Comment),
    (
        r"(;\s*)(cards|datalines|lines)(\s*;[^\n]*\n)((?:[^;\n]*\n)*)",
        by_groups(Text, Keyword, Text, Other),
    ),
    (
        r"(;\s*)(cards4|datalines4|lines4)(\s*;[^\n]*\n)([\s\S]*?^;;;;)",
        by_groups(Text, Keyword, Text, Other),
    ),
    (r"%['\"()%]", Text),
)


# --- directives of C ----------------------------------------------------------------------------

# Lexers of C-like languages read everything from ``#`` to the end of the line as a directive. In a
# file that lost its line ends, or in the body of a macro, that is most of the program. Conditions
# are code. The sign before them, and before a macro with parameters, sets them apart from the rest.
C_FAMILY: Final = ("arduino", "c", "cpp", "cuda", "objective-c", "objective-c++")
_BLANK: Final = r"(?:[^\S\n]|/[*](?:[^*]|[*](?!/))*+[*]/)"
_RESERVED_IN_C: Final = (
    r"_(?:Align(?:as|of)|Atomic|Bool|Complex|Generic|Noreturn|Static_assert|Thread_local)\b"
)
_SILENT: Final = r"error|include|import|line|pragma[^\S\n]+(?:once|mark|(?:end)?region)|warning"
_OF_CODE: Final = r"el(?:if(?:n?def)?|se)|endif|if(?:n?def)?|pragma|undef"
RESPELLED: Final = (Punctuation.Respelled, Keyword.Respelled)
_SIGN, _WORD = RESPELLED
_HASH: Final = r"(?:#|%:|\?\?=)"
_DIRECTIVES_OF_C: Final = (
    (
        rf"{_HASH}(?=[^\S\n]*(?:{_SILENT})\b)|{_HASH}(?=[^\S\n]*define\b(?!{_BLANK}++\w+\())",
        Comment.Preproc,
    ),
    (rf"#(?=[^\S\n]*(?:define|{_OF_CODE})\b)", Operator),
    (rf"{_HASH}(?=[^\S\n]*(?:define|{_OF_CODE})\b)", _SIGN),
)
# Signs for keyboards without them, and C++'s words; ``a<::b`` is a name behind a bracket.
_SIGNS_OF_C: Final = r"\?\?[<>()=!'-]|<%|%>|<:(?!:[^:>])|:>|%:"
_WORDS_OF_CPP: Final = r"\b(?:and|x?or)(?:_eq)?\b|\b(?:not(?:_eq)?|bitand|bitor|compl)\b"
# The lexer reads a directive otherwise behind a blank line, an indentation or a comment.
_BLANKS_BEFORE: Final = ((r"\s*\n", Whitespace), (r"[^\S\n]+(?=#)", Whitespace))
_MULTILINE: Final = (r"/[*](?:[^*]+|[*](?!/))*+(?:[*]/)?", Comment.Multiline)
_MACRO: Final = (
    (r"[^\S\n]+", Whitespace),
    _MULTILINE,
    (
        r"(import|include)([^\S\n]*)(\"[^\"\n]*\"|<[^>\n]*>)",
        by_groups(Comment.Preproc, Whitespace, Comment.PreprocFile),
        "#pop",
    ),
    (
        rf"(define)({_BLANK}++)(\w+)(?=\()",
        by_groups(Keyword, Whitespace, Name.Function),
        ("#pop", "body"),
    ),
    (
        rf"(define)({_BLANK}++)(\w+)",
        by_groups(Keyword, Whitespace, Name.Function),
        ("#pop", "constant"),
    ),
    (r"pragma[^\S\n]+once\b", Comment.Preproc, "#pop"),
    (r"(else|endif)\b([^\S\n]*\w+[^\S\n]*$)?", by_groups(Keyword, Comment.Preproc), "#pop"),
    (rf"(?={_SILENT}|\d|\n)", Comment.Preproc, ("#pop", "rest")),
    (rf"(?:{_OF_CODE})\b", Keyword, ("#pop", "constant")),
    default(("#pop", "constant")),
)
_REST: Final = (
    *((*each, ("#pop", "macro")) for each in _DIRECTIVES_OF_C),
    (r"\"(?:\\.|[^\"\\\n])*\"", Comment.Preproc),
    _MULTILINE,
    (r"//.*", Comment.Single),
    (r"\n", Comment.Preproc, "#pop"),
    (r"[^/#\"\n]+|.", Comment.Preproc),
)
# Behind ``#`` in a macro with parameters is the name of one, which may be that of a directive.
_BODY: Final = (
    (r"##?", Operator),
    (r"//.*", Comment.Single),
    _MULTILINE,
    (r"\n", Whitespace, "#pop"),
    (r"[^\S\n]+", Whitespace),
    include("statements"),
    (r"[{};]", Punctuation),
    (r".", Text),
)
# The lexer hides all from ``#if 0`` on, whatever follows it, up to an ``#else`` written in one way
# of many. Only what is surely disabled is: up to the first directive that may enable the rest.
_DISABLED: Final = (
    _MULTILINE,
    (r"//.*", Comment.Single),
    (r"\"(?:\\[\s\S]|[^\"\\\n])*+\"?|'(?:\\[\s\S]|[^'\\\n])*+'", Comment),
    (r"#[^\S\n]*if(?:n?def)?\b", Comment, "nested"),
    (r"#[^\S\n]*(?:define|error|include|import|line|pragma|undef|warning)\b.*", Comment),
    (r"[^#%?\"'/\\\n]+|\n|[%?](?![:?])|['/\\]", Comment),
)
_IN_DISABLED: Final[States] = {
    "disabled": [
        *_DISABLED,
        (r"#[^\S\n]*endif\b", Comment, "#pop"),
        (r"#|%:|\?\?=", Operator, ("#pop", "macro")),
        (r".", Comment),
    ],
    "nested": [*_DISABLED, (r"#[^\S\n]*endif\b", Comment, "#pop"), (r".", Comment)],
}
_IF_0: Final = rf"#[^\S\n]*if[^\S\n]+0(?={_BLANK}*+(?://[^\\?\n]*)?$)"

OF_C: Final[States] = {
    "whitespace": [
        *_BLANKS_BEFORE,
        _MULTILINE,
        (_IF_0, Comment, "disabled"),
        *((*each, "macro") for each in _DIRECTIVES_OF_C),
    ],
    "keywords": [(_RESERVED_IN_C, Keyword)],
    "statements": [
        (r"@(?:implementation|interface)(?=\s*/[*/])", Keyword),
        (r"'(?:\\.|[^'\\\n]){2,4}'", String.Char),
        (_SIGNS_OF_C, _SIGN),
        (_WORDS_OF_CPP, _WORD),
    ],
    "macro": _MACRO,
    "rest": _REST,
    "body": _BODY,
    "constant": (*_REST[: len(_DIRECTIVES_OF_C)], *_BODY),
    **_IN_DISABLED,
}
"""Rules to be tried before those of a state, and those of directives."""


# --- words that are reserved in some places -----------------------------------------------------

# Lexers of Pygments take them for names everywhere. What stands before such a word is looked for
# before its gap, so that blanks and comments change nothing.

# Blanks and comments within a line.
BLANKS_WITHIN_LINE: Final = r"(?:[ \t]|/\*(?:[^*\n]|\*(?!/)){0,1000}+\*/)++"
# The same, and line ends.
GAP: Final = r"(?:\s|/\*(?:[^*]|\*(?!/)){0,1000}+\*/|//[^\n]*)"

OF_SOLIDITY: Final = r"\b(?:calldata|constant|immutable|memory|payable|pure|storage|view|virtual)\b"
# A name is not followed by another one.
_OF_JAVASCRIPT: Final = (
    rf"(?<![\w$.])[gs]et\b(?={GAP}++(?:[#\w$]+|\[[^\]\n]*\]){GAP}*+\()"
    rf"|(?<![\w$.])async\b(?=(?:{GAP}*+\*{GAP}*+|{GAP}++)(?:[#\w$]+|\[[^\]\n]*\]){GAP}*+(?:\(|=>)"
    rf"|{GAP}++function\b|{GAP}*+\([^()\n]*\){GAP}*+=>)"
)
_OF_DART: Final = (
    rf"(?<![.\w])[gs]et\b(?={GAP}++(?!(?:as|in|is)\b)[A-Za-z_$])"
    rf"|\ba?sync\b(?={GAP}*+(?:\*{GAP}*+)?(?:\{{|=>))"
)
_TYPES_OF_POWERSHELL: Final = (
    r"\[(?:array|bool|byte|char|datetime|decimal|double|float|hashtable|int|int32|int64|long|object"
    r"|regex|scriptblock|single|string|switch|void|xml)(?:\[\])?\]"
)

CONTEXTUAL: Final[Mapping[str, Sequence[object]]] = {
    "csharp": (
        (
            rf"(?<=[{{}};])({GAP}*+)(add|get|init|remove|set)\b(?={GAP}*+(?:[{{;]|=>))",
            by_groups(by_this, Operator.Word),
        ),
        (
            rf"\b(internal|private|protected|public)({GAP}++)(get|init|set)\b"
            rf"(?={GAP}*+(?:[{{;]|=>))",
            by_groups(Keyword, by_this, Operator.Word),
        ),
        (
            rf"(?<=[\w)\]])({GAP}++)((?:a|de)scending)\b"
            rf"(?={GAP}++(?:from|group|into|join|let|select|where)\b)",
            by_groups(by_this, Operator.Word),
        ),
    ),
    "dart": ((_OF_DART, Operator.Word),),
    "javascript": ((_OF_JAVASCRIPT, Operator.Word),),
    "kotlin": (
        (
            r"\b(?:annotation|companion|data|enum|inner|sealed|value)\b"
            rf"(?={GAP}++(?:class|interface|object)\b)|\b(?:cross|no)inline\b(?={GAP}++\w)"
            r"|(?<![.\w])[gs]et\b(?=[ \t]*\(\w*\)[ \t]*(?:[{:]|=(?!=)))",
            Operator.Word,
        ),
        (
            rf"(?<=[\w)\]])({BLANKS_WITHIN_LINE})(and|downTo|or|shl|shr|until|ushr|xor)\b"
            rf"(?={GAP}++[\w(])",
            by_groups(by_this, Operator.Word),
        ),
    ),
    "powershell": ((_TYPES_OF_POWERSHELL, Operator.Word),),
    "swift": (
        (
            rf"(?<=[{{}}])({GAP}*+)([gs]et)\b"
            rf"(?={GAP}*+(?:[{{}}]|\({GAP}*+\w+{GAP}*+\){GAP}*+\{{|[gs]et\b))",
            by_groups(by_this, Operator.Word),
        ),
        (rf"(?<=[gs]et)({GAP}++)([gs]et)\b(?={GAP}*+\}})", by_groups(by_this, Operator.Word)),
    ),
}
