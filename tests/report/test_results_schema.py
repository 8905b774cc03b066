"""What is written for programs holds what its schema says, and the schemas say enough."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

import mosslite
from mosslite.options import Mark
from mosslite.report.review import pair_code, review_text
from tests.commands import refusal
from tests.conftest import ADD, Run
from tests.exports import Student, gradescope_export, moodle_export
from tests.foreign_results import DOLOS, HOSTILE, INDEX, JPLAG, written
from tests.git_repositories import commit, needs_git, repository
from tests.programs import JAVA, PRIMES, QUEUE, QUEUE_RENAMED, TEMPLATE, WORDS, write_files

SAMPLES: Final = Path(__file__).parents[2] / "samples"
NAMES: Final = ("results", "course", "archive", "query", "baseline", "review")
CHECK: Final = ("--no-html", "-q", "--json", "-")


def schema_of(name: str, run: Run) -> dict[str, Any]:
    outcome = run("schema", name)
    assert outcome.code == 0
    schema: dict[str, Any] = json.loads(outcome.out)
    return schema


def complaints(schema: dict[str, Any], content: object) -> list[str]:
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return [f"{each.json_path}: {each.message}"[:300] for each in validator.iter_errors(content)]


def written_by(run: Run, name: str, *arguments: str | Path) -> Any:  # noqa: ANN401 - it is JSON
    """Run a command that writes JSON to standard output, which must hold to a schema."""
    outcome = run(*arguments)
    assert outcome.code == 0, outcome.err
    content = json.loads(outcome.out)
    assert complaints(schema_of(name, run), content) == []
    return content


def parts_of(schema: object) -> Iterator[dict[str, Any]]:
    """Return every object in a schema that could be a schema itself."""
    if isinstance(schema, dict):
        yield schema
        for each in schema.values():
            yield from parts_of(each)
    if isinstance(schema, list):
        for each in schema:
            yield from parts_of(each)


# --- the command ---------------------------------------------------------------------------------


def test_the_list_names_each_schema_with_a_line(run: Run) -> None:
    lines = run("schema").out.splitlines()

    assert [line.split()[0] for line in lines] == ["name", *NAMES]
    assert all(len(line.split()) > 2 for line in lines)


def test_an_unknown_schema_is_one_line_that_names_those_there_are(run: Run) -> None:
    assert run("schema", "bogus") == refusal(
        "unknown schema 'bogus': "
        "it must be one of results, course, archive, query, baseline, review"
    )


# --- the schemas ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_valid_and_says_which_it_is(run: Run, name: str) -> None:
    schema = schema_of(name, run)

    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:mosslite:schema:{name}:1"


@pytest.mark.parametrize("name", NAMES)
def test_no_schema_forbids_a_key_that_is_to_come(run: Run, name: str) -> None:
    for part in parts_of(schema_of(name, run)):
        assert part.get("additionalProperties") is not False
        assert part.get("unevaluatedProperties") is not False


@pytest.mark.parametrize("name", NAMES)
def test_other_keys_are_described_only_where_any_name_can_stand(run: Run, name: str) -> None:
    """Roles of paths, and values of messages, have such names; all else has keys of its own."""
    described = [each for each in parts_of(schema_of(name, run)) if "additionalProperties" in each]

    paths, values = (
        "The paths that were given, by role.",
        "The values, by their names in the template.",
    )
    expected = {"results": [paths, values], "course": [values]}
    assert [each["description"] for each in described] == expected.get(name, [])


@pytest.fixture
def examples(run: Run, tmp_path: Path) -> dict[str, Any]:
    """Return one whole example of everything that is written."""
    batch = {"ann.py": QUEUE, "bob.py": QUEUE_RENAMED, "cy.py": PRIMES, "dan.py": WORDS}
    write_files(tmp_path / "hw", batch)
    write_files(tmp_path / "hw2", {**batch, "cy.py": f"# again\n{PRIMES}"})
    results = written_by(run, "results", "check", "hw", *CHECK)
    for number, folder in enumerate(("hw", "hw2"), 1):
        done = run("check", folder, "--no-html", "-q", "--json", f"{number}.json")
        assert done.code == 0
    assert run("course", "1.json", "2.json", "--json", "c.json").code == 0
    assert run("baseline", "update", "b.json", "1.json").code == 0
    assert run(*ADD, "hw").code == 0
    archive = written_by(run, "archive", "archive", "export", "a.mosslite", "-")
    mark = Mark("ann.py", "bob.py", "0" * 24, "confirmed", "", HOSTILE, "2026-11-21T09:30:00.5Z")
    found = {
        "results": results,
        "course": json.loads((tmp_path / "c.json").read_text(encoding="utf-8")),
        "archive": archive,
        "baseline": json.loads((tmp_path / "b.json").read_text(encoding="utf-8")),
        "review": json.loads(review_text([mark])),
    }
    for name, content in found.items():
        assert complaints(schema_of(name, run), content) == [], name
        assert any(each for each in content.values() if isinstance(each, list)), name
    return found


def objects_in(content: object, where: str = "$") -> Iterator[tuple[str, dict[str, Any]]]:
    """Return each object with its path; those of one list have the same."""
    if isinstance(content, dict):
        yield where, content
        for key, each in content.items():
            yield from objects_in(each, f"{where}.{key}")
    if isinstance(content, list):
        for each in content:
            yield from objects_in(each, f"{where}[]")


def changes_of(content: object) -> Iterator[tuple[str, Any, dict[str, Any], str]]:
    """Return for each key of the first object of each kind a copy, the object in it, and the key.

    The path of the key comes first.
    """
    kinds: dict[str, int] = {}
    for number, (where, _) in enumerate(objects_in(content)):
        kinds.setdefault(where, number)
    for where, number in kinds.items():
        for key in [*list(objects_in(content))[number][1]]:
            copy = deepcopy(content)
            yield f"{where}.{key}", copy, list(objects_in(copy))[number][1], key


def test_additions_are_valid_in_every_object(run: Run, examples: dict[str, Any]) -> None:
    for name, content in examples.items():
        for where, each in [*objects_in(content)]:
            # Keys of these are roles and names of values.
            if where != "$.inputs" and not where.endswith(".params"):
                each["an_addition"] = {"of": ["a", "later", "version"]}
        assert complaints(schema_of(name, run), content) == [], name


def require_types(schema: dict[str, Any], content: object) -> None:
    """Find that nothing in some content could be an object of another kind."""
    for where, changed, found, key in changes_of(content):
        found[key] = {"not": "this"}
        # What stands in a message can have any name.
        assert where.endswith(".params") or complaints(schema, changed), where


def test_a_value_of_another_type_is_invalid_wherever_it_stands(
    run: Run, examples: dict[str, Any]
) -> None:
    for name, content in examples.items():
        require_types(schema_of(name, run), content)


# What is there only where there is something to tell, or not in results of another program.
MAY_BE_MISSING: Final = {
    "$.inputs",
    "$.messages",
    "$.no_threshold",
    "$.inputs.submissions",
    "$.submissions[].text",
    "$.pairs[].placed_by",
    "$.pairs[].by_chance",
    "$.pairs[].matches[].bits",
    "$.pairs[].matches[].expected",
    "$.pairs[].matches[].block_bits",
    "$.pairs[].matches[].block_expected",
    "$.pairs[].rare_evidence[].resembles",
}


def test_a_key_that_is_always_there_must_be_there(run: Run, examples: dict[str, Any]) -> None:
    for name, content in examples.items():
        schema = schema_of(name, run)
        for where, changed, found, key in changes_of(content):
            del found[key]
            is_of_message = where.endswith(".message") or ".params." in where
            is_optional = is_of_message or (name == "results" and where in MAY_BE_MISSING)
            assert bool(complaints(schema, changed)) is not is_optional, (name, where)


# --- results -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["prose", "python"])
def test_results_of_the_samples(run: Run, language: str) -> None:
    folder = SAMPLES / language
    content = written_by(
        run, "results", "check", folder / "submissions", "-b", folder / "template", *CHECK
    )
    assert content["pairs"]
    first = {key: each[:2] if isinstance(each, list) else each for key, each in content.items()}
    require_types(schema_of("results", run), first)


def test_results_of_all_roles_and_of_base_code(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann.java": f"{TEMPLATE}{JAVA}", "bob.java": JAVA})
    write_files(tmp_path / "old", {"zoe.java": JAVA})
    write_files(tmp_path / "staff", {"us.java": JAVA})
    write_files(tmp_path / "base", {"t.java": TEMPLATE})
    assert run(*ADD, "old").code == 0
    roles = ("--prior", "old", "--reference", "staff", "-b", "base", "--archive", "a.mosslite")

    content = written_by(run, "results", "check", "hw", *roles, *CHECK)

    assert {each["role"] for each in content["submissions"]} >= {"current", "prior", "reference"}


def test_results_of_a_platform_with_teams_times_and_attempts(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", gradescope_export())
    content = written_by(run, "results", "check", "hw", "--attempts", "all", *CHECK)
    assert any(each.get("submitted") for each in content["submissions"])


def test_results_say_who_handed_in_first(run: Run, tmp_path: Path) -> None:
    ann = Student("Ann", "Doe", 1, {"a.py": QUEUE})
    bob = Student("Bob", "Smith", 2, {"a.py": QUEUE}, time="2024-02-01 10:00:00")
    write_files(tmp_path / "hw", gradescope_export([[ann], [bob]]))

    content = written_by(run, "results", "check", "hw", *CHECK)

    assert content["pairs"][0]["handed_in"]["first"] == "left"
    require_types(schema_of("results", run), content)


def test_results_by_a_name_pattern(run: Run, tmp_path: Path) -> None:
    pattern = r"(?P<name>[a-z]+)_(?P<file>.*)"
    write_files(tmp_path / "hw", {"ann_a.py": QUEUE, "bob_b.py": QUEUE})
    content = written_by(run, "results", "check", "hw", "--name-pattern", pattern, *CHECK)
    assert content["options"]["name_pattern"] == pattern


def test_results_without_names(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {**moodle_export(), "Dan_1_assignsubmission_file/a.py": QUEUE})
    content = written_by(run, "results", "check", "hw", "--anonymize", "key.csv", *CHECK)
    assert content["anonymous"] is True
    assert "inputs" not in content


def test_results_with_a_baseline_and_a_review(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "bob.py": QUEUE_RENAMED, "cy.py": QUEUE})
    run("check", "hw", "--no-html", "-q", "--json", "r.json")
    assert run("baseline", "update", "b.json", "r.json").code == 0
    pair = mosslite.check(tmp_path / "hw").pairs[0]
    mark = Mark(
        pair.left.name, pair.right.name, pair_code(pair), "todo", "", "", "2026-11-21T09:30:00Z"
    )
    (tmp_path / "m.json").write_text(review_text([mark]), encoding="utf-8")

    content = written_by(
        run, "results", "check", "hw", "--baseline", "b.json", "--review", "m.json", *CHECK
    )

    assert {each["baseline"] for each in content["pairs"]} == {"unchanged"}
    assert content["pairs"][0]["review"]["state"] == "todo"
    require_types(schema_of("results", run), content)


@needs_git
def test_results_of_repositories(run: Run, tmp_path: Path) -> None:
    for name, text in (("ann", QUEUE), ("bob", QUEUE_RENAMED)):
        work = repository(tmp_path / "hw" / name)
        for part in (text[: len(text) // 2], text):
            commit(work, {"main.py": part}, "1970-01-01 12:00:00 +0000", HOSTILE)
    write_files(tmp_path / "hw", {"ann/main.py": QUEUE, "cy/main.py": QUEUE})

    content = written_by(run, "results", "check", "hw", *CHECK)

    assert any("repositories" in each for each in content["pairs"])
    assert any("first_commits" in match for each in content["pairs"] for match in each["matches"])
    require_types(schema_of("results", run), content)


def test_results_of_hostile_files(run: Run, tmp_path: Path) -> None:
    hidden = QUEUE.replace("limit", "l\u0456mit\u200b").replace("full", HOSTILE)
    write_files(tmp_path / "hw", {f"{HOSTILE.replace('/', '')}.py": hidden, "=1+1.py": hidden})
    (tmp_path / "hw" / "bad\n.py").write_bytes(b"\x00\xff\xfe")
    (tmp_path / "hw" / "empty.py").touch()

    content = written_by(run, "results", "check", "hw", *CHECK)

    assert any(each.get("disguises") for each in content["submissions"])
    assert content["skipped"]
    require_types(schema_of("results", run), content)


def test_results_of_a_notebook_tell_cells(run: Run, tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": text, "metadata": {}} for text in (PRIMES, QUEUE)]
    notebook = json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}})
    write_files(tmp_path / "hw", {"ann.ipynb": notebook, "bob.ipynb": notebook})

    content = written_by(run, "results", "check", "hw", *CHECK)

    assert "cell" in content["pairs"][0]["matches"][0]["left"]["first_place"]
    require_types(schema_of("results", run), content)


def test_results_from_a_file_of_options(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann.py": QUEUE, "bob.py": QUEUE})
    write_files(tmp_path, {"mosslite.toml": "max-sharing = 5\nshow = 0\n"})
    content = written_by(run, "results", "check", "hw", "--config", "mosslite.toml", *CHECK)
    assert content["options"]["config"]


# --- what other programs found -------------------------------------------------------------------


def test_imported_results_of_jplag(run: Run, tmp_path: Path) -> None:
    written(tmp_path / "r", JPLAG)
    content = written_by(run, "results", "import-jplag", "r")
    assert {each["score"] for each in content["pairs"]} == {None}


def test_imported_results_of_dolos(run: Run, tmp_path: Path) -> None:
    written(tmp_path / "r", DOLOS)
    assert written_by(run, "results", "import-dolos", "r")["source"]["program"] == "dolos"


def test_imported_results_of_moss(run: Run, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(INDEX, encoding="utf-8")
    assert written_by(run, "results", "import-moss", "index.html")["pairs"]


def test_results_that_were_not_imported_have_scores(run: Run, examples: dict[str, Any]) -> None:
    schema, results = schema_of("results", run), examples["results"]
    results["pairs"][0]["score"] = None
    assert complaints(schema, results)


# --- the others ----------------------------------------------------------------------------------


def test_a_course_of_imports_and_of_results_that_do_not_fit(run: Run, tmp_path: Path) -> None:
    written(tmp_path / "r", DOLOS)
    (tmp_path / "1.json").write_text(run("import-dolos", "r").out, encoding="utf-8")
    write_files(tmp_path / "hw", {"ada.py": QUEUE, "ben.py": QUEUE, f"x{HOSTILE[-1]}.py": PRIMES})
    assert run("check", "hw", "--no-html", "-q", "--json", "2.json").code == 0
    assert run("course", "1.json", "2.json", "--json", "c.json").code == 0

    content = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))

    assert complaints(schema_of("course", run), content) == []
    assert content["not_joined"]


def test_an_archive_without_texts(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {"ann.py": QUEUE, f"b{HOSTILE[-1]}.py": PRIMES})
    assert run(*ADD, "hw", "--no-text").code == 0
    content = written_by(run, "archive", "archive", "export", "a.mosslite", "-")
    assert content["submissions"][0]["files"][0]["text"] is None
