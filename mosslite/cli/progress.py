"""One progress bar from the first stage to the last, for runs that take more than a second."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, Never, Self

if TYPE_CHECKING:
    from types import TracebackType

    from tqdm import tqdm

__all__ = ["Course", "ProgressBar", "Steps"]

# Milliseconds for each file and for each pair, as ``python -m tests.bench.stages`` prints them;
# only their ratios count. To read files is over before it is known how many there are.
_OF_A_FILE: Final = {"tokenizing": 4.5, "comparing": 1.7}
_OF_A_PAIR: Final = {"matching": 3.7, "writing": 11.0}
_STAGES: Final = ("reading", *_OF_A_FILE, *_OF_A_PAIR)

_FORM: Final = "{percentage:3.0f}%|{bar}| {desc} [{elapsed}<{remaining}]"


class Course:
    """How much of all work is done, in units of time, by what is told of each stage in turn.

    What later stages have to do is estimated until they tell it. What a stage finds done when it
    begins was no work.

    Args:
        pairs: How many are shown at most; 0 is all.
        has_pages: A page is written for each of them.
    """

    def __init__(self, *, pairs: int, has_pages: bool) -> None:
        self._most_pairs = pairs
        self._stages = _STAGES if has_pages else _STAGES[:-1]
        self._stage = ""
        self._found_done = self._files = self._pairs = 0
        self._before = 0.0  # what the stages up to this one have taken
        self._own = 0.0  # what this one takes

    def progress(self, stage: str, done: int, total: int) -> tuple[float, float]:
        """Return the work that is done and all the work, once ``done`` of ``total`` steps are."""
        if stage != self._stage:
            self._enter(stage, done, total)
        share = (done - self._found_done) / max(total - self._found_done, 1)
        later = self._stages[self._stages.index(stage) + 1 :]
        total_work = self._before + self._own + sum(map(self._work_of, later))
        return self._before + self._own * share, total_work

    def _enter(self, stage: str, done: int, total: int) -> None:
        self._before += self._own
        self._stage, self._found_done = stage, done
        if stage == "tokenizing":
            self._files = total
            self._pairs = min(self._most_pairs or total, total * (total - 1) // 2)
        elif stage in _OF_A_PAIR:
            self._pairs = total
        self._own = self._work_of(stage) * (total - done) / max(total, 1)

    def _work_of(self, stage: str) -> float:
        of_files = _OF_A_FILE.get(stage, 0.0) * self._files
        return of_files + _OF_A_PAIR.get(stage, 0.0) * self._pairs


class Steps:
    """The steps of each stage alone, for runs whose stages are much the same work."""

    def progress(self, stage: str, done: int, total: int) -> tuple[float, float]:
        """Return the steps that are done, and all of them."""
        return done, total


class ProgressBar:
    """Shows the course of a run on a terminal, and nothing elsewhere."""

    def __init__(self, course: Course | Steps, *, is_shown: bool) -> None:
        self._course = course
        self._bar = _new_bar() if is_shown and sys.stderr.isatty() else None

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Advance to ``done`` of ``total`` steps of ``stage``."""
        if self._bar is None:
            return
        spent, self._bar.total = self._course.progress(stage, done, total)
        self._bar.set_description_str(f"{stage} {done:,} of {total:,}", refresh=False)
        self._bar.update(spent - self._bar.n)

    def __enter__(self) -> Self:
        """Return the bar itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar off the terminal, whatever happened."""
        if self._bar is not None:
            self._bar.close()


def _new_bar() -> tqdm[Never]:
    from tqdm import tqdm  # noqa: PLC0415 - most runs are over before there is a bar

    tqdm.monitor_interval = 0  # its thread would be told of signals, and there is no need of it
    return tqdm(total=1, bar_format=_FORM, delay=1, leave=False)
