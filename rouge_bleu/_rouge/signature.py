"""The parts of the signature of `rouge_full`, from each option and back."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any

from ..options.signature_parts import (
    CONFIDENCE_LEVEL,
    DRAWS,
    PACKAGE,
    PAIRED_TEST,
    REFERENCES,
    SACREBLEU,
    STOPWORDS,
    YES_OR_NO,
    Part,
    ScoredRun,
    choice_read,
    function_text,
    n_resamples_text,
    number_text,
    preset_by_rules,
    read_as,
    read_function,
    read_tokenizer,
    seed_text,
    tokenizer_text,
    unescaped,
    version_of,
)
from ..text.fields.snowball import STEMMER_NAMES, STEMMERS_OF_NLTK
from ..text.stemming import ROUGE_155_STEMMER
from .options.checked import RougeOptions
from .options.presets import RougeRules
from .other_packages import package_of
from .types import (
    DEFAULT_ROUGE_TYPES,
    FAMILIES,
    LCS,
    SUMMARY_LCS,
    Measure,
    measure_of_name,
)

# Options that change no score.
ROUGE_OPTIONS_WITHOUT_EFFECT = frozenset({"n_jobs", "signature"})

# By the counting of the preset, options on which no score depends.
_UNSIGNED_OPTIONS = {
    "rouge-1.5.5": ("cross_sentences", "summary_lcs", "zero_division", "seed"),
    **dict.fromkeys(("py-rouge", "nmt", "single blanks"), ("zero_division",)),
}
_COUNTED_BY_SENTENCE = ("rouge-1.5.5", "unrounded", "rouge-2.0")

_NAME_OF_DEFAULT_TYPE = {measure_of_name(name): name for name in DEFAULT_ROUGE_TYPES}


# --- what can change a score ----------------------------------------------------------


def _rouge_acting_rules(rules: RougeRules, options: RougeOptions, run: ScoredRun) -> Hashable:
    """Return what of the rules can change a score under these options.

    The other rules say which options are allowed; whether a tokenizer replaces stemming
    stands in the part of the stemmer.
    """
    weights = [measure.weight for measure in options.measures.values()]
    return (
        rules.counting,
        options.use_aggregator and rules.average,
        min(weights) < 1 and rules.takes_weights_below_1,
        rules.pairs,
        rules.sentence_rule,
        options.use_stemmer and rules.porter_mode,
        LCS in options.families and rules.lcs_of_distinct_words,
    )


def _is_unsigned(option: str, options: RougeOptions) -> bool:
    """Whether no score depends on an option by the convention of the preset."""
    return option in _UNSIGNED_OPTIONS.get(options.rules.counting, ())


def _averages_medians(options: RougeOptions) -> bool:
    """Whether the average depends on a seed, and so on the order of the types."""
    return options.use_aggregator and options.rules.average == "resampled_median"


def _averages_samples(options: RougeOptions) -> bool:
    """Whether the average is that of samples of the Perl script."""
    has_average = options.use_aggregator and not options.gives_counts
    return package_of(options).averages_documents and has_average


def _has_units_of_several_words(options: RougeOptions) -> bool:
    return any(words > 1 for words in _words_of_units(options))


def _words_of_units(options: RougeOptions) -> list[int]:
    """Return `words_of_unit` of each measure."""
    measures = options.measures.values()
    return [measure.words_of_unit for measure in measures]


def _keeps_within_sentences(options: RougeOptions) -> bool:
    """Whether n-grams and skip-bigrams are others than those of the whole text."""
    tokenizer = options.tokenizer_options(is_tokenized=False)
    are_same_tokens = options.sentence_splitter == "newline" and tokenizer.separates_sentences
    has_other_unigrams = 1 in _words_of_units(options) and not are_same_tokens
    return not options.cross_sentences and (
        _has_units_of_several_words(options) or has_other_unigrams
    )


def _has_effect_of_beta(options: RougeOptions, run: ScoredRun) -> bool:
    """Whether F is returned, or chooses among references."""
    if options.gives_counts:
        return False
    chooses = options.multi_reference in ("best", "jackknife")
    return "fmeasure" in options.outputs or (
        chooses and run.most_references > 1 and not package_of(options).averages_documents
    )


# --- options -> values ----------------------------------------------------------------


def _rouge_preset(options: RougeOptions, run: ScoredRun) -> str | None:
    return preset_by_rules(options, run, _rouge_acting_rules)


def _types(options: RougeOptions, run: ScoredRun) -> str:
    """The types, one name for all of a measure; sorted where their order is nothing.

    Names are those of the default types, else those in full. A measure that stands
    twice keeps its names, as its two keys do.
    """
    measures = list(options.measures.values())
    has_long_names = package_of(options).averages_documents
    usual = {} if has_long_names else _NAME_OF_DEFAULT_TYPE
    types = [
        (name if measures.count(measure) > 1 else usual.get(measure, measure.name), measure)
        for name, measure in options.measures.items()
    ]
    if not _averages_medians(options):
        types.sort(key=lambda item: (*_place_of_measure(item[1]), item[0]))
    return ",".join(name for name, _ in types)


def _place_of_measure(measure: Measure) -> tuple[float, ...]:
    max_skip = math.inf if measure.max_skip is None else measure.max_skip
    family = FAMILIES.index(measure.family)
    return family, measure.order, measure.weight, max_skip


def _rouge_tokenizer(options: RougeOptions, run: ScoredRun) -> str:
    return tokenizer_text(options.tokenizer_name, run)


def _rouge_case(options: RougeOptions, run: ScoredRun) -> str:
    lowercase = options.tokenizer_options(run.is_tokenized).lowercase
    return "lower" if lowercase else "mixed"


def _stemmer(options: RougeOptions, run: ScoredRun) -> str:
    if options.stems_without_exceptions:  # -m in a command line
        return ROUGE_155_STEMMER
    if options.stemmer_name is not None:
        return options.stemmer_name
    if callable(options.stemmer):
        return function_text(options.stemmer)
    stem = options.tokenizer_options(run.is_tokenized).stem
    return "no" if stem is None else "porter"


def _read_stemmer(text: str) -> Any:
    if text in STEMMER_NAMES:
        return {"stemmer": text}
    return read_function("stemmer", text) or _read_use_stemmer(text)


_read_use_stemmer = choice_read("use_stemmer", {"no": False, "porter": True})


def _nltk_version(options: RougeOptions, run: ScoredRun) -> str | None:
    is_used = _stemmer(options, run) in ("porter", *STEMMERS_OF_NLTK)
    return version_of("nltk") if is_used else None


def _limit_of_words(options: RougeOptions, run: ScoredRun) -> str | None:
    return None if options.max_words is None else str(int(options.max_words))


def _limit_of_bytes(options: RougeOptions, run: ScoredRun) -> str | None:
    return None if options.max_bytes is None else str(int(options.max_bytes))


def _multi_reference(options: RougeOptions, run: ScoredRun) -> str | None:
    # A line that does not say it is read as "best", which some presets do not have.
    is_said = run.most_references > 1 or "best" not in options.rules.multi_references
    return options.multi_reference if is_said else None


def _splitter(options: RougeOptions, run: ScoredRun) -> str | None:
    has_sentences = (
        options.rules.counting in _COUNTED_BY_SENTENCE
        or SUMMARY_LCS in options.families
        or _keeps_within_sentences(options)
    )
    if run.is_tokenized or not has_sentences:
        return None
    splitter = options.sentence_splitter
    return splitter if isinstance(splitter, str) else function_text(splitter)


def _read_splitter(text: str) -> Any:
    option = "sentence_splitter"
    return read_function(option, text) or {option: unescaped(text)}


def _cross_sentences(options: RougeOptions, run: ScoredRun) -> str | None:
    if run.is_tokenized or _is_unsigned("cross_sentences", options):
        return None
    if _keeps_within_sentences(options):
        return "no"
    return "yes" if _has_units_of_several_words(options) else None


def _summary_lcs(options: RougeOptions, run: ScoredRun) -> str | None:
    if run.is_tokenized or _is_unsigned("summary_lcs", options):
        return None
    return options.summary_lcs if SUMMARY_LCS in options.families else None


def _output(options: RougeOptions, run: ScoredRun) -> str:
    return "counts" if options.gives_counts else options.output


def _read_output(text: str) -> dict[str, Any]:
    if text == "counts":
        return {"output": "all", "corpus_average": "counts"}
    return {"output": text}


def _beta(options: RougeOptions, run: ScoredRun) -> str | None:
    if not _has_effect_of_beta(options, run):
        return None
    beta = float(options.beta)
    if beta >= 1e150:  # F is recall
        return "inf"
    return number_text(beta if beta**2 else 0.0)


def _rouge_zero_division(options: RougeOptions, run: ScoredRun) -> str | None:
    if _is_unsigned("zero_division", options):
        return None
    return number_text(options.zero_division)


def _average(options: RougeOptions, run: ScoredRun) -> str:
    if not options.use_aggregator:
        return "none"
    if package_of(options).averages_documents:
        return options.corpus_average
    return options.rules.average


def _read_average(text: str) -> dict[str, Any]:
    if text in ("documents", "tokens", "counts"):
        return {"use_aggregator": True, "corpus_average": text}
    return {"use_aggregator": text != "none"}


def _order_of_documents(options: RougeOptions, run: ScoredRun) -> str | None:
    return options.document_order if _averages_samples(options) else None


def _n_resamples(options: RougeOptions, run: ScoredRun) -> str | None:
    if _averages_samples(options):
        return str(int(options.n_resamples))
    return n_resamples_text(options, run)


def _seed(options: RougeOptions, run: ScoredRun) -> str | None:
    if _is_unsigned("seed", options):
        return None
    if _averages_medians(options):
        return str(int(options.seed_or(run.load_seed)))
    return seed_text(options, run)


# --- the table ------------------------------------------------------------------------


def _part(
    name: str,
    option: str,
    written: Callable[[RougeOptions, ScoredRun], str | None],
    convert: Callable[[str], Any] = unescaped,
) -> Part:
    """Return the part of one option, whose value is read by a conversion."""
    return Part(name, (option,), written, read_as(option, convert))


_READ_CASE = choice_read("lowercase", {"lower": True, "mixed": False})
_READ_CROSS = choice_read("cross_sentences", YES_OR_NO)

ROUGE_SIGNATURE = (
    _part("preset", "preset", _rouge_preset),
    _part("types", "rouge_types", _types, lambda text: text.split(",")),
    Part("tok", ("tokenizer", "language"), _rouge_tokenizer, read_tokenizer),
    Part("case", ("lowercase",), _rouge_case, _READ_CASE),
    Part("stem", ("use_stemmer", "stemmer"), _stemmer, _read_stemmer),
    STOPWORDS,
    _part("words", "max_words", _limit_of_words, int),
    _part("bytes", "max_bytes", _limit_of_bytes, int),
    REFERENCES,
    _part("multi", "multi_reference", _multi_reference),
    Part("split", ("sentence_splitter",), _splitter, _read_splitter),
    Part("cross", ("cross_sentences",), _cross_sentences, _READ_CROSS),
    _part("lsum", "summary_lcs", _summary_lcs),
    Part("out", ("output",), _output, _read_output),
    _part("beta", "beta", _beta, float),
    _part("zero", "zero_division", _rouge_zero_division, float),
    Part("avg", ("use_aggregator", "corpus_average"), _average, _read_average),
    _part("docs", "document_order", _order_of_documents),
    CONFIDENCE_LEVEL,
    _part("bs", "n_resamples", _n_resamples, int),
    _part("seed", "seed", _seed, int),
    DRAWS,
    PAIRED_TEST,
    Part("nltk", (), _nltk_version, None),
    SACREBLEU,
    PACKAGE,
)
