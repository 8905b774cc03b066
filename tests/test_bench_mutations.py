from __future__ import annotations

import ast
import bisect
import fnmatch
import heapq
import inspect
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosslite.languages import language_of
from tests import programs
from tests.bench import disguises
from tests.bench.flow import (
    change_increments,
    guard_statements,
    insert_empty_statements,
    insert_statements,
)
from tests.bench.layout import change_comments, relayout
from tests.bench.loops import change_loops
from tests.bench.mixing import reorder
from tests.bench.modifiers import change_modifiers, change_this, change_types
from tests.bench.mutations import MIXTURES, NAMES, disguised, names_for
from tests.bench.prose import (
    PROSE,
    embed_text,
    quote_in_other_words,
    real_texts,
    reorder_sentences,
    replace_words,
    rewrap,
    swap_clauses,
)
from tests.bench.tokens import CLOSERS, OPENERS, Kind, partners, read, write
from tests.bench.vocabulary import chance
from tests.bench.wording import change_literals, rename, split_strings
from tests.builders import LAW
from tests.programs import write_files

if TYPE_CHECKING:
    from types import ModuleType

    from tests.bench.mutations import Disguise, Mixture

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
PYTHON = sorted(SAMPLES.glob("python/submissions/*.py"))
C_LIKE = sorted(
    path
    for pattern in ("c/submissions/*/*.c", "java/submissions/*/*.java")
    for path in SAMPLES.glob(pattern)
)
MODULES = [bisect, fnmatch, heapq, textwrap]

GO = """\
package main

import "fmt"

// Greets.
func greet(names []string) int {
	count := 0
	for i := 0; i < len(names); i++ {
		count += 1
		fmt.Println("hello there", names[i])
	}
	return count
}

func main() {
	greet([]string{"ada"})
}
"""
SCRIPT = """\
const { join } = require('path')
// Adds them.
function total (items) {
  let sum = 0
  for (let i = 0; i < items.length; i++) {
    sum += items[i].price
  }
  return sum
}
class Cart {
  price = 7
  show () {
    const text = 'all of it: ' + total([this])
    return text
  }
  path () { return join('left', 'right') }
}
"""
OTHERS = {"go": GO, "javascript": SCRIPT, "typescript": SCRIPT}

# Not every program has something for them to change.
RARE = {
    *("verbatim", "increments", "loops", "modifiers", "reorder", "split strings", "this"),
    "types",
}

# Between them, they do what all others do.
THOROUGH = [
    *("rename + relayout + comments", "rename + insert + reorder", "small edits + loops + insert"),
    *("imports", "this", *MIXTURES),
]

FEW = settings(LAW, max_examples=15)

SEEDS = st.integers(0, 99).map(str)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def name_of_language(path: Path) -> str:
    language = language_of(path.name)
    assert language is not None
    return language.name


def donor_for(path: Path) -> Path:
    files = (other for other in PYTHON + C_LIKE if other.suffix == path.suffix)
    return next(other for other in files if other != path)


def disguised_file(name: str, path: Path, donor: Path, *, seed: str) -> str:
    language = name_of_language(path)
    return disguised(name, text_of(path), text_of(donor), language=language, seed=seed)


def is_balanced(text: str, language: str) -> bool:
    lexemes = read(text, language)
    signs = {i: text for i, (kind, text) in enumerate(lexemes) if kind is Kind.SIGN}
    pairs = partners(lexemes)
    return all(
        sign + signs.get(pairs.get(index, -1), "") in {"()", "[]", "{}", ")(", "][", "}{"}
        for index, sign in signs.items()
        if sign in OPENERS | CLOSERS
    )


def tokens_of(text: str, language: str) -> list[str]:
    free = {Kind.SPACE, Kind.COMMENT, Kind.DOC}
    return [text for kind, text in read(text, language) if kind not in free]


@pytest.mark.parametrize(
    "path", PYTHON + C_LIKE, ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_a_program_is_written_as_it_was_read(path: Path) -> None:
    text = re.sub(r"\r\n?", "\n", text_of(path)).rstrip("\n") + "\n"

    assert write(read(text, name_of_language(path))) == text


@FEW
@given(st.sampled_from(NAMES), st.sampled_from(PYTHON + C_LIKE), SEEDS)
def test_a_disguise_is_the_same_for_the_same_seed(name: str, path: Path, seed: str) -> None:
    first, again = (disguised_file(name, path, path, seed=seed) for _ in range(2))

    assert first == again


@pytest.mark.parametrize("name", THOROUGH)
@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.name)
def test_a_disguised_python_program_can_be_parsed(name: str, path: Path) -> None:
    ast.parse(disguised_file(name, path, donor_for(path), seed="0"))


@pytest.mark.parametrize("name", THOROUGH)
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_disguised_module_can_be_parsed(name: str, module: ModuleType) -> None:
    text = inspect.getsource(module)

    ast.parse(disguised(name, text, text, language="python", seed="0"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("path", C_LIKE[::8], ids=lambda path: path.parent.name)
def test_a_disguise_keeps_brackets_balanced(name: str, path: Path) -> None:
    text = disguised_file(name, path, donor_for(path), seed="0")

    assert is_balanced(text, name_of_language(path))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", OTHERS)
def test_a_disguise_knows_other_languages(name: str, language: str) -> None:
    text = OTHERS[language]

    assert is_balanced(disguised(name, text, text, language=language, seed="0"), language)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in RARE])
@pytest.mark.parametrize("path", [PYTHON[0], C_LIKE[0], C_LIKE[-1]], ids=lambda path: path.name)
def test_a_disguise_changes_a_program(name: str, path: Path) -> None:
    donor = next(
        other for other in PYTHON + C_LIKE if other != path and other.suffix == path.suffix
    )

    assert disguised_file(name, path, donor, seed="0").strip() != text_of(path).strip()


@pytest.mark.parametrize(
    ("disguise", "language", "text"),
    [
        (change_increments, "c", "void f(int i) { return; }"),
        (change_loops, "java", "class A { int f() { return 1; } }"),
        (change_this, "c", "int f(int i) { return i; }"),
        (reorder, "python", "left = 1\nright = 2"),
        (split_strings, "c", "char left = 'l';"),
        (insert_statements, "java", "interface A { int f(); }"),
    ],
)
def test_a_disguise_leaves_alone_what_it_cannot_change(
    disguise: Disguise, language: str, text: str
) -> None:
    assert disguise(text, language, chance("0")) == f"{text}\n"


@pytest.mark.parametrize("disguise", [relayout, change_comments])
@FEW
@given(path=st.sampled_from(PYTHON + C_LIKE), seed=SEEDS)
def test_layout_and_comments_are_no_tokens(disguise: Disguise, path: Path, seed: str) -> None:
    language, text = name_of_language(path), text_of(path)

    assert tokens_of(disguise(text, language, chance(seed)), language) == tokens_of(text, language)


@FEW
@given(st.sampled_from(PYTHON + C_LIKE), SEEDS)
def test_names_are_changed_one_for_one(path: Path, seed: str) -> None:
    language, text = name_of_language(path), text_of(path)
    left = tokens_of(text, language)
    right = tokens_of(rename(text, language, chance(seed)), language)

    assert len(left) == len(right)
    changed = {pair for pair in zip(left, right, strict=True) if not pair[0].startswith(("#", "@"))}
    assert len({new for _, new in changed}) == len(changed) == len({old for old, _ in changed})


@pytest.mark.parametrize(
    ("disguise", "language", "before", "after"),
    [
        (change_increments, "c", "void f() { i++; --k; }", "void f() { ++i; --k; }"),
        (change_increments, "go", "func f() {\n\ti++\n}", "func f() {\n\ti += 1\n}"),
        (change_types, "c", "unsigned int a; float b;", "unsigned int a; double b;"),
        (change_types, "java", "class A { float f = 1; }", "class A { var f = 1; }"),
        (change_increments, "python", "n -= 2", "n = n - (2)"),
        (
            change_loops,
            "python",
            "for i in range(9):\n  f(i)",
            "i = 0\nwhile i < 9:\n  f(i)\n  i += 1",
        ),
        (change_loops, "java", "while (a) { b(); }", "for (; a; ) { b(); }"),
        (
            change_this,
            "java",
            "class A { int f() { return this.g; } }",
            "class A { int f() { return g; } }",
        ),
        (change_modifiers, "c", "static int f() { }", "int f() { }"),
        (change_modifiers, "java", "class A { private int f; }", "class A { public int f; }"),
        (change_modifiers, "javascript", "const a = 1", "let a = 1"),
        (change_literals, "python", "x = 1.5", "x = 1.50"),
        (split_strings, "java", 'f("ab");', 'f("a" + "b");'),
        (split_strings, "c", 'f("ab");', 'f("a" "b");'),
        (rename, "python", "import os\nprint(os.path)", "import os\nprint(os.path)"),
        (
            reorder,
            "python",
            "def f(): pass\nx = 1\ndef g(): pass",
            "def f(): pass\nx = 1\ndef g(): pass",
        ),
    ],
)
def test_a_disguise_says_the_same_in_another_way(
    disguise: Disguise, language: str, before: str, after: str
) -> None:
    assert disguise(before, language, chance("0")) == f"{after}\n"


def test_guards_are_around_what_calls_or_assigns_and_declares_nothing() -> None:
    text = "void f() { int a = 1; " + "g(a); a = 2; " * 20 + "return; }"

    guarded = guard_statements(text, "c", chance("0"))

    assert {"if (1) { g(a); }", "do { g(a); } while (0);"} <= {
        found[0] for found in re.finditer(r"(if \(1\)|do) \{[^}]*\}( while \(0\);)?", guarded)
    }
    assert guarded.count("g(a);") == guarded.count("a = 2;") == 20
    assert guarded.startswith("void f() { int a = 1;")


def test_guards_of_python_keep_what_it_says() -> None:
    text = "def f():\n" + "    g()\n" * 20 + "    return 1\n"

    guarded = ast.unparse(ast.parse(guard_statements(text, "python", chance("0"))))

    assert guarded.count("g()") == 20
    assert {"if True:", "try:", "finally:", "pass"} <= {*map(str.strip, guarded.splitlines())}


@pytest.mark.parametrize(
    ("language", "text", "form"),
    [("java", "class A { void f() { %s } }", ";"), ("python", "def f():\n%s", "pass")],
)
def test_empty_statements_are_between_others(language: str, text: str, form: str) -> None:
    whole = text % ("    g();\n" * 20)

    more = insert_empty_statements(whole, language, chance("0"))

    assert more.count("g();") == 20
    assert form in {line.strip() for line in more.splitlines()}


def test_a_loop_that_goes_on_early_stays_as_it_is() -> None:
    text = "for (int i = 0; i < 9; i++) { if (f(i)) continue; g(i); }\n"

    assert change_loops(text, "c", chance("0")) == text


@FEW
@given(st.sampled_from(PYTHON), SEEDS)
def test_reordering_keeps_every_line(path: Path, seed: str) -> None:
    text = text_of(path)
    before, after = (
        sorted(line for line in re.split(r"\r?\n", each) if line.strip())
        for each in (text, reorder(text, "python", chance(seed)))
    )

    assert before == after


def test_functions_of_c_are_declared_before_they_are_moved() -> None:
    moved = reorder("int f() { return g(); }\nint g() { return 1; }", "c", chance("0"))

    assert moved.index("int f();") < moved.index("int f() {")
    assert moved.index("int g();") < moved.index("int g() {")


def test_half_of_a_program_is_from_the_donor() -> None:
    text, donor = ("".join(f"def {word}{n}():\n    pass\n" for n in range(8)) for word in "fg")
    mixed = MIXTURES["half"](text, donor, "python", chance("0"))

    assert mixed.count("def f") == mixed.count("def g") == 4


@pytest.mark.parametrize("name", ["embedded", "hidden in a comment", "hidden in a string"])
def test_a_donor_is_kept_whole(name: str) -> None:
    text, donor = text_of(PYTHON[0]), text_of(PYTHON[-1])
    lines = disguised(name, text, donor, language="python", seed="0").splitlines()

    assert {line.rstrip() for line in donor.splitlines()} <= {line.rstrip() for line in lines}


PARAGRAPHS = """\
Large files are slow. If they are new, they must be read first! Small ones
are not.

Nothing is lost. This is the last part, and it ends here.
"""


def words_in(text: str) -> list[str]:
    return sorted(re.findall(r"\w+", text.lower()))


def test_words_have_synonyms_in_the_same_case() -> None:
    assert replace_words("Large files must use small words.", PROSE, chance("0")) == (
        "Big files shall employ little words."
    )


def test_clauses_change_places_around_the_first_comma() -> None:
    swapped = swap_clauses("It was late. When it rained, we left. So it ended.", PROSE, chance("0"))

    assert swapped == "It was late. We left, when it rained. So it ended."


@pytest.mark.parametrize("disguise", [reorder_sentences, rewrap, swap_clauses])
def test_a_text_in_another_order_has_the_same_words(disguise: Disguise) -> None:
    assert words_in(disguise(PARAGRAPHS, PROSE, chance("0"))) == words_in(PARAGRAPHS)


def test_sentences_are_shuffled_in_their_paragraphs() -> None:
    shuffled = reorder_sentences(PARAGRAPHS, PROSE, chance("1"))

    assert shuffled != PARAGRAPHS
    assert sorted(each.count("is") for each in shuffled.split("\n\n")) == [0, 3]
    assert "If they are new, they must be read first!" in shuffled


@pytest.mark.parametrize("mixture", [embed_text, quote_in_other_words])
def test_a_text_is_put_between_the_paragraphs_of_its_donor(mixture: Mixture) -> None:
    donor = "One.\n\nTwo.\n\nThree."

    mixed = mixture(PARAGRAPHS, donor, PROSE, chance("0"))

    assert {"One.", "Two.", "Three."} < set(mixed.strip().split("\n\n"))


@pytest.mark.parametrize("name", names_for(PROSE))
def test_a_disguise_of_prose_is_the_same_for_the_same_seed(name: str) -> None:
    donor = "One. Two.\n\nThree."
    first, again = (disguised(name, PARAGRAPHS, donor, language=PROSE, seed="0") for _ in range(2))

    assert first == again


def test_real_texts_are_about_different_things() -> None:
    texts = real_texts(30)

    assert len(texts) == len(set(texts)) == 30
    assert all(2_500 <= len(text) <= 20_000 for text in texts)


def test_the_benchmark_finds_disguised_prose(capsys: pytest.CaptureFixture[str]) -> None:
    disguises.main(["--prose", "--most", "2"])

    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split() == ["text", "copies", "recall", "score", "similar"]
    assert [row[:30].strip() for row in rows] == list(names_for(PROSE))
    assert rows[0].split()[1:] == ["2", "100%", "1.00", "100%"]


def test_the_benchmark_finds_copies_that_are_as_they_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("queue", "primes", "words", "template"):
        text = getattr(programs, name.upper())
        write_files(tmp_path, {f"{name}.py": text, f"{name}.txt": "no program"})

    disguises.main([str(tmp_path), "--most", "1"])

    header, first, *_ = capsys.readouterr().out.splitlines()
    assert header.split() == ["python", "copies", "recall", "score", "similar"]
    assert first.split() == ["verbatim", "1", "100%", "1.00", "100%"]
