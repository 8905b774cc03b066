"""What the bytes of an input mean.

The last bytes decide what is done, those before them are the content: so a change of the content
leaves the decisions as they are. Content of several parts is written as records, which can be
cut out, doubled and mixed with those of other inputs. An input means the same with and without a
fuzzer, so that whatever one finds can be run and read anywhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

# The separators of records and of their fields in ASCII; text seldom holds them.
_RECORD = b"\x1e"
_FIELD = b"\x1f"

Option = TypeVar("Option")


def parted(data: bytes, count: int) -> tuple[bytes, tuple[int, ...]]:
    """Return the content of an input, and ``count`` numbers below 256; zeros if it is short."""
    cut = max(0, len(data) - count)
    return data[:cut], tuple(data[cut:].rjust(count, b"\0"))


def chosen(options: Sequence[Option], number: int) -> Option:
    """Return one of the options; all numbers stand for one."""
    return options[number % len(options)]


def written(content: bytes, *numbers: int) -> bytes:
    """Return the input of this content and these decisions."""
    return content + bytes(numbers)


def records(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield names and what belongs to them."""
    for record in content.split(_RECORD):
        name, _, rest = record.partition(_FIELD)
        yield name, rest


def joined(pairs: Iterable[tuple[str | bytes, str | bytes]]) -> bytes:
    """Return the content that these records make."""
    return _RECORD.join(_bytes_of(name) + _FIELD + _bytes_of(rest) for name, rest in pairs)


def _bytes_of(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text
