"""The options of both metrics as options of the command, from their declarations."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu.options import Option
from rouge_bleu_tools.commands.inputs.errors import FileError, reason

METRICS = ("rouge_full", "bleu_full")
_ROUGE, _BLEU = METRICS[:1], METRICS[1:]


@dataclass(frozen=True)
class MetricOption:
    """An option on the command line: the metrics that have it, and its declarations there."""

    metrics: tuple[str, ...]
    declarations: tuple[Option, ...]

    @property
    def help(self) -> str:
        """One line; of two metrics that say different things both."""
        first, *others = dict.fromkeys(one.help for one in self.declarations)
        return f"rouge: {first}; bleu: {others[0]}" if others else first

    @property
    def metavar(self) -> str | None:
        """What its value is called; None: it is a flag, with a --no- form."""
        return self.declarations[0].metavar

    @property
    def takes_several(self) -> bool:
        """Whether it has one value or more."""
        return self.declarations[0].several


def _words_of_file(name: str) -> list[str]:
    try:
        return Path(name).read_text(encoding="utf-8-sig").split()
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(
            "takes one file, with the words between blanks or in lines, got "
            f"{name!r:.60}: {reason(error)}"
        ) from error


def stemmer_of_exceptions(folder: str) -> Any:
    """Return the stemmer of ROUGE-1.5.5 -m with the exception lists in a folder."""
    from rouge_bleu.text.stemming import rouge155_stemmer

    try:
        return rouge155_stemmer(folder)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def one_of_several(read: Callable[[str], Any] = str) -> Callable[[str], Any]:
    """Return a reader of one value of an option with several, which commas do not part."""

    def read_one(text: str) -> Any:
        if "," in text and text.count("=") != 1:  # a weight may be bleu2=1,1
            raise argparse.ArgumentTypeError(
                f"separate values by blanks, not by commas, got {text!r}"
            )
        return read(text)

    read_one.__name__ = read.__name__.strip("_")  # as errors call what cannot be read
    return read_one


# What the command says in another way: `compare` has its tests, `--signature LINE` takes
# a line, since all commands print it, and `--n-jobs` has a default of its own.
OPTIONS_SAID_OTHERWISE = frozenset({"paired_test", "signature", "n_jobs"})


def _metric_options() -> dict[str, MetricOption]:
    found: dict[str, MetricOption] = {}
    for metric, options_class in zip(METRICS, (RougeOptions, BleuOptions), strict=True):
        for name, (option, _) in options_class.declarations().items():
            others = found.get(name, MetricOption((), ()))
            found[name] = MetricOption((*others.metrics, metric), (*others.declarations, option))
    return {name: one for name, one in found.items() if name not in OPTIONS_SAID_OTHERWISE}


METRIC_OPTIONS: Mapping[str, MetricOption] = _metric_options()

_ALL_VALUES = """\
All values and defaults: metric_cards/rouge_full.md and bleu_full.md of the repository, or
  python -c "import rouge_bleu; help(rouge_bleu.rouge)"
  python -c "import rouge_bleu; help(rouge_bleu.bleu)"
A name that is not known, as in --preset x, is an error that lists all names."""

_OF_INTERVALS = ("confidence_level", "n_resamples", "seed")


def add_metric_options(parser: argparse.ArgumentParser) -> frozenset[str]:
    """Add the options of the metrics; return their names. None that is not given is set."""
    names = [name for name in METRIC_OPTIONS if name not in _OF_INTERVALS]
    for title, metrics in (
        ("options of both metrics", METRICS),
        ("options of rouge", _ROUGE),
        ("options of bleu", _BLEU),
    ):
        group = _group(parser, title, _ALL_VALUES if metrics == METRICS else None)
        _add(group, (one for one in names if METRIC_OPTIONS[one].metrics == metrics))
        if metrics == _ROUGE:
            group.add_argument(
                "--exceptions",
                metavar="FOLDER",
                dest="stemmer",
                type=stemmer_of_exceptions,
                help="WordNet's lists of irregular words, for -m of ROUGE-1.5.5",
            )
    return frozenset(names)


def add_interval_options(parser: argparse.ArgumentParser) -> frozenset[str]:
    """Add the options of intervals; return their names. None that is not given is set."""
    _add(_group(parser, "intervals"), _OF_INTERVALS)
    return frozenset(_OF_INTERVALS)


def _group(parser: argparse.ArgumentParser, title: str, text: str | None = None) -> Any:
    return parser.add_argument_group(title, text, argument_default=argparse.SUPPRESS)


def _add(group: Any, names: Iterable[str]) -> None:
    for name in names:
        option = METRIC_OPTIONS[name]
        flag = f"--{name.replace('_', '-')}"
        if option.metavar is None:
            action = argparse.BooleanOptionalAction
            group.add_argument(flag, action=action, help=option.help)
            continue
        read = _words_of_file if name == "stopwords" else option.declarations[0].read
        how: dict[str, Any] = {"type": read}
        if option.takes_several:
            how = {"type": one_of_several(read), "nargs": "+", "action": "extend"}
        group.add_argument(flag, metavar=option.metavar, help=option.help, **how)


def given_options(namespace: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return the options of the metrics that were given."""
    given = vars(namespace)
    options = {name: given[name] for name in given if name in names}
    if any(isinstance(one, tuple) for one in options.get("weights", ())):
        if not all(isinstance(one, tuple) for one in options["weights"]):
            raise FileError("--weights must be numbers, or all of them names with numbers")
        options["weights"] = dict(options["weights"])
    return options
