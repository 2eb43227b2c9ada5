"""The options of `rouge_full`: declarations, checks of combinations, and what follows from them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set, ValuesView
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

from ..arrays import lazy_property
from ..corpus import Corpus, as_list
from ..kernels.ngrams import MAX_ORDER
from ..messages import safe_repr, shown
from ..options import (
    CheckedOptions,
    check_choice,
    check_flag,
    check_function,
    close_name,
    must_be_integer,
    must_be_number,
    option,
    option_of_corpus,
)
from ..registry import PRESET_OF_OPTION, ROUGE_PRESETS
from ..rouge_types import DEFAULT_ROUGE_TYPES, FAMILIES, type_of_name
from ..rouge_types.family import Family, RougeType
from ..rouge_types.weighted_lcs import MAX_WEIGHT
from ..signature import digest_of, read_case, value_text
from ..text.sentences import SentenceSplitter
from ..text.stemming import (
    NLTK_EXTENSIONS,
    ROUGE_155_STEMMER,
    STEMMERS,
    Stemmer,
    named_stemmer,
    plain_rouge155_stemmer,
    porter_stem_of_rouge155,
    porter_stemmer,
)
from ..text.tokenizer_rules import TokenizerRules
from ..text.tokenizers import Tokenizer, tokenizer_rules
from .rules import MULTI_REFERENCES, NO_PRESET, OUTPUTS

_USUAL_TYPES = (*DEFAULT_ROUGE_TYPES, "rougeW-1.2", "rougeS", "rougeS*", "rougeSU", "rougeSU*")
_MAX_TYPES = 100
_MAX_CACHED_STEMS = 1 << 18
_check_limit = must_be_integer(1, 2**31 - 1)
_check_beta = must_be_number("a number >= 0, or math.inf", lambda value: value >= 0)
_SPLITTERS, _SUMMARY_LCS = ("newline", "sentences"), ("union", *FAMILIES["Lsum"].by_summary_lcs)

# --- checks of single values ------------------------------------------------------------


def _check_rouge_types(name: str, rouge_types: Any) -> list[str]:
    if isinstance(rouge_types, str) and rouge_types == "all":
        rouge_types = ["all"]
    expected = "a list of rouge types such as ['rouge1', 'rougeL']"
    types = as_list(rouge_types, name, expected, _hint_of_types)
    if list(map(str, types)) == ["all"]:
        return list(DEFAULT_ROUGE_TYPES)
    if not types:
        raise ValueError(f"{name} is empty: pass at least one type, or leave it out")
    if len(types) > _MAX_TYPES:
        raise ValueError(
            f"{name} must have at most {_MAX_TYPES} types, got {len(types)}: use several calls"
        )
    for index, one in enumerate(types):
        rouge_type = type_of_name(one) if isinstance(one, str) else None
        if rouge_type is None:
            close = close_name(one, _USUAL_TYPES) if isinstance(one, str) else None
            hint = f". Did you mean {close!r}?" if close else ""
            raise ValueError(
                f"{name}[{index}] must be {_spelled_types()}, as in rouge2, rougeW-1.5 or rougeSU4, "
                f"got {safe_repr(one)}{hint}"
            )
        if rouge_type.order > MAX_ORDER:
            raise ValueError(f"{name}[{index}] must have an order up to {MAX_ORDER}, got {one!r}")
        if not 0 < rouge_type.weight <= MAX_WEIGHT:
            raise ValueError(f"{name}[{index}] must have a weight up to {MAX_WEIGHT}, got {one!r}")
    return types


def _hint_of_types(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    names = value.replace(",", " ").split()
    names = [one if type_of_name(one) else close_name(one, _USUAL_TYPES) or one for one in names]
    return f": put {'them' if names[1:] else 'it'} into a list, {names}"


def _spelled_types(families: Mapping[str, Family] = FAMILIES) -> str:
    """Return the types of families as a message lists them."""
    *others, last = [FAMILIES[name].example for name in FAMILIES if name in families]
    return f"{', '.join(others)} or {last}" if others else last


def _check_use_stemmer(name: str, value: Any) -> Any:
    if check_flag(name, value):
        porter_stemmer(NLTK_EXTENSIONS)  # raises an error before any work if NLTK is missing
    return value


def _check_stemmer(name: str, value: Any) -> Any:
    if value is True or (isinstance(value, str) and value == "porter"):
        raise ValueError(
            f"{name} must be a name or a function, got {value!r}: pass use_stemmer=True"
        )
    kind = "a token to its stem"
    if not isinstance(value, str):
        return check_function(name, value, kind, "stem")
    named_stemmer(
        check_choice(name, value, tuple(STEMMERS), f", or in Python a function from {kind}")
    )
    return value


def _check_stopwords(name: str, value: Any) -> frozenset[str]:
    """Return the words as a set, since an iterator can be read only once."""
    # The order does not matter, so sets, keys of a dict and iterators are accepted too.
    is_unordered = isinstance(value, (Set, Mapping, ValuesView, Iterator))
    expected = "a list or set of words"
    hint = ": pass the words themselves; there are no built-in lists" * isinstance(value, str)
    words = list(value) if is_unordered else as_list(value, name, expected, lambda value: hint)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name} must be strings, got {shown(word)}")
    return frozenset(words)


def _check_language(name: str, value: Any) -> Any:
    languages = ROUGE_PRESETS[PRESET_OF_OPTION[name]].languages
    check_choice(name, value, tuple(languages))
    tokenizer_rules(languages[value].tokenizer).check_installed()
    return value


@dataclass(frozen=True)
class RougeOptions(CheckedOptions):
    """The options of `rouge_full`, checked; `rouge` documents their meaning."""

    rouge_types: Sequence[str] | None = option(
        None,
        _check_rouge_types,
        "types to compute, such as rouge1 rougeLsum rougeSU4; all: the seven defaults",
        str,
        "types",
        several=True,
    )
    use_stemmer: bool = option(
        False, _check_use_stemmer, "compare stems of NLTK's Porter stemmer", bool, "stem"
    )
    output: str = option_of_corpus(
        "fmeasure", (*OUTPUTS, "all"), "precision, recall, fmeasure or all", sign="out"
    )
    beta: float = option(1.0, _check_beta, "weight of recall in F; 0: precision", float, "beta")
    multi_reference: str = option(
        "best",
        MULTI_REFERENCES,
        "how several references count: best (default), average, pooled, ...",
        sign="multi",
        is_always_signed=True,
    )
    lowercase: bool | None = option(None, check_flag, "ignore case", bool, "case")
    stemmer: Stemmer | str | None = option(
        None,
        _check_stemmer,
        "stemmer: german, ...; rouge-1.5.5 stems like -m of that script, without its lists of "
        "irregular words",
        sign="stem",
    )
    stopwords: Collection[str] | None = option(
        None, _check_stopwords, "words to leave out; the command takes a file", str, "stop"
    )
    max_words: int | None = option(
        None, _check_limit, "truncate each text to this many words", int, "words"
    )
    max_bytes: int | None = option(
        None, _check_limit, "truncate each text to this many bytes", int, "bytes"
    )
    sentence_splitter: str | SentenceSplitter = option(
        "newline",
        lambda name, value: value if callable(value) else check_choice(name, value, _SPLITTERS),
        "how to find sentences: newline (default) or sentences",
        str,
        "split",
    )
    cross_sentences: bool = option(
        True, check_flag, "n-grams and skip-bigrams may cross ends of sentences", bool, "cross"
    )
    summary_lcs: str = option(
        "union", _SUMMARY_LCS, "LCS of rougeLsum: union (default) or best", str, "lsum"
    )
    # For preset "xlsum" only.
    language: str | None = option(
        None, _check_language, "for preset xlsum: language of the texts", str, "language"
    )
    # For preset "rouge-1.5.5" only.
    corpus_average: str = option_of_corpus(
        "documents",
        ("documents", "tokens", "counts"),
        "for preset rouge-1.5.5: documents (default), tokens or counts",
        sign="unit",
    )
    document_order: str = option_of_corpus(
        "input",
        ("input", "string"),
        "for preset rouge-1.5.5: input (default) or string",
        sign="docs",
    )

    metric: ClassVar = "rouge"
    presets: ClassVar = ROUGE_PRESETS
    no_preset: ClassVar = NO_PRESET
    rivals: ClassVar = {"use_stemmer": "stemmer"}
    idle: ClassVar = {
        **CheckedOptions.idle,
        ("corpus_average", "counts"): ("confidence_level", "n_resamples"),
    }
    part_readers: ClassVar = {
        "types": lambda text: {"rouge_types": text.split(",")},
        "case": read_case,
        "stem": lambda text: (
            {"use_stemmer": text == "porter"}
            if text in ("no", "porter")
            else {"use_stemmer": False, "stemmer": text}
        ),
        "avg": lambda text: {"use_aggregator": text != "none"},
    }

    def signature_parts(self, is_tokenized: bool) -> dict[str, str]:
        """Return the parts of a signature that depend on several options."""
        # Stemmers of NLTK lowercase words, but not with the fourth step of ROUGE-1.5.5.
        is_lowered = self.packages and self.stemmer_name != ROUGE_155_STEMMER
        case = "stemmed" if is_lowered else "mixed"
        if self.token_rules(is_tokenized).lowercase:
            case = "lower"
        stem = "porter" if self.use_stemmer else "no"
        if self.stemmer is not None or self.stemmer_name is not None:
            stem = value_text(self.stemmer_name or self.stemmer)
        parts = {
            "types": ",".join(self.types_by_name),
            "tok": "given" if is_tokenized else value_text(self.tokenizer_name),
            "case": case,
            "stem": stem,
            "avg": self.rules.average if self.use_aggregator else "none",
        }
        return {**parts, "stop": digest_of(self.stopwords)} if self.stopwords else parts

    def conflicts(self) -> Iterator[str]:
        if self.stemmer is not None and self.stemmer in (
            ROUGE_155_STEMMER,
            plain_rouge155_stemmer(),
        ):
            porter_stem_of_rouge155()  # raises without NLTK
        with_preset = f"with preset={self.preset!r}"
        if self.use_stemmer and self.stemmer is not None:
            yield "stemmer and use_stemmer=True cannot both be given: the latter is NLTK's Porter stemmer"
        for name, preset in PRESET_OF_OPTION.items():
            if self.rules.name != preset and self.is_changed(name):
                is_stemmer = name == "language" and self.language in STEMMERS
                hint = f"; for stems alone: stemmer={self.language!r}" if is_stemmer else ""
                yield f"{name} needs preset={preset!r}, got {self.preset!r}{hint}"
        if self.use_stemmer and self.language is not None:
            of_language = self.rules.languages[self.language]
            if of_language.has_other_stemmer:
                yield (
                    f"use_stemmer must be False with language={self.language!r}, whose stemmer is "
                    "not on PyPI: pass your copy as stemmer=..."
                )
            if of_language.stemmer is not None:
                named_stemmer(of_language.stemmer)
        choices = self.rules.multi_references
        check_choice(f"multi_reference {with_preset}", self.multi_reference, choices)
        if self.rules.takes_one_limit and None not in (self.max_words, self.max_bytes):
            yield f"max_words and max_bytes cannot both be given {with_preset}"
        if self.rules.needs_stopwords and self.stopwords is None:
            yield f"stopwords must be given {with_preset}: the list of -s is missing"
        for index, (name, rouge_type) in enumerate(self.types_by_name.items()):
            place, family = f"rouge_types[{index}]", self.families.get(rouge_type.family)
            if family is None:
                types = _spelled_types(self.rules.families)
                yield f"{place} {with_preset} must be {types}, got {name!r}"
            elif rouge_type.weight < family.least_weight:
                least = family.least_weight
                yield f"{place} must have a weight from {least:g} on, got {name!r}"
        yield from super().conflicts()
        if self.gives_counts and self.output != "all":
            yield f"output must be left out if the result has counts, got {self.output!r}"

    def check_for(self, corpus: Corpus, has_baseline: bool = False) -> None:
        if self.max_bytes is not None and corpus.is_tokenized:
            raise ValueError("max_bytes needs texts, got lists of tokens")
        if has_baseline and self.rules.averaging is not None:
            raise ValueError(
                f"baseline_predictions must be left out with preset={self.preset!r}, "
                "which averages random samples"
            )
        super().check_for(corpus)

    # --- types ------------------------------------------------------------------------

    @lazy_property
    def types_by_name(self) -> dict[str, RougeType]:
        """Each rouge type by the name that the user gave."""
        names = DEFAULT_ROUGE_TYPES if self.rouge_types is None else self.rouge_types
        return {name: rouge_type for name in names if (rouge_type := type_of_name(name))}

    @lazy_property
    def families(self) -> Mapping[str, Family]:
        """The families that can be counted, by name: those of the preset."""
        choice = self.summary_lcs
        families = self.rules.families.items()
        return {name: family.by_summary_lcs.get(choice, family) for name, family in families}

    @lazy_property
    def families_of_types(self) -> list[Family]:
        """The family that counts each rouge type."""
        return [self.families[one.family] for one in self.types_by_name.values()]

    @lazy_property
    def expects_lines(self) -> bool:
        """Whether a type takes each line of a text as a sentence."""
        is_newline = self.sentence_splitter == "newline"
        return is_newline and any(one.expects_lines for one in self.families_of_types)

    @lazy_property
    def has_scores_of_one_pair(self) -> bool:
        """Whether examples have the scores of one of their pairs: P, R and F_beta in 64 bits."""
        families = self.families_of_types
        are_usual = all(one.inverse is None and one.formula is None for one in families)
        is_usual = are_usual and 1e-150 < self.beta < 1e150 and not self.rules.has_32_bits
        return is_usual and self.multi_reference in ("best", "recall")

    # --- results ----------------------------------------------------------------------

    @property
    def gives_counts(self) -> bool:
        """Whether the result is counts instead of scores."""
        is_counted = self.corpus_average == "counts"
        return is_counted or (self.corpus_average == "tokens" and not self.use_aggregator)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The requested outputs: one of `OUTPUTS`, or all."""
        return OUTPUTS if self.output == "all" else (self.output,)

    @property
    def averages_f_of_means(self) -> bool:
        """Whether F of the corpus is computed from mean precision and mean recall."""
        return self.use_aggregator and self.rules.average == "f_of_means"

    @property
    def scored_outputs(self) -> tuple[str, ...]:
        """The outputs of examples that the requested outputs need."""
        return OUTPUTS if self.averages_f_of_means else self.outputs

    def result_keys(self, outputs: Sequence[str]) -> list[str]:
        """Return the keys of these outputs in a result, those of a rouge type next to each other."""
        if len(outputs) == 1:
            return list(self.types_by_name)
        return [f"{name}_{output}" for name in self.types_by_name for output in outputs]

    # --- words ------------------------------------------------------------------------

    @property
    def tokenizer_name(self) -> str | Tokenizer:
        """The tokenizer: its name or a function."""
        of_preset = self.rules.options.get("tokenizer")
        if self.language is not None and self.tokenizer == of_preset:
            return self.rules.languages[self.language].tokenizer
        return self.tokenizer or "rouge_score"

    @property
    def stemmer_name(self) -> str | None:
        """The name; "no" for a language without one; None: a function, the default one, or no stemmer."""
        if isinstance(self.stemmer, str):
            return self.stemmer
        if self.stemmer is plain_rouge155_stemmer():
            return ROUGE_155_STEMMER
        if self.use_stemmer and self.language is not None:
            return self.rules.languages[self.language].stemmer or "no"
        return None

    @property
    def packages(self) -> list[str]:
        """The packages that tokens depend on, apart from the tokenizer's package."""
        name = self.stemmer_name
        is_porter = self.use_stemmer and name is None
        return ["nltk"] if is_porter or name not in (None, "no") else []

    def token_rules(self, is_tokenized: bool) -> TokenizerRules:
        """Return the tokenization rules; named tokenizers lowercase by default."""
        return self._token_rules[is_tokenized]

    @lazy_property
    def _token_rules(self) -> list[TokenizerRules]:
        has_stemmer = self.use_stemmer or self.stemmer is not None
        keeps_case = callable(self.tokenizer) or self.rules.keeps_case
        rules = tokenizer_rules(
            self.tokenizer_name,
            stopwords=frozenset(self.stopwords or ()),
            stem=self._stem_function if has_stemmer else None,
        )
        return [
            replace(rules, lowercase=bool(default if self.lowercase is None else self.lowercase))
            for default in (not keeps_case, False)
        ]

    @lazy_property
    def _stem_function(self) -> Stemmer | None:
        if self.stemmer_name is not None:
            return None if self.stemmer_name == "no" else named_stemmer(self.stemmer_name)
        if callable(self.stemmer):
            return lru_cache(maxsize=_MAX_CACHED_STEMS)(self.stemmer)
        is_left_to_tokenizer = callable(self.tokenizer) and self.rules.tokenizer_replaces_stemmer
        if self.use_stemmer and not is_left_to_tokenizer:
            return porter_stemmer(self.rules.porter_mode)
        return None
