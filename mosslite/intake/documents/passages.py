"""Passages of documents by language: chunks of knitr and Quarto, text and scripts of web pages."""

import html
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final, NamedTuple

from pygments.lexers import get_all_lexers

from mosslite.intake.disk import NotReadError
from mosslite.languages import MOSS_LANGUAGES, TEXT, find_language, is_data, language_of
from mosslite.options import MOST_LANGUAGE_CHARACTERS, MOST_LANGUAGES
from mosslite.reasons import Reason
from mosslite.records import SourceFile

PROSE: Final = TEXT.name

# Names of languages in notebooks and documents that Pygments does not know.
_OTHER_NAMES: Final = {
    **dict.fromkeys(("asis", "block", "block2", "cat", "comment", "embed", "glue"), PROSE),
    "bigquery": "sql",
    "cmd": "batch",
    "cu": "cuda",
    "fortran95": "fortran",
    "ipython": "python",
    "ir": "r",
    "ojs": "javascript",
    "pypy": "python",
    "rcpp": "cpp",
    "svg": "xml",
    "sx": "bash",
    "system": "bash",
    "verbatim": PROSE,
}
_VERSION: Final = re.compile(r"[-.\d]+\Z")
_LONGEST_NAME: Final = 40
_LONGEST_FILE_NAME: Final = 255


def known_language(name: str) -> str | None:
    """Return the canonical name of a language by any of its names, with or without a version.

    Unknown names are rejected cheaply: documents can contain any number of them.
    """
    return _known(name.strip().lower()) if len(name) <= _LONGEST_NAME else None


@lru_cache(maxsize=1024)
def _known(asked: str) -> str | None:
    for each in (asked, _VERSION.sub("", asked)):
        known = _OTHER_NAMES.get(each, each)
        if known in _names():
            return find_language(known).name
    return None


def program_language(name: str) -> str | None:
    """Return the canonical name if it is that of a programming language, else None."""
    known = known_language(name)
    if known is None or known == PROSE or is_data(find_language(known)):
        return None
    return known


def language_of_file(name: str) -> str | None:
    """Return the canonical name of the language of a file name, or None."""
    language = language_of(name) if len(name) <= _LONGEST_FILE_NAME else None
    return language.name if language else None


@cache
def _names() -> frozenset[str]:
    """Return all names known to ``find_language``."""
    aliases = {alias for row in get_all_lexers(plugins=False) for alias in row[1]}
    return frozenset({*MOSS_LANGUAGES, *aliases})


# Pygments calls R by the name of its predecessor.
_TITLES = {"splus": "r"}

_SHOWN = re.compile(r"[^\r\n]+")


class Passage(NamedTuple):
    """The range ``[start, stop)`` of a text in one language."""

    start: int
    stop: int
    language: str


def _blank(text: str) -> str:
    """Return blanks of the same length as the text, with its line ends kept."""
    if "\n" not in text and "\r" not in text:
        return " " * len(text)
    return _SHOWN.sub(lambda found: " " * len(found.group()), text)


def _kept(text: str, passages: Iterable[Passage]) -> str:
    """Return the text with blanks outside of these passages, which are in order."""
    pieces, stop = [], 0
    for passage in passages:
        pieces += [_blank(text[stop : passage.start]), text[passage.start : passage.stop]]
        stop = passage.stop
    return "".join([*pieces, _blank(text[stop:])])


def titled(file: SourceFile, language: str) -> SourceFile:
    """Name a file after an additional language in it, as in ``a.Rmd [python]``."""
    title = _TITLES.get(language, language)
    return replace(file, name=f"{file.name} [{title}]", language=language)


def files_by_language(
    file: SourceFile, passages: Sequence[Passage], main: str
) -> tuple[SourceFile, ...]:
    """Return a file for each language of the passages, which are in order.

    The main language comes first, keeps the file's name, and gets the code beyond the limit.
    """
    by_language: dict[str, list[Passage]] = defaultdict(list)
    most = min(MOST_LANGUAGES, MOST_LANGUAGE_CHARACTERS // max(len(file.text), 1))
    sizes = _sizes_by_language(each for each in passages if each.language != main)
    largest = sorted(sizes, key=lambda each: -sizes[each])[: max(most - 1, 0)]
    for passage in passages:
        by_language[passage.language if passage.language in largest else main].append(passage)
    files = []
    for language in sorted(by_language, key=lambda each: each != main):
        own = replace(file, language=language) if language == main else titled(file, language)
        code = _kept(file.text, by_language[language])
        if code and not code.isspace():
            files.append(replace(own, code=code))
    return tuple(files)


def _sizes_by_language(passages: Iterable[Passage]) -> dict[str, int]:
    """Return the number of characters in each language, in order of first appearance."""
    sizes: dict[str, int] = defaultdict(int)
    for passage in passages:
        sizes[passage.language] += passage.stop - passage.start
    return dict(sizes)


# Language of chunks with unknown engines if there are no others: Pygments' name for R.
_DEFAULT_LANGUAGE: Final = "splus"

# A fence as knitr recognizes it: also in lists and quotations, and inside a longer fence without
# an engine.
_FENCE: Final = re.compile(
    r"""(?<![^\r\n]) [\t >]*+ (?P<ticks>`{3,}+) [ \t]*+
        (?: \{ [ \t]*+ (?P<engine>\w++) (?P<options>[ ,\t][^\r\n]*)? \} [ \t]*+ )?
        (?![^\r\n])""",
    re.VERBOSE,
)
_ENGINE_OPTION: Final = re.compile(r"\bengine\s*+=\s*+[\"'](\w++)")
_FRONT_MATTER: Final = re.compile(
    r"\s*+---[ \t\r]*+$.*?^(?:---|\.\.\.)[ \t\r]*+$", re.DOTALL | re.MULTILINE
)


class _Fence(NamedTuple):
    """A line that starts a chunk, with its language (``""`` if unknown), or ends one."""

    ticks: int
    language: str
    begins: bool


_OUTSIDE: Final = _Fence(0, PROSE, begins=False)


def files_of_chunks(
    file: SourceFile, given: str | None, *, reads_prose: bool
) -> tuple[SourceFile, ...]:
    """Return the code chunks of a document for each of its languages, and its prose.

    The language with most code is the main one and gets the chunks of unknown engines. A
    document without code is all prose.
    """
    passages = list(_passages(file.text))
    code = [each for each in passages if each.language != PROSE]
    sizes = _sizes_by_language(each for each in code if each.language)
    main = given or max(sizes, key=lambda each: sizes[each], default=_DEFAULT_LANGUAGE)
    chosen = [each._replace(language=given or each.language or main) for each in code]
    files = files_by_language(file, chosen, main)
    if not files:
        return (replace(file, language=PROSE),)
    if reads_prose:
        prose = list(_prose(passages, file.text))
        files += files_by_language(titled(file, PROSE), prose, PROSE)
    return files


def _prose(passages: Iterable[Passage], text: str) -> Iterator[Passage]:
    """Yield the prose without the front matter at the start of the document."""
    front = _FRONT_MATTER.match(text)
    end = front.end() if front else 0
    for each in passages:
        if each.language == PROSE and each.stop > end:
            yield each._replace(start=max(each.start, end))


def _passages(text: str) -> Iterator[Passage]:
    """Yield the passages between fences; one without an engine, outside of a chunk, is prose."""
    start, inside = 0, _OUTSIDE
    for found in _FENCE.finditer(text):
        fence = _fence(found)
        is_inside = inside is not _OUTSIDE
        if fence.ticks < inside.ticks or not (is_inside or fence.begins):
            continue
        if start < found.start():
            yield Passage(start, found.start(), inside.language)
        start = found.end()
        inside = fence if fence.begins else _OUTSIDE
    yield Passage(start, len(text), inside.language)


def _fence(found: re.Match[str]) -> _Fence:
    engine = found["engine"]
    option = _ENGINE_OPTION.search(found["options"] or "")
    name = option[1] if option else engine or ""
    return _Fence(len(found["ticks"]), known_language(name) or "", begins=engine is not None)


_SCRIPT: Final = "javascript"

# Invisible markup. It ends where it does in browsers, or with the page. Whatever starts like markup
# matches, so the cost is linear.
_ATTRIBUTES: Final = r"""(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')|=)*+(?:>|\Z)"""
_REFERENCE: Final = r"&(?:\#[0-9]{1,8}(?![0-9])|\#x[0-9a-f]{1,6}(?![0-9a-f])|[a-z][a-z0-9]{1,31});?"
# In a comment of a script, another one in tags does not end it.
_IN_SCRIPT: Final = r"""
    (?:[^<]++ | <!---?> | <!--(?:[^<-]++ | -(?!->) | <(?!/?script[\s/>])
        | <script(?=[\s/>])(?:[^<-]++ | -(?!->) | <(?!/script[\s/>]))*+(?:</script(?=[\s/>]))?
    )*+ | <(?!/script[\s/>]))*+"""
_MARK_UP: Final = re.compile(
    rf"""
      <!--(?:-?>|.*?(?:--!?>|\Z))
    | <script(?=[\s/>])(?P<attributes>{_ATTRIBUTES})(?P<script>{_IN_SCRIPT})
    | <(?P<raw>iframe|noembed|noframes|noscript|style|xmp)(?=[\s/>]){_ATTRIBUTES}
      [^<]*+(?:<(?!/(?P=raw)[\s/>])[^<]*+)*+
    | <(?P<title>textarea|title)(?=[\s/>]){_ATTRIBUTES}
      (?P<text>[^<]*+(?:<(?!/(?P=title)[\s/>])[^<]*+)*+)
    | </?[a-z](?P<tag>{_ATTRIBUTES})
    | <[!?/][^>]*+(?:>|\Z)
    | (?P<reference>{_REFERENCE})
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_REFERENCES: Final = re.compile(_REFERENCE, re.IGNORECASE)
_TYPE: Final = re.compile(r"""(?i)(?:^|(?<=[\s/"']))type\s*+=\s*+["']?\s*+([^\s"'>;]*+)""")
# Data and templates. Browsers and what pages load run anything else: modules, Babel, JScript.
_DATA_TYPES: Final = re.compile(
    r"(?i)json|importmap|speculationrules|template|handlebars|mustache|html|plain|tex\b|php|\Ald\Z"
)
_LANGUAGES_OF_TYPES: Final = {
    "babel": "jsx",
    "py": "python",
    **{each: each for each in ("jsx", "python", "tsx", "typescript")},
}
_ATTRIBUTE: Final = re.compile(
    r"""([^\s"'>/=]++)\s*+=\s*+(?:"([^"]*+)" | '([^']*+)' | ([^\s"'>]++))""", re.VERBOSE
)
_HANDLER: Final = re.compile(r"(?i)on[a-z]+=|[a-z:]+=\s*+javascript:")

_LINE_ENDS: Final = re.compile("[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


def files_of_page(file: SourceFile) -> tuple[SourceFile, ...]:
    """Return the visible text of a page as prose, and its scripts.

    No styles are applied and no scripts run: hidden text is included, generated text is
    not.

    Raises:
        NotReadError: It contains neither.
    """
    seen = _MARK_UP.sub(_not_marked_up, file.text)
    files: tuple[SourceFile, ...] = ()
    if seen.strip():
        files = (replace(file, code=seen, language=PROSE),)
    scripts = list(_scripts(file.text))
    for language in sorted({each.language for each in scripts}):
        own = [each for each in scripts if each.language == language]
        files += files_by_language(titled(file, language), own, language)
    if not files:
        raise NotReadError(Reason.NO_TEXT)
    return files


def _not_marked_up(found: re.Match[str]) -> str:
    if found["title"]:
        head = found.start("text") - found.start()
        return _blank(found.group()[:head]) + _REFERENCES.sub(
            lambda inner: _resolved(inner.group()), found["text"]
        )
    return _resolved(found.group()) if found["reference"] else _blank(found.group())


@lru_cache(maxsize=1024)
def _resolved(reference: str) -> str:
    """Return the character of a reference, padded with blanks to the reference's length."""
    character = _LINE_ENDS.sub(" ", html.unescape(reference))
    return character.ljust(len(reference))


def _scripts(text: str) -> Iterator[Passage]:
    """Yield the code of scripts, event handlers and links."""
    for found in _MARK_UP.finditer(text):
        if found["script"] is not None:
            language = _script_language(found["attributes"])
            if language:
                yield Passage(*found.span("script"), language)
        elif found["tag"]:
            for each in _ATTRIBUTE.finditer(text, *found.span("tag")):
                value = each.lastindex or 0
                if _HANDLER.match(f"{each[1]}={each[value][:_LONGEST_NAME]}"):
                    yield Passage(*each.span(value), _SCRIPT)


def _script_language(attributes: str) -> str:
    """Return the language of a script element; empty for data and templates."""
    found = _TYPE.search(attributes)
    kind = html.unescape(found[1]).lower() if found else ""
    if _DATA_TYPES.search(kind):
        return ""
    return _LANGUAGES_OF_TYPES.get(kind.rpartition("/")[2].removeprefix("x-"), _SCRIPT)
