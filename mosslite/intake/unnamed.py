"""Languages of files whose names do not say that they are code, and files that programs name."""

import html
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from mosslite.languages import TEXT, find_language, is_data, is_program, language_of, unwrapped
from mosslite.languages.content import guessed_language, looks_like_code
from mosslite.languages.known import asked_language
from mosslite.reasons import Reason
from mosslite.records import SourceFile

# Files of these are scripts of builds, which look like code.
_BUILD_SCRIPTS: Final = frozenset({"cmake", "diff", "docker", "make", "nixos"})

_NAME: Final = r"[^\"'`<>\r\n]{1,200}"
# What is included is code of the same language, whatever it looks like.
_INCLUDED: Final = re.compile(rf"""\binclude(?:_once)?\s*\(?\s*["'<]({_NAME})["'>]""")
_QUOTED: Final = re.compile(rf"""["'`](?=({_NAME})["'`])|\b(?:source|sh|bash)[ \t]+([\w./-]+)""")
# Programs without these read other files as data.
_RUNS_FILES: Final = re.compile(
    r"\b(?:exec|eval|source|system|spawn|popen|subprocess|run_?path|load|dofile|require|importlib"
    r"|SourceFileLoader|ScriptEngine|GroovyShell|consult|(?:ba)?sh\b|include[ \t]+[\w$])"
)


class _Naming(NamedTuple):
    """The language of the program that names a file, and whether it includes the file."""

    language: str
    is_included: bool


def with_languages(
    files: Sequence[SourceFile],
    usual: str,
    asked: str | None,
    is_included: Callable[[str], bool],
) -> list[SourceFile]:
    """Return the files of a submission, those that are code under another name in its language.

    A file that a program of the submission includes, or names and may run, has the language of the
    program. If there is no program, what looks like code has the usual language of the batch, or
    the one it has sure signs of. Other files that look like code have a ``doubt``. What ``-l`` asks
    for is the language of anything that looks like code, and what the user includes is compared.
    """
    names = {file.name for file in files}
    older = {name for name in names if unwrapped(name) != name and unwrapped(name) in names}
    programs = [file for file in files if _is_code(file) and file.name not in older]
    namings = _namings_in(programs) if len(programs) < len(files) else {}
    found = []
    for file in files:
        is_older = file.name in older
        naming = namings.get(file.name.rpartition("/")[2])
        forced = asked_language(asked, file.name)
        is_box = forced is not None and _is_page(file) and forced != language_of(file.name)
        if _is_code(file) and not is_older and not is_box:
            found.append(file)
        elif naming and (naming.is_included or looks_like_code(file.text)):
            found.append(replace(file, language=naming.language))
        elif is_included(file.name) and not is_older:
            language = language_of(file.name) or TEXT
            found.append(replace(file, language=file.language or language.name))
        elif is_older and not file.is_given:
            found.append(replace(file, doubt=Reason.OLDER_COPY))
        elif forced is not None:
            found.append(_recognized(file, forced.name, is_alone=True))
        else:
            found.append(_recognized(file, usual, is_alone=not programs))
    return found


def _recognized(file: SourceFile, usual: str, *, is_alone: bool) -> SourceFile:
    """Return a file that no program names as code, in doubt, or as it is."""
    named = language_of(file.name)
    if named is not None and named.name in _BUILD_SCRIPTS:
        return file
    is_page = _is_page(file)
    text = _typed_text(file.text) if is_page else file.text
    if not looks_like_code(text):
        return file
    language = usual or guessed_language(text)
    if is_alone and language:
        code = None if is_page else file.code
        return replace(file, text=text, code=code, language=language)
    return file if is_page else replace(file, doubt=Reason.LOOKS_LIKE_CODE)


def _is_page(file: SourceFile) -> bool:
    return file.name.lower().endswith((".htm", ".html"))


def _is_code(file: SourceFile) -> bool:
    if file.language is not None:
        return file.language != TEXT.name and not is_data(find_language(file.language))
    return is_program(file.name)


def _namings_in(programs: Iterable[SourceFile]) -> dict[str, _Naming]:
    """Return for the names of files in programs, without folders, how they are named."""
    found: dict[str, _Naming] = {}
    for file in programs:
        known = language_of(file.name)
        language = file.language or (known.name if known else TEXT.name)
        for each in _INCLUDED.finditer(file.text):
            found[_own_name(each[1])] = _Naming(language, is_included=True)
        for each in _QUOTED.finditer(file.text) if _RUNS_FILES.search(file.text) else ():
            own = _own_name(each[1] or each[2] or "")
            found.setdefault(own, _Naming(language, is_included=False))
    return found


def _own_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


# Text boxes of learning platforms are pages with a line in each paragraph.
_LINE_END: Final = re.compile(r"<(?:br|/p|/div|/li|/tr|/pre|/h[1-6])\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"<title>[^<]*</title>|<[a-z/!][^<>]*>", re.IGNORECASE)


def _typed_text(page: str) -> str:
    """Return the lines of a page that somebody typed; empty if it has scripts."""
    if "<script" in page.lower():
        return ""
    lines = _TAG.sub("", _LINE_END.sub("\n", page))
    return html.unescape(lines).replace("\xa0", " ")
