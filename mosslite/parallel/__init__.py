"""Processes that work side by side: how they are started, and how they share a pile of tasks."""

from __future__ import annotations

from mosslite.parallel.fork_pool import Task, blocks, do_all
from mosslite.parallel.starting import (
    context,
    forks,
    hear_the_end,
    interrupts_held,
    processes_for,
    safe_path,
)

__all__ = [
    "Task",
    "blocks",
    "context",
    "do_all",
    "forks",
    "hear_the_end",
    "interrupts_held",
    "processes_for",
    "safe_path",
]
