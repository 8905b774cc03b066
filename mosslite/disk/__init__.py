"""What writing files takes beside several runs at once: locks, and temporary folders."""

from __future__ import annotations

from mosslite.disk.locking import alone_with
from mosslite.disk.temporary import temporary_folder

__all__ = ["alone_with", "temporary_folder"]
