"""Files, standard input and other pipes, opened to be read once, also as .gz.

`-` is standard input. What is packed is known by its first two bytes, so a pipe may be
packed too.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copyfileobj
from typing import IO, Any, BinaryIO, cast

from rouge_bleu_tools.commands.inputs.errors import FileError, reason

STANDARD_INPUT = Path("-")
_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_LOOKED_AT = 64  # bytes, which tell UTF-16: blanks and letters of ASCII have a NUL


def shown_name(path: Path) -> str:
    """Return what errors call a file."""
    return "standard input" if path == STANDARD_INPUT else str(path)


@dataclass(frozen=True)
class Opened:
    """An open file.

    Parameters
    ----------
    file : binary file
        Its bytes, unpacked.
    source : binary file
        What they are read from.
    size : int
        Of the source in bytes; 0 where nobody knows, as for a pipe.
    """

    file: BinaryIO
    source: BinaryIO
    size: int
    _texts: list[io.TextIOWrapper] = field(default_factory=list)

    @property
    def share(self) -> float:
        """How much of the file was read, from 0 to 1; 0 where nobody knows."""
        return min(1.0, self.source.tell() / self.size) if self.size else 0.0

    def lines(self) -> IO[str]:
        """Return the text, whose lines end with a line feed and nothing else."""
        return self._text(newline="\n")

    def text(self) -> IO[str]:
        """Return the text with its ends of lines as they are, as `csv` wants it."""
        return self._text(newline="")

    def _text(self, newline: str) -> IO[str]:
        text = io.TextIOWrapper(self.file, encoding="utf-8-sig", newline=newline)
        self._texts.append(text)
        return text

    def leave(self) -> None:
        """Let go of the texts, which would close the file, standard input too."""
        for text in self._texts:
            text.detach()

    @contextmanager
    def seekable(self) -> Iterator[BinaryIO | str]:
        """Give a file that can be read in any order: a copy of what is no plain file.

        Of a plain file it is the path, which Arrow reads by itself.
        """
        if self.size and self.file is self.source:
            name = getattr(self.source, "name", None)
            is_path = isinstance(name, str) and name != "<stdin>"
            yield str(name) if is_path else self.file
            return
        with tempfile.TemporaryFile() as copy:
            copyfileobj(self.file, copy, 1 << 20)
            copy.seek(0)
            yield cast(BinaryIO, copy)


@contextmanager
def opened(path: Path) -> Iterator[Opened]:
    """Open a file or a pipe; what is wrong with it is a FileError that names it."""
    with errors_of_file(path), _source(path) as source:
        file = _unpacked(source)
        _check_is_not_utf_16(path, file)
        status = os.fstat(source.fileno())
        size = status.st_size if stat.S_ISREG(status.st_mode) else 0
        opened_file = Opened(file, cast(BinaryIO, source), size)
        try:
            yield opened_file
        finally:
            opened_file.leave()


def _check_is_not_utf_16(path: Path, file: Any) -> None:
    """Raise for UTF-16 without a mark at its start, which is UTF-8 with many NULs."""
    head = file.peek(_LOOKED_AT)[:_LOOKED_AT]
    places = [place for place, byte in enumerate(head) if byte == 0]
    is_of_pairs = len({place % 2 for place in places}) == 1 and len(head) % 2 == 0
    if is_of_pairs and len(places) > 1 and not head.startswith(_PARQUET):
        raise FileError(f"{shown_name(path)}: the text is not UTF-8: it seems to be UTF-16")


@contextmanager
def errors_of_file(path: Path) -> Iterator[None]:
    """Turn what goes wrong with a file into an error that names it."""
    name = shown_name(path)
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileError(f"{name}: the file is damaged ({reason(error)})") from error
    except OSError as error:
        raise FileError(f"{name}: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise FileError(
            f"{name}: the text is not UTF-8 ({error.reason}{_place_of_other_text(path)})"
        ) from error


def _place_of_other_text(path: Path) -> str:
    """Return where a file stops to be UTF-8; the error itself counts from a buffer's start.

    What is no plain file cannot be read again.
    """
    if path != STANDARD_INPUT and path.is_file():
        with _source(path) as source:
            for number, line in enumerate(_unpacked(source), start=1):
                try:
                    line.decode("utf-8")
                except UnicodeDecodeError:
                    return f" in line {number}"
    return ""


def _unpacked(source: io.BufferedReader) -> BinaryIO:
    is_packed = source.peek(2)[:2] == _GZIP
    return cast(BinaryIO, gzip.GzipFile(fileobj=source) if is_packed else source)


@contextmanager
def _source(path: Path) -> Iterator[io.BufferedReader]:
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise FileError("standard input is closed")
        yield cast(io.BufferedReader, sys.stdin.buffer)
        return
    check_is_file(path)
    with path.open("rb") as file:
        yield file


def check_is_file(path: Path) -> None:
    """Raise where nothing or a folder has this name."""
    if not path.exists():
        raise FileError(f"{path}: there is no such file")
    if path.is_dir():
        raise FileError(f"{path}: this is a folder")


def is_same_file(path: Path, other: Path) -> bool:
    """Whether both are the same file, which is there."""
    with suppress(OSError):
        return path.exists() and other.exists() and path.samefile(other)
    return False
