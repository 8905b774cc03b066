"""Texts are read as on record for the declared version of the front-ends.

``tests/readings`` holds a text for each language that is read in a way of its own, ``any.txt`` for
all of them, short texts for single rules in ``short.json``, and the record. A new file is a new
row; another version is due where a row of unchanged texts changes.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import pygments
import pytest
from pygments.lexers import find_lexer_class_by_name, get_all_lexers

from mosslite.cache import pack
from mosslite.frontends import Reading, degraded, tokenize_all
from mosslite.intake.documents import extracted
from mosslite.languages import MOSS_LANGUAGES, find_language
from mosslite.languages.known import FRONT_ENDS
from mosslite.languages.lexer_patches import patched
from mosslite.languages.rows import ROWS
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Intake
from mosslite.records import SourceFile, TokenStream, Traces
from mosslite.winnowing.fingerprints import comparable_tokens, fingerprints
from tests.builders import document_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "readings"
RECORD = FOLDER / "expected.tsv"
# What has no text of its own is close to what has one.
DIALECTS = {
    "cpp": ("arduino", "cuda", "objective-c++"),
    "lua": ("luau",),
    "sql": ("googlesql", "mysql", "postgresql", "tsql"),
    "verilog": ("systemverilog",),
}
# The tokenizer that stands in where a lexer fails has no language.
PLAIN = "(plain)"
NO_LEXER = {"text", PLAIN}
SAMPLES = {"c": "c", "java": "java", "prose": "text", "python": "python"}


class Row(NamedTuple):
    """A language, a name, and digests of the texts of that name and of what is made of them."""

    language: str
    name: str
    text: str
    tokens: str
    traces: str
    packed: str
    fingerprints: str

    @property
    def source(self) -> tuple[str, ...]:
        return self[:3]


class Record(NamedTuple):
    version: int
    pygments: str
    rows: tuple[Row, ...]


# --- what is read --------------------------------------------------------------------------------


def texts() -> Iterator[tuple[str, str, list[str]]]:
    """Yield languages, names, and texts of that language and name."""
    for language, some in json.loads((FOLDER / "short.json").read_text("utf-8")).items():
        yield language, "short.json", some
    for path in sorted(FOLDER.glob("*.txt")):
        for language in languages_for(path.stem):
            yield language, path.name, [text_of(path)]
    for path in sorted(FOLDER.glob("*.ipynb")):
        for each in extracted(SourceFile(path.name, text_of(path)), Intake(), None):
            code = each.text if each.code is None else each.code
            yield each.language or "text", path.name, [code]
    for path in sorted(each for each in (ROOT / "samples").glob("*/*/**/*") if each.is_file()):
        name = path.relative_to(ROOT).as_posix()
        yield SAMPLES[name.split("/")[1]], name, [text_of(path)]
    for path in sorted((ROOT / "tests" / "cases").glob("renamed_copy/submissions/*.c")):
        yield "c", path.relative_to(ROOT).as_posix(), [text_of(path)]


def languages_for(stem: str) -> tuple[str, ...]:
    if stem == "any":
        return (*sorted(own_languages()), PLAIN)
    return (stem, *DIALECTS.get(stem, ()))


def own_languages() -> set[str]:
    named = {path.stem for path in FOLDER.glob("*.txt")} - {"any"}
    return named.union(*DIALECTS.values()) | declared_languages()


def declared_languages() -> set[str]:
    """Return those of which tables say how they are read."""
    moss = {name for name, _ in MOSS_LANGUAGES.values()}
    rows = {name for name, row in ROWS.items() if row.is_caseless or row.files or row.has_escapes}
    return moss | rows


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


# --- what is made of it --------------------------------------------------------------------------


def current() -> Record:
    rows = tuple(row_of(*each) for each in texts())
    return Record(FRONT_ENDS, pygments.__version__, rows)


def row_of(language: str, name: str, texts: Sequence[str]) -> Row:
    readings = readings_of(texts, language)
    return Row(
        language,
        name,
        digest(text.encode("utf-8", "surrogatepass") for text in texts),
        digest(column for each in readings for column in columns(each.stream)),
        digest(column for each in readings for column in columns(each.traces)),
        digest(map(pack, readings)),
        digest(column for each in readings for column in selected(each, language)),
    )


def readings_of(texts: Sequence[str], language: str) -> list[Reading]:
    if language == PLAIN:
        return list(map(degraded, texts))
    return tokenize_all([(text, find_language(language)) for text in texts])


def columns(record: TokenStream | Traces) -> list[bytes]:
    kept = [getattr(record, each.name) for each in fields(record)]
    return [column.astype(column.dtype.newbyteorder("<")).tobytes() for column in kept]


def selected(reading: Reading, language: str) -> list[bytes]:
    defaults = PROSE_DEFAULTS if language == "text" else CODE_DEFAULTS
    grams = fingerprints(comparable_tokens([document_of(reading.stream, thresholds=defaults)]))
    return [grams.hashes.astype("<u8").tobytes(), grams.starts.astype("<i8").tobytes()]


def digest(parts: Iterable[bytes]) -> str:
    total = blake2b(digest_size=5)
    for part in parts:
        total.update(len(part).to_bytes(8, "little") + part)
    return total.hexdigest()


# --- what is on record ---------------------------------------------------------------------------


def read_record() -> Record:
    lines = RECORD.read_text(encoding="utf-8").splitlines()
    version, lexers = (line.split("\t")[1] for line in lines[:2])
    return Record(int(version), lexers, tuple(Row(*line.split("\t")) for line in lines[3:]))


def write_record(record: Record) -> None:
    heads = [("FRONT_ENDS", str(record.version)), ("Pygments", record.pygments), Row._fields]
    lines = ["\t".join(each) + "\n" for each in (*heads, *record.rows)]
    RECORD.write_text("".join(lines), encoding="utf-8", newline="\n")


def objection(now: Record, known: Record) -> str | None:
    """Return what is wrong with the declared version, if anything is."""
    before = {row.source: row for row in known.rows}
    changed = [row for row in now.rows if before.get(row.source, row) != row]
    if changed and now.version <= known.version:
        shown = ", ".join(f"{row.name} as {row.language}" for row in changed[:5])
        return (
            f"{len(changed)} readings are not those of version {known.version} ({shown}): "
            "raise FRONT_ENDS and run pytest --update"
        )
    if now.version < known.version or (now.version != known.version and now.rows == known.rows):
        return (
            f"FRONT_ENDS is {now.version}, but readings are those of version {known.version}: set "
            "it back, or add a text to tests/readings that is read otherwise"
        )
    return None


def test_readings_are_those_on_record_for_this_version(request: pytest.FixtureRequest) -> None:
    known = read_record()
    updates = request.config.getoption("update")
    if known.pygments != pygments.__version__:
        if not updates:
            pytest.skip(
                f"the record is of Pygments {known.pygments}, not {pygments.__version__}: "
                "pytest --update makes one of this"
            )
        assert known.version == FRONT_ENDS, "record another Pygments before front-ends change"
        known = known._replace(rows=())
    now = current()
    problem = objection(now, known)
    assert problem is None, problem
    if updates:
        write_record(now)
    else:
        assert now == known, "texts came or went: run pytest --update"


def test_what_no_lexer_reads_is_as_on_record_whatever_the_version_of_pygments(
    request: pytest.FixtureRequest,
) -> None:
    if request.config.getoption("update"):
        pytest.skip("another process may be writing the record")
    known = {row.source: row for row in read_record().rows if row.language in NO_LEXER}
    now = [row_of(*each) for each in texts() if each[0] in NO_LEXER]
    assert {row.language for row in now} == NO_LEXER
    changed = [row.name for row in now if known.get(row.source, row) != row]
    assert changed == [], "raise FRONT_ENDS and run pytest --update"


def test_every_language_that_is_read_in_a_way_of_its_own_is_on_record() -> None:
    read = {row.language for row in read_record().rows}
    assert declared_languages() <= read
    assert {"clojure", "emacs-lisp", "matlab", "racket", "tcl", PLAIN} <= read


@pytest.mark.slow
def test_every_lexer_that_is_mended_reads_a_text_of_its_own() -> None:
    read = {row.language for row in read_record().rows if row.name != "any.txt"}
    changed = {names[0] for _, names, _, _ in get_all_lexers(plugins=False) if is_mended(names)}
    assert changed
    assert changed <= read


def is_mended(names: Sequence[str]) -> bool:
    own = find_lexer_class_by_name(names[0]) if names else None
    return own is not None and patched(own) is not own


# --- when the version is wrong -------------------------------------------------------------------


ROW = Row("c", "a.txt", "00", "01", "02", "03", "04")
KNOWN = Record(3, "2.21.0", (ROW,))


@pytest.mark.parametrize("column", ["tokens", "traces", "packed", "fingerprints"])
@pytest.mark.parametrize("version", [2, 3])
def test_what_is_read_otherwise_needs_a_higher_version(column: str, version: int) -> None:
    now = Record(version, "2.21.0", (ROW._replace(**{column: "ff"}),))
    assert objection(now, KNOWN) == (
        "1 readings are not those of version 3 (a.txt as c): raise FRONT_ENDS and run "
        "pytest --update"
    )
    assert objection(now._replace(version=4), KNOWN) is None


@pytest.mark.parametrize("version", [2, 4])
def test_a_version_stays_where_nothing_is_read_otherwise(version: int) -> None:
    said = objection(KNOWN._replace(version=version), KNOWN)
    assert said is not None
    assert said.startswith(f"FRONT_ENDS is {version}, but readings are those of version 3: ")


def test_a_text_that_is_new_or_was_edited_needs_no_other_version() -> None:
    edited = ROW._replace(text="ff", tokens="ff")
    added = ROW._replace(name="b.txt")
    for rows in ((ROW, added), (edited,), ()):
        assert objection(KNOWN._replace(rows=rows), KNOWN) is None
    assert objection(Record(4, "2.21.0", (ROW, added)), KNOWN) is None
