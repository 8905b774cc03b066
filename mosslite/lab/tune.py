"""Effect of k and t on what is found: the threshold of SIGMOD 2003, section 5.2, measured."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mosslite.lab.programs import Labelled, Program
from mosslite.lab.sheets import Plot, Sheet, Table, Values, pivoted, series_by, table_of
from mosslite.lab.streams import Hashes
from mosslite.options import CODE_DEFAULTS
from mosslite.records import Progress, no_progress
from mosslite.winnowing.winnow import kgram_hashes, robust_winnow

Hashing = Callable[[Program, int], Hashes]

_BASE = np.uint64(0x9E3779B97F4A7C15)


def constant_hashes(program: Program, k: int) -> Hashes:
    """Hash k-grams in which all names are one symbol, as returned by the front-ends."""
    return kgram_hashes(program.codes, k)


def written_hashes(program: Program, k: int) -> Hashes:
    """Hash k-grams of tokens as written."""
    return kgram_hashes(program.lexemes, k)


def parameterised_hashes(program: Program, k: int) -> Hashes:
    """Hash k-grams in which each name is replaced by the distance to its last use (p-match).

    Two k-grams have equal encodings if and only if one-to-one renaming makes them equal; the first
    use of a name in a k-gram is encoded as 0.
    """
    back = _distances(program)
    hashes = np.zeros(max(len(program.codes) - k + 1, 0), np.uint64)
    for place in range(k):
        window = slice(place, place + len(hashes))
        is_known = program.is_name[window] & (back[window] <= place)
        distances = np.where(is_known, back[window], 0).astype(np.uint64)
        hashes += program.codes[window] + _mixed(distances) * program.is_name[window]
        hashes *= _BASE
    return hashes


def _distances(program: Program) -> NDArray[np.int64]:
    """Return for each name the distance to its previous use; more than any k without one."""
    places = np.flatnonzero(program.is_name)
    order = places[np.argsort(program.lexemes[places], kind="stable")]
    back = np.full(len(program.codes), len(program.codes) + 1, np.int64)
    is_again = program.lexemes[order[1:]] == program.lexemes[order[:-1]]
    back[order[1:][is_again]] = np.diff(order)[is_again]
    return back


def _mixed(numbers: Hashes) -> Hashes:
    """Spread small numbers over 64 bits, keeping 0."""
    mixed = numbers * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(31)
    return mixed * np.uint64(0x94D049BB133111EB)


def fingerprints_of(programs: Sequence[Program], hashing: Hashing, k: int, w: int) -> list[Hashes]:
    """Select fingerprints from each program by robust winnowing."""
    hashed = [hashing(each, k) for each in programs]
    return [hashes[robust_winnow(hashes, w)] for hashes in hashed]


def telling(chosen: Sequence[Hashes], most_sharing: int, given: int, *base: Hashes) -> list[Hashes]:
    """Return the distinct fingerprints of programs that are neither common nor base code.

    Common ones are in more than ``most_sharing`` of the first ``given`` programs.
    """
    distinct = [np.unique(each) for each in chosen]
    counted = np.concatenate([np.empty(0, np.uint64), *distinct[:given]])
    values, counts = np.unique(counted, return_counts=True)
    known = np.concatenate([values[counts > most_sharing], *base])
    return [each[np.isin(each, known, invert=True)] for each in distinct]


def share_of_smaller(left: Hashes, right: Hashes) -> float:
    """Return the share of the smaller side's distinct hashes that occur on both sides."""
    common = np.intersect1d(left, right, assume_unique=True)
    return len(common) / max(min(len(left), len(right)), 1)


# Share of honest pairs that may score as high as the pairs found.
_FALSE_ALARMS: Final = 0.01


def average_precision(copies: Sequence[float], honest: Sequence[float]) -> float:
    """Rank pairs by value, independent of the order of ties.

    Returns:
        The mean over the copies of the precision at their value; 0 without copies.
    """
    if not len(copies):
        return 0.0
    ours, theirs = np.sort(np.asarray(copies)), np.sort(np.asarray(honest))
    found = len(ours) - np.searchsorted(ours, ours, side="left")
    alarms = len(theirs) - np.searchsorted(theirs, ours, side="left")
    return float(np.mean(found / (found + alarms)))


def _outcome_of(by_disguise: Mapping[str, Sequence[float]], honest: Sequence[float]) -> Values:
    """Return how well the values of copied and of honest pairs, shares in [0, 1], separate them.

    These are the shares of both that have a common fingerprint, the share of copies among all that
    have, the share of copies above 99 % of the honest pairs, and the ranking's average precision.
    """
    copies = [share for some in by_disguise.values() for share in some]
    ours, theirs = sum(each > 0 for each in copies), sum(each > 0 for each in honest)
    return {
        "copies_sharing": ours / max(len(copies), 1),
        "honest_sharing": theirs / max(len(honest), 1),
        "precision": ours / max(ours + theirs, 1),
        "recall": recall_at(copies, limit_of(honest)),
        "average_precision": average_precision(copies, honest),
    }


def limit_of(honest: Sequence[float]) -> float:
    """Return the share exceeded by one honest pair in a hundred."""
    return sorted(honest)[-1 - int(_FALSE_ALARMS * len(honest))] if honest else 0.0


def recall_at(copies: Sequence[float], limit: float) -> float:
    """Return the share of the copied pairs that are above a limit."""
    return sum(each > limit for each in copies) / max(len(copies), 1)


@dataclass(frozen=True, slots=True)
class Grid:
    """The settings to try: every k at the first window, and every window at the middle k.

    Attributes:
        ks: Noise thresholds, in tokens, each at least 1.
        windows: Windows, in k-grams, each at least 1; t is w + k - 1.
        most_sharing: A fingerprint of more programs than this is common code and excluded.
    """

    ks: tuple[int, ...]
    windows: tuple[int, ...]
    most_sharing: int

    @property
    def settings(self) -> list[tuple[int, int]]:
        """Every pair of k and w, those of the first window first."""
        ks, first = sorted(set(self.ks)), self.windows[0]
        others = sorted(set(self.windows) - {first})
        return [(k, first) for k in ks] + [(ks[len(ks) // 2], w) for w in others]


_CLAIM: Final = "one constant, k + 1"
# Treatments of names: how k-grams are hashed, and how much longer they are.
_METHODS: Final[Mapping[str, tuple[Hashing, int]]] = {
    "as written": (written_hashes, 0),
    "p-match": (parameterised_hashes, 0),
    "one constant": (constant_hashes, 0),
    _CLAIM: (constant_hashes, 1),
}


def tune(
    labelled: Labelled,
    grid: Grid,
    *,
    clock: Callable[[], float] | None = None,
    progress: Progress = no_progress,
) -> Values:
    """Measure several k and t on labelled pairs of programs in one language.

    For each setting: its outcome, fingerprints of all programs, also per k-gram, and microseconds
    to fingerprint a thousand tokens. For each disguise: the programs it could be applied to, and
    the mean share of the smaller side's fingerprints still found. For each treatment of names: its
    outcome. ``steepest`` are the two adjacent k between which the share of honest pairs with a
    common fingerprint decreases most; None for a single k.

    The clock returns seconds; everything but speed is deterministic.
    """
    ks = sorted(set(grid.ks))
    total = len(grid.settings) + len(ks)
    settings: list[Values] = []
    robustness: list[Values] = []
    methods: list[Values] = []
    for number, (k, w) in enumerate(grid.settings, 1):
        setting, found = _setting(labelled, grid.most_sharing, k, w, clock)
        settings.append(setting)
        robustness += found if number <= len(ks) else []
        progress(f"tuning {labelled.language.title}", number, total)
    for number, k in enumerate(ks, len(grid.settings) + 1):
        for name, (hashing, more) in _METHODS.items():
            chosen = fingerprints_of(labelled.programs, hashing, k + more, grid.windows[0])
            shares = _shares(labelled, grid.most_sharing, chosen, hashing, k + more)
            methods.append({"k": k, "names": name, "outcome": _outcome_of(*shares)})
        progress(f"tuning {labelled.language.title}", number, total)
    return {
        "language": labelled.language.title,
        "programs": len(labelled.programs),
        "copies": len(labelled.all_copies),
        "honest": len(labelled.honest),
        "settings": settings,
        "steepest": _steepest(settings[: len(ks)]),
        "robustness": robustness,
        "methods": methods,
    }


def _shares(
    labelled: Labelled, most_sharing: int, chosen: Sequence[Hashes], hashing: Hashing, k: int
) -> tuple[dict[str, list[float]], list[float]]:
    """Return for each copied pair, by disguise, and each honest one what the sides share."""
    base = [hashing(each, k) for each in labelled.base]
    found = telling(chosen, most_sharing, labelled.given, *base)

    def of(pairs: Iterable[tuple[int, int]]) -> list[float]:
        return [share_of_smaller(found[left], found[right]) for left, right in pairs]

    return {name: of(pairs) for name, pairs in labelled.copies.items()}, of(labelled.honest)


def _setting(
    labelled: Labelled, most_sharing: int, k: int, w: int, clock: Callable[[], float] | None
) -> tuple[Values, list[Values]]:
    begin = clock() if clock else 0.0
    chosen = fingerprints_of(labelled.programs, constant_hashes, k, w)
    seconds = clock() - begin if clock else None
    shares, honest = _shares(labelled, most_sharing, chosen, constant_hashes, k)
    sizes = [len(each.codes) for each in labelled.programs]
    count, limit = sum(map(len, chosen)), limit_of(honest)
    setting = {"k": k, "t": w + k - 1, "w": w, "outcome": _outcome_of(shares, honest)} | {
        "fingerprints": count,
        "density": count / max(sum(max(size - k + 1, 0) for size in sizes), 1),
        "microseconds": None if seconds is None else 1e9 * seconds / max(sum(sizes), 1),
    }
    return setting, [
        {"disguise": name, "k": k, "pairs": len(some)}
        | {"shared": float(np.mean(some)), "recall": recall_at(some, limit)}
        for name, some in shares.items()
        if some
    ]


def _steepest(settings: Sequence[Values]) -> tuple[int, int] | None:
    """Return the two adjacent k between which the share of honest pairs decreases most."""
    falls = [
        (low["outcome"]["honest_sharing"] - high["outcome"]["honest_sharing"], low["k"], high["k"])
        for low, high in pairwise(settings)
    ]
    return max(falls, key=lambda each: each[0])[1:] if falls else None


def sheet_of_tunings(result: Values) -> Sheet:
    """Return the tables and plots of all languages."""
    found = result["languages"]
    tables = [table for each in found for table in _tables(each)]
    plots = [plot for each in found for plot in _plots(each)]
    advice = tuple(f"{each['language']}: {_advice(each)}" for each in found)
    return Sheet("tune", result["source"], tuple(tables), tuple(plots), advice)


_DECIMALS: Final = 3  # of some dozens of pairs, more say nothing
_OUTCOME: Final = (
    "outcome.copies_sharing outcome.honest_sharing outcome.precision outcome.recall"
    " outcome.average_precision"
)


def _tables(result: Values) -> list[Table]:
    language, methods = result["language"], result["methods"]
    found = {(each["k"], each["names"]): each["outcome"]["average_precision"] for each in methods}
    gains = [found[k, _CLAIM] - found[k, "p-match"] for k, names in found if names == _CLAIM]
    gain = sum(gains) / max(len(gains), 1)
    steepest = ""
    if result["steepest"]:
        low, high = result["steepest"]
        steepest = f" Between k = {low} and {high} most honest pairs are lost."
    ks, kept = pivoted(result["robustness"], "disguise", "k", "shared")
    return [
        table_of(
            f"{language} (programs: {result['programs']}, copied pairs: {result['copies']}, "
            f"honest pairs: {result['honest']})",
            result["settings"],
            f"k t {_OUTCOME} fingerprints density microseconds",
            "Sharing: share of pairs with a fingerprint in common. Recall: share of copies that "
            f"have more in common than 99 of 100 honest pairs.{steepest}",
            _DECIMALS,
        ),
        Table(
            f"{language}: fingerprints left after each disguise",
            ("disguise", *(f"k = {k}" for k in ks)),
            kept,
            "Mean share of a copy's fingerprints that are still those of the original.",
            decimals=_DECIMALS,
        ),
        table_of(
            f"{language}: names as written, as parameters, as one constant",
            methods,
            f"names k {_OUTCOME}",
            f"The paper's claim: '{_CLAIM}' works as well as p-match. Here its "
            f"average precision differs by {gain:+.3f} (mean over all k).",
            _DECIMALS,
        ),
    ]


def _plots(result: Values) -> list[Plot]:
    language, first = result["language"], result["settings"][0]["w"]
    shown = [each for each in result["settings"] if each["w"] == first]
    curves = tuple(
        one
        for name in ("copies_sharing", "honest_sharing", "recall", "average_precision")
        for one in series_by(shown, "w", "k", f"outcome.{name}", name.replace("_", " "))
    )
    kept = series_by(result["robustness"], "disguise", "k", "shared")
    return [
        Plot(f"{language}: the threshold, at w = {first}", "k", "share of pairs", curves),
        Plot(f"{language}: robustness", "k", "share of fingerprints kept", kept),
    ]


# With some dozens of copies, differences in average precision up to this are not significant.
_AS_GOOD: Final = 0.01


def _advice(result: Values) -> str:
    """Return the recommended k and t: the default unless another setting is better."""
    settings = [
        (each["outcome"]["average_precision"], each["k"], each["w"]) for each in result["settings"]
    ]
    best, k, w = max(settings)
    use = f"use -k {k} -t {w + k - 1} (average precision {best:.3f}"
    noise, window = CODE_DEFAULTS.noise, CODE_DEFAULTS.window
    usual = [precision for precision, *others in settings if others == [noise, window]]
    if not usual:
        return f"{use}, the best of those tried)"
    if best - usual[0] <= _AS_GOOD:
        return (
            f"keep the default, -k {noise} -t {CODE_DEFAULTS.guarantee} (average precision "
            f"{usual[0]:.3f}; no setting is clearly better)"
        )
    return f"{use} instead of {usual[0]:.3f} with the default)"
