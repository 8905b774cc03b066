"""Archives: their members as entries, read in memory and within limits."""
