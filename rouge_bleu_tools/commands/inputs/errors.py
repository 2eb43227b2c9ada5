"""What commands say when something goes wrong: one line, and an exit status.

    0    done
    2    the message says what is wrong with a file, a metric or an option, why the
         output cannot be written, or that there is not enough memory
    130  Ctrl-C
    141  who read the output stopped reading, as `head` does

Nothing that a command prints can fail for its letters, or steer a terminal: control
characters, which names of files may hold, are shown as escapes.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

WRONG, INTERRUPTED, CLOSED_PIPE = 2, 130, 141

# Those of ASCII and Latin-1, separators of lines, and what turns the direction of text.
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class FileError(Exception):
    """What is wrong with the file, the metric or an option, in one line for the user."""


def printable(text: str, keeps: str = "") -> str:
    r"""Return a text with its control characters escaped, but for those it keeps.

    >>> printable("a\x1b[2J\n")
    'a\\x1b[2J\\n'
    """
    return _CONTROL.sub(lambda match: match[0] if match[0] in keeps else repr(match[0])[1:-1], text)


# What an error or a warning of a metric calls an option -> what the command calls it.
_WORDS = (
    (
        r"baseline_predictions must be left out (with .*)",
        r"compare cannot test differences \1: score each system by rouge-bleu score",
    ),
    (
        r"give it as stemmer=\.\.\.",
        "leave --use-stemmer out, or give a stemmer as function in Python",
    ),
    (r"stemmer=metric\.rouge155_stemmer\(folder\)", "--exceptions FOLDER"),
    (
        r"options_of_signature\(signature, (\w+)=\.\.\.\)",
        lambda found: flag_of(found[1].replace("stemmer", "exceptions")),
    ),
    (r"where folder has", "where FOLDER has"),
    (r"\bgot ([a-z_]+)=None\b", lambda found: f"got no {flag_of(found[1])}"),
    (
        r"\b[a-z]+(?:_[a-z]+)+(?=(?:\[\d+\])? (?:must|needs|cannot|and|stands)\b)",
        lambda found: flag_of(found[0]),
    ),
    (r"\b([a-z]+(?:_[a-z]+)*)=True\b", lambda found: flag_of(found[1])),
    (r"\b([a-z]+(?:_[a-z]+)*)=False\b", lambda found: flag_of(f"no_{found[1]}")),
    (
        r"\b([a-z]+(?:_[a-z]+)*)=(\'[^\']*\'|[0-9.]+)",
        lambda found: f"{flag_of(found[1])} {found[2]}",
    ),
)


def flag_of(name: str) -> str:
    """Return the flag of an option."""
    return f"--{name.replace('_', '-')}"


def in_words_of_command(message: str) -> str:
    """Return what a metric says with the options as they are written in a command.

    >>> in_words_of_command("stemmer and use_stemmer=True cannot both be given")
    'stemmer and --use-stemmer cannot both be given'
    """
    for pattern, words in _WORDS:
        message = re.sub(pattern, words, message)
    return message


@contextmanager
def errors_of_metric(metric: Any) -> Iterator[None]:
    """What a metric refuses is an error of the command, in one line and in its words."""
    try:
        yield
    except (TypeError, ValueError, ImportError) as error:
        message = in_words_of_command(str(error))
        # An option of one word stands without dashes, as no other word would be one.
        options = metric.scorer.options_class.__dataclass_fields__
        if re.split(r"\W", message, maxsplit=1)[0] in options:
            message = f"--{message}"
        raise FileError(f"{metric.name}: {message}") from error


def reason(error: Exception) -> str:
    """Return the first line of what an error of another library says."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def exit_status(run: Callable[[], str], keeps: str = "\n\t") -> int:
    """Print what `run` returns, or in one line what went wrong; return the status.

    `keeps` are the control characters that are printed as they are.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", UserWarning)
            warnings.showwarning = _show_warning  # type: ignore[assignment]
            output = run()
        return _print_all(printable(output, keeps) + "\n")
    except FileError as error:
        say(f"error: {error}")
        return WRONG
    except MemoryError as error:
        say(f"error: there is not enough memory: {reason(error)}")
        return WRONG
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except SystemExit:  # --help has printed
        if status := _print_all(""):
            return status
        raise


def _print_all(text: str) -> int:
    """Print and flush, so that what goes wrong does so here; return the exit status."""
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        _drop_output(sys.stdout)
        return CLOSED_PIPE
    except OSError as error:
        _drop_output(sys.stdout)
        say(f"error: cannot write the output: {reason(error)}")
        return WRONG
    return 0


def say(line: str) -> None:
    """Print a line on standard error, if there is one."""
    if sys.stderr is None:  # closed by who started the command
        return
    try:
        print(printable(line), file=sys.stderr, flush=True)
    except OSError:  # nobody can be told
        _drop_output(sys.stderr)


def _show_warning(message: Warning | str, *_: Any) -> None:
    say(f"warning: {in_words_of_command(str(message))}")


def _drop_output(stream: Any) -> None:
    """Send what the stream still holds nowhere: Python flushes it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
