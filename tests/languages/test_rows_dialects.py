"""The same text is the same program under every name that a family of dialects shares."""

import re
from itertools import pairwise
from pathlib import Path

import pygments
import pytest

from mosslite.languages import find_language, language_of
from tests.builders import stream_of_code
from tests.tables import parts_of, table, texts_of, values_of


def renamed(text: str, names: list[str]) -> str:
    """Return the text with other names, each of the same kind."""
    for number, name in enumerate(names):
        text = re.sub(rf"(?<![\w$%.@]){re.escape(name)}(?![\w$])", f"zq{number}", text)
    return text


# Endings, and a program that is valid in each of them.
FAMILIES = texts_of("dialects")

# A program, its names, and what its comments look like.
ASSEMBLY = parts_of("assembly")

_PLAIN = """SELECT b.title, total FROM book b WHERE b.price > 10 AND b.title <> 'it' ORDER BY total;
UPDATE book SET price = price * 2 WHERE id IN (SELECT id FROM rush);
"""
_QUOTED = {sign: re.sub(r"\b(title|total|book|price|rush|id)\b", sign, _PLAIN)
           for sign in (r"`\1`", r"[\1]", r'"\1"')}  # fmt: skip

# The plain script, and the same in a dialect.
SQL = {
    "backticks": (_PLAIN, _QUOTED[r"`\1`"]),
    "brackets": (_PLAIN, _QUOTED[r"[\1]"]),
    "quotes": (_PLAIN, _QUOTED[r'"\1"']),
    "quoted names of several words": (
        "SELECT a FROM b;", 'SELECT "Order Id" FROM [Order Details];'
    ),
    "comments of MySQL": (_PLAIN, f"# don't look\n{_PLAIN}# isn't\n"),
    "comments of MySQL behind code": (_PLAIN, _PLAIN.replace(";", "; # don't look")),
    "comments of standard SQL": (_PLAIN, f"-- don't\n/* isn't */{_PLAIN}"),
    "case of keywords": (_PLAIN, _PLAIN.lower().replace("title", "Title")),
    "temporary tables of T-SQL": (
        "SELECT a FROM t; DROP TABLE t;", "SELECT @a FROM #t; DROP TABLE #t;"
    ),
    "bodies in dollar signs": (
        "CREATE FUNCTION f() RETURNS int AS BEGIN RETURN 1; END; ;",
        "CREATE FUNCTION f() RETURNS int AS $body$ BEGIN RETURN 1; END; $body$;",
    ),
    "escaped quotes": ("SELECT 'x', b;", "SELECT 'it\\'s', b;"),
    "backslashes at the end": ("SELECT 'x', b FROM 'y';", "SELECT 'C:\\', b FROM 'y';"),
}  # fmt: skip


def codes(text: str, file_name: str) -> list[int]:
    language = language_of(file_name)
    assert language is not None, file_name
    return [int(code) for code in stream_of_code(text, language).codes]


@pytest.mark.parametrize("family", FAMILIES)
def test_equal_bytes_are_equal_symbols_within_a_family(family: str) -> None:
    text = FAMILIES[family]
    readings = [codes(text, f"a.{ending}") for ending in family.split()]
    assert len(readings[0]) > 20
    assert all(one == other for one, other in pairwise(readings))


@pytest.mark.parametrize("family", FAMILIES)
def test_files_of_a_family_are_in_one_language_but_for_c(family: str) -> None:
    names = {language.name for ending in family.split() if (language := language_of(f"a.{ending}"))}
    assert len(names - {"c"}) == 1


def test_headers_are_read_alike_as_c_and_as_cpp() -> None:
    texts = [path.read_text(errors="replace") for path in sorted(C_FILES)[:12]]
    assert all(codes(text, "a.c") == codes(text, "a.cpp") for text in texts)


# Files written elsewhere, if the interpreter has any; otherwise a short one.
C_FILES = list(Path(pygments.__file__).parents[1].glob("numpy/_core/include/numpy/*.h"))


def test_words_that_only_cpp_reserves_are_names_in_c() -> None:
    assert codes("int new = 1; f(new, class);", "a.c") == codes("int x = 1; f(x, y);", "a.c")
    assert codes("int *p = new int;", "a.cpp") != codes("int *p = x int;", "a.cpp")


def test_comparisons_are_not_tags() -> None:
    assert codes("for (i=0; i<n; i++) { s += i; } t = a<b;", "a.jsx") == codes(
        "for (j=0; j<m; j++) { u += j; } v = c<d;", "a.js"
    )


@pytest.mark.parametrize("assembler", ASSEMBLY)
def test_renamed_copies_in_assembly_are_equal_whatever_signs_start_comments(assembler: str) -> None:
    text, names, comment = ASSEMBLY[assembler]
    copy = renamed(text, names.split())
    without = re.sub(comment, "", text, flags=re.MULTILINE)
    assert copy != text != without
    assert codes(copy, "a.s") == codes(text, "a.asm") == codes(without, "a.s")


@table("text", "other")
def test_what_differs_in_assembly_stays_different(text: str, other: str) -> None:
    assert codes(text, "a.s") != codes(other, "a.s")


@pytest.mark.parametrize("behind", [" ", "\t \t", " // as FIELDS", "  /* as ret */", " ; jmp ret"])
@pytest.mark.parametrize("alone", ["ret", "FIELDS", ".endm", "again"])
def test_what_follows_a_word_alone_on_its_line_of_assembly_does_not_matter(
    alone: str, behind: str
) -> None:
    text = f"start:\n{alone}\n\tdec cx\n  add ax, bx\n  jmp again\n"
    assert codes(text.replace(alone, f"{alone}{behind}", 1), "a.asm") == codes(text, "a.asm")


def test_a_word_alone_on_its_line_of_assembly_is_a_label_where_it_is_an_operand() -> None:
    text = "main:\nagain\n  dec cx\n  jnz again\nFIELDS\nret\n"
    assert codes(text.replace("again", "more"), "a.asm") == codes(text, "a.asm")
    assert codes(text.replace("FIELDS", "ITEMS"), "a.asm") != codes(text, "a.asm")
    assert codes(text.replace("ret", "iret"), "a.asm") != codes(text, "a.asm")


def test_a_word_alone_on_its_line_of_assembly_is_a_label_where_none_has_a_colon() -> None:
    text = "  ENTRY\nstart\n  MOV r0, #1\nstop B stop\n  END\n"
    assert codes(text.replace("start", "begin"), "a.s") == codes(text, "a.s")


@pytest.mark.parametrize("name", ["title", "times", "common"])
@pytest.mark.parametrize("rest", ["db 'Menu', '$'", "dw 5", "equ 4", "mov ax, 1"])
def test_a_label_of_assembly_may_be_called_like_a_directive(name: str, rest: str) -> None:
    text = f"  mov bx, 2\nname {rest}\n"
    assert codes(text.replace("name", name), "a.asm") == codes(text, "a.asm")


def test_a_comment_that_begins_like_a_directive_of_c_is_one() -> None:
    comments = "#define array size\n#if x is set then\n#if EOF\n#endif of main\n"
    assert codes(f"{comments}  li $t0, 1\n", "a.s") == codes("  li $t0, 1\n", "a.s")


@pytest.mark.parametrize("begin", ["#if HAVE_RVV", "#define size a0 // n", "#if defined(ARM)"])
def test_assembly_for_the_preprocessor_of_c_reads_alike_behind_another_such_file(
    begin: str,
) -> None:
    text = f"{begin}\n#define n a1\n\tadd size, n\n#else\n\tsub size, n\n#endif\n"
    alone = codes(text, "a.S")
    assert codes(f'#include "a.h"\n{text}', "a.S")[-len(alone) :] == alone
    assert len(alone) > len(codes(text.replace("#", "# "), "a.S"))


@pytest.mark.parametrize("dialect", SQL)
def test_names_in_quotes_are_names_and_comments_of_every_dialect_are_none(dialect: str) -> None:
    plain, written = SQL[dialect]
    assert codes(plain, "a.sql") == codes(written, "a.sql")


def test_code_that_mysql_executes_in_a_comment_is_code() -> None:
    assert codes("/*!50001 DROP TABLE a */;", "a.sql") == codes("DROP TABLE a;", "a.sql")
    assert codes("-- a\n# DROP TABLE a;\n", "a.sql") == []


@pytest.mark.parametrize("alias", ["tsx", "typescript", "scss", "nasm", "mips", "tsql", "sv"])
def test_the_name_of_a_member_asks_for_its_family(alias: str) -> None:
    assert find_language(alias).title in {"JavaScript/TypeScript", "CSS", "Assembly", "SQL",
                                          "Verilog"}  # fmt: skip


NAMES = values_of("languages/test_rows_dialects", "NAMES")


@pytest.mark.parametrize("new", ["amount", "e1", "balance2", "my_name"])
@pytest.mark.parametrize("language", NAMES)
def test_names_are_names_where_pygments_reads_text(language: str, new: str) -> None:
    read = find_language(language)
    one, other = (
        stream_of_code(NAMES[language].replace("OLD", name), read).codes for name in ("zebra", new)
    )
    assert one.tolist() == other.tolist()


@pytest.mark.parametrize("language", ["kotlin", "swift", "rust", "scala", "d"])
def test_comments_that_nest_end_with_the_outer_one(language: str) -> None:
    opening, closing = ("/+", "+/") if language == "d" else ("/*", "*/")
    text = f"{opening} a {opening} b {closing} f(1) {closing} x"
    read = find_language(language)
    assert stream_of_code(text, read).codes.tolist() == stream_of_code("x", read).codes.tolist()


@pytest.mark.parametrize(
    ("language", "opening", "closing"),
    [("haskell", "{-", "-}"), ("ocaml", "(*", "*)"), ("julia", "#=", "=#"), ("nim", "#[", "]#"),
     ("fsharp", "(*", "*)"), ("common-lisp", "#|", "|#"), ("racket", "#|", "|#")],
)  # fmt: skip
def test_comments_of_other_forms_nest_too(language: str, opening: str, closing: str) -> None:
    text = f"{opening} a {opening} b {closing} f {closing} x"
    read = find_language(language)
    assert stream_of_code(text, read).codes.tolist() == stream_of_code("x", read).codes.tolist()


@table("language", "start", "end")
def test_comments_nest_where_the_language_says_so(language: str, start: str, end: str) -> None:
    comment = f"{start} a {start} b {end} c = 3 {start}{start}{end} d{end} {end}\n"
    one, other = (
        stream_of_code(text, find_language(language)).codes
        for text in ("f(x)\n", f"{comment}f(x)\n")
    )
    assert one.tolist() == other.tolist()


@pytest.mark.parametrize("quoted", ["`{}`", "[{}]", '"{}"'])
@pytest.mark.parametrize("name", ["price", "unit price", "a.b", "x-y"])
def test_a_name_in_sql_is_written_alike_with_and_without_quotes(name: str, quoted: str) -> None:
    texts = (f"t.{each} > 1;" for each in ("q", quoted.format(name), f"`{name}`"))
    plain, one, other = (stream_of_code(text, find_language("sql")) for text in texts)
    assert one.codes.tolist() == plain.codes.tolist()
    assert one.lexemes.tolist() == other.lexemes.tolist()
