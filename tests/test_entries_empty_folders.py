import pytest

from mosslite.intake.entries import empty_folders


@pytest.mark.parametrize(
    ("folders", "names", "empty"),
    [
        ("ann bob", "ann/a.c", "bob"),
        ("ann ann/lib", "ann/lib/a.c", ""),
        ("ann ann/docs", "ann/a.c", "ann/docs"),
        ("ann ann/x ann/x/y", "", "ann"),
        ("ann", "ann/.git/", ""),  # what is ignored is something, too
        ("ann/x ann/y", "", "ann"),  # archives need not name the folders around
        ("bob/x", "bob/a.c", "bob/x"),
        ("a.zip/x a.zip/y", "a.zip", ""),
        ("ann ann-old", "ann-old/a.c", "ann"),
        ("a.zip/src", "a.zip", ""),  # the archive's own line tells
    ],
)
def test_the_outermost_folders_without_a_file_are_found(
    folders: str, names: str, empty: str
) -> None:
    assert empty_folders(folders.split(), names.split()) == empty.split()
