"""Options of both metrics that are refused, and the whole message of each."""

import dataclasses
import math

from helpers.errors import KEYS, LIST_OF, NO_ORDER
from rouge_bleu._bleu.options import BLEU_PRESETS, BleuOptions
from rouge_bleu._bleu.smoothing import SMOOTHINGS
from rouge_bleu._rouge.options.checked import RougeOptions
from rouge_bleu._rouge.options.languages import LANGUAGES
from rouge_bleu._rouge.options.presets import ROUGE_PRESETS
from rouge_bleu.text.stemming import STEMMER_NAMES
from rouge_bleu.text.tokenizers import TOKENIZER_NAMES

PUT_INTO_A_LIST = ": put it into a list"


def either(names):
    """The names as messages list them."""
    *most, last = map(repr, names)
    return f"{', '.join(most)} or {last}"


def values(option, must, *bad, **others):
    """Rows of values that the option has not; `others` are options beside it."""
    return [({option: value, **others}, f"{option} must be {must}, got {value!r}") for value in bad]


def kinds(option, must, *bad):
    """Rows of values of another type, which the message names."""
    return [
        ({option: value}, f"{option} must be {must}, got {type(value).__name__} {value!r}")
        for value in bad
    ]


def meant(option, must, names, **others):
    """Rows of names that are near to one that the option has."""
    return [
        (
            {option: name, **others},
            f"{option} must be {must}, got {name!r}. Did you mean {other!r}?",
        )
        for name, other in names.items()
    ]


def names_of(options_class):
    own = [field.name for field in dataclasses.fields(options_class)]
    arguments = ["predictions", "references", "baseline_predictions", *own]
    return f", it takes {', '.join(arguments)}"


def unknown(**names):
    """Rows of names that are no argument, but near to one."""
    start = "compute() got an unexpected keyword argument "
    return [
        ({name: None}, f"{start}{name!r}. Did you mean {other!r}?") for name, other in names.items()
    ]


UNKNOWN = "compute() got an unexpected keyword argument "
FLAG = "True or False"
OUTPUTS = "'precision', 'recall', 'fmeasure' or 'all'"
LENGTHS = "'closest', 'shortest' or 'average'"
TOKENIZER = "a name or a function from a string to a list of strings"
STEMMERS = f"{either(STEMMER_NAMES)}, or in Python a function from a token to its stem"
STEMMER = "a name or a function from a token to its stem"
TOKENS = "tokenizer must return a list of strings for each text, got "
TYPES_LIST = "a list of rouge types such as ['rouge1', 'rougeL']"
TYPES = (
    "rouge_types[1] must be rouge1, rouge2, ..., rougeL, rougeLsum, rougeW, rougeS or rougeSU "
    "(W with an optional weight as in rougeW-1.5, S and SU with an optional number as in rougeS4), "
    "got "
)
JOBS = "an integer from 1, or -1 for all cores, -2 for all but one"
WORDS = "a list or set of words"
NUMBERS = "a list of numbers, one for each order"
FINITE = "one or more finite numbers >= 0, not all of them 0"
PARTS = (
    "'precisions', 'brevity_penalty', 'length_ratio', 'translation_length', 'reference_length', "
    "'counts', 'totals'"
)
BOTH_SMOOTHINGS = (
    "smooth=True, which adds one to matches and totals, and smoothing='{}' cannot both be given"
)
PERL = {"preset": "rouge-1.5.5"}
ROUGE, BLEU = either(ROUGE_PRESETS), either(BLEU_PRESETS)

# --- of both --------------------------------------------------------------------------------------

TYPE_ERRORS = [
    *unknown(tokeniser="tokenizer", preds="predictions", reference="references"),
    *unknown(use_agregator="use_aggregator", Zero_division="zero_division"),
    *values("use_aggregator", FLAG, None),
    *kinds("use_aggregator", FLAG, "no"),
    *kinds("lowercase", FLAG, "yes", 1, 0),
    *kinds("tokenizer", TOKENIZER, 13, ["13a"]),
    ({"tokenizer": str.encode}, TOKENS + "b'a b c'"),
    ({"tokenizer": str.lower}, TOKENS + "'a b c'"),
    ({"tokenizer": lambda text: None}, TOKENS + "None"),
    ({"tokenizer": lambda text: ["a", 1]}, TOKENS + "['a', 1]"),
]
VALUE_ERRORS = [
    *values("zero_division", "0.0 or math.nan", 1, "nan", None, False),
    *values("tokenizer", either(TOKENIZER_NAMES), "no such tokenizer"),
    *meant("tokenizer", either(TOKENIZER_NAMES), {"white-space": "whitespace"}),
    *meant("tokenizer", either(TOKENIZER_NAMES), {"Chinese": "zh", "korean": "ko-mecab"}),
    *(
        (
            {"preset": f"{name}|0.3.0|refs:1"},
            f"preset must be a name, got a signature of {name}: "
            f"evaluate.load('{name}').options_of_signature(line) gives its options",
        )
        for name in ("rouge_full", "bleu_full")
    ),
    *values("n_jobs", JOBS, 0, 1.0, "2", None, True),
]

# --- of rouge_full --------------------------------------------------------------------------------

CHOICES_OF_ROUGE = ["best", "average", "pooled", "jackknife", "separate", "recall", "f_of_means"]

ROUGE_TYPE_ERRORS = [
    ({"frobnicate": 1}, f"{UNKNOWN}'frobnicate'{names_of(RougeOptions)}"),
    *unknown(rouge_type="rouge_types"),
    *kinds("rouge_types", TYPES_LIST, 1, b"rouge1"),
    *(
        ({"rouge_types": types}, f"rouge_types must be {TYPES_LIST}, got {got}")
        for types, got in (
            ("rouge1", f"str 'rouge1'{PUT_INTO_A_LIST}"),
            ("rouge1,rouge2", "str 'rouge1,rouge2': put them into a list, ['rouge1', 'rouge2']"),
            ("rouge1 rougeL", "str 'rouge1 rougeL': put them into a list, ['rouge1', 'rougeL']"),
            ({"rouge1"}, f"set {{'rouge1'}}{NO_ORDER}"),
            ({"rouge1": 1}, f"dict {{'rouge1': 1}}{KEYS}'rouge1'"),
            ({"rouge1": 1}.keys(), f"dict_keys dict_keys(['rouge1']){NO_ORDER}"),
            ({1: "rouge1"}.values(), f"dict_values dict_values(['rouge1']){LIST_OF}"),
        )
    ),
    *kinds("use_stemmer", FLAG, 1, "porter"),
    *kinds("stemmer", STEMMER, 1),
    *(
        (
            {"stemmer": lambda token, stem=stem: stem},
            f"stemmer must return a string for each token, got {stem!r} for 'a'",
        )
        for stem in (None, b"a", ["a"])
    ),
    (
        {"stopwords": "english"},
        f"stopwords must be {WORDS}, got str 'english': give the words themselves, no list has a name",
    ),
    *kinds("stopwords", WORDS, 3),
    ({"stopwords": ["the", 3]}, "stopwords must be strings, got int 3"),
    ({"stopwords": [b"the"]}, "stopwords must be strings, got bytes b'the'"),
    ({"stopwords": [None]}, "stopwords must be strings, got None"),
]
ROUGE_VALUE_ERRORS = [
    (
        {"rouge_types": []},
        "rouge_types is empty: name at least one rouge type, or leave it out for the default ones",
    ),
    *(
        ({"rouge_types": ["rouge1", name]}, f"{TYPES}{name!r}. Did you mean {other!r}?")
        for name, other in {
            **{"rouge_1": "rouge1", "ROUGE-1": "rouge1", "rouge-2": "rouge2", "rouge1 ": "rouge1"},
            **{"rougel": "rougeL", "rougeLSum": "rougeLsum", "ROUGE-SU4": "rougeSU4"},
            **{"ROUGE-S4": "rougeS4", "rougeW-": "rougeW", "rouge9_": "rouge9"},
            **{"rouge10_": "rouge10", "ROUGE-SU": "rougeSU", "rouge-s*": "rougeS*"},
            **{"rougeW1.2": "rougeW-1.2", "ROUGE_W_1.50": "rougeW-1.50", "rougeW--1": "rougeW-1"},
            **{"1": "rouge1", "R-2": "rouge2", "rL": "rougeL", "lsum": "rougeLsum"},
        }.items()
    ),
    *(
        ({"rouge_types": ["rouge1", name]}, f"{TYPES}{name!r}")
        for name in (
            *("", "r", "rouge", "rouge0", "rouge01", "rouge1.5", "rouge²", "rouge1\n", "rougef"),
            *("rougeW-1e1", "rougeS-1", "rouge-su-1", "rougeS4.5", "rougeS**"),
            *("rougeSUM", None, 1, b"rouge1", ["rouge1"]),
        )
    ),
    *(
        ({"rouge_types": [name]}, f"rouge_types[0] must have a weight from 1 to 20, got {name!r}")
        for name in ("rougeW-0.5", "rougeW-0", "rougeW-20.5", "rougeW-" + "9" * 400)
    ),
    (
        {"rouge_types": ["rouge1001"]},
        "rouge_types[0] must have an order of at most 1000, got 'rouge1001'",
    ),
    # pltrdy's rouge calls it "f", other packages "f1"
    *meant("output", OUTPUTS, {"f": "fmeasure", "F1": "fmeasure"}),
    *values("output", OUTPUTS, None, ["precision", "recall"]),
    *values("beta", "a number >= 0, or math.inf", -1, -math.inf, math.nan, "2", None, True),
    *values("max_words", "an integer >= 1", 0, -1, 1.5, 2.0, "3", True, math.inf),
    *values("max_words", "at most 2147483647", 2**31),
    *values("max_bytes", "an integer >= 1", 0, 2.0, True),
    *values("sentence_splitter", "'newline' or 'sentences'", None, 3),
    *meant("sentence_splitter", "'newline' or 'sentences'", {"sentence": "sentences"}),
    (
        {"stemmer": str.lower, "use_stemmer": True},
        "stemmer and use_stemmer=True cannot both be given: use_stemmer stands for NLTK's Porter "
        "stemmer",
    ),
    # Some run the Perl script.
    *meant("preset", ROUGE, {"pyrouge": "rouge-1.5.5", "files2rouge": "rouge-1.5.5"}),
    *meant("preset", ROUGE, {"pythonrouge": "rouge-1.5.5", "Evaluate!": "evaluate"}),
    *meant("preset", ROUGE, {"mscoco": "coco-caption"}),
    *meant("preset", ROUGE, {"evalute": "evaluate", "Rouge_Score": "rouge_score"}),
    *values("preset", ROUGE, "", ["matlab"]),
    *values("stemmer", STEMMERS, "klingon", "hindi", ""),
    *meant("stemmer", STEMMERS, {"de": "german", "English": "english"}),
    *(
        (
            {"stemmer": name},
            f"stemmer must be {STEMMER}, got {name!r}. Did you mean use_stemmer=True?",
        )
        for name in ("porter", True)
    ),
    (
        {"language": "german"},
        "language needs preset='xlsum', got preset=None; for stems alone: stemmer='german'",
    ),
    *meant("language", either(LANGUAGES), {"ja": "japanese", "hi": "hindi"}, preset="xlsum"),
    # "ha" is Hausa, and not Thai.
    *values("language", either(LANGUAGES), "klingon", "ha", preset="xlsum"),
    *(
        (
            {"preset": "xlsum", "language": language, "use_stemmer": True},
            f"use_stemmer must be False with language={language!r}, whose stemmer is in no package "
            "of PyPI: give it as stemmer=...",
        )
        for language in ("hindi", "bangla")
    ),
    *(
        ({"preset": name}, f"preset must be {ROUGE}, got {name!r}, which is a preset of bleu_full")
        for name in ("sacrebleu", "NLTK")
    ),
    *values("seed", "an integer >= 0", -1, 1.0, "1", True, preset="evaluate"),
    *(
        (
            {"preset": preset, "rouge_types": ["rouge1", name]},
            f"rouge_types[1] with preset={preset!r} must be rouge1, rouge2, ... or rougeL, got {name!r}",
        )
        for preset in ("pltrdy", "rouge-chinese")
        for name in ("rougeLsum", "rougeW", "rougeS4", "rougeSU")
    ),
    *(
        row
        for preset, name, only, value in (
            ("pltrdy", "tokenizer", "whitespace", "unicode"),
            ("rouge-chinese", "sentence_splitter", "newline", "sentences"),
            ("pyrouge-metric", "cross_sentences", True, False),
            ("rouge-1.5.5", "cross_sentences", True, False),
            ("rouge-1.5.5", "summary_lcs", "union", "best"),
            ("rouge-1.5.5", "zero_division", 0.0, math.nan),
        )
        for row in values(name, f"{only!r} with preset={preset!r}", value, preset=preset)
    ),
    *values("multi_reference", either(CHOICES_OF_ROUGE), "mean", None, 1, ["best"]),
    *(
        (
            {"preset": preset, "multi_reference": "average"},
            f"multi_reference with preset={preset!r} must be 'pooled' or 'best', got 'average'",
        )
        for preset in ("rouge-1.5.5", "pyrouge-metric")
    ),
    *(
        (
            {name: value, "preset": preset},
            f"{name} needs preset='rouge-1.5.5', got preset={preset!r}",
        )
        for name, value in (("corpus_average", "tokens"), ("document_order", "string"))
        for preset in (None, "evaluate")
    ),
    (
        {**PERL, "max_words": 3, "max_bytes": 3},
        "max_words and max_bytes cannot both be given with preset='rouge-1.5.5'",
    ),
    *meant("corpus_average", "'documents', 'tokens' or 'counts'", {"token": "tokens"}, **PERL),
    *values("document_order", "'input' or 'string'", "sorted", **PERL),
    *values("n_resamples", "an integer >= 1", 0, **PERL),
    *values("confidence_level", "a number between 0 and 1 such as 0.95", 95, 1.0, **PERL),
    (
        {**PERL, "rouge_types": ["rougeW-0"]},
        "rouge_types[0] must have a weight above 0 to 20, got 'rougeW-0'",
    ),
]

# --- of bleu_full ---------------------------------------------------------------------------------

BLEU_TYPE_ERRORS = [
    ({"frobnicate": 1}, f"{UNKNOWN}'frobnicate'{names_of(BleuOptions)}"),
    *unknown(weight="weights", tokenize="tokenizer", smooth_method="smoothing"),
    *unknown(max_ngram_order="max_order"),
    *kinds("smooth", FLAG, 1, "add-k"),
    *kinds("effective_order", FLAG, 0),
    *kinds("weights", NUMBERS, "uniform", [1, "2"], [1, None], [True], [[1, 1]]),
    ({"weights": 4}, f"weights must be {NUMBERS}, got int 4: for n-grams up to 4 use max_order=4"),
    *(
        ({"weights": number}, f"weights must be {NUMBERS}, got {kind} {number}{PUT_INTO_A_LIST}")
        for number, kind in ((0.5, "float"), (0, "int"), (100, "int"), (math.nan, "float"))
    ),
    ({"weights": {1}}, f"weights must be {NUMBERS}, got set {{1}}{NO_ORDER}"),
    (
        {"weights": {"a": [1], "b": 2}},
        f"weights['b'] must be {NUMBERS}, got int 2: for n-grams up to 2 give [1/2] * 2",
    ),
]
BLEU_VALUE_ERRORS = [
    *values("max_order", "an integer >= 1", 0, -1, 1.5, "4", True),
    ({"max_order": 1001}, "max_order must be at most 1000, got 1001"),
    # The methods of NLTK's SmoothingFunction; the card has the same pairs.
    *meant(
        "smoothing",
        either(SMOOTHINGS),
        {
            **{"method1": "floor", "method2": "add-k", "method3": "exp", "EXP": "exp"},
            **{f"method{number}": f"chen-cherry-{number}" for number in range(4, 8)},
            **{"add_k": "add-k", "chen-cherry-3": "chen-cherry-7"},
        },
    ),
    *values("smoothing", either(SMOOTHINGS), "method8", None, True),
    *(
        (
            {"smoothing_value": 1, **options},
            f"smoothing_value needs smoothing='floor' or 'add-k', got smoothing={smoothing!r}",
        )
        for smoothing, options in {
            "none": {},
            "exp": {"preset": "sacrebleu"},
            "chen-cherry-4": {"smoothing": "chen-cherry-4"},
        }.items()
    ),
    *values("smoothing_value", "a number >= 0", -0.1, math.inf, smoothing="floor"),
    *values("smoothing_value", "a number >= 0", math.nan, "1", True, smoothing="add-k"),
    ({"smooth": True, "smoothing": "exp"}, BOTH_SMOOTHINGS.format("exp")),
    ({"smooth": True, "smoothing": "floor"}, BOTH_SMOOTHINGS.format("floor")),
    (
        {"smooth": True, "preset": "sacrebleu"},
        BOTH_SMOOTHINGS.format("exp") + ": smoothing='exp' comes from preset='sacrebleu', and "
        "smoothing='none' turns it off",
    ),
    *values("reference_length", LENGTHS, "median", None),
    *meant("reference_length", LENGTHS, {"closst": "closest", "longest": "closest"}),
    *values("preset", BLEU, "perl"),
    *meant("preset", BLEU, {"mteval-v13a": "mteval-v13a.pl", "nltk-3.8.1": "nltk"}),
    *meant("preset", BLEU, {"nltk-3.3": "nltk-3.4.5", "tensor2tensor": "t2t"}),
    *meant("preset", BLEU, {"SacreBLEU": "sacrebleu", "multi-bleu": "multi-bleu.perl"}),
    (
        {"preset": "ROUGE-1.5.5.pl -n 2"},
        f"preset must be {BLEU}, got 'ROUGE-1.5.5.pl -n 2', which is a preset of rouge_full",
    ),
    *values("level", "'corpus' or 'sentence'", "item", None),
    *values("multi_reference", "'clip' or 'best'", "average", None),
    (
        {"preset": "rouge_score"},
        f"preset must be {BLEU}, got 'rouge_score', which is a preset of rouge_full",
    ),
    *values("weights", FINITE, [], [0, 0.0], [1, -1], [1, math.nan], [1, math.inf]),
    (
        {"weights": {}},
        "weights is empty: give at least one name with its weights, or leave it out for uniform ones",
    ),
    *(
        (
            {"weights": {name: [1]}},
            f"weights must have strings other than {PARTS} as names, got {name!r}",
        )
        for name in (1, "precisions", "counts", "totals")
    ),
    ({"weights": {"a": [1], "b": []}}, f"weights['b'] must be {FINITE}, got []"),
    ({"weights": {"a": [0]}}, f"weights['a'] must be {FINITE}, got [0]"),
    *(
        (
            {"weights": weights, "max_order": max_order},
            f"max_order must be 2, the number of weights, or be left out, got {max_order}",
        )
        for weights, max_order in (([1, 1], 3), ({"a": [1], "b": [1, 1]}, 1))
    ),
]

# The metric, the options, the type of the error and its message.
BAD_OPTIONS = [
    (name, options, kind, message)
    for name, kind, rows in (
        ("rouge_full", TypeError, TYPE_ERRORS + ROUGE_TYPE_ERRORS),
        ("rouge_full", ValueError, VALUE_ERRORS + ROUGE_VALUE_ERRORS),
        ("bleu_full", TypeError, TYPE_ERRORS + BLEU_TYPE_ERRORS),
        ("bleu_full", ValueError, VALUE_ERRORS + BLEU_VALUE_ERRORS),
    )
    for options, message in rows
]
