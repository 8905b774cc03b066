import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.intake.decoding import _WRITINGS, Decoded, decoded
from mosslite.intake.entries import NotReadError
from tests.builders import LAW
from tests.tables import table

TEXT = "naïve = 'œuvre'\r\n\tprint(naïve)\r"
RUSSIAN = "// Эта функция считает сумму всех элементов массива и возвращает результат\n"
CHINESE = "// 这个函数计算数组中所有元素的总和并返回结果如果列表为空则返回零\n"
JAPANESE = "// この関数は配列のすべての要素の合計を計算して結果を返します\n"
HEBREW = "// פונקציה זו מחשבת את סכום כל האיברים במערך ומחזירה את התוצאה\n"
CODE = "int main(void) {\n    return 0;\n}\n"


def reason_of(content: bytes, forced: str | None = None) -> str:
    with pytest.raises(NotReadError) as caught:
        decoded(content, forced)
    return str(caught.value)


# What tells the encoding, in this order


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_tells_more_than_anything_else(mark: bytes, encoding: str) -> None:
    text = "# coding: cp1251\n" + TEXT
    assert decoded(mark + text.encode(encoding), "latin-1") == (text, encoding, "mark")


def test_a_forced_encoding_tells_more_than_utf_8_and_declarations() -> None:
    text = "# coding: utf-8\n привет"
    assert decoded(text.encode(), "cp1251").by == "option"
    assert decoded(text.encode("cp1251"), "windows-1251") == (text, "cp1251", "option")
    assert decoded(b"abc", "latin1") == ("abc", "iso8859-1", "option")


def test_a_file_that_is_not_in_the_forced_encoding_is_read_as_without() -> None:
    assert decoded("déjà vu".encode("latin-1"), "utf-8") == ("déjà vu", "iso8859-1", "fallback")
    assert decoded("déjà vu".encode(), "ascii") == ("déjà vu", "utf-8", "default")
    assert decoded("wide".encode("utf-16"), "latin-1").by == "mark"
    assert decoded("still wide".encode("utf-16-le"), "latin-1").by == "guess"


@pytest.mark.parametrize("codec", ["rot13", "zlib", "unicode_escape", "utf-7", "idna", "nonsense"])
def test_a_codec_that_is_not_a_character_encoding_is_never_used(codec: str) -> None:
    assert decoded(b"a\\u0041+AEE-", codec) == ("a\\u0041+AEE-", "utf-8", "default")
    content = f"# coding: {codec}\n\\x41 é".encode("latin-1")
    assert decoded(content, None) == (content.decode("latin-1"), "iso8859-1", "fallback")


@pytest.mark.parametrize("codec", ["unicode_escape", "raw-unicode-escape", "UTF7"])
@pytest.mark.parametrize("first", ["", "\n", "#!/usr/bin/python\r\n"])
def test_a_python_program_that_is_written_in_escapes_is_read_as_it_is_run(
    first: str, codec: str
) -> None:
    head = f"{first}# coding: {codec}\n".encode()
    hidden = b"+AHgAPQAx-" if codec == "UTF7" else b"\\u0078\\u003d\\u0031"
    found = decoded(head + hidden, None, is_python=True)
    assert (found.text, found.by) == (head.decode() + "x=1", "escapes")
    assert decoded(head + hidden, None).by == "default"


def test_an_escape_that_python_only_warns_of_is_read_as_it_stands() -> None:
    content = rb"# coding: unicode_escape" + b"\n" + rb"'\d+'"
    assert decoded(content, None, is_python=True) == (content.decode(), "unicode-escape", "escapes")


def test_a_python_program_declares_an_encoding_where_python_looks_for_it() -> None:
    assert decoded(b"# coding: unicode_escape\n\\ud800", None, is_python=True).by == "default"
    for head in ("x = 1\n# coding: utf-7", "\n\n# coding: utf-7", "coding: utf-7", "# coding: x"):
        text = f"{head}\na+AEE-"
        assert decoded(text.encode(), None, is_python=True) == (text, "utf-8", "default")


def test_utf_8_is_read_whatever_the_file_declares() -> None:
    text = "# coding: koi8-r\n привет"
    assert decoded(text.encode(), None) == (text, "utf-8", "default")


def test_utf_8_with_a_slip_in_much_that_is_right_stays_utf_8() -> None:
    content = RUSSIAN.encode() + b"\xff" + CODE.encode()
    text = RUSSIAN + "\N{REPLACEMENT CHARACTER}" + CODE
    assert decoded(content, None) == (text, "utf-8", "guess")
    assert decoded(b"caf\xc3", None) == ("cafÃ", "iso8859-1", "fallback")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [CODE, RUSSIAN, TEXT])
def test_utf_16_is_known_without_its_mark(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding), None) == (text, encoding, "guess")


def test_utf_16_that_is_cut_in_a_character_is_read() -> None:
    content = codecs.BOM_UTF16_LE + CODE.encode("utf-16-le")[:-1]
    assert decoded(content, None).text == CODE[:-1] + "\N{REPLACEMENT CHARACTER}"


@table("declaration")
def test_a_file_may_declare_its_encoding(declaration: str) -> None:
    text = f"{declaration}\n дата\n"
    assert decoded(text.encode("cp1251"), None) == (text, "cp1251", "declaration")


def test_a_declaration_counts_only_where_it_may_stand_and_can_be_true() -> None:
    for text in (
        "\n\n# coding: cp1251\né",
        "x = 1 <?xml encoding='cp1251'?>é",
        "<!-- " + 1024 * "x" + "--><meta charset='cp1251'>é",
        "# coding: utf-16\né!",
        "# coding: cp037\né",
        "# coding: cp932\né",
    ):
        assert decoded(text.encode("latin-1"), None) == (text, "iso8859-1", "fallback")


@table("text", "encoding")
def test_the_encoding_of_a_few_comments_is_guessed(text: str, encoding: str) -> None:
    text = 50 * CODE + text + 50 * CODE
    assert decoded(text.encode(encoding), None) == (text, encoding, "guess")


def test_a_few_letters_are_no_ground_for_a_guess() -> None:
    assert decoded(b"x = '\xcf\xf0\xe8\xe2\xe5\xf2'", None).encoding == "iso8859-1"
    text = 100 * "Vérifier la clé où l'élève est\n"
    assert decoded(text.encode("latin-1"), None) == (text, "iso8859-1", "fallback")


def test_quotation_marks_of_windows_are_known() -> None:
    text = "the “end”… déjà vu"
    assert decoded(text.encode("cp1252"), None) == (text, "cp1252", "guess")


# What is not text


def test_what_has_nothing_to_read_is_empty() -> None:
    for content in (
        b"",
        b" \t\r\n\f \n",
        codecs.BOM_UTF8,
        codecs.BOM_UTF16_BE,
        "\N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}".encode(),
    ):
        assert reason_of(content) == "is empty"
        assert reason_of(content, "utf-8") == "is empty"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"%PDF-1.7\n%text", "is a PDF, which is not supported: submit plain text"),
        (b"{\\rtf1 x}", "is an RTF document, which is not supported: submit plain text"),
        (
            b"PK\x03\x04" + 26 * b"\0" + b"word/document.xml",
            "is a Word document, which is not supported: submit plain text",
        ),
        (
            b"PK\x03\x04" + 26 * b"\0" + b"mimetypeapplication/vnd.oasis.opendocument.text",
            "is an OpenDocument file, which is not supported: submit plain text",
        ),
        (b"\x89PNG\r\n\x1a\n", "is a PNG image, which is not read"),
        (b"\xca\xfe\xba\xbe\0\0\0\x34", "is a compiled Java class, which is not read"),
        (b"SQLite format 3\0", "is an SQLite database, which is not read"),
        (b"PK\x03\x04" + 26 * b"\0" + b"a.py", "is a zip archive, which is not read"),
        (b"text\0text", "is binary"),
        (2 * b"\x01" + 37 * b"x", "is binary"),
        (codecs.BOM_UTF16_LE + 9 * b"\0\0", "is binary"),
        (codecs.BOM_UTF16_BE + b"\xd8\0\0a", "is binary"),
        (8 * bytes(range(1, 256)), "is binary"),
    ],
)  # fmt: skip
def test_what_is_no_text_is_refused_in_words(content: bytes, reason: str) -> None:
    assert reason_of(content) == reason
    assert reason_of(content, "latin-1") == reason


def test_escapes_form_feeds_and_a_few_other_controls_are_text() -> None:
    for text in ("x = 1\f\x1b[0m", "\x01" + 19 * "x"):
        assert decoded(text.encode(), None) == (text, "utf-8", "default")


# Laws


def outcome(content: bytes, forced: str | None) -> Decoded | str:
    try:
        return decoded(content, forced)
    except NotReadError as error:
        return str(error)


@LAW
@given(
    st.sampled_from([b"", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF32_BE]),
    st.binary() | st.binary().map(lambda content: b"# coding:" + content),
    st.sampled_from([None, "utf-8", "utf-16", "cp1251", "cp037", "shift_jis", "nonsense"]),
)
def test_any_bytes_are_decoded_or_refused_with_a_reason(
    mark: bytes, content: bytes, forced: str | None
) -> None:
    found = outcome(mark + content, forced)
    if isinstance(found, str):
        assert found.startswith("is ")
    else:
        assert found.text.strip()
        assert "\0" not in found.text
        assert codecs.lookup(found.encoding).name == found.encoding


@LAW
@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1))
def test_every_text_comes_back_from_the_encodings_that_hold_all_of_unicode(text: str) -> None:
    text = "x" + text
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        assert decoded(text.encode(encoding), None).text == text


@LAW
@given(st.binary())
def test_no_text_of_single_bytes_is_lost(content: bytes) -> None:
    text = "x" + "".join(chr(each) for each in content if each >= 0x20 and each != 0x7F)
    assert not isinstance(outcome(text.encode("latin-1"), None), str)


def test_every_encoding_that_a_file_may_declare_is_known_and_has_ascii() -> None:
    for codec in _WRITINGS:
        assert codecs.lookup(codec).name == codec
        assert b"# coding: x\n".decode(codec) == "# coding: x\n", codec


def test_a_file_chooses_no_codec_that_another_package_has_brought() -> None:
    def found(name: str) -> codecs.CodecInfo | None:
        latin = codecs.lookup("latin-1")
        own = codecs.CodecInfo(latin.encode, latin.decode, name="brought-along")
        return own if name in {"brought_along", "brought-along"} else None

    codecs.register(found)
    try:
        content = b"# coding: brought-along\n# \xe4\n"
        assert decoded(content, None).by == "fallback"
        assert decoded(content, "brought-along").by == "option"
    finally:
        codecs.unregister(found)


def test_a_name_of_an_encoding_is_as_long_as_python_takes_it() -> None:
    content = f"# coding: unicode-escape{'_' * 100_000}\nx = '\\x61'\n".encode()

    assert decoded(content, None, is_python=True).by == "escapes"


@pytest.mark.parametrize(
    ("encoding", "literal"),
    [
        ("hz", b"'''~{VP\\'''~}'''"),
        ("iso2022_jp", b"'''\x1b$B0\\\x1b(B'''"),
        ("gbk", "'''中\\'''".encode()),
        ("big5", "'''中\\'''".encode()),
    ],
)
def test_a_program_is_decoded_as_it_declares_where_that_makes_other_code(
    encoding: str, literal: bytes
) -> None:
    content = f"# coding: {encoding}\n".encode() + literal + b"\nrun()\n"
    try:
        expected = content.decode(encoding)
    except UnicodeError:
        pytest.skip("Python refuses this program")
    found = decoded(content, None, is_python=True)
    assert (found.text, found.by) == (expected, "escapes")


def test_a_program_in_utf_8_that_declares_another_encoding_keeps_its_letters() -> None:
    content = "# coding: latin-1\nx = 'é'\n".encode()
    assert decoded(content, None, is_python=True).text == content.decode()
