"""The options of `rouge_full`: defaults, checks, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set, ValuesView
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from ...data.chunks import n_workers_of_jobs
from ...data.list_likes import as_list
from ...lazy import lazy_property
from ...messages import shown
from ...options.checked import CheckedOptions, Preset
from ...options.values import (
    check_choice,
    check_flag,
    check_integer,
    check_jobs,
    check_number,
    check_tokenizer,
    check_zero_division,
)
from ...text.fields.snowball import STEMMER_NAMES, named_stemmer
from ...text.sentence_lines import SentenceSplitter
from ...text.stemming import Stemmer, plain_rouge155_stemmer, porter_stemmer
from ...text.tokenizers import TOKENIZER_NAMES, Tokenizer, TokenizerOptions, check_installed
from ..scores import MULTI_REFERENCES, OUTPUTS
from ..types import DEFAULT_ROUGE_TYPES, SUMMARY_LCS, Family, Measure, measure_of_name
from .languages import check_language, check_stemmer, stemmer_of_language, tokenizer_of_language
from .presets import PRESET_OF_OPTION, ROUGE_PRESETS, RougeRules, rouge_preset
from .type_names import check_rouge_types, spelled_types

_MAX_CACHED_STEMS = 1 << 18
_MAX_LIMIT = 2**31 - 1
_FLAGS = ("use_aggregator", "use_stemmer", "cross_sentences", "signature")


def _listed_types(rouge_types: Any) -> list[Any] | None:
    if rouge_types is None:
        return None
    expected = "a list of rouge types such as ['rouge1', 'rougeL']"
    return as_list(rouge_types, "rouge_types", expected, _hint_of_types)


def _hint_of_types(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    names = value.replace(",", " ").split()
    return f": put them into a list, {names}" if names[1:] else ": put it into a list"


def _hint_of_words(value: Any) -> str:
    is_text = isinstance(value, str)
    return ": give the words themselves, no list has a name" if is_text else ""


def _set_of_stopwords(stopwords: Any) -> frozenset[str] | None:
    """Return the words as a set, since an iterator can be read only once."""
    if stopwords is None:
        return None
    # Their order does not matter, so sets, keys of a dict and iterators are taken too.
    is_unordered = isinstance(stopwords, (Set, Mapping, ValuesView, Iterator))
    expected = "a list or set of words"
    words = (
        list(stopwords)
        if is_unordered
        else as_list(stopwords, "stopwords", expected, _hint_of_words)
    )
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"stopwords must be strings, got {shown(word)}")
    return frozenset(words)


@dataclass(frozen=True)
class RougeOptions(CheckedOptions):
    """The options of `rouge_full`, checked; the metric documents their meaning."""

    rouge_types: Sequence[str] | None = None
    use_aggregator: bool = True
    use_stemmer: bool = False
    tokenizer: str | Tokenizer | None = None
    output: str = "fmeasure"
    beta: float = 1.0
    multi_reference: str = "best"
    lowercase: bool | None = None
    stemmer: Stemmer | str | None = None
    stopwords: Collection[str] | None = None
    max_words: int | None = None
    max_bytes: int | None = None
    sentence_splitter: str | SentenceSplitter = "newline"
    cross_sentences: bool = True
    summary_lcs: str = "union"
    zero_division: float = 0.0
    n_jobs: int = 1
    preset: str | None = None
    signature: bool = False
    confidence_level: float | None = None
    n_resamples: int = 1000
    paired_test: str = "randomization"
    seed: int | None = None
    # Of preset "xlsum" only.
    language: str | None = None
    # Of preset "rouge-1.5.5" only.
    corpus_average: str = "documents"
    document_order: str = "input"

    presets: ClassVar[Mapping[str, Preset[RougeRules]]] = ROUGE_PRESETS
    rivals: ClassVar = {"use_stemmer": "stemmer"}
    conversions: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "rouge_types": _listed_types,
        "stopwords": _set_of_stopwords,
    }

    @classmethod
    def preset_of_name(cls, name: str) -> Preset[RougeRules] | None:
        """Return the preset of a name or of a command line of ROUGE-1.5.5.pl, or None."""
        return rouge_preset(name)

    @classmethod
    def fixed_values(cls, preset: str | None) -> dict[str, Any]:
        """Return the values that options must have under a preset."""
        found = None if preset is None else rouge_preset(preset)
        return {} if found is None else cls.values_of_fixed(found)

    @classmethod
    def idle_options(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return options that have no effect beside these values."""
        idle = set(super().idle_options(values))
        average = values.get("corpus_average")
        if isinstance(average, str) and average == "counts":
            idle |= {"confidence_level", "n_resamples"}
        if "use_stemmer" in values:  # given, False too: no preset has it
            idle.add("stemmer")
        return frozenset(idle)

    def __post_init__(self) -> None:
        self._check_values()
        self.check_resampling()
        self._check_rules()
        self._check_averages()

    def _check_values(self) -> None:
        """Check each option by itself."""
        check_rouge_types(self.rouge_types, takes_weights_below_1=self.rules.takes_weights_below_1)
        for name in _FLAGS:
            check_flag(name, getattr(self, name))
        if self.lowercase is not None:
            check_flag("lowercase", self.lowercase)
        if self.tokenizer is not None:
            check_tokenizer(self.tokenizer, TOKENIZER_NAMES)
            check_installed(self.tokenizer)
        check_choice("output", self.output, (*OUTPUTS, "all"))
        check_number("beta", self.beta, minimum=0.0, may_be_infinite=True)
        check_choice("multi_reference", self.multi_reference, tuple(MULTI_REFERENCES))
        check_zero_division(self.zero_division)
        check_choice("summary_lcs", self.summary_lcs, ("union", "best"))
        check_jobs(self.n_jobs)
        for name in ("max_words", "max_bytes"):
            if getattr(self, name) is not None:
                check_integer(name, getattr(self, name), minimum=1, maximum=_MAX_LIMIT)
        if not callable(self.sentence_splitter):
            splitters = ("newline", "sentences")
            check_choice("sentence_splitter", self.sentence_splitter, splitters)
        check_stemmer(self.stemmer, self.use_stemmer)
        if self.language is not None:
            check_language(self.language, self.use_stemmer)
        averages = ("documents", "tokens", "counts")
        check_choice("corpus_average", self.corpus_average, averages)
        check_choice("document_order", self.document_order, ("input", "string"))

    def _check_averages(self) -> None:
        """Check what goes with averages only, or with counts only."""
        for name in ("confidence_level", "n_resamples"):
            if self.corpus_average == "counts" and self.is_changed(name):
                raise ValueError(f"{name} needs averages: corpus_average='documents' or 'tokens'")
        if self.gives_counts and self.output != "all":
            raise ValueError(
                f"output must be left out where the result is counts, got {self.output!r}"
            )

    def _check_rules(self) -> None:
        """Check what the preset does not know, and what only another one has."""
        with_preset = f"with preset={self.preset!r}"
        self._check_own_options()
        check_choice(
            f"multi_reference {with_preset}", self.multi_reference, self.rules.multi_references
        )
        self._check_limits(with_preset)
        if self.rules.needs_stopwords and self.stopwords is None:
            raise ValueError(
                f"stopwords must be given {with_preset}: the list of -s is not shipped here"
            )
        self._check_families(with_preset)
        self.check_fixed_options()

    def _check_own_options(self) -> None:
        """Raise where an option is given that only another preset has."""
        for name, preset in PRESET_OF_OPTION.items():
            if name not in self.rules.own_options and self.is_changed(name):
                is_stemmer = name == "language" and self.language in STEMMER_NAMES
                hint = f"; for stems alone: stemmer={self.language!r}"
                raise ValueError(
                    f"{name} needs preset={preset!r}, got preset={self.preset!r}"
                    + (hint if is_stemmer else "")
                )

    def _check_limits(self, with_preset: str) -> None:
        has_two_limits = self.max_words is not None and self.max_bytes is not None
        if self.rules.takes_one_limit and has_two_limits:
            raise ValueError(f"max_words and max_bytes cannot both be given {with_preset}")

    def _check_families(self, with_preset: str) -> None:
        """Raise where the preset has no such rouge type."""
        for index, (name, measure) in enumerate(self.measures.items()):
            if measure.family not in self.rules.families:
                raise ValueError(
                    f"rouge_types[{index}] {with_preset} must be "
                    f"{spelled_types(self.rules.families)}, got {name!r}"
                )

    def check_form(self, *, is_tokenized: bool, has_baseline: bool = False) -> None:
        """Raise where an option does not go with the data."""
        if self.max_bytes is not None and is_tokenized:
            raise ValueError("max_bytes needs texts, got lists of tokens")
        if has_baseline and not self.rules.resamples_items:
            raise ValueError(
                f"baseline_predictions must be left out with preset={self.preset!r}, "
                "whose averages have random samples of their own"
            )

    @lazy_property
    def rules(self) -> RougeRules:
        """The rules of the preset."""
        preset = None if self.preset is None else rouge_preset(self.preset)
        return RougeRules() if preset is None else preset.rules

    @lazy_property
    def measures(self) -> dict[str, Measure]:
        """The measure of each rouge type as the user spelled it."""
        names = DEFAULT_ROUGE_TYPES if self.rouge_types is None else self.rouge_types
        measures = {str(name): measure_of_name(name) for name in names}
        return {name: measure for name, measure in measures.items() if measure}

    @lazy_property
    def families(self) -> frozenset[Family]:
        """The families of the measures."""
        return frozenset(measure.family for measure in self.measures.values())

    def counts_in_sentences(self, measure: Measure) -> bool:
        """Whether a measure counts the tokens of sentences, each tokenized by itself."""
        is_kept_within = not self.cross_sentences and measure.words_of_unit > 0
        return measure.family == SUMMARY_LCS or is_kept_within

    @property
    def gives_counts(self) -> bool:
        """Whether the result is counts instead of scores."""
        is_counted = self.corpus_average == "counts"
        return is_counted or (self.corpus_average == "tokens" and not self.use_aggregator)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The outputs that are asked for: one of `OUTPUTS`, or all."""
        return OUTPUTS if self.output == "all" else (self.output,)

    @property
    def scored_outputs(self) -> tuple[str, ...]:
        """The outputs of items that are needed for those that are asked for."""
        is_of_means = self.use_aggregator and self.rules.average == "f_of_means"
        return OUTPUTS if is_of_means else self.outputs

    def key(self, name: str, output: str) -> str:
        """Return the key of the result for a rouge type and an output."""
        return f"{name}_{output}" if self.output == "all" else name

    @property
    def keys_of_types(self) -> list[str]:
        """The keys of the result, those of a rouge type next to each other."""
        outputs = self.outputs
        return [self.key(name, output) for name in self.measures for output in outputs]

    @property
    def n_workers(self) -> int:
        """How many workers score: one where a function of the user is called."""
        functions = (self.stemmer, self.sentence_splitter)
        is_safe = self.tokenizer_options(is_tokenized=False).is_thread_safe
        if not is_safe or any(map(callable, functions)):
            return 1
        return n_workers_of_jobs(self.n_jobs)

    @property
    def tokenizer_name(self) -> str | Tokenizer:
        """The tokenizer: its name, or the function that is one."""
        if self.tokenizer == "xlsum" and self.language is not None:
            return tokenizer_of_language(self.language)
        return self.tokenizer or "rouge_score"

    @property
    def stemmer_name(self) -> str | None:
        """The name of the stemmer: that of the option, or of the language."""
        if isinstance(self.stemmer, str):
            return self.stemmer
        if self.use_stemmer and self.language is not None:
            return stemmer_of_language(self.language) or "no"
        return None

    def tokenizer_options(self, is_tokenized: bool) -> TokenizerOptions:
        """Return how texts become tokens.

        What is not lowercased by name is lowercased only where asked for; so are the
        words of "distinct" and "nmt" counting, which their own rules cut.
        """
        has_own_words = self.rules.counting in ("distinct", "nmt")
        is_named = not (is_tokenized or callable(self.tokenizer) or has_own_words)
        return TokenizerOptions(
            self.tokenizer_name,
            lowercase=is_named if self.lowercase is None else bool(self.lowercase),
            stopwords=frozenset(self.stopwords or ()),
            stem=self._stem,
        )

    @property
    def stems_without_exceptions(self) -> bool:
        """Whether the stemmer is that of -m in a command line, which knows no exceptions."""
        return self.stemmer is plain_rouge155_stemmer()

    @lazy_property
    def _stem(self) -> Stemmer | None:
        if self.stemmer_name == "no":
            return None
        name = self.stemmer_name
        stem = self.stemmer if name is None else named_stemmer(name)
        if callable(stem):
            return lru_cache(maxsize=_MAX_CACHED_STEMS)(stem)
        is_left_to_tokenizer = callable(self.tokenizer) and self.rules.tokenizer_replaces_stemmer
        if self.use_stemmer and not is_left_to_tokenizer:
            return porter_stemmer(self.rules.porter_mode)
        return None
