"""GitHub Classroom and submit50: a folder of clones, one for each student."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from mosslite.intake.layouts.patterns import GITHUB_FOLDER
from mosslite.intake.layouts.records import HandedIn, parted, places_of_tops

if TYPE_CHECKING:
    from mosslite.intake.layouts.records import Listing, Places

__all__ = ["github", "submit50"]

_ORGANIZATION: Final = "me50"


def github(listing: Listing) -> Places:
    """Place the files of ``hw1-ann/`` in ``hw1-submissions/``."""
    folder = GITHUB_FOLDER.fullmatch(listing.folder)
    tops = _folders(listing)
    if folder is not None:
        slug = f"{folder['slug']}-"
    elif listing.is_asked and len(tops) > 1:
        slug = _common_slug(tops)
    else:
        return []
    logins = {
        top: top.removeprefix(slug) for top in tops if slug and top.startswith(slug) and top != slug
    }
    return places_of_tops(
        listing, {top: HandedIn(login, login, "") for top, login in logins.items()}
    )


def submit50(listing: Listing) -> Places:
    """Place the files of ``ann/`` in ``me50/``."""
    if listing.folder != _ORGANIZATION and not listing.is_asked:
        return []
    return places_of_tops(listing, {top: HandedIn(top, top, "") for top in _folders(listing)})


def _common_slug(tops: list[str]) -> str:
    """Return what all names have in common, up to a hyphen."""
    parts = zip(*(top.split("-") for top in tops), strict=False)
    return "".join(f"{each[0]}-" for each in takewhile(lambda each: len(set(each)) == 1, parts))


def _folders(listing: Listing) -> list[str]:
    return [
        top
        for top, indices in listing.tops.items()
        if any(parted(listing.names[index])[1] for index in indices)
    ]
