"""Runs the command line as ``python -m mosslite``.

``python -m`` looks for modules in the current folder first, where a student's ``queue.py`` can lie.
What is imported from here on comes from elsewhere; ``python -I -m mosslite`` guards the start too.
"""

import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    try:
        if sys.path[0] == os.getcwd():  # noqa: PTH109 - pathlib could come from that folder
            del sys.path[0]
    except OSError:  # it is gone, and so not on the path
        pass

from mosslite.cli import main

if __name__ == "__main__":
    main()
