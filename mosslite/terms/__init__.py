"""The archive of earlier terms: submissions and their fingerprints, in one file."""
