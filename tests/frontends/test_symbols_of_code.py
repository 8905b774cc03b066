import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends.symbols import NAME, NUMBER, STRING
from mosslite.languages import find_language
from mosslite.records import TokenKind, TokenStream
from tests.builders import codes, document_of, stream_of_code, tries
from tests.tables import table, texts_of

# Programs with a blank wherever white space and comments may stand, and ``¬`` where a line end or
# a comment would mean something else, to the language or to its lexer.
PROGRAMS = texts_of("code")
TOKENS = {
    language: [token.replace("¬", " ") for token in re.findall(r"\"[^\"]*\"|'[^']*'|\S+", program)]
    for language, program in PROGRAMS.items()
}
QUICK = ("c", "java")
LANGUAGES = pytest.mark.parametrize(
    "language",
    [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in PROGRAMS],
)
GAPS = (
    " ",
    "\n",
    "\t",
    "\r\n",
    "\r",
    "\f",
    "  \n\n ",
    " /* a ' b */ ",
    ' // c " d\n',
    "\n/*\n*/\n",
    "",
)
# Touching one of these, a token could become another.
TOUCHY = "\"'/."

# Beside another type, they are a part of it.
SIZES = {"char", "double", "int", "long", "short", "signed", "unsigned"}

NAMES = st.from_regex("[a-zA-Z_][a-zA-Z0-9_]{0,9}", fullmatch=True).map("q_{}".format)


def slices(text: str, stream: TokenStream) -> list[str]:
    return [text[i:j] for i, j in zip(stream.starts.tolist(), stream.stops.tolist(), strict=True)]


def shown(text: str, language: str) -> str:
    """Return what counts: N for a name, 1 for a number, S for a string and _ for an end."""
    stream = stream_of_code(text, find_language(language))
    signs = {NAME: "N", NUMBER: "1", STRING: "S"}
    return " ".join(
        signs.get(code, part or "_")
        for code, part in zip(stream.codes.tolist(), slices(text, stream), strict=True)
    )


def may_touch(left: str, right: str) -> bool:
    ends = left[-1] + right[0]
    return not set(ends) & set(TOUCHY) and not re.fullmatch(r"[\w$@][\w$@]", ends)


@LANGUAGES
@tries(30)
@given(data=st.data())
def test_white_space_and_comments_between_tokens_do_not_matter(
    language: str, data: st.DataObject
) -> None:
    tokens = TOKENS[language]
    gaps = data.draw(st.lists(st.sampled_from(GAPS), min_size=len(tokens), max_size=len(tokens)))
    text = tokens[0]
    for gap, left, right in zip(gaps, tokens, tokens[1:], strict=False):
        text += (gap if gap or may_touch(left, right) else " ") + right

    assert codes(text, language) == codes(" ".join(tokens), language)


@LANGUAGES
@tries(30)
@given(data=st.data())
def test_the_names_that_are_used_do_not_matter(language: str, data: st.DataObject) -> None:
    text = " ".join(TOKENS[language])
    stream = stream_of_code(text, find_language(language))
    names = {
        part
        for part, kind in zip(slices(text, stream), stream.kinds.tolist(), strict=True)
        if kind == TokenKind.NAME and part not in SIZES
    }
    new = data.draw(st.lists(NAMES, min_size=len(names), max_size=len(names), unique=True))
    renamed = dict(zip(sorted(names), new, strict=True))
    other = " ".join(renamed.get(token, token) for token in text.split(" "))

    assert len(names) > 10
    assert codes(other, language) == stream.codes.tolist()


@table("language", "left", "right")
def test_names_are_one_symbol(language: str, left: str, right: str) -> None:
    assert codes(left, language) == codes(right, language) != []


@table("language", "left", "right")
def test_literals_are_one_symbol_of_their_kind(language: str, left: str, right: str) -> None:
    assert codes(left, language) == codes(right, language)
    assert len(codes(left, language)) == 3


@table("language", "left", "right")
def test_what_a_copier_cannot_change_freely_counts(language: str, left: str, right: str) -> None:
    assert codes(left, language) != codes(right, language)


@table("language", "text", "expected")
def test_what_counts_of_a_program(language: str, text: str, expected: str) -> None:
    assert shown(text, language) == expected


@pytest.mark.parametrize("language", ["java", "c", "cpp", "csharp", "javascript", "python", "go"])
def test_blanks_around_signs_do_not_matter(language: str) -> None:
    assert codes("a= -1", language) == codes("a=-1", language) == codes("a = - 1", language)
    assert codes("a-1", language) == codes("a - 1", language)
    assert codes("a[b]=c;", language) == codes("a [ b ] = c ;", language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("swift", "import Foundation\nstruct S {\n let a = 1\n}\n"),
        ("gas", "a:\n movl $0, %eax\n incl %ebx\n ret\n\tcall b"),
        ("tcl", "proc p {} {\n set x 1\n puts $x\n}\nif {$a} {\n b c\n}"),
    ],
)
@pytest.mark.parametrize("end", [" \n", "\t \n", "  \r\n"])
def test_blanks_at_the_ends_of_lines_do_not_matter(language: str, text: str, end: str) -> None:
    with_blanks = text.replace("\n", end) + "\t"
    found, usual = (stream_of_code(each, find_language(language)) for each in (with_blanks, text))

    assert found.codes.tolist() == usual.codes.tolist()
    lines = document_of(usual, text=text).lines_at(usual.starts).tolist()
    assert document_of(found, text=with_blanks).lines_at(found.starts).tolist() == lines


def test_a_comment_behind_an_import_in_swift_does_not_matter() -> None:
    text = "import Foundation{}\nimport struct A.B{}\nstruct S {{\n let a = 1\n}}"
    commented = codes(text.format(" // for dates", " /* why */"), "swift")
    assert commented == codes(text.format("", ""), "swift")
    assert shown(text.format("", ""), "swift") == "struct N { let N = 1 }"


@table("language", "head", "rest")
def test_a_comment_behind_what_lexers_know_by_its_end_does_not_matter(
    language: str, head: str, rest: str
) -> None:
    mark = {"cpp": "//", "php": "//", "scheme": ";"}.get(language, "#")
    for comment in ("note", 'it\'s "well known" (p. 7)', "a = b; {"):
        assert codes(f"{head} {mark} {comment}\n{rest}".replace("\n\n", "\n"), language) == codes(
            head + rest, language
        )


def test_what_an_escaped_backslash_ends_in_ruby_is_a_regular_expression() -> None:
    assert shown('a %r/[\\\\]/, b\nc %r/"/, d', "ruby") == "N S , N N S , N"


def test_a_comparison_in_lua_is_read_alike_whatever_is_behind_it() -> None:
    text = "while a < b and 1 do{}\n c = 'd'\nend"
    assert codes(text.format(" -- not a > b"), "lua") == codes(text.format(""), "lua")
    assert shown("if a < 1 and b > 2 then", "lua") == "if N < 1 and N > 1 then"
    assert shown("local a <const> = 1 < 2", "lua") == "local N < N > = 1 < 1"


@table("language", "text")
def test_case_does_not_matter_where_the_language_ignores_it(language: str, text: str) -> None:
    upper = stream_of_code(text.upper(), find_language(language))
    lower = stream_of_code(text.lower(), find_language(language))

    assert upper.codes.tolist() == lower.codes.tolist()
    assert upper.lexemes.tolist() == lower.lexemes.tolist()


def test_case_matters_where_the_language_heeds_it() -> None:
    assert codes("while (x)", "java") != codes("WHILE (x)", "java")


def test_strings_side_by_side_are_one_token_from_the_first_to_the_last() -> None:
    text = "f('a\\n'  # b\n  \"c\", 1)"
    stream = stream_of_code(text, find_language("python"))

    assert slices(text, stream) == ["f", "(", "'a\\n'  # b\n  \"c\"", ",", "1", ")"]
    firsts, lasts = document_of(stream, text=text).lines_of(stream.starts, stream.stops)
    assert firsts.tolist() == [1, 1, 1, 2, 2, 2]
    assert lasts.tolist() == [1, 1, 2, 2, 2, 2]


def test_lexemes_tell_tokens_that_are_written_alike() -> None:
    stream = stream_of_code(
        "a = b; b = a; c(a, 'x' 'y', 'x' 'y', 'x' 'z')", find_language("python")
    )
    by_text = dict(zip("a=b;", stream.lexemes.tolist(), strict=False))
    strings = stream.lexemes[stream.codes == np.uint64(STRING)].tolist()

    assert len(set(by_text.values())) == 4
    assert stream.lexemes[4:7].tolist() == [by_text["b"], by_text["="], by_text["a"]]
    assert strings[0] == strings[1] != strings[2]


def test_kinds_tell_names_types_the_frame_and_the_content_apart() -> None:
    stream = stream_of_code("static int f(int a) { return a + 1; }", find_language("java"))

    assert "".join(map(str, stream.kinds.tolist())) == "23123122010022"


@pytest.mark.parametrize("language", [*PROGRAMS, "python", "html", "sql", "octave", "bash"])
@pytest.mark.parametrize("text", ["", "\n", " \t\r\n\r"])
def test_an_empty_program_has_no_tokens(language: str, text: str) -> None:
    stream = stream_of_code(text, find_language(language))

    assert len(stream) == 0
    assert stream.codes.dtype == stream.lexemes.dtype == np.uint64
    assert stream.starts.dtype == stream.stops.dtype == np.int32


def test_a_program_of_comments_has_no_tokens() -> None:
    assert codes("// a\n/* b */\n", "java") == []
    assert codes('"""a"""\n# b\nimport c\n', "python") == []


@pytest.mark.parametrize(
    "spellings", ["<% %> <: :> %:", "??< ??> ??( ??) ??=", "{ %> ??( :> #"], ids=str.split
)
def test_signs_of_c_for_keyboards_without_brackets_are_read_as_brackets(spellings: str) -> None:
    text = f"#include <a.h>\n#define N(a) b[a]\n#if N\nint a[] = {{1}};\n#endif\n{PROGRAMS['c']}"
    other = text
    for sign, spelling in zip("{}[]#", spellings.split(), strict=True):
        other = other.replace(sign, spelling)

    assert codes(other, "c") == codes(text, "c")
    assert codes("x = A<::b>(1);", "cpp") == codes("x = A< ::b>(1);", "cpp")
