"""No valid literal puts the rest of a program out of sight without a warning."""

import base64
import json
import tokenize as python_tokens
from collections import Counter
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.token import Comment, String

from mosslite import check
from mosslite.frontends import Reading
from mosslite.frontends.dispatch import tokenize
from mosslite.frontends.tokens import lex
from mosslite.languages import find_language, language_of, lexer_of
from mosslite.remarks import hidden_code
from tests.builders import LAW
from tests.tables import table
from tests.traps import PROGRAMS, TRAPS, Trap

K = 8
MOST = 0.85
HIDING = "more code in comments, strings or disabled branches than outside"
RUNNING = "programs that run text, and are mostly strings, numbers or comments"


def reading_of_file(name: str, text: str) -> Reading:
    language = language_of(name)
    assert language is not None
    return tokenize(text, language)


def grams(reading: Reading) -> Counter[tuple[int, ...]]:
    codes = reading.stream.codes.tolist()
    return Counter(tuple(codes[at : at + K]) for at in range(len(codes) - K + 1))


def seen_share(trap: Trap, text: str) -> float:
    """Return the share of a trap's program that is compared."""
    start = "<?php\n" if trap.file.endswith(".php") else ""
    own = grams(reading_of_file(trap.file, start + PROGRAMS[trap.file]))
    return (own & grams(reading_of_file(trap.file, text))).total() / own.total()


def is_told(name: str, text: str) -> bool:
    colours = reading_of_file(name, text).colours
    assert colours is not None
    return hidden_code(text, colours).is_most


def test_each_language_has_traps() -> None:
    counts = Counter(trap.file for trap in TRAPS)
    assert counts.keys() == PROGRAMS.keys()
    assert min(counts.values()) >= 3


@pytest.mark.parametrize("file", PROGRAMS)
def test_a_program_behind_a_literal_is_read_or_told(file: str) -> None:
    for trap in (trap for trap in TRAPS if trap.file == file):
        text = trap.before + PROGRAMS[file] + trap.after

        assert seen_share(trap, text) >= MOST or is_told(file, text), trap


@table("name", "literal")
def test_a_program_behind_a_literal_is_read_as_without(name: str, literal: str) -> None:
    own = reading_of_file(name, PROGRAMS[name]).stream.codes.tolist()
    codes = reading_of_file(name, literal + PROGRAMS[name]).stream.codes.tolist()
    assert codes[-len(own) :] == own


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_says_what_it_does_is_not_told(name: str) -> None:
    assert not is_told(name, ("<?php\n" if name.endswith(".php") else "") + PROGRAMS[name])


@table("name", "start", "end")
def test_a_whole_program_in_a_comment_or_a_string_is_told(name: str, start: str, end: str) -> None:
    assert is_told(name, f"{start}\n{PROGRAMS[name]}\n{end}\n")


def test_hardly_a_file_of_the_library_is_told() -> None:
    files = sorted(Path(json.__file__).parents[1].glob("[a-d]*.py"))
    told = [each.name for each in files if is_told(each.name, each.read_text("utf-8"))]

    assert len(files) > 30
    assert told == []


# Literals of Python, held against its own tokenizer

PIECES = st.sampled_from(["'", '"', "\\", "a", "\n", "#", " ", "'''", '"""', "\\\n"])
prefixes = st.sampled_from(["", "r", "b", "u", "Rb", "bR", "R", "B", "U"])
quotes = st.sampled_from(["'''", '"""', "'", '"'])
literals = st.builds(
    lambda prefix, quote, pieces: f"{prefix}{quote}{''.join(pieces)}{quote}",
    prefixes, quotes, st.lists(PIECES, max_size=6),
)  # fmt: skip


def names_by_python(text: str) -> list[str] | None:
    try:
        compile(text, "a.py", "exec")
        found = list(python_tokens.tokenize(BytesIO(text.encode()).readline))
    except (SyntaxError, ValueError, python_tokens.TokenError):
        return None
    return [each.string for each in found if each.type == python_tokens.NAME]


@given(st.lists(st.tuples(st.sampled_from(["", "q = ", "  # "]), literals), max_size=4))
@LAW
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_strings_end_where_python_ends_them(written: list[tuple[str, str]]) -> None:
    text = "".join(f"{start}{literal}\nhidden\n" for start, literal in written)
    expected = names_by_python(text)
    if expected is None:
        return
    tokens = lex(lexer_of(find_language("python")), text)
    hidden = {String, Comment}
    seen = [
        value
        for _, kind, value in tokens
        if value.isidentifier() and hidden.isdisjoint(kind.split())
    ]
    assert seen == expected


@table("text")
def test_what_an_annotation_calls_is_compared(text: str) -> None:
    stream = reading_of_file("a.py", text).stream
    places = zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)
    assert "hidden" in [text[start:stop] for start, stop in places]


# Disabled branches of C, held against the compiler's rules

CONDITIONS = ["0", "0 ", "0 // no", "0 /* no */", "0 == 0", "0x1", "01", "0 || 1", "0 ? 0 : 1",
              "0U == 0", "0&0|1", "!0", "1", "defined X || 1", "0 /* a */ || 1",
              "0\\\n|| 1"]  # fmt: skip
SURE = {"0", "0 ", "0 // no", "0 /* no */"}
ELSES = ["#else", "# else", "  #else", "#\telse", "%:else", "#/**/else", "/**/#else", "#el\\\nse",
         "#\\\nelse", "??=else", "#elif 1", "#elif X", "# elif defined X",
         "#elifdef X"]  # fmt: skip


def words_of(text: str) -> list[str]:
    stream = reading_of_file("a.c", text).stream
    return [text[i:j] for i, j in zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_only_what_is_surely_disabled_is_not_compared(condition: str) -> None:
    text = f"int a;\n#if {condition}\nint hidden;\n#endif\nint b;\n"
    assert ("hidden" in words_of(text)) == (condition not in SURE)
    assert {"a", "b"} <= {*words_of(text)}


@pytest.mark.parametrize("branch", ELSES)
def test_every_other_branch_of_a_disabled_one_is_compared(branch: str) -> None:
    text = f'#if 0\nint off; /*\n#else */ char *q = "/*";\n{branch}\nint on;\n#endif\nint b;\n'
    assert {"on", "b"} <= {*words_of(text)}
    assert "off" not in words_of(text)


@pytest.mark.parametrize("inner", ["#if 1", "#ifdef X", "# ifndef X"])
def test_a_branch_inside_a_disabled_one_is_disabled(inner: str) -> None:
    text = f"#if 0\n{inner}\nint p;\n#else\nint q;\n#endif\nint r;\n#endif\nint b;\n"
    assert words_of(text) == ["int", "b", ";"]


@pytest.mark.parametrize("name", ["line", "define", "if", "include", "error", "pragma"])
@pytest.mark.parametrize("blank", [" ", "/**/", " \\\n", "\t"])
def test_a_parameter_of_a_macro_may_be_called_like_a_directive(name: str, blank: str) -> None:
    text = f"#define{blank}RUN({name}) #{name} \\\n int hidden(void) {{ return 1; }}\n"
    assert "hidden" in words_of(text)


# Programs as data

PAYLOAD = base64.b64encode("".join(PROGRAMS["a.py"]).encode()).decode()
CHUNKS = [PAYLOAD[at : at + 40] for at in range(0, len(PAYLOAD), 40)]
BYTES = [*map(str, "".join(PROGRAMS["a.py"]).encode())]
NUMBERS = ",\n".join(",".join(BYTES[at : at + 16]) for at in range(0, len(BYTES), 16))
AS_DATA = {
    "a.py": "import base64\nq = [\n" + "".join(f"    '{each}',\n" for each in CHUNKS)
    + "]\nexec(base64.b64decode(''.join(q)))\n",
    "b.py": "".join(f"# {each}\n" for each in CHUNKS) + "exec(decode(open(__file__)))\n",
    "c.py": "q = (\n" + "".join(f"    {line!r}\n" for line in PROGRAMS["a.py"].split("\n"))
    + ")\nexec(q)\n",
    "a.js": "eval(atob([" + ",\n".join(f"'{each}'" for each in CHUNKS) + "].join('')))\n",
    "d.py": f"q = [\n{NUMBERS}]\nexec(bytes(q))\n",
    "c.js": f"q = [\n{NUMBERS}];\neval(String.fromCharCode(...q));\n",
    "b.js": f"new Function(`{PROGRAMS['a.js']}`)()\n",
    "a.perl": "eval(unpack('u', join '', (" + ",\n".join(f"'{each}'" for each in CHUNKS) + ")));\n",
    "a.php": "<?php eval(base64_decode('" + "'\n.'".join(CHUNKS) + "'));\n",
    "a.rb": "eval([" + ",\n".join(f"'{each}'" for each in CHUNKS) + "].join.unpack1('m'))\n",
    "a.sh": "q='" + "'\nq=$q'".join(CHUNKS) + "'\neval \"$(echo $q | base64 -d)\"\n",
    "a.lua": "load(decode(" + " ..\n".join(f"'{each}'" for each in CHUNKS) + "))()\n",
    "a.java": "class A { void a() { new ScriptEngineManager().eval("
    + " +\n".join(f'"{each}"' for each in CHUNKS) + "); } }\n",
}  # fmt: skip


@pytest.mark.parametrize("name", AS_DATA)
def test_a_program_as_data_is_told(name: str) -> None:
    colours = reading_of_file(name, AS_DATA[name]).colours
    assert colours is not None
    assert hidden_code(AS_DATA[name], colours).is_run


@pytest.mark.parametrize("name", ["a.py", "d.py"])
def test_data_that_nothing_runs_is_not_told(name: str) -> None:
    text = AS_DATA[name].replace("exec(", "print(")
    colours = reading_of_file(name, text).colours
    assert colours is not None
    assert not hidden_code(text, colours).is_run


def test_hidden_programs_are_named_in_a_warning(tmp_path: Path) -> None:
    for name, text in {
        "ann.py": PROGRAMS["a.py"],
        "bob.py": "q = '''" + PROGRAMS["a.py"] + "'''\n",
        "cy.py": AS_DATA["a.py"],
    }.items():
        (tmp_path / name).write_text(text, "utf-8")

    warnings = "\n".join(check([str(tmp_path)]).warnings)

    assert [line for line in warnings.split("\n") if HIDING in line and "bob.py" in line]
    assert [line for line in warnings.split("\n") if RUNNING in line and "cy.py" in line]
    assert "ann.py" not in warnings


@table("name", "before", "after")
def test_a_program_in_a_cell_with_a_magic_is_compared_or_told(
    tmp_path: Path, name: str, before: str, after: str
) -> None:
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}, "outputs": []}
        for source in (PROGRAMS["a.py"][:200], f"{before}\n{PROGRAMS[name]}\n{after}\n")
    ]
    kernel = {"kernelspec": {"name": "python3", "language": "python"}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": cells}
    (tmp_path / "ann.ipynb").write_text(json.dumps(notebook), "utf-8")
    (tmp_path / name.replace("a.", "bob.")).write_text(PROGRAMS[name], "utf-8")
    (tmp_path / "cy.py").write_text(PROGRAMS["a.py"][:200], "utf-8")

    found = check([str(tmp_path)])

    is_compared = any(
        {pair.left.name, pair.right.name} == {"ann.ipynb", name.replace("a.", "bob.")}
        and pair.score > 0.3
        for pair in found.pairs
    )
    assert is_compared or "ann.ipynb" in "\n".join(map(str, found.warnings))
