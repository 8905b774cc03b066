"""Finds import statements, which a copier can add, drop, split and put in any order.

Law: a program has the same symbols with its imports and without them, and nothing else is left out.
So an expression is of a whole statement, from its start to its end, and a statement that does more
than name modules is none of them: ``require('a')(b)`` calls what it imports.
"""

import re
from functools import cache, reduce
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.frontends.program import STRING, Program, SymbolText, compiled, depths_of, words_in
from mosslite.frontends.symbols import symbol_set

# Contents of brackets, with as many levels as real imports have; no statement ends there.
_INSIDE: Final = r"[^\; \( \) \[ \] \{ \} END]"
_NESTED: Final = reduce(
    lambda inner, _: rf"(?: {_INSIDE} | [\( \[ \{{] {inner}*+ [\) \] \}}] )", range(6), _INSIDE
)
_LIST: Final = rf"(?: [\( \[ \{{] {_NESTED}*+ [\) \] \}}] )"
_BRACES: Final = r"\{ [^\; \= \( \) \{ \} END]*+ \}"
# The rest of a statement, also on further lines; the limit keeps hostile texts linear.
_REST: Final = r"[^\; \= \( \) \{ \} END]{0,500}+"
_PATH: Final = r"[NAME NUMBER \. \: \* \, \n]{1,500}+"
# The rest of a line; it goes on in brackets, and where a separator ends or starts a line.
_LINE: Final = (
    rf"(?: [^\n \; \= \( \) \[ \] \{{ \}} END] | {_LIST} | \n (?= [\. \, \:])"
    r"| (?<= [\. \, \:]) \n ){1,500}+"
)
_ON_LINE: Final = r"[^\n \; \= \( \) \[ \] \{ \} END]{1,500}+"
_STOP: Final = r"(?: \; | (?= [\n \} END] | \Z ) )"
# A line that starts with a bracket or a dot goes on with the line before.
_STOP_OF_SCRIPT: Final = r"(?: \; | (?= \n (?! [\( \[ \.] ) | [\} END] | \Z ) )"

_OF_STRING: Final = r"(?: \( STRING \) | STRING )"
_REQUIRED: Final = rf"(?: NAME | {_BRACES} ) \= require {_OF_STRING} (?: \. NAME )*+"
_FROM: Final = rf"(?: [NAME \, \* \n as from type] | {_BRACES} )*+ STRING"
_OF_SCRIPT: Final = (
    rf"(?: import {_FROM} (?: (?: with | assert ) {_BRACES} )?"
    rf"| (?: const | let | var )? {_REQUIRED} (?: \, \n? {_REQUIRED} )*+ | require {_OF_STRING}"
    rf"| import NAME \= require \( STRING \)"
    rf"| export type? (?: \* (?: as NAME )? | {_BRACES} ) from STRING ) {_STOP_OF_SCRIPT}"
)
# In Lisp dialects all else in the same brackets may run, as in ``(import (begin (display 1)))``.
_ATOM: Final = r"[^\( \) \[ \] \{ \} END]"
_ATOMS: Final = rf"[\( \[ \{{] {_ATOM}*+ [\) \] \}}]"
_OF_SET: Final = (
    r"(?: only | except | prefix | rename | only-in | except-in | prefix-in | rename-in"
    r" | combine-in | for-syntax | lib | file | submod )"
)
_LIBRARY: Final = rf"(?: [NAME STRING \n] | \( NAME {_ATOM}*+ (?: \( NUMBER*+ \) )? \) )"
_SET: Final = reduce(
    lambda inner, _: rf"(?: {_LIBRARY} | \( {_OF_SET} (?: {inner} | {_ATOM} | {_ATOMS} )*+ \) )",
    range(3),
    _LIBRARY,
)
_VECTOR: Final = reduce(
    lambda inner, _: rf"(?: [\[ \{{] (?: {_ATOM} | {_ATOMS} | {inner} )*+ [\] \}}] )",
    range(3),
    _ATOMS,
)
_SPEC: Final = rf"(?: {_VECTOR} | \( NAME (?: {_ATOM} | {_VECTOR} )*+ \) )"
_OF_SCHEME: Final = (
    rf"(?: import | require | use ) {_SET}++ | load STRING"
    rf"| provide (?: {_ATOM} | \( (?: struct-out | all-defined-out"
    rf" | all-from-out | except-out | rename-out ) (?: {_ATOM} | {_ATOMS} )*+ \) )*+"
    rf"| use-modules (?: {_SET} | \( \( NAME {_ATOM}*+ \) (?: {_ATOM} | {_ATOMS} )*+ \) )++"
)
_OF_CLOJURE: Final = (
    rf"(?: require | use ) (?: STRING | \n | \' {_SPEC} )*+"
    r"| import (?: [NAME STRING \' \n] | [\( \[] [NAME \n]++ [\) \]] )*+"
    rf"| ns (?: {_ATOM} | \{{ {_ATOM}*+ \}} | \( STRING (?: {_ATOM} | {_SPEC} )*+ \) )*+"
)
_OF_COMMON_LISP: Final = (
    rf"(?: import | in-package | provide | require | use-package )"
    rf" (?: STRING {_ATOM}*+ | \' {_ATOMS} )"
    rf"| load STRING | defpackage {_ATOM}++ (?: \n | \( STRING {_ATOM}*+ \) )*+"
)

# The import statements of languages; a group matches what is an import outside of brackets only.
_STATEMENTS: Final = {
    "ada": r"(?: (?<= [\; is END] \n ) | (?<= \A \n ) | (?<= \; ) )"
    r" (?: limited? private? with | use (?: all? type )? )"
    rf" {_PATH} \;",
    "agda idris": rf"open? import {_LINE} (?: \( [^\( \) END]*+ \) )? {_STOP}",
    "alloy lean4": rf"(?: import | open ) {_LINE} {_STOP}",
    "arduino cpp cuda objective-c": rf"(?: using | @import ) {_REST} \;"
    r"| export? import [NAME STRING \. \: \< \>]++ \; | export? module [NAME \. \:]++ \;",
    "carbon haxe hybris vala": rf"(?: package | import | using ) {_REST} \;",
    "ceylon elm haskell purescript": rf"import (?! [\( \.]) {_LINE} {_STOP}",
    "golo groovy kotlin whiley xtend": (
        rf"(?: package [NAME \.]++ | import (?! \.) {_ON_LINE} ) {_STOP}"
    ),
    "gosu": rf"(?: package [NAME \.]++ | (?: import | uses ) (?! \.) {_ON_LINE} ) {_STOP}",
    "clojure": rf"(\( (?: {_OF_CLOJURE} ) \))",
    "coffeescript vue javascript": _OF_SCRIPT,
    "cr": rf"require STRING {_STOP}",
    "csharp": r"global? using static? [NAME \. \: \n]++ \;",
    "d": rf"(?: module {_PATH} | (?: public | static )? import [^\; \( \) \{{ \}} END]{{1,500}}+ )"
    r" \;",
    "dart": r"(?: import | export | part | library ) \n? of? (?= [STRING NAME])"
    r" [^\; \= \{ \} END]{1,500}+ \;",
    "delphi": r"uses [NAME \. \, \n in STRING]{1,500}+ \;",
    "elixir": rf"(?: alias | import | require | use ) NAME (?: \. {_LIST} )?"
    rf" (?: \, \n? STRING \: (?: NAME | {_LIST} ) )*+ {_STOP}",
    "erlang": rf"\- (?: include | include_lib | import | module ) {_LIST} \.",
    "fan": rf"using {_LINE} {_STOP}",
    "fortran fortranfixed": r"(?: use (?: NAME | (?: \, [^\n \; END] )? \: \: NAME )"
    r" (?: [^\n \; \= END] | \= [\> \=] | (?<= [\, \:]) \n ){0,500}+ | include STRING )"
    rf" {_STOP}",
    "fsharp": rf"open type? [NAME \.]++ {_STOP}",
    "go": rf"(?: package NAME | import (?: \( [NAME STRING \. \; \n]*+ \)"
    rf"| [NAME \.]?+ STRING ) ) {_STOP}",
    "java": rf"(?: package | import \n? (?: static | module )? ) {_PATH} \;",
    "julia": rf"(?: (?: import | using ) (?! [\( \=]) {_LINE} | include \( STRING \) ) {_STOP}",
    "lua": rf"(?: local NAME \= )? require {_OF_STRING} (?: \. NAME )*+ {_STOP}",
    "modula2": r"(?: FROM \n? NAME \n? )? IMPORT [NAME \, \n]++ \;",
    "nimrod": rf"(?: import | include | from ) (?! [\( \= \:]) {_LINE} {_STOP}",
    "ocaml sml": rf"(?: open \!? [NAME \.]++ | use STRING ) {_STOP}",
    "octave": rf"(?: import [NAME \. \*]++ | pkg load NAME ) {_STOP}",
    "openscad": rf"(?: include | use ) \< \> {_STOP}",
    "perl": r"(?: (?: use | no ) (?! constant) (?: NAME | NUMBER ) [NAME NUMBER STRING \, \- \n]*+"
    r" (?: \( \) )? | require [NAME NUMBER STRING] | package NAME ) \;",
    "perl6": rf"(?: use | need | no | unit module ) {_PATH} \;",
    "php": rf"(?: namespace {_PATH} | (use (?! \( ) [^\; \= \( \) END]{{1,500}}+)"
    r"| (?: require | require_once | include | include_once )"
    r" \(? (?: NAME (?: \( NAME \) )? \. )? STRING \)? ) \;",
    "powershell": r"(?: import-module [NAME NUMBER STRING \. \- \/ \\]++"
    rf"| using (?: module | namespace ) [NAME \. \- \/ \\]++ | \. [NAME \. \/ \\]++ ps1 ) {_STOP}",
    "prolog": r"\: \- (?: (?: use_module | ensure_loaded | module | consult | include )"
    rf" {_LIST} | \[ [NAME \,]*+ \] ) \.",
    "protobuf": rf"(?: package {_PATH} | import NAME?+ STRING ) \;",
    "cython mojo python python2": r"(?: from [NAME \.]++ )? (?: import | cimport )"
    rf" (?: \( [^\; \= \( \) END]*+ \) | [NAME \. \, \* as]++ ) {_STOP}",
    "common-lisp emacs-lisp": rf"(\( (?: {_OF_COMMON_LISP} ) \))",
    "racket scheme": rf"#lang NAME | (\( (?: {_OF_SCHEME} ) \))",
    "ruby": rf"(?: require | require_relative | load ) {_OF_STRING} {_STOP}",
    "rust": r"(?: extern crate NAME (?: as NAME )? | (?: pub (?: \( [^\( \) \;]*+ \) )? )?"
    r" (?: mod NAME | use [^\; \= \( \) END]{1,500}+ ) ) \;",
    "scala": rf"(?: package [NAME \.]++ | import {_LINE} ) {_STOP}",
    "solidity": rf"(?: pragma [^\; \{{ \}} \n END]++ | import {_FROM} (?: as NAME )? ) \;",
    "splus": r"(?: library | require | source ) \( [NAME STRING] (?: \, [^\( \) \n END]*+ )? \)"
    rf" {_STOP} | (?: suppressMessages | suppressPackageStartupMessages | suppressWarnings )"
    rf" \( (?: library | require ) \( [NAME STRING] \) \) {_STOP}",
    "swift": rf"(?: \@ testable )? import {_LINE} {_STOP}",
    "tcl": r"(?: package require [NAME NUMBER \. \: \-]++ | source [NAME \. \/]++"
    rf"| namespace import [NAME \: \* \-]++ ) {_STOP}",
    "vb.net": r"(?: imports [NAME \. \, \=]++"
    rf"| option (?: strict | explicit | compare | infer | base ) [^\n \; \( \= END]?+ ) {_STOP}",
    "verilog": r"`include STRING | (?: `timescale | `default_nettype ) [^\n END]*+"
    r"| import [NAME \: \* \, \n]++ \;",
    "vhdl": r"(?: library | use ) [NAME \. \, \n all]++ \;",
    "zig": r"pub? const NAME \= @import \( STRING \) (?: \. NAME )*+ \;",
}
# Imports in the brackets of a module are outside of all brackets.
_MODULES: Final = {
    "php": r"(?<= [\n \; \}]) namespace NAME?+ \n? ( \{ )",
    **dict.fromkeys(
        ("racket", "scheme"), r"(?<= \n ) ( \( ) (?: define-library | library | module )"
    ),
}
# What is before a statement, where it is not the usual. In Python a colon ends the head of a block;
# elsewhere it is an operator, or part of one.
_BEFORE: Final = {
    **dict.fromkeys(("cython", "mojo", "python", "python2"), r"[\n \; \:]"),
    **dict.fromkeys(("clojure", "common-lisp", "emacs-lisp", "racket", "scheme"), r"[\n \)]"),
}
_BY_LANGUAGE: Final = {
    language: statements for row, statements in _STATEMENTS.items() for language in row.split()
}


class _Rule(NamedTuple):
    """Expressions of a language's imports and modules, and the symbols they have by their text."""

    imports: re.Pattern[str]
    modules: re.Pattern[str]
    words: NDArray[np.bool_]


@cache
def _rule_of(language: str) -> _Rule | None:
    if language not in _BY_LANGUAGE:
        return None
    before = _BEFORE.get(language, r"[\n \; \{ \} \>]")
    written = rf"(?<= {before}) (?<! [\- \= \|] \>) (?: {_BY_LANGUAGE[language]} )"
    modules = _MODULES.get(language, r"(?!)")
    words = words_in(f"{written} {modules}")
    return _Rule(compiled(written), compiled(modules), symbol_set(" ".join(words)))


def imports_in(program: Program, language: str) -> NDArray[np.bool_]:
    """Mark the symbols of import statements, ``(n,) bool``."""
    is_import = np.zeros(len(program.words), np.bool_)
    rule = _rule_of(language)
    if rule is None:
        return is_import
    is_word = rule.words[program.written] & (program.words != STRING)
    text = SymbolText(np.where(is_word, program.written, program.words), program.indents >= 0)
    words = program.words.copy()
    for _, bracket in text.matches(rule.modules):
        words[bracket] = 0
    depths = depths_of(words)
    for statement, *outside in text.matches(rule.imports):
        is_outside = all(part.start == part.stop or not depths[part.start] for part in outside)
        is_import[statement] = is_outside
    return is_import
