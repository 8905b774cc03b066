"""Processes that work side by side: how they are started, and how they share a pile of tasks."""

from __future__ import annotations

from mosslite.processes.starting import (
    context,
    forks,
    interrupts_held,
    processes_for,
    processors,
)
from mosslite.processes.together import Task, blocks, do_all

__all__ = [
    "Task",
    "blocks",
    "context",
    "do_all",
    "forks",
    "interrupts_held",
    "processes_for",
    "processors",
]
