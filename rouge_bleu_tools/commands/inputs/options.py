"""The options of both metrics as options of the command.

One table says how each is written and what it does. A test holds it to the options of
the metrics; it is no list of theirs, since importing them takes longer than `--help` may.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError, reason

METRICS = ("rouge_full", "bleu_full")
_ROUGE, _BLEU = METRICS[:1], METRICS[1:]


@dataclass(frozen=True)
class MetricOption:
    """How an option of a metric is written on the command line.

    Parameters
    ----------
    metrics : tuple of str
        Those that have it.
    help : str
    metavar : str or None
        What its value is called; None: it is a flag, with a --no- form.
    type : function
        From a text to its value.
    takes_several : bool
        Whether it has one value or more.
    """

    metrics: tuple[str, ...]
    help: str
    metavar: str | None = None
    type: Callable[[str], Any] = str
    takes_several: bool = False


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


def _weight(text: str) -> Any:
    """Return a weight, or a name and weights as in bleu2=1,1."""
    name, sign, numbers = text.partition("=")
    if not sign:
        return float(text)
    return name, [float(number) for number in numbers.split(",")]


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


def _option(metrics: tuple[str, ...], metavar: str | None, text: str, **how: Any) -> MetricOption:
    return MetricOption(metrics, text, metavar, **how)


METRIC_OPTIONS: Mapping[str, MetricOption] = {
    "preset": _option(
        METRICS,
        "NAME",
        "of an implementation: rouge-1.5.5, sacrebleu, nltk, ...; or in quotes a command "
        "line such as 'ROUGE-1.5.5.pl -n 2 -m', or a signature of sacreBLEU",
    ),
    "tokenizer": _option(METRICS, "NAME", "what a word is: unicode, 13a, char, ..."),
    "lowercase": _option(METRICS, None, "upper and lower case are the same"),
    "zero_division": _option(
        METRICS, "X", "the score where there is nothing to match (0), or nan", type=float
    ),
    "output": _option(
        METRICS, "NAME", "rouge: precision, recall, fmeasure or all; bleu: score, all or flat"
    ),
    "use_aggregator": _option(METRICS, None, "--no-: the score of each row"),
    "rouge_types": _option(_ROUGE, "TYPE", "such as rouge1 rougeLsum rougeSU4", takes_several=True),
    "use_stemmer": _option(_ROUGE, None, "NLTK's Porter stemmer, as in rouge_score"),
    "stemmer": _option(
        _ROUGE,
        "NAME",
        "german, ... of NLTK; rouge-1.5.5: as that script stems with its flag -m, "
        "without irregular words",
    ),
    "stopwords": _option(_ROUGE, "FILE", "words to drop, between blanks", type=_words_of_file),
    "beta": _option(_ROUGE, "X", "weight of recall in F (1)", type=float),
    "multi_reference": _option(
        METRICS, "NAME", "what several references give: best, average, clip, ..."
    ),
    "max_words": _option(_ROUGE, "N", "words of a text that count", type=int),
    "max_bytes": _option(_ROUGE, "N", "bytes of a text that count", type=int),
    "sentence_splitter": _option(_ROUGE, "NAME", "newline (default) or sentences, for rougeLsum"),
    "cross_sentences": _option(_ROUGE, None, "n-grams go over ends of sentences"),
    "summary_lcs": _option(_ROUGE, "NAME", "rougeLsum by union (default) or best"),
    "language": _option(_ROUGE, "NAME", "for preset xlsum: its segmenter and stemmer"),
    "corpus_average": _option(_ROUGE, "NAME", "rouge-1.5.5: documents (default), tokens or counts"),
    "document_order": _option(_ROUGE, "NAME", "rouge-1.5.5: input (default) or string"),
    "level": _option(_BLEU, "NAME", "corpus (default) or sentence, the mean of rows"),
    "max_order": _option(_BLEU, "N", "the longest n-grams (4)", type=int),
    "weights": _option(
        _BLEU,
        "WEIGHT",
        "one for each order, or several BLEUs: bleu1=1 bleu2=1,1",
        type=_weight,
        takes_several=True,
    ),
    "smooth": _option(_BLEU, None, "the smoothing of evaluate's bleu"),
    "smoothing": _option(_BLEU, "NAME", "exp, floor, add-k, chen-cherry-4, ..."),
    "smoothing_value": _option(_BLEU, "X", "of floor and add-k", type=float),
    "effective_order": _option(_BLEU, None, "leave out orders longer than the text"),
    "reference_length": _option(_BLEU, "NAME", "closest (default), shortest or average"),
    "confidence_level": _option(
        METRICS, "LEVEL", "add an interval of that level, such as 0.95", type=float
    ),
    "n_resamples": _option(METRICS, "N", "of the bootstrap (1000)", type=int),
    "seed": _option(METRICS, "N", "of the resamples (0)", type=int),
}

# What the command says in another way: `compare` has its tests, `--signature LINE` takes
# a line, since all commands print it, and `--n-jobs` stands with its own default.
OPTIONS_SAID_OTHERWISE = frozenset({"paired_test", "signature", "n_jobs"})

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
        how: dict[str, Any] = {"type": option.type}
        if option.takes_several:
            how = {"type": one_of_several(option.type), "nargs": "+"}
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
