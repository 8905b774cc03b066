"""Whole batches: nothing given is lost without a line, and nothing is written anywhere."""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from mosslite.errors import MossliteError
from mosslite.frontends.selection import gather
from mosslite.options import LAYOUTS, Intake, Limits, Options
from mosslite.records import Batch, Inputs
from tests.fuzz.folders import EMPTY, LINK, PIPE, files_in, marked, packed, snapshot, write, zip_of
from tests.fuzz.inputs import chosen, joined, parted, written
from tests.fuzz.layouts import exported
from tests.fuzz.running import fuzz

_FOLDERS: Final = ("hw", "hw1-submissions", "assignment_7_export", "submitted", "me50")
_PATTERNS: Final[tuple[tuple[str, ...], ...]] = ((), (), ("*.md",), ("!*.py", "b/"), ("*", "!a*"))
_NAME_PATTERNS: Final = (*(None,) * 6, r"(?P<name>[^/_]*)", r"(?P<name>.*)_(?P<attempt>[0-9]+)")
_LIMITS: Final = (
    Limits(file=100_000, unpacked=1_000_000, members=1_000),
    Limits(file=2_000, unpacked=10_000, members=20, depth=1),
)
_OUTSIDE: Final = "what lies outside of the batch"


def TestOneInput(data: bytes) -> None:  # noqa: N802 - as libFuzzer calls it
    """Require that everything given is read or reported.

    The numbers: how the batch is given, its name, its layout, and what to read.
    """
    content, (way, folder, layout, what, flags) = parted(data, 5)
    intake = Intake(
        layout=chosen(LAYOUTS, layout),
        name_pattern=chosen(_NAME_PATTERNS, layout // 16),
        all_attempts=bool(flags & 1),
        reads_ignored=bool(flags & 2),
        reads_markdown=bool(flags & 4),
        patterns=chosen(_PATTERNS, what // 2),
        limits=chosen(_LIMITS, what),
    )
    options = Options(intake=intake, directories=bool(flags & 8))
    with TemporaryDirectory() as place:
        outside = Path(place, "outside")
        outside.mkdir()
        (outside / "secret.py").write_text(_OUTSIDE)
        chosen(_WAYS, way)(content, Path(place, chosen(_FOLDERS, folder)), options)


def _as_folder(content: bytes, folder: Path, options: Options) -> None:
    """Return a folder of files that bear a mark each."""
    files = _marked(content)
    write(folder, packed(files), secret=folder.parent / "outside/secret.py")
    _check(_gathered(Inputs((str(folder),)), options, folder), files, f"{folder}/")


def _as_prior(content: bytes, folder: Path, options: Options) -> None:
    """Return a folder as what was handed in before."""
    files = _marked(content)
    write(folder, packed(files), secret=folder.parent / "outside/secret.py")
    given = Inputs((str(folder.parent / "outside/secret.py"),), prior=(str(folder),))
    batch = _gathered(given, options, folder)
    _check(batch, files, f"{folder}/", knows_secret=True)


def _as_zip(content: bytes, folder: Path, options: Options) -> None:
    """Return an archive of files that bear a mark each."""
    files = _marked(content)
    archive = folder.with_suffix(".zip")
    archive.write_bytes(zip_of(packed(files)))
    _check(_gathered(Inputs((str(archive),)), options, folder), files, f"{archive}/")


def _one_by_one(content: bytes, folder: Path, options: Options) -> None:
    """Return what is in a folder, each for itself."""
    # A link that the user names is followed.
    files = _marked(content.replace(LINK, b""))
    write(folder, packed(files), secret=folder.parent / "outside/secret.py")
    children = tuple(sorted(map(str, folder.iterdir())))
    _check(_gathered(Inputs(children), options, folder), files, f"{folder}/")


def _raw(content: bytes, folder: Path, options: Options) -> None:
    """Return files of any bytes; in a plain batch every child stands for a submission."""
    files = files_in(content)
    write(folder, packed(files), secret=folder.parent / "outside/secret.py")
    batch = _gathered(Inputs((str(folder),)), options, folder)
    if batch is None or options.intake.layout != "plain" or options.intake.name_pattern:
        return
    told = {each.path for each in (*batch.skipped, *batch.ignored)}
    told |= {f"{folder}/{each.hand_in.owner}" for each in batch.submissions}
    for child in {f"{folder}/{name.partition('/')[0]}" for name in files}:
        assert any(_is_at(path, child) for path in told), child


def _raw_archive(content: bytes, folder: Path, options: Options) -> None:
    """Return one file of any bytes."""
    archive = folder.with_suffix(".zip")
    archive.write_bytes(content)
    batch = _gathered(Inputs((str(archive),)), options, folder)
    assert batch is None or batch.submissions or batch.skipped


_WAYS: Final[tuple[Callable[[bytes, Path, Options], None], ...]] = (
    *(_as_folder, _as_zip, _one_by_one, _raw, _as_prior, _raw_archive, _as_folder, _as_zip),
)


def _marked(content: bytes) -> dict[str, bytes]:
    pairs = enumerate(files_in(content).items())
    return {name: marked(name, each, _mark(number)) for number, (name, each) in pairs}


def _mark(number: int) -> str:
    return f"mark{number}mark"


def _gathered(inputs: Inputs, options: Options, folder: Path) -> Batch | None:
    """Read a batch, if that is not refused, and require that nothing on disk changes."""
    before = snapshot(folder.parent)
    try:
        return gather(inputs, options)
    except MossliteError:
        return None
    finally:
        assert snapshot(folder.parent) == before


def _check(
    batch: Batch | None, files: Mapping[str, bytes], root: str, *, knows_secret: bool = False
) -> None:
    """Require each file to be read, or reported by a line of its own or of a folder around it.

    An empty folder may pass in silence, but not where it is all that somebody handed in.
    """
    if batch is None:
        return
    texts = [file.text for each in batch.submissions for file in each.files]
    assert knows_secret or _OUTSIDE not in texts
    text = "\n".join(texts)
    lines = [each.path for each in (*batch.skipped, *batch.ignored)]
    # In a zip file a pipe is a file, as for programs that know no modes.
    pipe = PIPE.decode()
    marks = {
        name: pipe if files[name] == PIPE else _mark(number) for number, name in enumerate(files)
    }
    read = {f"{root}{name}" for name, mark in marks.items() if mark in text}
    unread = {f"{root}{name}" for name, each in files.items() if each != EMPTY} - read
    lost = sorted(path for path in unread if not any(_is_at(path, line) for line in lines))
    # What lies beside code is told by the submission's name, and odd members by another one.
    others = [line for line in lines if not any(_is_at(f"{root}{name}", line) for name in files)]
    assert len(lost) <= len(others), lost
    for child in {f"{root}{name.partition('/')[0]}" for name in files}:
        told = any(_is_at(child, line) for line in lines)
        assert told or any(_is_at(path, child) for path in (*read, *lines, *lost)), child
    assert all(each.reason for each in (*batch.skipped, *batch.ignored))
    assert len({each.name for each in batch.submissions}) == len(batch.submissions)


def _is_at(path: str, place: str) -> bool:
    """Return whether a path is a place or below it."""
    return f"{path.rstrip('/')}/".startswith(f"{place.rstrip('/')}/")


def seeds() -> Iterator[bytes]:
    """Yield exports of platforms, and batches of everything else."""
    batches = [_ODD, _within("all", _ODD), *map(_encoded, exported())]
    for number, files in enumerate(batches):
        for way in sorted({0, number % 5}):
            yield written(joined(files.items()), way, number, 0, 0, number // 2)
        yield written(joined(_within("all.zip", files).items()), 0, 0, 0, 0, number)
    yield written(joined(_ODD.items()), 3, 0, 1, 0, 0)
    yield written(zip_of({"a.py": b"x = 1\n", "b/c.py": b"y = 2\n"}), 5, 0, 0, 0, 0)


def _within(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {f"{folder}/{name}": content for name, content in files.items()}


def _encoded(files: Mapping[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in files.items()}


_ODD: Final[dict[str, bytes]] = {
    "ann/a.py": b"x = 1\n",
    "ann/README.md": b"text",
    "ann/.git/config": b"a",
    "bob.zip/src/a.java": b"class A { }",
    "bob.zip/inner.tar/b.java": b"class B { }",
    "cy/n.ipynb": b"y = 2\n",
    "cy/p.html": b"<p>t<script>x</script>",
    "dan/empty": EMPTY,
    "eve": EMPTY,
    "fay/link.py": LINK,
    "gil": PIPE,
    "hal/a.min.js": b"a=1",
    ".hidden": b"a",
    "__MACOSX/a": b"a",
    "ida.py": b"\xff\xfe\0",
    "jo/.mosslite-report": b"",
}


if __name__ == "__main__":
    sys.exit(fuzz("batches", sys.argv[1:]))
