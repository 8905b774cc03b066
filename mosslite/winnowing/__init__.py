"""Fingerprints of token streams, and detection of boilerplate in them (SIGMOD 2003)."""
