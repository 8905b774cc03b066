"""The laws: each says of some real files of a language how far it holds for each of them."""

import io
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from mosslite.records import Report
from tests.laws.arrangement import cut_in_three, in_front, reordered
from tests.laws.comparing import (
    NOTHING,
    SHOWN_FOR_EACH,
    Compared,
    Content,
    by_names,
    compare,
    compared,
    run,
    write,
    write_pairs,
)
from tests.laws.edits import (
    BLOCK_MARKS,
    blank_lines,
    deeper,
    renamed,
    with_asides,
    with_comments,
    without_comments,
)
from tests.laws.files import RealFile
from tests.laws.unrelated import copies_behind_base, own_code_kept, unrelated

Held = Iterator[tuple["RealFile", float]]
"""Files, and how far a law holds for each: 1 is to the letter."""


def _next(files: Sequence[RealFile], _: str) -> Mapping[RealFile, RealFile]:
    return dict(_neighbours(files))


class Law(NamedTuple):
    """A law.

    Attributes:
        least: What has to hold for each file.
        holds: Of files of a language, how far it does.
        beside: Returns the file that each is compared with, if any; the next.
    """

    least: float
    holds: Callable[[Sequence[RealFile], str], Held]
    beside: Callable[[Sequence[RealFile], str], Mapping[RealFile, RealFile]] = _next


def _identity(files: Sequence[RealFile], _: str) -> Held:
    pairs: list[tuple[Content, Content]] = [(each.text, each.text) for each in files]
    for file, pair in zip(files, compare(pairs, files[0].suffix), strict=True):
        yield file, min(pair.left, pair.right, pair.both, pair.score)


def _edited(edit: Callable[[str, str], Content]) -> Callable[[Sequence[RealFile], str], Held]:
    """Return the law that a file is equal to itself after an edit."""

    def holds(files: Sequence[RealFile], language: str) -> Held:
        edited = [(each, edit(each.text, language)) for each in files]
        edited = [(each, content) for each, content in edited if content not in {"", b""}]
        found = compare([(each.text, content) for each, content in edited], files[0].suffix)
        for (file, _), pair in zip(edited, found, strict=True):
            yield file, pair.both

    return holds


def _encoded(encoding: str) -> Callable[[Sequence[RealFile], str], Held]:
    """Return the law that a file's encoding does not matter, where it can be encoded so."""

    def encode(text: str, _: str) -> bytes:
        try:
            return text.encode(encoding)
        except UnicodeEncodeError:
            return b""

    return _edited(encode)


def _line_ends(line_end: str) -> Callable[[str, str], bytes]:
    return lambda text, _: text.replace("\n", line_end).encode()


def _in_front(files: Sequence[RealFile], language: str) -> Held:
    pairs = [(a.text, in_front(a.text, b.text, language)) for a, b in _neighbours(files)]
    for file, pair in zip(files, compare(pairs, files[0].suffix), strict=True):
        yield file, pair.left


def _behind(files: Sequence[RealFile], language: str) -> Held:
    pairs = [(a.text, in_front(b.text, a.text, language)) for a, b in _neighbours(files)]
    for file, pair in zip(files, compare(pairs, files[0].suffix), strict=True):
        yield file, pair.left


def _amid(files: Sequence[RealFile], language: str) -> Held:
    """Hold that comments amid lines do not matter, in languages that have any."""
    if language in BLOCK_MARKS:
        yield from _edited(with_asides)(files, language)


def _reordered(files: Sequence[RealFile], language: str) -> Held:
    pairs = [(each, reordered(each.text, language)) for each in files]
    pairs = [(each, text) for each, text in pairs if text != each.text]
    found = compare([(each.text, text) for each, text in pairs], files[0].suffix)
    for (file, _), pair in zip(pairs, found, strict=True):
        yield file, pair.both


def _in_three(files: Sequence[RealFile], language: str) -> Held:
    parts = [(each, cut_in_three(each.text, language)) for each in files]
    parts = [(each, three) for each, three in parts if len(three) == 3]
    pairs: list[tuple[Content, Content]] = [
        ({"whole": each.text}, dict(zip(("x", "y", "z"), three, strict=True)))
        for each, three in parts
    ]
    for (file, _), pair in zip(parts, compare(pairs, files[0].suffix), strict=True):
        yield file, pair.both


def _packed(files: Sequence[RealFile], _: str) -> Held:
    """Hold that a folder, a zip and a tar archive of the same files are the same."""
    batches = [files[at : at + 3] for at in range(0, len(files) - 2, 3)]
    suffix = files[0].suffix
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for number, batch in enumerate(batches):
            named = {f"file{at}": each.text for at, each in enumerate(batch)}
            write(folder, f"a{number:03}", named, suffix)
            write(folder, f"b{number:03}", _zipped(named, suffix), ".zip")
            write(folder, f"c{number:03}", _tarred(named, suffix), ".tar.gz")
        found = by_names(run([scratch], show=SHOWN_FOR_EACH * len(files)))
    for number, batch in enumerate(batches):
        names = [(f"a{number:03}", f"{kind}{number:03}") for kind in "bc"]
        yield batch[0], min(found.get(each, NOTHING).score for each in names)


def _zipped(files: dict[str, str], suffix: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"{name}{suffix}", text)
    return buffer.getvalue()


def _tarred(files: dict[str, str], suffix: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"{name}{suffix}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return buffer.getvalue()


def _swapped(files: Sequence[RealFile], language: str) -> Held:
    """Hold that it does not matter which submission comes first."""
    pairs = _partial_copies(files, language)
    there = compare(pairs, files[0].suffix)
    back = compare([(right, left) for left, right in pairs], files[0].suffix)
    for file, one, other in zip(files, there, back, strict=True):
        yield file, float(_similarities(one) == _similarities(other.swapped))


def _one_more(files: Sequence[RealFile], language: str) -> Held:
    """Hold that a further submission changes no similarity and no match of others."""
    *files, other = files
    with tempfile.TemporaryDirectory() as scratch:
        write_pairs(Path(scratch), _partial_copies(files, language), other.suffix)
        alone = _run_all(scratch, files)
        write(Path(scratch), "other", other.text, other.suffix)
        found = by_names(_run_all(scratch, files))
    before = by_names(alone)
    for number, file in enumerate(files):
        own = [names for names in before if names[0] == f"a{number:03}" and names in found]
        are_same = [_without_score(before[each]) == _without_score(found[each]) for each in own]
        yield file, sum(are_same) / len(are_same) if are_same else 0.0


def _how_many(files: Sequence[RealFile], language: str) -> Held:
    """Hold that how many pairs are shown changes nothing of those that are."""
    files = files[:12]  # all pairs of more are many
    with tempfile.TemporaryDirectory() as scratch:
        write_pairs(Path(scratch), _partial_copies(files, language), files[0].suffix)
        every = by_names(run([scratch], show=0))
        some = [by_names(run([scratch], show=show)) for show in (len(files) // 2, 250)]
    for number, file in enumerate(files):
        own = [each for each in every if each[0] == f"a{number:03}"]
        shown = [(each, shown[each]) for each in own for shown in some if each in shown]
        yield file, float(all(every[each] == pair for each, pair in shown) and bool(shown))


def _prior(files: Sequence[RealFile], language: str) -> Held:
    """Hold that a pair is as similar where one of it is of an earlier term."""
    pairs = _partial_copies(files, language)
    now = compare(pairs, files[0].suffix)
    with tempfile.TemporaryDirectory() as scratch:
        for number, (left, right) in enumerate(pairs):
            write(Path(scratch, "earlier"), f"a{number:03}", left, files[0].suffix)
            write(Path(scratch, "now"), f"b{number:03}", right, files[0].suffix)
        report = run(
            [f"{scratch}/now"], prior=[f"{scratch}/earlier"], show=SHOWN_FOR_EACH * len(pairs)
        )
    for file, one, other in zip(files, now, _of_roles(report, len(pairs)), strict=True):
        yield file, float(_similarities(one) == _similarities(other) != _similarities(NOTHING))


def _of_roles(report: Report, count: int) -> list[Compared]:
    """Return the pairs that were written, in whose names the roles stand before."""
    found = {(left[-4:], right[-4:]): pair for (left, right), pair in by_names(report).items()}
    return [found.get((f"a{number:03}", f"b{number:03}"), NOTHING) for number in range(count)]


def _shorter_passages(files: Sequence[RealFile], language: str) -> Held:
    """Hold that a smaller k never finds less."""
    with tempfile.TemporaryDirectory() as scratch:
        write_pairs(Path(scratch), _partial_copies(files, language), files[0].suffix)
        found = [
            compared(run([scratch], show=SHOWN_FOR_EACH * len(files), noise=noise), len(files))
            for noise in (24, 16, 12, 8)
        ]
    for file, *sizes in zip(files, *found, strict=True):
        tokens = [each.tokens for each in sizes]
        yield file, float(tokens == sorted(tokens) and tokens[-1] > 0)


def _neighbours(files: Sequence[RealFile]) -> Iterator[tuple[RealFile, RealFile]]:
    return zip(files, [*files[1:], files[0]], strict=True)


def _partial_copies(files: Sequence[RealFile], language: str) -> list[tuple[Content, Content]]:
    """Return each file with one that has it in another order, and more."""
    return [
        (a.text, in_front(reordered(a.text, language), b.text, language))
        for a, b in _neighbours(files)
    ]


def _run_all(scratch: str, files: Sequence[RealFile]) -> Report:
    return run([scratch], show=SHOWN_FOR_EACH * len(files))


def _similarities(pair: Compared) -> tuple[float, ...]:
    return pair.left, pair.right, pair.both, pair.tokens


def _without_score(pair: Compared) -> tuple[object, ...]:
    return *_similarities(pair), pair.matches


BASE_CODE: Final = "unrelated base code"
BASE_AND_COPY: Final = "a copy behind it"

# What is lost where a file is cut is shorter than a passage of k tokens.
_CUT: Final = 0.95

LAWS: Final = {
    "identity": Law(1.0, _identity),
    "in front of another": Law(1.0, _in_front),
    "behind another": Law(1.0, _behind),
    "CR LF": Law(1.0, _edited(_line_ends("\r\n"))),
    "CR": Law(1.0, _edited(_line_ends("\r"))),
    "UTF-8 with a mark": Law(1.0, _encoded("utf-8-sig")),
    "UTF-16": Law(1.0, _encoded("utf-16")),
    "Windows-1252": Law(1.0, _encoded("cp1252")),
    "indentation": Law(1.0, _edited(deeper)),
    "blank lines": Law(1.0, _edited(blank_lines)),
    "comments in": Law(1.0, _edited(with_comments)),
    "comments amid lines": Law(1.0, _amid),
    "comments out": Law(1.0, _edited(without_comments)),
    "names": Law(1.0, _edited(renamed)),
    "functions reordered": Law(_CUT, _reordered),
    "cut into three": Law(_CUT, _in_three),
    "folder, zip, tar": Law(1.0, _packed),
    "left and right": Law(1.0, _swapped),
    "one more": Law(1.0, _one_more),
    "-n": Law(1.0, _how_many),
    "--prior": Law(1.0, _prior),
    "-k": Law(1.0, _shorter_passages),
    BASE_CODE: Law(0.9, own_code_kept, unrelated),
    BASE_AND_COPY: Law(0.95, copies_behind_base, unrelated),
}
