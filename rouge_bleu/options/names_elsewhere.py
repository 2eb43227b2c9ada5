"""What other libraries call an option or a value, and which metric has it.

An error about a name that is not known says with this what was meant.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

# Names that arguments have elsewhere: in the other metrics of evaluate, sacreBLEU, NLTK,
# torchmetrics, rouge_score and other packages of ROUGE, and in training scripts.
NAMES_ELSEWHERE = {
    "predictions": "prediction preds pred hypotheses hypothesis hyps hyp candidates"
    " candidate sys_stream outputs",
    "references": "reference refs ref labels targets target label_ids list_of_references"
    " ref_streams",
    "tokenizer": "tokenize tok tokenizer_func",
    "lowercase": "lc lower do_lower_case ignore_case",
    "use_aggregator": "aggregate aggregator avg apply_avg average reduction sentence_level"
    " return_sentence_level_score",
    "max_order": "max_ngram_order n_gram n_grams ngram max_n N",
    "weights": "ngram_weights",
    "smoothing": "smooth_method smoothing_function",
    "smoothing_value": "smooth_value smooth_floor",
    "effective_order": "use_effective_order auto_reweigh",
    "rouge_types": "rouge_keys metrics types rouges",
    "use_stemmer": "stem stemming use_stemming",
    "stopwords": "remove_stopwords stop_words",
    "multi_reference": "accumulate apply_best",
    "sentence_splitter": "split_summaries newline_sep",
    "max_words": "length_limit word_limit",
    "max_bytes": "byte_limit",
    "baseline_predictions": "baseline baselines baseline_outputs",
    "confidence_level": "confidence confidence_interval ci",
    "n_resamples": "n_samples n_bootstrap bootstrap bootstrap_samples",
    "seed": "random_state random_seed rng",
    "sources": "source inputs input model_inputs srcs",
    "language": "lang trg_lang tgt_lang",
    "normalizer": "normalize normalization preprocess",
}
NAME_MEANT = {other: name for name, others in NAMES_ELSEWHERE.items() for other in others.split()}

# What to do instead, where a metric has no such option.
_DO_FIRST = "do that to the texts first, or in a function that is the tokenizer"
_OF_LOAD = "it is an argument of evaluate.load"
REMARKS = {
    "force": "leave it out, texts are tokenized whatever they look like",
    "sources": "leave it out, predictions are compared with references only",
    "language": "choose a tokenizer for the language, such as tokenizer='unicode'",
    "max_order": "name each order in rouge_types, as in ['rouge1', 'rouge2']",
    "weights": "the weight of rougeW is part of its name, as in 'rougeW-1.5'",
    "rouge_types": "choose orders by max_order or weights",
    **dict.fromkeys(("normalizer", "use_stemmer", "stemmer", "stopwords"), _DO_FIRST),
    "baseline_predictions": "give them to compute, with the predictions",
    **dict.fromkeys(("num_process", "process_id", "experiment_id"), _OF_LOAD),
    **dict.fromkeys(("keep_in_memory", "cache_dir"), _OF_LOAD),
}

# Options that only one of the two metrics has; `evaluate.combine` hands each to both.
OPTIONS_OF_ONE = {
    "rouge_full": (
        "rouge_types use_stemmer beta stemmer stopwords max_words max_bytes"
        " sentence_splitter cross_sentences summary_lcs corpus_average document_order"
        " language"
    ).split(),
    "bleu_full": (
        "max_order smooth weights smoothing smoothing_value effective_order reference_length level"
    ).split(),
}

# Presets that only one of the two metrics has.
PRESETS_OF_ONE = {
    "rouge_full": (
        "rouge_score rouge-1.5.5 pltrdy rouge-chinese pyrouge-metric xlsum py-rouge"
        " nmt sumeval sacrerouge rouge-2.0"
    ).split(),
    "bleu_full": (
        "sacrebleu nltk codexglue nltk-3.2.5 nltk-3.4.5 nltk-3.5 t2t fairseq mteval-v13a.pl"
        " multi-bleu.perl pymteval"
    ).split(),
}

# ISO 639-1.
_LANGUAGE_OF_CODE = {
    **{"ar": "arabic", "da": "danish", "nl": "dutch", "en": "english", "fi": "finnish"},
    **{"fr": "french", "de": "german", "hu": "hungarian", "it": "italian"},
    **{"no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian"},
    **{"es": "spanish", "sv": "swedish"},
}

# Values that options have elsewhere: F in rouge_score and other packages of ROUGE, the
# methods of NLTK's SmoothingFunction; packages whose numbers a preset gives; languages.
VALUES_ELSEWHERE = {
    "preset": {
        **dict.fromkeys(("pyrouge", "files2rouge", "pythonrouge"), "rouge-1.5.5"),
        **dict.fromkeys(("coco", "mscoco", "ms-coco", "pycocoevalcap"), "coco-caption"),
        **dict.fromkeys(("mteval", "mteval-v13a"), "mteval-v13a.pl"),
        **dict.fromkeys(("nltk-3.6", "nltk-3.7", "nltk-3.8", "nltk-3.8.1"), "nltk"),
        **dict.fromkeys(("nltk-3.9", "nltk-3.9.1"), "nltk"),
        **{"multi-bleu": "multi-bleu.perl", "tensor2tensor": "t2t", "nltk-3.3": "nltk-3.4.5"},
    },
    "output": dict.fromkeys(("f", "f1", "f-measure", "fscore"), "fmeasure"),
    "stemmer": _LANGUAGE_OF_CODE,
    "language": {
        **{"zh": "chinese", "ja": "japanese", "th": "thai", "my": "burmese"},
        **{"bn": "bengali", "hi": "hindi", "tr": "turkish", **_LANGUAGE_OF_CODE},
    },
    "tokenizer": {
        **dict.fromkeys(("chinese", "zh-cn"), "zh"),
        **dict.fromkeys(("japanese", "ja"), "ja-mecab"),
        **dict.fromkeys(("korean", "ko"), "ko-mecab"),
        **dict.fromkeys(("thai", "th"), "newmm"),
    },
    "smoothing": {
        **{"method1": "floor", "method2": "add-k", "method3": "exp"},
        **{f"method{number}": f"chen-cherry-{number}" for number in (4, 5, 6, 7)},
    },
}


def hint_of_name(name: str, known: Sequence[str], caller: str) -> str:
    """Return what may help somebody who gave an argument of this name.

    That is the name that is meant, else what to do instead, else all names.
    """
    meant = NAME_MEANT.get(name, name)
    for one in (meant, meant.removesuffix("s")):  # explain has prediction and reference
        if one in known:
            return f". Did you mean {one!r}?"
    remark = REMARKS.get(meant)
    for metric, own in OPTIONS_OF_ONE.items():
        if meant in own:
            here = f"; here {remark}" if remark else ""
            in_combine = (
                ". In evaluate.combine give each metric its options at load, as in "
                f"evaluate.load({metric!r}, {meant}=...)"
            )
            advice = in_combine if caller == "compute" else ""
            return f", which is an option of {metric}{here}{advice}"
    if remark:
        return f": {remark}"
    near = difflib.get_close_matches(name, known, n=1)
    return f". Did you mean {near[0]!r}?" if near else f", it takes {', '.join(known)}"


def hint_of_choice(name: str, value: str, choices: Sequence[str]) -> str:
    """Return what may help somebody who gave an option this value, or nothing.

    That is the choice that it stands for elsewhere, else the nearest one; capital and
    small letters are the same here.
    """
    elsewhere = VALUES_ELSEWHERE.get(name, {}).get(value.lower())
    if elsewhere in choices:
        return f". Did you mean {elsewhere!r}?"
    choice_of_lower = {choice.lower(): choice for choice in choices}
    # Two letters, such as the code of a language, are near to no name of four.
    cutoff = 0.65 if len(value) > 2 else 0.68
    near = difflib.get_close_matches(value.lower(), choice_of_lower, 1, cutoff)
    return f". Did you mean {choice_of_lower[near[0]]!r}?" if near else ""
