"""Frequencies of k-grams by rank: Figure 4 on any corpus (SIGMOD 2003, section 5.1)."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import ceil, log10
from typing import Final

import numpy as np

from mosslite.lab.sheets import Plot, Series, Sheet, Table, Values, table_of
from mosslite.lab.streams import Hashes, Source, Winnowing, hash_pieces, too_short
from mosslite.records import Progress, no_progress

# A plateau is aberrant if it has at least this many hashes, spans this many decades of rank, and is
# longer by this factor than a power law implies for its height.
_LEAST_HASHES: Final = 10
_LEAST_DECADES: Final = 0.25
_TIMES_EXPECTED: Final = 8.0


def spectrum_of(multiplicities: Mapping[int, int]) -> Values:
    """Rank hashes, given the number of hashes (values) for each frequency (keys).

    Hashes of equal frequency occupy consecutive ranks: a plateau, aberrant if it is far longer than
    a power law implies. ``once``, ``twice`` and ``thrice`` are shares of the distinct hashes; the
    line is fitted to the end points of all plateaus, the cleaned one without aberrant ones.
    """
    plateaus: list[Values] = []
    rank = 0
    for frequency in sorted(multiplicities, reverse=True):
        first, rank = rank + 1, rank + multiplicities[frequency]
        plateaus.append({"frequency": frequency, "first_rank": first, "last_rank": rank})
    line = fitted(plateaus)
    aberrant = [each for each in plateaus if line and _is_aberrant(each, line)]
    once, twice, thrice = (multiplicities.get(often, 0) / max(rank, 1) for often in (1, 2, 3))
    return {
        "occurrences": sum(often * many for often, many in multiplicities.items()),
        "distinct": rank,
        "once": once,
        "twice": twice,
        "thrice": thrice,
        "line": line,
        "cleaned_line": fitted([each for each in plateaus if each not in aberrant]),
        "aberrant": aberrant,
        "plateaus": plateaus,
    }


def fitted(plateaus: Sequence[Values]) -> Values | None:
    """Fit a line to the end points of plateaus: frequency = 10^intercept * rank^slope.

    By least squares of the logarithms. As in the paper, a plateau of one hash counts twice, so that
    all plateaus have equal weight.

    Returns:
        None if all points have the same rank.
    """
    from scipy.stats import linregress  # noqa: PLC0415 - an optional extra

    points = _ends(plateaus)
    if len({rank for rank, _ in points}) < 2:
        return None
    found = linregress(*np.log10(points).T)
    return {"slope": float(found.slope), "intercept": float(found.intercept)}


def _ends(plateaus: Sequence[Values]) -> list[tuple[float, float]]:
    ends = ("first_rank", "last_rank")
    return [(float(each[end]), float(each["frequency"])) for each in plateaus for end in ends]


def _is_aberrant(plateau: Values, line: Values) -> bool:
    """Return whether a plateau is far longer than the line implies for its height.

    By a power law, frequencies from f - 1/2 to f + 1/2 span log10((f + 1/2) / (f - 1/2)) / |slope|
    decades of rank.
    """
    frequency, first, last = plateau.values()
    if last - first < _LEAST_HASHES or not line["slope"]:
        return False
    decades = log10(last / first)
    expected = log10((frequency + 0.5) / (frequency - 0.5)) / abs(line["slope"])
    return decades >= _LEAST_DECADES and decades > _TIMES_EXPECTED * expected


# Number of bytes of a corpus whose hashes are counted at a time. With memory for sorting, this is
# about a gigabyte.
_AT_A_TIME: Final = 1 << 24


def passages_of(source: Source, k: int, hashes: Collection[int]) -> dict[int, tuple[int, str]]:
    """Return for each hash the position of its first k-gram, and that k-gram's text."""
    found: dict[int, tuple[int, str]] = {}
    wanted = np.array(sorted(hashes), np.uint64)
    for piece in hash_pieces(source, k):
        if len(found) == len(wanted):
            break
        for place in np.flatnonzero(np.isin(piece.hashes, wanted)).tolist():
            words = piece.words[place : place + k]
            text = words if isinstance(words, str) else " ".join(words)
            found.setdefault(int(piece.hashes[place]), (piece.first + place, text))
    return found


# Number of common hashes looked up, of which overlapping ones are merged.
_LOOKED_UP: Final = 4000


def measure_frequency(
    source: Source, k: int, w: int, *, most: int = 10, progress: Progress = no_progress
) -> Values:
    """Return the spectra of all k-grams of a corpus, and of those selected by robust winnowing.

    Of the ``most`` common strings it is counted how often each was selected, too.

    Raises:
        InputError: The corpus has no k-gram.
    """
    every, chosen = _counted(source, k, w, progress)
    return {
        "source": source.name,
        "k": k,
        "w": w,
        "all": spectrum_of(every.multiplicities),
        "selected": spectrum_of(chosen.multiplicities),
        "most_common": _most_common(source, k, most, every.top, dict(chosen.top)) if most else [],
    }


def spectrum_of_kgrams(source: Source, k: int, *, progress: Progress = no_progress) -> Values:
    """Count all k-grams of a corpus.

    Raises:
        InputError: The corpus has no k-gram.
    """
    return spectrum_of(_counted(source, k, None, progress)[0].multiplicities)


class _Counted:
    """Number of hashes for each count, and the most common ones, collected part by part."""

    def __init__(self) -> None:
        self.multiplicities: Counter[int] = Counter()
        self.top: list[tuple[int, int]] = []

    def take(self, pieces: Sequence[Hashes]) -> None:
        """Count all hashes of one part, which no other part has."""
        hashes, counts = np.unique(np.concatenate(pieces), return_counts=True)
        frequencies, numbers = np.unique(counts, return_counts=True)
        self.multiplicities.update(dict(zip(frequencies.tolist(), numbers.tolist(), strict=True)))
        order = np.lexsort((hashes, -counts))[:_LOOKED_UP]
        self.top += zip(hashes[order].tolist(), counts[order].tolist(), strict=True)
        self.top.sort(key=lambda each: (-each[1], each[0]))
        del self.top[_LOOKED_UP:]


def _counted(
    source: Source, k: int, w: int | None, progress: Progress
) -> tuple[_Counted, _Counted]:
    """Count all hashes, and with a window also those that robust winnowing selects.

    The corpus is read once for every 17 million bytes of it, each time counting some of the hashes.
    """
    found = _Counted(), _Counted()
    parts, symbols = ceil(source.size / _AT_A_TIME), 0
    for part in range(parts):
        winnowing, done = Winnowing(w or 1, is_robust=True), part * source.size
        every, chosen = [], [np.empty(0, np.uint64)]
        for piece in hash_pieces(source, k):
            every.append(within_part(piece.hashes, part, parts))
            if w:
                winnowing(piece)
                chosen.append(within_part(winnowing.chosen, part, parts))
            symbols += piece.symbols
            done += piece.size
            progress("counting", done, parts * source.size)
        for counted, hashes in zip(found, (every, chosen), strict=True):
            counted.take(hashes)
    if not found[0].multiplicities:
        raise too_short(source, symbols, k)
    return found


def within_part(hashes: Hashes, part: int, parts: int) -> Hashes:
    """Return the hashes of one part."""
    return hashes if parts == 1 else hashes[hashes % np.uint64(parts) == part]


def _most_common(
    source: Source, k: int, most: int, top: list[tuple[int, int]], selected: dict[int, int]
) -> list[Values]:
    """Return the most common k-grams; of those that overlap at first occurrence, only one."""
    places = passages_of(source, k, [hash_ for hash_, _ in top])
    found: list[Values] = []
    taken: list[int] = []
    for hash_, frequency in top:
        place, text = places[hash_]
        if len(found) < most and all(abs(place - other) >= k for other in taken):
            taken.append(place)
            times = selected.get(hash_, 0)
            found.append({"text": text, "frequency": frequency, "selected": times})
    return found


def sheet_of_frequency(result: Values) -> Sheet:
    """Return the tables and plot of Figure 4."""
    title = "{source}: k = {k}, w = {w}".format_map(result)
    spectra = {"all hashes": result["all"], "fingerprints": result["selected"]}
    tables = (
        table_of(
            f"Figure 4 on {title}",
            spectra,
            "occurrences distinct once twice thrice line.slope cleaned:cleaned_line.slope",
            "Once, twice, thrice: share of the distinct k-grams. Slope: of the line through both "
            "ends of every plateau; cleaned: without aberrant plateaus.",
        ),
        table_of(
            "The most common strings",
            result["most_common"],
            "text frequency selected",
            "Of strings that overlap at their first occurrence, only the most frequent is shown.",
        ),
        Table(
            "Aberrant plateaus",
            ("", "frequency", "first rank", "last rank"),
            tuple((name, *each.values()) for name in spectra for each in spectra[name]["aberrant"]),
            "Ten or more consecutive hashes of equal frequency where a power law predicts other "
            "ones: a passage that many documents share, or one with a long repeating pattern.",
        ),
    )
    series: list[Series] = []
    for name, each in spectra.items():
        series.append(points_of(name, each))
        if line := each["cleaned_line"]:
            slope, power = line["slope"], 10 ** line["intercept"]
            ends = tuple((rank, power * rank**slope) for rank in (1, each["distinct"]))
            series.append(Series(f"{name}, slope {slope:.2f}", ends, "--"))
    plot = Plot("Frequency by rank", "rank", "frequency", tuple(series), True, True)
    return Sheet("frequency", title, tables, (plot,))


def points_of(name: str, spectrum: Values) -> Series:
    """Return the end points of plateaus."""
    return Series(name, tuple(_ends(spectrum["plateaus"])))
