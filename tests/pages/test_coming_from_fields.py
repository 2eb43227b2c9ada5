"""Calls of programs of other fields, and the options that give the same scores.

What each program printed for one corpus is in `golden/published.json`, with its version. Calls that
need a package or Java are tested by the nightly workflow, which
has them; `tests/peers` runs those packages on other texts.
"""

import importlib.metadata
import shutil
from importlib.util import find_spec

import numpy as np
import pytest

from helpers.published import ITEMS, PUBLISHED, texts, values

ALL, FIRST = texts(), texts(first=True)
STRIPPED = texts(change=str.strip)
MULTILINGUAL = PUBLISHED["corpus"]["multilingual"]
# Words that sumeval drops from the first item; the whole list is in the package.
STOPWORDS = ["the", "over", "a"]

# The metric and a call of a program; the options that give the same scores.
ROWS = {
    ("rouge_full", "Rouge().compute_score(gts, res)"): {"preset": "coco-caption"},
    ("rouge_full", "PTBTokenizer().tokenize"): {"preset": "coco-caption", "tokenizer": "ptb"},
    ("rouge_full", 'Rouge(metrics=["rouge-n", "rouge-l"], max_n=3).get_scores(hyps, refs)'): {
        "preset": "py-rouge",
        "rouge_types": ["rouge1", "rouge2", "rouge3", "rougeLsum"],
        "stemmer": "py-rouge",
    },
    (
        "rouge_full",
        'Rouge(metrics=["rouge-n", "rouge-l"], max_n=3, limit_length=False, stemming=False)'
        ".get_scores(hyps, refs)",
    ): {
        "preset": "py-rouge",
        "rouge_types": ["rouge1", "rouge2", "rouge3", "rougeLsum"],
        "max_bytes": None,
    },
    (
        "rouge_full",
        'Rouge(metrics=["rouge-n"], max_n=3, apply_avg=False, apply_best=True, limit_length=False)'
        ".get_scores(hyps, refs)",
    ): {
        "preset": "py-rouge",
        "rouge_types": ["rouge1", "rouge2", "rouge3"],
        "multi_reference": "recall",
        "max_bytes": None,
        "stemmer": "py-rouge",
    },
    ("rouge_full", "RougeCalculator(stopwords=False)"): {"preset": "sumeval"},
    ("rouge_full", "RougeCalculator()"): {"preset": "sumeval", "stopwords": STOPWORDS},
    ("rouge_full", "PythonRouge(ngram_orders=[1, 2, 3], use_porter_stemmer=False)"): {
        "preset": "sacrerouge",
        "rouge_types": ["rouge1", "rouge2", "rouge3", "rougeLsum"],
    },
    (
        "rouge_full",
        "PythonRouge(ngram_orders=[1, 2, 3], use_porter_stemmer=False, max_words=6)",
    ): {
        "preset": "sacrerouge",
        "rouge_types": ["rouge1", "rouge2", "rouge3", "rougeLsum"],
        "max_words": 6,
    },
    (
        "rouge_full",
        "PythonRouge(ngram_orders=[1, 2, 3], use_porter_stemmer=False, max_bytes=20)",
    ): {
        "preset": "sacrerouge",
        "rouge_types": ["rouge1", "rouge2", "rouge3", "rougeLsum"],
        "max_bytes": 20,
    },
    ("rouge_full", "java -jar rouge2-1.2.2.jar"): {
        "preset": "rouge-2.0",
        "rouge_types": ["rouge1", "rouge2", "rougeL", "rougeS3", "rougeSU3"],
    },
    ("rouge_full", "rouge(hypotheses, references)"): {"preset": "nmt"},
    ("rouge_full", "rouge_n(preds, refs, 2)"): {
        "preset": "nmt",
        "rouge_types": ["rouge2", "rougeL"],
        "output": "fmeasure",
    },
    ("rouge_full", 'Rouge(variants=["L", 1, 2])'): {"preset": "ignite"},
    ("rouge_full", 'Rouge(variants=["L", 1, 2], multiref="best", alpha=0.5)'): {
        "preset": "ignite",
        "multi_reference": "recall",
        "beta": 1,
    },
    (
        "rouge_full",
        'RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"]).score(target, prediction)',
    ): {"preset": "xlsum"},
    (
        "rouge_full",
        'RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], lang="burmese").score(target, prediction)',
    ): {"preset": "xlsum", "language": "burmese"},
    ("rouge_full", "ROUGE(ngram_size=2)"): {
        "tokenizer": "whitespace",
        "lowercase": False,
        "rouge_types": ["rouge1", "rouge2"],
        "output": "all",
    },
    ("rouge_full", "rouge_1"): {
        "preset": "rouge_score",
        "use_stemmer": True,
        "rouge_types": ["rouge1", "rouge2", "rougeL"],
    },
    ("rouge_full", "rouge_score(prediction, ground_truth)"): {
        "preset": "pltrdy",
        "rouge_types": ["rougeL"],
        "output": "fmeasure",
    },
    ("rouge_full", "metrics.rouge(targets, predictions)"): {
        "preset": "rouge_score",
        "rouge_types": ["rouge1", "rouge2", "rougeLsum"],
    },
    ("bleu_full", "Bleu(4).compute_score(gts, res)"): {"preset": "coco-caption"},
    ("bleu_full", "PTBTokenizer().tokenize"): {"preset": "coco-caption", "tokenizer": "ptb"},
    ("bleu_full", "bleuFromMaps(gold, predictions)"): {"preset": "codexglue"},
    ("bleu_full", "compute_bleu(references, predictions, 4, True)"): {
        "preset": "evaluate",
        "tokenizer": "whitespace",
        "smooth": True,
    },
    ("bleu_full", "conala_eval.py --strip_ref_metadata"): {
        "preset": "evaluate",
        "tokenizer": "conala",
    },
    ("bleu_full", "sentence_bleu([reference], prediction)"): {
        "preset": "nltk-3.2.5",
        "use_aggregator": False,
    },
    (
        "bleu_full",
        "sentence_bleu([reference], prediction, smoothing_function=SmoothingFunction().method4)",
    ): {"preset": "nltk-3.4.5", "smoothing": "chen-cherry-4", "use_aggregator": False},
    (
        "bleu_full",
        "sentence_bleu([reference], prediction, smoothing_function=SmoothingFunction().method2)",
    ): {"preset": "nltk-3.5", "smoothing": "add-k", "use_aggregator": False},
    ("bleu_full", "mteval-v13a.pl -r ref.sgm -s src.sgm -t tst.sgm"): {"preset": "mteval-v13a.pl"},
    (
        "bleu_full",
        "mteval-v13a.pl -r ref.sgm -s src.sgm -t tst.sgm -c --international-tokenization",
    ): {"preset": "mteval-v13a.pl -c --international-tokenization"},
    ("bleu_full", "multi-bleu.perl -lc ref < hyp"): {"preset": "multi-bleu.perl -lc"},
    ("bleu_full", "multi-bleu-detok.perl ref < hyp"): {"preset": "multi-bleu-detok.perl"},
    ("bleu_full", "mteval-v13a-sig.pl"): {"preset": "mteval-v13a.pl"},
    ("bleu_full", "BLEUScore()"): {"preset": "pymteval"},
    ("bleu_full", "BLEUScore(case_sensitive=True)"): {"preset": "pymteval", "lowercase": False},
    ("bleu_full", "bleu_wrapper(ref, hyp, case_sensitive=True)"): {"preset": "t2t"},
    ("bleu_full", "bleu_wrapper(ref, hyp)"): {"preset": "t2t", "lowercase": True},
    ("bleu_full", "fairseq-score --sys hyp --ref ref"): {"preset": "fairseq"},
    ("bleu_full", "fairseq-score --sys hyp --ref ref --ignore-case"): {
        "preset": "fairseq",
        "lowercase": True,
    },
    ("bleu_full", "fairseq-score --sys hyp --ref ref --order 2"): {
        "preset": "fairseq",
        "max_order": 2,
    },
    ("bleu_full", "fairseq-score --sys hyp --ref ref --sentence-bleu"): {
        "preset": "fairseq",
        "smoothing": "add-k",
        "use_aggregator": False,
    },
    ("bleu_full", 'Bleu(ngram=4, smooth="no_smooth")'): {"preset": "ignite"},
    ("bleu_full", 'Bleu(ngram=4, smooth="smooth1")'): {"preset": "ignite", "smoothing": "floor"},
    ("bleu_full", 'Bleu(ngram=4, smooth="nltk_smooth2")'): {
        "preset": "ignite",
        "smoothing": "add-k",
    },
    ("bleu_full", 'Bleu(ngram=4, smooth="smooth2")'): {
        "tokenizer": "whitespace",
        "smoothing": "add-k",
        "level": "sentence",
    },
    ("bleu_full", 'Bleu(ngram=4, smooth="smooth1", average="micro")'): {
        "tokenizer": "whitespace",
        "smoothing": "floor",
    },
    ("bleu_full", "bleu_score(candidate_corpus, references_corpus)"): {"preset": "torchmetrics"},
    ("bleu_full", "bleu_score(input, target)"): {
        "tokenizer": "whitespace",
        "reference_length": "shortest",
    },
    ("bleu_full", "BLEU()"): {"tokenizer": "whitespace"},
    ("bleu_full", "metrics.bleu(targets, predictions)"): {
        "preset": "sacrebleu",
        "tokenizer": "intl",
    },
    ("bleu_full", "bleu"): {"preset": "sacrebleu"},
    ("bleu_full", "bleu_max"): {
        "preset": "sacrebleu",
        "tokenizer": "intl",
        "effective_order": False,
        "multi_reference": "best",
        "use_aggregator": False,
    },
}


def score_of(key, scale=1):
    """Return what takes the BLEU of a corpus, or those of items, from the figures."""

    def expected(figures):
        scores = figures[key]
        scores = list(scores.values()) if isinstance(scores, dict) else scores
        is_list = isinstance(scores, list)
        # Where a release of NLTK has an error there is nothing to compare.
        scores = [None if isinstance(one, str) else one for one in scores] if is_list else scores
        return {"bleu": scores}, scale

    return expected


COCO_NAMES = ["bleu_1", "bleu_2", "bleu_3", "bleu"]


def bleus_of_coco(figures):
    return dict(zip(COCO_NAMES, figures["Bleu_1..4"], strict=True)), 1


def bleu_of_multi_bleu(figures):
    return {"bleu": float(figures["digits"].split()[2].rstrip(","))}, 100


IGNITE = "ignite Bleu(ngram=4, smooth='{}', average='{}')"
NLTK = "NLTK {} sentence_bleu, first reference"
SCORERS = "pycocoevalcap scorers on untokenized texts (= nlg-eval)"
WHOLE = "pycocoevalcap, full pipeline (PTB tokenizer)"

METHOD_OF_NLTK = (
    "sentence_bleu([reference], prediction, smoothing_function=SmoothingFunction().method{})"
)
MTEVAL = "mteval-v13a.pl -r ref.sgm -s src.sgm -t tst.sgm"
FAIRSEQ = "fairseq-score --sys hyp --ref ref"
PYMTEVAL = "e2e-metrics pymteval BLEUScore {}"

# By texts and calls: the entry of the golden file, and the values in it.
BLEU_OF_FIRST = {
    "conala_eval.py --strip_ref_metadata": ("CoNaLa eval", score_of("bleu")),
    "sentence_bleu([reference], prediction)": (NLTK.format("3.2.5"), score_of("none")),
    METHOD_OF_NLTK.format(4): (NLTK.format("3.4.5"), score_of("method4")),
    METHOD_OF_NLTK.format(2): (NLTK.format("3.5"), score_of("method2")),
    MTEVAL: ("mteval-v13a , first reference", score_of("BLEU")),
    f"{MTEVAL} -c --international-tokenization": (
        "mteval-v13a --international-tokenization -c, first reference",
        score_of("BLEU"),
    ),
    "multi-bleu.perl -lc ref < hyp": ("multi-bleu.perl -lc first reference", bleu_of_multi_bleu),
    "multi-bleu-detok.perl ref < hyp": (
        "multi-bleu-detok.perl  first reference",
        bleu_of_multi_bleu,
    ),
    "bleu_wrapper(ref, hyp, case_sensitive=True)": (
        "t2t-bleu, cased, first reference",
        score_of("bleu_float32"),
    ),
    "bleu_wrapper(ref, hyp)": ("t2t-bleu, uncased, first reference", score_of("bleu_float32")),
    FAIRSEQ: ("fairseq-score", score_of("BLEU4", 100)),
    f"{FAIRSEQ} --ignore-case": ("fairseq-score --ignore-case", score_of("BLEU4", 100)),
    f"{FAIRSEQ} --order 2": (
        "fairseq-score",
        lambda figures: ({"bleu": figures["BLEU_order_1..4"][1]}, 100),
    ),
    f"{FAIRSEQ} --sentence-bleu": ("fairseq-score --sentence-bleu", score_of("per_item", 100)),
    "BLEU()": ("allennlp BLEU, first reference", score_of("BLEU")),
    "metrics.bleu(targets, predictions)": ("T5 bleu, first reference", score_of("bleu", 100)),
    "bleu": ("lm-eval bleu, first reference", score_of("bleu", 100)),
}
BLEU_OF_ALL = {
    "PTBTokenizer().tokenize": (WHOLE, bleus_of_coco),
    "bleuFromMaps(gold, predictions)": (
        "CodeXGLUE code-to-text smooth BLEU-4 (all references)",
        score_of("bleu", 100),
    ),
    "compute_bleu(references, predictions, 4, True)": (
        "nmt bleu.py as in CodeXGLUE, smooth=True, all references",
        score_of("bleu"),
    ),
    "mteval-v13a-sig.pl": (
        "mteval-v13a-sig (e2e-metrics) , missing references are empty segments",
        score_of("BLEU"),
    ),
    "BLEUScore()": (PYMTEVAL.format({}), score_of("BLEU")),
    "BLEUScore(case_sensitive=True)": (PYMTEVAL.format({"case_sensitive": True}), score_of("BLEU")),
    **{
        f'Bleu(ngram=4, smooth="{smooth}")': (IGNITE.format(smooth, "macro"), score_of("bleu"))
        for smooth in ("no_smooth", "smooth1", "nltk_smooth2", "smooth2")
    },
    'Bleu(ngram=4, smooth="smooth1", average="micro")': (
        IGNITE.format("smooth1", "micro"),
        score_of("bleu"),
    ),
    "bleu_score(candidate_corpus, references_corpus)": (
        "torchtext bleu_score, all references",
        score_of("bleu_float32"),
    ),
    "bleu_score(input, target)": (
        "torcheval 0.0.7 bleu_score, all references",
        score_of("bleu_float32"),
    ),
    "bleu_max": (
        "lm-eval truthfulqa_gen bleu of each item, highest over references",
        score_of("per_item", 100),
    ),
}

OUTPUT_OF_LETTER = {"p": "precision", "r": "recall", "f": "fmeasure"}


def rouge_of_coco(figures):
    return {"rougeL": figures["ROUGE_L"]}, 1


def means_of_py_rouge(figures):
    names = {"rouge-l": "rougeLsum"}
    return {
        f"{names.get(name, name.replace('-', ''))}_{OUTPUT_OF_LETTER[letter]}": score
        for name, scores in figures["mean"].items()
        for letter, score in scores.items()
    }, 1


def means_of_sumeval(figures):
    means = np.mean(figures["per_item_1_2_L"], axis=0).tolist()
    return dict(zip(["rouge1", "rouge2", "rougeL"], means, strict=True)), 1


def first_of_sumeval(figures):
    return dict(zip(["rouge1", "rouge2", "rougeL"], figures["per_item_1_2_L"][0], strict=True)), 1


def means_of_sacrerouge(figures):
    items = figures["per_item"]
    return {
        "rouge{}_{}".format(
            name.rpartition("-")[2].replace("l", "Lsum"), output.replace("f1", "fmeasure")
        ): np.mean([item[name][output] for item in items])
        for name, outputs in items[0].items()
        for output in outputs
    }, 100


def means_of_rouge_2_0(figures):
    """Of five decimals. The precision of L is not a number for one item."""
    types = {"L": "rougeL", "1": "rouge1", "2": "rouge2", "S4": "rougeS3", "SU4": "rougeSU3"}
    outputs = {"P": "precision", "R": "recall", "F": "fmeasure"}
    return {
        f"{types[name.removeprefix('ROUGE-')]}_{outputs[letter]}": np.mean(
            [
                0.0 if item[name][letter] == "NaN" else item[name][letter]
                for item in figures.values()
            ]
        )
        for name in figures["a1"]
        for letter in outputs
    }, 1


def rouge_of_nmt(figures):
    return {
        f"{name.replace('_', '').replace('rougel', 'rougeL')}_{OUTPUT_OF_LETTER[output[0]]}": score
        for key, score in figures.items()
        for name, output in [key.split("/")]
    }, 1


def rouge_of_tensor2tensor(figures):
    return {"rouge2": figures["rouge_2_f_float32"], "rougeL": figures["rouge_l_f_float32"]}, 1


def rouge_of_ignite(figures):
    return {
        f"rouge{rouge_type}_{OUTPUT_OF_LETTER[letter.lower()]}": score
        for key, score in figures.items()
        for _, rouge_type, letter in [key.split("-")]
    }, 1


def means_of_xlsum(figures):
    items = [item for _, item in figures["items"].items()]
    return {name: np.mean([item[name][2] for item in items]) for name in items[0]}, 1


def pair_of_xlsum(figures):
    return {name: scores[2] for name, scores in figures["P,R,F"].items()}, 1


def rouge_of_allennlp(figures):
    outputs = {"R": "recall", "P": "precision", "F1": "fmeasure"}
    return {
        f"rouge{name.split('_')[0][-1]}_{outputs[name.split('_')[1]]}": score
        for name, score in figures.items()
        if "_" in name
    }, 1


def means_of_t5(figures):
    means = np.mean(figures["per_item"], axis=0).tolist()
    return dict(zip(["rouge1", "rouge2", "rougeLsum"], means, strict=True)), 100


BURMESE = {
    "predictions": [MULTILINGUAL[3]["prediction"]],
    "references": [MULTILINGUAL[3]["reference"]],
}
WITH_PREDICTION = texts([item for item in ITEMS if item["prediction"].strip()], first=True)
IGNITE_ROUGE = "ignite Rouge([\"L\", 1, 2], multiref='{}', alpha={})"
SACREROUGE = "sacrerouge python-rouge {{'use_porter_stemmer': False{}}}; items"
ROUGE_2_0 = "ROUGE-2.0, stopwords.use=false, stemmer.use=false; items"
GET_SCORES = 'Rouge(metrics=["rouge-n"{}).get_scores(hyps, refs)'
XLSUM = 'RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"]{}).score(target, prediction)'
PYTHON_ROUGE = "PythonRouge(ngram_orders=[1, 2, 3], use_porter_stemmer=False{})"

ROUGE_OF_FIRST = {
    "rouge(hypotheses, references)": ("nmt rouge.py, all items, first reference", rouge_of_nmt),
    XLSUM.format(""): (
        "XL-Sum rouge, lang=None, use_stemmer=False, items and summaries, first reference",
        means_of_xlsum,
    ),
    "ROUGE(ngram_size=2)": ("allennlp ROUGE, first reference", rouge_of_allennlp),
}
ROUGE_OF_ALL = {
    "PTBTokenizer().tokenize": (WHOLE, rouge_of_coco),
    GET_SCORES.format(', "rouge-l"], max_n=3'): (
        "py-rouge, defaults, pooled references; items",
        means_of_py_rouge,
    ),
    GET_SCORES.format(', "rouge-l"], max_n=3, limit_length=False, stemming=False'): (
        "py-rouge, no limit, no stemming; items",
        means_of_py_rouge,
    ),
    GET_SCORES.format("], max_n=3, apply_avg=False, apply_best=True, limit_length=False"): (
        "py-rouge, apply_best, no limit; items",
        means_of_py_rouge,
    ),
    "RougeCalculator(stopwords=False)": (
        "sumeval RougeCalculator({'stopwords': False}); items",
        means_of_sumeval,
    ),
    PYTHON_ROUGE.format(""): (SACREROUGE.format(""), means_of_sacrerouge),
    PYTHON_ROUGE.format(", max_words=6"): (
        SACREROUGE.format(", 'max_words': 6"),
        means_of_sacrerouge,
    ),
    PYTHON_ROUGE.format(", max_bytes=20"): (
        SACREROUGE.format(", 'max_bytes': 20"),
        means_of_sacrerouge,
    ),
    "java -jar rouge2-1.2.2.jar": (ROUGE_2_0, means_of_rouge_2_0),
    'Rouge(variants=["L", 1, 2])': (IGNITE_ROUGE.format("average", 0), rouge_of_ignite),
    'Rouge(variants=["L", 1, 2], multiref="best", alpha=0.5)': (
        IGNITE_ROUGE.format("best", 0.5),
        rouge_of_ignite,
    ),
    "rouge_1": ("HELM rouge_1, rouge_2, rouge_l", lambda figures: (figures, 1)),
    "rouge_score(prediction, ground_truth)": (
        "LongBench rouge_score, highest over answers",
        lambda figures: ({"rougeL": figures["score"]}, 100),
    ),
}
# Those with texts of their own.
OTHERS = {
    ("bleu_full", "Bleu(4).compute_score(gts, res)"): (STRIPPED, SCORERS, bleus_of_coco),
    ("rouge_full", "Rouge().compute_score(gts, res)"): (STRIPPED, SCORERS, rouge_of_coco),
    ("rouge_full", "RougeCalculator()"): (
        texts(ITEMS[:1]),
        "sumeval RougeCalculator({}); items",
        first_of_sumeval,
    ),
    ("rouge_full", "rouge_n(preds, refs, 2)"): (
        WITH_PREDICTION,
        "tensor2tensor rouge.py on words, items with a prediction, first reference",
        rouge_of_tensor2tensor,
    ),
    ("rouge_full", XLSUM.format(', lang="burmese"')): (
        BURMESE,
        "XL-Sum rouge, lang=burmese, use_stemmer=False, multilingual[3]",
        pair_of_xlsum,
    ),
    ("rouge_full", "metrics.rouge(targets, predictions)"): (
        texts(first=True, change=lambda text: text.replace(" . ", " .\n")),
        "T5 rouge of each item (rouge1, rouge2, rougeLsum), before its bootstrap",
        means_of_t5,
    ),
}
TABLES = [
    *(("bleu_full", FIRST, BLEU_OF_FIRST), ("bleu_full", ALL, BLEU_OF_ALL)),
    *(("rouge_full", FIRST, ROUGE_OF_FIRST), ("rouge_full", ALL, ROUGE_OF_ALL)),
]
FIGURES = OTHERS | {
    (metric, code): (data, *row) for metric, data, rows in TABLES for code, row in rows.items()
}


def test_every_row_has_figures():
    assert set(ROWS) == set(FIGURES)


def has_py_rouge():
    """Another package has its modules in a folder of that name too."""
    return any(found.name == "py-rouge" for found in importlib.metadata.distributions())


def skip_without(options):
    if options.get("tokenizer") == "ptb" and not (
        find_spec("pycocoevalcap") and shutil.which("java")
    ):
        pytest.skip("pycocoevalcap or Java is missing")
    if options.get("stemmer") == "py-rouge" and not has_py_rouge():
        pytest.skip("py-rouge is missing")
    if options.get("use_stemmer"):
        pytest.importorskip("nltk")
    if options.get("tokenizer") == "intl":
        pytest.importorskip("sacrebleu")


@pytest.mark.parametrize(("metric", "code"), ROWS)
def test_rows(request, metric, code):
    options = ROWS[metric, code]
    skip_without(options)
    data, entry, take = FIGURES[metric, code]
    expected, scale = take(values(entry))
    found = request.getfixturevalue(metric).compute(**data, **options)
    # torch, tensor2tensor and ignite without smoothing have 32 bits; allennlp adds 1e-13.
    has_32_bits = "float32" in str(values(entry)) or "no_smooth" in entry
    accuracy = 3e-7 if has_32_bits else 1e-11 if "allennlp" in entry else 1e-12
    absolute = 5e-6 if entry == ROUGE_2_0 else 1e-12
    assert set(expected) <= set(found)
    for name, scores in expected.items():
        ours = found[name]
        if isinstance(scores, list):
            kept = [place for place, score in enumerate(scores) if score is not None]
            assert len(kept) >= 10
            scores, ours = [scores[n] for n in kept], [ours[n] for n in kept]
        np.testing.assert_allclose(
            scale * np.array(ours), scores, rtol=accuracy, atol=absolute, err_msg=name
        )
