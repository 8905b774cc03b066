"""The tables of hash functions side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.lab.sheets import Sheet, Table

if TYPE_CHECKING:
    from mosslite.lab.hashes import HashTrial

__all__ = ["sheet_of_hashes"]


def sheet_of_hashes(result: HashTrial) -> Sheet:
    """Lay out what was found of each function."""
    title = f"{result.source}: {result.kgrams:,} {result.k}-grams, {result.distinct:,} different"
    return Sheet("hashes", title, (_collision_table(result, title), _evenness_table(result)))


def _collision_table(result: HashTrial, title: str) -> Table:
    rows = tuple(
        (each.name, each.collisions, each.high_collisions, each.low_collisions, each.nanoseconds)
        for each in result.functions
    )
    return Table(
        f"Hash functions on {title}",
        ("function", "64 bits", "high 32", "low 32", "ns / hash"),
        rows,
        f"Collisions of different k-grams; 32 good bits have {result.expected_collisions:.1f}. "
        "Nanoseconds are of these implementations, and given with --speed.",
    )


def _evenness_table(result: HashTrial) -> Table:
    rows = tuple(
        (
            each.name,
            each.last_symbol,
            each.first_symbol,
            each.high_byte,
            each.low_byte,
            each.zero_mod_p,
            each.zero_mod_64,
            each.winnowing,
        )
        for each in result.functions
    )
    headings = ("function", "last symbol", "first symbol", "high byte", "low byte")
    return Table(
        "Evenness",
        (*headings, f"0 mod {result.p}", "0 mod 64", f"winnowing, w = {result.w}"),
        rows,
        "Symbols: the share of the high 32 bits that change with the last and the first symbol of "
        "a k-gram, at best 0.5. All else: standard errors off, at best within 3 of 0.",
    )
