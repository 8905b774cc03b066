"""Template data of a pair page: both sides, and the matches on them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mosslite.ranges import between, covered, ranges_of, run_starts
from mosslite.records import Document, Location, Match, Pair, SourceFile, TokenizedSubmission
from mosslite.report.html.listing import Sheet, Span, places_in_listing, spans_of
from mosslite.report.similar_names import counted_disguises
from mosslite.report.wording import format_lines, language_title, lines_in_words
from mosslite.texts import ENGLISH, Texts

_INSERTED: Final = "inserted"
_CHANGED: Final = "changed"


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One side of a pair.

    Attributes:
        numbers: The match number of each character of the sheet, or 0.
        spans: Those of each match, by its number.
        by_chance: What chance explains, by file: how much is before each passage, and its length.
    """

    submission: TokenizedSubmission
    sheet: Sheet
    numbers: NDArray[np.int32]
    spans: defaultdict[int, list[Span]]
    by_chance: dict[int, list[int]]
    texts: Texts


def marks_of(
    pair: Pair, sheet_of: Callable[[TokenizedSubmission], Sheet], texts: Texts = ENGLISH
) -> dict[str, object]:
    """Return the data from which ``pair/matches.js`` marks matches, numbered from 1.

    A location has its file, its lines (also in words if the file has parts), and its spans, without
    boilerplate. The rows of a match are pairs of corresponding lines: from each on, both sides
    continue line by line until the next. A gap is own code between two matches: within a block on
    either side, between two blocks only if just one side has any. What chance explains is only
    ranges of the text of each file.
    """
    chance = pair.by_chance
    lefts, rights = [each.left for each in pair.matches], [each.right for each in pair.matches]
    left = _side(sheet_of(pair.left), lefts, chance.lefts, texts)
    right = _side(sheet_of(pair.right), rights, chance.rights, texts)
    return {
        "matches": [
            {
                "tokens": match.tokens,
                "block": match.block,
                "expected": match.together.expected,
                "left": _place(left, match.left, number),
                "right": _place(right, match.right, number),
                "rows": _rows(pair, match),
            }
            for number, match in enumerate(pair.matches, 1)
        ],
        "gaps": [
            gap
            for before, after in _neighbours(pair.matches)
            for gap in _gaps(left, right, before, after)
        ],
        "by_chance": {"left": left.by_chance, "right": right.by_chance},
    }


# In place of the number of a match, for those that chance explains.
_BY_CHANCE: Final = -1


def _side(
    sheet: Sheet, matches: Sequence[Location], by_chance: NDArray[np.int32], texts: Texts
) -> _Side:
    starts = sheet.starts
    ranges = by_chance[:, 1:] + starts[by_chance[:, :1]]
    numbers = covered(ranges[:, 0], ranges[:, 1], len(sheet.is_own)) * np.int32(_BY_CHANCE)
    # Of overlapping matches, the one with the lowest number is shown.
    for number, place in reversed([*enumerate(matches, 1)]):
        start = starts[place.document]
        numbers[start + place.start_char : start + place.stop_char] = number
    numbers *= sheet.is_own
    is_start = run_starts(numbers)
    is_start[starts[starts < len(numbers)]] = True
    firsts = is_start.nonzero()[0]
    runs, kinds = np.column_stack([firsts, np.append(firsts, len(numbers))[1:]]), numbers[firsts]
    spans = defaultdict[int, list[Span]](list)
    is_match = kinds > 0
    for number, span in zip(kinds[is_match].tolist(), spans_of(sheet, runs[is_match]), strict=True):
        spans[number].append(span)
    chance = runs[kinds == _BY_CHANCE]
    in_files = _in_files(sheet, chance, np.unique(by_chance[:, 0])) if len(by_chance) else {}
    return _Side(sheet.submission, sheet, numbers, spans, in_files, texts)


def _in_files(
    sheet: Sheet, ranges: NDArray[np.int64], chosen: NDArray[np.integer]
) -> dict[int, list[int]]:
    """Return, for some files, how much is before each range, and how long it is."""
    documents, places = sheet.documents_at(ranges[:, 0]), places_in_listing(sheet, ranges)
    steps = np.diff(places.ravel(), prepend=0).reshape(-1, 2)
    is_first = run_starts(documents)
    steps[is_first, 0] = places[is_first, 0]
    begins, ends = (documents.searchsorted(chosen, side) for side in ("left", "right"))
    columns = zip(chosen.tolist(), begins.tolist(), ends.tolist(), strict=True)
    return {file: steps[begin:end].ravel().tolist() for file, begin, end in columns}


def _place(side: _Side, place: Location, number: int) -> dict[str, object]:
    file = side.submission.documents[place.document].file
    where = format_lines(file, place.first_line, place.last_line, side.texts)
    return {
        "file": place.document,
        "lines": (place.first_line, place.last_line),
        **({"where": where} if file.parts else {}),
        "spans": side.spans[number],
    }


def _rows(pair: Pair, match: Match) -> list[tuple[int, int]]:
    """Return lines of both sides that start with the same token, where their offset changes."""
    lefts = _token_lines(pair.left.documents[match.left.document], match.left)
    rights = _token_lines(pair.right.documents[match.right.document], match.right)
    rows = [(match.left.first_line, match.right.first_line)]
    if len(lefts) != len(rights):
        return rows
    reached = rows[0]
    is_new = np.ones(len(lefts), np.bool_)
    is_new[1:] = (lefts[1:] != lefts[:-1]) | (rights[1:] != rights[:-1])
    for left, right in zip(lefts[is_new].tolist(), rights[is_new].tolist(), strict=True):
        if left > reached[0] and right > reached[1]:
            reached = (left, right)
            if left - right != rows[-1][0] - rows[-1][1]:
                rows.append(reached)
    return rows


def _token_lines(document: Document, place: Location) -> NDArray[np.integer]:
    own = _own_tokens(document, place.start_char, place.stop_char)
    return document.lines_at(document.stream.starts[own])


def _own_tokens(document: Document, start: int, stop: int) -> NDArray[np.int64]:
    inside = between(document.stream.starts, start, stop)
    return (~document.is_boilerplate[inside]).nonzero()[0] + np.int64(inside.start)


def _neighbours(matches: Sequence[Match]) -> Iterator[tuple[Match, Match]]:
    """Yield consecutive matches on the left: all within a block, others if also consecutive right.

    Args:
        matches: In order of the left side.
    """
    rights = [(match.right.document, match.right.start_char) for match in matches]
    order = sorted(range(len(matches)), key=rights.__getitem__)
    follower = dict(pairwise(order))
    for number, (before, after) in enumerate(pairwise(matches)):
        is_adjacent = (
            follower.get(number) == number + 1
            and before.left.document == after.left.document
            and before.right.document == after.right.document
        )
        if before.block == after.block or is_adjacent:
            yield before, after


def _gaps(left: _Side, right: _Side, before: Match, after: Match) -> list[dict[str, object]]:
    ours = _gap(left, before.left, after.left)
    theirs = _gap(right, before.right, after.right)
    if not ours and not theirs:
        return []
    kind = _CHANGED if ours and theirs else _INSERTED
    if kind is _INSERTED and (
        _has_template(left, before.left, after.left)
        or _has_template(right, before.right, after.right)
    ):
        return []  # own code on one side may be template code on the other
    if kind is _CHANGED and before.block != after.block:
        return []  # unrelated passages
    return [{"block": before.block, "kind": kind, "left": ours, "right": theirs}]


def _has_template(side: _Side, before: Location, after: Location) -> bool:
    """Return whether there is boilerplate between two locations."""
    document = side.submission.documents[before.document]
    inside = between(document.stream.starts, before.stop_char, after.start_char)
    return bool(document.is_boilerplate[inside].any())


def _gap(side: _Side, before: Location, after: Location) -> dict[str, object] | None:
    """Return the unmatched own code between two locations, from first to last token."""
    document = side.submission.documents[before.document]
    begin = side.sheet.starts[before.document]
    starts, stops = document.stream.starts + begin, document.stream.stops + begin
    tokens = _own_tokens(document, before.stop_char, after.start_char)
    tokens = tokens[side.numbers[starts[tokens]] == 0]
    tokens = tokens[starts[tokens] < stops[tokens]]  # ends of lines and blocks have no text
    if not len(tokens):
        return None
    start, stop = int(starts[tokens[0]]), int(stops[tokens[-1]])
    is_free = (side.numbers[start:stop] == 0) & side.sheet.is_own[start:stop]
    return {"file": before.document, "spans": spans_of(side.sheet, ranges_of(is_free) + start)}


# Maximum number of lines listed per piece of evidence; a name can occur on every line.
MOST_LINES: Final = 8


class Side(NamedTuple):
    """One side of a pair: ``left`` or ``right``, and the number of its submission.

    Attributes:
        shares: Matched share of the comparable tokens of each file; None without comparable tokens.
    """

    name: str
    number: int
    submission: TokenizedSubmission
    similarity: float
    shares: tuple[float | None, ...]


def origins_of(pair: Pair) -> list[str]:
    """Return the origins of boilerplate on either side."""
    documents = (*pair.left.documents, *pair.right.documents)
    greyed = [document for document in documents if document.is_boilerplate.any()]
    return list(dict.fromkeys(origin for each in greyed for origin in each.origins or ("",)))


def file_properties(
    document: Document, lines: int, *, is_comparable: bool, texts: Texts = ENGLISH
) -> str:
    """Describe a file in words, independent of the pair; ``lines`` is its number of lines."""
    properties = [
        language_title(document.language, texts),
        texts.ngettext("%(count)s line", "%(count)s lines", lines),
    ]
    if document.is_degraded:
        properties.append(
            texts.gettext("read by the plain tokenizer: its lexer failed or took too long")
        )
    if not document.has_text:
        properties.append(texts.gettext("text not kept in the archive"))
    if not is_comparable:
        properties.append(texts.gettext("nothing to compare"))
    return ", ".join(properties)


def remark_of(document: Document, texts: Texts = ENGLISH) -> str:
    """Return a remark on lines with disguised characters; empty without any."""
    if not document.disguises:
        return ""
    found = [
        f"{counted_disguises([each], texts)} ({_numbered(document.file, each.lines, texts)})"
        for each in document.disguises
    ]
    return (
        texts.gettext("; ").join(found) + ". " + texts.gettext("This says nothing about copying.")
    )


def _numbered(file: SourceFile, lines: Sequence[int], texts: Texts) -> str:
    shown = ", ".join(format_lines(file, line, line, texts) for line in lines[:MOST_LINES])
    more = len(lines) - MOST_LINES
    if more > 0:
        return texts.gettext("lines %(lines)s and %(count)s more", lines=shown, count=more)
    return shown if file.parts else lines_in_words(shown, texts)


def sides_of(pair: Pair, left: int, right: int) -> tuple[Side, Side]:
    """Describe both sides of a pair; ``left`` and ``right`` number their submissions."""
    on_left = _shares(pair.left, pair.matches, [match.left.document for match in pair.matches])
    on_right = _shares(pair.right, pair.matches, [match.right.document for match in pair.matches])
    return (
        Side("left", left, pair.left, pair.left_similarity, on_left),
        Side("right", right, pair.right, pair.right_similarity, on_right),
    )


def _shares(
    submission: TokenizedSubmission, matches: Sequence[Match], places: Sequence[int]
) -> tuple[float | None, ...]:
    """Return the matched share of each file; ``places`` are the files of the matches."""
    count = len(submission.documents)
    tokens = [match.tokens for match in matches]
    matched = np.bincount(places, tokens, count) if tokens else np.zeros(count)
    comparable = np.bincount(submission.comparable.documents, minlength=count)
    both = zip(matched.tolist(), comparable.tolist(), strict=True)
    return tuple(min(own / all_, 1) if all_ else None for own, all_ in both)


class IdenticalFiles(NamedTuple):
    """Files that both sides have character for character.

    Attributes:
        names: On the left.
        counts: Number of files of each side of which something is compared.
    """

    names: tuple[str, ...]
    counts: tuple[int, int]

    def words(self, texts: Texts) -> str:
        """Return how many files are identical."""
        left, right = self.counts
        if left != right:
            return texts.gettext(
                "identical, character for character "
                "(%(same)s of %(left_count)s files on the left, of %(right_count)s on the right)",
                same=texts.number(len(self.names)),
                left_count=texts.number(left),
                right_count=texts.number(right),
            )
        return texts.ngettext(
            "identical, character for character (%(same)s of %(count)s file)",
            "identical, character for character (%(same)s of %(count)s files)",
            left,
            same=texts.number(len(self.names)),
        )


def identical_files(left: TokenizedSubmission, right: TokenizedSubmission) -> IdenticalFiles:
    """Return the files with the same text on both sides, except those that are all boilerplate."""
    own, others = _compared(left), _compared(right)
    free = Counter(document.file.text for document in others if document.has_text)
    names = []
    for document in own:
        if document.has_text and free[document.file.text] > 0:
            free[document.file.text] -= 1
            names.append(document.file.name)
    return IdenticalFiles(tuple(names), (len(own), len(others)))


def _compared(submission: TokenizedSubmission) -> list[Document]:
    numbers = np.bincount(submission.comparable.documents).nonzero()[0]
    return [submission.documents[number] for number in numbers.tolist()]


def first_shown(pair: Pair, sides: tuple[Side, Side]) -> int:
    """Return the number of the match that a page opens with: the first one of the best files.

    The best files have the highest matched shares, of equal ones the most tokens; 0 without any.
    """
    if not pair.matches:
        return 0
    files = [(match.left.document, match.right.document) for match in pair.matches]
    tokens: Counter[tuple[int, int]] = Counter()
    for both, match in zip(files, pair.matches, strict=True):
        tokens[both] += match.tokens

    def rank(both: tuple[int, int]) -> tuple[float, int]:
        shares = [side.shares[n] or 0.0 for side, n in zip(sides, both, strict=True)]
        return sum(shares), tokens[both]

    return files.index(max(tokens, key=rank)) + 1
