"""The laboratory: the papers' experiments, on any corpus.

"A purely experimental framework for comparing actual performance with the theoretical
predictions" (SIGMOD 2003, section 1). Each experiment maps a source of symbols to values by name,
as JSON has them, of which some are shown in a sheet of tables and plots.
"""
