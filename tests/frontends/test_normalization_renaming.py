"""Names that a writer chose count for nothing, wherever they are."""

import re

import pytest

from mosslite.languages import language_of
from tests.builders import codes
from tests.tables import table
from tests.traps import PROGRAMS


@table("language", "text")
def test_which_name_is_chosen_does_not_matter(language: str, text: str) -> None:
    expected = codes(text.replace("OLD", "total"), language)
    for new in ("zebra", "my_name", "x1", "value", "name", "module1", "init"):
        assert codes(text.replace("OLD", new), language) == expected, new


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("c", "byte concept final import new post pre requires thread this"),
        ("cpp", "byte final module post pre thread"),
        ("csharp", "init"),
    ],
)
def test_a_word_that_is_a_keyword_in_few_places_is_a_name(language: str, words: str) -> None:
    text = "int OLD = 1; f(OLD, &OLD);"

    for word in words.split():
        assert codes(text.replace("OLD", word), language) == codes(text, language)


@pytest.mark.parametrize(
    "language", ["clojure", "common-lisp", "emacs-lisp", "fennel", "hylang", "racket", "scheme"]
)
@pytest.mark.parametrize(
    "form", ["(do [x y] z)", "(let [x y] z)", "(if (x) y z)", "(cond (x) y z)"]
)
def test_a_form_of_lisp_is_one_wherever_its_line_ends(form: str, language: str) -> None:
    assert codes(form.replace(" ", "\n"), language) == codes(form, language)


@pytest.mark.parametrize("blank", [" ", "\t", "\f", " \f\t"])
@pytest.mark.parametrize("language", ["gas", "nasm", "python", "swift", "c"])
def test_blanks_of_every_kind_at_the_end_of_a_line_are_none(language: str, blank: str) -> None:
    assert codes(f"  mov a, b{blank}\n  ret{blank}", language) == codes(
        "  mov a, b\n  ret", language
    )


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("bash", "grep -c a b\nsort b\nlocal\nread\nls (a)\n"),
        ("nasm", "  mov eax, 1\n  push word 5\n  rep movsb\n"),
    ],
)
def test_commands_and_instructions_are_no_names(language: str, text: str) -> None:
    words = re.findall(r"(?m)^\s*(\w+)", text)

    found = [codes(text.replace(word, "total", 1), language) for word in words]

    assert codes(text, language) not in found


@pytest.mark.parametrize(
    "group", ["((cd a; ls) | sort)", "((ls a); (ls b))", "((ls) |\n  (sort | head))"]
)
def test_a_group_of_commands_in_two_brackets_is_not_arithmetic(group: str) -> None:
    behind = "\nif true; then\n  ls -l\nfi\n"

    assert codes(group + behind, "bash") == codes(group.replace("((", "( (") + behind, "bash")


@pytest.mark.parametrize(
    "text", ["(( ((OLD + 1) * b) > c ))\n", "((\n  OLD > 1\n))\n", "(( OLD < $(f $(g)) ))\n"]
)
def test_arithmetic_with_brackets_in_it_is_arithmetic(text: str) -> None:
    assert codes(text.replace("OLD", "b2"), "bash") == codes(text, "bash")
    assert codes(f"{text}if true\n", "bash")[-3:] == codes("if true\n", "bash")


@pytest.mark.parametrize("file", PROGRAMS)
def test_a_name_can_have_letters_of_every_script_and_marks(file: str) -> None:
    text, language = PROGRAMS[file], language_of(file)
    text = f"<?php\n{text}" if file.endswith(".php") else text
    assert language is not None
    expected = codes(text, language.name)
    for letters in ("u\u0308", "名", "हिन्दी", "x\u00b7", "\U0001f4be"):
        other = re.sub(r"(?i)\b(row|amount|key|found|limit|number)\b", rf"\1{letters}", text)

        assert other != text
        assert codes(other, language.name) == expected, letters
