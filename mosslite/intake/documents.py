"""Documents that contain several languages: one text to compare for each of them."""

import html
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import PurePosixPath
from posixpath import splitext
from typing import Any, Final, NamedTuple

from msgspec import Struct, ValidationError, convert

from mosslite.intake.entries import LimitError, NotReadError
from mosslite.languages import (
    TEXT,
    asked_language,
    find_language,
    is_data,
    language_of,
    named_language,
    unwrapped,
)
from mosslite.languages.content import language_in
from mosslite.messages import M_
from mosslite.options import MOST_JSON_BYTES, MOST_LANGUAGE_CHARACTERS, MOST_LANGUAGES, Intake
from mosslite.reasons import Reason
from mosslite.records import Part, SourceFile

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
    """Return the canonical name of a language by any of its names, with or without a version."""
    if len(name) > _LONGEST_NAME:
        return None
    asked = name.strip().lower()
    names = (_OTHER_NAMES.get(each, each) for each in (asked, _VERSION.sub("", asked)))
    return next((found.name for each in names if (found := named_language(each))), None)


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
        engine, option = found["engine"], _ENGINE_OPTION.search(found["options"] or "")
        name = option[1] if option else engine or ""
        known = known_language(name) or ""
        fence = _Fence(len(found["ticks"]), known, begins=engine is not None)
        is_inside = inside is not _OUTSIDE
        if fence.ticks < inside.ticks or not (is_inside or fence.begins):
            continue
        if start < found.start():
            yield Passage(start, found.start(), inside.language)
        start = found.end()
        inside = fence if fence.begins else _OUTSIDE
    yield Passage(start, len(text), inside.language)


_SCRIPT: Final = "javascript"
_OF_PAGES: Final = "html"

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


# Only Python's kernel has magics; in other languages ``%`` and ``!`` are operators.
_WITH_MAGICS: Final = "python"

_CELL_MAGIC: Final = re.compile(r"\s*+%%(!|[^\s%]*+)[ \t]*+([^\r\n]*+)(?:\r\n|[\r\n])?")
_OF_A_FILE: Final = frozenset({"file", "writefile"})
_OF_A_SHELL: Final = frozenset({"!", "sh", "sx", "system"})

# IPython syntax at the start of a statement: a magic, a shell line, help before or after a name,
# and an assignment from a magic or a shell line.
_LINE_MAGIC: Final = re.compile(
    r"""[ \t]*+(?:[%!?] | [\w.*]++\?{1,2}[ \t]*+(?=[\r\n]|\Z)
                   | ([\w.,* \t]++=)[ \t]*+[%!])""",
    re.VERBOSE,
)
_SIGN_OF_MAGIC: Final = re.compile(r"[%!?]")
_LINE: Final = re.compile(r"(?:[^\\\r\n]++|\\(?:\r\n|[\r\n])?)*+(?:\r\n|[\r\n])?")

# As much of Python's syntax as is needed to find the starts of statements.
_PIECE: Final = re.compile(
    r"""
    (?P<text> \"{3}[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:\"{3}|\Z)
            | \'{3}[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+(?:\'{3}|\Z)
            | "(?:[^"\\\r\n]++|\\(?:\r\n|.)?)*+"?
            | '(?:[^'\\\r\n]++|\\(?:\r\n|.)?)*+'?
            | \#[^\r\n]*+
            | \\(?:\r\n|[\r\n])?
            | [^"'#\\\r\n()\[\]{}]++ )
    | (?P<open> [(\[{] ) | (?P<close> [)\]}] ) | (?P<end> \r\n|[\r\n] )
    """,
    re.VERBOSE | re.DOTALL,
)


# Magics whose line is code, behind its options.
_OF_CODE: Final = re.compile(
    r"[ \t]*+%(?:debug|l?prun|mem(?:it|run)|mprun|time(?:it)?)\b"
    r"(?:[ \t]++-\w++(?:[ \t]++\d++)?)*+[ \t]*+"
)
_OWN_MAGICS: Final = re.compile(r"register_\w*magic|alias_magic|@\w*cell_magic")
_DEFINED: Final = re.compile(r"(?:\bdef\s+|alias_magic\s+(?:-\w+\s+)*|[\"'])(\w+)")
_RUNNING: Final = re.compile(r"(?:%run|%load|\bexec|\brun_path|\brun_cell)\b[^\r\n]*")
_FILE_NAME: Final = re.compile(r"[\w.-]+")


class _Kernel(NamedTuple):
    """What runs a notebook.

    Attributes:
        language: Canonical name of its language.
        magics: Names of what may be magics of the notebook's own, with any effect.
        named: How often file names and words occur in its code.
        run: Those that occur where a file or text is run.
    """

    language: str
    magics: frozenset[str]
    named: Counter[str]
    run: frozenset[str]

    def runs(self, path: str) -> bool:
        """Return whether a file that a cell writes is run, or may be as no program is its name."""
        name = PurePosixPath(path).name
        if program_language(language_of_file(name) or PROSE) is None:
            return self.named[name] > 1
        return name in self.run


class _Cell(NamedTuple):
    """A cell: its number, from 1, and its source."""

    number: int
    source: str
    is_code: bool

    @property
    def heading(self) -> str:
        """The line above it in the text that is compared."""
        return f"# cell {self.number}\n"


def _cell_passages(cell: _Cell, kernel: _Kernel) -> list[Passage]:
    """Return the passages of a cell to compare, by language.

    A magic at the start of the cell can set its language; lines for IPython or the shell are
    left out with their continuations. A cell of another type is prose as a whole.
    """
    source = cell.source
    start, language = _after_magics(source, kernel) if cell.is_code else (0, PROSE)
    if language == _OF_PAGES:
        return list(_page_passages(source, start))
    if language == _WITH_MAGICS and _SIGN_OF_MAGIC.search(source, start):
        return list(_without_magics(source, start))
    return [Passage(start, len(source), language)]


def _page_passages(source: str, start: int) -> Iterator[Passage]:
    """Yield the scripts of a page, and what is between them."""
    stop = start
    for first, last, language in _scripts(source[start:]):
        yield Passage(stop, start + first, _OF_PAGES)
        stop = start + last
        yield Passage(start + first, stop, language)
    yield Passage(stop, len(source), _OF_PAGES)


def _after_magics(source: str, kernel: _Kernel) -> tuple[int, str]:
    """Return where the source starts behind magics, and its language."""
    start, own = 0, kernel.language
    while own == _WITH_MAGICS and (found := _CELL_MAGIC.match(source, start)):
        start = found.end()
        own = _language_of_magic(found[1].lower(), found[2].split(), kernel)
    return start, own


def _language_of_magic(name: str, arguments: list[str], kernel: _Kernel) -> str:
    language = kernel.language
    if name in _OF_A_SHELL:
        return "bash"
    if name == "script":
        named = (known_language(PurePosixPath(each).name) for each in arguments)
        return next(filter(None, named), language)
    if name in _OF_A_FILE:
        written = ("", *arguments)[-1]
        return language if kernel.runs(written) else language_of_file(written) or language
    # Any other magic changes how the cell is run, such as its timing, not its language.
    return language if name in kernel.magics else known_language(name) or language


def _without_magics(source: str, start: int) -> Iterator[Passage]:
    """Yield the Python code of a cell without IPython's lines."""
    depth, place, is_statement = 0, start, True
    while piece := _PIECE.match(source, place):
        magic = _LINE_MAGIC.match(source, place) if is_statement and not depth else None
        if magic:
            # The target of an assignment is kept, and so is code that a magic runs.
            stop = magic.end(1) if magic[1] else place
            if start < stop:
                yield Passage(start, stop, _WITH_MAGICS)
            code = _OF_CODE.match(source, place)
            line = _LINE.match(source, place)
            start = place = code.end() if code else line.end() if line else place
            is_statement = not code
            continue
        depth = max(0, depth + (piece.lastgroup == "open") - (piece.lastgroup == "close"))
        is_statement = piece.lastgroup == "end"
        place = piece.end()
    yield Passage(start, place, _WITH_MAGICS)


_USUAL_LANGUAGE: Final = "python"

# Metadata fields that name the language, the most reliable first: Jupyter starts the kernel by its
# name and does not look at the others.
_LANGUAGE_PLACES: Final = (
    ("kernelspec", "name"),
    ("kernelspec", "language"),
    ("language_info", "name"),
    ("language_info", "pygments_lexer"),
)

# Upper bound of the bytes that Python allocates per JSON character: for a list, an object, half of
# a string, and a place in a list. Numbers are not kept.
_ROOM: Final = {"[": 88, "{": 232, '"': 32, ",": 8}

# Characters possible in JSON but not in a text file: lone surrogates and NUL.
_NO_CHARACTER: Final = re.compile("[\0\ud800-\udfff]")


class _Sheet(Struct):
    cells: list[dict[str, Any]] = []


def _read_notebook(text: str) -> tuple[list[_Cell], _Kernel]:
    """Read a notebook of any version from 2 on; raise a NotReadError if it is not valid."""
    if sum(size * text.count(sign) for sign, size in _ROOM.items()) > MOST_JSON_BYTES:
        raise NotReadError(Reason.TOO_MANY_VALUES)
    try:
        root = convert(json.loads(text, parse_int=_number, parse_float=_number), dict[str, Any])
        cells = list(_cells(root))
    except json.JSONDecodeError as error:
        reason = M_("it is not JSON from line %(line)d on", error.lineno)
        raise NotReadError(Reason.INVALID_NOTEBOOK, reason) from error
    except RecursionError as error:
        raise NotReadError(Reason.INVALID_NOTEBOOK, M_("it is nested too deeply")) from error
    except ValidationError as error:
        reason = M_("its JSON is not that of a notebook")
        raise NotReadError(Reason.INVALID_NOTEBOOK, reason) from error
    code = "\n".join(cell.source for cell in cells if cell.is_code)
    magics = _DEFINED.findall(code) if _OWN_MAGICS.search(code) else ()
    running = chain.from_iterable(map(_FILE_NAME.findall, _RUNNING.findall(code)))
    named = Counter(_FILE_NAME.findall(code))
    return cells, _Kernel(_language(root), frozenset(magics), named, frozenset(running))


_BEFORE_CELLS: Final = (2.0, 3.0)


def _number(digits: str) -> float:
    """Return one of these versions of the format, the only numbers that are looked at, or 0."""
    return next((each for each in _BEFORE_CELLS if each == float(digits)), 0.0)


def _cells(root: dict[str, Any]) -> Iterator[_Cell]:
    """Yield the cells; before version 4, they are in worksheets, whatever else there is."""
    if "cells" not in root and "worksheets" not in root:
        raise NotReadError(Reason.INVALID_NOTEBOOK, M_("it has no cells"))
    is_old = root.get("nbformat") in _BEFORE_CELLS and "worksheets" in root
    is_new = "cells" in root and not is_old
    sheets = convert([root] if is_new else root["worksheets"], list[_Sheet])
    for number, cell in enumerate(chain.from_iterable(each.cells for each in sheets), 1):
        source = convert(cell.get("source", cell.get("input", "")), str | list[str])
        shown = _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", "".join(source))
        yield _Cell(number, shown, cell.get("cell_type") == "code")


def _language(root: dict[str, Any]) -> str:
    """Return the first language named by the metadata that is a programming language."""
    metadata = root.get("metadata")
    for part, key in _LANGUAGE_PLACES:
        about = metadata.get(part) if isinstance(metadata, dict) else None
        name = about.get(key) if isinstance(about, dict) else None
        if isinstance(name, str) and (language := program_language(name)):
            return language
    return _USUAL_LANGUAGE


_LINE_END = re.compile(r"\r\n|[\r\n]")


def files_of_notebook(
    file: SourceFile, given: str | None, *, reads_prose: bool, most: int
) -> tuple[SourceFile, ...]:
    """Return the code of a notebook for each of its languages, and its prose if requested.

    The text consists of the cells, each below a heading such as ``# cell 3``; cells of all kinds
    are counted, from 1. Outputs, attachments and metadata are left out.

    Raises:
        NotReadError: It is not a valid notebook, or contains no code.
        LimitError: All cells together have more than ``most`` characters.
    """
    cells, kernel = _read_notebook(file.text)
    written = [cell for cell in cells if cell.source and not cell.source.isspace()]
    if sum(len(cell.heading) + len(cell.source) for cell in written) > most:
        raise LimitError("--max-file-size", Reason.CELLS_TOO_LARGE, most)
    kinds: dict[bool, list[_Cell]] = {False: [], True: []}
    for cell in written:  # one is prose by its type or a magic such as %%markdown
        is_prose = not cell.is_code or _after_magics(cell.source, kernel)[1] == PROSE
        kinds[is_prose].append(cell)
    main = given or kernel.language
    left_out = 0 if reads_prose else sum(cell.is_code for cell in kinds[True])
    file = replace(file, cells_left_out=left_out)
    files = files_by_language(*_concatenated(file, kinds[False], kernel, given), main)
    if reads_prose:
        own = titled(file, PROSE)
        files += files_by_language(*_concatenated(own, kinds[True], kernel, None), PROSE)
    if not files:
        raise NotReadError(Reason.NO_CODE)
    return files


def _concatenated(
    file: SourceFile, cells: Iterable[_Cell], kernel: _Kernel, given: str | None
) -> tuple[SourceFile, list[Passage]]:
    """Concatenate cells: return the file with that text, and the passages to compare."""
    pieces, parts, passages = [], [], []
    size, line = 0, 1
    for cell in cells:
        piece = cell.heading + cell.source + ("" if cell.source[-1:] in "\r\n" else "\n")
        parts.append(Part(line + 1, cell.number))
        start = size + len(cell.heading)
        passages += [
            Passage(start + each.start, start + each.stop, given or each.language)
            for each in _cell_passages(cell, kernel)
        ]
        pieces.append(piece)
        size += len(piece)
        line += len(_LINE_END.findall(piece))
    return replace(file, text="".join(pieces), parts=tuple(parts)), passages


_JSON = re.compile(r"\s*+(?:[\[{]|\S*+\s*+\Z)")
_CHUNKED = frozenset({".qmd", ".rmarkdown", ".rmd"})
_PAGES = frozenset({".htm", ".html"})


def extracted(file: SourceFile, intake: Intake, language: str | None) -> tuple[SourceFile, ...]:
    """Return the texts to compare in a decoded file: one for each language, the main one first.

    Notebooks, documents with code chunks and web pages contain several; any other file is
    returned as it is, and so is a page if a language was asked for. Cost is linear in the text.

    Raises:
        NotReadError: The file is damaged, or contains nothing to compare.
    """
    kind = splitext(unwrapped(file.name))[1].lower()
    if kind == ".ipynb" and not (_JSON.match(file.text) or '"cells"' in file.text):
        return (replace(file, language=TEXT.name),)  # a program saved under this name
    asked = asked_language(language, file.name)
    given = asked.name if asked else None
    if kind == ".ipynb":
        return files_of_notebook(
            file, given, reads_prose=intake.reads_markdown, most=intake.limits.file
        )
    if kind in _CHUNKED:
        return files_of_chunks(file, given, reads_prose=intake.reads_markdown)
    if kind in _PAGES and given is None:
        return files_of_page(file)
    found = language_in(file.name, file.text) if asked is None else None
    usual = language_of(file.name)
    if found is None or usual is None:
        return (file,)
    name, is_clear = found
    own = file.language if usual.name == name else name
    return (replace(file, language=own, is_unclear=not is_clear),)
