"""How languages write statements that give a name a value.

===========================================  ============================
what is written                              where
===========================================  ============================
``int x = 1;``                               types stand before names
``let x: i32 = 1;``, ``val x = 1``           a word says that it declares
``x := 1``, ``x <- 1``, ``x = 1``, ``$x=1``  nothing does
===========================================  ============================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.frontends import symbols
from mosslite.frontends.words import table_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["GRAMMARS", "LITERALS", "MODIFIERS", "OPERATORS", "Grammar"]

OPERATORS: Final = table_of("+ - * / % & | ^")
MODIFIERS: Final = table_of("auto const final let private protected public register static var")
# Names to some lexers.
LITERALS: Final = table_of(
    "true false null nil nullptr undef undefined None NULL True False TRUE FALSE"
)

_OPERANDS = LITERALS | table_of("", symbols.NAME, symbols.NUMBER, symbols.STRING)
_VALUES = OPERATORS | _OPERANDS | table_of("=")
_ANNOTATIONS = table_of(": [ ] < > ? .")
_BEFORE_REST = table_of("( [ , = .")
_REST = OPERATORS | table_of(", = . < > ? :")
_BRACKETS = table_of("( [")


class Grammar(NamedTuple):
    """How stores are written; tables are by number.

    Attributes:
        parts: All that they are made of.
        declaring: What may stand before a name that is declared.
        types_first: Types do, too.
        by_lines: They may end with their line.
        before_rest: What a line ends with that goes on.
        rest: What a line begins with that goes on with the one before.
        has_bare_bodies: A condition may govern a statement without braces around it.
        has_arrows: ``<-`` gives a value; elsewhere ``x < -1`` may compare, or send to a channel.
        has_lists: Brackets are around lists of what looks like stores.
        has_values: The last statement of a block gives its value.
        annotates: A type may stand behind a colon also where nothing is declared.
        is_script: What is in no brackets is for no other file.
        takes_parameters: The head of a type may end with a parenthesis.
        discards: What is given to ``_`` is thrown away.
        names: What names are like that no other file reads; empty for any.
        in_strings: Strings may read names, and not all of it is for the lexer to tell.
    """

    parts: NDArray[np.bool_]
    declaring: NDArray[np.bool_]
    types_first: bool = False
    by_lines: bool = True
    before_rest: NDArray[np.bool_] = _BEFORE_REST
    rest: NDArray[np.bool_] = _REST
    has_bare_bodies: bool = False
    has_arrows: bool = False
    has_lists: bool = False
    has_values: bool = False
    annotates: bool = False
    is_script: bool = True
    takes_parameters: bool = False
    discards: bool = False
    names: str = ""
    in_strings: bool = True


def _declaring(words: str) -> Grammar:
    """Return the grammar of a language that declares by words, of which there may be none."""
    declaring = table_of(f"{words} $")
    return Grammar(_VALUES | _ANNOTATIONS | declaring | table_of(","), table_of(words))


_TYPED = Grammar(
    _VALUES | MODIFIERS | table_of(","),
    MODIFIERS,
    types_first=True,
    by_lines=False,
    in_strings=False,
)
_C = _TYPED._replace(is_script=False)
_JAVASCRIPT = _declaring("const let var")._replace(
    rest=_REST | _BRACKETS, has_bare_bodies=True, in_strings=False
)
_SCALA = _declaring("const val var")._replace(
    has_bare_bodies=True, is_script=False, takes_parameters=True
)

GRAMMARS: Final[Mapping[str, Grammar]] = {
    "c": _C,
    "cpp": _C,
    "csharp": _TYPED._replace(in_strings=True, takes_parameters=True, discards=True),
    "dart": _TYPED._replace(is_script=False),
    "go": _declaring("const var")._replace(is_script=False, discards=True, in_strings=False),
    "java": _TYPED,
    "javascript": _JAVASCRIPT,
    "julia": _declaring("const local")._replace(has_lists=True, has_values=True, annotates=True),
    "kotlin": _SCALA,
    "lua": _declaring("local")._replace(rest=_REST | _BRACKETS, has_lists=True, in_strings=False),
    "octave": _declaring(""),
    "perl": _declaring("my")._replace(by_lines=False, has_values=True, names=r"[a-z]\w*"),
    "php": _declaring("static")._replace(by_lines=False),
    "python": Grammar(
        _VALUES | table_of(": [ ] ."),
        table_of(""),
        before_rest=table_of("( [ { ,"),
        rest=table_of(""),
        annotates=True,
        in_strings=False,
    ),
    "ruby": _declaring("")._replace(has_values=True, names=r"[a-z]\w*"),
    "rust": _declaring("const let mut static")._replace(
        by_lines=False, is_script=False, discards=True
    ),
    "scala": _SCALA,
    "splus": _declaring("")._replace(has_arrows=True, has_bare_bodies=True, has_values=True),
    "swift": _declaring("let var")._replace(discards=True),
    "typescript": _JAVASCRIPT,
}
