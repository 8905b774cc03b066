"""Maps files to students by the names that learning platforms use."""
