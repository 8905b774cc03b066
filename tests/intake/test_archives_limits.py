import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable

import pytest

from mosslite.intake.archives import budget_of
from mosslite.intake.members import Allowance, ExhaustedError
from mosslite.options import Limits
from mosslite.reasons import Reason
from tests.archives import RawMember, raw_tar, raw_zip, read, tar_header, tar_of, zip_of

MIB = 1 << 20
TOO_MUCH = "unpacks to more than 16 MiB and 100 times its size (--max-ratio)"


def test_a_file_may_be_as_large_as_the_limit() -> None:
    found = read(zip_of({"a.py": b"x" * 10, "b.py": b"x" * 11}), limits=Limits(file=10))

    assert found == {
        "a.zip/a.py": b"x" * 10,
        "a.zip/b.py": "is larger than 10 bytes (--max-file-size)",
    }


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_large_file_in_a_tar_file_leaves_the_others(mode: str) -> None:
    content = tar_of({"a.py": b"a", "big.py": b"x" * 5000, "c.py": b"c"}, mode)

    assert read(content, "a.tar", limits=Limits(file=4000)) == {
        "a.tar/a.py": b"a",
        "a.tar/big.py": "is larger than 4,000 bytes (--max-file-size)",
        "a.tar/c.py": b"c",
    }


def test_a_compressed_file_says_no_size_and_is_limited_nevertheless() -> None:
    found = read(gzip.compress(bytes(5000)), "main.py.gz", limits=Limits(file=4999))

    assert found == {"main.py.gz/main.py": "is larger than 4,999 bytes (--max-file-size)"}


def test_an_archive_in_an_archive_is_not_a_file_to_limit() -> None:
    inner = zip_of({"a.py": b"x" * 500}, zipfile.ZIP_STORED)

    assert read(zip_of({"ann.zip": inner}), limits=Limits(file=500)) == {
        "a.zip/ann.zip/a.py": b"x" * 500
    }


def test_a_size_beyond_all_limits_is_refused_before_a_byte_is_read() -> None:
    # What it holds would be damage if it were looked at.
    lie = RawMember(b"big.py", b"no deflate", method=9, size=1 << 31)
    member = RawMember(b"big.py", b"BZh9", method=zipfile.ZIP_BZIP2, size=1 << 31)

    assert read(raw_zip(RawMember(b"a.py", b"x"), member)) == {
        "a.zip/a.py": b"x",
        "a.zip/big.py": TOO_MUCH,
    }
    assert read(raw_zip(lie)) == {"a.zip/big.py": "uses an unsupported compression method"}


@pytest.mark.slow
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_small_files_that_are_too_much_together_end_the_archive(method: int) -> None:
    content = zip_of({f"{number:02}.py": bytes(4 * MIB) for number in range(10)}, method)

    assert read(content) == {
        **{f"a.zip/{number:02}.py": bytes(4 * MIB) for number in range(4)},
        "a.zip": TOO_MUCH,
    }


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_a_stream_is_counted_where_it_is_skipped_too(mode: str) -> None:
    content = tar_of({f"{number:02}.py": bytes(5 * MIB) for number in range(10)}, mode)

    found = read(content, "a.tar")

    large = "is larger than 4,194,304 bytes (--max-file-size)"
    assert found == {**{f"a.tar/{number:02}.py": large for number in range(4)}, "a.tar": TOO_MUCH}


def test_what_a_tar_file_passes_over_unpacked_costs_nothing() -> None:
    content = tar_of({f"{number:02}.py": bytes(5 * MIB) for number in range(10)})

    assert len(read(content, "a.tar", limits=Limits(unpacked=MIB))) == 10


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_stream_that_says_it_is_huge_is_not_unpacked(pack: Callable[[bytes], bytes]) -> None:
    content = pack(tar_header(b"big.py", size=10 << 30) + bytes(MIB))

    assert read(content, "a.tar") == {"a.tar/big.py": TOO_MUCH, "a.tar": TOO_MUCH}


def test_a_stream_that_goes_on_after_its_end_is_counted() -> None:
    content = gzip.compress(raw_tar(tar_header(b"a.py")) + bytes(20 * MIB))

    assert read(content, "a.tgz") == {"a.tgz/a.py": b"", "a.tgz": TOO_MUCH}


def test_the_limit_of_all_bytes_is_named_where_it_is_the_one() -> None:
    content = zip_of({"a.py": b"x" * 60, "b.py": b"x" * 60, "c.py": b"x" * 101})

    assert read(content, limits=Limits(unpacked=100)) == {
        "a.zip/a.py": b"x" * 60,
        "a.zip": "unpacks to more than 100 bytes (--max-unpacked)",
    }


def test_a_large_archive_is_held_to_its_ratio() -> None:
    budget = budget_of(Limits(ratio=2), 100 * MIB)

    assert budget.unpacked.most == 200 * MIB
    assert budget.unpacked.words == "unpacks to more than 2 times its size"


@pytest.mark.parametrize("make", [zip_of, tar_of])
def test_members_are_counted(make: Callable[[dict[str, bytes]], bytes]) -> None:
    content = make({f"{number}.py": b"x" for number in range(4)})

    assert len(read(content, limits=Limits(members=4))) == 4
    assert read(content, limits=Limits(members=3)) == {
        **{f"a.zip/{number}.py": b"x" for number in range(3)},
        "a.zip": "contains more than 3 files (--max-members)",
    }


def test_members_of_archives_in_archives_are_counted_with_them() -> None:
    content = zip_of({"a.zip": zip_of({"1": b"", "2": b"", "3": b""}), "b.py": b"b"})

    assert len(read(content, limits=Limits(members=5))) == 4
    assert sorted(read(content, limits=Limits(members=4))) == [
        *("a.zip/a.zip", "a.zip/a.zip/1", "a.zip/a.zip/2", "a.zip/b.py")
    ]


def test_an_archive_of_too_much_costs_no_file_beside_it_and_no_smaller_archive() -> None:
    many = zip_of({f"{number}.py": b"" for number in range(100)})
    content = zip_of({"1.zip": many, "2.zip": zip_of({"b.py": b"b"}), "a.py": b"a"})

    found = read(content, limits=Limits(members=50))

    assert found["a.zip/a.py"] == b"a"
    assert found["a.zip/2.zip/b.py"] == b"b"
    assert found["a.zip/1.zip"] == "contains more than 50 files (--max-members)"
    assert len(found) == 3 + 50 - 4


@pytest.mark.parametrize("bombs", [3, 300])
@pytest.mark.parametrize("pack", [zip_of, lambda files: tar_of(files, "w:gz")])
def test_archives_of_too_much_leave_as_much_as_one_after_them_can_need(
    pack: Callable[[dict[str, bytes]], bytes], bombs: int
) -> None:
    code = "".join(f"print({number * number})\n" for number in range(500)).encode()
    bomb = bz2.compress(bytes(50 * MIB))
    files = {f"{number}.tar.bz2": bomb for number in range(bombs)}

    found = read(zip_of({**files, "real.zip": pack({"main.py": code})}))

    assert found.pop("a.zip/real.zip/main.py") == code
    assert len(found) == bombs
    assert all("unpacks to more than" in str(reason) for reason in found.values())


def test_archives_of_too_many_files_leave_some_for_one_after_them() -> None:
    many = tar_of({f"{number}.py": b"" for number in range(20_000)}, "w:bz2")
    real = zip_of({"main.py": zlib.compress(many) * 9})

    found = read(zip_of({"1.tbz2": many, "2.tbz2": many, "real.zip": real}))

    assert "a.zip/real.zip/main.py" in found
    assert "contains more than" in str(found["a.zip/2.tbz2"])


def test_after_so_many_archives_of_too_much_no_other_is_opened() -> None:
    bomb, inner = bz2.compress(bytes(MIB)), zip_of({"a.py": b"x"}, zipfile.ZIP_STORED)
    content = zip_of({f"{number}.tbz2": bomb for number in range(1100)})

    reasons = list(read(zip_of({"1.zip": content, "b.py": b"y"})).values())

    left_out = "is left out after 1,000 archives that unpack to too much (--max-ratio)"
    assert b"y" in reasons
    assert 0 < reasons.count(left_out) <= 100
    many = read(zip_of({f"{number}.zip": inner for number in range(1100)}))
    assert list(many.values()) == [b"x"] * 1100


def test_bytes_beyond_a_limit_are_counted_up_to_it() -> None:
    whole = Allowance(100, "", "")
    part = Allowance(10, "", "", whole)

    with pytest.raises(ExhaustedError):
        part.take(11)

    assert (part.left, whole.left) == (0, 90)


@pytest.mark.slow
def test_a_bomb_leaves_something_for_those_beside_it() -> None:
    many = {f"{number}.py": b"" for number in range(9000)}
    content = zip_of(
        {"1.zip": zip_of(many), "2.tar": tar_of(many), "3.zip": zip_of({"a.py": b"x"})}
    )

    found = read(content, limits=Limits(members=10_000))

    assert found["a.zip/3.zip/a.py"] == b"x"
    for bomb in ("a.zip/1.zip", "a.zip/2.tar"):
        assert str(found[bomb]).startswith("contains more than")


def test_archives_lie_in_each_other_only_so_deep() -> None:
    content = zip_of({"a.py": b"x"})
    for _ in range(3):
        content = zip_of({"in.zip": content})

    deep = "is an archive at depth 4, deeper than 3 (--max-depth)"
    assert read(content) == {"a.zip/in.zip/in.zip/in.zip": deep}
    assert read(content, limits=Limits(depth=4)) == {"a.zip/in.zip/in.zip/in.zip/a.py": b"x"}
    assert "at depth 2, deeper than 1" in str(read(content, limits=Limits(depth=1)))


def test_however_deep_is_allowed_there_is_an_end() -> None:
    content = zip_of({"a.py": b"x"})
    for _ in range(100):
        content = zip_of({"in.zip": content})

    (reason,) = read(content, limits=Limits(depth=100_000)).values()

    assert reason == "is an archive at depth 51, deeper than 50 (--max-depth)"


def test_many_archives_in_many_archives_are_soon_read() -> None:
    content = zip_of({"zeros.txt": bytes(MIB)})
    for _ in range(5):
        content = zip_of({f"{number}.zip": content for number in range(16)})

    found = read(content)

    assert len(found) == 16**3
    assert set(found.values()) == {"is an archive at depth 4, deeper than 3 (--max-depth)"}


@pytest.mark.slow
def test_members_that_all_are_the_same_bytes_unpack_once() -> None:
    zeros = bytes(4 * MIB)
    first = RawMember(b"0.py", zeros)
    others = [
        RawMember(b"%d.py" % number, b"", size=4 * MIB, checksum=zlib.crc32(zeros), offset=0)
        for number in range(1, 1000)
    ]

    found = read(raw_zip(first, *others))

    assert sum(len(content) for content in found.values() if isinstance(content, bytes)) == 4 * MIB


def test_files_that_are_the_same_are_kept_once() -> None:
    found = read(zip_of({"a.py": bytes(1000), "b.py": bytes(1000)}))

    assert found["a.zip/a.py"] is found["a.zip/b.py"]


def rule(name: str) -> tuple[str, Reason] | None:
    head, found, _ = name.partition("node_modules/")
    return (head + found, Reason.GENERATED_FILE) if found else None


@pytest.mark.parametrize("make", [zip_of, tar_of])
def test_one_line_stands_for_all_that_is_ignored(make: Callable[[dict[str, bytes]], bytes]) -> None:
    content = make({
        "main.js": b"x",
        "node_modules/a.js": bytes(20 * MIB),
        "node_modules/b.zip": b"PK\3\4",
        "src/node_modules/c.css.map": b"c",
    })  # fmt: skip

    assert read(content, rule=rule, limits=Limits(unpacked=MIB)) == {
        "a.zip/main.js": b"x",
        "a.zip/node_modules/": "is a generated file, but contains a program",
        "a.zip/src/node_modules/": "is a generated file",
    }


def test_an_archive_of_ignored_files_holds_files() -> None:
    assert list(read(zip_of({"node_modules/a.js": b"x"}), rule=rule)) == ["a.zip/node_modules/"]


def test_a_file_beside_an_ignored_folder_is_not_ignored_by_the_way_to_it() -> None:
    assert read(zip_of({"node_modules/../../a.js": b"x"}), rule=rule) == {"a.zip/a.js": b"x"}
