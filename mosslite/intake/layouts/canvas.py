"""Canvas: a flat folder of ``smithbob_340934_208490284_hw.py``."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mosslite.intake.layouts.patterns import CANVAS, CANVAS_ANONYMOUS, CANVAS_UPLOAD
from mosslite.intake.layouts.records import HandedIn, places_of_tops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.intake.layouts.records import Listing, Places

__all__ = ["canvas"]

# Numbers of this many digits are no counters of weeks or tasks, nor years.
_DIGITS_OF_IDS: Final = 5
# An upload of hw-1.py may be hw-1-1.py; nobody goes on like this.
_MOST_NUMBERS: Final = 3
# How many of the numbers must be of one thing alone: the name of a team may end like a number.
_SHARE: Final = 0.8


@dataclass(frozen=True, slots=True)
class _Upload:
    """A first component, taken apart; ``attachment`` is empty for what was typed in."""

    top: str
    who: str
    user: str
    attachment: str
    file: str
    is_late: bool


def canvas(listing: Listing) -> Places:
    """Place files by the numbers of the user and the attachment in their names."""
    uploads = [upload for top in listing.tops if (upload := _upload(top)) is not None]
    if not listing.is_asked:
        uploads = [upload for upload in uploads if _is_canvas_name(upload.who)]
        if not _is_plausible(uploads):
            return []
    by_user: defaultdict[tuple[str, str], list[_Upload]] = defaultdict(list)
    for upload in uploads:
        by_user[upload.user, upload.who].append(upload)
    by_top: dict[str, HandedIn] = {}
    for each in by_user.values():
        by_top |= _of_user(each, all_attempts=listing.all_attempts)
    return places_of_tops(listing, by_top)


def _upload(top: str) -> _Upload | None:
    match = CANVAS_ANONYMOUS.fullmatch(top)
    if match is not None:
        who = user = f"anon_{match['id']}"
    else:
        match = CANVAS.fullmatch(top)
        if match is None:
            return None
        who, user = match["who"], match["id"]
    file = match["file"] or match["typed"]
    return _Upload(top, who, user, match["attachment"] or "", file, match["late"] is not None)


def _is_canvas_name(who: str) -> bool:
    """Return whether a name is as Canvas leaves it: letters in lower case, digits, underscores."""
    if who.startswith("anon_"):
        return True
    return who == who.lower() and all(unicodedata.category(c)[0] in "LMN" or c == "_" for c in who)


def _is_plausible(uploads: Sequence[_Upload]) -> bool:
    """Tell numbers that Canvas gave from those of weeks and tasks, as in ``lab_1_2_ann.py``."""
    attachments = [upload.attachment for upload in uploads if upload.attachment]
    names = {(upload.user, upload.who) for upload in uploads}
    users = {upload.user for upload in uploads}
    if len(set(attachments)) < _SHARE * len(attachments) or len(users) < _SHARE * len(names):
        return False
    is_varied = len({upload.who for upload in uploads}) > 1 or len(uploads) == 1
    has_ids = all(len(number) >= _DIGITS_OF_IDS for number in attachments)
    return is_varied or (has_ids and bool(attachments))


def _of_user(uploads: Sequence[_Upload], *, all_attempts: bool) -> dict[str, HandedIn]:
    first = uploads[0]
    is_late = any(upload.is_late for upload in uploads)
    newer = _newer_uploads([upload.file for upload in uploads])
    count = 1 + max(newer.values())
    places = {}
    for upload in uploads:
        place = HandedIn(
            f"{first.user} {first.who}",
            first.who or first.user,
            upload.file,
            is_late=is_late,
            mark=first.user,
        )
        # Whoever hands in hw.py and hw-1.py at once has both read: the names prove no order.
        if all_attempts and count > 1:
            place = replace(place, attempt=f"{count - newer[upload.file]:04}")
        places[upload.top] = place
    return places


def _newer_uploads(files: Sequence[str]) -> dict[str, int]:
    """Return for each file how many were uploaded after it under its name.

    Canvas calls the second upload of ``hw.py`` ``hw-1.py``; without a ``hw.py`` that is just a
    name.
    """
    known = set(files)
    chains: defaultdict[str, list[tuple[tuple[int, ...], str]]] = defaultdict(list)
    for file in sorted(known):
        bare, numbers = _bare(file, known)
        chains[bare].append((numbers, file))
    newer: dict[str, int] = {}
    for chain in chains.values():
        newest_first = sorted(chain, reverse=True)
        newer |= {file: later for later, (_, file) in enumerate(newest_first)}
    return newer


def _bare(file: str, known: set[str]) -> tuple[str, tuple[int, ...]]:
    """Return the name a file was first uploaded under, and the numbers that were put behind it."""
    numbers: tuple[int, ...] = ()
    while len(numbers) < _MOST_NUMBERS and (match := CANVAS_UPLOAD.fullmatch(file)) is not None:
        bare = match["stem"] + (match["suffix"] or "")
        if bare not in known:
            break
        file, numbers = bare, (int(match["number"]), *numbers)
    return file, numbers
