"""One progress bar at a time, on standard error, for work that takes more than a second."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Never, Self

from tqdm import tqdm

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["ProgressBar"]


class ProgressBar:
    """Shows the stage that was last told of; closes it when the next one begins."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_hidden = not (is_shown and sys.stderr.isatty())
        self._stage = ""
        self._bar: tqdm[Never] = self._begin(total=0)

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Advance to ``done`` of ``total`` steps of ``stage``."""
        if stage != self._stage:
            self._bar.close()
            self._stage = stage
            self._bar = self._begin(total)
        self._bar.update(done - self._bar.n)

    def __enter__(self) -> Self:
        """Give the bar itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar off the terminal, whatever happened."""
        self._bar.close()

    def _begin(self, total: int) -> tqdm[Never]:
        return tqdm(total=total, desc=self._stage, delay=1, leave=False, disable=self._is_hidden)
