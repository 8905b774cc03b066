"""What is particular about each language: one table, in which a language is a row.

A language of Pygments without a row is read by its lexer, as most are. Import statements are rows
of a table of their own (``frontends/imports``), and so are faults of lexers
(``lexer_patches``).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final


class Lines(Enum):
    """Which ends of lines and blocks are part of a program."""

    NONE = auto()
    BLOCKS = auto()
    """The lines behind one that starts with some words are its block; see ``STATEMENTS``."""
    LAYOUT = auto()
    """Deeper lines are a block."""
    STATEMENTS = auto()
    """A line ends a statement wherever the next could go on with it."""
    WORDS = auto()
    """A line goes on if it can, unless it ends with some words, or a step begins the next."""
    COMMANDS = auto()
    """Each line is a command with any words behind it."""
    DIRECTIVES = auto()
    """A line ends a directive."""


class Joins(Enum):
    """Where strings next to each other are one."""

    NOWHERE = auto()
    LINE = auto()
    BRACKETS = auto()
    """On one line, and in brackets."""
    LINES = auto()
    """Also on the next line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What is particular about a language.

    Attributes:
        title: Its name as users write it, where Pygments' is another.
        lexer: Alias of the lexer that reads it, if it is not its own.
        members: Dialects that share files with it: they are read as this language, so that the same
            text is the same program whatever its name.
        files: Patterns that take precedence over those of Pygments: they decide extensions that
            several languages use (.m, .pl, .v, .inc) and add some that only students use. Lower
            case, as matching ignores case.
        is_data: Settings, builds or data: compared only if there is nothing else.
        is_caseless: Case is ignored in keywords.
        lines: Which ends of lines and blocks are part of a program.
        joins: Where strings next to each other are one.
        has_arrows: ``<-`` is one sign where its parts touch.
        reserves_types: What its lexer calls types no program can call otherwise, but for those of
            C's library.
        contextual: Keywords that are mostly names chosen by the author, except in a few contexts.
        qualifier: The separator in names that its lexer may read as one token or as several.
        names_are_text: Its lexer calls some names text.
        splits_names: Its lexer reads names by letters and digits.
        has_escapes: An escape may stand for any character, not only in strings and names.
        joins_lines: A backslash at the end of a line joins it with the next, even amid a word.
        multiplies: A number before a name is a factor, as in ``2x``.
        forms: Words that its lexer takes for functions, though none can be called so.
    """

    title: str = ""
    lexer: str = ""
    members: str = ""
    files: str = ""
    is_data: bool = False
    is_caseless: bool = False
    lines: Lines = Lines.NONE
    joins: Joins = Joins.NOWHERE
    has_arrows: bool = False
    reserves_types: bool = False
    contextual: str = ""
    qualifier: str = ""
    names_are_text: bool = False
    splits_names: bool = False
    has_escapes: bool = False
    joins_lines: bool = False
    multiplies: bool = False
    forms: str = ""


def _alike(languages: str, row: Row) -> dict[str, Row]:
    return dict.fromkeys(languages.split(), row)


# Fortran reserves no word, but few others are called like a statement.
_NAMES_IN_FORTRAN: Final = (
    "array byte data entry file final images lock memory options pass result sequence target value"
)

ROWS: Final[Mapping[str, Row]] = {
    **_alike(
        "abap ada aspx-vb blitzbasic blitzmax cobol cobolfree cypher eiffel forth html qbasic",
        Row(is_caseless=True),
    ),
    **_alike(
        "agda ampl autoit bc haxe literate-agda literate-idris logtalk moocode mosel nit "
        "objective-j opa phix pig qlik smali solidity ucode vim",
        Row(names_are_text=True),
    ),
    # Formats of settings, builds, logs and data: compared only if there is nothing else.
    **_alike(
        "asc bibtex cmake desktop diff docker dtd email ini irc json json5 jsonld kmsg ldif make "
        "nixos pot properties pytb registry systemd tap toml xml yaml",
        Row(is_data=True),
    ),
    **_alike(
        "arduino cuda",
        Row(
            lines=Lines.DIRECTIVES,
            joins=Joins.LINES,
            reserves_types=True,
            qualifier="::",
            joins_lines=True,
        ),
    ),
    **_alike("coffeescript elm nimrod", Row(lines=Lines.LAYOUT)),
    **_alike("elixir scala", Row(lines=Lines.STATEMENTS, has_arrows=True)),
    **_alike("fan foxpro idl praat rsl stata x10", Row(names_are_text=True, splits_names=True)),
    "julia": Row(lines=Lines.STATEMENTS, multiplies=True),
    "mathematica": Row(multiplies=True),
    "rust": Row(reserves_types=True),
    "actionscript": Row(title="ActionScript", lexer="actionscript3", members="actionscript3"),
    "antlr": Row(files="*.g3 *.g4"),
    "awk": Row(joins=Joins.LINES),
    "bash": Row(lines=Lines.COMMANDS),
    "batch": Row(is_caseless=True, lines=Lines.COMMANDS),
    "c": Row(
        lexer="cpp",
        files="*.l *.y",
        lines=Lines.DIRECTIVES,
        joins=Joins.LINES,
        reserves_types=True,
        contextual="and and_eq bitand bitor byte catch class co_await co_return co_yield compl "
        "concept const_cast consteval constinit contract_assert countof decltype defer delete "
        "dynamic_cast explicit export final fortran friend import module mutable naked namespace "
        "new noexcept not not_eq operator or or_eq override post pre private protected public "
        "reinterpret_cast requires restricted static_cast template this thread throw throws try "
        "typeid typename using virtual xor xor_eq",
        joins_lines=True,
    ),
    "clojure": Row(
        title="Clojure",
        members="clojurescript",
        forms="""
        -> .. and assert await binding comment cond doseq dosync doto dotimes for if-let if-not
        import lazy-cat lazy-cons locking loop new or refer time when when-first when-let when-not
        with-local-vars with-open with-out-str
    """,
    ),
    "common-lisp": Row(
        files="*.cl *.lsp",
        is_caseless=True,
        forms="""
        and assert case ccase check-type cond ctypecase decf declaim defclass defconstant defgeneric
        define-compiler-macro define-condition define-method-combination define-modify-macro
        define-setf-expander define-symbol-macro defmacro defmethod defpackage defparameter defsetf
        defstruct deftype defun defvar destructuring-bind do do* do-all-symbols do-external-symbols
        do-symbols dolist dotimes ecase etypecase handler-bind handler-case ignore-errors in-package
        incf lambda loop loop-finish multiple-value-bind multiple-value-list multiple-value-setq
        nth-value or pop print-unreadable-object prog prog* prog1 prog2 psetf psetq push pushnew
        remf restart-bind restart-case return rotatef setf shiftf step time trace typecase unless
        untrace when with-accessors with-compilation-unit with-condition-restarts
        with-hash-table-iterator with-input-from-string with-open-file with-open-stream
        with-output-to-string with-package-iterator with-simple-restart with-slots
        with-standard-io-syntax
    """,
    ),
    "cpp": Row(
        files="*.h *.hh *.inl *.ino *.inc",
        lines=Lines.DIRECTIVES,
        joins=Joins.LINES,
        reserves_types=True,
        contextual="byte countof defer final fortran import module naked post pre restricted "
        "thread throws",
        qualifier="::",
        joins_lines=True,
    ),
    "csharp": Row(
        files="*.csx",
        lines=Lines.DIRECTIVES,
        reserves_types=True,
        contextual="add alias ascending by descending equals from get global group init "
        "into join let nameof on orderby partial record remove select set value "
        "when where with",
    ),
    "css": Row(title="CSS", members="scss less"),
    "cython": Row(lines=Lines.BLOCKS, joins=Joins.BRACKETS),
    "d": Row(joins=Joins.LINES, reserves_types=True),
    "dart": Row(
        joins=Joins.LINES,
        reserves_types=True,
        contextual="async await get hide of on set show source sync",
    ),
    "delphi": Row(
        files="*.dpk *.lpr *.p *.pp",
        is_caseless=True,
        contextual="absolute alias default dynamic export far index name near register",
    ),
    "erlang": Row(has_arrows=True),
    "fortran": Row(
        files="*.f95 *.f08 *.f18",
        is_caseless=True,
        reserves_types=True,
        contextual=_NAMES_IN_FORTRAN,
    ),
    "fortranfixed": Row(
        files="*.for *.ftn *.f77",
        is_caseless=True,
        reserves_types=True,
        contextual=_NAMES_IN_FORTRAN,
    ),
    "fsharp": Row(
        files="*.fs",
        lines=Lines.LAYOUT,
        has_arrows=True,
        contextual="atomic constructor eager functor measure method object recursive volatile",
    ),
    "gas": Row(
        title="Assembly",
        members="ca65 mips nasm tasm",
        files="*.s *.asm *.a8086 *.masm *.a51 *.lc3 *.mips *.68k *.x68 *.z80",
        is_caseless=True,
    ),
    "gdscript": Row(files="*.gd", lines=Lines.BLOCKS),
    "go": Row(lines=Lines.STATEMENTS, has_arrows=True, reserves_types=True),
    "groovy": Row(lines=Lines.STATEMENTS, reserves_types=True),
    "haskell": Row(lines=Lines.LAYOUT, has_arrows=True),
    "idris": Row(lines=Lines.LAYOUT, names_are_text=True),
    "java": Row(
        files="*.jav *.pde",
        reserves_types=True,
        contextual="exports module open opens permits provides record requires sealed to "
        "transitive uses with yield",
        has_escapes=True,
    ),
    "javascript": Row(
        title="JavaScript/TypeScript",
        members="jsx tsx typescript",
        files="*.mts *.cts *.es6",
        lines=Lines.WORDS,
        contextual="as async byte char double final float from get goto int long native of set "
        "short synchronized throws transient volatile",
    ),
    "kotlin": Row(
        lines=Lines.STATEMENTS,
        contextual="annotation by catch companion constructor data enum file get infix "
        "init inner out set where",
    ),
    "lean4": Row(files="*.lean"),
    "lua": Row(title="Lua", lexer="luau", members="luau", qualifier="."),
    "modula2": Row(files="*.def"),
    "objective-c": Row(
        title="Objective-C",
        lexer="objective-c++",
        members="objective-c++",
        files="*.mm",
        lines=Lines.DIRECTIVES,
        joins=Joins.LINES,
        reserves_types=True,
        qualifier="::",
        joins_lines=True,
    ),
    "ocaml": Row(has_arrows=True),
    "octave": Row(title="MATLAB/Octave", files="*.m", lines=Lines.STATEMENTS, names_are_text=True),
    "perl": Row(files="*.pl *.pm *.t *.cgi"),
    "php": Row(
        title="PHP", members="html+php", files="*.php7 *.php8 *.phps *.phtml", is_caseless=True
    ),
    "powershell": Row(is_caseless=True, lines=Lines.COMMANDS),
    "prolog": Row(title="Prolog", members="cplint", files="*.pro *.prolog"),
    "purescript": Row(has_arrows=True),
    "python": Row(files="*.py2 *.py3", lines=Lines.BLOCKS, joins=Joins.BRACKETS),
    "python2": Row(lines=Lines.BLOCKS, joins=Joins.BRACKETS),
    "rexx": Row(is_caseless=True, names_are_text=True),
    "ruby": Row(lines=Lines.STATEMENTS, joins=Joins.LINE),
    "sas": Row(is_caseless=True, names_are_text=True),
    "splus": Row(title="R", files="*.r", lines=Lines.STATEMENTS, has_arrows=True),
    "sql": Row(
        title="SQL",
        members="googlesql mysql plpgsql postgresql sql+jinja tsql",
        files="*.sql *.pls *.plsql *.pks *.pkb *.plb *.mysql *.pgsql *.tsql",
        is_caseless=True,
    ),
    "swift": Row(
        lines=Lines.STATEMENTS,
        contextual="get left none optional precedence prefix required right set some unowned weak",
    ),
    "tcl": Row(lines=Lines.COMMANDS, names_are_text=True),
    "tcsh": Row(lines=Lines.COMMANDS),
    "text": Row(
        files="*.text readme license licence copying authors changelog contributing install news "
        "notice todo todo.txt *.cir *.ckt *.sp *.spi *.spice"
    ),
    "vb.net": Row(title="VB.net", members="vbscript", files="*.bas *.cls *.frm", is_caseless=True),
    "verilog": Row(
        title="Verilog",
        lexer="systemverilog",
        members="systemverilog",
        files="*.v *.vh *.sv *.svh *.hdl",
        lines=Lines.DIRECTIVES,
        reserves_types=True,
        joins_lines=True,
    ),
    "vhdl": Row(title="VHDL", is_caseless=True),
}

_PLAIN: Final = Row()


def row_of(language: str) -> Row:
    """Return the row of a language, by its canonical name."""
    return ROWS.get(language, _PLAIN)
