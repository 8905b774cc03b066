from mosslite.intake.entries import empty_folders
from tests.tables import table


@table("folders", "names", "empty")
def test_the_outermost_folders_without_a_file_are_found(
    folders: str, names: str, empty: str
) -> None:
    assert empty_folders(folders.split(), names.split()) == empty.split()
