"""Presets against figures that packages and benchmarks printed, each compared once.

They are in `golden/published.json`; those of XL-Sum are compared in test_xlsum.py, those of
torchmetrics and rouge-chinese in tests/pages/test_golden_packages.py. tests/peers runs the packages.
"""

import importlib.metadata
import math
import re

import numpy as np
import pytest

from helpers.published import ITEMS, PUBLISHED, SUMMARIES, texts, values
from rouge_bleu import rouge
from rouge_bleu._rouge.other_packages import words_between_wide_stops

# --- from entries to the keys of our results ------------------------------------------------------

OUTPUTS = {"p": "precision", "r": "recall", "f": "fmeasure"}


def listed(rows, types, scale=1):
    """Rows of F, one for each example, with a column for each type."""
    columns = np.transpose(np.array(rows).reshape(len(rows), -1)) / scale
    return {f"{name}_fmeasure": x for name, x in zip(types.split(), columns, strict=True)}


def nested(rows, types, scale=1):
    """Rows {type: {output: score}}, one for each example; `types` has our names."""
    found = {}
    for row in rows:
        for name, of_type in types.items():
            for output in row[name].keys() - {"references"}:
                column = found.setdefault(f"{of_type}_{OUTPUTS[output[0].lower()]}", [])
                column.append(float(row[name][output]) / scale)
    return found


def flat(figures, pattern):
    """Figures of a corpus by names with a type and an output, F if there is none."""
    names = [re.fullmatch(pattern, name).groups() for name in figures]
    keys = [
        f"rouge{of_type.upper()}_{OUTPUTS[(output or 'f').lower()]}" for of_type, output in names
    ]
    return dict(zip(keys, figures.values(), strict=True))


# --- one table ------------------------------------------------------------------------------------

EACH, MEAN = {"use_aggregator": False}, {}
FIRST, ALL, STRIPPED = texts(first=True), texts(), texts(change=str.strip)
NOT_EMPTY = texts([item for item in ITEMS if item["prediction"].strip()], first=True)
IN_LINES = texts(first=True, change=lambda text: text.replace(" . ", " .\n"))
IN_PTB_TOKENS = texts(change=values("PTB tokens of the items").__getitem__)
CHINESE = values("LongBench rouge_zh_score, multilingual[2]")
IN_CHINESE = {"predictions": [CHINESE["cut_prediction"]], "references": [CHINESE["cut_reference"]]}
BOTH = (("items", ITEMS), ("summaries", SUMMARIES))

PLTRDY, NMT, COCO = ({"preset": name} for name in ("pltrdy", "nmt", "coco-caption"))
KEEPING_CASE = {"tokenizer": "whitespace", "lowercase": False}
SACREROUGE = {**{f"python-rouge-{n}": f"rouge{n}" for n in "123"}, "python-rouge-l": "rougeLsum"}
SACREROUGE_LIMITS = {
    "": {},
    ", 'max_words': 6": {"max_words": 6},
    ", 'max_bytes': 20": {"max_bytes": 20},
}
PY_ROUGE = {**{f"rouge-{n}": f"rouge{n}" for n in "123"}, "rouge-l": "rougeLsum"}
UNLIMITED = {"preset": "py-rouge", "max_bytes": None}
# Its S4 has words that are at most four places apart.
ROUGE2 = {"ROUGE-1": "rouge1", "ROUGE-2": "rouge2", "ROUGE-L": "rougeL"}
ROUGE2 |= {"ROUGE-S4": "rougeS3", "ROUGE-SU4": "rougeSU3"}
COCO_SCORERS = "pycocoevalcap scorers on untokenized texts (= nlg-eval)"
COCO_PIPELINE = "pycocoevalcap, full pipeline (PTB tokenizer)"


def l_of(key):
    return lambda entry: {"rougeL_fmeasure": entry[key]}


# The entry, how it is read, the texts and the options.
CASES = [
    # Sentences end at a full stop between spaces; times 100.
    (
        "T5 rouge of each item (rouge1, rouge2, rougeLsum), before its bootstrap",
        lambda entry: listed(entry["per_item"], "rouge1 rouge2 rougeLsum", 100),
        IN_LINES,
        {"preset": "rouge_score", **EACH},
    ),
    ("LongBench rouge_score, highest over answers", l_of("per_item"), ALL, {**PLTRDY, **EACH}),
    (
        "LongBench rouge_score, highest over answers",
        lambda entry: {"rougeL_fmeasure": entry["score"] / 100},
        ALL,
        PLTRDY,
    ),
    # The words of jieba, joined by spaces.
    ("LongBench rouge_zh_score, multilingual[2]", l_of("score"), IN_CHINESE, PLTRDY),
    # Its ROUGE-L is F alone.
    (
        "allennlp ROUGE, first reference",
        lambda entry: flat(entry, r"ROUGE-(.)(?:_(.)1?)?"),
        FIRST,
        KEEPING_CASE,
    ),
    # It takes no empty prediction, and has 32 bits.
    (
        "tensor2tensor rouge.py on words, items with a prediction, first reference",
        lambda entry: flat(entry, r"rouge_(.)_(f)_float32"),
        NOT_EMPTY,
        NMT,
    ),
    (
        "nmt rouge.py, all items, first reference",
        lambda entry: flat(entry, r"rouge_(.)/(.)_score"),
        FIRST,
        NMT,
    ),
    (
        "HELM rouge_1, rouge_2, rouge_l",
        lambda entry: flat(entry, r"rouge(.)()"),
        ALL,
        {"preset": "rouge_score", "use_stemmer": True},
    ),
    # alpha is the weight of precision: 0 is recall.
    *(
        (
            f"ignite Rouge([\"L\", 1, 2], multiref='{multi}', alpha={alpha})",
            lambda entry: flat(entry, r"Rouge-(.)-(.)"),
            ALL,
            {"preset": "ignite", "beta": beta, **choice},
        )
        for multi, choice in (("average", {}), ("best", {"multi_reference": "recall"}))
        for alpha, beta in (("0", math.inf), ("0.5", 1.0))
    ),
    # The stop words of the first item, of which its list is a part; they have to be given.
    (
        "sumeval RougeCalculator({}); items",
        lambda entry: listed(entry["per_item_1_2_L"][:1], "rouge1 rouge2 rougeL"),
        texts(ITEMS[:1]),
        {"preset": "sumeval", "stopwords": ["the", "over", "a"], **EACH},
    ),
    *(
        (
            f"sumeval RougeCalculator({{'stopwords': False}}); {which}",
            lambda entry: listed(entry["per_item_1_2_L"], "rouge1 rouge2 rougeL"),
            texts(items),
            {"preset": "sumeval", **EACH},
        )
        for which, items in BOTH
    ),
    # Times 100. For stems, its data of irregular words was not there.
    *(
        (
            f"sacrerouge python-rouge {{'use_porter_stemmer': {stems}{limit}}}; {which}",
            lambda entry: nested(entry["per_item"], SACREROUGE, 100),
            texts(items),
            {"preset": "sacrerouge", "use_stemmer": stems, **options, **EACH},
        )
        for which, items in BOTH
        for limit, options in SACREROUGE_LIMITS.items()
        for stems in (False, True)[: 1 if limit else 2]
    ),
    *(
        (
            f"py-rouge, no limit, no stemming; {which}",
            lambda entry, key=key: nested(np.ravel(entry[key]), PY_ROUGE),
            texts(items),
            {**UNLIMITED, **average},
        )
        for which, items in BOTH
        for key, average in (("mean", MEAN), ("per_item", EACH))
    ),
    (COCO_SCORERS, l_of("ROUGE_L"), STRIPPED, COCO),
    (COCO_SCORERS, l_of("ROUGE_L_per_image"), STRIPPED, {**COCO, **EACH}),
    # On the tokens that pycocoevalcap made of the texts; tests/peers makes them anew.
    (COCO_PIPELINE, l_of("ROUGE_L"), IN_PTB_TOKENS, COCO),
    (COCO_PIPELINE, l_of("ROUGE_L_per_image"), IN_PTB_TOKENS, {**COCO, **EACH}),
    # It prints five decimals. Of an empty prediction its L has no precision (NaN), which is 0 here.
    *(
        (
            f"ROUGE-2.0, stopwords.use=false, stemmer.use=false; {which}",
            lambda entry, items=items: nested([entry[item["id"]] for item in items], ROUGE2),
            texts(items),
            {"preset": "rouge-2.0", **EACH},
        )
        for which, items in BOTH
    ),
    # Nothing against nothing is 1, and two spaces in a row make a word.
    (
        "edges: COCO scorers",
        lambda entry: {"rougeL_fmeasure": [edge["ROUGE_L"] for edge in entry]},
        texts(values("edges: COCO scorers")),
        {**COCO, **EACH},
    ),
    # A recall of 2 among them, and words such as gonna.
    (
        "edges: py-rouge",
        lambda entry: nested([edge["scores"] for edge in entry], PY_ROUGE),
        texts(values("edges: py-rouge")),
        {**UNLIMITED, **EACH},
    ),
]


@pytest.mark.parametrize(
    ("name", "read", "data", "options"),
    CASES,
    ids=[f"{n} {case[0]}" for n, case in enumerate(CASES)],
)
def test_figures(name, read, data, options):
    figures = read(values(name))
    types = list(dict.fromkeys(key.split("_")[0] for key in figures))
    found = rouge(**data, **options, rouge_types=types, output="all")
    tolerance = {"rtol": 3e-7 if "tensor2tensor" in name else 1e-12}
    if "ROUGE-2.0" in name:
        tolerance = {"rtol": 0, "atol": 5.1e-6}
    for key, expected in figures.items():
        expected = np.nan_to_num(np.array(expected, dtype=float))
        ours = np.reshape(found[key], expected.shape)
        np.testing.assert_allclose(ours, expected, **tolerance, err_msg=key)


def test_words_of_longbench_are_those_of_jieba():
    jieba = pytest.importorskip("jieba")
    pair = PUBLISHED["corpus"]["multilingual"][2]
    for side in ("prediction", "reference"):
        assert " ".join(jieba.cut(pair[side])) == CHINESE[f"cut_{side}"]


# --- by calculation -------------------------------------------------------------------------------

ROUGE_2_0, STEMS = {"preset": "rouge-2.0"}, {"preset": "sacrerouge", "use_stemmer": True}
EMPTY_STOP = {"preset": "rouge-2.0", "stopwords": ["the", ""]}
# Options, prediction, reference, type, precision and recall.
BY_HAND = [
    # In ROUGE-2.0 all numbers are alike; a symbol at the beginning of a line leaves an empty word, and
    # so does an empty line, but no line follows the last end of one. Bigrams are those of lines.
    (ROUGE_2_0, "in 1999", "in 2024", "rouge1", 1, 1),
    (ROUGE_2_0, '"Go" on', "go on", "rouge1", 2 / 3, 1),
    (ROUGE_2_0, "go.\n\non", "go\n\non.", "rouge1", 1, 1),
    (ROUGE_2_0, "go\non\n", "go\non", "rouge1", 1, 1),
    (ROUGE_2_0, "GO, on", "go on", "rouge1", 1, 1),
    (ROUGE_2_0, "", "", "rouge1", 0, 0),
    (ROUGE_2_0, "a b\nc d", "a b c d", "rouge2", 1, 2 / 3),
    # An empty word in a subsequence does not count: the jar prints 0.50000, 0.33333, 0.66667, 0.00000.
    (ROUGE_2_0, '"a', '"a', "rougeL", 1 / 2, 1 / 2),
    (ROUGE_2_0, '"a b', '"a c', "rougeL", 1 / 3, 1 / 3),
    (ROUGE_2_0, "a\n\nb", "a\n\nb", "rougeL", 2 / 3, 2 / 3),
    (ROUGE_2_0, '"a', "\nb", "rougeL", 0, 0),
    # `read().split("\n")` has an empty stop word after the last line of a file.
    (EMPTY_STOP, "a", "a", "rougeL", 1, 1),
    (EMPTY_STOP, '"a b', '"a b', "rougeL", 1, 1),
    (EMPTY_STOP, "", "", "rougeL", 0, 0),
    # py-rouge limits characters over lines; what is between words costs nothing.
    ({"preset": "py-rouge", "max_bytes": 6}, "  abcd \nef gh", "abcd\nef", "rouge1", 1, 1),
    ({"preset": "py-rouge", "max_bytes": 8}, "  abcd \nef gh", "abcd\nef", "rouge1", 2 / 3, 1),
    ({"preset": "py-rouge"}, "a " * 400, "a " * 333, "rouge1", 1, 1),
    # Stems of sacrerouge are of NLTK's ORIGINAL_ALGORITHM. In its default mode all of these are alike.
    (STEMS, "runs", "running", "rouge1", 1, 1),
    (STEMS, "possibly", "possible", "rouge1", 0, 0),
    (STEMS, "technology", "technological", "rouge1", 0, 0),
    (STEMS, "dying", "dies", "rouge1", 0, 0),
    (STEMS, "skies", "sky", "rouge1", 0, 0),
    # The word of an empty list of tokens is the empty one in coco-caption.
    (COCO, [], [[]], "rougeL", 1, 1),
]


@pytest.mark.parametrize(
    ("options", "prediction", "reference", "name", "precision", "recall"), BY_HAND
)
def test_by_hand(options, prediction, reference, name, precision, recall):
    found = rouge([prediction], [reference], **options, rouge_types=[name], output="all")
    expected = pytest.approx([precision, recall], rel=1e-15)
    assert [found[f"{name}_precision"], found[f"{name}_recall"]] == expected


def test_f_of_l_has_a_beta_of_each_pair_in_nmt():
    """P is 1 / 2 and R is 1: beta is 1 / 2, and F is 5 / 4 * 1 / 2 / (1 + 1 / 8)."""
    found = rouge(["a b"], ["a"], **NMT, rouge_types=["rougeL"], output="fmeasure")
    assert found["rougeL"] == pytest.approx(5 / 9, rel=1e-10)


TOKENS = {"predictions": [["a", "B", "c"]], "references": [[["a", "b"], ["c"]]]}
LINES = {"predictions": ["a B c"], "references": [["a b", "c"]]}


@pytest.mark.parametrize("preset", ["pltrdy", "rouge-2.0", "coco-caption", "nmt"])
def test_given_tokens_are_one_line(preset):
    assert rouge(**TOKENS, preset=preset) == rouge(**LINES, preset=preset)


def test_the_stemmer_of_py_rouge_needs_the_package():
    """Another package has its modules in a folder of that name too."""
    pytest.importorskip("nltk")
    if any(found.name == "py-rouge" for found in importlib.metadata.distributions()):
        pytest.skip("py-rouge is here")
    with pytest.raises(ImportError, match="pip install py-rouge"):
        rouge(**LINES, preset="py-rouge", stemmer="py-rouge")


# Sentences as PyPI's rouge-chinese finds them.
WIDE_STOPS = {
    **{"": [], " \n": [], "a. b": [["a.", "b"]], "a\nb": [["a"], ["b"]], "a\n\nb": [["a"], ["b"]]},
    **{"a\n \nb": [["a"], [""], ["b"]], "你好。 \n我": [["你好。"], [""], ["我"]]},
    **{"你好。我": [["你好。"], ["我"]], "你好。X": [["你好。"], ["X"]]},
    "你好。。我": [["你好。"], ["。我"]],  # after a cut no other one begins
    **{"你 好 ？ 我": [["你", "好", "？"], ["我"]], "什么?好!是": [["什么?"], ["好!是"]]},
    **{"他说：“好。”我走": [["他说：“好。”"], ["我走"]], "“好。”，我": [["“好。”，我"]]},
    **{"等……我": [["等……"], ["我"]], "等…我": [["等…我"]]},
    **{"等......我": [["等......"], ["我"]], "等.....我": [["等.....我"]]},
}


@pytest.mark.parametrize("text", WIDE_STOPS, ids=range(len(WIDE_STOPS)))
def test_sentences_of_rouge_chinese(text):
    assert words_between_wide_stops(text) == WIDE_STOPS[text]
