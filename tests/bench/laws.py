"""Prints which share of real files keeps each law, by language, and why the others do not.

python -m tests.laws.packages FOLDER
MOSSLITE_REAL_FILES=FOLDER python -m tests.bench.laws [--law=LAW] [LANGUAGE...]
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence

from tests.laws.laws import LAWS
from tests.laws.outcomes import FILES, Outcome, languages, outcomes


def main() -> None:
    """Print the table and the exceptions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--law", choices=LAWS, action="append")
    parser.add_argument("languages", nargs="*")
    given = parser.parse_args()
    start = time.monotonic()
    found = list(outcomes(given.languages or languages(), given.law or list(LAWS)))
    _print_shares(found)
    _print_exceptions(found)
    print(f"\n{time.monotonic() - start:.0f} seconds")


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
    """Print each file that breaks a law: the reason, the laws, and how far they hold."""
    reasons = defaultdict[str, dict[str, list[str]]](lambda: defaultdict(list))
    for outcome in found:
        for each in outcome.broken:
            reasons[each.reason][each.file].append(f"{outcome.law} {each.held:.3f}")
    for reason, files in sorted(reasons.items()):
        print(f"\n{reason or 'NO KNOWN REASON'}")
        for file, laws in files.items():
            print(f"    {file}: {', '.join(laws)}")


if __name__ == "__main__":
    main()
