"""The driver gives the tokens that Pygments gives, for every lexer there is."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pygments.lexer import (
    ExtendedRegexLexer,
    Lexer,
    LexerContext,
    RegexLexer,
    bygroups,
    default,
    include,
    this,
    using,
    words,
)
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Punctuation,
    String,
    Text,
    Whitespace,
    _TokenType,
)
from pygments.util import ClassNotFound

from mosslite.frontends.lexing import TokenInterner, fast_numbers, fast_tokens, runs_faster
from mosslite.frontends.lexing.rules import Token
from tests.builders import tries

ALIASES = sorted(aliases[0] for _, aliases, _, _ in get_all_lexers() if aliases)
SOME = ALIASES[::25]
OFTEN_USED = ["c", "cpp", "csharp", "html", "java", "javascript", "php", "python", "ruby", "sql"]

# Pygments' own examples come with its source distribution only: the folder ``examplefiles``.
EXAMPLES = os.environ.get("PYGMENTS_EXAMPLES", "")
LONGEST = 20_000  # characters of an example that are read

MOST = 100_000  # tokens of a text: a few lexers never end

Seen = tuple[list["Token"], str]


def seen(tokens: Callable[[], Iterable[Token]]) -> Seen:
    """Return the tokens and, if the lexer fails, how: lexers promise nothing."""
    given_so_far: list[Token] = []
    try:
        given_so_far.extend(islice(tokens(), MOST))
    except Exception as error:  # noqa: BLE001
        return given_so_far, repr(error)
    return given_so_far, ""


def assert_same(make: Callable[[], Lexer], text: str) -> None:
    expected, error = seen(lambda: make().get_tokens_unprocessed(text))
    assert seen(lambda: fast_tokens(make(), text)) == (expected, error)
    found, counted_error = seen_by_number(make(), text)
    assert counted_error == error
    if not error and len(expected) < MOST:
        assert found == [(kind, value) for _, kind, value in expected]


def seen_by_number(lexer: Lexer, text: str) -> tuple[list[tuple[_TokenType, str]], str]:
    """Return the types and texts of a lexer's numbered tokens and, if it fails, how."""
    numbers, found = TokenInterner(), list[int]()
    try:
        for some in fast_numbers(lexer, text, numbers):
            found += some
            if len(found) >= MOST:
                break
    except Exception as error:  # noqa: BLE001
        return [], repr(error)
    return [numbers.distinct[number] for number in found], ""


def assert_same_by_name(alias: str, text: str) -> None:
    assert_same(lambda: get_lexer_by_name(alias), text)


# --- texts ---------------------------------------------------------------------------------------

SIGNS = [chr(code) for code in range(32, 127)]
SPACES = [
    "\n",
    "\n\n",
    " ",
    "  ",
    "\t",
    "\r\n",
    "\x0b",
    "\x1c",
    "\x85",
    "\\\n",
    "=begin\n",
]
PIECES = """
    \\ \\n ${ #{ {{ }} <% %> <?php // /* */ # -- {- -} (* *) ; :: -> => == ' ''' ` <b> </b> <script>
    0 1 42 3.14 0x1F 1e5 1_000 007 f x i R name Name if else for while class def return import end
    begin let public static int void f( struct #include record case IF End @a $x &amp; \u00e4 \u03bb
    \u540d \u212a \u017f \u0130 \U0001f600 <<E
"""


GROUPS = 12  # of lexers, each of which is one test
ANY_PIECES = [*PIECES.split(), '"""', *SPACES, *SIGNS]


def texts() -> SearchStrategy[str]:
    pieces = [*PIECES.split(), '"""']
    piece = st.sampled_from(pieces) | st.sampled_from(SPACES) | st.sampled_from(SIGNS)
    return st.lists(piece, max_size=40).map("".join)


# --- every lexer ---------------------------------------------------------------------------------


@pytest.mark.parametrize("alias", SOME)
@tries(10)
@given(text=texts())
def test_some_lexers_give_pygments_own_tokens_for_any_text(alias: str, text: str) -> None:
    if not runs_faster(get_lexer_by_name(alias)):
        pytest.skip("Pygments itself reads it, and may never end")
    assert_same_by_name(alias, text)


@pytest.mark.parametrize("alias", OFTEN_USED)
@tries(30)
@given(text=texts())
def test_lexers_that_are_often_used_give_pygments_own_tokens_for_any_text(
    alias: str, text: str
) -> None:
    assert_same_by_name(alias, text)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("nth", range(GROUPS))
def test_every_lexer_gives_pygments_own_tokens_for_any_text(nth: int) -> None:
    for alias in ALIASES[nth::GROUPS]:
        if not runs_faster(get_lexer_by_name(alias)):
            continue  # Pygments itself reads it, and may never end
        rng = Random(alias)  # noqa: S311 - any texts will do
        for _ in range(25):
            text = "".join(rng.choices(ANY_PIECES, k=rng.randrange(41)))
            try:
                assert_same_by_name(alias, text)
            except AssertionError as error:
                error.add_note(f"{alias}: {text!r}")
                raise


@pytest.mark.parametrize("alias", OFTEN_USED)
def test_the_project_s_own_files_are_read_as_pygments_reads_them(alias: str) -> None:
    for path in sorted(Path(__file__).parents[1].glob("samples/*/template/*")):
        assert_same_by_name(alias, path.read_text(encoding="utf-8"))


def example_files() -> list[Path]:
    return sorted(path for path in Path(EXAMPLES).glob("*/*") if path.is_file()) if EXAMPLES else []


@pytest.mark.slow
@pytest.mark.skipif(not EXAMPLES, reason="PYGMENTS_EXAMPLES names no folder")
@pytest.mark.parametrize("path", example_files(), ids=lambda path: "/".join(path.parts[-2:]))
def test_the_examples_of_pygments_are_read_as_pygments_reads_them(path: Path) -> None:
    try:
        get_lexer_by_name(path.parent.name)
    except ClassNotFound:
        pytest.skip("an example for something else")
    text = path.read_bytes().decode("utf-8", "replace")[:LONGEST]
    # A lexer may keep names that it has met in its class: it shall have met all of them before.
    seen(lambda: get_lexer_by_name(path.parent.name).get_tokens_unprocessed(text))
    assert_same_by_name(path.parent.name, text)
    assert_same_by_name(path.parent.name, text + "\n")


@pytest.mark.parametrize("alias", [*OFTEN_USED, "vb.net", "yaml"])
def test_lexers_that_are_often_used_are_driven(alias: str) -> None:
    assert runs_faster(get_lexer_by_name(alias))


@pytest.mark.parametrize("alias", ["output", "text"])
def test_lexers_without_rules_are_left_to_pygments(alias: str) -> None:
    assert not runs_faster(get_lexer_by_name(alias))
    assert_same_by_name(alias, "Prose,\n line by line")


# --- what rules can do ---------------------------------------------------------------------------


class Moving(RegexLexer):
    """Goes to other states in all ways there are."""

    name = "Moving"
    tokens: ClassVar = {
        "root": [
            (r"\n", Whitespace),
            (r"\(", Punctuation, "inner"),
            (r"\[", Punctuation, ("inner", "other")),
            (r"<", Punctuation, ("#pop", "inner", "#push")),
            (r"\}", Punctuation, "#pop:3"),
            include("letters"),
            (r"(?=%)", Text, "nothing"),
        ],
        "letters": [
            (words(("if", "else"), suffix=r"\b"), Keyword),
            (r"(?i)x+", Name.Class),
            (r"^z", Name.Label),
            (r"(\w)(=)?(\d*)", bygroups(Name, None, Number)),  # type: ignore[no-untyped-call]
        ],
        "inner": [
            (r"\(", Punctuation, "#push"),
            (r"\)", Punctuation, "#pop"),
            (r"\]", Punctuation, "#pop:2"),
            (r"!", Punctuation, ("#pop", "#pop", "#pop", "other")),
            (r"\n", Whitespace),
            (r"(\d+)(\w*)", bygroups(Number, using(this, state="letters"))),  # type: ignore[no-untyped-call]
            include("letters"),
        ],
        "other": [(r"(?<=\[)a", Name.Tag), (r"\s+", Whitespace), default("#pop")],
        "nothing": [(r"%(?P<word>\w)(?P=word)", String, "#pop"), (r"%", Comment, "#pop:9")],
    }


@tries(500)
@given(text=st.text("()[]{}<>!%=\n aaifzxX12\u212a", max_size=30))
def test_states_are_entered_and_left_as_pygments_does_it(text: str) -> None:
    assert_same(Moving, text)


@tries(200)
@given(
    text=st.text("()[]<}!%\nax1", max_size=20),
    states=st.lists(st.sampled_from(["root", "inner", "other"]), max_size=3),
)
def test_a_run_begins_with_any_stack(text: str, states: list[str]) -> None:
    stack = ["root", *states]

    class Elsewhere(Moving):
        def get_tokens_unprocessed(self, text: str, _: Iterable[str] = ()) -> Iterator[Token]:
            return RegexLexer.get_tokens_unprocessed(self, text, stack)

    assert_same(Elsewhere, text)


class Counting(RegexLexer):
    """Changes its tokens behind the loop, and asks in between what has been read."""

    name = "Counting"
    tokens: ClassVar = {
        "root": [(r"\w+", Name), (r"\s+", Whitespace), (r"#", lambda lexer, _: lexer.told())]
    }

    def told(self) -> Iterator[Token]:
        yield 0, Number, str(self.count)

    def get_tokens_unprocessed(
        self, text: str, stack: Iterable[str] = ("root",)
    ) -> Iterator[Token]:
        self.count = 0
        for offset, kind, value in RegexLexer.get_tokens_unprocessed(self, text, stack):
            self.count += kind is Name
            yield offset, Keyword if value == "if" else kind, value


def test_what_a_lexer_does_behind_the_loop_is_done_token_by_token() -> None:
    assert_same(Counting, "if one # two three #")
    assert list(fast_tokens(Counting(), "if #")) == [
        (0, Keyword, "if"),
        (2, Whitespace, " "),
        (0, Number, "1"),
    ]


def inside(lexer: Lexer, match: re.Match[str]) -> Iterator[Token]:
    """Read what is in braces by the same lexer, and change the tokens of that."""
    for offset, kind, value in lexer.get_tokens_unprocessed(match.group()[1:-1]):
        yield match.start() + 1 + offset, Keyword if kind is Name else kind, value.upper()


class Nested(RegexLexer):
    """Has an action that asks the lexer for tokens, and leaves the loop as it is."""

    name = "Nested"
    tokens: ClassVar = {
        "root": [
            (r"\{[^{}]*\}", inside),
            (r"\[(\w*)\]", bygroups(using(this))),  # type: ignore[no-untyped-call]
            (r"\w+", Name),
            (r"[ \n]+", Whitespace),
        ]
    }


@tries(300)
@given(text=st.text("{}[]ab1 !\n", max_size=30))
def test_actions_are_given_tokens_where_others_are_counted(text: str) -> None:
    assert_same(Nested, text)


def test_many_tokens_are_numbered_in_parts_that_a_clock_can_be_read_between() -> None:
    numbers = TokenInterner()
    parts = list(fast_numbers(Nested(), "a b " * 5000, numbers))
    assert max(map(len, parts)) < 2000
    assert sum(map(len, parts)) == 20_000
    assert numbers.distinct == [(Name, "a"), (Whitespace, " "), (Name, "b")]


def jump(_: Lexer, match: re.Match[str], context: LexerContext) -> Iterator[Token]:
    yield match.start(), Comment, match.group()
    context.stack = ["root", "inner"] if match.group() == "@" else ["root"]
    context.pos = min(match.end() + 1, context.end)


def cut(_: Lexer, match: re.Match[str], context: LexerContext) -> Iterator[Token]:
    yield match.start(), Number, match.group()
    context.pos, context.end = match.end(), max(match.end(), context.end - 1)


class InContext(ExtendedRegexLexer):
    """Has actions that change the place, the stack and the end."""

    name = "InContext"
    tokens: ClassVar = {
        "root": [
            (r"[@.]", jump),
            (r"\d", cut),
            (r"\(", Punctuation, "inner"),
            (r"(a)(b)?", bygroups(Name, Keyword)),  # type: ignore[no-untyped-call]
            (r"[ \n]+", Whitespace),
            (r"c$", String),
        ],
        "inner": [
            (r"\)", Punctuation, "#pop"),
            (r"\(", Punctuation, "#push"),
            (r"\[", Punctuation, ("#pop", "root", "inner")),
            (r"[@.]", jump),
            (r"(a+)", bygroups(Name.Tag)),  # type: ignore[no-untyped-call]
            (r"\}", Punctuation, "#pop:2"),
        ],
    }


@tries(500)
@given(text=st.text("@.1()[}aabc\n ", max_size=30))
def test_actions_may_change_the_context_of_the_lexer(text: str) -> None:
    assert_same(InContext, text)


def test_a_lexer_is_left_as_it_was() -> None:
    lexer = get_lexer_by_name("c")
    before = dict(vars(lexer))
    list(fast_tokens(lexer, "int main() { return 0; }"))
    assert vars(lexer) == before


def test_a_rule_that_leads_nowhere_known_leaves_its_lexer_to_pygments() -> None:
    lexer = Moving()
    states: Mapping[str, object] = {"root": [(re.compile("a").match, Name, 7)]}
    vars(lexer)["_tokens"] = states
    assert not runs_faster(lexer)
