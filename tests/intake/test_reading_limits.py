"""The cost of one student's files affects that student only, and is reported everywhere."""

import bz2
import csv
import gzip
import io
import json
import lzma
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mosslite.frontends.selection import gather
from mosslite.intake.archives import batch_entries
from mosslite.intake.entries import Entry
from mosslite.options import Intake, Limits, Options
from mosslite.records import Batch, Inputs, over_limits
from tests.archives import no_rule, tar_header, tar_of, zip_of
from tests.batches import hand_in
from tests.conftest import ADD, Run
from tests.exports import (
    EXPORTS,
    STUDENTS,
    Student,
    canvas_export,
)
from tests.programs import PRIMES, QUEUE, WORDS, write_files
from tests.tables import table

Files = Mapping[str, str] | Mapping[str, str | bytes]

MIB = 1 << 20


def mallory(files: Mapping[str, str]) -> Student:
    # Between the others in each order.
    return Student("Mal", "Ory", 340935_5, files)


def honest(batch: Batch) -> dict[str, int]:
    """Return the number of files of everybody but one."""
    return {each.name: len(each.files) for each in batch.submissions if not is_mallory(each.name)}


def is_mallory(name: str) -> bool:
    return re.search(r"mal.?ory|orym|3409355", name.casefold()) is not None


def gathered(path: Path, limits: Limits, layout: str = "auto") -> Batch:
    return gather(Inputs((str(path),)), Options(intake=Intake(layout, limits=limits)))


def in_container(container: str, folder: Path, files: Files) -> Path:
    """Write files as an archive with this suffix, in another one, or in a folder."""
    if container == "zip in a zip":
        files = {"export.zip": zip_of(files), "__MACOSX/x": b""}
    if container == "zip in a folder":
        hand_in(folder / "hw/export.zip", files)
    is_folder = container in {"folder", "zip in a folder"}
    path = folder / ("hw" if is_folder else f"hw.{container.partition(' ')[0]}")
    return path if container == "zip in a folder" else Path(hand_in(path, files))


# What exceeds each limit, and is not one file.
MANY = {f"m{number:03}.py": "m = 1\n" for number in range(150)}
LARGE = {f"m{number}.py": f"{number} " + "m" * 9_000 for number in range(30)}
TOO_MUCH = {
    "--max-members": (MANY, Limits(members=100)),
    "--max-unpacked": (LARGE, Limits(unpacked=100_000)),
    "--max-file-size": ({"m.py": "m" * 5000}, Limits(file=4000)),
}


@table("layout", "container")
@pytest.mark.parametrize("option", TOO_MUCH)
def test_who_exceeds_a_limit_is_alone_in_that(
    layout: str, container: str, option: str, tmp_path: Path
) -> None:
    export, (files, limits) = EXPORTS[layout], TOO_MUCH[option]
    (tmp_path / "alone").mkdir()
    students = [STUDENTS[0], mallory(files), *STUDENTS[1:]]
    asked = "dolos" if layout == "dolos" else "auto"
    alone = gathered(in_container("zip", tmp_path / "alone", export(STUDENTS)), Limits(), asked)

    batch = gathered(in_container(container, tmp_path, export(students)), limits, asked)

    assert honest(batch) == {each.name: len(each.files) for each in alone.submissions}
    (left_out,) = over_limits(batch.skipped)
    assert is_mallory(left_out)
    assert {each.limit for each in batch.skipped if each.limit} == {option}


@pytest.mark.parametrize(
    "container", ["zip", "tar", "tar.gz", "tar.bz2", "7z", "tar.xz", "zip in a zip"]
)
@pytest.mark.parametrize("option", ["--max-members", "--max-unpacked"])
def test_files_that_are_read_whatever_they_are_called_are_counted_as_any_other(
    container: str, option: str, tmp_path: Path
) -> None:
    files, limits = TOO_MUCH[option]
    called = {f"mallory/{name.replace('.py', '.png')}": text for name, text in files.items()}
    others = {f"{name}/a.png": f"print('{name}')\n" for name in ("ann", "bob", "zoe")}

    batch = gathered(in_container(container, tmp_path, others | called), limits)

    assert honest(batch) == {"ann": 1, "bob": 1, "zoe": 1}
    assert over_limits(batch.skipped) == ("mallory",)
    assert {each.limit for each in batch.skipped if each.limit} == {option}


def nested(content: bytes, depth: int) -> bytes:
    for _ in range(depth):
        content = zip_of({"in.zip": content})
    return content


BOMBS: dict[str, Callable[[], bytes]] = {
    "a zip bomb": lambda: zip_of({f"{n}.py": bytes([97 + n]) * 4 * MIB for n in range(6)}),
    "a zip of a file of zeros": lambda: zip_of({"a.py": bytes(40 * MIB)}),
    "a tar bomb": lambda: tar_of({f"{n}.py": b"m" * 4 * MIB for n in range(6)}, "w:gz"),
    "zips in a zip": lambda: zip_of(
        {
            f"{number}.zip": zip_of({f"{n}.py": b"m" * 3 * MIB for n in range(4)})
            for number in range(4)
        }
    ),
    "a gz bomb": lambda: gzip.compress(bytes(40 * MIB)),
    "a bz2 bomb": lambda: bz2.compress(bytes(40 * MIB)),
    "an xz bomb": lambda: lzma.compress(bytes(40 * MIB)),
    "a zip of too many files": lambda: zip_of({f"{n}.py": b"" for n in range(150)}),
    "zips too deep": lambda: nested(zip_of({"a.py": b"m = 1"}), 4),
}


@cache
def bomb_of(kind: str) -> bytes:
    return BOMBS[kind]()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("layout", "container"),
    [("canvas", "tar.gz"), ("moodle", "folder"), ("plain", "zip in a zip")],
)
@pytest.mark.parametrize("bomb", BOMBS)
def test_an_archive_that_is_a_bomb_costs_only_who_handed_it_in(
    bomb: str, layout: str, container: str, tmp_path: Path
) -> None:
    content = bomb_of(bomb)
    students = [STUDENTS[0], mallory({"bomb.py.gz": "bomb", "own.py": "m = 1\n"}), *STUDENTS[1:]]
    files: dict[str, str | bytes] = {
        name: content if text == "bomb" else text
        for name, text in EXPORTS[layout](students).items()
    }
    limits = Limits(members=100, depth=4 if container == "zip in a zip" else 3)

    batch = gathered(in_container(container, tmp_path, files), limits)

    (tmp_path / "alone").mkdir()
    alone = gathered(in_container("zip", tmp_path / "alone", EXPORTS[layout](STUDENTS)), Limits())
    assert honest(batch) == {each.name: len(each.files) for each in alone.submissions}
    (left_out,) = over_limits(batch.skipped)
    assert is_mallory(left_out)


@pytest.mark.parametrize("container", ["zip", "tar.gz", "7z"])
def test_files_that_pack_well_are_limited_for_each_submission(
    container: str, tmp_path: Path
) -> None:
    files = {f"m{n}.py": f"{n:04}" * (16 << 10) for n in range(300)}
    export = canvas_export([STUDENTS[0], mallory(files), *STUDENTS[1:]])

    batch = gathered(in_container(container, tmp_path, export), Limits())

    assert honest(batch) == {"smithbob": 2, "doeann": 1, "oharacy": 1}
    assert over_limits(batch.skipped) == ("orymal",)
    # Files of 64 KiB: 16 MiB are unpacked, and 12 MiB of those are read, as their texts count too.
    assert Counter(each.reason for each in batch.skipped) == {
        "is skipped, as its submission unpacks to more than 16 MiB and 100 times its size "
        "(--max-ratio)": 300 - 256,
        "is not read, as the submission is too large (--max-file-size)": 256 - 192,
    }


def test_who_needs_more_than_an_equal_share_has_what_others_leave() -> None:
    files = {"ann/a.py": 70, "ben/b.py": 10, "cy/c.py": 10, "di/d.py": 10}
    content = zip_of({name: b"x" * size for name, size in files.items()})

    def read(unpacked: int, members: int = 100) -> dict[str, str]:
        entries = batch_entries(
            Entry("a.zip", "a.zip", content),
            Limits(unpacked=unpacked, members=members),
            no_rule,
            lambda found: [each.name.split("/")[1] for each in found],
        )
        return {each.name: each.limit for each in entries}

    assert set(read(100).values()) == {""}
    assert {name for name, limit in read(99).items() if limit} == {"a.zip/ann/a.py"}
    assert {name for name, limit in read(40).items() if limit} == {"a.zip/ann/a.py"}
    assert set(read(39).values()) == {"--max-unpacked"}
    assert set(read(100, members=4).values()) == {""}
    assert set(read(100, members=3).values()) == {"--max-members"}


def test_whose_archive_needs_more_than_an_equal_part_of_the_rest_has_what_others_leave() -> None:
    sizes = {"ann/a.zip": 70_000, "ben/b.zip": 10_000, "cy/c.zip": 10_000, "di/d.zip": 10_000}
    content = zip_of({name: zip_of({"a.py": b"x" * size}) for name, size in sizes.items()})

    def over(unpacked: int) -> set[str]:
        entries = batch_entries(
            Entry("a.zip", "a.zip", content),
            Limits(unpacked=unpacked),
            no_rule,
            lambda found: [each.name.split("/")[1] for each in found],
        )
        assert {each.name.split("/")[1] for each in entries} == {"ann", "ben", "cy", "di"}
        return {each.name.split("/")[1] for each in entries if each.limit}

    assert over(102_000) == set()
    assert over(90_000) == {"ann"}
    assert over(45_000) == {"ann"}


@pytest.mark.parametrize("way", ["folder", "folders", "export"])
def test_one_who_hands_in_many_bombs_has_one_limit(way: str, tmp_path: Path) -> None:
    place = "orymal_340936_20849030" if way == "export" else "mal/"
    ann = "doeann_340935_20849029_a.py" if way == "export" else "ann/a.py"
    write_files(tmp_path / "hw", {ann: QUEUE, f"{place}9_own.py": PRIMES})
    for n in range(6):
        text = (b"x = %d" % n).ljust(55) + b"\n"
        files = {f"a{number}.py": text * (1 << 10) for number in range(64)}
        (tmp_path / f"hw/{place}{n}_{n}.zip").write_bytes(zip_of(files))
    hw = tmp_path / "hw"

    batch = gather(Inputs(tuple(map(str, hw.iterdir() if way == "folders" else [hw]))), Options())

    (left_out,) = over_limits(batch.skipped)
    assert is_mallory(left_out) or left_out.endswith("mal")
    counts = [len(each.files) for each in batch.submissions]
    # Files of 56 KiB, whose texts count too: the last one read is the first to reach the limit.
    assert counts == [1, 1 + (24 * MIB) // (2 * 56 * (1 << 10))]


def test_what_lies_behind_too_much_of_a_stream_is_said_to_be_missing() -> None:
    content = gzip.compress(tar_header(b"big.py", size=3 << 30) + bytes(MIB))

    archive = Entry("hw.tgz", "hw.tgz", content)
    rest, big = batch_entries(archive, Limits(), no_rule, lambda some: [each.name for each in some])

    assert (big.name, big.limit) == ("hw.tgz/big.py", "--max-ratio")
    assert (rest.name, rest.limit) == ("hw.tgz", "--max-unpacked")
    assert rest.obstacle == "unpacks to more than 2,147,483,648 bytes in total (--max-unpacked)"


def test_what_exceeds_a_limit_and_would_not_be_compared_is_not_missed(tmp_path: Path) -> None:
    data = "1;2;3\n" * 200
    write_files(
        tmp_path,
        {"hw/ann/a.py": QUEUE, "hw/ann/data.csv": data, "hw/ann/data.bin2": data}
        | {"hw/bob/b.py": WORDS, "hw/cy/essay.txt": data, "hw/cy/c.txt": "c", "hw/di.py": data},
    )

    batch = gathered(tmp_path / "hw", Limits(file=1000))

    assert over_limits(batch.skipped) == ("cy", "di.py")
    intake = Intake(limits=Limits(file=1000), patterns=("essay.txt", "di.py"))
    excluded = gather(Inputs((str(tmp_path / "hw"),)), Options(intake=intake))
    assert over_limits(excluded.skipped) == ()


# Reports


@pytest.fixture
def export(tmp_path: Path) -> str:
    """An export of four, of whom two have handed in too much; nobody has copied."""
    students = [
        Student("Ann", "Doe", 340935, {"hw.py": QUEUE}),
        Student("Bob", "Smith", 340934, {"hw.py": WORDS}),
        Student("Mal", "Ory", 340936, {"hw.py": PRIMES, "filler.py": "m" * 5000}),
        Student("Una", "Lost", 340937, {"all.py": "u" * 5000}),
    ]
    files = {name: text.encode() for name, text in canvas_export(students).items()}
    (tmp_path / "export.zip").write_bytes(zip_of(files))
    return "export.zip"


LIMITED = ("--max-file-size", "4000", "--no-html")
MISSING = "2 submissions only in part (limit reached)"


def test_the_last_line_says_that_a_limit_left_something_out(run: Run, export: str) -> None:
    out = run("check", export, *LIMITED).out
    listed = run("check", export, *LIMITED, "--list").out
    added = run(*ADD, export, *LIMITED[:2]).out

    assert MISSING in out.splitlines()[-1]
    assert MISSING in listed.splitlines()[-1]
    assert MISSING in added.splitlines()[-1]
    warning = "warning: not compared in full, because of --max-file-size: "
    assert f"{warning}lostuna, orymal\n" in out
    assert "limit" not in run("check", export, "--no-html").out


def test_a_gate_does_not_pass_what_was_not_compared(run: Run, export: str) -> None:
    gated = run("check", export, *LIMITED, "--fail-above", "100")

    assert gated.code == 1
    assert (
        f"--fail-above 100: 0 pairs at or above score 1, {MISSING}, 1 student not compared\n"
        in gated.out
    )
    assert run("check", export, *LIMITED).code == 0
    assert run("check", export, "--no-html", "--fail-above", "100").code == 0


@pytest.mark.parametrize("anonymize", [False, True])
@pytest.mark.parametrize("fail_above", [(), ("--fail-above", "100")])
def test_every_result_tells_what_a_limit_left_out(
    run: Run, export: str, tmp_path: Path, fail_above: tuple[str, ...], anonymize: bool
) -> None:
    results = ("json", "csv", "sarif", "junit", "markdown")
    outputs = [word for name in results for word in (f"--{name}", f"results.{name}")]
    hidden = ("--anonymize", "key.csv") if anonymize else ()
    run("check", export, *LIMITED[:2], *outputs, *fail_above, *hidden, "-o", "report")
    texts = {each: (tmp_path / f"results.{each}").read_text("utf-8") for each in results}
    paths = ["path 1.py", "path 2.py"] if anonymize else PATHS
    reason = "is larger than 4,000 bytes (--max-file-size)"

    skipped = json.loads(texts["json"])["skipped"]
    assert [(each["path"], each["reason"], each["limit"]) for each in skipped] == [
        (path, reason, "--max-file-size") for path in paths
    ]
    assert len({each["submission"] for each in skipped}) == 2
    rows = csv.DictReader(io.StringIO(texts["csv"]))
    assert [row["left"] for row in rows if row["skipped"] == reason] == paths
    (sarif,) = json.loads(texts["sarif"])["runs"]
    notes = sarif["invocations"][0]["toolExecutionNotifications"]
    assert sum(note["level"] == "error" for note in notes) == 3  # one has no other file
    cases = ET.fromstring(texts["junit"]).iter("testcase")  # noqa: S314 - it is our own
    tags = {each.get("name"): [inside.tag for inside in each] for each in cases}
    assert [tags[path] for path in paths] == [["failure"] if fail_above else ["skipped"]] * 2
    page = (tmp_path / "report/index.html").read_text("utf-8")
    for text in (texts["markdown"], page):
        assert MISSING in text
        assert all(path in text for path in paths)
    if anonymize:
        everything = "".join(texts.values()) + page
        assert re.search("lostuna|orymal|filler|all.py", everything) is None


PATHS = [
    "export.zip/lostuna_340937_208490289_all.py",
    "export.zip/orymal_340936_208490288_filler.py",
]


def test_what_a_limit_left_out_is_shown_before_all_else_that_was_skipped(
    run: Run, tmp_path: Path
) -> None:
    empty = {f"hw/mal/{number:02}.py": "" for number in range(40)}
    write_files(tmp_path, {"hw/ann.py": QUEUE, "hw/bob.py": WORDS, "hw/zoe.py": "z" * 9000} | empty)

    outcome = run("check", "hw", *LIMITED, "--markdown", "out.md")

    assert "skipped: hw/zoe.py is larger than 4,000 bytes" in outcome.out
    assert "hw/zoe.py" in (tmp_path / "out.md").read_text("utf-8")
