"""Helpers for importing other programs' results: reading their files, writing JSON results."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mosslite.errors import InputError
from mosslite.messages import M_
from mosslite.report.results import FORMAT, with_messages
from mosslite.report.review import without_surrogates

_MOST_LINE: Final = 1 << 31


@dataclass(frozen=True, slots=True)
class Export:
    """Files written by another program, by name; ``path`` is their source.

    Names inside the files are only looked up among these, so that none can lead elsewhere.
    """

    path: str
    program: str
    contents: Mapping[str, bytes]

    def error(self, why: str) -> InputError:
        """Return the error for files that are not a result of the program."""
        return InputError(
            "%(path)r is not a result of %(program)s: %(why)s", self.path, self.program, why
        )

    def text(self, name: str) -> str | None:
        """Return a file's text; None if it does not exist.

        Raises:
            InputError: It is not UTF-8.
        """
        content = self.contents.get(name)
        if content is None:
            return None
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.error(M_("%(name)r is not UTF-8", name)) from error

    def json(self, name: str) -> object:
        """Return the content of a JSON file; None if it does not exist.

        Raises:
            InputError: It is not JSON.
        """
        text = self.text(name)
        if text is None:
            return None
        try:
            return json.loads(text, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise self.error(M_("%(name)r is not JSON", name)) from error


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def text_in(value: object) -> str | None:
    """Return a text that can be encoded; None for any other value."""
    return without_surrogates(value) if isinstance(value, str) and value else None


def count_in(value: object, least: int = 0) -> int | None:
    """Return an integer of at least ``least``; None for any other value."""
    return value if type(value) is int and least <= value < _MOST_LINE else None


def share_in(value: object, of: float = 1.0) -> float | None:
    """Return a share as a number from 0 to 1; None for any other value.

    Args:
        value: Anything.
        of: The value that represents the whole.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= of:
        return None
    return float(value / of)


@dataclass(frozen=True, slots=True)
class ImportedSubmission:
    """A submission in JSON results."""

    name: str
    files: tuple[str, ...] = ()
    tokens: int | None = None
    members: tuple[str, ...] = ()
    submitted: str = ""
    label: str = ""

    def content(self, language: str | None) -> dict[str, object]:
        """Return its entry in the results."""
        metadata = {"members": self.members, "submitted": self.submitted, "label": self.label}
        return {
            "name": self.name,
            "role": "current",
            **{key: value for key, value in metadata.items() if value},
            "files": sorted(self.files),
            "tokens": self.tokens,
            "languages": [language] if language else [],
        }


@dataclass(frozen=True, slots=True)
class ImportedPair:
    """A pair in JSON results; fields that the other program does not report are None.

    Attributes:
        matches: Each with the file and the lines of both sides, and its tokens.
    """

    left: str
    right: str
    similarity: float
    left_similarity: float | None
    right_similarity: float | None
    matches: tuple[Mapping[str, object], ...] = ()

    def content(self) -> dict[str, object]:
        """Return its entry in the results."""
        tokens = [each["tokens"] for each in self.matches]
        known = [each for each in tokens if isinstance(each, int)]
        is_known = bool(known) and len(known) == len(tokens)
        return {
            "left": self.left,
            "right": self.right,
            "score": None,
            "similarity": self.similarity,
            "left_similarity": self.left_similarity,
            "right_similarity": self.right_similarity,
            "matched_tokens": sum(known) if is_known else None,
            "matched_lines": None,
            "longest_match": max(known) if is_known else None,
            "matches": self.matches,
            "rare_evidence": [],
        }


def to_results(
    head: Mapping[str, object],
    submissions: Iterable[ImportedSubmission],
    pairs: Iterable[ImportedPair],
    *,
    skipped: Sequence[Mapping[str, object]] = (),
    warnings: Iterable[str | int] = (),
) -> str:
    """Return another program's results as JSON of format 1.

    Args:
        head: ``mosslite``, ``source``, ``options`` and ``language``.
        submissions: In any order.
        pairs: Likewise; those that share nothing are left out, as in mosslite's own results.
        skipped: Files that the other program could not read.
        warnings: Parts of its results that were not read; 0 for none.
    """
    language = text_in(head["language"])
    sharing = [pair for pair in pairs if pair.similarity > 0]
    ordered = sorted(sharing, key=lambda each: (-each.similarity, each.left, each.right))
    content = {
        "format": FORMAT,
        "mosslite": head["mosslite"],
        "created": None,
        "source": head["source"],
        "options": head["options"],
        "submissions": [
            each.content(language) for each in sorted(submissions, key=lambda each: each.name)
        ],
        "threshold": None,
        "pairs": [each.content() for each in ordered],
        "skipped": skipped,
        "ignored": [],
        **with_messages([each for each in warnings if isinstance(each, str)]),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names of submissions by id; ambiguous names are extended by the id."""
    counts = Counter(names.values())
    shown = {key: name if counts[name] == 1 else f"{name} ({key})" for key, name in names.items()}
    return dict(_without_clashes(shown))


def _without_clashes(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Number names that are still equal, as ids can look like anything."""
    taken: set[str] = set()
    for key, name in names.items():
        shown, number = name, 1
        while shown in taken:
            number += 1
            shown = f"{name} ({number})"
        taken.add(shown)
        yield key, shown
