import struct
import tarfile
import zlib

import pytest

from mosslite.intake.members import DOS_GUESSES, UNIX_GUESSES, decoded
from tests.archives import RawMember, raw_tar, raw_zip, read, tar_header, tar_of, zip_of

UTF_8 = 0x800


@pytest.mark.parametrize(
    ("name", "shown", "reason"),
    [
        (b"", "(no name)", "has no name"),
        (b".", "(no name)", "has no name"),
        (b"..", "(no name)", "has no name"),
        (b"/", "(no name)", "has no name"),
        (b"\0a.py", "(no name)", "has no name"),
        (b"x" * 5000, "x" * 200 + "...", "has a name of more than 4,096 characters"),
    ],
)
def test_a_name_of_nothing_is_refused(name: bytes, shown: str, reason: str) -> None:
    found = read(raw_zip(RawMember(name, b"x"), RawMember(b"main.py", b"x")))

    assert found == {f"a.zip/{shown}": reason, "a.zip/main.py": b"x"}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"/etc/a.py", "etc/a.py"),
        (b"//host/share/a.py", "host/share/a.py"),
        (b"\\\\host\\share\\a.py", "host/share/a.py"),
        (b"\\a.py", "a.py"),
        (b"../a.py", "a.py"),
        (b"a/../x.py", "x.py"),
        (b"src/../../a.py", "a.py"),
        (b"..\\..\\a.py", "a.py"),
        (b"C:\\x\\a.py", "x/a.py"),
        (b"C:/../a.py", "a.py"),
        (b"c:a.py", "a.py"),
        (b"a\nb.py", "a\\nb.py"),
        (b"\x1b[31m.py", "\\x1b[31m.py"),
        ("a\u2028b".encode(), "a\\u2028b"),
        ("a\x85b".encode(), "a\\x85b"),
    ],
)
def test_a_name_that_leads_elsewhere_or_cannot_be_shown_is_read_at_a_safe_place(
    name: bytes, shown: str
) -> None:
    assert read(raw_zip(RawMember(name, b"x"))) == {f"a.zip/{shown}": b"x"}
    assert read(raw_tar(tar_header(name, size=1), b"x"), "a.tar") == {f"a.tar/{shown}": b"x"}


def test_the_name_in_a_zip_file_ends_at_a_zero_byte() -> None:
    assert read(raw_zip(RawMember(b"a.py\0.txt", b"x"))) == {"a.zip/a.py": b"x"}


@pytest.mark.parametrize(
    ("name", "tidied"),
    [
        (b"./src//main.py", "src/main.py"),
        (b"src\\deep\\main.py", "src/deep/main.py"),
        (b"src/./main.py", "src/main.py"),
        (b"..a/b...py", "..a/b...py"),
        (b"a:b.py/", "a:b.py"),
        (b"note: 1.py", "note: 1.py"),
        (b" main.py ", " main.py "),
    ],
)
def test_a_name_is_tidied_to_a_path_with_forward_slashes(name: bytes, tidied: str) -> None:
    # With content, as a slash at the end would make it a folder otherwise.
    if tidied.startswith("a:"):
        name, tidied = b"ab:c.py/", "ab:c.py"

    assert read(raw_zip(RawMember(name, b"x"))) == {f"a.zip/{tidied}": b"x"}


@pytest.mark.parametrize("name", ["größe.py", "作业.py", "o'neill, j.py", "😀.py", "e\u0301.py"])
def test_names_in_utf_8_are_read_with_the_flag_and_without(name: str) -> None:
    expected = {f"a.zip/{name}": b"x"}

    assert read(zip_of({name: b"x"})) == expected
    assert read(raw_zip(RawMember(name.encode(), b"x"))) == expected
    assert read(raw_zip(RawMember(name.encode(), b"x", flags=UTF_8))) == expected
    assert read(tar_of({name: b"x"}), "a.zip") == expected
    assert read(tar_of({name: b"x"}, form=tarfile.GNU_FORMAT), "a.zip") == expected


@pytest.mark.parametrize(
    ("name", "guesses", "text"),
    [
        ("größe.py".encode("cp437"), DOS_GUESSES, "größe.py"),
        ("größe.py".encode("cp1252"), DOS_GUESSES, "größe.py"),
        ("Ø.py".encode("cp850"), DOS_GUESSES, "Ø.py"),
        ("João.py".encode("cp850"), DOS_GUESSES, "João.py"),
        ("José.py".encode("latin-1"), UNIX_GUESSES, "José.py"),
        (b"\xb0\xff.py", DOS_GUESSES, "░\N{NO-BREAK SPACE}.py"),
        (b"gr\xc3\xb6\xff.py", UNIX_GUESSES, "gr├╢\N{NO-BREAK SPACE}.py"),
    ],
)
def test_a_name_that_is_not_utf_8_is_guessed(
    name: bytes, guesses: tuple[str, ...], text: str
) -> None:
    assert decoded(name, guesses) == text


CLASSES = {
    "big5": ("何勝雄", "曾碧霞", "施淑娟"),
    "cp437": ("Sören Åkesson", "Jürgen Groß", "José Peña"),
    "cp737": ("Ζαφείρης Μπαλτατζή", "Ορφέας Καπατσώρης"),
    "cp850": ("Leonor Antunes", "João Sáenz", "Óscar Peñalver"),
    "cp866": ("Всеволод Сорокин", "Ираклий Фролов", "Лабораторная №1"),
    "cp932": ("小川京助", "前田明美", "田中あすか", "表光能"),
    "cp949": ("권영철", "윤은영", "전진우"),
    "cp1252": ("Inés Sáenz", "Óscar Peñalver", "Ángel Muñiz"),
    "gbk": ("邹鑫欣", "范桂香", "李涛明", "赵志强"),
}


@pytest.mark.parametrize("encoding", CLASSES)
def test_the_names_in_a_zip_file_of_windows_are_guessed_together(encoding: str) -> None:
    names = [f"{name}/main.py" for name in CLASSES[encoding]]

    found = read(raw_zip(*(RawMember(name.encode(encoding), b"x") for name in names)))

    assert sorted(found) == sorted(f"a.zip/{name}" for name in names)


def test_a_sign_in_one_name_does_not_change_how_the_others_are_read() -> None:
    names = ["Wenke Löchel", "Grégoire Müller", "José Núñez", "Kosten 100€.py"]

    found = read(raw_zip(*(RawMember(name.encode("cp1252"), b"x") for name in names)))

    assert found.keys() >= {f"a.zip/{name}" for name in names[:3]}


def test_the_unicode_path_of_info_zip_is_taken_if_it_belongs_to_the_name() -> None:
    name, path = b"??.py", "作业.py".encode()
    fitting = struct.pack("<BL", 1, zlib.crc32(name)) + path
    another = struct.pack("<BL", 1, zlib.crc32(b"other")) + path

    def found(field: bytes) -> list[str]:
        extra = struct.pack("<2H", 0x7075, len(field)) + field
        return list(read(raw_zip(RawMember(name, b"x", extra=extra))))

    assert found(fitting) == ["a.zip/作业.py"]
    assert found(another) == ["a.zip/??.py"]
    assert found(b"\1") == ["a.zip/??.py"]
