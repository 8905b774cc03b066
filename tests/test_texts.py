import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import OptionError
from mosslite.texts import ENGLISH, LOCALES, hundredths, percent, texts_in, thousandths


@pytest.mark.parametrize(
    ("share", "whole", "decimal"),
    [
        (0.0, "0 %", "0.00"),
        (1e-12, "1 %", "0.01"),
        (0.0099, "1 %", "0.01"),
        (0.29, "29 %", "0.29"),
        (0.57, "57 %", "0.57"),
        (0.909, "90 %", "0.90"),
        (0.9999, "99 %", "0.99"),
        (1 - 1e-16, "99 %", "0.99"),
        (1.0, "100 %", "1.00"),
    ],
)
def test_shares_never_round_up_to_all_or_down_to_nothing(
    share: float, whole: str, decimal: str
) -> None:
    assert (percent(share), hundredths(share)) == (whole, decimal)


@given(st.integers(0, 100))
def test_a_whole_percentage_is_written_as_it_is(number: int) -> None:
    assert percent(number / 100) == f"{number} %"


@pytest.mark.parametrize(
    ("locale", "thousand", "million", "score", "time"),
    [
        ("en", "1,134", "1,234,567", "0.91", "2026-11-21 09:30 UTC"),
        ("de", "1.134", "1.234.567", "0,91", "21.11.2026 09:30 UTC"),
        ("es", "1134", "1.234.567", "0,91", "21/11/2026 09:30 UTC"),
        ("fr", "1\u00a0134", "1\u00a0234\u00a0567", "0,91", "21/11/2026 09:30 UTC"),
    ],
)
def test_numbers_and_times_are_written_as_the_language_does(
    locale: str, thousand: str, million: str, score: str, time: str
) -> None:
    texts = texts_in(locale)
    assert (texts.number(1134), texts.number(1234567)) == (thousand, million)
    assert (texts.hundredths(0.919), texts.rounded(0.909)) == (score, score)
    assert texts.moment("2026-11-21T09:30:00Z".replace(":00Z", "Z")) == time
    assert texts.moment("yesterday, 10:00") == "yesterday, 10:00"


@pytest.mark.parametrize(
    ("locale", "none", "one", "many"),
    [
        ("en", "0 pairs", "1 pair", "2 pairs"),
        ("de", "0 Paare", "1 Paar", "2 Paare"),
        ("es", "0 pares", "1 par", "2 pares"),
        ("fr", "0 paire", "1 paire", "2 paires"),
    ],
)
def test_plurals_are_those_of_the_language(locale: str, none: str, one: str, many: str) -> None:
    said = [texts_in(locale).ngettext("%(count)s pair", "%(count)s pairs", n) for n in (0, 1, 2)]
    assert said == [none, one, many]


def test_what_stands_in_a_value_is_not_a_message() -> None:
    said = ENGLISH.gettext("report: %(page)s", page="100 % %(page)s")
    assert said == "report: 100 % %(page)s"


def test_a_terminal_gets_plain_spaces() -> None:
    assert texts_in("fr").for_terminal().number(12_345) == "12 345"
    assert "\u00a0" not in texts_in("fr").for_terminal().gettext("warning: %(text)s", text="x")


def test_an_unknown_language_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(OptionError, match="unknown locale 'it': give one of en, de, es, fr"):
        texts_in("it")
    assert list(LOCALES) == ["en", "de", "es", "fr"]


def test_thousandths_are_cut_and_only_exact_ends_read_as_such() -> None:
    shown = [thousandths(share) for share in (0, 1e-9, 0.29, 0.99999, 1)]
    assert shown == ["0.000", "0.001", "0.290", "0.999", "1.000"]
