"""Distinguishes names that look alike."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from mosslite.display import HIDDEN_RUN, code_point, name_parts
from mosslite.lookalikes import homoglyphs
from mosslite.messages import NN_, Message
from mosslite.records import Disguise, Document, Report, Skipped, SourceFile, TokenizedSubmission
from mosslite.texts import ENGLISH, Texts

_ASCII: Final = frozenset(map(chr, range(0x20, 0x7F)))
# Combining accents are part of a word, but not matched by ``\w``.
_OF_WORD: Final = r"\w\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"


@dataclass(frozen=True, slots=True)
class DistinctNames:
    """Display forms of path components, different for those that look alike."""

    by_name: Mapping[str, str]

    def shown(self, path: str) -> str:
        """Return the display form of a name, or of the names in a path."""
        if not self.by_name:
            return path
        return "/".join(self.by_name.get(part, part) for part in path.split("/"))

    def in_text(self, text: str) -> str:
        """Return a message, or a text in it, with names replaced by their display forms."""
        if not self.by_name:
            return text
        if isinstance(text, Message):
            return text.with_texts(self.in_text)
        longest_first = sorted(self.by_name, key=lambda name: (-len(name), name))
        names = "|".join(map(re.escape, longest_first))
        pattern = rf"(?<![{_OF_WORD}])(?:{names})(?![{_OF_WORD}])"
        return re.sub(pattern, lambda found: self.by_name[found.group()], text)


def distinct_names(paths: Iterable[str]) -> DistinctNames:
    """Find the names that look alike among path components.

    Cost is linear in the text.
    """
    names = {part for path in paths for part in path.split("/")}
    if all(name.isascii() and " " not in name for name in names):  # the usual case
        return DistinctNames({})
    alike = defaultdict(list)
    for name in sorted(names):
        alike[_appearance(name)].append(name)
    shown: dict[str, str] = {}
    for group in alike.values():
        if len(group) > 1:
            shown |= _spelled_out(group)
    changed = {name: other for name, other in shown.items() if other != name}
    # A display form can be equal to another name.
    taken = alike.keys() & set(map(_appearance, changed.values()))
    changed |= {name: _spelled(name, "") for form in taken for name in alike[form]}
    return DistinctNames(changed)


def names_of(report: Report) -> DistinctNames:
    """Find the names that look alike among submissions, files and skipped files of a report."""
    return distinct_names(_paths(report))


def with_distinct_names(report: Report) -> Report:
    """Return the report for display: names that look alike are distinguished.

    Comparisons with other runs and look-ups on disk need the original report.
    """
    names = names_of(report)
    if not names.by_name:
        return report
    submissions = {
        submission.name: _renamed(submission, names) for submission in report.submissions
    }
    return replace(
        report.with_submissions(submissions),
        base=tuple(map(names.shown, report.base)),
        not_compared=tuple(
            replace(each, name=names.shown(each.name), reason=names.in_text(each.reason))
            for each in report.not_compared
        ),
        skipped=_renamed_paths(report.skipped, names),
        ignored=_renamed_paths(report.ignored, names),
        warnings=tuple(map(names.in_text, report.warnings)),
        description=names.in_text(report.description),
    )


def _appearance(name: str) -> str:
    """Return a key that is equal for names that look the same."""
    plain = HIDDEN_RUN.sub("", unicodedata.normalize("NFKD", name))
    return " ".join(plain.translate(homoglyphs()).split())


def _spelled_out(group: Collection[str]) -> dict[str, str]:
    """Escape the characters that are not in all of these names, or else all non-ASCII ones."""
    common = "".join(set.intersection(*map(set, group)))
    shown = {name: _spelled(name, common) for name in group}
    if len(set(map(_appearance, shown.values()))) < len(group):
        return {name: _spelled(name, "") for name in group}
    return shown


def _spelled(name: str, common: str) -> str:
    """Escape hidden characters in a name, and non-ASCII ones that are not common.

    If none are common, the bracket that starts an escape is escaped too.
    """
    plain = frozenset(common) | (_ASCII if common else _ASCII - {"["})
    return "".join(
        f"[{code_point(part.text)}]" if part.is_hidden else _without(part.text, plain)
        for part in name_parts(name)
    )


def _without(text: str, plain: Container[str]) -> str:
    return "".join(each if each in plain else f"[{code_point(each)}]" for each in text)


def _paths(report: Report) -> Iterator[str]:
    for submission in report.submissions:
        yield submission.name
        yield from submission.source.hand_in.members
        yield from (file.name for file in submission.source.files)
    yield from report.base
    yield from (each.name for each in report.not_compared)
    yield from (each.path for each in (*report.skipped, *report.ignored))


def _renamed(submission: TokenizedSubmission, names: DistinctNames) -> TokenizedSubmission:
    source = submission.source
    renamed = replace(
        source,
        name=names.shown(source.name),
        files=tuple(_renamed_file(file, names) for file in source.files),
        hand_in=replace(source.hand_in, members=tuple(map(names.shown, source.hand_in.members))),
    )
    return submission.renamed(renamed, lambda _, document: _renamed_document(document, names))


def _renamed_document(document: Document, names: DistinctNames) -> Document:
    left_out = (each._replace(origin=names.shown(each.origin)) for each in document.left_out)
    return replace(document, file=_renamed_file(document.file, names), left_out=tuple(left_out))


def _renamed_file(file: SourceFile, names: DistinctNames) -> SourceFile:
    return replace(file, name=names.shown(file.name))


def _renamed_paths(skipped: Iterable[Skipped], names: DistinctNames) -> tuple[Skipped, ...]:
    return tuple(
        replace(each, path=names.shown(each.path), submission=names.shown(each.submission))
        for each in skipped
    )


_NAMES: Final = {
    "zero-width": NN_("%(count)s zero-width character", "%(count)s zero-width characters"),
    "bidirectional": NN_("%(count)s bidirectional control", "%(count)s bidirectional controls"),
    "homoglyph": NN_("%(count)s look-alike character", "%(count)s look-alike characters"),
    "full-width": NN_("%(count)s full-width character", "%(count)s full-width characters"),
    "escape": NN_("%(count)s escaped character", "%(count)s escaped characters"),
}


def counted_disguises(disguises: Iterable[Disguise], texts: Texts = ENGLISH) -> str:
    """Count the characters of each kind, as in ``3 zero-width characters``; empty without any."""
    counts: Counter[str] = Counter()
    for each in disguises:
        counts[each.kind] += each.count
    return ", ".join(
        texts.ngettext(*forms, counts[kind]) for kind, forms in _NAMES.items() if counts[kind]
    )
