"""Localization of the report and the terminal: message catalogues, numbers and times.

English messages are in the code; other languages are in gettext catalogues in ``locales/``. File
formats (JSON, CSV, SARIF, JUnit) and student text are the same in every language. Warnings,
reasons and errors are values (``messages.py``), translated where they are shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from mosslite.errors import OptionError
from mosslite.messages import NN_, Message, filled


def percent(share: float) -> str:
    """Format a share in [0, 1] as ``91 %``; ``100 %`` and ``0 %`` only for exact values."""
    return f"{_whole_parts(share, 100)} %"


def hundredths(share: float) -> str:
    """Format a share in [0, 1] as ``0.91``, by the same rule as ``percent``."""
    return f"{_whole_parts(share, 100) / 100:.2f}"


def thousandths(share: float) -> str:
    """Format a share in [0, 1] as ``0.912``, by the same rule as ``percent``."""
    return f"{_whole_parts(share, 1000) / 1000:.3f}"


def _whole_parts(share: float, of: int) -> int:
    if share in (0, 1):
        return int(share) * of
    # 0.29 * 100 is slightly below 29 in binary, which rounding first corrects.
    return min(max(int(round(share * of, 6)), 1), of - 1)


# ISO 639-1 codes with the languages' own names.
LOCALES: Final = {"en": "English", "de": "Deutsch", "es": "Espa\u00f1ol", "fr": "Fran\u00e7ais"}

# Thousands separator, the number of digits from which it is used, and decimal separator.
_NUMBERS: Final = {
    "en": (",", 4, "."),
    "de": (".", 4, ","),
    "es": (".", 5, ","),
    "fr": ("\u00a0", 4, ","),
}
# Date formats from the year, month and day of ISO 8601.
_DAYS: Final = {"en": "{0}-{1}-{2}", "de": "{2}.{1}.{0}", "es": "{2}/{1}/{0}", "fr": "{2}/{1}/{0}"}
_ISO_8601: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(Z|[+-]\d\d(?::?\d\d)?)?"
)

_PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True, slots=True)
class Texts:
    """Messages in one language; placeholders in them are written ``%(name)s``."""

    locale: str = "en"
    _catalogue: NullTranslations = field(default_factory=NullTranslations)
    _space: str = "\u00a0"

    def gettext(self, message: str, **values: object) -> str:
        """Return a message with its values."""
        return self._filled(self._catalogue.gettext(message), values)

    def ngettext(self, one: str, many: str, count: int, **values: object) -> str:
        """Return a message in the plural form for ``count``; ``%(count)s`` is replaced by it."""
        message = self._catalogue.ngettext(one, many, count)
        return self._filled(message, {"count": self.number(count), **values})

    def translated(self, said: str) -> str:
        """Return a message in this language; any other text stays."""
        if self.locale == "en" or not isinstance(said, Message):
            return said
        count = said.params.get("count")
        if said.plural and isinstance(count, int):
            form = self._catalogue.ngettext(said.id, said.plural, count)
        else:
            form = self._catalogue.gettext(said.id)
        form = form.replace("\u00a0", self._space)
        return filled(form, said.params, self.translated, self.number)

    def number(self, value: int) -> str:
        """Format an integer with thousands separators."""
        sign, least, _ = _NUMBERS[self.locale]
        if len(str(abs(value))) < least:
            return str(value)
        return f"{value:,}".replace(",", sign).replace("\u00a0", self._space)

    def rounded(self, value: float) -> str:
        """Format a number with two decimals."""
        return self.decimal(f"{value:.2f}")

    def hundredths(self, share: float) -> str:
        """Format a share in [0, 1] as ``0.91``, truncated."""
        return self.decimal(hundredths(share))

    def thousandths(self, share: float) -> str:
        """Format a share in [0, 1] as ``0.912``, truncated."""
        return self.decimal(thousandths(share))

    def percent(self, share: float) -> str:
        """Format a share in [0, 1] as ``91 %``, truncated."""
        return percent(share)

    def moment(self, time: str) -> str:
        """Format an ISO 8601 time as ``2026-11-21 09:30 UTC``, or return it unchanged."""
        found = _ISO_8601.fullmatch(time)
        if not found:
            return time
        *day, clock, zone = found.groups("")
        zone = "UTC" if zone in ("Z", "+00:00") else zone
        return " ".join(filter(None, (_DAYS[self.locale].format(*day), clock, zone)))

    def gap(self, seconds: int) -> str:
        """Format a duration by its two largest units, as in ``2 days 3 hours``."""
        words, left = [], abs(seconds)
        for size, (one, many) in _UNITS.items():
            count, left = divmod(left, size)
            if count:
                words.append(self.ngettext(one, many, count))
            elif words:
                break
        return " ".join(words[:2]) or self.gettext("no time")

    def decimal(self, number: str) -> str:
        """Replace the decimal point of a number by the language's decimal separator."""
        return number.replace(".", _NUMBERS[self.locale][2])

    def for_terminal(self) -> Texts:
        """Return the same with plain spaces, as others would be escaped there like in names."""
        return replace(self, _space=" ")

    def _filled(self, message: str, values: Mapping[str, object]) -> str:
        """Insert values into a message; other percent signs are literal."""
        message = message.replace("\u00a0", self._space)
        return _PLACEHOLDER.sub(lambda found: str(values[found[1]]), message) if values else message


ENGLISH: Final = Texts()


_UNITS: Final = {
    24 * 60 * 60: NN_("%(count)s day", "%(count)s days"),
    60 * 60: NN_("%(count)s hour", "%(count)s hours"),
    60: NN_("%(count)s minute", "%(count)s minutes"),
    1: NN_("%(count)s second", "%(count)s seconds"),
}


def texts_in(locale: str) -> Texts:
    """Return the messages in a language.

    Raises:
        OptionError: It has no catalogue.
    """
    if locale not in LOCALES:
        raise OptionError("unknown locale %(locale)r: give one of %(locales)s", locale, [*LOCALES])
    return ENGLISH if locale == "en" else Texts(locale, _catalogue(locale))


@lru_cache
def _catalogue(locale: str) -> GNUTranslations:
    with (_catalogues_in(locale) / "mosslite.mo").open("rb") as file:
        return GNUTranslations(file)


def _catalogues_in(locale: str) -> Traversable:
    return files("mosslite") / "locales" / locale / "LC_MESSAGES"


def script_messages(locale: str) -> dict[str, list[str]]:
    """Return what the scripts of pages say in a language: the forms of each message.

    English is in the scripts.
    """
    if locale == "en":
        return {}
    content = (_catalogues_in(locale) / "scripts.json").read_text(encoding="utf-8")
    messages: dict[str, list[str]] = json.loads(content)
    return messages
