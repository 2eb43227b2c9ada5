"""What all subcommands share: errors, arguments, metrics, progress.

An error is one line on standard error. Exit statuses:

    0    done
    2    a file, a metric or an option is wrong, or the output cannot be written
    130  Ctrl-C
    141  the reader of the output has closed the pipe, as `head` does
"""

from __future__ import annotations

import argparse
import difflib
import itertools
import json
import os
import re
import shutil
import sys
import textwrap
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from rouge_bleu.names_elsewhere import name_here

WIDTH = 100  # of lines of text
METRICS = {"rouge": "rouge_full", "bleu": "bleu_full"}
SEVERAL: dict[str, Any] = {"nargs": "+", "action": "extend"}  # a flag of several values

# Control characters, line separators, and characters that change the direction of text.
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class CommandError(Exception):
    """What is wrong with a file, a metric or an option, in one line for the user."""


class Note(UserWarning):
    """What to know about the output, shown below it."""


def note(text: str) -> None:
    """Show a note on standard error after the output."""
    warnings.warn(text, Note, stacklevel=2)


# --- errors and output ----------------------------------------------------------------


def printable(text: str, keep: str = "") -> str:
    r"""Return a text with control characters escaped, except those in `keep`.

    >>> printable("a\x1b[2J\n")
    'a\\x1b[2J\\n'
    """
    return _CONTROL.sub(lambda match: match[0] if match[0] in keep else repr(match[0])[1:-1], text)


def reason(error: Exception) -> str:
    """Return the first line of the message of an error."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return next(iter(str(error).splitlines()), "") or type(error).__name__


@contextmanager
def errors_of(metric_name: str) -> Iterator[None]:
    """Turn an exception of a metric into an error of the command."""
    try:
        yield
    except (TypeError, ValueError, ImportError) as error:
        raise CommandError(f"{metric_name}: {with_flags(str(error))}") from error


def with_flags(text: str) -> str:
    """Return a message of the metrics with flags in place of arguments.

    >>> with_flags("max_words must be at least 1. Pass tokenizer='unicode' and smooth=False.")
    '--max-words must be at least 1. Pass --tokenizer unicode and --no-smooth.'
    >>> with_flags("pass stemmer=metric.rouge155_stemmer(folder)")
    'pass --exceptions FOLDER'
    """
    names = sorted({name for of in declarations().values() for name in of}, key=len, reverse=True)
    one = "|".join(names)

    def with_value(match: re.Match[str]) -> str:
        flag, value = match[1].replace("_", "-"), match[2].strip("'")
        if value in ("True", "False"):
            return f"--{'no-' * (value == 'False')}{flag}"
        return f"--{flag} {value}"

    text = text.replace("stemmer=metric.rouge155_stemmer(folder)", "--exceptions FOLDER")
    text = re.sub(rf"\b({one})=('[^']*'|[\w.-]*\w)", with_value, text)
    spelled = "|".join(name for name in names if "_" in name)
    bare = rf"\b({spelled})\b(?:\[\d+\])?|^({one})(?:\[\d+\])?(?= (?:must|has|needs|cannot)\b)"
    return re.sub(bare, lambda match: f"--{(match[1] or match[2]).replace('_', '-')}", text)


def exit_status(run: Callable[[], Any], keep: str = "\n\t", names_check: bool = False) -> int:
    """Print the text of `run`, or one line about what went wrong; return the exit status.

    `run` returns a text, or a text and the status. `names_check`: a last line names `rouge-bleu
    check` if there was a warning about texts.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", UserWarning)
            warnings.simplefilter("always", Note)
            shown: dict[str, str] = {}  # each message once, with its category

            def show(message: Any, category: Any, *_: Any, **__: Any) -> None:
                if str(message) not in shown and category is not Note:
                    say(f"warning: {with_flags(str(message))}")
                shown[str(message)] = category.__name__

            warnings.showwarning = show
            found = run()
        output, status = (found, 0) if isinstance(found, str) else found
        status = _print(printable(output, keep) + "\n", sys.stdout) or status
        for text in (one for one in shown if shown[one] == "Note"):
            say(f"note: {text}")
        of_texts = [text for text in shown if shown[text] == "TextWarning"]
        if names_check and not all("[no_long_match]" in text for text in of_texts):
            say("note: rouge-bleu check with these files and options shows where")
        return status
    except CommandError as error:
        say(f"error: {error}")
        return 2
    except MemoryError as error:
        say(f"error: there is not enough memory: {reason(error)}")
        return 2
    except KeyboardInterrupt:
        say("interrupted")
        return 130
    except SystemExit:  # --help has printed
        if status := _print("", sys.stdout):
            return status
        raise


def _print(text: str, stream: Any) -> int:
    """Print a text; return 141 if the reader of the stream has gone, 2 after other errors."""
    try:
        print(text, end="", file=stream, flush=True)
    except OSError as error:
        # Python flushes standard output once more at exit: send that nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if isinstance(error, BrokenPipeError):
            return 141
        if stream is sys.stdout:
            say(f"error: cannot write the output: {reason(error)}")
        return 2
    return 0


def say(line: str) -> None:
    """Print a line on standard error, if there is one."""
    if sys.stderr is not None:
        _print(f"{printable(line)}\n", sys.stderr)


def shortened(text: str, more: str = "") -> str:
    """Return a text on one line of the terminal, with `more` at its end."""
    text = printable(text)
    width = max(40, shutil.get_terminal_size((WIDTH, 24)).columns) - len(more)
    return (text if len(text) <= width else f"{text[: width - 1]}…") + more


def aligned(
    rows: Sequence[Sequence[str]], n_left: int = 1, gap: str = "  ", least: int = 0
) -> list[str]:
    """Return lines of cells, the first columns to the left and others, of `least` width, to the right.

    >>> aligned([["", "score"], ["bleu", "7.00"]])
    ['      score', 'bleu   7.00']
    """
    columns = itertools.zip_longest(*rows, fillvalue="")
    widths = [max(map(len, cells)) for cells in columns]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:n_left], widths, strict=False)]
        others = zip(row[n_left:], widths[n_left:], strict=False)
        cells += [cell.rjust(max(width, least)) for cell, width in others]
        lines.append(gap.join(cells).rstrip())
    return lines


def filled(text: str, indent: str = "", width: int = WIDTH) -> str:
    """Return a text in lines of at most `width` characters; "p < 0.05" stays on one."""
    kept = re.sub("p ([=<]) ", "p\xa0\\1\xa0", printable(text))
    wrapper = textwrap.TextWrapper(width, indent, indent, break_on_hyphens=False)
    wrapper.break_long_words = False
    return wrapper.fill(kept).replace("\xa0", " ")


def json_text(content: Any) -> str:
    """Return JSON on several lines, with null for NaN.

    >>> print(json_text({"rouge1": float("nan")}))
    {
      "rouge1": null
    }
    """

    without_nan = json.loads(json.dumps(content), parse_constant=lambda name: None)
    return json.dumps(without_nan, indent=2, ensure_ascii=False)


# --- arguments ------------------------------------------------------------------------


class _Help(argparse.RawDescriptionHelpFormatter):
    def _split_lines(self, text: str, width: int) -> list[str]:
        return filled(text, width=width).splitlines()  # no name is broken at a hyphen


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, with a close name."""

    def __init__(self, usage: str, description: str | None) -> None:
        super().__init__(
            usage=f"rouge-bleu {usage}", description=description, formatter_class=_Help
        )

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and suggest a close name for an unknown flag."""
        known, unknown = self.parse_known_intermixed_args(args, namespace)
        if unknown:
            hint = self._hint(unknown[0].partition("=")[0])
            self.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
        for action in self._actions if "files" in known else ():
            values = getattr(known, action.dest, None)
            if action.nargs == "+" and isinstance(values, list):
                # FILE after the values of a flag. -r takes files itself, except tables.
                extension = _TABLE if action.dest == "reference" else r"\.[a-z]+"
                files: list[Path] = []
                while values[1:] and re.search(rf"{extension}(\.gz)?$", str(values[-1]).lower()):
                    files.insert(0, Path(values.pop()))
                known.files += files
        return known

    def _hint(self, flag: str) -> str:
        """Return what to type in place of an unknown flag."""
        flags = {one.lstrip("-").replace("-", "_"): one for one in self._option_string_actions}
        name = flag.lstrip("-").replace("-", "_")
        if name in _FILE_ELSEWHERE and "reference" in flags:
            return ". FILE has no flag: write it first"
        meant = _FLAGS_ELSEWHERE.get(name, name_here(name, flags))
        if meant == "":
            return ". Leave it out: it changes no score"
        close = [meant] if meant in flags else difflib.get_close_matches(name, flags, 1)
        return f". Did you mean {flags[close[0]]}?" if close else ""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (--help shows all arguments)")


# Flags of other commands, such as sacrebleu.
_FILE_ELSEWHERE = ("hyp", "hyps", "hypothesis", "input", "i", "preds", "candidate")
_FLAGS_ELSEWHERE = {"metrics": "metric", "ci": "confidence_level", "confidence": "confidence_level"}
_TABLE = r"\.(jsonl?|csv|tsv|xlsx|parquet|arrow|feather|eval)"


def argument(convert: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a type of arguments whose error is the reason that `convert` gives."""

    def value(text: str) -> Any:
        try:
            return convert(text)
        except (OSError, TypeError, ValueError, LookupError) as error:
            place = f"{text!r:.60}: " if isinstance(error, (OSError, UnicodeError)) else ""
            raise argparse.ArgumentTypeError(f"{place}{reason(error)}") from error

    return value


@argument
def count(text: str) -> int:
    """Return a number from 0."""
    if not text.isdecimal():
        raise ValueError(f"expected a number from 0, got {text!r:.40}")
    return int(text)


def add_metric_flags(parser: argparse.ArgumentParser, default: str, has_scale: bool = True) -> None:
    """Add the metrics, and the scale of their scores."""
    add, text = parser.add_argument, f"rouge, bleu or both (default: {default})"
    add("-m", "--metric", metavar="NAME", help=text, **SEVERAL)
    if has_scale:
        text = "print scores from 0 to 1 or from 0 to 100 (default)"
        add("--scale", type=int, choices=(1, 100), help=text)


def metric_names(given: Sequence[str] | None, default: Sequence[str]) -> list[str]:
    """Return full names of metrics, such as "rouge_full", from the values of `-m`."""
    names: list[str] = []
    for name in itertools.chain.from_iterable(one.split(",") for one in given or default):
        full = METRICS.get(name.lower(), name.lower())
        if full not in METRICS.values():
            is_type = full.startswith("rouge")
            hint = f". For a ROUGE type, use -m rouge --rouge-types {name}" if is_type else ""
            raise CommandError(f"--metric must be rouge or bleu, got {name!r}{hint}")
        names.append(full)
    return list(dict.fromkeys(names))


_WORD = re.compile("[0-9A-Za-z]{4}")  # every tokenizer makes a token of it

# Options with other flags: `compare` has baselines, `--signature` takes a line.
_OTHER_FLAGS = ("signature",)
_INTERVALS = ("confidence_level", "n_resamples", "seed", "paired_test")
_SCRIPT_ONLY = ("corpus_average", "document_order")  # of ROUGE-1.5.5
_NOT_OF_EXPLAIN = (*_INTERVALS, "n_jobs", "use_aggregator", *_SCRIPT_ONLY)
IDLE_OPTIONS = {  # options without an effect, by command
    "score": ("paired_test",),
    "check": _INTERVALS,
    "compare": ("use_aggregator", *_SCRIPT_ONLY),
    "explain": _NOT_OF_EXPLAIN,
    "options": (),
}


def _option_classes() -> dict[str, Any]:
    from rouge_bleu._bleu.options import BleuOptions
    from rouge_bleu._rouge.options import RougeOptions

    return {"rouge_full": RougeOptions, "bleu_full": BleuOptions}


def declarations() -> dict[str, dict[str, Any]]:
    """Return the declaration of each option, by metric and name."""
    return {metric: options.declarations() for metric, options in _option_classes().items()}


def option_help(name: str, command: str = "") -> str:
    """Return what an option does, with all its values."""
    from rouge_bleu.options import TOKENIZER_NAMES
    from rouge_bleu.text.stemming import STEMMERS

    values: dict[str, None] = {}
    text = "level of the intervals (0.95)" * ((command, name) == ("compare", "confidence_level"))
    for options in _option_classes().values():
        option = options.declarations().get(name)
        if option is None:
            continue
        names = {"tokenizer": TOKENIZER_NAMES, "stemmer": STEMMERS, "preset": options.presets}
        choices = getattr(option.check, "keywords", {}).get("choices", names.get(name, ()))
        values |= dict.fromkeys(choices)
        is_other = text and name == "output"
        text = f"{text}; for bleu, {option.help}" if is_other else text or option.help
    if (command, name) == ("compare", "preset"):
        del values["rouge-1.5.5"]  # whose average needs all examples
    some_values = r"([\w.-]+( \(default\))?, )+\.\.\."
    return re.sub(some_values, ", ".join(values), text, count=1) if values else text


def _add_option(group: Any, name: str, option: Any, command: str) -> None:
    how: dict[str, Any] = {"help": option_help(name, command)}
    if option.kind is bool:
        how["action"] = argparse.BooleanOptionalAction
    elif name == "stopwords":
        how["type"] = argument(lambda file: Path(file).read_text("utf-8-sig").split())
        how["metavar"] = "FILE"
    else:
        how["type"] = argument(partial(_value, name, option))
        how["metavar"] = {int: "N", float: "X", str: "NAME"}.get(option.kind, "WEIGHT")
        how |= SEVERAL if option.several else {}
    group.add_argument(f"--{name.replace('_', '-')}", **how)


def add_option_flags(parser: argparse.ArgumentParser, command: str) -> None:
    """Add the options of both metrics.

    An option that is not given is not in the namespace.
    """
    rouge, bleu = declarations().values()
    common = [name for name in rouge if name in bleu and name not in (*_OTHER_FLAGS, *_INTERVALS)]
    groups: dict[str, Iterable[str]] = {
        "options of both metrics": common,
        "intervals and tests": _INTERVALS,
        "options of rouge": [n for n in rouge if n not in bleu and n not in _SCRIPT_ONLY],
        "options of bleu": [name for name in bleu if name not in rouge],
        "options of --preset rouge-1.5.5": _SCRIPT_ONLY,
    }
    for title, names in groups.items():
        group = parser.add_argument_group(title, argument_default=argparse.SUPPRESS)
        for name in names:
            if name not in IDLE_OPTIONS[command]:
                _add_option(group, name, rouge.get(name) or bleu[name], command)
    how: dict[str, Any] = {"dest": "stemmer", "metavar": "FOLDER", "type": stemmer_of_exceptions}
    text = "WordNet's exception lists, for -m of ROUGE-1.5.5"
    group.add_argument("--exceptions", help=text, **how)


def _value(name: str, option: Any, text: str) -> Any:
    """Return the value of an option; the error is the one that Python shows."""
    try:
        return option.kind(text)
    except ValueError:
        return option.check(name, text)


@argument
def stemmer_of_exceptions(folder: str) -> Any:
    """Return the stemmer of ROUGE-1.5.5 -m with WordNet's lists of irregular words."""
    from rouge_bleu.text.stemming import rouge155_stemmer

    return rouge155_stemmer(folder)


def _given_options(namespace: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the metrics that were given."""
    rouge, bleu = declarations().values()
    names = {name for name in (*rouge, *bleu) if name not in _OTHER_FLAGS}
    options = {name: value for name, value in vars(namespace).items() if name in names}
    if "rouge_types" in options:
        options["rouge_types"] = ",".join(options["rouge_types"]).split(",")
    if "|" in options.get("preset", ""):  # as it is printed
        options["preset"] = re.sub(r"\s+", "", options["preset"])
    weights = options.get("weights", [])
    if any(isinstance(one, tuple) for one in weights):  # such as bleu2=1,1
        if not all(isinstance(one, tuple) for one in weights):
            raise CommandError("--weights must be numbers or pairs such as bleu2=1,1")
        options["weights"] = dict(weights)
    return options


def metrics_of(
    namespace: argparse.Namespace, default: Sequence[str]
) -> list[tuple[Any, dict[str, Any], str | None]]:
    """Return each metric with its options, and with the signature that they come from, if any.

    A preset goes to the metrics that know it.
    """
    given, declared = _given_options(namespace), declarations()
    if getattr(namespace, "signature", None):
        return list(options_of_signatures(namespace.signature, namespace.metric, given))
    names = metric_names(namespace.metric, default)
    for option in given:
        having = [metric for metric in declared if option in declared[metric]]
        if not set(having) & set(names):
            raise CommandError(
                f"--{option.replace('_', '-')} is not an option of {' or '.join(names)}: add "
                f"-m {having[0].removesuffix('_full')}"
            )
    options = {name: {key: given[key] for key in given if key in declared[name]} for name in names}
    errors = {}
    for name, option_class in _option_classes().items() if "preset" in given else ():
        try:
            option_class.rules_of_preset(given["preset"])
        except ValueError as error:
            errors[name] = error
            options.get(name, {}).pop("preset", None)
    if set(names) <= errors.keys():
        knowing = [one for one in METRICS if METRICS[one] not in errors]
        hint = f". Use -m {knowing[0]}" if knowing else ""
        raise CommandError(f"{names[0]}: {errors[names[0]]}{hint}")
    return [(load_metric(name), of_metric, None) for name, of_metric in options.items()]


def options_of_signatures(
    lines: Sequence[str], metric: Sequence[str] | None, given: dict[str, Any]
) -> Iterator[tuple[Any, dict[str, Any], str]]:
    """Yield the metric, the options and the text of each signature.

    Functions and stop words come from flags. A line may be copied from a PDF.
    """
    from rouge_bleu.signature import parse_signature

    supplied: dict[str, Any] = {n: given[n] for n in ("stemmer", "stopwords") if n in given}
    kept: dict[str, Any] = {n: given[n] for n in ("output", "n_jobs") if n in given}
    if others := [name for name in given if name not in {*supplied, *kept}]:
        flag = others[0].replace("_", "-")
        raise CommandError(f"--signature sets all options: leave out --{flag}")
    texts = [unicodedata.normalize("NFKC", line).replace("\u2223", "|") for line in lines]
    by_name = {}
    for text in texts:
        key, bar, parts = text.strip(" \n.'\"‘’“”").partition("|")
        key = re.sub(r"[\s_]+", "_", key.strip())
        by_name[key] = key + bar + parts
    names = metric_names(metric, [*by_name] if {*by_name} <= {*METRICS.values()} else [])
    if sorted(names) != sorted(by_name) or len(by_name) < len(texts):
        raise CommandError(
            "--signature takes one line for each metric, which begins with rouge_full| or "
            f"bleu_full|, got {' and '.join(map(repr, by_name))}. A signature of sacreBLEU is a "
            "--preset"
        )
    for name in names:
        loaded, text = load_metric(name), by_name[name]
        own = supplied if name == "rouge_full" else {}
        first, *rest = re.split(r"[-\u00ad]\s*\n\s*", re.sub("[\u2010-\u2013]", "-", text))
        # A hyphen at the end of a line belongs to the value, or to the page.
        for hyphens in itertools.product(*[["-", ""][: 1 + (len(rest) <= 8)]] * len(rest)):
            line = first + "".join(map("".join, zip(hyphens, rest, strict=True)))
            line = re.sub(r"\s+", "", line)
            try:
                options = parse_signature(name, loaded.scorer.options_class, line, own)
                break
            except (TypeError, ValueError, ImportError) as error:
                first_error = error
        else:
            with errors_of(name):
                raise first_error
        yield loaded, {**options, **kept}, line


def without_blank_references(
    metric: Any, options: Mapping[str, Any], references: list[list[str]]
) -> list[list[str]]:
    """Return references without those that have no token, unless no reference of a row has one."""
    from rouge_bleu.text.tokenizers import unfiltered_tokens

    several = itertools.chain.from_iterable(texts for texts in references if len(texts) > 1)
    few = [text for text in several if not _WORD.search(text)]
    if not few:
        return references
    lengths = unfiltered_tokens(few, metric.scorer.options(options).token_rules(False)).ids.lengths
    without_token = {text for text, length in zip(few, lengths, strict=True) if not length}
    return [[text for text in texts if text not in without_token] or texts for texts in references]


def scores_of_rows(
    metric: Any,
    options: Mapping[str, Any],
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
) -> dict[str, list[float]]:
    """Return the scores of each row by key, without warnings."""
    of_corpus = ("confidence_level", "n_resamples", "seed", "paired_test", "signature")
    given = {key: value for key, value in options.items() if key not in of_corpus}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the result of all rows shows them
        found = metric.compute(
            predictions=predictions, references=references, **{**given, "use_aggregator": False}
        )
    return {key: values for key, values in found.items() if isinstance(values[0], float)}


def load_metric(name: str) -> Any:
    """Return a metric without `evaluate`, whose import takes longer than a score."""
    import rouge_bleu
    from rouge_bleu._bleu.api import BLEU
    from rouge_bleu._rouge.api import ROUGE
    from rouge_bleu.streaming import BatchMetric

    is_rouge = name == "rouge_full"

    class Metric(BatchMetric):
        """The methods of a loaded metric that commands use."""

        name: str
        load_seed = 0
        _load_options: Mapping[str, Any] = {}
        scorer = ROUGE if is_rouge else BLEU
        compute = staticmethod(rouge_bleu.rouge if is_rouge else rouge_bleu.bleu)
        explain = staticmethod(rouge_bleu.explain_rouge if is_rouge else rouge_bleu.explain_bleu)

    Metric.name = name
    return Metric()


def progress(unit: str, items: Sequence[Any] | None = None) -> Any:
    """Return a bar of tqdm on standard error, which shows items; once a minute if it is no terminal."""
    from tqdm import tqdm

    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    least: dict[str, Any] = {} if is_terminal else {"delay": 60, "mininterval": 60}
    return tqdm(items, unit=f" {unit}", leave=False, disable=sys.stderr is None, **least)
