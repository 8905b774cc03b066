from hypothesis import example, given
from hypothesis import strategies as st

from mosslite.records import Skipped
from mosslite.report.html.submissions import left_out_of
from mosslite.signatures import without_suffix
from tests.builders import LAW
from tests.reports import named

ENDINGS = ["", ".zip", ".tar", ".tar.gz", ".gz", ".txt"]
steps = st.sampled_from(["ada", "Ada", "ben", "a.b", "src", "", "ada.zip"])
paths = st.lists(steps, min_size=1, max_size=4).map("/".join)
left_out_paths = st.tuples(paths, st.sampled_from(ENDINGS), paths).map("{0[0]}{0[1]}/{0[2]}".format)


@example(["ada/ada.zip"], ["ada.zip/ada.zip"])
@example(["ada/ben/src"], ["ada.zip/ben/src.tar.gz/a.txt"])
@given(st.lists(paths, unique=True, max_size=6), st.lists(left_out_paths, max_size=8))
@LAW
def test_a_path_belongs_to_all_submissions_whose_folder_or_archive_it_is_in(
    names: list[str], left_out: list[str]
) -> None:
    found = left_out_of(
        [named(name) for name in names], [Skipped(path, "is empty") for path in left_out]
    )

    for name in names:
        expected = [path for path in left_out if is_in(path.lower().split("/"), name.lower())]
        assert [each.path for each in found.get(name, [])] == expected


def is_in(steps: list[str], name: str) -> bool:
    """Return whether a folder or archive of this name, with folders before it, is in a path."""
    own = name.split("/")
    runs = [steps[start : start + len(own)] for start in range(len(steps) - len(own) + 1)]
    return any(
        all(mine in {step, without_suffix(step)} for mine, step in zip(own, run, strict=True))
        for run in runs
    )


def test_names_that_differ_in_case_alone_share_what_was_left_out() -> None:
    submissions, skipped = [named("Weiß"), named("WEIß")], [Skipped("weiß.ZIP/x", "is empty")]

    assert left_out_of(submissions, skipped) == {
        submission.name: skipped for submission in submissions
    }


def test_names_that_are_written_alike_share_nothing() -> None:
    submissions, skipped = [named("Weiß"), named("Weiss")], [Skipped("Weiss/x", "is empty")]

    assert left_out_of(submissions, skipped) == {"Weiss": skipped}
