import bz2
import gzip
import lzma
import tarfile
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.options import Limits
from mosslite.reasons import Reason
from tests.archives import RawMember, entries_of, raw_zip, seven_zip_of, tar_of, zip_of
from tests.builders import LAW

SMALL = Limits(file=300, unpacked=2000, members=20, depth=2)
FILES = {"main.py": b"print(1)\n" * 20, "src/a.py": b"a", "src/b.zip": zip_of({"c.py": b"c"})}


PACKERS: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "zip": zip_of,
    "pax": tar_of,
    "gnu": lambda files: tar_of(files, form=tarfile.GNU_FORMAT),
    "gz": lambda files: gzip.compress(tar_of(files), mtime=0),
    "bz2": lambda files: bz2.compress(tar_of(files)),
    "xz": lambda files: lzma.compress(tar_of(files)),
    "7z": seven_zip_of,
}


@cache
def example(kind: str) -> bytes:
    """Return an archive, always the same although some note the time."""
    return PACKERS[kind](FILES)


names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)
contents = st.binary(max_size=400) | st.integers(0, 3000).map(bytes)


def check(content: bytes, limits: Limits = SMALL) -> None:
    """Require what holds for whatever is read: names of their own, and no more than allowed."""
    entries = entries_of(content, "a.tar", limits=limits)

    assert entries
    assert [entry.name for entry in entries] == sorted({entry.name for entry in entries})
    total = 0
    for entry in entries:
        assert isinstance(entry.content, bytes)
        assert not (entry.obstacle and entry.content)
        assert len(entry.content) <= limits.file
        assert entry.name.encode() == entry.path.encode().removeprefix(b"hw/")
        assert len(f"{entry.name} {entry.obstacle}".splitlines()) == 1
        total += len(entry.content)
    assert total <= limits.unpacked


@LAW
@given(st.sampled_from(sorted(PACKERS)), st.binary(max_size=600))
def test_any_bytes_give_entries(kind: str, rest: bytes) -> None:
    magic = PACKERS[kind]({})[:8]

    check(magic + rest)
    check(rest)


@LAW
@given(st.sampled_from(sorted(PACKERS)), st.data())
def test_any_change_to_an_archive_gives_entries(kind: str, data: st.DataObject) -> None:
    content = bytearray(example(kind))
    places = st.integers(0, len(content) - 1)
    for place, value in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), max_size=8)):
        content[place] = value
    start, stop = sorted(data.draw(st.tuples(places, places)))
    if data.draw(st.booleans()):
        del content[start:stop]

    check(bytes(content))


@LAW
@given(st.sampled_from(["zip", "pax", "gnu", "gz"]), st.dictionaries(names, contents, max_size=8))
def test_every_member_comes_out_once(kind: str, files: dict[str, bytes]) -> None:
    members = {name: content for name, content in files.items() if not name.endswith(("/", "\\"))}
    limits = Limits(file=300)

    entries = entries_of(PACKERS[kind](members), "a.tar", limits=limits)

    found = [entry for entry in entries if entry.name != "a.tar"]
    read = [entry.content for entry in found if not entry.obstacle]
    assert len(found) == len(members)
    assert all(content in members.values() for content in read)


@LAW
@given(st.lists(st.tuples(st.binary(max_size=12), contents), max_size=8), st.booleans())
def test_every_member_of_whatever_name_comes_out_once(
    members: list[tuple[bytes, bytes]], is_ignored: bool
) -> None:
    def rule(name: str) -> tuple[str, Reason] | None:
        return (name, Reason.HIDDEN) if is_ignored and len(name) % 2 else None

    content = raw_zip(*(RawMember(name, content) for name, content in members))
    entries = entries_of(content, limits=Limits(file=300), rule=rule)

    folders = [name for name, content in members if name.endswith((b"/", b"\\")) and not content]
    ignored = [entry for entry in entries if entry.is_ignored]
    others = [entry for entry in entries if not entry.is_ignored and entry.name != "a.zip"]
    reasons = {Reason.HIDDEN.value, Reason.HIDDEN_PROGRAM.value, Reason.NO_FILES.value}
    assert {entry.obstacle for entry in ignored} <= reasons
    if not is_ignored:
        assert len(others) >= len(members) - len(folders)
    # A folder is told of only where its path leads out, or nothing is in it.
    assert len(others) + len(ignored) <= len(members)


@pytest.mark.slow
@LAW
@given(
    st.sampled_from(sorted(PACKERS)),
    st.lists(contents, max_size=10),
    st.integers(1, 5000),
    st.integers(1, 12),
)
def test_no_more_is_unpacked_or_counted_than_allowed(
    kind: str, files: list[bytes], unpacked: int, members: int
) -> None:
    content = PACKERS[kind]({f"{number}.py": each for number, each in enumerate(files)})
    limits = Limits(file=3000, unpacked=unpacked, members=members)

    check(content, limits)
    check(zip_of({"a.zip": content, "b.zip": content}), limits)
    entries = entries_of(content, limits=limits)
    assert len([entry for entry in entries if entry.name != "a.zip"]) <= members


@LAW
@given(st.sampled_from(sorted(PACKERS)), st.dictionaries(names, contents, max_size=5))
def test_two_readings_give_the_same(kind: str, files: dict[str, bytes]) -> None:
    content = example(kind) if kind == "7z" else PACKERS[kind](files)

    assert entries_of(content, limits=SMALL) == entries_of(content, limits=SMALL)
