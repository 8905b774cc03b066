import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends import Reading, degraded, tokenize
from mosslite.frontends.text import source_of
from mosslite.languages import TEXT, Language, find_language
from mosslite.lookalikes import (
    BIDIRECTIONAL,
    homoglyphs,
    symbols_like_letters,
    wide_letters,
)
from mosslite.records import Document, TokenStream, Traces
from tests.builders import LAW, check_stream, document_of

JAVA = """\
/* Sums up what is given. */
public class Total {
    static int sumOfAll(int[] values, String unit) {
        int sum = 0; // of values
        for (int each : values) { sum += each * 2; }
        System.out.println("sum in " + unit + " it is " + sum);
        return sum;
    }
}
"""
PYTHON = """\
# Counts words.
def count_words(text, least=10):
    '''Give a dict of counts.'''
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return {word: count for word, count in counts.items() if count > least}
print(count_words("a rose is a rose"))
"""
PROSE = """\
A copy is a copy of what was there before.
It is seldom as good as 1 original, and it costs nothing.
"""
PROGRAMS = {"java": JAVA, "python": PYTHON, "text": PROSE}

RUSSIAN, GREEK = "\u0441\u0443\u043c\u043c\u0430", "\u03b5\u03af\u03bd\u03b1\u03b9"
HEBREW, PERSIAN = "\u05e9\u05dc\u05d5\u05dd", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
ZWSP, ZWNJ, ZWJ, BOM, SHY = "\u200b", "\u200c", "\u200d", "\ufeff", "\u00ad"
LRM, RLM, RLO, PDF, LRI, PDI = "\u200e", "\u200f", "\u202e", "\u202c", "\u2066", "\u2069"
HIDDEN = [ZWSP, ZWNJ, ZWJ, BOM, SHY, "\u2060", "\u2064", "\u180e", "\u034f", *BIDIRECTIONAL]
LOOK_ALIKES = {**homoglyphs(), **wide_letters()}
MASKS = {
    letter: [chr(code) for code, to in LOOK_ALIKES.items() if to == letter]
    for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
}


def language(name: str) -> Language:
    return TEXT if name == "text" else find_language(name)


def read(text: str, name: str = "java") -> Reading:
    return tokenize(text, language(name))


def found(text: str, name: str = "java") -> list[tuple[str, str, tuple[int, ...], int]]:
    """Return the disguises of a text, field by field."""
    disguises = read(text, name).disguises
    return [(each.kind, each.characters, each.lines, each.count) for each in disguises]


def kinds(text: str, name: str = "java") -> list[str]:
    return [each.kind for each in read(text, name).disguises]


def check_equal(disguised: str, clean: str, name: str) -> None:
    """Check that two texts read alike, token by token and trace by trace."""
    left, right = read(disguised, name), read(clean, name)
    assert left.is_degraded == right.is_degraded
    for column in ("codes", "lexemes", "kinds"):
        assert getattr(left.stream, column).tolist() == getattr(right.stream, column).tolist()
    for column in ("kinds", "codes"):
        assert getattr(left.traces, column).tolist() == getattr(right.traces, column).tolist()
    of_left = document_of(left.stream, text=disguised, traces=left.traces)
    of_right = document_of(right.stream, text=clean, traces=right.traces)
    assert places(of_left) == places(of_right)


def places(document: Document) -> list[list[int]]:
    """Return the lines of tokens and traces."""
    stream, traces = document.stream, document.traces
    found = (*document.lines_of(stream.starts, stream.stops), document.lines_at(traces.starts))
    return [each.tolist() for each in found]


def check_places(disguised: str, clean: str, name: str) -> None:
    """Check that each token and trace is, but for its disguise, that of the clean text."""
    left, right = read(disguised, name), read(clean, name)
    check_stream(disguised, left.stream)
    for texts in (
        zip(slices(disguised, left.stream), slices(clean, right.stream), strict=True),
        zip(slices(disguised, left.traces), slices(clean, right.traces), strict=True),
    ):
        for of_disguised, of_clean in texts:
            assert source_of(of_disguised).text == source_of(of_clean).text


def slices(text: str, columns: TokenStream | Traces) -> list[str]:
    ranges = zip(columns.starts.tolist(), columns.stops.tolist(), strict=True)
    return [text[start:stop] for start, stop in ranges]


# --- what is disguised reads as what it stands for -----------------------------------------------


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_hidden_characters_everywhere_change_nothing(name: str, line_end: str) -> None:
    lines = PROGRAMS[name].split("\n")
    for hidden in HIDDEN:
        disguised = line_end.join(hidden.join(["", *line, ""]) for line in lines)

        check_equal(disguised, PROGRAMS[name], name)
        check_places(disguised, PROGRAMS[name], name)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("number", range(4))
def test_look_alikes_of_every_letter_change_nothing(name: str, number: int) -> None:
    disguised = "".join(
        MASKS[each][number % len(MASKS[each])] if each in MASKS else each for each in PROGRAMS[name]
    )

    assert disguised != PROGRAMS[name]
    check_equal(disguised, PROGRAMS[name], name)
    check_places(disguised, PROGRAMS[name], name)


@st.composite
def disguised_programs(draw: st.DrawFn) -> tuple[str, str, str]:
    """Return a language, a program and the same disguised."""
    name = draw(st.sampled_from(sorted(PROGRAMS)))
    line_end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    characters = list(PROGRAMS[name])
    for place in draw(st.lists(st.integers(0, len(characters) - 1), max_size=60)):
        before, hidden, letter = characters[place], draw(st.sampled_from(HIDDEN)), st.booleans()
        if before in MASKS and draw(letter):
            characters[place] = draw(st.sampled_from(MASKS[before]))
        else:
            characters[place] = before + hidden if before != "\n" else hidden + before
    return name, PROGRAMS[name], "".join(characters).replace("\n", line_end)


@pytest.mark.slow
@LAW
@given(disguised_programs())
def test_no_mixture_of_disguises_changes_what_is_compared(case: tuple[str, str, str]) -> None:
    name, clean, disguised = case

    check_equal(disguised, clean, name)
    check_places(disguised, clean, name)


@LAW
@given(
    st.text(st.sampled_from([*HIDDEN, *MASKS["a"], *MASKS["o"], *"ao1 \r\n\t/*\"'\u05d0\u65e5"])),
    st.sampled_from(["java", "python", "html", "text"]),
)
def test_any_text_is_read_and_its_ranges_and_disguises_are_in_it(text: str, name: str) -> None:
    for reading in (read(text, name), degraded(text)):
        check_stream(text, reading.stream)
        assert (reading.traces.starts < reading.traces.stops).all()
        for each in reading.disguises:
            assert each.count >= max(len(each.lines), len(each.characters)) > 0
            assert set(each.characters) <= set(text)
            assert list(each.lines) == sorted(set(each.lines))
            assert each.lines[0] >= 1
            assert each.lines[-1] <= 1 + text.count("\r") + text.count("\n")


def test_a_near_letter_is_read_as_what_it_is_near_to_where_a_word_is_mixed() -> None:
    check_equal("int s\u03b1l\u03b1ry = 1;", "int salary = 1;", "java")


def test_a_word_of_another_script_is_read_as_it_is() -> None:
    left, right = (read(f"int {name} = 1;") for name in ("\u0441\u0447\u0451\u0442", "cuet"))

    assert left.stream.codes.tolist() == right.stream.codes.tolist()
    assert left.stream.lexemes.tolist() != right.stream.lexemes.tolist()


def test_a_lone_sign_of_a_formula_is_read_as_it_is() -> None:
    assert source_of("\u03b1 = \u03c1 * 2").text == "\u03b1 = \u03c1 * 2"


@pytest.mark.parametrize("of", ["(){};=.", "acegiklmnoprstuvx", "".join(map(chr, range(32, 127)))])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_escapes_in_java_are_read_as_what_they_stand_for(of: str, line_end: str) -> None:
    plain = JAVA.replace("\n", line_end)
    escaped = "".join(f"\\u{ord(each):04x}" if each in of else each for each in plain)

    check_equal(escaped, plain, "java")
    check_stream(escaped, read(escaped).stream)


def test_two_backslashes_and_half_a_character_are_no_escape() -> None:
    assert source_of(r'f("\\u0022 \\\u0022");', takes_escapes=True).text == r'f("\\u0022 \\"");'
    assert source_of(r'"\ud83d\ude00"', takes_escapes=True).text == r'"\ud83d\ude00"'


def test_in_other_languages_escapes_stay() -> None:
    text = r"x = '\u0028'; y = /\u0029/;"
    left, right = (read(text, "javascript"), read(text.replace("0028", "0020"), "javascript"))

    assert left.disguises == ()
    assert left.stream.lexemes.tolist() != right.stream.lexemes.tolist()


# --- what is disguised is told -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int su\u200bm;\nsum\u200b\u2060++;", ("zero-width", "\u200b\u2060", (1, 2), 3)),
        ("// of\u200bit\r\n// it\u200b", ("zero-width", ZWSP, (1, 2), 2)),
        ('f("a\u200bb");', ("zero-width", ZWSP, (1,), 1)),
        ("int a;\n\u200b\n", ("zero-width", ZWSP, (2,), 1)),
        ("int a\ufeff;", ("zero-width", BOM, (1,), 1)),
        ("int a\u00adb;", ("zero-width", SHY, (1,), 1)),
        ("int \u0441\u200b\u0447;", ("zero-width", ZWSP, (1,), 1)),
        ("\r\n/* \u202e } \u2066if (a)\u2069 */", ("bidirectional", RLO + LRI + PDI, (2,), 3)),
        ("int a\u200e;", ("bidirectional", LRM, (1,), 1)),
        ('f("\u05d0\u202eabc");', ("bidirectional", RLO, (1,), 1)),
        ("int sum\u200f = 1; // \u05d0", ("bidirectional", RLM, (1,), 1)),
        ("int s\u043em\u0435;\rint s\u03bf;", ("homoglyph", "\u03bf\u0435\u043e", (1, 2), 3)),
        ("int \u0585f_it;", ("homoglyph", "\u0585", (1,), 1)),
        ("int a, \u0430;", ("homoglyph", "\u0430", (1,), 1)),
        ("int \uff53um = \uff11;", ("full-width", "\uff11\uff53", (1,), 2)),
        ("int \U0001d42c\U0001d42em;", ("full-width", "\U0001d42c\U0001d42e", (1,), 2)),
        ("int a\uff3fb;", ("full-width", "\uff3f", (1,), 1)),
        (r"int \u0061 \uu003D 1\u003b", ("escape", ";=a", (1,), 3)),
        ("//\r\n// it \\u000A f();\r\n", ("escape", "\n", (2,), 1)),
    ],
)
def test_a_disguise_is_reported_with_its_lines(
    text: str, expected: tuple[str, str, tuple[int, ...], int]
) -> None:
    assert found(text) == [expected]


def test_kinds_are_distinguished_and_in_order() -> None:
    text = "int \uff53um;\nint s\u043fm;\nint s\u043em\u200b; // \u202e"

    assert kinds(text) == ["zero-width", "bidirectional", "homoglyph", "full-width"]


def test_a_letter_behind_a_hidden_character_is_still_a_look_alike() -> None:
    assert kinds("int c\u200b\u043eunt;") == ["zero-width", "homoglyph"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("It is a c\u043epy.", "homoglyph"),
        ("\u0430 copy is a copy.", "homoglyph"),
        ("It is a c\u200bopy.", "zero-width"),
        ("It is a \u202eypoc.", "bidirectional"),
        ("It is a c\uff4fpy.", "full-width"),
    ],
)
def test_disguised_prose_is_reported(text: str, kind: str) -> None:
    assert kinds(text, "text") == [kind]


def test_where_the_lexer_fails_a_text_is_looked_at_as_prose() -> None:
    reading = degraded("int s\u043em; // \uff53\uff55\uff4d")

    assert [each.kind for each in reading.disguises] == ["homoglyph"]


# --- what is honest is not -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffint a;",
        f"// {RUSSIAN} \u0441 \u0430 \u0438 x, a",
        f"int a; // \u0430 \u0438 {RUSSIAN}",
        f'int {RUSSIAN}, c, \u0441; String s = "{RUSSIAN}";',
        f"int num_{RUSSIAN}, user\u0418\u043c\u044f;",
        f"// {GREEK} \u03bf {GREEK} a o",
        "double \u03b1, a, \u03c1_air, \u0394t, \u03bbx, \u03bd;",
        "// \u30d7\u30ed\uff21\uff22\uff23 \uff11\n",
        'f("\uff21\uff22\uff23 \u65e5\u672c");',
        "int \uff29\uff24\u756a\u53f7;",
        f"// {PERSIAN} \u0647\u200d",
        f'f("{PERSIAN}");',
        f"int {PERSIAN};",
        'f("\u0915\u094d\u200d\u0937");',  # Hindi
        'f("\U0001f469\u200d\U0001f4bb \u2764\ufe0f\u200d\U0001f525");',
        'f("\U0001f469\U0001f3fd\u200d\U0001f52c");',
        'f("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f");',  # a flag
        f'f("{HEBREW} (C++)\u200e");',
        f"// {HEBREW} \u2066C++\u2069 {HEBREW}\u200f",
        "// \u0e20\u0e32\u0e29\u0e32\u200b\u0e44\u0e17\u0e22",  # Thai
        "// Donau\u00addampf\u00adschiff",
        'f("Donau\u00addampf");',
        "int \u0430; // not a",
        r"char a = '\u0041', b = '\uu0020'; // \u0028",
        r'int caf\u00e9; f("\u0041\u00e9 \\u0022");',
        "double \u211d, \u2115n, \U0001d465, x\u00b2, x\u2081;",
        "// c\u043epy",
        'f("c\u043epy \uff53");',
        "// caf\u00e9 na\u00efve gr\u00f6\u00dfe \u0131\u0130 \u2603 \u2192 \u2026",
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_honest_writing_of_all_scripts_is_not_a_disguise(text: str, line_end: str) -> None:
    assert found(text + line_end + "int b = 1;" + line_end) == []


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffIt is.",
        f"\u0421 \u0430 \u0438 \u043e, a o {RUSSIAN}",
        "Donau\u00addampf\u00adschiff",
        "here\u200b, there/\u200bthen \u2060- so \u200b\n",
        "\uff21\uff22\uff23 \u65e5\u672c\u200b\u8a9e T\u30b7\u30e3\u30c4",
        f"{HEBREW} (C++)\u200e \u202aabc\u202c",
        PERSIAN,
        "sin \U0001d465 and f\U0001d465, m\u00b2, \u2167",
    ],
)
def test_honest_prose_is_not_a_disguise(text: str) -> None:
    assert found(text, "text") == []


def test_wide_letters_in_the_text_of_a_page_are_no_disguise() -> None:
    assert found("<p>\uff21\uff22\uff23</p>", "html") == []


# --- the tables ----------------------------------------------------------------------------------


def test_every_look_alike_is_a_letter_of_another_script_or_of_phonetics() -> None:
    names = [unicodedata.name(chr(code)) for code in [*homoglyphs(), *symbols_like_letters()]]

    assert {name.split()[0] for name in names} == {
        *("GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "LATIN")
    }
    assert all(chr(code).isalpha() for code in [*homoglyphs(), *symbols_like_letters()])
    assert {name for name in names if name.startswith("LATIN")} == {
        "LATIN SMALL LETTER ALPHA",
        "LATIN SMALL LETTER SCRIPT G",
    }


def test_no_letter_looks_like_two() -> None:
    assert not set(homoglyphs()) & set(symbols_like_letters())


@pytest.mark.parametrize("character", ["\uff41", "\U0001d41a", "\U0001d68a", "\u1d43"])
def test_wide_letters_are_those_of_another_width_or_style_but_not_raised(character: str) -> None:
    assert (ord(character) in wide_letters()) == (character != "\u1d43")
