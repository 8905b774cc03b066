"""Finds import statements where lexers do not distinguish them from other code."""

import re
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

# What the signs in the table stand for. Blanks never reach the next text of several.
_SIGNS: Final = {
    " ": r"(?:[^\S\n]|\n(?!\n\n))+",
    "~": r"(?:[^\S\n]|\n(?!\n\n))*",
    "§": r"(?:\"[^\"\n]*\"|'[^'\n]*')",  # a string
    "¤": r"[\w.$]+(?:[:/\\]{1,2}[\w.$*]+)*",  # a name with its qualifiers
    "¶": r"\{[^{}\n]{0,999}(?:\n(?!\n\n)[^{}\n]{0,999}){0,99}\}",  # a list in braces
    "¥": r"\((?:[^()\n]|\n(?!\n\n)|\((?:[^()\n]|\n(?!\n\n)|\([^()]{0,99}\)){0,999}\)){0,999}\)",
}
_SIGN: Final = re.compile("[ ~§¤¶¥]")
_ES_MODULE: Final = (
    r"import~(?:type )?(?:¤~,?~)?(?:\*~as ¤~)?(?:¶~)?(?:from~)?§(?:~with~¶)?;?"
    r"|(?:const|let|var) (?:¤|¶)~=~require~\(~§~\)(?:\.¤)*;?|require~\(~§~\)~;?"
    r"|import ¤~=~require\(§\);?|export (?:\*|¶)(?: as ¤)?~from~§;?"
)
_OF_LISP: Final = r"|#lang [^\n]*|\((?:require|import|use|load|use-modules|provide)(?= |\()~"

# The import statements of a language; several are alternatives.
_STATEMENTS: Final = {
    "ada": r"(?:limited )?(?:private )?with ¤(?:~,~¤)*~;|use (?:all )?(?:type )?¤(?:~,~¤)*~;",
    "clojure": r"\((?:ns|require|use|import)(?= )",
    "coffeescript": r"(?:¤|¶)~=~require(?:~\(~§~\)|[^\S\n]+§)(?:\.¤)*"
    r"|import (?:¤~,?~)?(?:\*~as ¤~)?(?:¶~)?(?:from~)?§",
    "cpp": r"import (?:¤|<[^>\n]*>|§)~;|export module ¤~;",
    "cr": r"require[^\S\n]+§",
    "csharp": r"global using (?:static )?¤~;",
    "d": r"module ¤~;",
    "dart": r"(?:export|part|library)~(?:of~)?(?:§|¤)[^;{}\n]*;",
    "elixir": r"(?:alias|require|import|use)[^\S\n]+[A-Z][\w.]*(?:\.¶)?"
    r"(?:~,~(?:only|except|as|warn):~(?:\[[^\[\]\n]*\]|¤))*",
    "erlang": r"-~(?:include|include_lib)~\(~§~\)~\.|-~(?:import|module)~\([^()\n]*\)~\.",
    "fortran": r"include[^\S\n]+§",
    "fortranfixed": r"include[^\S\n]+§",
    "javascript": _ES_MODULE,
    "julia": r"include~\(~§~\)",
    "lua": r"(?:local ¤~=~)?require~(?:\(~§~\)|§)(?:\.¤)*;?",
    "objective-c": r"@import ¤~;",
    "octave": r"import[^\S\n]+[\w.]+\*?;?|pkg[^\S\n]+load[^\S\n]+[\w-]+;?",
    "perl": r"(?:use|no) (?!constant\b)[\w:.]+(?: [\d.]+)?~(?:qw~(?:\([^()]{0,999}\)|"
    r"\[[^\[\]]{0,999}\]"
    r"|/[^/]{0,999}/|¶)|(?:[-\w]+~=>~)?(?:§|\w+)(?:~,~(?:§|\w+))*|\(~\))?~;"
    r"|require (?:¤|§)~;|package ¤~;",
    "php": r"namespace ¤~;|(?:require|include)(?:_once)?~\(?~(?:(?:__DIR__|"
    r"dirname\(~~FILE~~\))~\.~)?"
    r"§~\)?~;",
    "powershell": r"Import-Module[^\S\n]+[-\w./\\]+(?:[^\S\n]+-Force)?"
    r"|using[^\S\n]+(?:module|namespace)"
    r"[^\S\n]+[\w.]+|\.[^\S\n]+[\w./\\$]+\.ps1",
    "prolog": r":-~(?:use_module|ensure_loaded|module|consult|include)~¥~\."
    r"|:-~\[[\w',\x20]*\]~\.",
    "purescript": r"import[^\S\n]+[\w.]+(?: hiding)?(?:[^\S\n]*¥)?(?:[^\S\n]+as[^\S\n]+\w+)?",
    "racket": _OF_LISP[1:],
    "perl6": r"(?:use|need|no|unit module) [\w:.]+~;",
    "ruby": r"(?:require|require_relative|load)(?:[^\S\n]+§|[^\S\n]*\(~§~\));?",
    "rust": r"extern crate ¤(?: as ¤)?~;|(?:pub(?:\([^()\n]*\))? )?mod ¤~;|"
    r"pub(?:\([^()\n]*\))? use [^;]{0,999};",
    "scala": r"package[^\S\n]+[\w.]+(?=[^\S\n]*(?:\n|;|\Z))",
    "scheme": _OF_LISP[1:],
    "sml": r"use~§~;?",
    "solidity": r"pragma [^;{}\n]*;|import~(?:¤ from~|\*~as ¤~from~|¶~from~)?§(?: as ¤)?~;",
    "splus": r"(?:suppress\w+~\(~)?(?:library|require|source)~\(~(?:§|"
    r"[\w.]+)(?:~,[^()\n]*)?\)~?\)?",
    "swift": r"@testable[^\S\n]+import[^\S\n]+¤",
    "tcl": r"package[^\S\n]+require[^\S\n]+[-\w:.\t\x20]+|source[^\S\n]+[\w./]+"
    r"|namespace[^\S\n]+import[^\S\n]+(?:-force[^\S\n]+)?[\w:*]+",
    "vb.net": r"Imports[^\S\n]+\w+[^\S\n]*=[^\S\n]*[\w.]+|"
    r"Option[^\S\n]+(?:Strict|Explicit|Compare|Infer|Base)"
    r"(?:[^\S\n]+\w+)?",
    "verilog": r"`(?:include[^\S\n]+§|timescale[^\n]*|default_nettype[^\n]*)",
    "vue": _ES_MODULE,
    "zig": r"(?:pub )?const ¤~=~@import~\(~§~\)(?:\.¤)*~;",
}
_TAKE_BRACKETS: Final = frozenset({"clojure", "racket", "scheme"})


@cache
def _pattern_of(language: str) -> re.Pattern[str] | None:
    if language not in _STATEMENTS:
        return None
    written = _SIGN.sub(lambda found: _SIGNS[found.group()], _STATEMENTS[language])
    is_caseless = language in ("ada", "fortran", "fortranfixed", "powershell", "vb.net")
    flags = re.MULTILINE | (re.IGNORECASE if is_caseless else 0)
    return re.compile(rf"(?:^|(?<=[;{{}}>]))[^\S\n]*({written})", flags)


def imports_in(text: str, starts: NDArray[np.int64], language: str) -> NDArray[np.bool_]:
    """Mark the symbols of import statements.

    A statement starts with a symbol, so that nothing in a comment or string is one.

    Args:
        text: All texts.
        starts: ``(n,)``, first character of each symbol.
        language: Its canonical name.

    Returns:
        ``(n,) bool``.
    """
    is_import = np.zeros(len(starts), np.bool_)
    pattern = _pattern_of(language)
    for found in pattern.finditer(text) if pattern else ():
        first, stop = found.span(1)
        if language in _TAKE_BRACKETS and text[first] == "(":
            stop = _end_of_list(text, first)
        row, behind = np.searchsorted(starts, (first, stop)).tolist()
        if row < len(starts) and starts[row] == first:
            is_import[row:behind] = True
    return is_import


_LONGEST_LIST: Final = 4000


def _end_of_list(text: str, start: int) -> int:
    depth = 0
    for place in range(start, min(len(text), start + _LONGEST_LIST)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if not depth:
            return place + 1
    return start
