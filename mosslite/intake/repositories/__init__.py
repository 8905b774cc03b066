"""Git repositories in submissions: their commits and files, read from objects only.

The reader (``history``) is imported only if there is a repository, as the import is slow.
"""
