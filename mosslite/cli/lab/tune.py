"""``mosslite lab distributions`` and ``mosslite lab tune``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Unpack

import click

from mosslite.cli.lab.outputs import corpus_options, output_options, run_experiment, source_of
from mosslite.lab.distributions import Plan, measure_distributions
from mosslite.lab.programs import labelled_pairs, planted_pairs, programs_below, with_base
from mosslite.lab.real_text import measure_real_text
from mosslite.lab.sheets.distributions import analysis_of, sheet_of_analysis
from mosslite.lab.sheets.tune import Tunings, sheet_of_tunings
from mosslite.lab.tune import Grid
from mosslite.lab.tune import tune as measure
from mosslite.languages import find_language
from mosslite.options import CODE_DEFAULTS, at_least
from mosslite.submissions.paths import shown_name

if TYPE_CHECKING:
    from mosslite.cli.lab.outputs import CorpusArguments, OutputArguments
    from mosslite.lab.sheets.distributions import Analysis
    from mosslite.records import Progress

__all__ = [
    "distributions",
    "tune",
]


@click.command()
@click.option(
    "-w",
    "windows",
    type=int,
    multiple=True,
    default=(10, 20, 50, 100, 200),
    show_default=True,
    help="Window, in k-grams; repeatable.",
)
@click.option(
    "-k",
    "ks",
    type=int,
    multiple=True,
    default=(16, 32, 48, 64),
    show_default=True,
    help="Length of the corpus' k-grams; repeatable.",
)
@click.option(
    "--runs", type=int, default=10, show_default=True, help="Of each distribution; the paper's 100."
)
@click.option(
    "--hashes",
    type=int,
    default=10_000_000,
    show_default=True,
    help="In each run; the paper's 100000000.",
)
@corpus_options
def distributions(
    hashes: int,
    runs: int,
    ks: tuple[int, ...],
    windows: tuple[int, ...],
    **given: Unpack[CorpusArguments],
) -> int:
    """Density without uniform hashes: the density analysis' tables and figures.

    Uniform, normal and exponential hashes, compared by t-tests; and, where a corpus is given, the
    density, the frequencies and the ties of its k-grams.

    \b
    Examples:
      mosslite lab distributions
      mosslite lab distributions essays/ --hashes 100000000 --runs 100
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    plan = Plan(hashes, runs, windows, given["seed"])
    has_corpus = given["paths"] or given["random_size"] is not None
    source = source_of(given) if has_corpus else None

    def experiment(progress: Progress) -> Analysis:
        text = measure_real_text(source, ks, windows, progress=progress) if source else None
        return analysis_of(measure_distributions(plan, progress=progress), text)

    skipped = source.skipped if source else ()
    return run_experiment(given, experiment, sheet_of_analysis, skipped=skipped)


@click.command()
@click.argument("folder", metavar="FOLDER")
@click.option(
    "--labels",
    metavar="FILE",
    help="CSV with columns a, b and label: real pairs, 1 for a copy and 0 for an honest one.",
)
@click.option("-l", "--language", metavar="NAME", help="Of all files.  [default: by file name]")
@click.option("-b", "--base", multiple=True, metavar="PATH", help="Handed out to all; repeatable.")
@click.option(
    "-m",
    "--max-sharing",
    type=int,
    default=10,
    show_default=True,
    help="Leave out fingerprints of more programs.",
)
@click.option(
    "-k",
    "ks",
    type=int,
    multiple=True,
    default=(4, 6, 8, 10, 12, 14, 16, 20, 25),
    show_default=True,
    help="Noise threshold, in tokens; repeatable.",
)
@click.option(
    "-w",
    "windows",
    type=int,
    multiple=True,
    default=(CODE_DEFAULTS.window, 1, 5, 17, 33),
    show_default=True,
    help="Window; every k is tried with the first, the middle k with all.",
)
@click.option(
    "--copies", type=int, default=12, show_default=True, help="Programs to disguise in each way."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of all chance.")
@click.option("--speed", is_flag=True, help="Measure time too, which no two runs share.")
@output_options
def tune(
    folder: str,
    labels: str | None,
    language: str | None,
    base: tuple[str, ...],
    max_sharing: int,
    ks: tuple[int, ...],
    windows: tuple[int, ...],
    copies: int,
    seed: int,
    speed: bool,
    **given: Unpack[OutputArguments],
) -> int:
    """What k and t find: recall, precision and size of the index on your own programs.

    Each child of FOLDER is an honest program. Some are copied in disguise, and it is measured at
    which k copies stand out from the rest, which disguises hide them, and whether p-match would
    do better. With --labels, the pairs of a file are taken instead.

    \b
    Examples:
      mosslite lab tune submissions/ -b template.py --html tune.html
      mosslite lab tune files/ --labels pairs.csv
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    grid = Grid(ks, windows, max_sharing)
    at_least(1, "number of copies (--copies)", copies)
    at_least(0, "seed (--seed)", seed)
    asked = None if language is None else find_language(language)
    clock = time.perf_counter if speed else None

    def experiment(progress: Progress) -> Tunings:
        if labels is not None:
            sets = labelled_pairs(folder, labels, asked)
        else:
            sets = {
                each: planted_pairs(each, programs, copies=copies, seed=seed)
                for each, programs in programs_below(folder, asked).items()
            }
        tried = [
            measure(with_base(each, base, of), grid, clock=clock, progress=progress)
            for of, each in sets.items()
        ]
        return Tunings(shown_name(folder), tuple(tried))

    return run_experiment(given, experiment, sheet_of_tunings)
