"""How much the page takes, and what it says where it refuses.

The sizes keep the work of a request on "Try it" under some two seconds of one core.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError

MAX_CHARACTERS = 40_000  # of a prediction and all of its references
MAX_EXPLAINED_CHARACTERS = 10_000  # up to which words are marked
MAX_LINES = 1_000
MAX_REFERENCES = 20
MAX_ROWS = 100_000
MAX_SEARCHED_ROWS = 5_000
MAX_FILE_BYTES = 50 * 2**20
MAX_TABLE_CHARACTERS = 200_000_000  # a small Parquet file can hold very long texts
MAX_SECONDS = 300  # of the work on a file
MAX_BYTES_OF_MEMORY = 6 * 2**30
MAX_SESSIONS = 50  # of visitors whose choices are kept; each takes 0.3 MB
FILE_EXTENSIONS = (".csv", ".jsonl", ".parquet")

LIMITS_OF_TEXTS = (
    f"Up to {MAX_CHARACTERS:,} characters and {MAX_LINES:,} lines in all, and "
    f"{MAX_REFERENCES} references; words are marked up to "
    f"{MAX_EXPLAINED_CHARACTERS:,} characters."
)
LIMITS_OF_FILES = (
    f"CSV with a header, JSON lines or Parquet, in UTF-8: up to {MAX_ROWS:,} rows and "
    f"{MAX_FILE_BYTES // 2**20} MB. It is deleted when you leave."
)


class Refusal(Exception):
    """What is wrong with what a visitor gave, in a sentence for him."""


@contextmanager
def refusals() -> Iterator[None]:
    """What the metrics and the files refuse is a refusal of the page."""
    try:
        yield
    except FileError as error:
        raise Refusal(plain(str(error))) from error
    except (TypeError, ValueError, ImportError) as error:
        raise Refusal(str(error)) from error
    except MemoryError as error:
        raise Refusal("This needs more memory than there is for a visitor.") from error


def plain(message: str) -> str:
    """Return what a script says about its arguments in the words of the page.

    >>> plain("--reported rouge1 must be a number, got 'x'")
    "Reported numbers: rouge1 must be a number, got 'x'"
    """
    message = message.replace(
        "; --allow-empty scores it as an empty text", "; tick “Allow empty predictions” to score it"
    )
    return message.replace("--reported ", "Reported numbers: ", 1).replace(
        "--reported", "the numbers"
    )


def without_folder(message: str, path: Path) -> str:
    """Return a message with the name of a file in place of its path on the server."""
    return message.replace(str(path), path.name)


# --- texts ----------------------------------------------------------------------------


def checked_prediction(prediction: Any) -> str:
    """Return a prediction that is a text."""
    if not isinstance(prediction, str):
        raise Refusal(f"The prediction must be a text, got {_kind(prediction)}.")
    if not prediction.strip():
        raise Refusal("Enter a prediction.")
    return _encodable("The prediction", prediction)


def checked_references(references: Any) -> list[str]:
    """Return the references that are not blank, at least one."""
    if not isinstance(references, (list, tuple)):
        raise Refusal(f"The references must be a list of texts, got {_kind(references)}.")
    for number, reference in enumerate(references, start=1):
        if not isinstance(reference, str):
            raise Refusal(f"Reference {number} must be a text, got {_kind(reference)}.")
    filled = [
        _encodable(f"Reference {number}", text)
        for number, text in enumerate(references, start=1)
        if text.strip()
    ]
    if not filled:
        raise Refusal("Enter a reference.")
    if len(filled) > MAX_REFERENCES:
        raise Refusal(f"The page takes up to {MAX_REFERENCES} references, got {len(filled)}.")
    return filled


def check_size(texts: Sequence[str]) -> None:
    """Raise where texts are longer than the page takes."""
    n_characters = sum(map(len, texts))
    if n_characters > MAX_CHARACTERS:
        raise Refusal(
            f"The texts have {n_characters:,} characters, and the page takes "
            f"{MAX_CHARACTERS:,}: score longer ones as a file, or in Python."
        )
    n_lines = sum(text.count("\n") + 1 for text in texts)
    if n_lines > MAX_LINES:
        raise Refusal(
            f"The texts have {n_lines:,} lines, and the page takes {MAX_LINES:,}: score "
            "longer ones as a file, or in Python."
        )


def _encodable(name: str, text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Refusal(f"{name} holds half a character (a lone surrogate).") from None
    return text


def _kind(value: Any) -> str:
    return "nothing" if value is None else type(value).__name__


# --- files ----------------------------------------------------------------------------


def checked_file(path: Any) -> Path:
    """Return the path of an uploaded file, of a kind and a size that the page takes."""
    if path is None:
        raise Refusal("Choose a file first.")
    if not isinstance(path, (str, Path)):
        raise Refusal(f"The file must be an uploaded file, got {_kind(path)}.")
    path = Path(path)
    if path.suffix.lower() not in FILE_EXTENSIONS:
        raise Refusal(
            f"The file must be one of {', '.join(FILE_EXTENSIONS)}, got "
            f"{path.suffix or 'no extension'!r}."
        )
    if not path.is_file():
        raise Refusal("The file is no longer there: choose it again.")
    n_bytes = path.stat().st_size
    if n_bytes > MAX_FILE_BYTES:
        raise Refusal(
            f"The file has {n_bytes / 2**20:,.0f} MB, and the page takes "
            f"{MAX_FILE_BYTES // 2**20} MB: score larger ones in Python."
        )
    return path
