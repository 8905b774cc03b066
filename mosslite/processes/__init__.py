"""Processes that work side by side: how they are started, and how they share a pile of tasks."""

from __future__ import annotations

from mosslite.processes.starting import (
    context,
    forks,
    hear_the_end,
    interrupts_held,
    processes_for,
    safe_path,
)
from mosslite.processes.together import Task, blocks, do_all

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
