"""Runs the stages in their order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mosslite.counts import counted
from mosslite.errors import InputError
from mosslite.frontends.selection import gather, why_none
from mosslite.matching.matched_pairs import matched
from mosslite.model import Detail, Report, Role, untold
from mosslite.pipeline.priors import archives_given_twice, with_archives
from mosslite.pipeline.remarks import remarks_on
from mosslite.pipeline.shapes import require_shapes
from mosslite.processes import processes_for
from mosslite.ranking.ranked_pairs import ranked
from mosslite.winnowing.tokenized import works_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.model import Batch, Inputs, Progress, Skipped, Work
    from mosslite.options import Options

__all__ = ["check"]


def check(
    inputs: Inputs,
    options: Options,
    *,
    detail: Detail = Detail.MATCHES,
    progress: Progress = untold,
) -> Report:
    """Compare every submission given with every other that its role allows.

    Args:
        inputs: Paths by role.
        options: How to compare, and how much to report.
        detail: What is found of every pair at once; the rest is found where it is asked for.
        progress: Called as stages advance.

    Raises:
        MossliteError: An option means nothing, or nothing is left to compare.
    """
    progress("reading", 0, 1)
    require_shapes(inputs.archives, options)  # before all the work
    batch = _with_skipped(gather(inputs, options), archives_given_twice(inputs.archives))
    works, base = works_of(batch, options, progress)
    works, chosen, remarks = with_archives(works, base, inputs.archives, options)
    _require_a_pair(works, batch, least=1 if inputs.archives else 2)
    ranking = ranked(works, options, progress, chosen)
    processes = processes_for(options)
    return Report(
        options=options,
        description=_description(works, batch.description),
        works=works,
        base=tuple(file.path or file.name for file in batch.base),
        pairs=matched(works, ranking.pairs, progress, detail=detail, processes=processes),
        skipped=batch.skipped,
        ignored=batch.ignored,
        warnings=(*remarks_on(works, base, batch, options), *remarks),
        threshold=ranking.limits.threshold,
        no_threshold=ranking.limits.no_threshold,
        unlisted=ranking.unlisted,
        histogram=ranking.histogram,
        common=ranking.common,
    )


def _with_skipped(batch: Batch, more: Sequence[Skipped]) -> Batch:
    skipped = sorted([*batch.skipped, *more], key=lambda each: (each.path, each.reason))
    return replace(batch, skipped=tuple(skipped))


def _require_a_pair(works: Sequence[Work], batch: Batch, least: int) -> None:
    current = sum(work.role is Role.CURRENT for work in works)
    if current and len(works) >= least:
        return
    needed = f"at least {least} {'is' if least == 1 else 'are'} needed"
    msg = f"nothing to compare: {counted(current, 'submission')} left, {needed}"
    raise InputError(msg + why_none(batch))


def _description(works: Sequence[Work], how: str) -> str:
    counts = {role: sum(work.role is role for work in works) for role in Role}
    parts = [f"{counted(counts[Role.CURRENT], 'submission')}, {how}"]
    parts += [
        f"{counts[role]} {role.value}" for role in (Role.PRIOR, Role.REFERENCE) if counts[role]
    ]
    return ", ".join(parts)
