"""Runs the command line as ``python -m mosslite``.

``python -m`` searches the current folder for modules first, and a student's ``queue.py`` may be
there. This file removes it from the path; ``python -I -m mosslite`` also protects Python's own
start.
"""

import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    try:
        if sys.path[0] == os.getcwd():  # noqa: PTH109 - pathlib could be imported from that folder
            del sys.path[0]
    except OSError:  # the folder is gone, and so not on the path
        pass

from mosslite.cli import main

if __name__ == "__main__":
    main()
