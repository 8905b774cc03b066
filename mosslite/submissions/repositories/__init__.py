"""Git repositories in submissions: their commits and files, read from objects alone.

What reads them (``commits``) is imported where there is one, as it takes a while.
"""
