"""Which reader an archive is for."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, BinaryIO

from mosslite.intake.archives.headers import BLOCK
from mosslite.intake.archives.kinds import Kind, kind_of
from mosslite.intake.archives.members import Member
from mosslite.intake.archives.sevenzips import seven_zip_members
from mosslite.intake.archives.streams import Metered, from_bzip2, from_gzip, from_xz
from mosslite.intake.archives.tars import tar_members
from mosslite.intake.archives.zips import zip_members
from mosslite.intake.entries import NotReadError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.intake.archives.budget import Budget

__all__ = ["members_of"]

_UNPACKERS = {Kind.GZIP: from_gzip, Kind.BZIP2: from_bzip2, Kind.XZ: from_xz}

_SHORT_SUFFIX = re.compile(r"\.(tgz|tbz2?|txz)$", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(gz|bz2?|xz)$", re.IGNORECASE)


def members_of(kind: Kind, name: str, file: BinaryIO, budget: Budget) -> Iterator[Member]:
    """Return the members of an archive, each to be read before the next one is asked for.

    Raises:
        ExhaustedError: It costs more than the budget allows.
        NotReadError: It is not read, whatever is in it.
    """
    if kind is Kind.RAR:
        msg = "is a RAR archive, which cannot be read: repack it as zip"
        raise NotReadError(msg)
    if kind is Kind.ZIP:
        return zip_members(file, budget)
    if kind is Kind.SEVEN_ZIP:
        return seven_zip_members(file, budget)
    if kind is Kind.TAR:
        return tar_members(Metered(file, budget, file=file))
    return _unpacked_members(name, Metered(_UNPACKERS[kind](file), budget))


def _unpacked_members(name: str, stream: Metered) -> Iterator[Member]:
    """Return the members of a compressed tar file, or the one file that was compressed."""
    inner = _SUFFIX.sub("", _SHORT_SUFFIX.sub(".tar", PurePosixPath(name).name))
    if kind_of(inner, stream.peek(BLOCK)) is Kind.TAR:
        yield from tar_members(stream)
    else:
        yield Member(inner, open=lambda: stream)
