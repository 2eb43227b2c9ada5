"""The options of `rouge_full`: names of rouge types, defaults, presets, checks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from .inputs import (
    check_choice,
    check_flag,
    check_integer,
    check_level,
    check_number,
    check_tokenizer,
    check_zero_division,
    shown,
)
from .ngrams import MAX_ORDER
from .tokenization import (
    TOKENIZER_NAMES,
    SentenceSplitter,
    Stemmer,
    Tokenizer,
    TokenizerOptions,
    check_installed,
    porter_stemmer,
)

DEFAULT_ROUGE_TYPES = (
    "rouge1",
    "rouge2",
    "rougeL",
    "rougeLsum",
    "rougeW",
    "rougeS4",
    "rougeSU4",
)
DEFAULT_WLCS_WEIGHT = 1.2
MAX_WLCS_WEIGHT = 20  # k ** 20 is finite for texts of any length
OUTPUTS = ("precision", "recall", "fmeasure")
MULTI_REFERENCES = ("best", "average", "pooled", "jackknife")

_ROUGE_SCORE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_ROUGE_155_TYPES = (
    "rouge1",
    "rouge2",
    "rouge3",
    "rouge4",
    "rougeL",
    "rougeW-1.2",
    "rougeS4",
    "rougeSU4",
)
_MAX_CACHED_STEMS = 1 << 18
_MAX_LIMIT = 2**31 - 1
_MAX_SEED = 2**32 - 1  # of numpy's legacy generator

# How a type may be meant that is spelled in another way.
_TYPE_OF_LETTERS = {
    name.lower(): name
    for name in (
        *(f"rouge{n}" for n in range(1, 10)),
        "rougeL",
        "rougeLsum",
        "rougeW",
        "rougeS4",
        "rougeSU4",
    )
}

_ROUGE_TYPE = re.compile(
    r"rouge(?:(?P<order>[1-9][0-9]{0,8})|(?P<lcs>L|Lsum)|W(?:-(?P<weight>[0-9]+(?:\.[0-9]+)?))?|(?P<skip>SU?)(?P<max_skip>\*|[0-9]+)?)"
)


@dataclass(frozen=True)
class Measure:
    """One rouge type: its family (N, L, Lsum, W, S or SU) and what the type says beside
    it.
    """

    family: str
    order: int = 0
    weight: float = DEFAULT_WLCS_WEIGHT
    max_skip: int | None = None

    @classmethod
    def of_name(cls, name: str) -> Measure | None:
        """Return the measure that a rouge type names, or None.

        >>> Measure.of_name("rougeSU4")
        Measure(family='SU', order=0, weight=1.2, max_skip=4)
        """
        match = _ROUGE_TYPE.fullmatch(name)
        if match is None:
            return None
        if match["order"]:
            return cls("N", order=int(match["order"]))
        if match["lcs"]:
            return cls(match["lcs"])
        if match["skip"]:
            max_skip = match["max_skip"]
            return cls(
                match["skip"],
                max_skip=None if max_skip in (None, "*") else int(max_skip),
            )
        return cls("W", weight=float(match["weight"] or DEFAULT_WLCS_WEIGHT))


@dataclass(frozen=True)
class RougeOptions:
    """The options of `rouge_full`, checked; their meaning stands in the documentation
    of the metric.
    """

    rouge_types: Sequence[str] | None = None
    use_aggregator: bool = True
    use_stemmer: bool = False
    tokenizer: str | Tokenizer | None = None
    output: str = "fmeasure"
    beta: float = 1.0
    multi_reference: str = "best"
    lowercase: bool | None = None
    stemmer: Stemmer | None = None
    stopwords: Iterable[str] | None = None
    max_words: int | None = None
    max_bytes: int | None = None
    sentence_splitter: str | SentenceSplitter = "newline"
    cross_sentences: bool = True
    summary_lcs: str = "union"
    zero_division: float = 0.0
    preset: str | None = None
    seed: int | None = None
    # Of preset "rouge-1.5.5" only.
    corpus_average: str = "documents"
    document_order: str = "input"
    confidence_level: float | None = None
    n_resamples: int = 1000

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "rouge_score": {"rouge_types": _ROUGE_SCORE_TYPES},
        "evaluate": {"rouge_types": _ROUGE_SCORE_TYPES},
        "rouge-1.5.5": {
            "rouge_types": _ROUGE_155_TYPES,
            "tokenizer": "rouge-1.5.5",
            "multi_reference": "pooled",
            "output": "all",
        },
        "matlab": {
            "rouge_types": ("rouge1",),
            "tokenizer": "13a",
            "lowercase": False,
            "output": "recall",
            "beta": math.inf,
            "zero_division": math.nan,
        },
    }

    def __post_init__(self) -> None:
        _check_rouge_types(self.rouge_types, above_0=self.preset == "rouge-1.5.5")
        for name in ("use_aggregator", "use_stemmer", "cross_sentences"):
            check_flag(name, getattr(self, name))
        if self.lowercase is not None:
            check_flag("lowercase", self.lowercase)
        if self.tokenizer is not None:
            check_tokenizer(self.tokenizer, TOKENIZER_NAMES)
            check_installed(self.tokenizer)
        check_choice("output", self.output, (*OUTPUTS, "all"))
        check_number("beta", self.beta, minimum=0.0, may_be_infinite=True)
        check_choice("multi_reference", self.multi_reference, MULTI_REFERENCES)
        check_zero_division(self.zero_division)
        check_choice("summary_lcs", self.summary_lcs, ("union", "best"))
        for name in ("max_words", "max_bytes"):
            if getattr(self, name) is not None:
                check_integer(name, getattr(self, name), minimum=1, maximum=_MAX_LIMIT)
        if not callable(self.sentence_splitter):
            check_choice(
                "sentence_splitter", self.sentence_splitter, ("newline", "sentences")
            )
        _check_stemmer(self.stemmer, self.use_stemmer)
        if self.stopwords is not None:
            object.__setattr__(
                self, "stopwords", _checked_stopwords(self.stopwords)
            )  # an iterator can be read only once
        self._check_seed()
        self._check_rouge155()

    def _check_seed(self) -> None:
        if self.seed is None:
            return
        if self.preset != "evaluate":
            raise ValueError(
                "seed has no effect: only preset='evaluate' draws random numbers"
            )
        check_integer("seed", self.seed, minimum=0, maximum=_MAX_SEED)

    def _check_rouge155(self) -> None:
        """Check the options that only the Perl script has, and those that it does not
        know.
        """
        check_choice(
            "corpus_average", self.corpus_average, ("documents", "tokens", "counts")
        )
        check_choice("document_order", self.document_order, ("input", "string"))
        check_integer("n_resamples", self.n_resamples, minimum=1)
        if self.confidence_level is not None:
            check_level("confidence_level", self.confidence_level)
        if self.preset == "rouge-1.5.5":
            has_averages = self.use_aggregator and self.corpus_average != "counts"
            if self.confidence_level is not None and not has_averages:
                raise ValueError(
                    "confidence_level needs averages: use_aggregator=True and corpus_average='documents' or 'tokens'"
                )
            if self.n_resamples != RougeOptions.n_resamples and not has_averages:
                raise ValueError(
                    "n_resamples needs averages: use_aggregator=True and corpus_average='documents' or 'tokens'"
                )
            gives_counts = self.corpus_average == "counts" or (
                self.corpus_average == "tokens" and not self.use_aggregator
            )
            if gives_counts and self.output != "all":
                raise ValueError(
                    f"output must be left out where the result is counts, got {self.output!r}"
                )
        if self.preset != "rouge-1.5.5":
            for name in (
                "corpus_average",
                "document_order",
                "confidence_level",
                "n_resamples",
            ):
                if getattr(self, name) != getattr(RougeOptions, name):
                    raise ValueError(
                        f"{name} needs preset='rouge-1.5.5', got preset={self.preset!r}"
                    )
            return
        check_choice(
            "multi_reference with preset='rouge-1.5.5'",
            self.multi_reference,
            ("pooled", "best"),
        )
        if self.max_words is not None and self.max_bytes is not None:
            raise ValueError(
                "max_words and max_bytes cannot both be given with preset='rouge-1.5.5'"
            )
        for name in ("cross_sentences", "summary_lcs", "zero_division"):
            if getattr(self, name) != getattr(RougeOptions, name):
                raise ValueError(
                    f"{name} must be {getattr(RougeOptions, name)!r} with preset='rouge-1.5.5', got {getattr(self, name)!r}"
                )

    def check_form(self, *, is_tokenized: bool) -> None:
        """Raise where an option does not go with the form of the data."""
        if self.max_bytes is not None and is_tokenized:
            raise ValueError("max_bytes needs texts, got lists of tokens")

    @property
    def measures(self) -> dict[str, Measure]:
        """The measure of each rouge type as the user spelled it."""
        names = DEFAULT_ROUGE_TYPES if self.rouge_types is None else self.rouge_types
        return {
            str(name): measure
            for name in names
            if (measure := Measure.of_name(name)) is not None
        }

    @property
    def outputs(self) -> tuple[str, ...]:
        return OUTPUTS if self.output == "all" else (self.output,)

    def key(self, name: str, output: str) -> str:
        """The key of the result for a rouge type and an output."""
        return f"{name}_{output}" if self.output == "all" else name

    def tokenization(self, is_tokenized: bool) -> TokenizerOptions:
        """How texts become tokens. What is not lowercased by name is lowercased only
        where asked for.
        """
        is_named = not is_tokenized and not callable(self.tokenizer)
        stem: Stemmer | None = (
            None
            if self.stemmer is None
            else lru_cache(maxsize=_MAX_CACHED_STEMS)(self.stemmer)
        )
        # rouge_score leaves stemming to a tokenizer that is given, and so does
        # evaluate.
        if self.use_stemmer and not (
            callable(self.tokenizer) and self.preset in ("rouge_score", "evaluate")
        ):
            stem = porter_stemmer()
        return TokenizerOptions(
            self.tokenizer or "rouge_score",
            lowercase=is_named if self.lowercase is None else bool(self.lowercase),
            stopwords=frozenset(self.stopwords or ()),
            stem=stem,
        )


def _check_rouge_types(rouge_types: Any, *, above_0: bool) -> None:
    if rouge_types is None:
        return
    if not isinstance(rouge_types, (list, tuple)):
        raise TypeError(
            f"rouge_types must be a list of rouge types such as ['rouge1', 'rougeL'], got {shown(rouge_types)}"
        )
    if not rouge_types:
        raise ValueError(
            "rouge_types is empty: name at least one rouge type, or leave it out for the default ones"
        )
    for index, name in enumerate(rouge_types):
        measure = Measure.of_name(name) if isinstance(name, str) else None
        if measure is None:
            near = _TYPE_OF_LETTERS.get(re.sub("[-_ ]", "", str(name).lower()))
            hint = f". Did you mean {near!r}?" if near else ""
            raise ValueError(
                f"rouge_types[{index}] must be rouge1, rouge2, ..., rougeL, rougeLsum, rougeW, rougeS or rougeSU "
                f"(W with an optional weight as in rougeW-1.5, S and SU with an optional number as in rougeS4), got {name!r}{hint}"
            )
        if (
            not (measure.weight > 0 if above_0 else measure.weight >= 1)
            or measure.weight > MAX_WLCS_WEIGHT
        ):
            lowest = "above 0" if above_0 else "from 1"
            raise ValueError(
                f"rouge_types[{index}] must have a weight {lowest} to {MAX_WLCS_WEIGHT}, got {name!r}"
            )
        if measure.order > MAX_ORDER:
            raise ValueError(
                f"rouge_types[{index}] must have an order of at most {MAX_ORDER}, got {name!r}"
            )


def _check_stemmer(stemmer: Any, use_stemmer: bool) -> None:
    if use_stemmer:
        porter_stemmer()  # a missing NLTK is reported before any work
    if stemmer is None:
        return
    if not callable(stemmer):
        raise TypeError(
            f"stemmer must be a function from a token to its stem, got {shown(stemmer)}"
        )
    if use_stemmer:
        raise ValueError(
            "stemmer and use_stemmer=True cannot both be given: use_stemmer stands for NLTK's Porter stemmer"
        )


def _checked_stopwords(stopwords: Any) -> frozenset[str]:
    if isinstance(stopwords, str) or not isinstance(stopwords, Iterable):
        raise TypeError(
            f"stopwords must be a list or set of words, got {shown(stopwords)}"
        )
    words = list(stopwords)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"stopwords must be strings, got {shown(word)}")
    return frozenset(words)
