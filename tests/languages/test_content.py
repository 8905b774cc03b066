"""Code is compared, or named in a warning, whatever its file is called."""

import html
import json
from pathlib import Path
from typing import Any

import pytest

from mosslite.languages import language_of
from mosslite.languages.content import guessed_language, looks_like_code
from tests.archives import zip_of
from tests.conftest import Run
from tests.programs import JAVA, PRIMES, QUEUE, WORDS, write_files
from tests.tables import table


def result_of(run: Run, *options: str) -> tuple[dict[str, Any], str]:
    outcome = run("hw", "--json", "-", "--no-html", *options)
    return json.loads(outcome.out), outcome.err


def score_of_copy(result: dict[str, Any]) -> float:
    scores = [
        pair["score"]
        for pair in result["pairs"]
        if {"ann", "bob"} == {pair["left"].partition(".")[0], pair["right"].partition(".")[0]}
    ]
    return float(scores[0]) if scores else 0.0


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("Main.java.txt", "java"),
        ("Main.java.bak", "java"),
        ("Main.java~", "java"),
        ("Main.java (1)", "java"),
        ("Main.java.txt (2)", "java"),
        ("Main.java.md", "java"),
        ("MAIN.PY.TXT", "python"),
        ("zed.py.txt", "python"),
        ("zed.py.1", "python"),
        ("zed.py.12.bak", "python"),
        ("ls.1", "groff"),
        ("notes.md.2", "groff"),
        ("lib.so.6", "groff"),
        ("main.c.orig", "c"),
        ("main.c - Kopie", "c"),
        ("notes.txt", "text"),
        ("todo.txt.bak", None),
        ("CMakeLists.txt", "cmake"),
        ("data.json.txt", "text"),
        (".txt", "text"),
        ("~", None),
    ],
)
def test_a_wrapped_name_has_the_language_of_the_inner_one(name: str, language: str | None) -> None:
    found = language_of(name)
    assert (found.name if found else None) == language


NAMES = [
    "bob.py.txt",
    "bob.bak",
    "bob",
    "bob.md",
    "bob.dat",
    "bob.json",
    "bob.txt",
    "bob.py~",
    "bob.py.1",
]
LOGS = ["bob.po", "bob.eml", "bob.kmsg", "bob.pem", "bob.reg", "bob.ldif", "bob.service"]


@pytest.mark.parametrize("in_folder", [False, True])
@pytest.mark.parametrize("name", NAMES + LOGS)
def test_a_copy_under_another_name_is_compared_as_the_others_are(
    run: Run, tmp_path: Path, name: str, in_folder: bool
) -> None:
    folder = "bob/" if in_folder else ""
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "cid.py": PRIMES, f"{folder}{name}": QUEUE})
    result, _ = result_of(run)
    assert score_of_copy(result) == 1


@pytest.mark.parametrize(
    "name", ["bob.ipynb.txt", "bob.ipynb.json", "bob.IPYNB (1).txt", "bob.ipynb~", "bob.Rmd.txt"]
)
def test_a_notebook_that_a_browser_or_an_editor_renamed_is_read_as_one(
    run: Run, tmp_path: Path, name: str
) -> None:
    cells = [{"cell_type": "code", "source": QUEUE, "outputs": [{"text": "out\n" * 50}]}]
    book = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4})
    text = f"# Homework\n\n```{{python}}\n{QUEUE}\n```\n" if "Rmd" in name else book
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "cid.py": PRIMES, name: text})
    result, _ = result_of(run)
    assert score_of_copy(result) == 1


def test_a_program_saved_as_a_notebook_that_is_none_is_compared(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "cid.py": PRIMES, "bob.ipynb.txt": QUEUE})
    assert score_of_copy(result_of(run)[0]) == 1


def test_a_copy_in_an_archive_is_compared_as_the_others_are(run: Run, tmp_path: Path) -> None:
    files = {"ann/a.py": QUEUE, "cid/a.py": PRIMES, "bob/notes": QUEUE, "bob/about.md": "hello\n"}
    (tmp_path / "hw").write_bytes(zip_of({name: text.encode() for name, text in files.items()}))
    assert score_of_copy(result_of(run)[0]) == 1


def text_box(program: str, line: str) -> str:
    lines = (html.escape(each).replace("  ", "&nbsp; ") for each in program.splitlines())
    return "".join(line.format(each) for each in lines)


@pytest.mark.parametrize("line", ["<p>{}</p>", "{}<br />\n", "<div>{}</div>", "{}<br>"])
@pytest.mark.parametrize("program", [QUEUE, JAVA], ids=["python", "java"])
def test_code_typed_into_a_text_box_is_compared_as_code(
    run: Run, tmp_path: Path, line: str, program: str
) -> None:
    suffix = "py" if program is QUEUE else "java"
    box = text_box(program, line)
    write_files(tmp_path / "hw", {f"ann/a.{suffix}": program, "bob/onlinetext.html": box})
    write_files(tmp_path / "hw", {f"cid/a.{suffix}": program.replace("items", "x")[:200]})
    assert score_of_copy(result_of(run)[0]) == 1
    language = "python" if program is QUEUE else "java"
    assert score_of_copy(result_of(run, "-l", language)[0]) == 1


def test_without_other_programs_the_content_tells_the_language(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann.txt": QUEUE, "bob": QUEUE, "cid.md": PRIMES})
    result, _ = result_of(run)
    assert {each["languages"][0] for each in result["submissions"]} == {"python"}
    assert score_of_copy(result) == 1


def test_a_submission_in_a_language_of_its_own_is_named(run: Run, tmp_path: Path) -> None:
    essay = "This is what I wrote about queues, in words and not as a program. " * 9
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "bob.txt": essay, "cid.py": PRIMES})
    told = "no other submission is in its language, so copies can be missed: bob.txt (read as text)"
    assert f"warning: {told}\n" in result_of(run)[1]


@pytest.mark.parametrize("name", ["bob.pyx", "bob.py"])
def test_a_dialect_is_no_language_of_its_own(run: Run, tmp_path: Path, name: str) -> None:
    write_files(tmp_path / "hw", {"ann.py": QUEUE, name: PRIMES})
    assert "in its language" not in result_of(run)[1]


def test_a_language_is_named_as_its_users_write_it(run: Run, tmp_path: Path) -> None:
    program = "f <- function(n) {\n  n + 1\n}\nprint(f(2))\n"
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "bob.R": program, "cid.py": PRIMES})
    assert "copies can be missed: bob.R (read as R)\n" in result_of(run)[1]


# --- files that a program names --------------------------------------------------------------


@table("program", "name")
def test_a_file_that_a_program_runs_is_compared(
    run: Run, tmp_path: Path, program: str, name: str
) -> None:
    write_files(tmp_path / "hw", {"ann/main.py": QUEUE, "cid/main.py": PRIMES})
    write_files(tmp_path / "hw", {"bob/main.py": program, f"bob/{name}": QUEUE})
    result, _ = result_of(run)
    assert score_of_copy(result) > 0.8


C = "int add(int a, int b)\n{\n    int sum = a;\n    while (b-- > 0) sum++;\n    return sum;\n}\n"


@pytest.mark.parametrize("inclusion", ['#include "%s"\n', '#define F "%s"\n#include F\n'])
@pytest.mark.parametrize("name", ["impl.txt", "impl", "impl.dat", "impl.md", "sub/impl.json"])
def test_an_included_file_is_code_of_the_program_that_includes_it(
    run: Run, tmp_path: Path, name: str, inclusion: str
) -> None:
    program = "".join(C.replace("add", f"add{n}").replace("sum++", f"sum += {n}") for n in range(4))
    write_files(tmp_path / "hw", {"ann/main.c": program, "cid/main.c": "int main(void);\n"})
    files = {"bob/main.c": inclusion % name, f"bob/{name}": program}
    write_files(tmp_path / "hw", files)
    result, _ = result_of(run)
    assert score_of_copy(result) > 0.8


@pytest.mark.parametrize("name", ["notes.txt", "impl.json", "README.md", "core.dat", "impl"])
def test_what_looks_like_code_beside_code_is_named(run: Run, tmp_path: Path, name: str) -> None:
    write_files(tmp_path / "hw", {"ann/main.py": QUEUE, "bob/main.py": PRIMES})
    write_files(tmp_path / "hw", {f"bob/{name}": QUEUE})
    told = f"not compared, but looks like source code (--include compares it): bob/{name}"
    assert f"warning: {told}\n" in result_of(run)[1]
    result, errors = result_of(run, "--exclude", "x", "--include", name)
    assert "looks like source code" not in errors
    assert {f"bob/{name}"} & {f"{s['name']}/{f}" for s in result["submissions"] for f in s["files"]}


def test_data_and_prose_beside_code_are_not_called_code(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann/main.py": QUEUE, "bob/main.py": PRIMES})
    data = {"a.json": '{\n "a": 1,\n "b": [\n  1\n ]\n}\n', "b.csv": "a,b\n1,2\n" * 9}
    prose = {"README.md": "# Queue\n\nRun it with:\n\n    python main.py\n\nIt prints a list.\n"}
    prose["CMakeLists.txt"] = "project(x)\nadd_executable(x main.c)\n"
    settings = {"c.ini": "[a]\nb = 1\nc = 2\n", "d.yaml": "a:\n  - b\n", "e.txt": "Result: 5\n" * 9}
    write_files(tmp_path / "hw" / "bob", data | prose | settings)
    assert "looks like" not in result_of(run)[1]


def test_an_older_copy_beside_its_file_is_not_compared_twice(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann/main.py": QUEUE, "bob/main.py": QUEUE})
    write_files(tmp_path / "hw", {"bob/main.py~": QUEUE, "bob/main.py.bak": QUEUE})
    result, errors = result_of(run)
    assert result["submissions"][1]["files"] == ["main.py"]
    assert "looks like" not in errors


# --- what a person names ---------------------------------------------------------------------


@pytest.mark.parametrize("pattern", ["*.g4", "Expr.g4"])
def test_an_included_extension_is_compared_beside_code(
    run: Run, tmp_path: Path, pattern: str
) -> None:
    grammar = "grammar Expr;\nexpr : expr ('*'|'/') expr\n | INT\n ;\nINT : [0-9]+ ;\n"
    for student in ("ann", "bob"):
        write_files(tmp_path / "hw" / student, {"Main.java": JAVA, "Expr.g4": grammar})
    result, _ = result_of(run, "--exclude", "*.md", "--include", pattern)
    assert all("Expr.g4" in each["files"] for each in result["submissions"])


def test_an_included_folder_does_not_make_its_readme_a_program(run: Run, tmp_path: Path) -> None:
    for student in ("ann", "bob"):
        write_files(tmp_path / "hw" / student, {"src/a.py": QUEUE, "src/README.md": "about it\n"})
    for pattern in ("src", "src/", "src/*", "src/**"):
        result, _ = result_of(run, "--include", pattern)
        assert [each["files"] for each in result["submissions"]] == [["src/a.py"]] * 2


def test_a_language_asked_for_reads_code_under_any_extension(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann/a.py": WORDS, "ann/q.own": QUEUE, "bob/q.dat": QUEUE})
    result, _ = result_of(run, "-l", "python")
    assert score_of_copy(result) > 0.5


@pytest.mark.parametrize("part", ["_ ", " ", "~", "(1)", "def f(", "a)", "if (", "'a"])
def test_hostile_names_and_lines_cost_little(part: str) -> None:
    language_of(f"a{part * 2_000}x")
    looks_like_code(f"x = 1;\ny = 2;\n{part * 200_000}")
    guessed_language(part * 200_000)


@pytest.mark.parametrize("text", [QUEUE, PRIMES, WORDS, JAVA, C])
def test_programs_look_like_code(text: str) -> None:
    assert looks_like_code(text)


@table("line")
def test_data_output_and_tasks_do_not_look_like_code(line: str) -> None:
    assert not looks_like_code(f"{line}\n" * 9)


def test_data_that_programs_name_is_not_compared(run: Run, tmp_path: Path) -> None:
    table = "".join(f"Anna Meyer,{age},Berlin\nTom Weber,{age},Bonn\n" for age in range(20, 60))
    reading = 'rows = open("students.csv").read()\n'
    for student, end in (("ann", "plt.show()\n"), ("bob", "def shortest(x):\n    return x\n")):
        files = {"main.py": f"{reading}{end}", "students.csv": table}
        write_files(tmp_path / "hw" / student, files)
    result, _ = result_of(run)
    assert [each["files"] for each in result["submissions"]] == [["main.py"]] * 2


def test_an_essay_on_programs_does_not_look_like_code() -> None:
    essay = "For example, a house is a kind of building (as an office is):\n"
    program = "public class House {\n    int rooms;\n}\n"
    assert not looks_like_code(f"{3 * essay}{program}{3 * essay}")


@pytest.mark.parametrize("name", ["README.md", "LICENSE", "pyproject.toml", "CHANGELOG.md"])
def test_documents_do_not_look_like_code(name: str) -> None:
    assert not looks_like_code((Path(__file__).parents[2] / name).read_text(encoding="utf-8"))
