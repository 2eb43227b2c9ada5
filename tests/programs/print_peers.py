"""Prints the scores of the packages of the extra `test-peers` for hostile texts into `golden/peers.json`.

They clash with other packages of the tests, so this is run by hand in their environment, which
that target makes:

    PYTHONPATH=.:tests .venv-peers/bin/python tests/programs/print_peers.py

`make test` holds the presets to the figures without the packages, and the nightly workflow runs the
packages themselves. Where one has an error there is null.
"""

import importlib.metadata
import importlib.util
import json
import math
import sys
import warnings
from pathlib import Path

import nltk
from ignite.metrics import nlp
from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.rouge.rouge import Rouge as RougeOfCoco
from sumeval.metrics.rouge import RougeCalculator
from torcheval.metrics.functional.text.bleu import bleu_score

import rouge
from helpers.hostile_text import hostile_corpus, items_of_words
from helpers.repository import ROOT
from rouge_bleu._bleu.smoothing import SMOOTHINGS

GOLDEN = ROOT / "tests" / "golden" / "peers.json"
HOSTILE = hostile_corpus()
CORPORA = {"hostile": HOSTILE, "words": items_of_words(HOSTILE)}
PACKAGES = ("pycocoevalcap", "py-rouge", "sumeval", "pytorch-ignite", "torcheval", "torch", "nltk")
OUTPUT_OF_LETTER = {"p": "precision", "r": "recall", "f": "fmeasure"}
EXACT, OF_32_BITS = 1e-12, 3e-6


def rows_of(corpus):
    return list(zip(*CORPORA[corpus].values(), strict=True))


def case(metric, corpus, options, accuracy=EXACT, **figures):
    return {"metric": metric, "corpus": corpus, "options": options, "accuracy": accuracy, **figures}


def of_coco():
    names = ["bleu_1", "bleu_2", "bleu_3", "bleu"]
    options = {"preset": "coco-caption"}
    predictions = {n: [text] for n, text in enumerate(HOSTILE["predictions"])}
    references = dict(enumerate(HOSTILE["references"]))
    corpus, items = Bleu(4).compute_score(references, predictions, verbose=0)
    figures = {
        "items": {
            name: list(map(float, of_order)) for name, of_order in zip(names, items, strict=True)
        },
        "average": dict(zip(names, map(float, corpus), strict=True)),
    }
    yield case("bleu_full", "hostile", options, **figures)
    mean, items = RougeOfCoco().compute_score(references, predictions)
    figures = {"items": {"rougeL": items.tolist()}, "average": {"rougeL": float(mean)}}
    yield case("rouge_full", "hostile", options, **figures)


def of_py_rouge():
    """Without stems, which come from lists in the package."""
    nltk.tokenize.sent_tokenize = lambda text, language: [text]  # texts have no marks by then
    names = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-3": "rouge3", "rouge-l": "rougeLsum"}
    call = {"metrics": ["rouge-n", "rouge-l"], "max_n": 3, "stemming": False, "length_limit": 40}
    options = {"preset": "py-rouge", "rouge_types": list(names.values()), "max_bytes": 40}
    scorer = rouge.Rouge(**call)
    items = {
        f"{name}_{output}": [] for name in names.values() for output in OUTPUT_OF_LETTER.values()
    }
    for prediction, references in rows_of("hostile"):
        try:
            scores = scorer.get_scores([prediction], [references])
        except ZeroDivisionError:  # of totals below 0
            scores = None
        for key, name in names.items():
            for letter, output in OUTPUT_OF_LETTER.items():
                score = None if scores is None else float(scores[key][letter])
                items[f"{name}_{output}"].append(score)
    yield case("rouge_full", "hostile", options, items=items)


def of_sumeval():
    scorer = RougeCalculator(stopwords=False, lang="en")
    rows = rows_of("hostile")
    items = {
        "rouge1": [scorer.rouge_n(*row, 1) for row in rows],
        "rouge2": [scorer.rouge_n(*row, 2) for row in rows],
        "rougeL": [scorer.rouge_l(*row) for row in rows],
    }
    yield case("rouge_full", "hostile", {"preset": "sumeval"}, items=items)


def of_ignite():
    predictions, references = CORPORA["words"].values()
    words = [text.split() for text in predictions]
    words = (words, [[text.split() for text in own] for own in references])
    for smooth, smoothing in (("smooth1", "floor"), ("nltk_smooth2", "add-k")):
        metric = nlp.Bleu(ngram=4, smooth=smooth)
        metric.update(words)
        options = {"preset": "ignite", "smoothing": smoothing}
        yield case("bleu_full", "words", options, average={"bleu": float(metric.compute())})
    for multi, choice in (("average", "pooled"), ("best", "recall")):
        metric = nlp.Rouge(variants=["L", 1, 2], multiref=multi, alpha=0.5)
        metric.update(words)
        options = {"preset": "ignite", "multi_reference": choice, "beta": 1.0}
        average = {
            f"rouge{name.split('-')[1]}_{OUTPUT_OF_LETTER[name[-1].lower()]}": float(score)
            for name, score in metric.compute().items()
        }
        yield case("rouge_full", "words", options, average=average)


def of_torcheval():
    score = float(bleu_score(*CORPORA["words"].values()))
    options = {"tokenizer": "whitespace", "reference_length": "shortest"}
    yield case("bleu_full", "words", options, OF_32_BITS, average={"bleu": score})


def module_of(release):
    path = Path(sys.prefix) / f"nltk-{release}" / "nltk" / "translate" / "bleu_score.py"
    spec = importlib.util.spec_from_file_location(f"bleu_score_{release}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def of_nltk(release):
    module = module_of(release)
    names = list(SMOOTHINGS)
    for number in (0, 2, 4, 7):  # the others are those of today
        smooth = getattr(module.SmoothingFunction(), f"method{number}")
        scores = []
        for prediction, references in rows_of("words"):
            cut = [text.split() for text in references]
            try:
                score = float(
                    module.sentence_bleu(cut, prediction.split(), smoothing_function=smooth)
                )
            except (ZeroDivisionError, ValueError, IndexError, AttributeError, AssertionError):
                score = math.nan
            scores.append(None if math.isnan(score) else score)
        options = {"preset": f"nltk-{release}", "smoothing": names[number]}
        yield case("bleu_full", "words", options, items={"bleu": scores})


def main():
    warnings.simplefilter("ignore")
    cases = [*of_coco(), *of_py_rouge(), *of_sumeval(), *of_ignite(), *of_torcheval()]
    for release in ("3.2.5", "3.4.5", "3.5"):
        cases += of_nltk(release)
    versions = {name: importlib.metadata.version(name) for name in PACKAGES}
    golden = {"versions": versions, "corpora": CORPORA, "cases": cases}
    GOLDEN.write_text(json.dumps(golden, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
