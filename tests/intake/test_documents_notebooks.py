import json
from collections.abc import Sequence

import pytest

from mosslite.intake.documents import extracted
from mosslite.intake.entries import NotReadError
from mosslite.options import Intake, Limits
from mosslite.records import Part, SourceFile
from tests.builders import notebook
from tests.tables import table


def files_of(
    text: str, *, language: str | None = None, markdown: bool = False
) -> dict[str, SourceFile]:
    intake = Intake(reads_markdown=markdown)
    files = extracted(SourceFile("hw.ipynb", text), intake, language)
    return {file.name: file for file in files}


def code_of(source: str | Sequence[str], **metadata: object) -> str:
    """Return what of one code cell is in the main file."""
    code = files_of(notebook(("c", source), **metadata))["hw.ipynb"].code or ""
    return code.removeprefix(" " * len("# cell 1") + "\n").removesuffix("\n")


def reason_of(text: str) -> str:
    with pytest.raises(NotReadError) as caught:
        files_of(text)
    return str(caught.value)


# Cells


def test_code_cells_are_laid_end_to_end_below_headings_that_are_not_compared() -> None:
    text = notebook(
        ("m", "# Homework"), ("c", "x = 1\n"), ("c", " \n"), ("c", ["y = 2\n", "z = 3"])
    )
    file = files_of(text)["hw.ipynb"]
    assert file.text == "# cell 2\nx = 1\n# cell 4\ny = 2\nz = 3\n"
    assert file.code == "        \nx = 1\n        \ny = 2\nz = 3\n"
    assert file.language == "python"
    assert file.parts == (Part(2, 2), Part(4, 4))


def test_a_line_is_found_by_its_cell() -> None:
    text = notebook(("c", "x = 1\r\ny = 2"), ("c", "z\r"), ("c", "end"))
    file = files_of(text)["hw.ipynb"]
    found = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0), (3, 1)]
    assert [file.cell_at(line) for line in range(1, 8)] == found
    assert SourceFile("a.py", "x").cell_at(7) == (0, 7)


def test_cells_for_people_are_prose_if_that_is_wanted() -> None:
    text = notebook(
        ("m", "# Idea\nwe sort"), ("c", "x = 1"), ("r", "raw"), ("c", "%%markdown\n_so_")
    )
    assert list(files_of(text)) == ["hw.ipynb"]
    prose = files_of(text, markdown=True)["hw.ipynb [text]"]
    assert prose.language == "text"
    assert prose.text == "# cell 1\n# Idea\nwe sort\n# cell 3\nraw\n# cell 4\n%%markdown\n_so_\n"
    assert (prose.code or "").split() == ["#", "Idea", "we", "sort", "raw", "_so_"]
    assert prose.cell_at(3) == (1, 2)


def test_older_notebooks_are_read_too() -> None:
    cells = [
        {"cell_type": "heading", "source": "Title"},
        {"cell_type": "code", "input": ["x = 1\n", "y"], "language": "python", "outputs": []},
    ]
    text = json.dumps({"worksheets": [{"cells": cells}, {"cells": cells}], "nbformat": 3})
    assert files_of(text)["hw.ipynb"].text == "# cell 2\nx = 1\ny\n# cell 4\nx = 1\ny\n"


def test_what_no_text_file_can_hold_is_replaced() -> None:
    text = notebook(("c", "a = '\ud800'\0"))
    assert code_of("a = '\ud800'\0") == "a = '\N{REPLACEMENT CHARACTER}'\N{REPLACEMENT CHARACTER}"
    files_of(text)["hw.ipynb"].text.encode()


# Languages


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({}, "python"),
        ({"kernelspec": {"language": "python", "name": "python3"}}, "python"),
        ({"kernelspec": {"language": "irc", "name": "python3"}}, "python"),
        ({"kernelspec": {"language": "sql", "name": "ir"}}, "splus"),
        ({"kernelspec": {"language": "R"}}, "splus"),
        ({"kernelspec": {"language": "C++17"}}, "cpp"),
        ({"kernelspec": {"name": "julia-1.9"}}, "julia"),
        ({"language_info": {"name": "scala"}}, "scala"),
        ({"language_info": {"name": "irc"}}, "python"),
        ({"language_info": {"name": "?", "pygments_lexer": "ocaml"}}, "ocaml"),
        ({"kernelspec": {"language": "R"}, "language_info": {"name": "python"}}, "splus"),
        ({"kernelspec": {"language": "json"}, "language_info": {"name": "java"}}, "java"),
        ({"kernelspec": {"language": "text"}}, "python"),
        ({"kernelspec": {"language": "<script>"}}, "python"),
        ({"kernelspec": {"language": "x" * 9_999}}, "python"),
        ({"kernelspec": {"language": 7}, "language_info": []}, "python"),
        ({"kernelspec": "python"}, "python"),
    ],
)
def test_the_kernel_tells_the_language_if_it_is_one_of_programs(
    metadata: dict[str, object], language: str
) -> None:
    assert files_of(notebook(("c", "x"), **metadata))["hw.ipynb"].language == language


def test_a_given_language_is_that_of_all_code() -> None:
    text = notebook(("m", "so"), ("c", "%%bash\nls"), ("c", "!cd\nx"), kernelspec={"language": "R"})
    files = files_of(text, language="cc", markdown=True)
    assert {name: file.language for name, file in files.items()} == {
        "hw.ipynb": "cpp",
        "hw.ipynb [text]": "text",
    }


def test_a_cell_in_another_language_is_in_a_file_of_its_own() -> None:
    text = notebook(("c", "x = 1"), ("c", "%%bash --out log\nls -l"), ("c", "\n%%R\ny <- 2"))
    files = files_of(text)
    assert {name: (file.language, (file.code or "").split()) for name, file in files.items()} == {
        "hw.ipynb": ("python", ["x", "=", "1"]),
        "hw.ipynb [bash]": ("bash", ["ls", "-l"]),
        "hw.ipynb [r]": ("splus", ["y", "<-", "2"]),
    }
    assert {file.text for file in files.values()} == {files["hw.ipynb"].text}
    assert files["hw.ipynb [r]"].cell_at(9) == (3, 3)


def test_scripts_of_a_page_in_a_cell_are_code() -> None:
    page = "%%html\n<p>hi</p><script>run(1)</script>\n<b onclick='go()'>x</b>"
    files = files_of(notebook(("c", page), ("c", "x = 1")))

    code = {name: "".join((file.code or "").split()) for name, file in files.items()}
    assert code["hw.ipynb [javascript]"] == "run(1)go()"
    assert code["hw.ipynb [html]"] == "<p>hi</p><script></script><bonclick=''>x</b>"
    assert code["hw.ipynb"] == "x=1"


def test_a_program_under_the_name_of_a_notebook_is_text_like_any_other() -> None:
    (file,) = files_of("def f(x):\n    return {'a': x}\n").values()

    assert (file.language, file.code) == ("text", None)


def test_a_notebook_without_code_in_its_main_language_has_no_main_file() -> None:
    assert list(files_of(notebook(("c", "%%javascript\nrun()")))) == ["hw.ipynb [javascript]"]


@pytest.mark.parametrize(
    ("magic", "language"),
    [
        ("%%sh", "bash"),
        ("%%!", "bash"),
        ("%%script bash -e", "bash"),
        ("%%script /usr/bin/env perl", "perl"),
        ("%%script false --no-raise-error", "python"),
        ("%%SQL", "sql"),
        ("%%HTML", "html"),
        ("%%writefile src/main.c", "c"),
        ("%%writefile -a util.py", "python"),
        ("%%file Main.java", "java"),
        ("%%writefile Program", "python"),
        ("%%writefile " + 2_000_000 * ".c", "python"),
        ("%%time", "python"),
        ("%%capture out", "python"),
        ("%%made_up", "python"),
        ("%%", "python"),
        ("%%time\n%%bash", "bash"),
    ],
    ids=lambda value: value[:30],
)
def test_a_magic_that_begins_a_cell_tells_its_language(magic: str, language: str) -> None:
    files = list(files_of(notebook(("c", f"{magic}\nx = 1"))).values())
    assert [file.language for file in files] == [language]
    assert (files[0].code or "").split() == ["x", "=", "1"]


@pytest.mark.parametrize("name", ["impl.md", "impl.txt", "a/impl.json", "impl.dat", "impl.rst"])
@pytest.mark.parametrize("use", ["%run {}", "exec(open('{}').read())", "p = './{}'\nrun(p)"])
def test_a_file_that_a_cell_writes_and_another_names_is_code(name: str, use: str) -> None:
    text = notebook(("c", f"%%writefile {name}\nx = 1"), ("c", use.format(name)))
    assert "x = 1" in (files_of(text)["hw.ipynb"].code or "")


def test_a_written_program_of_another_language_is_python_only_if_it_is_run_as_python() -> None:
    cell = ("c", "%%writefile a.c\nx = 1")
    assert "hw.ipynb [c]" in files_of(notebook(cell, ("c", "!gcc a.c")))
    assert list(files_of(notebook(cell, ("c", "%run a.c")))) == ["hw.ipynb"]


@pytest.mark.parametrize(
    "definition",
    [
        "@register_cell_magic\ndef markdown(line, cell):\n    exec(cell)",
        "get_ipython().register_magic_function(run, 'cell', 'markdown')",
        "%alias_magic markdown time",
    ],
)
def test_a_magic_that_the_notebook_defines_runs_the_language_of_the_kernel(definition: str) -> None:
    text = notebook(("c", definition), ("c", "%%markdown\nx = 1"))
    assert "x = 1" in (files_of(text)["hw.ipynb"].code or "")


def test_cells_of_old_notebooks_are_in_worksheets_whatever_else_there_is() -> None:
    cells = [{"cell_type": "code", "input": "x = 1"}]
    decoy = [{"cell_type": "code", "source": "y = 2"}]
    root = {"worksheets": [{"cells": cells}], "cells": decoy}
    for version, seen in (("2", "x = 1"), ("3", "x = 1"), ("0.3e1", "x = 1"), ("4", "y = 2")):
        text = f'{json.dumps(root)[:-1]}, "nbformat": {version}}}'
        assert (files_of(text)["hw.ipynb"].code or "").split("\n")[1] == seen


def test_cells_of_text_are_counted() -> None:
    text = notebook(("c", "x = 1"), ("c", "%%markdown\nhm"), ("c", "%%latex\nhm"), ("m", "hm"))
    assert {name: file.cells_left_out for name, file in files_of(text).items()} == {
        "hw.ipynb": 1,
        "hw.ipynb [tex]": 1,
    }
    assert files_of(text, markdown=True)["hw.ipynb"].cells_left_out == 0


# Lines for IPython


@pytest.mark.parametrize(
    "magic", ["%time", "%timeit -n 10 -r 3", " %prun", "%memit", "%timeit", "%lprun"]
)
def test_code_on_the_line_of_a_magic_is_compared(magic: str) -> None:
    assert code_of(f"{magic} x = run(1)\n%cd\ny = 2").split() == ["x", "=", "run(1)", "y", "=", "2"]


@table("line")
def test_lines_for_ipython_are_not_compared(line: str) -> None:
    assert code_of(f"x = 1\n{line}\ny = 2").split() == ["x", "=", "1", "y", "=", "2"]


def test_what_is_assigned_from_the_shell_keeps_its_name() -> None:
    assert code_of("files = !ls *.py\na, b = %who").split() == ["files", "=", "a,", "b", "="]


@table("source")
def test_what_only_looks_like_a_line_for_ipython_is_compared(source: str) -> None:
    assert code_of(source) == source


def test_a_string_without_an_end_hides_no_line_of_the_next_ones() -> None:
    assert code_of("s = 'a\n!ls\ny").split() == ["s", "=", "'a", "y"]


def test_other_languages_have_no_magics() -> None:
    source = "!x\n%in%\n%%bash\ny?"
    assert code_of(source, kernelspec={"language": "R"}) == source


# Damage


@table("text", "reason")
def test_a_damaged_notebook_is_refused_with_a_reason(text: str, reason: str) -> None:
    assert reason_of(text) == f"is not a valid notebook: {reason}"


@table("text")
def test_a_notebook_without_code_is_refused(text: str) -> None:
    assert reason_of(text) == "contains no code"


def test_prose_alone_is_read_if_it_is_wanted() -> None:
    assert list(files_of(notebook(("m", "prose")), markdown=True)) == ["hw.ipynb [text]"]


def test_numbers_of_any_size_and_keys_given_twice_are_no_damage() -> None:
    cells = '[{"cell_type": "code", "source": "x"}]'
    text = f'{{"cells": 7, "n": [{5_000 * "9"}, NaN, -Infinity, 1e999], "cells": {cells}}}'
    assert list(files_of(text)) == ["hw.ipynb"]


def test_a_notebook_of_very_many_languages_makes_few_files() -> None:
    names = ["c", "java", "perl", "ruby", "bash", "sql", "scala", "go", "rust"]
    cells = [("c", f"%%{name}\n{(30 - place) * 'x'}") for place, name in enumerate(names)]
    files = files_of(notebook(("c", "y"), *cells))
    assert [file.language for file in files.values()] == ["python", *names[:5]]
    assert len((files["hw.ipynb"].code or "").split()) == 5


# What a notebook may take


@pytest.mark.parametrize("value", ["[],", '{"a":1},', '"ab",'])
def test_a_notebook_of_more_values_than_fit_is_refused_with_a_way_out(value: str) -> None:
    count = 20_000_000 // len(value)
    text = '{"cells": [{"cell_type": "code", "source": "x", "outputs": [' + value * count + "0]}]}"

    assert reason_of(text) == "is a notebook with too many values to read: clear its outputs"


def test_pictures_and_tables_of_usual_size_take_little_room() -> None:
    outputs = [{"image/png": "A" * 5_000_000}, {"data": [[n, n / 2] for n in range(100_000)]}]
    cells = [{"cell_type": "code", "source": "x = 1", "outputs": outputs}]

    assert "x = 1" in files_of(json.dumps({"cells": cells}))["hw.ipynb"].text


def test_numbers_of_any_length_are_skipped() -> None:
    numbers = ", ".join(["9" * 1_000_000, "-1e999999999", "0.5", "NaN"])
    text = '{"cells": [{"cell_type": "code", "source": "x", "n": [' + numbers + "]}]}"

    assert files_of(text)["hw.ipynb"].text == "# cell 1\nx\n"


def test_cells_are_no_larger_than_a_file_may_be() -> None:
    intake = Intake(limits=Limits(file=1000))
    largest = 1000 - 2 * len("# cell 1\n")
    for size in (largest, largest + 1):
        text = notebook(("c", "x" * (size - 10)), ("m", "y" * 10))
        if size == largest:
            assert extracted(SourceFile("hw.ipynb", text), intake, None)
        else:
            with pytest.raises(NotReadError, match="cells of more than 1,000 characters"):
                extracted(SourceFile("hw.ipynb", text), intake, None)
