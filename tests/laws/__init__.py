"""Laws that hold on real code: files that nobody wrote for a test, and edits that change nothing.

    python -m tests.laws.packages FOLDER            download the packages that real files come from
    MOSSLITE_REAL_FILES=FOLDER pytest -m slow tests/laws
    MOSSLITE_REAL_FILES=FOLDER python -m tests.bench.laws

The edits do not use this project's own front-ends: a law that is held by the code under test says
nothing about it.
"""
