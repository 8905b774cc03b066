import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pygments.lexers import get_all_lexers
from pygments.token import Comment, Error, Keyword, Name, Operator

from mosslite.errors import OptionError
from mosslite.languages import MOSS_LANGUAGES, find_language, is_data, language_of, lexer_of
from mosslite.languages.rows import ROWS
from tests.tables import parts_of

MOSS_NAMES = {
    "c": "c", "cc": "cpp", "java": "java", "ml": "ocaml", "pascal": "delphi", "ada": "ada",
    "lisp": "common-lisp", "scheme": "scheme", "haskell": "haskell", "fortran": "fortran",
    "ascii": "text", "vhdl": "vhdl", "perl": "perl", "matlab": "octave", "python": "python",
    "mips": "gas", "prolog": "prolog", "spice": "text", "vb": "vb.net", "csharp": "csharp",
    "modula2": "modula2", "a8086": "gas", "javascript": "javascript", "plsql": "sql",
    "verilog": "verilog",
}  # fmt: skip

# The lexers of families of dialects.
READ_BY = {"c": "cpp", "verilog": "systemverilog"}

# A comment and a keyword of a snippet, near its end as a lexer may lose its place, and the snippet.
# TASM's lexer takes a mnemonic for the name of a function, Prolog's has operators for keywords.
SNIPPETS = parts_of("snippets")

FILES = {
    "actionscript": "a.as", "bash": "a.sh .bashrc", "c": "foo.c a.y a.l", "cmake": "CMakeLists.txt",
    "common-lisp": "a.lisp a.cl a.lsp",
    "cpp": "a.cpp a.cc a.cxx a.c++ a.h a.hh a.hpp a.inl a.ino a.inc", "csharp": "a.cs",
    "css": "a.css a.scss a.less", "delphi": "a.pas a.dpr a.pp a.p a.P a.dpk a.lpr",
    "fortran": "a.f90 a.F90 a.f95 a.f03", "fortranfixed": "a.f a.F a.for a.f77", "fsharp": "a.fs",
    "gas": "a.s a.S a.asm a.nasm a.mips a.a8086",
    "go": "a.go", "haskell": "a.hs aSpec.hs", "html": "a.html",
    "java": "Main.java Main.JAVA src/hw.c/Main.java Main.jav a.c.java a.pde",
    "javascript": "a.js a.jsx a.mjs a.cjs a.ts a.tsx a.mts a.cts",
    "json": "a.json", "julia": "a.jl", "kotlin": "a.kt",
    "literate-haskell": "a.lhs", "lua": "a.lua", "make": "Makefile makefile.linux",
    "modula2": "a.mod a.def", "ocaml": "a.ml a.mli",
    "octave": "a.m", "perl": "a.pl a.pm a.t", "php": "a.php a.php5 a.phtml",
    "prolog": "a.pro a.prolog",
    "python": "a.py a.py2 a.py3 a.pyw", "racket": "a.rkt", "ruby": "a.rb", "rust": "a.rs",
    "scheme": "a.scm a.ss", "splus": "a.r a.R", "sql": "a.sql a.pls a.pks a.pkb a.plb",
    "swift": "a.swift",
    "tex": "a.tex",
    "text": "a.txt a.text a.md a.markdown a.rst README LICENSE todo.txt a.cir a.sp a.spi a.spice",
    "vb.net": "a.vb a.bas a.cls a.vbs", "verilog": "a.v a.sv a.svh a.hdl",
    "vhdl": "a.vhd a.vhdl", "xml": "a.xml a.xslt", "yaml": "a.yaml a.yml",
}  # fmt: skip


def tokens_of(moss_name: str) -> list[tuple[Any, str]]:
    tokens = lexer_of(find_language(moss_name)).get_tokens_unprocessed(SNIPPETS[moss_name][2])
    return [(kind, text.strip()) for _, kind, text in tokens if text.strip()]


def run_python(code: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    places = os.pathsep.join(map(str, [Path(__file__).parents[2], *paths]))
    settings = {**os.environ, "PYTHONPATH": places}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("moss_name", "name"), MOSS_NAMES.items())
def test_every_moss_name_finds_a_lexer(moss_name: str, name: str) -> None:
    assert find_language(moss_name).name == find_language(moss_name.upper()).name == name
    assert lexer_of(find_language(moss_name)).aliases[0] == READ_BY.get(name, name)


def test_there_are_25_moss_names_and_a_note_on_every_stand_in() -> None:
    noted = {name for name, (_, note) in MOSS_LANGUAGES.items() if note}
    assert list(MOSS_LANGUAGES) == list(MOSS_NAMES)
    others = {"a8086", "mips", "plsql"}
    assert noted == {"ml", "pascal", "fortran", "ascii", "matlab", "spice", "vb"} | others


@pytest.mark.parametrize("moss_name", SNIPPETS)
def test_the_lexer_of_a_moss_language_reads_it_without_errors(moss_name: str) -> None:
    tokens = tokens_of(moss_name)
    assert len(tokens) > 25
    assert not [text for kind, text in tokens if kind is Error]


@pytest.mark.parametrize("moss_name", SNIPPETS)
def test_the_lexer_of_a_moss_language_knows_its_comments(moss_name: str) -> None:
    comments = [text for kind, text in tokens_of(moss_name) if kind in Comment]
    assert any(SNIPPETS[moss_name][0] in text for text in comments)
    assert all(len(text) < 40 for text in comments)


@pytest.mark.parametrize("moss_name", SNIPPETS)
def test_the_lexer_of_a_moss_language_knows_its_keywords(moss_name: str) -> None:
    kinds = {text.lower(): kind for kind, text in tokens_of(moss_name)}
    kind = kinds[SNIPPETS[moss_name][1].lower()]
    others = {"a8086": Name.Function, "mips": Name.Function, "prolog": Operator}
    assert kind in others.get(moss_name, Keyword)


@pytest.mark.parametrize(
    ("alias", "name"),
    [("C++", "cpp"), ("js", "javascript"), ("SML", "sml"), ("rst", "text"), ("md", "text"),
     ("octave", "octave"), ("r", "splus"), ("spicelang", "spicelang"), ("latex", "tex")],
)  # fmt: skip
def test_a_name_that_moss_lacks_is_a_pygments_alias(alias: str, name: str) -> None:
    assert find_language(alias).name == name


def families() -> set[str]:
    return {name for name, row in ROWS.items() if row.members or row.lexer}


@pytest.mark.slow
def test_every_pygments_alias_finds_its_lexer_unless_it_is_prose_or_a_moss_name() -> None:
    rows = [(title, alias) for title, aliases, _, _ in get_all_lexers(False) for alias in aliases]
    others = {alias: find_language(alias) for title, alias in rows
              if lexer_of(find_language(alias)).name != title}  # fmt: skip
    single = {alias for alias, other in others.items() if other.name not in families()}
    assert {alias for alias in single if not others[alias].is_prose} == {"matlab"}
    assert {alias for alias, other in others.items() if other.is_prose} == {
        "markdown", "md", "org", "orgmode", "org-mode", "restructuredtext", "rst", "rest", "spice"
    }  # fmt: skip


@pytest.mark.slow
def test_the_name_of_a_language_finds_the_language_and_its_title_is_its_lexers_name() -> None:
    languages = {find_language(alias) for row in get_all_lexers(False) for alias in row[1]}
    assert all(find_language(language.name) == language for language in languages)
    other = {each.name for each in languages if lexer_of(each).name != each.title}
    assert other - families() == {"octave", "splus", "vhdl"}  # as people call them


@pytest.mark.parametrize(
    ("name", "middle"),
    [("jav", "did you mean 'java'? "), ("Matlb", "did you mean 'matlab'? "), ("zzzzzz", ""),
     ("", ""), ("a\nb'", "")],
)  # fmt: skip
def test_an_unknown_language_is_named_with_the_nearest_known_one(name: str, middle: str) -> None:
    with pytest.raises(OptionError) as caught:
        find_language(name)
    expected = f"unknown language {name!r}: {middle}see 'mosslite languages'"
    assert str(caught.value) == expected


@pytest.mark.parametrize("name", FILES)
def test_a_files_name_tells_its_language(name: str) -> None:
    for file_name in FILES[name].split():
        language = language_of(file_name)
        assert language is not None, file_name
        assert language == find_language(name), file_name
        assert language.is_prose == (name == "text")


@pytest.mark.parametrize("file_name", ["a.ipynb", "a.net", "a.json~", "java", "a.java/b", "", "."])
def test_a_file_name_that_no_lexer_claims_has_no_language(file_name: str) -> None:
    assert language_of(file_name) is None


def test_caseless_languages_are_those_where_the_case_of_keywords_means_nothing() -> None:
    caseless = {name for name in MOSS_NAMES if find_language(name).is_caseless}
    assert caseless == {"pascal", "ada", "lisp", "fortran", "vhdl", "vb", "a8086", "plsql", "mips"}


def test_settings_and_data_are_no_programs() -> None:
    data = {name for name in FILES if is_data(find_language(name))}
    assert data == {"cmake", "json", "make", "xml", "yaml"}


def test_naming_a_files_language_imports_no_lexer() -> None:
    code = "import sys, mosslite.languages as m; print(m.language_of('a.java').name, "
    result = run_python(code + "[n for n in sys.modules if n == 'pygments.lexers.jvm'])")
    assert result.stdout == "java []\n"


def test_the_lexers_of_plugins_are_ignored(tmp_path: Path) -> None:
    lexer = "class Zed(Lexer):\n name = 'Zed'\n aliases = ['zed']\n filenames = ['*.zzz']\n"
    (tmp_path / "zed.py").write_text(f"from pygments.lexer import Lexer\n{lexer}")
    (tmp_path / "zed-1.dist-info").mkdir()
    (tmp_path / "zed-1.dist-info/METADATA").write_text("Name: zed\nVersion: 1\n")
    (tmp_path / "zed-1.dist-info/entry_points.txt").write_text("[pygments.lexers]\nz = zed:Zed\n")
    code = "import pygments.lexers as p, mosslite.languages as m; print("
    names = "p.find_lexer_class_for_filename('a.zzz').name, m.language_of('a.zzz')"
    result = run_python(f"{code}{names}); m.find_language('zed')", tmp_path)
    assert result.stdout == "Zed None\n"
    assert "OptionError: unknown language 'zed'" in result.stderr
