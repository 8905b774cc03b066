"""Practical 5: the door log of the workshop.

Each line of the log reads   DATE TIME ACTION MEMBER STATION   for instance

    2024-03-04 08:15 IN wren laser
    2024-03-04 09:40 OUT wren laser
    2024-03-04 09:41 FAULT wren laser

The reports are hours, inside, peak, faults, longest, days and check.
Write at least four of them, and one more of your own invention.
"""
import sys

USAGE = "usage: python door_log.py LOGFILE REPORT [ARGUMENT ...]"
ACTIONS = ("IN", "OUT", "FAULT")


def read_lines(path):
    """Return the lines of the log that are neither empty nor comments."""
    kept = []
    with open(path, encoding="utf-8") as handle:
        for line in handle:
            line = line.strip()
            if line and not line.startswith("#"):
                kept.append(line)
    return kept


# ---- your part: write run(lines, report, extra), which returns 0 or 1 ----


def main(argv):
    if len(argv) < 3:
        print(USAGE)
        return 2
    return run(read_lines(argv[1]), argv[2], argv[3:])


if __name__ == "__main__":
    sys.exit(main(sys.argv))
