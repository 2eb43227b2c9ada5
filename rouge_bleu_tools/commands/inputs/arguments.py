"""What the arguments of all commands share: metrics by name, files behind options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError, errors_of_metric, reason
from rouge_bleu_tools.commands.inputs.options import (
    METRIC_OPTIONS,
    METRICS,
    add_interval_options,
    add_metric_options,
    given_options,
    one_of_several,
)
from rouge_bleu_tools.commands.inputs.tables import is_table

__all__ = [
    "METRICS",
    "add_interval_options",
    "add_metric_option",
    "add_metric_options",
    "errors_of_metric",
    "given_options",
    "load_metric",
    "options_of_metric",
    "with_file_first",
]

# Options with several values, up to the next option.
_TAKES_SEVERAL = (
    *(
        f"--{name.replace('_', '-')}"
        for name, option in METRIC_OPTIONS.items()
        if option.takes_several
    ),
    "--metric",
    "--reported",
)
_TAKES_FILES = "--reference"  # text files, or columns of a table


def add_metric_option(parser: argparse.ArgumentParser, default: str) -> None:
    """Add `-m`, the names of metrics."""
    parser.add_argument(
        "-m",
        "--metric",
        metavar="NAME",
        type=one_of_several(),
        nargs="+",
        action="extend",
        help=f"rouge, bleu or both ({default})",
    )


def with_file_first(arguments: Sequence[str] | None) -> list[str]:
    """Return the arguments with the files before the options.

    An option with several values takes all that follows, the files too.

    >>> with_file_first(["--rouge-types", "rouge1", "rougeL", "mine.csv"])
    ['mine.csv', '--rouge-types', 'rouge1', 'rougeL']
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    files: list[str] = []
    others: list[str] = []
    option, n_values = "", 0
    for argument in arguments:
        is_option = argument.startswith("-") and argument != "-"
        if is_option:
            option, n_values = argument, 0
        is_moved = not is_option and n_values and _is_file_behind(option, argument)
        (files if is_moved else others).append(argument)
        n_values += not is_option
    return [*files, *others]


def _is_file_behind(option: str, argument: str) -> bool:
    """Whether this is no value of an option, which may be cut short, but a file."""
    path = Path(argument)
    if option == "-r" or (option[:4] == "--re" and _TAKES_FILES.startswith(option)):
        return is_table(path)
    if option == "-m" or (option and any(n.startswith(option) for n in _TAKES_SEVERAL)):
        is_some_file = path.suffix[1:].isalpha() and _exists(path)
        return is_table(path) or is_some_file
    return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that is too long
        return False


def options_of_metric(
    metric: Any, metrics: Sequence[Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the options that one of several metrics has.

    A preset goes to the metrics that know it, or else to the one that says what is wrong
    with it. What no metric has, or several refuse, is an error.
    """
    for name in given:
        if not any(_has_option(one, name) for one in metrics):
            option = name.replace("_", "-")
            names = " or ".join(one.name for one in metrics)
            having = METRIC_OPTIONS[name].metrics
            hint = f": add --metric {having[0]}" if len(having) == 1 else ""
            raise FileError(f"--{option} is no option of {names}{hint}")
    own = {name: given[name] for name in given if _has_option(metric, name)}
    if preset := own.get("preset"):
        knows, reasons = _knowing_preset(metrics, preset)
        if len(reasons) > 1 and not knows:
            raise FileError("; ".join(f"{name}: {text}" for name, text in reasons.items()))
        if metric.name not in (knows or reasons or [metric.name]):
            del own["preset"]
    return own


def _knowing_preset(metrics: Sequence[Any], preset: str) -> tuple[list[str], dict[str, str]]:
    """Return the metrics that know a preset, and what others say is wrong with the line."""
    knows: list[str] = []
    reasons: dict[str, str] = {}
    for metric in metrics:
        try:
            if metric.scorer.options_class.preset_of_name(preset) is not None:
                knows.append(metric.name)
        except ValueError as error:
            reasons[metric.name] = str(error)
    return knows, reasons


def _has_option(metric: Any, name: str) -> bool:
    return name in metric.scorer.options_class.__dataclass_fields__


def load_metric(name: str) -> Any:
    """Return the metric of this name, or of the script at this path, by `evaluate`."""
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
            f"cannot load {name!r}: install the metrics with `rouge-bleu install`, or give "
            "the path of a script, --metric rouge_full.py"
        ) from error
    except ImportError as error:
        raise FileError(f"cannot load {name!r}: {reason(error)}") from error
    except Exception as error:  # of the code that a script holds
        raise FileError(f"cannot load {name!r}: {type(error).__name__}: {reason(error)}") from error
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
