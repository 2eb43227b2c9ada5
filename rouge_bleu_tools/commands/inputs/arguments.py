"""The metrics on a command line: which, with which options, and how they are loaded."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError, reason
from rouge_bleu_tools.commands.inputs.tables import READERS

METRICS = ("rouge_full", "bleu_full")

_TAKES_SEVERAL = (
    "--rouge-types",
    "--weights",
    "--reported",
)  # values, up to the next option


# --- options --------------------------------------------------------------------------


def add_metric_options(parser: argparse.ArgumentParser) -> frozenset[str]:
    """Add the options of the metrics; return their names. None that is not given is set."""
    group = parser.add_argument_group(
        "options of the metrics, by default as they are documented there",
        argument_default=argparse.SUPPRESS,
    )
    add = group.add_argument
    options = [
        add("--tokenizer", metavar="NAME"),
        add(
            "--preset",
            metavar="NAME",
            help="such as rouge-1.5.5 for rouge_full, sacrebleu for bleu_full",
        ),
        add(
            "--rouge-types",
            metavar="TYPE",
            nargs="+",
            help="rouge_full: such as rouge1 rougeLsum rougeSU4",
        ),
        add("--use-stemmer", action="store_true", help="rouge_full"),
        add(
            "--sentence-splitter",
            metavar="NAME",
            help="rouge_full: newline or sentences, for rougeLsum",
        ),
        add(
            "--multi-reference",
            metavar="NAME",
            help="rouge_full: best, average, pooled or jackknife",
        ),
        add("--beta", type=float, help="rouge_full: weight of recall in F"),
        add(
            "--weights",
            metavar="WEIGHT",
            nargs="+",
            type=float,
            help="bleu_full: one for each order",
        ),
        add("--max-order", metavar="N", type=int, help="bleu_full"),
        add("--smoothing", metavar="NAME", help="bleu_full: such as exp"),
        add("--lowercase", action="store_true", help="bleu_full"),
        add("--effective-order", action="store_true", help="bleu_full"),
    ]
    return frozenset(option.dest for option in options)


def add_interval_options(parser: argparse.ArgumentParser) -> frozenset[str]:
    """Add the options of intervals; return their names. None that is not given is set."""
    add = parser.add_argument_group(
        "intervals", argument_default=argparse.SUPPRESS
    ).add_argument
    options = [
        add(
            "--confidence-level",
            metavar="LEVEL",
            type=float,
            help="add the bounds of an interval of that level, such as 0.95, by a bootstrap",
        ),
        add("--n-resamples", metavar="N", type=int, help="of the bootstrap (1000)"),
        add("--seed", metavar="N", type=int, help="of the bootstrap (0)"),
    ]
    return frozenset(option.dest for option in options)


def with_file_first(arguments: Sequence[str] | None) -> list[str]:
    """Return the arguments with the table before the options.

    An option with several values takes all that follows, the file too.

    >>> with_file_first(["--rouge-types", "rouge1", "rougeL", "mine.csv"])
    ['mine.csv', '--rouge-types', 'rouge1', 'rougeL']
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    option: str | None = None
    for index, argument in enumerate(arguments):
        if argument.startswith("--"):
            option = argument
        elif _takes_several(option) and _names_file(Path(argument)):
            return [argument, *arguments[:index], *arguments[index + 1 :]]
    return arguments


def _takes_several(option: str | None) -> bool:
    """Whether an option, which may be cut short, takes several values."""
    if not option:
        return False
    return any(name.startswith(option) for name in _TAKES_SEVERAL)


def _names_file(path: Path) -> bool:
    """Whether this is a file and no value of an option, such as rougeW-1.5."""
    is_some_file = path.suffix[1:].isalpha() and _exists(path)
    return path.suffix.lower() in READERS or is_some_file


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that is too long
        return False


# --- metrics --------------------------------------------------------------------------


def load_metric(name: str) -> Any:
    """Return the metric of this name, or of the script at this path."""
    _check_metric_name(name)
    try:
        import evaluate  # takes seconds, so what is wrong with the file is said before
    except ImportError as error:
        raise FileError(
            f"{sys.executable} cannot import evaluate: pip install -r requirements.txt, or "
            "use .venv/bin/python"
        ) from error

    # Nothing about "the latest cached version" of an installed metric.
    evaluate.utils.logging.set_verbosity_error()
    try:
        metric = evaluate.load(name)
    except OSError as error:
        raise FileError(
            f"cannot load {name!r}: install the metrics with `make install`, or give the path "
            "of a script, --metric rouge_full.py"
        ) from error
    except ImportError as error:
        raise FileError(f"cannot load {name!r}: {reason(error)}") from error
    except Exception as error:  # of the code that a script holds
        raise FileError(
            f"cannot load {name!r}: {type(error).__name__}: {reason(error)}"
        ) from error
    if metric.name not in METRICS:
        raise _other_metric_error(name)
    return metric


def _check_metric_name(name: str) -> None:
    """Raise where a name is that of no script, and of neither metric."""
    path = Path(name)
    if name and _exists(path):
        return
    if path.suffix == ".py":
        raise FileError(f"--metric {name}: there is no such file")
    is_alone = path.name == name
    if not name or (is_alone and name not in METRICS):
        raise _other_metric_error(name)


def _other_metric_error(name: str) -> FileError:
    return FileError(
        f"--metric must be {' or '.join(METRICS)}, or the path of the script of one of "
        f"them, got {name!r}"
    )


@contextmanager
def errors_of_metric(metric: Any) -> Iterator[None]:
    """What a metric refuses is an error of the script; it says in one line what it is."""
    try:
        yield
    except (TypeError, ValueError, ImportError) as error:
        raise FileError(f"{metric.name}: {error}") from error
