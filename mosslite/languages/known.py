"""Determines the language of a file, and the lexer or plug-in that reads it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from os.path import split
from typing import Final, NamedTuple

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name, get_all_lexers

from mosslite.errors import OptionError
from mosslite.languages.alternations import by_alternations
from mosslite.languages.lexer_patches import patched
from mosslite.languages.lexers import LEXERS
from mosslite.languages.rows import ROWS, row_of
from mosslite.messages import M_, N_

FRONT_ENDS: Final = 35
"""Raise it by one with each change by which any text could be read otherwise.

That is: other tokens, traces, colours, disguises or fingerprints, or another form in which readings
are packed. Archives that another version has read are refused until they are rebuilt, and nothing
that the cache holds of another version is found. Where nothing is read otherwise it stays, so that
users keep both. ``tests/frontends/test_front_ends.py`` compares readings with those on record.
"""


GROUP: Final = "mosslite.frontends"


class PlugIn(NamedTuple):
    """A front-end of another package, its language, and the patterns of its file names."""

    name: str
    patterns: tuple[str, ...]
    read: Callable[[str], object]


@cache
def plug_ins() -> Mapping[str, PlugIn]:
    """Load the installed plug-ins by name; of two with the same name, the first by value.

    Raises:
        OptionError: One cannot be loaded, or is not a front-end.
    """
    found = sorted(entry_points(group=GROUP), key=lambda each: (each.name, each.value))
    return {each.name.lower(): _loaded(each) for each in reversed(found)}


def _loaded(entry: EntryPoint) -> PlugIn:
    try:
        read = entry.load()
    except Exception as error:
        reason = " ".join(str(error).split())
        raise OptionError(
            "front-end %(name)r (%(value)s) cannot be loaded: %(reason)s",
            entry.name,
            entry.value,
            reason,
        ) from error
    patterns = getattr(read, "patterns", ())
    if not callable(read) or isinstance(patterns, str):
        raise OptionError(
            "front-end %(name)r (%(value)s) is not valid: it must be callable, "
            "and its patterns a sequence",
            entry.name,
            entry.value,
        )
    return PlugIn(entry.name.lower(), tuple(map(str, patterns)), read)


@dataclass(frozen=True, slots=True)
class Language:
    """A language files are compared in.

    Attributes:
        name: The lexer's first Pygments alias for which `find_language` returns the language.
        title: The lexer's full name, as its users write it.
        is_prose: Compared as letters and digits, case folded, without the lexer.
        is_caseless: Case is ignored in keywords.
        is_plugged_in: An installed plug-in reads it, not a lexer of Pygments.
    """

    name: str
    title: str
    is_prose: bool
    is_caseless: bool
    is_plugged_in: bool = False


TEXT: Final = Language(name="text", title=N_("Text only"), is_prose=True, is_caseless=False)

MOSS_LANGUAGES: Final[Mapping[str, tuple[str, str]]] = {
    "c": ("c", ""),
    "cc": ("cpp", ""),
    "java": ("java", ""),
    "ml": ("ocaml", "OCaml; 'sml' reads Standard ML"),
    "pascal": ("delphi", "Delphi, which includes standard Pascal"),
    "ada": ("ada", ""),
    "lisp": ("common-lisp", ""),
    "scheme": ("scheme", ""),
    "haskell": ("haskell", ""),
    "fortran": ("fortran", "free form; 'fortranfixed' reads fixed form"),
    "ascii": ("text", "prose: only letters and digits count, case is ignored"),
    "vhdl": ("vhdl", ""),
    "perl": ("perl", ""),
    "matlab": ("octave", "Octave, as Pygments' Matlab lexer misreads rows like [1 2; 3 4]'"),
    "python": ("python", ""),
    "mips": ("gas", "assembly of any processor"),
    "prolog": ("prolog", ""),
    "spice": ("text", "prose, as no lexer reads circuits ('spicelang' is another language)"),
    "vb": ("vb.net", "VB.NET, which includes classic Visual Basic"),
    "csharp": ("csharp", ""),
    "modula2": ("modula2", ""),
    "a8086": ("gas", "assembly of any processor"),
    "javascript": ("javascript", ""),
    "plsql": ("sql", "every dialect of SQL"),
    "verilog": ("verilog", ""),
}

_FAMILY_OF: Final = {
    member: family for family, row in ROWS.items() for member in row.members.split()
}

# Documents that contain programs.
NOTEBOOKS: Final = (".ipynb", ".qmd", ".rmarkdown", ".rmd")

PROSE: Final = frozenset({"markdown", "org", "restructuredtext", "text"})


def find_language(name: str) -> Language:
    """Return the language of a MOSS name or, failing that, of a Pygments alias, in any case.

    Raises:
        OptionError: Neither MOSS nor Pygments has a language of that name.
    """
    language = named_language(name)
    if language is None:
        known = sorted({*MOSS_LANGUAGES, *_languages_by_alias()})
        near = get_close_matches(name.lower(), known, n=1)
        hint = M_("did you mean %(near)r? ", *near) if near else ""
        raise OptionError("unknown language %(name)r: %(hint)ssee 'mosslite languages'", name, hint)
    return language


def named_language(name: str) -> Language | None:
    """Return the language that ``find_language`` finds; None if there is none."""
    asked = name.lower()
    if asked in plug_ins():
        return _plugged_in(asked)
    alias = MOSS_LANGUAGES[asked][0] if asked in MOSS_LANGUAGES else asked
    return _languages_by_alias().get(alias)


@lru_cache(maxsize=1024)
def asked_language(asked: str | None, file_name: str = "") -> Language | None:
    """Return the language that ``-l`` asks for a file; None if it says nothing of it.

    Args:
        asked: A name as in ``find_language``, or with patterns of file names ``*.pl=prolog``,
            separated by commas; the first that matches decides.
        file_name: The file.

    Raises:
        OptionError: A language is unknown.
    """
    rows = [each.strip().rpartition("=") for each in (asked or "").split(",") if each.strip()]
    found = [(pattern, find_language(name)) for pattern, _, name in rows]
    whole, name = file_name.lower(), split(file_name)[1].lower()
    return next(
        (
            language
            for pattern, language in sorted(found, key=lambda row: not row[0])
            if not pattern or any(fnmatchcase(each, pattern.lower()) for each in (name, whole))
        ),
        None,
    )


def language_of(file_name: str) -> Language | None:
    """Return the language of a file name, or None if it is unknown.

    Case is ignored, and of two matching patterns the more specific one wins. A backup, or a program
    saved as text such as ``Main.java.txt``, has the language of the inner name.
    """
    name = split(file_name.rstrip("/"))[1].lower()
    language = _language_of(name)
    # A last number is that of a copy, unless it is the section of a manual page.
    is_doubtful = language is None or language.is_prose or name[-1:].isdecimal()
    if is_doubtful and (inner := unwrapped(name)) != name:
        own = _language_of(inner)
        is_code = own is not None and not (own.is_prose or is_data(own))
        return own if is_code else language
    return language


# What editors, platforms and browsers add to the name of a program.
_WRAPPING: Final = re.compile(
    r"""(?<=.)(?: \.(?:txt|text|md|markdown|bak|backup|old|orig|copy|sav|save|tmp) | ~
            | \.[0-9]{1,3}
            | (?<=\.ipynb)\.json
            | [ _-]{0,3}\([0-9]{1,3}\) | [ _-]{1,3}(?:copy|kopie|copia|copie|backup|old) )\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_MOST_WRAPPINGS: Final = 5


def unwrapped(file_name: str) -> str:
    """Return the name without what was added to it, as ``Main.java`` for ``Main.java.txt (1)``."""
    for _ in range(_MOST_WRAPPINGS):
        inner = _WRAPPING.sub("", file_name)
        if inner == file_name:
            break
        file_name = inner
    return file_name


def _language_of(name: str) -> Language | None:
    for each in plug_ins().values():
        if any(fnmatchcase(name, pattern.lower()) for pattern in each.patterns):
            return _plugged_in(each.name)
    languages = _languages_by_pattern()
    for pattern in _plain_patterns(name):
        if pattern in languages:
            return languages[pattern]
    return next((languages[each] for each in _wild_patterns() if fnmatchcase(name, each)), None)


def is_data(language: Language) -> bool:
    """Return whether files of the language contain settings or data, not a program."""
    return row_of(language.name).is_data


def is_program(file_name: str) -> bool:
    """Return whether a file is named like a program or notebook, not like prose or data."""
    language = language_of(file_name)
    if language is not None and not language.is_prose and not is_data(language):
        return True
    return unwrapped(file_name.lower()).endswith(NOTEBOOKS)


@cache
def lexer_class_of(language: Language) -> type[Lexer]:
    """Return the class of the language's lexers."""
    own = LEXERS.get(language.name)
    if own is None:
        name = row_of(language.name).lexer or language.name
        own = patched(find_lexer_class_by_name(name))
    return by_alternations(own)


def lexer_of(language: Language) -> Lexer:
    """Return a new lexer of the language, with default options."""
    return lexer_class_of(language)()


def _plugged_in(name: str) -> Language:
    return Language(name, name, is_prose=False, is_caseless=False, is_plugged_in=True)


@cache
def _languages_by_alias() -> Mapping[str, Language]:
    return {alias: language for language, aliases, _ in _pygments_rows() for alias in aliases}


@cache
def _languages_by_pattern() -> Mapping[str, Language]:
    languages = {
        pattern: find_language(alias)
        for alias, row in ROWS.items()
        for pattern in row.files.split()
    }
    # The shortest name comes first, so that a language precedes its dialects and templates.
    for language, _, patterns in sorted(
        _pygments_rows(), key=lambda row: (len(row[0].name), row[0].name)
    ):
        for pattern in patterns:
            languages.setdefault(pattern.lower(), language)
    return languages


@cache
def _wild_patterns() -> tuple[str, ...]:
    """Return the patterns with wildcards that `_plain_patterns` cannot produce, as 'makefile.*'."""
    return tuple(
        each for each in _languages_by_pattern() if any(mark in each[1:] for mark in "*?[")
    )


def _plain_patterns(name: str) -> Iterator[str]:
    """Yield the simple patterns that match a file name, the longest first."""
    yield name
    for position, character in enumerate(name):
        if character == ".":
            yield f"*{name[position:]}"


def _pygments_rows() -> Iterator[tuple[Language, tuple[str, ...], tuple[str, ...]]]:
    """Yield the language, aliases and file patterns of every lexer, importing none of them."""
    for title, aliases, patterns, _ in get_all_lexers(plugins=False):
        name = _canonical_name(aliases)
        if name in PROSE:
            yield TEXT, aliases, patterns
        elif name is not None:
            name = _FAMILY_OF.get(name, name)
            row = row_of(name)
            yield Language(name, row.title or title, False, row.is_caseless), aliases, patterns


def _canonical_name(aliases: tuple[str, ...]) -> str | None:
    """Return the first alias that is not a MOSS name for another lexer; None without one."""
    for alias in aliases:
        if alias not in MOSS_LANGUAGES or MOSS_LANGUAGES[alias][0] in aliases:
            return alias
    return None
