import re

import pytest

from mosslite.frontends import Reading, tokenize
from mosslite.frontends.tokens import TokenInterner, lex, lex_all
from mosslite.languages import find_language, lexer_of
from mosslite.records import TraceKind
from tests.tables import values_of

# A program of each language, in which a comment may be wherever a blank is.
PROGRAMS = values_of("frontends/test_tokens_inline_comments", "PROGRAMS")
# Other ones, of declarations.
DECLARATIONS = values_of("frontends/test_tokens_inline_comments", "DECLARATIONS")
COMMENTS = {
    "delphi": "{ as said }",
    "fsharp": '(* as "said" *)',
    "haskell": "{- as said -}",
    "julia": "#= as said =#",
    "lua": "--[[ as said ]]",
    "modula2": "(* as said *)",
    "ocaml": '(* as "said" *)',
    "powershell": "<# as said #>",
}
LINES_MEAN_NOTHING = {"c", "cpp", "csharp", "dart", "java", "php", "rust"}
IN_LANGUAGES = pytest.mark.parametrize(
    ("language", "text"), [*PROGRAMS.items(), *DECLARATIONS.items()]
)


def read(text: str, language: str) -> Reading:
    return tokenize(text, find_language(language))


def codes(text: str, language: str) -> list[int]:
    return [int(code) for code in read(text, language).stream.codes]


@pytest.mark.slow  # all places at once are tried below
@IN_LANGUAGES
def test_a_comment_counts_no_more_than_the_blank_in_its_place(language: str, text: str) -> None:
    comment = COMMENTS.get(language, "/* as said */")
    expected = codes(text, language)
    # A line end can end a statement.
    signs = [" {} ", "{}", *(["\n{} "] if language in LINES_MEAN_NOTHING else [])]

    changed = [
        (found.start(), sign)
        for found in re.finditer(" ", text)
        for sign in signs
        if codes(text[: found.start()] + sign.format(comment) + text[found.end() :], language)
        != expected
    ]

    assert [text[:place] for place, _ in changed] == []


@IN_LANGUAGES
def test_comments_in_all_places_at_once_change_nothing(language: str, text: str) -> None:
    comment = COMMENTS.get(language, "/* as said */")
    start, _, rest = text.partition(" ")

    commented = f"{start} " + rest.replace(" ", f" {comment} ")

    assert codes(commented, language) == codes(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("groovy", "val = object ; f ( val , object ) ;"),
        ("julia", "f ( mutable , 1 )"),
        ("vala", "int val = 3 ; f ( object , def ) ;"),
    ],
)
def test_a_comment_makes_no_keyword_of_a_name(language: str, text: str) -> None:
    comment = COMMENTS.get(language, "/* as said */")
    for place in re.finditer(" ", text):
        changed = f"{text[: place.start()]}{comment}{text[place.end() - 1 :]}"
        assert codes(changed, language) == codes(text, language)


@pytest.mark.parametrize(
    ("language", "text", "comment"),
    [
        ("fsharp", "let a = 1\nlet b = 2 (* ~ *)\nlet c = 3\n", "the '\"' character, isn't it"),
        ("haskell", "module --~\n Foo where\nx = 1\n", "(x)"),
        ("haskell", "module --~\n Foo where\nx = 1\n", '"x'),
    ],
)
def test_what_a_comment_holds_does_not_matter(language: str, text: str, comment: str) -> None:
    assert codes(text.replace("~", comment), language) == codes(text.replace("~", " a"), language)


def test_a_comment_that_is_seen_through_is_still_a_trace_and_has_its_place() -> None:
    text = "public class /* remember\n me */ Shop { }"
    reading = read(text, "java")

    traces = reading.traces
    of_comments = traces.kinds == TraceKind.COMMENT
    stream = reading.stream
    starts, stops = traces.starts[of_comments], traces.stops[of_comments]
    assert [text[a:b] for a, b in zip(starts, stops, strict=True)] == ["remember", "me"]
    assert "Shop" in [text[a:b] for a, b in zip(stream.starts, stream.stops, strict=True)]


@pytest.mark.parametrize("language", PROGRAMS)
def test_tokens_around_seen_through_comments_are_all_of_the_text(language: str) -> None:
    comment = "{- a\n b -}" if language == "haskell" else "/* a\n b */"
    text = PROGRAMS[language].replace(" ", f"{comment} ")

    tokens = lex(lexer_of(find_language(language)), text)

    assert "".join(value for _, _, value in tokens) == text
    assert all(text.startswith(value, start) for start, _, value in tokens)


def test_a_text_is_read_alike_with_commented_ones_before_it() -> None:
    java = find_language("java")
    texts = [PROGRAMS["java"], PROGRAMS["java"].replace(" ", " /* a */ "), "class A { }"]

    numbers = TokenInterner()
    together = lex_all([(lexer_of(java), text) for text in texts], numbers)
    alone = [list(lex(lexer_of(java), text)) for text in texts]

    assert [each[1:] for each in together] == [each[1:] for some in alone for each in some]


@pytest.mark.parametrize(
    ("language", "sign"),
    [("swift", "."), ("swift", ":"), ("scala", "."), ("lua", "[["), ("lua", "[=[")],
)
def test_a_row_of_signs_is_not_looked_through_at_each_of_them(language: str, sign: str) -> None:
    text = sign * 60_000

    tokens = lex_all([(lexer_of(find_language(language)), text)], TokenInterner(), seconds=2)

    assert "".join(value for _, _, value in tokens) == text
