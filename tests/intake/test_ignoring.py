import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import OptionError
from mosslite.intake.ignoring import Patterns, usual_rule
from mosslite.reasons import Reason
from tests.builders import LAW
from tests.tables import table

NAMES = st.lists(st.text(min_size=1).filter(lambda part: "/" not in part), min_size=1).map("/".join)


@pytest.mark.parametrize(
    ("name", "prefix", "reason"),
    [
        ("ann/.git/config", "ann/.git/", Reason.HIDDEN),
        ("ann/.env", "ann/.env", Reason.HIDDEN),
        (".DS_Store", ".DS_Store", Reason.HIDDEN),
        ("__MACOSX/ann/a.py", "__MACOSX/", Reason.GENERATED_FILE),
        ("ann/a/__pycache__/a.pyc", "ann/a/__pycache__/", Reason.GENERATED_FILE),
        ("ann/web/node_modules/x/y.js", "ann/web/node_modules/", Reason.GENERATED_FILE),
        ("ann/Thumbs.db", "ann/Thumbs.db", Reason.GENERATED_FILE),
        ("a/CMakeFiles/A.c", "a/CMakeFiles/", Reason.BUILT),
        ("ann/Pods/", "ann/Pods/", Reason.BUILT),
        ("ann/Main.class", "ann/Main.class", Reason.NOT_TEXT),
        ("ann/img/Logo.PNG", "ann/img/Logo.PNG", Reason.NOT_TEXT),
    ],
)
def test_what_is_no_ones_work_is_ignored_from_its_outermost_folder_on(
    name: str, prefix: str, reason: Reason
) -> None:
    assert usual_rule(name) == (prefix, reason)


@table("name")
def test_what_can_be_work_is_read(name: str) -> None:
    assert usual_rule(name) is None


@LAW
@given(NAMES)
def test_what_is_ignored_is_a_part_of_the_path(name: str) -> None:
    ignored = usual_rule(name)
    assert ignored is None or f"{name}/".startswith(ignored[0])


@pytest.mark.parametrize(
    ("patterns", "read"),
    [
        ([], "a.py b.txt lib/c.py lib/d.txt"),
        (["*.txt"], "a.py lib/c.py"),
        (["lib/"], "a.py b.txt"),
        (["/*.py"], "b.txt lib/c.py lib/d.txt"),
        (["*", "!*.py"], "a.py lib/c.py"),
        (["!*.py"], "a.py lib/c.py"),
        (["!*.py", "lib/"], "a.py"),
        (["lib/*", "!lib/c.py"], "a.py b.txt lib/c.py"),
        (["!lib/**"], "lib/c.py lib/d.txt"),
    ],
)
def test_the_last_pattern_that_matches_decides(patterns: list[str], read: str) -> None:
    files = ["a.py", "b.txt", "lib/c.py", "lib/d.txt"]
    rules = Patterns(patterns)
    assert [name for name in files if not rules.reason(name)] == read.split()


def test_the_reason_names_the_option() -> None:
    assert Patterns(["*.txt"]).reason("a.txt") is Reason.EXCLUDED
    assert Patterns(["!*.py"]).reason("a.txt") is Reason.NOT_INCLUDED


def test_a_pattern_that_means_nothing_is_refused() -> None:
    with pytest.raises(OptionError, match=r"is not a valid \.gitignore pattern"):
        Patterns(["!"])
