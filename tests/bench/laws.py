"""Prints which share of real files keeps each law, by language, and why the others do not.

python -m tests.laws.packages FOLDER
MOSSLITE_REAL_FILES=FOLDER python -m tests.bench.laws [--law LAW] [LANGUAGE...]
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from tests.laws.laws import LAWS
from tests.laws.outcomes import FILES, languages, outcomes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.laws.outcomes import Outcome


def main() -> None:
    """Print the table and the exceptions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--law", choices=LAWS, action="append")
    parser.add_argument("languages", nargs="*")
    given = parser.parse_args()
    found = list(outcomes(given.languages or languages(), given.law or list(LAWS)))
    _print_shares(found)
    _print_exceptions(found)


def _print_shares(found: Sequence[Outcome]) -> None:
    columns = list(dict.fromkeys(each.language for each in found))
    shares = {(each.law, each.language): each for each in found}
    print(f"share of up to {FILES} files that keep the law")
    print(f"{'':22}" + "".join(f"{each[:6]:>7}" for each in columns) + f"{'all':>7}")
    for law in dict.fromkeys(each.law for each in found):
        of_law = [shares.get((law, language)) for language in columns]
        cells = [f"{each.share:7.2f}" if each else f"{'-':>7}" for each in of_law]
        asked = sum(each.asked for each in of_law if each)
        broken = sum(len(each.broken) for each in of_law if each)
        print(f"{law:22}{''.join(cells)}{1 - broken / asked:7.3f}")


def _print_exceptions(found: Sequence[Outcome]) -> None:
    reasons = defaultdict[str, list[str]](list)
    for outcome in found:
        for reason, count in Counter(each.reason for each in outcome.broken).items():
            worst = min(each.held for each in outcome.broken if each.reason == reason)
            reasons[reason].append(f"{outcome.law}, {outcome.language}: {count} ({worst:.2f})")
    for reason, cases in reasons.items():
        print(f"\n{reason or 'NO KNOWN REASON'}")
        for case in cases:
            print(f"    {case}")
    for outcome in found:
        for each in outcome.unexplained:
            print(f"{outcome.law}, {outcome.language}: {each.held:.3f} {each.file}")


if __name__ == "__main__":
    main()
