"""Prints scores of the packages of the extra `test-peers`, for the texts of `golden/peers.json`, into it.

They clash with other packages of the tests, so this is run by hand in an environment of their own:

    pip install ".[test-peers]"
    for release in 3.2.5 3.4.5 3.5; do
        pip install --no-deps --target "$VIRTUAL_ENV/nltk-$release" nltk==$release; done
    PYTHONPATH=.:tests python tests/programs/print_peers.py

`make test` compares with the figures without the packages, and the nightly workflow runs the
packages themselves. Where one has an error there is null. The texts "hostile" are random, "words"
are those with words on both sides.
"""

import importlib.metadata
import importlib.util
import json
import math
import sys
import warnings
from pathlib import Path
from unittest import mock

from helpers.published import PEERS
from helpers.repository import ROOT
from rouge_bleu._bleu.smoothing import SMOOTHINGS

PACKAGES = ("pycocoevalcap", "py-rouge", "sumeval", "pytorch-ignite", "torcheval", "torch", "nltk")
HOSTILE, WORDS = (PEERS["corpora"][name] for name in ("hostile", "words"))
ROWS = list(zip(*HOSTILE.values(), strict=True))
ROWS_OF_WORDS = list(zip(*WORDS.values(), strict=True))
OUTPUT_OF_LETTER = {"p": "precision", "r": "recall", "f": "fmeasure"}


def case(metric, corpus, options, rtol=1e-12, **figures):
    return {"metric": metric, "corpus": corpus, "options": options, "rtol": rtol, **figures}


def of_pycocoevalcap():
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.rouge.rouge import Rouge

    predictions = {n: [text] for n, text in enumerate(HOSTILE["predictions"])}
    pair = dict(enumerate(HOSTILE["references"])), predictions
    names = ["bleu_1", "bleu_2", "bleu_3", "bleu"]
    corpus, items = Bleu(4).compute_score(*pair, verbose=0)
    average = dict(zip(names, map(float, corpus), strict=True))
    items = {name: list(map(float, column)) for name, column in zip(names, items, strict=True)}
    options = {"preset": "coco-caption"}
    yield case("bleu_full", "hostile", options, items=items, average=average)
    mean, items = Rouge().compute_score(*pair)
    figures = {"items": {"rougeL": items.tolist()}, "average": {"rougeL": float(mean)}}
    yield case("rouge_full", "hostile", options, **figures)


def of_py_rouge():
    """Without stems, which come from lists in the package; `rouge` may be another package."""
    importlib.metadata.version("py-rouge")
    import nltk

    import rouge

    names = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-3": "rouge3", "rouge-l": "rougeLsum"}
    call = {"metrics": ["rouge-n", "rouge-l"], "max_n": 3, "stemming": False, "length_limit": 40}
    scorer = rouge.Rouge(**call)
    columns = {
        f"{name}_{output}": [] for name in names.values() for output in OUTPUT_OF_LETTER.values()
    }
    for prediction, references in ROWS:
        try:  # in sentences, of texts that have no marks by then
            with mock.patch.object(nltk.tokenize, "sent_tokenize", lambda text, language: [text]):
                scores = scorer.get_scores([prediction], [references])
        except ZeroDivisionError:  # of totals below 0
            scores = None
        for key, name in names.items():
            for letter, output in OUTPUT_OF_LETTER.items():
                score = None if scores is None else float(scores[key][letter])
                columns[f"{name}_{output}"].append(score)
    options = {"preset": "py-rouge", "rouge_types": list(names.values()), "max_bytes": 40}
    yield case("rouge_full", "hostile", options, items=columns)


def of_sumeval():
    from sumeval.metrics.rouge import RougeCalculator

    scorer = RougeCalculator(stopwords=False, lang="en")
    items = {f"rouge{n}": [scorer.rouge_n(*row, n) for row in ROWS] for n in (1, 2)}
    items["rougeL"] = [scorer.rouge_l(*row) for row in ROWS]
    yield case("rouge_full", "hostile", {"preset": "sumeval"}, items=items)


def of_ignite():
    from ignite.metrics import nlp

    words = (
        [text.split() for text in WORDS["predictions"]],
        [[text.split() for text in own] for own in WORDS["references"]],
    )
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
    """It has 32 bits."""
    from torcheval.metrics.functional.text.bleu import bleu_score

    options = {"tokenizer": "whitespace", "reference_length": "shortest"}
    average = {"bleu": float(bleu_score(*WORDS.values()))}
    yield case("bleu_full", "words", options, 3e-6, average=average)


def of_nltk(release):
    path = Path(sys.prefix) / f"nltk-{release}" / "nltk" / "translate" / "bleu_score.py"
    spec = importlib.util.spec_from_file_location(f"bleu_score_{release}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for number in (0, 2, 4, 7):  # the others are those of today
        smooth = getattr(module.SmoothingFunction(), f"method{number}")
        scores = []
        for prediction, references in ROWS_OF_WORDS:
            words = [text.split() for text in references], prediction.split()
            try:
                score = float(module.sentence_bleu(*words, smoothing_function=smooth))
            except (ZeroDivisionError, ValueError, IndexError, AttributeError, AssertionError):
                score = math.nan
            scores.append(None if math.isnan(score) else score)
        options = {"preset": f"nltk-{release}", "smoothing": list(SMOOTHINGS)[number]}
        yield case("bleu_full", "words", options, items={"bleu": scores})


def printed_cases():
    """Return a function for each package, which yields its cases."""
    releases = {
        f"nltk {name}": lambda name=name: of_nltk(name) for name in ("3.2.5", "3.4.5", "3.5")
    }
    packages = (of_pycocoevalcap, of_py_rouge, of_sumeval, of_ignite, of_torcheval)
    return {one.__name__.removeprefix("of_"): one for one in packages} | releases


def main():
    warnings.simplefilter("ignore")
    cases = [case for of_package in printed_cases().values() for case in of_package()]
    versions = {name: importlib.metadata.version(name) for name in PACKAGES}
    golden = PEERS | {"versions": versions, "cases": cases}
    path = ROOT / "tests" / "golden" / "peers.json"
    path.write_text(json.dumps(golden, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
