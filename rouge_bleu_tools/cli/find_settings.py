"""Find the settings of rouge_full or bleu_full that reproduce the scores of a paper.

example:
  rouge-bleu find-settings mine.csv --reported rouge1=41.16 rougeL=37.98
  rouge-bleu find-settings hyp.txt -r ref.txt --reported "BLEU = 27.3"
  rouge-bleu find-settings hyp.txt -r ref.txt --reported "R-1 41.16, R-2 19.5, R-L: 38.2"
  rouge-bleu find-settings hyp.txt -r ref.txt --reported 41.16/19.50/38.20

FILE has the predictions that the paper scored, as for `rouge-bleu score`. Give scores of one
metric as the paper prints them, with all digits, from 0 to 1 or from 0 to 100. Names are
ROUGE-1, R-L, rouge2_recall, BLEU, BLEU-2 and so on, or sacreBLEU if the paper names that
package. Three numbers without names are ROUGE-1, ROUGE-2 and ROUGE-L.
"""

from __future__ import annotations

import importlib.util
import json
import math
import re
import shlex
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from . import inputs, settings
from .files import add_file_flags, read_all
from .inputs import CommandError
from .settings import Options, Table
from .tables import STANDARD_INPUT, display_name

_EXAMPLES = 'such as rouge1=41.16, "R-L: 38.2", rouge2_recall=0.38 or "BLEU = 27.3"'
_N_NEAREST = 3
_FAR = 5  # from 0 to 100
_TOLERANCE = 1e-9  # of a unit of the last printed digit


# --- reported numbers -----------------------------------------------------------------


@dataclass(frozen=True)
class Reported:
    """A number of a paper: the name of the score, such as rougeL_recall, and its digits."""

    name: str
    text: str

    @property
    def value(self) -> float:
        return float(self.text)

    @property
    def last_digit(self) -> float:
        """One unit of the last printed digit."""
        return 10.0 ** -len(self.text.partition(".")[2])

    @property
    def rouge_type(self) -> str:
        return self.name.partition("_")[0]

    @property
    def output(self) -> str | None:
        """Precision, recall or F, if the name says it."""
        return self.name.partition("_")[2] or None

    @property
    def order(self) -> int:
        """The longest n-grams of a BLEU."""
        return int(self.name.removeprefix("bleu") or 4) if self.name != "sacrebleu" else 4

    def is_rounded_from(self, score: float, scale: int) -> bool:
        """Whether a score is rounded to this number, half a unit up or down.

        >>> reported = Reported("rouge1", "41.16")
        >>> reported.is_rounded_from(0.411649, 100), reported.is_rounded_from(0.41166, 100)
        (True, False)
        """
        return abs(score * scale - self.value) <= self.last_digit * (0.5 + _TOLERANCE)


# ROUGE-1, R-2, R1, rougeLsum, BLEU, BLEU-4, sacreBLEU, and precision, recall or F after it.
_NAME = re.compile(
    r"""(?: (?P<sacre>sacre-?bleu) | (?P<bleu>bleu) (?:[-_]?(?P<order>[1-9])(?!\d|\.\d))?
      | (?:rouge[-_ ]?|\br-?) (?P<type>lsum|su?(?:\d{1,3}(?!\d|\.\d)|\*)?|l|w(?:-\d+(?:\.\d+)?)?
                                      |[1-9]\d{0,2}(?!\d|\.\d)) (?![a-z]) )
    (?:[-_ ]*\(?(?P<output>precision|recall|f-?measure|f-?score|f-?1|f|p|r)\b\)?)?""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.-])(?:\d{1,3}(?:\.\d+)?|\.\d+)(?!\w|\.\d|-\d)")
_OTHERS = re.compile(r"\b(?:meteor|chrf|bert-?score|bleurt|comet|cider|spice|ter)\b", re.IGNORECASE)
_DEVIATION = re.compile(r"(?:±|\+/-)\s*[\d.]+")  # after a mean
_COMMA = re.compile(r"(?<![\d.])\d{1,3},\d+(?![\d.])")
_TRIPLE = re.compile(r"\s*[\d.]+%?(\s*/\s*[\d.]+%?){2}\s*")  # the usual three without names
_TYPES = {"l": "L", "lsum": "Lsum", "w": "W", "s": "S", "su": "SU"}


def parse_reported(texts: Sequence[str]) -> list[Reported]:
    """Return the numbers of texts, as papers print them: each has a name, in the same order.

    >>> parse_reported(["ROUGE-1 41.16, R-L: 38.2"])
    [Reported(name='rouge1', text='41.16'), Reported(name='rougeL', text='38.2')]
    >>> [one.name for one in parse_reported(["R-1/R-2 (recall) = 44.16/21.28"])]
    ['rouge1', 'rouge2_recall']
    """
    text = _DEVIATION.sub("", " ".join(texts))
    if other := _OTHERS.search(text):
        raise CommandError(f"{other[0]} is no score of this package: give ROUGE or BLEU")
    if _TRIPLE.fullmatch(text):
        text = f"R-1/R-2/R-L {text}"
    names = list(map(_name_of_match, _NAME.finditer(text)))
    numbers = _NUMBER.findall(_NAME.sub(" | ", text))
    if not names and len(numbers) == 1:
        raise CommandError(
            f"{numbers[0]} needs the name of its score: use --reported BLEU={numbers[0]}, or "
            f"ROUGE-1={numbers[0]}. Three numbers are ROUGE-1, ROUGE-2 and ROUGE-L"
        )
    if not names or len(names) != len(numbers):
        if comma := _COMMA.search(text):
            point = comma[0].replace(",", ".")
            raise CommandError(f"use decimal points: {point} instead of {comma[0]}")
        raise CommandError(
            f"give each number with the name of its score, {_EXAMPLES}: {text.strip()!r:.60} "
            f"(names: {len(names)}, numbers: {len(numbers)})"
        )
    if any(float(number) > 100 for number in numbers):
        raise CommandError(f"a score is from 0 to 100, got {max(numbers, key=float)}")
    if len(set(names)) < len(names):
        raise CommandError(f"a score is given twice: {', '.join(names)}")
    if len({name.startswith("rouge") for name in names}) > 1:
        raise CommandError("ROUGE and BLEU are given: search for one of them at a time")
    return list(map(Reported, names, numbers))


def _name_of_match(match: re.Match[str]) -> str:
    if match["type"] is None:
        return "sacrebleu" if match["sacre"] else f"bleu{match['order'] or ''}"
    letters = re.sub("^[a-z]+", lambda one: _TYPES[one[0]], match["type"].lower())
    output = (match["output"] or "")[:1].lower()
    end = {"p": "_precision", "r": "_recall", "f": "_fmeasure"}.get(output, "")
    return f"rouge{letters}{end}"


def _scales(reported: Sequence[Reported]) -> tuple[int, ...]:
    """Return what scores may be multiplied by; numbers above 1 are times 100."""
    return (100,) if any(one.value > 1 for one in reported) else (1, 100)


# --- settings -------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """One way to get all reported numbers."""

    options: Options  # of `compute`, without rouge types, weights and output
    output: str | None = None  # for a ROUGE whose name does not say it
    types: Mapping[str, str] = field(default_factory=dict)  # by reported name
    table: Table = field(default_factory=lambda: Table({}))
    functions: Mapping[Any, str] = field(default_factory=dict)  # how a call writes them
    code: str = ""  # the call of `compute` that gives the scores
    signature: str = ""

    @property
    def renamed(self) -> list[str]:
        """The names that a package has for a score, if they differ from those reported."""
        types = self.types.items()
        return [f"{name} is {own}" for name, own in types if name.partition("_")[0] != own]

    @property
    def n_oddities(self) -> int:
        """How many things one has to say about it, beside the package."""
        n_options = sum(name != "preset" for name in self.options)
        return n_options + len(self.renamed) + (self.output in ("precision", "recall"))

    def arguments(self, options: Options) -> list[str]:
        """Return options as a call writes them."""
        functions = {name: self.functions[one] for name, one in options.items() if callable(one)}
        texts = {name: json.dumps(one) for name, one in options.items() if isinstance(one, str)}
        return [f"{name}={value}" for name, value in {**options, **functions, **texts}.items()]

    def compute_options(self, reported: Sequence[Reported]) -> dict[str, Any]:
        """Return all options of `compute`."""
        options = dict(self.options)
        if not self.types:
            return options | _bleu_orders(options, reported)
        outputs = {one.output or self.output for one in reported}
        output = outputs.pop() if len(outputs) == 1 else "all"
        options["rouge_types"] = list(self.table.all_types or dict.fromkeys(self.types.values()))
        returns_f = options.get("preset") in (None, "rouge_score", "evaluate")
        return options if output == "fmeasure" and returns_f else {**options, "output": output}

    def __str__(self) -> str:
        return ", ".join([*(self.arguments(self.options) or ["default options"]), *self.renamed])


def _bleu_orders(options: Options, reported: Sequence[Reported]) -> dict[str, Any]:
    """Return the options that say which BLEUs are computed."""
    if len(reported) > 1:
        return {"weights": {one.name: [1 / one.order] * one.order for one in reported}}
    order = reported[0].order
    if order == 4:
        return {}
    is_weighted = options.get("preset") in settings.WEIGHTED_PRESETS
    return {"weights": [1] * order} if is_weighted else {"max_order": order}


# --- scores ---------------------------------------------------------------------------


class Search:
    """Settings, and their scores on some texts.

    Settings share a run of the metric if they differ only in the part that is read from its
    result: precision, recall or F, another beta, another name of ROUGE-L, an option that
    has no effect on the type, or a limit that shortens no text.
    """

    def __init__(
        self,
        predictions: Sequence[str],
        references: Sequence[Sequence[str]],
        reported: Sequence[Reported],
        *,
        exceptions: tuple[str, Any] | None = None,
        n_jobs: int = 1,
        progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
    ) -> None:
        self.reported = reported
        self.texts = {"predictions": predictions, "references": references}
        self._is_rouge = reported[0].name.startswith("rouge")
        self.metric = inputs.load_metric("rouge_full" if self._is_rouge else "bleu_full")
        self._n_jobs, self._progress = n_jobs, progress
        self._has_several = any(len(texts) > 1 for texts in references)
        texts = [*predictions, *(text for texts in references for text in texts)]
        self._longest = {
            "max_words": max((len(text.split()) for text in texts), default=0),
            "max_bytes": max((len(text.encode()) for text in texts), default=0),
        }
        self.untried: list[str] = []
        folder, stemmer = exceptions or ("", None)
        self._functions = {stemmer: f"rouge.rouge155_stemmer({folder!r})"}
        self._functions |= settings.CODE_OF_TOKENIZER
        if self._is_rouge:
            texts_of = {"has_several_references": self._has_several}
            found = settings.rouge_tables(stemmer, n_words=self._longest["max_words"], **texts_of)
            self.settings = [one for table in found for one in self._rouge_settings(table)]
        else:
            has_sacrebleu = importlib.util.find_spec("sacrebleu") is not None
            self.untried += [] if has_sacrebleu else ["intl and zh (pip install sacrebleu)"]
            found = settings.bleu_tables(has_sacrebleu=has_sacrebleu)
            self.settings = [one for table in found for one in self._bleu_settings(table)]

    def _rouge_settings(self, table: Table) -> Iterable[Setting]:
        outputs = settings.outputs_of(table, [one.output for one in self.reported])
        meanings: list[dict[str, str]] = []  # rouge types by name, for each of what rougeL may be
        for l_type in table.l_types:
            types = {one.name: one.rouge_type for one in self.reported}
            types |= {name: l_type for name in types if types[name] == "rougeL"}
            given = {"preset": table.base.get("preset"), "rouge_types": [*types.values()]}
            with suppress(ValueError):  # the preset does not have a type
                self.metric.scorer.options(given)
                is_whole = {*types.values()} <= {*(table.all_types or types.values())}
                meanings += [types] * (is_whole and types not in meanings)
        for types in meanings:
            has_lines = any(name.startswith(table.line_types) for name in types.values())
            idle = ["sentence_splitter"] * (not has_lines)
            idle += ["multi_reference"] * (not self._has_several)
            for options in table.variations(outputs):
                output = options.pop("output")
                if not options.keys() & set(idle):
                    yield Setting(options, output, types, table, self._functions)

    def _bleu_settings(self, table: Table) -> Iterable[Setting]:
        is_of_sacrebleu = any(one.name == "sacrebleu" for one in self.reported)
        if is_of_sacrebleu and table.base.get("preset") != "sacrebleu":
            return
        idle = () if self._has_several else settings.SEVERAL_REFERENCES
        for options in table.variations():
            if not options.keys() & set(idle):
                yield Setting(options, table=table, functions=self._functions)

    @cached_property
    def results(self) -> dict[Any, dict[str, Any]]:
        """The result of each run."""
        types: dict[Any, dict[str, None]] = {}
        for setting in self.settings:
            for one in self.reported:
                run, rouge_type, *_ = self._read(setting, one)
                types.setdefault(run, dict.fromkeys(setting.table.all_types))[rouge_type] = None
        results = {}
        for run in self._progress(list(types)):
            if self._is_rouge:
                wanted = {"rouge_types": list(types[run]), "output": "all"}
            else:
                wanted = {**_bleu_orders(dict(run), self.reported), "output": "score"}
            with warnings.catch_warnings(), inputs.errors_of(self.metric.name):
                warnings.simplefilter("ignore")  # they are about settings that nobody chose
                how = {**dict(run), **wanted, "n_jobs": self._n_jobs}
                result = self.metric.compute(**self.texts, **how)
            if not self._is_rouge and len(self.reported) == 1:
                result = {self.reported[0].name: result["bleu"]}
            results[run] = result
        return results

    def scores(self, setting: Setting) -> dict[str, float]:
        """Return the scores of a setting under the reported names."""
        return {one.name: float(np.mean(self.values(setting, one))) for one in self.reported}

    def values(self, setting: Setting, one: Reported) -> Any:
        """Return a number of the corpus, or one for each example."""
        run, rouge_type, output, beta = self._read(setting, one)
        result = self.results[run]
        if not self._is_rouge:
            return result[one.name]
        if beta == 1 or output != "fmeasure":
            return result[f"{rouge_type}_{output}"]
        columns = (result[f"{rouge_type}_{n}"] for n in ("precision", "recall"))
        precision, recall = map(np.asarray, columns)
        below = beta**2 * precision + recall
        above = (1 + beta**2) * precision * recall
        return np.divide(above, below, out=np.zeros_like(above), where=below > 0)

    def _read(self, setting: Setting, one: Reported) -> tuple[Any, str, str, float]:
        """Return the options of a run, and the type, output and beta to read off its result."""
        options = dict(setting.options)
        if not self._is_rouge:
            return frozenset(options.items()), "", "", 1.0
        rouge_type = setting.types[one.name]
        output = one.output or setting.output or "fmeasure"
        for limit, longest in self._longest.items():
            if (options.get(limit) or 0) >= longest > 0:  # no text is shortened
                del options[limit]
        if not rouge_type.startswith(setting.table.line_types):
            options.pop("sentence_splitter", None)
        beta = 1.0
        if options.get("preset") in (None, "rouge_score"):  # whose average is the mean
            options.pop("preset", None)
            options["use_aggregator"] = False
            # F of another beta follows from precision and recall, unless it chooses among
            # references or is averaged over them.
            if not self._has_several or options.get("multi_reference") == "pooled":
                beta = options.pop("beta", 1.0)
        return frozenset(options.items()), rouge_type, output, beta

    def described(self, setting: Setting) -> Setting:
        """Return a setting with its call of `compute`, to be pasted, and its signature on these texts."""
        from rouge_bleu.signature import signature_line

        given = setting.compute_options(self.reported)
        arguments = ["predictions=predictions", "references=references", *setting.arguments(given)]
        code = f"{self.metric.name.removesuffix('_full')}.compute({', '.join(arguments)})"
        counts = [len(texts) for texts in self.texts["references"]]
        texts: dict[str, Any] = {
            "n_examples": len(counts),
            "n_references": (min(counts), max(counts)),
        }
        options = self.metric.scorer.options(given)
        line = signature_line(self.metric.name, options, **texts, is_tokenized=False, seed=0)
        return replace(setting, code=code, signature=line)


# --- what agrees ----------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """Settings that give the same numbers on these texts, the simplest first."""

    scores: dict[str, float]  # by reported name
    scale: int  # factor of the scores: 1 or 100
    distance: float  # the largest difference to a reported number, in its unit
    settings: list[Setting]


@dataclass(frozen=True)
class Findings:
    """What a search found; `nearest` only if nothing matches."""

    metric: str
    reported: Sequence[Reported]
    n_settings: int
    n_distinct: int  # different results
    matches: list[Found]
    other_seeds: list[Found]  # what may match with another seed
    nearest: list[Found]
    untried: list[str] = field(default_factory=list)  # for want of a package


def find_settings(
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    reported: Sequence[str],
    **how: Any,
) -> Findings:
    """Return the settings that give reported scores, such as ["R-1 41.16", "R-L 38.2"].

    Keyword arguments are those of `Search`: `exceptions`, `n_jobs`, `progress`.
    """
    numbers = parse_reported(reported)
    search = Search(predictions, references, numbers, **how)
    groups: dict[tuple[float, ...], tuple[list[Setting], dict[str, float]]] = {}
    for setting in sorted(search.settings, key=lambda one: one.n_oddities):
        scores = search.scores(setting)
        values = tuple(round(score, 6) for score in scores.values())
        groups.setdefault(values, ([], scores))[0].append(setting)
    found = [
        Found(scores, scale, _distance(scores, scale, numbers), settings)
        for settings, scores in groups.values()
        for scale in _scales(numbers)
    ]
    matches = [
        one
        for one in found
        if all(of.is_rounded_from(one.scores[of.name], one.scale) for of in numbers)
    ]
    nearest = [] if matches else sorted(found, key=lambda one: one.distance)[:_N_NEAREST]

    matches, others, nearest = (
        [replace(one, settings=list(map(search.described, one.settings))) for one in some]
        for some in (matches, _other_seeds(search), nearest)
    )
    name, n = search.metric.name, len(search.settings)
    return Findings(name, numbers, n, len(groups), matches, others, nearest, search.untried)


def _distance(scores: Mapping[str, float], scale: int, numbers: Sequence[Reported]) -> float:
    differences = [abs(scores[one.name] * scale - one.value) for one in numbers]
    return math.inf if any(map(math.isnan, differences)) else max(differences)


def _other_seeds(search: Search) -> list[Found]:
    """Return settings of evaluate that may give all numbers with another seed.

    evaluate takes the median of the means of 1,000 resamples, whose standard deviation is
    about sqrt(pi / 2 / 1000) standard errors of the mean.
    """
    deviations = 3 * math.sqrt(math.pi / 2 / 1000)
    found = []
    for setting in search.settings:
        if setting.options.get("seed") != 0:
            continue
        options = {name: value for name, value in setting.options.items() if name != "seed"}
        mean = replace(setting, options={**options, "preset": "rouge_score"})
        scores = search.scores(mean)
        columns = {one.name: np.asarray(search.values(mean, one)) for one in search.reported}
        errors = {name: float(np.std(x)) / math.sqrt(x.size) for name, x in columns.items()}
        for scale in _scales(search.reported):
            is_near = all(
                abs(scores[one.name] * scale - one.value)
                <= one.last_digit / 2 + scale * deviations * errors[one.name]
                for one in search.reported
            )
            if is_near:
                distance = _distance(scores, scale, search.reported)
                found.append(Found(scores, scale, distance, [setting]))
    return found


# --- the command ----------------------------------------------------------------------


def run(arguments: Sequence[str]) -> str:
    """Return the output of the command."""
    usage = "find-settings [FILE] [-r REF ...] --reported NUMBER ... [options]"
    parser = inputs.Parser(usage, __doc__)
    add = parser.add_argument
    add_file_flags(parser)
    text = "the numbers of the paper with their names"
    add("--reported", metavar="NUMBER", required=True, help=text, **inputs.SEVERAL)
    text = "WordNet's exception lists, for -m of ROUGE-1.5.5"
    stemmer = inputs.argument(lambda folder: (folder, inputs.stemmer_of_exceptions(folder)))
    add("--exceptions", metavar="FOLDER", type=stemmer, help=text)
    text = "groups of settings to show (5); 0: all"
    add("--show", metavar="N", type=inputs.count, default=5, help=text)
    add("--n-jobs", metavar="N", type=int, default=1, help="number of processes (1); -1: all cores")
    add("--json", action="store_true", help="print all findings as JSON")
    namespace = parser.parse_args(arguments)
    try:
        parse_reported(namespace.reported)  # before the files are read
    except CommandError as error:
        raise CommandError(f"--reported: {error}") from error
    texts = read_all(namespace)
    findings = find_settings(
        texts.predictions,
        texts.references,
        namespace.reported,
        exceptions=namespace.exceptions,
        n_jobs=namespace.n_jobs,
        progress=lambda runs: inputs.progress("runs", runs),
    )
    if namespace.json:
        return findings_json(findings)
    paths = namespace.files or [STANDARD_INPUT]
    columns = ["--prediction", namespace.prediction] if namespace.prediction else []
    given = ["-r", *namespace.reference] if namespace.reference else []
    command = shlex.join(["rouge-bleu", "score", *map(str, paths), *columns, *given])
    title = f"{len(texts.references):,} rows of {display_name(paths[0])}"
    return _page(findings, title, namespace.show, command)


def _page(findings: Findings, title: str, n_shown: int, command: str) -> str:
    """Return the groups that match, at most `n_shown`, or the nearest ones."""
    reported = ", ".join(f"{one.name}={one.text}" for one in findings.reported)
    parts = [
        f"{findings.metric}, {title}; reported: {reported}",
        f"{findings.n_settings:,} settings tried, {findings.n_distinct:,} different results.",
    ]
    n_groups, shown = len(findings.matches), findings.matches[: n_shown or None]
    if shown:
        n = sum(len(one.settings) for one in findings.matches)
        sentence = f"{n:,} of them give{'s' if n == 1 else ''} the reported numbers"
        if n_groups > 1:
            sentence += f", in {n_groups} groups of equal results"
        parts.append(inputs.filled(f"{sentence}:"))
    else:
        small = [f"{one.name}={one.text}" for one in findings.reported if 0 < one.value <= 1]
        if small and _scales(findings.reported) == (100,):
            parts.append(f"{', '.join(small)}: read from 0 to 100, as another score is above 1.")
        parts.append("None of them gives the reported numbers. The nearest settings:")
    groups = enumerate(shown or findings.nearest, start=1)
    parts += [_block(findings, one, number, command) for number, one in groups]
    if n_more := n_groups - len(shown):
        parts.append(f"{n_more} more group{'s' * (n_more > 1)}: --show 0 shows all.")
    notes = []
    if findings.other_seeds:
        names = [str(one.settings[0]).replace(", seed=0", "") for one in findings.other_seeds]
        notes.append(
            "The average of evaluate's rouge depends on a seed; 0 and 42 were tried. With "
            f"another seed these may match, which is weaker evidence: {'; '.join(names)}."
        )
    if findings.untried:
        notes.append(f"Not tried, because a package is missing: {', '.join(findings.untried)}.")
    if shown:
        notes.append(
            "Agreement is evidence, not proof: settings that were not tried may give the same "
            "numbers. Give more scores or more digits to narrow the list."
        )
    elif (found := findings.nearest[0]).distance * 100 / found.scale > _FAR:
        notes.append("The texts are probably not those that were scored.")
    return "\n\n".join([*parts, *map(inputs.filled, notes)])


def _block(findings: Findings, found: Found, number: int, command: str) -> str:
    first, *others = found.settings
    has_output = first.output and any(not one.output for one in findings.reported)
    decimals = 4 if found.scale == 100 else 6
    scores = [f"{name} {score * found.scale:.{decimals}f}" for name, score in found.scores.items()]
    lines = [
        f"{number}. {first}",
        f"   {f'{first.output}: ' if has_output else ''}{', '.join(scores)}",
    ]
    if not findings.matches:
        lines.append(f"   at most {found.distance:.3g} from the reported numbers")
    can_be_read = "function(" not in first.signature
    call = f"{command} --signature {shlex.quote(first.signature)}"
    lines += [f"   {first.code}", f"   {call if can_be_read else first.signature}"]
    named = {one.options.get("preset"): one for one in reversed(others)}  # one of each preset
    named.pop(first.options.get("preset"), None)
    if others:
        shown = [one for one in others if one in named.values()][:6]
        n_more = len(others) - len(shown)
        words = [str(one) for one in shown] + ([f"{n_more} more (--json)"] if n_more else [])
        lines.append(inputs.filled(f"Equal results: {'; '.join(words)}.", indent="   "))
    return "\n".join(lines)


def findings_json(findings: Findings) -> str:
    def entry(found: Found) -> dict[str, Any]:
        names = ("output", "signature", "code")
        settings = [{name: getattr(one, name) for name in names} for one in found.settings]
        return {**vars(found), "settings": settings}

    content = dict(vars(findings))  # in the order of the fields
    content["reported"] = {one.name: one.text for one in findings.reported}
    for name in ("matches", "other_seeds", "nearest"):
        content[name] = list(map(entry, content[name]))
    return inputs.json_text(content)
