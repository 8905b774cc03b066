"""Sentences about a report, shared by all outputs and the terminal."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from mosslite.display import first_names, names_in_short
from mosslite.languages import find_language
from mosslite.messages import M_, N_, NN_
from mosslite.records import (
    CommonPassage,
    NoThreshold,
    PlacedBy,
    Report,
    Role,
    Skipped,
    SourceFile,
    Threshold,
    TokenizedSubmission,
    over_limits,
)
from mosslite.signatures import LIKELY_BOILERPLATE
from mosslite.texts import ENGLISH, Texts


def format_lines(file: SourceFile, first_line: int, last_line: int, texts: Texts = ENGLISH) -> str:
    """Return lines as ``12-15``, and in a file of parts as ``cell 3, lines 2-5``."""
    if not file.parts:
        return "-".join(map(str, dict.fromkeys((first_line, last_line))))
    (cell, first), (last_cell, last) = file.cell_at(first_line), file.cell_at(last_line)
    if cell == last_cell and first and first < last:
        lines = f"{first}-{last}"
        if not cell:
            return lines_in_words(lines, texts)
        return texts.gettext("cell %(cell)s, lines %(lines)s", cell=cell, lines=lines)
    low, high = (place_in_part(file, line, texts) for line in (first_line, last_line))
    return low if low == high else texts.gettext("%(low)s to %(high)s", low=low, high=high)


def lines_in_words(numbers: str, texts: Texts = ENGLISH) -> str:
    """Return ``12`` as ``line 12``, several numbers or a range as ``lines 12-15``."""
    if numbers.isdecimal():
        return texts.gettext("line %(line)s", line=numbers)
    return texts.gettext("lines %(lines)s", lines=numbers)


def place_in_words(file: SourceFile, first_line: int, last_line: int, texts: Texts) -> str:
    """Return lines as ``lines 12-15``, and in a file of parts as ``cell 3, lines 2-5``."""
    numbers = format_lines(file, first_line, last_line, texts)
    return numbers if file.parts else lines_in_words(numbers, texts)


def place_in_part(file: SourceFile, line: int, texts: Texts = ENGLISH) -> str:
    """Return a line as ``cell 3, line 2``, a heading as ``cell 3``, one above as ``line 2``."""
    cell, number = file.cell_at(line)
    if not cell:
        return lines_in_words(str(number), texts)
    if not number:
        return texts.gettext("cell %(cell)s", cell=cell)
    return texts.gettext("cell %(cell)s, line %(line)s", cell=cell, line=number)


# How the encoding of a file was detected; plain UTF-8 needs no remark.
_TOLD_BY: Final = {
    "mark": N_("by its byte order mark"),
    "declaration": N_("declared in the file"),
    "escapes": N_("as Python runs it"),
    "guess": N_("guessed"),
    "fallback": N_("as nothing else fits"),
    "option": N_("by --encoding"),
}


def encoding_in_words(file: SourceFile, texts: Texts) -> str:
    """Return the encoding of a file, and how it was detected."""
    how = _TOLD_BY.get(file.encoding_by)
    return ", ".join(filter(None, (file.encoding, how and texts.gettext(how))))


def language_title(name: str, texts: Texts = ENGLISH) -> str:
    """Return the name of a language as readers know it."""
    return texts.gettext(find_language(name).title)


_WHY_NONE: Final = {
    NoThreshold.TOO_FEW: N_("Too few submissions to suggest a threshold"),
    NoThreshold.TOO_ALIKE: N_("No threshold can be suggested, as most scores are high or alike"),
    NoThreshold.NO_GAP: N_(
        "No threshold can be suggested, as thousands of pairs score high and no gap sets them apart"
    ),
}
NO_VERDICT: Final = N_("similarity is evidence, not a verdict")

# Words of records that the report shows as they are called there.
WORDS: Final = (
    *(N_("prior"), N_("reference"), N_("base"), N_("current")),
    *(N_("left"), N_("right"), N_("Left"), N_("Right")),
    *(N_("todo"), N_("confirmed"), N_("dismissed"), N_("changed"), N_("inserted")),
    *(N_("misspelling"), N_("comment"), N_("word"), N_("string"), N_("number"), N_("name")),
    *(N_("layout"), N_("submission"), N_("prior submission")),
    *(N_("code"), N_("prose")),
)


def where_to_begin(report: Report, texts: Texts = ENGLISH) -> str:
    """Return in one line how many pairs reach the threshold, or why none is suggested."""
    threshold = report.threshold
    if threshold is None:
        why = texts.gettext(_WHY_NONE[report.no_threshold])
        return texts.gettext(
            "%(why)s: start at the top of the list (groups contain pairs with a score of "
            "%(score)s or higher).",
            why=why,
            score=texts.rounded(report.highs.usual),
        )
    unsure = _uncertainty(threshold, texts)
    score = texts.rounded(threshold.score)
    if not threshold.found:
        return texts.gettext("No pair scores %(score)s or higher", score=score) + f" {unsure}."
    cases = _cases(threshold.found, threshold.submissions, threshold.groups, texts)
    message = texts.ngettext(
        "%(cases)s scores %(score)s or higher",
        "%(cases)s score %(score)s or higher",
        threshold.found,
        cases=cases,
        score=score,
    )
    return f"{message} {unsure}. {_by_chance(threshold, texts)}"


def _uncertainty(threshold: Threshold, texts: Texts) -> str:
    low, high = texts.rounded(threshold.low), texts.rounded(threshold.high)
    words = texts.gettext("threshold uncertain: %(low)s-%(high)s", low=low, high=high)
    others = _other_limits(threshold, texts)
    semicolon = texts.gettext("; ")
    return f"({words}{semicolon}{others})" if others else f"({words})"


# Rarer matches than in one of so many honest pairs were too few to count.
_RAREST: Final = 100


def surprise(expected: Iterable[float | None], texts: Texts = ENGLISH) -> str:
    """Return how surprising the best of some matches is; empty if that of none is known.

    Args:
        expected: How many matches as good as each an honest pair has; None if unknown.
        texts: The language.
    """
    known = [each for each in expected if each is not None]
    if not known:
        return ""
    best = min(known)
    if best > 0.5:
        return texts.gettext("most honest pairs of these sizes share a passage like the best one")
    if best < 1 / _RAREST:
        return texts.gettext(
            "fewer than one honest pair of these sizes in %(count)s shares a passage like the best "
            "one",
            count=texts.number(_RAREST),
        )
    return texts.gettext(
        "about one honest pair of these sizes in %(count)s shares a passage like the best one",
        count=texts.number(round(1 / best)),
    )


def main_evidence(placed_by: str, texts: Texts = ENGLISH) -> str:
    """Return in words what placed a pair; empty if it is unknown."""
    words = {
        PlacedBy.IDENTITY: texts.gettext("the same tokens in both"),
        PlacedBy.OVERLAP: texts.gettext("what both have in common as a whole"),
        PlacedBy.CONTAINMENT: texts.gettext("how much of one is found in the other"),
        PlacedBy.PASSAGES: texts.gettext(
            "long passages that chance does not explain in programs of this size"
        ),
    }
    return {str(kind): each for kind, each in words.items()}.get(placed_by, "")


def _by_chance(threshold: Threshold, texts: Texts) -> str:
    """Return how many pairs are expected above the threshold among unrelated submissions."""
    if 2 * threshold.expected > threshold.found > 2:
        return texts.gettext(
            "About as many unrelated pairs would be expected up there by chance: start at the top "
            "of the list."
        )
    return texts.ngettext(
        "By chance alone, about %(count)s unrelated pair would be expected up there.",
        "By chance alone, about %(count)s unrelated pairs would be expected up there.",
        round(threshold.expected),
    )


def options_from(file: str) -> list[str]:
    """Return a sentence, without a full stop, that names the config file, if any."""
    return [M_("options from %(file)s", file)] if file else []


def _other_limits(threshold: Threshold, texts: Texts) -> str:
    """Return the languages with a different threshold, some of them without enough pairs."""
    return ", ".join(
        f"{language_title(each.language, texts)} {texts.rounded(each.score)}"
        + ("" if each.is_suggested else " " + texts.gettext("by default"))
        for each in threshold.languages
    )


def not_listed(report: Report, texts: Texts = ENGLISH) -> str:
    """Return how many pairs above the threshold are not listed; empty for none."""
    if not report.unlisted:
        return ""
    count, highs = len(report.unlisted), report.highs
    everything = count + sum(map(highs.hold, report.pairs))
    if report.threshold is None:
        return texts.ngettext(
            "%(count)s more pair scores %(score)s or higher but is not listed; "
            "-n %(all)s lists all",
            "%(count)s more pairs score %(score)s or higher but are not listed; "
            "-n %(all)s lists all",
            count,
            score=texts.rounded(highs.usual),
            all=everything,
        )
    return texts.ngettext(
        "%(count)s more pair reaches the threshold but is not listed; -n %(all)s lists all",
        "%(count)s more pairs reach the threshold but are not listed; -n %(all)s lists all",
        count,
        all=everything,
    )


def compared_by_role(report: Report) -> Counter[Role]:
    """Count the submissions of which something was compared."""
    absent = {each.name for each in report.not_compared}
    return Counter(each.role for each in report.submissions if each.name not in absent)


def compared(report: Report, texts: Texts = ENGLISH) -> str:
    """Return what was compared with what, without a full stop."""
    roles = compared_by_role(report)
    others = [texts.ngettext(*forms, roles[role]) for role, forms in _OTHERS.items() if roles[role]]
    forms = _COMPARED_WITH if others else COMPARED
    joined = (" " + texts.gettext("and") + " ").join(others)
    words = texts.ngettext(*forms, roles[Role.CURRENT], others=joined)
    return ", ".join([words, *_left_out(report, texts)])


_OTHERS: Final = {
    Role.PRIOR: NN_("%(count)s prior submission", "%(count)s prior submissions"),
    Role.REFERENCE: NN_("%(count)s reference", "%(count)s references"),
}
COMPARED: Final = NN_("%(count)s submission compared", "%(count)s submissions compared")
_COMPARED_WITH: Final = NN_(
    "%(count)s submission compared with %(others)s",
    "%(count)s submissions compared with each other and with %(others)s",
)


def _left_out(report: Report, texts: Texts) -> Iterator[str]:
    limited = not_in_full(report.skipped, texts)
    if limited:
        yield limited.removeprefix(", ")
    if report.skipped:
        yield skipped_count(len(report.skipped), texts)
    if report.ignored:
        yield ignored_count(len(report.ignored), texts)


NOT_COMPARED: Final = NN_("%(count)s student not compared", "%(count)s students not compared")


def skipped_count(count: int, texts: Texts = ENGLISH) -> str:
    """Return how many files or submissions were skipped."""
    return texts.ngettext("%(count)s skipped", "%(count)s skipped", count)


def ignored_count(count: int, texts: Texts = ENGLISH) -> str:
    """Return how many files or folders were ignored."""
    return texts.ngettext("%(count)s ignored", "%(count)s ignored", count)


def not_in_full(skipped: Iterable[Skipped], texts: Texts = ENGLISH) -> str:
    """Return, after a comma, how many submissions are affected by a limit."""
    count = len(over_limits(skipped))
    words = texts.ngettext(
        "%(count)s submission only in part (limit reached)",
        "%(count)s submissions only in part (limit reached)",
        count,
    )
    return f", {words}" if count else ""


def to_review(
    pairs: int, submissions: int, groups: int, *, is_cut: bool = False, texts: Texts = ENGLISH
) -> str:
    """Return the number of pairs above the threshold and of cases, or that there may be more."""
    if not pairs:
        return texts.gettext("no pair reaches the threshold")
    cases = _cases(pairs, submissions, groups, texts)
    if is_cut:
        return texts.gettext("at least %(cases)s to review", cases=cases)
    return texts.gettext("%(cases)s to review", cases=cases)


def _cases(pairs: int, submissions: int, groups: int, texts: Texts) -> str:
    return texts.gettext(
        "%(pairs)s of %(submissions)s in %(groups)s",
        pairs=texts.ngettext("%(count)s pair", "%(count)s pairs", pairs),
        submissions=texts.ngettext("%(count)s submission", "%(count)s submissions", submissions),
        groups=texts.ngettext("%(count)s group", "%(count)s groups", groups),
    )


def warnings_on(
    report: Report, directory: Path | None = None, texts: Texts = ENGLISH
) -> tuple[str, ...]:
    """Return all warnings, including the one of likely boilerplate, which HTML shows in full.

    Args:
        report: The report.
        directory: Folder of the HTML report.
        texts: The language; file formats are always in English.
    """
    cut = filter(None, [not_listed(report, texts)])
    warnings = map(texts.translated, report.warnings)
    return (*warnings, *cut, *_likely_boilerplate(report, directory, texts))


def sentence(words: str) -> str:
    """Capitalize words and add a full stop."""
    return f"{words[0].upper()}{words[1:]}."


def is_one_file(submission: TokenizedSubmission) -> bool:
    """Return whether a submission is a single file that it is named after."""
    first, *others = submission.source.files
    return not others and f"/{submission.name}".endswith(f"/{first.name}")


def base_option(directory: Path, passages: str = LIKELY_BOILERPLATE) -> str:
    """Return the shell-quoted option that excludes passages from the next run."""
    return f"-b {shlex.quote(str(directory / passages))}"


def _likely_boilerplate(report: Report, directory: Path | None, texts: Texts) -> Iterator[str]:
    """Yield a warning of passages that most submissions share.

    Args:
        report: The report.
        directory: Folder of the HTML report, which contains them as files.
        texts: The language.
    """
    option = "-b" if directory is None else base_option(directory)
    long, short = (
        _places_of([each for each in report.common if each.is_long is is_long], texts)
        for is_long in (True, False)
    )
    remark = texts.gettext(
        "most submissions share these passages; if you handed them out, exclude them with "
        "%(option)s",
        option=option,
    )
    yield from _with_places(remark, long, texts)
    remark = (
        texts.gettext(
            "most submissions share these short passages; if you handed them out, exclude them "
            "with -b"
        )
        if directory is None
        else texts.gettext(
            "most submissions share these short passages; if you handed one out, exclude it with "
            "the -b option that the HTML report shows below it"
        )
    )
    yield from _with_places(remark, short, texts)


def _with_places(remark: str, places: Sequence[str], texts: Texts) -> Iterator[str]:
    if places:
        yield texts.translated(M_("%(what)s: %(text)s", remark, names_in_short(places)))


# Characters of a path before the numbers of lines in it, which are never cut.
_ROOM_FOR_PATH: Final = 40


def _places_of(passages: Sequence[CommonPassage], texts: Texts) -> list[str]:
    """Return each file that has some of these passages, with their lines."""
    places: dict[tuple[str, bool], list[str]] = {}
    for each in passages:
        document, first, last = each.place.document, each.place.first_line, each.place.last_line
        file = each.submission.documents[document].file
        name = each.submission.name
        name = name if file.name == name else f"{name}/{file.name}"
        lines = places.setdefault((name, bool(file.parts)), [])
        lines.append(format_lines(file, first, last, texts))
    return [
        M_(
            "%(name)s (%(lines)s)",
            *first_names([name], _ROOM_FOR_PATH),
            "; ".join(lines) if has_parts else lines_in_words(", ".join(lines), texts),
        )
        for (name, has_parts), lines in places.items()
    ]
